"""Convexity is asked first; what else is asked of a theorem that is refuted takes no time."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from sympy import Max, Min, Rational, exp, log
from waiting import PATIENCE

import gaptron.checking.checker
import gaptron.prove.broken_convexity
from gaptron import BinaryLoss, GapMap, MarginLoss, SoftmaxLoss, Theorem
from gaptron.checking import workers
from gaptron.checking.cache import Cache
from gaptron.checking.checker import FIRST, NOT_LONGER, NOT_TRIED, Checked, check
from gaptron.prove.broken_convexity import looks_convex
from gaptron.prove.decide import Prover
from gaptron.prove.tasks import Decided, Task
from gaptron.symbols import K, m, p, z
from gaptron.theory.verdict import Ruling, Verdict

HINGE = Max(1 - m, 0)
RAMP = Theorem(name="ramp", loss=MarginLoss(Min(2, HINGE)), gap_map=GapMap(HINGE), learning_rate=1 / (8 * K))
SQUARE = Theorem(name="square", loss=MarginLoss(HINGE**2), gap_map=GapMap(HINGE**2), learning_rate=1 / (4 * K))


def decided(theorem: Theorem, seconds: float = 20.0, cache: Cache | None = None) -> Checked:
    (checked,) = check([theorem], seconds, 1, cache=cache)
    return checked


def reasons(checked: Checked) -> dict[str, str | None]:
    rows = zip(checked.obligations, checked.outcomes, strict=True)
    return {o.id: r.reason for o, r in rows if r.verdict is Verdict.UNDECIDED}


def test_of_a_loss_that_is_not_convex_the_gap_is_not_tried() -> None:
    checked = decided(RAMP)
    assert checked.witness is not None
    assert (checked.witness["obligation"], checked.refutes) == ("loss/convex", "condition")
    assert set(reasons(checked).values()) == {NOT_TRIED}
    assert {id.split("/")[0] for id in reasons(checked)} == {"gap", "gap map"}


@pytest.mark.slow
def test_what_is_asked_for_by_itself_is_tried_all_the_same() -> None:
    """A claim of a document may be about the gap alone."""
    (checked,) = check([RAMP], 20.0, 1, each=True)
    assert not {*reasons(checked).values()} & {NOT_TRIED}
    assert checked.witness is not None
    assert checked.verdict is Verdict.REFUTED


@pytest.mark.slow
def test_kept_certificates_say_the_same(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache.sqlite", pytest.fail)
    first, again = decided(RAMP, cache=cache), decided(RAMP, cache=cache)
    assert reasons(first) == reasons(again)
    assert first.witness == again.witness
    assert [r.verdict for r in first.outcomes] == [r.verdict for r in again.outcomes]
    cache.close()


@pytest.mark.slow
def test_what_another_theorem_has_kept_changes_nothing(tmp_path: Path) -> None:
    cache = Cache(tmp_path / "cache.sqlite", pytest.fail)
    convex = Theorem(name="hinge", loss=MarginLoss(HINGE), gap_map=GapMap(HINGE), learning_rate=1 / (8 * K))
    decided(convex, cache=cache)  # its gap map is that of the ramp
    assert reasons(decided(RAMP, cache=cache)) == reasons(decided(RAMP))
    cache.close()


@pytest.mark.slow
def test_a_wrong_look_costs_time_and_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gaptron.prove.broken_convexity, "looks_convex", lambda _: False)
    assert decided(SQUARE).verdict is Verdict.PROVED
    monkeypatch.setattr(gaptron.prove.broken_convexity, "looks_convex", lambda _: True)
    checked = decided(RAMP)
    assert checked.verdict is Verdict.REFUTED
    assert NOT_TRIED not in reasons(checked).values()


def test_no_proof_is_sought_for_long_where_another_obligation_is_refuted() -> None:
    loss = SoftmaxLoss(1 / p - 1)  # its gap at unlikely labels is not decided by any engine
    theorem = Theorem(name="alpha", loss=loss, gap_map=GapMap(1 - p), learning_rate=1 / (8 * K))
    start = time.monotonic()
    checked = decided(theorem, 60.0)
    assert checked.verdict is Verdict.REFUTED
    assert all(reason is not None and reason.endswith(NOT_LONGER) for reason in reasons(checked).values())
    assert time.monotonic() - start < 60


@pytest.mark.parametrize(
    ("loss", "convex"),
    [
        (MarginLoss(HINGE), True),
        (MarginLoss(exp(-m)), True),
        (MarginLoss((1 - m) ** 2), False),  # for three classes or more
        (MarginLoss(1 / (1 + exp(m))), False),
        (MarginLoss(Min(1, HINGE)), False),
        (SoftmaxLoss(-log(p)), True),
        (SoftmaxLoss(1 - log(p) - p), True),
        (SoftmaxLoss(2 - log(p) - 2 * p), False),
        (SoftmaxLoss(Rational(10, 7) * (1 - p ** Rational(7, 10))), False),
        (BinaryLoss(plus=(1 - z) ** 2), True),
        (BinaryLoss(plus=Max(1 - z, 0), minus=Min(1, Max(1 + z, 0))), False),
    ],
    ids=str,
)
def test_a_look_tells_bent_losses(loss: MarginLoss | SoftmaxLoss | BinaryLoss, convex: bool) -> None:
    assert looks_convex(Theorem(name="any", loss=loss, gap_map=GapMap(0), learning_rate=1)) is convex


@pytest.mark.slow
def test_convexity_is_given_its_time_before_anything_else_is_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a busy machine, where a second is not enough to refute it."""
    monkeypatch.setattr(gaptron.checking.checker, "FIRST", 1e-9)
    checked = decided(RAMP)
    assert checked.verdict is Verdict.REFUTED
    assert NOT_TRIED in reasons(checked).values()
    assert not any(id.startswith("gap") for id in reasons(checked) if reasons(checked)[id] != NOT_TRIED)


@pytest.mark.slow
def test_a_brief_check_ends_what_is_at_work_once_the_theorem_is_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    decide = workers.decide

    def slow(task: Task, prover: Prover) -> Decided:
        if task.obligation.id == "coverage":
            time.sleep(600)
        return decide(task, prover)

    monkeypatch.setattr(workers, "decide", slow)
    fast = replace(SQUARE, learning_rate=1 / (3 * K))
    start = time.monotonic()
    (checked,) = check([fast], 600.0, 2, brief=True)
    assert time.monotonic() - start < PATIENCE
    assert checked.verdict is Verdict.REFUTED
    assert str(reasons(checked)["coverage"]).endswith(NOT_LONGER)


@pytest.mark.parametrize(("seconds", "tries"), [(1.5 * FIRST, {1.5 * FIRST}), (20.0, {FIRST, 20.0})])
def test_nothing_is_tried_again_for_hardly_longer(
    seconds: float, tries: set[float], monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: set[float] = set()

    def open_all(
        tasks: dict[int, Task], seconds: float, _: int, arrived: workers.Arrived, cluster: None, more: Iterator[int],
        *others: object,
    ) -> None:  # fmt: skip
        seen.add(seconds)
        for number in [*tasks, *more]:
            arrived(number, Decided(Ruling(Verdict.UNDECIDED, reason="open")))

    monkeypatch.setattr(workers, "decide_all", open_all)
    assert decided(SQUARE, seconds).verdict is Verdict.UNDECIDED
    assert seen == tries
