"""Both sides of a theorem's mistake bound on a stream: expected mistakes <= E sum loss_t(U) + regret."""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, lru_cache, partial, reduce
from typing import Any

import flint
import numpy as np
import sympy as sp
from mpmath import iv

from gaptron.learners import BinaryGaptron, Gaptron
from gaptron.numbers.evaluate import Number, UncertainError, ball, evaluate, is_less
from gaptron.rounds.geometry import geometry_of
from gaptron.symbols import D, K, T, X, gamma
from gaptron.system import checks
from gaptron.system.checks import Given
from gaptron.theory.theorem import Theorem


@dataclass(frozen=True)
class Sides:
    """A mistake bound on one stream with one comparator U; numbers are Fractions, balls or doubles.

    Attributes
    ----------
    mistakes
        Expected mistakes.
    comparator_loss
        E sum loss_t(U).
    regret
        What the theorem adds to it: c X^2 ||U||^2, with bandit feedback the whole excess.
    states : int
        How many states the learner can be in at the last round.
    """

    mistakes: Number
    comparator_loss: Number
    regret: Number
    states: int = 1

    @property
    def slack(self) -> Number:
        """Right side minus left side: negative if the stream breaks the bound."""
        loss, regret, mistakes = _alike(self.comparator_loss, self.regret, self.mistakes)
        return loss + regret - mistakes

    @property
    def ratio(self) -> Number:
        """(mistakes - comparator loss)/regret: above 1 if the stream breaks the bound; ValueError if regret is 0."""
        if self.regret == 0:
            raise ValueError("regret = 0: there is no ratio")
        loss, regret, mistakes = _alike(self.comparator_loss, self.regret, self.mistakes)
        return (mistakes - loss) / regret


@dataclass(frozen=True)
class Game:
    """A theorem at a number of classes, with the numbers its bound depends on.

    Parameters
    ----------
    theorem : Theorem
        Without parameters of its own (see ``Theorem.at``), with a learning rate or a regret.
    n_classes : int >= 2
        K, one that the theorem claims.
    horizon : int >= 1, optional
        T; needed with bandit feedback.
    radius : rational > 0, optional
        D; needed with bandit feedback. With full information W is not projected.
    feature_norm : rational > 0
        X.

    Raises
    ------
    ValueError
        If an argument is not as above.
    """

    theorem: Theorem
    n_classes: int
    horizon: int | None = None
    radius: Fraction | None = None
    feature_norm: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        checks.integer(self.n_classes, "n_classes", 2)
        checks.positive(self.feature_norm, "feature_norm")
        if not self.theorem.claims(self.n_classes):
            raise ValueError(f'n_classes = {self.n_classes}: theorem "{self.theorem.name}" does not claim it')
        if self.theorem.abstention_cost is not None:
            raise ValueError(f'theorem "{self.theorem.name}" is about abstaining: it bounds a cost, not mistakes')
        if self.bandit:
            checks.integer(self.horizon, "horizon", 1)
            checks.positive(self.radius, "radius")

    @property
    def bandit(self) -> bool:
        """Whether feedback is bandit feedback."""
        return self.theorem.feedback == "bandit"

    @cached_property
    def exploration(self) -> Number:
        """The theorem's gamma: a Fraction, or a ball; 0 with full information."""
        return self._value(self.theorem.exploration) if self.bandit else Fraction(0)

    @cached_property
    def learning_rate(self) -> Number:
        """The theorem's eta, 1/X^2 included: a Fraction, or a ball."""
        if self.bandit:
            return self._value(self._eta.subs(gamma, self.theorem.exploration))
        return self._value(self._eta / X**2)

    def regret(self, U: Given) -> Number:
        """What the theorem adds to the comparator's loss; without ``regret=``, ||U||^2/(2 eta)."""
        if self.bandit:
            if self.theorem.regret is None:
                raise ValueError(f'theorem "{self.theorem.name}" states no regret')
            return self._value(self.theorem.regret)
        coefficient = 1 / (2 * self._eta) if self.theorem.regret is None else self.theorem.regret
        return self._value(coefficient * X**2 * _rational(_squared_norm(U)))

    def learner(self, n_features: int, *, exact: bool = True) -> Gaptron | BinaryGaptron:
        """The theorem's learner at its printed parameters, in exact numbers or in doubles."""
        number = (lambda value: value) if exact else float
        rate, norm = number(self.learning_rate), number(self.feature_norm)
        if geometry_of(self.theorem.loss).one_vector:
            return BinaryGaptron(n_features, loss=self.theorem, learning_rate=rate, feature_norm=norm, exact=exact)
        return Gaptron(
            self.n_classes,
            n_features,
            loss=_bare(self.theorem),
            feedback=self.theorem.feedback,
            learning_rate=rate,
            exploration=number(self.exploration),
            feature_norm=norm,
            radius=math.inf if self.radius is None or not self.bandit else number(self.radius),
            exact=exact,
        )

    def sides(self, rounds: Given, labels: Given, U: Given, *, arithmetic: str = "rational") -> Sides:
        """Both sides of the bound.

        Parameters
        ----------
        rounds : (T, d) rational numbers
            Features with ||x|| <= X.
        labels : (T,) integers in 0..K-1
        U : (K, d) rational numbers, (1, d) for a BinaryLoss
            The comparator, with ||U|| <= D under bandit feedback.
        arithmetic : "rational", "ball", "interval" or "float"
            See ``gaptron.expectation.expected``.

        Raises
        ------
        ValueError
            If the stream or the comparator is not one that the theorem speaks of.
        """
        blocks = [(x, label, 1) for x, label in zip(rounds, labels, strict=True)]
        return self.sides_of_blocks(blocks, U, arithmetic=arithmetic)

    def sides_of_blocks(self, blocks: Given, U: Given, *, arithmetic: str = "rational") -> Sides:
        """As ``sides``, of a stream of blocks (features, label, number of rounds): see ``expected_blocks``."""
        rounds = [x for x, _, _ in blocks]
        self.check(rounds, U, sum(count for _, _, count in blocks))
        learner = self.learner(len(rounds[0]), exact=arithmetic != "float")
        from gaptron.expectation import expected_blocks  # SciPy, which theorem files that name a Game do not need

        done = expected_blocks(learner, blocks, comparator=U, arithmetic=arithmetic)
        return Sides(done.mistakes, done.comparator_loss, self.regret(U), done.states)

    def check(self, rounds: Given, U: Given, horizon: int) -> None:
        """ValueError if a feature vector is longer than X, or U than D, both exactly; or if T is another one."""
        if self.bandit and horizon != self.horizon:
            raise ValueError(f"{horizon} rounds: the theorem's parameters are for T = {self.horizon}")
        for t, x in enumerate(rounds):
            if _squared_norm([x]) > Fraction(self.feature_norm) ** 2:
                raise ValueError(f"round {t}: ||x|| is more than X = {self.feature_norm}")
        if self.bandit and _squared_norm(U) > Fraction(self.radius or 0) ** 2:
            raise ValueError(f"||U|| is more than D = {self.radius}")

    @property
    def _eta(self) -> Any:
        eta = self.theorem.rate()
        if eta is None:
            raise ValueError(f'theorem "{self.theorem.name}" states neither learning_rate nor regret')
        return eta

    def _value(self, expr: Any) -> Number:
        """A Fraction if the expression is rational at these numbers (sqrt(2) sqrt(T/4) at T = 2 is), else a ball."""
        given: dict[Any, Any] = {K: self.n_classes, X: self.feature_norm, D: self.radius, T: self.horizon}
        at = {symbol: _rational(v) for symbol, v in given.items() if v is not None}
        return evaluate(_substituted(expr, at), {})


def breaks(sides: Sides) -> bool:
    """Whether the expected mistakes are certainly above the bound; UncertainError if balls cannot tell."""
    return is_less(sides.slack, Fraction(0))


@lru_cache(maxsize=64)
def _bare(theorem: Theorem) -> Theorem:
    """The loss and the gap map alone."""
    return replace(theorem, feedback="full", learning_rate=None, regret=None, exploration=None, sharp_at=None)


def _alike(*numbers: Number) -> list[Number]:
    """The numbers as they are, or as balls if one is a ball or an interval, or as doubles."""
    for kind, convert in (((flint.arb, iv.mpf), ball), (float, float)):
        if any(isinstance(number, kind) for number in numbers):
            return [convert(number) for number in numbers]
    return list(numbers)


def _substituted(expr: Any, at: dict[Any, Any]) -> Any:
    """``expr.subs(at)``, with the extremes chosen by value: SymPy takes far longer to order their arguments."""
    if not expr.has(sp.Max, sp.Min):
        return expr.subs(at)
    parts = [_substituted(part, at) for part in expr.args]
    if isinstance(expr, (sp.Max, sp.Min)) and not any(part.free_symbols for part in parts):
        return reduce(partial(_extreme, isinstance(expr, sp.Max)), parts)
    return expr.func(*parts)


def _extreme(largest: bool, one: Any, other: Any) -> Any:
    try:
        return other if is_less(evaluate(one, {}), evaluate(other, {})) == largest else one
    except UncertainError:
        return (sp.Max if largest else sp.Min)(one, other)


def _rational(value: Number) -> sp.Rational:
    exact = Fraction(value)
    return sp.Rational(exact.numerator, exact.denominator)


def _squared_norm(rows: Given) -> Fraction:
    entries: list[Any] = np.array(rows, dtype=object).ravel().tolist()
    return sum((Fraction(v) ** 2 for v in entries), Fraction(0))
