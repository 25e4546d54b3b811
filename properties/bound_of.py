"""One property for every theorem: no stream breaks its bound, exactly, against the strongest comparator found."""

from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gaptron.bounds.sides import Game
from gaptron.expectation import expected
from gaptron.numbers.evaluate import UncertainError, ball
from gaptron.testing import Stream, assert_bound, streams, strongest
from gaptron.testing.assertion import aimed_check
from gaptron.theory.files import Statement, load
from gaptron.theory.theorem import Theorem

PROOFS = Path(__file__).resolve().parent.parent / "proofs"
CHECKED: Counter[str] = Counter()
DEEP: set[str] = set()  # holds "deep" under --deep

Property = Callable[[], None]


def theorem(file: str, name: str) -> Theorem:
    """A shipped theorem, by its file in ``proofs/`` and its name."""
    found = [s.item for s in statements(file) if s.item.name == name]
    assert len(found) == 1, f"proofs/{file}.py has {len(found)} theorems named {name}"
    assert isinstance(found[0], Theorem)
    return found[0]


@cache
def statements(file: str) -> list[Statement]:
    """What a file in ``proofs/`` states, loaded once."""
    return load(PROOFS / f"{file}.py")


def sizes(theorem: Theorem) -> dict[str, int]:
    """How large the streams are, which a bandit's paths double with every round."""
    if not DEEP:
        return {}
    return {"max_classes": 6, "max_features": 5, "max_rounds": 7 if theorem.feedback == "bandit" else 16}


def aimed(theorem: Theorem) -> st.SearchStrategy[Stream]:
    """Streams aimed at the theorem's learner."""
    return streams(theorem, **sizes(theorem))


def check(theorem: Theorem, stream: Stream) -> None:
    """The stream does not break the bound; it is counted, with the states that the learner can end in."""
    sides = aimed_check(theorem, stream)
    CHECKED["streams" if sides else "streams left open by balls"] += 1
    CHECKED["outcome paths after merging"] += sides.states if sides else 0


def property_of(theorem: Theorem, sharp: Sequence[Stream], examples: int | None = None) -> Property:
    """The property that no stream breaks the theorem's bound; first the ``sharp`` ones, then generated ones."""

    def mistake_bound(stream: Stream) -> None:
        check(theorem, stream)

    for stream in sharp:
        mistake_bound = example(stream=stream)(mistake_bound)
    found: Property = given(stream=aimed(theorem))(mistake_bound)
    return found if examples is None else settings(max_examples=examples, deadline=None, database=None)(found)


def arithmetics_agree(theorem: Theorem, sharp: Sequence[Stream]) -> Property:
    """Rationals, balls and mpmath's intervals give the same expectations, where they can give any."""

    def agree(stream: Stream) -> None:
        game = stream.game(theorem)
        U = strongest(game, stream)
        found = [expectations(game, stream, U, arithmetic) for arithmetic in ("rational", "ball", "interval")]
        known = [numbers for numbers in found if numbers is not None]
        CHECKED["streams in two kinds of numbers or more"] += len(known) > 1
        for one, other in combinations(known, 2):
            assert all(ball(a).overlaps(ball(b)) for a, b in zip(one, other, strict=True))

    for stream in sharp:
        agree = example(stream=stream)(agree)
    return given(stream=aimed(theorem))(agree)  # type: ignore[no-any-return]


def expectations(game: Game, stream: Stream, U: Any, arithmetic: str) -> tuple[Any, Any] | None:
    """Mistakes and the comparator's loss; None where the arithmetic has no answer: a root, a tie."""
    learner = game.learner(stream.n_features)
    try:
        done = expected(learner, stream.rounds, stream.labels, comparator=U, arithmetic=arithmetic)
    except UncertainError:
        return None
    except ValueError:
        if arithmetic != "rational":
            raise
        return None
    return done.mistakes, done.comparator_loss


def falsified(mutant: Theorem, sharp: Sequence[Stream], examples: int = 100) -> str:
    """What the property says of a mutant; a failure of this test if it says nothing."""
    with pytest.raises(AssertionError, match="is broken on") as caught:
        property_of(mutant, sharp, examples)()
    return str(caught.value)


def ratio(theorem: Theorem, stream: Stream) -> float:
    """(mistakes - comparator loss)/regret for the strongest comparator found: how much of the bound is used."""
    return float(assert_bound(theorem, stream).ratio)
