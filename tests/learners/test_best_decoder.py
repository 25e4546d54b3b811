"""Learners that predict with the best decoder: the definition by hand, its gaps, its mistake bound, its limits."""

import json
import math
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import flint
import numpy as np
import pytest
from click.testing import CliRunner
from conftest import is_one_sentence
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sympy import Integer, Max, Piecewise, Rational, log

from gaptron import BinaryLoss, GapMap, Gaptron, MarginLoss, SoftmaxLoss, Theorem
from gaptron.bounds.sides import Game
from gaptron.commands.cli import main
from gaptron.expectation import expected, expected_blocks
from gaptron.learners import BinaryGaptron, FTRLGaptron
from gaptron.learners.saving import load, save
from gaptron.numbers.evaluate import ball, evaluate
from gaptron.rounds.step import LearningRateError
from gaptron.symbols import K, m, p, z
from gaptron.testing import Stream, strongest

SMOOTH = Piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, m < 1), (0, True))
THEOREMS = {
    name: Theorem(name=name, loss=loss, gap_map=GapMap(Integer(1)), learning_rate=rate)
    for name, loss, rate in (
        ("hinge", MarginLoss(Max(1 - m, 0), off_above=1 / K), 1 / K),
        ("squared hinge", MarginLoss(Max(1 - m, 0) ** 2), 1 / (4 * K)),
        ("smooth hinge", MarginLoss(SMOOTH), 1 / (4 * K)),
        ("logistic", SoftmaxLoss(-log(p, 2)), 2 * log(2) ** 2),
    )
}
MARGIN_LOSSES: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "hinge": (lambda v: max(1 - v, 0), lambda v: -1 if v < 1 else 0),
    "squared hinge": (lambda v: max(1 - v, 0) ** 2, lambda v: -2 * max(1 - v, 0)),
    "smooth hinge": (
        lambda v: 1 - 2 * v if v <= 0 else max(1 - v, 0) ** 2,
        lambda v: -2 if v <= 0 else -2 * max(1 - v, 0),
    ),
}

every_loss = pytest.mark.parametrize("name", THEOREMS)
hundredths = st.lists(st.integers(-150, 150), min_size=2, max_size=6)
few_values = st.lists(st.sampled_from([-100, 0, 25, 50]), min_size=2, max_size=6)
score_lists = (hundredths | few_values).map(lambda values: [Fraction(value, 128) for value in values])


def at_scores(name: str, scores: list[Fraction], *, exact: bool, **arguments: Any) -> Gaptron:
    """A learner whose scores at x = (1) are these."""
    learner = Gaptron(len(scores), 1, loss=THEOREMS[name], decoder="best", exact=exact, **arguments)
    learner.W = learner._arithmetic.array([[score] for score in scores], "W", (len(scores), 1))
    return learner


def loss_and_square(name: str, scores: list[Fraction], label: int) -> tuple[Any, Any]:
    """The loss and ||g||^2 for ||x|| = 1, by the formulas: fractions, or doubles for the logistic loss."""
    if name == "logistic":
        powers = [math.exp(score) for score in scores]
        shares = [power / sum(powers) for power in powers]
        slopes = [(share - (k == label)) / math.log(2) for k, share in enumerate(shares)]
        return -math.log2(shares[label]), sum(slope**2 for slope in slopes)
    margin = scores[label] - max(scores[:label] + scores[label + 1 :])
    is_top = label == scores.index(max(scores))
    if name == "hinge" and is_top and margin > Fraction(1, len(scores)):
        return 0, 0
    phi, slope = MARGIN_LOSSES[name]
    return phi(margin), 2 * slope(margin) ** 2


def rate(name: str, n_classes: int) -> Any:
    if name == "logistic":
        return 2 * math.log(2) ** 2
    return Fraction(1, n_classes if name == "hinge" else 4 * n_classes)


def by_hand(name: str, scores: list[Fraction]) -> list[Any]:
    """max(0, 1 - h_k), and what is left for the lowest label among the largest scores."""
    eta = rate(name, len(scores))
    rounds = [loss_and_square(name, scores, label) for label in range(len(scores))]
    shares = [max(0, 1 - (loss - eta / 2 * square)) for loss, square in rounds]
    shares[scores.index(max(scores))] += 1 - sum(shares)
    return shares


# --- the prediction ---------------------------------------------------------------------------------------------


@every_loss
@given(score_lists)
@example([Fraction(0)] * 6)
@example([Fraction(1, 2), Fraction(0)])
@example([Fraction(1), Fraction(0), Fraction(1)])
def test_the_prediction_is_the_definition(name, scores):
    found = at_scores(name, scores, exact=True).predict_proba([1])
    if name == "logistic":
        np.testing.assert_allclose([float(share) for share in found], by_hand(name, scores), rtol=0, atol=1e-14)
        assert sum(found.tolist(), flint.arb(0)).contains(1)
    else:
        assert found.tolist() == by_hand(name, scores)
        assert sum(found) == 1


@every_loss
@given(score_lists)
@example([Fraction(0)] * 5)
def test_doubles_agree_with_exact_numbers(name, scores):
    exact, doubles = (at_scores(name, scores, exact=kind).predict_proba([1]) for kind in (True, False))
    np.testing.assert_allclose(doubles, [float(share) for share in exact], rtol=0, atol=1e-14)
    assert doubles.min() >= 0
    assert doubles.sum() == pytest.approx(1, abs=1e-15 * len(scores))


@pytest.mark.few(1)
@every_loss
@settings(max_examples=40)
@given(score_lists)
@example([Fraction(0)] * 3)
@example([Fraction(1, 128), Fraction(0)])
def test_no_label_has_a_positive_surrogate_gap(name, scores):
    learner, one = at_scores(name, scores, exact=True), [Fraction(1)]
    before, shares = learner.W.copy(), learner.predict_proba(one)
    for label, share in enumerate(shares):
        learner.W = before.copy()
        loss = learner.loss(one, label)
        learner.update(one, label)
        step = (before - learner.W).ravel()
        gap = 1 - share - loss + (step * step).sum() / (2 * learner.learning_rate)
        assert not gap > 0
        assert float(gap) < 1e-50


def test_the_rest_goes_to_the_lowest_of_the_top_labels():
    shares = at_scores("smooth hinge", [Fraction(0), Fraction(1, 4), Fraction(1, 4)], exact=True).predict_proba([1])
    assert shares[1] > shares[2] > shares[0] >= 0
    assert shares[2] == Fraction(1, 3)  # a tied label: 1 - 1 + (eta/2) 8 = 4 eta


@every_loss
def test_features_count_as_if_they_had_the_largest_norm(name):
    scores = [Fraction(1, 8), Fraction(0), Fraction(1, 8)]
    plain = at_scores(name, scores, exact=True).predict_proba([1])
    short = at_scores(name, [2 * score for score in scores], exact=True).predict_proba([Fraction(1, 2)])
    scaled = at_scores(name, scores, exact=True, feature_norm=3)
    assert 9 * float(scaled.learning_rate) == pytest.approx(float(rate(name, 3)))
    for other in (short, scaled.predict_proba([1])):
        assert [float(share) for share in other] == pytest.approx([float(share) for share in plain], abs=1e-15)


@pytest.mark.parametrize("hundredths", [-130, -40, 0, 1, 40, 99, 130])
def test_one_weight_vector_predicts_by_the_same_definition(hundredths):
    learner, z = BinaryGaptron(1, loss="squared hinge", decoder="best", exact=True), Fraction(hundredths, 100)
    learner.w = [z]
    losses = [max(1 - z, 0) ** 2, max(1 + z, 0) ** 2]
    shares = [max(0, 1 - loss + Fraction(1, 8) * 4 * loss) for loss in losses]
    shares[int(z < 0)] += 1 - sum(shares)
    assert learner.predict_proba([1]).tolist() == shares
    doubles = BinaryGaptron(1, loss="squared hinge", decoder="best")
    doubles.w = [float(z)]
    np.testing.assert_allclose(doubles.predict_proba([1]), [float(share) for share in shares], atol=1e-15)


# --- the learning rate ------------------------------------------------------------------------------------------


@every_loss
@pytest.mark.parametrize("exact", [False, True])
def test_a_learning_rate_that_is_too_large_is_refused(name, exact):
    eta = float(rate(name, 2))
    Gaptron(2, 1, loss=THEOREMS[name], decoder="best", learning_rate=eta * (1 - 1e-6), exact=exact).predict_proba([1])
    learner = Gaptron(2, 1, loss=THEOREMS[name], decoder="best", learning_rate=eta * (1 + 1e-6), exact=exact)
    with pytest.raises(LearningRateError, match=rf"learning_rate = .* is too large for the {name} loss: .* sum to"):
        learner.predict_proba([1])


def test_in_doubles_rounding_is_forgiven_and_in_fractions_it_is_not():
    just_above = {"loss": "hinge", "decoder": "best", "learning_rate": (1 + 1e-12) / 2}
    shares = Gaptron(2, 1, **just_above).predict_proba([1])
    np.testing.assert_allclose(shares, [0.5, 0.5], rtol=1e-15)
    with pytest.raises(LearningRateError):
        Gaptron(2, 1, **just_above, exact=True).predict_proba([1])
    # the process of a learner in doubles, computed in fractions
    assert expected(Gaptron(2, 1, **just_above), [[1]], [1]).mistakes == Fraction(1, 2)
    with pytest.raises(LearningRateError, match="hinge"):
        expected(Gaptron(2, 1, **just_above, exact=True), [[1]], [1])


def test_losses_beyond_the_range_of_doubles_are_an_overflow():
    learner = Gaptron(2, 1, loss=THEOREMS["squared hinge"], decoder="best")
    learner.W[:] = [[1e200], [0]]
    with pytest.raises(OverflowError, match="lower learning_rate"):
        learner.predict_proba([1])


# --- what it does not go with -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"feedback": "bandit"}, "feedback = 'bandit': with decoder = \"best\" it must be 'full'"),
        ({"feedback": "bandit", "radius": 1, "horizon": 9}, "feedback = 'bandit': with decoder = \"best\""),
        ({"ties": "fair"}, "ties = 'fair': with decoder = \"best\" it must be 'lowest'"),
        ({"exploration": 0.1}, 'exploration = 0.1: with decoder = "best" it must be 0'),
        ({"decoder": "worst"}, 'decoder = \'worst\' is not one of "gap map", "best"'),
    ],
)
def test_what_the_best_decoder_does_not_go_with_is_refused(arguments, message):
    with pytest.raises(ValueError, match=message):
        Gaptron(3, 2, **{"decoder": "best"} | arguments)


def test_it_has_no_compiled_run_and_the_default_is_the_reference():
    X, y = np.full((3, 1), 0.5), [0, 1, 0]
    with pytest.raises(ValueError, match="has no compiled run"):
        Gaptron(2, 1, decoder="best").run(X, y, compiled=True)
    long, labels = np.full((30000, 1), 0.5), np.arange(30000) % 2
    learner = Gaptron(2, 1, decoder="best", seed=1)
    assert learner.run(long[:3], labels[:3]).mistakes == Gaptron(2, 1, decoder="best", seed=1).run(X, y).mistakes
    from gaptron.learners.compiled import chosen, is_worthwhile

    assert is_worthwhile(learner, len(long))
    assert not chosen(learner, len(long))


def test_the_gap_map_is_the_default():
    default, named = Gaptron(3, 1), Gaptron(3, 1, decoder="gap map")
    assert default.decoder == named.decoder == "gap map"
    np.testing.assert_array_equal(default.predict_proba([1]), [1 / 3] * 3)


@every_loss
def test_a_theorem_about_the_best_decoder_is_predicted_with_it(name):
    given = THEOREMS[name]
    theorem = Theorem(name=name, loss=given.loss, learning_rate=given.learning_rate, decoder="best")
    scores = [Fraction(1, 8), Fraction(0), Fraction(-1, 8)]
    for exact in (False, True):
        learner = Gaptron(3, 1, loss=theorem, exact=exact)
        learner.W = at_scores(name, scores, exact=exact).W
        assert learner.decoder == "best"
        found = [float(share) for share in learner.predict_proba([1])]
        np.testing.assert_allclose(found, [float(share) for share in by_hand(name, scores)], atol=1e-14)
    with pytest.raises(ValueError, match='the theorem has no gap map, so it must be "best"'):
        Gaptron(3, 1, loss=theorem, decoder="gap map")


def test_a_binary_theorem_about_the_best_decoder_is_predicted_with_it():
    theorem = Theorem(name="squared", loss=BinaryLoss(Max(1 - z, 0) ** 2), learning_rate=Rational(1, 4), decoder="best")
    own, named = BinaryGaptron(1, loss=theorem, exact=True), BinaryGaptron(1, loss="squared hinge", decoder="best")
    own.w = named.w = [Fraction(1, 4)]
    np.testing.assert_allclose([float(share) for share in own.predict_proba([1])], named.predict_proba([1]), atol=1e-15)
    with pytest.raises(ValueError, match="the theorem has no gap map"):
        FTRLGaptron(1, loss=theorem)


@every_loss
def test_a_game_plays_the_theorem_with_its_decoder(name):
    given, rounds = THEOREMS[name], stream(3, 8, 6)
    theorem = Theorem(name=name, loss=given.loss, learning_rate=given.learning_rate, decoder="best")
    arithmetic = "rational" if name in ("hinge", "smooth hinge") else "ball"
    sides = Game(theorem, 3).sides(rounds.rounds, rounds.labels, [[0, 0]] * 3, arithmetic=arithmetic)
    done = Gaptron(3, 2, loss=given, decoder="best").run(np.array(rounds.rounds, dtype=float), rounds.labels)
    assert float(sides.mistakes) == pytest.approx(done.expected_mistakes, rel=1e-12)
    assert not sides.slack < 0


# --- streams ----------------------------------------------------------------------------------------------------


def stream(n_classes: int, seed: int, n_rounds: int) -> Stream:
    """Random rounds with two features in eighths, within the unit ball, half of their labels from a linear rule."""
    rng = np.random.default_rng(seed)
    eighths = rng.integers(-5, 6, (n_rounds, 2))
    rule = rng.normal(size=(n_classes, 2))
    labels = np.where(
        rng.random(n_rounds) < 0.5, (eighths @ rule.T).argmax(axis=1), rng.integers(0, n_classes, n_rounds)
    )
    return Stream(n_classes, tuple(tuple(Fraction(int(v), 8) for v in x) for x in eighths), tuple(labels.tolist()))


@every_loss
@pytest.mark.parametrize(("n_classes", "seed"), [(2, 0), (3, 1), (6, 2)])
def test_expected_mistakes_are_within_the_bound_of_lemma_1(name, n_classes, seed):
    exact = name in ("hinge", "smooth hinge")  # the squared hinge's fractions double in length with every round
    rounds = stream(n_classes, seed, 8 if exact else 20)
    game = Game(THEOREMS[name], n_classes)
    U = strongest(game, rounds)
    learner = Gaptron(n_classes, 2, loss=THEOREMS[name], decoder="best", exact=exact)
    done = expected(
        learner, rounds.rounds, rounds.labels, comparator=U, arithmetic="rational" if exact else "ball",
        learning_rate=THEOREMS[name].learning_rate.subs(K, n_classes),
    )  # fmt: skip
    squared = sum((v * v for row in U for v in row), Fraction(0))
    eta = evaluate(THEOREMS[name].learning_rate, {K: Fraction(n_classes)})
    assert ball(done.mistakes) < ball(done.comparator_loss) + ball(squared) / (2 * ball(eta))
    assert ball(done.mistakes) > 1


@every_loss
def test_runs_and_exact_expectations_agree(name):
    rounds = stream(3, 5, 12)
    X, y = np.array(rounds.rounds, dtype=float), rounds.labels
    learner = Gaptron(3, 2, loss=THEOREMS[name], decoder="best")
    done = learner.run(X, y)
    for arithmetic in ("float", "ball"):
        fresh = Gaptron(3, 2, loss=THEOREMS[name], decoder="best")
        found = expected(fresh, rounds.rounds, y, arithmetic=arithmetic)
        assert float(found.mistakes) == pytest.approx(done.expected_mistakes, rel=1e-12)
        assert found.states == 1
    assert done.expected_mistakes == pytest.approx(done.probability_wrong.sum())


@pytest.mark.parametrize("feature_norm", [1, 3])
@pytest.mark.parametrize("name", ["hinge", "smooth hinge"])
def test_an_exact_run_has_the_expectation_of_the_rationals(name, feature_norm):
    rounds = stream(3, 4, 7)
    learner = Gaptron(3, 2, loss=THEOREMS[name], decoder="best", exact=True, feature_norm=feature_norm, seed=3)
    found = expected(learner, rounds.rounds, rounds.labels)
    assert found.mistakes == learner.run(rounds.rounds, rounds.labels).expected_mistakes


def test_blocks_are_their_rounds_one_by_one():
    blocks = [([1], 0, 40), ([Fraction(-1, 2)], 1, 50), ([1], 2, 3)]
    X, y = [x for x, _, n in blocks for _ in range(n)], [label for _, label, n in blocks for _ in range(n)]
    for arithmetic in ("float", "ball"):
        learner = Gaptron(3, 1, loss=THEOREMS["logistic"], decoder="best")
        found = expected_blocks(learner, blocks, arithmetic=arithmetic)
        assert float(found.mistakes) == pytest.approx(
            learner.run(np.array(X, dtype=float), y).expected_mistakes, rel=1e-12
        )
    exact = Gaptron(3, 1, loss="hinge", decoder="best", exact=True)
    assert expected_blocks(exact, blocks).mistakes == exact.run(X, y).expected_mistakes


def test_one_weight_vector_has_the_expectation_of_its_run():
    rounds = stream(2, 7, 9)
    for loss in ("smooth hinge", "squared hinge"):
        found = expected(BinaryGaptron(2, loss=loss, decoder="best"), rounds.rounds, rounds.labels, arithmetic="ball")
        done = BinaryGaptron(2, loss=loss, decoder="best").run(np.array(rounds.rounds, dtype=float), rounds.labels)
        assert float(found.mistakes) == pytest.approx(done.expected_mistakes, rel=1e-12)


def test_the_draws_are_the_same_in_exact_numbers_and_follow_the_distribution():
    scores = [Fraction(1, 8), Fraction(0), Fraction(1, 16)]
    for name, n in (("smooth hinge", 300), ("logistic", 60)):
        exact, doubles = (at_scores(name, scores, exact=kind, seed=5) for kind in (True, False))
        drawn = [doubles.predict([1]) for _ in range(n)]
        assert [exact.predict([1]) for _ in range(n)] == drawn
        np.testing.assert_allclose(np.bincount(drawn, minlength=3) / n, doubles.predict_proba([1]), atol=2 / n**0.5)


def test_a_saved_learner_keeps_its_decoder(tmp_path: Path):
    rounds = stream(3, 9, 30)
    X, y = np.array(rounds.rounds, dtype=float), rounds.labels
    learner = Gaptron(3, 2, loss="hinge", decoder="best", learning_rate=1 / 3, seed=1)
    learner.run(X, y)
    save(learner, tmp_path / "learner.npz")
    resumed = load(tmp_path / "learner.npz")
    assert resumed.decoder == "best"
    np.testing.assert_array_equal(resumed.run(X, y).wrong, learner.run(X, y).wrong)
    np.testing.assert_array_equal(resumed.W, learner.W)


# --- the command ------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_command_runs_it():
    options = ["run", "iris", "--rounds", "40", "--json", "--decoder"]
    best, gap_map = (
        json.loads(CliRunner().invoke(main, [*options, decoder]).stdout) for decoder in ("best", "gap-map")
    )
    assert best["expected_mistakes"] != gap_map["expected_mistakes"]
    assert best["expected_mistakes"] <= best["bound"] == gap_map["bound"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--learning-rate", "1"], "gaptron: learning_rate = 1.0 is too large for the smooth hinge loss"),
        (["--feedback", "bandit"], "gaptron: feedback = 'bandit': with decoder"),
        (["--learner", "perceptron"], "--decoder goes with --learner gaptron only"),
    ],
)
def test_the_command_refuses_in_one_sentence(options, message):
    done = CliRunner().invoke(main, ["run", "iris", "--rounds", "20", "--decoder", "best", *options])
    assert done.exit_code == 2
    assert message in done.stderr
    assert is_one_sentence(done.stderr)
