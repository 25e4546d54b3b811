"""Descriptions from seeds: a true theorem put through changes that keep it true, or may break it.

A change rewrites one expression of the theorem (in its variable, or in K alone). Those in ``KEEP`` do not change what
is claimed where it is claimed, or claim less; a theorem made by them alone is true by construction. What those in
``BREAK`` do is for the oracle to say.
"""

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from random import Random

from degenerate.bases import COMMON, LESS_COMMON, RARE, for_two
from degenerate.describe import TRUE, Description, K, Node, Range, function, literal, name, node, nodes, piecewise
from degenerate.evaluate import UndefinedError, UnsureError, value

LABELS = ("w", "w", "v", "m_copy1", "K_copy1", "exp_m")
MILLIONTH, TRILLIONTH = Fraction(1, 10**6), literal("1e-12")
LARGEST, TRIES = 90, 100
HUGE = literal("10**30")
MARGIN_PLACES = (Fraction(0), Fraction(0), Fraction(1, 2), Fraction(1), Fraction(2))
PROBABILITY_PLACES = (Fraction(1, 2), Fraction(1, 4), Fraction(3, 4))


def larger(*arguments: object) -> Node:
    return function("Max", *arguments)


def smaller(*arguments: object) -> Node:
    return function("Min", *arguments)


def sqrt(argument: object) -> Node:
    return function("sqrt", node(argument))


def log(argument: object) -> Node:
    return function("log", node(argument))


@dataclass
class Slot:
    """The expression being changed: of which argument, in which variable, and where else it may be changed."""

    rng: Random
    described: Description
    argument: str
    parameters: list[Range] = field(default_factory=list)

    @property
    def variable(self) -> Node | None:
        """None for an expression in K alone."""
        if self.argument in ("loss", "minus"):
            return name({"margin": "m", "softmax": "p", "binary": "z"}[self.described.kind])
        if self.argument == "gap_map":
            return name("p" if self.described.kind == "softmax" else "m")
        return None

    @property
    def v(self) -> Node:
        """The variable in which it may be split: its own, or K."""
        return self.variable or K

    @property
    def has_k(self) -> bool:
        """Whether K may occur."""
        return self.described.kind != "binary"

    def place(self) -> Fraction:
        """A simple value of the variable."""
        if self.variable is None:
            return Fraction(self.rng.choice((2, 3, 4, 100)))
        if self.variable == name("p"):
            return self.rng.choice(PROBABILITY_PLACES)
        negative = [Fraction(-1)] if self.argument in ("loss", "minus") else []
        return self.rng.choice([*MARGIN_PLACES, *negative])

    def parameter(self, low: Node | None, high: Node | None) -> Node:
        """A new parameter with this range; the name may have been given before."""
        variable = f"w{len(self.described.parameters) + len(self.parameters)}"
        self.parameters.append(Range(variable, self.rng.choice(LABELS), low, high))
        return name(variable)

    def junk(self) -> Node:
        """Something that must never be read."""
        v = self.v
        return self.rng.choice([node(-1), v**3, HUGE, log(v - 10**6), 1 / v, node(Fraction(1, 8)), sqrt(-1 - v**2)])

    def same_from(self, expression: Node, place: object) -> Node:
        """Equal to the expression from the place on."""
        return expression + larger(node(place) - self.v, 0)

    def disguised(self, expression: Node) -> Node:
        """Equal to the expression; two equal pieces would be made one when the file is read, and lose a condition."""
        return expression + larger(2 * self.v - 10, 0) - 2 * larger(self.v - 5, 0)

    def at(self, expression: Node, place: Fraction) -> Node:
        """The value at a place as a number, or the expression itself if it is not one."""
        try:
            found = value(expression, {str(self.v.parts[0]): place})
        except (KeyError, UndefinedError, UnsureError):
            return expression
        return node(found) if isinstance(found, Fraction) else expression

    def always(self) -> Node:
        """A condition that holds everywhere."""
        v = self.v
        choices = [
            (v + 1) ** 2 <= v**2 + 2 * v + 1,
            (v - 1) ** 2 >= v**2 - 2 * v + 1,
            function("Eq", (v + 1) ** 2, v**2 + 2 * v + 1),
            function("Abs", v) >= v,
            larger(v, -v) >= 0,
            v**2 + 1 > 0,
            function("Or", v <= 1, v >= 1),
            2 * v <= v + v,
        ]
        return self.rng.choice(choices)

    def never(self) -> Node:
        """A condition that holds nowhere."""
        v = self.v
        choices = [
            (v + 1) ** 2 < v**2 + 2 * v + 1,
            function("Ne", (v + 1) ** 2, v**2 + 2 * v + 1),
            v**2 + 1 <= 0,
            function("Abs", v) < v,
            function("And", v < 1, v > 1),
            function("And", v <= 0, v >= 1),
            function("Eq", v**2, -1),
        ]
        if self.has_k:
            choices += [K < 2, function("Eq", K, Fraction(5, 2)), function("And", K > 2, K < 3), 2 * K <= 3]
        return self.rng.choice(choices)

    def undefined_below(self, place: Fraction) -> Node:
        """A condition that is true above the place (far enough) and has no truth value below, or at, it."""
        v = self.v
        here = v - place if place else v
        return self.rng.choice([sqrt(here) >= 0, log(here) < HUGE, 1 / sqrt(here) > 0, sqrt(here) < 10**9])


Change = Callable[[Slot, Node], Node | None]  # None if it does not apply


# --- what stays true ---------------------------------------------------------------------------------------------


def point_apart(slot: Slot, e: Node) -> Node:
    place = slot.place()
    there = function("Eq", slot.v, place)
    pairs = [(slot.at(e, place), there), (e, TRUE)]
    return piecewise(*([(e, slot.v < place)] if slot.rng.random() < 0.5 else []), *pairs)


def touching(slot: Slot, e: Node) -> Node:
    place = slot.place()
    last = TRUE if slot.rng.random() < 0.5 else slot.v >= place
    return piecewise((e, slot.v <= place), (slot.same_from(e, place), last))


def overlapping(slot: Slot, e: Node) -> Node:
    place = slot.place()
    return piecewise((e, slot.v <= place + 1), (slot.same_from(e, place), slot.v >= place))


def tautology(slot: Slot, e: Node) -> Node:
    return piecewise((e, slot.always()), (slot.junk(), TRUE))


def never_true(slot: Slot, e: Node) -> Node:
    return piecewise((slot.junk(), slot.never()), (e, TRUE))


def by_classes(slot: Slot, e: Node) -> Node | None:
    if not slot.has_k:
        return None
    other = slot.rng.choice(
        [e, e + larger(2 - K, 0), e + larger(Fraction(1, 2) - function("Abs", K - Fraction(5, 2)), 0)]
    )
    choices = [
        ((e, function("Eq", K, 2)), (other, K >= 3)),
        ((e, K < 3), (other, TRUE)),
        ((e, function("Ne", K, 4)), (other, TRUE)),
        ((e, K <= 100), (other, TRUE)),
        ((e, K <= 100), (other, K >= 101)),
        ((e, function("Eq", K, 2)), (other, function("Eq", K, 3)), (e, TRUE)),
    ]
    return piecewise(*slot.rng.choice(choices))


def zero_added(slot: Slot, e: Node) -> Node:
    v = slot.v
    zeros = [
        larger(2 * v, 0) - 2 * larger(v, 0),
        function("Abs", v) - larger(v, -v),
        smaller(v, 1) + larger(v, 1) - v - 1,
        larger(v, -v, v) - function("Abs", v),
        larger(-(v**2), 0),
    ]
    return e + slot.rng.choice(zeros)


def ties(slot: Slot, e: Node) -> Node:
    return slot.rng.choice(
        [larger(e, e - 1, e), smaller(e, e + 1), larger(e, e), smaller(e, larger(e, e), e), larger(e, 0)]
    )


def one_value(slot: Slot, e: Node) -> Node:
    ends = slot.rng.choice([(node(1), node(1)), (literal("1.0"), node(1))])
    w = slot.parameter(*ends)
    choices = [w * e, e + w - 1, piecewise((e, slot.v <= w), (slot.same_from(e, 1), TRUE)), e / w, larger(e, e - w)]
    return slot.rng.choice(choices)


def huge_places(slot: Slot, e: Node) -> Node:
    v, far = slot.v, slot.rng.choice([HUGE, TRILLIONTH, literal("1e+22"), literal("0.1")])
    choices = [
        piecewise((e, v <= far), (slot.same_from(e, far), TRUE)),
        piecewise((e, v < far), (e + larger(far - v, 0), v >= far)),
        larger(e, -far),
        smaller(e, e + far),
    ]
    return slot.rng.choice(choices)


def undefined_elsewhere(slot: Slot, e: Node) -> Node:
    """Below, and at, the place another condition has been met."""
    place = slot.place()
    return piecewise((e, slot.v <= place), (slot.same_from(e, place), slot.undefined_below(place)), (slot.junk(), TRUE))


def raised(slot: Slot, e: Node) -> Node | None:
    """A larger loss, by a constant: the gap is smaller."""
    if slot.argument not in ("loss", "minus"):
        return None
    w = slot.rng.choice(
        [TRILLIONTH, node(Fraction(1, 8)), slot.parameter(node(0), node(1)), slot.parameter(node(0), None)]
    )
    return e + w


def smaller_rate(slot: Slot, e: Node) -> Node | None:
    if slot.argument != "learning_rate" or slot.described.regret is not None:
        return None
    w = slot.parameter(node(Fraction(1, 2)), node(1))
    factor = slot.rng.choice([w, node(Fraction(99, 100)), node(1 - MILLIONTH), node(Fraction(1, 10**30)), 2 ** (-K)])
    fewer = [piecewise((e, K <= 100), (e / 2, TRUE)), piecewise((e, function("Eq", K, 2)), (e / K, TRUE))]
    poles = [e * smaller(1, 1 / (2 * K - 5) ** 2), e * smaller(1, function("Abs", 1 / (2 * K - 7)))]
    return slot.rng.choice([e * factor, e * factor, *fewer, *poles, smaller(e, 2 * e), e / sqrt(K), e / (1 + log(K))])


def larger_regret(slot: Slot, e: Node) -> Node | None:
    if slot.argument != "regret":
        return None
    more = [TRILLIONTH, larger(K - 10, 0), sqrt(K), log(K), 2 ** (-K), function("Abs", 1 / (2 * K - 5)), HUGE,
            slot.parameter(node(0), None), sqrt(K - 2), piecewise((0, K <= 1000), (sqrt(K - 1000), TRUE))]  # fmt: skip
    return slot.rng.choice([e + slot.rng.choice(more), e * Fraction(101, 100), e * slot.parameter(node(1), node(2))])


KEEP: tuple[Change, ...] = (
    point_apart,
    touching,
    overlapping,
    tautology,
    never_true,
    by_classes,
    zero_added,
    ties,
    one_value,
    huge_places,
    undefined_elsewhere,
    raised,
    smaller_rate,
    larger_regret,
)


# --- what may break it -------------------------------------------------------------------------------------------


def shift(slot: Slot) -> Node:
    return slot.rng.choice([node(Fraction(1, 8)), TRILLIONTH, HUGE, node(Fraction(-1, 8)), literal("-1e-12"), -HUGE])


def factor(slot: Slot) -> Node:
    choices = [
        node(f) for f in (Fraction(1, 2), 2, Fraction(101, 100), 1 + MILLIONTH, 1 - MILLIONTH, 1 + MILLIONTH**3, -1)
    ]
    return slot.rng.choice(choices)


def changed(slot: Slot, e: Node) -> Node:
    """The expression, a little or much different."""
    return slot.rng.choice([e * factor(slot), e + shift(slot)])


def another_point(slot: Slot, e: Node) -> Node:
    place = slot.place()
    there = function("Eq", slot.v, place)
    return piecewise((slot.at(e, place) + shift(slot), there), (e, TRUE))


def hole(slot: Slot, e: Node) -> Node:
    place = slot.place()
    v, other = slot.v, slot.same_from(e, place)
    choices = [
        ((e, v < place), (other, v > place)),
        ((e, function("Ne", v, place)),),
        ((e, v <= place), (other, v > place + Fraction(1, 10**9))),
        ((e, v <= place), (other, v >= place + 1)),
        ((e, v <= 1000),),
        ((e, v < HUGE), (other, v > HUGE)),
        ((e, slot.never()),),
    ]
    return piecewise(*slot.rng.choice(choices))


def jump(slot: Slot, e: Node) -> Node:
    place = slot.place()
    return piecewise((e, slot.v <= place), (changed(slot, e), slot.v >= place))


def other_by_classes(slot: Slot, e: Node) -> Node | None:
    if not slot.has_k:
        return None
    other = changed(slot, e)
    choices = [
        ((other, function("Eq", K, 2)), (e, K >= 3)),
        ((e, K < 3), (other, TRUE)),
        ((e, function("Ne", K, 4)), (other, TRUE)),
        ((e, K <= 100), (other, TRUE)),
        ((e, K <= 100),),
        ((e, K >= 3),),
        ((e, K < 41), (e, K > 41)),
        ((e, function("Eq", K, 2)), (e, K >= 4)),
        ((e, function("Ne", K, 1000)), (other, TRUE)),
        ((other, function("Eq", K, Fraction(5, 2))), (e, TRUE)),
    ]
    return piecewise(*slot.rng.choice(choices))


def undefined_condition(slot: Slot, e: Node) -> Node:
    v, place = slot.v, slot.place()
    condition = slot.rng.choice(
        [slot.undefined_below(place), 1 / v >= 0, log(v) <= 1, sqrt(1000 - v) >= 0, 1 / (v - place) > 0]
    )
    first = slot.rng.choice([slot.disguised(e), changed(slot, e)])
    return piecewise((first, condition), (e, TRUE)) if slot.rng.random() < 0.7 else piecewise((first, condition))


def wrong_always(slot: Slot, e: Node) -> Node:
    """The changed expression holds everywhere, and does not look so."""
    return piecewise((changed(slot, e), slot.always()), (e, TRUE))


def wrong_never(slot: Slot, e: Node) -> Node:
    return piecewise((e, slot.never()), (changed(slot, e), TRUE))


def slightly_wrong(slot: Slot, e: Node) -> Node:
    return changed(slot, e)


def undefined_term(slot: Slot, e: Node) -> Node:
    v, place = slot.v, slot.place()
    terms = [sqrt(1000 - v), log(v), 1 / (v - place), sqrt(v - 3), log(1000 - v), 1 / v, sqrt(10**6 - v)]
    return e + slot.rng.choice([Fraction(1), Fraction(1, 1000)]) * slot.rng.choice(terms)


def wrong_parameter(slot: Slot, e: Node) -> Node:
    """A parameter whose range is not what its name, or its twin, suggests."""
    ends = [(1, 2), (2, 2), (Fraction(1, 2), 1), (0, 1), (1, 1 + MILLIONTH), (1, None), (0, 0), (-1, 1)]
    low, high = (None if end is None else node(end) for end in slot.rng.choice(ends))
    w = slot.parameter(low, high)
    if slot.rng.random() < 0.4:
        twin = Range(f"{w.parts[0]}_twin", slot.parameters[-1].label, node(1), node(1))
        slot.parameters.append(twin)
        return slot.rng.choice([e * name(twin.variable) * w, e * w / name(twin.variable), e + w - name(twin.variable)])
    return slot.rng.choice([e * w, e + w - 1, piecewise((e, slot.v <= w), (changed(slot, e), TRUE)), larger(e, w)])


def kinked(slot: Slot, e: Node) -> Node:
    v, place = slot.v, slot.place()
    bends = [larger(v - place, 0), function("Abs", v - place), larger(place - v, 0), larger(2 * v, 0) - larger(v, 0)]
    return e + slot.rng.choice([Fraction(1), Fraction(1, 10**6), Fraction(-1, 10**6)]) * slot.rng.choice(bends)


def wrong_at_large_k(slot: Slot, e: Node) -> Node | None:
    if not slot.has_k:
        return None
    more = [larger(K - 999, 0) / 10**9, larger(K - 10**5, 0), -larger(K - 999, 0) / 10**3, sqrt(1000 - K)]
    return slot.rng.choice([e + slot.rng.choice(more), e * sqrt(K / 2), e * (1 + log(K / 2)), e * larger(1, K / 500)])


def near_number(slot: Slot, e: Node) -> Node | None:
    """The float next to the number, or one a few further on."""
    if e.head != "number" or e.parts[1] in (0, 1):
        return None
    found = float(e.parts[1])
    return literal(repr(found * (1 + slot.rng.choice([-16, -2, 2, 16]) * 2.0**-52)))


BREAK: tuple[Change, ...] = (
    another_point,
    hole,
    jump,
    other_by_classes,
    undefined_condition,
    wrong_always,
    wrong_never,
    slightly_wrong,
    undefined_term,
    wrong_parameter,
    kinked,
    wrong_at_large_k,
    near_number,
)


@dataclass(frozen=True)
class Generated:
    """A description, the changes that made it, and whether it is true by construction."""

    seed: int
    described: Description
    changes: tuple[str, ...]
    kept: bool


def generate(seed: int, largest: int = LARGEST) -> Generated:
    """The description of a seed, of at most this size."""
    rng = Random(seed)
    described = _base(rng)
    changes, kept = [], True
    keeps = rng.random() < 0.5
    wanted = rng.choice((1, 1, 1, 2))
    for _ in range(TRIES):
        if len(changes) == wanted:
            break
        breaking = not keeps and (not changes or rng.random() < 0.3)
        found = _changed(rng, described, rng.choice(BREAK if breaking else KEEP))
        if found is not None and size(found[0]) <= largest:
            described, label = found
            changes.append(label)
            kept = kept and not breaking
    return Generated(seed, described, tuple(changes), kept)


def size(described: Description) -> int:
    """The number of operations, names and numbers."""
    return sum(1 for tree in described.expressions().values() for _ in nodes(tree))


def _base(rng: Random) -> Description:
    described = rng.choice(rng.choices((COMMON, LESS_COMMON, RARE), (80, 17, 3))[0])
    if described.kind == "margin" and not described.parameters and described.classes is None:
        some = replace(described, classes=rng.choice([3, (2, 5), (2, 2), (3, 999)]))
        described = rng.choice([described, described, described, for_two(described), some])
    without = rng.random()
    if without < 0.4:
        return replace(described, regret=None)
    implied = without < 0.5 and described.regret is not None
    return replace(described, learning_rate=None) if implied else described


def _changed(rng: Random, described: Description, change: Change) -> tuple[Description, str] | None:
    """The description with one expression changed, and what was done."""
    expressions = described.expressions()
    argument = rng.choice([a for a in expressions for _ in range(3 if a in ("loss", "gap_map") else 2)])
    slot = Slot(rng, described, argument)
    found = change(slot, expressions[argument])
    if found is None:
        return None
    parameters = (*described.parameters, *slot.parameters)
    return replace(described, parameters=parameters, **{argument: found}), f"{change.__name__} of {argument}"
