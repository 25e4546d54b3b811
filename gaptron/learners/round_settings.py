"""How Gaptron learns and predicts, as it is asked for, and what goes together: updates, decoders, the learning rate."""

import math
from collections.abc import Callable
from typing import Any

from gaptron.language.theorems import StatedTheorem, TheoremData
from gaptron.numbers.kinds import Number
from gaptron.system import checks

UPDATES, DECODERS = ("gradient", "proximal"), ("gap map", "best")

Loss = str | StatedTheorem


def chosen_update(update: str | None, loss: Loss, named: Callable[[str], TheoremData]) -> tuple[str, Loss]:
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


def chosen_decoder(decoder: str | None, own: str) -> str:
    """The decoder that is asked for, else the theorem's ``own``."""
    asked = own if decoder is None else checks.choice(decoder, "decoder", DECODERS)
    if asked != own == "best":
        raise ValueError(f'decoder = {asked!r}: the theorem has no gap map, so it must be "best"')
    return asked


def check(learner: Any, exploration: Number | None) -> None:
    """ValueError if the best decoder or proximal updates do not go with what else is asked for, or have no steps."""
    given = {"feedback": learner.feedback, "ties": learner.ties, "exploration": exploration or 0}
    for argument, allowed in {"feedback": "full", "ties": "lowest", "exploration": 0}.items():
        if learner.decoder == "best" and given[argument] != allowed:
            raise ValueError(f'{argument} = {given[argument]!r}: with decoder = "best" it must be {allowed!r}')
    if learner.update_rule != "proximal":
        return
    if not math.isinf(learner.radius):
        raise ValueError(f'radius = {learner.radius}: with update = "proximal" there is no projection')
    try:
        _ = learner.surrogate.proximal
    except NotImplementedError as reason:
        raise ValueError(str(reason)) from reason


def missing_rate(update: str) -> ValueError:
    """The error of a learner without a learning rate whose theorem gives none."""
    if update == "proximal":
        said = "the theorem states no regret c, and gaptron sharpen finds the least"
    else:
        said = "the theorem states neither learning_rate nor regret"
    return ValueError(f"learning_rate is missing: {said}")
