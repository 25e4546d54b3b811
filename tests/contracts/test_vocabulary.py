"""What a theorem file may say, and the one sentence it gets otherwise."""

from fractions import Fraction
from typing import Any

import pytest
from sympy import Abs, I, Le, Max, Min, Piecewise, Rational, Symbol, cos, exp, log, oo, sqrt, symbols, tanh

from gaptron import BinaryLoss, GapMap, Implication, Lemma, MarginLoss, SoftmaxLoss, Theorem, TheoremError
from gaptron.symbols import D, K, T, X, gamma, m, p, z

HINGE = MarginLoss(Max(1 - m, 0))
MAP = GapMap(Max(1 - m, 0))


def theorem(**arguments: Any) -> Theorem:
    return Theorem(**{"name": "example", "loss": HINGE, "gap_map": MAP, "learning_rate": 1 / (4 * K)} | arguments)


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: MarginLoss("1 - m"), "MarginLoss phi = '1 - m' is not a number or a sympy expression"),
        (lambda: MarginLoss(True), "MarginLoss phi = True is not a number"),
        (lambda: MarginLoss(1 - p), "uses the symbol p: allowed here: m, K"),
        (lambda: MarginLoss(1 - Symbol("m")), "uses a symbol m of its own: import m from gaptron.symbols"),
        (lambda: MarginLoss(cos(m)), "uses cos, which is not supported"),
        (lambda: MarginLoss(I * m), "imaginary"),
        (lambda: SoftmaxLoss(-log(p, 2, evaluate=False)), "base of its own: write log(p)/log(2)"),
        (
            lambda: Implication(
                name="x", statement="y", given=(), then=Le(1, log(K, 16, evaluate=False), evaluate=False)
            ),
            "base of its own: write log(K)/log(16)",
        ),
        (lambda: MarginLoss(oo), "must be a finite real number"),
        (lambda: MarginLoss(float("nan")), "must be a finite real number"),
        (lambda: MarginLoss(1 - m, off_above=m), "MarginLoss off_above = m uses the symbol m: allowed here: K"),
        (lambda: SoftmaxLoss(-log(m)), "uses the symbol m: allowed here: p, K"),
        (lambda: BinaryLoss(plus=1 - m), "BinaryLoss plus = 1 - m uses the symbol m"),
        (lambda: BinaryLoss(plus=1 - z, minus=K), "BinaryLoss minus = K uses the symbol K"),
        (lambda: GapMap(z), "GapMap = z uses the symbol z"),
        (lambda: theorem(name=""), "name = '' is not a non-empty string"),
        (lambda: theorem(name=3), "name = 3 is not a non-empty string"),
        (lambda: theorem(source=""), "source = ''"),
        (lambda: theorem(loss=1 - m), "loss = 1 - m is not a MarginLoss, a SoftmaxLoss or a BinaryLoss"),
        (lambda: theorem(loss=lambda z: z), "loss = a function is not a MarginLoss"),
        (lambda: theorem(gap_map=1 - m), "gap_map = 1 - m is not a GapMap"),
        (lambda: Theorem(name="t", loss=HINGE), 'gap_map is missing: a GapMap is needed, or decoder="best"'),
        (lambda: theorem(decoder="greedy"), 'decoder = \'greedy\' is neither "gap map" nor "best"'),
        (lambda: theorem(decoder="best"), 'with decoder = "best" there is none'),
        (lambda: Theorem(name="t", loss=HINGE, decoder="best", abstention_cost=1 / K), "without abstention_cost"),
        (lambda: theorem(gap_map=GapMap(1 - p)), "gap_map = 1 - p uses the symbol p: with a MarginLoss"),
        (lambda: theorem(loss=SoftmaxLoss(-log(p)), gap_map=MAP), "with a SoftmaxLoss it is an expression in p, K"),
        (lambda: theorem(loss=BinaryLoss(1 - z), gap_map=GapMap(1 / K)), "with a BinaryLoss it is an expression in m"),
        (lambda: theorem(learning_rate=0), "learning_rate = 0 is not positive at K = 2"),
        (lambda: theorem(learning_rate=1 / K - Rational(1, 9)), "is not positive at K = 9"),
        (lambda: theorem(learning_rate=1 / (K - 5)), "divides by zero at K = 5"),
        (lambda: theorem(learning_rate=log(K - 2)), "is not a finite real number at K = 2"),
        (
            lambda: MarginLoss(Abs(1 - m) ** m),
            "Abs(m - 1)**m, a varying power of what may be zero or less: write exp((m)*log(Abs(m - 1))), and its value",
        ),
        (lambda: MarginLoss(Max(1 - m, 0) ** K), "a varying power of what may be zero or less"),
        (lambda: theorem(learning_rate=(3 + (-1) ** K) / (16 * K)), "uses (-1)**K, a negative number to a power"),
        (lambda: theorem(learning_rate=1 / X**2), "learning_rate = X**(-2) uses the symbol X: allowed here: K"),
        (lambda: theorem(regret=1 / (K - 4)), "regret = 1/(K - 4) divides by zero at K = 4"),
        (lambda: theorem(gap_map=GapMap(m / (K - 7))), "gap_map = m/(K - 7) divides by zero at K = 7"),
        (lambda: theorem(classes=1), "classes = 1 is less than 2"),
        (lambda: theorem(classes=True), "classes = True is not an integer or a range"),
        (lambda: theorem(classes=2.0), "classes = 2.0 is not an integer or a range"),
        (lambda: theorem(classes=range(3, 3)), "is not a non-empty range"),
        (lambda: theorem(classes=range(2, 9, 2)), "is not a non-empty range of consecutive integers"),
        (lambda: theorem(loss=BinaryLoss(1 - z), classes=3), "a BinaryLoss has two classes only"),
        (lambda: theorem(feedback="partial"), 'feedback = \'partial\' is neither "full" nor "bandit"'),
        (lambda: theorem(exploration=1 / T), 'exploration = 1/T goes with feedback="bandit" only'),
        (lambda: theorem(feedback="bandit"), "needs both exploration and learning_rate"),
        (lambda: Lemma(name="empty", implications=()), "is not a non-empty sequence of Implication"),
        (lambda: Implication(name="x", statement="y", given=(), then=1), "1 is not a relation"),
        (lambda: Implication(name="x", statement="y", given=(), then=symbols("a") > 0), "must be declared real"),
    ],
)
def test_a_bad_argument_is_named_with_its_value(build: Any, message: str) -> None:
    with pytest.raises(TheoremError) as raised:
        build()
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


@pytest.mark.parametrize(("n_classes", "expected"), [(2, True), (3, True), (5, True), (6, False)])
def test_classes_limit_the_claim(n_classes: int, expected: bool) -> None:
    assert theorem(classes=range(2, 6)).claims(n_classes) is expected
    assert theorem(classes=n_classes).claims(5) is (n_classes == 5)
    assert theorem().claims(n_classes)


def test_a_vanishing_denominator_outside_the_classes_claimed_is_allowed() -> None:
    assert theorem(learning_rate=1 / (K - 2), classes=range(3, 9)).first_class_count == 3


def test_the_learning_rate_defaults_to_what_the_regret_needs() -> None:
    assert theorem(learning_rate=None, regret=2 * K).eta() == 1 / (4 * K)
    assert theorem(learning_rate=None).eta() is None


def test_decimals_are_read_as_written() -> None:
    assert theorem(learning_rate=0.1 / K).learning_rate == Rational(1, 10) / K
    assert MarginLoss(1.25 - m).phi == Rational(5, 4) - m
    assert GapMap(Fraction(1, 3)).expression == Rational(1, 3)


def test_hyperbolic_functions_are_rewritten() -> None:
    assert MarginLoss(1 - tanh(m)).phi.has(exp)


def test_a_binary_loss_is_symmetric_unless_said_otherwise() -> None:
    assert BinaryLoss(plus=Max(1 - z, 0)).minus == Max(1 + z, 0)


def test_a_theorem_knows_its_line() -> None:
    here = theorem()
    assert here.line == theorem.__code__.co_firstlineno + 1


def test_bandit_parameters_may_use_the_horizon() -> None:
    stated = theorem(
        feedback="bandit",
        exploration=Min(1, K * D * X / sqrt(T)),
        learning_rate=gamma / (K**2 * X**2),
        regret=K * X * D * sqrt(T),
    )
    assert stated.exploration.has(T)


def test_every_kind_of_piece_may_be_written() -> None:
    MarginLoss(Piecewise((1 - m, m <= 0), (Abs(1 - Min(m, 1)), True)) + Max(-m, 0) + sqrt(1 + m**2) + exp(-m))


def test_decimals_in_an_implication_are_read_as_written() -> None:
    implication = Implication(name="i", statement="s", given=(m >= 0.1,), then=Le(0.5, 0.5 + m, evaluate=False))
    assert implication.given == (m >= Rational(1, 10),)
    assert implication.then == Le(Rational(1, 2), Rational(1, 2) + m, evaluate=False)
