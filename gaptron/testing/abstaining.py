"""Theorems about abstaining: the weights of the learner that guesses, and another cost."""

from dataclasses import replace
from fractions import Fraction
from typing import Any

from gaptron.bounds.sides import Sides
from gaptron.bounds.stream import ExactStream
from gaptron.numbers.evaluate import Number, ball, evaluate
from gaptron.symbols import K
from gaptron.theory.theorem import Theorem


def abstaining_sides(theorem: Theorem, stream: ExactStream, sides: Sides) -> Sides:
    """Both sides if abstaining costs c: a guess is wrong with probability (K - 1)/K, an abstention costs c."""
    if theorem.abstention_cost is None:
        return sides
    c = evaluate(theorem.abstention_cost, {K: Fraction(stream.n_classes)})
    share = _uniform_share(theorem, stream)
    guess = Fraction(stream.n_classes - 1, stream.n_classes)
    if not all(isinstance(number, Fraction) for number in (c, share, sides.mistakes)):
        return replace(sides, mistakes=ball(sides.mistakes) + ball(share) * (ball(c) - ball(guess)))
    return replace(sides, mistakes=sides.mistakes + share * (c - guess))


def _uniform_share(theorem: Theorem, stream: ExactStream) -> Number:
    """The sum of the gap map over the rounds, exactly."""
    learner: Any = stream.game(theorem).learner(stream.n_features)
    total: Number = Fraction(0)
    for x, label in stream.played:
        a = learner.surrogate.gap(learner._scores(learner._features(x)))
        total = a + total if isinstance(a, Fraction) else ball(a) + ball(total)
        learner.update(x, label)
    return total
