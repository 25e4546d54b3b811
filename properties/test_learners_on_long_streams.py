"""The learners of the blog, the slides and the new theorems in doubles: no long stream breaks their bounds."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, target

from gaptron.bounds.hindsight import HindsightLoss
from gaptron.expectation import expected
from gaptron.learners import AbstainingGaptron
from gaptron.testing import Stream, strongest
from gaptron.theory.losses import BinaryLoss
from gaptron.theory.theorem import Theorem
from properties import planted, strategies, test_slides_abstention, test_slides_smooth_loss
from properties import quoted_bounds as q
from properties.test_best_maps_and_decoders import HINGE_MAP, LOGISTIC, LOGISTIC_MAP, WEIGHTED_BY_TWO
from properties.test_blog_theorem1 import SMOOTHED, SQUARED, WEIGHTED
from properties.test_proximal import BINARY, HINGE, SMOOTH

ROUNDING = 1e-7
COST = Fraction(1, 2)
ABSTAINING = {name: test_slides_abstention.THEOREMS[name, COST] for name in test_slides_abstention.NAMES}
GUESSING = [HINGE_MAP, LOGISTIC_MAP, LOGISTIC, WEIGHTED_BY_TWO, SQUARED, SMOOTHED, WEIGHTED, BINARY, HINGE, SMOOTH]
GUESSING += test_slides_smooth_loss.CORRECTED[::4]
STREAMS = q.hostile_streams(60, 3)


def exact(theorem: Theorem, stream: strategies.Stream) -> Stream:
    """The stream, with two classes for one weight vector; labels chosen against the learner are some labels here."""
    K, X, y = stream
    K = 2 if isinstance(theorem.loss, BinaryLoss) else K
    return Stream(K, tuple(map(tuple, X)), tuple(label % K for label in y))


def check(theorem: Theorem, stream: Stream, left: float, off: Any) -> None:
    """left <= loss of the strongest comparator on the rounds that are on + regret."""
    X, y, K = np.array(stream.rounds, dtype=float), np.array(stream.labels), stream.n_classes
    game = stream.game(theorem)
    U = strongest(game, stream)
    loss = HindsightLoss(theorem.loss, X, y, (~off).astype(float), K)(np.array(U, dtype=float))[0]
    right = float(loss) + float(game.regret(U))
    assert left <= right + ROUNDING
    target(left - right)
    planted.weigh(right, len(y), K)


@pytest.mark.few(3)
@pytest.mark.parametrize("theorem", GUESSING, ids=lambda theorem: theorem.name)
@given(stream=STREAMS)
def test_mistake_bound(theorem: Theorem, stream: strategies.Stream) -> None:
    """And the expectation, which other properties ask in exact numbers, is the learner's."""
    given_to = exact(theorem, stream)
    learner = given_to.game(theorem).learner(given_to.n_features, exact=False)
    told = expected(learner, given_to.rounds, given_to.labels, arithmetic="float").mistakes
    run = learner.run(np.array(given_to.rounds, dtype=float), given_to.labels, compiled=False)
    check(theorem, given_to, run.expected_mistakes, run.off)
    assert run.expected_mistakes == pytest.approx(told, abs=ROUNDING)


@pytest.mark.few(1)
@pytest.mark.parametrize("loss", ABSTAINING)
@given(stream=STREAMS)
def test_cost_bound(loss: str, stream: strategies.Stream) -> None:
    """At c = 1/2."""
    given_to = exact(ABSTAINING[loss], stream)
    learner = AbstainingGaptron(given_to.n_classes, given_to.n_features, loss=loss, abstention_cost=float(COST))
    run = learner.run(np.array(given_to.rounds, dtype=float), given_to.labels)
    check(ABSTAINING[loss], given_to, run.expected_cost, run.off)
