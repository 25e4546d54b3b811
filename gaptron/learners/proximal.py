"""Learning by proximal steps: W+ = argmin_V loss(V) + ||V - W||^2/(2 eta), predicting what the envelopes need."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from gaptron.learners.arithmetic import Array
from gaptron.numbers.kinds import Number
from gaptron.system import checks
from gaptron.theory.theorem import Theorem

UPDATES = ("gradient", "proximal")
ROUNDING = 1e-9


def chosen(update: str | None, loss: str | Theorem, named: Callable[[str], Theorem]) -> tuple[str, str | Theorem]:
    """The update that is asked for, else the theorem's; with a loss that has a name, the theorem that goes with it.

    ``named`` gives the theorem about proximal updates.
    """
    own = "gradient" if isinstance(loss, str) else getattr(loss, "update", "gradient")
    asked = own if update is None else checks.choice(update, "update", UPDATES)
    if isinstance(loss, str):
        return asked, named(loss) if asked == "proximal" else loss
    if asked != own:
        raise ValueError(f'update = {asked!r}: theorem "{loss.name}" is about {own} updates')
    return asked, loss


def check(learner: Any) -> None:
    """ValueError if there is a projection, or if the steps cannot be computed."""
    if learner.update_rule != "proximal":
        return
    if not math.isinf(getattr(learner, "radius", math.inf)):
        raise ValueError(f'radius = {learner.radius}: with update = "proximal" there is no projection')
    try:
        _ = learner.surrogate.proximal
    except NotImplementedError as reason:
        raise ValueError(str(reason)) from reason


def needs(learner: Any, scores: Array, x: Array, squared_norm: Number) -> Array:
    """max(0, 1 - e_k) of every label, e the envelope with c = 1/(2 eta X^2)."""
    room = ROUNDING if learner._arithmetic.dtype is float else 0
    require_norm(learner, (x * x).sum(), squared_norm * (1 + room))
    found = learner.surrogate.proximal.envelopes(scores.tolist(), 1 / (2 * learner.learning_rate * squared_norm))
    larger = learner.surrogate.kind.larger
    return np.array([larger(1 - envelope, envelope * 0) for envelope in found], dtype=scores.dtype)


def change(learner: Any, prediction: Any, label: int) -> tuple[Array, Array]:
    """The rows that move, and by how much: along x, as far as the scores move."""
    x = prediction.x
    squared = (x * x).sum()
    if squared == 0:
        return np.array([], dtype=int), learner._arithmetic.zeros((0, len(x)))
    step = learner.surrogate.proximal.step(prediction.scores.tolist(), label, 1 / (2 * learner.learning_rate * squared))
    move = np.array(step.move, dtype=prediction.scores.dtype)
    rows = np.flatnonzero(move)
    return rows, np.outer(move[rows], x) / squared


def require_norm(learner: Any, squared: Number, most: Number) -> None:
    """ValueError if ||x||^2 is certainly larger: the theorem is about ||x|| <= X, a longer row would need another c."""
    if squared > most:
        raise ValueError(f"||x|| = {float(squared) ** 0.5:.6g} is more than feature_norm = {learner.feature_norm}")
