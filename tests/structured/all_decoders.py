"""A second route to the criterion: scores, a numeric Fenchel-Young loss, and a linear program over all decoders.

Nothing here uses the criterion, its vertices or its reductions: Omega* is maximised numerically over distributions.
"""

from collections.abc import Callable

import numpy as np
from scipy.optimize import linprog, minimize

from gaptron.theory.structured.structured_theorem import StructuredTheorem

Floats = np.ndarray


class Game:
    """One theorem at one size, in floats. ``omega`` is the entropy of one coordinate."""

    def __init__(self, theorem: StructuredTheorem, size: int, omega: Callable[[Floats], Floats]) -> None:
        at = {theorem.size: size}
        self.scale, self.alpha, self.eta = (
            float(part.subs(at)) for part in (theorem.scale, theorem.coefficient, theorem.eta())
        )
        self.vectors = np.array([[float(a) for a in y] for y in theorem.outputs.vectors(size)])
        self.table = np.array([[float(a) for a in row] for row in theorem.target.table(theorem.outputs, size)])
        self.omega = omega

    def conjugate(self, theta: Floats) -> tuple[float, Floats]:
        """Omega*(theta) and the mean at which it is attained."""
        count = len(self.vectors)

        def negative(weights: Floats) -> float:
            mean = weights @ self.vectors
            return float(np.sum(self.omega(np.clip(mean, 0, None))) - theta @ mean)

        starts = [np.full(count, 1 / count), *(0.9 * np.eye(count) + 0.1 / count)]
        found = [
            minimize(
                negative,
                start,
                method="SLSQP",
                bounds=[(0, 1)] * count,
                constraints={"type": "eq", "fun": lambda w: w.sum() - 1},
                options={"ftol": 1e-14, "maxiter": 500},
            )
            for start in starts[: 1 + min(2, count)]
        ]
        best = min(found, key=lambda result: result.fun)
        return -best.fun, best.x @ self.vectors

    def excess(self, theta: Floats) -> float:
        """By how much the best decoder exceeds alpha (loss - (eta/2) ||g||^2), at most 0 if one exists."""
        top, mean = self.conjugate(theta)
        entropies = self.omega(self.vectors).sum(axis=1)
        losses = self.scale * (top + entropies - self.vectors @ theta)
        squares = self.scale**2 * ((mean - self.vectors) ** 2).sum(axis=1)
        allowed = self.alpha * (losses - self.eta / 2 * squares)
        count = len(self.table)
        rows = np.hstack([self.table.T, -np.ones((len(allowed), 1))])
        found = linprog(
            np.eye(count + 1)[-1],
            A_ub=rows,
            b_ub=allowed,
            A_eq=np.array([[1.0] * count + [0.0]]),
            b_eq=[1.0],
            bounds=[(0, None)] * count + [(None, None)],
        )
        return float(found.fun)


def coordinate(theorem: StructuredTheorem) -> Callable[[Floats], Floats]:
    """omega by name, written out by hand."""
    name = type(theorem.entropy).__name__
    with np.errstate(all="ignore"):
        log = lambda x: x * np.log(np.maximum(x, 1e-300))  # noqa: E731
    if name == "Tsallis":
        q = float(theorem.entropy.q)  # type: ignore[attr-defined]
        return lambda x: x**q / (q * (q - 1))
    known = {
        "SquaredNorm": lambda x: x**2 / 2,
        "Shannon": log,
        "BinaryEntropy": lambda x: log(x) + log(1 - np.minimum(x, 1)),
    }
    return known[name]
