"""The mean mu = grad Omega*(theta) of a Fenchel-Young loss in floats: where <theta, m> - Omega(m) is largest.

With a proximal step it is <theta, m> - Omega(m) - (tau/2) ||m - c||^2, which is the same for Omega + (tau/2) ||.||^2
and the scores theta + tau c.
"""

from collections.abc import Callable
from fractions import Fraction
from functools import cached_property
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import expit

from gaptron.language.slopes import right_slope
from gaptron.numbers.arrays import array_function
from gaptron.numbers.evaluate import value_at
from gaptron.theory.structured.entropies import (
    BinaryEntropy,
    Convolutional,
    CoordinateEntropy,
    Quadratic,
    Shannon,
    SquaredNorm,
    Tsallis,
    core,
)
from gaptron.theory.structured.limits import at_mean
from gaptron.theory.structured.outputs import Classes, Cube, Ordinal, PermutationMatrices, RankVectors
from gaptron.theory.structured.structured_data import StructuredData

Floats = NDArray[np.float64]


class StatedStructured(Protocol):
    """A structured theorem as data, or in another form that says its data."""

    @property
    def data(self) -> StructuredData:
        """The theorem as data."""


BISECTIONS = 60
SCALINGS = 2000
LARGEST_SPREAD = 30.0  # of scores, beyond which the scaling is slow
MOST_OUTPUTS = 150  # whose weights are found one by one
INSIDE = 1e-15


class Means:
    """The surrogate of one theorem and size, without its scale.

    Parameters
    ----------
    theorem : StructuredTheorem, or its data
    size : int
        One that is claimed.

    Raises
    ------
    ValueError
        If the theorem is not claimed for the size, or no way to its means is known for so many outputs.
    """

    def __init__(self, theorem: StatedStructured, size: int) -> None:
        self.theorem, self.size = theorem.data, size
        if not self.theorem.claims(size):
            raise ValueError(f"the theorem {self.theorem.name!r} is not claimed for {self.theorem.size} = {size}")
        self.entropy = core(self.theorem.entropy)
        self.dimension = self.theorem.outputs.dimension(size)
        self._find = self._way()

    @cached_property
    def vectors(self) -> Floats:
        """All outputs, (N, dimension)."""
        return np.array([[float(a) for a in y] for y in self.theorem.outputs.vectors(self.size)])

    @cached_property
    def table(self) -> Floats:
        """L[yhat, y], (N, N)."""
        return np.array([[float(a) for a in row] for row in self.theorem.target.table(self.theorem.outputs, self.size)])

    def mean(self, theta: Floats, tau: float = 0.0, centre: Floats | None = None) -> Floats:
        """mu, (dimension,), of the scores (dimension,)."""
        moved = theta if centre is None else theta + tau * centre
        return self._find(moved, tau)

    def surrogates(self, thetas: Floats, truths: Floats) -> tuple[float, Floats]:
        """The sum of Omega*(theta) + Omega(y) - <theta, y> over rounds, (T, dimension) each, and the means."""
        if isinstance(self.theorem.outputs, Cube) and isinstance(self.theorem.entropy, CoordinateEntropy):
            means = self._inverse(thetas, 0.0)
            total = self._omega(truths).sum() - self._omega(means).sum()
        else:
            means = np.array([self.mean(theta) for theta in thetas])
            total = sum(self.value(y) - self.value(mean) for y, mean in zip(truths, means, strict=True))
        return float(total - (thetas * (truths - means)).sum()), means

    def value(self, mean: Floats) -> float:
        """Omega(m)."""
        if isinstance(self.theorem.entropy, Convolutional):
            return self._inner_value(mean) - self._least_target(mean)
        return self._inner_value(mean)

    def _inner_value(self, mean: Floats) -> float:
        if isinstance(self.entropy, Quadratic):
            return float(mean @ self._form @ mean) / 2
        return float(self._omega(mean).sum())

    def _least_target(self, mean: Floats) -> float:
        """H_L as a function of the mean: for classes, or the Hamming target coordinate by coordinate."""
        if isinstance(self.theorem.outputs, Classes):
            return float((self.table @ mean).min())
        return float(np.minimum(mean, 1 - mean).sum()) / self.dimension

    # --- the ways -------------------------------------------------------------------------------------------------

    def _way(self) -> Callable[[Floats, float], Floats]:
        outputs = self.theorem.outputs
        if isinstance(self.theorem.entropy, CoordinateEntropy):
            ways = {Cube: self._inverse, Ordinal: self._in_order, Classes: self._on_simplex}
            if type(outputs) in ways:
                return ways[type(outputs)]
            if isinstance(outputs, PermutationMatrices) and isinstance(self.entropy, Shannon):
                return self._doubly_stochastic
            if isinstance(outputs, RankVectors) and isinstance(self.entropy, SquaredNorm):
                return self._on_permutahedron
        if outputs.count(self.size) > MOST_OUTPUTS:
            raise ValueError(f"{outputs!r} of size {self.size}: more than {MOST_OUTPUTS} outputs, and no faster way")
        return self._on_hull

    def _in_order(self, theta: Floats, tau: float) -> Floats:
        return self._inverse(falling(theta), tau)

    def _on_simplex(self, theta: Floats, tau: float) -> Floats:
        if isinstance(self.entropy, Shannon) and tau == 0:
            powers = np.exp(theta - theta.max())
            return np.asarray(powers / powers.sum())
        ends = self._slope(np.array([INSIDE, 1.0]), tau)
        low, high = theta.max() - ends[1], theta.max() - ends[0]  # the sum is at least, and at most, 1
        for _ in range(2 * BISECTIONS):
            middle = (low + high) / 2
            low, high = (middle, high) if self._inverse(theta - middle, tau).sum() > 1 else (low, middle)
        mean = self._inverse(theta - high, tau)
        return np.asarray(mean / mean.sum())

    def _on_permutahedron(self, theta: Floats, tau: float) -> Floats:
        """The projection of theta/(1 + tau): ranks minus what they lack to its order (Lim and Wright 2016)."""
        order = np.argsort(-theta)
        sorted_, ranks = theta[order] / (1 + tau), np.arange(self.size, 0, -1.0)
        found = np.empty(self.size)
        found[order] = sorted_ - falling(sorted_ - ranks)
        return found

    def _doubly_stochastic(self, theta: Floats, tau: float) -> Floats:
        """exp(theta) with rows and columns scaled until they sum to 1 (Sinkhorn); with a quadratic part, weights."""
        if tau > 0 or np.ptp(theta) > LARGEST_SPREAD:
            return self._on_hull(theta, tau)
        found = np.exp(theta - theta.max()).reshape(self.size, self.size)
        for _ in range(SCALINGS):
            found = found / found.sum(axis=1, keepdims=True)
            found = found / found.sum(axis=0)
            if np.abs(found.sum(axis=1) - 1).max() < INSIDE * 100:
                break
        return np.asarray(found.ravel())

    def _on_hull(self, theta: Floats, tau: float) -> Floats:
        """Weights of all outputs by sequential quadratic programming."""
        count, best = len(self.vectors), None
        for start in (np.full(count, 1 / count), self._near(theta)):
            found = self._maximised(theta, tau, start)
            best = found if best is None or found.fun < best.fun else best
        assert best is not None  # noqa: S101
        weights = np.clip(best.x[:count], 0, None)
        return np.asarray(weights @ self.vectors / weights.sum())

    def _near(self, theta: Floats) -> Floats:
        """A start by the output with the largest score."""
        count = len(self.vectors)
        return np.asarray(np.full(count, 0.1 / count) + 0.9 * np.eye(count)[int(np.argmax(self.vectors @ theta))])

    def _maximised(self, theta: Floats, tau: float, start: Floats) -> Any:
        convolved, count = isinstance(self.theorem.entropy, Convolutional), len(start)
        target = self.table if convolved else None

        def negative(z: Floats) -> float:
            mean = z[:count] @ self.vectors
            inner = self._inner_value(mean) + tau / 2 * float(mean @ mean) - float(theta @ mean)
            return inner - (z[count] if convolved else 0.0)

        def slope(z: Floats) -> Floats:
            mean = z[:count] @ self.vectors
            inner = self.vectors @ (self._gradient(mean) + tau * mean - theta)
            return np.append(inner, -1.0) if convolved else np.asarray(inner)

        ones = np.append(np.ones(count), np.zeros(int(convolved)))
        constraints: list[dict[str, Any]] = [{"type": "eq", "fun": lambda z: ones @ z - 1, "jac": lambda _: ones}]
        if target is not None:
            start = np.append(start, (target @ start).min())
            rows = np.hstack([target, -np.ones((len(target), 1))])
            constraints.append({"type": "ineq", "fun": lambda z: rows @ z, "jac": lambda _: rows})
        bounds = [(0.0, 1.0)] * count + [(None, None)] * (len(start) - count)
        options = {"ftol": 1e-13, "maxiter": 300}
        arguments: Any = {"method": "SLSQP", "bounds": bounds, "constraints": constraints, "options": options}
        return minimize(negative, start, jac=slope, **arguments)

    def _gradient(self, mean: Floats) -> Floats:
        """grad Omega(m), of the part that is not convolved."""
        return np.asarray(self._form @ mean) if isinstance(self.entropy, Quadratic) else self._slope(mean, 0.0)

    # --- one coordinate -------------------------------------------------------------------------------------------

    @cached_property
    def _form(self) -> Floats:
        assert isinstance(self.entropy, Quadratic)  # noqa: S101
        return np.array([[float(a) for a in row] for row in self.entropy.matrix])

    @cached_property
    def _ends(self) -> tuple[float, float]:
        return self._end(Fraction(0)), self._end(Fraction(1))

    def _end(self, at: Fraction) -> float:
        """The limit, or a value close to it where its form does not show that."""
        assert isinstance(self.entropy, CoordinateEntropy)  # noqa: S101
        try:
            return float(value_at(at_mean(self.entropy.omega, at), {}))
        except NotImplementedError:
            return float(self._functions[0](np.array(abs(float(at) - INSIDE))))

    @cached_property
    def _functions(self) -> tuple[Callable[[Floats], Floats], Callable[[Floats], Floats]]:
        assert isinstance(self.entropy, CoordinateEntropy)  # noqa: S101
        omega = self.entropy.omega
        return array_function(omega, "v"), array_function(right_slope(omega, "v"), "v")

    def _omega(self, values: Floats) -> Floats:
        zero, one = self._ends
        if isinstance(self.entropy, SquaredNorm):
            return np.asarray(values**2 / 2)
        inside = np.clip(values, INSIDE, 1 - INSIDE)
        return np.where(values <= INSIDE, zero, np.where(values >= 1 - INSIDE, one, self._functions[0](inside)))

    def _slope(self, values: Floats, tau: float) -> Floats:
        """omega' + tau v, increasing."""
        if isinstance(self.entropy, SquaredNorm):
            return np.asarray((1 + tau) * values)
        return np.asarray(self._functions[1](np.clip(values, INSIDE, 1 - INSIDE)) + tau * values)

    def _inverse(self, slopes: Floats, tau: float) -> Floats:
        """The values in [0, 1] with these slopes, or the nearest end."""
        if isinstance(self.entropy, SquaredNorm):
            return np.asarray(np.clip(slopes / (1 + tau), 0.0, 1.0))
        if isinstance(self.entropy, Shannon) and tau == 0:
            return np.asarray(np.exp(np.minimum(slopes - 1, 0.0)))
        if isinstance(self.entropy, BinaryEntropy) and tau == 0:
            return np.asarray(expit(slopes))
        if isinstance(self.entropy, Tsallis) and tau == 0:
            q = float(self.entropy.q)
            return np.asarray(np.clip((q - 1) * np.maximum(slopes, 0.0), 0.0, 1.0) ** (1 / (q - 1)))
        low, high = np.zeros(slopes.shape), np.ones(slopes.shape)
        for _ in range(BISECTIONS):
            middle = (low + high) / 2
            above = self._slope(middle, tau) > slopes
            low, high = np.where(above, low, middle), np.where(above, middle, high)
        return np.asarray((low + high) / 2)


def falling(values: Floats) -> Floats:
    """The nearest non-increasing sequence in the Euclidean norm: pool adjacent violators."""
    blocks: list[tuple[float, int]] = []
    for value in values:
        total, count = float(value), 1
        while blocks and blocks[-1][0] * count < total * blocks[-1][1]:
            before, more = blocks.pop()
            total, count = total + before, count + more
        blocks.append((total, count))
    return np.array([total / count for total, count in blocks for _ in range(count)])
