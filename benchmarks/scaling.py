"""What a compiled round costs and needs as the number of weights d K grows.

Gaptron (smooth hinge loss, full information) runs dense streams of many shapes. Written as CSV: d, K, rounds, the
seconds of a round (best of several runs), and the bytes that a run allocates beyond its stream and record, for each
weight. Printed: the slope of log(seconds) against log(d K) where the weights outweigh what every round costs, and the
largest number of bytes for each weight. A slope near 1 says that a round costs O(d K), with some more while the weights
outgrow a cache; bounded bytes say that memory is O(d K).

    python benchmarks/scaling.py [--quick] [--csv FILE] [--plot FILE]

Needs the extra fast, and plot for --plot.
"""

import argparse
import csv
import sys
import time
import tracemalloc
from dataclasses import astuple, dataclass, fields
from pathlib import Path

import numpy as np

from gaptron import Gaptron
from gaptron.learners.compiled import is_installed
from gaptron.system.extras import needs

WIDTHS = (64, 256, 1024, 4096, 16_384)
CLASSES = (4, 16, 64, 256)
MULTIPLICATIONS, LARGEST_STREAM = 2 * 10**8, 2 * 10**7
HEAVY = 10**4
RECORDED_BYTES = 26


@dataclass(frozen=True)
class Point:
    """One shape: seconds a round, and bytes for each weight beyond the stream and the record."""

    d: int
    K: int
    rounds: int
    seconds: float
    bytes: float

    @property
    def weights(self) -> int:
        """d K."""
        return self.d * self.K


def measured(d: int, K: int, multiplications: int, repeats: int) -> Point:
    """Time and memory of one shape."""
    n_rounds = max(10, min(multiplications // (d * K), LARGEST_STREAM // d))
    rng = np.random.default_rng(0)
    X = rng.normal(size=(n_rounds, d)) / d**0.5
    y = rng.integers(K, size=n_rounds)
    seconds = min(_seconds(X, y, K) for _ in range(repeats))
    return Point(d, K, n_rounds, seconds / n_rounds, _bytes(X, y, K) / (d * K))


def _seconds(X: np.ndarray, y: np.ndarray, K: int) -> float:
    learner = Gaptron(K, X.shape[1], feature_norm=2, seed=0)
    start = time.perf_counter()
    learner.run(X, y, compiled=True)
    return time.perf_counter() - start


def _bytes(X: np.ndarray, y: np.ndarray, K: int) -> int:
    tracemalloc.start()
    Gaptron(K, X.shape[1], feature_norm=2, seed=0).run(X, y, compiled=True)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return peak - RECORDED_BYTES * len(y)


def slope(points: list[Point]) -> float:
    """d log(seconds)/d log(d K) by least squares, over the shapes with many weights."""
    heavy = [point for point in points if point.weights >= HEAVY]
    sizes, times = (np.log([getattr(point, name) for point in heavy]) for name in ("weights", "seconds"))
    return float(np.polyfit(sizes, times, 1)[0])


def write(points: list[Point], file: Path) -> None:
    """The points as CSV."""
    with file.open("w", newline="", encoding="utf-8") as opened:
        rows = csv.writer(opened)
        rows.writerow([field.name for field in fields(Point)])
        rows.writerows(map(astuple, points))


def plot(points: list[Point], file: Path) -> None:
    """Seconds against d K, one line for each K."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6, 4), layout="constrained")
    axes = figure.subplots()
    for K in sorted({point.K for point in points}):
        line = [point for point in points if point.K == K]
        axes.loglog([point.weights for point in line], [point.seconds for point in line], "o-", label=f"K = {K}")
    axes.set(xlabel="weights d K", ylabel="seconds a round", title=f"slope {slope(points):.2f} from d K = {HEAVY}")
    axes.legend()
    figure.savefig(file)


def main() -> None:
    """Measure, print and write."""
    parser = argparse.ArgumentParser(description="The cost of a compiled round against d K.")
    parser.add_argument("--quick", action="store_true", help="fewer shapes and rounds")
    parser.add_argument("--csv", type=Path, help="where to write the points")
    parser.add_argument("--plot", type=Path, help="where to draw them")
    given = parser.parse_args()
    if not is_installed():
        sys.exit(needs("benchmarks/scaling.py", "numba"))
    widths, multiplications, repeats = (WIDTHS[:4], 2 * 10**7, 2) if given.quick else (WIDTHS, MULTIPLICATIONS, 5)
    _seconds(np.ones((1, 1)), np.zeros(1, dtype=int), 2)
    points = [measured(d, K, multiplications, repeats) for K in CLASSES for d in widths]
    for point in points:
        print(f"d {point.d:6} K {point.K:4} {point.seconds * 1e9:12.0f} ns a round {point.bytes:6.1f} bytes a weight")
    largest = max(point.bytes for point in points if point.weights >= HEAVY)
    print(f"slope {slope(points):.2f} from d K = {HEAVY}; at most {largest:.0f} bytes a weight there")
    if given.csv:
        write(points, given.csv)
    if given.plot:
        plot(points, given.plot)


if __name__ == "__main__":
    main()
