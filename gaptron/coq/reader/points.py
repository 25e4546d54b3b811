"""Where a theorem file is compared with Coq's text: the functions it has, and exact points that tell them apart."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

import flint
from mpmath.libmp import to_rational

from gaptron.language.expressions import Condition, Expression, base_and_exponent, everywhere
from gaptron.language.formulas import formula
from gaptron.language.relations import Relation
from gaptron.language.univariate_polynomials import coefficients
from gaptron.language.variables import Variable
from gaptron.numbers.evaluate import UncertainError, value_at
from gaptron.numbers.kinds import Number
from gaptron.obligations.pieces import first_split
from gaptron.theory.for_classes import data_of, functions_of
from gaptron.theory.losses import SoftmaxLoss
from gaptron.theory.theorem import Theorem

GRID = [Fraction(n, 4) for n in range(-10, 11)]
BESIDE = Fraction(1, 1000)
HALF = Fraction(1, 2)
NARROW = Fraction(1, 10**20)
Point = Mapping[str, Fraction]


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
    expr: Expression
    variable: str
    low: Expression | None = None  # its domain: low <= variable, or all reals
    is_probability: bool = False

    def is_claimed(self, at: Fraction, point: Point) -> bool:
        """Whether the theorem speaks of this value of the variable."""
        if self.is_probability and not 0 < at < 1:
            return False
        return self.low is None or bool(at >= value_at(self.low, point))


def roles_of(theorem: Theorem) -> Iterator[Role]:
    is_softmax = isinstance(theorem.loss, SoftmaxLoss)
    for name, expression, variable in functions_of(theorem.loss):
        yield Role(name, expression, variable, is_probability=is_softmax)
    if theorem.decoder == "gap map":
        variable, low = ("p", formula("1/K")) if is_softmax else ("m", Fraction(0))
        yield Role("the gap map", data_of(theorem)["gap_map"], variable, low, is_probability=is_softmax)


def variable_points(role: Role, point: Point) -> list[Fraction]:
    """A grid, and the points where branches meet, with their neighbours."""
    meeting = {at for difference in _differences(role.expr) for at in _zeros(difference, role.variable, point)}
    beside = {value + side for value in meeting for side in (-BESIDE, 0, BESIDE)}
    inside = {value / 4 for value in GRID} if role.is_probability else set()
    return sorted({*GRID, *inside, *beside})


def _zeros(difference: Expression, variable: str, point: Point) -> Iterator[Fraction]:
    """The rational zeros of a polynomial; none of anything else."""
    found = None if first_split(difference) else coefficients(difference, variable)
    with suppress(ArithmeticError, ValueError):
        values = [value_at(each, point) for each in found or ()]
        if len(values) > 1 and all(isinstance(value, Fraction) for value in values):
            read = flint.fmpq_poly([flint.fmpq(value.numerator, value.denominator) for value in values])
            yield from (Fraction(int(root.p), int(root.q)) for root, _ in read.roots())


def _differences(expression: Expression) -> Iterator[Expression]:
    for node in everywhere(expression):
        if not isinstance(node, tuple):
            continue
        head, *below = node
        if head == "pieces":
            yield from (each.difference for _, condition in below for each in _relations(condition))
        elif head in ("min", "max"):
            yield from (formula("a - b", a=left, b=right) for left, right in combinations(below, 2))
        elif head in ("abs", "log", "power"):
            yield below[0]
        elif head in ("^", "root"):
            base, exponent = base_and_exponent(node)
            if exponent < 0 or exponent.denominator > 1:
                yield base


def _relations(condition: Condition) -> Iterator[Relation]:
    if isinstance(condition, Relation):
        yield condition
    elif not isinstance(condition, bool):
        yield from (each for part in condition if not isinstance(part, str) for each in _relations(part))


def around(low: Fraction | None, high: Fraction | None, share: Fraction) -> set[Fraction]:
    """Points in a range, at its ends and beyond; the one inside has its share below, as no two parameters have."""
    first = low if low is not None else (high - 3 if high is not None else Fraction(-2))
    last = high if high is not None else first + 3
    return {first - 1, first, first + (last - first) * share, last, last + 1}


def choices(parameters: Sequence[Variable]) -> Iterator[dict[str, Fraction]]:
    """Values of all parameters, by their names."""
    shares = [Fraction(place, len(parameters) + 1) for place, _ in enumerate(parameters, 1)]
    values = [sorted(around(one.low, one.high, share)) for one, share in zip(parameters, shares, strict=True)]
    for choice in zip(*values, strict=False) if parameters else [()]:
        yield {one.name: value for one, value in zip(parameters, choice, strict=True)}


def in_ranges(parameters: Iterable[Variable], point: Point) -> bool:
    """Whether each parameter is where the theorem speaks of it."""
    return all(
        (one.low is None or point[one.name] >= one.low) and (one.high is None or point[one.name] <= one.high)
        for one in parameters
    )


def has_value(expression: Expression, point: Point) -> bool:
    try:
        value_at(expression, point)
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
    return ", ".join(f"{name} = {value}" for name, value in point.items())
