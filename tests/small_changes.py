"""Every small change of what is trusted is noticed by its tests: ``make mutants``, or ``make mutants SAMPLE=100``.

A mutant is a room with one operator, comparison, condition, constant, slice or call changed. It is imported in a
forked process, where the room's tests that reach the changed function run until one fails. A mutant that needs much
longer than the room itself is killed by the time limit. Those that survive must be explained, one by one, in the
room's table. Exit 1 if one is not, or if fewer than 98 % of all are killed.
"""

import argparse
import ast
import importlib
import inspect
import itertools
import os
import random
import resource
import signal
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, FrameType, ModuleType
from typing import Any

import pytest

from gaptron.kernel.certificate import sources as kernel_sources

REPOSITORY = Path(__file__).parents[1]
ENOUGH = 0.98
MEMORY = 6 << 30

SWAPS: dict[type[ast.AST], tuple[type[ast.AST], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.And: (ast.Or,),
    ast.Or: (ast.And,),
    ast.Add: (ast.Sub,),
    ast.Sub: (ast.Add,),
    ast.Mult: (ast.Add,),
    ast.Div: (ast.Mult,),
    ast.FloorDiv: (ast.Mult,),
    ast.Mod: (ast.FloorDiv,),
    ast.Pow: (ast.Mult,),
    ast.LShift: (ast.RShift,),
    ast.RShift: (ast.LShift,),
    ast.BitOr: (ast.BitAnd,),
    ast.BitAnd: (ast.BitOr,),
    ast.Break: (ast.Continue,),
    ast.Continue: (ast.Break,),
}
NAMES = {"min": "max", "max": "min", "any": "all", "all": "any", "_floor": "_ceiling", "_ceiling": "_floor"}
SIGNS = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "=": "!=", "!=": "=", "+": "*", "*": "+"}
UNTOUCHED = {"annotation", "returns", "decorator_list", "bases", "msg", "exc", "cause", "type_params"}


@dataclass(frozen=True)
class Room:
    """Files that are changed, what is imported anew with them, and who notices."""

    folder: Path
    changed: tuple[Path, ...]
    beside: tuple[Path, ...]  # of the project, imported anew
    tests: tuple[Path, ...]  # whose cases are tried
    helpers: tuple[Path, ...]  # of the tests, imported anew
    explained: Path  # the table of survivors


TESTS = REPOSITORY / "tests"
PAPERS = REPOSITORY / "gaptron" / "papers"
KERNEL_TESTS = [f"test_kernel_{name}.py" for name in ("rules", "values", "limits", "enclosures", "tables")]
RULES = tuple(PAPERS / f"{name}.py" for name in ("rules", "facts", "matrices"))
ROOMS = {
    "kernel": Room(
        folder=REPOSITORY / "gaptron" / "kernel",
        changed=tuple(kernel_sources()),  # and what it needs of the language
        beside=(),
        tests=tuple(TESTS / "kernel" / name for name in KERNEL_TESTS),
        helpers=tuple(sorted((TESTS / "kernel").glob("table_*.py")) + sorted((TESTS / "kernel").glob("kernel_*.py"))),
        explained=TESTS / "kernel" / "kernel_mutants.md",
    ),
    "proofs": Room(
        folder=PAPERS,
        changed=RULES,
        beside=tuple(path for path in sorted(PAPERS.glob("*.py")) if path not in RULES),
        tests=tuple(TESTS / "papers" / f"test_{name}.py" for name in ("trusted_rules", "side_conditions", "trees")),
        helpers=(TESTS / "papers" / "rule_terms.py", TESTS / "soundness" / "test_trusted_lines.py"),
        explained=TESTS / "papers" / "proof_mutants.md",
    ),
}


@dataclass(frozen=True)
class Mutant:
    """One change of one file."""

    path: Path
    line: int
    first_line: int  # of the innermost function around it; 0 outside of functions
    key: str
    code: Callable[[], CodeType]  # changes a tree that all mutants share: call it once, in a forked process


def changes(parent: ast.AST, child: ast.AST) -> Iterator[ast.AST | None]:
    """What may stand in the place of a node."""
    yield from (swap() for swap in SWAPS.get(type(child), ()))
    if isinstance(child, ast.Constant) and isinstance(child.value, bool):
        yield ast.Constant(not child.value)
    elif isinstance(child, ast.Constant) and isinstance(child.value, int):
        yield from (ast.Constant(child.value + step) for step in (1, -1))
    elif isinstance(child, ast.Constant) and child.value in SIGNS:
        yield ast.Constant(SIGNS[str(child.value)])
    elif isinstance(child, ast.Name) and child.id in NAMES:
        yield ast.Name(NAMES[child.id], ast.Load())
    elif isinstance(child, ast.UnaryOp):
        yield child.operand
    elif isinstance(child, ast.Expr) and isinstance(child.value, ast.Call | ast.Yield | ast.YieldFrom):
        yield ast.Pass()
    elif isinstance(child, ast.Return) and child.value and ast.unparse(child.value) != "None":
        yield ast.Return(ast.Constant(None))
    if isinstance(parent, ast.Slice):
        yield None
    is_condition = child is getattr(parent, "test", None) or child in getattr(parent, "ifs", ())
    if is_condition and isinstance(child, ast.expr):
        yield ast.UnaryOp(ast.Not(), child)


def places(node: ast.AST) -> Iterator[tuple[ast.AST, str, int | None, ast.AST]]:
    """Every node below another that may be changed: (parent, field, index, node). Not the wording of a message."""
    is_message = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "require"
    for field, value in ast.iter_fields(node):
        if field in UNTOUCHED or isinstance(node, ast.JoinedStr | ast.Assert | ast.Raise):
            continue
        for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(child, ast.AST) and not (is_message and field == "args" and index == 1):
                yield node, field, index, child
                yield from places(child)


def relative(path: Path, folder: Path) -> str:
    """How a file of a room is named in keys."""
    return path.relative_to(folder if folder in path.parents else path.parent).as_posix()


def functions(tree: ast.AST) -> dict[ast.AST, tuple[str, int]]:
    """The innermost function around every node: its name and first line."""
    found: dict[ast.AST, tuple[str, int]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            found |= dict.fromkeys(ast.walk(node), (node.name, first))
    return found


def put(parent: ast.AST, field: str, index: int | None, child: ast.AST | None) -> None:
    if index is None:
        setattr(parent, field, child)
    else:
        getattr(parent, field)[index] = child


def mutants(room: Room) -> list[Mutant]:
    """All mutants of a room."""
    return [mutant for path in room.changed for mutant in _mutants(path, room.folder)]


def _mutants(path: Path, folder: Path) -> Iterator[Mutant]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    around, seen = functions(tree), Counter[str]()
    for parent, field, index, child in list(places(tree)):
        shown = parent if isinstance(parent, ast.expr) else child
        line = getattr(shown, "lineno", getattr(parent, "lineno", 0))
        name, first = around.get(parent, ("", 0))  # operators are shared between expressions
        for other in list(changes(parent, child)):
            before = ast.unparse(shown)
            put(parent, field, index, other)
            after = ast.unparse(other if shown is child and other else parent)
            put(parent, field, index, child)
            text = f"{relative(path, folder)} {name}: {_brief(before)} -> {_brief(after)}"
            seen[text] += 1
            key = text + (f" #{seen[text]}" if seen[text] > 1 else "")
            yield Mutant(path, line, first, key, partial(_planted, path, tree, (parent, field, index, other)))


def _planted(path: Path, tree: ast.Module, change: tuple[Any, ...]) -> CodeType:
    put(*change)
    return compile(ast.fix_missing_locations(tree), str(path), "exec")


def _brief(text: str) -> str:
    return " ".join(text.split()).replace("|", "/")


def _module(path: Path) -> str:
    parts = path.relative_to(REPOSITORY).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


class Compiled:
    """A finder and loader of a room and its tests, compiled once; the mutant stands in the place of its module."""

    def __init__(self, room: Room) -> None:
        self.tests = [path.stem for path in room.tests]
        self.changed = set(map(str, room.changed))
        self.files = {_module(path): path for path in (*room.changed, *room.beside)}
        self.files |= {path.stem: path for path in (*room.helpers, *room.tests)}
        self.codes = {
            name: compile(path.read_text(encoding="utf-8"), path, "exec") for name, path in self.files.items()
        }

    def plant(self, mutant: Mutant) -> None:
        (name,) = [name for name, path in self.files.items() if path == mutant.path]
        self.codes[name] = mutant.code()

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name not in self.files:
            return None
        file = self.files[name]
        return spec_from_file_location(
            name, file, loader=self, submodule_search_locations=[str(file.parent)] if file.stem == "__init__" else None
        )

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        exec(self.codes[module.__name__], module.__dict__)  # noqa: S102

    def forget(self) -> None:
        for name in self.files:
            sys.modules.pop(name, None)


Case = tuple[str, Callable[[], Any]]


def cases(compiled: Compiled) -> list[Case]:
    """Every test of the room's test modules that is not slow and needs no fixture, imported afresh."""
    compiled.forget()
    tests = [test for module in compiled.tests for test in vars(importlib.import_module(module)).items()]
    return [case for name, test in tests if name.startswith("test_") for case in _cases(test)]


def _cases(test: Callable[..., Any]) -> Iterator[Case]:
    marks = getattr(test, "pytestmark", [])
    if any(mark.name in ("slow", "usefixtures") for mark in marks):
        return
    wanted = set(inspect.signature(test).parameters)
    parameters = [list(_values(mark)) for mark in marks if mark.name == "parametrize"]
    for number, chosen in enumerate(itertools.product(*parameters)):
        arguments = {name: value for found in chosen for name, value in found.items()}
        if set(arguments) == wanted:
            yield f"{test.__name__} {number}", partial(test, **arguments)


def _values(mark: Any) -> Iterator[dict[str, Any]]:
    names, values = mark.args[:2]
    names = [name.strip() for name in names.split(",")] if isinstance(names, str) else names
    for value in values:
        parts = value.values if isinstance(value, type(pytest.param())) else value if len(names) > 1 else (value,)
        yield dict(zip(names, parts, strict=True))


Reach = dict[tuple[str, int], list[int]]


def survey(compiled: Compiled) -> tuple[Reach, list[float]]:
    """Which cases call which function of the room, and the processor's time that each takes when watched."""
    reach: Reach = {}
    seconds = []
    called = set[tuple[str, int]]()

    def note(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code.co_filename in compiled.changed:
            called.add((frame.f_code.co_filename, frame.f_code.co_firstlineno))

    for number, (_, case) in enumerate(cases(compiled)):
        called.clear()
        ours = [module for name, module in sys.modules.items() if name.startswith("gaptron")]
        for cached in [found for module in ours for found in vars(module).values()]:
            getattr(cached, "cache_clear", int)()
        start = time.process_time()
        sys.setprofile(note)
        case()
        sys.setprofile(None)
        seconds.append(time.process_time() - start)
        for place in called:
            reach.setdefault(place, []).append(number)
    return reach, seconds


def is_noticed(compiled: Compiled, mutant: Mutant, numbers: list[int]) -> bool:
    """Whether a case fails. Changes this process: call it in a forked one."""
    try:
        compiled.plant(mutant)
        found = cases(compiled)
        for number in numbers:
            found[number][1]()
    except BaseException:  # a failure of pytest is no Exception
        return True
    return False


def start(compiled: Compiled, mutant: Mutant, numbers: list[int], limit: float) -> int:
    """The process that tries the mutant."""
    process = os.fork()
    if process == 0:
        for stream in (1, 2):
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream)
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        signal.setitimer(signal.ITIMER_PROF, limit)
        os._exit(1 if is_noticed(compiled, mutant, numbers) else 0)
    return process


def tried(room: Room, chosen: list[Mutant], jobs: int) -> Iterator[tuple[Mutant, str]]:
    """Each mutant with "killed", "killed by time" or "survived"."""
    if not chosen:
        return
    compiled = Compiled(room)
    sys.meta_path.insert(0, compiled)  # type: ignore[arg-type]
    reach, seconds = survey(compiled)
    running: dict[int, Mutant] = {}
    waiting = list(reversed(chosen))
    while waiting or running:
        while waiting and len(running) < jobs:
            mutant = waiting.pop()
            numbers = (
                reach.get((str(mutant.path), mutant.first_line), []) if mutant.first_line else list(range(len(seconds)))
            )
            numbers = sorted(numbers, key=seconds.__getitem__)
            running[start(compiled, mutant, numbers, 3 + sum(seconds[number] for number in numbers) / 2)] = mutant
        process, status = os.wait()
        yield running.pop(process), "killed by time" if status & 0x7F else "killed" if status else "survived"


def explained(room: Room) -> set[str]:
    """The keys of the table of survivors."""
    lines = room.explained.read_text(encoding="utf-8").splitlines()
    return {line.split("`")[1] for line in lines if line.startswith("| `")}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("rooms", nargs="*", help=f"of {', '.join(ROOMS)}; all, if none is named")
    parser.add_argument("--sample", type=int, help="try that many mutants, chosen at random")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--only", default="", help="try the mutants whose key contains this")
    options = parser.parse_args()
    rooms = [ROOMS[name] for name in options.rooms or ROOMS]
    sys.path[:0] = [str(REPOSITORY), *{str(path.parent) for room in rooms for path in (*room.tests, *room.helpers)}]
    ast.parse = cache(ast.parse)  # the notation of the tests is read once for all mutants
    every = [(room, mutant) for room in rooms for mutant in mutants(room) if options.only in mutant.key]
    chosen = random.Random(options.seed).sample(every, min(options.sample or len(every), len(every)))
    known, counts, unknown = {key for room in rooms for key in explained(room)}, Counter[str](), 0
    for room in rooms:
        for mutant, outcome in tried(room, [mutant for of, mutant in chosen if of is room], options.jobs):
            counts[outcome] += 1
            unknown += outcome == "survived" and mutant.key not in known
            why = " (explained)" if outcome == "survived" and mutant.key in known else ""
            place = f"{mutant.path.relative_to(REPOSITORY).as_posix()}:{mutant.line}"
            print(f"{outcome}{why}: {place} `{mutant.key}`", flush=True)
    share, late = 1 - counts["survived"] / len(chosen), counts["killed by time"]
    print(f"{len(chosen)} of {len(every)} mutants: {share:.2%} killed, {late} of them by the time limit,")
    print(f"{counts['survived']} survived, {unknown} of them not explained")
    return 1 if unknown or (options.sample is None and share < ENOUGH) else 0


if __name__ == "__main__":
    sys.exit(main())
