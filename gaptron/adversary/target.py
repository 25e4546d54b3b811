"""What is attacked: a theorem at K and T. How much of its bound streams use, in doubles, and their best comparator."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
import sympy as sp

from gaptron import symbols
from gaptron.adversary.chain import Expected, expected_chains
from gaptron.adversary.families import Family, families
from gaptron.adversary.play import FRACTIONS, MULTIPLES, attacked, fair, losses, play, ratios, unit
from gaptron.bounds.hindsight import SHRINKS, HindsightLoss, descended, into_ball
from gaptron.bounds.sides import Game
from gaptron.learners.arithmetic import Array
from gaptron.rounds.step import Step
from gaptron.theory.theorem import Theorem

ITERATIONS = 200
DINKELBACH = 6
SETTLED = 1e-7  # relative growth of the ratio below which the iteration ends
LEAST = 1e-4  # of a ratio, for comparators of small loss where no ratio is positive yet


class Hindsight(NamedTuple):
    """The comparator's problem: a loss over T rounds, each as often as it is expected while on, and directions of x.

    Directions are (q, T, rows).
    """

    loss: HindsightLoss
    directions: Array

    def matrix(self, theta: Array) -> Array:
        """U (rows, d) for coefficients theta (q, T)."""
        return np.asarray(np.einsum("qt,qtk->kt", theta, self.directions) @ self.loss.X)

    def best(self, penalty: float, theta: Array) -> Array:
        """Coefficients of small loss + penalty ||U||^2, from a start."""

        def objective(flat: Array) -> tuple[float, Array]:
            U = self.matrix(flat.reshape(theta.shape))
            value, gradient = self.loss(U)
            slope = (gradient + 2 * penalty * U) @ self.loss.X.T
            return value + penalty * float((U * U).sum()), np.einsum("kt,qtk->qt", slope, self.directions).ravel()

        return descended(objective, theta, ITERATIONS)


def strongest(problem: Hindsight, mistakes: float, coefficient: float, starts: Sequence[Array]) -> Array:
    """Coefficients of U of large (mistakes - loss)/(c ||U||^2): Dinkelbach's iteration from every start."""
    found = [theta for start in starts for theta in _dinkelbach(problem, mistakes, coefficient, start)]
    return max(found, key=lambda theta: ratio(problem, mistakes, coefficient, problem.matrix(theta)))


def ratio(problem: Hindsight, mistakes: float, coefficient: float, U: Array) -> float:
    """(mistakes - loss)/(c ||U||^2); minus infinity at 0."""
    square = float((U * U).sum())
    return (mistakes - problem.loss(U)[0]) / (coefficient * square) if square > 0 else -np.inf


def strongest_in_ball(problem: Hindsight, radius: float, starts: Sequence[Array]) -> Array:
    """U (rows, d) of small loss with ||U|| <= D: regularized as much as brings it there, and scaled."""
    total = float(problem.loss.on.sum()) / radius**2
    thetas = [*starts, *(problem.best(total * shrink, start) for shrink in SHRINKS for start in starts)]
    return min((into_ball(problem.matrix(theta), radius) for theta in thetas), key=lambda U: problem.loss(U)[0])


def _dinkelbach(problem: Hindsight, mistakes: float, coefficient: float, start: Array) -> list[Array]:
    thetas, before = [start], 0.0
    for _ in range(DINKELBACH):
        penalty = max(LEAST, ratio(problem, mistakes, coefficient, problem.matrix(thetas[-1])))
        if penalty <= before * (1 + SETTLED):
            break
        thetas.append(problem.best(penalty * coefficient, thetas[-1]))
        before = penalty
    return thetas


RADII = np.geomspace(1 / 16, 64, 16)


@dataclass(frozen=True)
class Targeted:
    """A theorem at K classes and T rounds, with ``children`` candidates in a generation of the search."""

    theorem: Theorem
    n_classes: int
    horizon: int
    children = 16

    @cached_property
    def step(self) -> Step:
        """Its rounds."""
        return attacked(self.theorem, self.n_classes)

    @cached_property
    def families(self) -> list[Family]:
        """Where streams are searched for."""
        return list(families(self.n_classes, self.horizon, bandit=self.theorem.feedback == "bandit"))

    def ratios(self, family: Family, P: Array, template: Array | None = None) -> Array:
        """How much of the bound the streams with parameters P (n, size) use, shape (n,)."""
        raise NotImplementedError

    def starts(self, family: Family) -> Array:
        """Where the search begins: the family at 0."""
        return np.zeros((1, family.size))

    def template(self, family: Family, parameters: Array) -> Array | None:
        """The strongest comparator found for a stream, by its coefficients (1, 2, T); None if its length is all."""
        return None

    def radius(self, parameters: Array) -> float:
        """D: with full information nothing depends on it."""
        return math.inf

    def comparator(self, X: Array, labels: Array, counts: tuple[int, ...], radius: float) -> Array:
        """The strongest U found (rows, d), ||U|| <= D, for blocks X (B, d)."""
        raise NotImplementedError


class Full(Targeted):
    """With full information."""

    @cached_property
    def _numbers(self) -> tuple[float, float]:
        """eta, and c of c ||U||^2."""
        game = Game(self.theorem, self.n_classes)
        return float(game.learning_rate), float(game.regret([[1]]))

    def ratios(self, family: Family, P: Array, template: Array | None = None) -> Array:
        X, labels = np.repeat(family.points(P), family.counts, axis=1), np.repeat(family.labels, family.counts)
        given = np.zeros((1, 2, len(labels))) if template is None else template
        return ratios(self.step, *self._numbers, X, labels, given)

    def template(self, family: Family, parameters: Array) -> Array | None:
        X, labels = family.points(parameters[None])[0], np.array(family.labels)
        return self._searched(X, labels, family.counts)[1][None]

    def comparator(self, X: Array, labels: Array, counts: tuple[int, ...], radius: float) -> Array:
        problem, theta = self._searched(X, labels, counts)
        return problem.matrix(theta)

    def _searched(self, X: Array, labels: Array, counts: tuple[int, ...]) -> tuple[Hindsight, Array]:
        rounds, y = np.repeat(X, counts, axis=0), np.repeat(labels, counts)
        rate, coefficient = self._numbers
        played = play(self.step, rate, rounds[None], y)
        directions = np.stack([played.steps[0], fair(self.step, y)])
        problem = Hindsight(HindsightLoss(self.theorem.loss, rounds, y, played.on[0], self.n_classes), directions)
        mistakes, size = float(played.mistakes[0]), float(np.linalg.norm(problem.matrix(_pick(0, len(y)))))
        starts = [_scaled(problem, which, size, mistakes, coefficient) for which in (0, 1)]
        return problem, strongest(problem, mistakes, coefficient, starts)


def _pick(which: int, rounds: int) -> Array:
    theta = np.zeros((2, rounds))
    theta[which] = 1
    return theta


def _scaled(problem: Hindsight, which: int, size: float, mistakes: float, coefficient: float) -> Array:
    theta = _pick(which, len(problem.loss.y))
    length = max(float(np.linalg.norm(problem.matrix(theta))), 1e-300)
    scaled = [theta * multiple * size / length for multiple in MULTIPLES]
    return max(scaled, key=lambda one: ratio(problem, mistakes, coefficient, problem.matrix(one)))


class Bandit(Targeted):
    """With bandit feedback; the last parameter of a stream is log D."""

    children = 12

    @cached_property
    def _numbers(self) -> Any:
        """eta, gamma and the regret as functions of D."""
        theorem = self.theorem
        rate = sp.sympify(theorem.learning_rate).subs(symbols.gamma, theorem.exploration)
        at = {symbols.K: self.n_classes, symbols.X: 1, symbols.T: self.horizon}
        exact = [sp.sympify(e).subs(at) for e in (rate, theorem.exploration, theorem.regret)]
        return sp.lambdify(symbols.D, exact, "math")

    def starts(self, family: Family) -> Array:
        """And D from small to large."""
        zeros = np.zeros((len(RADII), family.size))
        return np.concatenate([zeros, np.log(RADII)[:, None]], axis=1)

    def ratios(self, family: Family, P: Array, template: Array | None = None) -> Array:
        X, radii = family.points(P[:, :-1]), np.array([self.radius(row) for row in P])
        expected, regrets = self._played(X, family.labels, family.counts, radii)
        steps = expected.on[:, :, None] * fair(self.step, family.labels)
        U = unit(np.einsum("nbk,nbd->nkd", steps, X))
        found = losses(self.step, U, FRACTIONS[:, None] * radii, X, family.labels)
        return np.asarray((expected.mistakes - (found * expected.on).sum(axis=2).min(axis=0)) / regrets)

    def radius(self, parameters: Array) -> float:
        return float(np.exp(np.clip(parameters[-1], -12, 12)))

    def _played(self, X: Array, labels: Array, counts: tuple[int, ...], radii: Array) -> tuple[Expected, Array]:
        """The expectations of streams X (n, B, d), and their regrets (n,)."""
        *rates, regret = np.array([self._numbers(radius) for radius in radii], dtype=float).T
        return expected_chains(self.step, np.array([*rates, radii]), X, labels, counts), regret

    def comparator(self, X: Array, labels: Array, counts: tuple[int, ...], radius: float) -> Array:
        expected, _ = self._played(X[None], labels, counts, np.array([radius]))
        loss = HindsightLoss(self.theorem.loss, X, labels, expected.on[0], self.n_classes)
        problem = Hindsight(loss, fair(self.step, labels)[None])
        plain = np.ones((1, len(labels)))
        length = max(float(np.linalg.norm(problem.matrix(plain))), 1e-300)
        return strongest_in_ball(problem, radius, [plain * radius * part / length for part in FRACTIONS[::4]])


class TargetError(ValueError):
    """A theorem that has no ratio to search for."""


def target(theorem: Theorem, n_classes: int, horizon: int) -> Targeted:
    """The theorem as a target.

    Raises
    ------
    TargetError
        If its regret at ||U|| = 1, with bandit feedback at D = 1, is not positive.
    """
    kind, given = (Bandit, (horizon, Fraction(1))) if theorem.feedback == "bandit" else (Full, ())
    if not float(Game(theorem, n_classes, *given).regret([[1]])) > 0:
        raise TargetError(f'theorem "{theorem.name}": regret = {theorem.regret} is not positive at K = {n_classes}')
    return kind(theorem, n_classes, horizon)
