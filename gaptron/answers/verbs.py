"""``gaptron.check``, ``sharpen``, ``attack``, ``explain``, ``audit`` and ``plot``: the verbs as functions."""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, TypeVar, Unpack, overload

from gaptron.answers.process import Interruption, asked
from gaptron.answers.results import CheckResult, ResultList, ResultRow, SharpenResult
from gaptron.reports.witness import claim_line
from gaptron.system.deadline import CLAIM_SECONDS, WHY_SECONDS
from gaptron.system.documents import Document
from gaptron.system.progress import progress
from gaptron.theory.data import DataError, read, written
from gaptron.theory.items import Item
from gaptron.theory.refusals import TheoremError
from gaptron.theory.shipped import FileError, python_files, shipped_theorem_files
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.theorem import Lemma, Theorem

if TYPE_CHECKING:
    from matplotlib.figure import Figure

KINDS = (Theorem, StructuredTheorem, Lemma)
File = str | os.PathLike[str]
What = Item | File | Iterable[Item | File] | None
R = TypeVar("R", bound=ResultRow)
T = TypeVar("T")


class VerbOptions(TypedDict, total=False):
    """The keywords of verbs that prove."""

    seconds: float
    workers: int | None
    cache: bool | File
    only: str | None


class CheckOptions(VerbOptions, total=False):
    """The keywords of ``check``."""

    coq: bool


class SharpenOptions(VerbOptions, total=False):
    """The keywords of ``sharpen``."""

    classes: Sequence[int]


@overload
def check(what: Item, **options: Unpack[CheckOptions]) -> CheckResult: ...
@overload
def check(
    what: File | Iterable[Item | File] | None = None, **options: Unpack[CheckOptions]
) -> ResultList[CheckResult]: ...
def check(
    what: What = None,
    *,
    seconds: float = CLAIM_SECONDS,
    workers: int | None = None,
    coq: bool = False,
    cache: bool | File = True,
    only: str | None = None,
) -> CheckResult | ResultList[CheckResult]:
    """Prove or refute a theorem, or those of a list, a file or a folder; without an argument, those that are shipped.

    A theorem is decided in a process that has run no other code; a file runs there in a process of its own.

    Parameters
    ----------
    what : Theorem, StructuredTheorem, Lemma, path, or a list of them, optional
    seconds : float > 0
        The limit of each claim; what takes longer is UNDECIDED.
    workers : int >= 1, optional
        Processes; as many as there are processors by default.
    coq : bool
        Whether Coq is asked too (``coqc`` is then needed).
    cache : bool or path
        Whether, or in which file, certificates are kept and looked for.
    only : str, optional
        A pattern that the names contain.

    Returns
    -------
    CheckResult, or ResultList of a list, a file or a folder

    Raises
    ------
    TheoremError
        If something cannot be read or used: a sentence.
    Interruption
        A KeyboardInterrupt with what was certified as its ``result``.

    Examples
    --------
    >>> import gaptron
    >>> from sympy import Max
    >>> from gaptron import GapMap, MarginLoss, Theorem
    >>> from gaptron.symbols import K, m
    >>> loss = Max(1 - m, 0) ** 2
    >>> mine = Theorem(name="mine", loss=MarginLoss(loss), gap_map=GapMap(loss), learning_rate=1 / (4 * K))
    >>> gaptron.check(mine).verdict
    'PROVED'
    """
    items, files = ([], list(map(str, shipped_theorem_files()))) if what is None else _given(what)
    question = {"verb": "check", "seconds": _positive(seconds), "coq": _coq(coq), "only": _text("only", only)}

    def made(answer: Document) -> CheckResult | ResultList[CheckResult]:
        return _one_or_all(what, [CheckResult(row["row"], *_values(row["data"])) for row in answer["rows"]], answer)

    return _answered(question | _about(items, files, workers, cache), "obligations", made)


@overload
def sharpen(what: Theorem | StructuredTheorem, **options: Unpack[SharpenOptions]) -> SharpenResult: ...
@overload
def sharpen(what: File | Iterable[Item | File], **options: Unpack[SharpenOptions]) -> ResultList[SharpenResult]: ...
def sharpen(
    what: Item | File | Iterable[Item | File],
    *,
    classes: Sequence[int] = (2, 3, 4, 5, 6, 7, 8),
    seconds: float = CLAIM_SECONDS,
    workers: int | None = None,
    cache: bool | File = True,
    only: str | None = None,
) -> SharpenResult | ResultList[SharpenResult]:
    """The largest learning rates that a loss allows, and the smallest regret constants, certified from both sides.

    For the given gap map, over all gap maps, over all randomized predictions, and over all algorithms.

    Parameters
    ----------
    what : Theorem, StructuredTheorem, path, or a list of them
        A learning rate or regret of theirs is ignored.
    classes : sequence of int >= 2
        For which K (or sizes).
    seconds, workers, cache, only
        As of ``check``.

    Raises
    ------
    TheoremError, Interruption
        As ``check``.

    Examples
    --------
    >>> import gaptron
    >>> from sympy import Max
    >>> from gaptron import GapMap, MarginLoss, Theorem
    >>> from gaptron.symbols import m
    >>> loss = Max(1 - m, 0) ** 2
    >>> mine = Theorem(name="mine", loss=MarginLoss(loss), gap_map=GapMap(loss))
    >>> gaptron.sharpen(mine, classes=[2, 3]).given_gap_map.learning_rate.closed_form
    1/(4*K)
    """
    counts = sorted({*_whole("classes", classes, 2)})
    if not counts:
        raise TheoremError(f"classes = {classes!r}: a list of whole numbers >= 2 is needed")
    items, files = _given(what)
    question = {"verb": "sharpen", "seconds": _positive(seconds), "classes": counts, "only": _text("only", only)}

    def made(answer: Document) -> SharpenResult | ResultList[SharpenResult]:
        rows = (
            (row["row"], row["text"], row["certified"], _values(row["expressions"]), _values(row["theorems"]))
            for row in answer["rows"]
        )
        return _one_or_all(what, [SharpenResult(*row) for row in rows], answer)

    return _answered(question | _about(items, files, workers, cache), "obligations", made)


def attack(
    what: Item | File | Iterable[Item | File],
    *,
    classes: Sequence[int] = (),
    rounds: Sequence[int] = (),
    seconds: float = 60.0,
    seed: int = 0,
    generations: int = 30,
    workers: int | None = None,
    only: str | None = None,
) -> ResultList[ResultRow]:
    """Search for the streams that come closest to the bounds of theorems, or break them; computed exactly.

    Parameters
    ----------
    what : Theorem, StructuredTheorem, path, or a list of them
    classes, rounds : sequences of int, optional
        Each K and T is attacked by itself.
    seconds : float > 0
        For all of them together, about.
    seed : int >= 0
    generations : int >= 0
        Of the search, for every family of streams.
    workers, only
        As of ``check``.

    Returns
    -------
    ResultList
        One for each theorem, K and T for which a stream was verified: REFUTED if it breaks the bound, else UNDECIDED.

    Raises
    ------
    TheoremError, Interruption
        As ``check``.

    Examples
    --------
    >>> import gaptron
    >>> from sympy import Max
    >>> from gaptron import GapMap, MarginLoss, Theorem
    >>> from gaptron.symbols import K, m
    >>> loss = Max(1 - m, 0) ** 2
    >>> mine = Theorem(name="mine", loss=MarginLoss(loss), gap_map=GapMap(loss), learning_rate=1 / (4 * K))
    >>> gaptron.attack(mine, classes=[2], generations=1)
    UNDECIDED mine: K = 2, T <= 30: ratio 1/2 (one point, 1 round)
    1 UNDECIDED
    """
    items, files = _given(what)
    question = {
        "verb": "attack", "classes": _whole("classes", classes, 2), "rounds": _whole("rounds", rounds, 1),
        "seconds": _positive(seconds), "seed": _natural("seed", seed),
        "generations": _natural("generations", generations), "only": _text("only", only),
    }  # fmt: skip

    def made(answer: Document) -> ResultList[ResultRow]:
        return ResultList([ResultRow(row["row"], row["text"]) for row in answer["rows"]])

    return _answered(question | _about(items, files, workers, False), "attack", made)


def explain(what: Item | str, *files: File, seconds: float = WHY_SECONDS) -> ResultRow:
    """What a verdict stands on: statement, obligations, evidence, witness, and which term outweighs which.

    Parameters
    ----------
    what : Theorem, StructuredTheorem, Lemma or str
        A text is a claim's identifier, a theorem's name, or "name: obligation"; a part of one if nothing else fits.
    *files : paths
        Where the name is looked for; in what is shipped by default.
    seconds : float > 0
        How long, by the clock, what ``sharpen`` would allow is looked for, if it is REFUTED.

    Raises
    ------
    TheoremError, Interruption
        As ``check``.

    Examples
    --------
    >>> import gaptron
    >>> from sympy import Max
    >>> from gaptron import GapMap, MarginLoss, Theorem
    >>> from gaptron.symbols import K, m
    >>> loss = Max(1 - m, 0) ** 2
    >>> mine = Theorem(name="mine", loss=MarginLoss(loss), gap_map=GapMap(loss), learning_rate=1 / (4 * K))
    >>> gaptron.explain(mine)  # doctest: +ELLIPSIS
    PROVED  mine (no source)
      ...
    """
    items = [what] if isinstance(what, KINDS) else []
    if not items and (not isinstance(what, str) or not what.strip()):
        raise TheoremError(f"explain({what!r}): a theorem, or the name of a theorem or claim, is needed")
    name = str(what) if isinstance(what, str) else ""
    question = {"verb": "explain", "name": name, "seconds": _positive(seconds)}

    def made(answer: Document) -> ResultRow:
        (row,) = answer["rows"]
        if isinstance(what, KINDS):
            return CheckResult(row["row"], what, row["text"])
        return ResultRow(row["row"], row["text"])

    return _answered(question | _about(items, _files(files), None, True), "obligations", made)


def audit(
    *files: File,
    only: str | None = None,
    document: str | None = None,
    seconds: float = CLAIM_SECONDS,
    workers: int | None = None,
    coq: bool = False,
    cache: bool | File = True,
) -> ResultList[ResultRow]:
    """Recompute the verdicts of claims: of files or folders, or of all that are shipped.

    Parameters
    ----------
    *files : paths
    only, document : str, optional
        A pattern that identifiers contain; the name of a document.
    seconds, workers, coq, cache
        As of ``check``.

    Raises
    ------
    TheoremError, Interruption
        As ``check``.

    Examples
    --------
    >>> import gaptron
    >>> gaptron.audit("examples/tilted_hinge", only="theorem-1")
    PROVED        tilted/theorem-1: kernel
    1 PROVED
    """
    question = {"verb": "audit", "seconds": _positive(seconds), "coq": _coq(coq)}
    question |= {"only": _text("only", only), "document": _text("document", document)}

    def made(answer: Document) -> ResultList[ResultRow]:
        _refuse(answer)
        return ResultList([ResultRow(row["row"], _claim(row["row"])) for row in answer["rows"]])

    return _answered(question | _about([], _files(files), workers, cache), "claims", made)


def _claim(row: Document) -> str:
    differs = (f"  DIFFERS: {problem}" for problem in row["problems"])
    return "\n".join([f"{row['verdict']:13} {row['id']}: {claim_line(row)}", *differs])


def plot(
    what: Item | File | Iterable[Item | File],
    *,
    classes: Sequence[int] = (2, 3, 5, 10),
    margins: tuple[float, float] = (-1.5, 1.5),
    only: str | None = None,
) -> "Figure":
    """Draw loss, gap map and surrogate gap of theorems over the margin or the probability, a line for each K.

    Parameters
    ----------
    what : Theorem, path, or a list of them
    classes : sequence of int >= 2
    margins : (float < 0, float > 0)
        Which are drawn, or z.
    only : str, optional
        A pattern that the names contain.

    Returns
    -------
    matplotlib.figure.Figure

    Raises
    ------
    TheoremError
        If nothing can be drawn, or matplotlib is missing.

    Examples
    --------
    >>> import gaptron
    >>> from sympy import Max
    >>> from gaptron import GapMap, MarginLoss, Theorem
    >>> from gaptron.symbols import K, m
    >>> loss = Max(1 - m, 0) ** 2
    >>> mine = Theorem(name="mine", loss=MarginLoss(loss), gap_map=GapMap(loss), learning_rate=1 / (4 * K))
    >>> len(gaptron.plot(mine, classes=[2, 3]).axes)
    3
    """
    from gaptron.answers.plotting import drawable, figure

    items, files = _given(what)
    counts = _whole("classes", classes, 2)
    if files:
        items = [*items, *_values(asked({"verb": "load", "files": files, "path": sys.path})["data"])]
    with _in_one_sentence():
        return figure(drawable(items, _text("only", only)), counts, _pair(margins))


# --- questions and answers ------------------------------------------------------------------------------------------


def _answered(question: Document, what: str, made: Callable[[Document], T]) -> T:
    """The answer as an object; of an interrupted question the part that there is, with the interrupt."""
    with progress(what) as shown, _in_one_sentence():
        try:
            answer = asked(question, shown.at)
        except Interruption as interrupt:
            partial = interrupt.answer | {"errors": []}  # an interrupt is not a refusal
            interrupt.result = made(partial) if "rows" in partial else None
            raise
    return made(answer)


def _about(items: Sequence[Item], files: Sequence[str], workers: int | None, cache: bool | File) -> Document:
    """What every question has."""
    from gaptron.checking.cache import default_path

    good = workers is None or (type(workers) is int and workers >= 1)
    _require(good, "workers", workers, "a whole number >= 1 is needed")
    _require(isinstance(cache, (bool, str, os.PathLike)), "cache", cache, "True, False or a path is needed")
    kept = str(default_path()) if cache is True else None if cache is False else str(Path(cache).absolute())
    try:
        data = [written([item])[0] for item in items]
    except DataError as error:
        raise TheoremError(f"a theorem cannot be handed over: {error}") from error
    return {
        "data": data, "files": list(files), "path": sys.path, "workers": workers or os.cpu_count() or 1, "cache": kept,
    }  # fmt: skip


def _given(what: What) -> tuple[list[Item], list[str]]:
    """Theorems, and names of files."""
    parts = [what] if isinstance(what, (*KINDS, str, os.PathLike)) else what
    if not isinstance(parts, Iterable):
        raise TheoremError(f"{what!r} is no theorem, file or folder, nor a list of them")
    found = list(parts)
    for part in found:
        if not isinstance(part, (*KINDS, str, os.PathLike)):
            raise TheoremError(f"{part!r} is no theorem, file or folder")
    return (
        [part for part in found if isinstance(part, KINDS)],
        _files([part for part in found if isinstance(part, (str, os.PathLike))]),
    )


def _files(paths: Sequence[File]) -> list[str]:
    for path in paths:
        if not isinstance(path, (str, os.PathLike)):
            raise TheoremError(f"{path!r} is no file or folder")
    with _in_one_sentence():
        return [str(file.absolute()) for file in python_files([Path(path) for path in paths])]


@contextmanager
def _in_one_sentence() -> Iterator[None]:
    """What is wrong with a file is said as what is wrong with a theorem is."""
    try:
        yield
    except FileError as error:
        raise TheoremError(str(error)) from None


def _require(good: bool, name: str, given: object, needed: str) -> None:
    if not good:
        raise TheoremError(f"{name} = {given!r}: {needed}")


def _positive(seconds: float) -> float:
    good = not isinstance(seconds, bool) and isinstance(seconds, (int, float)) and 0 < seconds < float("inf")
    _require(good, "seconds", seconds, "a number > 0 is needed")
    return float(seconds)


def _whole(name: str, given: Iterable[int], least: int) -> list[int]:
    """Of a list; a number or a text is none."""
    found = list(given) if isinstance(given, Iterable) else None
    good = found is not None and all(type(n) is int and n >= least for n in found)
    _require(good, name, given, f"a list of whole numbers >= {least} is needed")
    return found or []


def _text(name: str, given: str | None) -> str | None:
    _require(given is None or isinstance(given, str), name, given, "a text is needed, or None")
    return given


def _natural(name: str, given: int) -> int:
    _require(type(given) is int and given >= 0, name, given, "a whole number >= 0 is needed")
    return given


def _pair(margins: tuple[float, float]) -> tuple[float, float]:
    try:
        low, high = map(float, margins)
    except (TypeError, ValueError):
        raise TheoremError(f"margins = {margins!r}: a number below 0 and one above 0 are needed") from None
    return low, high


def _coq(wanted: bool) -> bool:
    _require(type(wanted) is bool, "coq", wanted, "True or False is needed")
    if wanted:
        from gaptron.coq.library import coqc

        with _in_one_sentence():
            coqc()
    return wanted


def _one_or_all(what: object, found: list[R], answer: Document) -> R | ResultList[R]:
    _refuse(answer)
    return found[0] if isinstance(what, KINDS) and found else ResultList(found)


def _refuse(answer: Document) -> None:
    """A file that could not be used is an error, whatever else was decided: that is kept."""
    if answer.get("errors"):
        raise TheoremError("; ".join(answer["errors"]))


_values = partial(read, function=lambda place: None)  # theorems, or expressions, of their data
