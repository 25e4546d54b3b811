"""Labels n rounds late: no stream breaks n + 1 times the constant, and blocks of n + 1 equal rounds attain it."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given

from gaptron import Gaptron, Theorem
from gaptron.bounds.sides import Game, Sides, breaks
from gaptron.testing import Power, Stream, streams, strongest
from gaptron.theory.named import named_proximal_theorem, named_theorem
from properties import planted

DELAYS = (1, 2, 4)
HINGE, SMOOTH = named_proximal_theorem("hinge"), named_proximal_theorem("smooth hinge")
GRADIENT = named_theorem("smooth hinge")


def late(theorem: Theorem, delay: int) -> Theorem:
    """What is claimed of a delay: n + 1 times the constant."""
    return replace(theorem, regret=theorem.regret * (delay + 1))


def sides_of(theorem: Theorem, stream: Stream, delay: int, U: Any) -> Sides:
    """Both sides, exactly: the weights do not depend on the draws."""
    game = Game(theorem, stream.n_classes, feature_norm=stream.feature_norm)
    X, y = zip(*stream.played, strict=True)
    learner = Gaptron(
        stream.n_classes, stream.n_features, loss=theorem, delay=delay, feature_norm=stream.feature_norm, exact=True
    )
    run = learner.run(list(X), list(y))
    whole = game.sides(X, y, U)
    assert not run.off.any()
    return Sides(run.expected_mistakes, whole.comparator_loss, (delay + 1) * whole.regret)


@pytest.mark.few(1)  # each theorem with the first delay
@pytest.mark.parametrize("theorem", [HINGE, SMOOTH, GRADIENT], ids=["hinge", "smooth", "gradient"])
@pytest.mark.parametrize("delay", DELAYS)
def test_no_stream_breaks_n_plus_1_times_the_constant(theorem: Theorem, delay: int) -> None:
    power = Power()

    @planted.generated(20)
    @given(stream=streams(theorem))
    def bound(stream: Stream) -> None:
        claimed = Game(late(theorem, delay), stream.n_classes, feature_norm=stream.feature_norm)
        U = strongest(claimed, stream)
        power.see(claimed, stream, U)
        assert not breaks(sides_of(theorem, stream, delay, U)), stream

    bound()
    assert power.always_wrong >= power.streams / 4, power


@pytest.mark.parametrize("delay", DELAYS)
@pytest.mark.parametrize("n_classes", [2, 5])
def test_a_block_of_n_plus_1_equal_rounds_attains_it(n_classes: int, delay: int) -> None:
    """In none of them a label is known; U of margin 2/K on the last label pays as much for each."""
    high, low = Fraction(2 * (n_classes - 1), n_classes**2), -Fraction(2, n_classes**2)
    U = [[low]] * (n_classes - 1) + [[high]]
    block = Stream.of(n_classes, ["1"] * (delay + 1), [n_classes - 1] * (delay + 1))
    sides = sides_of(HINGE, block, delay, U)
    assert sides.mistakes == (delay + 1) * Fraction(n_classes - 1, n_classes)
    assert sides.slack == 0
    smaller = replace(sides, regret=sides.regret * Fraction(999, 1000))
    assert breaks(smaller)
