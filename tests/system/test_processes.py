"""Tasks in several processes: each has its answer or a reason for having none, and nothing is left behind."""

import os
import signal
import time
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from math import inf

import pytest
from waiting import PATIENCE, children, open_files

from gaptron.system import deadline
from gaptron.system.child import Child, Voice
from gaptron.system.processes import Lost, in_processes


def square(voice: Voice) -> None:
    """Squares; 3 ends its process, 5 never answers, 7 is the last task of its process."""
    for number in voice.tasks():
        if number == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        voice.say({"within": 0.1})
        if number == 5:
            time.sleep(600)
        voice.say({"square": number**2, "process": os.getpid(), "last": number == 7})


def second(_: int) -> float:
    return 1.0


@pytest.mark.slow
@pytest.mark.parametrize("processes", [2, 1, 20])
def test_every_task_has_one_answer_or_is_lost(processes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "GRACE", 2.0)
    before = children()
    heard = list(in_processes(square, range(10), processes, second))
    assert {n: said for n, said in heard if isinstance(said, Lost)} == {3: Lost("killed by signal 9"), 5: Lost(None)}
    answers = [(n, said["square"]) for n, said in heard if not isinstance(said, Lost) and "square" in said]
    assert sorted(answers) == [(n, n * n) for n in range(10) if n not in (3, 5)]
    assert children() <= before


def test_a_process_is_given_one_task_after_the_other_and_none_after_its_last() -> None:
    said = in_processes(square, [1, 2, 7, 8, 9], 1, second)
    heard = {n: message["process"] for n, message in said if not isinstance(message, Lost) and "process" in message}
    assert heard[1] == heard[2] == heard[7] != heard[8] == heard[9]


def test_whoever_stops_listening_leaves_no_process_and_no_pipe() -> None:
    before, pipes = children(), open_files()
    with closing(in_processes(square, [5, 5, 1], 3, second)) as heard:
        assert next(iter(heard))[1] == {"within": 0.1}
        assert len(children() - before) == 3
    assert children() <= before
    assert open_files() <= pipes


def look_up(tasks: dict[int, int], voice: Voice) -> None:
    """Says what a task was when the process started; a task that it does not know ends it."""
    for number in voice.tasks():
        voice.say({"found": tasks[number]})


@pytest.mark.few(1)
@pytest.mark.parametrize("processes", [1, 2, 3])
def test_tasks_that_are_found_later_are_given_to_processes_that_know_them(processes: int) -> None:
    def found_later() -> Iterator[int]:
        for number in range(1, 30):
            tasks[number] = number**2
            yield number

    before, tasks = children(), {0: 0}
    said = dict(in_processes(partial(look_up, tasks), [0], processes, second, more=found_later()))
    assert said == {number: {"found": number**2} for number in range(30)}
    assert children() <= before


def test_the_first_tasks_are_worked_on_while_more_are_found() -> None:
    def found_later() -> Iterator[int]:
        until = time.monotonic() + PATIENCE
        while 0 not in said:
            assert time.monotonic() < until
            tasks[len(tasks)] = 7
            yield len(tasks) - 1

    tasks, said = {0: 7}, dict[int, object]()
    for number, message in in_processes(partial(look_up, tasks), [0], 2, second, more=found_later()):
        said[number] = message
    assert list(said.values()) == [{"found": 7}] * len(tasks)


def test_the_second_process_starts_later() -> None:
    start = time.monotonic()
    with closing(in_processes(square, [5, 1], 2, second, stagger=0.4)) as heard:
        assert next(n for n, said in heard if not isinstance(said, Lost) and "square" in said) == 1
    assert time.monotonic() - start >= 0.4


def test_a_process_that_a_child_starts_does_not_hold_the_pipes_of_the_child() -> None:
    def work(voice: Voice) -> None:
        Child(lambda inner: (inner.say({"pipes": open_files()}), time.sleep(600)))  # type: ignore[arg-type,return-value]
        voice.say({"said": True})

    child = Child(work, own_group=True)
    try:
        assert child.hear(PATIENCE) == {"said": True}
        start = time.monotonic()
        assert os.read(child.answers, 1) == b""
        assert time.monotonic() - start < PATIENCE
    finally:
        child.stop()


def test_what_is_no_longer_wanted_is_left_out() -> None:
    """Its turn comes when it is known what became of those before."""
    seen: list[int] = []
    with closing(in_processes(square, range(10), 1, second, wanted=lambda n: n % 2 == 0 and 4 not in seen)) as heard:
        for number, said in heard:
            if not isinstance(said, Lost) and "square" in said:
                seen.append(number)
    assert seen == [0, 2, 4]


def test_what_runs_is_lost_when_its_patience_shrinks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(deadline, "GRACE", 10 * PATIENCE)
    before, start, heard = children(), time.monotonic(), dict[int, object]()
    patience = lambda _: 0.1 if len(heard) == 2 else inf  # noqa: E731
    for number, said in in_processes(square, [5, 1], 2, second, patience=patience):
        heard[number] = said
    assert heard[5] == Lost(None)
    assert time.monotonic() - start < PATIENCE
    assert children() <= before
