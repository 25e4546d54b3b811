"""The claims of Coq's ``Obligations`` about the best decoder of a softmax loss in one piece."""

from collections.abc import Iterator
from dataclasses import dataclass

from gaptron.coq.kernel_data import Data
from gaptron.coq.loss_claims import ONE, Asked, M, minus
from gaptron.coq.rated_claims import RatedData
from gaptron.coq.softmax_claims import ALL_ELSE
from gaptron.coq.written import ZERO, Condition, derived, put, put_in, smooth_needs


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
        yield from self.about_rates()
        yield from self.claims_of_loss()
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
