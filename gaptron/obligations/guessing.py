"""What obligations may guess about a theorem: from each guess follows a claim, which with a wrong one is not proved."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Protocol

from gaptron.language.expressions import Expression
from gaptron.language.relations import Relation
from gaptron.obligations.sequents import Sequent
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.theorem import Theorem

Pieces = Iterable[tuple[Iterable[Relation], Expression]]


class Guesses(Protocol):
    """Answers to these questions, in the variables of one theorem."""

    def said(self, expression: Expression) -> str:
        """The expression as people write it: for statements, of which nothing follows."""

    def said_relation(self, given: Relation) -> str:
        """As ``said``, of a relation."""

    def seems_empty(self, region: Iterable[Relation]) -> bool:
        """Whether no point with an integer K >= 2 seems to satisfy all relations."""

    def only_point(self, region: Iterable[Relation], variable: str) -> Expression | None:
        """The only value that ``variable`` seems to take in the region; None if it seems to take several."""

    def place(self, region: Iterable[Relation], variable: str) -> tuple[float, float]:
        """Where in ``variable`` the region seems to be: enough to put pieces in order."""

    def seems_positive(self, expression: Expression) -> bool:
        """Whether an expression in K and positive variables seems to be > 0."""

    def seems_positive_number(self, expression: Expression) -> bool:
        """Whether it seems to be a number above 0."""

    def seems_tight(self, given: Relation) -> bool:
        """Whether the two sides seem to be equal."""

    def seems_to_hold(self, region: Iterable[Relation], theorem: Theorem) -> bool:
        """Whether relations in K and the parameters hold for some of their values."""

    def seem_true(self, theorem: StructuredTheorem, claims: Sequence[Sequent]) -> bool:
        """Whether claims of one variable in (0, 1) hold at some points, for some of the sizes claimed."""

    def never_hold(self, region: Iterable[Relation]) -> int:
        """How many of the relations seem to be false everywhere."""

    def not_needed(self, f: Expression) -> Fraction:
        """A simple rational at which f is negative, nearly the largest one."""

    def beyond(self, c: Expression) -> Fraction:
        """A simple rational above 1/sqrt(c), for a positive number c."""

    def infimum(self, pieces: Pieces, variable: str) -> Expression:
        """The infimum of a convex function that is given by its smooth pieces, if it seems to be positive, else 0."""

    def shortened(self, expression: Expression) -> Expression:
        """A quotient of polynomials that seems to be equal; as it is, where a piece has no value."""

    def factored(self, expression: Expression) -> Expression:
        """A product that seems to be equal."""

    def squares(self, radicand: Expression) -> tuple[Expression, Expression]:
        """(f, rest) such that the radicand seems to be f^2 rest, and f positive."""
