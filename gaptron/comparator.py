"""The best comparator found in hindsight: min over U of sum_t loss_t(U) + c ||U||^2, all rounds at once.

Every U is a valid comparator, so the bound at the one that is found is true even if a better one exists.
"""

from dataclasses import dataclass

import numpy as np
import sympy as sp
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import log_softmax

from gaptron.losses import MarginLoss, SoftmaxLoss, numpy_derivative, numpy_function
from gaptron.symbols import p

Floats = NDArray[np.float64]

LOG_P = sp.Symbol("u", real=True)
ITERATIONS = 500


@dataclass(frozen=True)
class Comparator:
    """A weight matrix U by its total loss, its Frobenius norm, and loss + c norm^2."""

    loss: float
    norm: float
    bound: float


@dataclass(frozen=True, eq=False)
class HindsightLoss:
    """sum_t loss_t(U) with its gradient, for rounds (X, y) of which those in ``on`` count.

    The hinge loss of Theorem 2 is switched off on rounds whose top label was right with a large margin at W_t, not at
    U (van der Hoeven 2020, equation (2)): ``on`` is False there.
    """

    loss: MarginLoss | SoftmaxLoss
    X: Floats
    y: NDArray[np.int64]
    on: NDArray[np.bool_]
    n_classes: int

    def __call__(self, U: Floats) -> tuple[float, Floats]:
        """The total loss at U, of shape (K, d), and its gradient, of the same shape."""
        X, y = self.X[self.on], self.y[self.on]
        scores = X @ U.T
        if isinstance(self.loss, SoftmaxLoss):
            values, gradient = _softmax_loss(self.loss, scores, y, self.n_classes)
        else:
            values, gradient = _margin_loss(self.loss, scores, y, self.n_classes)
        return float(values.sum()), gradient.T @ X


def _margin_loss(loss: MarginLoss, scores: Floats, y: NDArray[np.int64], n_classes: int) -> tuple[Floats, Floats]:
    """phi(m) of every round, and its gradient in the scores, shape (T, K)."""
    rounds = np.arange(len(y))
    others = scores.copy()
    others[rounds, y] = -np.inf
    rivals = others.argmax(axis=1)
    margins = scores[rounds, y] - scores[rounds, rivals]
    gradient = np.zeros_like(scores)
    gradient[rounds, y] = numpy_derivative(loss.phi, loss.variable, n_classes)(margins)
    gradient[rounds, rivals] = -gradient[rounds, y]
    return numpy_function(loss.phi, loss.variable, n_classes)(margins), gradient


def _softmax_loss(loss: SoftmaxLoss, scores: Floats, y: NDArray[np.int64], n_classes: int) -> tuple[Floats, Floats]:
    """psi(p_y) of every round, and its gradient in the scores; written in log p_y, which does not underflow."""
    rounds = np.arange(len(y))
    logarithms = log_softmax(scores, axis=1)
    psi = loss.psi.subs(p, sp.exp(LOG_P))
    slopes = numpy_derivative(psi, LOG_P, n_classes)(logarithms[rounds, y])
    gradient = -np.exp(logarithms) * slopes[:, None]
    gradient[rounds, y] += slopes
    return numpy_function(psi, LOG_P, n_classes)(logarithms[rounds, y]), gradient


def best_comparator(loss: HindsightLoss, coefficient: float, starts: list[Floats], radius: float) -> Comparator:
    """The best U found with ||U|| <= radius: from each start (and zero) by L-BFGS-B, scaled back onto the ball.

    ``coefficient`` is c of the bound. Never worse than U = 0.
    """
    shape = starts[0].shape

    def objective(flat: Floats) -> tuple[float, Floats]:
        U = flat.reshape(shape)
        value, gradient = loss(U)
        return value + coefficient * float(flat @ flat), (gradient + 2 * coefficient * U).ravel()

    zero = np.zeros(shape)
    candidates = [zero]
    for start in (zero, *starts):
        found = minimize(objective, start.ravel(), jac=True, method="L-BFGS-B", options={"maxiter": ITERATIONS}).x
        norm = float(np.linalg.norm(found))
        candidates.append(found.reshape(shape) * min(1.0, radius / norm if norm > 0 else 1.0))
    return min((_evaluated(loss, U, coefficient) for U in candidates), key=lambda found: found.bound)


def _evaluated(loss: HindsightLoss, U: Floats, coefficient: float) -> Comparator:
    value, norm = loss(U)[0], float(np.linalg.norm(U))
    return Comparator(value, norm, value + coefficient * norm**2)
