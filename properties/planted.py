"""Can a property fail? Mistakes planted in what it is about, its generated examples alone, the power of its streams.

A stream has power for a bound if a learner that is wrong in every round breaks it there; some do even for one that
guesses, and is wrong in T (K - 1)/K of T rounds.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from unittest.mock import patch

from hypothesis import HealthCheck, Phase, settings

POWER: Counter[str] = Counter()
Property = Callable[..., None]


@dataclass(frozen=True)
class Mistake:
    """Another function, made from the one of this name, in its place."""

    words: str
    owner: Any
    name: str
    change: Callable[[Any], Any]

    @contextmanager
    def planted(self) -> Iterator[None]:
        """As long as this lasts."""
        with patch.object(self.owner, self.name, self.change(getattr(self.owner, self.name))):
            yield


def generated(examples: int) -> settings:
    """Generated examples alone, the same ones every time."""
    return settings(
        max_examples=examples,
        phases=[Phase.generate],
        derandomize=True,
        database=None,
        deadline=None,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),
    )


def alone(prop: Property, examples: int, **given: Any) -> None:
    """The property on generated examples alone."""
    with patch.object(prop, "_hypothesis_internal_use_settings", generated(examples)):
        prop(**given)


def weigh(right: Any, n_rounds: int, n_classes: int) -> None:
    """Counts a stream by the least right side of the bound, over the comparators of the property."""
    least = float(right)
    POWER.update(streams=1, broken=least < n_rounds, guessed=least < n_rounds * (n_classes - 1) / n_classes)


def power(prop: Property, examples: int, **given: Any) -> tuple[float, float]:
    """The shares of the generated streams on which a learner that is always wrong, and one that guesses, break it."""
    POWER.clear()
    alone(prop, examples, **given)
    return POWER["broken"] / POWER["streams"], POWER["guessed"] / POWER["streams"]
