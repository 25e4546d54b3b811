"""Every theorem of a file is checked, wherever it is held, or its line is named."""

import json
from pathlib import Path

import pytest
from conftest import Command, shipped_entries

from gaptron.theory.files import FileError, load, load_whole

HEAD = """
import functools
import types
from dataclasses import dataclass, replace
from gaptron import *
from gaptron.symbols import *
from sympy import Max, symbols

def t(name):
    return Theorem(name=name, loss=MarginLoss(Max(1 - m, 0)**2), gap_map=GapMap(Max(1 - m, 0)**2),
                   learning_rate=1/(4*K))

real = symbols("x", real=True)

def l(name):
    return Lemma(name=name, implications=[Implication(name="i", statement="s", given=(), then=real**2 > real - 1)])

"""
FIRST = HEAD.count("\n") + 1


def names(tmp_path: Path, body: str) -> list[str]:
    file = tmp_path / "theorems.py"
    file.write_text(HEAD + body)
    return [statement.item.name for statement in load(file)]


def refused(tmp_path: Path, body: str) -> str:
    with pytest.raises(FileError) as raised:
        names(tmp_path, body)
    return str(raised.value).removeprefix(f"{tmp_path}/theorems.py:")


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "body",
    [
        "a = t('a'); b = l('b')",
        "both = [t('a'), l('b')]",
        "both = (t('a'), [l('b')])",
        "both = {t('a'), t('b')}",
        "both = frozenset([t('a'), t('b')])",
        "both = {'x': t('a'), t('b'): 'y'}",
        "both = {'x': {'y': [{'z': (t('a'), t('b'))}]}}",
        "both = types.MappingProxyType({1: t('a'), 2: t('b')})",
        "both = types.SimpleNamespace(a=t('a'), b=t('b'))",
        "both = [t(name) for name in 'ab']",
        "both = tuple(t(name) for name in 'ab')",
        "class C:\n    a = t('a')\n    class D:\n        b = [t('b')]",
        "class C:\n    def __init__(self):\n        self.a = t('a')\n        self.b = t('b')\nc = C()",
        "class C:\n    __slots__ = ('a', 'b')\nc = C(); c.a = t('a'); c.b = t('b')",
        "@dataclass\nclass C:\n    a: object\n    b: object\nc = [C(t('a'), t('b'))]",
        "C = type('C', (), {'a': t('a'), 'b': t('b')})",
        "class L(list):\n    pass\nboth = L([t('a')])\nboth.more = t('b')",
        "a = c = t('a'); b = t('b')",
        "a = t('a'); b = replace(a, name='b')",
        "a = [t('a')]; a.append(a); b = t('b')",
        "exec('a = t(\"a\")'); b = t('b')",
    ],
)
def test_a_theorem_is_found_wherever_it_is(body: str, tmp_path: Path) -> None:
    assert names(tmp_path, body) == ["a", "b"]


T = "Theorem(name='{}', loss=MarginLoss(Max(1 - m, 0)**2), gap_map=GapMap(Max(1 - m, 0)**2), learning_rate=1/(4*K))"
A, B = T.format("a"), T.format("b")


@pytest.mark.few(4)
@pytest.mark.parametrize(
    "body",
    [
        f"x = {A}\nx = {B}",
        f"{A}\nx = {B}",
        f"x = {A}\ndel x\nx = {B}",
        f"x = [{A}, {B}]\nx = x[1]",
        f"x = [{A} for _ in 'x'][0]\nx = {B}",
        f"class C:\n    x = {A}\n    x = {B}",
        f"class C:\n    x = {A}\ndel C\nx = {B}",
        f"x = {A}\nx = replace(x, name='b')",
        f"held = (lambda theorem: lambda: theorem)({A})\nx = {B}",
        f"held = functools.partial(print, {A})\nx = {B}",
        f"for x in ({A}, {B}):\n    pass",
        f"exec({A!r})\nx = {B}",
    ],
)
def test_what_is_built_at_top_level_is_checked_even_if_nothing_holds_it(body: str, tmp_path: Path) -> None:
    assert names(tmp_path, body) == ["a", "b"]


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("body", "line", "name"),
    [
        ("def f():\n    l('a')\nf()\nx = t('b')", -2, "a"),
        ("def f():\n    return t('a'), t('b')\nx, _ = f()\ndel _", -8, "b"),
        ("x = t('a')\nx = t('b')", -8, "a"),
        ("x = t('b')\n(lambda: l('a'))()", -2, "a"),
        (f"def f():\n    x = {A}\n    {A}\n    return x\nx = f()", 2, "a"),
        (f"LOSS = MarginLoss(Max(1 - m, 0)**2)\ndef f():\n    {A.replace('MarginLoss(Max(1 - m, 0)**2)', 'LOSS')}\n"
         f"    return {B.replace('MarginLoss(Max(1 - m, 0)**2)', 'LOSS')}\nx = f()", 2, "a"),
    ],
)  # fmt: skip
def test_a_theorem_that_a_function_drops_is_an_error_that_names_its_line(
    body: str, line: int, name: str, tmp_path: Path
) -> None:
    said = refused(tmp_path, body)
    assert said == f"{FIRST + line}: the theorem {name!r} is built in a function and dropped: return it and assign it"


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "body",
    [
        "def f():\n    return replace(t('c'), name='a')\na, b = f(), t('b')",
        "part = Parameter('part', 1, 2)\ndef f():\n    return replace(t('c'), name='a', learning_rate=part/(9*K))"
        ".at({part: 1})\na, b = f(), t('b')",
        "a, b = t('a'), t('b')\nheld = functools.partial(print, t('c'))",
        "def f(theorem):\n    return lambda: theorem.name\na, b = t('a'), t('b')\nheld = f(t('c'))",
        "a, b = t('a'), t('b')\n"
        "c = Claim(id='d/c', source='s', statement='s', grounds=Obligations(t('c')), recorded='PROVED')",
        "a, b = t('a'), t('b')\n"
        f"c = [Claim(id='d/c', source='s', statement='s', grounds=Obligations({T.format('c')}), recorded='PROVED')]",
    ],
)
def test_a_part_of_something_else_is_not_checked_by_itself(body: str, tmp_path: Path) -> None:
    assert names(tmp_path, body) == ["a", "b"]


def test_a_ground_of_a_claim_that_was_replaced_is_checked(tmp_path: Path) -> None:
    claim = "c = Claim(id='d/c', source='s', statement='s', grounds=Obligations({}), recorded='PROVED')\n"
    assert names(tmp_path, claim.format(A) + claim.format(B)) == ["a"]


def test_claims_are_found_like_theorems(tmp_path: Path) -> None:
    file = tmp_path / "claims.py"
    claim = "Claim(id='d/{}', source='s', statement='s', grounds=NotCheckable('r'), recorded='NOT-CHECKABLE')"
    file.write_text(f"{HEAD}class C:\n    held = {{'x': [{claim.format('a')}]}}\nc = {claim.format('b')}\n")
    assert [filed.claim.id for filed in load_whole(file)[1]] == ["d/a", "d/b"]


def test_two_theorems_of_one_name_are_refused_wherever_they_are(tmp_path: Path) -> None:
    said = refused(tmp_path, f"held = [{A}]\nclass C:\n    again = {A}\n")
    assert said == f"{FIRST + 2}: the name 'a' is given to two theorems"


def test_they_are_checked_in_the_order_in_which_they_were_built(tmp_path: Path) -> None:
    body = f"later = []\na = {A}\nb = {B}\nlater.append({T.format('c')})\nd = {T.format('d')}"
    assert names(tmp_path, body) == ["a", "b", "c", "d"]


def test_a_theorem_of_an_imported_module_is_checked_if_it_has_a_name_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "others_of_this_test.py").write_text(f"{HEAD}a = {A}\nunused = {T.format('c')}\nunused = l('d')\n")
    assert names(tmp_path, f"from others_of_this_test import a\nb = {B}") == ["a", "b"]


def test_a_theorem_of_a_file_beside_is_checked_there_alone(tmp_path: Path) -> None:
    (tmp_path / "stated.py").write_text(f"{HEAD}a = {A}\n")
    body = (
        "from gaptron.theory.running import beside\na = beside(__file__, 'stated.py')\nhere = [a, replace(a, name='b')]"
    )
    assert names(tmp_path, body) == ["b"]
    assert [statement.item.name for statement in load(tmp_path / "stated.py")] == ["a"]


@pytest.mark.few(1)
@pytest.mark.parametrize("beside", ["", f"a = {A}\nb = {B}\n"])
def test_a_file_beside_holds_one_theorem(beside: str, tmp_path: Path) -> None:
    (tmp_path / "stated.py").write_text(HEAD + beside)
    said = refused(tmp_path, "from gaptron.theory.running import beside\na = beside(__file__, 'stated.py')")
    assert said.endswith(f"stated.py builds {len(beside.splitlines())} theorems, not one")


@pytest.mark.slow
def test_the_shipped_files_build_nothing_that_is_dropped() -> None:
    assert len(shipped_entries()[0]) >= 50


@pytest.mark.slow
def test_the_verdict_counts_a_theorem_in_a_dict(tmp_path: Path, gaptron: Command) -> None:
    file = tmp_path / "hidden.py"
    fast = T.format("too fast").replace("1/(4*K)", "1")
    file.write_text(f"{HEAD}good = {A}\nhidden = {{'x': {fast}}}\n")
    done = gaptron("check", "--json", file)
    assert done.returncode == 1
    assert [t["verdict"] for t in json.loads(done.stdout)["theorems"]] == ["PROVED", "REFUTED"]
