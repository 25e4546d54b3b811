"""The strongest comparator found for a stream, in doubles: a convex search, among sums of the rounds' own directions.

Every U is a comparator (with bandit feedback every U with ||U|| <= D), so what is verified with it is exact however
well this search did.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from gaptron.bounds.hindsight import SHRINKS, HindsightLoss, descended, into_ball
from gaptron.learners.arithmetic import Array

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
