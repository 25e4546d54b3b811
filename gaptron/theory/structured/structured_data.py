"""A structured theorem as data: what is asked of it by who computes."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from gaptron.language.expanded import expanded
from gaptron.language.expressions import Expression
from gaptron.language.formulas import formula
from gaptron.theory.structured.entropies import Entropy
from gaptron.theory.structured.limits import INSIDE
from gaptron.theory.structured.outputs import Outputs
from gaptron.theory.structured.targets import Target


@dataclass(frozen=True)
class StructuredData:
    """``gaptron.StructuredTheorem`` says what its parts mean.

    Attributes
    ----------
    numbers : expressions in the size, by the names of their arguments
    first, last : int
        The smallest and the largest size claimed; None if every larger one is.
    """

    name: str
    outputs: Outputs
    target: Target
    entropy: Entropy
    numbers: Mapping[str, Expression]
    update: str
    first: int
    last: int | None

    @property
    def data(self) -> "StructuredData":
        """Itself."""
        return self

    @property
    def size(self) -> str:
        """The name of the size."""
        return self.outputs.size_name

    def claims(self, size: int) -> bool:
        """Whether it is claimed for this size."""
        return self.first <= size and (self.last is None or size <= self.last)

    @cached_property
    def step(self) -> Expression | None:
        """The learning rate, or else the one of the claimed regret, which is 1/(2 c) with proximal updates."""
        if "learning_rate" in self.numbers or "regret" not in self.numbers:
            return self.numbers.get("learning_rate")
        parts = {"alpha": self.numbers["coefficient"], "c": self.numbers["regret"]}
        return expanded(formula("alpha/(2*c)", **parts), INSIDE)
