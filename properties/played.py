"""A learner of the package, itself, on every path of its draws, in the numbers that it computes with.

A label >= 0 is fixed in advance; a label -o < 0 is chosen against the learner: it is its top label + o modulo K.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gaptron.expectation.copies import Copies
from properties.formulas import scores
from properties.quoted_walks import label_of
from properties.strategies import Matrix, Vector


@dataclass(frozen=True)
class Look:
    """A round of one copy of the learner: P(y) = p, and ``after`` is what its label, or a right draw, makes of it."""

    mass: Any
    x: Vector
    y: int
    top: int
    p: Any
    before: Any
    after: Any


@dataclass(frozen=True)
class Played:
    """All rounds of all copies, and the last copies with their mass."""

    looks: list[Look]
    last: list[tuple[Any, Any]]

    def expectation(self, value: Callable[[Look], Any]) -> Any:
        """E of a sum over the rounds."""
        return sum(look.mass * value(look) for look in self.looks)

    def loss(self, one: Callable[[Vector, int], Any], on: Callable[[Look], bool] = lambda look: True) -> Any:
        """E of the sum of one(x, y) over the rounds that are on."""
        visits: dict[tuple[tuple[Any, ...], int], Any] = {}
        for look in self.looks:
            if on(look):
                visits[tuple(look.x), look.y] = visits.get((tuple(look.x), look.y), 0) + look.mass
        return sum(mass * one(list(x), y) for (x, y), mass in visits.items())

    @property
    def mistakes(self) -> Any:
        """E[M_T]."""
        return self.expectation(lambda look: 1 - look.p)

    @property
    def top_mistakes(self) -> Any:
        """E of the number of rounds whose top label is wrong."""
        return self.expectation(lambda look: look.y != look.top)

    @property
    def W(self) -> Matrix:
        """The mean of the last weights."""
        mean: Matrix = sum(mass * learner.W for mass, learner in self.last).tolist()
        return mean


def played(learner: Any, X: list[Vector], y: list[int]) -> Played:
    """A stream, from where the learner stands; copies that have learned the same are one."""
    copies, looks = Copies(learner), []
    level: dict[int, Any] = {0: copies.number(1)}
    for x, given in zip(X, y, strict=True):
        merged: dict[int, Any] = {}
        for state, mass in level.items():
            look = looked(mass, copies.at(state), copies.at(state), x, given)
            looks.append(look)
            for share, after in copies.successors(state, copies.point(x, look.y)):
                merged[after] = merged.get(after, 0) + mass * share
        level = merged
    return Played(looks, [(mass, copies.at(state)) for state, mass in level.items()])


def looked(mass: Any, before: Any, after: Any, x: Vector, given: int) -> Look:
    """The round of one copy; ``after``, another one, learns from it."""
    seen = before._prediction(before._features(x))
    y = label_of(given, seen.top, before.n_classes)
    after.update(x, y, True) if before.feedback == "bandit" else after.update(x, y)
    return Look(mass, x, y, seen.top, seen.probability(y), before, after)


def doubled(learner: Any, exact: Any) -> Any:
    """A learner that computes with doubles, put where the exact one stands."""
    for name in exact.STATE:
        setattr(learner, name, np.array(getattr(exact, name), dtype=float)[()])
    return learner


def tied(look: Look) -> bool:
    """Whether doubles might mistake the order of the scores."""
    order = sorted(map(float, scores(look.before.W.tolist(), look.x)))
    return bool(min(np.diff(order)) < 1e-9 and look.before.W.any())
