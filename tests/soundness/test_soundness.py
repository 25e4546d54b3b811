"""Nothing false is PROVED: sharp constants, planted falsehoods, dead processes, and the same theorem said otherwise."""

import os
import signal
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from conftest import Shipped, check_kept, shipped_entries
from sympy import Abs, Eq, Expr, Ge, Gt, Le, Lt, Max, Min, Piecewise, Rational, log
from waiting import children, open_files

from gaptron import BinaryLoss, GapMap, Implication, Lemma, MarginLoss, Parameter, SoftmaxLoss, Theorem
from gaptron.checking import recall as recalling
from gaptron.checking import workers
from gaptron.checking.checker import Checked, check
from gaptron.guesses import obligations_of
from gaptron.guesses.in_sympy import sequent
from gaptron.prove.decide import Prover
from gaptron.prove.replayed_round import gap_terms
from gaptron.symbols import K, m, p, z
from gaptron.system import deadline
from gaptron.theory.verdict import Verdict

pytestmark = pytest.mark.usefixtures("lent")

SECONDS = 60  # of a clock, for a witness that takes one on a quiet machine
MILLIONTH = 1 + Rational(1, 10**6)
SMOOTH = Piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, m < 1), (0, True))
SMOOTH_MAP = (1 - Min(1, m)) ** 2
HINGE = {
    "loss": MarginLoss(Max(1 - m, 0), off_above=1 / K),
    "gap_map": GapMap(Piecewise((1 - m, m <= 1 / K), (0, True))),
}
SMOOTH_HINGE = {"loss": MarginLoss(SMOOTH), "gap_map": GapMap(SMOOTH_MAP)}
LOGISTIC = {"loss": SoftmaxLoss(-log(p, 2)), "gap_map": GapMap(Piecewise((1 - p, p >= Rational(1, 2)), (1, True)))}
SQUARED = {"loss": BinaryLoss(plus=Max(1 - z, 0) ** 2), "gap_map": GapMap(Max(1 - m, 0) ** 2)}


def slow(arguments: Any) -> Any:
    return pytest.param(arguments, marks=pytest.mark.slow)


def checked(seconds: float = SECONDS, **arguments: Any) -> Checked:
    (result,) = check([Theorem(**{"name": "example"} | arguments)], seconds, 1)
    return result


def verdict(**arguments: Any) -> Verdict:
    (result,) = check_kept([Theorem(**{"name": "example"} | arguments)], SECONDS)
    return result.verdict


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("setting", "sharp"),
    [(HINGE, (1 - 1 / K) / K), (SMOOTH_HINGE, 1 / (4 * K)), (SQUARED, Rational(1, 4))],
    ids=["Theorem 2", "Theorem 3", "blog, Example 2"],
)
def test_a_sharp_learning_rate_times_one_and_a_millionth_is_refuted(setting: dict[str, Any], sharp: Expr) -> None:
    assert verdict(**setting, learning_rate=sharp) is Verdict.PROVED
    result = checked(**setting, learning_rate=sharp * MILLIONTH)
    assert result.verdict is Verdict.REFUTED
    assert result.witness is not None
    scores = [Fraction(score) for score in result.witness["scores"]]
    assert gap_terms(result.item, scores, result.witness["label"]).gap == Fraction(result.witness["gap"]) > 0


@pytest.mark.slow
@pytest.mark.parametrize(
    ("loss", "sharp", "scores"),
    [
        (HINGE["loss"], 1 / K, ["1/2", "0"]),
        (LOGISTIC["loss"], 2 * log(2) ** 2, ["0", "0"]),
        (SQUARED["loss"], Rational(1, 4), ["0", "0"]),
    ],
    ids=["hinge", "logistic", "squared"],
)
def test_the_rate_of_a_best_decoder_times_one_and_a_millionth_is_refuted(
    loss: Any, sharp: Expr, scores: list[str]
) -> None:
    assert verdict(loss=loss, decoder="best", learning_rate=sharp) is Verdict.PROVED
    witness = checked(loss=loss, decoder="best", learning_rate=sharp * MILLIONTH).witness
    assert witness is not None
    assert witness["scores"] == scores
    needed = [Fraction(part) if isinstance(part, str) else Fraction(part[0]) for part in witness["needed"]]
    assert sum(needed) > 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("setting", "regret"),
    [(HINGE, K**2 / (2 * (K - 1))), (SMOOTH_HINGE, 2 * K), pytest.param(LOGISTIC, K / log(2), marks=pytest.mark.slow)],
)
def test_a_regret_one_millionth_too_small_is_refuted(setting: dict[str, Any], regret: Expr) -> None:
    rate = 1 / (2 * regret)
    assert verdict(**setting, learning_rate=rate, regret=regret) is Verdict.PROVED
    assert verdict(**setting, learning_rate=rate, regret=regret / MILLIONTH) is Verdict.REFUTED


@pytest.mark.slow
@pytest.mark.parametrize(("factor", "expected"), [(Rational(5, 2), Verdict.PROVED), (3, Verdict.REFUTED)])
def test_the_learning_rate_of_theorem_1_is_not_sharp(factor: Expr, expected: Verdict) -> None:
    assert verdict(**LOGISTIC, learning_rate=factor * log(2) / (2 * K)) is expected


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "arguments",
    [
        {**SMOOTH_HINGE, "gap_map": GapMap(0), "learning_rate": 1 / (100 * K)},
        {**SMOOTH_HINGE, "gap_map": GapMap(1), "learning_rate": 1 / (100 * K)},
        slow({**SMOOTH_HINGE, "gap_map": GapMap(SMOOTH_MAP * MILLIONTH), "learning_rate": 1 / (4 * K)}),
        slow(
            {
                "loss": MarginLoss(SMOOTH - Rational(1, 10**6)),
                "gap_map": GapMap(SMOOTH_MAP),
                "learning_rate": 1 / (8 * K),
            }
        ),
        slow({"loss": MarginLoss(Max(1 - m, 0)), "gap_map": GapMap(Max(1 - m, 0)), "learning_rate": 1 / (1000 * K)}),
        slow(
            {
                "loss": MarginLoss(Max(1 - m, 0), off_above=1),
                "gap_map": GapMap(Max(1 - m, 0)),
                "learning_rate": 1 / (9 * K),
            }
        ),
        {"loss": SoftmaxLoss(-log(p)), "gap_map": LOGISTIC["gap_map"], "learning_rate": 1 / (100 * K)},
        {"loss": SoftmaxLoss(1 - p), "gap_map": GapMap(1 - p), "learning_rate": 1 / (100 * K)},
        {
            "loss": BinaryLoss(plus=Max(1 - z, 0), minus=Max(Rational(1, 2) + z, 0)),
            "gap_map": GapMap(Max(1 - m, 0)),
            "learning_rate": Rational(1, 8),
        },
        slow({**SMOOTH_HINGE, "learning_rate": Piecewise((1 / (4 * K), K <= 6), (1 / (4 * K - 1), True))}),
    ],
    ids=[
        "no exploration",
        "all exploration",
        "map above one",
        "loss below zero",
        "hinge never off",
        "hinge off too late",
        "natural logarithm",
        "not convex",
        "one side too small",
        "wrong from K = 7 on",
    ],
)
def test_false_theorems_are_refuted(arguments: dict[str, Any]) -> None:
    result = checked(**arguments)
    assert result.verdict is Verdict.REFUTED
    assert result.witness is not None


@pytest.mark.slow
def test_a_finite_range_of_classes_is_proved_and_refuted_where_it_ends() -> None:
    rate = Rational(1, 20)
    assert verdict(**SMOOTH_HINGE, learning_rate=rate, classes=range(2, 6)) is Verdict.PROVED
    result = checked(**SMOOTH_HINGE, learning_rate=rate, classes=range(2, 7))
    assert result.verdict is Verdict.REFUTED
    assert result.witness["K"] == 6


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "expected"), [(Rational(5, 2), Verdict.PROVED), (Rational(9, 4), Verdict.PROVED), (3, Verdict.REFUTED)]
)
def test_a_rate_that_is_too_large_at_a_number_of_classes_that_is_no_integer(place: Any, expected: Verdict) -> None:
    rise = Rational(1, 100) * Max(0, Rational(1, 4) - Abs(K - place))
    assert checked(**SMOOTH_HINGE, learning_rate=1 / (4 * K) + rise).verdict is expected


@pytest.mark.slow
def test_only_a_gap_at_a_kinks_other_subgradient_is_still_a_refutation() -> None:
    kinked = Max(1 - m, 1 - 3 * m, 0)
    result = checked(
        loss=MarginLoss(kinked),
        gap_map=GapMap(Piecewise((1, m < Rational(1, 8)), (0, True))),
        learning_rate=Rational(1, 16),
        classes=2,
    )
    assert result.verdict is Verdict.REFUTED


COMPLICATED = {
    "as a sum": Max(1 - 2 * m, 0) + Piecewise((0, m <= 0), (Max(1 - m, 0) ** 2 - Max(1 - 2 * m, 0), True)),
    "branches reordered": Piecewise(((1 - m) ** 2, (m > 0) & (m < 1)), (1 - 2 * m, m <= 0), (0, True)),
    "an isolated point": Piecewise((1 - 2 * m, m < 0), (1, Eq(m, 0)), ((1 - Min(m, 1)) ** 2, True)),
    "with abs and max": Abs(m) - m + Max(1 - Max(m, 0), 0) ** 2,
}


@pytest.mark.slow
@pytest.mark.parametrize(
    "loss",
    [
        pytest.param(loss, id=name, marks=[] if name == "branches reordered" else [pytest.mark.slow])
        for name, loss in COMPLICATED.items()
    ],
)
def test_a_needlessly_complicated_statement_gets_the_same_verdict(loss: Expr) -> None:
    rate = 1 / (4 * K)
    assert verdict(loss=MarginLoss(loss), gap_map=GapMap(SMOOTH_MAP), learning_rate=rate) is Verdict.PROVED
    assert verdict(loss=MarginLoss(loss), gap_map=GapMap(SMOOTH_MAP), learning_rate=rate * MILLIONTH) is Verdict.REFUTED


@pytest.mark.slow
def test_every_shipped_statement_is_proved_by_the_kernel(shipped: Shipped) -> None:
    for theorem in shipped.document["theorems"]:
        assert theorem["verdict"] == "PROVED", theorem["name"]
        for obligation in theorem["obligations"]:
            assert obligation["evidence"][0] == "kernel", (theorem["name"], obligation["id"])


OPPOSITE = {Le: Gt, Lt: Ge, Ge: Lt, Gt: Le}


# Cases that their own statements call impossible: their hypotheses contradict each other, and anything follows.
IMPOSSIBLE: set[str] = set()


@pytest.mark.slow
def test_the_opposite_of_a_shipped_implication_is_never_proved_so_that_none_is_vacuous() -> None:
    """Hypotheses that contradict each other would prove it. Nearly all opposites are refuted by a point."""
    lemmas = [s.item for s in shipped_entries()[0] if isinstance(s.item, Lemma)]
    planted = [
        Lemma(name=f"{lemma.name}: {i.name}", implications=[replace(i, then=_opposite(i.then))])
        for lemma in lemmas
        for i in lemma.implications
    ]
    verdicts = {result.item.name: result.verdict for result in check(planted, 3, 2)}
    assert {name for name, found in verdicts.items() if found is Verdict.PROVED} == IMPOSSIBLE
    assert list(verdicts.values()).count(Verdict.REFUTED) > 0.9 * len(planted)


def _opposite(relation: Any) -> Any:
    if isinstance(relation, Eq):
        return Gt(*relation.args, evaluate=False)
    return OPPOSITE[type(relation)](*relation.args, evaluate=False)


@pytest.mark.slow
def test_a_planted_false_obligation_turns_the_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    def planted(item: Any) -> Any:
        first, *rest = obligations_of(item)
        return (type(first)(first.id, first.statement, (*first.claims, sequent((m >= 0,), m >= 1))), *rest)

    monkeypatch.setattr(recalling, "obligations_of", planted)
    assert verdict(**SMOOTH_HINGE, learning_rate=1 / (4 * K)) is Verdict.REFUTED


def test_no_obligations_are_not_a_proof(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Verdict.of([]) is Verdict.UNDECIDED
    monkeypatch.setattr(
        recalling,
        "obligations_of",
        lambda item: tuple(type(o)(o.id, o.statement, ()) for o in obligations_of(item)),
    )
    assert verdict(**SMOOTH_HINGE, learning_rate=1 / (4 * K)) is Verdict.UNDECIDED


@pytest.mark.slow
def test_an_obligation_that_nobody_answered_is_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    decide_all = workers.decide_all

    def all_but_one(tasks: Any, seconds: float, count: int, arrived: Any, *rest: Any) -> None:
        decide_all(tasks, seconds, count, lambda number, decided: number and arrived(number, decided), *rest)

    monkeypatch.setattr(workers, "decide_all", all_but_one)
    result = checked(**SMOOTH_HINGE, learning_rate=1 / (4 * K))
    assert result.verdict is Verdict.UNDECIDED
    assert [outcome.reason for outcome in result.outcomes][:2] == ["no process answered", None]
    assert len(result.outcomes) == len(result.obligations)


def test_many_theorems_leave_neither_processes_nor_pipes_behind() -> None:
    before, processes = open_files(), children()
    lemma = Lemma(name="l", implications=[Implication(name="i", statement="s", given=(), then=m**2 - m + 1 > 0)])
    results = check([lemma] * 12, 10, 2)
    assert {result.verdict for result in results} == {Verdict.PROVED}
    assert open_files() <= before
    assert children() <= processes


def test_obligations_that_cannot_be_derived_are_undecided(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(item: Any) -> Any:
        raise TypeError("no such case")

    monkeypatch.setattr(recalling, "obligations_of", broken)
    result = checked(**SMOOTH_HINGE, learning_rate=1 / (4 * K))
    assert result.verdict is Verdict.UNDECIDED
    assert result.outcomes[0].reason == "the obligations could not be derived: no such case"


@pytest.mark.slow
def test_a_killed_process_costs_one_obligation_only(monkeypatch: pytest.MonkeyPatch) -> None:
    prove = Prover.prove

    def dying(self: Prover, task: Any) -> Any:
        if task.obligation.id == "loss/convex":
            os.kill(os.getpid(), signal.SIGKILL)
        return prove(self, task)

    monkeypatch.setattr(Prover, "prove", dying)
    result = checked(**SMOOTH_HINGE, learning_rate=1 / (4 * K))
    assert result.verdict is Verdict.UNDECIDED
    found = {o.id: outcome for o, outcome in zip(result.obligations, result.outcomes, strict=True)}
    assert found.pop("loss/convex").reason == "the process that was deciding it died (killed by signal 9)"
    assert all(outcome.verdict is Verdict.PROVED for outcome in found.values())


@pytest.mark.slow
def test_a_process_that_hangs_is_killed_at_its_deadline(monkeypatch: pytest.MonkeyPatch) -> None:
    import time

    prove = Prover.prove
    monkeypatch.setattr(deadline, "GRACE", 0.0)
    monkeypatch.setattr(workers, "ENGINES", 2)
    monkeypatch.setattr(
        Prover, "prove", lambda self, task: time.sleep(600) if task.obligation.id == "regret" else prove(self, task)
    )
    result = checked(seconds=1, **SMOOTH_HINGE, learning_rate=1 / (4 * K), regret=2 * K)
    found = dict(zip((o.id for o in result.obligations), result.outcomes, strict=True))
    assert found["regret"].reason == "the deadline passed"
    assert result.verdict is Verdict.UNDECIDED


@pytest.mark.slow
def test_without_a_solver_nothing_algebraic_is_proved(tmp_path: Path, gaptron: Any) -> None:
    (tmp_path / "sitecustomize.py").write_text(
        "import importlib.util as u\nfound = u.find_spec\n"
        "u.find_spec = lambda name, *rest: None if name == 'z3' else found(name, *rest)\n"
    )
    done = gaptron(
        "check", "--no-cache", "examples/squared_hinge.py", PYTHONPATH=f"{tmp_path}:{os.environ.get('PYTHONPATH', '')}"
    )
    assert done.returncode == 3
    assert "the solver z3 is not installed" in done.stdout
    assert "PROVED  " not in done.stdout


@pytest.mark.slow
def test_a_value_at_which_there_is_no_theorem_is_no_internal_error(capfd: pytest.CaptureFixture[str]) -> None:
    """At part = 1 the learning rate is 0."""
    part = Parameter("part", 0, 1)
    threshold = (1 + K * part) / (K + 1)
    hinge = MarginLoss(Max(1 - m, 0), off_above=threshold)
    a = GapMap(Piecewise((1 - m, m <= threshold), (0, True)))
    result = checked(loss=hinge, gap_map=a, learning_rate=(1 - threshold) / K, seconds=3)
    assert result.witness is not None
    assert (result.witness["obligation"], result.witness["point"]) == ("learning rate/positive", {"part": "1"})
    assert "internal error" not in capfd.readouterr().err
