"""The Hamming target on the cube or on ordinal outputs, an entropy sum_k omega(m_k), every d at once.

With m the mean of w, H_L(w) = (1/d) sum_k min(m_k, 1 - m_k): a prediction may be right coordinate by coordinate, and
for ordinal outputs, whose means fall, those with m_k > 1/2 come first. The other side is alpha sum_k g(m_k) with
g(v) = s h(v) - kappa v (1 - v), h(v) = v omega(1) + (1 - v) omega(0) - omega(v). So the criterion holds if
g(v) >= min(v, 1 - v)/(alpha d) on [0, 1], and it is necessary, as the other coordinates may be certain. With F convex,
g is concave, and 0 at 0 and at 1: v = 1/2 is enough. A convolutional entropy adds min(v, 1 - v)/d to h.
"""

from collections.abc import Iterator
from fractions import Fraction

from gaptron.language.expressions import Expression
from gaptron.language.relations import Relation
from gaptron.obligations.pieces import ZERO
from gaptron.obligations.sequents import Sequent
from gaptron.obligations.structured.cases import (
    CriterionCase,
    Point,
    StructuredSurrogate,
    mentioned,
    size_at,
    size_conditions,
    written,
)
from gaptron.theory.structured.distributions import OutputDistribution, uniform
from gaptron.theory.structured.entropies import Convolutional, CoordinateEntropy, core
from gaptron.theory.structured.limits import at_mean
from gaptron.theory.structured.outputs import Cube, Ordinal
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.structured.targets import Hamming

ENDS_AND_MIDDLE = (ZERO, Fraction(1, 2), Fraction(1))


def applies(theorem: StructuredTheorem) -> bool:
    """The cube or ordinal outputs, the Hamming target, and a sum over coordinates."""
    is_hamming = isinstance(theorem.outputs, (Cube, Ordinal)) and isinstance(theorem.target, Hamming)
    return is_hamming and isinstance(core(theorem.entropy), CoordinateEntropy)


def cases(theorem: StructuredTheorem, numbers: StructuredSurrogate) -> Iterator[CriterionCase]:
    """g(1/2) >= 1/(2 alpha d)."""
    s, alpha, kappa, d = numbers.scale, numbers.alpha, numbers.kappa, theorem.size.name
    then = written("s*half - kappa/4 - 1/(2*alpha*d)", s=s, half=half_gap(theorem), kappa=kappa, alpha=alpha, d=d)
    claim = Sequent(mentioned(theorem, size_conditions(theorem), then), Relation(">=", then, ZERO))

    def failing(claim: Sequent, point: Point) -> Iterator[OutputDistribution]:
        size = size_at(theorem, point)
        vectors = theorem.outputs.vectors(size)
        yield uniform(size, vectors[:2])

    statement = "where one coordinate is 1 with probability 1/2: H_L <= alpha (s J - kappa Var)"
    yield CriterionCase("criterion/coordinate", statement, (claim,), failing)


def half_gap(theorem: StructuredTheorem) -> Expression:
    """h(1/2)."""
    entropy = core(theorem.entropy)
    assert isinstance(entropy, CoordinateEntropy)  # noqa: S101
    zero, half, one = (at_mean(entropy.omega, v) for v in ENDS_AND_MIDDLE)
    more = "+ 1/(2*d)" if isinstance(theorem.entropy, Convolutional) else ""
    return written(f"(zero + one)/2 - half {more}", zero=zero, half=half, one=one, d=theorem.size.name)
