"""Proximal learners: their steps against the definition, the three-point inequality, the bound, what they refuse."""

import itertools
import math
from fractions import Fraction
from pathlib import Path
from typing import Any

import flint
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from mpmath import iv
from sympy import Max, Rational, exp, log

from gaptron import GapMap, Gaptron, MarginLoss, Theorem
from gaptron.expectation import expected
from gaptron.expectation.number_systems import BallMatrices, IntervalMatrices
from gaptron.learners import BinaryGaptron
from gaptron.learners.saving import load, save
from gaptron.numbers.evaluate import EXACT, ball, enclosure
from gaptron.numbers.kinds import PRECISION, Doubles, Rationals
from gaptron.rounds.exact import value
from gaptron.rounds.proximal import proximal_steps
from gaptron.rounds.proximal_columns import ProximalColumns
from gaptron.rounds.step import LearningRateError
from gaptron.symbols import K, m, z
from gaptron.theory.losses import BinaryLoss, Loss
from gaptron.theory.named import BINARY, named_binary_proximal_theorem, named_proximal_theorem

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
        envelope = steps.envelopes([float(s) for s in scores], c)[label]
        assert min(envelope, 1) == pytest.approx(min(found.least, 1), abs=1e-12)
        assert envelope <= found.least + 1e-12
        for scale in (1e-3, 0.1, 1):
            near = np.asarray(found.move, dtype=float) + scale * rng.normal(size=len(scores))
            assert cost(LOSSES[name], scores, label, near, c) >= found.least - 1e-12


@settings(deadline=None)
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


@settings(deadline=None)
@given(score_lists)
def test_at_the_optimum_the_needs_sum_to_at_most_one_exactly(scores: list[Fraction]) -> None:
    n = len(scores)
    for name, c in (("hinge", Fraction(n**2, 4 * (n - 1))), ("smooth hinge", Fraction(n))):
        envelopes = proximal_steps(LOSSES[name], n, Rationals()).envelopes(scores, c)
        assert sum(max(0, 1 - e) for e in envelopes) <= 1


@pytest.mark.few(2)
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

    with pytest.raises(ValueError, match="is more than feature_norm = 2"):
        expected(learner, [[Fraction(5, 2)]], [0])


def test_a_theorem_goes_with_its_learner() -> None:
    with pytest.raises(ValueError, match="use Gaptron"):
        BinaryGaptron(1, loss=named_proximal_theorem("hinge"))
    with pytest.raises(ValueError, match="use BinaryGaptron"):
        Gaptron(2, 1, loss=named_binary_proximal_theorem("smooth hinge"))


KINKED = BinaryLoss(plus=Max(abs(z - 1) - Rational(1, 2), 0), minus=Max(1 + z, 2 * z, 0))


@pytest.mark.parametrize("loss", [named_binary_proximal_theorem("squared hinge").loss, KINKED])
@pytest.mark.parametrize("now", [Fraction(v, 4) for v in (-9, -4, 0, 1, 2, 4, 7, 12)])
def test_one_vector_moves_where_the_loss_falls_and_no_further(loss: BinaryLoss, now: Fraction) -> None:
    c = Fraction(3, 4)
    for label in (0, 1):
        found = proximal_steps(loss, 2, Rationals()).step([now], label, c)
        (move,) = found.move
        assert found.least == value(loss, [now + move], label) + c * move**2
        for other in (move + Fraction(1, 100), move - Fraction(1, 100), Fraction(0)):
            assert found.least <= value(loss, [now + other], label) + c * other**2


BALLS = {name: LOSSES[name] for name in NAMES} | {
    "margin logistic": LOSSES["margin logistic"],
    "one vector, logistic": BinaryLoss(plus=log(1 + exp(-z))),
}


@pytest.mark.few(4)
@pytest.mark.parametrize("kind", [BallMatrices(), IntervalMatrices(), EXACT], ids=["balls", "intervals", "exact"])
@pytest.mark.parametrize("name", BALLS)
def test_balls_contain_the_step_and_are_small(name: str, kind: Any) -> None:
    """At scores that are rational, and at balls around them."""
    loss, rng, iv.prec = BALLS[name], np.random.default_rng(1), PRECISION
    n = 2 if isinstance(loss, BinaryLoss) else 3
    for scores in ([0.0] * n, [0.25] * (n - 1) + [-1.0], *rng.normal(size=(3, n)).tolist()):
        rows = scores[:1] if isinstance(loss, BinaryLoss) else scores
        at = [kind.number(Fraction(score)) for score in rows]
        wide = [kind.number(ball(Fraction(score)) + flint.arb(0, 1e-9)) for score in rows]
        for label in range(n):
            near = proximal_steps(loss, n, Doubles()).step(rows, label, 1.25)
            found, wider = (proximal_steps(loss, n, kind).step(s, label, kind.number(1.25)) for s in (at, wide))
            for exact, wide_one, double in zip(found.move, wider.move, near.move, strict=True):
                (low, high), (lower, upper) = (enclosure(ball(part)) for part in (exact, wide_one))
                assert lower <= low <= high <= upper
                assert high - low < Fraction(1, 10**25)
                assert float(low) == pytest.approx(float(double), abs=3e-7)
            low, high = enclosure(ball(found.least))
            assert high - low < Fraction(1, 10**25)
            assert near.least <= float(high) + 1e-12
            assert float(low) == pytest.approx(near.least, abs=1e-12)


@pytest.mark.parametrize("name", [*NAMES, "margin logistic", "one vector, logistic", "hinge of slopes 2 and 1"])
def test_columns_are_steps(name: str) -> None:
    loss, rng = (LOSSES | BALLS)[name], np.random.default_rng(2)
    one = isinstance(loss, BinaryLoss)
    n = 2 if one else 4
    scores, labels, c = rng.normal(size=(1 if one else n, 30)), rng.integers(n, size=30), rng.uniform(0.2, 3, size=30)
    found = ProximalColumns(loss, n).step(scores, labels, c)
    moves, envelopes = found.move, found.least
    for i in range(30):
        found = proximal_steps(loss, n, Doubles()).step(scores[:, i].tolist(), int(labels[i]), float(c[i]))
        assert np.allclose(found.move, moves[:, i], atol=1e-6)
        assert envelopes[i] == pytest.approx(found.least, abs=1e-9)


@pytest.mark.parametrize("name", NAMES)
def test_expectations_are_those_of_the_learner(name: str) -> None:
    X = [[0.5, 0.75], [1.0, 0.0], [0.0, -1.0], [0.0, 0.0], [-0.5, 0.75], [0.5, 0.0]]
    y = [0, 2, 1, 1, 0, 2]
    learner = Gaptron(3, 2, loss=name, update="proximal")
    by_states = expected(learner, X, y, arithmetic="float").mistakes
    assert by_states == pytest.approx(learner.run(X, y).expected_mistakes, abs=1e-9)
    exact = Gaptron(3, 2, loss=name, update="proximal", exact=True)
    low, high = enclosure(ball(exact.run(X, y).expected_mistakes))
    assert high - low < Fraction(1, 10**30)
    assert float(low) == pytest.approx(by_states, abs=1e-7)


@pytest.mark.parametrize("name", BINARY)
def test_one_vector_learns_by_proximal_steps(name: str) -> None:
    X, y = [[0.5, 0.75], [1.0, 0.0], [0.0, -1.0], [-0.5, 0.75]], [0, 1, 1, 0]
    learner, exact = (BinaryGaptron(2, loss=name, update="proximal", exact=e) for e in (False, True))
    assert learner.run(X, y).expected_mistakes == pytest.approx(float(exact.run(X, y).expected_mistakes), abs=1e-12)
    assert np.allclose(learner.w, exact.w.astype(float))
    assert sum(exact.predict_proba([1, 0])) == 1


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


def test_one_vector_is_saved_too_and_a_compiled_run_is_refused(tmp_path: Path) -> None:
    X, y = np.array([[0.6, 0.7], [0.1, 0.2], [0.0, -0.9], [0.3, 0.3]]), [0, 1, 1, 0]
    learner = BinaryGaptron(2, loss="squared hinge", update="proximal", seed=1)
    learner.run(X[:2], y[:2])
    save(learner, tmp_path / "learner.npz")
    again = load(tmp_path / "learner.npz")
    for one in (learner, again):
        one.run(X[2:], y[2:])
    assert np.array_equal(again.W, learner.W)  # type: ignore[attr-defined]
    logarithmic = Theorem(name="l", loss=LOSSES["margin logistic"], decoder="best", update="proximal", regret=2)
    for one in (learner, Gaptron(2, 2, loss=logarithmic)):
        with pytest.raises(ValueError, match="has no compiled run"):
            one.run(X, y, compiled=True)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n_classes", [2, 3, 10, 100])
def test_in_doubles_the_needs_at_the_binding_scores_are_a_distribution(name: str, n_classes: int) -> None:
    """Where they sum to 1 exactly, rounding may bring them above: that much is scaled away, and more is refused."""
    for size in (1e-12, 1e-3, 0.5, 1.0):
        learner = Gaptron(n_classes, 1, loss=name, update="proximal", feature_norm=size)
        shares = learner.predict_proba([size])
        assert (shares >= 0).all()
        assert abs(shares.sum() - 1) < 1e-12


def test_a_hundred_classes_and_large_scores() -> None:
    learner = Gaptron(100, 2, loss="logistic", update="proximal")
    learner.W = np.random.default_rng(0).normal(size=(100, 2)) * 50
    shares = learner.predict_proba([0.6, 0.8])
    assert math.isclose(shares.sum(), 1)
    assert (shares >= 0).all()


@pytest.mark.parametrize("learner", [Gaptron, BinaryGaptron])
def test_a_theorem_without_its_constant_says_which_verb_finds_it(learner: Any) -> None:
    loss = MarginLoss(Max(0, 1 - m)) if learner is Gaptron else BinaryLoss(Max(0, 1 - z))
    theorem = Theorem(name="mine", loss=loss, decoder="best", update="proximal")
    with pytest.raises(ValueError, match="states no regret c, and gaptron sharpen finds the least"):
        learner(*([2, 1] if learner is Gaptron else [1]), loss=theorem)


@pytest.mark.parametrize(("exact", "c"), [(False, "0.125"), (True, "1/8")])
def test_needs_above_one_name_the_constant_that_is_too_small(exact: bool, c: str) -> None:
    theorem = Theorem(
        name="mine", loss=MarginLoss(Max(0, 1 - m)), decoder="best", update="proximal", regret=Rational(1, 8)
    )
    with pytest.raises(LearningRateError, match=rf"\(c = {c} is too small\) for the mine loss"):
        Gaptron(2, 1, loss=theorem, feature_norm=2, exact=exact).predict_proba([2])
