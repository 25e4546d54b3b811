"""P(right) with the best decoder, on rationals, balls or doubles (``gaptron.theory.decoders.BestDecoder``)."""

from typing import Any

from gaptron.expectation.losses import Round, Scores, top
from gaptron.expectation.symbolic import larger
from gaptron.expectation.theorems import ROUNDING
from gaptron.learners.best import too_large
from gaptron.learners.rounds import RoundLearner


class Best:
    """The best decoder of a learner's loss, whose rounds ``surrogate`` knows; eta includes 1/X^2."""

    def __init__(self, learner: RoundLearner, surrogate: Any, kind: Any, eta: Any) -> None:
        self.learner, self.surrogate, self.eta = learner, surrogate, eta
        self.zero, self.one = kind.number(0), kind.number(1)
        self.half_rate = eta * kind.number(learner.feature_norm) ** 2 / 2
        rounds = isinstance(self.one, float) or learner._arithmetic.dtype is float
        self.most = kind.number(1 + ROUNDING) if rounds else self.one

    def right(self, scores: Scores, label: int) -> Any:
        """P(right); LearningRateError if no prediction exists at these scores."""
        rounds = [self.surrogate.round(scores, k) for k in range(self.learner.n_classes)]
        needs = [self._need(scores, k, of_label) for k, of_label in enumerate(rounds)]
        total = sum(needs, self.zero)
        if total > self.most:
            raise too_large(self.learner, self.eta, scores, total)
        share, is_top = needs[label] / larger(total, self.one), rounds[label][1]
        if is_top is None:
            is_top = top(scores) == label
        return share + larger(self.one - total, self.zero) if is_top else share

    def _need(self, scores: Scores, label: int, of_label: Round) -> Any:
        """max(0, 1 - loss + (eta/2) ||g||^2) with ||x|| = X."""
        _, _, off, slopes_at = of_label
        if off:
            return self.one
        squares = [slope * slope for slope in slopes_at(self.one) or () if slope is not None]
        loss = self.surrogate.value(scores, label)
        return larger(self.one - loss + self.half_rate * sum(squares, self.zero), self.zero)
