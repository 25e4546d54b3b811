"""The claims of Coq's ``Obligations`` about a constant that some algorithm attains."""

from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace

from gaptron.coq.kernel_data import Data, Pair
from gaptron.coq.loss_claims import (
    GUESSING,
    HALF,
    MINUS_ONE,
    ONE,
    Asked,
    LossStatement,
    M,
    OppositeLoss,
    S,
    at_second,
    closure,
    minus,
    option,
)
from gaptron.coq.written import ZERO, Conditions, Part, parts_of, put


@dataclass(frozen=True)
class ConstantData(LossStatement):
    """A loss with a constant, which is in pieces, or one term."""

    constant: Data
    far: Data | None  # beyond this margin, or lead, the criterion holds whatever the loss

    # --- the claims, in Coq's order -------------------------------------------------------------------------------

    def obligations(self) -> Iterator[Asked]:
        """All claims, of a constant in pieces."""
        yield from map(self.stated, self._of_constant())

    def _of_constant(self) -> Iterator[Asked]:
        for given, _ in parts_of(self.constant):
            yield from self.conditions_defined(given)
        for given, value in parts_of(self.constant):
            yield from replace(self.within(given), constant=value).claims_of_piece()

    @abstractmethod
    def claims_of_piece(self) -> Iterator[Asked]:
        """Of a smooth constant."""

    def about_constant(self) -> Iterator[Asked]:
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
        """Of a smooth constant."""
        yield from self.about_constant()
        yield from self.claims_of_loss()
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
