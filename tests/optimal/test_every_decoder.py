"""The optimal constants by a second route: linear programs over all decoders, at envelopes computed numerically."""

import numpy as np
import pytest
from scipy.optimize import linprog, minimize, minimize_scalar

HINGE, SMOOTH, LOGISTIC = "hinge", "smooth hinge", "logistic"


def logistic_constant():
    """max_m (1 - 2 log2(1 + e^-m))/m^2."""
    found = minimize_scalar(lambda m: -(1 - 2 * np.log2(1 + np.exp(-m))) / m**2, bounds=(0.5, 4), method="bounded")
    return -found.fun


OPTIMA = {HINGE: lambda K: K**2 / (4 * (K - 1)), SMOOTH: lambda K: K, LOGISTIC: lambda K: logistic_constant()}


def phi(loss, m):
    if loss == HINGE:
        return max(0.0, 1 - m)
    return 1 - 2 * m if m <= 0 else max(0.0, 1 - m) ** 2


def envelope(loss, scores, label, c):
    """min_delta loss(scores + delta) + c ||delta||^2, by a quasi-Newton or a sequential quadratic method."""
    K = len(scores)
    if loss == LOGISTIC:

        def value(delta):
            moved = scores + delta
            return (np.logaddexp.reduce(moved) - moved[label]) / np.log(2) + c * delta @ delta

        return minimize(value, np.zeros(K), method="BFGS", options={"gtol": 1e-9}).fun
    others = np.flatnonzero(np.arange(K) != label)

    def margins(z):
        return z[label] + scores[label] - z[others] - scores[others] - z[K]

    margin = scores[label] - scores[others].max()
    starts = [np.append(np.zeros(K), margin), np.append((np.arange(K) == label) * 0.3, margin)]
    found = [
        minimize(
            lambda z: phi(loss, z[K]) + c * z[:K] @ z[:K],
            start,
            method="SLSQP",
            constraints={"type": "ineq", "fun": margins},
            options={"ftol": 1e-13, "maxiter": 500},
        ).fun
        for start in starts
    ]
    return min(found)


def worst_excess(envelopes):
    """min over distributions pi of max_y (1 - pi_y - e_y): at most 0 iff some decoder does."""
    K = len(envelopes)
    A = np.hstack([-np.eye(K), -np.ones((K, 1))])
    done = linprog(
        np.append(np.zeros(K), 1), A_ub=A, b_ub=np.array(envelopes) - 1, A_eq=[[1] * K + [0]], b_eq=[1],
        bounds=[(0, 1)] * K + [(None, None)],
    )  # fmt: skip
    return done.fun


def excess(loss, scores, c):
    return worst_excess([envelope(loss, np.asarray(scores, float), y, c) for y in range(len(scores))])


@pytest.mark.few(1)
@pytest.mark.parametrize("loss", [SMOOTH, LOGISTIC, HINGE])
@pytest.mark.parametrize("K", [2, 3, 4])
def test_just_above_the_optimum_a_decoder_exists_at_random_scores(loss, K):
    rng = np.random.default_rng(K)
    c = OPTIMA[loss](K) * 1.001
    for scale in (0.01, 0.1, 0.3, 1, 3, 10):
        for _ in range(3):
            assert excess(loss, scale * rng.normal(size=K), c) <= 1e-6


@pytest.mark.few(3)
@pytest.mark.parametrize("loss", [SMOOTH, LOGISTIC, HINGE])
@pytest.mark.parametrize("K", [2, 3, 4])
def test_at_the_binding_scores_none_exists_just_below_and_one_does_just_above(loss, K):
    binding = np.zeros(K)
    if loss == LOGISTIC:
        binding[2:] = -40
    optimum = OPTIMA[loss](K)
    assert excess(loss, binding, optimum * 0.99) > 1e-4
    assert excess(loss, binding, optimum * 1.001) <= 1e-6
