"""Gaptron as its users drive it: predict, update, save and restore in any order, against an exact shadow.

With full information on small dyadic features all doubles are exact, so the weights equal the shadow's fractions. With
bandit feedback every update is compared with an exact one from the same weights. A twin that is never saved draws the
same labels throughout.
"""

import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from gaptron import Gaptron
from gaptron.learners import saving

FEATURES = st.lists(st.sampled_from([0.0, 0.5, -0.5, 1.0]), min_size=2, max_size=2)
GAMMA, ETA = 0.5, 0.125


def exactly(doubles: Any) -> Any:
    """The fractions that these doubles are."""
    return np.vectorize(lambda v: Fraction(float(v)), otypes=[object])(doubles)


class Driven(RuleBasedStateMachine):
    """One learner, its twin, and the shadow."""

    learner: Any = None

    @initialize(
        n_classes=st.sampled_from([2, 4]),
        loss=st.sampled_from(["hinge", "smooth hinge"]),
        feedback=st.sampled_from(["full", "bandit"]),
        seed=st.integers(0, 99),
    )
    def begin(self, n_classes: int, loss: str, feedback: str, seed: int) -> None:
        parameters: dict[str, Any] = {"loss": loss, "feedback": feedback}
        if feedback == "bandit":
            parameters |= {"exploration": GAMMA, "learning_rate": ETA}
        self.learner, self.twin = (Gaptron(n_classes, 2, seed=seed, **parameters) for _ in range(2))
        self.shadow = Gaptron(n_classes, 2, exact=True, **parameters)

    @rule(x=FEATURES)
    def predict(self, x: list[float]) -> None:
        """The twin draws the same label, from the same distribution, which is the shadow's."""
        assert self.learner.predict(x) == self.twin.predict(x)
        np.testing.assert_array_equal(self.learner.predict_proba(x), self.twin.predict_proba(x))
        self._follow()
        shadow = self.shadow.predict_proba(x).astype(float)
        np.testing.assert_allclose(self.learner.predict_proba(x), shadow, rtol=0, atol=1e-12)

    @precondition(lambda self: self.learner.feedback == "full")
    @rule(x=FEATURES, label=st.integers(0, 3))
    def learn(self, x: list[float], label: int) -> None:
        for learner in (self.learner, self.twin, self.shadow):
            learner.update(x, label % learner.n_classes)
        np.testing.assert_array_equal(self.learner.W, self.shadow.W.astype(float))

    @precondition(lambda self: self.learner.feedback == "bandit")
    @rule(x=FEATURES, label=st.integers(0, 3), correct=st.booleans(), last=st.booleans())
    def learn_from_a_draw(self, x: list[float], label: int, correct: bool, last: bool) -> None:
        """A label drawn now, or the one that is remembered; a wrong prediction changes nothing."""
        self._follow()
        before, drawn = self.learner.W.copy(), label % self.learner.n_classes
        if last and self.learner._remembered is not None:
            x, drawn = self.learner._remembered[0].tolist(), self.learner._remembered[1]
        for learner in (self.learner, self.twin, self.shadow):
            learner.update(x, drawn, correct)
        if not correct:
            np.testing.assert_array_equal(self.learner.W, before)
        np.testing.assert_allclose(self.learner.W, self.shadow.W.astype(float), rtol=1e-12, atol=1e-12)

    @rule()
    def save_and_restore(self) -> None:
        """What comes back takes the learner's place."""
        with tempfile.TemporaryDirectory() as folder:
            saving.save(self.learner, Path(folder) / "learner.npz")
            self.learner = saving.load(Path(folder) / "learner.npz")

    def _follow(self) -> None:
        """The shadow takes the learner's weights, and the probability that it remembers: both are fractions."""
        self.shadow.W = exactly(self.learner.W)
        remembered = self.learner._remembered
        if remembered is not None:
            remembered = exactly(remembered[0]), remembered[1], Fraction(float(remembered[2]))
        self.shadow._remembered = remembered

    @invariant()
    def the_twin_is_the_same(self) -> None:
        """Bit for bit, also in what it will draw."""
        if self.learner is not None:
            np.testing.assert_array_equal(self.learner.W, self.twin.W)
            assert self.learner.rng.bit_generator.state == self.twin.rng.bit_generator.state
            np.testing.assert_equal(list(self.learner._remembered or []), list(self.twin._remembered or []))


TestDriven = Driven.TestCase
TestDriven.settings = settings(stateful_step_count=10)
