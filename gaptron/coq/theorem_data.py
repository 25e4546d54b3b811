"""A theorem about losses of margins or probabilities as data of Coq's ``Obligations``: parts in order, and the contact.

What is guessed here is proved there: that parts are empty, or at one point, in that order, or have the contact; that
the labels of one weight vector have the same loss; beyond which margin any loss is enough for a constant.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

import sympy as sp

from gaptron.coq.attained_claims import AttainedData
from gaptron.coq.claim_search import Search, TheoremStatement, certificates, kernel_relation
from gaptron.coq.decoder_claims import DecodedData
from gaptron.coq.exploring_claims import ExploringData
from gaptron.coq.functions import SIGNS as KERNEL_SIGNS
from gaptron.coq.functions import Printer
from gaptron.coq.kernel_data import SIGNS, Data
from gaptron.coq.lead_claims import LeadData
from gaptron.coq.likely_claims import LikelyData
from gaptron.coq.loss_claims import MINUS_M, Label, LossesData, LossStatement, OppositeLoss, closure
from gaptron.coq.obliged import BinaryData, ContactPlace, MarginData
from gaptron.coq.script import OutOfScopeError
from gaptron.coq.softmax_claims import SoftmaxData
from gaptron.coq.tangent_points import tangent_point
from gaptron.coq.writing import functions_of
from gaptron.coq.written import ZERO, Condition, Conditions, FunctionWriter, is_constant, parts_of, put, put_in
from gaptron.door.showing import show_relation
from gaptron.obligations.guesses import (
    Region,
    beyond,
    not_needed,
    only_point,
    place,
    seems_empty,
    seems_tight,
    seems_to_hold,
)
from gaptron.obligations.in_sympy import known_of, q, s
from gaptron.obligations.mixture import exploration_rate
from gaptron.obligations.sequents import claims_more_than_two, class_conditions
from gaptron.prove.certify import certify
from gaptron.symbols import D, K, T, X, gamma, m, p, z
from gaptron.theory.theorem import Contact, Theorem

GAME: dict[sp.Symbol, Region] = {
    gamma: (sp.Gt(gamma, 0, evaluate=False), gamma <= 1),
    X: known_of(X),
    D: known_of(D),
    T: (T >= 1,),
}  # what is known of its variables
EVERY_LABEL: dict[str, Label] = {"phi": "Every", "psi": "Probable"}  # by the names of the losses


def theorem_data(theorem: Theorem, search: Search = certify) -> tuple[TheoremStatement, list[Data]]:
    """A theorem as data, with certificates of what Coq's ``obligations`` asks of it; bandits at the rates of a game.

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
    return data, certificates(data, found.names, found, search)


def losses_data(theorem: Theorem, search: Search = certify) -> tuple[TheoremStatement, list[Data]]:
    """Its losses alone, in the same way."""
    found = AsData(theorem)
    data = found.losses()
    return data, certificates(data, found.names, found, search)


class AsData:
    """A theorem, the names of its variables, and conditions in other forms.

    A score is in the place of the margin, or the probability of the label.
    """

    def __init__(self, theorem: Theorem) -> None:
        self.theorem = theorem
        first = (p, q) if functions_of(theorem.loss)[0].variable == p else (m, s)
        game = GAME if theorem.feedback == "bandit" else {}
        self.variable = first[0]
        self.symbols = [*first, K, *game, *theorem.parameters]
        printer = Printer({z, *self.symbols})
        self.names = [printer.kernel_names[symbol] for symbol in self.symbols]
        places = {name: i for i, name in enumerate(self.names)}
        self.writer = FunctionWriter(printer, {printer.kernel_names[z]: 0, **places})
        classes = (show_relation(relation, {"K": K}) for relation in class_conditions(theorem))
        given = (*classes, *(relation for one in theorem.parameters for relation in known_of(one)))
        self.domain = tuple(map(self._condition, (*given, *(each for known in game.values() for each in known))))
        self.known: Region = (*given, *((p < 1,) if self.variable is p else ()))  # p is positive

    def data(self) -> TheoremStatement:
        """All of it."""
        found = self._functions()
        if self.theorem.feedback == "bandit":
            return self._exploring(found)
        if self.theorem.update == "proximal":
            return self._attained(found)
        if "psi" in found:
            return self._softmax(self._loss("Probable", found["psi"]))
        if self.theorem.decoder == "best":
            return self._decoded(found)
        contact = self.theorem.sharp_at
        if "phi" in found:
            return self._with_map(self._loss("Every", found["phi"]), contact, found.get("threshold"))
        is_upper = contact is not None and contact.right
        upper = self._with_map(self._loss("Upper", found["plus"]), contact if is_upper else None)
        opposite = self._opposite(found["minus"])
        data = BinaryData(upper=upper, **vars(opposite))
        return replace(data, sharp_at=None if is_upper else self._contact(data.lower, contact))

    def losses(self) -> LossesData:
        """Its losses alone."""
        return LossesData(*self._losses(self._functions()))

    def _functions(self) -> dict[str, Data]:
        return {one.name: self.writer.function(one.expr) for one in functions_of(self.theorem.loss)}

    def _attained(self, found: Mapping[str, Data]) -> AttainedData | LeadData:
        """Of a constant that some algorithm attains."""
        constant, (loss, opposite) = self.theorem.regret, self._losses(found)
        assert constant is not None  # noqa: S101
        if loss.label == "Probable":
            return self._lead(loss, constant)
        return AttainedData(
            **vars(loss),
            opposite=opposite,
            is_same=opposite is not None and self._is_mirrored(),
            constant=self.writer.function(constant),
            far=self._far(loss, constant),
        )

    def _losses(self, found: Mapping[str, Data]) -> tuple[LossStatement, OppositeLoss | None]:
        """Of every label, or that of +1 and that of -1."""
        for name, label in EVERY_LABEL.items():
            if name in found:
                return self._loss(label, found[name]), None
        return self._loss("Upper", found["plus"]), self._opposite(found["minus"])

    def _lead(self, loss: LossStatement, constant: sp.Expr) -> LeadData:
        """Of a constant with a loss of a probability."""
        (value,) = self._one_part(loss)
        psi = self._expression(value)
        end = psi.subs(p, 1)
        least = end if end.is_positive and claims_more_than_two(self.theorem) else sp.S.Zero
        tried = LeadData(
            **vars(loss),
            constant=self.writer.function(constant),
            far=None,
            least=self.writer.term(least),
            point=None,
        )
        if not constant.is_number:
            return tried
        point = tangent_point(replace(tried, constant=self.writer.term(constant)), psi, constant, self.names)
        return replace(tried, point=point, far=None if point else self.writer.term(beyond(constant)))

    @staticmethod
    def _one_part(loss: LossStatement) -> list[Data]:
        if len(loss.order) > 1:
            raise OutOfScopeError("a softmax loss in several pieces is not written yet")
        return [value for _, value in loss.joined]

    def _expression(self, data: Data) -> sp.Expr:
        (relation,) = self._region((("Le", data, ZERO),))
        return relation.lhs

    def _is_mirrored(self) -> bool:
        plus, minus = (one.expr for one in functions_of(self.theorem.loss))
        return bool(minus == plus.subs(z, -z))

    def _far(self, loss: LossStatement, constant: sp.Expr) -> Data | None:
        """Where exponentials are of bounded scores: see ``obligations/attained.py``."""
        if not constant.is_number or not any(_is_transcendental(value) for _, value in loss.loss_parts):
            return None
        return self.writer.term(beyond(constant))

    def _opposite(self, minus: Data) -> OppositeLoss:
        mirrored = self._loss("Lower", put(0, MINUS_M, minus))
        return OppositeLoss(minus, mirrored.order, mirrored.elsewhere)

    def _loss(self, label: Label, phi: Data) -> LossStatement:
        """The loss ``phi``."""
        parts = [self._region(given) for given, _ in parts_of(phi)]
        order = self._order(parts)
        if not order:
            raise OutOfScopeError("no part of the loss seems to be anywhere")
        return LossStatement(
            label=label,
            parameters=len(self.symbols) - 3,
            domain=self.domain,
            phi=phi,
            order=order,
            elsewhere=[(i, self._beside(i, phi, order)) for i, _ in enumerate(parts) if i not in order],
        )

    def _with_map(self, loss: LossStatement, contact: Contact | None, off_above: Data | None = None) -> MarginData:
        """With the theorem's gap map and numbers."""
        gap_map = self.writer.function(self.theorem.gap_map.expression)
        found = MarginData(**vars(loss), **self._numbers(off_above), gap_map=gap_map)
        return replace(found, sharp_at=self._contact(found, contact))

    def _exploring(self, found: Mapping[str, Data]) -> ExploringData:
        """With bandit feedback, at the rate eta X^2."""
        theorem = self.theorem
        return ExploringData(
            **vars(self._loss("Every", found["phi"])),
            off_above=found.get("threshold"),
            rate=("Times", self.writer.function(theorem.learning_rate), ("Smooth", self.writer.term(X**2))),
            regret=None,
            cost=None,
            gap_map=self.writer.function(theorem.gap_map.expression),
            explored=self.writer.function(gamma if exploration_rate(theorem) == "gamma" else theorem.exploration),
        )

    def _softmax(self, loss: LossStatement) -> SoftmaxData | LikelyData:
        """With the theorem's numbers, of a probability: with its gap map, or the best decoder."""
        rated = {**vars(loss), **self._numbers(None)}
        if self.theorem.decoder == "gap map":
            return SoftmaxData(**rated, gap_map=self.writer.function(self.theorem.gap_map.expression))
        (value,), tried = self._one_part(loss), LikelyData(**rated, few=0)
        return replace(tried, few=max(self._few(one.need_of(value)) for one in tried.pieces()))

    def _few(self, need: Data) -> int:
        """Up to its inverse no label needs anything: see ``obligations/softmax_needs.py``."""
        return int(not_needed(self._expression(need).subs(K, self.theorem.first_class_count)).q)

    def _decoded(self, found: Mapping[str, Data]) -> DecodedData:
        """With the theorem's numbers, and the best decoder."""
        loss, opposite = self._losses(found)
        tied = opposite is None and any(_is_transcendental(value) for _, value in loss.loss_parts)
        if tied and len(loss.order) > 1:
            raise OutOfScopeError("tied labels of a loss in several pieces are not written yet")
        return DecodedData(**vars(loss), **self._numbers(found.get("threshold")), opposite=opposite, tied=tied)

    def _numbers(self, off_above: Data | None) -> dict[str, Data]:
        """The theorem's own."""
        theorem, rate = self.theorem, self.theorem.eta()
        if rate is None:
            raise OutOfScopeError("neither a learning rate nor a regret is given")
        return {
            "off_above": off_above,
            "rate": self.writer.function(rate),
            "regret": self._number(theorem.regret),
            "cost": self._number(theorem.abstention_cost),
        }

    def _number(self, expr: sp.Expr | None) -> Data | None:
        return None if expr is None else self.writer.function(expr)

    def _order(self, parts: Sequence[Region]) -> list[int]:
        """The numbers of those that are more than a point, from left to right."""
        there = [(i, (*self.known, *part)) for i, part in enumerate(parts)]
        long = [(i, part) for i, part in there if not seems_empty(part) and only_point(part, self.variable) is None]
        return [i for i, _ in sorted(long, key=lambda one: place(one[1], self.variable))]

    def _beside(self, i: int, phi: Data, order: Sequence[int]) -> int:
        """The joined part that has the value of another one: any, if that one is empty."""
        parts = parts_of(phi)
        region = self._region(parts[i][0])
        point = None if seems_empty((*self.known, *region)) else only_point((*self.known, *region), self.variable)
        for j in () if point is None else order:
            there = tuple(put_in(0, self.writer.term(point), each) for each in closure(parts[j][0]))
            if seems_to_hold(self._region(there), self.theorem):
                return j
        return order[0]

    def _contact(self, found: MarginData, contact: Contact | None) -> ContactPlace | None:
        if contact is None:
            return None
        margin, top = (self.writer.term(expr) for expr in (contact.margin, contact.top_margin))
        maps, pieces = parts_of(found.gap_map), list(found.pieces())
        for i, j in product(range(len(found.order)), range(len(maps))):
            tried = ContactPlace(contact.right, margin, top, i, j)
            facts = [(one.domain, fact) for one in pieces for fact in one.facts_at(tried, found.joined[i], maps[j])]
            if all(self._seems_true(fact, domain) for domain, fact in facts):
                return tried
        raise OutOfScopeError("no part of the loss seems to have the contact")

    def _seems_true(self, fact: Condition, domain: Conditions) -> bool:
        if not seems_to_hold(self._region(domain), self.theorem):
            return True  # of a piece that is not there for the classes that are tried
        (relation,) = self._region((fact,))
        return seems_tight(relation) if isinstance(relation, sp.Eq) else seems_to_hold((relation,), self.theorem)

    # --- guesses for the search -----------------------------------------------------------------------------------

    def rewritten(self, condition: Condition) -> Iterator[Condition]:
        """As computer algebra writes it: products and powers of numbers are computed, or the difference is a quotient.

        None, if it has no value.
        """
        (relation,) = self._region((condition,))
        if not relation.has(sp.nan, sp.zoo, sp.oo, sp.I):
            left, right = relation.args
            yield condition[0], self.writer.term(left), self.writer.term(right)
            yield condition[0], self.writer.term(sp.cancel(sp.together(left - right))), ZERO

    def seem_empty(self, conditions: Conditions) -> bool:
        """Whether they seem to hold nowhere."""
        return seems_empty(self._region(conditions))

    # --- back to expressions --------------------------------------------------------------------------------------

    def _region(self, conditions: Conditions) -> Region:
        known = dict(zip(self.names, self.symbols, strict=True))
        return tuple(show_relation(kernel_relation(each, self.names), known) for each in conditions)

    def _condition(self, relation: sp.Rel) -> Condition:
        left, right = map(self.writer.term, relation.args)
        return SIGNS[KERNEL_SIGNS[type(relation)]], left, right


def _is_transcendental(data: Data) -> bool:
    """Whether it has an exponential or a logarithm of a variable."""
    return isinstance(data, tuple) and (
        (data[0] in {"Exp", "Ln"} and not is_constant(data)) or any(map(_is_transcendental, data))
    )
