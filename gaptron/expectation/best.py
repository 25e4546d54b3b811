"""P(right) with the best decoder, in a kind of numbers (``gaptron.rounds.BestDecoder``)."""

from collections.abc import Sequence

from gaptron.learners.best import too_large
from gaptron.learners.rounds import ROUNDING, RoundLearner
from gaptron.numbers.kinds import Kind, Number
from gaptron.rounds.layouts import Scores
from gaptron.rounds.surrogate import RoundAt, needed


class Granted:
    """What a label is given when each gets what it needs, and the top one what is left; eta includes 1/X^2."""

    def __init__(self, learner: RoundLearner, kind: Kind, eta: Number) -> None:
        self.learner, self.kind, self.eta = learner, kind, eta
        self.zero, self.one = kind.number(0), kind.number(1)
        rounds = isinstance(self.one, float) or learner._arithmetic.dtype is float
        self.most = kind.number(1 + ROUNDING) if rounds else self.one

    def to(self, label: int, needs: Sequence[Number], scores: Scores, top: int) -> Number:
        """P(label); LearningRateError if no prediction exists at these scores."""
        total = sum(needs, self.zero)
        if total > self.most:
            raise too_large(self.learner, self.eta, scores, total)
        share = needs[label] / self.kind.larger(total, self.one)
        return share + self.kind.larger(self.one - total, self.zero) if top == label else share


class DecodedBest:
    """The best decoder of a learner's loss; eta includes 1/X^2."""

    def __init__(self, learner: RoundLearner, kind: Kind, eta: Number) -> None:
        self.n_classes, self.granted = learner.n_classes, Granted(learner, kind, eta)
        self.half_rate = eta * kind.number(learner.feature_norm) ** 2 / 2

    def right(self, found: RoundAt, label: int) -> Number:
        """P(right); LearningRateError if no prediction exists at these scores."""
        needs = [needed(found, k, self.half_rate) for k in range(self.n_classes)]
        return self.granted.to(label, needs, found.scores, found.top)
