"""Exact expectations against a plain mpmath recursion, side by side in one run, on streams without merging.

python benchmarks/expectation.py
"""

import time
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import mpmath
import numpy as np

from gaptron import Gaptron
from gaptron.expectation import expected

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


def main() -> None:
    """Measure and print."""
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


if __name__ == "__main__":
    main()
