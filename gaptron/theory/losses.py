"""Surrogate losses, written once as a sympy expression of the scalar that decides them.

Every loss answers ``value(scores, label)`` and ``score_gradient(scores, label)`` for the scores theta = W x of a round,
exactly for scores that are fractions (a ball where the loss is transcendental). The gradient in W is
``outer(score_gradient, x)``. At a kink the gradient is the derivative from the right.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar

import sympy as sp

from gaptron.numbers.evaluate import Number, ball, evaluate, is_less, one_sided_derivative
from gaptron.symbols import K, m, p, z
from gaptron.theory.expressions import Readings, TheoremError, expression, readings

Scores = Sequence[Fraction]


def top_label(scores: Sequence[Any]) -> int:
    """The lowest index among the largest scores: y* of the paper."""
    return max(range(len(scores)), key=lambda k: (scores[k], -k))


def margin(scores: Sequence[Any], label: int) -> Any:
    """m(W, y) = score of ``label`` minus the largest other score (van der Hoeven 2020, section 4.2)."""
    return scores[label] - max(score for k, score in enumerate(scores) if k != label)


def softmax(scores: Scores) -> list[Number]:
    """Balls that contain the softmax probabilities of rational scores."""
    top = max(scores)
    powers = [ball(score - top).exp() for score in scores]
    total = sum(powers[1:], powers[0])
    return [power / total for power in powers]


@lru_cache(maxsize=256)
def numpy_function(expr: sp.Expr, variable: sp.Symbol, n_classes: int) -> Callable[[Any], Any]:
    """``expr`` for ``n_classes`` classes as a NumPy function of an array of values of ``variable``."""
    import numpy as np  # not needed to check theorems

    compiled = sp.lambdify(variable, expr.subs(K, n_classes), "numpy")

    def function(values: Any) -> Any:
        values = np.asarray(values, dtype=float)
        with np.errstate(all="ignore"):
            return np.broadcast_to(np.asarray(compiled(values), dtype=float), values.shape).copy()

    return function


def numpy_derivative(expr: sp.Expr, variable: sp.Symbol, n_classes: int) -> Callable[[Any], Any]:
    """The derivative of ``expr`` as a NumPy function; at a kink, that of the branch that holds there."""
    smooth_branches = expr.rewrite(sp.Piecewise) if expr.has(sp.Min, sp.Max, sp.Abs) else expr
    return numpy_function(sp.diff(smooth_branches, variable), variable, n_classes)


@dataclass(frozen=True)
class MarginLoss:
    """loss(W) = phi(m(W, y)), phi an expression in the margin ``m`` (and ``K``).

    With ``off_above`` = beta (an expression in K), loss and gradient vanish on rounds whose top label is right
    with top margin m* > beta, as in equation (2) of van der Hoeven 2020.
    """

    phi: sp.Expr
    off_above: sp.Expr | None = None

    def __post_init__(self) -> None:
        found = (*readings(self.phi, "MarginLoss phi"), *readings(self.off_above, "MarginLoss off_above"))
        object.__setattr__(self, "readings", found)
        object.__setattr__(self, "phi", expression(self.phi, "MarginLoss phi", (m, K)))
        if self.off_above is not None:
            object.__setattr__(self, "off_above", expression(self.off_above, "MarginLoss off_above", (K,)))

    variable = m
    readings: ClassVar[Readings] = ()

    def is_off(self, scores: Scores, label: int) -> bool:
        """True on rounds where ``off_above`` makes the loss vanish."""
        if self.off_above is None or label != top_label(scores):
            return False
        return is_less(evaluate(self.off_above, {K: Fraction(len(scores))}), margin(scores, label))

    def value(self, scores: Scores, label: int) -> Number:
        """The loss of a round with these (K,) rational scores and true ``label``."""
        if self.is_off(scores, label):
            return Fraction(0)
        return evaluate(self.phi, {m: margin(scores, label), K: Fraction(len(scores))})

    def score_gradient(self, scores: Scores, label: int, side: int = 1) -> list[Number]:
        """The (K,) subgradient in the scores; ``side`` chooses the one-sided derivative at a kink."""
        gradient: list[Number] = [Fraction(0)] * len(scores)
        if self.is_off(scores, label):
            return gradient
        point = {m: margin(scores, label), K: Fraction(len(scores))}
        slope = one_sided_derivative(self.phi, m, point, side)
        others = [score if k != label else None for k, score in enumerate(scores)]
        rival = max((k for k in range(len(scores)) if k != label), key=lambda k: (others[k], -k))
        gradient[label], gradient[rival] = slope, -slope
        return gradient


@dataclass(frozen=True)
class SoftmaxLoss:
    """loss(W) = psi(p_y), psi an expression in the softmax probability ``p`` of the true label."""

    psi: sp.Expr

    def __post_init__(self) -> None:
        object.__setattr__(self, "readings", readings(self.psi, "SoftmaxLoss psi"))
        object.__setattr__(self, "psi", expression(self.psi, "SoftmaxLoss psi", (p, K)))

    variable = p
    readings: ClassVar[Readings] = ()

    def value(self, scores: Scores, label: int) -> Number:
        """The loss of a round with these (K,) rational scores and true ``label``: a ball."""
        return ball(evaluate(self.psi, {p: softmax(scores)[label], K: Fraction(len(scores))}))

    def score_gradient(self, scores: Scores, label: int, side: int = 1) -> list[Number]:
        """The (K,) gradient in the scores, psi'(p_y) p_y (e_y - p): balls."""
        probabilities = softmax(scores)
        point = {p: probabilities[label], K: Fraction(len(scores))}
        factor = ball(one_sided_derivative(self.psi, p, point, side)) * probabilities[label]
        return [factor * (Fraction(k == label).numerator - probability) for k, probability in enumerate(probabilities)]


@dataclass(frozen=True)
class BinaryLoss:
    """loss(w) = plus(z) for the label +1 and minus(z) for -1, z = <w, x>; two classes, one weight vector.

    ``minus`` defaults to ``plus`` at -z. Label 0 stands for +1 and label 1 for -1, so that the lowest index is
    predicted at z = 0; scores (theta_0, theta_1) mean z = theta_0 - theta_1.
    """

    plus: sp.Expr
    minus: sp.Expr | None = None

    def __post_init__(self) -> None:
        found = (*readings(self.plus, "BinaryLoss plus"), *readings(self.minus, "BinaryLoss minus"))
        object.__setattr__(self, "readings", found)
        plus = expression(self.plus, "BinaryLoss plus", (z,))
        minus = plus.subs(z, -z) if self.minus is None else expression(self.minus, "BinaryLoss minus", (z,))
        object.__setattr__(self, "plus", plus)
        object.__setattr__(self, "minus", minus)

    variable = z
    readings: ClassVar[Readings] = ()

    def side(self, label: int) -> sp.Expr:
        """The loss as an expression in z for label 0 (+1) or 1 (-1)."""
        return (self.plus, self.minus)[label]

    def value(self, scores: Scores, label: int) -> Number:
        """The loss of a round with z = scores[0] - scores[1]."""
        return evaluate(self.side(label), {z: scores[0] - scores[1]})

    def score_gradient(self, scores: Scores, label: int, side: int = 1) -> list[Number]:
        """The derivative in z, shape (1,): the gradient of the one weight vector is this times x."""
        return [one_sided_derivative(self.side(label), z, {z: scores[0] - scores[1]}, side)]


Loss = MarginLoss | SoftmaxLoss | BinaryLoss


def check_loss(loss: object) -> None:
    """Raise TheoremError unless ``loss`` is one of the three kinds."""
    if not isinstance(loss, (MarginLoss, SoftmaxLoss, BinaryLoss)):
        raise TheoremError(f"loss = {loss!r} is not a MarginLoss, a SoftmaxLoss or a BinaryLoss")
