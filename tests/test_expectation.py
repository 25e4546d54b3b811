"""Exact expectations: three arithmetics, against all draws one by one, mpmath, sampling and the theorems."""

import math
from fractions import Fraction
from itertools import product
from typing import Any

import flint
import mpmath
import numpy as np
import pytest

from benchmarks import expectation as plain
from gaptron import Gaptron
from gaptron.evaluate import UncertainError, enclosure
from gaptron.expectation import expected, expected_repeated, repeated
from gaptron.expectation.numbers import less
from properties import formulas

K, d = 3, 2
GAMMA, ETA = Fraction(1, 2), Fraction(1, 8)
U = [[Fraction(1), 0], [0, Fraction(1, 2)], [0, 0]]
FORMULAS = {"hinge": formulas.Hinge, "smooth hinge": formulas.SmoothHinge}


def learner(loss: str, **arguments: Any) -> Gaptron:
    parameters = {"feedback": "bandit", "exploration": GAMMA, "learning_rate": ETA}
    return Gaptron(K, d, loss=loss, **parameters | arguments)


def stream(n_rounds: int, seed: int = 0) -> tuple[list[list[Fraction]], list[int]]:
    rng = np.random.default_rng(seed)
    X = [[Fraction(int(v), 8) for v in row] for row in rng.integers(-4, 5, (n_rounds, d))]
    return X, rng.integers(0, K, n_rounds).tolist()


def contains(ball: Any, value: Fraction) -> bool:
    low, high = enclosure(ball)
    return low <= value <= high


def over_all_draws(name: str, X: Any, y: Any, rate: Fraction = ETA) -> tuple[Fraction, Fraction]:
    """Expected mistakes and comparator loss over the K^T sequences of drawn labels."""
    loss = FORMULAS[name](K)
    loss.eta = Fraction(1)
    mistakes = total = Fraction(0)
    for drawn in product(range(K), repeat=len(y)):
        W = [[Fraction(0)] * d for _ in range(K)]
        mass, wrong, comparator = Fraction(1), 0, Fraction(0)
        for x, label, k in zip(X, y, drawn, strict=True):
            theta = formulas.scores(W, x)
            a = max(loss.a(formulas.margin(theta, formulas.top(theta))), GAMMA)
            p = [(1 - a) * (j == formulas.top(theta)) + a / K for j in range(K)]
            mass *= p[k]
            wrong += k != label
            comparator += 0 if loss.is_off(theta, label) else loss.phi(formulas.margin(formulas.scores(U, x), label))
            if k == label:
                g = formulas.gradient(loss, theta, x, label)
                W = [[w - rate / p[k] * v for w, v in zip(*rows, strict=True)] for rows in zip(W, g, strict=True)]
        mistakes, total = mistakes + mass * wrong, total + mass * comparator
    return mistakes, total


@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.parametrize("rate", [ETA, Fraction(3, 2)])
def test_rationals_are_the_sum_over_all_draws(name: str, rate: Fraction) -> None:
    X, y = stream(4)
    X, y = [X[0], *X], [y[0], *y]
    found = expected(learner(name, learning_rate=rate), X, y, comparator=U)
    assert (found.mistakes, found.comparator_loss) == over_all_draws(name, X, y, rate)
    assert found.mass == 1


@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.parametrize("feedback", ["full", "bandit"])
def test_balls_contain_the_rationals_and_doubles_agree(name: str, feedback: str) -> None:
    X, y = stream(6, seed=1)
    exact, ball, double = (
        expected(learner(name, feedback=feedback), X, y, comparator=U, arithmetic=a)
        for a in ("rational", "ball", "float")
    )
    assert contains(ball.mistakes, exact.mistakes)
    assert contains(ball.comparator_loss, exact.comparator_loss)
    assert contains(ball.mass, Fraction(1))
    assert exact.mass == 1
    assert double.mistakes == pytest.approx(float(exact.mistakes), abs=1e-9)
    assert double.comparator_loss == pytest.approx(float(exact.comparator_loss), abs=1e-9)
    assert double.mass == pytest.approx(1)
    assert float(ball.mistakes.rad()) < 1e-20


def test_the_logistic_loss_agrees_with_a_plain_recursion() -> None:
    rng = np.random.default_rng(0)
    X, y = (rng.integers(-8, 9, (7, plain.d)) / 4).tolist(), rng.integers(0, K, 7).tolist()
    gaptron = Gaptron(K, plain.d, loss="logistic", feedback="bandit", exploration=plain.GAMMA, learning_rate=ETA)
    with mpmath.workprec(200):
        points = [[mpmath.mpf(v) for v in row] for row in X]
        value = plain.recursion([[mpmath.mpf(0)] * plain.d] * K, points, y)
        reference = Fraction(mpmath.nstr(value, 50))
    ball = expected(gaptron, X, y, arithmetic="ball").mistakes
    low, high = enclosure(ball)
    assert low - Fraction(1, 10**25) <= reference <= high + Fraction(1, 10**25)
    assert expected(gaptron, X, y, arithmetic="float").mistakes == pytest.approx(float(reference), abs=1e-9)


@pytest.mark.parametrize("loss", ["logistic", "hinge", "smooth hinge"])
def test_the_learner_makes_so_many_mistakes_on_average_with_projection(loss: str) -> None:
    y = stream(8, seed=3)[1]
    points = np.random.default_rng(3).normal(size=(8, d)) / 2
    X = points.tolist()
    arguments: dict[str, Any] = {"radius": 0.5, "learning_rate": 0.5}
    ball, double = (expected(learner(loss, **arguments), X, y, arithmetic=a).mistakes for a in ("ball", "float"))
    assert double == pytest.approx(float(ball), abs=1e-9)
    sampled = [learner(loss, seed=seed, **arguments).run(points, y, compiled=False).mistakes for seed in range(400)]
    assert abs(np.mean(sampled) - double) < 5 * np.std(sampled) / 20


def test_full_information_is_the_exact_run() -> None:
    X, y = stream(5)
    arguments: dict[str, Any] = {"loss": "hinge", "exact": True}
    assert expected(Gaptron(K, d, **arguments), X, y).mistakes == Gaptron(K, d, **arguments).run(X, y).expected_mistakes


def test_equal_states_merge() -> None:
    x, y = [Fraction(1, 2), Fraction(0)], [1] * 10
    assert expected(learner("hinge"), [x] * 10, y, arithmetic="rational").states <= 10
    assert expected(learner("logistic"), [x] * 10, y, arithmetic="ball").states == 10


@pytest.mark.parametrize("rounds", [1, 2, 7, 200])
def test_a_repeated_point_in_closed_form_equals_level_by_level(rounds: int) -> None:
    x, gaptron = [Fraction(1, 2), Fraction(0)], learner("hinge")
    levels = expected(gaptron, [x] * rounds, [1] * rounds, comparator=U)
    closed = expected_repeated(gaptron, x, 1, rounds, comparator=U, arithmetic="rational")
    ball = expected_repeated(gaptron, x, 1, rounds, comparator=U)
    assert closed == levels
    assert contains(ball.mistakes, levels.mistakes)
    assert contains(ball.comparator_loss, levels.comparator_loss)


def test_ten_billion_rounds() -> None:
    x = [Fraction(1, 2), Fraction(0)]
    many, more = (expected_repeated(learner("hinge"), x, 1, n) for n in (10**10, 10**10 + 1))
    assert float(more.mistakes - many.mistakes) == pytest.approx(float(GAMMA * (K - 1) / K), abs=1e-12)
    assert float(many.mistakes.rad()) < 1e-6


@pytest.mark.parametrize("arithmetic", ["rational", "ball"])
def test_an_adaptive_stream_sees_the_weights_of_its_path(arithmetic: str) -> None:
    x, least = [Fraction(1), Fraction(0)], min

    def adversary(W: list[list[Any]]) -> tuple[list[Fraction], int]:
        column = [float(row[0]) for row in W]
        return x, column.index(least(column))

    def by_hand(W: formulas.Matrix, rounds: int) -> Fraction:
        if rounds == 0:
            return Fraction(0)
        loss, label = FORMULAS["hinge"](K), adversary(W)[1]
        theta = formulas.scores(W, x)
        a = max(loss.a(formulas.margin(theta, formulas.top(theta))), GAMMA)
        right = (1 - a) * (formulas.top(theta) == label) + a / K
        loss.eta = ETA / right
        return (1 - right) * (1 + by_hand(W, rounds - 1)) + right * by_hand(
            formulas.step(loss, W, x, label), rounds - 1
        )

    found = expected(learner("hinge"), adversary, n_rounds=5, arithmetic=arithmetic).mistakes
    assert contains(found, by_hand([[Fraction(0)] * d for _ in range(K)], 5))


@pytest.mark.parametrize("name", FORMULAS)
@pytest.mark.parametrize("seed", range(3))
def test_the_bandit_bounds_hold_exactly(name: str, seed: int) -> None:
    """E mistakes <= E sum loss(U) + ||U||^2 K/(2 gamma eta) + gamma T (K - 1)/K, ||x|| <= 1 (Theorems 5 and 6)."""
    X, y = stream(6, seed)
    full = FORMULAS[name](K).eta
    found = expected(learner(name, learning_rate=GAMMA * full / K), X, y, comparator=U)
    square = sum(Fraction(u) ** 2 for row in U for u in row)
    assert found.mistakes <= found.comparator_loss + square * K / (2 * GAMMA * full) + GAMMA * len(y) * (K - 1) / K


def test_overlapping_balls_are_no_branch() -> None:
    third = flint.arb(1) / 3
    with pytest.raises(UncertainError):
        less(third, 1 - 2 * third)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"arithmetic": "decimal"}, "arithmetic = 'decimal' is not one of"),
        ({"loss": "logistic"}, 'the logistic loss needs "ball" or "float"'),
        ({"y": [0, 3]}, "y.1. = 3 is not a label"),
        ({"X": [[0, 1]]}, "must have shape"),
        ({"X": [[0, math.nan]] * 2}, "nan is not a finite number"),
        ({"X": "stream"}, "is not a sequence of rounds"),
        ({"comparator": [[1]]}, "comparator has shape"),
        ({"X": lambda W: ([0, 1], 0), "y": None}, "n_rounds = None is not an integer >= 1"),
    ],
)
def test_bad_input_gets_a_sentence(arguments: dict[str, Any], message: str) -> None:
    given = {"loss": "hinge", "X": [[0, 1], [1, 0]], "y": [0, 1]} | arguments
    with pytest.raises(ValueError, match=message):
        expected(learner(given.pop("loss")), given.pop("X"), given.pop("y"), **given)


def test_rationals_refuse_a_projection() -> None:
    with pytest.raises(ValueError, match="needs a root"):
        expected(learner("hinge", radius=0.01), [[1, 0]] * 2, [0, 0])


def test_a_chain_without_a_last_state_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(repeated, "MAX_STATES", 20)
    with pytest.raises(ValueError, match="no last state within 20 states"):
        expected_repeated(learner("logistic", learning_rate=Fraction(1, 100)), [1, 0], 1, 10**10)


def test_two_points_for_many_rounds() -> None:
    X = [[Fraction(1, 2), Fraction(0)], [Fraction(0), Fraction(1, 2)]]
    quick = learner("hinge", learning_rate=1)
    few, many = (expected(quick, X * n, [0, 1] * n, arithmetic="ball") for n in (400, 500))
    assert many.states < 50
    assert float(many.mistakes - few.mistakes) == pytest.approx(200 * float(GAMMA * (K - 1) / K), rel=1e-6)
