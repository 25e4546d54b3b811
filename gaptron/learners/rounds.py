"""What every Gaptron shares: scores, the randomized prediction and the gradient step."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from gaptron.learners.arithmetic import Array
from gaptron.learners.learner import Distribution, FairTies, Learner, Mixture
from gaptron.learners.surrogates import LearnersSurrogate
from gaptron.numbers.kinds import Number
from gaptron.rounds.step import Step
from gaptron.rounds.surrogate import RoundAt
from gaptron.system import checks
from gaptron.system.checks import Given


@dataclass(frozen=True)
class Decoded(Distribution):
    """What the best decoder makes of the ``scores``, shape (K,)."""

    scores: Array
    seen: RoundAt | None = None


class RoundLearner(Learner):
    """Predict the top label mixed with uniform, then take a gradient step (van der Hoeven 2020, Algorithm 1).

    Subclasses say what the scores are and how feedback becomes a step. ``W`` has one row for each entry of
    the surrogate's gradient. With the best decoder the prediction is another one, and the step is the same.
    """

    learns_when_wrong = False
    surrogate: LearnersSurrogate
    loss_given: object
    W: Array
    learning_rate: Number
    exploration: Number
    feature_norm: Number
    ties: str = "lowest"
    decoder: str = "gap map"
    update_rule: str = "gradient"
    delay: int = 0
    _kept: tuple[LearnersSurrogate, tuple[Number, ...], Step] | None = None

    def loss(self, x: Given, label: int) -> Number:
        """The full-information surrogate loss of (x, label) at the current weights."""
        scores = self._scores(self._features(x))
        return self.surrogate.value(scores, checks.label(label, "label", self.n_classes))

    def _loss(self, prediction: Mixture | Decoded, label: int) -> tuple[Number, bool]:
        found = self._found(prediction)
        return self.surrogate.value_of(found, label), bool(found.off(label))

    def _found(self, prediction: Mixture | Decoded) -> RoundAt:
        """The round that was predicted, or was made by somebody else."""
        return self.surrogate.at(prediction.scores) if prediction.seen is None else prediction.seen

    @property
    def step(self) -> Step:
        """What is done in a round, with the parameters of now, in the numbers of ``surrogate.rounds``."""
        numbers = getattr(self, "learning_rate", 0), self.exploration, getattr(self, "feature_norm", 1)
        if self._kept is None or self._kept[:2] != (self.surrogate, numbers):
            self._kept = self.surrogate, numbers, self._new_step(*map(self._arithmetic.given, numbers))
        return self._kept[2]

    def _new_step(self, eta: Number, gamma: Number, feature_norm: Number) -> Step:
        surrogate, most = self.surrogate, self._arithmetic.most
        name = str(getattr(self.loss_given, "name", self.loss_given))
        steps = surrogate.proximal if self.update_rule == "proximal" else None
        least = None if gamma == 0 else gamma
        return Step(surrogate.rounds, eta, least, feature_norm, self.decoder == "best", steps, most, name)

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
        scores, step = self._scores(x), self.step
        if step.proximal is not None:
            step.require_norm(self._arithmetic.given((x * x).sum()))
        found = self.surrogate.at(scores)
        top = found.top if step.proximal is None else self._arithmetic.top(scores)
        return Decoded(x, self._arithmetic.written(step.distribution(found, top)), scores, found)

    def _mixed(self, x: Array) -> Mixture:
        scores = self._scores(x)
        found = self.surrogate.at(scores)
        uniform = self._arithmetic.number(self.step.uniform(found))
        top = self._arithmetic.top(scores) if uniform == 1 else found.top
        mixture = Mixture(x, scores, top, uniform, self.n_classes, seen=found)
        tied = np.flatnonzero(scores == scores.max()) if self.ties == "fair" else np.array([])
        return mixture if len(tied) < 2 else FairTies(x, scores, top, uniform, self.n_classes, tied, seen=found)

    def _learn_label(self, prediction: Any, label: int) -> None:
        self._learn(prediction, label, 1)

    def _learn_correct(self, prediction: Mixture, drawn: int, correct: bool, probability: Number) -> None:
        if correct:
            self._learn(prediction, drawn, 1 / probability)

    def _learn(self, prediction: Mixture | Decoded, label: int, weight: Number) -> None:
        """The step, on the rows that it moves."""
        if weight == 0:
            return
        step, found, x = self.step, self._found(prediction), prediction.x
        with np.errstate(over="ignore", invalid="ignore"):
            if step.proximal is None:
                moved, squared = step.slopes(found, label, None, self._arithmetic.given(weight)), None
            else:
                squared = (x * x).sum()
                moved = None if squared == 0 else step.moves(found, label, self._arithmetic.given(squared))
            if moved is None:
                return
            moves = self._arithmetic.written(moved)
            rows = np.flatnonzero(moves)
            change = np.outer(moves[rows], x)
            self._move(rows, change if squared is None else change / squared)

    def _move(self, rows: Array, change: Array) -> None:
        """Add to some rows of the weights."""
        W = self._learning
        with np.errstate(over="ignore", invalid="ignore"):
            changed = W[rows] + change
        if self._arithmetic.dtype is float and not np.isfinite(changed).all():
            raise OverflowError("the weights overflow: lower learning_rate, or scale the features")
        W[rows] = changed
