"""Expectations in doubles: arrays of states, round by round, without merging: 2^(T-1) states at most.

A state is its scores on the rounds to come, which is all they need: a step along the features x_t changes the score on
x_j by <x_t, x_j>. They are few where the states are many. A projection needs ||W||^2 as well, which is kept along.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gaptron.expectation.walk import Expectation
from gaptron.learners.arithmetic import Array
from gaptron.learners.gaptron import Gaptron
from gaptron.numbers.kinds import Number
from gaptron.rounds import RoundAt, of_theorem
from gaptron.rounds.layouts import COLUMNS
from gaptron.rounds.step import Step

BLOCK = 2**13


def array_expectation(
    learner: Gaptron, rates: tuple[Number, Number], stream: Sequence[tuple[Number, int]], losses: list[float] | None
) -> Expectation:
    """The expectation over the rounds (x, label); ``losses`` are the comparator's. Bandit feedback.

    Blocks of states go depth-first, to stay in cache.
    """
    X = np.array([x for x, _ in stream], dtype=float)
    sums = _Sums(learner, rates, X, [label for _, label in stream], losses or [0.0] * len(stream))
    W = np.array(learner.W, dtype=float)
    sums.rounds(_Level((X @ W.T)[:, :, None], np.ones(1), np.array([(W * W).sum()])), 0)
    return Expectation(sums.mistakes, None if losses is None else sums.loss, sums.mass, sums.states)


class _Level(NamedTuple):
    """n states: their scores on r rounds to come (r, K, n), their mass (n,) and ||W||^2 (n,)."""

    scores: Array
    mass: Array
    squares: Array

    def part(self, which: slice | Array) -> "_Level":
        """The states ``which``: a slice or a mask; a mask that is all True copies nothing."""
        if not isinstance(which, slice) and which.all():
            return self
        return _Level(self.scores[..., which], self.mass[which], self.squares[which])


class _Sums:
    """What has been summed over the rounds and states so far."""

    def __init__(
        self, learner: Gaptron, rates: tuple[Number, Number], X: Array, labels: list[int], losses: list[float]
    ) -> None:
        surrogate = of_theorem(learner.surrogate.theorem, learner.n_classes, COLUMNS)
        eta, gamma = map(float, rates)
        self.step, self.radius = Step(surrogate, eta, gamma, most=COLUMNS.most), float(learner.radius)
        self.gram, self.labels, self.losses = X @ X.T, labels, losses
        self.mistakes, self.loss, self.mass, self.states = 0.0, 0.0, 0.0, 0

    def rounds(self, level: _Level, t: int) -> None:
        """All rounds from t on."""
        while t < len(self.labels) - 1:
            if (n := len(level.mass)) > BLOCK:
                self.rounds(level.part(slice(n // 2)), t)
                level = level.part(slice(n // 2, n))
            found, wrong, right = self._round(level, t)
            with np.errstate(divide="ignore", invalid="ignore"):
                steps = self.step.slopes(found, self.labels[t], None, 1 / right)
            level = self._split(level, t, steps, wrong, right)
            t += 1
        if self.labels:
            self._round(level, t)
        self.mass += float(level.mass.sum())
        self.states += len(level.mass)

    def _round(self, level: _Level, t: int) -> tuple[RoundAt, Array, Array]:
        """Count a round; the round, P(wrong) and P(right) (n,)."""
        found = self.step.surrogate.at(level.scores[0])
        wrong, right = self.step.chances(found, self.labels[t])
        self.mistakes += float((level.mass * wrong).sum())
        self.loss += self.losses[t] * float((level.mass * ~found.off(self.labels[t])).sum())
        return found, wrong, right

    def _split(self, level: _Level, t: int, steps: Array, wrong: Array, right: Array) -> _Level:
        """The states after the draw: moved by a right one, the same after a wrong one."""
        moved = steps.any(axis=0) & (right > 0)
        rest = np.where(moved, level.mass * wrong, level.mass)
        stays = _Level(level.scores[1:], rest, level.squares).part(rest > 0)
        moves = _Level(level.scores, level.mass * right, level.squares).part(moved)
        return _joined(stays, self._moved(moves, t, steps[:, moved]))

    def _moved(self, level: _Level, t: int, steps: Array) -> _Level:
        scores = self.gram[t, t + 1 :, None, None] * steps
        scores += level.scores[1:]
        if math.isinf(self.radius):
            return _Level(scores, level.mass, level.squares)
        squares = level.squares + (steps * (2 * level.scores[0] + self.gram[t, t] * steps)).sum(axis=0)
        shrink = self.radius / np.sqrt(np.maximum(squares, self.radius**2))
        return _Level(scores * shrink, level.mass, squares * shrink**2)


def _joined(*levels: _Level) -> _Level:
    return _Level(*(np.concatenate(parts, axis=-1) for parts in zip(*levels, strict=True)))
