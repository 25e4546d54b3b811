"""A round with proximal updates, in a kind of numbers: what the envelopes need, and the step."""

from collections.abc import Callable

from gaptron.expectation.best import Granted
from gaptron.learners.proximal import require_norm
from gaptron.learners.rounds import RoundLearner
from gaptron.numbers.kinds import Kind, Number, Rationals, plain
from gaptron.rounds.layouts import Scores, Slopes
from gaptron.rounds.proximal import proximal_steps


class ProximalRounds:
    """The rounds of a learner; eta includes 1/X^2."""

    def __init__(self, learner: RoundLearner, kind: Kind, eta: Number) -> None:
        self.learner, self.kind, self.eta = learner, kind, eta
        self.steps = proximal_steps(learner.surrogate.loss, learner.n_classes, kind)
        self.squared_norm = kind.number(learner.feature_norm) ** 2
        self.granted = Granted(learner, kind, eta)

    def right(self, scores: Scores, top: int, label: int) -> Number:
        """P(right); LearningRateError if no prediction exists at these scores."""
        found = self.steps.envelopes(self._read(scores), self._plain(1 / (2 * self.eta * self.squared_norm)))
        one, zero = self.granted.one, self.granted.zero
        needs = [self.kind.larger(one - self.kind.number(envelope), zero) for envelope in found]
        return self.granted.to(label, needs, scores, top)

    def slopes(self, scores: Scores, squared: Number | None, label: int) -> Callable[[Number], Slopes | None]:
        """``rate`` times the gradient after the step, -step/(eta ||x||^2); ``squared`` is ||x||^2, None if it is 0."""
        if squared is None:
            return lambda rate: None
        require_norm(self.learner, squared, self.squared_norm * self.granted.most)
        step = self.steps.step(self._read(scores), label, self._plain(1 / (2 * self.eta * squared)))
        share = -1 / (self.eta * squared)
        known = {id(part): None if part == 0 else self.kind.number(part) * share for part in step.move}
        gradient = [known[id(part)] for part in step.move]
        if not any(part is not None for part in gradient):
            return lambda rate: None
        return lambda rate: _times(rate, gradient)

    def _read(self, scores: Scores) -> list[Number]:
        return [self._plain(score) for score in scores]

    def _plain(self, number: Number) -> Number:
        """Steps in rationals are steps in fractions."""
        return plain(number) if isinstance(self.kind, Rationals) else number


def _times(rate: Number, gradient: Slopes) -> Slopes:
    known = {id(part): None if part is None else rate * part for part in gradient}
    return [known[id(part)] for part in gradient]
