"""The comparator's vectorised loss against the learner's own, its gradient against differences, its optimum by grid."""

from dataclasses import replace

import numpy as np
import pytest

from gaptron.bounds.hindsight import Floats, HindsightLoss, best_comparator
from gaptron.learners.surrogates import in_doubles
from gaptron.theory.losses import MarginLoss
from gaptron.theory.named import MULTICLASS, named_theorem


def hindsight(name: str, rounds: int, d: int, K: int, seed: int = 0) -> HindsightLoss:
    rng = np.random.default_rng(seed)
    on = rng.random(rounds) < 0.8 if name == "hinge" else np.ones(rounds, dtype=bool)
    loss = named_theorem(name).loss
    return HindsightLoss(loss, rng.normal(size=(rounds, d)), rng.integers(K, size=rounds), on, K)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", MULTICLASS)
@pytest.mark.parametrize("n_classes", [2, 4])
def test_it_sums_the_learners_losses_and_gradients(name: str, n_classes: int) -> None:
    loss = hindsight(name, 30, 3, n_classes)
    U = np.random.default_rng(1).normal(size=(n_classes, 3))
    theorem = named_theorem(name)
    if name == "hinge":
        theorem = replace(theorem, loss=MarginLoss(theorem.loss.phi))  # type: ignore[union-attr]
    surrogate = in_doubles(theorem, n_classes)
    value, gradient = 0.0, np.zeros_like(U)
    for x, label in zip(loss.X[loss.on], loss.y[loss.on], strict=True):
        value += surrogate.value(U @ x, label)
        gradient += np.outer(surrogate.score_gradient(U @ x, label), x)
    found = loss(U)
    assert found[0] == pytest.approx(value)
    assert found[1] == pytest.approx(gradient)


@pytest.mark.parametrize("name", MULTICLASS)
def test_the_gradient_is_the_slope_of_the_loss(name: str) -> None:
    loss = hindsight(name, 40, 2, 3)
    U = np.random.default_rng(2).normal(size=(3, 2))
    gradient = loss(U)[1]
    for index in np.ndindex(U.shape):
        step = np.zeros_like(U)
        step[index] = 1e-6
        slope = (loss(U + step)[0] - loss(U - step)[0]) / 2e-6
        assert gradient[index] == pytest.approx(slope, rel=1e-4, abs=1e-4)


@pytest.mark.few(1)
@pytest.mark.parametrize("name", MULTICLASS)
def test_the_optimum_is_that_of_a_grid(name: str) -> None:
    loss = hindsight(name, 40, 1, 2, seed=3)
    grid = [np.array([[a], [-a]]) for a in np.linspace(-4, 4, 4001)]
    best = min(loss.at(U).bound(0.7) for U in grid)
    found = best_comparator(loss, 0.7, [], np.inf)
    assert loss.at(found).bound(0.7) == pytest.approx(best, abs=2e-3)
    assert loss.at(found).bound(0.7) == loss.at(found).loss + 0.7 * loss.at(found).norm ** 2


@pytest.mark.parametrize("name", MULTICLASS)
def test_rounds_are_summed_in_blocks(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    U = np.random.default_rng(4).normal(size=(3, 2))
    whole = hindsight(name, 40, 2, 3)(U)
    monkeypatch.setattr("gaptron.bounds.hindsight.ONE_THREAD", 42)
    blocks = hindsight(name, 40, 2, 3)(U)
    assert blocks[0] == pytest.approx(whole[0])
    assert blocks[1] == pytest.approx(whole[1])


def test_an_expensive_search_is_short_and_still_no_worse_than_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[float] = []
    original = HindsightLoss.__call__

    def counted(self: HindsightLoss, U: Floats) -> tuple[float, Floats]:
        calls.append(0.0)
        return original(self, U)

    monkeypatch.setattr(HindsightLoss, "__call__", counted)
    monkeypatch.setattr("gaptron.bounds.hindsight.WORK", 1)
    loss = hindsight("logistic", 40, 2, 3)
    assert loss.at(best_comparator(loss, 0.01, [], np.inf)).loss <= loss.at(np.zeros((3, 2))).loss
    assert len(calls) < 30


def test_the_search_leaves_zero_where_all_margins_are_tied() -> None:
    loss = hindsight("hinge", 60, 3, 4)
    learnable = replace(loss, y=np.argmax(loss.X @ np.eye(4, 3).T, axis=1))
    zero = learnable.at(np.zeros((4, 3))).loss
    assert learnable.at(best_comparator(learnable, 0.1, [], np.inf)).bound(0.1) < 0.7 * zero


def test_the_ball_is_respected_and_zero_is_the_fallback() -> None:
    loss = hindsight("smooth hinge", 40, 2, 3)
    found = loss.at(best_comparator(loss, 0.0, [np.full((3, 2), 1e3)], 0.01))
    assert found.norm <= 0.01 * (1 + 1e-12)
    assert found.loss <= loss.at(np.zeros((3, 2))).loss


@pytest.mark.parametrize("coefficient", [1e300, np.inf])
def test_a_coefficient_that_overflows_leaves_zero(coefficient: float) -> None:
    loss = hindsight("smooth hinge", 40, 2, 3)
    found = loss.at(best_comparator(loss, coefficient, [], np.inf))
    assert found.bound(coefficient) == pytest.approx(40)
