"""Case analysis that nothing has to be believed of: what is left out, and why, is a claim for the kernel.

An expression is split into smooth pieces by its structure. A case that seems empty is left out, and so is a piece of a
loss that holds at one point only, where no derivative is taken; each time the claim that it is so is noted. A claim
that was noted wrongly cannot be proved, and then the theorem is not.
"""

from collections.abc import Iterable, Iterator

import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from gaptron.obligations.claims import Obligation, Sequent
from gaptron.obligations.guesses import only_point, seems_empty
from gaptron.obligations.pieces import NOWHERE, Piece, Region, clauses, closed, first_split, options


class Coverage:
    """The cases of one theorem, and what was left out of them."""

    def __init__(self) -> None:
        self._noted: dict[Sequent, None] = {}

    def note(self, claim: Sequent) -> None:
        """A claim on which the case analysis rests: one that fails does not refute the theorem."""
        self._noted[Sequent(claim.given, claim.then, refutes=False)] = None

    def keeps(self, region: Region) -> bool:
        """Whether the region is a case; False notes that it is empty."""
        if seems_empty(region):
            self.note(Sequent(region, NOWHERE))
            return False
        return True

    def obligation(self) -> Iterator[Obligation]:
        """That nothing was lost, if anything was left out."""
        if self._noted:
            statement = "every case that was left out is empty, and every piece at a single point is at that point"
            yield Obligation("coverage", statement, tuple(self._noted))

    # --- pieces -----------------------------------------------------------------------------------------------

    def pieces(self, expr: sp.Expr, domain: Region = ()) -> list[Piece]:
        """Pieces that cover the part of the domain where the expression is defined."""
        return [piece for piece in self._split((), expr, domain) if not piece.is_hole]

    def smooth(self, expr: sp.Expr, variable: sp.Symbol, domain: Region) -> list[Piece]:
        """The pieces without those that hold at one value of ``variable`` only.

        Beside every point there is one of these pieces, on each side, and its closure has the point: so that with
        closed conditions they have every one-sided derivative of a convex expression.
        """
        return [piece for piece, point in self._located(expr, variable, domain) if point is None]

    def points(self, expr: sp.Expr, variable: sp.Symbol, domain: Region) -> list[Piece]:
        """The pieces that hold at one value of ``variable`` only."""
        return [piece for piece, point in self._located(expr, variable, domain) if point is not None]

    def _located(self, expr: sp.Expr, variable: sp.Symbol, domain: Region) -> Iterator[tuple[Piece, sp.Expr | None]]:
        for piece in self.pieces(expr, domain):
            point = only_point((*domain, *piece.conditions), variable)
            if point is not None:
                at = sp.Eq(variable, point, evaluate=False)
                self.note(Sequent((*domain, *piece.conditions), at))
            yield piece, point

    def _split(self, clause: Region, expr: sp.Expr, domain: Region) -> Iterator[Piece]:
        node = first_split(expr)
        if node is None:  # what is not real is undefined, which is a claim of ``defined``
            yield Piece(clause, sp.nan if expr.is_extended_real is False else expr)
            return
        for more, value in self._branches(clause, node, domain):
            if value is sp.nan:
                yield Piece(more, value)
            else:
                yield from self._split(more, expr.xreplace({node: value}), domain)

    def _branches(self, clause: Region, node: sp.Expr, domain: Region) -> Iterator[tuple[Region, sp.Expr]]:
        for where, value in options(node):
            yield from ((more, value) for more in self._with(clause, where, domain))

    def _with(self, clause: Region, relations: Region, domain: Region) -> Iterator[Region]:
        """The clause with more relations, which are split in their turn."""
        if not relations:
            yield clause
            return
        first, rest = relations[0], relations[1:]
        node = first_split(first)
        if node is None:
            if self.keeps((*domain, *clause, first)):
                yield from self._with((*clause, first), rest, domain)
            return
        for more, value in self._branches(clause, node, domain):
            if value is not sp.nan:  # a hole in a condition is a claim of ``defined``
                sides = (side.xreplace({node: value}) for side in first.args)
                yield from self._with(more, (first.func(*sides, evaluate=False), *rest), domain)

    # --- definedness ------------------------------------------------------------------------------------------

    def defined(self, expr: sp.Expr, domain: Region, variable: sp.Symbol | None = None) -> list[Sequent]:
        """No division by zero, no logarithm or root of a negative number, a value at every point of the domain.

        Conditions are read in order; in a conjunction the relations that are defined everywhere guard the others.
        With a ``variable``, it is noted that the pieces are defined on their boundary in it, too.
        """
        claims = list(dict.fromkeys(self._defined(expr, (), domain)))
        for claim in claims if variable is not None else ():
            limit = closed(claim.given, variable)
            if limit != claim.given and claim.then != NOWHERE:
                self.note(Sequent(limit, claim.then))
        return claims

    def _defined(self, expr: sp.Basic, clause: Region, domain: Region) -> Iterator[Sequent]:
        if isinstance(expr, sp.Piecewise):
            yield from self._defined_branches(expr, clause, domain)
            return
        for argument in expr.args:
            yield from self._defined(argument, clause, domain)
        requirement = _requirement(expr)
        if requirement is None:
            return
        for piece in self._split(clause, requirement.lhs, domain):
            if not piece.is_hole:
                yield Sequent((*domain, *piece.conditions), requirement.func(piece.value, 0, evaluate=False))

    def _defined_branches(self, node: sp.Expr, clause: Region, domain: Region) -> Iterator[Sequent]:
        before = [clause]
        for value, condition in node.args:
            for reached in before:
                yield from self._defined_condition(condition, reached, domain)
            for chosen in self._extended(before, clauses(condition), domain):
                yield from self._defined(value, chosen, domain)
            before = list(self._extended(before, clauses(condition, holds=False), domain))
        for hole in before:
            yield Sequent((*domain, *hole), NOWHERE)

    def _defined_condition(self, condition: Boolean, clause: Region, domain: Region) -> Iterator[Sequent]:
        """What decides a condition is defined, wherever its guards leave it open."""
        if isinstance(condition, (sp.And, sp.Or)):
            guards = [c for c in condition.args if isinstance(c, Relational) and not _may_be_undefined(c)]
            guard = [g for c in guards for g in clauses(c, isinstance(condition, sp.And))]
            inside = (*clause, *(r for region in guard for r in region)) if all(map(_is_single, guards)) else clause
            for argument in condition.args:
                if argument not in guards:
                    yield from self._defined_condition(argument, inside, domain)
        elif isinstance(condition, sp.Not):
            yield from self._defined_condition(condition.args[0], clause, domain)
        else:
            yield from self._defined(condition, clause, domain)

    def _extended(self, before: Iterable[Region], more: list[Region], domain: Region) -> Iterator[Region]:
        for earlier in before:
            for region in more:
                yield from self._with(earlier, region, domain)


def _is_single(relation: Relational) -> bool:
    """Whether the relation and its negation are one region each."""
    return not isinstance(relation, (sp.Eq, sp.Ne))


def _may_be_undefined(expr: sp.Basic) -> bool:
    return any(isinstance(part, sp.Piecewise) or _requirement(part) is not None for part in sp.preorder_traversal(expr))


def _requirement(part: sp.Basic) -> Relational | None:
    """What a logarithm, a root or a power asks of its argument; None if it is a hypothesis of every claim."""
    if isinstance(part, sp.log):
        base, relation = part.args[0], sp.Gt
    elif isinstance(part, sp.Pow) and not isinstance(part, sp.exp) and not part.exp.is_Integer:
        base, relation = part.base, (sp.Ge if part.exp.is_Rational and part.exp.is_positive else sp.Gt)
    elif isinstance(part, sp.Pow) and not isinstance(part, sp.exp) and part.exp.is_negative:
        base, relation = part.base, sp.Ne
    else:
        return None
    is_positive_number = base.is_Rational and base > 0
    return None if is_positive_number or (base.is_Symbol and base.is_positive) else relation(base, 0, evaluate=False)
