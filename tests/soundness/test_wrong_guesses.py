"""Every question that obligations may ask is answered wrongly: nothing false is proved, whatever the setting."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest
from conftest import check_kept
from sympy import Max, Min, Piecewise, Rational, log, sqrt

from gaptron import GapMap, MarginLoss, SoftmaxLoss, StructuredTheorem, Theorem
from gaptron.guesses.computer_algebra import SympyGuesses
from gaptron.obligations.guessing import Guesses
from gaptron.structured import Classes, Shannon, ZeroOne
from gaptron.symbols import D, K, T, X, gamma, m, p
from gaptron.theory.verdict import Verdict

pytestmark = pytest.mark.usefixtures("lent")

SQUARED, LOGISTIC, HALF = Max(1 - m, 0) ** 2, SoftmaxLoss(-log(p, 2)), Rational(1, 2)
TRUNCATED = GapMap(Piecewise((1 - p, p >= HALF), (1, True)))
MARGIN = Theorem(name="margin", loss=MarginLoss(SQUARED), gap_map=GapMap(SQUARED), learning_rate=1 / (3 * K))
FALSE = {
    "margin": MARGIN,
    "softmax": Theorem(name="softmax", loss=LOGISTIC, gap_map=TRUNCATED, learning_rate=2 * log(2) / K),
    "decoder": Theorem(name="decoder", loss=LOGISTIC, decoder="best", learning_rate=3 * log(2) ** 2),
    "proximal": Theorem(name="proximal", loss=LOGISTIC, decoder="best", update="proximal", regret=Rational(1, 10)),
    "abstention": replace(MARGIN, name="abstention", abstention_cost=Rational(2, 5), learning_rate=Rational(9, 10)),
    "bandit": replace(
        MARGIN,
        name="bandit",
        learning_rate=gamma / (2 * K**2 * X**2),
        exploration=Min(1, K * X * D / sqrt(T)),
        regret=K * X * D * sqrt(T),
        feedback="bandit",
    ),
    "structured": StructuredTheorem(
        name="structured", outputs=Classes(), target=ZeroOne(), entropy=Shannon(), learning_rate=2, coefficient=1
    ),
}
WRONG: dict[str, tuple[Callable[..., Any], ...]] = {
    "seems_empty": (lambda self, region: True, lambda self, region: len([*region]) > 3),
    "only_point": (lambda self, region, variable: Fraction(1), lambda self, region, variable: "K"),
    "place": (lambda self, region, variable: (0.0, 0.0),),
    "seems_positive": (lambda self, expression: True,),
    "seems_positive_number": (lambda self, expression: True,),
    "seems_tight": (lambda self, given: True,),
    "seems_to_hold": (lambda self, region, theorem: True, lambda self, region, theorem: False),
    "seem_true": (lambda self, theorem, claims: True,),
    "never_hold": (lambda self, region: 1,),
    "not_needed": (lambda self, f: Fraction(1, 2),),
    "beyond": (lambda self, c: Fraction(1, 8),),
    "infimum": (lambda self, pieces, variable: Fraction(9),),
    "shortened": (lambda self, expression: Fraction(0), lambda self, expression: Fraction(9)),
    "factored": (lambda self, expression: Fraction(9),),
    "squares": (lambda self, radicand: (Fraction(1), Fraction(9)), lambda self, radicand: (Fraction(0), Fraction(1))),
}
TEXTS = {"said", "said_relation"}  # of statements: nothing follows from them


def test_every_question_is_answered_wrongly() -> None:
    questions = {name for name in vars(Guesses) if not name.startswith("_")}
    assert questions == WRONG.keys() | TEXTS


@pytest.mark.slow
@pytest.mark.one_in(3)
@pytest.mark.parametrize("theorem", FALSE.values(), ids=FALSE)
@pytest.mark.parametrize(
    ("question", "answer"),
    [pytest.param(name, answer, id=f"{name}-{n}") for name, ways in WRONG.items() for n, answer in enumerate(ways)],
)
def test_nothing_false_is_proved_by_a_wrong_answer(
    theorem: Theorem | StructuredTheorem, question: str, answer: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(SympyGuesses, question, answer)
    assert check_kept([theorem], 2.0, 2)[0].verdict is not Verdict.PROVED
