"""The search for streams that break a bound: its doubles against the learner, its finds against plain fractions."""

import math
from fractions import Fraction
from itertools import count
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sympy import Max, Min, Piecewise, Rational, log

from gaptron import BinaryLoss, GapMap, MarginLoss, SoftmaxLoss, Theorem
from gaptron.adversary import evolution
from gaptron.adversary import target as comparators
from gaptron.adversary.attack_json import Attack, Verified, read, written
from gaptron.adversary.chain import expected_chains
from gaptron.adversary.evolution import Effort, attack
from gaptron.adversary.families import families, lengths
from gaptron.adversary.play import attacked, play
from gaptron.adversary.target import TargetError, target
from gaptron.answers import attacking as answers
from gaptron.bounds.hindsight import descended
from gaptron.bounds.sides import Game
from gaptron.expectation import expected_blocks
from gaptron.symbols import D, K, T, X, gamma, m, p, z
from gaptron.system.progress import Progress
from gaptron.theory.named import named_proximal_theorem

SMOOTH = MarginLoss(Piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, m < 1), (0, True)))
SMOOTH_MAP = GapMap((1 - Min(1, m)) ** 2)
HINGE = MarginLoss(Max(1 - m, 0), off_above=1 / K)
HINGE_MAP = GapMap(Piecewise((1 - m, m <= 1 / K), (0, True)))
LOGISTIC = SoftmaxLoss(-log(p, 2))
LOGISTIC_MAP = GapMap(Piecewise((1 - p, p >= Rational(1, 2)), (1, True)))
SQUARED = BinaryLoss(Max(0, 1 - z) ** 2)


def smooth(rate: Any = 1 / (4 * K), regret: Any = 2 * K) -> Theorem:
    return Theorem(name="smooth", loss=SMOOTH, gap_map=SMOOTH_MAP, learning_rate=rate, regret=regret)


def hinge(rate: Any = (1 - 1 / K) / K, regret: Any = K**2 / (2 * (K - 1))) -> Theorem:
    return Theorem(name="hinge", loss=HINGE, gap_map=HINGE_MAP, learning_rate=rate, regret=regret)


THEOREMS = (
    smooth(),
    hinge(),
    Theorem(name="logistic", loss=LOGISTIC, gap_map=LOGISTIC_MAP, learning_rate=log(2) / (2 * K), regret=K / log(2)),
    Theorem(name="binary", loss=SQUARED, gap_map=SMOOTH_MAP, learning_rate=Rational(1, 4), regret=2, classes=2),
    Theorem(name="best", loss=HINGE, decoder="best", learning_rate=1 / K, regret=K / 2),
    Theorem(
        name="best logistic", loss=LOGISTIC, decoder="best", learning_rate=2 * log(2) ** 2, regret=1 / (4 * log(2) ** 2)
    ),
    Theorem(name="best binary", loss=SQUARED, decoder="best", learning_rate=Rational(1, 4), regret=2, classes=2),
)
BANDIT = Theorem(
    name="bandit hinge",
    loss=HINGE,
    gap_map=HINGE_MAP,
    feedback="bandit",
    exploration=Min(1, K * X * D / T),
    learning_rate=gamma * (1 - 1 / K) / (K**2 * X**2),
    regret=K**3 * D**2 * X**2,
)


def found(theorem: Theorem, n_classes: int, rounds: int, generations: int = 4, seed: int = 0) -> Verified:
    best = attack(target(theorem, n_classes, rounds), Effort(seed, generations), math.inf)
    assert best is not None
    return best


# --- independent of the package: Theorem 3 in plain fractions -------------------------------------------------------


def phi(v: Fraction) -> tuple[Fraction, Fraction]:
    """The smooth hinge loss and its slope."""
    if v <= 0:
        return 1 - 2 * v, Fraction(-2)
    return ((1 - v) ** 2, -2 * (1 - v)) if v < 1 else (Fraction(0), Fraction(0))


def margin(scores: list[Fraction], label: int) -> tuple[Fraction, int]:
    rival = max((k for k in range(len(scores)) if k != label), key=lambda k: (scores[k], -k))
    return scores[label] - scores[rival], rival


def plain_ratio(attack: Attack, eta: Fraction, c: Fraction) -> Fraction:
    """(mistakes - loss of U)/(c ||U||^2) of Gaptron with the smooth hinge loss."""
    stream, n = attack.stream, attack.stream.n_classes
    W = [[Fraction(0)] * stream.n_features for _ in range(n)]
    total = Fraction(0)
    for x, label in stream.played:
        scores, of_u = ([sum(a * b for a, b in zip(row, x, strict=True)) for row in V] for V in (W, attack.comparator))
        top = max(range(n), key=lambda k: (scores[k], -k))
        a = (1 - min(Fraction(1), margin(scores, top)[0])) ** 2
        total += 1 - a / n - (1 - a) * (top == label) - phi(margin(of_u, label)[0])[0]
        mine, rival = margin(scores, label)
        step = -eta * phi(mine)[1]
        W[label] = [w + step * v for w, v in zip(W[label], x, strict=True)]
        W[rival] = [w - step * v for w, v in zip(W[rival], x, strict=True)]
    return total / (c * sum(v * v for row in attack.comparator for v in row))


@pytest.mark.slow
@pytest.mark.parametrize("n_classes", [3, *(pytest.param(n, marks=pytest.mark.slow) for n in (2, 4))])
def test_a_find_has_the_ratio_that_plain_fractions_give_it(n_classes: int) -> None:
    best = found(smooth(), n_classes, 5)
    assert best.sides.ratio == plain_ratio(best.attack, Fraction(1, 4 * n_classes), Fraction(2 * n_classes))


@pytest.mark.parametrize("factor", [Fraction(1), Fraction(99, 100)])
def test_one_round_uses_half_of_theorem_3_with_two_classes_so_that_no_constant_below_2_holds(factor: Fraction) -> None:
    best = found(smooth(regret=2 * (K - 1) * Rational(factor.numerator, factor.denominator)), 2, 1, 0)
    assert best.attack.stream.horizon == 1
    assert best.sides.ratio == 1 / factor


@pytest.mark.parametrize("theorem", [smooth(), hinge()], ids=lambda theorem: theorem.name)
def test_a_comparator_is_as_strong_as_if_its_search_went_on(theorem: Theorem, monkeypatch: pytest.MonkeyPatch) -> None:
    one = target(theorem, 3, 4)
    family = next(family for family in families(3, 4, bandit=False) if family.size)
    parameters = np.random.default_rng(0).standard_normal(family.size)
    settled, counts = [], []
    for growth in (comparators.SETTLED, -math.inf):
        monkeypatch.setattr(comparators, "SETTLED", growth)
        searched = count(1)
        monkeypatch.setattr(comparators, "descended", lambda *given, n=searched: next(n) and descended(*given))
        settled.append(float(one.ratios(family, parameters[None], one.template(family, parameters))[0]))
        counts.append(next(searched) - 1)
    assert settled[0] == pytest.approx(settled[1], rel=1e-6)
    assert counts[0] < counts[1] == 2 * comparators.DINKELBACH


FRACTIONS = st.fractions(-2, 2, max_denominator=12)


@given(st.integers(2, 5), st.data())
def test_a_round_of_theorem_3_is_worth_at_most_1_minus_1_over_K_of_what_it_brings_W_nearer_to_U(
    n_classes: int, data: st.DataObject
) -> None:
    """P(wrong) - loss(U) <= (1 - 1/K) (<g, W - U> - (eta/2) ||g||^2): summed, the bound with 2 (K - 1) for 2 K."""
    of_w, of_u = (data.draw(st.lists(FRACTIONS, min_size=n_classes, max_size=n_classes)) for _ in range(2))
    label, square = data.draw(st.integers(0, n_classes - 1)), data.draw(st.fractions(0, 1, max_denominator=12))
    top = max(range(n_classes), key=lambda k: (of_w[k], -k))
    a = (1 - min(Fraction(1), margin(of_w, top)[0])) ** 2
    wrong = 1 - a / n_classes - (1 - a) * (top == label)
    mine, rival = margin(of_w, label)
    slope = phi(mine)[1]
    nearer = slope * (mine - of_u[label] + of_u[rival]) - Fraction(1, 8 * n_classes) * 2 * slope**2 * square
    assert wrong - phi(margin(of_u, label)[0])[0] <= (1 - Fraction(1, n_classes)) * nearer


# --- mutants --------------------------------------------------------------------------------------------------------


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("mutant", "n_classes"),
    [
        (smooth(3 / (4 * K), 2 * K / 3), 2),
        (smooth(3 / (4 * K), 2 * K / 3), 10),
        (smooth(regret=K), 3),
        (hinge(3 * (1 - 1 / K) / K, K**2 / (6 * (K - 1))), 3),
        (hinge(regret=K**2 / (4 * (K - 1))), 2),
    ],
)
def test_a_learning_rate_three_times_too_large_or_half_the_regret_is_refuted(mutant: Theorem, n_classes: int) -> None:
    best = found(mutant, n_classes, 4, 3)
    assert best.low > 1
    assert best.sides.slack < 0


@pytest.mark.few(1)
@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda theorem: theorem.name)
def test_a_true_theorem_is_not_refuted_but_its_bound_is_used(theorem: Theorem) -> None:
    assert 0.2 < found(theorem, 2, 3).low <= 1


def test_a_bandit_with_an_eighth_of_the_regret_is_refuted() -> None:
    mutant = Theorem(
        name="mutant",
        loss=SMOOTH,
        gap_map=SMOOTH_MAP,
        feedback="bandit",
        exploration=Min(1, K * D * X / T),
        learning_rate=gamma / (4 * K**2 * X**2),
        regret=K**2 * D**2 * X**2 / 2,
    )
    best = found(mutant, 2, 6)
    assert best.low > 1
    assert best.attack.stream.horizon == 6
    assert best.attack.stream.radius is not None
    assert sum(v * v for row in best.attack.comparator for v in row) <= best.attack.stream.radius**2


# --- the search -----------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_the_same_seed_finds_the_same_stream() -> None:
    assert found(hinge(), 3, 4, 2).attack == found(hinge(), 3, 4, 2).attack


@pytest.mark.slow
def test_more_rounds_use_more_of_theorem_2() -> None:
    ratios = [found(hinge(), 3, rounds, 8).low for rounds in (1, 2, 10)]
    assert ratios == sorted(set(ratios))
    assert ratios[-1] > 0.85


def test_after_the_deadline_only_the_first_family_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[str] = []
    started = evolution._started
    monkeypatch.setattr(evolution, "_started", lambda of, family: begun.append(family.name) or started(of, family))
    assert attack(target(smooth(), 3, 30), Effort(0, 5), 0.0) is not None
    assert begun == ["one point"]


def test_all_settings_share_the_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    now, deadlines = [100.0], list[float]()

    def searched(*given: Any) -> None:
        deadlines.append(given[4])
        now[0] = given[4] + 1

    monkeypatch.setattr(answers, "_searched", searched)
    monkeypatch.setattr(answers.time, "monotonic", lambda: now[0])
    attacks = answers.Attacks()
    wanted = [(smooth(), n, 30) for n in (2, 3, 4)]
    assert not list(answers.attacked(wanted, Effort(0, 5), Progress(""), attacks, seconds=30.0))
    assert deadlines == sorted(deadlines)
    assert deadlines[0] == 106
    assert deadlines[-1] < 130
    assert attacks.cut


def test_a_deadline_that_is_over_still_gives_a_verified_stream() -> None:
    best = attack(target(smooth(), 3, 8), Effort(0, 1000), -math.inf)
    assert best is not None
    assert 0 < best.low < 1


@pytest.mark.parametrize("regret", [0 * K, -K])
def test_a_regret_that_is_not_positive_has_no_ratio(regret: Any) -> None:
    with pytest.raises(TargetError, match="is not positive at K = 2"):
        target(smooth(regret=regret), 2, 3)


@given(st.integers(2, 12), st.integers(1, 40), st.booleans(), st.integers(0, 2**32))
@example(2, 1, True, 0)
@example(2, 2, True, 0)
def test_every_family_stays_in_the_unit_ball_and_within_its_rounds(
    n_classes: int, horizon: int, bandit: bool, seed: int
) -> None:
    for family in families(n_classes, horizon, bandit=bandit):
        points = family.points(np.random.default_rng(seed).standard_normal((2, family.size)))
        assert points.shape[:2] == (2, len(family.counts))
        assert (np.linalg.norm(points, axis=2) <= 1 + 1e-12).all()
        assert len(family.labels) == len(family.counts)
        assert min(family.counts) >= 1
        assert sum(family.counts) == horizon if bandit else sum(family.counts) <= horizon
        assert set(family.labels) <= set(range(n_classes))


def test_lengths_grow_up_to_the_horizon() -> None:
    assert lengths(1) == [1]
    assert lengths(10) == [1, 2, 3, 4, 5, 6, 8, 10]


# --- doubles --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theorem", THEOREMS, ids=lambda theorem: theorem.name)
@pytest.mark.parametrize("n_classes", [2, 4])
def test_playing_many_streams_at_once_is_what_the_learner_does(theorem: Theorem, n_classes: int) -> None:
    if not theorem.claims(n_classes):
        n_classes = theorem.first_class_count
    rng = np.random.default_rng(n_classes)
    streams, labels = rng.standard_normal((3, 12, 4)) / 2, rng.integers(0, n_classes, 12)
    game = Game(theorem, n_classes)
    played = play(attacked(theorem, n_classes), float(game.learning_rate), streams, labels)
    for i, rounds in enumerate(streams):
        learner: Any = game.learner(4, exact=False)
        done = learner.run(rounds, labels, compiled=False)
        assert played.mistakes[i] == pytest.approx(done.expected_mistakes)
        assert np.allclose(played.steps[i].T @ rounds, learner.W)
        assert (played.on[i] == ~done.off).all()


@pytest.mark.parametrize("counts", [(7,), (5, 4), (1, 6), (3, 2, 2)])
def test_chains_of_updates_give_the_exact_expectations_of_bandit_feedback(counts: tuple[int, ...]) -> None:
    radius, horizon = Fraction(3, 4), sum(counts)
    points = np.array([[0.5, 0.0], [0.75, 0.5], [0.0, 1.0]])[: len(counts)]
    labels = np.array([1, 1, 2])[: len(counts)]
    game = Game(BANDIT, 3, horizon, radius)
    rates = np.array([[float(v)] for v in (game.learning_rate, game.exploration, radius)])
    expected = expected_chains(attacked(BANDIT, 3), rates, points[None], labels, counts)
    blocks = [(tuple(map(Fraction, x)), int(y), n) for x, y, n in zip(points.tolist(), labels, counts, strict=True)]
    U = [[Fraction(1, 9), Fraction(1, 4)], [Fraction(1, 3), Fraction(0)], [Fraction(-1, 4), Fraction(1, 5)]]
    exact = expected_blocks(game.learner(2), blocks, comparator=U, arithmetic="ball")
    values = attacked(BANDIT, 3).surrogate.at(np.array(U, dtype=float) @ points.T).value(labels)
    assert expected.mistakes[0] == pytest.approx(float(exact.mistakes), rel=1e-6)
    assert expected.on[0] @ values == pytest.approx(float(exact.comparator_loss), rel=1e-6)


def test_the_bound_of_proximal_updates_is_attained_by_one_round() -> None:
    """The search finds it, and the ratio is 1 exactly."""
    found = attack(target(named_proximal_theorem("hinge"), 3, 2), Effort(0, 6), math.inf)
    assert found is not None
    assert (found.sides.ratio, found.attack.stream.horizon) == (1, 1)
    witness = written(named_proximal_theorem("hinge"), found.attack, found.sides)
    assert witness["statement"]["update"] == "proximal"
    assert read(witness, named_proximal_theorem("hinge")) == found.attack
