"""What a structured theorem says, as data of the language: its sympy is read once, by the door."""

from functools import lru_cache

from gaptron.language.expanded import expanded
from gaptron.language.expressions import Expression
from gaptron.language.formulas import formula
from gaptron.theory.for_classes import checked
from gaptron.theory.structured.limits import INSIDE
from gaptron.theory.structured.structured_theorem import StructuredTheorem


@lru_cache(maxsize=256)
def numbers_of(theorem: StructuredTheorem) -> dict[str, Expression]:
    """Every number of the theorem under the name of its argument."""
    return {name: checked(name, part) for name, part in theorem.expressions.items()}


@lru_cache(maxsize=256)
def step_of(theorem: StructuredTheorem) -> Expression | None:
    """The learning rate, or else the one of the claimed regret, which is 1/(2 c) with proximal updates."""
    given = numbers_of(theorem)
    if "learning_rate" in given or "regret" not in given:
        return given.get("learning_rate")
    return expanded(formula("alpha/(2*c)", alpha=given["coefficient"], c=given["regret"]), INSIDE)
