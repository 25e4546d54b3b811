"""Pieces whose ends depend on K, where only some numbers of classes are claimed; and classes too many for a round."""

from fractions import Fraction

import pytest
from sympy import Eq, Expr, Max, Ne, Piecewise, exp

from gaptron import GapMap, MarginLoss
from gaptron.guesses import obligations_of
from gaptron.guesses.in_sympy import s, t
from gaptron.prove.broken_convexity import not_convex
from gaptron.prove.broken_rounds import broken_rounds
from gaptron.prove.counterexample import MOST_CLASSES
from gaptron.symbols import K, m
from gaptron.theory.theorem import Theorem

SQUARE = Max(1 - m, 0) ** 2
END = 1 + 1 / (K - 3)  # 0 for two classes, no number for three


@pytest.mark.parametrize(
    ("loss", "classes"),
    [
        pytest.param(Piecewise((1 - m, m <= END), (exp(-m), True)), 2, id="fewer classes"),
        pytest.param(Piecewise((3 - 2 * m, m <= END), (exp(1 - m), True)), range(4, 8), id="more classes"),
        pytest.param(
            Piecewise((1 - m, Eq(K, 3) & (m <= 0)), (1 - m, Ne(K, 3) & (m <= END)), (exp(-m), True)),
            range(2, 4),
            id="a condition on them",
        ),
    ],
)
def test_ends_without_a_value_where_nothing_is_claimed(loss: Expr, classes: int | range) -> None:
    theorem = Theorem(
        name="ends", loss=MarginLoss(loss), gap_map=GapMap(exp(-m)), learning_rate=1 / (4 * K), classes=classes
    )
    (convex,) = [one for one in obligations_of(theorem) if one.id == "loss/convex"]
    assert any(claim.then.sign == "=" for claim in convex.claims), "the pieces meet"


def test_no_round_is_built_of_more_labels_than_can_be_listed() -> None:
    theorem = Theorem(name="fast", loss=MarginLoss(SQUARE), gap_map=GapMap(SQUARE), learning_rate=100)
    obligation = next(one for one in obligations_of(theorem) if one.id == "gap/wrong/1")
    point = {s: Fraction(1), t: Fraction(1)}
    assert list(broken_rounds(theorem, obligation, {**point, K: Fraction(3)}))
    assert not list(broken_rounds(theorem, obligation, {**point, K: Fraction(10**12)}))


@pytest.mark.parametrize(("classes", "least"), [(None, 2), (range(4, 6), 4)])
def test_a_round_of_a_case_without_k_has_the_fewest_labels_claimed(classes: range | None, least: int) -> None:
    theorem = Theorem(name="fast", loss=MarginLoss(SQUARE), gap_map=GapMap(SQUARE), learning_rate=100, classes=classes)
    obligation = next(one for one in obligations_of(theorem) if one.id == "gap/wrong/1")
    assert {round["K"] for round in broken_rounds(theorem, obligation, {s: Fraction(1), t: Fraction(1)})} == {least}


def test_no_weights_of_more_labels_than_can_be_listed() -> None:
    theorem = Theorem(name="capped", loss=MarginLoss(Max(1 - m, 0) ** 2 - SQUARE / 2 - m**2), gap_map=GapMap(SQUARE))
    assert list(not_convex(theorem, {m: Fraction(2), K: Fraction(3)}))
    assert not list(not_convex(theorem, {m: Fraction(2), K: Fraction(MOST_CLASSES + 1)}))
