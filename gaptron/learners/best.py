"""Predicting with the best decoder (``gaptron.rounds.BestDecoder``): which learners can, and what they say if not."""

from typing import Any

from gaptron.numbers.kinds import Number
from gaptron.system import checks

DECODERS = ("gap map", "best")


def chosen(decoder: str | None, own: str) -> str:
    """The decoder that is asked for, else the theorem's ``own``."""
    asked = own if decoder is None else checks.choice(decoder, "decoder", DECODERS)
    if asked != own == "best":
        raise ValueError(f'decoder = {asked!r}: the theorem has no gap map, so it must be "best"')
    return asked


def check(learner: Any, exploration: Number | None = None) -> None:
    """ValueError if the best decoder is asked for together with what it does not go with."""
    if learner.decoder != "best":
        return
    given = {"feedback": learner.feedback, "ties": learner.ties, "exploration": exploration or 0}
    for argument, allowed in {"feedback": "full", "ties": "lowest", "exploration": 0}.items():
        if given[argument] != allowed:
            raise ValueError(f'{argument} = {given[argument]!r}: with decoder = "best" it must be {allowed!r}')


def missing(learner: Any) -> ValueError:
    """The error of a learner without a learning rate whose theorem gives none."""
    if learner.update_rule == "proximal":
        return ValueError(
            "learning_rate is missing: the theorem states no regret c, and gaptron sharpen finds the least"
        )
    return ValueError("learning_rate is missing: the theorem states neither learning_rate nor regret")
