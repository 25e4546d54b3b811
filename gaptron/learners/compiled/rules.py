"""What a compiled run has to know of a learner.

The kernels are compiled with the numbers below, and numba's cache looks for changes in ``kernels.py`` only: after a
change here, touch that file, or delete ``gaptron/learners/compiled/__pycache__/kernels.*.nb*``.
"""

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from gaptron.learners.learner import Learner

LOGISTIC, HINGE, SMOOTH_HINGE, PERCEPTRON, BANDITRON = range(5)
LOSSES = {"logistic": LOGISTIC, "hinge": HINGE, "smooth hinge": SMOOTH_HINGE}
LARGEST = 1e100


class Rule(NamedTuple):
    """What is learned: one of the five kinds above, with K, eta, gamma and D."""

    kind: int
    n_classes: int
    bandit: bool
    learning_rate: float
    exploration: float
    radius: float


def rule_of(learner: "Learner") -> Rule | None:
    """The learner's rule; None if it has no compiled run.

    A subclass is another learner. The radius must be infinite or within 1e-100 and 1e100, where no square leaves
    the range of doubles.
    """
    rule = RULES.get(f"{type(learner).__module__}.{type(learner).__qualname__}")
    return None if rule is None or type(learner.rng) is not np.random.Generator else rule(learner)


def _gaptron(learner: Any) -> Rule | None:
    radius = float(learner.radius)
    if learner.exact or learner.ties != "lowest" or learner.decoder != "gap map":
        return None
    if not isinstance(learner.loss_given, str):
        return None
    if not (1 / LARGEST <= radius <= LARGEST or math.isinf(radius)):
        return None
    kind, bandit = LOSSES[learner.loss_given], learner.feedback == "bandit"
    return Rule(kind, learner.n_classes, bandit, float(learner.learning_rate), float(learner.exploration), radius)


def _perceptron(learner: Any) -> Rule:
    return Rule(PERCEPTRON, learner.n_classes, False, 1.0, 0.0, math.inf)


def _banditron(learner: Any) -> Rule:
    return Rule(BANDITRON, learner.n_classes, True, 1.0, float(learner.exploration), math.inf)


RULES: dict[str, Callable[[Any], Rule | None]] = {
    "gaptron.learners.banditron.Banditron": _banditron,
    "gaptron.learners.gaptron.Gaptron": _gaptron,
    "gaptron.learners.perceptron.Perceptron": _perceptron,
}
