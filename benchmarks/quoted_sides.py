"""Both sides of the bounds of the Perceptron, Banditron and SOBA on a stream, every outcome path counted in fractions.

The walks are those of the properties (properties/quoted_*.py); the sides they give are kept in doubles.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np

from gaptron.learners.arithmetic import Array
from properties.quoted_bounds import squared_radius
from properties.quoted_second_order import second_order, soba
from properties.quoted_walks import banditron, perceptron
from properties.strategies import Stream, Vector

Setting = tuple[Fraction, ...]
Regret = Callable[[float, float], float]


@dataclass(frozen=True)
class Sides:
    """The left side; rounds (mass, x, y) of the loss; the loss; and the regret as a function of X^2||U||^2 and L."""

    left: float
    mass: Array
    X: Array
    y: Array
    eta: float
    regret: Regret
    limit: float = math.inf

    def loss(self, U: Array) -> float:
        """E L(U)."""
        rounds, theta = np.arange(len(self.y)), self.X @ U.T
        own = theta[rounds, self.y]
        theta[rounds, self.y] = -np.inf
        v = np.minimum(own - theta.max(axis=1), 1)
        return float(self.mass @ (1 - (2 * v - self.eta * v * v) / (2 - self.eta)))

    def share(self, U: Array) -> float:
        """At U, drawn into the range of the theorem."""
        norm = math.sqrt(float((U * U).sum(axis=1).max()))
        U = U * min(1.0, self.limit / norm) if norm > 0 else U
        loss = self.loss(U)
        regret = self.regret(float((self.X * self.X).sum(axis=1).max() * (U * U).sum()), loss)
        return (self.left - loss) / regret if regret > 0 else 0.0


def arrays(rounds: list, on: Callable[[object], bool] = lambda done: True) -> tuple[Array, Array, Array]:
    """(mass, X, y) of the rounds that count."""
    kept = [done for done in rounds if on(done)] or rounds[:1]
    mass = np.array([float(done.mass) * on(done) for done in kept])
    return mass, np.array([done.x for done in kept], dtype=float), np.array([done.y for done in kept])


def perceptron_sides(regret: Callable[[float], Regret], squared: bool = False) -> Callable[[Stream, Setting], Sides]:
    """M against L (or the squared losses) and a regret that may depend on M."""

    def sides(stream: Stream, _: Setting) -> Sides:
        _, labels, wrong = perceptron(*stream)
        X = np.array(stream[1], dtype=float)
        return Sides(sum(wrong), np.ones(len(X)), X, np.array(labels), float(squared), regret(sum(wrong)))

    return sides


def second_order_sides(stream: Stream, setting: Setting) -> Sides:
    """a eta ||U||^2/(2 - eta) + Q/(eta (2 - eta)), a in units of X^2."""
    a, eta = setting
    state, rounds = second_order(a * squared_radius(stream[1]), *stream)
    quadratic = float(state.quadratic)
    e, scale = float(eta), float(a)
    left = sum(done.y != done.yhat for done in rounds)
    return Sides(
        left, *arrays(rounds), e, lambda u, _: (scale * e * u + quadratic / e) / (2 - e), row_limit(stream[1], e)
    )


def row_limit(X: list[Vector], eta: float) -> float:
    """The largest norm of a row of U in the range of Theorem 2."""
    return (2 / eta - 1) / 2 / float(squared_radius(X)) ** 0.5


def banditron_sides(stream: Stream, setting: Setting) -> Sides:
    """n against the loss where yhat is wrong, and X ||U|| sqrt((K/gamma + 1) n + rho (T - n))."""
    (gamma,), (K, X, _) = setting, stream
    looks, _ = banditron(K, gamma, X, stream[2])
    wrong = [look.y != look.yhat for look in looks]
    n = sum(float(look.mass) for look, out in zip(looks, wrong, strict=True) if out)
    g = float(gamma)
    moment = (K / g + 1) * n + g * (K - 1) / (K - g * (K - 1)) * (len(X) - n)
    return Sides(n, *arrays(looks, lambda look: look.y != look.yhat), 0.0, lambda u, _: math.sqrt(u * moment))


@dataclass(frozen=True)
class Played:
    """SOBA on a stream, on all paths."""

    rounds: list
    quadratic: float

    def expectation(self, value: Callable[[object], object]) -> float:
        return sum(float(done.mass) * float(value(done)) for done in self.rounds)


@lru_cache(maxsize=4)
def _played(a: Fraction, gamma: Fraction, K: int, X: tuple, y: tuple) -> Played:
    *levels, last = soba(a, gamma, K, [*map(list, X)], [*y])
    quadratic = sum(float(done.mass * done.state.quadratic) for done in last)
    return Played([done for level in levels for done in level], quadratic)


def soba_sides(kind: str) -> Callable[[Stream, Setting], Sides]:
    """Theorem 3, both lines; Theorem 2, first; Theorem 4 before gamma is tuned, with its factor."""

    def sides(stream: Stream, setting: Setting) -> Sides:
        a, gamma, eta = setting
        K, X, y = stream
        a *= squared_radius(X)
        done = _played(a, gamma, K, tuple(map(tuple, X)), tuple(y))
        updates = done.expectation(lambda one: one.h)
        regret = soba_regret(kind, done.quadratic, updates, stream, tuple(map(float, setting)))
        left = done.expectation(lambda one: 1 - one.p) if kind == "mistakes" else updates
        limit = row_limit(X, float(eta)) if eta else math.inf
        return Sides(left, *arrays(done.rounds), float(eta), regret, limit)

    return sides


def soba_regret(kind: str, quadratic: float, updates: float, stream: Stream, setting: tuple[float, ...]) -> Regret:
    """What is added to the loss; u is X^2 ||U||^2, and a is in units of X^2."""
    (a, gamma, eta), K, T, d = setting, stream[0], len(stream[1]), len(stream[1][0])
    if kind in ("printed", "proved"):
        factor = 2.0 if kind == "proved" else 1.0
        return lambda u, _: math.sqrt(factor * u * (updates + 0.5) * d * K**2 * math.log(T) / gamma)
    Q = d * K * math.log1p(2 * T / (a * d * K)) if kind == "logarithm" else quadratic
    more = gamma * T if kind == "mistakes" else 0.0
    return lambda u, _: (a * eta * u + K * Q / (gamma * eta)) / (2 - eta) + more
