"""What is to be decided: claims about real numbers, and the obligations they make up."""

from dataclasses import dataclass

from gaptron.language.expressions import Expression, everywhere, variables
from gaptron.language.formulas import relation
from gaptron.language.instantiation import has_no_value
from gaptron.language.relations import Relation
from gaptron.language.variables import Variable
from gaptron.obligations.pieces import NOWHERE, Region
from gaptron.theory.theorem import Theorem


@dataclass(frozen=True)
class Sequent:
    """``then`` holds, and is defined, wherever all of ``given`` hold.

    A point at which it fails refutes the theorem only if the claim ``refutes``: those on which a case analysis rests
    do not. ``known`` are the variables it speaks of, once that is settled (``setting``).
    """

    given: Region
    then: Relation
    refutes: bool = True
    known: tuple[Variable, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "given", tuple(dict.fromkeys(self.given)))

    @property
    def names(self) -> set[str]:
        """Its variables."""
        return set().union(*(each.names for each in (*self.given, self.then)))

    @property
    def is_algebraic(self) -> bool:
        """Whether every side of every relation is algebraic, as SMT solvers need it."""
        return all(is_algebraic(each.difference) for each in (*self.given, self.then))


@dataclass(frozen=True)
class Obligation:
    """One statement to decide: it holds if all of its claims do. ``unsupported`` says why it cannot be decided.

    ``label`` is that of the rounds it is about, +1 or -1, if it is a case of a binary loss. ``words`` are what a file
    says beside a formula of its own: nothing is proved of them.
    """

    id: str
    statement: str
    claims: tuple[Sequent, ...]
    unsupported: str | None = None
    label: int | None = None
    words: str | None = None


def class_conditions(theorem: Theorem, at_least: int = 2) -> Region:
    """The range of K claimed."""
    last = theorem.last_class_count
    least = relation(f"K >= {max(theorem.first_class_count, at_least)}")
    return (least,) if last is None else (least, relation(f"K <= {last}"))


def claims_more_than_two(theorem: Theorem) -> bool:
    """Whether some K >= 3 is claimed."""
    return (theorem.last_class_count or 3) >= 3


def is_algebraic(expression: Expression) -> bool:
    """No exp or log of a variable, no variable in an exponent."""
    return not any(
        isinstance(part, tuple) and part[0] in ("exp", "log", "power") and variables(part)
        for part in everywhere(expression)
    )


def at_most_zero(gap: Expression) -> Relation:
    """gap <= 0; never, where a label has probability zero."""
    return NOWHERE if has_no_value(gap) else relation("gap <= 0", gap=gap)
