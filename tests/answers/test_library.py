"""The functions of the library: what the verbs say, as objects, decided where no other code has run."""

import json
import os
import signal
import threading
from fractions import Fraction
from pathlib import Path

import pytest
from conftest import REPOSITORY, Command
from sympy import Max, Symbol, exp

import gaptron
from gaptron import GapMap, Implication, Lemma, MarginLoss, Theorem, TheoremError
from gaptron.answers import process
from gaptron.answers.results import CheckResult, ResultList
from gaptron.symbols import K, m

pytestmark = pytest.mark.usefixtures("lent")

LOSS = Max(1 - m, 0) ** 2
FILE = REPOSITORY / "examples" / "squared_hinge.py"


def squared(name: str = "good", eta: object = 1 / (4 * K), **more: object) -> Theorem:
    given = {"loss": MarginLoss(LOSS), "gap_map": GapMap(LOSS), "learning_rate": eta, **more}
    return Theorem(name=name, **given)  # type: ignore[arg-type]


GOOD, FAST = squared(regret=2 * K), squared("fast", 1 / (3 * K))
X = Symbol("x", real=True)
FALSE_LEMMA = Lemma(
    name="square", implications=(Implication(name="1", statement="x^2 <= 0", given=(), then=X**2 <= 0),)
)


@pytest.mark.slow
def test_a_theorem_has_a_result_and_a_list_has_several() -> None:
    one, both = gaptron.check(GOOD), gaptron.check([GOOD, FAST, FALSE_LEMMA])
    assert isinstance(one, CheckResult)
    assert isinstance(both, ResultList)
    assert (one.verdict, bool(one), one.witness, one.refutes, one.reasons) == ("PROVED", True, None, None, ())
    assert [result.verdict for result in both] == ["PROVED", "REFUTED", "REFUTED"]
    assert (both.verdict, bool(both), both[1:].verdict, len(both)) == ("REFUTED", False, "REFUTED", 3)
    assert [result.refutes for result in both] == [None, "condition", "statement"]
    assert [result.theorem for result in both] == [GOOD, FAST, FALSE_LEMMA]
    assert one.evidence == ("kernel",)
    assert one.constants == {"learning_rate": 1 / (4 * K), "regret": 2 * K}
    assert one.doubles(3) == {"learning_rate": pytest.approx(1 / 12), "regret": 6.0}
    assert both[2].constants == {}


@pytest.mark.slow
def test_a_file_is_checked_as_the_verb_does(gaptron: Command, tmp_path: Path) -> None:
    import gaptron as library

    def without_times(row: dict) -> dict:  # type: ignore[type-arg]
        return row | {"file": "", "obligations": [o | {"seconds": 0} for o in row["obligations"]]}

    rows = library.check(FILE).to_json()
    said = json.loads(gaptron("check", FILE, "--json").stdout)["theorems"]
    assert [*map(without_times, rows)] == [*map(without_times, said)]
    (tmp_path / "theorems").mkdir()
    (tmp_path / "theorems" / "one.py").write_text(FILE.read_text())
    assert [result.name for result in library.check(str(tmp_path / "theorems"))] == ["squared hinge"]
    assert [result.name for result in library.check([FILE, FAST])] == ["fast", "squared hinge"]


@pytest.mark.few(10)
@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        (lambda: gaptron.check("nothere.py"), "does not exist"),
        (lambda: gaptron.check(3), "3 is no theorem, file or folder"),  # type: ignore[call-overload]
        (lambda: gaptron.check([GOOD, None]), "None is no theorem"),  # type: ignore[list-item]
        (lambda: gaptron.check(GOOD, seconds=0), "seconds = 0: a number > 0 is needed"),
        (lambda: gaptron.check(GOOD, workers=0), "workers = 0: a whole number >= 1 is needed"),
        (lambda: gaptron.check(GOOD, cache=3), "cache = 3: True, False or a path is needed"),  # type: ignore[call-overload]
        (lambda: gaptron.check(GOOD, coq="yes"), "coq = 'yes': True or False is needed"),  # type: ignore[call-overload]
        (lambda: gaptron.sharpen(GOOD, classes=[1]), "whole numbers >= 2 is needed"),
        (lambda: gaptron.sharpen(GOOD, classes=[]), "whole numbers >= 2 is needed"),
        (lambda: gaptron.sharpen(GOOD, classes=3), "classes = 3: a list"),  # type: ignore[call-overload]
        (lambda: gaptron.attack(GOOD, classes=2), "classes = 2: a list"),  # type: ignore[arg-type]
        (lambda: gaptron.attack(GOOD, rounds=[0]), "rounds = [0]: a list of whole numbers >= 1 is needed"),
        (lambda: gaptron.attack(GOOD, seed=-1), "seed = -1: a whole number >= 0 is needed"),
        (lambda: gaptron.attack(GOOD, generations=1.5), "generations = 1.5"),  # type: ignore[arg-type]
        (lambda: gaptron.plot(GOOD, classes=3), "classes = 3: a list"),  # type: ignore[arg-type]
        (lambda: gaptron.plot(GOOD, margins=3), "margins = 3: a number below 0"),  # type: ignore[arg-type]
        (lambda: gaptron.sharpen(squared(classes=2), classes=[3]), "is not claimed for K in 3-3"),
        (lambda: gaptron.attack(FALSE_LEMMA), "is a Lemma: it has no bound"),
        (lambda: gaptron.explain("no such name at all"), "no claim or theorem has such a name"),
        (lambda: gaptron.explain(7), "a theorem, or the name"),  # type: ignore[arg-type]
        (lambda: gaptron.audit("examples/nothere"), "does not exist"),
        (lambda: gaptron.plot(FALSE_LEMMA), "nothing to draw"),
        (lambda: gaptron.plot([]), "nothing to draw: no theorem is given"),
        (lambda: gaptron.plot(GOOD, only="zzz"), "zzz: no theorem has such a name: there is 'good'"),
        (lambda: gaptron.check(GOOD, seconds=True), "seconds = True: a number > 0 is needed"),
        (lambda: gaptron.check([GOOD], only=3), "only = 3: a text is needed"),  # type: ignore[call-overload]
        (lambda: gaptron.attack(GOOD, only=3), "only = 3: a text is needed"),  # type: ignore[arg-type]
        (lambda: gaptron.plot(GOOD, only=3), "only = 3: a text is needed"),  # type: ignore[arg-type]
        (lambda: gaptron.audit(document=5), "document = 5: a text is needed"),  # type: ignore[arg-type]
        (lambda: gaptron.audit(3), "3 is no file or folder"),  # type: ignore[arg-type]
        (lambda: gaptron.explain("a", 3), "3 is no file or folder"),  # type: ignore[arg-type]
        (lambda: gaptron.explain(""), "a theorem, or the name of a theorem or claim, is needed"),
        (lambda: gaptron.explain("no such\nname"), "no claim or theorem has such a name"),
    ],
)
def test_what_cannot_be_used_is_one_sentence(asked: "object", sentence: str) -> None:
    with pytest.raises(TheoremError) as refused:
        asked()  # type: ignore[operator]
    assert sentence in str(refused.value)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) <= 200


def test_a_file_that_is_no_text_is_refused_without_a_line(tmp_path: Path) -> None:
    (tmp_path / "binary.py").write_bytes(bytes(range(256)))
    with pytest.raises(TheoremError, match=r"binary.py: not valid Python: ") as refused:
        gaptron.check(tmp_path / "binary.py")
    assert "None" not in str(refused.value)


def test_a_file_that_cannot_be_used_is_an_error_whatever_else_is_proved(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("1 +\n")
    with pytest.raises(TheoremError, match=r"broken.py:1"):
        gaptron.check([GOOD, tmp_path / "broken.py"])


def test_what_this_process_changes_changes_no_verdict(monkeypatch: pytest.MonkeyPatch) -> None:
    """A theorem is decided where none of this process's code has run."""
    monkeypatch.setattr("gaptron.obligations.obligations", lambda item, guesses: ())
    monkeypatch.setattr("gaptron.obligations.gap.gap_obligations", lambda theorem: [], raising=False)
    monkeypatch.setattr("gaptron.checking.recall.obligations_of", lambda item: ())
    monkeypatch.setattr(exp, "fdiff", lambda self, argindex=1: 0)
    assert gaptron.check(FAST).verdict == "REFUTED"


def test_results_show_themselves_and_run_nothing() -> None:
    hostile = squared("<script>alert(1)</script> $\\href{javascript:alert(1)}{x}$ \x1b[31m", 1 / (3 * K))
    shown = gaptron.check(hostile)
    page = shown._repr_html_()
    assert "<script>" not in page
    assert "\x1b" not in page + repr(shown)
    assert page.split('mathjax_ignore">')[1].startswith("&lt;script&gt;")
    assert "REFUTED" in page
    assert "K=2, scores=(0, 0), label 0: gap = 1/6" in page
    assert "K=2, scores=(0, 0), label 0: gap = 1/6" in repr(shown)
    assert shown._repr_latex_().startswith(r"$\displaystyle \begin{aligned}&\mathbb{E}[M_T] \le")
    assert GOOD._repr_latex_() == gaptron.check(GOOD)._repr_latex_()


@pytest.mark.slow
def test_constants_are_objects_and_what_is_found_can_be_checked() -> None:
    found = gaptron.sharpen(squared(), classes=[2, 3])
    assert found.verdict == "PROVED"
    assert found.given_gap_map.learning_rate is not None
    assert found.given_gap_map.learning_rate.closed_form == 1 / (4 * K)
    assert found.any_algorithm.learning_rate is None
    regret = found.any_algorithm.regret
    assert regret is not None
    low, high = regret.bracket[3] or (Fraction(0), Fraction(0))
    assert low <= 3 <= high
    assert (low, high) == tuple(map(Fraction, found.to_json()["any_algorithm"]["regret"]["K"]["3"]))
    assert regret.doubles(3) == (float(low), float(high))
    assert regret.doubles(9) is None
    assert [theorem.name for theorem in found.theorems] == [
        f"good, {words}" for words in ("given map", "best map", "best decoder", "any algorithm")
    ]
    assert gaptron.check(found.theorems)


@pytest.mark.slow
def test_an_attack_an_explanation_and_an_audit() -> None:
    (attacked,) = gaptron.attack(GOOD, classes=[2], rounds=[2], generations=0)
    assert attacked.verdict == "UNDECIDED"
    assert attacked.to_json()["K"] == 2
    explained = gaptron.explain(FAST)
    assert explained.verdict == "REFUTED"
    assert "4/3 times" in repr(explained)
    assert "why" in explained.to_json()
    claims = gaptron.audit(REPOSITORY / "examples" / "tilted_hinge", only="theorem")
    assert [(claim.name, claim.verdict) for claim in claims] == [
        ("tilted/theorem-1", "PROVED"),
        ("tilted/theorem-2", "REFUTED"),
    ]


@pytest.mark.slow
def test_a_theorem_that_is_no_file_stands_in_memory() -> None:
    found = gaptron.sharpen(GOOD, classes=[2], seconds=1.0)
    assert repr(found).splitlines()[0] == "good (in memory)"
    assert "-:" not in repr(gaptron.explain(GOOD)) + repr(gaptron.check(GOOD))


def test_an_expected_verdict_stands_in_the_row() -> None:
    result = gaptron.check(squared("meant", 1 / (3 * K), expect="REFUTED"))
    assert (result.verdict, result.expected) == ("REFUTED", "REFUTED")
    assert not result


@pytest.mark.slow
def test_an_interrupt_keeps_what_is_certified(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It reaches the process that decides, whose answer goes with the interrupt; the next question is answered."""
    monkeypatch.setenv("GAPTRON_CACHE", str(tmp_path / "own.sqlite"))
    signal.signal(signal.SIGINT, signal.default_int_handler)  # heeded even under nohup
    known = threading.Event()
    monkeypatch.setattr(
        "gaptron.system.progress.Progress.at", lambda self, done, total, what=None: done and known.set()
    )

    def interrupt() -> None:
        assert known.wait(600)
        os.kill(os.getpid(), signal.SIGINT)

    thread = threading.Thread(target=interrupt)
    thread.start()
    with pytest.raises(KeyboardInterrupt) as caught:
        gaptron.check()
    thread.join()
    partial = caught.value.result  # type: ignore[attr-defined]
    assert isinstance(partial, ResultList)
    assert {"PROVED", "UNDECIDED"} >= {result.verdict for result in partial}
    assert any("interrupted" in reason for result in partial for reason in result.reasons)
    assert gaptron.check(GOOD).verdict == "PROVED"


@pytest.mark.slow
def test_a_process_that_is_killed_is_one_sentence_and_another_takes_over() -> None:
    assert gaptron.check(GOOD)
    (before,) = process._started
    before.process.kill()
    before.process.wait()
    assert gaptron.check(GOOD)
    assert process._started != [before]


@pytest.mark.slow
def test_a_fork_of_this_process_asks_one_of_its_own() -> None:
    """Two that shared a pipe would get each other's verdicts."""
    assert gaptron.check(GOOD)
    child = os.fork()
    if child == 0:
        os._exit(0 if all(gaptron.check(FAST).verdict == "REFUTED" for _ in range(3)) else 1)
    assert all(gaptron.check(GOOD).verdict == "PROVED" for _ in range(3))
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


def test_threads_get_their_own_answers() -> None:
    found: dict[str, str] = {}

    def ask(theorem: Theorem) -> None:
        found[theorem.name] = gaptron.check(theorem).verdict

    threads = [threading.Thread(target=ask, args=[theorem]) for theorem in (GOOD, FAST)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {"good": "PROVED", "fast": "REFUTED"}


def test_the_public_names_complete() -> None:
    verbs = {"check", "sharpen", "attack", "explain", "audit", "plot"}
    assert verbs <= set(gaptron.__all__) <= set(dir(gaptron))
    for name in gaptron.__all__:
        assert getattr(gaptron, name) is not None


def test_a_name_that_no_theorem_has_is_an_error_that_names_those_that_there_are() -> None:
    with pytest.raises(TheoremError, match=r"^zzz: no theorem has such a name: there is 'fast', 'good'$"):
        gaptron.check([GOOD, FAST], only="zzz")
    with pytest.raises(TheoremError, match=r"^god: no theorem has such a name: did you mean 'good'\?$"):
        gaptron.check(GOOD, only="god")


def test_a_pattern_that_no_file_matches_says_so(tmp_path: Path) -> None:
    with pytest.raises(TheoremError, match=r"none\*\.py: no file matches this pattern$"):
        gaptron.check(tmp_path / "none*.py")


@pytest.mark.slow
def test_a_theorem_that_no_file_holds_is_in_memory() -> None:
    for said in (str(gaptron.check(FAST)), str(gaptron.explain(FAST))):
        assert "in memory" in said
        assert "-:" not in said
