"""Attacks of a file computed again: nothing of it is trusted but what the stream is."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gaptron.adversary.attack_json import SCHEMA, WitnessError, confirm, read
from gaptron.adversary.choice import Attackable
from gaptron.adversary.structured_attack import StructuredSides, read_structured, sides_of
from gaptron.bounds.sides import Sides
from gaptron.numbers.evaluate import enclosure
from gaptron.system.deadline import time_limit
from gaptron.system.documents import Document
from gaptron.theory.structured.structured_theorem import StructuredTheorem

LARGEST = 8 << 20
MOST = 500


@dataclass(frozen=True)
class Replayed:
    """A witness that was confirmed: both sides, and whether they refute the theorem."""

    theorem: str
    data: Document
    sides: Sides | StructuredSides
    refutes: bool


def replay(file: Path, theorems: dict[str, Attackable], seconds: float) -> Iterator[Replayed]:
    """Every witness of a file, computed again; each may take so many seconds.

    Raises
    ------
    WitnessError
        At the first that is not confirmed, with its number in the file.
    """
    for number, data in enumerate(_witnesses(file), start=1):
        try:
            yield _replayed(data, theorems, seconds)
        except (ValueError, ArithmeticError, TimeoutError, RecursionError) as error:
            raise WitnessError(f"{file}: witness {number}: {error}") from error


def _replayed(data: Any, theorems: dict[str, Attackable], seconds: float) -> Replayed:
    name = data.get("theorem") if isinstance(data, dict) else None
    if not isinstance(name, str) or name not in theorems:
        raise WitnessError(f"there is no theorem {str(name)[:80]!r}: name the file that it is in")
    with time_limit(seconds):
        sides = _sides(data, theorems[name])
    confirm(data, sides)
    return Replayed(name, data, sides, enclosure(sides.ratio)[0] > 1)


def _sides(data: Document, theorem: Attackable) -> Sides | StructuredSides:
    if isinstance(theorem, StructuredTheorem):
        return sides_of(theorem, read_structured(data, theorem))
    return read(data, theorem).sides(theorem)


def _witnesses(file: Path) -> list[Any]:
    try:
        if file.stat().st_size > LARGEST:
            raise WitnessError(f"{file}: larger than {LARGEST} bytes")
        data = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise WitnessError(f"{file}: cannot be read: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise error if isinstance(error, WitnessError) else WitnessError(f"{file}: not JSON") from error
    if not isinstance(data, dict) or data.get("schema") != SCHEMA:
        raise WitnessError(f"{file}: not a file of attacks with schema {SCHEMA}")
    found = data.get("attacks")
    if not isinstance(found, list) or not 1 <= len(found) <= MOST:
        raise WitnessError(f"{file}: attacks is not a list of 1 to {MOST} witnesses")
    return found
