"""Randomized decoding on a finite set of outputs, by hand, in fractions (Sakaue, Bao, Tsuchiya, Oki 2024, Algorithm 1).

Outputs are tuples of fractions, a point of their hull is given by its weights on them, which are also the distribution
of the random output of this mean.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction

Vector = Sequence[Fraction]


def l1(z: Vector) -> Fraction:
    """The sum of the sizes of the entries."""
    return sum((abs(entry) for entry in z), Fraction(0))


def mean(outputs: Sequence[Vector], weights: Sequence[Fraction]) -> list[Fraction]:
    """The point of the hull with these weights, shape (d,)."""
    return [sum((w * y[i] for w, y in zip(weights, outputs, strict=True)), Fraction(0)) for i in range(len(outputs[0]))]


def distances(
    outputs: Sequence[Vector], weights: Sequence[Fraction], norm: Callable[[Vector], Fraction]
) -> list[Fraction]:
    """From the point of the hull to every output."""
    point = mean(outputs, weights)
    return [norm([a - b for a, b in zip(y, point, strict=True)]) for y in outputs]


def decoding(
    outputs: Sequence[Vector],
    weights: Sequence[Fraction],
    separation: Fraction,
    norm: Callable[[Vector], Fraction] = l1,
) -> list[Fraction]:
    """The probability of every output: the nearest one with 1 - p, else one from the weights, p = min(1, 2 D*/nu).

    Parameters
    ----------
    outputs : K vectors of d fractions
    weights : K fractions, not negative, with sum 1
        The regularized prediction is their mean.
    separation : nu > 0
        No two outputs are nearer.
    norm : function of a vector
        With a rational value; of several nearest outputs the first is taken.
    """
    away = distances(outputs, weights, norm)
    near = min(range(len(outputs)), key=away.__getitem__)
    p = min(Fraction(1), 2 * away[near] / separation)
    return [(1 - p) * (k == near) + p * w for k, w in enumerate(weights)]
