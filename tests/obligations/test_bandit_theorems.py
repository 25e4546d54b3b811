"""Bandit theorems, abstention costs, parameters with a range, and contacts: proved, refuted, or not theorems at all."""

from collections.abc import Callable, Iterator
from contextlib import closing
from fractions import Fraction
from typing import Any

import pytest
from sympy import Expr, Max, Min, Piecewise, Rational, sqrt

from gaptron import BinaryLoss, Contact, GapMap, Gaptron, MarginLoss, Parameter, Theorem, TheoremError
from gaptron.checking.cache import Cache
from gaptron.checking.checker import Checked, check
from gaptron.prove.replayed_round import gap_terms
from gaptron.symbols import D, K, T, X, gamma, m, z
from gaptron.theory.verdict import Verdict

HINGE: dict[str, Any] = {
    "loss": MarginLoss(Max(1 - m, 0), off_above=1 / K),
    "gap_map": GapMap(Piecewise((1 - m, m <= 1 / K), (0, True))),
}
SMOOTH: dict[str, Any] = {
    "loss": MarginLoss(Piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, m < 1), (0, True))),
    "gap_map": GapMap((1 - Min(1, m)) ** 2),
}
BANDIT: dict[str, Any] = {"feedback": "bandit", **SMOOTH}
SMOOTH_RATE = gamma / (4 * K**2 * X**2)
SMOOTH_BOUND = Max(4 * K**2 * X**2 * D**2, 2 * K * X * D * sqrt(2 * T))
SMALLER = Min(1, sqrt(2 * K**2 * X**2 * D**2 / T))
PRINTED = Min(1, sqrt(4 * K**2 * X**2 * D**2 / T))
c = Parameter("c", 0, Rational(9, 10))
w = Parameter("w", 1, 4)
Check = Callable[..., Checked]


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Check]:
    """Check one theorem; what the kernel has accepted in this file before is replayed, not searched for again."""
    with closing(Cache(tmp_path_factory.mktemp("kept") / "cache.sqlite", pytest.fail)) as cache:
        yield lambda **arguments: check([Theorem(**{"name": "example"} | arguments)], 10, 2, cache=cache)[0]


def outcome(result: Checked, name: str) -> Any:
    return next(o for obligation, o in zip(result.obligations, result.outcomes, strict=True) if obligation.id == name)


@pytest.mark.slow
@pytest.mark.parametrize(("classes", "expected"), [(range(2, 12), Verdict.PROVED), (None, Verdict.REFUTED)])
def test_the_printed_exploration_rate_of_theorem_6_gives_its_bound_up_to_eleven_classes(
    classes: range | None, expected: Verdict, checked: Check
) -> None:
    result = checked(**BANDIT, learning_rate=SMOOTH_RATE, exploration=PRINTED, regret=SMOOTH_BOUND, classes=classes)
    assert result.verdict is expected
    if expected is Verdict.REFUTED:
        witness = result.witness
        assert witness is not None
        n, u, rounds = (Fraction(witness["K"]), Fraction(witness["point"]["X*D"]), Fraction(witness["point"]["T"]))
        assert rounds.denominator == 1
        share = min(1.0, 2 * float(n * u) / float(rounds) ** 0.5)
        due = 2 * float(n * u) ** 2 / share + share * float(rounds * (n - 1) / n)
        claimed = max(4 * float(n * u) ** 2, 2 * float(n * u) * float(2 * rounds) ** 0.5)
        assert min(due, float(rounds)) > claimed


@pytest.mark.slow
@pytest.mark.parametrize(
    "arguments",
    [
        {"learning_rate": SMOOTH_RATE, "exploration": Rational(1, 10), "regret": 20 * K**2 * X**2 * D**2 + T / 10},
        {"learning_rate": SMOOTH_RATE, "exploration": 1 / K, "classes": range(2, 6)},
        {"learning_rate": SMOOTH_RATE / 2, "exploration": SMALLER, "regret": 2 * SMOOTH_BOUND},
        {"learning_rate": 1 / (8 * K**2 * X**2), "exploration": Rational(1, 2)},
    ],
    ids=["constant exploration", "exploration in K", "half the rate, twice the bound", "a rate without gamma"],
)
def test_a_true_bandit_theorem_is_proved(arguments: dict[str, Any], checked: Check) -> None:
    assert checked(**BANDIT, **arguments).verdict is Verdict.PROVED


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("arguments", "obligation"),
    [
        pytest.param({"learning_rate": 3 * SMOOTH_RATE, "exploration": SMALLER}, "gap", marks=pytest.mark.slow),
        pytest.param(
            {"learning_rate": SMOOTH_RATE, "exploration": SMALLER, "regret": SMOOTH_BOUND * Rational(9, 10)},
            "regret",
            marks=pytest.mark.slow,
        ),
        ({"learning_rate": SMOOTH_RATE, "exploration": sqrt(2 * K**2 * X**2 * D**2 / T)}, "exploration/range"),
        pytest.param(
            {"learning_rate": SMOOTH_RATE, "exploration": Rational(3, 2)}, "exploration/range", marks=pytest.mark.slow
        ),
        pytest.param(
            {"learning_rate": 1 / (4 * K**2 * X**2), "exploration": Rational(1, 100)}, "gap", marks=pytest.mark.slow
        ),
        ({"learning_rate": SMOOTH_RATE, "exploration": SMALLER, "regret": T / 2}, "regret"),
    ],
)
def test_a_false_bandit_theorem_is_refuted_with_a_replayed_witness(
    arguments: dict[str, Any], obligation: str, checked: Check
) -> None:
    result = checked(**BANDIT, **arguments)
    assert result.verdict is Verdict.REFUTED
    assert result.witness is not None
    assert result.witness["obligation"].startswith(obligation)
    if obligation == "gap":
        assert (result.witness["gap"] if isinstance(result.witness["gap"], str) else result.witness["gap"][0]) > "0"


@pytest.mark.slow
def test_a_bandit_witness_has_its_weights_in_the_ball_and_the_gap_of_the_printed_formula(checked: Check) -> None:
    result = checked(**BANDIT, learning_rate=3 * SMOOTH_RATE, exploration=Rational(1, 10))
    witness = result.witness
    assert witness is not None
    scores, label = [Fraction(s) for s in witness["scores"]], witness["label"]
    bound = Fraction(witness["parameters"]["D"])
    assert sum(s * s for s in scores) <= bound**2
    assert _bandit_gap(scores, label, 3, Fraction(1, 10)) == Fraction(witness["gap"]) > 0


def _bandit_gap(scores: list[Fraction], label: int, factor: int, share: Fraction) -> Fraction:
    """P(wrong) - gamma (K - 1)/K - loss + (eta/2) ||g||^2/p'(y) for the smooth hinge loss, written out."""
    n = len(scores)
    top = scores.index(max(scores))
    top_margin = scores[top] - max(s for k, s in enumerate(scores) if k != top)
    margin = scores[label] - max(s for k, s in enumerate(scores) if k != label)
    uniform = max((1 - min(Fraction(1), top_margin)) ** 2, share)
    correct = uniform / n + (1 - uniform if label == top else 0)
    loss = 1 - 2 * margin if margin <= 0 else (1 - margin) ** 2 if margin < 1 else Fraction(0)
    slope = Fraction(-2) if margin < 0 else -2 * (1 - margin) if margin < 1 else Fraction(0)
    eta = factor * share / (4 * n**2)
    return 1 - correct - share * Fraction(n - 1, n) - loss + eta / 2 * 2 * slope**2 / correct


@pytest.mark.parametrize("label", [0, 1])
@pytest.mark.parametrize("scores", [["1/3", "0", "-1"], ["0", "0", "0"], ["2", "1/7", "0"], ["1/2", "1/4", "1/8"]])
def test_the_replayed_bandit_gap_is_the_formula(scores: list[str], label: int) -> None:
    theorem = Theorem(name="t", **BANDIT, learning_rate=SMOOTH_RATE, exploration=Rational(1, 10))
    numbers = [Fraction(score) for score in scores]
    setting = {K: Fraction(3), X: Fraction(1), D: Fraction(9), T: Fraction(1), gamma: Fraction(1, 10)}
    gap = gap_terms(theorem, numbers, label, 1, setting).gap
    assert gap == _bandit_gap(numbers, label, 1, Fraction(1, 10))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rate", "exploration", "regret"),
    [
        (SMOOTH_RATE, Piecewise((K * X * D * sqrt(2 / T), 2 * K**2 * X**2 * D**2 <= T), (1, True)), SMOOTH_BOUND),
        (gamma * K / (4 * K**3 * X**2), 1 - Max(0, 1 - sqrt(2) * K * D * X / sqrt(T)), SMOOTH_BOUND),
        (SMOOTH_RATE, SMALLER, Max(SMOOTH_BOUND, 2 * K * X * D * sqrt(2 * T) - 1)),
        (SMOOTH_RATE * (X + 1) / (X + 1), Min(SMALLER, 2), SMOOTH_BOUND),
    ],
)
def test_a_needlessly_complicated_bandit_theorem_gets_the_same_verdict(
    rate: Any, exploration: Any, regret: Any, checked: Check
) -> None:
    arguments = BANDIT | {"learning_rate": rate, "exploration": exploration}
    assert checked(**arguments, regret=regret).verdict is Verdict.PROVED
    assert checked(**arguments, regret=regret * Rational(9, 10)).verdict is Verdict.REFUTED


@pytest.mark.slow
def test_an_exploration_rate_that_vanishes_somewhere_is_refuted_there_and_only_there(checked: Check) -> None:
    vanishing = checked(**BANDIT, learning_rate=SMOOTH_RATE, exploration=(K - 2) / K)
    assert outcome(vanishing, "learning rate/positive").verdict is Verdict.REFUTED
    assert vanishing.witness == {"obligation": "learning rate/positive", "K": 2, "point": {}, **vanishing.witness}
    more = checked(**BANDIT, learning_rate=SMOOTH_RATE, exploration=(K - 2) / K, classes=range(3, 9))
    assert more.verdict is Verdict.PROVED


# --- abstention -------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rate", "expected"), [((1 - c) / 4, Verdict.PROVED), ((1 - c) / 4 * (1 + Rational(1, 10**6)), Verdict.REFUTED)]
)
def test_abstaining_at_a_cost_has_the_sharp_rate_for_every_cost(rate: Expr, expected: Verdict, checked: Check) -> None:
    result = checked(**SMOOTH, abstention_cost=c, learning_rate=rate)
    assert result.verdict is expected
    if result.witness is not None:
        cost = Fraction(result.witness["parameters"]["c"])
        scores = [Fraction(s) for s in result.witness["scores"]]
        theorem = result.item.at({c: cost})
        assert gap_terms(theorem, scores, result.witness["label"]).gap == Fraction(result.witness["gap"]) > 0


@pytest.mark.slow
def test_guessing_is_abstaining_at_the_cost_of_a_guess(checked: Check) -> None:
    for rate, expected in ((1 / (4 * K), Verdict.PROVED), (1 / (3 * K), Verdict.REFUTED)):
        assert checked(**SMOOTH, learning_rate=rate).verdict is expected
        assert checked(**SMOOTH, abstention_cost=(K - 1) / K, learning_rate=rate).verdict is expected


# --- parameters -------------------------------------------------------------------------------------------------


def weighted(weight: Any) -> BinaryLoss:
    return BinaryLoss(
        plus=Piecewise((1 - 2 * weight * z, z < 0), ((1 - z) ** 2, z <= 1), (0, True)),
        minus=Piecewise((1 + 2 * z, z > 0), ((1 + z) ** 2, z >= -1), (0, True)),
    )


@pytest.mark.slow
def test_a_parameter_is_every_number_of_its_range(checked: Check) -> None:
    result = checked(loss=weighted(w), gap_map=SMOOTH["gap_map"], learning_rate=1 / (4 * w**2), regret=2 * w**2)
    assert result.verdict is Verdict.PROVED
    constant = checked(loss=weighted(w), gap_map=SMOOTH["gap_map"], learning_rate=Rational(1, 64))
    assert constant.verdict is Verdict.PROVED
    wider = Parameter("w", 1, 5)
    refuted = checked(loss=weighted(wider), gap_map=SMOOTH["gap_map"], learning_rate=Rational(1, 64))
    assert refuted.verdict is Verdict.REFUTED
    assert refuted.witness is not None
    assert Fraction(refuted.witness["parameters"]["w"]) > 4
    concave = Parameter("w", Rational(1, 2), 4)
    assert checked(loss=weighted(concave), gap_map=SMOOTH["gap_map"], learning_rate=Rational(1, 99)).verdict is (
        Verdict.REFUTED
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [(("K",), "other than K"), (("q",), "other than"), (("w", 2, 1), "larger than"), (("w", "1"), "rational")],
)
def test_a_parameter_that_cannot_be_is_an_error(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        Parameter(*arguments)


def test_parameters_of_the_same_name_differ_by_their_range_and_stay_in_it() -> None:
    assert Parameter("w", 1, 4) == w != Parameter("w", 1, 5)
    theorem = Theorem(name="t", loss=weighted(w), gap_map=SMOOTH["gap_map"], learning_rate=1 / (4 * w**2))
    assert theorem.parameters == (w,)
    assert theorem.at({w: 2}).learning_rate == Rational(1, 16)
    with pytest.raises(ValueError, match="not between 1 and 4"):
        theorem.at({w: 5})


def test_the_learner_asks_for_the_values_of_parameters() -> None:
    theorem = Theorem(name="t", **SMOOTH, abstention_cost=c, learning_rate=(1 - c) / 4)
    with pytest.raises(ValueError, match="has the parameters c"):
        Gaptron(3, 2, loss=theorem)
    Gaptron(3, 2, loss=theorem.at({c: Rational(1, 2)}))


# --- contacts ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("setting", "rate", "contact", "expected"),
    [
        (HINGE, (1 - 1 / K) / K, Contact(right=True, margin=1 / K), Verdict.PROVED),
        (SMOOTH, 1 / (4 * K), Contact(right=False, margin=0), Verdict.PROVED),
        (SMOOTH, 1 / (4 * K), Contact(right=True, margin=Rational(1, 2)), Verdict.PROVED),
        (SMOOTH, 1 / (5 * K), Contact(right=True, margin=0), Verdict.REFUTED),
        (HINGE, (1 - 1 / K) / K, Contact(right=True, margin=0), Verdict.REFUTED),
        (HINGE, (1 - 1 / K) / K, Contact(right=False, margin=-1, top_margin=1), Verdict.REFUTED),
    ],
)
def test_a_contact_shows_that_a_rate_is_sharp(
    setting: dict[str, Any], rate: Expr, contact: Contact, expected: Verdict, checked: Check
) -> None:
    result = checked(**setting, learning_rate=rate, sharp_at=contact)
    assert outcome(result, "learning rate/sharp").verdict is expected


@pytest.mark.slow
def test_a_contact_that_is_no_round_is_not_proved(checked: Check) -> None:
    result = checked(**SMOOTH, learning_rate=1 / (4 * K), sharp_at=Contact(right=True, margin=-1))
    assert outcome(result, "learning rate/sharp").verdict is Verdict.UNDECIDED


# --- what is not a theorem --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"feedback": "bandit", "learning_rate": gamma}, "needs both exploration and learning_rate"),
        ({"feedback": "bandit", "exploration": 1, "learning_rate": m}, "uses the symbol m"),
        ({"feedback": "bandit", "exploration": gamma, "learning_rate": gamma}, "uses the symbol gamma"),
        ({"feedback": "bandit", "exploration": 1, "learning_rate": gamma, "abstention_cost": 0}, "abstention_cost"),
        ({"feedback": "bandit", "exploration": 1, "learning_rate": gamma, "sharp_at": Contact(right=True, margin=0)},
         "sharp_at goes with"),
        ({"sharp_at": Contact(right=True, margin=0)}, "sharp_at needs a learning_rate"),
        ({"learning_rate": 1, "sharp_at": 0}, "is not a Contact"),
        ({"learning_rate": X}, "uses the symbol X"),
    ],
)  # fmt: skip
def test_what_is_no_theorem_is_an_error(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(TheoremError, match=message):
        Theorem(name="t", **SMOOTH, **arguments)


def test_a_binary_loss_with_bandit_feedback_is_an_error() -> None:
    with pytest.raises(TheoremError, match="goes with a MarginLoss or a SoftmaxLoss"):
        Theorem(
            name="t", loss=weighted(2), gap_map=SMOOTH["gap_map"], feedback="bandit", exploration=1, learning_rate=gamma
        )
