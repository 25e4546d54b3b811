"""The claims of Coq's ``Obligations`` about the best decoder, of scores or of a softmax loss in one piece."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import product

from gaptron.coq.kernel_data import Data
from gaptron.coq.loss_claims import (
    ALL_ELSE,
    MINUS_M,
    MINUS_ONE,
    ONE,
    THREE,
    TWO,
    Asked,
    K,
    LossStatement,
    M,
    OppositeLoss,
    RatedData,
    S,
    closure,
    minus,
    option,
)
from gaptron.coq.written import ZERO, Condition, Conditions, Part, derived, put, put_in, smooth_needs

MINUS_S: Data = ("Mul", MINUS_ONE, S)
Need = tuple[Conditions, Data]  # where it is, and what is needed there


@dataclass(frozen=True)
class DecodedData(RatedData):
    """The fields of Coq's ``decoded_statement``."""

    type, proves = "decoded_theorem_data", "proves_decoded"  # Coq's names
    opposite: OppositeLoss | None  # with one weight vector: the loss of -1
    tied: bool  # of margin losses: labels need most when all wrong ones are tied

    def data(self) -> Data:
        """As Coq reads it."""
        other = None if self.opposite is None else self.opposite.opposite_data()
        return ("DecodedData", self.loss_data(), self.numbers_data(), option(other), self.tied)

    # --- the claims, in Coq's order -------------------------------------------------------------------------------

    def claims_of_piece(self) -> Iterator[Asked]:
        """Of smooth numbers."""
        if self.opposite is not None:
            yield from self._about_both_labels(self.opposite.beside(self))
        elif self.tied:
            yield from map(self._about_fall, self.joined)
            yield from self._about_all("Ge", self._tops(), self._runners(minus(K, ONE)), [])
        else:
            yield from self._about_all("Ge", self._tops(), self._runners(ONE), self._others())

    def _about_both_labels(self, other: LossStatement) -> Iterator[Asked]:
        """At scores that are not negative, and at those that are not positive."""
        yield from other.claims_of_loss()
        plus, minus = ([self._need(at, ONE, part) for part in one.joined] for one, at in ((self, M), (other, MINUS_M)))
        for side in ("Ge", "Le"):
            yield from self._about_all(side, plus, minus, [])

    def _need(self, at: Data, weight: Data, part: Part) -> Need:
        """Of a label with that margin."""
        given, value = part
        square = ("Pow", put(0, at, derived(value)), 2)
        need = ("Add", minus(ONE, put(0, at, value)), ("Mul", self.step, square))
        return tuple(put_in(0, at, each) for each in closure(given)), ("Mul", weight, need)

    def _tops(self) -> list[Need]:
        """The top label at the margin s, in a round that is on or off."""
        on = (self._need(M, ONE, part) for part in self.joined)
        if self.off_above is None:
            return list(on)
        below, above = (((sign, M, self.off_above),) for sign in ("Le", "Gt"))
        return [*(((*below, *given), need) for given, need in on), (above, ONE)]

    def _runners(self, weight: Data) -> list[Need]:
        return [self._need(MINUS_M, weight, part) for part in self.joined]

    def _others(self) -> list[Need]:
        return [self._need(MINUS_S, minus(K, TWO), part) for part in self.joined]

    def _about_all(self, side: str, *labels: Sequence[Need]) -> Iterator[Asked]:
        """Any of them that count need at most 1 together."""
        for top, runner, other in product(*((None, *each) for each in labels)):
            counted = [need for need in (top, runner, other) if need is not None]
            more: Conditions = () if other is None else (("Ge", K, THREE), ("Le", M, S))
            where = (condition for given, _ in counted for condition in given)
            needs: Data = reduce(lambda rest, need: ("Add", need[1], rest), counted[::-1], ZERO)
            yield Asked((*self.domain, (side, M, ZERO), *more, *where), ("Le", needs, ONE))

    def _about_fall(self, part: Part) -> Asked:
        """The need of a wrong label falls with its margin."""
        given, value = part
        slope = derived(value)
        there, bend = put(0, MINUS_M, slope), put(0, MINUS_M, derived(slope))
        change = minus(there, ("Mul", ("Mul", TWO, self.rate), ("Mul", there, bend)))
        where = (put_in(0, MINUS_M, each) for each in closure(given))
        return Asked((*self.domain, ("Ge", M, ZERO), *where), ("Le", change, ZERO))


@dataclass(frozen=True)
class LikelyData(RatedData):
    """The fields of Coq's ``likely_statement``."""

    type, proves = "likely_theorem_data", "proves_likely"  # Coq's names
    few: int  # up to the probability 1/few no label needs anything

    def data(self) -> Data:
        """As Coq reads it."""
        return ("LikelyData", self.loss_data(), self.numbers_data(), self.few)

    # --- the claims, in Coq's order -------------------------------------------------------------------------------

    def claims_of_piece(self) -> Iterator[Asked]:
        """Of smooth numbers."""
        for _, psi in self.joined:
            yield from self._about_need(self.need_of(psi))

    def need_of(self, psi: Data) -> Data:
        """What a label needs at most."""
        slope = ("Mul", ("Mul", derived(psi), M), ALL_ELSE)
        return ("Add", minus(ONE, psi), ("Mul", self.rate, ("Pow", slope, 2)))

    def _about_need(self, need: Data) -> Iterator[Asked]:
        yield from (Asked(self.there, each) for each in smooth_needs(need))
        yield Asked(self.there, ("Ge", derived(need), ZERO))
        yield Asked(self.domain, _with_share(self.few, ("Le", need, ZERO)))
        yield Asked(self.there, ("Le", need, ONE))
        yield Asked(self.there, ("Le", ("Add", need, put(0, ALL_ELSE, need)), ONE))
        if self.few > 3:
            last: Condition = ("Le", M, minus(ONE, ("Rat", 2, self.few)))
            yield Asked((*self.there, last), ("Le", derived(derived(need)), ZERO))
        for n in range(3, self.few):
            yield Asked(self.domain, _with_share(n, ("Le", ("Mul", ("Int", n), need), ONE)))


def _with_share(n: int, condition: Condition) -> Condition:
    return put_in(0, ("Rat", 1, n), condition)
