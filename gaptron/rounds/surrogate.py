"""A surrogate loss with its gap map for K classes, compiled for a layout; a round is what it makes of scores."""

from functools import cached_property
from typing import Any

import numpy as np

from gaptron.language.expressions import Expression, variables
from gaptron.language.slopes import left_slope, right_slope
from gaptron.language.theorems import LossData, StatedLoss, StatedTheorem, with_classes
from gaptron.numbers.kinds import Function, Number
from gaptron.rounds.geometry import geometry_of
from gaptron.rounds.layouts import COLUMNS, Columns, Flags, Labels, Lists, Scores, Slopes, Vectors
from gaptron.rounds.proximal_softmax import LOG_P, in_log_p


class Surrogate:
    """A loss (and a gap map) for K classes, in the numbers of a layout.

    Parameters
    ----------
    loss : any of the kinds of ``gaptron.theory.losses``, or its data
    n_classes : int >= 2
        K.
    layout : Lists, Vectors or Columns
    gap_map : expression, optional
        In the top scalar and K. Needed for ``RoundAt.gap`` only.
    side : 1 or -1
        At a kink the gradient is the derivative from the right (1, the convention of every learner) or the left.
    """

    def __init__(
        self,
        loss: StatedLoss,
        n_classes: int,
        layout: Lists | Vectors,
        gap_map: Expression | None = None,
        side: int = 1,
    ) -> None:
        self.loss, self.side = loss.data, side
        self.layout, self.n_classes = layout, n_classes
        self._round = (ROUNDS_IN_COLUMNS if isinstance(layout, Columns) else ROUNDS)[self.loss.kind]
        name, values = deciding(self.loss, n_classes)
        slopes = [(right_slope if side > 0 else left_slope)(value, name) for value in values]
        self.values = [layout.function(value, name) for value in values]
        self.slopes = [layout.function(slope, name) for slope in slopes]
        self.has_constant_slope = not any(map(variables, slopes))
        self.rows = geometry_of(loss).rows(n_classes)
        beta = self.loss.for_classes(n_classes).off_above
        self.beta = None if beta is None else layout.function(beta, "")(0)
        self._gap_map, self._gap_variable = gap_map, geometry_of(loss).variable

    def at(self, scores: Scores) -> "RoundAt":
        """The round at these scores: K of them, or one, or two whose difference it is, for one weight vector."""
        return self._round(self, scores)

    def needs(self, found: "RoundAt", half_rate: Number) -> Scores:
        """The least P(label) of every label, see ``needed``; OverflowError if a loss is beyond the range of doubles."""
        labels = range(self.n_classes)
        if isinstance(self.layout, Lists):
            return [needed(found, label, half_rate) for label in labels]
        if isinstance(self.layout, Columns):
            n = found.scores.shape[1]
            return np.stack([needed(found, np.full(n, label), half_rate) for label in labels])
        needs = np.asarray(needed(self._every.at(np.asarray(found.scores)[:, None]), np.arange(len(labels)), half_rate))
        if not np.isfinite(needs).all():
            raise OverflowError("the losses overflow: lower learning_rate, or scale the features")
        return needs

    @cached_property
    def _every(self) -> "Surrogate":
        """One column of scores against all labels."""
        return Surrogate(self.loss, self.n_classes, COLUMNS, side=self.side)

    @cached_property
    def gap_map(self) -> Function:
        """The gap map as a function of the top margin, or of p*."""
        if self._gap_map is None:
            raise ValueError("a loss without a gap map predicts nothing")
        return self.layout.function(with_classes(self._gap_map, self.n_classes), self._gap_variable)


def of_theorem(theorem: StatedTheorem, n_classes: int, layout: Lists | Vectors, side: int = 1) -> Surrogate:
    """The surrogate of a theorem."""
    return Surrogate(theorem.data.loss, n_classes, layout, theorem.data.gap_map, side)


class RoundAt:
    """What a surrogate says at scores: numbers of its layout, arrays (n,) for arrays of rounds.

    Unless a kind of loss says otherwise it is never off, and the gap map is one of the top margin.
    """

    def __init__(self, surrogate: "Surrogate", scores: Scores) -> None:
        self.surrogate, self.scores = surrogate, scores
        self.layout: Any = surrogate.layout

    @cached_property
    def top(self) -> Labels:
        """The predicted label y*: the lowest among the largest scores."""
        return self.layout.top(self.scores)

    @property
    def gap(self) -> Number:
        """The gap map."""
        return self.surrogate.gap_map(self.layout.margin(self.scores, self.top)[0])

    def off(self, label: Labels) -> Flags:
        """Whether the loss is switched off: the top label is right with m* > off_above."""
        return self.layout.never(self.scores)

    def value(self, label: Labels) -> Number:
        """The loss, as if it were on."""
        raise NotImplementedError

    def slopes(self, label: Labels, rate: Number = 1) -> Slopes:
        """``rate`` times the gradient in the scores (in z for one weight vector), as if the loss were on."""
        raise NotImplementedError


class MarginRound(RoundAt):
    """phi(m(W, y)) with gap map a(m*)."""

    _top: Labels = None
    _spread: Number = None
    _known: tuple[Labels, tuple[Number, Labels]] | None = None

    @property
    def top(self) -> Labels:  # kept by hand: this is the round that is asked most
        if self._top is None:
            self._top = self.layout.top(self.scores)
        return self._top

    @property
    def gap(self) -> Number:
        return self.surrogate.gap_map(self.spread)

    @property
    def spread(self) -> Number:
        """m*."""
        if self._spread is None:
            self._spread = self._margin(self.top)[0]
        return self._spread

    def off(self, label: Labels) -> Flags:
        beta = self.surrogate.beta
        return super().off(label) if beta is None else self.layout.is_beyond(self.top, label, beta, self.spread)

    def value(self, label: Labels) -> Number:
        return self.surrogate.values[0](self._margin(label)[0])

    def slopes(self, label: Labels, rate: Number = 1) -> Slopes:
        margin, rival = self._margin(label)
        return self.layout.pair(self.scores, label, rival, rate * self.surrogate.slopes[0](margin))

    def _margin(self, label: Labels) -> tuple[Number, Labels]:
        """The margin and the rival of a label, kept for the next question."""
        if self._known is None or self._known[0] is not label:
            self._known = label, self.layout.margin(self.scores, label)
        return self._known[1]


class ColumnMarginRound(MarginRound):
    """The same in columns: the rival of the top label is the second, that of any other the top one."""

    @cached_property
    def second(self) -> Labels:
        """The label after the top one."""
        return self.layout.second(self.scores, self.top)

    def _margin(self, label: Labels) -> tuple[Number, Labels]:
        rival = self.second if label is self.top else np.where(self.top == label, self.second, self.top)
        columns = np.arange(self.scores.shape[1])
        with np.errstate(over="ignore"):
            return self.scores[label, columns] - self.scores[rival, columns], rival


class SoftmaxRound(RoundAt):
    """psi(p_y) with gap map a(p*); psi is taken as a function of log p_y, which keeps its range where p underflows."""

    def __init__(self, surrogate: Surrogate, scores: Scores) -> None:
        super().__init__(surrogate, scores)
        self.powers, self.total = self.layout.powers(scores)

    @property
    def gap(self) -> Number:
        return self.surrogate.gap_map(self.layout.largest_share(self.powers, self.total))

    def value(self, label: Labels) -> Number:
        return self.surrogate.values[0](self._log_share(label))

    def slopes(self, label: Labels, rate: Number = 1) -> Slopes:
        is_known = self.surrogate.has_constant_slope and not isinstance(self.layout, Columns)
        slope = self.surrogate.slopes[0](None if is_known else self._log_share(label))
        return self.layout.softmax_slopes(rate, slope, self.powers, self.total, label)

    def _log_share(self, label: Labels) -> Number:
        return self.layout.log_share(self.scores, self.powers, self.total, label)


class BinaryRound(RoundAt):
    """sides[label](z) with gap map a(|z|), for the score z of one weight vector; label 0 is the sign +1."""

    def __init__(self, surrogate: Surrogate, scores: Scores) -> None:
        super().__init__(surrogate, scores)
        self.z = scores[0] if len(scores) == 1 else scores[0] - scores[1]

    @cached_property
    def top(self) -> Labels:
        return self.layout.sign(self.z)

    @property
    def gap(self) -> Number:
        return self.surrogate.gap_map(abs(self.z))

    def value(self, label: Labels) -> Number:
        return self.layout.at_side(self.surrogate.values, label, self.z)

    def slopes(self, label: Labels, rate: Number = 1) -> Slopes:
        return self.layout.one_row(rate * self.layout.at_side(self.surrogate.slopes, label, self.z))


class PairwiseRound(RoundAt):
    """The sum over k != y of phi(theta_y - theta_k)."""

    def value(self, label: Labels) -> Number:
        return self.layout.summed(self._of_rivals(self.surrogate.values[0], label))

    def slopes(self, label: Labels, rate: Number = 1) -> Slopes:
        slopes = self._of_rivals(self.surrogate.slopes[0], label)
        return self.layout.one_and_rivals(label, rate * self.layout.summed(slopes), [-rate * slope for slope in slopes])

    def _of_rivals(self, function: Function, label: Labels) -> Slopes:
        own = self.layout.own(self.scores, label)
        return self.layout.of_rivals(function, [own - score for score in self.scores], label)


class SeparableRound(RoundAt):
    """own(theta_y) and the sum over k != y of other(theta_k)."""

    def value(self, label: Labels) -> Number:
        mine, other = self.surrogate.values
        rivals = self.layout.of_rivals(other, self.scores, label)
        return mine(self.layout.own(self.scores, label)) + self.layout.summed(rivals)

    def slopes(self, label: Labels, rate: Number = 1) -> Slopes:
        mine, other = self.surrogate.slopes
        rivals = [rate * slope for slope in self.layout.of_rivals(other, self.scores, label)]
        return self.layout.one_and_rivals(label, rate * mine(self.layout.own(self.scores, label)), rivals)


def needed(round_: RoundAt, label: Labels, half_rate: Number) -> Number:
    """max(0, 1 - loss + (eta/2) ||g||^2) for ||x|| = 1: the least P(label) that keeps its gap at most 0."""
    return round_.layout.needed(round_.off(label), round_.value(label), round_.slopes(label), half_rate)


ROUNDS: dict[str, type[RoundAt]] = {
    "MarginLoss": MarginRound,
    "SoftmaxLoss": SoftmaxRound,
    "BinaryLoss": BinaryRound,
    "PairwiseLoss": PairwiseRound,
    "SeparableLoss": SeparableRound,
}
ROUNDS_IN_COLUMNS = ROUNDS | {"MarginLoss": ColumnMarginRound}


def deciding(loss: LossData, n_classes: int) -> tuple[str, tuple[Expression, ...]]:
    """The scalar that decides a loss for K classes, log p of a softmax loss, and its functions of that."""
    functions = loss.for_classes(n_classes).functions
    if geometry_of(loss).variable == "p":
        return LOG_P, tuple(in_log_p(function)[0] for function in functions)
    return loss.variable, functions
