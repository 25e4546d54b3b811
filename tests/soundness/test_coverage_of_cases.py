"""Nothing is left out of a theorem's cases without a proof: wrong guesses are planted, and do no harm."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest
import sympy as sp
from conftest import check_kept
from sympy import And, Eq, Max, Min, Ne, Or, Piecewise, Rational, exp, log, sqrt

from gaptron import GapMap, MarginLoss, Theorem
from gaptron.checking.checker import check
from gaptron.door.reading import read, read_condition, read_relation, variable
from gaptron.guesses import obligations_of
from gaptron.guesses.computer_algebra import SympyGuesses
from gaptron.guesses.in_sympy import OWN_SYMBOLS, sequent
from gaptron.language.formulas import where
from gaptron.language.relations import Relation
from gaptron.numbers.evaluate import evaluate, holds, truth_at, value_at
from gaptron.obligations import NOWHERE
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.pieces import clauses, closed, put_in
from gaptron.obligations.sequents import Sequent
from gaptron.obligations.statement import kernel_names, statement
from gaptron.symbols import K, Parameter, T, m
from gaptron.theory.theorem import Implication, Lemma
from gaptron.theory.verdict import Verdict

pytestmark = pytest.mark.usefixtures("lent")

loss = Max(1 - m, 0) ** 2
TRUE = Theorem(name="true", loss=MarginLoss(loss), gap_map=GapMap(loss), learning_rate=1 / (4 * K), regret=2 * K)
FALSE = Theorem(name="false", loss=MarginLoss(loss), gap_map=GapMap(loss), learning_rate=1 / (3 * K), regret=2 * K)
Guess = Callable[..., Any]


def verdict(theorem: Theorem) -> Verdict:
    return check_kept([theorem], 3.0, 2)[0].verdict


def test_what_was_left_out_is_an_obligation() -> None:
    (found,) = [o for o in obligations_of(TRUE) if o.id == "coverage"]
    assert found.claims
    assert not any(claim.refutes for claim in found.claims)


@pytest.mark.few(1)
@pytest.mark.parametrize("theorem", [FALSE, TRUE], ids=lambda theorem: theorem.name)
@pytest.mark.parametrize(
    ("name", "guess"),
    [
        ("seems_empty", lambda self, region: True),
        ("seems_empty", lambda self, region: len(region) > 3),
        ("seems_empty", lambda self, region: any("m" in r.names for r in region)),
        ("only_point", lambda self, region, variable: Fraction(1)),
        ("only_point", lambda self, region, variable: "K"),
    ],
)
def test_a_wrong_guess_proves_nothing(
    theorem: Theorem, name: str, guess: Guess, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SympyGuesses, name, guess)
    assert verdict(theorem) is not Verdict.PROVED


@pytest.mark.slow
@pytest.mark.parametrize("name", ["seems_empty", "only_point"])
def test_no_guess_at_all_refutes_nothing_true(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SympyGuesses, name, lambda *_: False if name == "seems_empty" else None)
    assert verdict(TRUE) is not Verdict.REFUTED


@pytest.mark.slow
def test_a_claim_of_the_case_analysis_that_fails_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SympyGuesses, "seems_empty", lambda self, region: len(region) > 3)
    result = check([TRUE], 3.0, 2)[0]
    found = dict(zip((o.id for o in result.obligations), result.outcomes, strict=True))
    assert found["coverage"].verdict is Verdict.UNDECIDED
    assert "cases could not be told apart" in str(found["coverage"].reason)


CONDITIONS = [
    And(m > 0, m <= 2),
    Or(m < -1, m > 1),
    Ne(m, 1),
    Eq(m, 1),
    sp.Not(And(m > 0, Or(m < 1, K > 3)), evaluate=False),
    Or(And(m >= 0, m < 1), And(m > 2, Ne(K, 3))),
    sp.true,
    sp.false,
]


def named(point: dict[sp.Symbol, Fraction]) -> dict[str, Fraction]:
    return {symbol.name: value for symbol, value in point.items()}


def cases() -> Coverage:
    return Coverage(SympyGuesses(OWN_SYMBOLS))


POINTS = [{m: Fraction(n, 2), K: Fraction(k)} for n in range(-4, 7) for k in (2, 3, 4)]


@pytest.mark.parametrize("condition", CONDITIONS, ids=str)
@pytest.mark.parametrize("wanted", [True, False])
def test_the_clauses_of_a_condition_are_where_it_holds_or_does_not(condition: Any, wanted: bool) -> None:
    for point in POINTS:
        at = named(point)
        inside = any(all(truth_at(r, at) for r in region) for region in clauses(read_condition(condition), wanted))
        assert inside is (holds(condition, point) is wanted)


@pytest.mark.parametrize(
    "expr",
    [
        Piecewise((1, m < 0), (2, Eq(m, 1)), (3, And(m > 0, Ne(m, 2))), (4, True)),
        Max(m, 1, 2 * m) - Min(m, 0) + sp.Abs(m - 1),
        Piecewise((Max(m, 0), sp.Abs(m) < 1), (Piecewise((K, K <= 3), (m, True)), True)),
    ],
    ids=str,
)
def test_pieces_cover_every_point_with_its_value(expr: Any) -> None:
    found = cases().pieces(read(expr), where("K >= 2"))
    for point in POINTS:
        at = named(point)
        values = {value_at(x.value, at) for x in found if all(truth_at(r, at) for r in x.conditions)}
        assert values == {evaluate(expr, point)}


@pytest.mark.parametrize(
    ("expr", "wanted"),
    [
        (1 / m, [sp.Ne(m, 0, evaluate=False)]),
        (log(m), [m > 0]),
        (sqrt(m), [m >= 0]),
        (m ** Rational(-1, 2), [m > 0]),
        (Piecewise((1, m < 0)), [NOWHERE]),
        (Piecewise((1, sqrt(m) >= 0), (0, True)), [m >= 0]),
        (Piecewise((1 / m, False), (m, True)), []),
        (0 * m + m**2 + exp(m), []),
    ],
    ids=str,
)
def test_what_must_hold_for_a_value_to_exist(expr: Any, wanted: list[Any]) -> None:
    known = [one if isinstance(one, Relation) else read_relation(one) for one in wanted]
    assert [claim.then for claim in cases().defined(read(expr), ())] == known


def test_a_guard_decides_where_a_condition_must_be_defined() -> None:
    guarded = Piecewise((1, And(m > 0, log(m) > 1)), (0, True))
    (claim,) = cases().defined(read(guarded), ())
    assert claim == Sequent(where("m > 0"), *where("m > 0"))


def test_a_value_that_is_multiplied_by_zero_must_be_defined() -> None:
    vanishing = Piecewise((1 / m, m < 1), (m, True)) * Piecewise((0, m < 1), (1, True))
    assert where("m != 0") in [(claim.then,) for claim in cases().defined(read(vanishing), ())]


def test_only_conditions_with_the_variable_are_closed() -> None:
    region = where("m < 1", "K > 2", "p > m", "p < 1")
    assert closed(region, "m") == where("m <= 1", "K > 2", "p >= m", "p < 1")


def test_an_undefined_side_makes_a_relation_false() -> None:
    (relation,) = where("m <= 1/(K - 2)")
    assert put_in(relation, {"K": Fraction(2)}) == NOWHERE
    assert put_in(*where("log(m) >= 0"), {"m": Fraction(0)}) == NOWHERE
    assert put_in(*where("sqrt(m - 3) >= 0"), {"m": Fraction(2)}) == NOWHERE
    assert put_in(*where("sqrt(m) >= 0"), {"m": Fraction(0)}) == Relation(">=", Fraction(0), Fraction(0))


# --- names and assumptions -----------------------------------------------------------------------------------------


def test_names_are_injective() -> None:
    symbols = {
        sp.Symbol(n, real=True)
        for n in ("x", "x_copy1", "symbol", "symbol_78", "x'", "x''", "\N{GREEK SMALL LETTER ETA}")
    }
    assert len(set(kernel_names([*map(variable, symbols)]).values())) == len(symbols)


def test_two_symbols_of_one_name_are_refused() -> None:
    with pytest.raises(NotImplementedError, match="one name"):
        kernel_names([variable(sp.Symbol("x", real=True)), variable(sp.Symbol("x", positive=True))])


@pytest.mark.parametrize("sign", ["positive", "negative", "nonnegative", "nonpositive", "nonzero"])
def test_a_sign_is_a_hypothesis(sign: str) -> None:
    x = sp.Symbol("x", **{sign: True})
    signs = {"positive": ">", "negative": "<", "nonnegative": ">=", "nonpositive": "<=", "nonzero": "!="}
    (known,) = statement(sequent((), sp.Le(x, 7, evaluate=False))).given
    assert (known.sign, known.left, known.right) == (signs[sign], "x", 0)


def test_integers_and_ranges_are_stated() -> None:
    w, n = Parameter("w", 1, 2), sp.Symbol("n", integer=True)
    claim = statement(sequent((), sp.Le(w + n + K + T, 7, evaluate=False)))
    assert {"K", "T", "n"} == set(claim.integers)
    assert {(r.sign, r.right) for r in claim.given if r.left == "w"} == {(">=", 1), ("<=", 2)}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("then", "expected"),
    [
        (lambda n: n * (n - 1) >= 0, Verdict.PROVED),
        (lambda n: (3 * n - 1) * (3 * n - 2) >= 0, Verdict.PROVED),
        (lambda n: (3 * n - 1) * (3 * n - 4) >= 0, Verdict.REFUTED),
    ],
)
def test_a_lemma_about_an_integer(then: Any, expected: Verdict) -> None:
    n = sp.Symbol("n", integer=True)
    step = Implication(name="step", statement="step", given=(n >= 0,), then=then(n))
    assert check([Lemma(name="integer", implications=(step,))], 10.0, 2)[0].verdict is expected
