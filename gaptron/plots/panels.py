"""What is drawn of a theorem, as numbers: its loss, its gap map, and the largest surrogate gap at each margin."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import product
from operator import itemgetter
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gaptron.numbers.evaluate import UncertainError, is_less, value_at
from gaptron.numbers.kinds import Doubles, Number, plain
from gaptron.prove.counterexample import any_value
from gaptron.prove.exact_text import exact
from gaptron.prove.replayed_round import gap_terms
from gaptron.rounds.geometry import geometry_of
from gaptron.rounds.layouts import COLUMNS, VECTORS
from gaptron.rounds.proximal import proximal_steps
from gaptron.rounds.surrogate import RoundAt, of_theorem
from gaptron.system.digits import number
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.theorem import Theorem

Array = NDArray[np.float64]
T = TypeVar("T", Theorem, StructuredTheorem)
MARGINS = (-1.5, 1.5)
POINTS = 241
LOWEST, HIGHEST = -1.0, 5.0
SHARES = np.linspace(0, 1, 21)  # where the labels are that are neither the true one nor its best rival
SIDES = {"label +1": 0, "label -1": 1}
ABOVE = 1e-9  # rounding of doubles
GRID = 1000  # the largest denominator of a witness
CONDITIONS = (GAP, NEED, CRITERION) = ("surrogate gap", "what the labels need", "criterion")


@dataclass(frozen=True)
class Panel:
    """Curves over one axis for one number of classes: ``lines`` by name, each (n,) as ``x``; NaN where not defined.

    ``witness`` is a round near the largest surrogate gap, with the exact gap, if that is above 0.
    """

    title: str
    x_label: str
    y_label: str
    x: Array
    lines: Mapping[str, Array]
    witness: str | None = None

    @property
    def must_not_be_positive(self) -> bool:
        """Whether a value above 0 breaks the theorem's condition."""
        return self.title in CONDITIONS

    @property
    def worst(self) -> tuple[float, float]:
        """Where the curves are highest, and how high."""
        values = np.max(np.array(list(self.lines.values())), axis=0)
        place = int(np.nanargmax(values))
        return float(self.x[place]), float(values[place])


@dataclass(frozen=True)
class Plot:
    """The panels of a theorem for each number of classes, or size, and what has to be said beside them."""

    theorem: Theorem | StructuredTheorem
    panels: Mapping[int, tuple[Panel, ...]]
    notes: tuple[str, ...]

    @property
    def size(self) -> str:
        """What the panels are numbered by: K, or the size of a structured theorem's outputs."""
        return str(self.theorem.size) if isinstance(self.theorem, StructuredTheorem) else "K"

    def range(self, place: int) -> tuple[float, float]:
        """The values to show of the panels in this place, with some room: large losses and low gaps are cut off."""
        found = np.concatenate([line for panels in self.panels.values() for line in panels[place].lines.values()])
        finite = found[np.isfinite(found)]
        low, high = (max(finite.min(), LOWEST), min(finite.max(), HIGHEST)) if len(finite) else (0.0, 0.0)
        low, high = min(float(low), 0.0), max(float(high), 0.1)
        room = (high - low) / 20
        return low - room, high + room


def plotted(theorem: Theorem, n_classes: Sequence[int], margins: tuple[float, float] = MARGINS) -> Plot:
    """The theorem for those of ``n_classes`` that it claims, over these margins (z for a BinaryLoss).

    A softmax loss is drawn over the probability of the true label. Raises ValueError if it claims none of them.
    """
    claimed = [n for n in n_classes if theorem.claims(n)]
    if not claimed:
        raise ValueError(f"{theorem.name!r} is claimed for none of these numbers of classes")
    concrete, notes = chosen(theorem)
    return Plot(theorem, {n: tuple(_panels(concrete, n, margins)) for n in claimed}, (*notes, *_not_drawn(concrete)))


def chosen(theorem: T) -> tuple[T, list[str]]:
    """The theorem at some values of its parameters, and which they are."""
    values = {parameter: any_value(parameter) for parameter in theorem.parameters}
    concrete = theorem.at(values) if values else theorem
    return concrete, [f"drawn for {parameter} = {value}" for parameter, value in values.items()]


def _not_drawn(theorem: Theorem) -> list[str]:
    """Why there is no gap, if there is none."""
    if theorem.feedback == "bandit":
        return ["the gap is not drawn: with bandit feedback it depends on X, D and T besides"]
    if theorem.abstention_cost is not None:
        return ["the gap is not drawn: with an abstention cost it is one of costs, not of mistakes"]
    if theorem.update == "proximal" and theorem.regret is None:
        return ["the gap is not drawn: no regret is claimed; gaptron sharpen finds the smallest"]
    if theorem.update == "gradient" and theorem.eta() is None:
        return ["the gap is not drawn: no learning rate is given; gaptron sharpen finds the largest"]
    return []


def _panels(theorem: Theorem, n_classes: int, margins: tuple[float, float]) -> list[Panel]:
    rounds = _Rounds(theorem, n_classes, margins)
    found = [rounds.loss()]
    if theorem.decoder == "gap map":
        found.append(rounds.gap_map())
    if not _not_drawn(theorem):
        found.append(rounds.gap() if theorem.decoder == "gap map" else rounds.need())
    return found


class _Rounds:
    """Rounds of a theorem in which one rival has the largest other score, and the labels that are left are equal."""

    def __init__(self, theorem: Theorem, n_classes: int, margins: tuple[float, float]) -> None:
        self.theorem, self.n_classes = theorem, n_classes
        self.geometry = geometry_of(theorem.loss)
        self.is_binary = self.geometry.one_vector
        low, high = self.geometry.shown(margins)
        self.x = np.linspace(low, high, POINTS)
        self.sides = [of_theorem(theorem, n_classes, COLUMNS, side) for side in (1, -1)]

    def loss(self) -> Panel:
        """Over the margin of the true label, as if it were never switched off."""
        lines = {
            name: _filled(self.sides[0].at(self._scores(self.x, np.zeros(1), place)).value(place), self.x)
            for name, place in (SIDES if self.is_binary else {"loss": 0}).items()
        }
        return Panel("surrogate loss", self.geometry.scalar, "loss", self.x, lines)

    def gap_map(self) -> Panel:
        """Over the top margin, or the top probability."""
        x = np.linspace(self.geometry.least_top(self.n_classes), self.x[-1], POINTS)
        found = self.sides[0].at(self._scores(x, np.zeros(1), 0)).gap
        return Panel("gap map", self.geometry.top_scalar, "share of uniform", x, {"gap map": _filled(found, x)})

    def gap(self) -> Panel:
        """The largest over where the other labels are, over a tie broken either way, and over both slopes at a kink."""
        half_rate = self._rates[0] / 2
        shares = SHARES if self.n_classes > 2 and not self.is_binary else np.zeros(1)
        lines: dict[str, Array] = {}
        highest: list[tuple[float, int, int, Array]] = []
        placed = {name: (place,) for name, place in SIDES.items()} if self.is_binary else {"gap": (0, 1)}
        for name, places in placed.items():  # the labels that are the true one: the first or not, which tells ties
            found = []
            for place, side in product(places, (1, -1)):
                scores = self._scores(self.x, shares, place)
                gaps = self._gap(self.sides[side < 0].at(scores), place, half_rate)
                found.append(_largest(gaps, len(self.x)))
                most = int(np.nanargmax(gaps))
                highest.append((float(gaps[most]), place, side, scores[:, most]))
            lines[name] = np.max(found, axis=0)
        _, label, side, scores = max(highest, key=itemgetter(0))
        return Panel(GAP, self.geometry.scalar, "largest gap", self.x, lines, self._witness(label, side, scores))

    def _witness(self, label: int, side: int, scores: Array) -> str | None:
        """The exact gap at a round of small fractions near these scores, if it is above 0."""
        for nudge in (Fraction(0), Fraction(1, GRID)):  # where a piece begins, balls may leave open which one it is
            near = [Fraction(score).limit_denominator(GRID) for score in scores.tolist()]
            near = [near[0] + nudge, *near[1:], *[Fraction(0)] * self.is_binary]  # z is the difference of two scores
            with suppress(UncertainError):
                gap = plain(gap_terms(self.theorem, near, label, side).gap)
                if is_less(Fraction(0), gap):
                    scores_text = ", ".join(map(str, near))
                    return f"K={self.n_classes}, scores=({scores_text}), label {label}: gap = {number(exact(gap))}"
        return None

    def _gap(self, at: RoundAt, label: int, half_rate: float) -> Array:
        """P(wrong) - loss + (eta/2) ||g||^2 with ||x|| = 1."""
        wrong, _ = at.layout.chances(np.asarray(at.gap), self.n_classes, at, label)
        step = half_rate * (np.asarray(at.slopes(label)) ** 2).sum(axis=0)
        return np.asarray(wrong + np.where(at.off(label), 0.0, step - at.value(label)))

    def need(self) -> Panel:
        """What the labels need of a decoder, less 1, over the margin of the top label: at most 0 if one exists."""
        proximal = self.theorem.update == "proximal"  # each step is an optimisation of its own
        x, shares = (self.x[::6], SHARES[::5]) if proximal else (self.x, SHARES)
        x = x[x >= self.geometry.least_top(self.n_classes)]
        scores = self._scores(x, shares if self.n_classes > 2 else np.zeros(1), 0)
        total = self._envelopes(scores) if proximal else self._needs(scores)
        lines = {"all labels": _largest(total - 1, len(x))}
        return Panel(NEED, self.geometry.top_scalar, "sum of probabilities - 1", x, lines)

    def _needs(self, scores: Array) -> Array:
        half_rate = self._rates[0] / 2
        return np.asarray(np.maximum(*(side.needs(side.at(scores), half_rate) for side in self.sides)).sum(axis=0))

    def _envelopes(self, scores: Array) -> Array:
        steps = proximal_steps(self.theorem.loss, self.n_classes, Doubles())
        columns = [VECTORS.missing(steps.envelopes(column, self._rates[1])) for column in scores.T.tolist()]
        return np.array([VECTORS.total(column) for column in columns])

    @cached_property
    def _rates(self) -> list[float]:
        """eta, and c."""
        return [0.0 if part is None else float(value_at(part, {})) for part in self.theorem.data.rates(self.n_classes)]

    def _scores(self, x: Array, shares: Array, label: int) -> Array:
        """(K, len(shares) n) scores, all x for the first share first; the rival is label 1 - ``label``."""
        if self.is_binary:
            return x[None]
        rest = self.n_classes - 2
        own, rival, others = self.geometry.levels(np.tile(x, len(shares)), np.repeat(shares, len(x)), rest)
        return np.array([*((own, rival) if label == 0 else (rival, own)), *[others] * rest])


def _largest(values: Array, n: int) -> Array:
    """Over the shares."""
    return np.asarray(np.reshape(values, (-1, n)).max(axis=0))


def _filled(values: Number, x: Array) -> Array:
    """A value for each x, of what may be a constant."""
    return np.broadcast_to(np.asarray(values, dtype=float), x.shape).copy()
