"""The expression of a separable entropy, as a file states it, and as data."""

from functools import lru_cache

import sympy as sp

from gaptron.language.expressions import Expression
from gaptron.symbols import Parameter, v
from gaptron.theory.for_classes import checked
from gaptron.theory.refusals import Readings, TheoremError, hidden
from gaptron.theory.structured.limits import without_limit
from gaptron.theory.user_expressions import expression, readings

__tracebackhide__ = hidden


def stated(value: object) -> tuple[sp.Expr, Readings]:
    """The expression in v, exactly, and what was read for its decimals; TheoremError if it is no entropy."""
    exact = expression(value, "Separable", (v,))
    if exact.atoms(Parameter):
        raise TheoremError(f"Separable = {exact} has a parameter: an entropy has numbers")
    for end in (sp.S.Zero, sp.S.One):
        if not _is_finite(exact, end):
            raise TheoremError(
                f"Separable = {exact} has no finite value at v = {end}, or none is found: "
                "an entropy is finite on outputs"
            )
    return exact, readings(value, "Separable")


@lru_cache(maxsize=256)
def omega_of(exact: sp.Expr) -> Expression:
    """As data, without a piece that is a limit."""
    return without_limit(checked("Separable", exact))


def _is_finite(omega: sp.Expr, end: sp.Expr) -> bool:
    """Whether it has a value there, or a limit from inside that sympy finds."""
    try:
        return bool(omega.subs(v, end).is_finite or sp.limit(omega, v, end, "-" if end else "+").is_finite)
    except NotImplementedError:
        return False
