"""Rounds per second of streaming learners, in one process, side by side.

Every learner is timed once in turn, several times over, in seconds of the processor, which other programs disturb
little; the median counts. Streams: A is SynSep (d = 400, K = 9, 35 to 55 ones), as a CSR matrix and dense; B is sparse
(d = 47,236, 70 non-zeros, K = 4); C is small and dense (d = 16, K = 3). Beside each rate stand its ratio to Vowpal
Wabbit's driver, on the same stream, and, for compiled learners, its part of what the memory and one processor allow,
both measured in the same run: reading the stream once, and two operations for each weight of a non-zero feature.

    python benchmarks/streaming.py [--quick] > benchmarks/streaming.txt

Needs the extras benchmarks, fast, river and sklearn.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np
import scipy.sparse as sp
from peers_streams import Timed, streams

from gaptron.learners import Banditron, Gaptron, Perceptron

PACKAGES = {"numba": "numba", "river": "river", "sklearn": "scikit-learn", "vowpalwabbit": "vowpalwabbit"}
DRIVER, ACTING = "Vowpal Wabbit driver --oaa", "Vowpal Wabbit API --cb_explore, acting"
FULL, BANDIT = "Gaptron, compiled, full", "Gaptron, compiled, bandit"
EXPLORATION = 0.1
Limits = tuple[float, float]


class Ours:
    """A learner of this package on the whole stream."""

    def __init__(self, build: Callable[[Timed], Any], compiled: bool, stream: Timed) -> None:
        self.build, self.compiled, self.stream = build, compiled, stream

    def seconds(self) -> float:
        """The time of ``run``."""
        learner = self.build(self.stream)
        start = time.process_time()
        learner.run(self.stream.X, self.stream.y, compiled=self.compiled)
        return time.process_time() - start


@dataclass(frozen=True)
class Contender:
    """A learner to time, on at most ``n_rounds`` rounds."""

    name: str
    n_rounds: int
    ready: Callable[[Timed, Path], Any]
    compiled: bool = False


def gaptron(feedback: str, loss: str = "smooth hinge", update: str = "gradient") -> Callable[[Timed], Gaptron]:
    """Gaptron with the theory's parameters for the stream."""

    def build(stream: Timed) -> Gaptron:
        given: dict[str, Any] = {} if feedback == "full" else {"exploration": EXPLORATION}
        shape = stream.n_classes, stream.X.shape[1]
        given |= {"feature_norm": stream.feature_norm, "seed": 0}
        return Gaptron(*shape, loss=loss, feedback=feedback, update=update, **given)

    return build


def perceptron(stream: Timed) -> Perceptron:
    """The Perceptron."""
    return Perceptron(stream.n_classes, stream.X.shape[1], seed=0)


def banditron(stream: Timed) -> Banditron:
    """The Banditron."""
    return Banditron(stream.n_classes, stream.X.shape[1], exploration=EXPLORATION, seed=0)


def contenders() -> list[Contender]:
    """All that are compared."""
    from peers_python import River, ScikitBatch, ScikitRows
    from peers_vowpal_wabbit import Acting, Driver

    def ours(name: str, build: Callable[[Timed], Any], compiled: bool = True, n_rounds: int = 10**9) -> Contender:
        return Contender(name, n_rounds, lambda stream, _: Ours(build, compiled, stream), compiled)

    return [
        ours(FULL, gaptron("full")),
        ours(BANDIT, gaptron("bandit")),
        ours("Gaptron, compiled, full, logistic", gaptron("full", "logistic")),
        ours("Gaptron, compiled, proximal", gaptron("full", update="proximal")),
        ours("Gaptron, compiled, proximal, logistic", gaptron("full", "logistic", "proximal")),
        ours("Perceptron, compiled", perceptron),
        ours("Banditron, compiled", banditron),
        ours("Gaptron, reference, full", gaptron("full"), compiled=False, n_rounds=1000),
        ours("Gaptron, reference, proximal", gaptron("full", update="proximal"), False, 1000),
        ours("Gaptron, reference, proximal, logistic", gaptron("full", "logistic", "proximal"), False, 200),
        Contender(DRIVER, 10**9, Driver),
        Contender(ACTING, 2000, Acting),
        Contender("River, one-vs-rest Perceptron", 1000, River),
        Contender("scikit-learn Perceptron, one batch", 10**9, ScikitBatch),
        Contender("scikit-learn Perceptron, row by row", 200, ScikitRows),
    ]


# --- timing -------------------------------------------------------------------------------------------------


def rates(stream: Timed, repeats: int, folder: Path) -> dict[str, float]:
    """The median rounds per second of each contender, timed in turn."""
    chosen = [(one.name, min(one.n_rounds, len(stream.y)), one.ready) for one in contenders()]
    ready = [(name, n, make(stream.first(n), folder)) for name, n, make in chosen]
    for _, _, learner in ready:
        learner.seconds()
    times: dict[str, list[float]] = {name: [] for name, _, _ in ready}
    for _ in range(repeats):
        for name, _, learner in ready:
            times[name].append(learner.seconds())
    return {name: n / median(times[name]) for name, n, _ in ready}


def limits(repeats: int) -> Limits:
    """Operations and bytes a second of one processor: the best product of matrices, the best copy, in and out."""
    square, source = np.ones((1000, 1000)), np.ones(10**7)
    target = source.copy()
    products = [_seconds(lambda: square @ square) for _ in range(repeats)]
    copies = [_seconds(lambda: np.copyto(target, source)) for _ in range(repeats)]
    return 2e9 / min(products), 2 * source.nbytes / min(copies)


def _seconds(call: Callable[[], object]) -> float:
    start = time.process_time()
    call()
    return time.process_time() - start


def limit(stream: Timed, measured: Limits) -> float:
    """Rounds per second at which the stream can be read and multiplied."""
    numbers = stream.X.nnz if sp.issparse(stream.X) else stream.X.size
    size = stream.X.data.nbytes + stream.X.indices.nbytes if sp.issparse(stream.X) else stream.X.nbytes
    operations, bytes_ = measured
    return len(stream.y) / max(2 * numbers * stream.n_classes / operations, size / bytes_)


# --- the table ----------------------------------------------------------------------------------------------


def shown(rate: float) -> str:
    """Two digits."""
    unit, name = (1e6, " M") if rate >= 1e6 else (1e3, " k") if rate >= 1e3 else (1.0, "  ")
    value = rate / unit
    return f"{value:.1f}{name}" if value < 10 else f"{value:.0f}{name}"


def table(found: list[tuple[Timed, dict[str, float]]], measured: Limits) -> str:
    """Rounds per second, the ratio to the driver, and the part of the limit."""
    head = f"{'rounds per second':40}" + "".join(f"{stream.name:>24}" for stream, _ in found)
    rows = [_row(one, found, measured) for one in contenders()]
    last = f"{'limit':40}" + "".join(f"{shown(limit(stream, measured)):>10}{'':14}" for stream, _ in found)
    return "\n".join([head, *rows, last])


def _row(one: Contender, found: list[tuple[Timed, dict[str, float]]], measured: Limits) -> str:
    cells = []
    for stream, rate in found:
        part = f"{rate[one.name] / limit(stream, measured):5.0%}" if one.compiled else ""
        cells.append(f"{shown(rate[one.name]):>10} {rate[one.name] / rate[DRIVER]:6.2g}x {part:5}")
    return f"{one.name:40}" + "".join(cells)


def verdict(found: list[tuple[Timed, dict[str, float]]]) -> str:
    """The smallest ratios over the streams."""
    driver = min((rate[ours] / rate[DRIVER], s.name, ours) for s, rate in found for ours in (FULL, BANDIT))
    acting = min((rate[BANDIT] / rate[ACTING], s.name) for s, rate in found)
    return (
        f"at least {driver[0]:.1f} times the driver (stream {driver[1]}, {driver[2]}), "
        f"and {acting[0]:.0f} times the acting API (stream {acting[1]})"
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description="Rounds per second of streaming learners, side by side.")
    parser.add_argument("--quick", action="store_true", help="short streams, once")
    quick = parser.parse_args().quick
    missing = [name for module, name in PACKAGES.items() if find_spec(module) is None]
    if missing:
        sys.exit(f"benchmarks/streaming.py also needs: pip install {' '.join(missing)}")
    repeats, scale = (1, 0.05) if quick else (5, 1.0)
    with tempfile.TemporaryDirectory() as folder:
        found = [(stream, rates(stream, repeats, Path(folder))) for stream in streams(scale)]
    measured = limits(repeats)
    print(f"processors {os.cpu_count()}, load {os.getloadavg()[0]:.1f}, ", end="")
    print(f"{measured[0] / 1e9:.0f} GFlop/s, {measured[1] / 1e9:.0f} GB/s, median of {repeats}")
    print(table(found, measured))
    print(verdict(found))


if __name__ == "__main__":
    main()
