"""The adversaries against Theorem 6 as printed, played against the learner itself."""

import runpy
from collections.abc import Callable
from copy import deepcopy
from fractions import Fraction
from pathlib import Path

import pytest

from gaptron import Gaptron

ADVERSARY = runpy.run_path(str(Path(__file__).resolve().parents[2] / "proofs" / "gaptron" / "theorem6_adversary.py"))


def first_part(
    K: int, gamma: float, stop: float, feature: Callable[[float], float], margin: float
) -> tuple[float, ...]:
    """Expected excess over gamma (K - 1)/K a round, expected length, ||W||^2 when the score at x = 1 reaches stop.

    Only a right prediction changes W, and it comes after 1/p rounds on average, p its probability.
    """
    learner = Gaptron(K, 1, feedback="bandit", learning_rate=gamma / (4 * K**2), exploration=gamma)
    excess = length = 0.0
    while learner.W[0, 0] < stop:
        x = [feature(float(learner.W[0, 0] - learner.W[1:, 0].max()))]
        right = float(learner.predict_proba(x)[0])
        excess += (1 - right - (1 - margin * x[0]) ** 2 - gamma * (K - 1) / K) / right
        length += 1 / right
        learner.update(x, 0, True)
    return excess, length, float((learner.W**2).sum())


def test_scaled_features_force_what_the_closed_form_says() -> None:
    K, gamma, e, k, r = 9, Fraction(1, 40), Fraction(1, 2), 8 / 9, 1 / 3
    learned, rounds = (float(part) for part in ADVERSARY["scaled_part"](K, gamma, e))
    excess, length, square = first_part(K, float(gamma), k / 2, lambda mu: r / (1 - (1 - r) * mu), 1.0)
    assert learned <= excess <= 1.2 * learned
    assert length <= rounds <= 3 * length
    assert square <= k * (1 + 2 * float(gamma) / K)


def test_repeated_features_force_what_the_sums_say() -> None:
    K, gamma, v, end, k = 16, Fraction(1, 100), Fraction(3, 10), Fraction(1, 4), 15 / 16
    learned, rounds = (float(part) for part in ADVERSARY["repeated_part"](K, gamma, v, end))
    excess, length, square = first_part(K, float(gamma), k * float(end), lambda _: 1.0, float(v))
    assert learned <= excess <= 1.2 * learned
    assert length <= rounds <= 3 * length
    assert square <= k * float(v) ** 2


def test_a_stop_that_is_too_late_is_refused() -> None:
    with pytest.raises(ValueError, match="too small"):
        ADVERSARY["scaled_part"](9, Fraction(1, 40), Fraction(1, 10))
    with pytest.raises(ValueError, match="too large"):
        ADVERSARY["repeated_part"](16, Fraction(1, 100), Fraction(3, 10), Fraction(29, 100))


def stream(K: int, gamma: float, rounds: int) -> tuple[list[float], list[float], list[float]]:
    """The fixed stream: its features, and of each round P(wrong) - loss(U) on the path, and what ties can cost."""
    k, r, m = 1 - 1 / K, K**-0.5, 0.0
    features, excess, ties = [], [], []
    for _ in range(rounds):
        c = r / (1 - (1 - r) * m)
        z = 1 - c * m
        features.append(c)
        excess.append(k * max(z**2, gamma) - (1 - c) ** 2)
        ties.append(2 * k * z * c * gamma / (2 * K))
        m += gamma / (2 * K**2 * k) * c * z
    return features, excess, ties


def expected_excess(learner: Gaptron, features: list[float]) -> float:
    """E[mistakes] - loss(U) over all draws: a wrong one changes nothing."""
    if not features:
        return 0.0
    c, *later = features
    right = float(learner.predict_proba([c])[0])
    moved = deepcopy(learner)
    moved.update([c], 0, True)
    now = 1 - right - (1 - c) ** 2
    return now + right * expected_excess(moved, later) + (1 - right) * expected_excess(learner, later)


@pytest.mark.few(1)
@pytest.mark.parametrize(("K", "gamma"), [(4, 0.25), (9, 0.1), (16, 0.5)])
def test_a_fixed_stream_forces_what_its_path_says(K: int, gamma: float) -> None:
    features, excess, ties = stream(K, gamma, 7)
    learner = Gaptron(K, 1, feedback="bandit", learning_rate=gamma / (4 * K**2), exploration=gamma)
    forced = expected_excess(learner, features)
    assert sum(excess) - sum(ties) <= forced <= 1.01 * sum(excess)


@pytest.mark.parametrize(("K", "root"), [(4, Fraction(1, 4)), (9, Fraction(1, 5)), (16, Fraction(1, 4))])
def test_the_closed_form_of_a_fixed_stream_is_below_its_path(K: int, root: Fraction) -> None:
    found = ADVERSARY["fixed_stream"](K, root)
    _, excess, ties = stream(K, float(root**2), int(found.at["T"]))
    total = sum(excess) - sum(ties)
    assert float(found.left) <= total <= 1.2 * float(found.left) + 1


def test_a_fixed_stream_of_part_of_a_round_is_refused() -> None:
    with pytest.raises(ValueError, match="whole number of rounds"):
        ADVERSARY["fixed_stream"](3, Fraction(5, 7))
