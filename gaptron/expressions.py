"""Arguments of theorem files: anything a user may write, turned into an exact sympy expression or refused."""

from collections.abc import Iterable
from numbers import Rational as PythonRational

import sympy as sp
from sympy.core.relational import Relational

from gaptron.symbols import Parameter

FUNCTIONS = (sp.exp, sp.log, sp.Min, sp.Max, sp.Abs, sp.Piecewise)
HYPERBOLIC = (sp.sinh, sp.cosh, sp.tanh)


class TheoremError(ValueError):
    """A theorem that cannot be understood: the message names the argument, its value and what is allowed."""


def expression(value: object, argument: str, allowed: Iterable[sp.Symbol]) -> sp.Expr:
    """``value`` as an exact expression in the ``allowed`` symbols; decimals are read as written (0.1 is 1/10).

    Raises
    ------
    TheoremError
        If it is not a number or a sympy expression, uses another symbol, or a function that cannot be decided.
    """
    expr = _exact(value, argument)
    _check_symbols(expr, argument, tuple(allowed))
    for part in sp.preorder_traversal(expr):
        _check_node(part, argument)
    return expr


def _exact(value: object, argument: str) -> sp.Expr:
    if isinstance(value, bool) or not isinstance(value, (int, float, PythonRational, sp.Expr)):
        raise TheoremError(f"{argument} = {_shown(value)} is not a number or a sympy expression")
    exact = without_decimals(sp.sympify(value))
    return exact.replace(lambda e: isinstance(e, HYPERBOLIC), lambda e: e.rewrite(sp.exp))


def without_decimals(expr: sp.Expr) -> sp.Expr:
    """Decimals as fractions, as written."""
    return expr.xreplace({number: sp.Rational(str(number)) for number in expr.atoms(sp.Float) if number.is_finite})


def _check_symbols(expr: sp.Expr, argument: str, allowed: tuple[sp.Symbol, ...]) -> None:
    names = ", ".join(symbol.name for symbol in allowed) or "none"
    for symbol in sorted(expr.free_symbols - set(allowed), key=str):
        if isinstance(symbol, Parameter):
            continue
        if symbol.name in {s.name for s in allowed}:
            raise TheoremError(
                f"{argument} = {_shown(expr)} uses a symbol {symbol} of its own: import {symbol} from gaptron.symbols"
            )
        raise TheoremError(f"{argument} = {_shown(expr)} uses the symbol {symbol}: allowed here: {names}")


def _check_node(part: sp.Basic, argument: str) -> None:
    if part in (sp.nan, sp.zoo, sp.oo, -sp.oo) or isinstance(part, sp.Float):
        raise TheoremError(f"{argument} contains {part}: it must be a finite real number")
    if part.has(sp.I) and isinstance(part, type(sp.I)):
        raise TheoremError(f"{argument} contains the imaginary unit: it must be real")
    if isinstance(part, (sp.Function, sp.Min, sp.Max)) and not isinstance(part, FUNCTIONS):
        raise TheoremError(
            f"{argument} uses {part.func.__name__}, which is not supported: use rational operations, "
            "powers, exp, log, sqrt, Abs, Min, Max and Piecewise"
        )
    if isinstance(part, Relational) and not isinstance(part, (sp.Le, sp.Lt, sp.Ge, sp.Gt, sp.Eq, sp.Ne)):
        raise TheoremError(f"{argument} uses the relation {_shown(part)}: use <=, <, >=, >")


def _shown(value: object) -> str:
    text = str(value) if isinstance(value, sp.Basic) else repr(value)
    return text if len(text) <= 80 else text[:77] + "..."
