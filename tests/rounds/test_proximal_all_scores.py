"""Proximal steps of losses of all scores against a minimiser that knows only the formula, in every kind of numbers."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import minimize
from sympy import Max, exp, log

from gaptron import PairwiseLoss, SeparableLoss
from gaptron.numbers.evaluate import enclosure
from gaptron.numbers.kinds import Balls, Doubles, Rationals
from gaptron.rounds import score_gradient
from gaptron.rounds.exact import value
from gaptron.rounds.proximal import proximal_steps
from gaptron.rounds.proximal_columns import ProximalColumns
from gaptron.symbols import m, z
from gaptron.theory.losses import LossOfAllScores

Formula = Callable[[np.ndarray, int], float]


def pairwise(phi: Callable[[np.ndarray], np.ndarray]) -> Formula:
    return lambda theta, y: float(phi(np.delete(theta[y] - theta, y)).sum())


def separable(own: Callable[[np.ndarray], np.ndarray], other: Callable[[np.ndarray], np.ndarray]) -> Formula:
    return lambda theta, y: float(own(theta[y]) + other(np.delete(theta, y)).sum())


def hinge(x: np.ndarray) -> np.ndarray:
    return np.maximum(1 - x, 0)


LOSSES: dict[str, tuple[LossOfAllScores, Formula]] = {
    "hinges": (PairwiseLoss(Max(1 - m, 0)), pairwise(hinge)),
    "squared hinges": (PairwiseLoss(Max(1 - m, 0) ** 2), pairwise(lambda x: hinge(x) ** 2)),
    "squares": (PairwiseLoss((1 - m) ** 2), pairwise(lambda x: (1 - x) ** 2)),
    "logistic": (PairwiseLoss(log(1 + exp(-m))), pairwise(lambda x: np.logaddexp(0, -x))),
    "one versus all": (
        SeparableLoss(own=Max(1 - z, 0), other=Max(1 + z, 0) ** 2),
        separable(hinge, lambda x: hinge(-x) ** 2),
    ),
    "logistic, one versus all": (
        SeparableLoss(own=log(1 + exp(-z)), other=log(1 + exp(z))),
        separable(lambda x: np.logaddexp(0, -x), lambda x: np.logaddexp(0, x)),
    ),
}
SCORES = ([1, -1, 0], [Fraction(3, 2), Fraction(3, 2), -2, Fraction(1, 4)], [0, 0], [-3, 2, 2, 0, 1])
CASES = [
    (tuple(map(Fraction, scores)), label, Fraction(c, 4))
    for scores, label, c in zip(SCORES, (1, 0, 0, 3), (2, 3, 8, 1), strict=True)
]


@pytest.mark.few(7)
@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize(("scores", "label", "c"), CASES)
def test_a_step_is_the_minimum(name: str, scores: tuple[Fraction, ...], label: int, c: Fraction) -> None:
    loss, formula = LOSSES[name]
    theta = np.array([float(score) for score in scores])
    found = proximal_steps(loss, len(scores), Doubles()).step(theta.tolist(), label, float(c))

    def paid(move: np.ndarray) -> float:
        return formula(theta + move, label) + float(c) * float(move @ move)

    moved = np.array(found.move)
    assert paid(moved) == pytest.approx(found.least, abs=1e-12)
    for start in (np.zeros(len(scores)), moved, moved + 0.1):
        best = minimize(paid, start, method="Nelder-Mead", options={"xatol": 1e-9, "fatol": 1e-12, "maxfev": 4000}).fun
        assert found.least <= best + 1e-9
    low, high = enclosure(proximal_steps(loss, len(scores), Balls()).step(scores, label, c).least)
    assert low - Fraction(1, 10**12) <= Fraction(found.least) <= high + Fraction(1, 10**12)
    if not name.startswith("logistic"):
        assert low <= proximal_steps(loss, len(scores), Rationals()).step(scores, label, c).least <= high


@pytest.mark.parametrize("name", [pytest.param(n, marks=[pytest.mark.slow] * (n == "logistic")) for n in LOSSES])
def test_columns_and_envelopes_are_those_steps(name: str) -> None:
    loss, _ = LOSSES[name]
    drawn = np.random.default_rng(1)
    scores, labels, c = drawn.normal(size=(4, 30)) * 2, drawn.integers(0, 4, 30), drawn.uniform(0.2, 2, 30)
    found = ProximalColumns(loss, 4).step(scores, labels, c)
    moves, least = found.move, found.least
    steps = proximal_steps(loss, 4, Doubles())
    for i in range(30):
        row, step = scores[:, i].tolist(), steps.step(scores[:, i].tolist(), int(labels[i]), float(c[i]))
        assert np.array(step.move) == pytest.approx(moves[:, i], abs=1e-6)
        assert (step.least, steps.envelopes(row, float(c[i]))[labels[i]]) == pytest.approx(
            (least[i], least[i]), abs=1e-9
        )


@pytest.mark.parametrize("name", LOSSES)
def test_losses_and_gradients_are_those_of_the_formula(name: str) -> None:
    loss, formula = LOSSES[name]
    for scores, label, _ in CASES:
        theta = np.array([float(score) for score in scores])
        assert float(value(loss, scores, label)) == pytest.approx(formula(theta, label))
        for k, slope in enumerate(score_gradient(loss, scores, label)):
            step = np.eye(len(scores))[k] * 1e-7 * (1 if k == label else -1)  # a margin's derivative from the right
            rise = (formula(theta + step, label) - formula(theta, label)) / step[k]
            if not name.startswith("one versus"):
                assert float(slope) == pytest.approx(rise, abs=1e-5)
