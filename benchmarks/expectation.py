"""Exact expectations against a plain mpmath recursion in one run, without merging; and streams that merge.

python benchmarks/expectation.py
"""

import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np

from gaptron import Gaptron
from gaptron.expectation import expected, expected_blocks, expected_repeated

K, d, REPEATS, BITS = 3, 5, 5, 113
GAMMA, ETA = Fraction(1, 8), Fraction(1, 8)


def recursion(W: list[list[Any]], X: list[list[Any]], y: list[int], t: int = 0) -> Any:
    """Expected mistakes from round t on with the logistic loss, by both outcomes of every draw."""
    if t == len(y):
        return mpmath.mpf(0)
    x, label = X[t], y[t]
    powers = [mpmath.exp(mpmath.fdot(row, x)) for row in W]
    p = [power / sum(powers) for power in powers]
    best = max(p)
    uniform = max(1 - best if 2 * best >= 1 else mpmath.mpf(1), mpmath.mpf(1) / 8)
    right = uniform / K + (1 - uniform) * (p.index(best) == label)
    rate = mpmath.mpf(1) / 8 / right / mpmath.ln(2)
    moved = [[w - rate * (p[k] - (k == label)) * v for w, v in zip(W[k], x, strict=True)] for k in range(K)]
    return (1 - right) * (1 + recursion(W, X, y, t + 1)) + right * recursion(moved, X, y, t + 1)


def seconds(compute: Callable[[], Any], repeats: int = REPEATS) -> float:
    """The best time."""
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        compute()
        times.append(time.perf_counter() - start)
    return min(times)


def unmerged() -> None:
    """Every path is a state of its own."""
    rng = np.random.default_rng(0)
    X, y = (rng.integers(-8, 9, (20, d)) / 16).tolist(), rng.integers(0, K, 20).tolist()
    learner = Gaptron(K, d, loss="logistic", feedback="bandit", exploration=GAMMA, learning_rate=ETA)
    mpmath.mp.prec = BITS
    zero = [[mpmath.mpf(0)] * d for _ in range(K)]
    for T in (8, 12):
        points = [[mpmath.mpf(v) for v in row] for row in X[:T]]
        plain = seconds(lambda points=points, T=T: recursion(zero, points, y[:T]), 1)
        ball = seconds(lambda T=T: expected(learner, X[:T], y[:T], arithmetic="ball"))
        double = seconds(lambda T=T: expected(learner, X[:T], y[:T], arithmetic="float"))
        print(f"T = {T}: mpmath {plain * 1e3:.1f} ms, balls {ball * 1e3:.1f} ms, doubles {double * 1e3:.2f} ms")
        print(f"  mpmath / balls = {plain / ball:.1f}, mpmath / doubles = {plain / double:.0f}")
    print(f"T = 20: doubles {seconds(lambda: expected(learner, X, y, arithmetic='float'), 3) * 1e3:.0f} ms")


def merged() -> None:
    """A hundred thousand rounds of 300 classes, by points in turn and by blocks; ten billion rounds of one point."""
    x, v, n = [Fraction(1, 2), Fraction(0)], [Fraction(1, 2), Fraction(1, 4)], 50_000
    learner = Gaptron(300, 2, loss="hinge", feedback="bandit", exploration=Fraction(1, 2), learning_rate=1)
    for arithmetic in ("ball", "float"):
        turns = seconds(lambda a=arithmetic: expected(learner, [x, v] * n, [0, 1] * n, arithmetic=a), 1)
        blocks = seconds(lambda a=arithmetic: expected_blocks(learner, [(x, 0, n), (v, 1, n)], arithmetic=a))
        print(f"K = 300, T = 100,000, {arithmetic}: in turn {turns:.2f} s, in two blocks {blocks * 1e3:.1f} ms")
    print(f"T = 10^10: {seconds(lambda: expected_repeated(learner, x, 1, 10**10)) * 1e3:.2f} ms")


def main() -> None:
    """Measure and print."""
    unmerged()
    merged()


if __name__ == "__main__":
    main()
