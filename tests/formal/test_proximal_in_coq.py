"""Constants of proximal updates in Coq: one weight vector, exponentials of a margin, softmax of K, all scores."""

from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from sympy import Expr, Max, Piecewise, Rational, exp, log
from test_refutations import written
from test_whole_theorems import Proved, lemma_at, proved, refuse_other_data

from gaptron import BinaryLoss, MarginLoss, PairwiseLoss, Parameter, SeparableLoss, SoftmaxLoss
from gaptron.coq.development import Whole, development
from gaptron.coq.formal import STATEMENT, asked, read
from gaptron.coq.library import ALLOWED, RefusedError, compiled
from gaptron.coq.proved import Claims
from gaptron.coq.reader import compare
from gaptron.coq.reader.points import DifferentError
from gaptron.coq.theorem_kinds import kind_of
from gaptron.symbols import K, m, p, z
from gaptron.theory.losses import Loss
from gaptron.theory.theorem import Theorem

w, BELOW = Parameter("w", 1, 4), Parameter("w", Rational(1, 2), 4)
SQUARE = Max(1 - z, 0) ** 2
SMOOTH = Piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, m < 1), (0, True))
TENTH = Rational(1, 10)


def attained(name: str, loss: Loss, constant: Expr, **more: object) -> Theorem:
    """That some algorithm has no more than the constant."""
    theorem = Theorem(name=name, loss=loss, decoder="best", update="proximal", regret=constant)
    return replace(theorem, **more) if more else theorem


OWN = {
    "mirrored": attained("mirrored", BinaryLoss(plus=w * SQUARE), w),
    "two losses": attained("two losses", BinaryLoss(plus=Max(1 - z, 0), minus=Max(1 + z, 0) ** 2), Rational(1)),
    "exponentials": attained("exponentials", BinaryLoss(plus=log(1 + exp(-z), 2)), TENTH),
    "of K": attained("of K", BinaryLoss(plus=Max(1 - z, 0)), K),
    "a margin": attained("a margin", MarginLoss(log(1 + exp(-m), 2)), Rational(2, 5), classes=2),
    "any classes": attained("any classes", MarginLoss(SMOOTH), K),
    "the hinge": attained("the hinge", MarginLoss(Max(1 - m, 0)), K**2 / (4 * (K - 1))),
    "positive at 1": attained("positive at 1", SoftmaxLoss(-log(p, 2) + TENTH), 3 * TENTH),
    "optimal": attained("optimal", SoftmaxLoss(exp(1) * (1 / p - 1) / 3), Rational(1, 3)),
    "of three": attained("of three", SoftmaxLoss(K * (1 / p - 1) / 2), K / 3, classes=3),
}
PAIR, ALONE = Max(1 - m, 0), Max(1 - z, 0)
OF_SCORES = {
    "pairs": attained("pairs", PairwiseLoss(w * PAIR), w),
    "pairs that rise": attained("pairs that rise", PairwiseLoss((1 - m) ** 2 + TENTH), Rational(2)),
    "exponential pairs": attained("exponential pairs", PairwiseLoss(log(1 + exp(-m), 2)), Rational(1, 5)),
    "single scores": attained("single scores", SeparableLoss(own=ALONE, other=Max(1 + z, 0)), Rational(1, 4)),
    "opposite scores": attained("opposite scores", SeparableLoss(own=w * SQUARE, other=w * Max(1 + z, 0) ** 2), w / 2),
    "opposite exponentials": attained(
        "opposite exponentials",
        SeparableLoss(own=log(1 + exp(-z), 2), other=log(1 + exp(z), 2)),
        Rational(3, 100),
    ),
    "single scores with a parameter": attained(
        "single scores with a parameter", SeparableLoss(own=w * ALONE, other=w * Max(1 + z, 0)), w
    ),
    "pairs of K": attained("pairs of K", PairwiseLoss(K * PAIR / 2), K / 2),
}
OWN |= OF_SCORES
SOFTMAX = "(classification K K (of_softmax K (psi (INR K))))"
PROBLEMS = {
    **dict.fromkeys(("positive at 1", "optimal", "of three"), SOFTMAX),
    **dict.fromkeys(("a margin", "any classes", "the hinge"), "(classification K K (of_margin K (phi (INR K))))"),
    "mirrored": "(classification 2 1 (of_sign (plus (INR 2) v_w) (minus (INR 2) v_w)))",
}
PARAMETERS = dict.fromkeys(("pairs", "opposite scores", "single scores with a parameter"), " v_w")
for name, one in OF_SCORES.items():
    at = f"(INR K){PARAMETERS.get(name, '')}"
    of = f"of_each_score K (own {at}) (other {at})" if isinstance(one.loss, SeparableLoss) else f"of_pairs K (phi {at})"
    PROBLEMS[name] = f"(classification K K ({of}))"
OF_ONE = "(classification 2 1 (of_sign (plus (INR 2)) (minus (INR 2))))"


@cache
def certified(name: str) -> Proved:
    """A theorem with its certificates."""
    return proved(OWN[name])


def text_of(theorem: Theorem) -> str:
    """Its development with the proofs of no claim: enough to be read."""
    return kind_of(theorem)(theorem, Claims(), "T_read").text()


def agreed(theorem: Theorem, text: str) -> int:
    """How many values agree."""
    ((_, statement),) = STATEMENT.findall(text)
    return compare(theorem, [text], statement)


@pytest.mark.few(2)
@pytest.mark.parametrize("name", OWN)
def test_the_second_reader_agrees(name: str) -> None:
    assert agreed(OWN[name], text_of(OWN[name])) > 40


PLANTED = {
    "the labels exchanged": (
        "two losses",
        "(plus (INR 2)) (minus (INR 2))",
        "(minus (INR 2)) (plus (INR 2))",
        "plus at",
    ),
    "one loss for both": ("two losses", "(minus (INR 2))))", "(plus (INR 2))))", "minus at"),
    "another loss": ("mirrored", "(1 + ((-1) * v_z))", "(1 + ((-2) * v_z))", "plus at"),
    "a smaller constant": ("mirrored", "X 1 (regret (INR 2) v_w)", "X 1 (regret (INR 2) v_w / 2)", "the regret at"),
    "another coefficient": ("mirrored", "X 1 (regret", "X 2 (regret", "this coefficient"),
    "three labels": ("mirrored", "(classification 2 1", "(classification 3 1", "its target is another"),
    "two rows": ("mirrored", "(classification 2 1", "(classification 2 2", "its target is another"),
    "a margin": ("mirrored", "(of_sign (plus", "(of_margin 2 (plus", "no of_sign"),
    "a smaller range": ("mirrored", "1 <= v_w -> v_w <= 4 -> 0 < X", "1 <= v_w -> v_w <= 3 -> 0 < X", "its premises"),
    "one dimension": ("mirrored", "forall  (v_w", "forall (d : nat) (v_w", "it binds"),
    "a loss that is zero at 1": ("positive at 1", "(1 / 10) +", "0 +", "psi at"),
    "a constant of other classes": ("of three", "X 1 (regret (INR K))", "X 1 (regret (INR 4))", "the regret at"),
    "a smaller base": ("optimal", "(exp 1)", "(exp 2)", "psi at"),
    "pairs for single scores": ("single scores", "(of_each_score K (own", "(of_pairs K (own", "no of_each_score"),
    "rivals at the label's score": ("single scores", "(other (INR K))))", "(own (INR K))))", "other at"),
    "another loss of pairs": ("pairs of K", "(1 / 2) * ", "(1 / 3) * ", "phi at"),
    "labels fewer than scores": ("pairs", "(classification K K", "(classification 2 K", "its target is another"),
    "no loss of one sign": (
        "mirrored",
        "Definition plus ",
        "Definition of_sign (f g : R -> R) (y : nat) (v : vector) : R := 1.\nDefinition plus ",
        "of_sign is defined",
    ),
}


@pytest.mark.parametrize("planted", PLANTED)
def test_a_planted_difference_is_found(planted: str) -> None:
    name, before, after, finding = PLANTED[planted]
    text = text_of(OWN[name])
    changed = text.replace(before, after)
    assert changed != text
    with pytest.raises(DifferentError, match=finding):
        agreed(OWN[name], changed)


def test_a_theorem_with_steps_says_something_else() -> None:
    steps = replace(OWN["mirrored"], update="gradient", learning_rate=1 / (4 * w), regret=2 * w)
    with pytest.raises(DifferentError, match="it binds"):
        agreed(steps, text_of(OWN["mirrored"]))
    with pytest.raises(DifferentError, match="it binds"):
        agreed(OWN["mirrored"], text_of(steps))


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", OWN)
def test_coq_accepts_it(name: str, library: Path, tmp_path: Path) -> None:
    whole = development(*certified(name))
    found = read(whole, compiled(asked(whole), tmp_path, library))
    assert set(found.axioms) <= set(ALLOWED.values())
    assert f"attainable {PROBLEMS.get(name, OF_ONE)} X 1 (regret " in found.statement
    assert agreed(OWN[name], "\n".join(whole.files.values())) > 40


OTHERS = {
    "a smaller constant": ("mirrored", {"regret": 99 * w / 100}),
    "a smaller loss": ("mirrored", {"loss": BinaryLoss(plus=99 * w * SQUARE / 100)}),
    "a wider range": ("mirrored", {"loss": BinaryLoss(plus=BELOW * SQUARE), "regret": BELOW}),
    "half the constant for two losses": ("two losses", {"regret": Rational(1, 2)}),
    "a smaller loss of the other label": (
        "two losses",
        {"loss": BinaryLoss(plus=Max(1 - z, 0), minus=Max(1 + z, 0) ** 2 / 100)},
    ),
    "a smaller constant with exponentials": ("exponentials", {"regret": 9 * TENTH / 10}),
    "a smaller constant of a margin": ("a margin", {"regret": Rational(9, 50)}),
    "a constant of every number of classes times 99/100": ("any classes", {"regret": 99 * K / 100}),
    "half the loss of every number of classes": ("any classes", {"loss": MarginLoss(SMOOTH / 2)}),
    "less with a loss above zero": ("positive at 1", {"regret": TENTH}),
    "less than the optimum": ("optimal", {"regret": Rational(33, 100)}),
    "less of pairs": ("pairs", {"regret": 99 * w / 100}),
    "less of exponential pairs": ("exponential pairs", {"regret": Rational(18, 100)}),
    "less of single scores": ("single scores", {"regret": Rational(6, 25)}),
    "rivals that add less": (
        "single scores",
        {"loss": SeparableLoss(own=ALONE, other=Max(1 + z, 0) / 100)},
    ),
    "less of opposite scores": ("opposite scores", {"regret": w / 8}),
    "less of opposite exponentials": ("opposite exponentials", {"regret": Rational(2, 100)}),
    "less for three": ("of three", {"regret": K / 60}),
}


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.one_in(5)
@pytest.mark.parametrize("other", OTHERS)
def test_a_constant_is_no_other_than_that_of_its_data(other: str, library: Path, tmp_path: Path) -> None:
    name, changed = OTHERS[other]
    theorem, certificates = certified(name)
    file, text = next(iter(development(theorem, certificates).files.items()))
    compiled({file: text}, tmp_path, library)
    refuse_other_data(certified(name), replace(theorem, **changed), tmp_path, library, "conditions")


BROKEN = {
    "mirrored": attained("less", BinaryLoss(plus=w * SQUARE), w / 2),
    "two losses": attained("less of two", BinaryLoss(plus=Max(1 - z, 0), minus=Max(1 + z, 0) ** 2), Rational(1, 2)),
    "exponentials": attained("less of exponentials", BinaryLoss(plus=log(1 + exp(-z), 2)), Rational(1, 11)),
    "of K": attained("less of K", BinaryLoss(plus=Max(1 - z, 0)), K / 5),
    "positive at 1": attained("less at 1", SoftmaxLoss(-log(p, 2) + TENTH), TENTH / 3),
    "pairs": attained("less of pairs", PairwiseLoss(w * PAIR), w / 2),
    "exponential pairs": attained("less of exponentials", PairwiseLoss(log(1 + exp(-m), 2)), Rational(9, 50)),
    "single scores": attained(
        "less of scores", SeparableLoss(own=ALONE, other=Max(1 + z, 0) / (K - 1)), Rational(1, 4)
    ),
    "opposite scores": attained("less", SeparableLoss(own=w * SQUARE, other=w * Max(1 + z, 0) ** 2), w / 9),
    "of three": attained("less of three", SoftmaxLoss((1 / p - 1) / 2), 1 / (5 * K), classes=3),
}


@cache
def refuted(name: str) -> Whole:
    """The refutation by the witness of a check."""
    return written(BROKEN[name], "criterion")


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", BROKEN)
def test_coq_accepts_that_no_algorithm_attains_it(name: str, library: Path, tmp_path: Path) -> None:
    whole = refuted(name)
    found = read(whole, compiled(asked(whole), tmp_path, library))
    assert f"~ attainable {PROBLEMS.get(name, OF_ONE)} X 1 (regret " in found.statement
    assert compare(BROKEN[name], [*whole.files.values()], found.statement, is_refuted=True) > 40


@pytest.mark.slow
@pytest.mark.coq
def test_coq_refuses_scores_at_which_the_criterion_holds(library: Path, tmp_path: Path) -> None:
    whole = refuted("two losses")
    (claims, text), (file, rest) = whole.files.items()
    compiled({claims: text}, tmp_path, library)
    scores = "binary_not_attained _ _ _ _ "
    at = rest.index(scores) + len(scores)
    changed = f"{rest[:at]}0 0{rest[rest.index(' Rlt_0_1', at) :]}"
    with pytest.raises(RefusedError) as error:
        compiled({file: changed}, tmp_path, library)
    assert lemma_at(changed, error.value.line) == "witness_breaks"
