"""Tables of operations for the language's evaluator: an expression as a function in a kind of numbers.

Rationals, balls and intervals are computed by closures, doubles by the Python that ``language.code`` writes (on NumPy
arrays: ``arrays``).
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache, reduce
from operator import add, mul
from typing import NamedTuple, NoReturn, TypeAlias

from gaptron.language.code import PYTHON, code
from gaptron.language.expressions import Expression, evaluated
from gaptron.numbers.kinds import Doubles, Function, Kind, Number, UncertainError, finite, less

Argument: TypeAlias = Number  # the value of the variable, or a point: a mapping of names to numbers
Found: TypeAlias = Number  # a number, or the truth of a condition


def compiled(expression: Expression, name: str, kind: Kind) -> Function:
    """The expression as a function of the variable of this name, in numbers of this kind.

    The function raises ValueError or ZeroDivisionError where the value is not a finite real number, or not rational if
    rationals are asked for; UncertainError where balls leave a branch open.
    """
    if isinstance(kind, Doubles):
        return _on_floats(expression, name)
    return evaluated(expression, Closures(kind, name)).call


def constant(expression: Expression, kind: Kind) -> Number:
    """The value of an expression without variables."""
    return kind.number(compiled(expression, "", kind)(None))


@lru_cache(maxsize=512)
def _on_floats(expression: Expression, name: str) -> Function:
    known = {"exp": math.exp, "log": math.log, "sqrt": math.sqrt, "pi": math.pi, "no_branch": _no_branch}
    return function_of(code(expression, PYTHON, {name: "x"}), known)


def function_of(text: str, known: dict[str, object]) -> Function:
    """The function of x whose value ``language.code`` wrote, with the functions that it names."""
    return eval(f"lambda x: {text}", known)  # type: ignore[no-any-return]  # noqa: S307  the text is our own


def _no_branch() -> NoReturn:
    raise ValueError("no branch of it is defined")


class Closure(NamedTuple):
    """A function of the argument, whether it is the same for all arguments, and the number if it is one."""

    call: Callable[[Argument], Found]
    is_fixed: bool
    known: Number = None


class Closures:
    """Expressions as closures on the value of one variable; without a variable, on a point."""

    def __init__(self, kind: Kind, variable: str | None = None) -> None:
        self.kind, self.of = kind, variable
        self.forms: dict[str, Callable[..., Number]] = {
            "+": _sum, "min": self._least, "max": self._largest, "abs": abs, "exp": kind.exp, "log": kind.log,
            "pi": kind.pi, "power": kind.power,
        }  # fmt: skip
        self.signs: dict[str, Callable[[Number, Number], bool]] = {
            "<": less,
            ">": lambda left, right: less(right, left),
            "<=": lambda left, right: not less(right, left),
            ">=": lambda left, right: not less(left, right),
            "=": kind.equal,
            "!=": lambda left, right: not kind.equal(left, right),
        }

    def number(self, value: Fraction) -> Closure:
        number = self.kind.number(value)
        return Closure(lambda _: number, True, number)

    def variable(self, name: str) -> Closure:
        if self.of is None:
            return Closure(lambda point: point[name], False)
        if name != self.of:
            raise ValueError(f"{name} has no value here")
        return Closure(lambda value: value, False)

    def product(self, factors: Sequence[Closure], divisors: Sequence[Closure]) -> Closure:
        return self._of(_product, [*factors, *(self.rational_power(part, Fraction(-1)) for part in divisors)])

    def rational_power(self, base: Closure, exponent: Fraction) -> Closure:
        if exponent.denominator > 1:
            return self._of(self.kind.power, (base, self.number(exponent)))
        n, value = int(exponent), base.call
        return _kept((lambda at: value(at) ** n) if n > 0 else (lambda at: finite(value(at) ** n)), (base,))

    def operation(self, name: str, parts: Sequence[Closure]) -> Closure:
        return self._of(self.forms[name], parts)

    def pieces(self, branches: Sequence[tuple[Closure, Closure]]) -> Closure:
        calls = [(when.call, value.call) for value, when in branches]

        def chosen(at: Argument) -> Number:
            for holds, value in calls:
                if holds(at):
                    return value(at)
            raise ValueError("no branch of it is defined")

        return _kept(chosen, [part for branch in branches for part in branch])

    def truth(self, value: bool) -> Closure:
        return Closure(lambda _: value, True)

    def relation(self, sign: str, left: Closure, right: Closure) -> Closure:
        return self._of(self.signs[sign], (left, right))

    def connective(self, name: str, parts: Sequence[Closure]) -> Closure:
        """One part that settles an "and" or "or" is enough, in whatever order, even if another is undefined."""
        if name == "not":
            return self._of(lambda truth: not truth, parts)
        calls, settles = [part.call for part in parts], name == "or"

        def junction(at: Argument) -> bool:
            undefined = None
            for holds in calls:
                try:
                    if holds(at) == settles:
                        return settles
                except (UncertainError, ValueError, ZeroDivisionError) as error:
                    undefined = error
            if undefined is not None:
                raise undefined
            return not settles

        return _kept(junction, parts)

    def _of(self, function: Callable[..., Found], parts: Sequence[Closure]) -> Closure:
        calls = [part.call for part in parts]
        if len(calls) == 1:
            (one,) = calls
            return _kept(lambda at: function(one(at)), parts)
        if len(calls) == 2:
            one, two = calls
            by = _BINARY.get(function, function)
            known = parts[0].known
            return _kept((lambda at: by(one(at), two(at))) if known is None else (lambda at: by(known, two(at))), parts)
        return _kept(lambda at: function(*[call(at) for call in calls]), parts)

    def _largest(self, *values: Number) -> Number:
        return reduce(self.kind.larger, values)

    def _least(self, *values: Number) -> Number:
        return -self._largest(*(-value for value in values))


def _kept(call: Callable[[Argument], Found], parts: Sequence[Closure]) -> Closure:
    """A constant is computed when it is first needed: it may be in a branch that never is."""
    if not all(part.is_fixed for part in parts):
        return Closure(call, False)
    known: list[Found] = []

    def once(at: Argument) -> Found:
        if not known:
            known.append(call(at))
        return known[0]

    return Closure(once, True)


def _sum(*parts: Number) -> Number:
    return reduce(add, parts)


def _product(*parts: Number) -> Number:
    return reduce(mul, parts)


_BINARY: dict[Callable[..., Number], Callable[..., Number]] = {_sum: add, _product: mul}
