"""Case analysis that nothing has to be believed of: what is left out, and why, is a claim for the kernel.

An expression is split into smooth pieces by its structure. A case that seems empty is left out, and so is a piece of a
loss that holds at one point only, where no derivative is taken; each time the claim that it is so is noted. A claim
that was noted wrongly cannot be proved, and then the theorem is not.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from gaptron.language.expressions import Condition, Expression, base_and_exponent, everywhere, parts
from gaptron.language.instantiation import has_no_value
from gaptron.language.normal import POSITIVE
from gaptron.language.relations import Relation
from gaptron.obligations.guessing import Guesses
from gaptron.obligations.pieces import (
    HOLE,
    NOWHERE,
    ZERO,
    Piece,
    Region,
    clauses,
    closed,
    first_split,
    in_place_of,
    options,
)
from gaptron.obligations.sequents import Obligation, Sequent


class Coverage:
    """The cases of one theorem, and what was left out of them."""

    def __init__(self, guesses: Guesses) -> None:
        self.guesses = guesses
        self._noted: dict[Sequent, None] = {}

    def note(self, claim: Sequent) -> None:
        """A claim on which the case analysis rests: one that fails does not refute the theorem."""
        self._noted[replace(claim, refutes=False)] = None

    def keeps(self, region: Region) -> bool:
        """Whether the region is a case; False notes that it is empty."""
        if self.guesses.seems_empty(region):
            self.note(Sequent(region, NOWHERE))
            return False
        return True

    def obligation(self) -> Iterator[Obligation]:
        """That nothing was lost, if anything was left out."""
        if self._noted:
            statement = "every case that was left out is empty, and every piece at a single point is at that point"
            yield Obligation("coverage", statement, tuple(self._noted))

    # --- pieces -----------------------------------------------------------------------------------------------

    def pieces(self, expression: Expression, domain: Region = ()) -> list[Piece]:
        """Pieces that cover the part of the domain where the expression is defined."""
        return [piece for piece in self._split((), expression, domain) if piece.value != HOLE]

    def compared(self, expression: Expression, sign: str, domain: Region) -> tuple[Sequent, ...]:
        """That it is ">" or ">=" 0, wherever it is defined in the domain."""
        found = self.pieces(expression, domain)
        return tuple(Sequent((*domain, *piece.conditions), Relation(sign, piece.value, ZERO)) for piece in found)

    def smooth(self, expression: Expression, variable: str, domain: Region) -> list[Piece]:
        """The pieces without those that hold at one value of ``variable`` only.

        Beside every point there is one of these pieces, on each side, and its closure has the point: so that with
        closed conditions they have every one-sided derivative of a convex expression.
        """
        return [piece for piece, point in self._located(expression, variable, domain) if point is None]

    def points(self, expression: Expression, variable: str, domain: Region) -> list[Piece]:
        """The pieces that hold at one value of ``variable`` only."""
        return [piece for piece, point in self._located(expression, variable, domain) if point is not None]

    def _located(
        self, expression: Expression, variable: str, domain: Region
    ) -> Iterator[tuple[Piece, Expression | None]]:
        for piece in self.pieces(expression, domain):
            point = self.guesses.only_point((*domain, *piece.conditions), variable)
            if point is not None:
                self.note(Sequent((*domain, *piece.conditions), Relation("=", variable, point)))
            yield piece, point

    def _split(self, clause: Region, expression: Expression, domain: Region) -> Iterator[Piece]:
        node = first_split(expression)
        if node is None:  # what is not real is undefined, which is a claim of ``defined``
            yield Piece(clause, HOLE if has_no_value(expression) else expression)
            return
        for more, value in self._branches(clause, node, domain):
            if value == HOLE:
                yield Piece(more, value)
            else:
                yield from self._split(more, in_place_of(node, value, expression), domain)

    def _branches(self, clause: Region, node: Expression, domain: Region) -> Iterator[tuple[Region, Expression]]:
        for where, value in options(node):
            yield from ((more, value) for more in self._with(clause, where, domain))

    def _with(self, clause: Region, relations: Region, domain: Region) -> Iterator[Region]:
        """The clause with more relations, which are split in their turn."""
        if not relations:
            yield clause
            return
        first, rest = relations[0], relations[1:]
        node = first_split(first.difference)
        if node is None:
            if self.keeps((*domain, *clause, first)):
                yield from self._with((*clause, first), rest, domain)
            return
        for more, value in self._branches(clause, node, domain):
            if value != HOLE:  # a hole in a condition is a claim of ``defined``
                sides = (in_place_of(node, value, side) for side in (first.left, first.right))
                yield from self._with(more, (Relation(first.sign, *sides), *rest), domain)

    # --- definedness ------------------------------------------------------------------------------------------

    def defined(self, expression: Expression, domain: Region, variable: str | None = None) -> list[Sequent]:
        """No division by zero, no logarithm or root of a negative number, a value at every point of the domain.

        Conditions are read in order; in a conjunction the relations that are defined everywhere guard the others.
        With a ``variable``, it is noted that the pieces are defined on their boundary in it, too.
        """
        claims = list(dict.fromkeys(self._defined(expression, (), domain)))
        if variable is None:
            return claims
        for claim in claims:
            limit = closed(claim.given, variable)
            if limit != claim.given and claim.then != NOWHERE:
                self.note(Sequent(limit, claim.then))
        return claims

    def _defined(self, part: Expression, clause: Region, domain: Region) -> Iterator[Sequent]:
        if isinstance(part, tuple) and part[0] == "pieces":
            yield from self._defined_branches(part, clause, domain)
            return
        for below in inner(part):
            yield from self._defined(below, clause, domain)
        needed = requirement(part)
        if needed is None:
            return
        for piece in self._split(clause, needed.left, domain):
            if piece.value != HOLE:
                yield Sequent((*domain, *piece.conditions), Relation(needed.sign, piece.value, ZERO))

    def _defined_branches(self, node: tuple[Any, ...], clause: Region, domain: Region) -> Iterator[Sequent]:
        before = [clause]
        for value, condition in node[1:]:
            for reached in before:
                yield from self._defined_condition(condition, reached, domain)
            for chosen in self._extended(before, clauses(condition), domain):
                yield from self._defined(value, chosen, domain)
            before = list(self._extended(before, clauses(condition, holds=False), domain))
        for hole in before:
            yield Sequent((*domain, *hole), NOWHERE)

    def _defined_condition(self, condition: Condition, clause: Region, domain: Region) -> Iterator[Sequent]:
        """What decides a condition is defined, wherever its guards leave it open."""
        if isinstance(condition, Relation):
            for side in (condition.left, condition.right):
                yield from self._defined(side, clause, domain)
        elif not isinstance(condition, bool):
            name, *below = condition
            guards = [c for c in below if isinstance(c, Relation) and not _may_be_undefined(c)] if name != "not" else []
            guard = [g for c in guards for g in clauses(c, name == "and")]
            inside = (*clause, *(r for region in guard for r in region)) if all(map(_is_single, guards)) else clause
            for argument in below:
                if argument not in guards and not isinstance(argument, str):
                    yield from self._defined_condition(argument, inside, domain)

    def _extended(self, before: Iterable[Region], more: list[Region], domain: Region) -> Iterator[Region]:
        for earlier in before:
            for region in more:
                yield from self._with(earlier, region, domain)


def _is_single(relation: Relation) -> bool:
    """Whether the relation and its negation are one region each."""
    return relation.sign not in ("=", "!=")


def _may_be_undefined(relation: Relation) -> bool:
    return any(
        (isinstance(part, tuple) and part[0] == "pieces") or requirement(part) is not None
        for part in everywhere(relation.difference)
    )


def inner(part: Expression) -> list[Expression]:
    """What is below it; the base of a power p/q is below it, without a root between."""
    if isinstance(part, tuple) and part[0] in ("^", "root"):
        return [base_and_exponent(part)[0]]
    return parts(part)


def requirement(part: Expression, known: frozenset[str] = POSITIVE) -> Relation | None:
    """What a logarithm, a root or a power asks of its argument; None if that is ``known`` to be positive."""
    if not isinstance(part, tuple) or part[0] not in ("log", "^", "root", "power"):
        return None
    base, sign = part[1], ">"
    if part[0] in ("^", "root"):
        base, exponent = base_and_exponent(part)
        if exponent.denominator == 1 and exponent > 0:
            return None
        sign = "!=" if exponent.denominator == 1 else ">=" if exponent > 0 else ">"
    is_positive = base > 0 if isinstance(base, Fraction) else base in known
    return None if is_positive else Relation(sign, base, ZERO)
