"""The claims of Coq's ``Obligations`` about what some algorithm attains with a softmax loss in one piece."""

from collections.abc import Iterator
from dataclasses import dataclass

from gaptron.coq.attained_claims import ConstantData
from gaptron.coq.kernel_data import Data, Pair
from gaptron.coq.loss_claims import HALF, MINUS_ONE, ONE, THREE, TWO, Asked, K, M, minus, option
from gaptron.coq.written import ZERO, Condition, Conditions, derived, put, smooth_needs

OF_LEAD: Data = ("Inv", ("Add", ONE, ("Exp", ("Mul", MINUS_ONE, M))))  # the probability of a label that is ahead by M


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
        """Of a smooth constant."""
        yield from self.about_constant()
        yield from self.claims_of_loss()
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
