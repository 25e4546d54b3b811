"""How much of each quoted bound's regret a stream can use: an attack on Perceptron, Banditron and SOBA.

    python -m benchmarks.quoted_bounds [--quick] [--out FILE.md]

The share is (left side - loss of U)/(rest of the bound), at the best comparator U that was found; 1 is a bound that is
attained, more a bound that is broken. Both sides are computed on every outcome path, in fractions, as the properties do
(properties/quoted_*.py), but for the last comparison, which is in doubles. Families of streams (a repeated point, an
orthogonal basis, labels against the learner, growing norms, one heavy point after small ones, a new class in every
round) come first, at every setting of the learner; then the best one is varied at random, one entry or label at a time.
Settings are (a/X^2, eta) for the second-order Perceptron, gamma for the Banditron and (a/X^2, gamma, eta) for SOBA.
"""

import argparse
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from benchmarks.quoted_sides import (
    Setting,
    Sides,
    banditron_sides,
    perceptron_sides,
    second_order_sides,
    soba_sides,
)
from gaptron.system.atomic import write_atomically
from properties.quoted_bounds import basis, squared_radius
from properties.strategies import Stream

ONE = Fraction(1)
SIZES = (1, 2, 3, 5)
VARIATIONS, QUICK_VARIATIONS = 150, 3


@dataclass(frozen=True)
class Bound:
    """A bound: where it stands, the settings of the learner, and both sides on a stream."""

    name: str
    source: str
    settings: tuple[Setting, ...]
    sides: Callable[[Stream, Setting], Sides]
    rounds: int = 5


# --- the bounds ---------------------------------------------------------------------------------------------


def first_display(u: float, loss: float) -> float:
    """2 c^2 + sqrt(2) c sqrt(L)."""
    return 2 * u + math.sqrt(2 * u * max(loss, 0))


A = (Fraction(1, 100), Fraction(1, 4), ONE, Fraction(4))
GAMMAS = (Fraction(1, 10), Fraction(1, 2), ONE)
ETAS = (Fraction(1, 4), ONE)
NONE: tuple[Setting, ...] = ((),)
PAIRS = tuple((a, e) for a in A for e in ETAS)
TRIPLES = tuple((a, g, e) for a in A for g in GAMMAS for e in ETAS)
HINGES = tuple((ONE, g, Fraction(0)) for g in GAMMAS)
SOBA, GAPTRON = "Beygelzimer et al. 2017", "van der Hoeven 2020"
BOUNDS = (
    Bound("Perceptron, M with q = 1", f"{SOBA}, Theorem 1",
          NONE, perceptron_sides(lambda M: lambda u, _: math.sqrt(2 * u * M)), 12),
    Bound("Perceptron, 2 c^2 + sqrt(2) c sqrt(L)", f"{SOBA}, Theorem 1", NONE,
          perceptron_sides(lambda M: first_display), 12),
    Bound("Perceptron, 2 c^2 + 2 sqrt(2) c sqrt(L2)", f"{SOBA}, Theorem 1", NONE,
          perceptron_sides(lambda M: lambda u, L: 2 * u + math.sqrt(8 * u * max(L, 0)), squared=True), 12),
    Bound("Perceptron, c^2 + 2 c sqrt(2 L)", f"{GAPTRON}, after Theorem 2", NONE,
          perceptron_sides(lambda M: lambda u, L: u + math.sqrt(8 * u * max(L, 0))), 12),
    Bound("second-order Perceptron, with Q", "derived", PAIRS, second_order_sides, 8),
    Bound("Banditron, before gamma is tuned", "derived", tuple((g,) for g in GAMMAS), banditron_sides),
    Bound("SOBA, E sum h, with Q", f"{SOBA}, Theorem 3, first line", TRIPLES, soba_sides("quadratic")),
    Bound("SOBA, E sum h, with the logarithm", f"{SOBA}, Theorem 3, second line", TRIPLES, soba_sides("logarithm")),
    Bound("SOBA, E M, with Q and gamma T", f"{SOBA}, Theorem 2, first", TRIPLES, soba_sides("mistakes")),
    Bound("SOBA, hinge loss, factor 1", f"{SOBA}, proof of Theorem 4, last root", HINGES, soba_sides("printed")),
    Bound("SOBA, hinge loss, factor 2", "the same, corrected", HINGES, soba_sides("proved")),
)  # fmt: skip


# --- streams ------------------------------------------------------------------------------------------------


def families(longest: int) -> Iterator[tuple[str, Stream]]:
    """Named streams of at most so many rounds; labels below 0 are chosen against the learner."""
    for n in {*(size for size in SIZES if size <= longest), longest}:
        yield f"repeated, T = {n}", (2, [[ONE]] * n, [1] * n)
        yield f"flips, T = {n}", (2, [[ONE]] * n, [-1] * n)
        yield f"basis, T = {n}", (2, basis(n), [1] * n)
        growing = [[Fraction(1, 2 ** (n - 1 - t))] for t in range(n)]
        yield f"growing norms, T = {n}", (2, growing, [1] * n)
        yield f"growing flips, T = {n}", (2, growing, [-1] * n)
        yield f"heavy last, T = {n}", (2, [[Fraction(1, 8), Fraction(1, 4)]] * (n - 1) + [[ONE, Fraction(0)]], [1] * n)
        yield f"new classes, T = {n}", (n + 1, [[ONE]] * n, [*range(1, n + 1)])
        if longest > 5 or n < 4:
            yield f"new classes on a basis, T = {n}", (n + 1, basis(n), [*range(1, n + 1)])


def varied(rng: np.random.Generator, stream: Stream, longest: int) -> Stream:
    """One entry moved by an eighth to a half, one label redrawn, or one round doubled or dropped."""
    K, X, y = stream[0], [[*x] for x in stream[1]], [*stream[2]]
    t, kind = int(rng.integers(len(X))), int(rng.integers(4))
    if kind == 0:
        y[t] = int(rng.integers(1 - K, K))
    elif kind == 1 and len(X) < longest:
        X.insert(t, [*X[t]])
        y.insert(t, y[t])
    elif kind == 2 and len(X) > 1:
        del X[t], y[t]
    else:
        j = int(rng.integers(len(X[t])))
        X[t][j] += Fraction(int(rng.choice([-4, -2, -1, 1, 2, 4])), 8)
    return K, X, y


# --- the attack ---------------------------------------------------------------------------------------------


def best_share(sides: Sides, K: int) -> float:
    """Over U: from multiples of the sum of (e_y - 1/K) (x) x by Powell's method."""
    first = (np.eye(K)[sides.y] - 1 / K).T @ (sides.mass[:, None] * sides.X)
    length = np.linalg.norm(first)
    if length == 0:
        return 0.0
    scales = np.geomspace(0.02, 5, 24) / length
    start = first * max(scales, key=lambda scale: sides.share(first * scale))
    found = minimize(lambda u: -sides.share(u.reshape(first.shape)), start.ravel(), method="Powell",
                     options={"maxfev": 400})  # fmt: skip
    return max(sides.share(start), -float(found.fun))


def attack(bound: Bound, variations: int) -> tuple[float, str, Setting, Stream]:
    """The largest share found, its family ("varied" after the random search), setting and stream."""
    candidates = [
        (best_share(bound.sides(stream, setting), stream[0]), name, setting, stream)
        for name, stream in families(bound.rounds)
        if len(stream[1]) > 1 or "hinge" not in bound.name
        for setting in bound.settings
    ]
    best = max(candidates, key=lambda found: found[0])
    rng = np.random.default_rng(0)
    for _ in range(variations):
        stream = varied(rng, best[3], bound.rounds)
        if squared_radius(stream[1]) == 0 or (len(stream[1]) == 1 and "hinge" in bound.name):
            continue
        share = best_share(bound.sides(stream, best[2]), stream[0])
        if share > best[0] + 1e-9:
            best = (share, f"{best[1].removesuffix(', varied')}, varied", best[2], stream)
    return best


def row(bound: Bound, variations: int) -> str:
    """A line of the table."""
    share, name, setting, _ = attack(bound, variations)
    return f"| {bound.name} | {bound.source} | {share:.4f} | {name} | {', '.join(map(str, setting))} |"


HEADER = """| bound | source | share | stream | setting |
|---|---|---|---|---|"""


def main() -> None:
    """Print the table, or write it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="hardly any variations")
    parser.add_argument("--out", type=Path, help="write the table to this file")
    arguments = parser.parse_args()
    lines = [HEADER, *(row(bound, QUICK_VARIATIONS if arguments.quick else VARIATIONS) for bound in BOUNDS)]
    if arguments.out:
        write_atomically(arguments.out, "\n".join(lines) + "\n")
    else:
        print("\n".join(lines))


if __name__ == "__main__":
    main()
