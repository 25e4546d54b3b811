"""Gaptron by hand, in fractions, and the learner: two programs, the same rounds."""

from fractions import Fraction

import numpy as np
import pytest

from gaptron import Gaptron
from gaptron.instances import by_hand as hand

LOSSES = {"hinge": hand.hinge, "smooth hinge": hand.smooth_hinge}


@pytest.mark.few(2)
@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("gamma", [Fraction(0), Fraction(1, 3)])
def test_the_rounds_by_hand_are_those_of_the_learner(loss: str, gamma: Fraction) -> None:
    rng = np.random.default_rng(5)
    for _ in range(10):
        n_classes, stream = hand.draw_stream(rng)
        rounds = list(hand.play(LOSSES[loss](n_classes), n_classes, stream, gamma))
        learner = Gaptron(n_classes, 2, loss=loss, exploration=gamma, exact=True)
        run = learner.run([x for x, _ in stream], [label for _, label in stream])
        assert run.probability_wrong.tolist() == [r.P_wrong for r in rounds]
        assert run.loss.tolist() == [r.loss for r in rounds]
        assert run.off.tolist() == [not r.on for r in rounds]


def test_the_squared_gradient_by_hand_is_the_length_of_the_learners_step() -> None:
    rng = np.random.default_rng(6)
    for _ in range(10):
        n_classes, stream = hand.draw_stream(rng)
        learner = Gaptron(n_classes, 2, loss="smooth hinge", exact=True)
        for (x, label), now in zip(stream, hand.play(hand.smooth_hinge(n_classes), n_classes, stream), strict=True):
            before = learner.W.copy()
            learner.update(x, label)
            assert ((learner.W - before) ** 2).sum() == learner.learning_rate**2 * now.squares


def test_the_printed_smooth_hinge_differs_beyond_margin_one_only() -> None:
    printed, truncated = hand.smooth_hinge(3, truncated=False), hand.smooth_hinge(3)
    for numerator in range(-8, 9):
        margin = Fraction(numerator, 4)
        assert (printed.phi(margin) == truncated.phi(margin)) == (margin <= 1)
        assert (printed.slope(margin) == truncated.slope(margin)) == (margin <= 1)


def test_a_drawn_stream_stays_in_the_unit_disc() -> None:
    rng = np.random.default_rng(7)
    for _ in range(50):
        n_classes, stream = hand.draw_stream(rng)
        assert all(hand.dot(x, x) <= 1 and 0 <= label < n_classes for x, label in stream)
        assert np.shape(hand.draw_comparator(rng, n_classes, stream)) == (n_classes, 2)


def test_a_bandit_step_divides_the_gradient_by_the_probability() -> None:
    rule, x = hand.smooth_hinge(3), [Fraction(1)]
    now, full = hand.step(rule, hand.zeros(3, 1), x, 1, Fraction(0))
    _, weighted = hand.step(rule, hand.zeros(3, 1), x, 1, Fraction(0), lambda p: 1 / p)
    assert now.P_wrong == Fraction(2, 3)
    assert weighted == [[3 * w for w in row] for row in full]
