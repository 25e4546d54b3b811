"""The loss and the gap map of a theorem, as a learner needs them; ``gaptron.rounds`` says what they are.

A surrogate answers, for the (K,) scores W x of a round,
``gap(scores)``                    the gap map a, in [0, 1],
``value(scores, label)``           the loss,
``score_gradient(scores, label)``  its gradient in the scores, shape (K,): the gradient in W is outer(., x),
``is_off(scores, label)``          whether the hinge loss vanishes as the top label is right with m* > beta,
``needs(scores, eta)``             the least P(label) of every label with the best decoder, eta in units of 1/X^2,
and has ``learning_rate`` (in units of 1/X^2) and ``regret`` (the coefficient of X^2 ||U||^2), or None.
"""

from functools import cached_property, lru_cache

import numpy as np

from gaptron.learners.arithmetic import Array
from gaptron.numbers.evaluate import value_at
from gaptron.numbers.kinds import Doubles, Function, Kind, Number
from gaptron.rounds import of_theorem
from gaptron.rounds.layouts import COLUMNS, VECTORS, Scores, Slopes
from gaptron.rounds.proximal import ProximalSteps, proximal_steps
from gaptron.rounds.surrogate import RoundAt, Surrogate, needed
from gaptron.theory.for_classes import rates_for_classes
from gaptron.theory.losses import Loss
from gaptron.theory.named import BINARY, MULTICLASS, named_binary_theorem, named_theorem
from gaptron.theory.theorem import Theorem

__all__ = [
    "BINARY",
    "MULTICLASS",
    "LearnersSurrogate",
    "Seen",
    "checked_theorem",
    "in_doubles",
    "named",
    "named_binary",
]


class LearnersSurrogate:
    """See the module's description. ``at(scores)`` answers the same of scores that are asked more than once.

    A subclass says how it reads scores and writes numbers.
    """

    rounds: Surrogate
    theorem: Theorem
    loss: Loss
    kind: Kind
    learning_rate: Number
    regret: Number

    @cached_property
    def proximal(self) -> ProximalSteps:
        """Its proximal steps."""
        return proximal_steps(self.loss, self.rounds.n_classes, self.kind)

    def at(self, scores: Scores) -> "Seen":
        """The round at these scores."""
        return Seen(self, self.rounds.at(self.read(scores)), scores)

    def read(self, scores: Scores) -> Scores:
        """Scores as ``rounds`` needs them."""
        raise NotImplementedError

    def number(self, value: Number) -> Number:
        """A number of ``rounds`` as the learner's."""
        raise NotImplementedError

    def gradient(self, slopes: Slopes) -> Array:
        """The gradient in the scores; zero if there are no slopes."""
        raise NotImplementedError

    def require_order(self, scores: Scores, *, top: bool = False) -> None:
        """UncertainError if the margins are open (of a softmax loss, if ``top``, the top label)."""

    def needs(self, scores: Scores, eta: Number) -> Array:
        """The least P(label) of every label."""
        raise NotImplementedError

    def gap(self, scores: Scores) -> Number:
        """The gap map."""
        return self.at(scores).gap()

    def value(self, scores: Scores, label: int) -> Number:
        """The loss."""
        return self.at(scores).value(label)

    def score_gradient(self, scores: Scores, label: int) -> Array:
        """Its gradient in the scores, (1,) in z for a BinaryLoss."""
        return self.at(scores).score_gradient(label)

    def is_off(self, scores: Scores, label: int) -> bool:
        """Whether the loss is switched off."""
        return self.at(scores).is_off(label)


class Seen:
    """A round at scores, in a learner's numbers."""

    def __init__(self, surrogate: LearnersSurrogate, round_: RoundAt, scores: Scores) -> None:
        self._surrogate, self._round, self._scores = surrogate, round_, scores

    def gap(self) -> Number:
        """The gap map."""
        a = self._surrogate.number(self._round.gap)
        if a != 1:  # otherwise the prediction does not depend on the top label
            self._surrogate.require_order(self._scores, top=True)
        return a

    def value(self, label: int) -> Number:
        """The loss."""
        self._surrogate.require_order(self._scores)
        return self._surrogate.number(0 if self._round.off(label) else self._round.value(label))

    def score_gradient(self, label: int) -> Array:
        """Its gradient in the scores."""
        self._surrogate.require_order(self._scores)
        return self._surrogate.gradient(None if self._round.off(label) else self._round.slopes(label))

    def is_off(self, label: int) -> bool:
        """Whether the loss is switched off."""
        return bool(self._round.off(label))


class InDoubles(LearnersSurrogate):
    """On (K,) arrays of doubles."""

    def __init__(self, theorem: Theorem, n_classes: int) -> None:
        self.theorem, self.loss, self.kind = theorem, theorem.loss, Doubles()
        self.rounds = of_theorem(theorem, n_classes, VECTORS)
        self._all = of_theorem(theorem, n_classes, COLUMNS)
        self._labels = np.arange(n_classes)
        self.learning_rate, self.regret = rates_of(theorem, n_classes, float)

    def number(self, value: Number) -> float:
        """As a Python float."""
        return float(value)

    def read(self, scores: Scores) -> Array:
        """As an array."""
        return np.asarray(scores)

    def gradient(self, slopes: Array | None) -> Array:
        """The slopes themselves."""
        return np.zeros(self.rounds.rows) if slopes is None else slopes

    def needs(self, scores: Scores, eta: Number) -> Array:
        """One column of scores against all labels; OverflowError if a loss is beyond the range of doubles."""
        needs = np.asarray(needed(self._all.at(np.asarray(scores)[:, None]), self._labels, eta / 2))
        if not np.isfinite(needs).all():
            raise OverflowError("the losses overflow: lower learning_rate, or scale the features")
        return needs


def rates_of(theorem: Theorem, n_classes: int, number: Function) -> list[Number]:
    """The learning rate, in units of 1/X^2, and the regret; None of each that is not claimed with full information."""
    parts = rates_for_classes(theorem, n_classes) if theorem.feedback == "full" else (None, None)
    return [None if part is None else number(value_at(part, {})) for part in parts]


in_doubles = lru_cache(maxsize=256)(InDoubles)


def named(name: str, n_classes: int) -> InDoubles:
    """Equations (1)-(3) of van der Hoeven 2020 with the gap maps and constants of its Theorems 1-3."""
    return in_doubles(named_theorem(name), n_classes)


def named_binary(name: str) -> InDoubles:
    """The blog's Example 2."""
    return in_doubles(named_binary_theorem(name), 2)


def checked_theorem(loss: object, names: tuple[str, ...]) -> Theorem:
    """``loss`` if it is a Theorem; else a ValueError that lists the losses with a name."""
    if not isinstance(loss, Theorem):
        allowed = ", ".join(f'"{name}"' for name in names)
        raise ValueError(f"loss = {loss!r} is neither one of {allowed} nor a gaptron.Theorem")
    if loss.parameters:
        open_ = ", ".join(parameter.name for parameter in loss.parameters)
        raise ValueError(
            f'loss = theorem "{loss.name}" has the parameters {open_}: give their values by theorem.at(...)'
        )
    return loss
