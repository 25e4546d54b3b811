"""Both sides of a bound as exactly as they can be had; of theorems about abstaining too, whose cost is another one."""

from contextlib import suppress
from dataclasses import replace
from fractions import Fraction
from typing import Any

from gaptron.bounds.exact_stream import ExactStream, is_rational
from gaptron.bounds.sides import Game, Sides
from gaptron.language.theorems import StatedTheorem
from gaptron.numbers.evaluate import Number, ball, value_at
from gaptron.numbers.kinds import IrrationalError

SHORT = 64  # rounds that fractions are asked for
SHORT_OF_ESTIMATES = 12  # if steps are divided by chances that depend on the weights: lengths double with each


def exact_sides(theorem: StatedTheorem, stream: ExactStream, U: Any) -> Sides:
    """Both sides, in fractions if parameters and projections are rational and the stream is short, else in balls."""
    game, sides = stream.game(theorem), None
    if stream.horizon <= _short(game) and is_rational(game):
        with suppress(IrrationalError):  # a projection needs a root
            sides = game.sides_of_blocks(stream.blocks, U)
    if sides is None:
        sides = game.sides_of_blocks(stream.blocks, U, arithmetic="ball")
    return abstaining_sides(theorem, stream, sides)


def _short(game: Game) -> int:
    is_uniform = game.theorem.data.feedback != "bandit" or game.exploration == 1
    return SHORT if is_uniform else SHORT_OF_ESTIMATES


def abstaining_sides(theorem: StatedTheorem, stream: ExactStream, sides: Sides, *, exact: bool = True) -> Sides:
    """Both sides if abstaining costs c: a guess is wrong with probability (K - 1)/K, an abstention costs c."""
    cost = theorem.data.abstention_cost
    if cost is None:
        return sides
    c = value_at(cost, {"K": Fraction(stream.n_classes)})
    share = _uniform_share(theorem, stream, exact)
    guess = Fraction(stream.n_classes - 1, stream.n_classes)
    if not all(isinstance(number, Fraction) for number in (c, share, sides.mistakes)):
        return replace(sides, mistakes=ball(sides.mistakes) + ball(share) * (ball(c) - ball(guess)))
    return replace(sides, mistakes=sides.mistakes + share * (c - guess))


def _uniform_share(theorem: StatedTheorem, stream: ExactStream, exact: bool) -> Number:
    """The sum of the gap map over the rounds, exactly or in doubles."""
    learner: Any = stream.game(theorem).learner(stream.n_features, exact=exact)
    total: Number = Fraction(0)
    for x, label in stream.played:
        a = learner.surrogate.gap(learner._scores(learner._features(x)))
        total = a + total if isinstance(a, Fraction) else ball(a) + ball(total)
        learner.update(x, label)
    return total
