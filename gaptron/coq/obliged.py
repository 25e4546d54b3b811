"""The claims of Coq's ``Obligations`` about a loss of a margin, and certificates for them.

Coq computes the claims again from the same data: one that is not the same there is refused with its certificate.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import Literal, Protocol

from gaptron.coq.kernel_data import SIGNS, Data, Pair, UnwrittenError
from gaptron.coq.kernel_proofs import certificate_data
from gaptron.coq.script import OutOfScopeError
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
from gaptron.kernel import Claim, Relation
from gaptron.language.terms import Json, Term
from gaptron.prove.proofs import NotFoundError

M, S, K = (("Var", place) for place in range(3))
ONE, TWO, THREE, MINUS_ONE = (("Int", number) for number in (1, 2, 3, -1))
HALF: Data = ("Rat", 1, 2)
NOWHERE: Condition = ("Le", ONE, ZERO)
MINUS_M: Data = ("Mul", MINUS_ONE, M)
KERNEL_SIGNS = {name: sign for sign, name in SIGNS.items()}
SECONDS = (0.0, 4.0, 20.0)  # for each form of a claim: those that are known, or easy, first
Label = Literal["Every", "Upper", "Lower"]  # whose loss it is: all labels', or with one weight vector +1's or -1's
Search = Callable[[Claim, float], Json]


@dataclass(frozen=True)
class Asked:
    """A claim: what is given, and what follows; K is an integer unless it is put in."""

    given: Conditions
    then: Condition
    of_classes: bool = True

    def with_two_classes(self) -> "Asked":
        """The same of K = 2."""
        return Asked(tuple(map(_put_two, self.given)), _put_two(self.then), of_classes=False)


@dataclass(frozen=True)
class ContactPlace:
    """A round at which no larger rate will do, and the numbers of the joined part and of the gap map's part there."""

    is_right: bool
    margin: Data
    top: Data
    of_loss: int
    of_map: int


@dataclass(frozen=True)
class MarginData:
    """The fields of Coq's ``margin_statement``: numbers are in pieces, or each is one term."""

    type, proves = "margin_theorem_data", "proves"  # Coq's names
    label: Label
    parameters: int
    domain: Conditions
    phi: Data
    order: Sequence[int]
    elsewhere: Sequence[tuple[int, int]]
    gap_map: Data
    off_above: Data | None
    rate: Data
    regret: Data | None
    cost: Data | None
    sharp_at: ContactPlace | None = None

    def data(self) -> Data:
        """As Coq reads it."""
        fields = (
            self.label,
            self.parameters,
            list(map(condition_data, self.domain)),
            self.phi,
            list(self.order),
            _pairs(self.elsewhere),
            self.gap_map,
            _option(self.off_above),
            self.rate,
            _option(self.regret),
            _option(self.cost),
            _contact(self.sharp_at),
        )
        return ("MarginData", *fields)

    # --- the claims, in Coq's order -------------------------------------------------------------------------------

    def obligations(self) -> Iterator[Asked]:
        """All claims, of numbers in pieces; one weight vector has two classes."""
        for asked in self._of_numbers():
            yield asked if self.label == "Every" else asked.with_two_classes()

    def _of_numbers(self) -> Iterator[Asked]:
        for number in (self.rate, self.regret, self.cost, self.off_above):
            for given, _ in [] if number is None else parts_of(number):
                yield from self._conditions_defined(given)
        for one in self.pieces():
            yield from one._of_piece()

    def pieces(self) -> Iterator["MarginData"]:
        """For each choice of a piece of every number a theorem that speaks of less."""
        options = map(_options, (self.rate, self.regret, self.cost, self.off_above))
        for (r, rate), (c, regret), (b, cost), (a, off_above) in product(*options):
            domain = (*self.domain, *r, *c, *b, *a)
            yield replace(self, domain=domain, rate=rate, regret=regret, cost=cost, off_above=off_above)

    def _conditions_defined(self, given: Conditions) -> Iterator[Asked]:
        for _, left, right in given:
            yield from _defined(self.domain, left)
            yield from _defined(self.domain, right)

    @property
    def loss_parts(self) -> list[Part]:
        """Of phi."""
        return parts_of(self.phi)

    @property
    def joined(self) -> list[Part]:
        """From left to right."""
        return [self.loss_parts[i] for i in self.order]

    def _of_piece(self) -> Iterator[Asked]:
        joined, maps = self.joined, parts_of(self.gap_map)
        yield from self._about_rates(maps)
        for given, _ in self.loss_parts:
            yield from self._conditions_defined(given)
        for part in joined:
            yield from self._about_part(part)
        for i, p in enumerate(joined):
            for q in joined[i + 1 :]:
                yield from self._about_join(p, q)
        for i, j in self.elsewhere:
            (given, value), (there, other) = self.loss_parts[i], self.loss_parts[j]
            for then in (*closure(there), ("Eq", value, other)):
                yield Asked((*self.domain, *given), then)
        for given, value in maps:
            yield from _in_turn(self._right, given, value)
            yield Asked((*self._right, *given), ("Ge", value, ZERO))
            yield Asked((*self._right, *given), ("Le", value, ONE))
        for q in maps:
            for p in joined:
                yield from self._about_gap(q, p)
        if self.sharp_at is not None:
            yield from self._about_contact(self.sharp_at, joined[self.sharp_at.of_loss], maps[self.sharp_at.of_map])

    @property
    def _right(self) -> Conditions:
        return (*self.domain, ("Ge", M, ZERO))

    def _of_more(self, given: Conditions, then: Condition) -> Iterator[Asked]:
        """Of three classes or more, which one weight vector does not have."""
        if self.label == "Every":
            yield Asked((*self.domain, ("Ge", K, THREE), *given), then)

    def _about_rates(self, maps: Sequence[Part]) -> Iterator[Asked]:
        yield Asked(self.domain, ("Gt", self.rate, ZERO))
        if self.regret is not None:
            yield Asked(self.domain, ("Le", ("Inv", ("Mul", TWO, self.rate)), self.regret))
        if self.off_above is not None:
            yield from _defined(self.domain, self.off_above)
            for given, value in maps:
                where = (*self._right, ("Gt", M, self.off_above), *given)
                yield Asked(where, ("Le", self._right_risk(value), ZERO))

    def _about_part(self, part: Part) -> Iterator[Asked]:
        given, value = part
        where = (*self.domain, *closure(given))
        yield from (Asked(where, need) for need in smooth_needs(value))
        yield Asked(where, ("Ge", value, ZERO))
        yield Asked(where, ("Ge", derived(derived(value)), ZERO))
        yield from self._of_more(closure(given), ("Le", derived(value), ZERO))

    def _about_join(self, p: Part, q: Part) -> Iterator[Asked]:
        left, right = closure(p[0]), closure(q[0])
        yield Asked((*self.domain, *left, *map(at_second, right)), ("Le", M, S))
        yield Asked((*self.domain, *left, *right), ("Eq", p[1], q[1]))
        yield Asked((*self.domain, *left, *right), ("Le", derived(p[1]), derived(q[1])))

    @property
    def _price(self) -> Data:
        """Of the share of the gap map: to guess is to be wrong with that probability."""
        return ("Mul", _minus(K, ONE), ("Inv", K)) if self.cost is None else self.cost

    def _right_risk(self, a: Data) -> Data:
        return ("Mul", a, self._price)

    def _wrong_risk(self, a: Data) -> Data:
        return ("Add", _minus(ONE, a), self._right_risk(a))

    def _gap(self, risk: Data, p: Part) -> Data:
        step = self.rate if self.label == "Every" else ("Mul", HALF, self.rate)
        return ("Add", _minus(risk, p[1]), ("Mul", step, ("Pow", derived(p[1]), 2)))

    @property
    def _on(self) -> Conditions:
        positive: Conditions = (("Gt", M, ZERO),) if self.label == "Lower" else ()
        return positive if self.off_above is None else (("Le", M, self.off_above), *positive)

    @property
    def _wrong_margin(self) -> Conditions:
        return ("Lt" if self.label == "Upper" else "Le", M, ZERO), ("Le", S, MINUS_M)

    def _about_gap(self, q: Part, p: Part) -> Iterator[Asked]:
        where = (*self._right, *self._on, *q[0], *closure(p[0]))
        yield Asked(where, ("Le", self._gap(self._right_risk(q[1]), p), ZERO))
        round_: Conditions = (("Ge", S, ZERO), *self._wrong_margin, *map(at_second, q[0]), *closure(p[0]))
        then = ("Le", self._gap(self._wrong_risk(put(0, S, q[1])), p), ZERO)
        yield Asked(tuple(map(_with_two, (*self.domain, *round_))), _with_two(then), of_classes=False)
        yield from self._of_more(round_, then)

    def facts_at(self, c: ContactPlace, p: Part, q: Part) -> list[Condition]:
        """What makes a round a contact, in a part of the loss and one of the gap map."""
        risk = self._right_risk(q[1]) if c.is_right else self._wrong_risk(put(0, S, q[1]))
        facts = [
            *closure(p[0]),
            *(q[0] if c.is_right else map(at_second, q[0])),
            *(self._on if c.is_right else self._wrong_margin),
            ("Ge", M if c.is_right else S, ZERO),
            ("Eq", self._gap(risk, p), ZERO),
            ("Gt", ("Pow", derived(p[1]), 2), ZERO),
        ]
        there = [put_in(0, c.margin, put_in(1, c.top, fact)) for fact in facts]
        return there if self.label == "Every" else list(map(_put_two, there))

    def _about_contact(self, c: ContactPlace, p: Part, q: Part) -> Iterator[Asked]:
        yield from _defined(self.domain, c.margin)
        yield from _defined(self.domain, c.top)
        yield from (Asked(self.domain, fact) for fact in self.facts_at(c, p, q))
        if not c.is_right:
            equal = ("Eq", c.top, ("Mul", MINUS_ONE, c.margin))
            yield Asked(self.domain, equal).with_two_classes()


@dataclass(frozen=True)
class BinaryData:
    """The fields of Coq's ``binary_theorem_data``: the theorem of +1, and the loss of -1 as a function of the score."""

    type, proves = "binary_theorem_data", "proves_both"
    upper: MarginData
    minus: Data
    order: Sequence[int]
    elsewhere: Sequence[tuple[int, int]]
    sharp_at: ContactPlace | None = None

    @property
    def lower(self) -> MarginData:
        """The theorem of -1, whose margin is -z."""
        mirrored = put(0, MINUS_M, self.minus)
        return replace(
            self.upper,
            label="Lower",
            phi=mirrored,
            order=self.order,
            elsewhere=self.elsewhere,
            sharp_at=self.sharp_at,
        )

    def data(self) -> Data:
        """As Coq reads it."""
        fields = list(self.order), _pairs(self.elsewhere), _contact(self.sharp_at)
        return ("BinaryData", self.upper.data(), self.minus, *fields)

    def obligations(self) -> Iterator[Asked]:
        """The claims about both labels."""
        yield from self.upper.obligations()
        yield from self.lower.obligations()


TheoremData = MarginData | BinaryData


def _pairs(numbers: Sequence[tuple[int, int]]) -> list[Pair]:
    return [Pair(*pair) for pair in numbers]


def _contact(c: ContactPlace | None) -> Data:
    return _option(None if c is None else ("Contact", c.is_right, c.margin, c.top, c.of_loss, c.of_map))


def _options(number: Data | None) -> list[Part]:
    return [((), None)] if number is None else parts_of(number)


def _option(data: Data | None) -> Data:
    return "None" if data is None else ("Some", data)


def _minus(a: Data, b: Data) -> Data:
    return ("Add", a, ("Mul", MINUS_ONE, b))


def _defined(given: Conditions, data: Data) -> Iterator[Asked]:
    if not is_total(data):
        yield Asked(given, ("Ge", data, data))


def _in_turn(given: Conditions, conditions: Conditions, value: Data) -> Iterator[Asked]:
    """Conditions are defined, each where those before it hold, and the value where all do."""
    for condition in conditions:
        for side in condition[1:]:
            yield from _defined(given, side)
        given = (*given, condition)
    yield from _defined(given, value)


def _with_two(condition: Condition) -> Condition:
    """With two classes, the top margin that of the label but for its sign."""
    return put_in(1, MINUS_M, _put_two(condition))


def _put_two(condition: Condition) -> Condition:
    return put_in(2, TWO, condition)


def at_second(condition: Condition) -> Condition:
    """At the second margin."""
    return put_in(0, S, condition)


def closure(conditions: Conditions) -> Conditions:
    """With their boundary, but for those that are not about the margin."""
    closed = {"Lt": "Le", "Gt": "Ge"}
    return tuple((closed.get(s, s) if has(0, a) or has(0, b) else s, a, b) for s, a, b in conditions)


# --- certificates -----------------------------------------------------------------------------------------------------


class Shortcuts(Protocol):
    """What may make a search short; it is proved with what is found."""

    def rewritten(self, condition: Condition) -> Condition:
        """A condition that seems to be the same, in a form that may be easier to prove."""

    def seem_empty(self, conditions: Conditions) -> bool:
        """Whether they seem to hold nowhere."""


def certificates(data: TheoremData, names: Sequence[str], shortcuts: Shortcuts, search: Search) -> list[Data]:
    """Of all claims, in their order, as the verified kernel reads them.

    Parameters
    ----------
    data : MarginData or BinaryData
    names : names of the variables in claims, by their places
    shortcuts : Shortcuts
    search : function
        A proof of a claim in so many seconds, or NotFoundError.

    Raises
    ------
    OutOfScopeError
        If no proof of a claim is found, or the verified kernel has no words for it: which.
    """
    searched, found = _Searched(names, shortcuts, search), dict[Asked, Data]()
    for asked in data.obligations():
        if asked not in found:
            found[asked] = searched.certificate(asked)
    return [found[asked] for asked in data.obligations()]


@dataclass(frozen=True)
class _Searched:
    """Where certificates come from."""

    names: Sequence[str]
    shortcuts: Shortcuts
    search: Search

    def certificate(self, asked: Asked) -> Data:
        """Of a claim."""
        ways = [self._itself, self._about_nothing, self._in_other_form]
        if self.shortcuts.seem_empty(asked.given):
            ways.insert(0, ways.pop(1))
        for seconds in SECONDS:
            for way in ways:
                with suppress(OutOfScopeError):
                    return way(asked, seconds)
        return self._itself(asked, 0.0)

    def _itself(self, asked: Asked, seconds: float) -> Data:
        claim, places = kernel_claim(asked, self.names), {name: place for place, name in enumerate(self.names)}
        try:
            return certificate_data(claim, self.search(claim, seconds), places)
        except (NotFoundError, UnwrittenError) as error:
            raise OutOfScopeError(f"no certificate for Coq's claim {claim.data}: {error}") from error

    def _about_nothing(self, asked: Asked, seconds: float) -> Data:
        """What is given never holds."""
        empty = self._itself(replace(asked, then=NOWHERE), seconds)
        at_last = ("Local", Pair([], []), [("SGiven", len(asked.given))])
        return ("CLemma", condition_data(NOWHERE), empty, ("CAbsurd", at_last))

    def _in_other_form(self, asked: Asked, seconds: float) -> Data:
        """What follows is proved in another form, from which it follows in its own."""
        other = self.shortcuts.rewritten(asked.then)
        first = self._itself(replace(asked, then=other), seconds)
        then = self._itself(replace(asked, given=(*asked.given, other)), seconds)
        return ("CLemma", condition_data(other), first, then)


def kernel_claim(asked: Asked, names: Sequence[str]) -> Claim:
    """The claim as Python's kernel reads it."""
    given = tuple(kernel_relation(condition, names) for condition in asked.given)
    integers = (names[2],) if asked.of_classes else ()
    return Claim(given, kernel_relation(asked.then, names), integers)


def kernel_relation(condition: Condition, names: Sequence[str]) -> Relation:
    """The condition as Python's kernel reads it."""
    sign, left, right = condition
    return Relation(KERNEL_SIGNS[sign], _term(left, names), _term(right, names))


def _term(data: Data, names: Sequence[str]) -> Term:
    name, *rest = data
    if name in {"Int", "Rat"}:
        return Fraction(*map(int, rest))
    if name == "Var":
        return str(names[rest[0]])
    inside = _term(rest[0], names)
    if name in {"Add", "Mul"}:
        return ("+" if name == "Add" else "*", inside, _term(rest[1], names))
    if name == "Pow":
        return ("^", inside, rest[1])
    if name == "Inv":
        base, power = inside[1:] if isinstance(inside, tuple) and inside[0] == "^" and inside[2] > 1 else (inside, 1)
        return ("^", base, -power)
    if name in {"Exp", "Ln"}:
        return ("exp" if name == "Exp" else "log", inside)
    return ("root", inside, 2 if name == "Sqrt" else rest[1] + 1)
