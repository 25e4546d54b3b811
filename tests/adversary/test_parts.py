"""The parts of an attack: the same find with any number of processes, and whatever a worker says."""

import json
import math
import os
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_attack import hinge, smooth

from gaptron import Theorem
from gaptron.adversary import remote_streams
from gaptron.adversary.attack_json import Verified
from gaptron.adversary.evolution import Effort, attack, evolve, evolving, in_parts
from gaptron.adversary.target import target

FALSE = hinge(regret=1 / 2 * hinge().regret)
SMALL = Effort(seed=0, generations=2)


def attacked(theorem: Theorem, effort: Effort = SMALL, known: Mapping[int, object] | None = None) -> Verified:
    best = attack(target(theorem, 3, 2), effort, math.inf, known or {})
    assert best is not None
    return best


# --- processes ------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("theorem", [smooth(), FALSE], ids=("smooth", "false"))
def test_two_workers_find_what_one_finds(theorem: Theorem) -> None:
    one, two = (attacked(theorem, Effort(0, 2, workers)) for workers in (1, 2))
    assert one == two


def test_another_seed_searches_elsewhere() -> None:
    one = target(FALSE, 3, 2)
    first, again, other = (
        [evolve(one, Effort(seed, 2), family, math.inf) for family in evolving(one)] for seed in (0, 0, 1)
    )
    assert first == again != other


def dies(times: int, folder: Path, part: int, deadline: float) -> list[float]:
    """The search of part 1 kills its process so many times."""
    tries = len(list(folder.iterdir()))
    if part == 1 and tries < times:
        (folder / str(tries)).touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return [float(part)]


def test_a_worker_that_is_killed_once_costs_time(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert in_parts(partial(dies, 1, tmp_path), range(3), 2, math.inf) == {0: [0.0], 1: [1.0], 2: [2.0]}
    assert capfd.readouterr().err == ""


def test_a_part_whose_process_dies_each_time_is_said_to_be_lost(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert in_parts(partial(dies, 9, tmp_path), range(3), 2, math.inf) == {0: [0.0], 2: [2.0]}
    assert capfd.readouterr().err == (
        "gaptron: 1 of 3 parts of the search died with their processes, and are left out\n"
    )


@pytest.mark.parametrize(("workers", "share"), [(1, 10.0), (2, 20.0), (9, 30.0)])
def test_the_parts_share_the_time(workers: int, share: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gaptron.adversary.evolution.time.monotonic", lambda: 100.0)
    found: dict[int, list[float]] = {}

    class Voice:
        """Hands out one task."""

        def tasks(self) -> Iterator[int]:
            yield 7

        def say(self, message: dict[str, list[float]]) -> None:
            found[7] = message["parameters"]

    from gaptron.adversary import evolution

    evolution._work(lambda _, deadline: [deadline - 100.0], [7, 8, 9], workers, 130.0, Voice())  # type: ignore[arg-type]
    assert found == {7: [share]}


# --- a cluster ------------------------------------------------------------------------------------------------------


Said = Callable[[str], str]


def there(said: Said, theorem: Theorem, monkeypatch: pytest.MonkeyPatch) -> Mapping[int, object]:
    """What is taken over if this is what the workers say."""

    def heard(_: str, __: object, questions: Mapping[str, str], ___: float) -> Iterator[tuple[str, str]]:
        yield from ((key, said(question)) for key, question in questions.items())
        yield "a key that nobody asked for", said(next(iter(questions.values())))

    monkeypatch.setattr(remote_streams, "answers", heard)
    (found,) = remote_streams.evolved_there([target(theorem, 3, 2)], SMALL, 600.0, "tcp://127.0.0.1:1")
    return found


@pytest.mark.slow
def test_honest_workers_find_what_is_found_here(monkeypatch: pytest.MonkeyPatch) -> None:
    found = there(remote_streams.search, FALSE, monkeypatch)
    assert list(found) == list(evolving(target(FALSE, 3, 2)))
    assert attacked(FALSE, known=found) == attacked(FALSE)


GARBAGE = (
    "", "no JSON", "[]", "null", "{}", "3", "[" * 100_000, '{"ratio": 9}', "[null]", "[[1.0]]", '["1.0"]',
    "[NaN]", "[NaN, NaN]", "[Infinity, 1.0]", "[1e308, 1e308]", "[1e308]", "[true, false]",
    "[1.0, 1.0, 1.0, 1.0, 1.0, 1.0]",
)  # fmt: skip


@pytest.mark.parametrize("said", GARBAGE)
def test_what_is_no_answer_is_searched_here(said: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert there(lambda _: said, FALSE, monkeypatch) == {}


LIES: tuple[Callable[[int], Sequence[float]], ...] = (
    lambda size: [0.0] * size,
    lambda size: [1e100] * size,
    lambda size: [-1e-308] * size,
    lambda size: [float(50 - 7 * n) for n in range(size)],
)


@pytest.mark.few(1)
@pytest.mark.parametrize("lie", LIES)
@pytest.mark.parametrize(("theorem", "refuted"), [(FALSE, True), (smooth(), False)], ids=("false", "true"))
def test_a_false_stream_changes_no_verdict(
    theorem: Theorem, refuted: bool, lie: Callable[[int], Sequence[float]], monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = evolving(target(theorem, 3, 2))
    found = there(lambda question: json.dumps(lie(sizes[json.loads(question)["family"]])), theorem, monkeypatch)
    assert set(found) == set(sizes)
    assert (attacked(theorem, known=found).low > 1) is refuted


def test_the_same_question_has_one_key(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(remote_streams, "answers", lambda _, __, questions, ___: asked.extend(questions) or ())
    one = target(FALSE, 3, 2)
    assert remote_streams.evolved_there([one, one, target(smooth(), 3, 2)], SMALL, 600.0, "") == [{}, {}, {}]
    assert len(asked) == 2 * len(evolving(one))


@settings(max_examples=10)
@given(st.lists(st.floats(-1e100, 1e100), min_size=2, max_size=2))
def test_numbers_that_are_an_answer_are_taken_as_they_are(numbers: list[float]) -> None:
    found = remote_streams.parameters_said(json.dumps(numbers), 2)
    assert np.array_equal(found, numbers)
