"""Table 1 of van der Hoeven 2020, measured: how regret and time grow, beside the printed rates.

    python benchmarks/table_one.py [--quick] [--out FILE.md]

Three streams tell the algorithms apart.

Adversary: features of norm 1 orthogonal to the learner's weights and to the sum of all earlier features, but for a
millionth that breaks ties against the label, which is always 1 (K = 2, d = 8): whoever always predicts the top label
is wrong in every round, while the comparator that follows the sum of the features gains sqrt(T/2). The regret is the
expected mistakes (given the draws, with bandit feedback) minus the loss of the best comparator of norm at most 1/2
that was found, in the algorithm's own loss; the column says by which power of T it grows, or that it is negative:
whoever explores or guesses gains on every tie.

Separable: random features of norm 1 with margin 1/4 (K = 3, d = 8); a comparator of norm 4 has no hinge loss, so that
the expected mistakes are the regret. The column says by which power of T they grow.

Basis: x_t goes round e_1, ..., e_d, the label of each is fixed; the comparator's hinge loss is zero. The columns say by
which powers of d and K the expected mistakes grow.

Time: by which power of d the processor time of a round grows. The least of five, one machine: read one digit.
"""

import argparse
import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from sympy import Max, log

from gaptron.bounds.hindsight import HindsightLoss, best_comparator
from gaptron.learners import SOBA, Aggregating, Banditron, Gaptron, Newtron, OnlineNewtonStep, Perceptron
from gaptron.learners import SecondOrderPerceptron as SecondOrder
from gaptron.learners.learner import Learner
from gaptron.streams import margin
from gaptron.symbols import m, p
from gaptron.theory.losses import MarginLoss, SoftmaxLoss

RADIUS = 0.5
HINGE = MarginLoss(Max(1 - m, 0))
LOGISTIC = SoftmaxLoss(-log(p, 2))
HEAD = r"""<!-- generated: make reproduce -->

# Table 1 of van der Hoeven (2020), measured

The regret and the time of a round are printed as orders, for $\lVert x \rVert \le 1$ and $L_T$ the comparator's
loss; the second-order Perceptron's factors in $\kappa$ are left out. Measured are exponents: by which power of $T$ the
regret grows against an adversary, and the expected mistakes on separable rounds; by which powers of $d$ and $K$ the
expected mistakes grow on the standard basis; by which power of $d$ the time of a round grows (the least of five).
Negative: who explores or guesses gains on every tie that this adversary makes. The streams are described in
`benchmarks/table_one.py`. SOBA stands for the bandit cell of the second-order Perceptron, Newtron for that of the
online Newton step; Vovk's algorithm is measured on a tiny problem, as its printed time is $\max(dK, T)^{12}$.

| algorithm | feedback | regret, printed | T, adversary | T, separable | d | K | time, printed | time, d |
|---|---|---|---|---|---|---|---|---|"""
Build = Callable[[int, int, int, float], Learner]


@dataclass(frozen=True)
class Row:
    """An algorithm: its printed rates, how it is built from (K, d, T, D), its loss, and the d it can be timed at."""

    name: str
    feedback: str
    printed_regret: str
    printed_time: str
    build: Build
    loss: MarginLoss | SoftmaxLoss
    sizes: tuple[int, ...]


LINEAR = (32_768, 131_072, 524_288)
QUADRATIC = (64, 128, 256)
PUSH, MARGIN = 1e-6, 0.25


def _soba(K: int, d: int, T: int, D: float) -> Learner:
    return SOBA(K, d, adaptive=True, seed=0)


def _newtron(K: int, d: int, T: int, D: float) -> Learner:
    return Newtron(K, d, exploration=min(0.5, K * math.sqrt(d / T)), seed=0)


PERCEPTRON, SECOND = r"$\lVert U \rVert^2 + \lVert U \rVert \sqrt{L_T}$", r"$\lVert U \rVert^2 + dK \ln L_T$"
NEWTON, GAPTRON, GAPTRON_BANDIT = r"$\exp(D) dK \ln T$", r"$K \lVert U \rVert^2$", r"$KD \sqrt{T}$"
BANDITRON, OF_SOBA = r"$(DK)^{1/3} T^{2/3}$", r"$\lVert U \rVert^2 + K \sqrt{dT \ln T}$"
OF_NEWTRON, FIRST_ORDER, SECOND_ORDER = r"$dK^3D T^{2/3}$", "$dK$", "$(dK)^2$"
ROWS = (
    Row("Perceptron", "full", PERCEPTRON, FIRST_ORDER, lambda K, d, T, D: Perceptron(K, d), HINGE, LINEAR),
    Row("second-order Perceptron", "full", SECOND, SECOND_ORDER, lambda K, d, T, D: SecondOrder(K, d), HINGE,
        QUADRATIC),
    Row("online Newton step", "full", NEWTON, SECOND_ORDER,
        lambda K, d, T, D: OnlineNewtonStep(K, d, radius=D, seed=0), LOGISTIC, QUADRATIC),
    Row("Gaptron, logistic", "full", GAPTRON, FIRST_ORDER, lambda K, d, T, D: Gaptron(K, d, loss="logistic", seed=0),
        LOGISTIC, LINEAR),
    Row("Gaptron, hinge", "full", GAPTRON, FIRST_ORDER, lambda K, d, T, D: Gaptron(K, d, loss="hinge", seed=0), HINGE,
        LINEAR),
    Row("Banditron", "bandit", BANDITRON, FIRST_ORDER,
        lambda K, d, T, D: Banditron(K, d, horizon=T, radius=D, seed=0), HINGE, LINEAR),
    Row("SOBA", "bandit", OF_SOBA, SECOND_ORDER, _soba, HINGE, QUADRATIC),
    Row("Newtron", "bandit", OF_NEWTRON, SECOND_ORDER, _newtron, LOGISTIC, QUADRATIC),
    Row("Gaptron, logistic", "bandit", GAPTRON_BANDIT, FIRST_ORDER,
        lambda K, d, T, D: Gaptron(K, d, loss="logistic", feedback="bandit", radius=D, horizon=T, seed=0),
        LOGISTIC, LINEAR),
    Row("Gaptron, hinge", "bandit", GAPTRON_BANDIT, FIRST_ORDER,
        lambda K, d, T, D: Gaptron(K, d, loss="hinge", feedback="bandit", radius=D, horizon=T, seed=0),
        HINGE, LINEAR),
)  # fmt: skip


def adversary(learner: Learner, d: int, T: int, rng: np.random.Generator) -> tuple[NDArray[np.float64], float]:
    """T rounds with features orthogonal to the weights and to their own sum: the features, and expected mistakes."""
    X, mistakes = np.zeros((T, d)), 0.0
    for t in range(T):
        basis, _ = np.linalg.qr(np.vstack([learner.W, X.sum(axis=0)]).T)  # type: ignore[attr-defined]
        x = rng.standard_normal(d)
        x -= basis @ (basis.T @ x)
        X[t] = x / np.linalg.norm(x) - PUSH * ahead(learner.W)  # type: ignore[attr-defined]
        mistakes += 1 - float(learner.predict_proba(X[t])[1])
        play(learner, X[t], 1)
    return X, mistakes


def ahead(W: NDArray[np.float64]) -> NDArray[np.float64]:
    """The direction in which label 1 leads label 0, of norm 1: a step back breaks ties against label 1."""
    direction: NDArray[np.float64] = W[1] - W[0]
    norm = float(np.linalg.norm(direction))
    return direction / norm if norm > 0 else direction


def play(learner: Learner, x: NDArray[np.float64], label: int) -> None:
    """One round."""
    drawn = learner.predict(x)
    if learner.feedback == "full":
        learner.update(x, label)
    else:
        learner.update(x, drawn, drawn == label)


def regret(row: Row, K: int, d: int, T: int) -> float:
    """Expected mistakes against the adversary minus the best comparator's loss."""
    X, mistakes = adversary(row.build(K, d, T, RADIUS), d, T, np.random.default_rng(T))
    labels = np.ones(T, dtype=int)
    loss = HindsightLoss(row.loss, X, labels, np.ones(T, dtype=bool), K)
    total = X.sum(axis=0)
    follow = np.outer(np.eye(K)[1] - 1 / K, total / np.linalg.norm(total))
    start = RADIUS * follow / np.linalg.norm(follow)
    U = best_comparator(loss, 1e-6, [start], RADIUS)
    return mistakes - min(loss.at(U).loss, loss.at(start).loss)


def separable_mistakes(row: Row, T: int) -> float:
    """Expected mistakes on T separable rounds."""
    stream = margin(T, 3, 8, MARGIN, seed=0)
    return float(row.build(3, 8, T, 1 / MARGIN).run(stream.X, stream.y).expected_mistakes)


def basis_mistakes(row: Row, K: int, d: int, rounds: int) -> float:
    """Expected mistakes on ``rounds`` rounds of the standard basis, labels fixed by the coordinate."""
    labels = np.arange(rounds) % d % K
    done = row.build(K, d, rounds, 1.0).run(np.eye(d)[np.arange(rounds) % d], (labels * 7 + 1) % K)
    return float(done.expected_mistakes)


def seconds_a_round(row: Row, d: int, quick: bool) -> float:
    """The least processor time of a round on random features."""
    rounds = 20
    X = np.random.default_rng(d).standard_normal((rounds, d)) / math.sqrt(d)
    y = np.arange(rounds) % 3
    found = []
    for _ in range(5):
        learner = row.build(3, d, 10_000, 1.0)
        learner.run(X[:2], y[:2])
        start = time.process_time()
        learner.run(X[2:], y[2:])
        found.append((time.process_time() - start) / (rounds - 2))
    return min(found)


def power(sizes: Sequence[float], values: Sequence[float]) -> str:
    """The exponent of growth: the slope on logarithmic axes."""
    if values[-1] <= 0:
        return "negative"
    kept = [(size, value) for size, value in zip(sizes, values, strict=True) if value > 0]
    if len(kept) < 2:
        return "undefined"
    slope = np.polyfit(*np.log(np.array(kept)).T, 1)[0]
    return f"{slope:.2f}"


def measured(row: Row, quick: bool) -> list[str]:
    """The cells of a row."""
    horizons = (250, 1000) if quick else (250, 1000, 4000)
    longer = (500, 2000) if quick else (1000, 4000, 16_000)
    dimensions, classes = ((4, 16), (2, 8)) if quick else ((4, 8, 16, 32), (2, 4, 8, 16))
    rounds = 160 if quick else 640
    sizes = row.sizes[:2] if quick else row.sizes
    return [
        row.name,
        row.feedback,
        row.printed_regret,
        power(horizons, [regret(row, 2, 8, T) for T in horizons]),
        power(longer, [separable_mistakes(row, T) for T in longer]),
        power(dimensions, [basis_mistakes(row, 3, d, rounds) for d in dimensions]),
        power(classes, [basis_mistakes(row, K, 16, rounds) for K in classes]),
        row.printed_time,
        power(sizes, [seconds_a_round(row, d, quick) for d in sizes]),
    ]


def aggregating(quick: bool) -> str:
    """Vovk's aggregating algorithm on a tiny problem: its regret in log loss, and its time."""
    grid, found = (21 if quick else 61), []
    horizons = (50, 200) if quick else (50, 200, 800)
    rng = np.random.default_rng(0)
    for T in horizons:
        X = np.ones((T, 1))
        y = (rng.random(T) < 0.3).astype(int)
        done = Aggregating(2, 1, radius=RADIUS, grid=grid).run(X, y)
        loss = HindsightLoss(LOGISTIC, X, y, np.ones(T, dtype=bool), 2)
        U = best_comparator(loss, 1e-6, [], RADIUS)
        found.append(float(np.sum(done.loss)) - loss.at(U).loss)
    regrets = ", ".join(f"{value:.2f} (T = {T})" for T, value in zip(horizons, found, strict=True))
    return f"Vovk's aggregating algorithm, K = 2, d = 1, {grid} points an axis: regret in its own log loss {regrets}."


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="smaller sizes, for a first look")
    parser.add_argument("--out", type=Path, help="write the table to this file as well")
    arguments = parser.parse_args()
    lines = [HEAD]
    for row in ROWS:
        lines.append("| " + " | ".join(measured(row, arguments.quick)) + " |")
        print(lines[-1], flush=True)
    lines += ["", aggregating(arguments.quick)]
    print(lines[-1])
    if arguments.out is not None:
        arguments.out.write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
