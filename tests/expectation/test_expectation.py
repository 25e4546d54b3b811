"""Exact expectations: three arithmetics, against all draws one by one, mpmath, sampling and the theorems."""

import math
from fractions import Fraction
from itertools import product
from typing import Any

import flint
import mpmath
import numpy as np
import pytest
import sympy as sp
from hypothesis import example, given, settings
from hypothesis import strategies as st

from benchmarks import expectation as plain
from gaptron import BinaryGaptron, BinaryLoss, GapMap, Gaptron, MarginLoss, SoftmaxLoss, Theorem
from gaptron.expectation import (
    expected,
    expected_blocks,
    expected_repeated,
    paths,
    streams,
    walk,
)
from gaptron.expectation.game import comparator_loss
from gaptron.instances import soba
from gaptron.learners import SOBA, AbstainingGaptron, Banditron, Newtron, Perceptron, SecondOrderPerceptron
from gaptron.numbers.evaluate import UncertainError, enclosure
from gaptron.numbers.kinds import less
from gaptron.numbers.kinds import plain as plain_number
from gaptron.rounds import value
from gaptron.symbols import m, p, z
from gaptron.theory.by_name import HINGE, quadratic_loss
from gaptron.theory.named import named_theorem
from properties import formulas

K, d = 3, 2
GAMMA, ETA = Fraction(1, 2), Fraction(1, 8)
U = [[Fraction(1), 0], [0, Fraction(1, 2)], [0, 0]]
FORMULAS = {"hinge": formulas.Hinge, "smooth hinge": formulas.SmoothHinge}


def learner(loss: Any, **arguments: Any) -> Gaptron:
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


@pytest.mark.few(2)
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


@pytest.mark.few(1)
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
        ({"loss": "logistic"}, 'the logistic loss needs "ball", "interval" or "float"'),
        ({"y": [0, 3]}, "y.1. = 3 is not a label"),
        ({"X": [[0, 1]]}, "must have shape"),
        ({"X": [[0, math.nan]] * 2}, "nan is not a finite number"),
        ({"X": "stream"}, "is not a sequence of rounds"),
        ({"comparator": [[1]]}, "comparator has shape"),
        ({"X": lambda W: ([0, 1], 0), "y": None}, "n_rounds = None is not an integer >= 1"),
        ({"X": lambda W: ([0, 1], 7), "y": None, "n_rounds": 1}, "label of a round = 7 is not a label"),
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
    monkeypatch.setattr(paths, "MAX_STATES", 20)
    with pytest.raises(ValueError, match="no last state within 20 states"):
        expected_repeated(learner("logistic", learning_rate=Fraction(1, 100), radius=1), [1, 0], 1, 10**10)


def test_two_points_for_many_rounds() -> None:
    X = [[Fraction(1, 2), Fraction(0)], [Fraction(0), Fraction(1, 2)]]
    quick = learner("hinge", learning_rate=1)
    few, many = (expected(quick, X * n, [0, 1] * n, arithmetic="ball") for n in (400, 500))
    assert many.states < 50
    assert float(many.mistakes - few.mistakes) == pytest.approx(200 * float(GAMMA * (K - 1) / K), rel=1e-6)


# --- properties: mass, arithmetics, merging ---------------------------------------------------------------------

ENTRY = st.integers(-4, 4).map(lambda n: Fraction(n, 4))
ROUND = st.tuples(st.tuples(ENTRY, ENTRY), st.integers(0, K - 1))
STREAM = st.lists(ROUND, min_size=1, max_size=5)
QUICK = settings(deadline=None, max_examples=25)
TIED = [((Fraction(-1, 2), Fraction(0)), 2), ((Fraction(1, 2), Fraction(1, 4)), 0), ((Fraction(0), Fraction(1, 4)), 0)]


def parts_of(rounds: Any) -> tuple[list[Any], list[int]]:
    return [list(x) for x, _ in rounds], [label for _, label in rounds]


@pytest.mark.slow
@QUICK
@given(STREAM, st.sampled_from(sorted(FORMULAS)), st.sampled_from([ETA, Fraction(3, 2)]))
@example(TIED, "hinge", Fraction(3, 2))
def test_the_arithmetics_agree_with_all_draws(rounds: Any, name: str, rate: Fraction) -> None:
    X, y = parts_of(rounds)
    exact, ball, double = (
        expected(learner(name, learning_rate=rate), X, y, comparator=U, arithmetic=a)
        for a in ("rational", "ball", "float")
    )
    assert (exact.mistakes, exact.comparator_loss) == over_all_draws(name, X, y, rate)
    assert exact.mass == 1
    assert contains(ball.mass, Fraction(1))
    assert contains(ball.mistakes, exact.mistakes)
    assert contains(ball.comparator_loss, exact.comparator_loss)
    assert double.mass == pytest.approx(1)


@QUICK
@given(ROUND, st.integers(1, 6), st.sampled_from(sorted(FORMULAS)))
def test_an_adversary_that_ignores_the_weights_is_the_fixed_stream(point: Any, rounds: int, name: str) -> None:
    x, label = list(point[0]), point[1]
    fixed = expected(learner(name), [x] * rounds, [label] * rounds, comparator=U)
    adaptive = expected(learner(name), lambda W: (x, label), n_rounds=rounds, comparator=U)
    double = expected(learner(name), lambda W: (x, label), n_rounds=rounds, arithmetic="float")
    assert (adaptive.mistakes, adaptive.comparator_loss, adaptive.mass) == (fixed.mistakes, fixed.comparator_loss, 1)
    assert double.mistakes == pytest.approx(float(fixed.mistakes), abs=1e-9)


@settings(deadline=None, max_examples=8)
@given(STREAM)
def test_doubles_by_arrays_and_by_states_agree(rounds: Any) -> None:
    """Ties that depend on the rounding of sums apart, which a factor for each round avoids."""
    X, y = parts_of(rounds)
    X = [[float(v) * (1 - 0.0137 * t - 0.0071 * k) for k, v in enumerate(x)] for t, x in enumerate(X)]
    for loss in ("logistic", "smooth hinge", named_theorem("hinge"), named_theorem("logistic")):
        for radius in (math.inf, 0.5):
            one = learner(loss, radius=radius)
            values = []
            for rounds_of_arrays in (0, 24):
                with pytest.MonkeyPatch.context() as patch:
                    patch.setattr(streams, "ARRAY_ROUNDS", rounds_of_arrays)
                    patch.setattr(streams, "STATES_A_ROUND", 0)
                    values.append(expected(one, X, y, comparator=U, arithmetic="float"))
            assert values[0].mistakes == pytest.approx(values[1].mistakes, abs=1e-9)
            assert values[0].comparator_loss == pytest.approx(values[1].comparator_loss, abs=1e-9)


@QUICK
@given(st.lists(st.tuples(ROUND, st.integers(1, 6)), min_size=1, max_size=3), st.booleans())
def test_blocks_are_their_rounds_one_by_one(given_blocks: Any, theorem: bool) -> None:
    one = learner(named_theorem("hinge") if theorem else "hinge", learning_rate=Fraction(1))
    X = [list(x) for (x, _), times in given_blocks for _ in range(times)]
    y = [label for (_, label), times in given_blocks for _ in range(times)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(walk, "LONG", 1)
        patch.setattr("gaptron.expectation.number_systems.FlintMatrices.most", lambda self, times: 20)
        at_once = expected_blocks(one, [(x, label, times) for (x, label), times in given_blocks], comparator=U)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(walk, "LONG", 10**9)
        slowly = expected(one, X, y, comparator=U)
    assert (at_once.mistakes, at_once.comparator_loss, at_once.mass) == (slowly.mistakes, slowly.comparator_loss, 1)


@pytest.mark.few(1)
@pytest.mark.parametrize("points", [[0, 1], [0, 1, 1], [1, 0, 2]])
def test_a_stream_that_repeats_itself_is_its_rounds_one_by_one(points: list[int], monkeypatch: Any) -> None:
    X = [
        [[Fraction(1, 2), Fraction(0)], [Fraction(1, 4), Fraction(1, 2)], [Fraction(0), Fraction(1, 4)]][i]
        for i in points
    ]
    one, n = learner("hinge", learning_rate=1), 12
    X, y = (X * n)[:-1], (points * n)[:-1]
    values = []
    for long in (4, 10**9):
        monkeypatch.setattr(walk, "LONG", long)
        values.append([expected(one, X, y, comparator=U, arithmetic=a) for a in ("ball", "float")])
    for quick, slow in zip(*values, strict=True):
        assert float(quick.mistakes) == pytest.approx(float(slow.mistakes), abs=1e-9)
        assert float(quick.comparator_loss) == pytest.approx(float(slow.comparator_loss), abs=1e-9)
    assert values[0][0].mistakes.overlaps(values[1][0].mistakes)


# --- theorems as losses -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["logistic", "hinge", "smooth hinge"])
@pytest.mark.parametrize("feedback", ["full", "bandit"])
def test_the_losses_by_hand_are_those_of_their_theorems(name: str, feedback: str) -> None:
    X, y = stream(6, seed=2)
    for arithmetic in ("ball", "float") if name == "logistic" else ("rational", "ball", "float"):
        hand, symbolic, exact = (
            expected(learner(loss, feedback=feedback, **more), X, y, comparator=U, arithmetic=arithmetic)
            for loss, more in ((name, {}), (named_theorem(name), {}), (named_theorem(name), {"exact": True}))
        )
        for other in (symbolic, exact):
            assert float(hand.mistakes) == pytest.approx(float(other.mistakes), abs=1e-12)
            assert float(hand.comparator_loss) == pytest.approx(float(other.comparator_loss), abs=1e-12)
            if arithmetic == "rational":
                assert (hand.mistakes, hand.comparator_loss) == (other.mistakes, other.comparator_loss)
            if arithmetic == "ball":
                assert hand.mistakes.overlaps(other.mistakes)


KINKED = Theorem(
    name="kinked",
    loss=MarginLoss(sp.Max(1 - m, 0) + sp.Max(sp.Rational(1, 2) - m, 0)),
    gap_map=GapMap((1 - sp.Min(1, m)) ** 2),
    regret=10,
)
POWER = Theorem(name="power", loss=SoftmaxLoss((1 - p) ** 2), gap_map=GapMap(1 - p), regret=10)
EXPONENTIAL = Theorem(name="exponential", loss=MarginLoss(sp.exp(-m)), gap_map=GapMap(sp.exp(-m)), regret=10)


@pytest.mark.parametrize("theorem", [KINKED, POWER, EXPONENTIAL])
def test_a_theorem_with_full_information_is_its_exact_run(theorem: Theorem) -> None:
    X, y = stream(6, seed=4)
    X, y = [*X, [2 * v for v in X[0]], *X[1:3]], [*y, y[0], *y[1:3]]
    run = Gaptron(K, d, loss=theorem, learning_rate=ETA, exact=True).run(X, y).expected_mistakes
    one = Gaptron(K, d, loss=theorem, learning_rate=ETA)
    ball, double = (expected(one, X, y, arithmetic=a).mistakes for a in ("ball", "float"))
    assert float(ball) == pytest.approx(float(run), abs=1e-12)
    assert double == pytest.approx(float(run), abs=1e-9)
    if theorem is KINKED:
        assert expected(one, X, y).mistakes == run


@pytest.mark.parametrize("loss", ["smooth hinge", "squared hinge", "weighted"])
def test_one_weight_vector_is_its_exact_run(loss: Any) -> None:
    X, y = stream(8, seed=5)
    y = [label % 2 for label in y]
    if loss == "weighted":
        plus = sp.Max(1 - z, 0) ** 2
        loss = Theorem(
            name="w", loss=BinaryLoss(plus, 2 * plus.subs(z, -z)), gap_map=GapMap((1 - sp.Min(1, m)) ** 2), regret=9
        )
    run = BinaryGaptron(d, loss=loss, learning_rate=Fraction(3, 2), exact=True).run(X, y)
    one, U1 = BinaryGaptron(d, loss=loss, learning_rate=Fraction(3, 2)), [[Fraction(1, 2), Fraction(1)]]
    exact, ball, double = (expected(one, X, y, comparator=U1, arithmetic=a) for a in ("rational", "ball", "float"))
    assert exact.mistakes == run.expected_mistakes
    assert contains(ball.mistakes, exact.mistakes)
    assert contains(ball.comparator_loss, exact.comparator_loss)
    assert double.mistakes == pytest.approx(float(exact.mistakes))
    surrogate = BinaryGaptron(d, loss=loss, learning_rate=1, exact=True).surrogate
    scores = [[sum(u * v for u, v in zip(U1[0], x, strict=True)), Fraction(0)] for x in X]
    assert exact.comparator_loss == sum(surrogate.value(s, label) for s, label in zip(scores, y, strict=True))


def test_an_irrational_rate_is_evaluated_at_the_precision_of_the_balls() -> None:
    X, y = stream(4, seed=6)
    rate = 1 / sp.sqrt(2)
    ball = expected(learner("logistic"), X, y, arithmetic="ball", learning_rate=rate / 8, exploration=rate).mistakes
    nearby = expected(
        learner("logistic", learning_rate=0.125 / math.sqrt(2), exploration=math.sqrt(0.5)), X, y, arithmetic="ball"
    )
    assert float(ball.rad()) < 1e-30
    assert float(ball) == pytest.approx(float(nearby.mistakes), abs=1e-12)
    with pytest.raises(ValueError, match="is not a rational number"):
        expected(learner("hinge"), X, y, learning_rate=rate)


def test_a_gap_map_out_of_range_is_refused() -> None:
    below = Theorem(name="t", loss=MarginLoss(sp.Max(1 - m, 0)), gap_map=GapMap(1 - 4 * m), regret=10)
    for arithmetic in ("rational", "ball", "float"):
        with pytest.raises(ValueError, match="gap map"):
            expected(learner(below, learning_rate=1), [[1, 0]] * 11, [1] * 11, arithmetic=arithmetic)


# --- ties -------------------------------------------------------------------------------------------------------


def test_classes_that_were_moved_by_the_same_numbers_tie_without_comparing_balls() -> None:
    """After x with label 0 all other classes have one irrational score, on which -x puts them on top."""
    X, y = (
        [[Fraction(1, 3), Fraction(1, 7)], [Fraction(-1, 3), Fraction(-1, 7)], [Fraction(-1), Fraction(0)]],
        [0, 3, 2],
    )
    one = Gaptron(4, d, loss=POWER, feedback="bandit", exploration=GAMMA, learning_rate=ETA)
    ball, double = (expected(one, X, y, arithmetic=a).mistakes for a in ("ball", "float"))
    assert float(ball.rad()) < 1e-25
    assert float(ball) == pytest.approx(double, abs=1e-9)


def test_a_tie_of_unequal_origin_is_decided_by_rationals() -> None:
    X, y = stream(7)
    tied = learner("hinge", learning_rate=Fraction(3, 2))
    assert contains(expected(tied, X, y, arithmetic="ball").mistakes, expected(tied, X, y).mistakes)


# --- many rounds ------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("arithmetic", ["ball", "float"])
def test_a_hundred_thousand_rounds_of_three_hundred_classes(arithmetic: str) -> None:
    many = Gaptron(300, d, loss="hinge", feedback="bandit", exploration=GAMMA, learning_rate=1)
    x, v = [Fraction(1, 2), Fraction(0)], [Fraction(1, 2), Fraction(1, 4)]
    few, more = (expected(many, [x, v] * n, [0, 1] * n, arithmetic=arithmetic).mistakes for n in (25_000, 50_000))
    assert float(more - few) == pytest.approx(50_000 * float(GAMMA) * 299 / 300, rel=1e-3)


def test_ten_billion_rounds_of_the_logistic_loss() -> None:
    """From some state on the gap map is below gamma, whatever is learned."""
    x, one = [Fraction(1, 2), Fraction(0)], learner("logistic", learning_rate=Fraction(1, 10))
    many = expected_repeated(one, x, 1, 10**10, comparator=U)
    few, more = (expected(one, [x] * n, [1] * n, arithmetic="ball").mistakes for n in (150, 151))
    assert float(many.mistakes - few) == pytest.approx((10**10 - 150) * float(GAMMA * 2 / 3), abs=1e-5)
    assert float(more - few) == pytest.approx(float(GAMMA * 2 / 3), abs=1e-9)
    assert float(expected_blocks(one, [(x, 1, 10**10)], arithmetic="ball").mistakes - many.mistakes) == pytest.approx(
        0, abs=1e-6
    )


def test_parts_without_a_common_feature_add_up() -> None:
    """d blocks on d unit vectors: (n + 1)^d sequences of updates, d (n + 1) states."""
    dimension, n = 6, 200
    one = Gaptron(K, dimension, loss="smooth hinge", feedback="bandit", exploration=GAMMA, learning_rate=ETA)
    eye = np.eye(dimension, dtype=int).tolist()
    alone = expected_blocks(one, [(eye[0], 0, n)], arithmetic="ball").mistakes
    together = expected_blocks(one, [(x, 0, n) for x in eye], arithmetic="ball").mistakes
    assert (together - dimension * alone).contains(0)


# --- other learners ---------------------------------------------------------------------------------------------


def banditron_over_all_draws(X: Any, y: Any, gamma: Fraction) -> Fraction:
    """Kakade, Shalev-Shwartz, Tewari 2008, over the K^T sequences of drawn labels."""
    mistakes = Fraction(0)
    for drawn in product(range(K), repeat=len(y)):
        W, mass, wrong = [[Fraction(0)] * d for _ in range(K)], Fraction(1), 0
        for x, label, r in zip(X, y, drawn, strict=True):
            best = formulas.top(formulas.scores(W, x))
            P = [(1 - gamma) * (k == best) + gamma / K for k in range(K)]
            mass, wrong = mass * P[r], wrong + (r != label)
            steps = [(k == r == label) / P[r] - (k == best) for k in range(K)]
            W = [[w + step * v for w, v in zip(row, x, strict=True)] for row, step in zip(W, steps, strict=True)]
        mistakes += mass * wrong
    return mistakes


@pytest.mark.parametrize("seed", range(3))
def test_the_banditron_over_all_draws(seed: int) -> None:
    X, y = stream(4, seed)
    exact = expected(Banditron(K, d, exploration=GAMMA, exact=True), X, y, comparator=U)
    double = expected(Banditron(K, d, exploration=float(GAMMA)), X, y, arithmetic="float")
    assert exact.mistakes == banditron_over_all_draws(X, y, GAMMA)
    assert exact.mass == 1
    assert double.mistakes == pytest.approx(float(exact.mistakes), abs=1e-9)
    margins = [formulas.margin(formulas.scores(U, x), label) for x, label in zip(X, y, strict=True)]
    assert exact.comparator_loss == sum(max(1 - margin, Fraction(0)) for margin in margins)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("diagonal", [False, True])
def test_soba_over_its_paths_by_definition(seed: int, diagonal: bool) -> None:
    X, y = stream(4, seed)
    paths = soba.paths(list(zip(X, y, strict=True)), K, GAMMA, Fraction(2), diagonal=diagonal)
    by_definition = soba.mean(paths, lambda path: sum(not step.drawn for step in path.steps))
    given = {"exploration": GAMMA, "regularizer": Fraction(2), "diagonal": diagonal}
    assert expected(SOBA(K, d, **given, exact=True), X, y).mistakes == by_definition
    assert expected(SOBA(K, d, **given), X, y, arithmetic="float").mistakes == pytest.approx(float(by_definition))


@pytest.mark.parametrize("kind", [Perceptron, SecondOrderPerceptron])
def test_a_deterministic_learner_is_its_run(kind: Any) -> None:
    X, y = stream(12, seed=7)
    run = kind(K, d, exact=True).run(X, y)
    assert expected(kind(K, d, exact=True), X, y).mistakes == run.mistakes
    assert expected(kind(K, d), X, y, arithmetic="float").mistakes == run.mistakes
    assert all(isinstance(value, Fraction) for value in run.loss)
    np.testing.assert_allclose(kind(K, d).run(np.array(X, dtype=float), y).loss, run.loss.astype(float), atol=1e-12)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "make",
    [
        lambda seed: SOBA(K, d, adaptive=True, seed=seed),
        lambda seed: Newtron(K, d, exploration=0.3, seed=seed),
        lambda seed: learner("hinge", ties="fair", seed=seed),
        lambda seed: AbstainingGaptron(K, d, seed=seed),
    ],
)
def test_any_learner_makes_so_many_mistakes_on_average(make: Any) -> None:
    X, y = stream(6, seed=8)
    points = np.array(X, dtype=float)
    mean = expected(make(0), X, y, arithmetic="float")
    sampled = [make(seed).run(points, y, compiled=False).mistakes for seed in range(400)]
    assert mean.mass == pytest.approx(1)
    assert abs(np.mean(sampled) - mean.mistakes) < 5 * np.std(sampled) / 20


def test_an_exact_perceptron_is_never_compiled() -> None:
    with pytest.raises(ValueError, match="with exact = True it must be False or None"):
        Perceptron(K, d, exact=True).run([[1, 0]], [0], compiled=True)


def test_adaptive_exploration_needs_roots() -> None:
    with pytest.raises(ValueError, match="exploration needs roots"):
        SOBA(K, d, adaptive=True, exact=True)


@pytest.mark.parametrize("margin", [Fraction(-2), Fraction(0), Fraction(1, 2), Fraction(1), Fraction(3)])
def test_the_family_of_losses_runs_from_the_hinge_loss_to_its_square(margin: Fraction) -> None:
    scores = [margin + 1, Fraction(1), Fraction(0)]
    hinge = max(1 - margin, Fraction(0))
    assert value(HINGE, scores, 0) == hinge == value(quadratic_loss(0), scores, 0)
    assert value(quadratic_loss(1), scores, 0) == hinge**2
    half = 1 - Fraction(4, 3) * margin + margin**2 / 3 if margin <= 1 else 0
    assert value(quadratic_loss(Fraction(1, 2)), scores, 0) == half
    of_comparator = comparator_loss(np.array([[margin + 1], [1], [0]]), quadratic_loss(Fraction(1, 2)), "rational")
    assert plain_number(of_comparator([1], 0)) == half


@pytest.mark.parametrize(
    ("one", "arguments", "message"),
    [
        (Banditron(K, d, exploration=0.5), {}, 'arithmetic = "rational": this Banditron computes in "float"'),
        (Banditron(K, d, exploration=0.5, exact=True), {"arithmetic": "ball"}, 'computes in "rational"'),
        (Perceptron(K, d, exact=True), {"exploration": 1}, "learning_rate and exploration are for Gaptron"),
        ("Gaptron", {}, "learner = 'Gaptron' is not a Learner"),
    ],
)
def test_what_a_learner_cannot_do_gets_a_sentence(one: Any, arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        expected(one, [[0, 1]], [0], **arguments)


def test_a_block_has_rounds() -> None:
    with pytest.raises(ValueError, match="rounds of a block = 0 is not an integer >= 1"):
        expected_blocks(learner("hinge"), [([0, 1], 0, 0)])
    with pytest.raises(ValueError, match="eta = 2 is not a number in"):
        quadratic_loss(2)


def test_features_that_are_zero_change_nothing_within_a_radius() -> None:
    rates = {"exploration": Fraction(1, 2), "learning_rate": Fraction(1, 8)}
    learner = Gaptron(2, 1, loss="hinge", feedback="bandit", radius=Fraction(1), exact=True, **rates)
    one = expected(learner, [[Fraction(1)]], [1]).mistakes
    assert expected(learner, [[Fraction(0)], [Fraction(1)]], [1, 1]).mistakes == one + Fraction(1, 2)
