"""Proximal learners: their steps against the definition, the three-point inequality, the bound, what they refuse."""

import itertools
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sympy import Max, Rational, exp, log

from gaptron import GapMap, Gaptron, MarginLoss, Theorem
from gaptron.expectation import expected
from gaptron.learners import BinaryGaptron
from gaptron.learners.best import LearningRateError
from gaptron.learners.saving import load, save
from gaptron.numbers.kinds import Doubles, Rationals
from gaptron.rounds.exact import value
from gaptron.rounds.proximal import proximal_steps
from gaptron.symbols import K, m
from gaptron.theory.losses import Loss
from gaptron.theory.named import named_proximal_theorem

NAMES = ("hinge", "smooth hinge", "logistic")
LOSSES: dict[str, Loss] = {name: named_proximal_theorem(name).loss for name in NAMES}
LOSSES["margin logistic"] = MarginLoss(log(1 + exp(-m)) / log(2))
LOSSES["hinge of slopes 2 and 1"] = MarginLoss(Max(1 - 2 * m, 1 - m, 0))
few = st.lists(st.sampled_from([-2, -1, 0, 0, 1, 3]), min_size=2, max_size=5)
score_lists = few.map(lambda values: [Fraction(v, 4) for v in values])


def cost(loss: Loss, scores: Any, label: int, move: Any, c: Any) -> float:
    """loss(theta + delta) + c ||delta||^2, by the losses themselves."""
    moved = [Fraction(float(s)) + Fraction(float(d)) for s, d in zip(scores, move, strict=True)]
    return float(value(loss, moved, label)) + float(c) * float(np.dot(move, move))


@pytest.mark.parametrize("name", LOSSES)
@pytest.mark.parametrize("scores", [(0, 0), (0, 0, 0), (1, 1, -1, 0), (0.3, 0.25, 0.25, -2), (-5, 5, 4.9), (40, 0, 0)])
@pytest.mark.parametrize("c", [0.2, 1.0, 7.0])
def test_a_step_is_the_best_of_many_and_its_envelope_is_what_it_costs(name: str, scores: Any, c: float) -> None:
    rng = np.random.default_rng(3)
    steps = proximal_steps(LOSSES[name], len(scores), Doubles())
    for label in range(len(scores)):
        found = steps.step([float(s) for s in scores], label, c)
        paid = cost(LOSSES[name], scores, label, np.asarray(found.move, dtype=float), c)
        assert found.least <= paid + 1e-12
        assert paid <= found.least + 1e-9
        assert steps.envelopes([float(s) for s in scores], c)[label] == pytest.approx(found.least, abs=1e-12)
        for scale in (1e-3, 0.1, 1):
            near = np.asarray(found.move, dtype=float) + scale * rng.normal(size=len(scores))
            assert cost(LOSSES[name], scores, label, near, c) >= found.least - 1e-12


@settings(deadline=None, max_examples=40)
@given(score_lists, st.data())
@example([Fraction(0)] * 4, None)
@pytest.mark.parametrize("name", ["hinge", "smooth hinge", "hinge of slopes 2 and 1"])
def test_three_points(name: str, scores: list[Fraction], data: Any) -> None:
    """Exactly: e + c ||theta+ - u||^2 <= loss(u) + c ||theta - u||^2 for all u, at ties and kinks."""
    c = Fraction(5, 3)
    steps = proximal_steps(LOSSES[name], len(scores), Rationals())
    others = [scores[::-1], [Fraction(0)] * len(scores)]
    if data is not None:
        drawn = st.lists(st.integers(-4, 4), min_size=len(scores), max_size=len(scores))
        others.append([Fraction(v, 3) for v in data.draw(drawn)])
    for label, u in itertools.product(range(len(scores)), others):
        found = steps.step(scores, label, c)
        after = sum((s + d - v) ** 2 for s, d, v in zip(scores, found.move, u, strict=True))
        before = sum((s - v) ** 2 for s, v in zip(scores, u, strict=True))
        assert found.least + c * after <= value(LOSSES[name], u, label) + c * before


@settings(deadline=None, max_examples=60)
@given(score_lists)
def test_at_the_optimum_the_needs_sum_to_at_most_one_exactly(scores: list[Fraction]) -> None:
    n = len(scores)
    for name, c in (("hinge", Fraction(n**2, 4 * (n - 1))), ("smooth hinge", Fraction(n))):
        envelopes = proximal_steps(LOSSES[name], n, Rationals()).envelopes(scores, c)
        assert sum(max(0, 1 - e) for e in envelopes) <= 1


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_the_bound_holds_for_every_sequence_of_labels_on_one_point(name: str, n_classes: int) -> None:
    theorem = named_proximal_theorem(name)
    c = float(theorem.regret.subs(K, n_classes))
    for labels in itertools.product(range(n_classes), repeat=4):
        made = float(Gaptron(n_classes, 1, loss=name, update="proximal").run([[1.0]] * 4, labels).expected_mistakes)
        for size in (0.0, 0.25, 0.5, 1.0, 2.0):
            U = [Fraction(size) * (Fraction(labels.count(k), 4) - Fraction(1, n_classes)) for k in range(n_classes)]
            bound = sum(float(value(theorem.loss, U, y)) for y in labels) + c * float(sum(u * u for u in U))
            assert made <= bound + 1e-9


def test_the_adversarys_round_is_tight_for_the_hinge() -> None:
    """Two labels, alike: half a mistake in expectation, and U of margin 1 pays 1/2."""
    made = [Gaptron(2, 1, loss="hinge", update="proximal", exact=True).run([[1]], [y]) for y in range(2)]
    assert sum(run.expected_mistakes for run in made) == 1
    assert 1 * (Fraction(1, 2) ** 2 * 2) == Fraction(1, 2)


def test_a_short_row_moves_the_scores_by_the_step_with_a_larger_c() -> None:
    learner = Gaptron(2, 2, loss="hinge", update="proximal", exact=True)
    x = [Fraction(1, 2), Fraction(0)]
    learner.update(x, 0)
    # c X^2/||x||^2 = 4: min 1 - v + 4 v^2/2 at margin v = 1/4
    assert (learner.W @ np.array(x, dtype=object)).tolist() == [Fraction(1, 8), Fraction(-1, 8)]
    learner.update([Fraction(0)] * 2, 1)
    assert learner.W[0, 0] == Fraction(1, 4)


def test_below_the_optimum_there_are_scores_without_a_prediction() -> None:
    for name, n in itertools.product(("hinge", "smooth hinge"), (2, 3)):
        rate = 1 / (2 * named_proximal_theorem(name).regret.subs(K, n)) * Rational(1001, 1000)
        learner = Gaptron(n, 1, loss=name, update="proximal", learning_rate=float(rate))
        with pytest.raises(LearningRateError, match="the labels need probabilities that sum to"):
            learner.predict_proba([1.0])


GRADIENT = Theorem(name="g", loss=MarginLoss(Max(1 - m, 0)), gap_map=GapMap(1), learning_rate=1 / K)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"radius": 2}, 'radius = 2: with update = "proximal" there is no projection'),
        ({"feedback": "bandit", "horizon": 9}, "feedback = 'bandit'"),
        ({"decoder": "gap map"}, "decoder = 'gap map': the theorem has no gap map"),
        ({"loss": GRADIENT}, "update = 'proximal': theorem \"g\" is about gradient updates"),
        ({"loss": "logistic", "exact": True}, "not rational"),
        ({"update": "implicit"}, "update = 'implicit'"),
    ],
)
def test_what_does_not_go_with_proximal_updates(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, NotImplementedError)) as raised:
        Gaptron(3, 1, **{"loss": "hinge", "update": "proximal"} | arguments).predict_proba([1])
    assert message in str(raised.value)


def test_rows_longer_than_the_bound_are_refused() -> None:
    learner = Gaptron(3, 1, loss="hinge", update="proximal", feature_norm=2)
    learner.update([2.0], 0)
    with pytest.raises(ValueError, match=r"\|\|x\|\| = 2.5 is more than feature_norm = 2"):
        learner.update([2.5], 0)


def test_other_learners_and_sets_of_paths_refuse() -> None:
    theorem = named_proximal_theorem("hinge")
    with pytest.raises(ValueError, match="only Gaptron takes them"):
        BinaryGaptron(1, loss=theorem)
    with pytest.raises(ValueError, match="gradient steps only"):
        expected(Gaptron(2, 1, loss=theorem), [[1]], [0])


def test_it_is_saved_and_goes_on_bit_for_bit(tmp_path: Path) -> None:
    X, y = np.eye(3)[[0, 1, 2, 0, 1, 1]], [0, 1, 1, 2, 0, 1]
    whole, part = (Gaptron(3, 3, loss="logistic", update="proximal", seed=5) for _ in range(2))
    part.run(X[:3], y[:3])
    save(part, tmp_path / "learner.npz")
    again = load(tmp_path / "learner.npz")
    assert again.update_rule == "proximal"  # type: ignore[attr-defined]
    again.run(X[3:], y[3:])
    whole.run(X, y)
    assert np.array_equal(again.W, whole.W)  # type: ignore[attr-defined]


def test_a_hundred_classes_and_large_scores() -> None:
    learner = Gaptron(100, 2, loss="logistic", update="proximal")
    learner.W = np.random.default_rng(0).normal(size=(100, 2)) * 50
    shares = learner.predict_proba([0.6, 0.8])
    assert math.isclose(shares.sum(), 1)
    assert (shares >= 0).all()
