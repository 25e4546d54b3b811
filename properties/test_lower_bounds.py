"""What no algorithm avoids, played against five: their mean regret is not below the bound, and a larger one fails."""

from collections.abc import Callable
from itertools import product
from math import exp, log, log2, sqrt

import numpy as np
import pytest

from gaptron import Gaptron
from gaptron.learners import Perceptron, ProximalLogistic, SecondOrderPerceptron
from gaptron.learners.learner import Learner

Make = Callable[[int, int], Learner]
LEARNERS: dict[str, Make] = {
    "Perceptron": lambda K, d: Perceptron(K, d, seed=0),
    "SecondOrderPerceptron": lambda K, d: SecondOrderPerceptron(K, d, diagonal=True, seed=0),
    "ProximalLogistic": lambda K, d: ProximalLogistic(K, d, seed=0),
    "Gaptron, smooth hinge": lambda K, d: Gaptron(K, d, seed=0),
    "Gaptron, hinge, proximal": lambda K, d: Gaptron(K, d, loss="hinge", update="proximal", seed=0),
}
BLOCKS, NORM, ROUNDS, CLASSES, LEAD, SEEDS = 4, 32, 1100, 2, 1.45921, 4


def wrong(learner: Learner, x: np.ndarray, label: int) -> float:
    return 1 - float(learner.predict_proba(x)[label])


def late_mistakes(make: Make, delay: int, labels: tuple[int, ...], *, at_once: bool = False) -> float:
    """E[mistakes] on blocks of delay + 1 equal rounds; no label of a block is told before its last prediction."""
    learner, total = make(2, len(labels)), 0.0
    for x, label in zip(np.eye(len(labels)), labels, strict=True):
        for _ in range(delay + 1):
            total += wrong(learner, x, label)
            if at_once:
                learner.update(x, label)
        for _ in range(0 if at_once else delay + 1):
            learner.update(x, label)
    return total


def mean_late(make: Make, delay: int, *, at_once: bool = False) -> float:
    """The mean over all labels."""
    every = list(product(range(2), repeat=BLOCKS))
    return sum(late_mistakes(make, delay, labels, at_once=at_once) for labels in every) / len(every)


@pytest.mark.few(1)
@pytest.mark.parametrize("delay", [0, 1, 3])
@pytest.mark.parametrize("name", LEARNERS)
def test_no_learner_is_below_n_plus_1_times_the_constant(name: str, delay: int) -> None:
    """The hinge loss, c = 1: U has the margin 1 and no loss, ||U||^2 = 1/2 a block."""
    forced = (delay + 1) * BLOCKS / 2
    found = mean_late(LEARNERS[name], delay)
    assert found >= forced - 1e-9
    assert found < 1.1 * forced or name not in ("ProximalLogistic", "Gaptron, hinge, proximal")


@pytest.mark.few(2)
@pytest.mark.parametrize("name", LEARNERS)
def test_labels_that_are_not_late_forbid_less(name: str) -> None:
    """The stream has no larger constant of its own: told at once, the same learner is below the bound."""
    assert mean_late(LEARNERS[name], 3, at_once=True) < 0.9 * 4 * BLOCKS / 2


def stream(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, float]:
    """``proofs/new/logistic_lower_bound.py`` without delay: points, labels and the sum of U's losses."""
    s = log(CLASSES * ROUNDS)
    e = 3 * s / (2 * NORM)
    blocks = int(2 * (1 - e) * (NORM**2 - 4 / 3 * s * NORM - s**2) / LEAD**2)
    X = np.zeros((ROUNDS, blocks + 2))
    X[:blocks, 0], X[blocks:, -1] = sqrt(e), 1
    X[range(blocks), range(1, blocks + 1)] = sqrt(1 - e)
    y = np.zeros(ROUNDS, dtype=int)
    y[:blocks] = rng.integers(2, size=blocks)
    U = np.zeros((CLASSES, blocks + 2))
    U[:2, 0], U[0, -1] = s / sqrt(e), s
    signs = np.where(y[:blocks] == 0, 1, -1)
    U[0, 1:-1], U[1, 1:-1] = (half := signs * LEAD / 2 / sqrt(1 - e)), -half
    assert np.linalg.norm(U) <= NORM
    assert np.allclose(np.linalg.norm(X, axis=1), 1)
    scores = X @ U.T
    losses = np.log2(np.exp(scores - scores[range(ROUNDS), y][:, None]).sum(axis=1))
    return X, y, float(losses.sum())


def forced(c: float) -> float:
    """The regret of the claim with this constant."""
    s = log(CLASSES * ROUNDS)
    return c * (NORM**2 - 17 / 6 * NORM * s - s**2) - 1 / 2 - 1 / log(2)


def regret(make: Make) -> float:
    """The mean over some labels."""
    played = [stream(np.random.default_rng(seed)) for seed in range(SEEDS)]
    return sum(float(make(CLASSES, X.shape[1]).run(X, y).expected_mistakes) - loss for X, y, loss in played) / SEEDS


C = (1 - 2 * log2(1 + exp(-LEAD))) / LEAD**2


@pytest.mark.few(2)
@pytest.mark.parametrize("name", LEARNERS)
def test_no_learner_is_below_the_bound_for_the_logistic_loss(name: str) -> None:
    found = regret(LEARNERS[name])
    assert found >= forced(C) > 20
    assert found < NORM**2 * C or name != "ProximalLogistic"


def test_twice_the_constant_is_more_than_what_proximal_steps_pay() -> None:
    assert regret(LEARNERS["ProximalLogistic"]) < forced(2 * C)
