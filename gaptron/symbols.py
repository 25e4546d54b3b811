"""The symbols that theorem files are written in.

K      number of classes, K >= 2
m      margin: any real in a loss, the top margin m* >= 0 in a gap map
p      softmax probability: of the true label in a loss, the largest one p* in a gap map
z      score of a one-vector (binary) loss, any real
v      a coordinate of a mean of outputs, in the entropy of a structured theorem, in [0, 1]
d      dimension (or size) of the outputs of a structured theorem, d >= 1
gamma  exploration rate, in [0, 1]
X, D   bounds on the feature norm and on the comparator norm, > 0
T      number of rounds, T >= 1

A loss or a gap map may have parameters of its own: ``w = Parameter("w", 1, 4)`` is any real from 1 to 4, and a theorem
that uses it is claimed for all of them.
"""

from fractions import Fraction
from functools import lru_cache
from math import isfinite
from typing import Any

from sympy import Rational, Symbol, oo

from gaptron.system.final import final

K = Symbol("K", positive=True)
X = Symbol("X", positive=True)
D = Symbol("D", positive=True)
T = Symbol("T", positive=True)
p = Symbol("p", positive=True)
gamma = Symbol("gamma", nonnegative=True)
m = Symbol("m", real=True)
z = Symbol("z", real=True)
v = Symbol("v", nonnegative=True)
d = Symbol("d", positive=True)

ALL = {s.name: s for s in (K, X, D, T, gamma, m, p, z, v, d)}
INTEGERS = (K, T, d)
OF_OBLIGATIONS = "b n q root s share t u y sqrt_T z_plus z_minus"
TAKEN = (*ALL, *OF_OBLIGATIONS.split())


SIGNS = ("positive", "negative", "nonnegative", "nonpositive", "nonzero")  # the stronger ones first


def sign_of(symbol: Symbol) -> str | None:
    """The strongest of ``SIGNS`` that the symbol was declared with."""
    return next((sign for sign in SIGNS if getattr(symbol, f"is_{sign}")), None)


def is_integer(symbol: Symbol) -> bool:
    """Whether the symbol stands for integers only."""
    return symbol in INTEGERS or bool(symbol.is_integer)


@lru_cache(maxsize=1024)
def is_understood(symbol: Symbol) -> bool:
    """Whether its sign, and perhaps that it is an integer, are all that is assumed of a real symbol."""
    sign = sign_of(symbol)
    declared = {"real": True} | ({sign: True} if sign else {}) | ({"integer": True} if symbol.is_integer else {})
    same: bool = Symbol(symbol.name, **declared).assumptions0 == symbol.assumptions0
    return same


@final
class Parameter(Symbol):  # type: ignore[misc]
    """A symbol that ranges over all reals with low <= value <= high; either bound may be None.

    Parameters
    ----------
    name : str
        Another name than those of the symbols above.
    low, high : rational numbers, optional
        A float is read as it is written (0.1 is 1/10).

    Raises
    ------
    ValueError
        If the name is taken, a bound is not a rational number, or low > high.

    Examples
    --------
    >>> from gaptron import Parameter
    >>> w = Parameter("w", 1, 4)
    >>> w.low, w.high
    (1, 4)
    """

    __slots__ = ("high", "low")
    low: Any
    high: Any

    def __new__(cls, name: str, low: Any = None, high: Any = None) -> "Parameter":
        """A new parameter; two are equal if name and range are."""
        if not isinstance(name, str) or not name.isidentifier() or not name.isascii() or name in TAKEN:
            raise ValueError(f"Parameter name = {name!r}: an identifier is needed, other than {', '.join(TAKEN)}")
        bounds = [_bound(value, argument, name) for value, argument in ((low, "low"), (high, "high"))]
        if None not in bounds and bounds[0] > bounds[1]:
            raise ValueError(f"Parameter {name}: low = {low} is larger than high = {high}")
        made: Parameter = Symbol.__xnew__(cls, name, real=True)
        made.low, made.high = bounds
        return made

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("low", "high") and hasattr(self, name):
            raise AttributeError(f"{name} of the parameter {self}: its range does not change: make another Parameter")
        super().__setattr__(name, value)

    def _hashable_content(self) -> tuple[Any, ...]:
        ends = (-oo if self.low is None else self.low, oo if self.high is None else self.high)
        return (*super()._hashable_content(), *ends)  # sympy puts equal symbols in order by these

    def __reduce__(self) -> tuple[Any, ...]:
        return Parameter, (self.name, self.low, self.high)


def _bound(value: Any, argument: str, name: str) -> Any:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float, Fraction, Rational)) or not isfinite(value):
        raise ValueError(f"Parameter {name}: {argument} = {value!r} is not a rational number")
    return Rational(repr(value)) if isinstance(value, float) else Rational(value)
