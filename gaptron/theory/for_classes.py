"""What a theorem says, as data of the language, each expression checked against its sympy: what obligations ask."""

from functools import lru_cache

import sympy as sp

from gaptron.door.reading import name_of, read
from gaptron.language.expressions import Expression
from gaptron.theory.faithful import require_faithful
from gaptron.theory.losses import Loss
from gaptron.theory.theorem import Contact, Theorem, parts


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
