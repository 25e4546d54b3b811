"""The claims of Coq's ``Obligations`` about a loss, whatever is proved of it, and about the numbers of a theorem.

Coq computes the claims again from the same data: one that is not the same there is refused with its certificate.
"""

from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain, product
from typing import ClassVar, Literal, Self

from gaptron.coq.kernel_data import Data, Pair
from gaptron.coq.written import (
    ZERO,
    Condition,
    Conditions,
    Part,
    condition_data,
    derived,
    has,
    is_total,
    parts_of,
    put,
    put_in,
    smooth_needs,
)

M, S, K = (("Var", place) for place in range(3))
ONE, TWO, THREE, MINUS_ONE = (("Int", number) for number in (1, 2, 3, -1))
HALF: Data = ("Rat", 1, 2)
MINUS_M: Data = ("Mul", MINUS_ONE, M)
# Whose loss it is: all labels', or with one weight vector +1's or -1's, or all labels' of their softmax probability.
Label = Literal["Every", "Upper", "Lower", "Probable"]
OF_CLASSES = ("Every", "Probable")  # whose classes are not two alone


@dataclass(frozen=True)
class Asked:
    """A claim: what is given, and what follows; K is an integer unless it is put in."""

    given: Conditions
    then: Condition
    of_classes: bool = True

    def with_two_classes(self) -> "Asked":
        """The same of K = 2."""
        return Asked(tuple(map(put_two, self.given)), put_two(self.then), of_classes=False)


@dataclass(frozen=True)
class LossStatement:
    """The fields of Coq's ``loss_statement``."""

    label: Label
    parameters: int
    domain: Conditions
    phi: Data
    order: Sequence[int]
    elsewhere: Sequence[tuple[int, int]]

    def loss_data(self) -> Data:
        """As Coq reads it."""
        domain = list(map(condition_data, self.domain))
        return ("LossData", self.label, self.parameters, domain, self.phi, list(self.order), pairs(self.elsewhere))

    def stated(self, asked: Asked) -> Asked:
        """One weight vector has two classes."""
        return asked if self.label in OF_CLASSES else asked.with_two_classes()

    @property
    def interval(self) -> Conditions:
        """Where the loss is: at every margin, or at a probability."""
        return (("Gt", M, ZERO), ("Lt", M, ONE)) if self.label == "Probable" else ()

    @property
    def there(self) -> Conditions:
        """What is given of a margin, or of a probability."""
        return (*self.domain, *self.interval)

    @property
    def loss_parts(self) -> list[Part]:
        """Of phi."""
        return parts_of(self.phi)

    @property
    def joined(self) -> list[Part]:
        """From left to right."""
        return [self.loss_parts[i] for i in self.order]

    def claims_of_loss(self) -> Iterator[Asked]:
        """About the loss alone, in Coq's order."""
        joined = self.joined
        for given, _ in self.loss_parts:
            yield from self.conditions_defined(given)
        for part in joined:
            yield from self._about_part(part)
        for i, p in enumerate(joined):
            for q in joined[i + 1 :]:
                yield from self._about_join(p, q)
        for i, j in self.elsewhere:
            (given, value), (there, other) = self.loss_parts[i], self.loss_parts[j]
            for then in (*closure(there), ("Eq", value, other)):
                yield Asked((*self.there, *given), then)

    def conditions_defined(self, given: Conditions) -> Iterator[Asked]:
        """Both sides of each."""
        for _, left, right in given:
            yield from defined(self.domain, left)
            yield from defined(self.domain, right)

    def of_more(self, given: Conditions, then: Condition) -> Iterator[Asked]:
        """Of three classes or more, which one weight vector does not have."""
        if self.label in OF_CLASSES:
            yield Asked((*self.domain, *self.interval, ("Ge", K, THREE), *given), then)

    def about_same(self, p: Part, q: Part) -> Asked:
        """A part, and one of another loss that is the same."""
        return Asked((*self.domain, *closure(p[0]), *closure(q[0])), ("Eq", p[1], q[1]))

    def _about_part(self, part: Part) -> Iterator[Asked]:
        given, value = part
        where = (*self.there, *closure(given))
        yield from (Asked(where, need) for need in smooth_needs(value))
        yield Asked(where, ("Ge", value, ZERO))
        yield Asked(where, ("Ge", self._bend(value), ZERO))
        yield from self.of_more(closure(given), ("Le", derived(value), ZERO))

    def _bend(self, value: Data) -> Data:
        """By the margin, or by the logit of the probability."""
        bend = derived(derived(value))
        if self.label != "Probable":
            return bend
        varies = ("Mul", ("Mul", M, minus(ONE, M)), bend)
        return ("Add", varies, ("Mul", minus(ONE, ("Mul", TWO, M)), derived(value)))

    def _about_join(self, p: Part, q: Part) -> Iterator[Asked]:
        left, right = (*self.there, *closure(p[0])), closure(q[0])
        yield Asked((*left, *map(at_second, (*self.interval, *right))), ("Le", M, S))
        yield Asked((*left, *right), ("Eq", p[1], q[1]))
        yield Asked((*left, *right), ("Le", derived(p[1]), derived(q[1])))

    def within(self, conditions: Conditions) -> Self:
        """The same, of which less is claimed."""
        return replace(self, domain=(*self.domain, *conditions))


@dataclass(frozen=True)
class OppositeLoss:
    """The loss of the label -1 as a function of the score, with its parts in their order at the opposite score."""

    minus: Data
    order: Sequence[int]
    elsewhere: Sequence[tuple[int, int]]

    def beside(self, plus: LossStatement) -> LossStatement:
        """Whose margin is the opposite score, beside the loss of +1."""
        phi = put(0, MINUS_M, self.minus)
        return LossStatement("Lower", plus.parameters, plus.domain, phi, self.order, self.elsewhere)

    def opposite_data(self) -> Data:
        """As Coq reads it."""
        return ("Opposite", self.minus, list(self.order), pairs(self.elsewhere))


@dataclass(frozen=True)
class LossesData:
    """Coq's ``losses_data``: the loss of every label, or that of +1 with that of -1."""

    type, proves = "losses_data", "proves_losses"  # Coq's names
    loss: LossStatement
    opposite: OppositeLoss | None

    def data(self) -> Data:
        """As Coq reads it."""
        return Pair(self.loss.loss_data(), option(None if self.opposite is None else self.opposite.opposite_data()))

    def obligations(self) -> Iterator[Asked]:
        """The claims about them."""
        for one in [self.loss] if self.opposite is None else [self.loss, self.opposite.beside(self.loss)]:
            yield from map(one.stated, one.claims_of_loss())


def pairs(numbers: Sequence[tuple[int, int]]) -> list[Pair]:
    """As Coq reads them."""
    return [Pair(*pair) for pair in numbers]


def option(data: Data | None) -> Data:
    """As Coq reads it."""
    return "None" if data is None else ("Some", data)


def minus(a: Data, b: Data) -> Data:
    """A difference."""
    return ("Add", a, ("Mul", MINUS_ONE, b))


ALL_ELSE: Data = minus(ONE, M)
GUESSING: Data = ("Mul", minus(K, ONE), ("Inv", K))  # the price of a guess


def defined(given: Conditions, data: Data) -> Iterator[Asked]:
    """That a term is defined, if that is to be proved."""
    if not is_total(data):
        yield Asked(given, ("Ge", data, data))


def put_two(condition: Condition) -> Condition:
    """With two classes."""
    return put_in(2, TWO, condition)


def at_second(condition: Condition) -> Condition:
    """At the second margin."""
    return put_in(0, S, condition)


def closure(conditions: Conditions) -> Conditions:
    """With their boundary, but for those that are not about the margin."""
    closed = {"Lt": "Le", "Gt": "Ge"}
    return tuple((closed.get(s, s) if has(0, a) or has(0, b) else s, a, b) for s, a, b in conditions)


@dataclass(frozen=True)
class NumbersData(LossStatement):
    """A loss with numbers, which are in pieces, or each is one term."""

    numbers: ClassVar[tuple[str, ...]]  # the names of these fields, in Coq's order

    # --- the claims, in Coq's order -------------------------------------------------------------------------------

    @abstractmethod
    def about_numbers(self) -> Iterator[Asked]:
        """About smooth numbers alone."""

    @abstractmethod
    def claims_of_piece(self) -> Iterator[Asked]:
        """The rest, of smooth numbers."""

    def obligations(self) -> Iterator[Asked]:
        """All claims, of numbers in pieces."""
        yield from map(self.stated, self._of_numbers())

    def _of_numbers(self) -> Iterator[Asked]:
        for given, _ in chain.from_iterable(self._parts_of_numbers()):
            yield from self.conditions_defined(given)
        for one in self.pieces():
            yield from one.about_numbers()
            yield from one.claims_of_loss()
            yield from one.claims_of_piece()

    def _parts_of_numbers(self) -> Iterator[list[Part]]:
        for number in (getattr(self, name) for name in self.numbers):
            yield [((), None)] if number is None else parts_of(number)

    def pieces(self) -> Iterator[Self]:
        """For each choice of a piece of every number a theorem that speaks of less."""
        for parts in product(*self._parts_of_numbers()):
            given, values = zip(*parts, strict=True)
            yield replace(self.within(tuple(chain(*given))), **dict(zip(self.numbers, values, strict=True)))


@dataclass(frozen=True)
class RatedData(NumbersData):
    """A loss with the fields of Coq's ``numbers``."""

    numbers = ("rate", "regret", "cost", "off_above")
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

    def about_numbers(self) -> Iterator[Asked]:
        """The regret follows from the rate."""
        yield Asked(self.domain, ("Gt", self.rate, ZERO))
        if self.regret is not None:
            yield Asked(self.domain, ("Le", ("Inv", ("Mul", TWO, self.rate)), self.regret))
        yield from self.threshold_defined()

    def threshold_defined(self) -> Iterator[Asked]:
        """Above which right rounds are off."""
        if self.off_above is not None:
            yield from defined(self.domain, self.off_above)
