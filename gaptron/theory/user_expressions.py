"""Arguments of theorem files: anything a user may write, turned into an exact sympy expression or refused."""

from collections.abc import Iterable
from fractions import Fraction
from numbers import Rational as PythonRational

import sympy as sp
from mpmath import libmp
from sympy.functions.elementary.piecewise import ExprCondPair

from gaptron.numbers.evaluate import Number, evaluate
from gaptron.symbols import Parameter, m, z
from gaptron.theory.refusals import Readings, TheoremError, hidden

FUNCTIONS = (sp.exp, sp.log, sp.Min, sp.Max, sp.Abs, sp.Piecewise)
HYPERBOLIC = (sp.sinh, sp.cosh, sp.tanh)
RELATIONS = (sp.Le, sp.Lt, sp.Ge, sp.Gt, sp.Eq, sp.Ne)
CONNECTIVES = (sp.And, sp.Or, sp.Not)
NUMBERS = (sp.Integer, sp.Rational, *map(type, (sp.S.Zero, sp.S.One, sp.S.NegativeOne, sp.S.Half)))
CONSTANTS = tuple(map(type, (sp.pi, sp.E, sp.true, sp.false)))
NOT_REAL = frozenset((sp.nan, sp.zoo, sp.oo, -sp.oo))
CONDITIONS = (*RELATIONS, *CONNECTIVES, ExprCondPair)
SYMBOLS = (sp.Symbol, sp.Dummy, Parameter)
UNDERSTOOD = frozenset((*FUNCTIONS, *CONSTANTS, *CONDITIONS, sp.Add, sp.Mul, sp.Pow, *SYMBOLS, *NUMBERS))


__tracebackhide__ = hidden


def expression(value: object, argument: str, allowed: Iterable[sp.Symbol]) -> sp.Expr:
    """``value`` as an exact expression in the ``allowed`` symbols; decimals are read as written (0.1 is 1/10).

    Raises
    ------
    TheoremError
        If it is not a number or a sympy expression, uses another symbol, or a function that cannot be decided.
    """
    expr = _exact(value, argument)
    _check_symbols(expr, argument, tuple(allowed))
    check_nodes(expr, argument)
    return expr


def _exact(value: object, argument: str) -> sp.Expr:
    if isinstance(value, bool) or not isinstance(value, (int, float, PythonRational, sp.Expr)):
        raise TheoremError(f"{argument} = {_shown(value)} is not a number or a sympy expression")
    exact = without_decimals(sp.sympify(value))
    return exact.replace(lambda e: type(e) in HYPERBOLIC, lambda e: e.rewrite(sp.exp))


def without_decimals(expr: sp.Basic) -> sp.Basic:
    """Decimals as fractions: the shortest decimal that is read as the same float."""
    return expr.xreplace({number: as_rational(number) for number in expr.atoms(sp.Float) if number.is_finite})


def as_rational(number: sp.Float) -> sp.Rational:
    """The shortest decimal that is the number at its precision, as Python's ``repr`` writes a float."""
    return sp.Rational(shortest(number))


def shortest(number: sp.Float) -> str:
    """That decimal, as text."""
    precision = number._prec
    texts = (libmp.to_str(number._mpf_, digits) for digits in range(1, libmp.repr_dps(precision) + 1))
    return next(str(text) for text in texts if libmp.from_str(text, precision, "n") == number._mpf_)


def readings(value: object, argument: str) -> Readings:
    """What is read for every decimal of a value."""
    if isinstance(value, bool) or not isinstance(value, (float, sp.Basic)):
        return ()
    found = sorted(sp.sympify(value).atoms(sp.Float), key=float)
    return tuple((argument, shortest(n), str(as_rational(n))) for n in found if n.is_finite)


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


def check_nodes(expr: sp.Basic, argument: str, decimals: bool = False) -> None:
    """Refuse whatever cannot be decided; ``decimals`` may be left for later.

    Raises
    ------
    TheoremError
        With the part that is not understood.
    """
    for part in sp.preorder_traversal(expr):
        if not (decimals and isinstance(part, sp.Float) and part.is_finite):
            _check_node(part, argument)


def _check_node(part: sp.Basic, argument: str) -> None:
    if part in NOT_REAL or isinstance(part, sp.Float):
        raise TheoremError(f"{argument} contains {part}: it must be a finite real number")
    if isinstance(part, type(sp.I)):
        raise TheoremError(f"{argument} contains the imaginary unit: it must be real")
    if isinstance(part, sp.Rel) and type(part) not in RELATIONS:
        raise TheoremError(f"{argument} uses the relation {_shown(part)}: use <=, <, >=, >")
    if isinstance(part, sp.Pow) and part.base.is_negative and part.base.is_number and not part.exp.is_number:
        raise TheoremError(f"{argument} uses {_shown(part)}, a negative number to a power that varies: write its cases")
    if isinstance(part, sp.Pow) and not part.exp.is_number and not part.base.is_positive and part.base.has(m, z):
        wanted = f"write exp(({part.exp})*log({part.base})), and its value at zero as a piece"
        raise TheoremError(f"{argument} uses {_shown(part)}, a varying power of what may be zero or less: {wanted}")
    if isinstance(part, sp.log) and len(part.args) > 1:
        value, base = part.args
        raise TheoremError(f"{argument} uses a logarithm with a base of its own: write log({value})/log({base})")
    if type(part) not in UNDERSTOOD:
        own = next((f"a class derived from {base.__name__}, " for base in type(part).__mro__ if base in UNDERSTOOD), "")
        raise TheoremError(
            f"{argument} uses {type(part).__name__}, {own}which is not supported: use rational operations, "
            "powers, exp, log, sqrt, Abs, Min, Max and Piecewise"
        )


def check_names(symbols: Iterable[sp.Symbol], argument: str) -> None:
    """Refuse two different symbols of one name.

    Raises
    ------
    TheoremError
        With the name.
    """
    by_name: dict[str, sp.Symbol] = {}
    for symbol in sorted(symbols, key=sp.default_sort_key):
        if by_name.setdefault(symbol.name, symbol) != symbol:
            raise TheoremError(
                f"{argument} has two different symbols with the name {symbol.name!r}: "
                "rename one of them, or use one object for both"
            )


def _shown(value: object) -> str:
    text = str(value) if isinstance(value, sp.Basic) else repr(value)
    return text if len(text) <= 80 else text[:77] + "..."


def value_at(part: sp.Expr, name: str, symbol: sp.Symbol, number: int) -> Number:
    """The value of a parameter for so many classes, or at a size; TheoremError if it has none."""
    try:
        return evaluate(part, {symbol: Fraction(number)})
    except (ZeroDivisionError, ValueError) as error:
        raise TheoremError(
            f"{name} = {part} is not a finite real number at {symbol} = {number}: it must be for every {symbol} claimed"
        ) from error
