"""What a theorem says for so many classes, as data of the language: its sympy is read once, by the door."""

from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

import sympy as sp

from gaptron.door.reading import name_of, read
from gaptron.language.expressions import Expression
from gaptron.language.instantiation import substituted
from gaptron.theory.decoders import GapMap
from gaptron.theory.faithful import require_faithful
from gaptron.theory.losses import Loss, MarginLoss
from gaptron.theory.theorem import Contact, Theorem, parts


class LossForClasses(NamedTuple):
    """The functions of one variable that make up a loss, and the top margin above which it is off."""

    variable: str
    functions: tuple[Expression, ...]
    off_above: Expression | None


@lru_cache(maxsize=256)
def loss_for_classes(loss: Loss, n_classes: int) -> LossForClasses:
    """The loss for K = n_classes."""
    off_above = loss.off_above if isinstance(loss, MarginLoss) else None
    return LossForClasses(
        name_of(loss.variable),
        tuple(_put_in(function, n_classes) for _, function, _ in loss.functions),
        None if off_above is None else _put_in(off_above, n_classes),
    )


@lru_cache(maxsize=256)
def gap_map_for_classes(gap_map: GapMap, n_classes: int) -> Expression:
    """The gap map, of m or p."""
    return _put_in(gap_map.expression, n_classes)


@lru_cache(maxsize=256)
def rates_for_classes(theorem: Theorem, n_classes: int) -> tuple[Expression | None, Expression | None]:
    """The learning rate in units of 1/X^2, and the coefficient of X^2 ||U||^2; None of each that is not claimed."""
    eta, c = theorem.rate(), theorem.regret
    return None if eta is None else _put_in(eta, n_classes), None if c is None else _put_in(c, n_classes)


@lru_cache(maxsize=256)
def functions_of(loss: Loss) -> tuple[tuple[str, Expression, str], ...]:
    """The functions of one variable that make up a loss: name, expression, variable."""
    return tuple((name, checked(name, function), name_of(variable)) for name, function, variable in loss.functions)


@lru_cache(maxsize=256)
def data_of(theorem: Theorem) -> dict[str, Expression]:
    """Every expression of the theorem under the name of its argument."""
    return {name: checked(name, part) for name, part in parts(theorem).items()}


@lru_cache(maxsize=256)
def eta_of(theorem: Theorem) -> Expression | None:
    """The learning rate to check (``Theorem.eta``)."""
    eta = theorem.eta()
    return None if eta is None else checked("learning_rate", eta)


@lru_cache(maxsize=256)
def margins_of(contact: Contact) -> tuple[Expression, Expression]:
    """The margin of the true label, and the top margin."""
    return checked("margin", contact.margin), checked("top_margin", contact.top_margin)


@lru_cache(maxsize=1024)
def checked(name: str, expr: sp.Expr) -> Expression:
    """The expression of this argument as data; TheoremError where that has another value."""
    data = read(expr)
    require_faithful(expr, data, name)
    return data


def _put_in(part: object, n_classes: int) -> Expression:
    return substituted(read(part), {"K": Fraction(n_classes)})
