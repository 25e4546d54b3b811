"""The largest learning rates are found, without any proof: known answers, and losses that have none."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sympy import Max, Min, Piecewise, Rational, cancel, log

from gaptron import BinaryLoss, GapMap, Gaptron, MarginLoss, SoftmaxLoss, Theorem
from gaptron.constants import parameter
from gaptron.constants.closed_forms import expression_near
from gaptron.constants.questions import QUESTIONS
from gaptron.constants.rate_search import contacts
from gaptron.constants.witnesses import breaks_every_decoder, breaks_every_map, breaks_every_rate, breaks_gap_map
from gaptron.guesses.in_sympy import q
from gaptron.prove.one_variable import simplest_between
from gaptron.symbols import K, Parameter, m, p, z

SMOOTH = MarginLoss(Piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, m < 1), (0, True)))
smooth_hinge = Theorem(name="smooth hinge", loss=SMOOTH, gap_map=GapMap((1 - Min(1, m)) ** 2))
hinge = Theorem(
    name="hinge",
    loss=MarginLoss(Max(1 - m, 0), off_above=1 / K),
    gap_map=GapMap(Piecewise((1 - m, m <= 1 / K), (0, True))),
)
never_off = Theorem(name="hinge, never off", loss=MarginLoss(Max(1 - m, 0)), gap_map=GapMap(Max(1 - m, 0)))
squared = Theorem(name="squared", loss=BinaryLoss(Max(1 - z, 0) ** 2), gap_map=GapMap((1 - Min(1, m)) ** 2))
weighted = Theorem(
    name="weighted",
    loss=BinaryLoss(
        plus=Piecewise((1 - 4 * z, z < 0), ((1 - z) ** 2, z <= 1), (0, True)),
        minus=Piecewise((1 + 2 * z, z > 0), ((1 + z) ** 2, z >= -1), (0, True)),
    ),
    gap_map=GapMap((1 - Min(1, m)) ** 2),
)
logistic = Theorem(
    name="logistic", loss=SoftmaxLoss(-log(p, 2)), gap_map=GapMap(Piecewise((1 - p, p >= Rational(1, 2)), (1, True)))
)
KNOWN = [
    (smooth_hinge, (*[1 / (4 * K)] * 3, 1 / (2 * K))),
    (hinge, ((K - 1) / K**2, 1 / K, 1 / K, 2 * (K - 1) / K**2)),
    (squared, (*[Rational(1, 4)] * 3, Rational(1, 2))),
    (weighted, (Rational(1, 16), Rational(1, 16), Rational(1, 10), Rational(1, 2))),
    (logistic, (2 * log(2) ** 2 / K, 4 * log(2) ** 2 / K, 2 * log(2) ** 2)),
]
EXCESS = Fraction(1, 10**6)
RATES = QUESTIONS[:3]  # the fourth is about no learning rate: eta stands for 1/(2 c)


@pytest.mark.slow
@pytest.mark.parametrize(("theorem", "rates"), KNOWN, ids=[theorem.name for theorem, _ in KNOWN])
def test_the_known_largest_learning_rates_are_found(theorem, rates):
    counts = [n for n in range(2, 9) if theorem.claims(n)]
    for question, rate in zip(QUESTIONS, rates, strict=theorem is not logistic):
        constraints = list(question.constraints(theorem))
        found = {n: contacts(constraints, n)[0].rate for n in counts}
        assert cancel(expression_near(found) - rate) == 0, question.name


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.name)
@pytest.mark.parametrize("n_classes", [2, pytest.param(3, marks=pytest.mark.slow)])
def test_above_the_largest_rate_there_is_a_witness_and_at_it_there_is_none(question, n_classes):
    contact = contacts(list(question.constraints(smooth_hinge)), n_classes)[0]
    largest = Fraction(1, 4 * n_classes) if question in RATES else Fraction(1, 2 * n_classes)
    assert question.breaks(smooth_hinge, contact, n_classes, largest * (1 + EXCESS)) is not None
    assert question.breaks(smooth_hinge, contact, n_classes, largest) is None


@pytest.mark.slow
@pytest.mark.parametrize(
    ("question", "rate"), [*zip(RATES, KNOWN[-1][1], strict=True)], ids=["map", "best map", "decoder"]
)
@pytest.mark.parametrize("n_classes", [3, *(pytest.param(n, marks=pytest.mark.slow) for n in (2, 6))])
def test_a_softmax_loss_has_its_witnesses_on_two_labels_that_share_everything(question, rate, n_classes):
    contact = contacts(list(question.constraints(logistic)), n_classes)[0]
    largest = Fraction(float(rate.subs(K, n_classes)))
    witness = question.breaks(logistic, contact, n_classes, largest * (1 + EXCESS))
    scores = [Fraction(score) for score in witness["rounds"][0]["scores"]]
    assert abs(scores[0] - scores[1]) < Fraction(1, 10**6)
    assert all(score < scores[0] - 20 for score in scores[2:])
    assert question.breaks(logistic, contact, n_classes, largest * (1 - EXCESS)) is None


def test_the_three_kinds_of_witness_are_what_they_say():
    n_classes, eta = 3, Fraction(1, 3) * (1 + EXCESS)
    finders = (breaks_gap_map, breaks_every_map, breaks_every_decoder)
    for question, finder in zip(RATES, finders, strict=True):
        assert question.breaks is finder
        contact = contacts(list(question.constraints(hinge)), n_classes)[0]
        witness = finder(hinge, contact, n_classes, eta)
        assert witness["K"] == 3
        assert Fraction(witness["value"]) > 0
    # all labels tied: each needs 1 - loss + eta = eta
    assert Fraction(witness["value"]) == 3 * eta - 1


@pytest.mark.parametrize("question", RATES, ids=lambda question: question.name)
def test_a_hinge_loss_that_is_never_off_allows_no_learning_rate(question):
    contact = contacts(list(question.constraints(never_off)), 3)[0]
    point = breaks_every_rate(contact, 3)
    assert set(point["point"].values()) == {"1"}  # the margin at which the loss is 0 and its slope -1
    assert (point["fixed"], point["slope"]) == ("0", "1")


@pytest.mark.parametrize("question", RATES[:2], ids=lambda question: question.name)
def test_a_round_that_the_search_finds_has_positive_probabilities(question):
    """The regions of softmax losses leave q > 0 to the symbol; with q < 0 a point seemed to break every rate."""
    root = Theorem(name="alpha-loss, alpha = 1/2", loss=SoftmaxLoss(1 / p - 1), gap_map=GapMap(1 - p))
    for contact in contacts(list(question.constraints(root)), 3):
        assert all(0 < value <= 1 for value in contact.point.values())
    outside = replace(contact, point={v: -1.0 if v == q else value for v, value in contact.point.items()})
    assert breaks_every_rate(outside, 3) is None


def decoded(scores, eta):
    """What the learner makes of these scores."""
    learner = Gaptron(len(scores), 1, loss="smooth hinge", decoder="best", learning_rate=eta, exact=True)
    learner.W[:, 0] = scores
    return learner.predict_proba([1]).tolist()


@given(st.lists(st.integers(-200, 200), min_size=2, max_size=5))
@example([0, 0, 0])
@example([100, 100, 0, 0])
def test_the_best_decoder_keeps_every_gap_at_most_zero(hundredths):
    scores = [Fraction(n, 100) for n in hundredths]
    eta = Fraction(1, 4 * len(scores))
    probabilities = decoded(scores, eta)
    assert sum(probabilities) == 1
    assert min(probabilities) >= 0
    for label, probability in enumerate(probabilities):
        margin = scores[label] - max(score for k, score in enumerate(scores) if k != label)
        loss = 1 - 2 * margin if margin <= 0 else max(1 - margin, 0) ** 2
        slope = -2 if margin <= 0 else -2 * max(1 - margin, 0)
        assert 1 - probability - loss + eta * slope**2 <= 0


def test_the_best_decoder_refuses_a_learning_rate_that_is_too_large():
    with pytest.raises(ValueError, match=r"learning_rate = .* is too large"):
        decoded([Fraction(0), Fraction(0)], Fraction(1, 8) * (1 + EXCESS))


@given(st.fractions(min_value=Fraction(1, 1000), max_value=100), st.fractions(min_value=0, max_value=1))
@example(Fraction(1), Fraction(0))
@example(Fraction(2, 3), Fraction(1, 10**6))
def test_the_simplest_rational_has_the_least_denominator_of_the_interval(low, width):
    high = low + width
    found = simplest_between(low, high)
    assert low <= found <= high
    for denominator in range(1, min(found.denominator, 200)):
        assert -(-low * denominator // 1) > high * denominator // 1, denominator


@pytest.mark.parametrize("expr", [(K - 1) / K**2, 1 / (4 * K), K / 3, Rational(2, 7), 4 * log(2) ** 2 / K], ids=str)
def test_an_expression_in_K_is_found_again_from_its_values(expr):
    assert cancel(expression_near({n: float(expr.subs(K, n)) for n in range(2, 9)}) - expr) == 0


def test_values_that_follow_no_simple_rule_get_no_closed_form():
    assert expression_near({n: 1 / n + 0.1 * (n % 3) for n in range(2, 9)}) is None


def test_a_parameter_may_decide_by_itself_which_piece_of_the_gap_map_holds(monkeypatch):
    monkeypatch.setattr(parameter, "PLACES", 3)
    monkeypatch.setattr(parameter, "ROUNDS", 1)
    w, square = Parameter("w", Rational(1, 4), 1), Max(1 - m, 0) ** 2
    halves = GapMap(Piecewise((w * square, w <= Rational(1, 2)), (square / 2, True)))
    assert parameter.choose(Theorem(name="halves", loss=MarginLoss(square), gap_map=halves)) == {w: 1}
