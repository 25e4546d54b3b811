"""A theorem as data: what is asked of it by who computes, whatever it is written in."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache
from typing import Protocol

from gaptron.language.expressions import Expression
from gaptron.language.instantiation import substituted


@dataclass(frozen=True)
class LossData:
    """A surrogate loss.

    Attributes
    ----------
    kind : str
        Which scalars decide it: the name of its class in the vocabulary, "MarginLoss" say.
    variable : str
        What its functions are written in, beside K.
    functions : tuple of expressions
        Those of one scalar that make it up.
    off_above : expression, optional
        The top margin above which it is off where the top label is right.
    """

    kind: str
    variable: str
    functions: tuple[Expression, ...]
    off_above: Expression | None = None

    @cached_property
    def _hash(self) -> int:
        return hash(self._parts)

    @property
    def _parts(self) -> tuple[object, ...]:
        return self.kind, self.variable, self.functions, self.off_above

    def __hash__(self) -> int:
        """Computed once, as rounds are kept by their losses."""
        return self._hash

    def __reduce__(self) -> tuple[object, ...]:
        """Without the hash, which is another one in another process."""
        return type(self), self._parts

    @property
    def data(self) -> "LossData":
        """Itself."""
        return self

    @property
    def has_threshold(self) -> bool:
        """Whether it is off somewhere."""
        return self.off_above is not None

    def for_classes(self, n_classes: int) -> "LossData":
        """The loss for K = n_classes."""
        return _for_classes(self, n_classes)


@dataclass(frozen=True, kw_only=True)
class TheoremData:
    """A theorem about a learner: ``gaptron.Theorem`` says what its parts mean.

    Attributes
    ----------
    learning_rate : expression, optional
        The learner's: of a theorem that states a regret alone, the one that follows from it.
    first, last : int
        The smallest and the largest K claimed; None if every larger one is.
    parameters : tuple of str
        The names of those of its own.
    """

    name: str
    loss: LossData
    gap_map: Expression = Fraction(0)
    learning_rate: Expression | None = None
    regret: Expression | None = None
    exploration: Expression | None = None
    abstention_cost: Expression | None = None
    first: int = 2
    last: int | None = None
    feedback: str = "full"
    decoder: str = "gap map"
    update: str = "gradient"
    parameters: tuple[str, ...] = ()

    @property
    def data(self) -> "TheoremData":
        """Itself."""
        return self

    def claims(self, n_classes: int) -> bool:
        """Whether it is claimed for this number of classes."""
        return self.first <= n_classes and (self.last is None or n_classes <= self.last)

    def rates(self, n_classes: int) -> tuple[Expression | None, Expression | None]:
        """The learning rate, in units of 1/X^2, and the coefficient of X^2 ||U||^2, for K = n_classes."""
        eta, c = self.learning_rate, self.regret
        return None if eta is None else with_classes(eta, n_classes), None if c is None else with_classes(c, n_classes)

    @property
    def expressions(self) -> Iterator[Expression]:
        """All that it is made of."""
        rates = self.learning_rate, self.regret, self.exploration, self.abstention_cost
        yield from (*self.loss.functions, self.gap_map)
        yield from (part for part in (self.loss.off_above, *rates) if part is not None)


class StatedLoss(Protocol):
    """A loss as data, or in another form that says its data."""

    def __hash__(self) -> int:
        """What it is kept by."""

    @property
    def data(self) -> LossData:
        """The loss as data."""


class StatedTheorem(Protocol):
    """A theorem as data, or in another form that says its data."""

    @property
    def data(self) -> TheoremData:
        """The theorem as data."""


def with_classes(expression: Expression, n_classes: int) -> Expression:
    """The expression for K = n_classes."""
    return substituted(expression, {"K": Fraction(n_classes)})


@lru_cache(maxsize=256)
def _for_classes(loss: LossData, n_classes: int) -> LossData:
    functions = tuple(with_classes(function, n_classes) for function in loss.functions)
    off_above = None if loss.off_above is None else with_classes(loss.off_above, n_classes)
    return replace(loss, functions=functions, off_above=off_above)
