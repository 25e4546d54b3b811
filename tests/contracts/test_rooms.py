"""The rooms of the package: what each imports and says of itself, and that no two classes share a name."""

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest
from conftest import REPOSITORY
from package_trees import PACKAGE, PYTHON, nodes, trees

from gaptron.kernel.certificate import LANGUAGE

ROOMS = sorted(file.parent.name for file in PACKAGE.glob("*/__init__.py"))
LOOSE = {"__init__", "__main__", "instances", "structured", "symbols"}
LONGEST = 6  # lines of a docstring
STATED = ("structured_theorem", "separable")  # what of a structured theorem is written in sympy


def module_of(file: str) -> str:
    parts = file.removesuffix(".py").split("/")
    return ".".join(["gaptron", *(part for part in parts if part != "__init__")])


SOURCES = {module_of(file): file for file in PYTHON}


def tree_of(module: str) -> ast.Module:
    return trees()[SOURCES[module]]


def room(module: str) -> str:
    """The package, or loose module, of a module below gaptron."""
    return module.split(".")[1] if "." in module else "gaptron"


def imported(tree: ast.Module) -> Iterator[str]:
    """Every module that is imported, wherever that is written: in functions and for type checkers too."""
    for node in nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.module is not None, "a relative import"
            assert node.level == 0, "a relative import"
            yield from (name if (name := f"{node.module}.{a.name}") in SOURCES else node.module for a in node.names)


def at_start(body: Iterable[ast.AST]) -> Iterator[ast.stmt]:
    """The imports that run when a module is imported: not those in functions, nor those for type checkers."""
    for statement in body:
        if isinstance(statement, ast.Import | ast.ImportFrom):
            yield statement
        elif isinstance(statement, ast.If) and ast.unparse(statement.test) == "TYPE_CHECKING":
            yield from at_start(statement.orelse)
        elif not isinstance(statement, ast.FunctionDef):
            yield from at_start(ast.iter_child_nodes(statement))


@cache
def needed(module: str) -> frozenset[str]:
    """All modules that are imported where this one is; of others than ours the package."""
    found, waiting = set[str](), [module]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        found.add(name)
        if name in SOURCES:
            parents = [".".join(name.split(".")[:n]) for n in range(1, name.count(".") + 1)]
            waiting += [*parents, *imported(ast.Module([*at_start(tree_of(name).body)], []))]
    return frozenset(name if name in SOURCES else name.split(".")[0] for name in found)


@cache
def imports() -> dict[str, list[str]]:
    return {module: sorted({*imported(tree_of(module))} - {module}) for module in SOURCES}


def between_rooms() -> dict[str, set[str]]:
    found: dict[str, set[str]] = {room(module): set() for module in imports()}
    for module, names in imports().items():
        ours = {room(name) for name in names if name.split(".")[0] == "gaptron"}
        found[room(module)] |= ours - {room(module)}
    return found


def house() -> list[str]:
    """The rooms as CONTRIBUTING's table has them, from the first to the last."""
    rows = re.findall(r"^\| (`.*?`) \|", (REPOSITORY / "CONTRIBUTING.md").read_text(), flags=re.MULTILINE)
    return [name.replace("__init__", "gaptron") for row in rows for name in re.findall(r"`(\w+)(?:\.py)?`", row)]


def test_the_table_has_every_room() -> None:
    assert sorted(house()) == sorted({*ROOMS, *LOOSE, "gaptron"} - {"__init__"})


@pytest.mark.parametrize("name", house())
def test_imports_go_up_the_table_and_never_down(name: str) -> None:
    """``gaptron`` hands out names of many rooms, so that but verbs nothing may import them from there."""
    assert between_rooms()[name] <= set(house()[: house().index(name)])


def circles(graph: dict[str, list[str]]) -> set[frozenset[str]]:
    """The largest sets of modules each of which is reached from each other one."""
    reached: dict[str, set[str]] = {}
    for module in graph:
        found, waiting = set[str](), [module]
        while waiting:
            new = {name for name in graph[waiting.pop()] if name in graph} - found
            found |= new
            waiting += new
        reached[module] = found
    return {frozenset(n for n in reached[m] if m in reached[n]) for m in graph if m in reached[m]}


def test_files_import_one_another_in_no_circle() -> None:
    """Where types are checked only, too."""
    assert circles({"a": ["b"], "b": ["c", "math"], "c": ["b"]}) == {frozenset("bc")}
    assert not circles({module: names for module, names in imports().items() if room(module) != "coq"})


@pytest.mark.parametrize("module", [module for module in SOURCES if room(module) in ("kernel", "language")])
def test_kernel_and_language_import_themselves_and_the_standard_library(module: str) -> None:
    ours = {f"gaptron.language.{Path(name).stem}" for name in LANGUAGE} if room(module) == "kernel" else set()
    for name in imports()[module]:
        is_ours = name in ours or name.startswith(f"gaptron.{room(module)}")
        assert is_ours or name.split(".")[0] in sys.stdlib_module_names, name


@pytest.mark.parametrize(
    ("importer", "never"),
    [
        ("rounds", {"obligations", "kernel"}),
        ("learners", {"obligations", "kernel"}),
        ("plots", {"learners", "expectation", "bounds"}),
        ("testing", {"ledger"}),
        ("adapters", {"ledger"}),
    ],
)
def test_a_room_does_not_reach_for_some_that_stand_before_it(importer: str, never: set[str]) -> None:
    assert not between_rooms()[importer] & never


OF_DATA = "language kernel numbers obligations rounds learners expectation bounds coq plots".split()  # noqa: SIM905


@pytest.mark.parametrize("name", OF_DATA)
def test_what_computes_or_is_believed_imports_no_computer_algebra(name: str) -> None:
    """It computes on data of the language, which ``door`` and ``theory`` read from what is written in sympy."""
    found = {each for module in imports() if room(module) == name for each in imports()[module]}
    assert found
    assert not [each for each in found if each.split(".")[0] == "sympy" or room(each) == "symbols"]


@pytest.mark.parametrize(
    "module",
    [
        *(module for module in SOURCES if room(module) in ("rounds", "learners", "expectation", "bounds")),
        *(m for m in SOURCES if m.startswith("gaptron.theory.structured.") and not m.endswith(STATED)),
        *("gaptron.experiments.runs", "gaptron.experiments.comparison", "gaptron.commands.run"),
    ],
)
def test_who_learns_with_a_loss_that_has_a_name_waits_for_no_computer_algebra(module: str) -> None:
    """Nor who learns by structured theorems: they are data."""
    assert "sympy" not in needed(module)


def test_what_is_imported_with_a_module_is_found() -> None:
    tree = ast.parse("if TYPE_CHECKING:\n import a\nelse:\n import b\ndef f():\n import c\nclass D:\n import e")
    assert {*imported(ast.Module([*at_start(tree.body)], []))} == {"b", "e"}
    assert {"sympy", "gaptron.theory.theorem", "gaptron.symbols", "gaptron"} <= needed("gaptron.theory.named")


@pytest.mark.parametrize("file", sorted((REPOSITORY / "proofs" / "instances").glob("*.py")), ids=lambda file: file.stem)
def test_a_second_route_imports_nothing_of_the_package(file: Path) -> None:
    found = [node for node in ast.walk(ast.parse(file.read_text())) if isinstance(node, ast.Import | ast.ImportFrom)]
    siblings = [node for node in found if isinstance(node, ast.ImportFrom) and node.level == 1]
    names = set(imported(ast.Module([node for node in found if node not in siblings], [])))
    assert not [name for name in names if name.split(".")[0] == "gaptron"]


def test_no_module_stands_outside_of_the_rooms() -> None:
    assert {file.stem for file in PACKAGE.glob("*.py")} == LOOSE


def test_no_module_name_occurs_twice() -> None:
    names = Counter(module.split(".")[-1] for module, file in SOURCES.items() if not file.endswith("__init__.py"))
    assert not {name for name, count in names.items() if count > 1}


def test_no_two_classes_share_a_name() -> None:
    classes = (node.name for module in SOURCES for node in tree_of(module).body if isinstance(node, ast.ClassDef))
    assert not {name for name, count in Counter(classes).items() if count > 1 and name[0] != "_"}


@pytest.mark.parametrize("name", ROOMS)
def test_a_room_says_in_a_few_lines_what_belongs_there_and_what_does_not(name: str) -> None:
    said = ast.get_docstring(tree_of(f"gaptron.{name}"))
    assert said is not None
    lines = [line for line in said.splitlines() if line.strip()]
    assert 2 <= len(lines) <= (LONGEST if name != "obligations" else 21)  # it lists what has to be believed
