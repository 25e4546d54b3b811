"""The claims of Coq's ``Obligations`` about a margin theorem, and about the two labels of one weight vector."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

from gaptron.coq.kernel_data import Data
from gaptron.coq.loss_claims import (
    GUESSING,
    MINUS_M,
    MINUS_ONE,
    ONE,
    Asked,
    K,
    M,
    OppositeLoss,
    S,
    at_second,
    closure,
    defined,
    minus,
    option,
    put_two,
)
from gaptron.coq.rated_claims import RatedData
from gaptron.coq.written import ZERO, Condition, Conditions, Part, derived, parts_of, put, put_in


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
        yield from self.about_rates()
        yield from self.claims_of_loss()
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
