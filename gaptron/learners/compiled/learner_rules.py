"""What a compiled run has to know of a learner.

The kernels are compiled with the numbers below, and numba's cache looks for changes in their own files only: after a
change here, touch ``gradient_loops.py`` and ``proximal_loops.py``, or delete
``gaptron/learners/compiled/__pycache__/*.nb*``.
"""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gaptron.numbers.evaluate import value_at
from gaptron.rounds.proximal_margins import MarginSteps
from gaptron.rounds.proximal_softmax import LOG_P, SoftmaxSteps, in_log_p

LOGISTIC, HINGE, SMOOTH_HINGE, PERCEPTRON, BANDITRON = range(5)
LOSSES = {"logistic": LOGISTIC, "hinge": HINGE, "smooth hinge": SMOOTH_HINGE}
LARGEST = 1e100


class Rule(NamedTuple):
    """What is learned by gradient steps: one of the five kinds above, with K, eta, gamma and D."""

    kind: int
    n_classes: int
    bandit: bool
    learning_rate: float
    exploration: float
    radius: float


class ProximalRule(NamedTuple):
    """Proximal steps with rate eta and the best decoder: a loss of the margin, or ``free + slope log p``.

    ``curves`` has a row for each piece of a loss of the margin: from, to, and the coefficients of 1, m and m^2.
    """

    n_classes: int
    learning_rate: float
    squared_norm: float
    is_margin: bool
    free: float
    slope: float
    curves: NDArray[np.float64]


def rule_of(learner: Any) -> Rule | ProximalRule | None:
    """The learner's rule; None if it has no compiled run.

    A subclass is another learner. The radius must be infinite or within 1e-100 and 1e100, where no square leaves
    the range of doubles.
    """
    rule = RULES.get(f"{type(learner).__module__}.{type(learner).__qualname__}")
    return None if rule is None or type(learner.rng) is not np.random.Generator else rule(learner)


def _gaptron(learner: Any) -> Rule | ProximalRule | None:
    radius = float(learner.radius)
    if learner.exact or learner.ties != "lowest" or (learner.delay and not math.isinf(radius)):
        return None
    if learner.update_rule == "proximal":
        return _proximal(learner)
    if learner.decoder != "gap map":
        return None
    if not isinstance(learner.loss_given, str):
        return None
    if not (1 / LARGEST <= radius <= LARGEST or math.isinf(radius)):
        return None
    kind, bandit = LOSSES[learner.loss_given], learner.feedback == "bandit"
    return Rule(kind, learner.n_classes, bandit, float(learner.learning_rate), float(learner.exploration), radius)


def _proximal(learner: Any) -> ProximalRule | None:
    """None if the loss has a piece of another form, or numbers that leave no room."""
    steps = learner.surrogate.proximal
    free, slope, curves = 0.0, 0.0, np.zeros((0, 5))
    if isinstance(steps, MarginSteps):
        pieces = [(curve.low, curve.high, *curve.parabola) for curve in steps.curves if curve.parabola is not None]
        if len(pieces) < len(steps.curves):
            return None
        curves = np.array(pieces, dtype=np.float64)
    elif not isinstance(steps, SoftmaxSteps):
        return None
    else:
        value, first, second = in_log_p(learner.surrogate.loss.for_classes(learner.n_classes).functions[0])
        if second != 0:
            return None
        free, slope = float(value_at(value, {LOG_P: 0})), float(value_at(first, {}))
    rate, squared = float(learner.learning_rate), float(learner.feature_norm) ** 2
    if not all(1 / LARGEST <= number <= LARGEST for number in (rate, squared, rate * squared)):
        return None
    return ProximalRule(learner.n_classes, rate, squared, isinstance(steps, MarginSteps), free, slope, curves)


def _perceptron(learner: Any) -> Rule:
    bandit = learner.feedback == "bandit"
    kind = BANDITRON if bandit else PERCEPTRON
    return Rule(kind, learner.n_classes, bandit, 1.0, float(learner.exploration), math.inf)


RULES: dict[str, Callable[[Any], Rule | ProximalRule | None]] = {
    "gaptron.learners.banditron.Banditron": _perceptron,
    "gaptron.learners.gaptron.Gaptron": _gaptron,
    "gaptron.learners.perceptron.Perceptron": _perceptron,
    "gaptron.learners.proximal_logistic.ProximalLogistic": _gaptron,
}
