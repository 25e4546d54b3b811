"""Learning by proximal steps: W+ = argmin_V loss(V) + ||V - W||^2/(2 eta), predicting what the envelopes need."""

import math
from collections.abc import Callable
from typing import Any

from gaptron.language.theorems import StatedTheorem, TheoremData
from gaptron.system import checks

UPDATES = ("gradient", "proximal")


Loss = str | StatedTheorem


def chosen(update: str | None, loss: Loss, named: Callable[[str], TheoremData]) -> tuple[str, Loss]:
    """The update that is asked for, else the theorem's; with a loss that has a name, the theorem that goes with it.

    ``named`` gives the theorem about proximal updates.
    """
    stated = getattr(loss, "data", None)
    own = stated.update if isinstance(stated, TheoremData) else "gradient"
    asked = own if update is None else checks.choice(update, "update", UPDATES)
    if isinstance(loss, str):
        return asked, named(loss) if asked == "proximal" else loss
    if isinstance(stated, TheoremData) and asked != own:
        raise ValueError(f'update = {asked!r}: theorem "{stated.name}" is about {own} updates')
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
