"""Structured theorems as data: values and limits against sympy's, minors against its matrices, planted guesses."""

import random
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
import sympy as sp
from sympy import Rational, exp, log, sqrt

from gaptron import StructuredTheorem
from gaptron.door.showing import show
from gaptron.guesses import obligations_of
from gaptron.guesses.computer_algebra import SympyGuesses
from gaptron.language.formulas import where
from gaptron.language.normal import alike
from gaptron.obligations.sequents import Sequent
from gaptron.obligations.setting import OWN
from gaptron.obligations.structured.curvature import _minors
from gaptron.prove.forced import slopes_at
from gaptron.structured import (
    BinaryEntropy,
    Classes,
    Cube,
    Finite,
    Hamming,
    KendallTau,
    PermutationMatrices,
    Quadratic,
    Separable,
    Shannon,
    SquaredNorm,
    Tsallis,
    ZeroOne,
)
from gaptron.symbols import K, d, v
from gaptron.theory.structured.limits import INSIDE, NOT_SEEN, at_mean

ENTROPIES: list[Any] = [
    SquaredNorm(),
    Shannon(),
    BinaryEntropy(),
    *(Tsallis(Rational(q)) for q in ("3/2", "4/3", "3")),
    Separable(v**2 * log(v) ** 2 + sqrt(1 - v) * log(1 - v)),
    Separable(-sqrt(v * (1 - v))),
    Separable(v * log(v / 3) - (1 - v) * log(1 + v)),
    Separable((v * log(v) + v) * exp(v)),
    Separable(sqrt(v) * v * log(v**2)),
]
MEANS = [Fraction(n, 12) for n in (0, 1, 4, 6, 9, 12)]


def value_at(omega: sp.Expr, point: sp.Rational) -> sp.Expr:
    """By sympy: the limit from inside where there is no value at an end."""
    value = omega.subs(v, point)
    return value if value.is_finite or point not in (0, 1) else sp.limit(omega, v, point, "-" if point else "+")


def same(found: Any, expected: sp.Expr) -> bool:
    return bool(abs((show(found, {}) - expected).evalf(30)) < 1e-25)


@pytest.mark.parametrize("entropy", ENTROPIES, ids=str)
def test_an_entropy_has_sympys_values_and_limits(entropy: Any) -> None:
    for mean in MEANS:
        assert same(at_mean(entropy.omega, mean), value_at(show(entropy.omega, {"v": v}), sp.Rational(mean)))
    omegas = (value_at(show(entropy.omega, {"v": v}), sp.Rational(mean)) for mean in MEANS)
    assert same(entropy.value(MEANS), sum(omegas))


@pytest.mark.parametrize("entropy", ENTROPIES, ids=str)
def test_an_entropy_has_sympys_slopes_and_is_steep_where_they_are_not_finite(entropy: Any) -> None:
    for mean in MEANS:
        meant = sp.diff(show(entropy.omega, {"v": v}), v).subs(v, sp.Rational(mean))
        found = slopes_at(entropy, [mean])
        assert (found is None) == (not meant.is_finite)
        assert found is None or same(found[0], meant)


@pytest.mark.parametrize("omega", [v * exp(-1 / v) - sqrt(1 - v), v * log(v * (2 - v))])
def test_a_limit_that_is_not_seen_is_said_and_nothing_is_decided(omega: sp.Expr) -> None:
    reasons = [each.unsupported for each in obligations_of(_of(Separable(omega))) if each.unsupported]
    assert reasons == [NOT_SEEN]


def test_a_value_at_0_that_is_written_is_not_the_limit() -> None:
    jumping = Separable(sp.Piecewise((-1, v <= 0), (v**2 / 2, True)))
    assert at_mean(jumping.omega, Fraction(0)) == -1
    (touching, *_) = [c for o in obligations_of(_of(jumping)) for c in o.claims if c.then.sign == "="]
    assert (touching.then.left, touching.then.right) == (-1, 0)


def _of(entropy: Any, **arguments: Any) -> StructuredTheorem:
    usual = {"outputs": Classes(), "target": ZeroOne(), "learning_rate": Rational(1, 8), "coefficient": 20}
    return StructuredTheorem(name="example", entropy=entropy, **usual | arguments)


@pytest.mark.parametrize("seed", range(6))
def test_minors_are_those_of_sympys_matrices(seed: int) -> None:
    """Of outputs that span less than they are, too."""
    generator = random.Random(seed)
    size = generator.choice((2, 3))
    half = [[Fraction(generator.randint(-4, 4), generator.choice((1, 2))) for _ in range(size)] for _ in range(size)]
    matrix = [[half[i][j] + half[j][i] for j in range(size)] for i in range(size)]
    points = {tuple(generator.randint(-2, 2) for _ in range(size)) for _ in range(size + 2)}
    theorem = _of(Quadratic(matrix), outputs=Finite(sorted(points)))
    first, *others = [sp.Matrix(y) for y in theorem.outputs.vectors(size)]
    inner = sp.Matrix.hstack(*sp.Matrix.hstack(*(y - first for y in others)).columnspace())
    for needed, shown in ((Fraction(0), sp.S.Zero), (("log", Fraction(3)), log(3))):
        form = inner.T * (sp.Matrix(matrix) - shown * sp.eye(size)) * inner
        kept = [list(c) for n in range(1, form.rows + 1) for c in combinations(range(form.rows), n)]
        assert isinstance(theorem.entropy, Quadratic)
        claims = list(_minors(theorem, theorem.entropy, needed))
        for claim, indices in zip(claims, kept, strict=True):
            assert same(claim.then.left, form.extract(indices, indices).det())
            assert claim.refutes == (needed == 0)


KENDALL = {"outputs": PermutationMatrices(), "target": KendallTau(), "coefficient": 4 * (2 * d - 3) / (d * (d - 1))}


def test_a_wrong_shorter_form_is_a_claim_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    sharp = _of(SquaredNorm(), **KENDALL | {"learning_rate": 1 / (2 * d)})
    assert not any(o.id == "coverage" for o in obligations_of(sharp))
    monkeypatch.setattr(SympyGuesses, "shortened", lambda self, expression: Fraction(1, 3))
    claims = [c for o in obligations_of(sharp) if o.id == "coverage" for c in o.claims]
    assert any(claim.then.sign == "=" and claim.then.right == Fraction(1, 3) for claim in claims)


def test_a_wrong_product_is_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    def from_3() -> Sequent:
        flat = _of(BinaryEntropy(), learning_rate=Rational(1, 2), coefficient=1 / (4 * log(2) - Rational(1, 4)))
        return next(c for o in obligations_of(flat) if o.id == "criterion/uniform" for c in o.claims if c.given)

    right = from_3()
    monkeypatch.setattr(SympyGuesses, "factored", lambda self, expression: Fraction(7))
    assert alike(from_3().then.left, right.then.left)


def test_what_is_taken_to_be_positive_is_a_hypothesis_of_every_claim() -> None:
    """Or the range of a mean that is claimed to be in (0, 1)."""
    assert {OWN[name].sign for name in INSIDE - {"v"}} == {">"}
    kinked = Separable(v**2 + sp.Max(v - Rational(1, 3), 0) / 4)
    entropies = [*ENTROPIES[:5], kinked]
    matrices = {"outputs": PermutationMatrices(), "target": Hamming()}
    theorems = [_of(entropy, **parts) for entropy in entropies for parts in ({}, {"sizes": 2}, matrices)]
    claims = [
        claim for theorem in theorems for o in obligations_of(theorem) for claim in o.claims if "v" in claim.then.names
    ]
    assert len(claims) > 25
    assert [claim for claim in claims if not set(where("v > 0")) & set(claim.given)] == []


def test_n_is_real_where_a_function_of_it_has_to_be_monotone() -> None:
    claims = [
        c for o in obligations_of(_of(Shannon())) if o.id == "criterion/uniform" for c in o.claims if "n" in c.names
    ]
    assert claims
    assert not any(known.is_whole for claim in claims for known in claim.known if known.name == "n")


@pytest.mark.parametrize(
    "arguments",
    [
        {"outputs": Cube(), "target": Hamming(), "scale": 2, "coefficient": 8 / d, "regret": 8 / d},
        {"entropy": Shannon(), "scale": 1 / log(2), "coefficient": 1 + 1 / K},
        {"entropy": Shannon(), "update": "proximal", "learning_rate": None, "regret": 2 * K},
    ],
)
def test_the_numbers_of_the_criterion_are_those_of_sympy(arguments: dict[str, Any]) -> None:
    from gaptron.obligations.structured.cases import StructuredSurrogate

    theorem = _of(**{"entropy": SquaredNorm()} | arguments)
    found = StructuredSurrogate.of(theorem)
    assert found is not None
    eta = theorem.learning_rate or theorem.coefficient / (2 * theorem.regret)
    kappa = eta * theorem.scale**2 / 2
    for size in (2, 5):
        here = found.at(theorem, size)
        for part, expected in ((here.kappa, kappa), (here.strength, 2 * kappa / theorem.scale)):
            assert same(part, expected.subs(theorem.size, size))
