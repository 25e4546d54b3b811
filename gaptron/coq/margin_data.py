"""A theorem about a margin loss as data of Coq's ``Obligations``: its parts in order, and those that have the contact.

What is guessed here is proved there: that parts are empty, or at one point, in that order, or have the contact.
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import sympy as sp

from gaptron.coq.data import Data
from gaptron.coq.functions import Printer
from gaptron.coq.obliged import ContactPlace, MarginData, Search, certificates
from gaptron.coq.script import OutOfScopeError
from gaptron.coq.written import Condition, Conditions, FunctionWriter, parts_of
from gaptron.obligations.assumptions import assumptions
from gaptron.obligations.claims import class_conditions
from gaptron.obligations.gap import s
from gaptron.obligations.guesses import only_point, place, seems_empty, seems_tight, seems_to_hold
from gaptron.obligations.pieces import Region, closed, put_all
from gaptron.prove.certify import certify
from gaptron.symbols import K, m
from gaptron.theory.losses import MarginLoss
from gaptron.theory.theorem import Theorem

RELATIONS = {"Le": sp.Le, "Lt": sp.Lt, "Ge": sp.Ge, "Gt": sp.Gt, "Eq": sp.Eq, "Ne": sp.Ne}
SIGN_OF = {relation: name for name, relation in RELATIONS.items()}


def margin_data(theorem: Theorem, search: Search = certify) -> tuple[MarginData, list[Data]]:
    """A theorem with full information as data, with certificates of what Coq's ``obligations`` asks of it.

    Parameters
    ----------
    theorem : Theorem
    search : function
        A proof of a claim in so many seconds, or NotFoundError.

    Raises
    ------
    OutOfScopeError
        If Coq's data has no words for a part of it, no part of the loss seems to have the contact, or no proof of one
        of these claims is found.
    """
    found = AsData(theorem)
    data = found.data()
    return data, certificates(data, found.names, found.rewritten, search)


class AsData:
    """A theorem with full information, the names of its variables, and conditions in other forms."""

    def __init__(self, theorem: Theorem) -> None:
        self.theorem = theorem
        self.symbols = [m, s, K, *theorem.parameters]
        printer = Printer(set(self.symbols))
        self.names = [printer.kernel_names[symbol] for symbol in self.symbols]
        self.writer = FunctionWriter(printer, {name: i for i, name in enumerate(self.names)})
        known = (relation for one in theorem.parameters for relation in assumptions(one))
        self.known: Region = (*class_conditions(theorem), *known)

    def data(self) -> MarginData:
        """All of it."""
        theorem, term, rate = self.theorem, self.writer.term, self.theorem.eta()
        assert isinstance(theorem.loss, MarginLoss)  # noqa: S101
        if rate is None:
            raise OutOfScopeError("neither a learning rate nor a regret is given")
        phi = self.writer.function(theorem.loss.phi)
        parts = [self._region(given) for given, _ in parts_of(phi)]
        order = self._order(parts)
        if not order:
            raise OutOfScopeError("no part of the loss seems to be anywhere")
        found = MarginData(
            parameters=len(theorem.parameters),
            domain=tuple(map(self._condition, self.known)),
            phi=phi,
            order=order,
            elsewhere=[(i, self._beside(i, phi, order)) for i, _ in enumerate(parts) if i not in order],
            gap_map=self.writer.function(theorem.gap_map.expression),
            off_above=None if theorem.loss.off_above is None else term(theorem.loss.off_above),
            rate=term(rate),
            regret=None if theorem.regret is None else term(theorem.regret),
            cost=None if theorem.abstention_cost is None else term(theorem.abstention_cost),
        )
        return replace(found, sharp_at=self._contact(found))

    def _order(self, parts: Sequence[Region]) -> list[int]:
        """The numbers of those that are more than a point, from left to right."""
        there = [(i, (*self.known, *part)) for i, part in enumerate(parts)]
        long = [(i, part) for i, part in there if not seems_empty(part) and only_point(part, m) is None]
        return [i for i, _ in sorted(long, key=lambda one: place(one[1], m))]

    def _beside(self, i: int, phi: Data, order: Sequence[int]) -> int:
        """The joined part that has the value of another one: any, if that one is empty."""
        parts = parts_of(phi)
        region = self._region(parts[i][0])
        point = None if seems_empty((*self.known, *region)) else only_point((*self.known, *region), m)
        for j in order if point is not None else ():
            if seems_to_hold(put_all(closed(self._region(parts[j][0]), m), {m: point}), self.theorem):
                return j
        return order[0]

    def _contact(self, found: MarginData) -> ContactPlace | None:
        contact = self.theorem.sharp_at
        if contact is None:
            return None
        margin, top = (self.writer.term(expr) for expr in (contact.margin, contact.top_margin))
        maps = parts_of(found.gap_map)
        for i, j in product(range(len(found.order)), range(len(maps))):
            tried = ContactPlace(contact.right, margin, top, i, j)
            if all(map(self._seems_true, found.facts_at(tried, found.joined[i], maps[j]))):
                return tried
        raise OutOfScopeError("no part of the loss seems to have the contact")

    def _seems_true(self, fact: Condition) -> bool:
        (relation,) = self._region((fact,))
        return seems_tight(relation) if isinstance(relation, sp.Eq) else seems_to_hold((relation,), self.theorem)

    def rewritten(self, condition: Condition) -> Condition:
        """As computer algebra writes it: products and powers of numbers are computed."""
        (relation,) = self._region((condition,))
        return condition[0], *map(self.writer.term, relation.args)

    # --- back to expressions --------------------------------------------------------------------------------------

    def _region(self, conditions: Conditions) -> Region:
        return tuple(RELATIONS[sign](self._expr(a), self._expr(b), evaluate=False) for sign, a, b in conditions)

    def _condition(self, relation: sp.Rel) -> Condition:
        left, right = map(self.writer.term, relation.args)
        return SIGN_OF[type(relation)], left, right

    def _expr(self, data: Data) -> sp.Expr:
        name, *rest = data
        if name in {"Int", "Rat"}:
            return sp.Rational(*rest)
        if name == "Var":
            return self.symbols[rest[0]]
        inside = self._expr(rest[0])
        if name in {"Add", "Mul"}:
            return (sp.Add if name == "Add" else sp.Mul)(inside, self._expr(rest[1]))
        if name in {"Exp", "Ln"}:
            return (sp.exp if name == "Exp" else sp.log)(inside)
        if name in {"Pow", "Inv"}:
            return sp.Pow(inside, rest[1] if name == "Pow" else -1)
        return sp.root(inside, 2 if name == "Sqrt" else rest[1] + 1)
