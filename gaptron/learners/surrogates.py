"""The loss and the gap map of a theorem, as a learner needs them; ``gaptron.rounds`` says what they are.

A surrogate answers, for the (K,) scores W x of a round,
``gap(scores)``                    the gap map a, in [0, 1],
``value(scores, label)``           the loss,
``score_gradient(scores, label)``  its gradient in the scores, shape (K,): the gradient in W is outer(., x),
``is_off(scores, label)``          whether the hinge loss vanishes as the top label is right with m* > beta,
and has ``learning_rate`` (in units of 1/X^2) and ``regret`` (the coefficient of X^2 ||U||^2), or None.
"""

from functools import cached_property, lru_cache

import numpy as np

from gaptron.language.theorems import LossData, StatedTheorem, TheoremData
from gaptron.learners.arithmetic import Array
from gaptron.numbers.evaluate import value_at
from gaptron.numbers.kinds import Doubles, Function, Kind, Number
from gaptron.rounds import of_theorem
from gaptron.rounds.layouts import VECTORS, Scores, Slopes
from gaptron.rounds.proximal import ProximalSteps, proximal_steps
from gaptron.rounds.surrogate import RoundAt, Surrogate
from gaptron.theory import by_name
from gaptron.theory.by_name import BINARY, MULTICLASS

__all__ = ["BINARY", "MULTICLASS", "LearnersSurrogate", "checked_theorem", "in_doubles", "named"]


class LearnersSurrogate:
    """See the module's description; a subclass says how it reads and writes numbers.

    ``most`` is what the needs of all labels may sum to.
    """

    rounds: Surrogate
    theorem: TheoremData
    loss: LossData
    kind: Kind
    learning_rate: Number
    regret: Number
    most: Number

    @cached_property
    def proximal(self) -> ProximalSteps:
        """Its proximal steps."""
        return proximal_steps(self.loss, self.rounds.n_classes, self.kind)

    def at(self, scores: Scores) -> RoundAt:
        """The round at these scores, in the numbers of ``rounds``."""
        return self.rounds.at(self.read(scores))

    def read(self, scores: Scores) -> Scores:
        """Scores as ``rounds`` needs them."""
        raise NotImplementedError

    def given(self, value: Number) -> Number:
        """A number of the learner as one of ``rounds``."""
        raise NotImplementedError

    def number(self, value: Number) -> Number:
        """A number of ``rounds`` as the learner's."""
        raise NotImplementedError

    def written(self, numbers: Slopes) -> Array:
        """Numbers of ``rounds`` as the learner's, with 0 for None."""
        raise NotImplementedError

    def gap(self, scores: Scores) -> Number:
        """The gap map; UncertainError if balls leave open which label is on top, where that matters."""
        found = self.at(scores)
        a = self.number(found.gap)
        if a != 1:
            _ = found.top
        return a

    def value(self, scores: Scores, label: int) -> Number:
        """The loss."""
        return self.value_of(self.at(scores), label)

    def value_of(self, found: RoundAt, label: int) -> Number:
        """The loss of a round, 0 where it is switched off."""
        return self.number(0 if found.off(label) else found.value(label))

    def score_gradient(self, scores: Scores, label: int) -> Array:
        """Its gradient in the scores, (1,) in z for a BinaryLoss."""
        found = self.at(scores)
        slopes = None if found.off(label) else found.slopes(label)
        return self.written([None] * self.rounds.rows if slopes is None else slopes)

    def is_off(self, scores: Scores, label: int) -> bool:
        """Whether the loss is switched off."""
        return bool(self.at(scores).off(label))


class InDoubles(LearnersSurrogate):
    """On (K,) arrays of doubles."""

    def __init__(self, theorem: StatedTheorem, n_classes: int) -> None:
        self.theorem, self.loss, self.kind = theorem.data, theorem.data.loss, Doubles()
        self.rounds = of_theorem(self.theorem, n_classes, VECTORS)
        self.learning_rate, self.regret = rates_of(self.theorem, n_classes, float)

    most = VECTORS.most

    def read(self, scores: Scores) -> Array:
        """As an array."""
        return np.asarray(scores)

    def given(self, value: Number) -> float:
        """As a Python float."""
        return float(value)

    number = given

    def written(self, numbers: Slopes) -> Array:
        """As they are."""
        return numbers if isinstance(numbers, np.ndarray) else np.array([number or 0.0 for number in numbers])


def rates_of(theorem: TheoremData, n_classes: int, number: Function) -> list[Number]:
    """The learning rate, in units of 1/X^2, and the regret; None of each that is not claimed with full information."""
    parts = theorem.rates(n_classes) if theorem.feedback == "full" else (None, None)
    return [None if part is None else number(value_at(part, {})) for part in parts]


in_doubles = lru_cache(maxsize=256)(InDoubles)


def named(name: str, n_classes: int) -> InDoubles:
    """Equations (1)-(3) of van der Hoeven 2020 with the gap maps and constants of its Theorems 1-3."""
    return in_doubles(by_name.theorem(name), n_classes)


def checked_theorem(loss: object, names: tuple[str, ...]) -> TheoremData:
    """``loss`` as data if it is a Theorem; else a ValueError that lists the losses with a name."""
    theorem = getattr(loss, "data", None)
    if not isinstance(theorem, TheoremData):
        allowed = ", ".join(f'"{name}"' for name in names)
        raise ValueError(f"loss = {loss!r} is neither one of {allowed} nor a gaptron.Theorem")
    if theorem.parameters:
        open_ = ", ".join(theorem.parameters)
        raise ValueError(
            f'loss = theorem "{theorem.name}" has the parameters {open_}: give their values by theorem.at(...)'
        )
    return theorem
