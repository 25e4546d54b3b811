"""Both sides of a theorem's mistake bound on a stream: expected mistakes <= E sum loss_t(U) + regret."""

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import Any

import flint
import numpy as np
from mpmath import iv

from gaptron.language.expressions import Expression
from gaptron.language.formulas import formula
from gaptron.language.normal import put
from gaptron.language.theorems import StatedTheorem, TheoremData
from gaptron.learners import Gaptron
from gaptron.learners.binary_gaptron import gaptron_with
from gaptron.numbers.evaluate import Number, ball, is_less, value_at
from gaptron.system import checks
from gaptron.system.checks import Given
from gaptron.system.documents import Document


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
    theorem : Theorem, or its data
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

    theorem: StatedTheorem
    n_classes: int
    horizon: int | None = None
    radius: Fraction | None = None
    feature_norm: Fraction = Fraction(1)

    def __post_init__(self) -> None:
        checks.integer(self.n_classes, "n_classes", 2)
        checks.positive(self.feature_norm, "feature_norm")
        if not self.stated.claims(self.n_classes):
            raise ValueError(f'n_classes = {self.n_classes}: theorem "{self.stated.name}" does not claim it')
        if self.stated.abstention_cost is not None:
            raise ValueError(f'theorem "{self.stated.name}" is about abstaining: it bounds a cost, not mistakes')
        if self.bandit:
            checks.integer(self.horizon, "horizon", 1)
            checks.positive(self.radius, "radius")

    @property
    def stated(self) -> TheoremData:
        """The theorem as data."""
        return self.theorem.data

    @property
    def bandit(self) -> bool:
        """Whether feedback is bandit feedback."""
        return self.stated.feedback == "bandit"

    @cached_property
    def exploration(self) -> Number:
        """The theorem's gamma: a Fraction, or a ball; 0 with full information."""
        return Fraction(0) if self.stated.exploration is None else self._value(self.stated.exploration)

    @cached_property
    def learning_rate(self) -> Number:
        """The theorem's eta, 1/X^2 included: a Fraction, or a ball."""
        if self.stated.exploration is not None:
            return self._value(put(self._eta, {"gamma": self.stated.exploration}))
        return self._value(formula("eta/X**2", eta=self._eta))

    def regret(self, U: Given) -> Number:
        """What the theorem adds to the comparator's loss; without ``regret=``, ||U||^2/(2 eta)."""
        given = self.stated.regret
        if not self.bandit:
            coefficient = formula("1/(2*eta)", eta=self._eta) if given is None else given
            return self._value(formula("c*X**2*square", c=coefficient, square=_squared_norm(U)))
        if given is None:
            raise ValueError(f'theorem "{self.stated.name}" states no regret')
        return self._value(given)

    def learner(self, n_features: int, *, exact: bool = True) -> Gaptron:
        """The theorem's learner at its printed parameters, in exact numbers or in doubles."""
        number = (lambda value: value) if exact else float
        settings: Document = {"learning_rate": number(self.learning_rate), "feature_norm": number(self.feature_norm)}
        if self.radius is not None and self.bandit:
            settings |= {"feedback": "bandit", "exploration": number(self.exploration), "radius": number(self.radius)}
        loss = replace(self.stated, feedback="full", learning_rate=None, regret=None, exploration=None)
        return gaptron_with(loss, self.n_classes, n_features)(**settings, exact=exact)

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
    def _eta(self) -> Expression:
        if self.stated.learning_rate is None:
            raise ValueError(f'theorem "{self.stated.name}" states neither learning_rate nor regret')
        return self.stated.learning_rate

    def _value(self, part: Expression) -> Number:
        """A Fraction if the expression is rational at these numbers (sqrt(2) sqrt(T/4) at T = 2 is), else a ball."""
        given: dict[str, Number] = {"K": self.n_classes, "X": self.feature_norm, "D": self.radius, "T": self.horizon}
        return value_at(put(part, {name: Fraction(value) for name, value in given.items() if value is not None}), {})


def breaks(sides: Sides) -> bool:
    """Whether the expected mistakes are certainly above the bound; UncertainError if balls cannot tell."""
    return is_less(sides.slack, Fraction(0))


def _alike(*numbers: Number) -> list[Number]:
    """The numbers as they are, or as balls if one is a ball or an interval, or as doubles."""
    for kind, convert in (((flint.arb, iv.mpf), ball), (float, float)):
        if any(isinstance(number, kind) for number in numbers):
            return [convert(number) for number in numbers]
    return list(numbers)


def _squared_norm(rows: Given) -> Fraction:
    entries: list[Any] = np.array(rows, dtype=object).ravel().tolist()
    return sum((Fraction(v) ** 2 for v in entries), Fraction(0))
