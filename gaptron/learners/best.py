"""Predicting with the best decoder (``theory.decoders.BestDecoder``): what every label needs, in doubles at once."""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from gaptron.learners.arithmetic import Array
from gaptron.learners.margin import margin_and_rival
from gaptron.learners.surrogates import in_log_p, log_softmax
from gaptron.system import checks

if TYPE_CHECKING:
    from gaptron.theory.theorem import Theorem

DECODERS = ("gap map", "best")
Needs = Callable[[Array, Any], Array]
Valued = Callable[[Array], tuple[Array, Array]]


class LearningRateError(ValueError):
    """A learning rate for which no prediction exists at scores that a learner met."""


def chosen(decoder: str | None, loss: "str | Theorem") -> str:
    """The decoder that is asked for, else the theorem's; "gap map" for a loss with a name."""
    own = "gap map" if isinstance(loss, str) else loss.decoder
    asked = own if decoder is None else checks.choice(decoder, "decoder", DECODERS)
    if asked != own == "best":
        raise ValueError(f'decoder = {asked!r}: the theorem has no gap map, so it must be "best"')
    return asked


def needs_of(learner: Any, named: "Callable[[str], Theorem]", exploration: Any = None) -> Needs | None:
    """``needs(scores, eta)``, the least P(label) of every label with eta in units of 1/X^2; None with a gap map.

    ``named`` gives the theorem of a loss that has a name.

    Raises
    ------
    ValueError
        If the best decoder is asked for together with what it does not go with.
    """
    if learner.decoder != "best":
        return None
    given = {"feedback": learner.feedback, "ties": learner.ties, "exploration": exploration or 0}
    for argument, allowed in {"feedback": "full", "ties": "lowest", "exploration": 0}.items():
        if given[argument] != allowed:
            raise ValueError(f'{argument} = {given[argument]!r}: with decoder = "best" it must be {allowed!r}')
    if learner.exact:
        return learner.surrogate.needs  # type: ignore[no-any-return]
    loss = learner.loss_given
    return _doubles(named(loss) if isinstance(loss, str) else loss, learner.n_classes)


def too_large(learner: Any, learning_rate: Any, scores: Any, total: Any) -> LearningRateError:
    """The error of labels that together need a probability of more than 1."""
    loss = learner.loss_given
    return LearningRateError(
        f"learning_rate = {learning_rate} is too large for the {getattr(loss, 'name', loss)} loss: at the scores "
        f"{[str(score) for score in scores]} the labels need probabilities that sum to {total}"
    )


def _doubles(theorem: "Theorem", n_classes: int) -> Needs:
    """max(0, 1 - loss + (eta/2) ||g||^2) of all labels, g the gradient that the learner's step takes."""
    from gaptron.theory.losses import BinaryLoss, MarginLoss

    loss: Any = theorem.loss
    kind = _margin if isinstance(loss, MarginLoss) else _binary if isinstance(loss, BinaryLoss) else _softmax
    valued = kind(loss, n_classes)

    def needs(scores: Array, eta: Any) -> Array:
        with np.errstate(over="ignore", invalid="ignore"):
            losses, squares = valued(scores)
            wanted: Array = np.maximum(1 - losses + eta / 2 * squares, 0)
        if not np.isfinite(wanted).all():
            raise OverflowError("the losses overflow: lower learning_rate, or scale the features")
        return wanted

    return needs


def _margin(loss: Any, n_classes: int) -> Valued:
    from gaptron.symbols import K, m

    phi, slope = _functions(loss.phi, m, n_classes)
    beta = math.inf if loss.off_above is None else float(loss.off_above.subs(K, n_classes))

    def valued(scores: Array) -> tuple[Array, Array]:
        top = int(scores.argmax())
        margins = scores - scores[top]
        margins[top] = margin_and_rival(scores, top)[0]
        losses, squares = phi(margins), 2 * slope(margins) ** 2
        if margins[top] > beta:
            losses[top] = squares[top] = 0
        return losses, squares

    return valued


def _softmax(loss: Any, n_classes: int) -> Valued:
    psi, slope = _functions(*in_log_p(loss.psi), n_classes)

    def valued(scores: Array) -> tuple[Array, Array]:
        logarithms = log_softmax(scores)
        p = np.exp(logarithms)
        return psi(logarithms), slope(logarithms) ** 2 * (1 - 2 * p + (p * p).sum())

    return valued


def _binary(loss: Any, n_classes: int) -> Valued:
    from gaptron.symbols import z

    sides = [_functions(loss.side(label), z, n_classes) for label in (0, 1)]

    def valued(scores: Array) -> tuple[Array, Array]:
        score = scores[0] - scores[1]
        losses, slopes = (np.array([side[part](score) for side in sides]) for part in (0, 1))
        return losses, slopes**2

    return valued


def _functions(expr: Any, variable: Any, n_classes: int) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    from gaptron.theory.losses import numpy_derivative, numpy_function

    return numpy_function(expr, variable, n_classes), numpy_derivative(expr, variable, n_classes)
