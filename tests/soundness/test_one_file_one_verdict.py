"""A file's verdict depends on that file alone, and what a verdict is about is what it shows."""

import json
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sympy as sp
from conftest import REPOSITORY, Command
from hypothesis import given
from hypothesis import strategies as st

from gaptron import Implication, Lemma, MarginLoss, Parameter, Shows, StructuredTheorem, TheoremError
from gaptron import structured as vocabulary
from gaptron.structured import Classes, ZeroOne
from gaptron.symbols import m
from gaptron.system import deadline
from gaptron.system.child import Child
from gaptron.theory.data import DataError, read, written
from gaptron.theory.files import FileError, InFile, load, load_whole, shipped_files
from gaptron.theory.running import contents

HEAD = """
from gaptron import *
from gaptron.symbols import *
from sympy import *
import os, sys, threading

square = Max(1 - m, 0)**2
def claimed(name, rate):
    return Theorem(name=name, loss=MarginLoss(square), gap_map=GapMap(square), learning_rate=rate)
"""
WRITES = """
for end in range(3, 64):
    try:
        os.write(end, b'%s' + bytes([10]))
    except OSError:
        pass
"""
TRUE, FALSE = "t = claimed('true', 1/(4*K))\n", "t = claimed('false', 1/K)\n"
PATCHES = {
    "no obligations of the gap": "import gaptron.obligations as o\no.gap_obligations = lambda *a: iter(())\n",
    "every claim is proved": """
import gaptron.prove.decide, gaptron.checking.workers
gaptron.checking.workers.decide = lambda task, prover: 1/0
gaptron.prove.decide.Prover.prove = lambda self, task: 1/0
""",
    "nothing is evaluated": """
from sympy.core.parameters import global_parameters
global_parameters.evaluate = False
""",
    "another module": "sys.modules['gaptron.kernel'] = sys.modules['gaptron.coq'] = None\n",
    "a thread": """
def forever():
    while True:
        for module in [*sys.modules.values()]:
            if getattr(module, '__name__', '').startswith('gaptron.'):
                module.obligations = module.replay = None
threading.Thread(target=forever).start()
""",
    "at the end": "import atexit\natexit.register(os._exit, 0)\n",
    "another class": "MarginLoss.__post_init__ = lambda self: None\nTheorem.__post_init__ = lambda self: None\n",
    "what is printed": "os.write(1, b'PROVED\\n')\nprint('PROVED')\nprint('PROVED', file=sys.__stdout__, flush=True)\n",
    "all pipes": WRITES % '{"now": "done"}',
}
DIES = {
    "says something else": PATCHES["all pipes"],
    "exits": "os._exit(0)\n",
    "is killed": "os.kill(os.getpid(), 9)\n",
    "never ends": "while True: pass\n",
    "writes garbage": WRITES % "garbage",
    "raises": "raise SystemExit(0)\n",
}


def documents(gaptron: Command, *files: Path) -> dict[str, tuple[str, str]]:
    """The verdict of each theorem with what was found of it, by the name of its file."""
    done = gaptron("check", *files, "--json", "--no-cache")
    return {
        Path(row["file"]).name: (row["verdict"], json.dumps([(o["id"], o["verdict"]) for o in row["obligations"]]))
        for row in json.loads(done.stdout)["theorems"]
    }


def hostile(folder: Path, number: int) -> tuple[Path, Path]:
    """A file that patches, and the false one that is checked after it."""
    name, patch = [*PATCHES.items()][number % len(PATCHES)]
    first, second = folder / f"{number:03}_{name.replace(' ', '_')}.py", folder / f"{number:03}_z.py"
    first.write_text(HEAD + TRUE + patch)
    second.write_text(HEAD + (FALSE if number % 2 else TRUE))
    return first, second


@pytest.mark.slow
@pytest.mark.parametrize("pairs", [3, pytest.param(50, marks=pytest.mark.slow)])
def test_files_that_patch_something_change_no_verdict_of_another(gaptron: Command, tmp_path: Path, pairs: int) -> None:
    files = [file for number in range(pairs) for file in hostile(tmp_path, number)]
    honest = {name: documents(gaptron, hostile(tmp_path, n)[1])[f"{n:03}_z.py"] for n, name in ((0, TRUE), (1, FALSE))}
    assert [honest[name][0] for name in (TRUE, FALSE)] == ["PROVED", "REFUTED"]
    together = documents(gaptron, *files)
    for number in range(pairs):
        assert together[f"{number:03}_z.py"] == honest[FALSE if number % 2 else TRUE], number


@pytest.mark.few(1)
@pytest.mark.parametrize("patch", sorted(PATCHES.keys() - {"all pipes"}))
def test_what_a_file_patches_does_not_change_its_own_verdict(gaptron: Command, tmp_path: Path, patch: str) -> None:
    file = tmp_path / "mine.py"
    file.write_text(HEAD + FALSE + PATCHES[patch])
    done = gaptron("check", file, "--json", "--no-cache")
    (row,) = json.loads(done.stdout)["theorems"]
    assert (row["verdict"], done.returncode) == ("REFUTED", 1), done.stderr


@pytest.mark.few(1)
@pytest.mark.parametrize("how", DIES)
def test_a_file_that_dies_is_one_sentence_and_costs_nothing_else(
    gaptron: Command, tmp_path: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    dead, good = tmp_path / "dead.py", tmp_path / "good.py"
    dead.write_text(HEAD + TRUE + DIES[how])
    good.write_text(HEAD + TRUE)
    if how == "never ends":
        monkeypatch.setattr(deadline, "LOAD_SECONDS", 2.0)
        with pytest.raises(FileError, match=r"dead.py.*(still running|did not finish)"):
            load(dead)
        return
    done = gaptron("check", dead, good, "--json", "--no-cache")
    found = json.loads(done.stdout)
    assert [(row["file"], row["verdict"]) for row in found["theorems"]] == [(str(good), "PROVED")]
    assert found["error"].startswith(str(dead))
    assert found["error"].count("\n") == 0
    assert done.returncode == 2


# --- what is handed over ------------------------------------------------------------------------------------


@pytest.mark.slow
def test_all_that_is_shipped_is_the_same_once_it_was_handed_over() -> None:
    """With its order, its sharing, its lines: it is written as it was."""
    for file in shipped_files():
        stated = contents(file)
        data = written([stated])[0]
        ((items, claims, _),) = read(json.loads(json.dumps(data)), partial(InFile, file))
        assert written([contents(file)])[0] == data
        assert [(item, item.line, item.readings) for item in items] == [
            (item, item.line, item.readings) for item in stated[0]
        ]
        assert [claim.statement for claim in claims] == [claim.statement for claim in stated[1]]


DATA = written([contents(REPOSITORY / "examples" / "bandit_as_printed.py")])[0]
HERE = partial(InFile, Path("x"))
JUNK: Any = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 200) | st.text(max_size=5) | st.floats(allow_nan=False),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


@given(st.data())
def test_data_that_was_changed_is_read_as_data_or_refused(data: st.DataObject) -> None:
    """Whatever a file hands over, this process gets theorems of its own classes, or an error."""
    changed = json.loads(json.dumps(DATA))
    node = data.draw(st.integers(0, len(changed["nodes"]) - 1))
    place = data.draw(st.integers(0, len(changed["nodes"][node]) - 1))
    changed["nodes"][node][place] = data.draw(JUNK | st.sampled_from(["Add", "Theorem", "Symbol", "plain", "dict"]))
    try:
        values = read(changed, HERE)
    except (ValueError, TypeError, KeyError, AttributeError, ArithmeticError, NotImplementedError):
        return
    assert written(values)


@pytest.mark.parametrize(
    "document",
    [
        {},
        {"nodes": [], "values": [0]},
        {"nodes": [["plain", 1]], "values": [True]},
        {"nodes": [["plain", 1]], "values": [-1]},
        {"nodes": [["Add", 0]], "values": [0]},
        {"nodes": [["plain", "x"], ["Add", 0, 0]], "values": [1]},
        {"nodes": [["Function", "f"]], "values": [0]},
        {"nodes": [["sympify", "__import__('os').system('true')"]], "values": [0]},
        {"nodes": [["Symbol", "x", {"real": 1}]], "values": [0]},
        {"nodes": [["Symbol", "x", {"evil": True}]], "values": [0]},
        {"nodes": [["plain", 1.5]], "values": [0]},
        {"nodes": [["plain", 1]], "values": [0], "more": 0},
    ],
)
def test_what_is_no_data_is_refused(document: Any) -> None:
    with pytest.raises(DataError):
        read(document, HERE)


def test_only_what_the_classes_here_accept_is_read() -> None:
    """Patched checks there do not help: a theorem is built again here."""
    nodes = json.loads(json.dumps(DATA["nodes"]).replace('"bandit"', '"neither"'))
    with pytest.raises(TheoremError, match="neither"):
        read(DATA | {"nodes": nodes}, HERE)


def test_a_pipe_of_the_deciding_process_is_closed_where_a_file_runs(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(HEAD + TRUE + "raise ValueError(sorted(int(n) for n in os.listdir('/proc/self/fd')))")
    other = Child(lambda voice: voice.say(voice.hear() or {}))
    try:
        with pytest.raises(FileError) as caught:
            load(file)
    finally:
        other.stop()
    assert len(json.loads(str(caught.value).split(": ")[1])) <= 7  # three streams, three pipes, the listing


def test_instances_are_computed_where_the_file_runs(gaptron: Command, tmp_path: Path) -> None:
    file = tmp_path / "claims.py"
    file.write_text(
        "from gaptron import *\nimport os\n"
        "def half():\n    import gaptron.ledger.recomputation as a\n    a.Audited.problems = []\n"
        "    return Instance({'x': 1}, 1, 2)\n"
        "one = Claim(id='d/one', source='1', statement='s', grounds=Shows(half), recorded='REFUTED')\n"
    )
    (filed,) = load_whole(file)[1]
    (ground,) = filed.claim.grounds
    assert isinstance(ground, Shows)
    assert ground.compute == InFile(file, 0)  # type: ignore[comparison-overlap]
    done = gaptron("audit", file)
    assert done.returncode == 1
    assert "recorded REFUTED, computed PROVED" in done.stdout


CLAIM = """
from gaptron import *
import os
import gaptron.ledger.recomputation as audit
audit.Audited.problems = audit.Audited.verdict = []

def noise(text):
    for end in range(3, 64):
        try:
            os.write(end, text)
        except OSError:
            pass

one = Claim(id='{id}', source='1', statement='s', grounds={grounds}, recorded='PROVED')
"""
SHOWN = '{"verdict": "PROVED", "seconds": %s, "shown": {"at": {}, "relation": "=", "left": "1", "right": %s}}'
NOISE = ["{}", '{"error": 5}', SHOWN % ("NaN", '"1"'), SHOWN % ("1.0", '["1"]')]
RIGHT = "Shows(lambda: Instance({'x': 1}, 1, 1))"


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("grounds", "said"),
    [
        ("Shows(lambda: os._exit(0))", "ended the process while it was loaded (exit status 0)"),
        ("Shows(lambda: 1/0)", "ZeroDivisionError: division by zero"),
        ("Rests('a/missing')", "rests on a/missing: no such claim"),
        (f"{RIGHT}, tex=5", "LedgerClaim tex = '5' is of another kind"),
        ("(Shows(lambda: 1), NotCheckable(7))", "NotCheckable reason = '7' is of another kind"),
        ("os._exit(3)", "ended the process while it was loaded (exit status 3)"),
        *((f"Shows(lambda: noise(b'{text}\\n'))", "said what is no outcome of an instance") for text in NOISE),
    ],
)
def test_a_ledger_that_dies_is_one_sentence_and_costs_nothing_else(
    gaptron: Command, tmp_path: Path, grounds: str, said: str
) -> None:
    """Nor does what it does to the audit where it runs."""
    bad, good = tmp_path / "bad.py", tmp_path / "good.py"
    bad.write_text(CLAIM.replace("{id}", "a/bad").replace("{grounds}", grounds))
    good.write_text(CLAIM.replace("{id}", "b/good").replace("{grounds}", RIGHT))
    done = gaptron("audit", bad, good, "--json")
    found = json.loads(done.stdout)
    assert [(row["id"], row["verdict"]) for row in found["claims"]] == [("b/good", "PROVED")]
    assert said in found["error"]
    assert found["error"].startswith(str(bad))
    assert found["error"].count("\n") == 0
    assert done.returncode == 2


# --- exact types --------------------------------------------------------------------------------------------


class Flat(sp.exp):  # type: ignore[misc]
    """An exponential with slope 0."""

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        return sp.S.Zero


class Steep(sp.log):  # type: ignore[misc]
    """A logarithm with slope 0."""

    def fdiff(self, argindex: int = 1) -> sp.Expr:
        return sp.S.Zero


class Other(sp.Symbol):  # type: ignore[misc]
    """A symbol of another class."""


@pytest.mark.parametrize("loss", [Flat(-m), sp.exp(1 + Flat(m)), sp.Max(0, Steep(1 + sp.exp(m)))])
def test_an_expression_is_made_of_the_classes_of_sympy_themselves(loss: sp.Expr) -> None:
    with pytest.raises(TheoremError, match=r"a class derived from (exp|log)"):
        MarginLoss(loss)
    with pytest.raises(TheoremError, match=r"a class derived from (exp|log)"):
        Implication(name="i", statement="i", given=(), then=sp.Ge(loss, 0, evaluate=False))
    with pytest.raises(DataError, match="nothing that expressions are made of"):
        written([loss])


def test_a_symbol_is_one() -> None:
    with pytest.raises(TheoremError, match="Other, a class derived from Symbol"):
        Implication(name="i", statement="i", given=(), then=sp.Ge(Other("x", real=True) ** 2, 0, evaluate=False))


EXPORTED = [Lemma, Implication, MarginLoss, Parameter, StructuredTheorem]


@pytest.mark.parametrize("kind", [*EXPORTED, *(getattr(vocabulary, name) for name in vocabulary.__all__)])
def test_the_vocabulary_refuses_to_be_derived_from(kind: type) -> None:
    with pytest.raises(TypeError, match=f"{kind.__name__} cannot be derived from"):
        type("Mine", (kind,), {})


def test_a_target_of_ones_own_is_none() -> None:
    class Mine(ZeroOne.__base__):  # type: ignore[misc,name-defined]
        def between(self, *given: Any) -> Fraction:
            return Fraction(0)

    with pytest.raises(TheoremError, match="is not one of those"):
        StructuredTheorem(name="mine", outputs=Classes(), target=Mine(), entropy=vocabulary.Shannon(), learning_rate=1)


def test_the_range_of_a_parameter_does_not_change() -> None:
    w = Parameter("w", 1, 4)
    for end in ("low", "high"):
        with pytest.raises(AttributeError, match="its range does not change"):
            setattr(w, end, 9)
    assert (w.low, w.high) == (1, 4)


# --- what is shown ------------------------------------------------------------------------------------------

STATED = (
    HEAD
    + """
w, c, x, y = Parameter("w", 1, 4), Parameter("c", high=3), Symbol("x", real=True), Symbol("y", positive=True)
t = Theorem(name="with w", loss=MarginLoss(square), gap_map=GapMap(square), learning_rate=1/(4*K*w))
l = Lemma(name="E[M_T] <= 0", implications=(
    Implication(name="i", statement="E[M_T] <= 0 for every K", given=(y <= w,), then=Le(-x**2*y, 0, evaluate=False)),
    Implication(name="j", statement="the same", given=(), then=Ge(c**2 + K*y, 0, evaluate=False)),
))
"""
)


@pytest.mark.slow
def test_a_statement_is_its_formula_and_ranges_are_shown(gaptron: Command, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(STATED)
    with_w, lemma = json.loads(gaptron("check", file, "--json").stdout)["theorems"]
    assert (with_w["parameters"], lemma["parameters"]) == ({"w": ["1", "4"]}, {"c": [None, "3"], "w": ["1", "4"]})
    assert [(o["statement"], o["words"]) for o in lemma["obligations"]] == [
        ("-x**2*y <= 0 if 1 <= w <= 4, y > 0, w >= y", "E[M_T] <= 0 for every K"),
        ("c**2 + K*y >= 0 if integer K >= 2, c <= 3, y > 0", "the same"),
    ]
    first, second, *_ = gaptron("check", file).stdout.splitlines()
    assert "(eta = 1/(4*w*K), 1 <= w <= 4)" in first
    assert "(-x**2*y <= 0 if 1 <= w <= 4, y > 0, w >= y; c**2 + K*y >= 0 if integer K >= 2, c <= 3, y > 0)" in second
    assert 'if 1 <= w <= 4, y > 0, w >= y, in words: "E[M_T] <= 0 for every K"' in gaptron("check", file, "-v").stdout
    assert "parameter: 1 <= w <= 4" in gaptron("explain", "with w", file).stdout


@pytest.mark.slow
def test_a_range_that_was_changed_is_the_one_that_is_shown(gaptron: Command, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(STATED + "Parameter.high.__set__(w, Rational(5))\n")
    assert json.loads(gaptron("check", file, "--json").stdout)["theorems"][0]["parameters"] == {"w": ["1", "5"]}


@pytest.mark.parametrize(("declared", "then", "verdict"), [
    ("integer=True", "Ge(K**2, K + 1)", "REFUTED"),
    ("real=True", "Ge(K**2, K + 1)", "REFUTED"),
    ("integer=True, positive=True", "Ge(K**2 + 1, 2*K)", "PROVED"),
])  # fmt: skip
def test_a_symbol_K_of_its_own_is_decided(
    gaptron: Command, tmp_path: Path, declared: str, then: str, verdict: str
) -> None:
    file = tmp_path / "mine.py"
    file.write_text(
        f"{HEAD}K = Symbol('K', {declared})\n"
        f"l = Lemma(name='own', implications=(Implication(name='i', statement='i', given=(), then={then}),))\n"
    )
    (row,) = json.loads(gaptron("check", file, "--json", "--no-cache").stdout)["theorems"]
    assert row["verdict"] == verdict, row["obligations"]
