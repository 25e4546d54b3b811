"""Theorems as data: the fields of the records of Coq's ``Obligations``, which computes what is to be proved of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from gaptron.coq.extracted import of_coq
from gaptron.coq.kernel_data import Data, Pair

# Whose loss it is: all labels', or with one weight vector +1's or -1's, or all labels' of their softmax probability.
Label = Literal["Every", "Upper", "Lower", "Probable"]
Conditions = tuple[Data, ...]


def option(data: Data | None) -> Data:
    """As Coq reads it."""
    return "None" if data is None else ("Some", data)


@dataclass(frozen=True)
class LossStatement:
    """The fields of Coq's ``loss_statement``."""

    label: Label
    parameters: int
    domain: Conditions
    phi: Data
    order: Sequence[int]
    elsewhere: Sequence[tuple[int, int]]

    computes = ""  # the name of what Coq computes the claims with

    def loss_data(self) -> Data:
        """The loss alone, as Coq reads it."""
        order, elsewhere = list(self.order), [Pair(*pair) for pair in self.elsewhere]
        return ("LossData", self.label, self.parameters, list(self.domain), self.phi, order, elsewhere)

    def data(self) -> Data:
        """All of it, as Coq reads it."""
        raise NotImplementedError

    def claims(self) -> list[Data]:
        """What Coq asks about it, in its order."""
        found: list[Data] = of_coq(self.computes)(self.data())
        return found


@dataclass(frozen=True)
class OppositeLoss:
    """The fields of Coq's ``opposite_loss``: the loss of the label -1 as a function of the score."""

    minus: Data
    order: Sequence[int]
    elsewhere: Sequence[tuple[int, int]]

    def opposite_data(self) -> Data:
        """As Coq reads it."""
        return ("Opposite", self.minus, list(self.order), [Pair(*pair) for pair in self.elsewhere])


def _opposite(given: OppositeLoss | None) -> Data | None:
    return None if given is None else given.opposite_data()


@dataclass(frozen=True)
class LossesData:
    """Coq's ``losses_data``: the loss of every label, or that of +1 with that of -1."""

    type, proves = "losses_data", "proves_losses"  # Coq's names
    loss: LossStatement
    opposite: OppositeLoss | None

    def data(self) -> Data:
        """As Coq reads it."""
        return Pair(self.loss.loss_data(), option(_opposite(self.opposite)))

    def parts(self) -> list[list[Data]]:
        """Of each of them: those that are joined, from left to right."""
        return [of_coq("joined")(one) for one in of_coq("losses_of")(self.data())]

    def claims(self) -> list[Data]:
        """What Coq asks about them, in its order."""
        return [claim for one in of_coq("losses_of")(self.data()) for claim in of_coq("claims_of_loss")(one)]


@dataclass(frozen=True)
class RatedData(LossStatement):
    """A loss with the fields of Coq's ``numbers``."""

    off_above: Data | None
    rate: Data
    regret: Data | None
    cost: Data | None

    def numbers_data(self) -> Data:
        """As Coq reads them."""
        return ("Numbers", option(self.off_above), self.rate, option(self.regret), option(self.cost))


@dataclass(frozen=True)
class ContactPlace:
    """A round at which no larger rate will do, and the numbers of the joined part and of the gap map's part there."""

    is_right: bool
    margin: Data
    top: Data
    of_loss: int
    of_map: int

    def data(self) -> Data:
        """As Coq reads it."""
        return ("Contact", self.is_right, self.margin, self.top, self.of_loss, self.of_map)


def _contact(place: ContactPlace | None) -> Data:
    return option(None if place is None else place.data())


@dataclass(frozen=True)
class MarginData(RatedData):
    """The fields of Coq's ``margin_statement``."""

    type, proves, computes = "margin_theorem_data", "proves", "obligations"
    gap_map: Data
    sharp_at: ContactPlace | None = None

    def data(self) -> Data:
        """As Coq reads it."""
        return ("MarginData", self.loss_data(), self.numbers_data(), self.gap_map, _contact(self.sharp_at))


@dataclass(frozen=True)
class SoftmaxData(MarginData):
    """The same, of a loss of the label's probability."""

    proves, computes = "proves_softmax", "softmax_obligations"


@dataclass(frozen=True, kw_only=True)
class ExploringData(MarginData):
    """The fields of Coq's ``exploring_theorem_data``: its rate is eta X^2, and of gamma what the gap knows of it."""

    type, proves, computes = "exploring_theorem_data", "proves_exploring", "exploring_obligations"
    explored: Data

    def data(self) -> Data:
        """As Coq reads it."""
        return ("ExploringData", super().data(), self.explored)


@dataclass(frozen=True)
class BinaryData(OppositeLoss):
    """The fields of Coq's ``binary_theorem_data``: the theorem of +1, and the loss of -1 as a function of the score."""

    type, proves = "binary_theorem_data", "proves_both"
    upper: MarginData
    sharp_at: ContactPlace | None = None

    def data(self) -> Data:
        """As Coq reads it."""
        return ("BinaryData", self.upper.data(), self.opposite_data(), _contact(self.sharp_at))

    def lower(self) -> Data:
        """The theorem of -1, whose margin is -z."""
        return of_coq("lower")(self.data())

    def claims(self) -> list[Data]:
        """What Coq asks about both labels."""
        return [*self.upper.claims(), *of_coq(self.upper.computes)(self.lower())]


@dataclass(frozen=True)
class DecodedData(RatedData):
    """The fields of Coq's ``decoded_statement``."""

    type, proves, computes = "decoded_theorem_data", "proves_decoded", "decoded_obligations"
    opposite: OppositeLoss | None  # with one weight vector: the loss of -1
    tied: bool  # of margin losses: labels need most when all wrong ones are tied

    def data(self) -> Data:
        """As Coq reads it."""
        return ("DecodedData", self.loss_data(), self.numbers_data(), option(_opposite(self.opposite)), self.tied)


@dataclass(frozen=True)
class LikelyData(RatedData):
    """The fields of Coq's ``likely_statement``."""

    type, proves, computes = "likely_theorem_data", "proves_likely", "likely_obligations"
    few: int  # up to the probability 1/few no label needs anything

    def data(self) -> Data:
        """As Coq reads it."""
        return ("LikelyData", self.loss_data(), self.numbers_data(), self.few)


@dataclass(frozen=True)
class ConstantData(LossStatement):
    """A loss with a constant."""

    constant: Data
    far: Data | None  # beyond this margin, or lead, the criterion holds whatever the loss


@dataclass(frozen=True)
class AttainedData(ConstantData):
    """The fields of Coq's ``attained_statement``."""

    type, proves, computes = "attained_theorem_data", "proves_attained", "attained_obligations"
    opposite: OppositeLoss | None  # with one weight vector: the loss of -1
    is_same: bool  # it is that of +1 at the opposite score

    def data(self) -> Data:
        """As Coq reads it."""
        other = None if self.opposite is None else Pair(self.opposite.opposite_data(), self.is_same)
        return ("AttainedData", self.loss_data(), option(other), self.constant, option(self.far))


@dataclass(frozen=True)
class LeadData(ConstantData):
    """The fields of Coq's ``lead_statement``."""

    type, proves, computes = "lead_theorem_data", "proves_lead", "lead_obligations"
    least: Data  # of the loss
    point: tuple[Data, Data] | None  # a probability and its odds: a tangent there is enough for the criterion

    def data(self) -> Data:
        """As Coq reads it."""
        point = None if self.point is None else Pair(*self.point)
        return ("LeadData", self.loss_data(), self.constant, self.least, option(point), option(self.far))


@dataclass(frozen=True)
class ScoredData(AttainedData):
    """The fields of Coq's ``scored_statement``; if the two losses are the same, opposite scores are the hardest."""

    type, proves, computes = "scored_theorem_data", "proves_scored", "scored_obligations"
    lowest: Data  # nothing that a rival adds is below it

    def data(self) -> Data:
        """As Coq reads it."""
        return ("ScoredData", super().data(), self.lowest)


TheoremStatement = MarginData | BinaryData | DecodedData | LikelyData | AttainedData | LeadData | LossesData
