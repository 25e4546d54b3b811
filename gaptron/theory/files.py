"""Theorem files: Python that holds theorems and lemmas at top level. Loading one runs it."""

import gc
import signal
import sys
import traceback
from contextlib import redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

import sympy as sp

from gaptron.system import deadline
from gaptron.system.deadline import time_limit
from gaptron.theory.claims import LedgerClaim, Obligations
from gaptron.theory.items import Item
from gaptron.theory.names import FileNames
from gaptron.theory.papers import Paper
from gaptron.theory.reachable import MODULE, reachable
from gaptron.theory.registry import Register, registering
from gaptron.theory.shipped import FileError, shipped_files

Found = Item | LedgerClaim | Paper

__all__ = ["FileError", "FileNames", "Filed", "Statement", "load", "load_every", "load_whole", "shipped_files"]


@dataclass(frozen=True)
class Statement:
    """A theorem or lemma and the file it is written in."""

    file: Path
    item: Item


@dataclass(frozen=True)
class Filed:
    """A claim, the file it is written in, and the title of its paper if the file has it."""

    file: Path
    claim: LedgerClaim
    title: str = ""


def load(file: Path) -> list[Statement]:
    """The theorems and lemmas of a file, in the order of their definition. Runs the file's Python.

    Raises
    ------
    FileError
        As `load_whole`.
    """
    return load_whole(file)[0]


def load_every(file: Path) -> list[Item]:
    """The theorems and lemmas of a file, those that only a claim's grounds hold included. Runs the file's Python.

    Raises
    ------
    FileError
        As `load_whole`.
    """
    statements, claims = load_whole(file)
    items = [statement.item for statement in statements] + [i for filed in claims for i in _grounded(filed.claim)]
    return list({id(item): item for item in items}.values())


def load_whole(file: Path) -> tuple[list[Statement], list[Filed]]:
    """The theorems and lemmas of a file, in the order in which they were built, and its claims. Runs its Python.

    They are looked for in names, containers, classes and objects of the file, and what was built at top level counts
    even if nothing holds it any more. What only a claim's grounds hold is the claim's, and not in the list.

    Raises
    ------
    FileError
        If it cannot be read, is not Python, fails when run, holds neither a theorem nor a claim, builds a theorem in a
        function that drops it, or gives a name twice.
    """
    found, register = _run(file, _compile(file, _read(file)))
    claims = [value for value in found if isinstance(value, LedgerClaim)]
    items = _items(file, found, register, {id(item) for claim in claims for item in _grounded(claim)})
    if not items and not claims:
        raise FileError(f"{file}: holds no theorem: assign a Theorem (or a Lemma) to a name at top level")
    names = [item.name for item in items]
    for number, item in enumerate(items):
        if item.name in names[:number]:
            raise FileError(f"{file}:{item.line}: the name {item.name!r} is given to two theorems")
    titles = {value.name: value.title for value in found if isinstance(value, Paper)}
    filed = [Filed(file, claim, titles.get(claim.document, "")) for claim in claims]
    return [Statement(file, item) for item in items], filed


def _items(file: Path, found: list[Found], register: Register, grounded: set[int]) -> list[Item]:
    """What is to be checked; FileError if something that was built is neither there nor a part of something else."""
    known = {id(value): value for value in found if isinstance(value, Item)}
    order: dict[int, int] = {}
    for number, built in enumerate(register.built):
        item = built.get()
        if item is None and not built.is_base:
            raise FileError(
                f"{file}:{built.line}: the theorem {built.name!r} is built in a function and dropped: "
                "return it and assign it"
            )
        order[id(item)] = number
        if item is not None and not built.in_function and id(item) not in grounded:
            known.setdefault(id(item), item)
    return sorted(known.values(), key=lambda item: order.get(id(item), -1))


def _grounded(claim: LedgerClaim) -> list[Item]:
    """What only the audit decides: the theorems and lemmas in the claim's grounds."""
    corrected = claim.corrected.grounds if claim.corrected else ()
    return [g.item for g in (*claim.grounds, *corrected, *claim.second) if isinstance(g, Obligations)]


def _read(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except IsADirectoryError as error:
        raise FileError(f"{file}: is a folder: name a Python file") from error
    except FileNotFoundError as error:
        raise FileError(f"{file}: does not exist") from error
    except OSError as error:
        raise FileError(f"{file}: cannot be read: {error.strerror}") from error


def _compile(file: Path, source: bytes) -> object:
    try:
        return compile(source, str(file), "exec", dont_inherit=True)
    except SyntaxError as error:
        raise FileError(f"{file}:{error.lineno}: not valid Python: {error.msg}") from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise FileError(f"{file}: not valid Python: {error or type(error).__name__}") from error


def _run(file: Path, code: object) -> tuple[list[Found], Register]:
    """Execute the file as a module of its own, its prints sent to stderr, within a time limit.

    What is found is what is reachable from the module, and what was built on the way.
    """
    module = ModuleType(MODULE)
    module.__file__ = str(file)
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, ())
    gc.freeze()  # what was there before the file is not searched for what it dropped
    try:
        with redirect_stdout(sys.stderr), time_limit(deadline.LOAD_SECONDS), registering(vars(module)) as register:
            exec(code, module.__dict__)  # type: ignore[arg-type]  # noqa: S102
            found = list(reachable(vars(module)))
            if any(built.in_function for built in register.built):
                gc.collect()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        text = " ".join(str(error).split()) or type(error).__name__
        kind = "" if isinstance(error, sp.SympifyError | ValueError) else f"{type(error).__name__}: "
        raise FileError(f"{file}:{_line_of(error, file)}: {kind}{text}") from error
    finally:
        gc.unfreeze()
        signal.pthread_sigmask(signal.SIG_SETMASK, mask)
    return found, register


def _line_of(error: BaseException, file: Path) -> int:
    """The last line of the file that was running when the error was raised."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(file)]
    return lines[-1] or 1 if lines else 1
