"""Sharpen within its time: first what is nearly the largest rate, then the largest; what is not decided says so."""

import time
from dataclasses import replace
from fractions import Fraction
from itertools import count

import pytest
from sympy import Max, Rational
from waiting import PATIENCE

from gaptron import GapMap, MarginLoss, Theorem
from gaptron.checking import workers
from gaptron.checking.cache import Cache
from gaptron.constants import largest_rates as module
from gaptron.constants.engine import LATE, OVERTAKEN, Engine
from gaptron.constants.largest_rates import COARSE, Finding, sharpen
from gaptron.constants.questions import lemma_tasks
from gaptron.prove.tasks import Task
from gaptron.symbols import K, m
from gaptron.theory.theorem import Implication, Lemma
from gaptron.theory.verdict import Ruling, Verdict

HINGE = Max(1 - m, 0)
SQUARE = Theorem(name="square", loss=MarginLoss(HINGE**2), gap_map=GapMap(HINGE**2))
NUMBERS = count()


@pytest.fixture
def engine() -> Engine:
    return Engine(10.0, 1, Cache(None, pytest.fail))


def saying(*bounds: int) -> tuple[Task, ...]:
    """One task for each bound: that K^2 is at least that, which is true up to 4."""
    lines = tuple(
        Implication(name=f"{n}", statement="a bound", given=(), then=K**2 >= bound) for n, bound in enumerate(bounds)
    )
    return lemma_tasks(Lemma(name=f"bounds {next(NUMBERS)}", implications=lines))


def sharpened(theorem: Theorem, engine: Engine, only: str | None = None) -> list[Finding]:
    answers: list[Finding] = []
    sharpen(theorem, [2, 3], engine, answers, only)
    return answers


def test_what_a_failed_or_overtaken_attempt_still_asks_for_is_not_tried(engine: Engine) -> None:
    decided: list[str] = []
    engine = replace(engine, report=lambda: decided.append("one"))
    failures = engine.failures([saying(1, 5, 2, 3), saying(1), saying(2)], ["lost", "won", "won"])
    assert failures[0] is not None
    assert failures[0].startswith("1 is REFUTED")
    assert failures[1] is None
    assert failures[2] is not None
    assert failures[2].endswith(OVERTAKEN)
    assert len(decided) == 3


def test_what_is_refuted_is_the_reason_and_not_what_was_ended_for_it(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    rulings = [Ruling(Verdict.UNDECIDED, reason="the deadline passed"), Ruling(Verdict.REFUTED)]
    monkeypatch.setattr(Engine, "decide", lambda *_: rulings)
    assert engine.failures([saying(1, 5)]) == ["1 is REFUTED"]


@pytest.mark.slow
def test_after_its_time_what_runs_is_ended(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "decide", lambda *_: time.sleep(600))
    start = time.monotonic()
    (failed,) = replace(engine, seconds=600.0, until=start + 1).failures([saying(1)])
    assert failed is not None
    assert "UNDECIDED" in failed
    assert time.monotonic() - start < PATIENCE


def test_after_its_time_nothing_is_begun(engine: Engine) -> None:
    (failed,) = replace(engine, until=time.monotonic()).failures([saying(1)])
    assert failed is not None
    assert failed.endswith(LATE)


def test_what_is_not_decided_in_time_says_what_the_search_believes(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once the search is over, so is the time."""
    monkeypatch.setattr(Engine, "is_late", property(lambda one: bool(shown)))
    shown: list[bool] = []
    (answer,) = sharpened(SQUARE, replace(engine, found=lambda: shown.append(True)), "given_gap_map")
    assert answer.brackets == {2: None, 3: None}
    assert answer.reasons[2] == "not decided in time; the search believes in eta = 0.125, not certified"


@pytest.mark.slow
def test_where_the_largest_rate_resists_a_slightly_smaller_one_is_proved(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The guess is spoiled, and the search is given a rate that is a little too large, as rounding errors do."""
    honest = module.contacts

    def rough(constraints, n_classes):  # type: ignore[no-untyped-def]
        return tuple(replace(contact, rate=contact.rate * (1 + 1e-4)) for contact in honest(constraints, n_classes))

    monkeypatch.setattr(module, "contacts", rough)
    (answer,) = sharpened(SQUARE, engine, "given_gap_map")
    for n, bracket in answer.brackets.items():
        assert bracket is not None
        low, high = bracket
        assert low <= Fraction(1, 4 * n) < high <= low * (1 + 2 * COARSE)
    assert answer.certified


@pytest.mark.slow
def test_there_is_something_to_show_before_all_is_known(engine: Engine) -> None:
    seen: list[int] = []
    answers: list[Finding] = []

    def found() -> None:
        seen.append(sum(bracket is not None for answer in answers for bracket in answer.brackets.values()))

    sharpen(SQUARE, [2, 3], replace(engine, found=found), answers)
    assert seen[0] < seen[-1] == 8
    assert any(answer.binds for answer in answers)
    assert [answer.closed_form for answer in answers] == [Rational(1, 4) / K] * 3 + [Rational(1, 2) / K]
