"""Exact rounds: fractions where the theorem is rational, else balls that contain the true numbers."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import pairwise
from numbers import Rational
from typing import Any

import numpy as np
import sympy as sp

from gaptron.learners.arithmetic import Array
from gaptron.numbers.evaluate import Number, ball, evaluate, is_less
from gaptron.symbols import K
from gaptron.system import checks
from gaptron.theory.decoders import BestDecoder
from gaptron.theory.losses import BinaryLoss, MarginLoss, Scores, SoftmaxLoss, top_label
from gaptron.theory.theorem import Theorem

_SQUARED = sp.Symbol("squared_norm", nonnegative=True)


class Exact:
    """Fractions, or balls, in NumPy object arrays."""

    dtype: type = object

    def __init__(self, convert: Callable[[Any], Number]) -> None:
        self.convert = convert

    def number(self, value: Any) -> Number:
        """``value`` (a float is read as the fraction it is) as a Fraction or a ball."""
        if isinstance(value, (Rational, float, int, np.number)):
            value = Fraction(value if isinstance(value, Rational) else float(value))
        return self.convert(value)

    def zeros(self, shape: tuple[int, ...]) -> Array:
        """An array of zeros."""
        return np.full(shape, self.number(0), dtype=object)

    def array(self, values: Any, argument: str, shape: tuple[int, ...]) -> Array:
        """``values`` as an object array; ValueError unless it has this shape and is finite."""
        array = np.array(values, dtype=object)
        checks.shape(array.shape, argument, shape)
        try:
            numbers = [self.number(value) for value in array.ravel()]
        except (TypeError, ValueError, OverflowError) as error:
            raise ValueError(f"{argument} is not an array of finite numbers: {error}") from error
        return np.array(numbers, dtype=object).reshape(shape)

    def scores(self, W: Array, x: Array) -> Array:
        """W x."""
        scores: Array = W @ x
        return scores

    def top(self, scores: Array) -> int:
        """The lowest index among the largest scores (of balls: among those not certainly smaller)."""
        return top_label(scores.tolist())

    def is_less(self, left: Number, right: Number) -> bool:
        """left < right, certainly; UncertainError if balls cannot tell."""
        return is_less(left, right)

    def project(self, W: Array, radius: Any) -> None:
        """Replace W by the nearest point of {||W||_F <= radius}; ValueError if a fraction's root is not one."""
        squared, limit = self.number((W * W).sum()), self.number(radius)
        if is_less(limit * limit, squared):
            norm = evaluate(sp.sqrt(_SQUARED), {_SQUARED: squared})
            if self.convert is Fraction and not isinstance(norm, Fraction):
                raise ValueError(f"radius = {radius}: the projection needs the square root of {squared}: use balls")
            W *= limit / norm


class ExactSurrogate:
    """The loss and gap map of a theorem, evaluated exactly from their symbolic definitions."""

    def __init__(self, theorem: Theorem, n_classes: int, *, balls: bool = False) -> None:
        at = {K: Fraction(n_classes)}
        full = theorem.feedback == "full"
        eta, regret = (theorem.eta(), theorem.regret) if full else (None, None)
        self.loss, self.gap_map = theorem.loss, theorem.gap_map
        self.side = 1
        self.arithmetic = Exact(ball if balls or _needs_balls(theorem) else Fraction)
        self.learning_rate = None if eta is None else self.arithmetic.number(evaluate(eta, at))
        self.regret = None if regret is None else self.arithmetic.number(evaluate(regret, at))

    def gap(self, scores: Iterable[Number]) -> Number:
        """The gap map at these scores."""
        numbers = list(scores)
        a = self.arithmetic.number(self.gap_map.value(numbers, self.loss))
        if a != 1:  # otherwise the prediction does not depend on the top label
            self._require_order(numbers)
        return a

    def value(self, scores: Iterable[Number], label: int) -> Number:
        """The loss of a round."""
        return self.arithmetic.number(self.loss.value(self._ordered(scores), label))

    def score_gradient(self, scores: Iterable[Number], label: int) -> Array:
        """The gradient in the scores (in z for a BinaryLoss), at kinks from the right (``side`` 1) or left (-1)."""
        gradient = self.loss.score_gradient(self._ordered(scores), label, self.side)
        return np.array([self.arithmetic.number(slope) for slope in gradient], dtype=object)

    def is_off(self, scores: Iterable[Number], label: int) -> bool:
        """Whether the loss vanishes because the top label is right with a large margin."""
        return isinstance(self.loss, MarginLoss) and self.loss.is_off(list(scores), label)

    def needs(self, scores: Iterable[Number], eta: Number) -> Array:
        """The least P(label) of every label, shape (K,), at eta in units of 1/X^2; see ``BestDecoder``."""
        numbers = list(scores)
        self._require_order(numbers)
        needs = BestDecoder(self.loss, eta, (self.side,)).needs(numbers)
        return np.array([self.arithmetic.number(need) for need in needs], dtype=object)

    def _ordered(self, scores: Iterable[Number]) -> Scores:
        numbers = list(scores)
        if not isinstance(self.loss, SoftmaxLoss):
            self._require_order(numbers)
        return numbers

    def _require_order(self, scores: Scores) -> None:
        """UncertainError if overlapping balls leave the top label (or a margin) open."""
        top = top_label(scores)
        if isinstance(self.loss, SoftmaxLoss):
            pairs = [(scores[top], score) for k, score in enumerate(scores) if k != top]
        else:
            pairs = list(pairwise(sorted(scores, key=float)))
        for left, right in pairs:
            is_less(left, right)


def _needs_balls(theorem: Theorem) -> bool:
    loss = theorem.loss
    if any(part is not None and not _is_rational(part) for part in (theorem.exploration, theorem.abstention_cost)):
        return True
    if isinstance(loss, SoftmaxLoss):
        return True
    sides = (loss.plus, loss.minus) if isinstance(loss, BinaryLoss) else (loss.phi, loss.off_above)
    parts = [e for e in (*sides, theorem.gap_map.expression, theorem.eta(), theorem.regret) if e is not None]
    return any(not _is_rational(part) for part in parts)


def _is_rational(expr: sp.Expr) -> bool:
    roots = any(not power.exp.is_Integer for power in expr.atoms(sp.Pow))
    return not roots and not expr.has(sp.exp, sp.log, sp.pi, sp.E)
