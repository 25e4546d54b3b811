"""Where a theorem file is compared with Coq's text: the functions it has, and exact points that tell them apart."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import sympy as sp
from mpmath.libmp import to_rational
from sympy.core.relational import Relational

from gaptron.numbers.evaluate import UncertainError, evaluate
from gaptron.numbers.kinds import Number
from gaptron.symbols import K, m, p, z
from gaptron.theory.losses import BinaryLoss, MarginLoss, SoftmaxLoss
from gaptron.theory.theorem import Theorem

GRID = [Fraction(n, 4) for n in range(-10, 11)]
BESIDE = Fraction(1, 1000)
HALF = Fraction(1, 2)
NARROW = Fraction(1, 10**20)
Point = Mapping[sp.Symbol, Fraction]


class DifferentError(Exception):
    """The Coq text says something else than the theorem file: what, and where."""


def expect(holds: bool, otherwise: str) -> None:
    """DifferentError unless it holds."""
    if not holds:
        raise DifferentError(f"the Coq text differs from the file: {otherwise}")


@dataclass(frozen=True)
class Role:
    """A function of the theorem file that the loss of the statement has as an argument."""

    name: str
    expr: sp.Expr
    variable: sp.Symbol
    low: sp.Expr | None = None  # its domain: low <= variable, or all reals
    is_probability: bool = False

    def is_claimed(self, at: Fraction, point: Point) -> bool:
        """Whether the theorem speaks of this value of the variable."""
        if self.is_probability and not 0 < at < 1:
            return False
        return self.low is None or bool(at >= evaluate(self.low, point))


def roles_of(theorem: Theorem) -> Iterator[Role]:
    loss = theorem.loss
    if isinstance(loss, SoftmaxLoss):
        yield Role("psi", loss.psi, p, is_probability=True)
    elif isinstance(loss, BinaryLoss):
        yield Role("plus", loss.plus, z)
        yield Role("minus", loss.minus, z)
    elif isinstance(loss, MarginLoss):
        yield Role("phi", loss.phi, m)
    if theorem.decoder == "gap map":
        is_softmax = isinstance(loss, SoftmaxLoss)
        variable, low = (p, 1 / K) if is_softmax else (m, sp.Integer(0))
        yield Role("the gap map", theorem.gap_map.expression, variable, low, is_probability=is_softmax)


def variable_points(role: Role, point: Point) -> list[Fraction]:
    """A grid, and the points where branches meet, with their neighbours."""
    meeting = {at for difference in _differences(role.expr) for at in _zeros(difference, role.variable, point)}
    beside = {value + side for value in meeting for side in (-BESIDE, 0, BESIDE)}
    inside = {value / 4 for value in GRID} if role.is_probability else set()
    return sorted({*GRID, *inside, *beside})


def _zeros(difference: sp.Expr, variable: sp.Symbol, point: Point) -> Iterator[Fraction]:
    """The rational zeros of a polynomial; none of anything else."""
    if difference.has(sp.Piecewise, sp.Min, sp.Max, sp.Abs):
        return
    there = difference.subs({symbol: sp.Rational(value) for symbol, value in point.items()})
    if there.is_polynomial(variable) and there.has(variable) and not there.has(sp.zoo, sp.nan):
        read = sp.Poly(there, variable)
        if read.domain in (sp.ZZ, sp.QQ):
            yield from (Fraction(int(root.p), int(root.q)) for root in read.ground_roots())


def _differences(expr: sp.Expr) -> Iterator[sp.Expr]:
    for node in sp.preorder_traversal(expr):
        if isinstance(node, Relational):
            yield node.lhs - node.rhs
        elif isinstance(node, (sp.Min, sp.Max)):
            yield from (left - right for left, right in combinations(node.args, 2))
        elif isinstance(node, (sp.Abs, sp.log)) or (
            isinstance(node, sp.Pow) and not (node.exp.is_integer and node.exp.is_positive)
        ):
            yield node.args[0]


def around(low: Number, high: Number, share: Fraction) -> set[Fraction]:
    """Points in a range, at its ends and beyond; the one inside has its share below, as no two parameters have."""
    first = Fraction(str(low)) if low is not None else (Fraction(str(high)) - 3 if high is not None else Fraction(-2))
    last = Fraction(str(high)) if high is not None else first + 3
    return {first - 1, first, first + (last - first) * share, last, last + 1}


def has_value(expr: sp.Expr, point: Point) -> bool:
    try:
        evaluate(expr, point)
    except UncertainError:
        raise
    except (ArithmeticError, ValueError):
        return False
    return True


def enclosed(value: Number) -> tuple[Fraction, Fraction]:
    if isinstance(value, Fraction):
        return value, value
    low, high = (Fraction(*map(int, to_rational(end))) for end in value._mpi_)
    return low, high


def shown(point: Point) -> str:
    """For a message."""
    return ", ".join(f"{symbol} = {value}" for symbol, value in point.items())
