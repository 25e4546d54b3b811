"""What every Gaptron shares: the randomized prediction."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from gaptron.learners.arithmetic import Array
from gaptron.learners.learner import Distribution, Learner, Mixture
from gaptron.learners.surrogates import LearnersSurrogate
from gaptron.numbers.kinds import Number
from gaptron.rounds.step import Step
from gaptron.rounds.surrogate import RoundAt
from gaptron.system import checks
from gaptron.system.checks import Given

DECODERS = ("gap map", "best")


@dataclass(frozen=True)
class Decoded(Distribution):
    """What the best decoder makes of the ``scores``, shape (K,)."""

    scores: Array
    seen: RoundAt | None = None


class RoundLearner(Learner):
    """Predict the top label mixed with uniform (van der Hoeven 2020, Algorithm 1), or by the best decoder.

    Subclasses say what the scores are and how feedback becomes a step.
    """

    learns_when_wrong = False
    surrogate: LearnersSurrogate
    loss_given: object
    learning_rate: Number
    exploration: Number
    feature_norm: Number
    ties: str = "lowest"
    decoder: str = "gap map"
    update_rule: str = "gradient"
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
        raise NotImplementedError

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
        tied = np.flatnonzero(scores == scores.max()) if self.ties == "fair" else np.array([])
        return Mixture(x, scores, top, uniform, self.n_classes, tied if len(tied) > 1 else None, found)


def chosen_decoder(decoder: str | None, own: str) -> str:
    """The decoder that is asked for, else the theorem's ``own``."""
    asked = own if decoder is None else checks.choice(decoder, "decoder", DECODERS)
    if asked != own == "best":
        raise ValueError(f'decoder = {asked!r}: the theorem has no gap map, so it must be "best"')
    return asked
