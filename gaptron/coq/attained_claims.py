"""The claims of Coq's ``Obligations`` about a constant that some algorithm attains: with any kind of loss."""

from collections.abc import Iterator
from dataclasses import dataclass

from gaptron.coq.kernel_data import Data, Pair
from gaptron.coq.loss_claims import (
    GUESSING,
    HALF,
    MINUS_ONE,
    ONE,
    THREE,
    TWO,
    Asked,
    K,
    LossStatement,
    M,
    NumbersData,
    OppositeLoss,
    S,
    at_second,
    closure,
    minus,
    option,
)
from gaptron.coq.written import ZERO, Condition, Conditions, Part, derived, put, smooth_needs

OF_LEAD: Data = ("Inv", ("Add", ONE, ("Exp", ("Mul", MINUS_ONE, M))))  # the probability of a label that is ahead by M
CLASSES, COUNT = ("Var", 3), ("Var", 4)  # of which so many labels are alike; in the place of K there are two
FOUR: Data = ("Int", 4)


@dataclass(frozen=True)
class ConstantData(NumbersData):
    """A loss with a constant."""

    numbers = ("constant",)
    constant: Data
    far: Data | None  # beyond this margin, or lead, the criterion holds whatever the loss

    def about_numbers(self) -> Iterator[Asked]:
        """It is positive, and far away it pays alone."""
        yield Asked(self.domain, ("Gt", self.constant, ZERO))
        if self.far is not None:
            yield Asked(self.domain, ("Ge", self.far, ZERO))
            yield Asked(self.domain, ("Ge", ("Mul", self.constant, ("Pow", self.far, 2)), ONE))

    @property
    def near(self) -> Conditions:
        """Where it does not."""
        return () if self.far is None else (("Le", M, self.far), ("Ge", M, ("Mul", MINUS_ONE, self.far)))


@dataclass(frozen=True)
class AttainedData(ConstantData):
    """The fields of Coq's ``attained_statement``."""

    type, proves = "attained_theorem_data", "proves_attained"  # Coq's names
    opposite: OppositeLoss | None  # with one weight vector: the loss of -1
    is_same: bool  # it is that of +1 at the opposite score

    def data(self) -> Data:
        """As Coq reads it."""
        other = None if self.opposite is None else Pair(self.opposite.opposite_data(), self.is_same)
        return ("AttainedData", self.loss_data(), option(other), self.constant, option(self.far))

    # --- the claims, in Coq's order -------------------------------------------------------------------------------

    def claims_of_piece(self) -> Iterator[Asked]:
        """The criterion, of a smooth constant."""
        if self.opposite is not None:
            yield from self._about_other_label(self.opposite.beside(self))
        if self.opposite is None or self.is_same:
            yield from map(self._about_alike, self.joined)

    def _about_alike(self, part: Part) -> Asked:
        """All labels alike: the margin is that of whichever is drawn."""
        given, value = part
        spread: Data = ("Mul", GUESSING, ("Pow", M, 2)) if self.label == "Every" else ("Pow", M, 2)
        criterion = minus(minus(GUESSING, value), ("Mul", self.constant, spread))
        return Asked((*self.domain, *self.near, *closure(given)), ("Le", criterion, ZERO))

    def _about_other_label(self, other: LossStatement) -> Iterator[Asked]:
        yield from other.claims_of_loss()
        about = self.about_same if self.is_same else self._about_two
        yield from (about(p, q) for p in self.joined for q in other.joined)

    def _about_two(self, p: Part, q: Part) -> Asked:
        """Each label with its own margin."""
        expected = ("Mul", HALF, ("Add", p[1], put(0, S, q[1])))
        variance = ("Mul", ("Rat", 1, 4), ("Pow", ("Add", M, S), 2))
        criterion = minus(minus(HALF, expected), ("Mul", self.constant, variance))
        given = (*self.domain, *closure(p[0]), *map(at_second, closure(q[0])))
        return Asked(given, ("Le", criterion, ZERO))


@dataclass(frozen=True)
class LeadData(ConstantData):
    """The fields of Coq's ``lead_statement``."""

    type, proves = "lead_theorem_data", "proves_lead"  # Coq's names
    least: Data  # of the loss
    point: tuple[Data, Data] | None  # a probability and its odds: a tangent there is enough for the criterion

    def data(self) -> Data:
        """As Coq reads it."""
        point = None if self.point is None else Pair(*self.point)
        return ("LeadData", self.loss_data(), self.constant, self.least, option(point), option(self.far))

    # --- the claims, in Coq's order -------------------------------------------------------------------------------

    def claims_of_piece(self) -> Iterator[Asked]:
        """The criterion, of a smooth constant."""
        for _, psi in self.joined:
            yield Asked(self.domain, ("Ge", self.least, ZERO))
            yield Asked(self.there, ("Ge", psi, self.least))
            yield from self._about_hardest(psi)
            yield from self._about_lead(psi)

    def _about_hardest(self, psi: Data) -> Iterator[Asked]:
        """Two labels are the hardest if the loss is convex up to 1, where it is least."""
        many: Conditions = (*self.domain, ("Ge", K, THREE))
        there: Conditions = (*many, ("Gt", M, ZERO), ("Le", M, ONE))
        yield from (Asked(there, need) for need in smooth_needs(psi))
        yield Asked(there, ("Ge", derived(derived(psi)), ZERO))
        yield Asked(many, ("Le", put(0, ONE, psi), self.least))

    def _about_lead(self, psi: Data) -> Iterator[Asked]:
        above = minus(psi, ("Mul", HALF, self.least))
        if self.point is not None:
            yield from (Asked(self.domain, each) for each in self._at_point(*self.point, psi, above))
            return
        paid = ("Mul", self.constant, ("Mul", HALF, ("Pow", M, 2)))
        then = ("Le", minus(minus(HALF, put(0, OF_LEAD, above)), paid), ZERO)
        yield Asked((*self.domain, *self.near), then)

    def _at_point(self, p: Data, odds: Data, psi: Data, above: Data) -> Iterator[Condition]:
        logit: Data = ("Ln", odds)
        steep: Data = ("Mul", put(0, p, derived(psi)), ("Mul", p, minus(ONE, p)))
        slope: Data = ("Add", steep, ("Mul", self.constant, logit))
        paid: Data = ("Mul", self.constant, ("Mul", HALF, ("Pow", logit, 2)))
        more = minus(("Add", put(0, p, above), paid), HALF)
        yield ("Gt", p, ZERO)
        yield ("Lt", p, ONE)
        yield ("Eq", odds, ("Mul", p, ("Inv", minus(ONE, p))))
        yield ("Le", ("Pow", slope, 2), ("Mul", ("Mul", TWO, self.constant), more))

    def at_point(self, p: Data, odds: Data) -> Condition:
        """What is asked at a probability with these odds: the last condition."""
        ((_, psi),) = self.joined
        return [*self._at_point(p, odds, psi, minus(psi, ("Mul", HALF, self.least)))][-1]


@dataclass(frozen=True)
class ScoredData(AttainedData):
    """The fields of Coq's ``scored_statement``; if the two losses are the same, opposite scores are the hardest."""

    type, proves = "scored_theorem_data", "proves_scored"  # Coq's names
    lowest: Data  # nothing that a rival adds is below it

    def data(self) -> Data:
        """As Coq reads it."""
        return ("ScoredData", super().data(), self.lowest)

    # --- the claims, in Coq's order -------------------------------------------------------------------------------

    def claims_of_piece(self) -> Iterator[Asked]:
        """The criterion, of a smooth constant."""
        if self.opposite is None:
            yield from self._about_lowest(self)
            yield from map(self._about_pair, self.joined)
            return
        other = self.opposite.beside(self)
        yield from other.claims_of_loss()
        yield from self._about_lowest(other)
        about = self.about_same if self.is_same else self._about_each
        yield from (about(p, q) for p in self.joined for q in other.joined)
        for part in self.joined if self.is_same else ():
            yield from self._about_opposite(part)

    def _about_lowest(self, rivals: LossStatement) -> Iterator[Asked]:
        yield Asked(self.domain, ("Ge", self.lowest, ZERO))
        for given, value in rivals.joined:
            yield Asked((*self.domain, *closure(given)), ("Ge", value, self.lowest))

    def _about_pair(self, part: Part) -> Asked:
        given, value = part
        return self._about_scores((*self.domain, *self.near, *closure(given)), ZERO, value, ("Pow", M, 2))

    def _about_each(self, p: Part, q: Part) -> Asked:
        given = (*self.domain, *closure(p[0]), *map(at_second, closure(q[0])))
        return self._about_scores(given, p[1], put(0, S, q[1]), ("Pow", ("Add", M, S), 2))

    def _about_scores(self, given: Conditions, mine: Data, rival: Data, squared: Data) -> Asked:
        """What the label and each rival add: any number of labels may be alike, or the hardest one is known."""
        paid: Data = ("Mul", self.constant, squared)
        alike: Conditions = ()
        if _is_zero(self.lowest) and _is_zero(rival):
            unpaid = minus(minus(ONE, mine), paid)
        elif _is_zero(self.lowest) and _is_zero(mine):
            unpaid = minus(minus(ONE, ("Mul", TWO, rival)), paid)
        else:
            others = minus(COUNT, ONE)
            outside: Data = ("Mul", minus(CLASSES, COUNT), self.lowest)
            added: Data = ("Mul", COUNT, ("Add", mine, ("Add", ("Mul", others, rival), outside)))
            unpaid = minus(minus(others, added), ("Mul", others, paid))
            alike = ("Ge", COUNT, TWO), ("Le", COUNT, CLASSES)
        return Asked((*given, *alike), ("Le", unpaid, ZERO))

    def _about_opposite(self, part: Part) -> Iterator[Asked]:
        """The root of the loss bends upward from 0 on."""
        given, value = part
        there = (*self.domain, *closure(given))
        right: Conditions = (*there, ("Ge", M, ZERO))
        bend: Data = ("Mul", TWO, ("Mul", value, derived(derived(value))))
        pays: Data = ("Mul", FOUR, ("Add", value, ("Mul", self.constant, ("Pow", M, 2))))
        yield Asked((*there, ("Le", M, ZERO)), ("Ge", value, ONE))
        yield Asked(right, ("Ge", minus(bend, ("Pow", derived(value), 2)), ZERO))
        yield Asked((*right, *self.near), ("Le", minus(ONE, pays), ZERO))


def _is_zero(data: Data) -> bool:
    """By its form."""
    name, *rest = data
    if name in ("Add", "Mul"):
        return (all if name == "Add" else any)(map(_is_zero, rest))
    return bool(data == ZERO)
