"""What Gaptron does in a round, written once: the prediction, the exploration, the step (van der Hoeven 2020, Alg. 1).

Learners, their expectations and attacks all ask this, each in the numbers of its layout.
"""

from typing import NamedTuple

from gaptron.numbers.kinds import Number, plain
from gaptron.rounds.layouts import Labels, Scores, Slopes
from gaptron.rounds.proximal_step import ProximalSteps
from gaptron.rounds.surrogate import RoundAt, Surrogate


class GapMapError(ValueError):
    """A gap map that is not in [0, 1] at scores that a learner met."""


class LearningRateError(ValueError):
    """A learning rate for which no prediction exists at scores that a learner met."""


class Step(NamedTuple):
    """The setting of a round; numbers are those of the surrogate's layout.

    Attributes
    ----------
    surrogate : Surrogate
    eta : number
        The learning rate, 1/X^2 included.
    gamma : number, optional
        The least share of the uniform distribution.
    feature_norm : number
        X, which the best decoder and proximal steps depend on.
    is_best : bool
        Whether every label gets what it needs, instead of a mixture by the gap map.
    proximal : ProximalSteps, optional
        Whether W+ = argmin_V loss(V) + ||V - W||^2/(2 eta), instead of W - eta g.
    most : number, optional
        What all needs together may be: 1 and what rounding adds; None if neither they nor the gap map are checked.
    name : str
        Of the loss, for errors.
    """

    surrogate: Surrogate
    eta: Number
    gamma: Number | None = None
    feature_norm: Number = 1
    is_best: bool = False
    proximal: ProximalSteps | None = None
    most: Number | None = None
    name: str = ""

    # --- prediction -----------------------------------------------------------------------------------------------

    def uniform(self, found: RoundAt) -> Number:
        """The share of the uniform distribution: the gap map, at least gamma.

        Raises
        ------
        GapMapError
            If the gap map is not in [0, 1], up to 1e-9.
        """
        layout, gap = found.layout, found.gap
        if self.most is not None:
            gap, outside = layout.share(gap)
            if outside is not None:
                raise GapMapError(f"gap map = {plain(outside)} at the scores {found.scores}: it must be in [0, 1]")
        return gap if self.gamma is None else layout.explored(gap, self.gamma)

    def chances(self, found: RoundAt, label: Labels) -> tuple[Number, Number]:
        """P(wrong) and P(right)."""
        layout = found.layout
        if self.is_best:
            right = layout.own(self.distribution(found, found.top), label)
            return 1 - right, right
        uniform = self.uniform(found)
        wrong, right = layout.chances(uniform, self.surrogate.n_classes, found, label)
        return wrong, right

    def distribution(self, found: RoundAt, top: Labels) -> Scores:
        """What the best decoder makes of the scores: each label as often as it needs, the top one what is left.

        Raises
        ------
        LearningRateError
            If the needs sum to more than ``most``.
        """
        needs = self.needs(found)
        total = found.layout.total(needs)
        if self.most is not None and total > self.most:
            raise self._too_large(found.scores, total)
        return found.layout.topped_up(needs, total, top)

    def needs(self, found: RoundAt) -> Scores:
        """The least probability of every label, for ||x|| = X."""
        squared = self.feature_norm**2
        if self.proximal is None:
            return self.surrogate.needs(found, self.eta * squared / 2)
        c = plain(1 / (2 * self.eta * squared))
        return found.layout.missing(self.proximal.envelopes(found.layout.plain(found.scores), c))

    # --- learning -------------------------------------------------------------------------------------------------

    def slopes(self, found: RoundAt, label: Labels, squared: Number | None, weight: Number) -> Slopes:
        """By what multiples of x the rows of W move; None if certainly by none.

        ``squared`` is ||x||^2 of a proximal step, ``weight`` 1 with full information, 1/P(right) of a right draw.
        """
        layout = found.layout
        if self.proximal is not None:
            return None if squared is None else layout.shares(self.moves(found, label, squared), squared)
        off = found.off(label)
        if off is True:
            return None
        slopes = found.slopes(label, -self.eta * weight)
        return slopes if off is False else layout.masked(off, slopes)

    def moves(self, found: RoundAt, label: Labels, squared: Number) -> Scores:
        """By how much a proximal step along x moves the scores."""
        assert self.proximal is not None  # noqa: S101
        scores, c = found.layout.plain(found.scores), plain(1 / (2 * self.eta * squared))
        return self.proximal.step(scores, label, c).move

    def require_norm(self, squared: Number | None) -> None:
        """ValueError if ||x||^2 is certainly larger than X^2: a longer row would need another proximal step."""
        if squared is not None and squared > self.feature_norm**2 * (1 if self.most is None else self.most):
            norm = float(squared) ** 0.5
            raise ValueError(f"||x|| = {norm:.6g} is more than feature_norm = {plain(self.feature_norm)}")

    def _too_large(self, scores: Scores, total: Number) -> LearningRateError:
        constant, eta = "", plain(self.eta)
        if self.proximal is not None:
            constant = f" (c = {plain(1 / (2 * self.eta * self.feature_norm**2))} is too small)"
        return LearningRateError(
            f"learning_rate = {eta} is too large{constant} for the {self.name} loss: at the scores "
            f"{[str(plain(score)) for score in scores]} the labels need probabilities that sum to {plain(total)}"
        )
