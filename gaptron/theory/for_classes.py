"""What a theorem says, as data of the language, each expression checked against its sympy: what obligations ask.

It has the values of what is written: at exact points, in every piece, every time.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache

import sympy as sp

from gaptron.door.reading import name_of, read, read_condition
from gaptron.language.expressions import Condition, Expression
from gaptron.language.smooth_pieces import pieces
from gaptron.numbers.evaluate import Number, UncertainError, enclosure, truth_at, value_at
from gaptron.symbols import INTEGERS, K, Parameter
from gaptron.theory.losses import Loss
from gaptron.theory.refusals import TheoremError
from gaptron.theory.theorem import Contact, Theorem, parts

VALUES = tuple(map(Fraction, ("1/2", "-1", "2", "1/3", "0", "1", "-3", "5/4", "9", "1/16")))
COUNTS = tuple(map(Fraction, (3, 2, 7, 4)))
DIGITS = 30
CLOSE = Fraction(1, 10**20)
MOST = 12  # points of one expression


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
