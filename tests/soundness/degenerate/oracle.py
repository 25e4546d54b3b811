"""Is the theorem that a description claims false? Decided by exact points, from the definitions alone.

What must hold for every integer K >= 2 claimed and all parameters in range: everything has a value; the loss is not
negative and convex in W (convex in its scalar, and not increasing for K >= 3); the gap map is in [0, 1]; the learning
rate is positive and 1/(2 eta) at most the regret; the surrogate gap is at most 0 for every round and subgradient.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise, product

import flint

from degenerate.describe import Description, Node, names, nodes
from degenerate.evaluate import (
    BITS,
    NEAR,
    Number,
    UndefinedError,
    UnsureError,
    ball,
    below,
    equal,
    minus,
    mirrored,
    one_sided,
    over,
    plus,
    times,
    value,
)

ZERO, ONE = Fraction(0), Fraction(1)
COUNTS = (2, 3, 5, 10, 100, 1000, 10**6)
MARGINS = tuple(map(Fraction, (0, 0.25, 0.5, 0.75, 1, 1.5, 3, 20)))
ODDS = (
    *(Fraction(1, n) for n in (1, 2, 3, 4, 8, 100)),
    *map(Fraction, (2, 3, 4, 8, 100)),
    Fraction(3, 5),
    Fraction(5, 3),
)
LOOSE = (ZERO, ONE, -ONE, Fraction(1000), Fraction(-1000))  # values of a parameter without a bound
SMALL = Fraction(1, 10**9)
MOST_SETTINGS = 12


Known = dict[tuple, object]  # values and slopes that do not depend on the K and parameters that change


@dataclass(frozen=True)
class Violation:
    """What breaks the theorem, and where."""

    what: str
    where: dict[str, object]

    def __str__(self) -> str:
        return f"{self.what} at " + ", ".join(f"{name} = {shown(found)}" for name, found in self.where.items())


def shown(found: object) -> str:
    """A number for people; one that is ``NEAR`` another is written so."""
    if not isinstance(found, Fraction) or found.denominator < 10**30:
        return str(found)
    simple = found.limit_denominator(10**12)
    if abs(found - simple) == NEAR:
        return f"{simple} {'+' if found > simple else '-'} 1e-200"
    return f"{float(found):.6g}"


class BrokenError(Exception):
    """Carries the violation that was found."""

    def __init__(self, what: str, where: dict[str, object]) -> None:
        super().__init__(what)
        self.violation = Violation(what, where)


def violation(described: Description) -> Violation | None:
    """A violation found on the oracle's points, or None."""
    with flint.ctx.workprec(BITS):
        try:
            known: Known = {}
            for setting in _settings(described):
                _Claimed(described, setting, known).examine()
        except BrokenError as broken:
            return broken.violation
    return None


@lru_cache(maxsize=5000)
def free_names(tree: Node) -> frozenset[str]:
    """The names that occur in the expression."""
    return names(tree)


def _constants(*trees: Node | None) -> set[Fraction]:
    """The numbers written in the expressions."""
    return {n.parts[1] for tree in trees if tree is not None for n in nodes(tree) if n.head == "number"}


def class_counts(described: Description) -> list[int]:
    """The K to try: small and large ones, the ends of the range, and the integers around every number written."""
    found = {*COUNTS, described.first, described.last or 2}
    for constant in _constants(*described.expressions().values()):
        found |= {int(constant) + step for step in (-1, 0, 1, 2)} if 1 < abs(constant) < 10**31 else set()
    return sorted(count for count in found if count >= 2 and described.claims(count))


def _settings(described: Description) -> Iterator[dict[str, Fraction]]:
    """Values of K and of the parameters."""
    used = set().union(*map(names, described.expressions().values()))
    choices = []
    for parameter in described.parameters:
        if parameter.variable in used:
            low, high = (None if end is None else end.parts[1] for end in (parameter.low, parameter.high))
            choices.append((parameter.variable, _values(low, high)))
    values = [dict(zip((v for v, _ in choices), row, strict=True)) for row in product(*(c for _, c in choices))]
    for count, chosen in product(class_counts(described), values[:MOST_SETTINGS]):
        yield {"K": Fraction(count), **chosen}


def _values(low: Fraction | None, high: Fraction | None) -> list[Fraction]:
    ends = [end for end in (high, low) if end is not None]
    middle = [(low + high) / 2] if None not in (low, high) else []
    inside = [v for v in LOOSE if (low is None or v >= low) and (high is None or v <= high)]
    return list(dict.fromkeys([*ends, *middle, *inside]))


class _Claimed:
    """The theorem for one K and one choice of parameters."""

    def __init__(self, described: Description, setting: dict[str, Fraction], known: Known) -> None:
        self.described, self.setting, self.count, self.known = described, setting, setting["K"], known
        self.variable = {"margin": "m", "softmax": "p", "binary": "z"}[described.kind]

    def examine(self) -> None:
        """Raises BrokenError with the first violation."""
        eta = self._numbers()
        off = self._number("off_above")
        cost = self._number("abstention_cost")
        if cost is not None and self._surely(cost, ZERO):
            raise BrokenError("the abstention cost is negative", self.setting)
        for label, side in self._sides():
            self._loss(label, side)
        a = self._gap_map()
        if eta is None:
            return
        for label, side in self._sides():
            rounds = {"margin": self._margin_rounds, "softmax": self._softmax_rounds, "binary": self._binary_rounds}
            rounds[self.described.kind](side, a, eta, off, cost, label)

    def _surely(self, left: Number, right: Number) -> bool:
        try:
            return below(left, right)
        except UnsureError:
            return False

    def _number(self, argument: str) -> Number | None:
        tree = self.described.expressions().get(argument)
        try:
            return None if tree is None else value(tree, self.setting)
        except UndefinedError as error:
            raise BrokenError(f"{argument} is undefined ({error})", self.setting) from error
        except UnsureError:
            return None

    def _numbers(self) -> Number | None:
        """The learning rate; it and the regret are as they must be."""
        rate, regret = self._number("learning_rate"), self._number("regret")
        if self.described.learning_rate is None and regret is not None:
            if equal(regret, ZERO):
                raise BrokenError("the learning rate 1/(2 regret) is undefined", self.setting)
            rate = over(ONE, times(Fraction(2), regret))
        if rate is not None and not self._surely(ZERO, rate):
            if isinstance(rate, Fraction) or rate <= 0:
                raise BrokenError("the learning rate is not positive", {**self.setting, "learning_rate": rate})
            return None
        if rate is not None and regret is not None and self._surely(regret, over(ONE, times(Fraction(2), rate))):
            raise BrokenError("the regret is less than 1/(2 eta)", {**self.setting, "regret": regret})
        return rate

    def _sides(self) -> list[tuple[int, Node]]:
        """The functions that make up the loss, with the label of a binary one."""
        described = self.described
        if described.kind != "binary":
            return [(1, described.loss)]
        other = described.minus if described.minus is not None else mirrored(described.loss, "z")
        return [(1, described.loss), (-1, other)]

    def _points(self) -> list[Fraction]:
        """Where the functions are looked at: simple values, the numbers written and places beside them."""
        described, count = self.described, self.count
        trees = (described.loss, described.minus, described.gap_map, described.off_above)
        values = [setting for name, setting in self.setting.items() if name != "K"]
        near = {abs(c) for c in _constants(*trees)} | {ZERO, ONE, 1 / count, *map(abs, values)}
        found = near | {c + step for c in near for step in (-NEAR, NEAR, SMALL, -SMALL)}
        if described.kind == "softmax":
            found |= {odds / (1 + odds) for odds in ODDS}
            return sorted(c for c in found if 0 < c < 1)
        found |= {*MARGINS, 1 / (2 * count), 2 / count}
        return sorted(found | {-c for c in found})

    def _key(self, tree: Node, place: Fraction) -> tuple:
        return id(tree), place, *(self.setting[name] for name in sorted(free_names(tree)) if name in self.setting)

    def _at(self, tree: Node, argument: str, variable: str, place: Fraction) -> Number | None:
        key = ("value", *self._key(tree, place))
        if key not in self.known:
            point = {**self.setting, variable: place}
            try:
                self.known[key] = value(tree, point)
            except UndefinedError as error:
                raise BrokenError(f"{argument} is undefined ({error})", point) from error
            except UnsureError:
                self.known[key] = None
        return self.known[key]

    def _loss(self, label: int, side: Node) -> None:
        """Defined, not negative, convex, and not increasing if there are more than two classes."""
        places = self._points()
        argument = "loss" if self.described.kind != "binary" else f"loss of label {label}"
        graph = [(place, self._at(side, argument, self.variable, place)) for place in places]
        for place, found in graph:
            if found is not None and self._surely(found, ZERO):
                raise BrokenError(f"{argument} is negative", {**self.setting, self.variable: place, "value": found})
        known = [(place, found) for place, found in graph if found is not None]
        if self.count > 2:
            for (x, at_x), (y, at_y) in pairwise(known):
                if self._surely(at_x, at_y):
                    raise BrokenError(f"{argument} increases", {**self.setting, "from": x, "to": y})
        if self.described.kind == "softmax":
            self._convex_in_scores(argument, side)
        else:
            self._convex(argument, known)

    def _convex(self, argument: str, graph: list[tuple[Fraction, Number]]) -> None:
        for (x, at_x), (y, at_y), (w, at_w) in zip(graph, graph[1:], graph[2:], strict=False):
            left, right = times(minus(at_y, at_x), w - y), times(minus(at_w, at_y), y - x)
            if self._surely(right, left):
                raise BrokenError(f"{argument} is not convex", {**self.setting, "left": x, "middle": y, "right": w})

    def _convex_in_scores(self, argument: str, psi: Node) -> None:
        """Odds in geometric progression are scores on a line."""
        for odds, factor in product(ODDS, (Fraction(2), Fraction(1001, 1000), 1 + SMALL)):
            places = [o / (1 + o) for o in (odds / factor, odds, odds * factor)]
            low, middle, high = (self._at(psi, argument, "p", place) for place in places)
            if None not in (low, middle, high) and self._surely(plus(low, high), times(Fraction(2), middle)):
                raise BrokenError(f"{argument} is not convex in the scores", {**self.setting, "p": places})

    def _gap_map(self) -> dict[Fraction, Number]:
        """The gap map on its domain, in [0, 1]."""
        softmax, tree = self.described.kind == "softmax", self.described.gap_map
        variable = "p" if softmax else "m"
        found = {}
        for place in self._points():
            if place < (1 / self.count if softmax else 0):
                continue
            a = self._at(tree, "gap_map", variable, place)
            if a is None:
                continue
            if self._surely(a, ZERO) or self._surely(ONE, a):
                raise BrokenError("gap_map is not in [0, 1]", {**self.setting, variable: place, "value": a})
            found[place] = a
        return found

    def _risks(self, a: Number, cost: Number | None) -> tuple[Number, Number]:
        """P(wrong) if the top label is right, and if it is wrong; an abstention costs ``cost``."""
        if cost is not None:
            return times(a, cost), plus(minus(ONE, a), times(a, cost))
        return times(a, (self.count - 1) / self.count), minus(ONE, times(a, 1 / self.count))

    def _slopes(self, side: Node, place: Fraction) -> list[tuple[str, Number]]:
        """The squares of the subgradients at the ends: the derivatives from the left and from the right."""
        key = ("slopes", *self._key(side, place))
        if key not in self.known:
            self.known[key] = list(self._new_slopes(side, place))
        return self.known[key]

    def _new_slopes(self, side: Node, place: Fraction) -> Iterator[tuple[str, Number]]:
        for name, sign in (("left", -1), ("right", 1)):
            point = {**self.setting, self.variable: place}
            try:
                limit, derivative = one_sided(side, point, self.variable, sign)
                if equal(limit, value(side, point)):
                    yield name, times(derivative, derivative)
            except UnsureError:
                continue

    def _costs(self, side: Node, places: list[Fraction], weight: Number) -> Iterator[tuple[Fraction, str, Number]]:
        """loss - weight * slope^2 at every place, for both subgradients."""
        for place in places:
            found = self._at(side, "loss", self.variable, place)
            if found is None:
                continue
            for name, square in self._slopes(side, place):
                yield place, name, minus(found, times(weight, square))

    def _round(self, gap: Number, where: dict[str, object]) -> None:
        if self._surely(ZERO, gap):
            found = gap if isinstance(gap, Fraction) else ball(gap).str(12)
            raise BrokenError("the surrogate gap is positive", {**self.setting, **where, "gap": found})

    def _margin_rounds(
        self, phi: Node, a: dict[Fraction, Number], eta: Number, off: Number | None, cost: Number | None, label: int
    ) -> None:
        del label
        places = sorted(a)
        for place, end, lost in self._costs(phi, places, eta):
            risk = self._risks(a[place], cost)[0]
            try:
                is_off = self.described.off_above is not None and (off is None or below(off, place))
            except UnsureError:
                continue
            if not is_off:
                self._round(minus(risk, lost), {"right, m": place, "subgradient": end})
            elif off is not None:
                self._round(risk, {"right and off, m": place})
        for (place, end, lost), (top, share) in zip(*self._wrong_margins(phi, places, a, eta), strict=True):
            self._round(minus(self._risks(share, cost)[1], lost), {"wrong, t": -place, "s": top, "subgradient": end})

    def _wrong_margins(self, phi: Node, places: list[Fraction], a: dict[Fraction, Number], eta: Number) -> tuple:
        """The cost at every -t, and the s <= t (s = t for two classes) with the smallest share of the gap map."""
        least = dict(zip(places, accumulate(places, lambda x, y: y if self._surely(a[y], a[x]) else x), strict=True))
        costs, tops = [], []
        for place, end, lost in self._costs(phi, [-t for t in places], eta):
            top = -place if self.count == 2 else least[-place]
            costs.append((place, end, lost))
            tops.append((top, a[top]))
        return costs, tops

    def _binary_rounds(
        self, side: Node, a: dict[Fraction, Number], eta: Number, off: Number | None, cost: Number | None, label: int
    ) -> None:
        del off
        places = sorted({*a, *(-place for place in a)})
        for place, end, lost in self._costs(side, places, eta / 2):
            right = (1 if place >= 0 else -1) == label
            risk = self._risks(a[abs(place)], cost)[0 if right else 1]
            self._round(minus(risk, lost), {"label": label, "z": place, "subgradient": end})

    def _softmax_rounds(
        self, psi: Node, a: dict[Fraction, Number], eta: Number, off: Number | None, cost: Number | None, label: int
    ) -> None:
        """Exact probability vectors: the others of a right round as unequal as they may be, and the same of a wrong."""
        del off, label
        places = sorted(a)
        for top in places:
            true, rest = top, 1 - top
            self._softmax_round(psi, eta, true, _spread(rest, top, int(self.count) - 1), self._risks(a[top], cost)[0])
        simple = [place for place in places if place.denominator < 10**6]
        for top, q in product(simple, sorted({*simple, *(1 - place for place in simple)})):
            rest = 1 - top - q
            if not 0 < q <= top or rest < 0 or (self.count == 2) != (rest == 0):
                continue
            others = _spread(rest, top, int(self.count) - 2)
            if others is not None:
                self._softmax_round(psi, eta, q, [top, *others], self._risks(a[top], cost)[1])

    def _softmax_round(self, psi: Node, eta: Number, true: Fraction, others: list | None, risk: Number) -> None:
        if others is None:
            return
        norm = (1 - true) ** 2 + sum(other**2 for other in others)
        for _, end, lost in self._costs(psi, [true], times(eta / 2, norm * true**2)):
            where = {"true label's p": true, "others": list(map(shown, others[:4])), "subgradient": end}
            self._round(minus(risk, lost), where)


def _spread(mass: Fraction, most: Fraction, count: int) -> list[Fraction] | None:
    """``mass`` over ``count`` labels, at most ``most`` each and all positive; None if that is not possible."""
    if count == 0:
        return [] if mass == 0 else None
    tiny = min(Fraction(1, 10**12) / count, mass / (2 * count)) if mass > 0 else ZERO
    if mass <= 0 or count > 200:
        return None
    shares = []
    left = mass
    for later in range(count - 1, -1, -1):
        share = min(left - tiny * later, most)
        shares.append(share)
        left -= share
    return shares if left == 0 and all(0 < share <= most for share in shares) else None
