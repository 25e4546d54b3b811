"""P(right) with the best decoder, in a kind of numbers (``gaptron.rounds.BestDecoder``)."""

from gaptron.learners.best import too_large
from gaptron.learners.rounds import ROUNDING, RoundLearner
from gaptron.numbers.kinds import Kind, Number
from gaptron.rounds.surrogate import RoundAt, needed


class DecodedBest:
    """The best decoder of a learner's loss; eta includes 1/X^2."""

    def __init__(self, learner: RoundLearner, kind: Kind, eta: Number) -> None:
        self.learner, self.kind, self.eta = learner, kind, eta
        self.zero, self.one = kind.number(0), kind.number(1)
        self.half_rate = eta * kind.number(learner.feature_norm) ** 2 / 2
        rounds = isinstance(self.one, float) or learner._arithmetic.dtype is float
        self.most = kind.number(1 + ROUNDING) if rounds else self.one

    def right(self, found: RoundAt, label: int) -> Number:
        """P(right); LearningRateError if no prediction exists at these scores."""
        needs = [needed(found, k, self.half_rate) for k in range(self.learner.n_classes)]
        total = sum(needs, self.zero)
        if total > self.most:
            raise too_large(self.learner, self.eta, found.scores, total)
        share = needs[label] / self.kind.larger(total, self.one)
        return share + self.kind.larger(self.one - total, self.zero) if found.top == label else share
