"""What is printed for people: lines that fit, without a solver's words or what Python shows of an object."""

import random
import re
from pathlib import Path

import pytest
from conftest import REPOSITORY, Command, unfolded
from degenerate.generate import generate
from degenerate.write import theorem_file

from gaptron.system.printable import LONGEST, folded
from gaptron.theory.files import FileError, load

FOREIGN = re.compile(
    r" at 0x|Traceback|<class|internal error|Z3Exception|CVC5|SympifyError|PolynomialError|NotImplementedError"
)
HEAD = """from sympy import *
from gaptron import *
from gaptron.structured import *
from gaptron.symbols import K, d, m, p, v, z
S = Max(1 - m, 0)**2
MINE = dict(name="mine", loss=MarginLoss(S), gap_map=GapMap(S), learning_rate=1 / (4 * K))
"""
UNUSABLE = (
    "mine = Theorem(**MINE, eta=object())",
    "mine = Theorem(**MINE | {'loss': object()})",
    "mine = Theorem(**MINE | {'loss': MarginLoss})",
    "mine = Theorem(**MINE | {'loss': MarginLoss(lambda m: m)})",
    "mine = Theorem(**MINE | {'loss': MarginLoss(Sum(m**K, (K, 1, 3)))})",
    "mine = Theorem(**MINE | {'gap_map': GapMap(Matrix([m] * 99))})",
    "mine = Theorem(**MINE | {'gap_map': GapMap(max(0, 1 - m))})",
    "mine = Theorem(**MINE | {'learning_rate': [object()] * 99})",
    "mine = Theorem(**MINE | {'name': object()})",
    "mine = Theorem(**MINE, classes=[object(), print])",
    "mine = Theorem(**MINE, source=print)",
    "mine = Theorem(**MINE, **{'x' * 999: 1})",
    "mine = StructuredTheorem(name='mine', outputs=Cube, target=Hamming(), entropy=SquaredNorm(), coefficient=1)",
    "mine = StructuredTheorem(name='mine', outputs=Finite([[object()], [1]]), target=Hamming())",
    "mine = Cost([[0, 1], [object(), 0]])",
    "mine = Parameter('w', object(), 1)",
    "mine = sympify('1 +')",
    "mine = 1 / 0",
    "raise RuntimeError([object()] * 99)",
    "raise KeyError(print)",
    "x = " + "1 + " * 999,
)


FILES = sorted((REPOSITORY / "examples").rglob("*.py"))


def for_people(said: str) -> None:
    for line in said.splitlines():
        assert len(line) <= LONGEST or len(line.split()) == 1, line
        assert not FOREIGN.search(line), line


def test_a_line_that_is_too_long_goes_on_in_the_next_one() -> None:
    words = [f"word{n}" for n in range(99)]
    line = f"  REFUTED   {' '.join(words)}"
    lines = folded(line).splitlines()
    assert len(lines) > 1
    assert " ".join(lines).split() == ["REFUTED", *words]
    assert lines[0].startswith("  REFUTED   word0 ")
    assert all(line.startswith("      word") and len(line) <= LONGEST for line in lines[1:])
    assert unfolded(f"{folded(line)}\n    more\n") == f"{line}\n    more\n"
    assert folded("x" * 999) == "x" * 999


@pytest.mark.few(6)
@pytest.mark.parametrize("written", UNUSABLE)
def test_what_cannot_be_used_is_told_in_words(written: str, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(f"{HEAD}{written}\n")
    with pytest.raises(FileError) as refused:
        load(file)
    for_people(folded(str(refused.value)))
    assert str(refused.value).startswith(f"{file}:7: ")


@pytest.mark.parametrize("file", sorted((REPOSITORY / "examples" / "expected").iterdir()), ids=lambda path: path.stem)
def test_what_examples_say(file: Path) -> None:
    for_people(file.read_text())


def verbs(file: Path, name: str, drawn: Path) -> list[tuple[object, ...]]:
    few = ("--classes", "2", "--only", name)
    return [
        ("check", file, "-v", "--only", name),
        ("explain", name, file),
        ("sharpen", file, "--timeout", "5", *few),
        ("attack", file, "--rounds", "2", "--generations", "0", *few),
        ("plot", file, "--out", drawn, *few),
    ]


def asked_of(file: Path, folder: Path, as_printed: Command) -> None:
    for statement in load(file):
        for verb in verbs(file, statement.item.name, folder / "drawn.html"):
            done = as_printed(*verb)
            for_people(done.stdout + done.stderr)
            assert done.returncode in (0, 1, 2, 3)


@pytest.mark.slow
def test_what_every_verb_says_of_a_long_name(as_printed: Command, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(f"{HEAD}mine = Theorem(**MINE | {{'name': 'a long name ' * 99, 'learning_rate': 1 / K}})\n")
    asked_of(file, tmp_path, as_printed)


@pytest.mark.slow
@pytest.mark.one_in(4)
@pytest.mark.parametrize(
    "file", random.Random(34).sample(FILES, 12), ids=lambda path: f"{path.parent.stem}/{path.stem}"
)
def test_what_every_verb_says_of_the_gallery(file: Path, as_printed: Command, tmp_path: Path) -> None:
    try:
        asked_of(file, tmp_path, as_printed)
    except FileError as refused:
        for_people(folded(str(refused)))


@pytest.mark.slow
@pytest.mark.one_in(4)
@pytest.mark.parametrize("seed", random.Random(34).sample(range(9999), 20))
def test_what_check_says_of_degenerate_files(seed: int, as_printed: Command, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(theorem_file(generate(seed).described))
    for verb in (("check", file, "-v", "--timeout", "5"), ("plot", file, "--out", tmp_path / "drawn.html")):
        done = as_printed(*verb)
        for_people(done.stdout + done.stderr)
