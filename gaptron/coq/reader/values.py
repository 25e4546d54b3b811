"""The values of read Coq terms at rational points: exact rationals, or intervals that certainly contain them.

Coq's functions are total; here what has no value in the reals has none: a text that needs it is UndefinedError.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import reduce
from math import factorial, isqrt
from operator import eq, ge, gt, le, lt, ne
from typing import Any, TypeAlias

from mpmath.ctx_iv import MPIntervalContext

from gaptron.coq.reader.vernacular import Definition, Tree, UnreadableError, names_in
from gaptron.numbers.kinds import UncertainError

ORDERS = {"<=": le, "<": lt, ">=": ge, ">": gt, "=": eq, "<>": ne}
INTERVALS = MPIntervalContext()
INTERVALS.prec = 192
Value: TypeAlias = Any  # Fraction, an interval, bool, or a function of values


class UndefinedError(ArithmeticError):
    """A value that the real numbers do not have."""


def interval(value: Value) -> Value:
    """An interval around the number."""
    if isinstance(value, Fraction):
        return INTERVALS.mpf(value.numerator) / value.denominator
    return value


def compare(sign: str, left: Value, right: Value) -> bool:
    """Certainly, or UncertainError."""
    if not (isinstance(left, Fraction) and isinstance(right, Fraction)):
        left, right = interval(left), interval(right)
        if sign in ("=", "<>"):
            apart = left < right or left > right
            found = (sign == "<>") if apart else None
        else:
            found = ORDERS[sign](left, right)
        if found is None:
            raise UncertainError(f"{left} {sign} {right}")
        return bool(found)
    return bool(ORDERS[sign](left, right))


def _inverse(value: Value) -> Value:
    if compare("=", value, Fraction(0)) if isinstance(value, Fraction) else 0 in value:
        raise UndefinedError("1/0")
    return 1 / value


def _logarithm(value: Value) -> Value:
    if not compare("<", Fraction(0), value):
        raise UndefinedError(f"ln {value}")
    return INTERVALS.log(interval(value))


def _square_root(value: Value) -> Value:
    if not compare("<=", Fraction(0), value):
        raise UndefinedError(f"sqrt {value}")
    if isinstance(value, Fraction):
        exact = Fraction(isqrt(value.numerator), isqrt(value.denominator))
        if exact**2 == value:
            return exact
    return INTERVALS.sqrt(interval(value))


def _root(index: Value, value: Value) -> Value:
    if not compare("<=", Fraction(0), value):
        raise UndefinedError(f"root {index} {value}")
    return value if value == 0 else interval(value) ** interval(1 / index)


def _sum(terms: Iterable[Value]) -> Value:
    return reduce(lambda left, right: _computed("+", left, right), terms, Fraction(0))


def _larger(left: Value, right: Value) -> Value:
    return right if compare("<=", left, right) else left


def _quotient(number: Value, by: Value) -> Value:
    if by == 0:
        raise UndefinedError("a quotient by 0")
    return Fraction(number // by)


def _rank(items: Value, number: Value, item: Value) -> Value:
    """Of an item in a ranking of some items: from the first item on, every next one pushes up what it overtakes."""
    digits = []
    for count in range(int(items), 0, -1):
        number, digit = divmod(int(number), count)
        digits.append(digit)
    ranks: list[int] = []
    for digit in reversed(digits):
        ranks = [rank + (rank >= digit) for rank in ranks] + [digit]
    return Fraction(ranks[int(item)])


FUNCTIONS: dict[str, tuple[int, Callable[..., Value]]] = {
    "INR": (1, lambda value: value),
    "exp": (1, lambda value: INTERVALS.exp(interval(value))),
    "ln": (1, _logarithm),
    "sqrt": (1, _square_root),
    "root": (2, _root),
    "Rabs": (1, lambda value: _larger(value, -value)),
    "Rmin": (2, lambda left, right: left if compare("<=", left, right) else right),
    "Rmax": (2, _larger),
    "Rle_dec": (2, lambda left, right: compare("<=", left, right)),
    "Rlt_dec": (2, lambda left, right: compare("<", left, right)),
    "Req_EM_T": (2, lambda left, right: compare("=", left, right)),
    "S": (1, lambda count: count + 1),
    "Nat.eqb": (2, eq),
    "Nat.ltb": (2, lt),
    "Nat.div": (2, _quotient),
    "Nat.modulo": (2, lambda number, by: number - by * _quotient(number, by)),
    "fact": (1, lambda count: Fraction(factorial(int(count)))),
    "rank": (3, _rank),
    "Nat.testbit": (2, lambda number, place: int(number) >> int(place) & 1),
    "largest": (2, lambda last, term: reduce(_larger, (term(Fraction(place)) for place in range(int(last) + 1)))),
    "sum": (2, lambda count, term: _sum(term(Fraction(place)) for place in range(int(count)))),
}
MEANT = frozenset(
    {
        *FUNCTIONS,
        *("guarantee", "guarantee_in", "linear", "flat", "INR", "R", "nat"),
        *("full", "abstention", "bandit", "decoding", "decoding_switched"),
        *("margin_loss", "softmax_loss", "binary_loss"),
        *("attainable", "classification", "of_scores", "of_margin", "of_softmax", "of_sign"),
        *("of_pairs", "of_each_score"),
        *("Structured", "structured", "hull", "attained", "decodable", "structured_guarantee", "surrogate_problem"),
        *("vector", "mu"),
        *("margin_conditions", "softmax_conditions", "binary_conditions", "guessing"),
    }
)  # names that must mean what Coq and the library mean
OPERATIONS: dict[str, Callable[[Value, Value], Value]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: left * _inverse(right),
}


def _computed(sign: str, left: Value, right: Value) -> Value:
    """Rationals stay rational; beside an interval they become one."""
    if isinstance(left, Fraction) and isinstance(right, Fraction):
        return OPERATIONS[sign](left, right)
    return OPERATIONS[sign](interval(left), interval(right))


class Values:
    """Terms over some definitions, at a point."""

    def __init__(self, known: Mapping[str, Definition]) -> None:
        self.known = known

    def calls(self, term: Tree) -> Iterator[Tree]:
        """The calls of definitions in a term."""
        if term[0] == "apply" and term[1][1] in self.known:
            yield term
            return
        for part in term[1:]:
            if isinstance(part, tuple) and names_in(part) & self.known.keys():
                yield from self.calls(part)

    def of(self, term: Tree, point: Mapping[str, Value]) -> Value:
        """The value: of a function that lacks arguments, a function of the others."""
        kind, *parts = term
        if kind == "number":
            return Fraction(parts[0])
        if kind == "name":
            return self._named(parts[0], point)
        if kind == "apply":
            found = self.of(parts[0], point)
            for argument in parts[1:]:
                found = found(self.of(argument, point))
            return found
        if kind == "if":
            return self.of(parts[1] if self.of(parts[0], point) else parts[2], point)
        if kind == "fun":
            names, body = parts
            return _curried(len(names), lambda *given: self.of(body, {**point, **dict(zip(names, given, strict=True))}))
        return self._operation(kind, parts, point)

    def _operation(self, kind: str, parts: list[Tree], point: Mapping[str, Value]) -> Value:
        if kind == "/\\":
            return all(self.of(part, point) for part in parts)
        if kind == "\\/":
            return any(self.of(part, point) for part in parts)
        if kind == "->":
            return not self.of(parts[0], point) or self.of(parts[1], point)
        values = [self.of(part, point) for part in parts]
        if kind == "not":
            return not values[0]
        if kind == "minus":
            return -values[0]
        if kind == "inverse":
            return _inverse(values[0])
        if kind == "^":
            return _power(*values)
        return _computed(kind, *values) if kind in OPERATIONS else compare(kind, *values)

    def _named(self, name: str, point: Mapping[str, Value]) -> Value:
        if name in point:
            return point[name]
        if name in ("True", "False"):
            return name == "True"
        if name in FUNCTIONS:
            return _curried(*FUNCTIONS[name])
        if name not in self.known:
            raise UnreadableError(f"{name} is not known")
        found = self.known[name]
        return _curried(
            len(found.arguments), lambda *given: self.of(found.body, dict(zip(found.arguments, given, strict=True)))
        )


def _power(base: Value, exponent: Value) -> Value:
    if not isinstance(exponent, Fraction) or exponent.denominator > 1 or exponent < 0:
        raise UnreadableError(f"the power {exponent}")
    return base ** int(exponent)


def _curried(count: int, function: Callable[..., Value], *given: Value) -> Value:
    """A function that takes its arguments one by one."""
    if len(given) == count:
        return function(*given)
    return lambda value: _curried(count, function, *given, value)
