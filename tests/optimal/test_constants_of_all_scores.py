"""Constants of losses of all scores by routes that share nothing with the proof: decoders at scores, free scores."""

from fractions import Fraction

import numpy as np
import pytest
import sympy as sp
from conftest import REPOSITORY
from scipy.optimize import minimize

from gaptron import PairwiseLoss, SeparableLoss, Theorem, check
from gaptron.numbers.kinds import Doubles
from gaptron.rounds.proximal import proximal_steps
from gaptron.symbols import K, m, z
from gaptron.theory.files import load
from gaptron.theory.losses import LossOfAllScores

EXAMPLES = {one.item.name: one.item for one in load(REPOSITORY / "examples" / "losses_of_all_scores.py")}
OPTIMAL = [name for name in EXAMPLES if name not in ("Weston-Watkins, too small", "nothing for the label's own score")]


def in_numpy(loss: LossOfAllScores) -> list[object]:
    return [sp.lambdify(variable, expr, "numpy") for _, expr, variable in loss.functions]


def paid(loss: LossOfAllScores, thetas: np.ndarray) -> np.ndarray:
    """The loss of label y at its own row of scores."""
    rest = ~np.eye(len(thetas), dtype=bool)
    own = np.diag(thetas)
    if isinstance(loss, PairwiseLoss):
        (phi,) = in_numpy(loss)
        return np.where(rest, phi(own[:, None] - thetas), 0).sum(axis=1)
    mine, other = in_numpy(loss)
    return mine(own) + np.where(rest, other(thetas), 0).sum(axis=1)


def slack(loss: LossOfAllScores, c: float, flat: np.ndarray, n: int) -> float:
    """E loss + c Var - H for free scores of every label, and a free distribution (a softmax of the last n numbers)."""
    thetas, weights = flat[: n * n].reshape(n, n), np.exp(flat[n * n :] - flat[n * n :].max())
    weights = weights / weights.sum()
    spread = ((thetas - weights @ thetas) ** 2).sum(axis=1)
    return float(weights @ (paid(loss, thetas) + c * spread) - (1 - weights.max()))


def least_slack(theorem: Theorem, c: float, n: int, starts: int) -> float:
    drawn = np.random.default_rng(n)
    found = []
    for _ in range(starts):
        start = np.concatenate([drawn.normal(size=n * n), np.zeros(n)])
        found.append(
            minimize(lambda x: slack(theorem.loss, c, x, n), start, method="Powell", options={"maxiter": 60}).fun
        )
    return min(found)


@pytest.mark.slow
@pytest.mark.one_in(5)
@pytest.mark.parametrize("n", [2, 3])
@pytest.mark.parametrize("name", OPTIMAL)
def test_free_scores_and_a_free_distribution_find_nothing_less(name: str, n: int) -> None:
    theorem = EXAMPLES[name]
    c = float(theorem.regret)
    assert least_slack(theorem, c, n, 4) >= -1e-9
    assert least_slack(theorem, 0.97 * c, n, 12) < 0


@pytest.mark.parametrize("n", [2, 3, pytest.param(10, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", OPTIMAL)
def test_a_decoder_exists_at_the_constant_and_none_just_below_it(name: str, n: int) -> None:
    """Its needs, max(0, 1 - e_k), sum to at most 1 at random scores; below, not where labels are alike."""
    theorem = EXAMPLES[name]
    steps, c = proximal_steps(theorem.loss, n, Doubles()), float(theorem.regret)

    def needed(scores: np.ndarray, at: float) -> float:
        return sum(max(0.0, 1 - least) for least in steps.envelopes(scores.tolist(), at))

    drawn = np.random.default_rng(n)
    for _ in range(60):
        assert needed(drawn.normal(size=n) * drawn.choice([0.01, 0.3, 2]), c) <= 1 + 1e-9
    levels = np.linspace(-1, 1, 41)
    outside = (-30.0, -1.0)
    alike = (np.array([a] * k + [b] * (n - k)) for k in range(2, min(n, 4) + 1) for a in levels for b in outside)
    assert max(needed(scores, 0.99 * c) for scores in alike) > 1


@pytest.mark.slow
def test_equal_scores_that_pay_too_little_forbid_every_constant() -> None:
    for loss in (PairwiseLoss(sp.Max(sp.Rational(1, 3) - m, 0)), PairwiseLoss(sp.Max(sp.Rational(1, 2) - m, 0))):
        found = check(Theorem(name="small", loss=loss, update="proximal", regret=10**6))
        assert (found.verdict, found.refutes) == ("REFUTED", "bound")


@pytest.mark.one_in(1)
@pytest.mark.parametrize(
    ("loss", "c", "verdict"),
    [
        pytest.param(  # every rival costs 1 at least
            PairwiseLoss(sp.Max(2 - m, 1)), Fraction(1, 10**6), "PROVED", marks=pytest.mark.slow
        ),
        pytest.param(PairwiseLoss(sp.Max(1 - m, 0) * K / 2), 1, "PROVED", marks=pytest.mark.slow),
        pytest.param(
            SeparableLoss(own=sp.Max(1 - z, 0), other=sp.Max(1 + z, 0) * (K - 1)),
            sp.Rational(1, 4),
            "PROVED",
            marks=pytest.mark.slow,
        ),
        (SeparableLoss(own=sp.Max(1 - z, 0), other=sp.Max(1 + z, 0)), sp.Rational(24, 100), "REFUTED"),
        (PairwiseLoss(1 - m), 1, "REFUTED"),
    ],
    ids=["never free", "with K", "separable with K", "too small", "negative"],
)
def test_a_verdict(loss: LossOfAllScores, c: object, verdict: str) -> None:
    assert check(Theorem(name="mine", loss=loss, update="proximal", regret=c)).verdict == verdict


LOGISTIC = sp.log(1 + sp.exp(-z), 2)


@pytest.mark.few(1)
@pytest.mark.one_in(1)
@pytest.mark.parametrize(
    ("own", "c", "verdict", "opposite"),
    [
        (sp.Max(1 - z, 0), sp.Rational(1, 4), "PROVED", False),  # its root is not convex
        (LOGISTIC, sp.Rational(2178993, 10**8), "PROVED", True),
        (LOGISTIC, sp.Rational(2178991, 10**8), "REFUTED", True),
        (LOGISTIC * sp.Rational(99, 100), sp.Rational(1, 10), "UNDECIDED", False),  # below 1 at 0
    ],
    ids=["hinge", "logistic", "less", "low"],
)
def test_opposite_scores_are_the_hardest_where_the_root_is_convex(own, c, verdict, opposite) -> None:
    """What own has to meet is claimed: where it does not, the criterion is asked of every number of labels."""
    loss = SeparableLoss(own=own, other=own.subs(z, -z))
    found = check(Theorem(name="opposite", loss=loss, update="proximal", regret=c))
    assert found.verdict == verdict
    assert ("opposite scores" in {o["id"] for o in found.obligations}) is opposite


@pytest.mark.few(1)
@pytest.mark.parametrize("n", [2, 3, 5])
def test_with_few_classes_every_number_of_labels_is_claimed(n: int) -> None:
    theorem = EXAMPLES["one-versus-all hinge"]
    at = Theorem(name="few", loss=theorem.loss, update="proximal", regret=sp.Rational(1, 4), classes=n)
    found = check(at)
    assert found.verdict == "PROVED"
    assert len({o["statement"] for o in found.obligations if o["id"].startswith("criterion/")}) == n - 1
