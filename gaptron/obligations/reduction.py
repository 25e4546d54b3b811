"""The reduction of a loss: the few scalars that a round depends on, their domain, and what holds of every label there.

Obligations, required probabilities, the criterion and what ``sharpen`` searches are functions of it. There is one class
for each geometry of losses; ``gaptron.obligations`` has the table.
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

from gaptron.language.expressions import Expression
from gaptron.language.formulas import formula, where
from gaptron.language.normal import put, slope
from gaptron.obligations.constraint import Constraint, Implied
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.pieces import Piece, Region, put_all
from gaptron.obligations.sequents import Obligation, Sequent, at_most_zero, claims_more_than_two, class_conditions
from gaptron.theory.for_classes import data_of, functions_of
from gaptron.theory.theorem import Theorem

LABEL = "y"  # the label of a binary round, shown in statements
NOT_DECIDED = "gradient steps with losses of all scores are not decided"
TWO = Fraction(2)
Values = Mapping[str, Expression]


@dataclass(frozen=True)
class Case:
    """Rounds of one kind ("right" or "wrong"): where, the gap itself, the claims that say it is at most 0.

    Of a wrong round s is the top margin m*, -t the margin of the true label, q its softmax probability.

    ``scalar`` is the one that the loss is written in there, ``beside`` the conditions of its piece, of which ``region``
    has the closure; ``label`` is that of the rounds of a binary loss.
    """

    kind: str
    region: Region
    gap: Expression
    claims: tuple[Sequent, ...]
    scalar: str
    beside: Region
    label: int | None = None


@dataclass(frozen=True)
class Need:
    """One smooth piece of a label's loss and of (1/2) ||g||^2, in the top margin ``s``; 1 - h = 1 - loss + eta half."""

    region: Region
    loss: Expression
    half: Expression

    def at(self, margin: Expression) -> "Need":
        """The same at another margin."""
        there = {"s": margin}
        return Need(put_all(self.region, there), put(self.loss, there), put(self.half, there))


@dataclass(frozen=True)
class Face:
    """Scores with one top label: what it needs at top margin s, and what any other label with margin -s needs."""

    name: str
    right: tuple[Need, ...]
    wrong: tuple[Need, ...]


@dataclass(frozen=True)
class Reduction(ABC):
    """What a theorem asks, by the geometry of its loss.

    The functions of the loss are written in ``variable``; ``tops`` is wherever a top margin, or a largest probability,
    can be. With ``of_scores`` the loss is convex in W where they are; ``why_falling`` says why they have to fall for
    K >= 3, if they have; ``thresholds`` are arguments of the loss that are no functions of the variable.
    """

    theorem: Theorem

    variable: ClassVar[str] = "m"
    tops: ClassVar[Region] = where("m >= 0")
    of_scores: ClassVar[bool] = True
    why_falling: ClassVar[str | None] = None
    thresholds: ClassVar[tuple[str, ...]] = ()

    @property
    def data(self) -> dict[str, Expression]:
        """Every expression of the theorem."""
        return data_of(self.theorem)

    @property
    def functions(self) -> tuple[Expression, ...]:
        """Those of one scalar that make up the loss."""
        return tuple(function for _, function, _ in functions_of(self.theorem.loss))

    def domain(self, at_least: int = 2) -> Region:
        """Where the scalar of a label can be, for the K claimed from ``at_least`` on."""
        return class_conditions(self.theorem, at_least)

    def smooth(self, coverage: Coverage, which: int = 0) -> list[Piece]:
        """The smooth pieces of a function of the loss."""
        return coverage.smooth(self.functions[which], self.variable, self.domain())

    def squares(self, loss: Expression, weight: Expression) -> Expression:
        """weight loss'^2, and 0 where the loss does not change, however much that would count."""
        found = slope(loss, self.variable)
        return formula("weight*slope**2", weight=weight, slope=found) if found != 0 else found

    def bend(self, loss: Expression) -> Expression:
        """What is not negative where the loss is convex."""
        return slope(slope(loss, self.variable), self.variable)

    def said_convex(self, name: str) -> str:
        """In words."""
        x = self.variable
        return f"{name} is convex: {name}(b) >= {name}({x}) + {name}'({x}) (b - {x})"

    def cases(self, eta: Expression, coverage: Coverage) -> Iterator[Case]:
        """Every case of the gap; NotImplementedError for a loss of all scores."""
        raise NotImplementedError(NOT_DECIDED)

    def undecided(self, eta: Expression, coverage: Coverage) -> Iterator[Obligation] | None:
        """What is necessary of the gap, where nothing is said to be enough."""
        return None

    def faces(self, coverage: Coverage) -> tuple[Face, ...]:
        """One for each way of being on top; NotImplementedError for a loss that top margins do not decide."""
        raise NotImplementedError(NOT_DECIDED)

    def decoder_implications(self, eta: Expression, coverage: Coverage) -> Iterator[Implied]:
        """That the probabilities which the labels need sum to at most 1; NotImplementedError as of ``faces``."""
        raise NotImplementedError(NOT_DECIDED)

    @abstractmethod
    def criterion(self, coverage: Coverage) -> Iterator[Constraint]:
        """H - E loss - c Var <= 0 as constraints that are linear in eta = 1/(2 c): see ``attained``."""

    def searched(self, coverage: Coverage) -> Iterator[Constraint]:
        """The criterion, as the search takes it: what is necessary alone."""
        return self.criterion(coverage)

    def hardest(self, coverage: Coverage) -> Iterator[Obligation]:
        """That the labels of which the criterion speaks are the hardest, if it is not about all of them."""
        yield from ()

    def right(self, region: Region, gap: Expression, beside: Region = ()) -> Case:
        """A case of right rounds."""
        claim = Sequent((*region, *class_conditions(self.theorem)), at_most_zero(gap))
        return Case("right", region, gap, (claim,), self.variable, beside)

    def wrong(
        self, region: Region, gap: Expression, scalar: str, forced: Values, order: Region = (), beside: Region = ()
    ) -> Case:
        """A case of wrong rounds: for K = 2, where one scalar is left (``forced``), and for K >= 3 (``order``)."""
        claims = []
        if self.theorem.claims(2):
            two = {"K": TWO, **forced}
            claims.append(Sequent(put_all(region, two), at_most_zero(put(gap, two))))
        if claims_more_than_two(self.theorem):
            claims.append(Sequent((*region, *order, *class_conditions(self.theorem, 3)), at_most_zero(gap)))
        return Case("wrong", (*region, *order), gap, tuple(claims), scalar, beside)
