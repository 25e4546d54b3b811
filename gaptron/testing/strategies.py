"""Hypothesis strategies: streams chosen with an eye on the learner's weights."""

from collections.abc import Callable
from fractions import Fraction
from math import isqrt
from typing import Any

import numpy as np
from hypothesis import strategies as st

from gaptron.bounds.sides import Game
from gaptron.bounds.stream import ExactStream, Vector, is_rational
from gaptron.theory.theorem import Theorem

GRAIN = 2**16
BASES = ((1, 1), (3, 5), (4, 5), (5, 13), (12, 13))
RADII = tuple(map(Fraction, ("1/16", "1/8", "1/4", "1/2", "1", "2")))
NORMS = tuple(map(Fraction, ("1", "1", "1/2", "3")))
MARGINS = tuple(map(Fraction, ("0", "1/8", "1/4", "1/3", "1/2", "1")))
NUDGES = (Fraction(0), Fraction(1, 2**20), Fraction(-1, 2**20))
ONE_IN_FOUR = st.sampled_from((False, False, False, True))

Round = tuple[Vector, int]


@st.composite
def streams(
    draw: st.DrawFn,
    theorem: Theorem,
    *,
    max_classes: int = 4,
    max_features: int = 3,
    max_rounds: int | None = None,
) -> ExactStream:
    """Streams for a theorem: features with ||x|| <= X exactly, and labels, both drawn or aimed at the learner.

    A round takes a labelled point of a small pool (axes, Pythagorean directions, short vectors), or an earlier round
    again. Some points are reflected, or scaled so that the learner's top margin is just at, above or below a kink, with
    the norm that is left along a new axis; some labels are drawn anew, or are the least, the second or the top one at
    the learner's weights. With bandit feedback these are the weights on one path of draws.

    Parameters
    ----------
    theorem : Theorem
        Without parameters of its own.
    max_classes, max_features : int
        The largest K, beside the smallest that the theorem claims, and the largest d.
    max_rounds : int, optional
        The largest T; by default 8, with bandit feedback 5.

    Examples
    --------
    >>> from sympy import Max
    >>> from gaptron import GapMap, MarginLoss, Theorem
    >>> from gaptron.symbols import K, m
    >>> from gaptron.testing import streams
    >>> loss = Max(1 - m, 0) ** 2
    >>> mine = Theorem(name="mine", loss=MarginLoss(loss), gap_map=GapMap(loss), learning_rate=1 / (4 * K))
    >>> drawn = streams(mine, max_classes=3, max_rounds=4)  # for hypothesis.given
    """
    bandit = theorem.feedback == "bandit"
    K = draw(st.sampled_from(_classes(theorem, max_classes)))
    d = draw(st.integers(1, max_features))
    T = draw(st.integers(1, max_rounds or (5 if bandit else 8)))
    X = draw(st.sampled_from(NORMS))
    D = draw(st.sampled_from(RADII)) if bandit else None
    aim = _Aim(ExactStream(K, ((Fraction(0),) * d,) * T, (0,) * T, D, X).game(theorem), d)
    pool = draw(st.lists(st.tuples(features(d, X), st.integers(0, K - 1)), min_size=1, max_size=4))
    rounds = [aim.round(draw, pool) for _ in range(T)]
    return ExactStream(K, tuple(x for x, _ in rounds), tuple(y for _, y in rounds), D, X)


def _classes(theorem: Theorem, largest: int) -> list[int]:
    first, last = theorem.first_class_count, theorem.last_class_count
    return list(range(first, min(max(first, largest), last or largest) + 1))


@st.composite
def features(draw: st.DrawFn, n_features: int, norm: Fraction) -> Vector:
    """x with ||x|| <= norm: exactly the norm along an axis or in the plane of two, or shorter."""
    x = [Fraction(0)] * n_features
    i, j = draw(st.integers(0, n_features - 1)), draw(st.integers(0, n_features - 1))
    top, bottom = draw(st.sampled_from(BASES))
    x[i] = Fraction(top, bottom)
    if i != j:
        x[j] = draw(st.sampled_from((1, -1))) * Fraction(isqrt(bottom**2 - top**2), bottom)
    length = norm * draw(st.sampled_from((Fraction(1), Fraction(1), Fraction(1, 2), Fraction(1, 64))))
    return tuple(length * v for v in x)


class _Aim:
    """The learner that a stream is aimed at, following the stream as it is drawn."""

    def __init__(self, game: Game, n_features: int) -> None:
        exact = not game.bandit and is_rational(game)
        self.learner: Any = game.learner(n_features, exact=exact)
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

    def _scores(self, x: Vector) -> list[Fraction]:
        scores = [sum((w * v for w, v in zip(row, x, strict=True)), Fraction(0)) for row in self._weights()]
        return [scores[0], Fraction(0)] if len(scores) == 1 else scores

    def _weights(self) -> list[list[Fraction]]:
        return [
            [w if isinstance(w, Fraction) else Fraction(round(float(w) * GRAIN), GRAIN) for w in row]
            for row in self.learner.W.tolist()
        ]

    def _at_margin(self, x: Vector, target: Fraction) -> Vector:
        """x scaled to the top margin ``target``, if it stays short enough."""
        second, top = sorted(self._scores(x))[-2:]
        if top == second:
            return x
        scaled = tuple(v * target / (top - second) for v in x)
        return scaled if sum(v * v for v in scaled) <= self.limit else x

    def _filled(self, x: Vector) -> Vector:
        """x, with the norm that is left along an axis that the learner knows nothing of, if there is one."""
        used = [any(column) for column in zip(x, *self._weights(), strict=True)]
        if all(used):
            return x
        rest = self.limit - sum(v * v for v in x)
        entry = Fraction(isqrt(int(rest * GRAIN**2)), GRAIN)
        return tuple(entry if j == used.index(False) else v for j, v in enumerate(x))

    def _label(self, x: Vector, choice: int) -> int:
        """``choice`` if it is a label, else the least, the second or the top one at the weights."""
        if choice < self.game.n_classes:
            return choice
        scores = self._scores(x)
        order = sorted(range(len(scores)), key=lambda k: (scores[k], -k))
        return order[(0, -2, -1)[choice - self.game.n_classes]]

    def _learn(self, x: Vector, label: int, drawn: bool) -> None:
        if not self.game.bandit:
            self.learner.update(x, label)
        elif drawn and self.learner.predict_proba(x)[label] > 0:
            self.learner.update(np.array(x, dtype=float), label, True)
