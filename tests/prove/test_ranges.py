"""Hypotheses about exponentials and logarithms leave a part of the line, and the proof uses that they do."""

import time
from fractions import Fraction

import pytest
from sympy import Expr, Min, Piecewise, Rational, exp

from gaptron import GapMap, MarginLoss, Theorem
from gaptron.checking.checker import check as check_theorems
from gaptron.kernel import Claim, Relation, check
from gaptron.language.terms import Term
from gaptron.prove.certify import certify
from gaptron.prove.hints import written
from gaptron.prove.proofs import NotFoundError
from gaptron.prove.search import Search
from gaptron.symbols import K, m
from gaptron.theory.verdict import Verdict

HALF: Term = ("exp", ("*", Fraction(-1, 2), "m"))
WHOLE: Term = ("exp", ("*", Fraction(-1), "m"))
SECONDS = 10


def where_half_is_enough(bound: int) -> Claim:
    """-4 exp(-m/2) + bound + exp(-m)/8 <= 0 where 2 exp(-m/2) >= 1: true for bound = 1, false for 2."""
    given = (Relation("<=", Fraction(1), ("*", Fraction(2), HALF)), Relation(">=", "m", Fraction(0)))
    left: Term = ("+", ("*", Fraction(-4), HALF), Fraction(bound), ("*", Fraction(1, 8), WHOLE))
    return Claim(given, Relation("<=", left, Fraction(0)))


def test_powers_of_one_exponential_are_compared_where_a_hypothesis_holds() -> None:
    claim = where_half_is_enough(1)
    check(claim, written(claim, Search(time.process_time() + SECONDS).prove(claim)))


def test_a_search_without_time_ends_where_the_bounds_of_an_integer_contradict_each_other() -> None:
    """It tried the smallest value of a range without any, and again, as deep as Python goes."""
    given = tuple(Relation(sign, "K", Fraction(bound)) for sign, bound in ((">=", 2), ("<=", 2), (">=", 3)))
    claim = Claim(given, Relation("<=", "m", Fraction(0)), ("K",))
    with pytest.raises(NotFoundError, match="all of its time"):
        certify(claim, 0)
    certify(claim, SECONDS)


def test_the_false_neighbour_is_not_proved() -> None:
    with pytest.raises(NotFoundError):
        Search(time.process_time() + SECONDS).prove(where_half_is_enough(2))


def test_a_logarithm_falls_behind_on_an_unbounded_interval() -> None:
    left: Term = ("+", ("*", Fraction(-1), "t"), ("*", Fraction(1, 4), ("log", ("+", "t", Fraction(1)))))
    claim = Claim((Relation(">=", "t", Fraction(0)),), Relation("<=", left, Fraction(31, 64)))
    check(claim, written(claim, Search(time.process_time() + SECONDS).prove(claim)))


@pytest.mark.slow
@pytest.mark.parametrize(("factor", "verdict"), [(1, Verdict.PROVED), (Rational(101, 100), Verdict.REFUTED)])
def test_a_gap_map_that_is_cut_at_one_where_the_tail_begins(factor: Expr, verdict: Verdict) -> None:
    tail = exp(-m)
    loss = MarginLoss(Piecewise((1 - m, m < 0), (tail, True)))
    theorem = Theorem(name="tail", loss=loss, gap_map=GapMap(Min(1, tail)), learning_rate=factor / K)
    (checked,) = check_theorems([theorem], SECONDS, 1)
    assert checked.verdict is verdict


def test_denominators_that_cancel_are_no_poles() -> None:
    """q^2 (1 + 1/q)^2/4 + log(q) <= 0 for 0 < q <= 1/2: near 0 no enclosure of 1/q is of use."""
    given = (Relation(">", "q", Fraction(0)), Relation("<=", "q", Fraction(1, 2)))
    inverse: Term = ("+", Fraction(1), ("^", "q", -1))
    left: Term = ("+", ("*", Fraction(1, 4), ("^", "q", 2), ("^", inverse, 2)), ("log", "q"))
    claim = Claim(given, Relation("<=", left, Fraction(0)))
    check(claim, written(claim, Search(time.process_time() + SECONDS).prove(claim)))
    false = Claim(given, Relation("<=", ("+", left, Fraction(1)), Fraction(0)))
    with pytest.raises(NotFoundError):
        Search(time.process_time() + 2).prove(false)


def test_logarithms_that_cancel_when_products_are_multiplied_out() -> None:
    """(1 - 2 p) log p - (1 - p) (log p - 1) is 1 - p - p log p: the curvature of the squared logarithm of a softmax."""
    log: Term = ("log", "p")
    first: Term = ("*", ("+", Fraction(1), ("*", Fraction(-2), "p")), log)
    second: Term = ("*", ("+", Fraction(1), ("*", Fraction(-1), "p")), ("+", log, Fraction(-1)))
    given = (Relation(">", "p", Fraction(0)), Relation("<", "p", Fraction(1)))
    claim = Claim(given, Relation(">=", first, second))
    check(claim, written(claim, Search(time.process_time() + SECONDS).prove(claim)))
    false = Claim(given, Relation(">=", first, ("+", second, Fraction(1, 2))))
    with pytest.raises(NotFoundError):
        Search(time.process_time() + 2).prove(false)
