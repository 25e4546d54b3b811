"""What is known of a constant for each number of classes, or each size: between which rationals it lies."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from gaptron.prove.one_variable import simplest_between
from gaptron.system.documents import Document

WIDTH = Fraction(1, 10**7)
Bracket = tuple[Fraction, Fraction]


def just_below(value: float | Fraction) -> Fraction:
    """A simple rational below a positive number, by less than a millionth of it."""
    return simplest_between(Fraction(value) * (1 - 4 * WIDTH), Fraction(value) * (1 - 2 * WIDTH))


def just_above(value: float | Fraction) -> Fraction:
    """A simple rational above a positive number, by less than a millionth of it."""
    return simplest_between(Fraction(value) * (1 + 2 * WIDTH), Fraction(value) * (1 + 4 * WIDTH))


@dataclass(kw_only=True)
class Brackets:
    """(lo, hi) for each number, one end proved and the other refuted by a witness, or None with a reason."""

    brackets: dict[int, Bracket | None] = field(default_factory=dict)
    witnesses: dict[int, Document] = field(default_factory=dict)
    reasons: dict[int, str] = field(default_factory=dict)
    impossible: dict[int, Document] = field(default_factory=dict)  # numbers for which there is none, and what shows it

    def stop(self, why: str = "interrupted before it was decided") -> None:
        """Say of what is not decided why it is not, and what the search believes."""
        for n, bracket in self.brackets.items():
            if bracket is None and n not in self.reasons:
                self.reasons[n] = why + self.believed(n)

    def believed(self, n: int) -> str:
        """What the search believes, to be added to a reason."""
        return ""

    @property
    def certified(self) -> bool:
        """Whether every number has its bracket, or something that shows that there is none."""
        return all(bracket is not None or n in self.impossible for n, bracket in self.brackets.items())


class Answered:
    """A theorem of which constants are asked."""

    answers: Sequence[Brackets]

    def stop(self) -> None:
        """Say of what is not decided that it was interrupted, and what the search believes."""
        for answer in self.answers:
            answer.stop()

    @property
    def certified(self) -> bool:
        """Whether nothing was left undecided."""
        return bool(self.answers) and all(answer.certified for answer in self.answers)
