"""The theorems with the best gap map or the best decoder: no stream breaks their bounds."""

from fractions import Fraction

import pytest

from gaptron.bounds.sides import Game
from gaptron.testing import Stream
from gaptron.testing.assertion import instances
from properties import bound_of

HINGE_MAP = bound_of.theorem("new/hinge_best_map", "hinge, best gap map")
LOGISTIC_MAP = bound_of.theorem("new/logistic_best_map", "logistic, best gap map")
LOGISTIC = bound_of.theorem("new/logistic_best_decoder", "logistic, best decoder")
WEIGHTED = bound_of.theorem("new/weighted_hinge_best_decoder", "weighted smoothed hinge, best decoder")
WEIGHTED_BY_TWO = WEIGHTED.at({WEIGHTED.parameters[0]: Fraction(2)})

SHARP = (
    Stream.of(2, ["1"], [1]),
    Stream.of(3, ["1 0", "0 1"], [1, 2]),
    Stream.of(2, ["1 0", "-5/13 12/13"], [0, 0]),
    Stream.of(3, ["1"] * 5, [2] * 5),
)
SHARP_BINARY = tuple(stream for stream in SHARP if stream.n_classes == 2)

test_hinge_with_the_best_map = bound_of.property_of(HINGE_MAP, SHARP)
test_logistic_with_the_best_map = bound_of.property_of(LOGISTIC_MAP, SHARP)
test_logistic_with_the_best_decoder = bound_of.property_of(LOGISTIC, SHARP)
test_weighted_hinge_with_the_best_decoder = bound_of.property_of(WEIGHTED_BY_TWO, SHARP_BINARY)


def test_every_weight_is_tried() -> None:
    assert len(list(instances(WEIGHTED))) == 3


@pytest.mark.parametrize("n_classes", range(2, 9))
def test_one_point_attains_the_bound_of_the_hinge_with_the_best_map(n_classes: int) -> None:
    stream = Stream.of(n_classes, ["1"] * (n_classes - 1), [n_classes - 1] * (n_classes - 1))
    U = [[-Fraction(1, n_classes)]] * (n_classes - 1) + [[1 - Fraction(1, n_classes)]]
    sides = Game(HINGE_MAP, n_classes).sides(stream.rounds, stream.labels, U)
    assert (sides.mistakes, sides.comparator_loss, sides.regret) == (Fraction(n_classes - 1, 2), 0, sides.mistakes)
