"""Surrogate losses, written once as a sympy expression of the scalar that decides them.

What they are at the scores of a round, in every kind of number, is said in ``gaptron.rounds``.
"""

from dataclasses import MISSING, dataclass, fields, replace
from functools import lru_cache
from typing import ClassVar

import sympy as sp

from gaptron.door.reading import name_of, read
from gaptron.language.theorems import LossData
from gaptron.symbols import K, m, p, z
from gaptron.system.final import final
from gaptron.theory.refusals import Readings, TheoremError, hidden, named
from gaptron.theory.user_expressions import expression, readings

__tracebackhide__ = hidden
Functions = tuple[tuple[str, sp.Expr, sp.Symbol], ...]
THRESHOLD = "off_above"  # the one argument that is no function of the variable


class _Written:
    """What is written in sympy, in one ``variable`` (and ``K``, with more than two classes), and read as data."""

    variable: ClassVar[sp.Symbol]
    classes: ClassVar[tuple[sp.Symbol, ...]] = (K,)
    words: ClassVar[tuple[str, ...]] = ()  # what each of its functions is
    readings: ClassVar[Readings] = ()

    def __post_init__(self) -> None:
        found: list[tuple[str, str, str]] = []
        for field in fields(self):  # type: ignore[arg-type]
            value, argument = getattr(self, field.name), f"{type(self).__name__} {field.name}"
            if value is not None or field.default is MISSING:
                found += readings(value, argument)
                allowed = self.classes if field.name == THRESHOLD else (self.variable, *self.classes)
                object.__setattr__(self, field.name, expression(value, argument, allowed))
        object.__setattr__(self, "readings", tuple(found))

    @property
    def data(self) -> LossData:
        """The loss as data of the language."""
        return _data_of(self)

    @property
    def functions(self) -> Functions:
        """The functions of one number that make it up: name, expression and variable of each."""
        names = (field.name for field in fields(self) if field.name != THRESHOLD)  # type: ignore[arg-type]
        return tuple((name, getattr(self, name), self.variable) for name in names)


@final
@named
@dataclass(frozen=True)
class MarginLoss(_Written):
    """loss(W) = phi(m(W, y)), phi an expression in the margin ``m`` (and ``K``).

    With ``off_above`` = beta (an expression in K), loss and gradient vanish on rounds whose top label is right
    with top margin m* > beta, as in equation (2) of van der Hoeven 2020.

    Examples
    --------
    >>> from sympy import Max
    >>> from gaptron import MarginLoss
    >>> from gaptron.symbols import K, m
    >>> MarginLoss(Max(1 - m, 0), off_above=1 / K)
    MarginLoss(phi=Max(0, 1 - m), off_above=1/K)
    """

    phi: sp.Expr
    off_above: sp.Expr | None = None

    variable, words = m, ("surrogate loss in the margin m",)


@final
@named
@dataclass(frozen=True)
class SoftmaxLoss(_Written):
    """loss(W) = psi(p_y), psi an expression in the softmax probability ``p`` of the true label.

    Examples
    --------
    >>> from sympy import log
    >>> from gaptron import SoftmaxLoss
    >>> from gaptron.symbols import p
    >>> SoftmaxLoss(-log(p, 2)).psi
    -log(p)/log(2)
    """

    psi: sp.Expr

    variable, words = p, ("surrogate loss in the probability p of the true label",)


@final
@named
@dataclass(frozen=True)
class BinaryLoss(_Written):
    """loss(w) = plus(z) for the label +1 and minus(z) for -1, z = <w, x>; two classes, one weight vector.

    ``minus`` defaults to ``plus`` at -z. Label 0 stands for +1 and label 1 for -1, so that the lowest index is
    predicted at z = 0; scores (theta_0, theta_1) mean z = theta_0 - theta_1.

    Examples
    --------
    >>> from sympy import Max
    >>> from gaptron import BinaryLoss
    >>> from gaptron.symbols import z
    >>> BinaryLoss(Max(1 - z, 0)).minus
    Max(0, z + 1)
    """

    plus: sp.Expr
    minus: sp.Expr | None = None

    variable, classes = z, ()
    words = ("surrogate loss in z, label +1", "surrogate loss in z, label -1")

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.minus is None:
            object.__setattr__(self, "minus", self.plus.subs(z, -z))

    def side(self, label: int) -> sp.Expr:
        """The loss as an expression in z for label 0 (+1) or 1 (-1)."""
        return (self.plus, self.minus)[label]


@final
@named
@dataclass(frozen=True)
class PairwiseLoss(_Written):
    """loss(W) = sum over k != y of phi(theta_y - theta_k), phi an expression in the margin ``m`` (and ``K``).

    A hinge for every rival is the loss of Weston and Watkins. The theorem has ``update="proximal"``.

    Examples
    --------
    >>> from sympy import Max
    >>> from gaptron import PairwiseLoss
    >>> from gaptron.symbols import m
    >>> PairwiseLoss(Max(1 - m, 0)).phi
    Max(0, 1 - m)
    """

    phi: sp.Expr

    variable, words = m, ("surrogate loss for each rival, in the margin m over it",)


@final
@named
@dataclass(frozen=True)
class SeparableLoss(_Written):
    """loss(W) = own(theta_y) + sum over k != y of other(theta_k), both expressions in a score ``z`` (and ``K``).

    One-versus-all losses are of this kind. The theorem has ``update="proximal"``.

    Examples
    --------
    >>> from sympy import Max
    >>> from gaptron import SeparableLoss
    >>> from gaptron.symbols import z
    >>> SeparableLoss(own=Max(1 - z, 0), other=Max(1 + z, 0)).other
    Max(0, z + 1)
    """

    own: sp.Expr
    other: sp.Expr

    variable = z
    words = ("surrogate loss of the label's own score z", "surrogate loss of every other score z")


LossOfAllScores = PairwiseLoss | SeparableLoss
Loss = MarginLoss | SoftmaxLoss | BinaryLoss | LossOfAllScores
OF_ALL_SCORES = (PairwiseLoss, SeparableLoss)
KINDS = (MarginLoss, SoftmaxLoss, BinaryLoss, *OF_ALL_SCORES)


@lru_cache(maxsize=256)
def _data_of(loss: Loss) -> LossData:
    off_above = threshold_of(loss)
    functions = tuple(read(function) for _, function, _ in loss.functions)
    return LossData(
        type(loss).__name__, name_of(loss.variable), functions, None if off_above is None else read(off_above)
    )


def threshold_of(loss: Loss) -> sp.Expr | None:
    """The top margin above which right rounds are off."""
    return loss.off_above if isinstance(loss, MarginLoss) else None


def with_threshold(loss: Loss, threshold: sp.Expr | None) -> Loss:
    """The loss with another threshold, or without one, if it may have one."""
    return replace(loss, off_above=threshold) if isinstance(loss, MarginLoss) else loss


def check_loss(loss: object) -> None:
    """Raise TheoremError unless ``loss`` is of one of the kinds."""
    if type(loss) not in KINDS:
        given = f"{loss}" if isinstance(loss, (sp.Basic, str, int, float)) else f"a {type(loss).__name__}"
        raise TheoremError(
            f"loss = {given} is not a MarginLoss, a SoftmaxLoss or a BinaryLoss, nor a PairwiseLoss or a SeparableLoss "
            "of all scores; other losses of scores may be a StructuredTheorem's"
        )
