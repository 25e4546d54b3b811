"""Guesses in floats about claims of one variable in (0, 1): what follows from them is a claim that must be proved."""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING

from gaptron.door.reading import variable
from gaptron.language.expressions import Expression
from gaptron.language.normal import put
from gaptron.obligations.sequents import Sequent
from gaptron.theory.structured.structured_theorem import StructuredTheorem, sampled_sizes

if TYPE_CHECKING:
    from gaptron.numbers.arrays import Arrays

SAMPLES = [n / 401 for n in range(1, 401)]
SLACK = 1e-9


def seem_true(theorem: StructuredTheorem, claims: Sequence[Sequent]) -> bool:
    """Whether the claims hold at some points, for some of the sizes claimed."""
    return all(_holds(theorem, claim, size) for claim in claims for size in sampled_sizes(theorem))


def _holds(theorem: StructuredTheorem, claim: Sequent, size: int) -> bool:
    import numpy as np  # here alone: a check of other theorems does not wait for it

    parameters = map(variable, theorem.parameters)
    values = {each.name: each.low or each.high or Fraction(1) for each in parameters}
    values[theorem.size.name] = Fraction(size)
    (name,) = claim.then.names - values.keys() or {"v"}
    sign = -1 if claim.then.sign == "<=" else 1
    found = _sampled(put(claim.then.difference, values), name) * sign
    given = [("pieces", (Fraction(1), each), (Fraction(0), True)) for each in claim.given if each.names == {name}]
    return not np.any(np.logical_and.reduce([found < -SLACK, *(_sampled(one, name) != 0 for one in given)]))


@lru_cache(maxsize=1024)
def _sampled(expression: Expression, name: str) -> "Arrays":
    """Its values at the samples."""
    import numpy as np

    from gaptron.numbers.arrays import array_function

    return array_function(expression, name)(np.array(SAMPLES))
