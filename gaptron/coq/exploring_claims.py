"""The claims of Coq's ``Obligations`` about a theorem with bandit feedback, at any learning rate."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import partial

from gaptron.coq.kernel_data import Data
from gaptron.coq.loss_claims import GUESSING, ONE, Asked, K, S, defined, minus
from gaptron.coq.obliged import MarginData
from gaptron.coq.softmax_claims import said_labels
from gaptron.coq.written import Conditions, Part, derived, parts_of, put

EXPLORATION = 3  # the place of gamma


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

    def claims_of_piece(self) -> Iterator[Asked]:
        """Of smooth numbers."""
        yield from self.threshold_defined()
        yield from self.claims_of_loss()
        yield from self.about_map()
        for given, share in self._shares():
            for p in self.joined:
                yield from self._in_round(given, share, p)
        if self.off_above is not None:
            for given, share in self._shares():
                yield self.said_off(self.off_above, given, self._unpaid(_drawn_right(share)))

    def _in_round(self, given: Conditions, share: Data, p: Part) -> Iterator[Asked]:
        right, wrong = _drawn_right(share), _drawn_wrong(put(0, S, share))
        if self.label == "Probable":
            yield from said_labels(
                self, given, p, partial(self._softmax_gap, right, p), partial(self._softmax_gap, wrong, p)
            )
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
        return minus(minus(ONE, drawn), _guessed_wrong(self.explored))

    def _softmax_gap(self, drawn: Data, p: Part, squared: Data) -> Data:
        """The gap, where the label is drawn with this probability, by whose inverse squares of subgradients count."""
        return ("Add", minus(self._unpaid(drawn), p[1]), ("Mul", squared, ("Inv", drawn)))

    def _drawn_gap(self, drawn: Data, p: Part) -> Data:
        """That of a margin, times the probability."""
        squares = ("Mul", self.rate, ("Pow", derived(p[1]), 2))
        return ("Add", ("Mul", drawn, minus(self._unpaid(drawn), p[1])), squares)


def _guessed_wrong(share: Data) -> Data:
    return ("Mul", share, GUESSING)


def _drawn_right(share: Data) -> Data:
    return minus(ONE, _guessed_wrong(share))


def _drawn_wrong(share: Data) -> Data:
    return ("Mul", share, ("Inv", K))
