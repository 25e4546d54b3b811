"""A sympy expression as data of the language, part for part, in the order of its arguments."""

from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from gaptron.language.expressions import Condition, Expression, rational_power
from gaptron.language.relations import Relation
from gaptron.language.variables import Variable
from gaptron.symbols import Parameter, is_integer, sign_of


@lru_cache(maxsize=4096)
def read(expr: sp.Expr) -> Expression:
    """The expression as data.

    Raises
    ------
    ValueError
        If a part is of no type that is understood, or two different symbols have one name.
    """
    _check_names(expr)
    return _read(expr)


@lru_cache(maxsize=4096)
def read_condition(given: Boolean) -> Condition:
    """A boolean combination of relations as data; errors as of ``read``."""
    _check_names(given)
    return _condition(given)


def name_of(symbol: sp.Symbol) -> str:
    """The name of a symbol in the language: one of its own for a dummy."""
    return f"{symbol.name}#{symbol.dummy_index}" if isinstance(symbol, sp.Dummy) else str(symbol.name)


def read_relation(given: Relational) -> Relation:
    """One relation as data; errors as of ``read``."""
    found = read_condition(given)
    if not isinstance(found, Relation):
        raise ValueError(f"{given} is not a relation")
    return found


def variable(symbol: sp.Symbol) -> Variable:
    """What is known of a symbol."""
    name, sign = name_of(symbol), sign_of(symbol)
    if isinstance(symbol, Parameter):
        low, high = (None if end is None else Fraction(int(end.p), int(end.q)) for end in (symbol.low, symbol.high))
        return Variable(name, is_parameter=True, low=low, high=high)
    return Variable(name, None if sign is None else RELATION_OF[sign], is_integer(symbol))


def _check_names(part: sp.Basic) -> None:
    symbols = part.free_symbols
    if len(set(map(name_of, symbols))) < len(symbols):
        names = sorted(map(name_of, symbols))
        twice = next(name for name, after in pairwise(names) if name == after)
        raise ValueError(f"{part} has two different symbols with the name {twice!r}")


def _read(expr: sp.Expr) -> Expression:
    reader = _READERS.get(type(expr))
    if reader is None:
        raise ValueError(f"{expr} is not a real number")
    return reader(expr)


def _number(expr: sp.Rational) -> Expression:
    return Fraction(int(expr.p), int(expr.q))


def _operation(name: str) -> Callable[[sp.Expr], Expression]:
    return lambda expr: (name, *map(_read, expr.args))


def _power(expr: sp.Pow) -> Expression:
    exponent = _read(expr.exp)
    if not isinstance(exponent, Fraction):
        return ("power", _read(expr.base), exponent)
    return rational_power(_read(expr.base), exponent)


def _log(expr: sp.log) -> Expression:
    value, *base = (("log", _read(part)) for part in expr.args)
    return ("*", value, ("^", base[0], -1)) if base else value


def _pieces(expr: sp.Piecewise) -> Expression:
    return ("pieces", *((_read(value), _condition(when)) for value, when in expr.args))


_READERS: dict[type, Callable[[sp.Expr], Expression]] = {
    **dict.fromkeys((sp.Integer, sp.Rational, *map(type, (sp.S.Zero, sp.S.One, sp.S.NegativeOne, sp.S.Half))), _number),
    **dict.fromkeys((sp.Symbol, sp.Dummy, Parameter), name_of),
    sp.Add: _operation("+"),
    sp.Mul: _operation("*"),
    sp.Pow: _power,
    sp.exp: _operation("exp"),
    sp.log: _log,
    sp.Min: _operation("min"),
    sp.Max: _operation("max"),
    sp.Abs: _operation("abs"),
    sp.Piecewise: _pieces,
    type(sp.pi): _operation("pi"),
    type(sp.E): lambda _: ("exp", Fraction(1)),
    type(sp.I): lambda _: ("root", Fraction(-1), 2),  # sqrt(-1 - K**2) is written with it; it has no value
}
RELATION_OF = {"positive": ">", "negative": "<", "nonnegative": ">=", "nonpositive": "<=", "nonzero": "!="}
SIGNS = {sp.Le: "<=", sp.Lt: "<", sp.Ge: ">=", sp.Gt: ">", sp.Eq: "=", sp.Ne: "!="}
_CONNECTIVES = {sp.And: "and", sp.Or: "or", sp.Not: "not"}


def _condition(given: Boolean) -> Condition:
    kind = type(given)
    if given in (sp.true, sp.false):
        return bool(given)
    if kind in SIGNS:
        return Relation(SIGNS[kind], *map(_read, given.args))
    if kind in _CONNECTIVES:
        return (_CONNECTIVES[kind], *map(_condition, given.args))
    if kind is sp.ITE:
        test, then, otherwise = map(_condition, given.args)
        return ("or", ("and", test, then), ("and", ("not", test), otherwise))
    raise ValueError(f"{given} is not a combination of relations")
