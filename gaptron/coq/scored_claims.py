"""The claims of Coq's ``Obligations`` about what some algorithm attains with a loss of all scores."""

from collections.abc import Iterator
from dataclasses import dataclass

from gaptron.coq.attained_claims import AttainedData
from gaptron.coq.kernel_data import Data
from gaptron.coq.loss_claims import ONE, TWO, Asked, LossStatement, M, S, at_second, closure, minus
from gaptron.coq.written import ZERO, Conditions, Part, derived, put

CLASSES, COUNT = ("Var", 3), ("Var", 4)  # of which so many labels are alike; in the place of K there are two
FOUR: Data = ("Int", 4)


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
        """Of a smooth constant."""
        yield from self.about_constant()
        yield from self.claims_of_loss()
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
