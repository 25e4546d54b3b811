"""Gradient descent on the squared hinge loss, for all claims about section 5 of the notes."""

from fractions import Fraction

import numpy as np


def rationals(rng: np.random.Generator, *shape: int, scale: int = 4) -> np.ndarray:
    """Random fractions with denominator ``scale``, at most 3 in absolute value."""
    values = rng.integers(-3 * scale, 3 * scale + 1, shape)
    return np.array([Fraction(int(v), scale) for v in values.ravel()], dtype=object).reshape(shape)


def in_unit_ball(rng: np.random.Generator, d: int) -> np.ndarray:
    """A random rational vector of norm at most 1."""
    v = rationals(rng, d)
    while (v * v).sum() > 1:
        v = v / 2
    return v


def hinge_and_gradient(W: np.ndarray, x: np.ndarray, y: int) -> tuple[Fraction, np.ndarray]:
    """The squared hinge loss and a subgradient, from the definition."""
    scores = W @ x
    rivals = [k for k in range(len(W)) if k != y]
    rival = max(rivals, key=lambda k: scores[k])
    h = max(1 - scores[y] + scores[rival], Fraction(0))
    g = np.zeros(W.shape, dtype=object) + Fraction(0)
    g[y], g[rival] = -2 * h * x, 2 * h * x
    return h * h, g


def descent_run(rng: np.random.Generator, rounds: int = 4) -> tuple[dict[str, object], list[tuple[Fraction, Fraction]]]:
    """A run of updates only, K = 2, D = 2, d = 2: (||W_t - W*||^2, L_t) before every round; exact, no row projected."""
    W_star = np.array([[Fraction(2), Fraction(0)], [Fraction(-2), Fraction(0)]], dtype=object)
    W = np.zeros((2, 2), dtype=object) + Fraction(0)
    L, seen, shown = Fraction(0), [], []
    for _ in range(rounds):
        y = int(rng.integers(2))
        a = Fraction(int(rng.integers(2, 6)), 8) * (1 if y == 0 else -1)
        x = np.array([a, Fraction(int(rng.integers(-4, 5)), 8)], dtype=object)
        seen.append((((W - W_star) ** 2).sum(), L))
        value, g = hinge_and_gradient(W, x, y)
        W, L = W - g / 8, L + value
        shown.append((x, y))
    seen.append((((W - W_star) ** 2).sum(), L))
    return {"K": 2, "D": 2, "W*": W_star, "rounds": shown}, seen
