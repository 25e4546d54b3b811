"""What has to be believed for a PROVED theorem is listed with its lines, and does not grow unseen."""

import ast
import re
from pathlib import Path

import pytest

from gaptron import obligations

FOLDER = Path(obligations.__file__).parent
UNTRUSTED = {"guessing"}  # questions without answers
BESIDE = [f"language/{name}.py" for name in ("expressions", "instantiation", "normal", "formulas", "variables")]
BESIDE += ["door/reading.py"]
MOST = 1931


def code_lines(file: Path) -> int:
    """Lines that are neither empty, nor a comment, nor in a docstring."""
    source = file.read_text(encoding="utf-8")
    documented: set[int] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node):
            documented |= set(range(node.body[0].lineno, (node.body[0].end_lineno or 0) + 1))
    lines = enumerate(source.splitlines(), 1)
    return sum(bool(line.strip()) and line.strip()[0] != "#" and n not in documented for n, line in lines)


LINES = {file.stem: code_lines(file) for file in (*sorted(FOLDER.glob("*.py")), *map(FOLDER.parent.joinpath, BESIDE))}
TABLE = re.findall(r"^\| ([a-z_, ]+) \| (\d+) \|", obligations.__doc__ or "", flags=re.MULTILINE)


@pytest.mark.parametrize(("modules", "count"), TABLE, ids=[modules for modules, _ in TABLE])
def test_the_table_has_the_lines_of_each_module(modules: str, count: str) -> None:
    assert sum(LINES[module] for module in modules.split(", ")) == int(count)


def test_every_module_is_in_the_table_or_is_not_trusted() -> None:
    listed = [module for modules, _ in TABLE for module in modules.split(", ")]
    assert sorted([*listed, *UNTRUSTED]) == sorted(LINES)


def test_what_is_trusted_does_not_grow() -> None:
    assert sum(lines for module, lines in LINES.items() if module not in UNTRUSTED) <= MOST


def test_nothing_that_is_trusted_asks_the_prover() -> None:
    for file in FOLDER.glob("*.py"):
        assert "gaptron.prove" not in file.read_text(encoding="utf-8"), file.name
