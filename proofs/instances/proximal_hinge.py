"""Proximal steps by hand, with two classes and the hinge loss: copies that take turns, and independent examples."""

from fractions import Fraction
from itertools import product
from math import prod

import numpy as np

from .by_hand import ONE, Matrix, Point, Vector, dot, margin, scores

HALF = Fraction(1, 2)


def drawn(rng: np.random.Generator) -> tuple[int, list[Point], Matrix]:
    """How late labels are, rounds with ||x|| <= 1 and a comparator."""
    late, d, T = (int(rng.integers(*of)) for of in ((0, 5), (1, 4), (1, 13)))
    points = [[Fraction(int(v), 2 * d) for v in rng.integers(-2, 3, d)] for _ in range(T)]
    U = [[Fraction(int(v), 4) for v in rng.integers(-4, 5, d)] for _ in range(2)]
    return late, [(x, int(rng.integers(2))) for x in points], U


def mistakes(rounds: list[Point], late: int) -> Fraction:
    """E[mistakes]: in round t copy t mod (late + 1) predicts, and is told the label before its next turn."""
    copies = [[Fraction(0)] * len(rounds[0][0]) for _ in range(late + 1)]
    total = Fraction(0)
    for t, (x, label) in enumerate(rounds):
        turn, sign = t % (late + 1), 1 - 2 * label
        total += wrong(dot(copies[turn], x), label)
        copies[turn] = stepped(copies[turn], x, sign)
    return total


def wrong(z: Fraction, label: int) -> Fraction:
    """The label with the larger score, 0 if z >= 0, is drawn but for what the other one needs, max(0, 1 - e)."""
    needs = [max(Fraction(0), 1 - envelope(1 - sign * z)) for sign in (1, -1)]
    top = 0 if z >= 0 else 1
    return needs[1 - top] if label == top else 1 - needs[label]


def envelope(r: Fraction) -> Fraction:
    """min over a of max(0, r - a) + a^2/2: the loss before the step and its price where ||x|| = 1."""
    return max(r, Fraction(0)) ** 2 / 2 if r <= 1 else r - HALF


def stepped(v: Vector, x: Vector, sign: int) -> Vector:
    """argmin over V of the loss + ||V - W||^2, v the difference of both rows of W."""
    squared = dot(x, x)
    if squared == 0:
        return v
    move = min(max(Fraction(0), 1 - sign * dot(v, x)), squared) / squared
    return [a + sign * move * b for a, b in zip(v, x, strict=True)]


def losses_of(U: Matrix, rounds: list[Point]) -> Fraction:
    """The hinge losses of U."""
    margins = (margin(scores(U, x), label)[0] for x, label in rounds)
    return sum((max(Fraction(0), ONE - m) for m in margins), Fraction(0))


def sampled(rng: np.random.Generator) -> tuple[int, list[tuple[Fraction, Point]], Matrix]:
    """How many examples are drawn, the distribution that they come from, and a comparator."""
    _, rounds, U = drawn(rng)
    points = rounds[:3]
    raw = [Fraction(int(v)) for v in rng.integers(1, 5, len(points))]
    return int(rng.integers(1, 5)), [(share / sum(raw), point) for share, point in zip(raw, points, strict=True)], U


def risks(law: list[tuple[Fraction, Point]], T: int) -> tuple[Fraction, Fraction]:
    """E of P(wrong) on a fresh example after T others: by the mean of W_1, ..., W_T, and by one of them at random."""
    of_mean = at_random = Fraction(0)
    for path in product(law, repeat=T):
        iterates = [[Fraction(0)] * len(law[0][1][0])]
        for _, (x, label) in path[:-1]:
            iterates.append(stepped(iterates[-1], x, 1 - 2 * label))
        share = prod((p for p, _ in path), start=ONE)
        of_mean += share * risk([sum(entries, Fraction(0)) / T for entries in zip(*iterates, strict=True)], law)
        at_random += share * sum((risk(v, law) for v in iterates), Fraction(0)) / T
    return of_mean, at_random


def risk(v: Vector, law: list[tuple[Fraction, Point]]) -> Fraction:
    """P(wrong) on a fresh example."""
    return sum((share * wrong(dot(v, x), label) for share, (x, label) in law), Fraction(0))


def mean_loss(U: Matrix, law: list[tuple[Fraction, Point]]) -> Fraction:
    """E of the hinge loss of U."""
    return sum((share * losses_of(U, [point]) for share, point in law), Fraction(0))
