"""What somebody wrote who is new here: the sentence says what to write instead."""

import re
from pathlib import Path

import pytest
from sympy import Max

from gaptron import Claim, GapMap, MarginLoss, NotCheckable, StructuredTheorem, Theorem, TheoremError
from gaptron.symbols import K, m
from gaptron.system.near import known
from gaptron.system.printable import worded
from gaptron.theory.shipped import FileError
from gaptron.theory.theorem import caller_line

HEAD = """import math
import numpy as np
from gaptron import GapMap, MarginLoss, Theorem
from gaptron.symbols import K, m, p
"""


@pytest.mark.parametrize(
    ("kind", "name", "meant"),
    [
        (Theorem, "gapmap", "did you mean 'gap_map'?"),
        (Theorem, "gap_mp", "did you mean 'gap_map'?"),
        (Theorem, "eta", "did you mean 'learning_rate'?"),
        (Theorem, "learning_rte", "did you mean 'learning_rate'?"),
        (Theorem, "K", "did you mean 'classes'?"),
        (Theorem, "target", "StructuredTheorem has it"),
        (StructuredTheorem, "targt", "did you mean 'target'?"),
        (StructuredTheorem, "cost", "did you mean 'target'?"),
        (MarginLoss, "phy", "did you mean 'phi'?"),
        (GapMap, "qqqq", "there is 'expression'"),
    ],
)
def test_an_argument_that_is_none_has_the_nearest_name(kind: type, name: str, meant: str) -> None:
    with pytest.raises(TheoremError) as refused:
        kind(**{name: 1})
    assert str(refused.value) == f"{kind.__name__} has no argument {name!r}: {meant}"


def test_a_claim_has_a_verdict_recorded() -> None:
    given = {"id": "mine/one", "source": "p. 1", "statement": "so", "grounds": NotCheckable("no precise version")}
    with pytest.raises(TheoremError, match=r"^Claim has no recorded: write recorded=$"):
        Claim(**given)
    with pytest.raises(TheoremError, match=r"^Claim has no argument 'verdict': "):
        Claim(**given, verdict="PROVED")
    assert Claim(**given, recorded="NOT-CHECKABLE").line == caller_line()


def test_a_theorem_still_knows_its_line() -> None:
    loss = MarginLoss(Max(1 - m, 0) ** 2)
    theorem, line = Theorem(name="here", loss=loss, gap_map=GapMap(loss.phi), learning_rate=1 / K), caller_line()
    assert theorem.line == line


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("max(1 - m, 0)", "write Max(a, b)"),
        ("np.maximum(1 - m, 0)", "write Max(a, b)"),
        ("1 - m if m < 1 else 0", "Piecewise((a, condition), (b, True))"),
        ("np.exp(-m)", "NumPy's exp is of numbers: write sympy's exp"),
        ("np.log(p)", "NumPy's log is of numbers: write sympy's log"),
        ("math.log(p)", "write sympy's exp, log or sqrt instead of math's"),
        ("Theorem(name='mine', gap_map=GapMap(m))", "Theorem has no loss: write loss="),
        ("Theorem(name='mine', loss=MarginLoss(m), classes=object())", "classes = an object is not an integer"),
        ("MarginLoss(lambda m: m)", "MarginLoss phi = a function is not a number"),
        ("MarginLoss([len, math])", "is not a number"),
        ("Theorem(name='mine', loss=MarginLoss(1/0))", "ZeroDivisionError: division by zero"),
        ("__import__('gaptron').symbols.nothing", "module 'gaptron.symbols' has no attribute 'nothing'"),
    ],
)
def test_a_function_of_numbers_is_given_a_symbol(written: str, said: str, tmp_path: Path) -> None:
    from gaptron.theory.files import load

    file = tmp_path / "mine.py"
    file.write_text(f"{HEAD}loss = {written}\n")
    with pytest.raises(FileError) as refused:
        load(file)
    assert str(refused.value).startswith(f"{file}:5: ")
    assert said in str(refused.value)


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("from gaptron import MarginLos", "gaptron has no 'MarginLos': did you mean 'MarginLoss'"),
        ("from gaptron.symbols import x", "gaptron.symbols has no 'x': did you mean 'X'?"),
        ("from gaptron.symbols import theta", "gaptron.symbols has no 'theta': there is 'D', 'K', 'T', 'X', 'd', "),
        ("from gaptron.structured import Hammin", "gaptron.structured has no 'Hammin': did you mean 'Hamming'?"),
        ("import gaptron.los.hinge", "ModuleNotFoundError: No module named 'gaptron.los'"),
        ("import gaptron.symbols.greek", "ModuleNotFoundError: No module named 'gaptron.symbols.greek'"),
        ("import gaptron.theory.arguments.old", "gaptron.theory.arguments is gone: a proof stands in a .proof file"),
        ("import gaptron.__main__", "holds no theorem"),
    ],
)
def test_a_name_that_cannot_be_imported_has_the_nearest_one(written: str, said: str, tmp_path: Path) -> None:
    from gaptron.theory.files import load

    file = tmp_path / "mine.py"
    file.write_text(f"{written}\n")
    with pytest.raises(FileError) as refused:
        load(file)
    assert re.match(rf"{re.escape(str(file))}(:1)?: {re.escape(said)}", str(refused.value))


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (object(), "an object"),
        ([1, object()], "[1, an object]"),
        (lambda: 0, "a function"),
        (Path.exists, "a function"),
        ("".join, "a method"),
        ((n for n in "a"), "a generator"),
        (Path, "the class Path"),
        ("x <K and y> 3", "'x <K and y> 3'"),
    ],
)
def test_an_object_is_told_by_its_kind(value: object, shown: str) -> None:
    assert worded(repr(value)) == shown


def test_names_that_are_near_are_named_and_few_are_listed() -> None:
    assert known("hing", ["hinge", "smooth hinge", "logistic"]) == "did you mean 'hinge'?"
    assert known("zzz", ["hinge", "logistic"]) == "there is 'hinge', 'logistic'"
    said = known("zzz", [f"theorem {n:02}" for n in range(40)])
    assert said.startswith("there is 'theorem 00', 'theorem 01', ")
    assert said.endswith("'theorem 06' and 33 more")
    assert known("zzz", []) == "there is none"
