"""The adversary that no algorithm withstands: independent labels on points that share one coordinate.

Labels y_t are drawn from w, and x_t = X (eps e_0 + sqrt(1 - eps^2) e_t) has a direction of its own. Whatever the past,
a prediction is wrong with probability at least H = 1 - max w. The comparator that knows the labels has scores theta_y
on the rounds with label y: mean/(X eps) on e_0 and (theta_y - mean)/(X sqrt(1 - eps^2)) on e_t, mean = E_w theta_y.
It pays T E_w loss_y(theta_y), and X^2 E ||U||^2 = ||mean||^2/eps^2 + T Var_w(theta)/(1 - eps^2). So no algorithm has
regret c X^2 ||U||^2 if T H > T E_w loss_y(theta_y) + c X^2 E ||U||^2: some labels of those drawn break the bound.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import count, islice

from gaptron.numbers.evaluate import EXACT, Number, UncertainError, enclosure, is_less
from gaptron.numbers.kinds import plain
from gaptron.rounds.exact import total, value
from gaptron.theory.losses import Loss
from gaptron.theory.structured.distributions import OutputDistribution

DOUBLINGS = 400
Vector = Sequence[Fraction]


@dataclass(frozen=True)
class Adversary:
    """A distribution over the labels, the comparator's scores for each, and the stream: all exact.

    Parameters
    ----------
    distribution : fractions of sum 1, one for each label
    scores : for each label a vector, of one score for each label (of one number for a BinaryLoss)
    eps : the share of the common coordinate, 0 if the mean of the scores is 0; 1 - eps^2 is the square of a rational
    rounds : T
    """

    distribution: tuple[Fraction, ...]
    scores: tuple[tuple[Fraction, ...], ...]
    eps: Fraction
    rounds: int

    @property
    def alike(self) -> bool:
        """Whether all labels are drawn alike, and the scores of one are those of the first, both entries exchanged."""
        first = self.scores[0]
        rows = (tuple(first[0 if k == y else y if k == 0 else k] for k in range(len(first))) for y in range(len(first)))
        return len(set(self.distribution)) == 1 and self.scores == tuple(rows)

    @property
    def mistakes(self) -> Fraction:
        """What every algorithm pays at least in expectation: T (1 - max w)."""
        return self.rounds * (1 - max(self.distribution))

    def comparator(self, loss: Loss, c: Number) -> Number:
        """The expectation of sum loss(U) + c X^2 ||U||^2."""
        drawn = _drawn(self.distribution, self.scores)
        square = _square(drawn.mean)
        common = square / self.eps**2 if square else Fraction(0)
        own = self.rounds * drawn.variance / (1 - self.eps**2)
        expected = _product(Fraction(self.rounds), _expected(loss, self.distribution, self.scores))
        return total((expected, _product(c, common + own)))


def criterion(loss: Loss, c: Number, distribution: Vector, scores: Sequence[Vector]) -> Number:
    """E_w loss_y(theta_y) + c Var_w(theta), at most 1 - max w for no c that is attainable."""
    return total((_expected(loss, distribution, scores), _product(c, _drawn(distribution, scores).variance)))


def adversary(loss: Loss, c: Number, distribution: Vector, scores: Sequence[Vector]) -> Adversary | None:
    """A stream on which every algorithm breaks the bound with this c; None if these scores do not certainly give one.

    The slack of a round pays half for eps > 0 and, over T rounds, half for the common coordinate.
    """
    fixed = tuple(distribution), tuple(map(tuple, scores))
    drawn = _drawn(*fixed)
    if not any(drawn.mean):
        found = Adversary(*fixed, Fraction(0), 1)
        return found if _breaks(found, loss, c) else None
    slack = enclosure(total((1 - max(distribution), -criterion(loss, c, *fixed))))[0]
    if slack <= 0:
        return None
    most = enclosure(c)[1]
    common, own = most * _square(drawn.mean), most * drawn.variance
    for k in islice((2**n for n in count(1)), DOUBLINGS):
        eps = Fraction(2 * k, k * k + 1)
        if own * eps**2 / (1 - eps**2) <= slack / 2:
            found = Adversary(*fixed, eps, int(2 * common / (eps**2 * slack)) + 1)
            return found if _breaks(found, loss, c) else None
    return None


def _breaks(found: Adversary, loss: Loss, c: Number) -> bool:
    try:
        return is_less(found.comparator(loss, c), found.mistakes)
    except (UncertainError, ValueError, ZeroDivisionError):
        return False


def _drawn(distribution: Vector, scores: Sequence[Vector]) -> OutputDistribution:
    """The scores theta_y, with y drawn from w."""
    return OutputDistribution(len(distribution), tuple(map(tuple, scores)), tuple(distribution))


def _square(vector: Vector) -> Fraction:
    return sum((entry * entry for entry in vector), Fraction(0))


def _expected(loss: Loss, distribution: Vector, scores: Sequence[Vector]) -> Number:
    """E_w loss_y(theta_y), over the labels that are drawn."""
    drawn = [(w, y, row) for y, (w, row) in enumerate(zip(distribution, scores, strict=True)) if w]
    return total(_product(w, value(loss, row, y)) for w, y, row in drawn)


def _product(left: Number, right: Number) -> Number:
    return plain(EXACT.number(left) * EXACT.number(right))
