"""Scores for each output that no algorithm withstands: what refutes a proximal theorem.

Proximal updates attain the exact criterion H_L(w) <= alpha (E_w loss_y(theta_y) + c Var_w(theta)) for all w and all
families of scores theta_y, and no algorithm has constants that violate it. The losses are bounded from above at
rational scores: with a rational mean mu in the hull and theta' = grad Omega(mu),
Omega*(theta) <= <theta', mu> - Omega(mu) + max_y <theta - theta', y>.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize, nnls

from gaptron.language.expressions import Expression
from gaptron.language.instantiation import has_no_value
from gaptron.language.normal import put, slope
from gaptron.language.slopes import left_slope, right_slope
from gaptron.numbers.evaluate import Number, ball, enclosure, value_at
from gaptron.prove.exact_text import Witness, exact
from gaptron.theory.structured.distributions import OutputDistribution, least_target
from gaptron.theory.structured.entropies import Convolutional, CoordinateEntropy, Entropy, Quadratic
from gaptron.theory.structured.means import Means
from gaptron.theory.structured.outputs import Classes, Cube, Ordinal, Vector
from gaptron.theory.structured.structured_theorem import StructuredTheorem

Floats = NDArray[np.float64]

ROUNDING = (10, 10**3, 10**6, 10**9)
FINE = 10**12  # of means


def broken_envelopes(theorem: StructuredTheorem, distribution: OutputDistribution) -> Iterator[Witness]:
    """The first family of rational scores, simplest first, at which the exact criterion certainly fails."""
    known = isinstance(theorem.outputs, (Classes, Cube, Ordinal)) and not isinstance(theorem.entropy, Convolutional)
    if theorem.regret is None or not known or not theorem.claims(distribution.size):
        return
    size, numbers = {theorem.size.name: Fraction(distribution.size)}, theorem.data.numbers
    scale, alpha, regret = (value_at(numbers[name], size) for name in ("scale", "coefficient", "regret"))
    left = least_target(theorem.target, theorem.outputs, distribution)
    family = worst_family(theorem, distribution, float(scale), float(regret) / float(alpha))
    for denominator in ROUNDING:
        scores = [tuple(Fraction(round(a * denominator), denominator) for a in row) for row in family]
        expected = expected_loss(theorem, distribution, scores)
        if expected is not None:
            right = ball(alpha) * ball(scale) * expected + ball(regret) * ball(variance(distribution, scores))
            if left > enclosure(right)[1]:
                yield _witness(theorem, distribution, scores, left, right)
                return


def expected_loss(theorem: StructuredTheorem, distribution: OutputDistribution, scores: list[Vector]) -> Number | None:
    """At least E_w of the Fenchel-Young losses; None where one has no bound."""
    total = ball(Fraction(0))
    for weight, row, y in zip(distribution.weights, scores, distribution.outputs, strict=True):
        loss = _largest_loss(theorem, distribution.size, row, y)
        if loss is None:
            return None
        total += ball(weight) * loss
    return total


def worst_family(theorem: StructuredTheorem, distribution: OutputDistribution, scale: float, c: float) -> Floats:
    """Scores for each output of the distribution that minimise E loss + c Var, in floats."""
    means, weights = Means(theorem, distribution.size), np.array([float(w) for w in distribution.weights])
    outputs = np.array([[float(a) for a in y] for y in distribution.outputs])
    shape = outputs.shape

    def both(flat: Floats) -> tuple[float, Floats]:
        thetas = flat.reshape(shape)
        centred, total, slopes = thetas - weights @ thetas, 0.0, np.zeros(shape)
        for i, (theta, y) in enumerate(zip(thetas, outputs, strict=True)):
            loss, mean = means.surrogates(theta[None], y[None])
            total += weights[i] * scale * loss
            slopes[i] = weights[i] * scale * (mean[0] - y)
        value = total + c * float(weights @ (centred**2).sum(axis=1))
        return value, (slopes + 2 * c * weights[:, None] * centred).ravel()

    start = 0.1 * outputs.ravel()
    arguments: Any = {"method": "L-BFGS-B", "jac": True}
    found = minimize(both, start, **arguments)
    return np.asarray(found.x.reshape(shape))


def _largest_loss(theorem: StructuredTheorem, size: int, scores: Vector, true: Vector) -> Number | None:
    """An upper bound on Omega*(theta) + Omega(y) - <theta, y>; None where the mean is on a steep boundary."""
    means = Means(theorem, size)
    mean = _rational_mean(theorem, size, means.mean(np.array([float(a) for a in scores])))
    slopes = slopes_at(theorem.entropy, mean)
    if slopes is None:
        return None
    steep = [ball(value_at(slope, {})) for slope in slopes]
    off = [ball(score) - slope for score, slope in zip(scores, steep, strict=True)]
    most = max(enclosure(inner(y, off))[1] for y in theorem.outputs.vectors(size))
    value = ball(value_at(theorem.entropy.value(true), {})) - ball(value_at(theorem.entropy.value(mean), {}))
    return inner(mean, steep) + ball(most) + value - inner(true, [ball(a) for a in scores])


def slopes_at(entropy: Entropy, mean: Sequence[Fraction]) -> list[Expression] | None:
    """The partial derivatives of an entropy that is not convolved; None where it is steep."""
    if isinstance(entropy, Quadratic):
        return [sum((a * m for a, m in zip(row, mean, strict=True)), Fraction(0)) for row in entropy.matrix]
    assert isinstance(entropy, CoordinateEntropy)  # noqa: S101
    found = [put(_slope(entropy.omega, part == 1), {"v": part}) for part in mean]
    return None if any(map(has_no_value, found)) else found


@lru_cache(maxsize=256)
def _slope(omega: Expression, is_last: bool) -> Expression:
    """omega', from the right where it has kinks, and at 1 from the left."""
    try:
        return slope(omega, "v")
    except ValueError:
        return (left_slope if is_last else right_slope)(omega, "v")


def _rational_mean(theorem: StructuredTheorem, size: int, mean: Floats) -> Vector:
    """A rational point of the hull close to the mean: rounding keeps order, and of a distribution the sum.

    Elsewhere it is an average of the outputs, with rational weights.
    """
    if not isinstance(theorem.outputs, (Classes, Cube, Ordinal)):
        return _average(theorem.outputs.vectors(size), mean)
    found = [Fraction(max(0, min(FINE, round(float(a) * FINE))), FINE) for a in mean]
    if isinstance(theorem.outputs, Classes):
        total = sum(found, Fraction(0))
        found = [a / total for a in found]
    return tuple(found)


def _average(vectors: tuple[Vector, ...], mean: Floats) -> Vector:
    """The average of the vectors that is close to a mean of theirs."""
    rows = np.vstack([np.array([[float(a) for a in y] for y in vectors]).T, np.ones(len(vectors))])
    weights = [Fraction(round(float(a) * FINE), FINE) for a in nnls(rows, np.append(mean, 1.0))[0]]
    total = sum(weights, Fraction(0))
    return tuple(
        sum((w * a for w, a in zip(weights, column, strict=True)), Fraction(0)) / total
        for column in zip(*vectors, strict=True)
    )


def inner(vector: Vector, slopes: list[Number]) -> Number:
    """The inner product, in balls."""
    return sum((ball(a) * slope for a, slope in zip(vector, slopes, strict=True) if a), ball(Fraction(0)))


def variance(distribution: OutputDistribution, scores: list[Vector]) -> Fraction:
    """Var_w(theta)."""
    return OutputDistribution(distribution.size, tuple(scores), distribution.weights).variance


def _witness(
    theorem: StructuredTheorem, distribution: OutputDistribution, scores: list[Vector], left: Fraction, right: Number
) -> Witness:
    """JSON-ready: a score vector for each output that is drawn."""
    size: Witness = {"K" if isinstance(theorem.outputs, Classes) else "size": distribution.size}
    return {
        **size,
        "outputs": [[str(a) for a in y] for y in distribution.outputs],
        "distribution": [str(w) for w in distribution.weights],
        "scores": [[str(a) for a in row] for row in scores],
        "left": str(left),
        "right": exact(right),
    }
