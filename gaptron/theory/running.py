"""What a theorem file holds: its Python is run, in this process, and everything that it built is looked for."""

import gc
import re
import sys
import traceback
from collections import deque
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import sympy as sp

from gaptron.system import deadline
from gaptron.system.deadline import time_limit
from gaptron.system.near import known
from gaptron.system.posix import signal_mask_kept
from gaptron.system.printable import worded
from gaptron.theory.claims import LedgerClaim, Obligations, Paper
from gaptron.theory.items import Item
from gaptron.theory.refusals import IN_PROOF_FILES
from gaptron.theory.registry import Register, registering
from gaptron.theory.shipped import FileError

Found = Item | LedgerClaim | Paper
MODULE = "theorem_file"
CONTAINERS = (list, tuple, set, frozenset, deque)
GONE = {f"gaptron.theory.{name}" for name in ("arguments", "compose", "facts", "surrogate_regret")}


def contents(file: Path) -> tuple[list[Item], list[LedgerClaim], list[str]]:
    """The theorems and lemmas of a file, in the order in which they were built, its claims, and their papers' titles.

    They are looked for in names, containers, classes and objects of the file, and what was built at top level counts
    even if nothing holds it any more. What only a claim's grounds hold is the claim's, and not in the list.

    Raises
    ------
    FileError
        If it cannot be read, is not Python, fails when run, holds neither a theorem nor a claim, builds a theorem in a
        function that drops it, or gives a name twice.
    """
    found, register = _run(file, _compile(file, source(file)))
    claims = [value for value in found if isinstance(value, LedgerClaim)]
    items = _items(file, found, register, {id(item) for claim in claims for item in grounded(claim)})
    if not items and not claims:
        raise FileError(f"{file}: holds no theorem: assign a Theorem (or a Lemma) to a name at top level")
    names = [item.name for item in items]
    for number, item in enumerate(items):
        if item.name in names[:number]:
            raise FileError(f"{file}:{item.line}: the name {item.name!r} is given to two theorems", item.line)
    titles = {value.name: value.title for value in found if isinstance(value, Paper)}
    return items, claims, [titles.get(claim.document, "") for claim in claims]


def beside(here: str, name: str) -> Any:
    """The theorem that a file beside ``here`` states, for claims about it: it stays the theorem of its own file.

    Raises
    ------
    FileError, ValueError
        If it cannot be read, is not Python, or builds another number of theorems than one.
    """
    file = Path(here).with_name(name)
    module = _module(file)
    with registering(vars(module)) as register:
        exec(_compile(file, source(file)), module.__dict__)  # type: ignore[arg-type]  # noqa: S102
    if len(register.built) != 1:
        raise ValueError(f"{file} builds {len(register.built)} theorems, not one")
    return register.built[0].get()


def _items(file: Path, found: list[Found], register: Register, grounded: set[int]) -> list[Item]:
    """What is to be checked; FileError if something that was built is neither there nor a part of something else."""
    elsewhere = {id(built.get()) for built in register.others}
    known = {id(value): value for value in found if isinstance(value, Item) and id(value) not in elsewhere}
    order: dict[int, int] = {}
    for number, built in enumerate(register.built):
        item = built.get()
        if item is None and not built.is_base:
            raise FileError(
                f"{file}:{built.line}: the theorem {built.name!r} is built in a function and dropped: "
                "return it and assign it",
                built.line,
            )
        order[id(item)] = number
        if item is not None and not built.in_function and id(item) not in grounded:
            known.setdefault(id(item), item)
    return sorted(known.values(), key=lambda item: order.get(id(item), -1))


def grounded(claim: LedgerClaim) -> list[Item]:
    """What only the audit decides: the theorems and lemmas in the claim's grounds."""
    corrected = claim.corrected.grounds if claim.corrected else ()
    return [g.item for g in (*claim.grounds, *corrected, *claim.second) if isinstance(g, Obligations)]


def source(file: Path) -> bytes:
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
        at = file if error.lineno is None else f"{file}:{error.lineno}"
        raise FileError(f"{at}: not valid Python: {error.msg}", error.lineno) from error
    except (ValueError, RecursionError, MemoryError) as error:
        raise FileError(f"{file}: not valid Python: {error or type(error).__name__}") from error


def _run(file: Path, code: object) -> tuple[list[Found], Register]:
    """Execute the file as a module of its own, its prints sent to stderr, within a time limit.

    What is found is what is reachable from the module, and what was built on the way.
    """
    module = _module(file)
    gc.freeze()  # what was there before the file is not searched for what it dropped
    try:
        with (
            signal_mask_kept(),
            redirect_stdout(sys.stderr),
            time_limit(deadline.LOAD_SECONDS),
            registering(vars(module)) as register,
        ):
            exec(code, module.__dict__)  # type: ignore[arg-type]  # noqa: S102
            found = list(reachable(vars(module)))
            if any(built.in_function for built in register.built):
                gc.collect()
    except KeyboardInterrupt:
        raise
    except BaseException as error:
        advice, text = _advice(error), " ".join(str(error).split()) or type(error).__name__
        if advice is None and not isinstance(error, sp.SympifyError | ValueError):
            advice = f"{type(error).__name__}: {text}"
        line = _line_of(error, file)
        raise FileError(f"{file}:{line}: {worded(advice or text)}", line) from error
    finally:
        gc.unfreeze()
    return found, register


def _advice(error: BaseException) -> str | None:
    """What to write instead of Python's or NumPy's functions of a number, given a symbol."""
    text = str(error)
    if isinstance(error, TypeError) and "truth value of Relational" in text:
        compared = text.rpartition(":")[2].strip()
        return (
            f"whether {compared} depends on the symbol: instead of max, min, np.maximum or if write Max(a, b), "
            "Min(a, b) or Piecewise((a, condition), (b, True)) of sympy"
        )
    if isinstance(error, TypeError) and text == "Cannot convert expression to float":
        return "a function of numbers is given a symbol: write sympy's exp, log or sqrt instead of math's"
    if isinstance(error, ModuleNotFoundError) and error.name in GONE:
        return f"{error.name} is gone: {IN_PROOF_FILES}"
    if isinstance(error, ImportError) and (
        found := re.match(r"cannot import name '(\w+)' from '(gaptron[\w.]*)'", text)
    ):
        if f"{found[2]}.{found[1]}" in GONE:
            return f"{found[2]}.{found[1]} is gone: {IN_PROOF_FILES}"
        return f"{found[2]} has no {found[1]!r}: {known(found[1], _names(found[2]))}"
    if isinstance(error, ImportError) and error.name == "gaptron":
        return text  # of a name that is gone
    missing = re.search(r"no callable (\w+) method", text)
    return None if missing is None else f"NumPy's {missing[1]} is of numbers: write sympy's {missing[1]}"


def _names(module: str) -> list[str]:
    """Which it is imported for: its symbols, if it has some."""
    home = vars(sys.modules[module])
    return list(home.get("__all__") or home.get("ALL") or home)


def _module(file: Path) -> ModuleType:
    module = ModuleType(MODULE)
    module.__file__ = str(file)
    return module


def _line_of(error: BaseException, file: Path) -> int:
    """The last line of the file that was running when the error was raised."""
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(file)]
    return lines[-1] or 1 if lines else 1


def reachable(namespace: dict[str, Any]) -> Iterator[Found]:
    """Every theorem, lemma, claim and paper, once, as deep as it may be nested."""
    waiting, seen = [*namespace.values()][::-1], set[int]()
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, Found):
            yield value
        else:
            waiting += _parts(value)[::-1]


def _parts(value: Any) -> list[Any]:
    if isinstance(value, Mapping):
        return [part for pair in value.items() for part in pair]
    if isinstance(value, CONTAINERS):
        return [*value, *_attributes(value)]
    return _attributes(value)


def _attributes(value: Any) -> list[Any]:
    """Those of a class that the file defines, and of the objects of such classes."""
    kind = value if isinstance(value, type) else type(value)
    if kind.__module__ != MODULE and kind is not SimpleNamespace:
        return []
    slots = [
        getattr(value, name) for name in getattr(kind, "__slots__", ()) if kind is not value and hasattr(value, name)
    ]
    return [*getattr(value, "__dict__", {}).values(), *slots]
