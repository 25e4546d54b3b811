"""The best comparator found in hindsight: min over U of sum_t loss_t(U) + c ||U||^2, all rounds at once.

Every U is a valid comparator, so the bound at the one that is found is true even if a better one exists.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from gaptron.language.theorems import StatedLoss
from gaptron.rounds import Columns, Surrogate

Floats = NDArray[np.float64]
Objective = Callable[[Floats], tuple[float, Floats]]

ITERATIONS, CALLS = 200, 15000
WORK, SCALAR_WORK = 2**33, 32
ONE_THREAD = 2**17
SHRINKS = (1.0, 1e-2, 1e-4)  # of T/D^2: regularizers that bring U to the boundary of its ball, or into it


@dataclass(frozen=True)
class Comparator:
    """A weight matrix U by its total loss and its Frobenius norm."""

    loss: float
    norm: float

    def bound(self, coefficient: float) -> float:
        """loss + c ||U||^2; the loss alone at U = 0, even if c is infinite."""
        return self.loss + (coefficient * self.norm**2 if self.norm > 0 else 0.0)


@dataclass(frozen=True, eq=False)
class HindsightLoss:
    """sum_t on_t loss_t(U) with its gradient, for rounds (X, y): a round is on or off, or on so many times.

    The hinge loss of Theorem 2 is switched off on rounds whose top label was right with a large margin at W_t, not at
    U (van der Hoeven 2020, equation (2)): ``on`` is False there.
    """

    loss: StatedLoss
    X: Floats
    y: NDArray[np.int64]
    on: NDArray[np.bool_] | Floats
    n_classes: int

    def __call__(self, U: Floats) -> tuple[float, Floats]:
        """The total loss at U, of shape (rows, d), and its gradient, of the same shape."""
        X, y, times = self._rounds
        total, gradient = 0.0, np.zeros(U.shape)
        for block in self._blocks:
            found = self._surrogate.at(U @ X[block].T)
            total += float(times[block] @ found.value(y[block]))
            gradient += (times[block] * found.slopes(y[block])) @ X[block]
        return total, gradient

    def at(self, U: Floats) -> Comparator:
        """U as a comparator."""
        return Comparator(self(U)[0], float(np.linalg.norm(U)))

    @property
    def rows(self) -> int:
        """Of U: K, or 1 for a BinaryLoss."""
        return self._surrogate.rows

    @property
    def work(self) -> int:
        """About how many multiplications one call takes: a search makes fewer calls when they are expensive."""
        rounds, d = self.X.shape
        return int(rounds * self.n_classes * (d + SCALAR_WORK))

    @cached_property
    def _rounds(self) -> tuple[Floats, NDArray[np.int64], Floats]:
        counted = self.on > 0
        return self.X[counted], self.y[counted], self.on[counted].astype(float)

    @cached_property
    def _blocks(self) -> list[slice]:
        """Rounds in products that BLAS computes in one thread: NumPy's threads and SciPy's wait for each other."""
        size = max(1, ONE_THREAD // (self.n_classes * self.X.shape[1]))
        return [slice(begin, begin + size) for begin in range(0, max(1, len(self._rounds[1])), size)]

    @cached_property
    def _surrogate(self) -> Surrogate:
        return Surrogate(self.loss, self.n_classes, Columns())


def best_comparator(loss: HindsightLoss, coefficient: float, starts: Sequence[Floats], radius: float) -> Floats:
    """The best U found with ||U|| <= radius: by L-BFGS-B from the class means and each start, scaled onto the ball.

    ``coefficient`` is c of the bound; features of norm at most 1 suit the search. Never worse than U = 0, which is no
    start: all margins are tied there, and a subgradient at a tie need not point downhill.
    """
    candidates = [np.zeros((loss.rows, loss.X.shape[1]))]
    if math.isfinite(coefficient):
        candidates += [_search(loss, coefficient, start, radius) for start in (class_sums(loss) / len(loss.y), *starts)]
    return min(candidates, key=lambda U: loss.at(U).bound(coefficient))


def class_sums(loss: HindsightLoss) -> Floats:
    """The sum of the features of every class, centred: what logistic regression's first step is along."""
    if loss.rows == 1:
        return np.asarray((1 - 2 * loss.y)[None] @ loss.X, dtype=float)
    sums = np.eye(loss.n_classes)[loss.y].T @ loss.X
    return np.asarray(sums - sums.mean(axis=0), dtype=float)


def _search(loss: HindsightLoss, coefficient: float, start: Floats, radius: float) -> Floats:
    return into_ball(least(loss, coefficient, start, ITERATIONS, max(1, WORK // loss.work)), radius)


def least(loss: HindsightLoss, coefficient: float, start: Floats, iterations: int, calls: int = CALLS) -> Floats:
    """The best U found of small loss + c ||U||^2, from a start."""

    def objective(flat: Floats) -> tuple[float, Floats]:
        U = flat.reshape(start.shape)
        value, gradient = loss(U)
        return value + coefficient * float(flat @ flat), (gradient + 2 * coefficient * U).ravel()

    return descended(objective, start, iterations, calls)


def descended(objective: Objective, start: Floats, iterations: int, calls: int = CALLS) -> Floats:
    """Where L-BFGS-B gets from a start, whose shape it keeps; the objective is given flat arrays."""
    with np.errstate(all="ignore"):
        found = minimize(
            objective, start.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": iterations, "maxfun": calls}
        ).x
    return np.asarray(found, dtype=float).reshape(start.shape)


def into_ball(U: Floats, radius: float) -> Floats:
    """U, scaled if it is longer than the radius."""
    norm = float(np.linalg.norm(U))
    return U * min(1.0, radius / norm) if norm > 0 else U
