"""The variables of the lemma: no name of a file is one of them, and what is assumed of each is what its symbol says."""

import pytest
from sympy import Abs, Expr, Ge, Max, Rational, Symbol

from gaptron import GapMap, MarginLoss, Parameter, StructuredTheorem, Theorem
from gaptron.door.reading import variable
from gaptron.door.showing import show, symbol
from gaptron.guesses import obligations_of
from gaptron.guesses.in_sympy import OWN_SYMBOLS, sequent, written
from gaptron.language.normal import POSITIVE
from gaptron.obligations.sequents import Sequent
from gaptron.obligations.setting import OWN, RATE
from gaptron.obligations.statement import statement
from gaptron.structured import Cube, Hamming, Separable
from gaptron.symbols import ALL, TAKEN, K, m, v
from gaptron.theory.theorem import Implication, Lemma

w = Parameter("w", 1, 4)


def test_no_parameter_has_the_name_of_one() -> None:
    assert set(OWN) - {RATE} <= set(TAKEN)
    assert not RATE.isidentifier()
    for name in ("z_plus", "z_minus", "n", "sqrt_T"):
        with pytest.raises(ValueError, match="is needed"):
            Parameter(name, 0, 1)


def test_what_is_positive_is_a_hypothesis_of_every_claim() -> None:
    assert {OWN[name].sign for name in POSITIVE} == {">"}


@pytest.mark.parametrize("name", sorted(ALL))
def test_the_symbols_of_files_are_read_as_the_variables_of_the_lemma(name: str) -> None:
    assert variable(ALL[name]) == OWN[name]
    assert OWN_SYMBOLS[name] == ALL[name]


@pytest.mark.parametrize(
    "given", [K, m, w, Symbol("k", integer=True), Symbol("a", negative=True), OWN_SYMBOLS["n"]], ids=str
)
def test_a_symbol_is_shown_as_it_was_declared(given: Symbol) -> None:
    real = given if given.is_real else Symbol(given.name, real=True)
    assert symbol(variable(real)) == real
    assert show(given.name, {given.name: given}) is given


def test_a_claim_in_sympy_is_the_one_that_was_read() -> None:
    found = written(sequent((m > 0, w >= m), K * m >= w))
    assert (found.given, found.then) == ((m > 0, w >= m), K * m >= w)


def test_a_variable_of_which_nothing_is_known_is_no_claim() -> None:
    with pytest.raises(KeyError, match="typo"):
        statement(Sequent((), sequent((), m >= 0).then.__class__("<=", "typo", "m")))


def test_signs_ranges_and_integers_are_those_of_the_file() -> None:
    loss = MarginLoss((1 - m / w) ** 2)
    theorem = Theorem(name="ranges", loss=loss, gap_map=GapMap((1 - m / w) ** 2), learning_rate=1 / (9 * K))
    claim = next(c for o in obligations_of(theorem) if o.id == "gap/right/1" for c in o.claims)
    said = {(r.sign, r.left, r.right) for r in statement(claim).given}
    assert {("<=", "w", 4), (">=", "w", 1), (">", "K", 0)} <= said
    assert statement(claim).integers == ("K",)


def test_a_lemmas_own_symbol_is_what_it_was_declared() -> None:
    t = Symbol("t", integer=True, positive=True)
    lemma = Lemma(
        name="l", implications=(Implication(name="i", statement="s", given=(), then=Ge(t, 1, evaluate=False)),)
    )
    (claim,) = obligations_of(lemma)[0].claims
    assert [(r.sign, r.left, r.right) for r in statement(claim).given] == [(">", "t", 0)]
    assert statement(claim).integers == ("t",)


@pytest.mark.parametrize("omega", [v**2 / 2 + Max(v - Rational(1, 3), 0) / 4, Abs(v - Rational(1, 2))], ids=str)
def test_claims_about_the_kinks_of_an_entropy_can_be_stated(omega: Expr) -> None:
    """A second point stands beside v where two pieces meet."""
    parts = {"outputs": Cube(), "target": Hamming(), "entropy": Separable(omega)}
    theorem = StructuredTheorem(name="kinks", **parts, learning_rate=Rational(1, 2), coefficient=8, regret=8, sizes=2)
    claims = [statement(claim) for one in obligations_of(theorem) for claim in one.claims]
    assert any("b" in claim.names for claim in claims)
