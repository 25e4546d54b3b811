"""What every Gaptron shares: scores, the randomized prediction and the gradient step."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from gaptron.learners import proximal
from gaptron.learners.arithmetic import Array
from gaptron.learners.best import too_large, topped_up
from gaptron.learners.learner import Distribution, FairTies, Learner, Mixture
from gaptron.learners.surrogates import LearnersSurrogate, Seen
from gaptron.numbers.kinds import Number
from gaptron.system import checks
from gaptron.system.checks import Given

ROUNDING = 1e-9


class GapMapError(ValueError):
    """A gap map that is not in [0, 1] at scores that a learner met."""


@dataclass(frozen=True)
class Decoded(Distribution):
    """What the best decoder makes of the ``scores``, shape (K,)."""

    scores: Array
    seen: Seen | None = None


class RoundLearner(Learner):
    """Predict the top label mixed with uniform, then take a gradient step (van der Hoeven 2020, Algorithm 1).

    Subclasses say what the scores are and how feedback becomes a step. ``W`` has one row for each entry of
    the surrogate's gradient. With the best decoder the prediction is another one, and the step is the same.
    """

    learns_when_wrong = False
    surrogate: LearnersSurrogate
    W: Array
    learning_rate: Number
    exploration: Number
    feature_norm: Number
    ties: str = "lowest"
    decoder: str = "gap map"
    update_rule: str = "gradient"
    delay: int = 0

    def loss(self, x: Given, label: int) -> Number:
        """The full-information surrogate loss of (x, label) at the current weights."""
        scores = self._scores(self._features(x))
        return self.surrogate.value(scores, checks.label(label, "label", self.n_classes))

    def _loss(self, prediction: Mixture | Decoded, label: int) -> tuple[Number, bool]:
        seen = self._seen(prediction)
        return seen.value(label), seen.is_off(label)

    def _seen(self, prediction: Mixture | Decoded) -> Seen:
        """The round that was predicted, or was made by somebody else."""
        return self.surrogate.at(prediction.scores) if prediction.seen is None else prediction.seen

    def _scores(self, x: Array) -> Array:
        return self._arithmetic.scores(self._predicting, x)

    @property
    def _predicting(self) -> Array:
        """The weights that the next prediction is made with, a view of ``W``."""
        return self.W

    @property
    def _learning(self) -> Array:
        """The weights that the next label changes, a view of ``W``."""
        return self.W

    def _prediction(self, x: Array) -> Any:
        return self._mixed(x) if self.decoder == "gap map" else self._decoded(x)

    def _decoded(self, x: Array) -> Decoded:
        """Every label gets what it needs with ||x|| = X, the top label also what is left."""
        scores = self._scores(x)
        squared = self._arithmetic.number(self.feature_norm) ** 2
        if self.update_rule == "proximal":
            needed = proximal.needs(self, scores, x, squared)
        else:
            needed = self.surrogate.needs(scores, self.learning_rate * squared)
        total = needed.sum()
        if total > 1 + (ROUNDING if self._arithmetic.dtype is float else 0):
            raise too_large(self, self.learning_rate, scores, total)
        return Decoded(x, topped_up(needed, self._arithmetic.top(scores)), scores)

    def _mixed(self, x: Array) -> Mixture:
        scores = self._scores(x)
        seen = self.surrogate.at(scores)
        a = seen.gap()
        if not -ROUNDING <= a <= 1 + ROUNDING:
            raise GapMapError(f"gap map = {a} at the scores {scores}: it must be in [0, 1]")
        if self.exploration != 0 and self._arithmetic.is_less(a, self.exploration):
            a = self.exploration
        uniform = self._arithmetic.number(min(max(a, 0), 1))
        mixture = Mixture(x, scores, self._arithmetic.top(scores), uniform, self.n_classes, seen=seen)
        tied = np.flatnonzero(scores == scores.max()) if self.ties == "fair" else np.array([])
        return mixture if len(tied) < 2 else FairTies(x, scores, mixture.top, uniform, self.n_classes, tied, seen=seen)

    def _learn_label(self, prediction: Any, label: int) -> None:
        self._learn(prediction, label, 1)

    def _learn_correct(self, prediction: Mixture, drawn: int, correct: bool, probability: Number) -> None:
        if correct:
            self._learn(prediction, drawn, 1 / probability)

    def _learn(self, prediction: Mixture | Decoded, label: int, weight: Number) -> None:
        """W <- W - eta weight outer(g, x), on the rows where g is not zero."""
        if weight == 0:
            return
        if self.update_rule == "proximal":
            self._move(*proximal.change(self, prediction, label))
            return
        gradient = self._seen(prediction).score_gradient(label)
        rows = np.flatnonzero(gradient)
        if rows.size == 0:
            return
        with np.errstate(over="ignore", invalid="ignore"):
            change = -np.outer(self.learning_rate * weight * gradient[rows], prediction.x)
        self._move(rows, change)

    def _move(self, rows: Array, change: Array) -> None:
        """Add to some rows of the weights."""
        W = self._learning
        with np.errstate(over="ignore", invalid="ignore"):
            changed = W[rows] + change
        if self._arithmetic.dtype is float and not np.isfinite(changed).all():
            raise OverflowError("the weights overflow: lower learning_rate, or scale the features")
        W[rows] = changed
