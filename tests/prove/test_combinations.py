"""Columns of a combination are the products that they say, and what is remembered of a claim is what was decided."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from gaptron.kernel import Claim, Relation, check
from gaptron.prove import columns, positivstellensatz
from gaptron.prove.columns import _Maker, blocks, generators_of
from gaptron.prove.goals import facts_of
from gaptron.prove.hints import written
from gaptron.prove.positivstellensatz import LEVELS, QUICK, cheapest_weights, find_combination

FOREVER = float("inf")
ZERO = Fraction(0)


def relation(left, sign, right):
    return Relation(sign, left, right)


CAUCHY = Claim(
    (relation("a", ">=", ZERO), relation(Fraction(-1, 3), ">=", "b"), relation(("*", "a", "b"), "=", "c")),
    relation(("*", Fraction(2), "c"), "<=", ("+", ("^", "a", 2), ("^", "b", 2), ("*", Fraction(1, 7), "a"))),
)
SIGNED = Claim(
    (relation("a", "<=", ZERO), relation("b", "<", ZERO), relation(("^", "c", 3), ">=", ZERO)),
    relation(("+", ("*", "a", "b"), ("*", Fraction(1, 3), "d")), ">=", ("*", Fraction(-2), "c", "d")),
)
FALSE = Claim((relation("a", ">=", ZERO),), relation(("^", "a", 2), "<=", "a"))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("claim", [CAUCHY, SIGNED], ids=["equation", "signed"])
def test_every_column_is_the_product_that_it_says(claim, level):
    """Facts with signs, denominators and equations: the numbers of a column are those of its polynomial."""
    facts = facts_of(claim, [])
    maker = _Maker(facts, level[1])
    for block in blocks(facts, generators_of(facts), *level):
        for i in range(0, len(block), 7):
            column = block.column(i)
            value = column.value(facts)
            scale = max(map(abs, value.values()))
            expected = {maker.key(m): float(c / scale) for m, c in value.items()}
            found = dict(zip(block.keys[i].tolist(), (block.signs[i] * block.values).tolist(), strict=True))
            assert found == pytest.approx(expected, rel=1e-15)
            assert block.strict[i] == column.strict
            assert block.costs[i] == 1 + 2 * len(column.facts) + 4 * (len(column.square) > 1)


@pytest.mark.parametrize("claim", [CAUCHY, SIGNED], ids=["equation", "signed"])
def test_a_strict_column_is_a_product_of_strict_facts(claim):
    """And of nothing else: a product with a square is none, nor is an equation."""
    facts = facts_of(claim, [])
    for block in blocks(facts, generators_of(facts), 3, 1):
        for i in range(len(block)):
            column = block.column(i)
            is_strict = all(facts[n][0] == ">" for n in column.facts) and column.square.keys() == {()}
            assert column.strict == (is_strict and not column.equation)


def test_too_many_columns_are_none():
    """Eight variables and a degree of six: more products than are looked at."""
    names = "abcdefgh"
    claim = Claim(tuple(relation(n, ">=", ZERO) for n in names), relation(("^", ("+", *names), 6), ">=", ZERO))
    facts = facts_of(claim, [])
    assert blocks(facts, generators_of(facts), 6, 0) == []


def test_products_beyond_those_that_are_looked_at_are_not_made(monkeypatch):
    """28 facts: half a million products of five."""
    pairs = [relation(("+", *pair), ">=", ZERO) for pair in combinations("abcdefgh", 2)]
    facts = facts_of(Claim(tuple(pairs), relation("a", "<=", "b")), [])
    made = []
    real = columns._multiplied
    monkeypatch.setattr(columns, "_multiplied", lambda *a: made.append(1) or real(*a))
    assert blocks(facts, generators_of(facts), 5, 5) == []
    assert len(made) <= 3 * columns.MOST_COLUMNS


def test_what_is_found_is_a_proof():
    """2 a b <= a^2 + b^2 + a/7, a square and a fact."""
    proof = find_combination(CAUCHY, FOREVER)
    assert proof is not None
    check(CAUCHY, written(CAUCHY, proof))


def test_what_cannot_balance_has_no_weights_and_needs_no_linear_program(monkeypatch):
    """a >= 0 alone: every monomial has one sign."""
    claim = Claim((relation("a", ">=", ZERO),), relation("a", "<=", Fraction(-1)))
    facts = facts_of(claim, [])
    monkeypatch.setattr("gaptron.prove.positivstellensatz.least_sum", None)
    assert cheapest_weights(blocks(facts, generators_of(facts), 1, 0), FOREVER) is None


def test_a_level_that_was_asked_is_not_asked_again(monkeypatch):
    """The same claim with more levels: only those are new."""
    positivstellensatz._question.cache_clear()
    asked = []
    real = positivstellensatz.blocks
    monkeypatch.setattr(positivstellensatz, "blocks", lambda *a: asked.append(a[2:]) or real(*a))
    assert find_combination(FALSE, FOREVER, QUICK) is None
    assert find_combination(FALSE, FOREVER, LEVELS[:3]) is None
    assert asked == list(LEVELS[:3])


def test_a_level_for_which_time_was_up_is_asked_again(monkeypatch):
    """A linear program that was stopped says nothing."""
    positivstellensatz._question.cache_clear()
    real = positivstellensatz.cheapest_weights

    def stopped(*_):
        raise TimeoutError

    monkeypatch.setattr(positivstellensatz, "cheapest_weights", stopped)
    assert find_combination(CAUCHY, FOREVER) is None
    monkeypatch.setattr(positivstellensatz, "cheapest_weights", real)
    assert find_combination(CAUCHY, FOREVER) is not None


def test_numbers_of_monomials_wrap_around():
    """A product's number is the sum of the numbers, whatever the degrees."""
    facts = facts_of(CAUCHY, [])
    maker = _Maker(facts, 0)
    a, b = maker.key((('"a"', 40),)), maker.key((('"b"', 7),))
    assert maker.key((('"a"', 40), ('"b"', 7))) == int(np.uint64(a) + np.uint64(b))
