"""The losses of the documents that have a name, as theorems."""

from dataclasses import replace
from fractions import Fraction
from functools import cache

from sympy import Integer, Max, Min, Piecewise, Rational, log

from gaptron.symbols import K, m, p, z
from gaptron.system import checks
from gaptron.theory.decoders import GapMap
from gaptron.theory.losses import BinaryLoss, MarginLoss, SoftmaxLoss
from gaptron.theory.theorem import Theorem

HINGE = MarginLoss(Max(1 - m, 0))
SQUARED_HINGE = MarginLoss(Max(1 - m, 0) ** 2)
MULTICLASS = ("logistic", "hinge", "smooth hinge")
BINARY = ("smooth hinge", "squared hinge")


@cache
def named_theorem(name: str) -> Theorem:
    """Theorems 1-3 of van der Hoeven 2020."""
    return _MULTICLASS[checks.choice(name, "loss", MULTICLASS)]()


@cache
def named_proximal_theorem(name: str) -> Theorem:
    """The same losses, that of the hinge in every round, with the constants that no algorithm beats.

    The logistic one is 0.18645264, the true number rounded upwards.
    """
    given = named_theorem(name)
    loss = MarginLoss(given.loss.phi) if isinstance(given.loss, MarginLoss) else given.loss
    c = {"logistic": Rational(18645264, 10**8), "hinge": K**2 / (4 * (K - 1)), "smooth hinge": K}[name]
    return Theorem(name=f"{name}, proximal", loss=loss, decoder="best", update="proximal", regret=c)


@cache
def named_abstaining_theorem(name: str, cost: Fraction) -> Theorem:
    """The same with the rates of ``proofs/slides/abstention_losses.py``, where abstaining costs less than a mistake."""
    given, left = named_theorem(name), Rational(1 - cost)
    beta = left / (1 + left)
    constant = {"logistic": 1 / (left * log(2)), "hinge": 1 / (2 * beta), "smooth hinge": 2 / left}[name]
    changed = replace(given, learning_rate=1 / (2 * constant), regret=constant)
    if not isinstance(given.loss, MarginLoss) or given.loss.off_above is None:
        return changed
    gap_map = GapMap(Piecewise((1 - m, m <= beta), (Integer(0), True)))
    return replace(changed, loss=replace(given.loss, off_above=beta), gap_map=gap_map)


@cache
def named_binary_theorem(name: str) -> Theorem:
    """The blog's Example 2: a is the loss of the predicted label, eta = 1/(4 R^2)."""
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


@cache
def named_binary_proximal_theorem(name: str) -> Theorem:
    """The same losses with the constant that no algorithm beats: 1/2 <= (1 - z)^2 + c z^2 for all z."""
    loss = named_binary_theorem(name).loss
    return Theorem(name=f"{name}, proximal", loss=loss, decoder="best", update="proximal", regret=Integer(1))


@cache
def unclipped_quadratic(eta: Fraction) -> MarginLoss:
    """1 - 2 m/(2 - eta) + eta m^2/(2 - eta), eta in [0, 1] (Beygelzimer, Orabona, Zhang 2017, equation (2))."""
    if not 0 <= eta <= 1:
        raise ValueError(f"eta = {eta} is not a number in [0, 1]")
    share = Rational(eta) / (2 - Rational(eta))
    return MarginLoss((1 - m) * (1 - share * m))


@cache
def quadratic_loss(eta: Fraction) -> MarginLoss:
    """The same for m <= 1, and 0 above (equations (2) and (3)): the hinge loss at 0, its square at 1."""
    return MarginLoss(Piecewise((unclipped_quadratic(eta).phi, m <= 1), (Integer(0), True)))


def _logistic() -> Theorem:
    """Equation (1)."""
    return Theorem(
        name="logistic",
        loss=SoftmaxLoss(-log(p, 2)),
        gap_map=GapMap(Piecewise((1 - p, p >= Rational(1, 2)), (1, True))),
        learning_rate=log(2) / (2 * K),
        regret=K / log(2),
    )


def _hinge() -> Theorem:
    """Equation (2)."""
    return Theorem(
        name="hinge",
        loss=replace(HINGE, off_above=1 / K),
        gap_map=GapMap(Piecewise((1 - m, m <= 1 / K), (0, True))),
        learning_rate=(1 - 1 / K) / K,
        regret=K**2 / (2 * (K - 1)),
    )


def _smooth_hinge() -> Theorem:
    """Equation (3), truncated at margin 1."""
    smooth = Piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, m < 1), (Integer(0), True))
    return Theorem(
        name="smooth hinge",
        loss=MarginLoss(smooth),
        gap_map=GapMap((1 - Min(1, m)) ** 2),
        learning_rate=1 / (4 * K),
        regret=2 * K,
    )


_MULTICLASS = {"logistic": _logistic, "hinge": _hinge, "smooth hinge": _smooth_hinge}
