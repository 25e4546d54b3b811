"""The claims of Coq's ``Obligations`` about the numbers of a theorem, and its pieces where each is smooth."""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product
from typing import Self

from gaptron.coq.kernel_data import Data
from gaptron.coq.loss_claims import HALF, TWO, Asked, LossStatement, defined, option
from gaptron.coq.written import ZERO, Part, parts_of


@dataclass(frozen=True)
class RatedData(LossStatement):
    """A loss with the fields of Coq's ``numbers``: they are in pieces, or each is one term."""

    off_above: Data | None
    rate: Data
    regret: Data | None
    cost: Data | None

    def numbers_data(self) -> Data:
        """As Coq reads them."""
        return ("Numbers", option(self.off_above), self.rate, option(self.regret), option(self.cost))

    @property
    def step(self) -> Data:
        """Half of the rate for each weight vector that moves."""
        return self.rate if self.label == "Every" else ("Mul", HALF, self.rate)

    # --- the claims, in Coq's order -------------------------------------------------------------------------------

    @abstractmethod
    def claims_of_piece(self) -> Iterator[Asked]:
        """Of smooth numbers."""

    def obligations(self) -> Iterator[Asked]:
        """All claims, of numbers in pieces."""
        yield from map(self.stated, self._of_numbers())

    def _of_numbers(self) -> Iterator[Asked]:
        for number in (self.rate, self.regret, self.cost, self.off_above):
            for given, _ in [] if number is None else parts_of(number):
                yield from self.conditions_defined(given)
        for one in self.pieces():
            yield from one.claims_of_piece()

    def pieces(self) -> Iterator[Self]:
        """For each choice of a piece of every number a theorem that speaks of less."""
        options = map(_options, (self.rate, self.regret, self.cost, self.off_above))
        for (r, rate), (c, regret), (b, cost), (a, off_above) in product(*options):
            there = self.within((*r, *c, *b, *a))
            yield replace(there, rate=rate, regret=regret, cost=cost, off_above=off_above)

    def about_rates(self) -> Iterator[Asked]:
        """About numbers alone."""
        yield Asked(self.domain, ("Gt", self.rate, ZERO))
        if self.regret is not None:
            yield Asked(self.domain, ("Le", ("Inv", ("Mul", TWO, self.rate)), self.regret))
        yield from self.threshold_defined()

    def threshold_defined(self) -> Iterator[Asked]:
        """Above which right rounds are off."""
        if self.off_above is not None:
            yield from defined(self.domain, self.off_above)


def _options(number: Data | None) -> list[Part]:
    return [((), None)] if number is None else parts_of(number)
