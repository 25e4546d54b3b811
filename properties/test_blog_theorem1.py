"""Theorem 1 of the blog: E[mistakes] <= sum loss_t(u) + ||u - x_1||^2/(2 eta), one weight vector that starts at x_1."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, target
from hypothesis import strategies as st

from gaptron import BinaryGaptron
from gaptron.bounds.exact_stream import Vector
from gaptron.bounds.sides import Sides, breaks
from gaptron.expectation import expected
from gaptron.testing import Stream, strongest
from gaptron.theory.theorem import Theorem
from properties import bound_of, strategies

SQUARED, SMOOTHED, WEIGHTED = (
    bound_of.theorem("blog/examples2_3_theorems", f"blog, {name}")
    for name in ("squared hinge", "smoothed hinge", "weighted smoothed hinge")
)
SHARP = (
    Stream.of(2, ["1"], [1]),
    Stream.of(2, ["1 0", "0 1"], [1, 1]),
    Stream.of(2, ["1 0", "-5/13 12/13"], [0, 0]),
    Stream.of(2, ["1"] * 6, [0] * 6),
    Stream.of(2, ["1"] * 6, [1, 0, 1, 0, 1, 0]),
)

test_squared_hinge = bound_of.property_of(SQUARED, SHARP)
test_smoothed_hinge = bound_of.property_of(SMOOTHED, SHARP)
test_weighted_hinge = bound_of.property_of(WEIGHTED, SHARP)


@pytest.mark.parametrize("theorem", [SQUARED, SMOOTHED])
def test_half_of_the_regret_is_needed(theorem: Theorem) -> None:
    """One round, u = -1/2: half a mistake, loss 1/4, regret 1/2."""
    sides = bound_of.assert_bound(theorem, SHARP[0], [[-Fraction(1, 2)]])
    assert (sides.mistakes, sides.comparator_loss, sides.regret) == tuple(map(Fraction, ("1/2", "1/4", "1/2")))


def started(theorem: Theorem, stream: Stream, start: Vector, u: Vector) -> Sides:
    """Both sides if the weights start at ``start``."""
    game = stream.game(theorem)
    learner = BinaryGaptron(len(start), loss=theorem, feature_norm=stream.feature_norm, start=start, exact=True)
    done = expected(learner, stream.rounds, stream.labels, comparator=[u])
    distance = [[a - b for a, b in zip(u, start, strict=True)]]
    return Sides(done.mistakes, done.comparator_loss, game.regret(distance), done.states)


def check_from(theorem: Theorem, stream: Stream, start: Vector) -> None:
    """The bound holds from this start, for the comparator that is best from 0, and for points towards it."""
    (u,) = strongest(stream.game(theorem), stream)
    between = [tuple((1 - s) * a + s * b for a, b in zip(start, u, strict=True)) for s in map(Fraction, (0, 1, 2))]
    found = [started(theorem, stream, start, v) for v in between]
    assert not any(map(breaks, found)), f"{stream!r} from {start}: {found}"
    target(-min(float(sides.slack) for sides in found))
    bound_of.CHECKED["streams"] += 1
    bound_of.CHECKED["outcome paths after merging"] += 1


@given(stream=bound_of.aimed(SMOOTHED), data=st.data())
def test_from_any_start(stream: Stream, data: st.DataObject) -> None:
    start = tuple(data.draw(strategies.vectors(stream.n_features)))
    check_from(data.draw(st.sampled_from([SQUARED, SMOOTHED, WEIGHTED])), stream, start)


def test_the_start_counts() -> None:
    """With ||u||^2 in the place of ||u - x_1||^2 the bound is false: u = 1, x_1 = -3 on one point."""
    stream, start = Stream.of(2, ["1"] * 3, [0] * 3), (Fraction(-3),)
    sides = started(SMOOTHED, stream, start, (Fraction(1),))
    assert not breaks(sides)
    assert breaks(replace(sides, regret=stream.game(SMOOTHED).regret([[1]])))
