"""``sharpen``: the largest learning rates, and the smallest regret constants, of theorems."""

import re
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path

from gaptron.checking.cache import Cache
from gaptron.constants.engine import Engine
from gaptron.constants.largest_rates import sharpen
from gaptron.constants.parameter import choose, is_best
from gaptron.constants.report import Result, Sharpened
from gaptron.constants.structured_constants import SharpenedStructured, sharpen_structured
from gaptron.system.exits import warn
from gaptron.system.progress import Progress
from gaptron.theory.files import FileError, Statement, load
from gaptron.theory.refusals import TheoremError
from gaptron.theory.shipped import place
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.theorem import Lemma, Theorem

MOST_CLASSES = 1000


def class_counts(text: str) -> list[int]:
    """ "3", "2-8" or "2-4,10" as numbers of classes, in increasing order; ValueError says what is needed."""
    found: set[int] = set()
    for part in text.split(","):
        match = re.fullmatch(r"(\d{1,4})(?:-(\d{1,4}))?", part, re.ASCII)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 2 <= first <= last <= MOST_CLASSES:
            raise ValueError(f"a number from 2 to {MOST_CLASSES}, or two as in 2-8, or a list of them, is needed")
        found |= set(range(first, last + 1))
    return sorted(found)


def sharpenable(file: Path, only: str | None = None) -> list[Statement]:
    """The theorems of a file that can be sharpened; FileError if there is none."""
    found = [statement for statement in load(file) if not isinstance(statement.item, Lemma)]
    kept = [statement for statement in found if only in (None, statement.item.name)]
    if not kept:
        known = f"; it holds {'; '.join(repr(s.item.name) for s in found)}" if found and only else ""
        raise FileError(
            f"{file}: holds no theorem{f' named {only!r}' if only else ''} (a Lemma has no learning rate){known}"
        )
    return kept


def sharpened(
    statements: Sequence[Statement], counts: Sequence[int], engine: Engine, results: list[Result], shown: Progress
) -> KeyboardInterrupt | None:
    """Fill ``results``; what is there when this is interrupted is certified, and the rest says so. The interrupt.

    ``shown`` says how many constants are certified as soon as they are.

    Raises
    ------
    FileError
        If a theorem claims none of these numbers of classes, or cannot be sharpened.
    """
    telling = replace(engine, found=lambda: shown.at(shown.done, shown.total, _certified(results)))
    try:
        for statement in statements:
            _sharpen(statement, counts, telling, results)
    except KeyboardInterrupt as interrupt:
        for result in results:
            result.stop()
        return interrupt
    return None


def _certified(results: Sequence[Result]) -> str:
    """How many of the constants that are asked for are known, and what the last theorem is."""
    asked = [part for result in results for part in result.answers]
    brackets = [bracket for part in asked for bracket in part.brackets.values()]
    known = sum(bracket is not None for bracket in brackets)
    return f"{results[-1].theorem.name}: {known} of {len(brackets)} constants certified"


def _sharpen(statement: Statement, counts: Sequence[int], engine: Engine, results: list[Result]) -> None:
    """One theorem; its answers are among the results from the start, and filled in as they come."""
    theorem = statement.item
    where = f"{place(statement.file, theorem.line)}: "
    if isinstance(theorem, StructuredTheorem):
        _sharpen_structured(statement, theorem, counts, engine, results)
        return
    assert isinstance(theorem, Theorem)  # noqa: S101
    if not any(theorem.claims(n) for n in counts):
        raise FileError(f"{where}{theorem.name!r} is not claimed for K in {counts[0]}-{counts[-1]}")
    try:
        chosen = choose(theorem)
    except TheoremError as error:
        raise FileError(f"{where}{error}") from error
    result = Sharpened(statement.file, theorem, {str(k): v for k, v in chosen.items()}, [])
    results.append(result)
    sharpen(theorem.at(chosen) if chosen else theorem, counts, engine, result.answers)
    result.best_chosen = bool(chosen) and is_best(theorem, chosen, result.answers[0], engine)


def _sharpen_structured(
    statement: Statement, theorem: StructuredTheorem, counts: Sequence[int], engine: Engine, results: list[Result]
) -> None:
    """The same for a structured theorem, whose only size, if it has one, is asked for."""
    sizes = [theorem.first_size] if theorem.first_size == theorem.last_size else counts
    where = f"{place(statement.file, theorem.line)}: {theorem.name!r}"
    if not any(map(theorem.claims, sizes)):
        raise FileError(f"{where} is not claimed for {theorem.size} in {counts[0]}-{counts[-1]}")
    if theorem.parameters:
        raise FileError(f"{where} has parameters of its own: sharpen needs numbers")
    result = SharpenedStructured(statement.file, theorem)
    results.append(result)
    sharpen_structured(theorem, sizes, engine, result.answers)


@contextmanager
def engine(
    seconds: float, cache: Path | None, workers: int, shown: Progress, cluster: str | None = None
) -> Iterator[Engine]:
    """Decides what is asked, says how far it is, and keeps certificates there, if anywhere."""
    with closing(Cache(cache, warn)) as kept:
        yield Engine(seconds, workers, kept, shown.begin, shown.advance, cluster)
