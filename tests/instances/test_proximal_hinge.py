"""Proximal steps by hand are what the learner does, in fractions."""

from fractions import Fraction

import numpy as np

from gaptron import Gaptron
from gaptron.instances.proximal_hinge import drawn, mistakes, risks


def test_copies_by_hand_are_the_learner_with_a_delay() -> None:
    rng, delays = np.random.default_rng(0), set()
    for _ in range(40):
        late, rounds, _ = drawn(rng)
        X, y = zip(*rounds, strict=True)
        learner = Gaptron(2, len(X[0]), loss="hinge", update="proximal", delay=late, exact=True)
        assert learner.run(list(X), list(y)).expected_mistakes == mistakes(rounds, late)
        delays.add(late)
    assert delays == set(range(5))


def test_a_stream_tells_one_delay_from_another() -> None:
    rounds = [([Fraction(1)], 1)] * 3
    assert [mistakes(rounds, late) for late in range(3)] == [Fraction(1, 2), 1, Fraction(3, 2)]


def test_the_risk_of_iterates_is_that_of_the_learner() -> None:
    """One example for certain: a stream of equal rounds, T = 3."""
    x = [Fraction(3, 4)]
    learner, iterates = Gaptron(2, 1, loss="hinge", update="proximal", exact=True), []
    for _ in range(3):
        iterates.append(learner.W.copy())
        learner.update(x, 0)
    mean, one = risks([(Fraction(1), (x, 0))], 3)
    chances = []
    for W in [sum(iterates) / 3, *iterates]:
        learner.W = W
        chances.append(1 - learner.predict_proba(x)[0])
    assert mean == chances[0]
    assert one == sum(chances[1:]) / 3
    assert mean != one
