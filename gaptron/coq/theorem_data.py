"""A theorem about losses of margins or probabilities as data of Coq's ``Obligations``: parts in order, and the contact.

What is guessed here is proved there: that parts are empty, or at one point, in that order, or have the contact; that
the labels of one weight vector have the same loss; beyond which margin any loss is enough for a constant.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from itertools import chain, product

from gaptron.coq.claim_search import Search, certificates, kernel_claim, kernel_relation
from gaptron.coq.extracted import of_coq
from gaptron.coq.functions import SmoothPrinter
from gaptron.coq.kernel_data import SIGNS, Data, Pair, rational
from gaptron.coq.proved import shown
from gaptron.coq.records import (
    AttainedData,
    BinaryData,
    Conditions,
    ContactPlace,
    DecodedData,
    ExploringData,
    Label,
    LeadData,
    LikelyData,
    LossesData,
    LossStatement,
    MarginData,
    OppositeLoss,
    ScoredData,
    SoftmaxData,
    TheoremStatement,
)
from gaptron.coq.script import OutOfScopeError
from gaptron.coq.writing import functions_of
from gaptron.coq.written import ZERO, FunctionWriter, is_constant
from gaptron.door.reading import variable
from gaptron.guesses.computer_algebra import SympyGuesses
from gaptron.language.expressions import Expression, variables
from gaptron.language.formulas import formula, where
from gaptron.language.normal import alike
from gaptron.language.normal import put as put_in_place
from gaptron.language.relations import Relation
from gaptron.language.terms import Term
from gaptron.numbers.compiled import compiled
from gaptron.numbers.kinds import Doubles
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

STEPS = (10, 50, 100, 500, 1000, 5000, 10000)  # how finely a point is chosen: simple ones are cheaper
GAME: dict[str, Region] = {
    "gamma": where("gamma > 0", "gamma <= 1"),
    "X": where("X > 0"),
    "D": where("D > 0"),
    "T": where("T >= 1"),
}  # what is known of its variables
NO_GAME: dict[str, Region] = {}
OF_ALL_SCORES = ("t", "K", "n")  # the places after the scores: nothing, the classes, how many labels are alike
LABELS: dict[str, Label] = {"phi": "Every", "psi": "Probable"}  # whose loss this is, if it is every label's


def tangent_point(
    data: LeadData, psi: Expression, constant: Expression, names: Sequence[str]
) -> tuple[Data, Data] | None:
    """A rational one with its odds, if an enclosure shows that it is enough; none if the loss is not of p alone.

    Parameters
    ----------
    data : LeadData
    psi, constant : Expression
        The loss in p, and a number.
    names : names of the variables in claims, by their places
    """
    if variables(psi) != {"p"}:
        return None
    pairs = ((rational(at), rational(at / (1 - at))) for at in _points(psi, constant))
    return next((pair for pair in pairs if _is_enough(data, pair, names)), None)


def _is_enough(data: LeadData, pair: tuple[Data, Data], names: Sequence[str]) -> bool:
    there = replace(data, point=pair)
    (part,) = of_coq("joined")(there.loss_data())
    *_, (*_, then) = of_coq("about_lead")(there.data())(part.second)
    asked = kernel_relation(then, names)
    slack: Term = ("+", asked.right, ("*", Fraction(-1), asked.left))
    return shown(slack) is not None


def _points(psi: Expression, constant: Expression) -> Iterator[Fraction]:
    """Near the one at which psi + c m^2/2 is least, m the log odds: found in floats."""
    value = compiled(formula("psi + c*log(p/(1 - p))**2/2", psi=psi, c=constant), "p", Doubles())
    for steps in STEPS:
        values = {float(value(n / steps)): n for n in range(steps // 2 + 1, steps)}
        yield Fraction(values[min(values)], steps)


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
    found = AsData(theorem, NO_GAME)
    data = found.losses()
    return data, certificates(data, found.names, found, search)


def losses_of(theorem: Theorem) -> LossesData:
    """The losses without certificates."""
    return AsData(theorem, NO_GAME).losses()


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
        self.domain: Conditions = tuple(map(self._condition, (*given, *chain(*game.values()))))
        self.known: Region = (*given, *(where("p < 1") if self.variable == "p" else ()))  # p is positive
        self.functions = {one.name: self.writer.function(one.expr) for one in functions_of(theorem.loss)}

    def data(self) -> TheoremStatement:
        """All of it."""
        if self.of_all_scores or self.theorem.update == "proximal":
            return self._attained()
        if self.theorem.feedback == "bandit":
            return self._exploring()
        loss, opposite = self._losses()
        rated = {**vars(loss), **self._numbers()}
        if self.theorem.decoder == "best":
            return self._decoded(loss, opposite, rated)
        rated["gap_map"] = self._number("gap_map")
        if loss.label == "Probable":
            return SoftmaxData(**rated)
        found, contact = MarginData(**rated), self.theorem.sharp_at
        if opposite is None or (contact is not None and contact.right):
            found = replace(found, sharp_at=self._contact(found.data(), contact))
        if opposite is None:
            return found
        data = BinaryData(upper=found, **vars(opposite))
        return data if found.sharp_at else replace(data, sharp_at=self._contact(data.lower(), contact))

    def losses(self) -> LossesData:
        """Its losses alone."""
        return LossesData(*self._losses())

    def _losses(self) -> tuple[LossStatement, OppositeLoss | None]:
        """Of every label, that of +1 and that of -1, or of all scores."""
        first, *others = (one for one in self.functions if one != "threshold")
        label = "Upper" if self.of_all_scores else LABELS.get(first, "Upper")
        loss = self._loss(label, self.functions[first])
        return loss, self._opposite(self.functions[others[0]]) if others else None

    def _attained(self) -> AttainedData | LeadData:
        """Of a constant that some algorithm attains."""
        constant, (loss, opposite) = self.stated["regret"], self._losses()
        if loss.label == "Probable":
            return self._lead(loss, constant)
        given = {**vars(loss), "opposite": opposite, "constant": self._number("regret")}
        given["far"] = self._far(loss, constant)
        if self.of_all_scores is None:
            return AttainedData(**given, is_same=opposite is not None and self._is_mirrored())
        reduced, coverage = self.of_all_scores, Coverage(self.guesses)
        is_same = isinstance(reduced, SeparableReduction) and reduced.opposite_are_hardest(coverage)
        return ScoredData(**given, is_same=is_same, lowest=self.writer.term(reduced.least(coverage)))

    def _lead(self, loss: LossStatement, constant: Expression) -> LeadData:
        """Of a constant with a loss of a probability."""
        psi = self._expression(self._one_part(loss).second)
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
    def _one_part(loss: LossStatement) -> Data:
        found, *others = of_coq("joined")(loss.loss_data())
        if others:
            raise OutOfScopeError("a softmax loss in several pieces is not written yet")
        return found

    def _expression(self, data: Data) -> Expression:
        return kernel_relation(Pair(Pair("Le", data), ZERO), self.own).left

    def _is_mirrored(self) -> bool:
        plus, minus = (one.expr for one in functions_of(self.theorem.loss))
        return alike(minus, put_in_place(plus, {"z": formula("-z")}))

    def _far(self, loss: LossStatement, constant: Expression) -> Data | None:
        """Where exponentials are of bounded scores: see ``obligations/attained.py``."""
        if variables(constant) or not _has_transcendental_part(loss):
            return None
        return self.writer.term(self.guesses.beyond(constant))

    def _opposite(self, minus: Data) -> OppositeLoss:
        mirrored = self._loss("Lower", of_coq("mirrored")(minus))
        return OppositeLoss(minus, mirrored.order, mirrored.elsewhere)

    def _loss(self, label: Label, phi: Data) -> LossStatement:
        """The loss ``phi``."""
        parts = [self._region(part.first) for part in of_coq("parts_of")(phi)]
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

    def _exploring(self) -> ExploringData:
        """With bandit feedback, at the rate eta X^2."""
        return ExploringData(
            **vars(self._losses()[0]),
            off_above=self.functions.get("threshold"),
            rate=("Times", self._number("learning_rate"), self.writer.function(formula("X**2"))),
            regret=None,
            cost=None,
            gap_map=self._number("gap_map"),
            explored=self.writer.function(exploration_rate(self.theorem)),
        )

    def _few(self, need: Data) -> int:
        """Up to its inverse no label needs anything: see ``obligations/softmax_losses.py``."""
        at_first = put_in_place(self._expression(need), {"K": Fraction(self.theorem.first_class_count)})
        return self.guesses.not_needed(at_first).denominator

    def _decoded(
        self, loss: LossStatement, opposite: OppositeLoss | None, rated: dict[str, Data]
    ) -> DecodedData | LikelyData:
        """With the best decoder."""
        if loss.label == "Probable":
            part, tried = self._one_part(loss), LikelyData(**rated, few=0)
            needs = (of_coq("need_of")(one)(part) for one in of_coq("pieces_of_likely")(tried.data()))
            return replace(tried, few=max(map(self._few, needs)))
        tied = opposite is None and _has_transcendental_part(loss)
        if tied and len(loss.order) > 1:
            raise OutOfScopeError("tied labels of a loss in several pieces are not written yet")
        return DecodedData(**rated, opposite=opposite, tied=tied)

    def _numbers(self) -> dict[str, Data]:
        """The theorem's own."""
        rate = eta_of(self.theorem)
        if rate is None:
            raise OutOfScopeError("neither a learning rate nor a regret is given")
        return {
            "off_above": self.functions.get("threshold"),
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
        parts = of_coq("parts_of")(phi)
        region = (*self.known, *self._region(parts[i].first))
        point = None if self.guesses.seems_empty(region) else self.guesses.only_point(region, self.variable)
        if point is None:
            return order[0]
        there = of_coq("substituted")(0)(self.writer.term(point))
        regions = ((j, self._region([there(each) for each in of_coq("closure")(parts[j].first)])) for j in order)
        holds = (j for j, region in regions if self.guesses.seems_to_hold(region, self.theorem))
        return next(holds, order[0])

    def _contact(self, found: Data, contact: Contact | None) -> ContactPlace | None:
        """Where the contact of Coq's ``margin_statement`` seems to be."""
        if contact is None:
            return None
        margin, top = map(self.writer.term, margins_of(contact))
        _, (_, *_, order, _), _, gap_map, _ = found
        for i, j in product(range(len(order)), range(len(of_coq("parts_of")(gap_map)))):
            tried = ContactPlace(contact.right, margin, top, i, j)
            pieces = of_coq("theorems_of_pieces")((*found[:-1], ("Some", tried.data())))
            if all(self._seems_true(claim) for one in pieces for claim in of_coq("sharply")(one)):
                return tried
        raise OutOfScopeError("no part of the loss seems to have the contact")

    def _seems_true(self, asked: Data) -> bool:
        claim = kernel_claim(asked, self.own)
        if not self.guesses.seems_to_hold(claim.given, self.theorem):
            return True  # of a piece that is not there for the classes that are tried
        if claim.then.sign == "=":
            return self.guesses.seems_tight(claim.then)
        return self.guesses.seems_to_hold((claim.then,), self.theorem)

    # --- guesses for the search -----------------------------------------------------------------------------------

    def rewritten(self, condition: Data) -> Iterator[Data]:
        """See ``SympyGuesses.in_other_forms``."""
        yield from map(self._condition, self.guesses.in_other_forms(kernel_relation(condition, self.own)))

    def seem_empty(self, conditions: Sequence[Data]) -> bool:
        """Whether they seem to hold nowhere."""
        return self.guesses.seems_empty(self._region(conditions))

    # --- back to expressions --------------------------------------------------------------------------------------

    def _region(self, conditions: Sequence[Data]) -> Region:
        return tuple(kernel_relation(each, self.own) for each in conditions)

    def _condition(self, relation: Relation) -> Data:
        return Pair(Pair(SIGNS[relation.sign], self.writer.term(relation.left)), self.writer.term(relation.right))


def _has_transcendental_part(loss: LossStatement) -> bool:
    return any(_is_transcendental(part.second) for part in of_coq("loss_parts")(loss.loss_data()))


def _is_transcendental(data: Data) -> bool:
    """Whether it has an exponential or a logarithm of a variable."""
    return isinstance(data, tuple) and (
        (data[0] in {"Exp", "Ln"} and not is_constant(data)) or any(map(_is_transcendental, data))
    )
