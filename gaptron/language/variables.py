"""Variables: what is known of each by itself."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from gaptron.language.relations import Relation

ZERO = Fraction(0)


@dataclass(frozen=True)
class Variable:
    """A real number; ``sign`` says how it stands to 0, as ">"; a parameter of a theorem lies between its bounds.

    With ``is_whole`` it, or its power ``whole_power``, is an integer.
    """

    name: str
    sign: str | None = None
    is_whole: bool = False
    whole_power: int = 1
    is_parameter: bool = False
    low: Fraction | None = None
    high: Fraction | None = None

    def known(self) -> Iterator[Relation]:
        """What is known of it, as hypotheses."""
        if self.sign is not None:
            yield Relation(self.sign, self.name, ZERO)
        if self.low is not None:
            yield Relation(">=", self.name, self.low)
        if self.high is not None:
            yield Relation("<=", self.name, self.high)
