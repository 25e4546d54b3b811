"""Surrogate losses with their gap maps, as a learner needs them: by hand, or derived from a theorem.

A surrogate answers, for the (K,) scores W x of a round,
``gap(scores)``                    the gap map a, in [0, 1],
``value(scores, label)``           the loss,
``score_gradient(scores, label)``  its gradient in the scores, shape (K,): the gradient in W is outer(., x),
``is_off(scores, label)``          whether the hinge loss vanishes as the top label is right with m* > beta,
and has ``learning_rate`` (in units of 1/X^2) and ``regret`` (the coefficient of X^2 ||U||^2), or None.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from gaptron.learners.arithmetic import Array
from gaptron.learners.margin import margin_and_rival
from gaptron.system import checks

if TYPE_CHECKING:
    from gaptron.theory.theorem import Theorem

Scalar = Callable[[float], float]

MULTICLASS = ("logistic", "hinge", "smooth hinge")
BINARY = ("smooth hinge", "squared hinge")


class Surrogate(Protocol):
    """See the module's description."""

    @property
    def learning_rate(self) -> Any:
        """eta in units of 1/X^2."""

    @property
    def regret(self) -> Any:
        """The coefficient of X^2 ||U||^2."""

    def gap(self, scores: Any) -> Any:
        """The gap map."""

    def value(self, scores: Any, label: int) -> Any:
        """The loss."""

    def score_gradient(self, scores: Any, label: int) -> Array:
        """Its gradient in the scores."""

    def is_off(self, scores: Any, label: int) -> bool:
        """Whether the loss is switched off."""


@dataclass(frozen=True)
class MarginSurrogate:
    """loss(W) = phi(m(W, y)) with gap map a(m*), slope = phi'; zero on right rounds with m* > off_above."""

    phi: Scalar
    slope: Scalar
    gap_map: Scalar
    learning_rate: float | None
    regret: float | None
    off_above: float = math.inf

    def gap(self, scores: Array) -> float:
        """a at the top margin."""
        return self.gap_map(margin_and_rival(scores, int(np.argmax(scores)))[0])

    def value(self, scores: Array, label: int) -> float:
        """phi at the margin of ``label``."""
        return 0.0 if self.is_off(scores, label) else self.phi(margin_and_rival(scores, label)[0])

    def score_gradient(self, scores: Array, label: int) -> Array:
        """phi'(m) at ``label`` and -phi'(m) at its rival: the lowest index among the largest other scores."""
        gradient = np.zeros(len(scores))
        if not self.is_off(scores, label):
            margin, rival = margin_and_rival(scores, label)
            gradient[label] = self.slope(margin)
            gradient[rival] = -gradient[label]
        return gradient

    def is_off(self, scores: Array, label: int) -> bool:
        """True if the top label is right with m* > off_above."""
        if math.isinf(self.off_above):
            return False
        return bool(label == np.argmax(scores)) and margin_and_rival(scores, label)[0] > self.off_above


@dataclass(frozen=True)
class SoftmaxSurrogate:
    """loss(W) = psi(p_y) with gap map a(p*); ``psi`` and ``slope`` = psi' take log p_y."""

    psi: Scalar
    slope: Scalar
    gap_map: Scalar
    learning_rate: float | None
    regret: float | None

    def gap(self, scores: Array) -> float:
        """a at the largest probability."""
        return self.gap_map(math.exp(log_softmax(scores).max()))

    def value(self, scores: Array, label: int) -> float:
        """psi at log p_y."""
        return self.psi(float(log_softmax(scores)[label]))

    def score_gradient(self, scores: Array, label: int) -> Array:
        """psi'(p_y) p_y (e_y - p)."""
        logarithms = log_softmax(scores)
        direction = -np.exp(logarithms)
        direction[label] += 1.0
        return self.slope(float(logarithms[label])) * direction

    def is_off(self, scores: Array, label: int) -> bool:
        """Never."""
        return False


@dataclass(frozen=True)
class BinarySurrogate:
    """loss(w) = sides[label](z), z = <w, x> = scores[0] - scores[1], with gap map a(|z|); label 0 is +1."""

    sides: tuple[Scalar, Scalar]
    slopes: tuple[Scalar, Scalar]
    gap_map: Scalar
    learning_rate: float | None
    regret: float | None

    def gap(self, scores: Array) -> float:
        """a at |z|."""
        return self.gap_map(abs(_difference(scores)))

    def value(self, scores: Array, label: int) -> float:
        """The loss at z."""
        return self.sides[label](_difference(scores))

    def score_gradient(self, scores: Array, label: int) -> Array:
        """The derivative in z, shape (1,)."""
        return np.array([self.slopes[label](_difference(scores))])

    def is_off(self, scores: Array, label: int) -> bool:
        """Never."""
        return False


def _difference(scores: Array) -> float:
    return float(scores[0]) - float(scores[1])


def log_softmax(scores: Array) -> Array:
    """log p of (K,) scores."""
    with np.errstate(over="ignore"):
        shifted: Array = scores - np.max(scores)
    return shifted - math.log(np.exp(shifted).sum())


# --- the losses of the documents, by hand -------------------------------------------------------------------


def named(name: str, n_classes: int) -> MarginSurrogate | SoftmaxSurrogate:
    """Equations (1)-(3) of van der Hoeven 2020 with the gap maps and constants of its Theorems 1-3."""
    n = checks.integer(n_classes, "n_classes", 2)
    if checks.choice(name, "loss", MULTICLASS) == "logistic":
        ln2 = math.log(2)
        return SoftmaxSurrogate(lambda u: -u / ln2, lambda u: -1 / ln2, _logistic_gap, ln2 / (2 * n), n / ln2)
    if name == "hinge":
        return MarginSurrogate(
            _hinge,
            _hinge_slope,
            lambda m: 1 - m if m <= 1 / n else 0.0,
            (1 - 1 / n) / n,
            n**2 / (2 * (n - 1)),
            off_above=1 / n,
        )
    return MarginSurrogate(_smooth_hinge, _smooth_hinge_slope, _squared_hinge, 1 / (4 * n), 2.0 * n)


def named_binary(name: str) -> BinarySurrogate:
    """The blog's Example 2: a is the loss of the predicted label, eta = 1/(4 R^2)."""
    smooth = checks.choice(name, "loss", BINARY) == "smooth hinge"
    phi, slope = (_smooth_hinge, _smooth_hinge_slope) if smooth else (_squared_hinge, _squared_hinge_slope)
    return BinarySurrogate((phi, lambda z: phi(-z)), (slope, lambda z: -slope(-z)), phi, 1 / 4, 2.0)


def _logistic_gap(p: float) -> float:
    return 1 - p if p >= 0.5 else 1.0


def _hinge(m: float) -> float:
    return max(1 - m, 0.0)


def _hinge_slope(m: float) -> float:
    return -1.0 if m < 1 else 0.0


def _squared_hinge(m: float) -> float:
    return _hinge(m) * _hinge(m)


def _squared_hinge_slope(m: float) -> float:
    return -2 * _hinge(m)


def _smooth_hinge(m: float) -> float:
    return 1 - 2 * m if m <= 0 else _squared_hinge(m)


def _smooth_hinge_slope(m: float) -> float:
    return -2.0 if m <= 0 else _squared_hinge_slope(m)


# --- the same losses as symbols, for exact rounds -----------------------------------------------------------


def named_theorem(name: str) -> "Theorem":
    """Theorems 1-3 of van der Hoeven 2020 as symbolic definitions."""
    from sympy import Integer, Max, Min, Piecewise, Rational, log

    from gaptron.symbols import K, m, p
    from gaptron.theory.decoders import GapMap
    from gaptron.theory.losses import Loss, MarginLoss, SoftmaxLoss
    from gaptron.theory.theorem import Theorem

    smooth = Piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, m < 1), (Integer(0), True))
    parts: dict[str, tuple[Loss, Any, Any, Any]] = {
        "logistic": (
            SoftmaxLoss(-log(p, 2)),
            Piecewise((1 - p, p >= Rational(1, 2)), (1, True)),
            log(2) / (2 * K),
            K / log(2),
        ),
        "hinge": (
            MarginLoss(Max(1 - m, 0), off_above=1 / K),
            Piecewise((1 - m, m <= 1 / K), (0, True)),
            (1 - 1 / K) / K,
            K**2 / (2 * (K - 1)),
        ),
        "smooth hinge": (MarginLoss(smooth), (1 - Min(1, m)) ** 2, 1 / (4 * K), 2 * K),
    }
    loss, gap_map, rate, regret = parts[checks.choice(name, "loss", MULTICLASS)]
    return Theorem(name=name, loss=loss, gap_map=GapMap(gap_map), learning_rate=rate, regret=regret)


def named_binary_theorem(name: str) -> "Theorem":
    """The blog's Example 2 as symbolic definitions."""
    from sympy import Integer, Min, Piecewise, Rational

    from gaptron.symbols import m, z
    from gaptron.theory.decoders import GapMap
    from gaptron.theory.losses import BinaryLoss
    from gaptron.theory.theorem import Theorem

    squared = Piecewise(((1 - z) ** 2, z < 1), (Integer(0), True))
    smooth = Piecewise((1 - 2 * z, z <= 0), ((1 - z) ** 2, z < 1), (Integer(0), True))
    loss = {"smooth hinge": smooth, "squared hinge": squared}[checks.choice(name, "loss", BINARY)]
    return Theorem(
        name=name,
        loss=BinaryLoss(plus=loss),
        gap_map=GapMap((1 - Min(1, m)) ** 2),
        learning_rate=Rational(1, 4),
        regret=Integer(2),
    )


# --- from a theorem -----------------------------------------------------------------------------------------


def checked_theorem(loss: object, names: tuple[str, ...]) -> "Theorem":
    """``loss`` if it is a Theorem; else a ValueError that lists the losses with a name."""
    from gaptron.theory.theorem import Theorem

    if not isinstance(loss, Theorem):
        allowed = ", ".join(f'"{name}"' for name in names)
        raise ValueError(f"loss = {loss!r} is neither one of {allowed} nor a gaptron.Theorem")
    if loss.update == "proximal":
        raise ValueError(
            f'loss = theorem "{loss.name}": its updates are proximal, and this learner takes gradient steps'
        )
    if loss.parameters:
        open_ = ", ".join(parameter.name for parameter in loss.parameters)
        raise ValueError(
            f'loss = theorem "{loss.name}" has the parameters {open_}: give their values by theorem.at(...)'
        )
    return loss


def from_theorem(theorem: "Theorem", n_classes: int) -> MarginSurrogate | SoftmaxSurrogate | BinarySurrogate:
    """The theorem's loss and gap map in doubles; at a kink, the slope of the branch that holds there."""
    from gaptron.symbols import K, m, p
    from gaptron.theory.losses import BinaryLoss, MarginLoss

    def number(expr: Any) -> float | None:
        return None if expr is None else float(expr.subs(K, n_classes))

    full = theorem.feedback == "full"
    constants = (number(theorem.eta()), number(theorem.regret)) if full else (None, None)
    loss, a = theorem.loss, theorem.gap_map.expression
    if isinstance(loss, MarginLoss):
        beta = number(loss.off_above)
        return MarginSurrogate(
            *_scalars(loss.phi, m, n_classes), _scalar(a, m, n_classes), *constants, math.inf if beta is None else beta
        )
    if isinstance(loss, BinaryLoss):
        (plus, plus_slope), (minus, minus_slope) = (_scalars(loss.side(y), loss.variable, 2) for y in (0, 1))
        return BinarySurrogate((plus, minus), (plus_slope, minus_slope), _scalar(a, m, 2), *constants)
    return SoftmaxSurrogate(*_log_scalars(loss.psi, n_classes), _scalar(a, p, n_classes), *constants)


def _scalar(expr: Any, variable: Any, n_classes: int) -> Scalar:
    from gaptron.theory.losses import numpy_function

    function = numpy_function(expr, variable, n_classes)
    return lambda value: float(function(value))


def _scalars(expr: Any, variable: Any, n_classes: int) -> tuple[Scalar, Scalar]:
    from gaptron.theory.losses import numpy_derivative

    slope = numpy_derivative(expr, variable, n_classes)
    return _scalar(expr, variable, n_classes), lambda value: float(slope(value))


def _log_scalars(psi: Any, n_classes: int) -> tuple[Scalar, Scalar]:
    return _scalars(*in_log_p(psi), n_classes)


def in_log_p(psi: Any) -> tuple[Any, Any]:
    """psi as an expression in u = log p, which keeps its range when p underflows, and u; its slope is psi'(p) p."""
    from sympy import Symbol, exp

    from gaptron.symbols import p

    u = Symbol("u", real=True)
    return psi.subs(p, exp(u)), u
