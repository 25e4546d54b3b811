"""Outputs and costs that a structured theorem lists, at its one size: written out, and compared pair by pair.

A prediction drawn from the distribution of the output costs at most A Var(w) on average, A being the largest
(L(k, y) + L(y, k))/||k - y||^2: ``cost_below_mean_distance`` of ``proofs/coq/DominatedCosts.v``.
"""

from collections.abc import Sequence
from fractions import Fraction

from gaptron.coq.script import OutOfScopeError
from gaptron.coq.terms import number
from gaptron.theory.structured.outputs import Classes, Cube, Finite, Ordinal, Vector
from gaptron.theory.structured.targets import Cost
from gaptron.theory.structured.theorem import StructuredTheorem

MOST = 24  # outputs: with more the second reader compares none of them


def is_listed(theorem: StructuredTheorem) -> bool:
    """Whether its outputs or its costs are."""
    return isinstance(theorem.outputs, Finite) or isinstance(theorem.target, Cost)


def entries(outputs: Finite) -> str:
    """The output y at the coordinate i."""
    return chosen("y", [chosen("i", [number(entry) for entry in point]) for point in outputs.points])


def costs(theorem: StructuredTheorem) -> str:
    """The cost of predicting k where y is true."""
    return chosen("k", [chosen("y", [number(cost) for cost in row]) for row in _table(theorem)])


def bound(theorem: StructuredTheorem) -> Fraction:
    """A."""
    vectors, table = _numbered(theorem), _table(theorem)
    pairs = [(k, y) for k in range(len(vectors)) for y in range(k)]
    return max((table[k][y] + table[y][k]) / _distance2(vectors[k], vectors[y]) for k, y in pairs)


def proof(theorem: StructuredTheorem) -> str:
    """The tactic that shows it; ``{n}`` is the size."""
    half = number(bound(theorem) / 2)
    pairs = f"apply cost_below_mean_distance; pair_by_pair {len(_numbered(theorem))}%nat"
    return f"{pinned(theorem)}; apply with_bound with (2 * {half}); [lra | {pairs}]"


def pinned(theorem: StructuredTheorem) -> str:
    """The tactic that puts in its one size."""
    return f"assert (E : {{n}} = {theorem.first_size}%nat) by lia; subst {{n}}"


def _numbered(theorem: StructuredTheorem) -> list[Vector]:
    """The outputs in the order of the Coq text; OutOfScopeError if they are too many, or it has another one."""
    outputs, size = theorem.outputs, theorem.first_size
    if not isinstance(outputs, (Classes, Cube, Ordinal, Finite)):
        raise OutOfScopeError(f"the library numbers {outputs!r} in an order of its own, not as a matrix of costs does")
    if outputs.count(size) > MOST:
        raise OutOfScopeError(f"{outputs.count(size)} outputs are too many to be compared pair by pair")
    if isinstance(outputs, Cube):
        return [tuple(Fraction(y >> i & 1) for i in range(size)) for y in range(outputs.count(size))]
    return [*outputs.vectors(size)]


def _table(theorem: StructuredTheorem) -> list[list[Fraction]]:
    """L[k][y] in this order."""
    vectors = theorem.outputs.vectors(theorem.first_size)
    table = theorem.target.table(theorem.outputs, theorem.first_size)
    places = [vectors.index(vector) for vector in _numbered(theorem)]
    return [[table[k][y] for y in places] for k in places]


def _distance2(one: Vector, two: Vector) -> Fraction:
    return sum(((a - b) ** 2 for a, b in zip(one, two, strict=True)), Fraction(0))


def chosen(name: str, values: Sequence[str]) -> str:
    """The value at a number that is 0, 1, 2, ...: the last one for all others."""
    *first, last = values
    return "(" + "".join(f"if Nat.eqb {name} {n} then {value} else " for n, value in enumerate(first)) + last + ")"
