"""Distributions over the outputs of a structured theorem at which its criterion is tightest, or seems to be."""

from collections.abc import Iterator

from gaptron.obligations.structured import coordinates, dominated, uniform, vertices
from gaptron.theory.structured.distributions import OutputDistribution
from gaptron.theory.structured.distributions import uniform as uniform_on
from gaptron.theory.structured.structured_theorem import StructuredTheorem


def critical(theorem: StructuredTheorem, size: int) -> Iterator[OutputDistribution]:
    """Distributions among which the binding one is, or seems to be."""
    vectors = theorem.outputs.vectors(size)
    if uniform.applies(theorem):
        yield from (uniform_on(size, vectors[:count]) for count in range(2, size + 1))
    elif coordinates.applies(theorem):
        yield uniform_on(size, vectors[:2])
    elif theorem.outputs.count(size) <= vertices.MOST_OUTPUTS:
        yield from (w for w, _ in vertices.critical_distributions(theorem.target, theorem.outputs, size))
    elif dominated.applies(theorem):
        yield uniform_on(size, dominated.farthest(theorem.outputs, theorem.target, size))
