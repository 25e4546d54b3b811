"""The step that learners and expectations share, each against the paper's formulas, which notice mistakes in it.

With full information and with bandit feedback, on rounds that explore, are masked, are right and are wrong.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import pytest

from gaptron import Gaptron
from gaptron.expectation import expected_blocks
from gaptron.rounds.step import Step
from gaptron.rounds.surrogate import MarginRound
from properties import formulas
from properties.planted import Mistake
from properties.test_sides_against_formulas import Recursion

K, GAMMA, RATE = 3, Fraction(1, 4), Fraction(1, 8)
U = [[Fraction(1), Fraction(0)], [Fraction(0), Fraction(1)], [Fraction(-1), Fraction(-1)]]
POINTS = [([1, 0], 0), ([0, 1], 1), ([1, Fraction(1, 8)], 0), ([Fraction(1, 2), -1], 2), ([1, 0], 0), ([0, 1], 0)]
ROUNDS = [(list(map(Fraction, x)), y) for x, y in POINTS]


def game(kind: type, feedback: str) -> tuple[formulas.Loss, Gaptron, Fraction]:
    """The paper's loss with this rate, the learner, and gamma."""
    loss, gamma = kind(K), Fraction(0) if feedback == "full" else GAMMA
    loss.eta = RATE
    learner = Gaptron(
        K, 2, loss=kind.name, feedback=feedback, learning_rate=RATE, exploration=gamma, exact=True, seed=0
    )
    return loss, learner, gamma


def learns(kind: type, feedback: str) -> None:
    """The learner's distributions, losses and weights are the paper's, after rounds that were right."""
    loss, learner, gamma = game(kind, feedback)
    W = learner.W.tolist()
    for x, y in ROUNDS:
        theta = formulas.scores(W, x)
        right = formulas.distribution(loss, theta, gamma)
        assert learner.predict_proba(x).tolist() == right
        assert learner.loss(x, y) == formulas.value(loss, theta, y)
        if feedback == "full":
            learner.update(x, y)
        elif right[y]:
            learner.update(x, y, True)
        weight = Fraction(1) if feedback == "full" else 1 / right[y]
        W = formulas.step(loss, W, x, y, weight)
        assert learner.W.tolist() == W


def expects(kind: type, feedback: str, arithmetic: str = "rational") -> None:
    """Expected mistakes and comparator loss are those of the paper's rounds over all draws."""
    loss, learner, gamma = game(kind, feedback)
    expected = Recursion(loss, U, gamma, feedback == "bandit")([[Fraction(0)] * 2] * K, ROUNDS)
    done = expected_blocks(learner, [(x, y, 1) for x, y in ROUNDS], comparator=U, arithmetic=arithmetic)
    found = done.mistakes, done.comparator_loss
    assert found == (expected if arithmetic == "rational" else pytest.approx(tuple(map(float, expected)), abs=1e-9))


def expects_in_arrays(kind: type, feedback: str) -> None:
    """In doubles: with bandit feedback so short a stream is one of arrays of states."""
    expects(kind, feedback, "float")


def slopes_with(change: Callable[..., Any]) -> Callable[[Any], Any]:
    """The step with other arguments: those of ``slopes`` as (step, found, label, squared, weight)."""
    return lambda slopes: lambda *given: slopes(*change(*given))


def planted(words: str, change: Callable[..., Any]) -> Mistake:
    """In the shared step."""
    return Mistake(words, Step, "slopes", slopes_with(change))


WAYS = (learns, expects, expects_in_arrays)
ALWAYS = (
    planted("sign of the gradient", lambda step, *given: (step._replace(eta=-step.eta), *given)),
    planted("eta for one class more", lambda step, *given: (step._replace(eta=step.eta * K / (K + 1)), *given)),
    planted("the label after the true one", lambda step, found, label, *rest: (step, found, (label + 1) % K, *rest)),
    Mistake("mask inverted", MarginRound, "off", lambda off: lambda self, label: off(self, label) ^ True),
    Mistake("half of the gap map", Step, "uniform", lambda share: lambda self, found: share(self, found) / 2),
)
BANDIT = (
    planted("no 1/p", lambda step, found, label, squared, weight: (step, found, label, squared, 1 + 0 * weight)),
    Mistake("no gamma", Step, "uniform", lambda share: lambda self, found: share(self._replace(gamma=None), found)),
)
LOSSES = (formulas.Hinge, formulas.SmoothHinge)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("feedback", ["full", "bandit"])
@pytest.mark.parametrize("kind", LOSSES)
def test_the_round_is_the_papers(kind: type, feedback: str, way: Callable[..., None]) -> None:
    way(kind, feedback)


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("mistake", "feedback"),
    [*((m, "full") for m in ALWAYS), *((m, "bandit") for m in ALWAYS + BANDIT)],
    ids=lambda part: getattr(part, "words", part),
)
def test_a_mistake_in_the_shared_step_is_noticed(mistake: Mistake, feedback: str, way: Callable[..., None]) -> None:
    with mistake.planted(), pytest.raises(AssertionError):
        way(formulas.Hinge, feedback)
