"""What the claims of the SOBA paper are computed with: exact outcome paths, and the games drawn at random."""

import runpy
from fractions import Fraction

import numpy as np
import pytest
from conftest import REPOSITORY
from hypothesis import example, given
from hypothesis import strategies as st

from gaptron.instances.by_hand import eta_loss
from gaptron.instances.soba import Path, form, fraction, inner, mean, paths
from gaptron.instances.soba_games import SobaGame, draw_game, require
from gaptron.learners import SOBA

HALF = Fraction(1, 2)
TWICE = [([Fraction(1)], 1), ([Fraction(1)], 1)]
seeds = st.integers(0, 10**6)


def drawn(seed: int, n_rounds: int = 3) -> SobaGame:
    return draw_game(np.random.default_rng(seed), n_rounds)


def follow(game: SobaGame, path: Path, diagonal: bool) -> SOBA:
    """The learner after the draws of a path."""
    learner = SOBA(
        game.n_classes,
        len(game.stream[0][0]),
        exploration=game.exploration,
        regularizer=game.regularizer,
        diagonal=diagonal,
        exact=True,
        seed=0,
    )
    for step in path.steps:
        wrong = (step.label + 1) % game.n_classes
        assert learner.predict_proba(step.x)[step.label] == step.p
        learner.update(step.x, step.label if step.drawn else wrong, step.drawn)
    return learner


@example(222, False)  # two labels have one score
@given(seeds, st.booleans())
def test_every_path_is_a_run_of_the_learner(seed: int, diagonal: bool) -> None:
    game = drawn(seed)
    found = paths(game.stream, game.n_classes, game.exploration, game.regularizer, diagonal=diagonal)
    path = found[seed % len(found)]
    W = path.A.inv() * path.theta
    learner = follow(game, path, diagonal)
    assert list(learner.W.ravel()) == [fraction(W[i, 0]) for i in range(W.nrows())]
    assert learner.margin_sum == path.total


@given(seeds)
def test_the_probabilities_of_the_paths_sum_to_1(seed: int) -> None:
    assert mean(drawn(seed).paths, lambda _: 1) == 1


def test_two_equal_rounds_by_hand() -> None:
    """p = 1/4: A = I + 4 v v', W = -4 v/9, v = (1, -1), so the margin is 8/9 and m < 0: not used."""
    found = paths(TWICE, 2, HALF, Fraction(1))
    first = next(path for path in found if path.steps[0].drawn and path.steps[1].drawn)
    second = first.steps[1]
    assert first.probability == Fraction(1, 4) * Fraction(3, 4)
    assert -inner(second.w, second.v) == Fraction(8, 9)
    assert second.m == (Fraction(64, 81) - Fraction(16, 9)) * Fraction(4, 3) / (1 + Fraction(4, 3) * Fraction(2, 9))
    assert [step.updated for step in first.steps] == [True, False]
    assert first.steps[0].quadratic == Fraction(8, 9)
    assert mean(found, lambda path: sum(not step.drawn for step in path.steps)) == 2 - HALF + Fraction(1, 4) * -HALF


def test_without_exploration_the_other_label_is_divided_by_zero() -> None:
    with pytest.raises(ZeroDivisionError):
        paths(TWICE, 2, Fraction(0), Fraction(1))


def test_certain_draws_leave_one_path() -> None:
    """gamma = 0 and yhat = y: the label is drawn for certain."""
    assert len(paths([([Fraction(1)], 0)], 2, Fraction(0), Fraction(1))) == 1


@given(seeds)
def test_the_largest_eta_is_where_the_second_root_meets_the_scores(seed: int) -> None:
    game = drawn(seed)
    eta = game.largest_eta()
    scores = [game.scores(x) for x, _ in game.stream]
    widest = max(max(row) - min(row) for row in scores)
    assert widest <= (2 - eta) / eta
    assert eta == 1 or widest == (2 - eta) / eta


def test_losses_and_margins_of_a_comparator() -> None:
    game = SobaGame(
        [([Fraction(1), Fraction(2)], 2)], [HALF, HALF, Fraction(0), Fraction(0), Fraction(0), HALF], 3, HALF, HALF
    )
    assert game.margins() == [1 - Fraction(3, 2)]
    assert game.losses(Fraction(0)) == Fraction(3, 2)
    assert game.losses(Fraction(1)) == Fraction(9, 4)
    assert game.norm2 == 5


@pytest.mark.parametrize(("m", "eta", "value"), [(2, 1, 0), (1, HALF, 0), (0, HALF, 1), (-1, 1, 4), (-1, 0, 2)])
def test_the_loss_of_equation_2(m: int, eta: Fraction, value: int) -> None:
    assert eta_loss(Fraction(m), Fraction(eta)) == value


def test_an_instance_outside_its_claim_is_refused() -> None:
    require(True, "T >= 2")
    with pytest.raises(ValueError, match="not an instance of the claim: T >= 2"):
        require(False, "T >= 2")


def mistakes(n_rounds: int, seed: int, count_unused: bool) -> int:
    """SOBA with gamma_t of Theorem 5 in doubles, a = 1; (1, 0), then (3/5, 4/5), label 1."""
    rng, A, theta = np.random.default_rng(seed), np.eye(4), np.zeros(4)
    total = quadratic = 0.0
    wrong = 0
    for t in range(1, n_rounds + 1):
        v = np.kron([1, -1], [1.0, 0.0] if t == 1 else [0.6, 0.8])
        gamma, mu = min(np.sqrt(2 * (1 + quadratic) / t), 1), np.linalg.solve(A, theta) @ v
        p = gamma / 2 + (1 - gamma) * (mu < 0)
        if rng.random() >= p:
            wrong += 1
            continue
        s = v @ np.linalg.solve(A, v) / p
        m = (mu**2 + 2 * mu) / p / (1 + s)
        if total + m >= 0:
            A, theta, total = A + np.outer(v, v) / p, theta - v / p, total + m
            quadratic += s / (1 + s)
        elif count_unused:
            quadratic += s
    return wrong


@pytest.mark.slow
def test_the_rate_of_theorem_5_as_printed_never_settles() -> None:
    """E[M] >= (T - 6 - 4 ln T)/4, and with n_t in the sum about sqrt(T)."""
    n_rounds, runs = 1000, range(8)
    printed = np.mean([mistakes(n_rounds, seed, count_unused=True) for seed in runs])
    assert printed > (n_rounds - 6 - 4 * np.log(n_rounds)) / 4
    assert np.mean([mistakes(n_rounds, seed, count_unused=False) for seed in runs]) < n_rounds / 10


def test_the_form_of_a_column() -> None:
    path = paths(TWICE, 2, HALF, Fraction(1))[-1]
    step = path.steps[0]
    assert form(step.before, step.v) == 2


def test_the_stream_against_theorem_4_is_one_for_the_tie_rule_that_it_names() -> None:
    theorem4 = runpy.run_path(str(REPOSITORY / "proofs" / "soba" / "theorem4.py"))
    (claim,) = [claim for claim in theorem4["claims"] if claim.id == "soba/t4-first"]
    lost, won = (theorem4["far_features"](tied) for tied in (0, 1))
    assert float(lost.left) > float(lost.right) > 30_000 > float(won.left)
    assert f"{float(won.left):,.0f} mistakes, fewer than L = 30,000" in claim.finding
