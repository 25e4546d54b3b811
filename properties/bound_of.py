"""One property for every theorem: no stream breaks its bound, exactly, against the strongest comparator found."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from gaptron.bounds.exact_stream import is_rational
from gaptron.bounds.sides import Game, Sides
from gaptron.expectation import Expectation, expected_blocks
from gaptron.numbers.evaluate import UncertainError, ball
from gaptron.numbers.kinds import IrrationalError
from gaptron.testing import Power, Stream, assert_bound, streams, strongest
from gaptron.theory.files import Statement, load
from gaptron.theory.theorem import Theorem
from properties import planted

PROOFS = Path(__file__).resolve().parent.parent / "proofs"
CHECKED: Counter[str] = Counter()
POWER: defaultdict[str, Power] = defaultdict(Power)
ARITHMETICS = {"rational": "fractions", "ball": "balls", "interval": "mpmath at 50 digits", "float": "doubles"}
FEW = 600  # rounds times states that exact learners and mpmath are asked for
CLOSE = 1e-9
MANY = [20]  # examples for each of the six theorems; more in the slow run
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


def six() -> dict[str, Theorem]:
    """Theorems 1 to 6 of van der Hoeven 2020, by their numbers."""
    files = (
        ("theorem1_logistic", "Theorem 1, logistic"),
        ("theorem2_hinge", "Theorem 2, hinge"),
        ("theorem3_smooth_hinge", "Theorem 3, smooth hinge"),
        ("theorem4_bandit_logistic", "Theorem 4, bandit logistic"),
        ("theorem5_bandit_hinge", "Theorem 5, bandit hinge"),
        ("theorem6_bandit_smooth_hinge", "Theorem 6, bandit smooth hinge"),
    )
    return {name.partition(",")[0]: theorem(f"gaptron/{file}", name) for file, name in files}


def aimed(theorem: Theorem) -> st.SearchStrategy[Stream]:
    """Streams aimed at the theorem's learner; under --deep with more classes and features."""
    return streams(theorem, max_classes=6, max_features=5) if DEEP else streams(theorem)


def check(theorem: Theorem, stream: Stream) -> None:
    """The stream does not break the bound, and every way to play it gives the same expectations.

    They are computed in rationals or balls; with mpmath's intervals at 50 digits where states are few; and by the
    learner that is shipped, put into each of its states: exactly if they are few, else in doubles.
    """
    game = stream.game(theorem)
    U = strongest(game, stream)
    POWER[theorem.name].see(game, stream, U)
    try:
        sides = assert_bound(theorem, stream, U)
    except UncertainError:
        CHECKED["streams left open by balls"] += 1
        return
    CHECKED["streams"] += 1
    CHECKED["outcome paths after merging"] += sides.states
    if theorem.abstention_cost is None:
        assert_played(game, stream, U, sides)


def assert_played(game: Game, stream: Stream, U: Any, sides: Sides) -> None:
    """The other arithmetics, and the learner itself, give what ``sides`` says."""
    few = stream.horizon * sides.states <= FEW
    exact = "rational" if is_rational(game) else "ball"

    def computed(arithmetic: str) -> Sides:
        return game.sides_of_blocks(stream.blocks, U, arithmetic=arithmetic)

    def played(arithmetic: str) -> Expectation:
        learner = game.learner(stream.n_features, exact=arithmetic != "float")
        return expected_blocks(learner, stream.blocks, comparator=U, arithmetic=arithmetic, played=True)

    if few:
        for arithmetic in ("ball", "interval", *(["rational"] if exact == "rational" else [])):
            compare(arithmetic, sides, computed)
    if not (few and compare(exact, sides, played, "the learner itself in ")):
        compare("float", sides, played, "the learner itself in ")


def compare(arithmetic: str, sides: Sides, found: Callable[[str], Sides | Expectation], words: str = "") -> bool:
    """Both expectations overlap, or agree as doubles do; False if the arithmetic has no answer: a root, a tie."""
    try:
        other = found(arithmetic)
    except (UncertainError, IrrationalError):
        return False
    CHECKED[f"compared with {words}{ARITHMETICS[arithmetic]}"] += 1
    for one, two in ((sides.mistakes, other.mistakes), (sides.comparator_loss, other.comparator_loss)):
        if arithmetic == "float":
            assert abs(float(one) - float(two)) <= CLOSE * (1 + abs(float(one))), f"{words}{arithmetic}: {one}, {two}"
        else:
            assert ball(one).overlaps(ball(two)), f"{words}{arithmetic}: {one}, {two}"
    return True


def mistake_bound_of(theorem: Theorem, sharp: Sequence[Stream]) -> Property:
    """As ``property_of``, on many streams: for the six theorems."""
    return settings(max_examples=MANY[0])(property_of(theorem, sharp))


def property_of(theorem: Theorem, sharp: Sequence[Stream], examples: int | None = None) -> Property:
    """The property that no stream breaks the theorem's bound; first the ``sharp`` ones, then generated ones."""

    def mistake_bound(stream: Stream) -> None:
        check(theorem, stream)

    for stream in sharp:
        mistake_bound = example(stream=stream)(mistake_bound)
    found: Property = given(stream=aimed(theorem))(mistake_bound)
    return found if examples is None else settings(max_examples=examples, deadline=None, database=None)(found)


def power_of(theorem: Theorem) -> Property:
    """The property that generated streams could break the bound."""

    def streams_have_power() -> None:
        power = power_seen(theorem, 60)
        assert power.always_wrong >= Fraction(60, 100) * power.streams, power
        assert power.guessing >= Fraction(25, 100) * power.streams, power

    return streams_have_power


@cache
def power_seen(theorem: Theorem, examples: int) -> Power:
    """The power of that many streams."""
    power = Power()
    for stream in drawn(theorem, examples):
        power.see(stream.game(theorem), stream)
    return power


@cache
def drawn(theorem: Theorem, examples: int, **aim: Any) -> list[Stream]:
    """What ``gaptron.testing.streams`` draws, always the same."""
    found: list[Stream] = []

    @planted.generated(examples)
    @given(stream=streams(theorem, **aim))
    def collect(stream: Stream) -> None:
        found.append(stream)

    collect()
    return found


def falsified(mutant: Theorem, sharp: Sequence[Stream], examples: int = 100) -> str:
    """What the property says of a mutant; a failure of this test if it says nothing."""
    with pytest.raises(AssertionError, match="is broken on") as caught:
        property_of(mutant, sharp, examples)()
    return str(caught.value)


def ratio(theorem: Theorem, stream: Stream) -> float:
    """(mistakes - comparator loss)/regret for the strongest comparator found: how much of the bound is used."""
    return float(assert_bound(theorem, stream).ratio)
