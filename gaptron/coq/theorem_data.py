"""A theorem about losses of margins or probabilities as data of Coq's ``Obligations``: parts in order, and the contact.

What is guessed here is proved there: that parts are empty, or at one point, in that order, or have the contact; that
the labels of one weight vector have the same loss; beyond which margin any loss is enough for a constant.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain, product

from gaptron.coq.attained_claims import AttainedData
from gaptron.coq.claim_search import Search, TheoremStatement, certificates, kernel_relation
from gaptron.coq.decoder_claims import DecodedData
from gaptron.coq.exploring_claims import ExploringData
from gaptron.coq.kernel_data import SIGNS, Data
from gaptron.coq.lead_claims import LeadData
from gaptron.coq.likely_claims import LikelyData
from gaptron.coq.loss_claims import MINUS_M, Label, LossesData, LossStatement, OppositeLoss, closure
from gaptron.coq.obliged import BinaryData, ContactPlace, MarginData
from gaptron.coq.scored_claims import ScoredData
from gaptron.coq.script import OutOfScopeError
from gaptron.coq.smooth_printer import SmoothPrinter
from gaptron.coq.softmax_claims import SoftmaxData
from gaptron.coq.tangent_points import tangent_point
from gaptron.coq.writing import functions_of
from gaptron.coq.written import ZERO, Condition, Conditions, FunctionWriter, is_constant, parts_of, put, put_in
from gaptron.door.reading import variable
from gaptron.guesses.computer_algebra import SympyGuesses
from gaptron.language.expressions import Expression, variables
from gaptron.language.formulas import formula, where
from gaptron.language.normal import alike
from gaptron.language.normal import put as put_in_place
from gaptron.language.relations import Relation
from gaptron.obligations import reduction_of
from gaptron.obligations.all_scores import AllScoresReduction, SeparableReduction
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.mixture import exploration_rate
from gaptron.obligations.pieces import Region
from gaptron.obligations.sequents import claims_more_than_two, class_conditions
from gaptron.obligations.setting import OWN
from gaptron.prove.certify import certify
from gaptron.theory.for_classes import data_of, eta_of, margins_of
from gaptron.theory.theorem import Contact, Theorem

GAME: dict[str, Region] = {
    "gamma": where("gamma > 0", "gamma <= 1"),
    "X": where("X > 0"),
    "D": where("D > 0"),
    "T": where("T >= 1"),
}  # what is known of its variables
NO_GAME: dict[str, Region] = {}
OF_ALL_SCORES = ("t", "K", "n")  # the places after the scores: nothing, the classes, how many labels are alike
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
    found = AsData(theorem, GAME if theorem.feedback == "bandit" else NO_GAME)
    data = found.data()
    return data, certificates(data, found.names, found, search)


def losses_data(theorem: Theorem, search: Search = certify) -> tuple[TheoremStatement, list[Data]]:
    """Its losses alone, in the same way."""
    found = _about_losses(theorem)
    data = found.losses()
    return data, certificates(data, found.names, found, search)


def losses_of(theorem: Theorem) -> LossesData:
    """The losses without certificates."""
    return _about_losses(theorem).losses()


def _about_losses(theorem: Theorem) -> "AsData":
    return AsData(theorem, NO_GAME)


class AsData:
    """A theorem, the names of its variables, and conditions in other forms.

    A score is in the place of the margin, or the probability of the label.
    """

    def __init__(self, theorem: Theorem, game: Mapping[str, Region]) -> None:
        self.theorem, self.stated, self.guesses = theorem, data_of(theorem), SympyGuesses.of(theorem)
        first = ("p", "q") if functions_of(theorem.loss)[0].variable == "p" else ("m", "s")
        reduced = reduction_of(theorem)
        self.of_all_scores = reduced if isinstance(reduced, AllScoresReduction) else None
        after = OF_ALL_SCORES if self.of_all_scores else ("K", *game)
        self.variable, parameters = first[0], [*map(variable, theorem.parameters)]
        known = [*(OWN[name] for name in (*first, *after)), *parameters]
        printer = SmoothPrinter([OWN["z"], *known])
        self.own = [one.name for one in known]
        self.names = [printer.kernel_names[name] for name in self.own]
        places = {name: i for i, name in enumerate(self.names)}
        self.writer = FunctionWriter(printer, {printer.kernel_names["z"]: 0, **places})
        given = (*class_conditions(theorem), *(relation for one in parameters for relation in one.known()))
        self.domain = tuple(map(self._condition, (*given, *chain(*game.values()))))
        self.known: Region = (*given, *(where("p < 1") if self.variable == "p" else ()))  # p is positive

    def data(self) -> TheoremStatement:
        """All of it."""
        found = self._functions()
        if self.of_all_scores:
            return self._scored(found, self.of_all_scores)
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
        constant, (loss, opposite) = self.stated["regret"], self._losses(found)
        if loss.label == "Probable":
            return self._lead(loss, constant)
        return AttainedData(
            **vars(loss),
            opposite=opposite,
            is_same=opposite is not None and self._is_mirrored(),
            constant=self.writer.function(constant),
            far=self._far(loss, constant),
        )

    def _scored(self, found: Mapping[str, Data], reduced: AllScoresReduction) -> ScoredData:
        """Of a constant with a loss of all scores: each pair's, or that of the label's own score and the rivals'."""
        (loss, opposite), constant, coverage = self._losses(found), self.stated["regret"], Coverage(self.guesses)
        return ScoredData(
            **vars(loss),
            opposite=opposite,
            is_same=isinstance(reduced, SeparableReduction) and reduced.opposite_are_hardest(coverage),
            constant=self.writer.function(constant),
            far=self._far(loss, constant),
            lowest=self.writer.term(reduced.least(coverage)),
        )

    def _losses(self, found: Mapping[str, Data]) -> tuple[LossStatement, OppositeLoss | None]:
        """Of every label, that of +1 and that of -1, or of all scores."""
        if self.of_all_scores:
            first, *other = found.values()
            return self._loss("Upper", first), self._opposite(other[0]) if other else None
        for name, label in EVERY_LABEL.items():
            if name in found:
                return self._loss(label, found[name]), None
        return self._loss("Upper", found["plus"]), self._opposite(found["minus"])

    def _lead(self, loss: LossStatement, constant: Expression) -> LeadData:
        """Of a constant with a loss of a probability."""
        (value,) = self._one_part(loss)
        psi = self._expression(value)
        end = put_in_place(psi, {"p": Fraction(1)})
        is_above = claims_more_than_two(self.theorem) and self.guesses.seems_positive(end)
        least = end if is_above else Fraction(0)
        tried = LeadData(
            **vars(loss),
            constant=self.writer.function(constant),
            far=None,
            least=self.writer.term(least),
            point=None,
        )
        if variables(constant):
            return tried
        point = tangent_point(replace(tried, constant=self.writer.term(constant)), psi, constant, self.names)
        return replace(tried, point=point, far=None if point else self.writer.term(self.guesses.beyond(constant)))

    @staticmethod
    def _one_part(loss: LossStatement) -> list[Data]:
        if len(loss.order) > 1:
            raise OutOfScopeError("a softmax loss in several pieces is not written yet")
        return [value for _, value in loss.joined]

    def _expression(self, data: Data) -> Expression:
        (relation,) = self._region((("Le", data, ZERO),))
        return relation.left

    def _is_mirrored(self) -> bool:
        plus, minus = (one.expr for one in functions_of(self.theorem.loss))
        return alike(minus, put_in_place(plus, {"z": formula("-z")}))

    def _far(self, loss: LossStatement, constant: Expression) -> Data | None:
        """Where exponentials are of bounded scores: see ``obligations/attained.py``."""
        if variables(constant) or not any(_is_transcendental(value) for _, value in loss.loss_parts):
            return None
        return self.writer.term(self.guesses.beyond(constant))

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
            parameters=len(self.own) - 3,
            domain=self.domain,
            phi=phi,
            order=order,
            elsewhere=[(i, self._beside(i, phi, order)) for i, _ in enumerate(parts) if i not in order],
        )

    def _with_map(self, loss: LossStatement, contact: Contact | None, off_above: Data | None = None) -> MarginData:
        """With the theorem's gap map and numbers."""
        gap_map = self.writer.function(self.stated["gap_map"])
        found = MarginData(**vars(loss), **self._numbers(off_above), gap_map=gap_map)
        return replace(found, sharp_at=self._contact(found, contact))

    def _exploring(self, found: Mapping[str, Data]) -> ExploringData:
        """With bandit feedback, at the rate eta X^2."""
        explored = exploration_rate(self.theorem)
        return ExploringData(
            **vars(self._losses(found)[0]),
            off_above=found.get("threshold"),
            rate=("Times", self.writer.function(self.stated["learning_rate"]), self.writer.function(formula("X**2"))),
            regret=None,
            cost=None,
            gap_map=self.writer.function(self.stated["gap_map"]),
            explored=self.writer.function(explored),
        )

    def _softmax(self, loss: LossStatement) -> SoftmaxData | LikelyData:
        """With the theorem's numbers, of a probability: with its gap map, or the best decoder."""
        rated = {**vars(loss), **self._numbers(None)}
        if self.theorem.decoder == "gap map":
            return SoftmaxData(**rated, gap_map=self.writer.function(self.stated["gap_map"]))
        (value,), tried = self._one_part(loss), LikelyData(**rated, few=0)
        return replace(tried, few=max(self._few(one.need_of(value)) for one in tried.pieces()))

    def _few(self, need: Data) -> int:
        """Up to its inverse no label needs anything: see ``obligations/softmax_losses.py``."""
        at_first = put_in_place(self._expression(need), {"K": Fraction(self.theorem.first_class_count)})
        return self.guesses.not_needed(at_first).denominator

    def _decoded(self, found: Mapping[str, Data]) -> DecodedData:
        """With the theorem's numbers, and the best decoder."""
        loss, opposite = self._losses(found)
        tied = opposite is None and any(_is_transcendental(value) for _, value in loss.loss_parts)
        if tied and len(loss.order) > 1:
            raise OutOfScopeError("tied labels of a loss in several pieces are not written yet")
        return DecodedData(**vars(loss), **self._numbers(found.get("threshold")), opposite=opposite, tied=tied)

    def _numbers(self, off_above: Data | None) -> dict[str, Data]:
        """The theorem's own."""
        rate = eta_of(self.theorem)
        if rate is None:
            raise OutOfScopeError("neither a learning rate nor a regret is given")
        return {
            "off_above": off_above,
            "rate": self.writer.function(rate),
            "regret": self._number("regret"),
            "cost": self._number("abstention_cost"),
        }

    def _number(self, name: str) -> Data | None:
        return self.writer.function(self.stated[name]) if name in self.stated else None

    def _order(self, parts: Sequence[Region]) -> list[int]:
        """The numbers of those that are more than a point, from left to right."""
        there = [(i, (*self.known, *part)) for i, part in enumerate(parts)]
        seen = [(i, part) for i, part in there if not self.guesses.seems_empty(part)]
        long = [(i, part) for i, part in seen if self.guesses.only_point(part, self.variable) is None]
        return [i for i, _ in sorted(long, key=lambda one: self.guesses.place(one[1], self.variable))]

    def _beside(self, i: int, phi: Data, order: Sequence[int]) -> int:
        """The joined part that has the value of another one: any, if that one is empty."""
        parts = parts_of(phi)
        region = (*self.known, *self._region(parts[i][0]))
        point = None if self.guesses.seems_empty(region) else self.guesses.only_point(region, self.variable)
        if point is None:
            return order[0]
        at = self.writer.term(point)
        theres = ((j, tuple(put_in(0, at, each) for each in closure(parts[j][0]))) for j in order)
        holds = (j for j, there in theres if self.guesses.seems_to_hold(self._region(there), self.theorem))
        return next(holds, order[0])

    def _contact(self, found: MarginData, contact: Contact | None) -> ContactPlace | None:
        if contact is None:
            return None
        margin, top = map(self.writer.term, margins_of(contact))
        maps, pieces = parts_of(found.gap_map), list(found.pieces())
        for i, j in product(range(len(found.order)), range(len(maps))):
            tried = ContactPlace(contact.right, margin, top, i, j)
            facts = [(one.domain, fact) for one in pieces for fact in one.facts_at(tried, found.joined[i], maps[j])]
            if all(self._seems_true(fact, domain) for domain, fact in facts):
                return tried
        raise OutOfScopeError("no part of the loss seems to have the contact")

    def _seems_true(self, fact: Condition, domain: Conditions) -> bool:
        if not self.guesses.seems_to_hold(self._region(domain), self.theorem):
            return True  # of a piece that is not there for the classes that are tried
        (relation,) = self._region((fact,))
        if relation.sign == "=":
            return self.guesses.seems_tight(relation)
        return self.guesses.seems_to_hold((relation,), self.theorem)

    # --- guesses for the search -----------------------------------------------------------------------------------

    def rewritten(self, condition: Condition) -> Iterator[Condition]:
        """See ``SympyGuesses.in_other_forms``."""
        (relation,) = self._region((condition,))
        yield from map(self._condition, self.guesses.in_other_forms(relation))

    def seem_empty(self, conditions: Conditions) -> bool:
        """Whether they seem to hold nowhere."""
        return self.guesses.seems_empty(self._region(conditions))

    # --- back to expressions --------------------------------------------------------------------------------------

    def _region(self, conditions: Conditions) -> Region:
        return tuple(kernel_relation(each, self.own) for each in conditions)

    def _condition(self, relation: Relation) -> Condition:
        return SIGNS[relation.sign], self.writer.term(relation.left), self.writer.term(relation.right)


def _is_transcendental(data: Data) -> bool:
    """Whether it has an exponential or a logarithm of a variable."""
    return isinstance(data, tuple) and (
        (data[0] in {"Exp", "Ln"} and not is_constant(data)) or any(map(_is_transcendental, data))
    )
