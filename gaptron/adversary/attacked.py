"""The outcome of an attack, for people and as JSON, and attacks of a file computed again."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gaptron.adversary.attack_json import SCHEMA, Attack, Verified, WitnessError, confirm, read, written
from gaptron.adversary.choice import Attackable
from gaptron.adversary.structured_attack import read_structured, sides_of, written_structured
from gaptron.bounds.sides import Sides
from gaptron.numbers.evaluate import enclosure
from gaptron.prove.forced import StructuredAdversary
from gaptron.system.deadline import time_limit
from gaptron.system.documents import Document
from gaptron.system.printable import folded, printable
from gaptron.theory.structured.structured_theorem import StructuredTheorem

LARGEST = 8 << 20
MOST = 500


@dataclass(frozen=True)
class Attacked:
    """A theorem at K and T, and the best stream found."""

    theorem: Attackable
    n_classes: int
    horizon: int
    found: Verified

    @property
    def refuted(self) -> bool:
        """Whether the stream certainly breaks the bound."""
        return self.found.low > 1


def line(one: Attacked) -> str:
    """The verdict, the best ratio and its stream."""
    verdict = "REFUTED  " if one.refuted else "UNDECIDED"
    if isinstance(one.theorem, StructuredTheorem):
        where = f"{printable(one.theorem.name)}: {one.theorem.size} = {one.n_classes}, T = {one.horizon}"
        return folded(f"{verdict} {where}: ratio {_ratio(one)} for every algorithm ({one.found.family})")
    at_most = "T <=" if one.theorem.feedback == "full" else "T ="
    where = f"{printable(one.theorem.name)}: K = {one.n_classes}, {at_most} {one.horizon}"
    played = one.found.attack.rounds
    rounds = "1 round" if played == 1 else f"{played} rounds"
    return folded(f"{verdict} {where}: ratio {_ratio(one)} ({one.found.family}, {rounds})")


def _ratio(one: Attacked) -> str:
    low, _ = enclosure(one.found.sides.ratio)
    return str(low) if low == one.found.sides.ratio and len(str(low)) < 12 else f"{float(low):.6f}"


def summary(found: Sequence[Attacked]) -> str:
    """What all of them come to."""
    if not found:
        return "no stream could be verified"
    best = max(found, key=lambda one: one.found.low)
    if any(one.refuted for one in found):
        return f"a bound is broken: best ratio {_ratio(best)} > 1"
    found_none = f"no stream found breaks the bound; best ratio {_ratio(best)}: this proves nothing"
    return f"{found_none}; nor does a gap that is REFUTED: it need not break a bound"


def document(found: Sequence[Attacked]) -> str:
    """All witnesses, as they are saved and printed."""
    return json.dumps({"schema": SCHEMA, "attacks": [data(one) for one in found]}, indent=1)


def data(one: Attacked) -> Document:
    """One witness, ready for JSON."""
    about = {"verdict": "REFUTED" if one.refuted else "UNDECIDED", "family": one.found.family}
    attack, sides = one.found.attack, one.found.sides
    if isinstance(one.theorem, StructuredTheorem):
        assert isinstance(attack, StructuredAdversary)  # noqa: S101
        return written_structured(one.theorem, attack, sides) | about
    assert isinstance(attack, Attack)  # noqa: S101
    return written(one.theorem, attack, sides) | about


# --- witnesses computed again: nothing of them is trusted but what the stream is ------------------------------------


@dataclass(frozen=True)
class Replayed:
    """A witness that was confirmed: both sides, and whether they refute the theorem."""

    theorem: str
    data: Document
    sides: Sides
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


def _sides(data: Document, theorem: Attackable) -> Sides:
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
