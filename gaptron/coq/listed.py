"""Outputs and costs that a structured theorem lists, at its one size: written out, and compared pair by pair.

A prediction drawn from the distribution of the output costs at most A Var(w) on average, A being the largest
(L(k, y) + L(y, k))/||k - y||^2: ``cost_below_mean_distance`` of ``proofs/coq/DominatedCosts.v``.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import combinations

from gaptron.coq.real_terms import number
from gaptron.coq.script import OutOfScopeError
from gaptron.theory.structured.entropies import Quadratic, core
from gaptron.theory.structured.outputs import (
    Classes,
    Cube,
    Finite,
    Ordinal,
    Outputs,
    PermutationMatrices,
    RankVectors,
    Vector,
)
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.structured.targets import Cost

MOST = 24  # outputs: with more the second reader compares none of them


def _rank(d: int, y: int, i: int) -> int:
    """Of ``proofs/coq/RankingDefinitions.v``."""
    if i == d - 1:
        return y % d
    among = _rank(d - 1, y // d, i)
    return among if among < y % d else among + 1


ENTRIES: dict[type[Outputs], Callable[[int, int, int], int]] = {
    Classes: lambda n, y, i: i == y,
    Cube: lambda n, y, i: y >> i & 1,
    Ordinal: lambda n, y, i: i < y,
    RankVectors: lambda n, y, i: _rank(n, y, i) + 1,
    PermutationMatrices: lambda n, y, i: _rank(n, y, i // n) == i % n,
}  # of the output y at the coordinate i, as Coq numbers them


def numbered(outputs: Outputs, size: int) -> list[Vector]:
    """The outputs of a size in the order of the Coq text."""
    if isinstance(outputs, Finite):
        return [*outputs.vectors(size)]
    entry, dimension = ENTRIES[type(outputs)], outputs.dimension(size)
    return [tuple(Fraction(entry(size, y, i)) for i in range(dimension)) for y in range(outputs.count(size))]


def is_listed(theorem: StructuredTheorem) -> bool:
    """Whether its outputs or its costs are."""
    return isinstance(theorem.outputs, Finite) or isinstance(theorem.target, Cost)


def check_few(theorem: StructuredTheorem) -> None:
    """OutOfScopeError if something is listed of more outputs than the second reader compares."""
    is_form = isinstance(core(theorem.entropy), Quadratic)
    count = theorem.outputs.count(theorem.first_size)
    if (is_form or is_listed(theorem)) and count > MOST:
        raise OutOfScopeError(f"{count} outputs are too many to be compared one by one")


def entries(outputs: Finite) -> str:
    """The output y at the coordinate i."""
    return chosen("y", [chosen("i", [number(entry) for entry in point]) for point in outputs.points])


def costs(theorem: StructuredTheorem) -> str:
    """The cost of predicting k where y is true."""
    return chosen("k", [chosen("y", [number(cost) for cost in row]) for row in _table(theorem)])


def bound(theorem: StructuredTheorem) -> Fraction:
    """A."""
    vectors, table = numbered(theorem.outputs, theorem.first_size), _table(theorem)
    return max(
        (table[k][y] + table[y][k]) / sum((a - b) ** 2 for a, b in zip(vectors[k], vectors[y], strict=True))
        for y, k in combinations(range(len(vectors)), 2)
    )


def proof(theorem: StructuredTheorem) -> str:
    """The tactic that shows it; ``{n}`` is the size."""
    half = number(bound(theorem) / 2)
    pairs = f"apply cost_below_mean_distance; pair_by_pair {theorem.outputs.count(theorem.first_size)}%nat"
    return f"{pinned(theorem)}; apply with_bound with (2 * {half}); [lra | {pairs}]"


def pinned(theorem: StructuredTheorem) -> str:
    """The tactic that puts in its one size."""
    return f"at_size {{n}}%nat {theorem.first_size}%nat"


def _table(theorem: StructuredTheorem) -> list[list[Fraction]]:
    """L[k][y] in this order."""
    outputs, size = theorem.outputs, theorem.first_size
    vectors, table = outputs.vectors(size), theorem.target.table(outputs, size)
    places = [vectors.index(vector) for vector in numbered(outputs, size)]
    return [[table[k][y] for y in places] for k in places]


def chosen(name: str, values: Sequence[str]) -> str:
    """The value at a number that is 0, 1, 2, ...: the last one for all others."""
    *first, last = values
    return "(" + "".join(f"if Nat.eqb {name} {n} then {value} else " for n, value in enumerate(first)) + last + ")"
