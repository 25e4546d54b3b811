"""Losses without a learning rate: curves of rounds that rule out smaller and smaller ones, proved at every r."""

from dataclasses import replace
from fractions import Fraction

import pytest
from sympy import Max, Piecewise, Rational, exp, sympify

from gaptron import GapMap, MarginLoss, SoftmaxLoss, Theorem
from gaptron.checking.cache import Cache
from gaptron.checking.checker import check
from gaptron.constants.contacts import FIRST, curve, r
from gaptron.constants.engine import Engine
from gaptron.constants.largest_rates import Finding, sharpen
from gaptron.constants.questions import QUESTIONS
from gaptron.constants.rate_search import contacts
from gaptron.symbols import m, p
from gaptron.theory.verdict import Verdict

LINEAR = GapMap(Piecewise((1 - p, p >= Rational(1, 2)), (1, True)))
ROOT = Max(1 - m, 0) ** Rational(3, 2)
NONE = {
    "cubed": Theorem(name="cubed", loss=MarginLoss(Max(1 - m, 0) ** 3), gap_map=GapMap(Max(1 - m, 0) ** 3)),
    "exponential": Theorem(name="exponential", loss=MarginLoss(exp(-m)), gap_map=GapMap(exp(-m))),
    "root": Theorem(name="root", loss=MarginLoss(ROOT), gap_map=GapMap(ROOT)),
    "inverse": Theorem(name="inverse", loss=SoftmaxLoss(1 / p - 1), gap_map=LINEAR),
}
SOME = Theorem(name="squared", loss=MarginLoss(Max(1 - m, 0) ** 2), gap_map=GapMap(Max(1 - m, 0) ** 2))
RATES = QUESTIONS[:3]


def sharpened(theorem: Theorem, name: str) -> Finding:
    answers: list[Finding] = []
    sharpen(theorem, [2, 3], Engine(10.0, 1, Cache(None, pytest.fail)), answers, name)
    return answers[0]


@pytest.mark.few(1)
@pytest.mark.parametrize("question", RATES, ids=lambda question: question.name)
@pytest.mark.parametrize("name", NONE)
def test_there_is_none_and_every_smaller_rate_has_its_round(name: str, question) -> None:
    answer = sharpened(NONE[name], question.name)
    assert answer.certified
    assert answer.impossible.keys() == {2, 3}
    for n, witness in answer.impossible.items():
        same = [c for c in question.constraints(NONE[name]) if c.kind == witness["kind"] and c.at(n)]
        assert witness["curve"].keys() in [{str(symbol) for symbol in c.variables} for c in same]
        assert witness["learning_rate"] in answer.reasons[n]


@pytest.mark.parametrize("n_classes", [2, 3])
@pytest.mark.parametrize("name", NONE)
def test_on_the_curve_the_gap_is_positive_at_its_rate_and_above(name: str, n_classes: int) -> None:
    (question, *_) = RATES
    for contact in contacts(list(question.constraints(NONE[name])), n_classes):
        found = curve(contact, n_classes)
        assert found is not None
        for at in (FIRST, 100, 10**4):
            point = {symbol: value.subs(r, at) for symbol, value in found.place.items()}
            fixed, slope = (part.subs(point) for part in (found.constraint.fixed, found.constraint.slope))
            for rate in (Fraction(found.factor, at), Fraction(found.factor), Fraction(10**6)):
                assert fixed + sympify(rate) * slope > 0


def test_a_curve_with_a_smaller_factor_is_not_proved() -> None:
    (contact, *_) = contacts(list(RATES[0].constraints(NONE["cubed"])), 2)
    found = curve(contact, 2)
    assert found is not None
    (proved, refuted) = check([found.lemma("all"), replace(found, factor=0).lemma("none")], 5, 1)
    assert (proved.verdict, refuted.verdict) == (Verdict.PROVED, Verdict.REFUTED)


def test_a_loss_with_a_learning_rate_has_no_curve() -> None:
    for question in RATES:
        for contact in contacts(list(question.constraints(SOME)), 3):
            assert curve(contact, 3) is None
