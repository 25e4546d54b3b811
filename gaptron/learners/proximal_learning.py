"""Learning by proximal steps: W+ = argmin_V loss(V) + ||V - W||^2/(2 eta), predicting what the envelopes need."""

import math
from collections.abc import Callable
from typing import Any

from gaptron.system import checks
from gaptron.theory.theorem import Theorem

UPDATES = ("gradient", "proximal")


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
