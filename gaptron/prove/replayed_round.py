"""One round of the learner itself, in exact arithmetic, on a concrete W, x and label."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

import flint
import numpy as np
import sympy as sp

from gaptron import symbols
from gaptron.learners import Gaptron
from gaptron.learners.binary_gaptron import gaptron_with
from gaptron.learners.surrogates import in_exact_numbers
from gaptron.numbers.evaluate import Number, ball, evaluate
from gaptron.prove.exact_text import Witness, read_number
from gaptron.symbols import K, gamma
from gaptron.theory.theorem import Theorem


@dataclass(frozen=True)
class GapTerms:
    """What adds up to the surrogate gap of a round: risk - loss + step."""

    risk: Number
    loss: Number
    step: Number

    @property
    def gap(self) -> Number:
        """The surrogate gap."""
        return self.risk - self.loss + self.step


def gap_terms(
    theorem: Theorem,
    scores: list[Fraction],
    label: int,
    side: int = 1,
    setting: Mapping[sp.Symbol, Number] | None = None,
) -> GapTerms:
    """The surrogate gap of a round with x = (1) and W = the scores as a column, term by term.

    The learner predicts and updates; ||g|| is read off its step, W - W' = eta g. At a kink of the loss, ``side``
    chooses the derivative from the right (1, as the learner does by itself) or from the left (-1).

    With full information it is P(wrong) - loss + (eta/2) ||g||^2, with an abstention cost c the share of the gap map
    costing c. With bandit feedback (``setting`` gives K, X = 1, D, T and gamma) the step is the one after a correct
    prediction, whose probability p'(y) enters the expectation; gamma (K - 1)/K is taken off the risk.
    """
    learner = _learner(theorem, scores, setting or {})
    if side < 0:
        balls = isinstance(learner.W.flat[0], flint.arb)
        learner.surrogate = in_exact_numbers(theorem, len(scores), balls=balls, side=side)
    before = learner.W.copy()
    x = np.array([Fraction(1)], dtype=object)
    correct = learner.predict_proba(x)[label]
    risk = 1 - correct
    if theorem.abstention_cost is not None:
        risk = _abstention_risk(theorem, learner, scores, label)
    loss = learner.loss(x, label)
    if learner.feedback == "full":
        learner.update(x, label)
    else:
        learner.update(x, label, True)
    step = (before - learner.W).ravel()
    squares = np.dot(step, step) / (2 * learner.learning_rate)
    if theorem.feedback == "full":
        return GapTerms(risk, loss, squares)
    others = learner._arithmetic.number(Fraction(len(scores) - 1, len(scores)))
    return GapTerms(risk - learner.exploration * others, loss, correct * squares)


def terms_at(theorem: Theorem, witness: Witness) -> GapTerms:
    """The terms of the gap at the round that a witness describes, replayed."""
    given = {name: read_number(value) for name, value in witness.get("parameters", {}).items()}
    own = {parameter: given[parameter.name] for parameter in theorem.parameters if parameter.name in given}
    setting = {symbols.ALL[name]: value for name, value in given.items() if name in symbols.ALL}
    setting[K] = Fraction(witness["K"])
    side = -1 if witness.get("subgradient") == "left" else 1
    scores = [Fraction(score) for score in witness["scores"]]
    return gap_terms(theorem.at(own) if own else theorem, scores, witness["label"], side, setting)


def _abstention_risk(theorem: Theorem, learner: Gaptron, scores: list[Fraction], label: int) -> Number:
    """(1 - a) 1[y* != y] + a c."""
    numbers = [learner._arithmetic.number(score) for score in scores]
    a = learner.surrogate.gap(numbers)
    cost = learner._arithmetic.number(evaluate(theorem.abstention_cost, {K: Fraction(len(scores))}))
    return (1 - a) * (learner._arithmetic.top(np.array(numbers, dtype=object)) != label) + a * cost


def _learner(theorem: Theorem, scores: list[Fraction], setting: Mapping[sp.Symbol, Number]) -> Gaptron:
    """The theorem's learner at weights that have these scores; with bandit feedback at its own parameters, exactly."""
    made = gaptron_with(theorem, len(scores), 1)
    if theorem.feedback == "full":
        learner = made(exact=True)
    else:
        learner = made(feedback="bandit", exploration=1, learning_rate=1, exact=True)
        learner.exploration = learner._arithmetic.number(setting[gamma])
        learner.learning_rate = learner._arithmetic.number(evaluate(theorem.learning_rate, setting))
    number = ball if isinstance(learner.W.flat[0], flint.arb) else Fraction
    rows = scores if len(learner.W) > 1 else [scores[0] - scores[1]]
    learner.W = np.array([[number(row)] for row in rows], dtype=object)
    return learner
