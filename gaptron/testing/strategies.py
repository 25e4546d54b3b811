"""Hypothesis strategies: streams on which a bad learner would break the bound, chosen with an eye on the learner.

A bound can be broken only where it is below the number of rounds, so many streams repeat their points, as often as the
theorem's own regret asks for (``lengths``), with features of norm X, labels that one comparator can explain, and in
bandit games a D at which it can.
"""

from bisect import bisect_left
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import isqrt
from typing import Any

import numpy as np
from hypothesis import strategies as st

from gaptron.bounds.comparators import bound_without_masks
from gaptron.bounds.exact_stream import ExactStream, Vector, is_rational
from gaptron.bounds.sides import Game
from gaptron.learners.learner import Learner
from gaptron.theory.theorem import Theorem

GRAIN = 2**16
BASES = ((1, 1), (3, 5), (4, 5), (5, 13), (12, 13))
REACHES = tuple(map(Fraction, ("3/4", "99/100", "1", "3/2", "2", "4")))  # X D, where U can have margins of about 1
SHORT_REACHES = tuple(map(Fraction, ("1/16", "1/4", "1/2", "1", "2")))
NORMS = tuple(map(Fraction, ("1", "1", "1/2", "3")))
MARGINS = tuple(map(Fraction, ("0", "1/8", "1/4", "1/3", "1/2", "1")))
NUDGES = (Fraction(0), Fraction(1, 2**12), Fraction(-1, 2**12))
ONE_IN_FOUR = st.sampled_from((False, False, False, True))
KINDS = ("blocks",) * 5 + ("cycles", "short", "fresh")
BANDIT_KINDS = ("blocks",) * 7 + ("short",)
MOST_ROUNDS, MOST_SEQUENCES = 2000, 2500

Round = tuple[Vector, int]
Plant = Callable[[Learner], Learner]


@st.composite
def streams(
    draw: st.DrawFn,
    theorem: Theorem,
    *,
    max_classes: int = 4,
    max_features: int = 3,
    max_rounds: int = MOST_ROUNDS,
    longest: int = 1,
    learner: Plant | None = None,
) -> ExactStream:
    """Streams for a theorem: blocks of equal rounds, with ||x|| <= X exactly, drawn or aimed at a learner.

    Most of the streams, seven in eight with bandit feedback, are about as long as their bound needs to get below T or
    T (K - 1)/K: up to three blocks of a small pool of labelled points (axes, Pythagorean directions) with ||x|| = X,
    some of which are taught with another label first; with full information also such pools that repeat in order. The
    others are short. Their points may be shorter, reflected, or scaled so that the learner's top margin is just at,
    above or below a kink; their labels are drawn, or the least, the second or the top one at the learner's weights,
    with bandit feedback on one path of draws. With full information half of these give every round an axis of its
    own, along which the learner knows nothing, beside a part along its weights that makes the label wrong.

    Parameters
    ----------
    theorem : Theorem
        Without parameters of its own.
    max_classes, max_features : int
        The largest K, beside the smallest that the theorem claims, and the largest d.
    max_rounds : int
        The largest T.
    longest : int
        How many times as long as power needs a block may be.
    learner : function, optional
        Of the theorem's learner in doubles, which it may change, to the learner to aim at: one with ``W``, ``update``
        and ``predict_proba``. By default that is the theorem's own, exact where this is cheap.

    Examples
    --------
    >>> from sympy import Max
    >>> from gaptron import GapMap, MarginLoss, Theorem
    >>> from gaptron.symbols import K, m
    >>> from gaptron.testing import streams
    >>> loss = Max(1 - m, 0) ** 2
    >>> mine = Theorem(name="mine", loss=MarginLoss(loss), gap_map=GapMap(loss), learning_rate=1 / (4 * K))
    >>> drawn = streams(mine, max_classes=3, max_rounds=40)  # for hypothesis.given
    >>> def hasty(learner):
    ...     learner.learning_rate *= 3
    ...     return learner
    >>> aimed = streams(mine, learner=hasty)
    """
    bandit = theorem.feedback == "bandit"
    X, kind = draw(st.sampled_from(NORMS)), draw(st.sampled_from(BANDIT_KINDS if bandit else KINDS))
    sizes = _sizes(theorem, tuple(_classes(theorem, max_classes)), max_rounds)
    K, reach, lengths = sizes[min(draw(st.integers(0, len(sizes) - 1)), draw(st.integers(0, len(sizes) - 1)))]
    if kind == "blocks":
        return _long(draw, theorem, K, X, reach, max_features, _blocks(draw, lengths, bandit, max_rounds, longest))
    if kind == "cycles":
        return _cycles(draw, K, X, max_features, min(max_rounds, lengths[1] * draw(st.sampled_from((1, 4)))))
    D = draw(st.sampled_from(SHORT_REACHES)) / X if bandit else None
    if kind == "fresh":
        return _fresh(draw, theorem, K, X, min(max_rounds, draw(st.sampled_from((4, 8, 16)))), learner)
    T = draw(st.integers(1, min(max_rounds, 5 if bandit else 8)))
    d = draw(st.integers(1, max_features))
    aim = _Aim(ExactStream(K, ((Fraction(0),) * d,), (0,), D, X, (T,)).game(theorem), d, learner)
    pool = draw(st.lists(st.tuples(features(d, X, True), st.integers(0, K - 1)), min_size=1, max_size=4))
    rounds = [aim.round(draw, pool) for _ in range(T)]
    return ExactStream(K, tuple(x for x, _ in rounds), tuple(y for _, y in rounds), D, X)


def _long(
    draw: st.DrawFn, theorem: Theorem, K: int, X: Fraction, reach: Fraction, max_features: int, counts: list[int]
) -> ExactStream:
    """Blocks of one or two points, whose labels one comparator can explain but for what is taught first."""
    d = draw(st.integers(1, min(2, max_features)))
    pool = draw(st.lists(st.tuples(features(d, X), st.integers(0, K - 1)), min_size=1, max_size=2))
    rounds = [draw(st.sampled_from(pool)) for _ in counts]
    if counts[0] < max(counts) and draw(st.booleans()):
        x, label = rounds[counts.index(max(counts))]
        rounds[0] = x, (label + draw(st.integers(1, K - 1))) % K
    D = reach / X if theorem.feedback == "bandit" else None
    return ExactStream(K, tuple(x for x, _ in rounds), tuple(y for _, y in rounds), D, X, tuple(counts))


def _cycles(draw: st.DrawFn, K: int, X: Fraction, max_features: int, T: int) -> ExactStream:
    """Runs of up to four labelled points, again and again; with one feature the labels of a point contradict."""
    d = draw(st.integers(1, min(2, max_features)))
    run = st.tuples(features(d, X), st.integers(0, K - 1), st.integers(1, 4))
    cycle = [(x, label) for x, label, times in draw(st.lists(run, min_size=2, max_size=4)) for _ in range(times)]
    rounds = [cycle[t % len(cycle)] for t in range(T)]
    return ExactStream(K, tuple(x for x, _ in rounds), tuple(y for _, y in rounds), None, X)


def _fresh(draw: st.DrawFn, theorem: Theorem, K: int, X: Fraction, T: int, learner: Plant | None) -> ExactStream:
    """Every round is wrong by the same margin at the weights, and has what is left of its norm along a new axis."""
    aim = _Aim(ExactStream(K, ((Fraction(0),) * T,), (0,), None, X).game(theorem), T, learner)
    margin = draw(st.sampled_from((*MARGINS, Fraction(1, K)))) + draw(st.sampled_from(NUDGES))
    choice = draw(st.sampled_from((-2, 0)))
    rounds = [aim.wrong_round(margin, choice) for _ in range(T)]
    return ExactStream(K, tuple(x for x, _ in rounds), tuple(y for _, y in rounds), None, X)


def _classes(theorem: Theorem, largest: int) -> list[int]:
    first, last = theorem.first_class_count, theorem.last_class_count
    return list(range(first, min(max(first, largest), last or largest) + 1))


def _blocks(draw: st.DrawFn, lengths: tuple[int, int], bandit: bool, max_rounds: int, longest: int) -> list[int]:
    """How long the blocks are: one about as long as power needs, others shorter, in any order.

    With bandit feedback the sequences of updates, of which every one is a state, stay few, and some streams have
    T = 2 n^2 rounds, at which the exploration rates of Theorems 5 and 6 are rational.
    """
    least, enough = lengths
    most = draw(st.sampled_from((2 * least, enough, enough + enough // 4))) + draw(st.integers(1, 2 + least // 2))
    most *= draw(st.sampled_from((1, longest) if bandit else (1, 2, 4, 32)))
    counts = [min(most, max_rounds)]
    for _ in range(draw(st.integers(0, 2))):
        count = draw(st.sampled_from((1, max(1, least // 4), max(1, most // 8), max(1, most // 4))))
        sequences = (count + 1) * int(np.prod([c + 1 for c in counts]))
        if sum(counts) + count <= max_rounds and (not bandit or sequences <= MOST_SEQUENCES * longest):
            counts.insert(draw(st.integers(0, len(counts))), count)
    if bandit and draw(st.booleans()):
        _at_twice_a_square(counts, max_rounds)
    return counts


def _at_twice_a_square(counts: list[int], most: int) -> None:
    """The longest block, lengthened until T = 2 n^2, unless that is more than ``most``."""
    T = sum(counts)
    larger = 2 * (isqrt((T - 1) // 2) + 1) ** 2
    if larger <= most:
        counts[counts.index(max(counts))] += larger - T


@lru_cache(maxsize=64)
def _sizes(theorem: Theorem, classes: tuple[int, ...], most: int) -> list[tuple[int, Fraction, tuple[int, int]]]:
    """K, X D (1 with full information), and the ``lengths`` for them: if any have power, those that do, short first."""
    reaches = REACHES if theorem.feedback == "bandit" else (Fraction(1),)
    found = [(K, reach, lengths(theorem, K, reach, most)) for K in classes for reach in reaches]
    powerful = [size for size in found if 2 * size[2][1] < most] or [size for size in found if size[2][0] < most]
    return sorted(powerful or found, key=lambda size: size[2][1])


def lengths(theorem: Theorem, K: int, reach: Fraction, most: int) -> tuple[int, int]:
    """The least T < ``most``, up to a fifth, at which bad learners break the bound on T equal rounds; or ``most``.

    An always-wrong learner, and a uniform guesser.
    """
    grid = [1]
    while grid[-1] < most:
        grid.append(min(most, grid[-1] + 1 + grid[-1] // 5))
    radius = reach if theorem.feedback == "bandit" else None

    @lru_cache
    def bound(rounds: int) -> float:
        stream = ExactStream(K, ((Fraction(1),),), (K - 1,), radius, Fraction(1), (rounds,))
        return bound_without_masks(stream.game(theorem), stream)

    def least(share: Fraction) -> int:
        return grid[min(bisect_left(grid, True, key=lambda rounds: bound(rounds) < rounds * share), len(grid) - 1)]

    return least(Fraction(1)), least(Fraction(K - 1, K))


@st.composite
def features(draw: st.DrawFn, n_features: int, norm: Fraction, shorter: bool = False) -> Vector:
    """x with ||x|| = norm exactly, along an axis or in the plane of two; or ``shorter``."""
    x = [Fraction(0)] * n_features
    i, j = draw(st.integers(0, n_features - 1)), draw(st.integers(0, n_features - 1))
    top, bottom = draw(st.sampled_from(BASES if i != j or shorter else BASES[:1]))
    x[i] = Fraction(top, bottom)
    if i != j:
        x[j] = draw(st.sampled_from((1, -1))) * Fraction(isqrt(bottom**2 - top**2), bottom)
    length = (
        norm * draw(st.sampled_from((Fraction(1), Fraction(1), Fraction(1, 2), Fraction(1, 64)))) if shorter else norm
    )
    return tuple(length * v for v in x)


class _Aim:
    """The learner that a stream is aimed at, following the stream as it is drawn."""

    def __init__(self, game: Game, n_features: int, learner: Plant | None) -> None:
        exact = learner is None and not game.bandit and is_rational(game)
        own = game.learner(n_features, exact=exact)
        self.learner: Any = own if learner is None else learner(own)
        self.game = game
        self.limit = Fraction(game.feature_norm) ** 2

    def round(self, draw: Callable[[Any], Any], pool: list[Round]) -> Round:
        """The next round, which the learner learns from; what is drawn joins the pool."""
        x, label = draw(st.sampled_from(pool))
        if draw(ONE_IN_FOUR):
            x = tuple(-v for v in x)
        if draw(ONE_IN_FOUR):
            x = self._filled(self._at_margin(x, draw(st.sampled_from(MARGINS)) + draw(st.sampled_from(NUDGES))))
        if draw(ONE_IN_FOUR):
            label = self._label(x, draw(st.integers(0, self.game.n_classes + 2)))
        pool.append((x, label))
        self._learn(x, label, not self.game.bandit or draw(st.booleans()))
        return x, label

    def wrong_round(self, margin: Fraction, choice: int) -> Round:
        """A round whose top margin is ``margin``, if it can be: its label is the second or the least one."""
        rows = self._weights()
        pairs = product(rows, repeat=2)
        apart = max((tuple(v - w for v, w in zip(one, other, strict=True)) for one, other in pairs), key=_squared)
        x = self._filled(self._shortened(self._at_margin(apart, margin)))
        label = self._ranked(x)[choice][1]
        self._learn(x, label, True)
        return x, label

    def _shortened(self, x: Vector) -> Vector:
        """x on the grid, divided by the least power of two that leaves some of its norm."""
        while _squared(x) * 2 > self.limit:
            x = tuple(v / 2 for v in x)
        return tuple(Fraction(round(v * GRAIN), GRAIN) for v in x)

    def _ranked(self, x: Vector) -> list[tuple[Fraction, int]]:
        """Scores and labels, the top one last; of equal scores that of the lowest label."""
        scores = [sum((w * v for w, v in zip(row, x, strict=True)), Fraction(0)) for row in self._weights()]
        both = [scores[0], Fraction(0)] if len(scores) == 1 else scores
        return sorted(((score, k) for k, score in enumerate(both)), key=lambda one: (one[0], -one[1]))

    def _weights(self) -> list[list[Fraction]]:
        return [
            [w if isinstance(w, Fraction) else Fraction(round(float(w) * GRAIN), GRAIN) for w in row]
            for row in self.learner.W.tolist()
        ]

    def _at_margin(self, x: Vector, target: Fraction) -> Vector:
        """x scaled to the top margin ``target``, if it stays short enough."""
        (second, _), (top, _) = self._ranked(x)[-2:]
        if top == second:
            return x
        scaled = tuple(v * target / (top - second) for v in x)
        return scaled if _squared(scaled) <= self.limit else x

    def _filled(self, x: Vector) -> Vector:
        """x, with the norm that is left along an axis that the learner knows nothing of, if there is one."""
        used = [any(column) for column in zip(x, *self._weights(), strict=True)]
        if all(used):
            return x
        rest = self.limit - _squared(x)
        entry = Fraction(isqrt(int(rest * GRAIN**2)), GRAIN)
        return tuple(entry if j == used.index(False) else v for j, v in enumerate(x))

    def _label(self, x: Vector, choice: int) -> int:
        """``choice`` if it is a label, else the least, the second or the top one at the weights."""
        if choice < self.game.n_classes:
            return choice
        return self._ranked(x)[(0, -2, -1)[choice - self.game.n_classes]][1]

    def _learn(self, x: Vector, label: int, drawn: bool) -> None:
        if not self.game.bandit:
            self.learner.update(x, label)
        elif drawn and self.learner.predict_proba(x)[label] > 0:
            self.learner.update(np.array(x, dtype=float), label, True)


def _squared(x: Vector) -> Fraction:
    return sum((v * v for v in x), Fraction(0))
