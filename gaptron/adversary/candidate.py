"""What a search hands on."""

from dataclasses import dataclass

from gaptron.adversary.families import Family
from gaptron.learners.arithmetic import Array


@dataclass(frozen=True)
class Candidate:
    """A stream of a family by its parameters, and how much of the bound it uses in doubles."""

    ratio: float
    family: Family
    parameters: Array
