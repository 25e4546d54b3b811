"""The projection of an online Newton step: onto a Euclidean ball, in the norm of a matrix."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.optimize import brentq
from scipy.special import expit

from gaptron.learners.arithmetic import Arithmetic, Array, require_finite
from gaptron.learners.rank_one import grown_inverse
from gaptron.system import checks

ROUNDING = 1e-12
SMALLEST = float(np.finfo(float).tiny)


def project(w: Any, A: Any, radius: float) -> Array:
    """The v that minimises (v - w)'A(v - w) subject to ||v|| <= radius.

    Outside the ball v = (A + mu I)^{-1} A w with the mu > 0 that makes ||v|| = radius: A is diagonalised, O(n^3),
    and mu found by one scalar root search. A w in the ball is returned as it is, which costs O(n).

    Parameters
    ----------
    w : (n,) array of finite numbers
    A : (n, n) array of finite numbers
        Symmetric and positive definite; only its lower triangle is read.
    radius : number > 0

    Raises
    ------
    ValueError
        If an argument is not as above.
    """
    radius = float(checks.positive(radius, "radius", infinite=True))
    point = Arithmetic().array(w, "w", (np.size(w),))
    norm = math.hypot(*point)
    if norm <= radius:
        return point
    if math.isinf(norm):
        raise ValueError("w has the norm inf: it must be finite")
    eigenvalues, Q = np.linalg.eigh(Arithmetic().array(A, "A", (point.size, point.size)))
    coordinates = Q.T @ point
    nearest: Array = Q @ (_shares(_positive(eigenvalues), coordinates, radius, norm) * coordinates)
    return np.asarray(nearest * (radius / math.hypot(*nearest)))


def newton_step(learner: Any, g: Array, rate: float) -> None:
    """Online Newton step (Hazan, Agarwal, Kale 2007): A += g g', W <- the projection of W - A^{-1} g/rate.

    Raises
    ------
    OverflowError
        If something leaves the range of doubles; nothing is changed then.
    """
    with np.errstate(over="ignore", invalid="ignore"):
        A = learner.A + np.outer(g, g)
        P, u = grown_inverse(learner.P, g)
        w = learner.W.ravel() - u / rate
    require_finite(A, P, w)
    learner.W, learner.A, learner.P = project(w, A, learner.radius).reshape(learner.W.shape), A, P


def first_root(name: str, rate: float, radius: float) -> float:
    """2 rate D, whose square is the first A^{-1}; ValueError, with the rate's name, if no double holds that."""
    root = 2 * rate * radius
    if not SMALLEST <= root * root < math.inf:
        raise ValueError(f"{name} = {rate}, radius = {radius}: (2 {name} radius)^2 leaves the range of doubles")
    return root


def _positive(eigenvalues: Array) -> Array:
    """The eigenvalues, lifted to what rounding can tell from zero."""
    largest = eigenvalues[-1]
    if not largest > 0 or eigenvalues[0] < -ROUNDING * largest:
        raise ValueError(f"A has the eigenvalue {eigenvalues[0]}: it must be positive definite")
    return np.asarray(np.maximum(eigenvalues, np.finfo(float).eps * largest))


def _shares(eigenvalues: Array, coordinates: Array, radius: float, norm: float) -> Array:
    """lambda_i/(lambda_i + mu) at the mu where the norm of v is the radius.

    Were all eigenvalues equal to lambda, mu would be lambda (norm/radius - 1): the smallest and the largest one
    bracket it. The search is for ln mu, as the bracket may span many powers of ten.
    """
    logarithms = np.log(eigenvalues)

    def shares(log_mu: float) -> Array:
        return np.asarray(expit(logarithms - log_mu))

    def excess(log_mu: float) -> float:
        return math.log(math.hypot(*(shares(log_mu) * coordinates)) / radius)

    outside = norm / radius - 1
    if outside <= ROUNDING:
        return np.ones_like(eigenvalues)
    low, high = (math.log(outside) + logarithms[[0, -1]]).tolist()
    return shares(_root(excess, low, high))


def _root(excess: Callable[[float], float], low: float, high: float) -> float:
    """Where the decreasing ``excess`` is zero; an end of the bracket if rounding puts the root beyond it."""
    if excess(low) <= 0:
        return low
    if excess(high) >= 0:
        return high
    return float(brentq(excess, low, high, xtol=1e-15, maxiter=500))
