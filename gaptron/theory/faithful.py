"""Whether the data of an expression has the values of what is written: at exact points, in every piece, every time."""

from collections.abc import Mapping
from fractions import Fraction

import sympy as sp

from gaptron.door.reading import name_of, read_condition
from gaptron.language.expressions import Condition, Expression
from gaptron.language.smooth_pieces import pieces
from gaptron.numbers.evaluate import Number, UncertainError, enclosure, truth_at, value_at
from gaptron.symbols import INTEGERS, K, Parameter
from gaptron.theory.refusals import TheoremError

VALUES = tuple(map(Fraction, ("1/2", "-1", "2", "1/3", "0", "1", "-3", "5/4", "9", "1/16")))
COUNTS = tuple(map(Fraction, (3, 2, 7, 4)))
DIGITS = 30
CLOSE = Fraction(1, 10**20)
MOST = 12  # points of one expression


def require_faithful(expr: sp.Expr, data: Expression, name: str) -> None:
    """TheoremError, with the name of the argument, where the data has another value than what is written."""
    for point in _points(expr, data)[:MOST]:
        if not _agree(expr, data, point):
            where = ", ".join(f"{symbol} = {value}" for symbol, value in point.items())
            raise TheoremError(f"{name} = {expr} was read as something else: its value at {where} is another")


def _points(expr: sp.Expr, data: Expression) -> list[dict[sp.Symbol, Fraction]]:
    """One anywhere, and one in every piece, of what is written and of the data, that has one of the simple points."""
    symbols = sorted(expr.free_symbols, key=name_of)
    tried = [
        {symbol: _value(symbol, place + 3 * shift) for shift, symbol in enumerate(symbols)}
        for place in range(len(VALUES) if symbols else 1)
    ]
    found = tried[:1]
    written = [[read_condition(condition) for _, condition in each.args] for each in expr.atoms(sp.Piecewise)]
    for branches in ([condition for condition, _ in pieces(data)], *written):
        chosen: dict[int | None, dict[sp.Symbol, Fraction]] = {}
        for point in tried:
            chosen.setdefault(next((n for n, when in enumerate(branches) if _holds(when, point)), None), point)
        found += chosen.values()
    return [point for place, point in enumerate(found) if point not in found[:place]]


def _value(symbol: sp.Symbol, place: int) -> Fraction:
    if symbol in INTEGERS:
        return COUNTS[place % len(COUNTS)] + int(symbol != K)
    value = VALUES[place % len(VALUES)]
    if isinstance(symbol, Parameter):
        ends = [Fraction(int(end.p), int(end.q)) for end in (symbol.low, symbol.high) if end is not None]
        return ends[place % len(ends)] if ends else value
    return abs(value) or Fraction(3, 4) if symbol.is_positive else abs(value) if symbol.is_nonnegative else value


def _holds(condition: Condition, point: Mapping[sp.Symbol, Fraction]) -> bool:
    try:
        return truth_at(condition, _named(point))
    except (UncertainError, ValueError, ZeroDivisionError):
        return False


def _agree(expr: sp.Expr, data: Expression, point: Mapping[sp.Symbol, Fraction]) -> bool:
    """Where sympy has no real number, the data may have none either."""
    try:
        written = expr.xreplace({symbol: sp.Rational(value) for symbol, value in point.items()})
    except TypeError:  # sympy compares no undefined sides: where they may be, ``defined`` asks
        return True
    try:
        value: Number | None = value_at(data, _named(point))
    except (UncertainError, ValueError, ZeroDivisionError):
        value = None
    if not written.is_number or written.is_extended_real is False or written.has(sp.nan, sp.zoo, sp.oo):
        return value is None
    if value is None:  # balls may not be able to tell
        return True
    if written.is_Rational and isinstance(value, Fraction):
        return Fraction(int(written.p), int(written.q)) == value
    low, high = enclosure(value)
    near = Fraction(str(sp.re(written.evalf(DIGITS))))
    slack = CLOSE * max(Fraction(1), abs(near))
    return bool(low - slack <= near <= high + slack)


def _named(point: Mapping[sp.Symbol, Fraction]) -> dict[str, Number]:
    return {name_of(symbol): value for symbol, value in point.items()}
