"""The claims of Coq's ``Obligations`` about theorems with a gap map, at their own rates or at those of a game."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from typing import TypeAlias

from gaptron.coq.kernel_data import Data
from gaptron.coq.loss_claims import (
    ALL_ELSE,
    GUESSING,
    HALF,
    MINUS_M,
    MINUS_ONE,
    ONE,
    THREE,
    TWO,
    Asked,
    K,
    M,
    OppositeLoss,
    RatedData,
    S,
    at_second,
    closure,
    defined,
    minus,
    option,
    put_two,
)
from gaptron.coq.written import ZERO, Condition, Conditions, Part, derived, parts_of, put, put_in

Gap: TypeAlias = Callable[[Data, Data], Data]  # of what is risked or drawn, and of the squares in it
THIRD: Data = ("Rat", 1, 3)
REMAINDER = minus(ALL_ELSE, S)
RIGHT_SQUARES: tuple[Part, ...] = (  # what the squares of the other probabilities sum to at most, and where
    ((("Ge", M, HALF),), ("Pow", ALL_ELSE, 2)),
    ((("Ge", M, THIRD), ("Lt", M, HALF)), ("Add", ("Pow", M, 2), ("Pow", minus(ONE, ("Mul", TWO, M)), 2))),
    ((("Lt", M, THIRD),), ("Mul", M, ALL_ELSE)),
)
WRONG_SQUARES: tuple[Part, ...] = (
    ((("Le", REMAINDER, S),), ("Add", ("Pow", S, 2), ("Pow", REMAINDER, 2))),
    ((("Gt", REMAINDER, S),), ("Add", ("Pow", S, 2), ("Mul", S, REMAINDER))),
)
EXPLORATION = 3  # the place of gamma


@dataclass(frozen=True)
class ContactPlace:
    """A round at which no larger rate will do, and the numbers of the joined part and of the gap map's part there."""

    is_right: bool
    margin: Data
    top: Data
    of_loss: int
    of_map: int


@dataclass(frozen=True)
class MarginData(RatedData):
    """The fields of Coq's ``margin_statement``."""

    type, proves = "margin_theorem_data", "proves"  # Coq's names
    gap_map: Data
    sharp_at: ContactPlace | None = None

    def data(self) -> Data:
        """As Coq reads it."""
        fields = self.loss_data(), self.numbers_data(), self.gap_map, _contact(self.sharp_at)
        return ("MarginData", *fields)

    # --- the claims, in Coq's order -------------------------------------------------------------------------------

    def claims_of_piece(self) -> Iterator[Asked]:
        """Of smooth numbers."""
        joined, maps = self.joined, parts_of(self.gap_map)
        yield from self.about_map()
        for q in maps:
            for p in joined:
                yield from self.about_gap(q, p)
        if self.off_above is not None:
            for given, value in maps:
                yield self.said_off(self.off_above, given, self.right_risk(value))
        if self.sharp_at is not None:
            yield from self._about_contact(self.sharp_at, joined[self.sharp_at.of_loss], maps[self.sharp_at.of_map])

    def about_map(self) -> Iterator[Asked]:
        """The gap map is a share."""
        for given, value in parts_of(self.gap_map):
            yield from _in_turn(self.right, given, value)
            yield Asked((*self.right, *given), ("Ge", value, ZERO))
            yield Asked((*self.right, *given), ("Le", value, ONE))

    @property
    def top(self) -> Conditions:
        """Where the top margin is, or the largest probability."""
        return (("Ge", M, ("Inv", K)), *self.interval) if self.label == "Probable" else (("Ge", M, ZERO),)

    @property
    def right(self) -> Conditions:
        """Of a round whose top label is right."""
        return (*self.domain, *self.top)

    @property
    def _price(self) -> Data:
        """Of the share of the gap map: to guess is to be wrong with that probability."""
        return GUESSING if self.cost is None else self.cost

    def right_risk(self, a: Data) -> Data:
        """P(wrong) where the top label is right."""
        return ("Mul", a, self._price)

    def wrong_risk(self, a: Data) -> Data:
        """P(wrong) where another label is."""
        return ("Add", minus(ONE, a), self.right_risk(a))

    def _gap(self, risk: Data, p: Part) -> Data:
        return ("Add", minus(risk, p[1]), ("Mul", self.step, ("Pow", derived(p[1]), 2)))

    @property
    def _on(self) -> Conditions:
        positive: Conditions = (("Gt", M, ZERO),) if self.label == "Lower" else ()
        return positive if self.off_above is None else (("Le", M, self.off_above), *positive)

    @property
    def _wrong_margin(self) -> Conditions:
        return ("Lt" if self.label == "Upper" else "Le", M, ZERO), ("Le", S, MINUS_M)

    def about_gap(self, q: Part, p: Part) -> Iterator[Asked]:
        """In a part of the gap map and one of the loss."""
        yield self.said_right(q[0], p, self._gap(self.right_risk(q[1]), p))
        yield from self.said_wrong(q[0], p, self._gap(self.wrong_risk(put(0, S, q[1])), p))

    def said_right(self, given: Conditions, p: Part, gap: Data) -> Asked:
        """A gap where the top label is right, the gap map is where it is given, and the loss in a part."""
        return Asked((*self.right, *self._on, *given, *closure(p[0])), ("Le", gap, ZERO))

    def said_off(self, beta: Data, given: Conditions, gap: Data) -> Asked:
        """The same of a right round that is off."""
        return Asked((*self.right, ("Gt", M, beta), *given), ("Le", gap, ZERO))

    def said_wrong(self, given: Conditions, p: Part, gap: Data) -> Iterator[Asked]:
        """The same where the top label, at the second margin, is wrong."""
        round_: Conditions = (("Ge", S, ZERO), *self._wrong_margin, *map(at_second, given), *closure(p[0]))
        then = ("Le", gap, ZERO)
        yield Asked(tuple(map(_with_two, (*self.domain, *round_))), _with_two(then), of_classes=False)
        yield from self.of_more(round_, then)

    def facts_at(self, c: ContactPlace, p: Part, q: Part) -> list[Condition]:
        """What makes a round a contact, in a part of the loss and one of the gap map."""
        risk = self.right_risk(q[1]) if c.is_right else self.wrong_risk(put(0, S, q[1]))
        facts = [
            *closure(p[0]),
            *(q[0] if c.is_right else map(at_second, q[0])),
            *(self._on if c.is_right else self._wrong_margin),
            ("Ge", M if c.is_right else S, ZERO),
            ("Eq", self._gap(risk, p), ZERO),
            ("Gt", ("Pow", derived(p[1]), 2), ZERO),
        ]
        there = [put_in(0, c.margin, put_in(1, c.top, fact)) for fact in facts]
        return there if self.label == "Every" else list(map(put_two, there))

    def _about_contact(self, c: ContactPlace, p: Part, q: Part) -> Iterator[Asked]:
        yield from defined(self.domain, c.margin)
        yield from defined(self.domain, c.top)
        yield from (Asked(self.domain, fact) for fact in self.facts_at(c, p, q))
        if not c.is_right:
            equal = ("Eq", c.top, ("Mul", MINUS_ONE, c.margin))
            yield Asked(self.domain, equal).with_two_classes()


@dataclass(frozen=True)
class BinaryData(OppositeLoss):
    """The fields of Coq's ``binary_theorem_data``: the theorem of +1, and the loss of -1 as a function of the score."""

    type, proves = "binary_theorem_data", "proves_both"
    upper: MarginData
    sharp_at: ContactPlace | None = None

    @property
    def lower(self) -> MarginData:
        """The theorem of -1, whose margin is -z."""
        loss = self.beside(self.upper)
        return replace(
            self.upper,
            label=loss.label,
            phi=loss.phi,
            order=self.order,
            elsewhere=self.elsewhere,
            sharp_at=self.sharp_at,
        )

    def data(self) -> Data:
        """As Coq reads it."""
        return ("BinaryData", self.upper.data(), self.opposite_data(), _contact(self.sharp_at))

    def obligations(self) -> Iterator[Asked]:
        """The claims about both labels."""
        yield from self.upper.obligations()
        yield from self.lower.obligations()


def _contact(c: ContactPlace | None) -> Data:
    return option(None if c is None else ("Contact", c.is_right, c.margin, c.top, c.of_loss, c.of_map))


def _in_turn(given: Conditions, conditions: Conditions, value: Data) -> Iterator[Asked]:
    """Conditions are defined, each where those before it hold, and the value where all do."""
    for condition in conditions:
        for side in condition[1:]:
            yield from defined(given, side)
        given = (*given, condition)
    yield from defined(given, value)


def _with_two(condition: Condition) -> Condition:
    """With two classes, the top margin that of the label but for its sign."""
    return put_in(1, MINUS_M, put_two(condition))


@dataclass(frozen=True)
class SoftmaxData(MarginData):
    """The fields of Coq's ``margin_statement``, of a loss of the label's probability."""

    proves = "proves_softmax"

    def about_gap(self, q: Part, p: Part) -> Iterator[Asked]:
        """In a part of the gap map and one of the loss."""
        right, wrong = self.right_risk(q[1]), self.wrong_risk(put(0, S, q[1]))
        return said_labels(self, q[0], p, lambda risk, squares: ("Add", minus(risk, p[1]), squares), right, wrong)


def said_labels(f: MarginData, given: Conditions, p: Part, gap: Gap, right: Data, wrong: Data) -> Iterator[Asked]:
    """Gaps of a right and of a wrong round, where the gap map is as it is given and the loss in a part."""
    for others in RIGHT_SQUARES:
        where = (*f.right, *given, *closure(p[0]), *others[0])
        yield Asked(where, ("Le", gap(right, _squared(f, p, others[1])), ZERO))
    for others in WRONG_SQUARES:
        round_ = _wrong_label(f, given, p, others)
        then: Condition = ("Le", gap(wrong, _squared(f, p, others[1])), ZERO)
        yield Asked(tuple(map(_of_sum_one, (*f.domain, *round_))), _of_sum_one(then), of_classes=False)
        yield Asked((*f.domain, ("Ge", K, THREE), *round_), then)


def _squared(f: MarginData, p: Part, others: Data) -> Data:
    """Half the rate times the size of a subgradient."""
    return ("Mul", f.step, ("Mul", ("Pow", ("Mul", derived(p[1]), M), 2), ("Add", ("Pow", ALL_ELSE, 2), others)))


def _wrong_label(f: MarginData, given: Conditions, p: Part, others: Part) -> Conditions:
    """The label's probability, and the largest."""
    less: Conditions = (("Le", M, HALF), ("Le", M, S), ("Le", S, ALL_ELSE))
    return (*f.interval, *less, *map(at_second, (*f.top, *given)), *closure(p[0]), *others[0])


def _of_sum_one(condition: Condition) -> Condition:
    """With two classes, whose probabilities sum to 1."""
    return put_in(1, ALL_ELSE, put_two(condition))


@dataclass(frozen=True, kw_only=True)
class ExploringData(MarginData):
    """The fields of Coq's ``exploring_theorem_data``: its rate is eta X^2, and of gamma what the gap knows of it."""

    type, proves = "exploring_theorem_data", "proves_exploring"
    explored: Data

    def data(self) -> Data:
        """As Coq reads it."""
        return ("ExploringData", super().data(), self.explored)

    # --- the claims, in Coq's order -------------------------------------------------------------------------------

    def obligations(self) -> Iterator[Asked]:
        """All claims."""
        pieces = parts_of(self.explored)
        for given, _ in pieces:
            yield from self.conditions_defined(given)
        for given, value in pieces:
            there = replace(self.within(given), rate=put(EXPLORATION, value, self.rate), explored=value)
            yield from defined(there.domain, value)
            yield from super(ExploringData, there).obligations()

    def about_numbers(self) -> Iterator[Asked]:
        """The rates are those of a game."""
        return self.threshold_defined()

    def claims_of_piece(self) -> Iterator[Asked]:
        """Of smooth numbers."""
        yield from self.about_map()
        for given, share in self._shares():
            for p in self.joined:
                yield from self._in_round(given, share, p)
        if self.off_above is not None:
            for given, share in self._shares():
                yield self.said_off(self.off_above, given, self._unpaid(_drawn_right(share)))

    def _in_round(self, given: Conditions, share: Data, p: Part) -> Iterator[Asked]:
        right, wrong = _drawn_right(share), ("Mul", put(0, S, share), ("Inv", K))
        if self.label == "Probable":
            yield from said_labels(self, given, p, partial(self._softmax_gap, p), right, wrong)
            return
        yield self.said_right(given, p, self._drawn_gap(right, p))
        yield from self.said_wrong(given, p, self._drawn_gap(wrong, p))

    def _shares(self) -> Iterator[Part]:
        """Of the uniform distribution: that of the gap map, or gamma."""
        for given, a in parts_of(self.gap_map):
            for sign, share in (("Ge", a), ("Le", self.explored)):
                yield (*given, (sign, a, self.explored)), share

    def _unpaid(self, drawn: Data) -> Data:
        """What P(wrong) is beyond the cost of exploring, where the label is drawn with this probability."""
        return minus(minus(ONE, drawn), ("Mul", self.explored, GUESSING))

    def _softmax_gap(self, p: Part, drawn: Data, squared: Data) -> Data:
        """The gap, where the label is drawn with this probability, by whose inverse squares of subgradients count."""
        return ("Add", minus(self._unpaid(drawn), p[1]), ("Mul", squared, ("Inv", drawn)))

    def _drawn_gap(self, drawn: Data, p: Part) -> Data:
        """That of a margin, times the probability."""
        squares = ("Mul", self.rate, ("Pow", derived(p[1]), 2))
        return ("Add", ("Mul", drawn, minus(self._unpaid(drawn), p[1])), squares)


def _drawn_right(share: Data) -> Data:
    return minus(ONE, ("Mul", share, GUESSING))
