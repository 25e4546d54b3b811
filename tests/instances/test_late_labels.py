"""Late labels by hand are what the learner does, in fractions."""

from fractions import Fraction

import numpy as np

from gaptron import Gaptron
from gaptron.instances.late_labels import drawn, mistakes


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
