"""What becomes of one ground of a claim, and how all of them are composed: ``whole``, or in ``steps``."""

import fnmatch
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from math import ceil, floor, isfinite
from pathlib import Path

import numpy as np

from gaptron.checking.checker import Checked
from gaptron.numbers.evaluate import Number, UncertainError, enclosure
from gaptron.papers.checked_files import ProvedClaim, hypotheses
from gaptron.reports.witness import witness_text
from gaptron.system.child import Voice
from gaptron.system.deadline import LOAD_SECONDS, time_limit
from gaptron.system.digits import decimal
from gaptron.system.documents import Document
from gaptron.system.processes import Lost, in_processes
from gaptron.theory.claims import (
    Breaks,
    Exact,
    Ground,
    InProof,
    Instance,
    Obligations,
    Resists,
    Rests,
    Shows,
)
from gaptron.theory.files import FileError, FileProcess, InFile, grounds_of
from gaptron.theory.theorem import Lemma
from gaptron.theory.verdict import EVIDENCE, Verdict

SEED = 20_261_121
DIGITS = (6, 12, 24, 48)
LONG_FRACTION = 60

LIMIT = 60.0
ROW = {"verdict", "evidence", "reason", "witness", "shown", "seconds"}
VERDICTS = ("PROVED", "REFUTED", "UNDECIDED")
WITNESS = {"at", "relation", "left", "right"}


@dataclass(frozen=True)
class Found:
    """A ground's verdict (None: it cannot have one), its evidence, the reason or the witness, what was looked at."""

    ground: Ground
    verdict: Verdict | None
    evidence: tuple[str, ...] = ()
    reason: str | None = None
    witness: Document | None = None
    seconds: float = 0.0
    checked: Checked | None = None
    shown: Document | None = None
    coq: Document | None = None  # of a bound: the whole theorem that Coq accepts, in its words
    proved: ProvedClaim | None = None  # of a claim of a proof file


# --- instances ----------------------------------------------------------------------------------------------


def all_instances(grounds: Sequence[Exact], workers: int) -> Iterator[tuple[int, Found | str]]:
    """Every ground by instances, by its number, as several processes are done with it.

    Of a function that fails, ends its process, or takes longer than ``LIMIT`` seconds: how.
    """
    work = partial(_compute, grounds)
    with closing(in_processes(work, range(len(grounds)), workers, lambda _: LOAD_SECONDS + 2 * LIMIT)) as heard:
        for number, row in heard:
            if isinstance(row, Lost):
                late = f"was still running after {LIMIT:g} s"
                yield number, f"ended the process ({row.ended})" if row.ended else late
            else:
                yield number, row["error"] if "error" in row else _found(grounds[number], row)


def _compute(grounds: Sequence[Exact], voice: Voice) -> None:
    """In the child: each here, or in the process of its file if that handed the ground over."""
    with ExitStack() as open_:
        process: FileProcess | None = None
        for number in voice.tasks():
            place = _function(grounds[number])
            if not isinstance(place, InFile):
                voice.say(_computed(grounds[number]))
                continue
            if process is None or process.file != place.file:
                open_.close()
                process = open_.enter_context(FileProcess(place.file, _answer))
            voice.say(_said(process, place.place))


def _function(ground: Exact) -> object:
    return ground.draw if isinstance(ground, Resists) else ground.compute


def _answer(file: Path, voice: Voice) -> None:
    """In the process of a file: what its own grounds are."""
    grounds = grounds_of(file)
    for place in voice.tasks():
        voice.say(_computed(grounds[place]))


def _said(process: FileProcess, place: int) -> Document:
    """What a file says of a ground, if that is what may be said of one."""
    process.child.tell({"task": place})
    try:
        row = process.hear(LIMIT)
    except FileError as error:
        return {"error": str(error)}
    if set(row) == {"error"}:
        good = isinstance(row["error"], str)
    else:
        seconds, shown = row.get("seconds"), [row[name] for name in ("witness", "shown") if name in row]
        good = row.keys() <= ROW and row.get("verdict") in VERDICTS and row.get("evidence", []) in ([], ["exact"])
        good = good and isinstance(row.get("reason", ""), str) and isinstance(seconds, float) and isfinite(seconds)
        good = good and all(map(_is_witness, shown))
    return row if good else {"error": "said what is no outcome of an instance"}


def _is_witness(one: object) -> bool:
    """Whether it is an instance as ``as_witness`` shows it."""
    if not isinstance(one, dict) or one.keys() != WITNESS or not isinstance(one["at"], dict):
        return False
    ends = [side if isinstance(side, list) and len(side) == 2 else [side] for side in (one["left"], one["right"])]
    return all(isinstance(text, str) for side in (*ends, [one["relation"]]) for text in side)


def _found(ground: Exact, row: Document) -> Found:
    verdict, evidence = Verdict(row.pop("verdict")), tuple(row.pop("evidence", ()))
    return Found(ground, verdict, evidence, **row)


def _computed(ground: Exact) -> Document:
    """The fields of what became of one ground, ready for JSON; or why a function of its failed."""
    start = time.monotonic()
    try:
        with time_limit(LIMIT):
            row = _resisted(ground) if isinstance(ground, Resists) else _one(ground)
    except UncertainError as error:
        row = {"verdict": "UNDECIDED", "reason": f"balls cannot tell: {error}"}
    except BaseException as error:
        return {"error": f"{type(error).__name__}: {' '.join(str(error).split())}"}
    return row | {"seconds": round(time.monotonic() - start, 4)}


def _one(ground: Breaks | Shows) -> Document:
    instance = ground.compute()
    if instance.holds and isinstance(ground, Shows):
        return {"verdict": "PROVED", "evidence": ("exact",), "shown": as_witness(instance)}
    if not instance.holds and isinstance(ground, Breaks):
        return {"verdict": "REFUTED", "evidence": ("exact",), "witness": as_witness(instance)}
    kind = "does not break the claim" if isinstance(ground, Breaks) else "does not show the claim"
    return {"verdict": "UNDECIDED", "reason": f"the instance {kind}: {witness_text(as_witness(instance))}"}


def _resisted(ground: Resists) -> Document:
    rng = np.random.default_rng(SEED)
    for _ in range(ground.n_instances):
        instance = ground.draw(rng)
        if not instance.holds:
            return {"verdict": "REFUTED", "evidence": ("exact",), "witness": as_witness(instance)}
    reason = f"{ground.n_instances} exact instances hold, which proves nothing"
    return {"verdict": "UNDECIDED", "evidence": ("exact",), "reason": reason}


def as_witness(instance: Instance) -> Document:
    """The instance, ready for JSON."""
    says = "fails" if not instance.holds else "holds"
    digits = digits_needed(instance.left, instance.right)
    return {
        "at": {name: _plain(value) for name, value in instance.at.items()},
        "relation": f"left {instance.relation} right {says}",
        "left": exact_or_enclosed(instance.left, digits),
        "right": exact_or_enclosed(instance.right, digits),
    }


def digits_needed(left: Number, right: Number) -> int:
    """Few decimals, but enough to tell the two sides apart if they differ."""
    (low, high), (low_other, high_other) = enclosure(left), enclosure(right)
    apart = max(low - high_other, low_other - high)
    return next((d for d in DIGITS if apart * 10**d >= 4), DIGITS[-1])


def exact_or_enclosed(value: Number, digits: int) -> str | list[str]:
    """A short fraction as it is; a ball, or a long fraction, as an enclosure in decimals."""
    short = isinstance(value, Fraction) and value.denominator < 10**LONG_FRACTION
    if short and len(str(value)) <= LONG_FRACTION:
        return str(value)
    low, high = enclosure(value)
    return [decimal(low, floor, digits), decimal(high, ceil, digits)]


def _plain(value: object) -> object:
    if isinstance(value, (list, tuple, np.ndarray)):
        return [_plain(part) for part in value]
    return value if isinstance(value, (bool, int, str)) else str(value)


# --- obligations and premises -------------------------------------------------------------------------------


def of_obligations(ground: Obligations, checked: Checked) -> Found:
    """The verdict of the obligations that the ground names."""
    pairs = [
        (o, r)
        for o, r in zip(checked.obligations, checked.outcomes, strict=True)
        if any(fnmatch.fnmatchcase(o.id, pattern) for pattern in ground.only.split("|"))
    ]
    if not pairs:
        return Found(ground, Verdict.UNDECIDED, reason=f"{checked.item.name!r} has no obligation {ground.only!r}")
    verdict = Verdict.of([outcome.verdict for _, outcome in pairs])
    worst = [(o, r) for o, r in pairs if r.verdict is verdict]
    used = [outcome.evidence[0] for _, outcome in pairs if outcome.evidence]
    return Found(
        ground,
        verdict,
        evidence=tuple(level for level in EVIDENCE if level in used),
        reason=next((f"{o.id}: {r.reason}" for o, r in worst if r.reason), None),
        witness=next((r.witness for _, r in worst if r.witness), None),
        seconds=sum(outcome.seconds for _, outcome in pairs),
        checked=Checked(checked.item, tuple(o for o, _ in pairs), tuple(r for _, r in pairs), ()),
    )


def of_premise(ground: Rests, verdicts: Mapping[str, str]) -> Found:
    """PROVED if the premise is; a premise that fails leaves the claim open."""
    known = verdicts.get(ground.on)
    if known == "PROVED":
        return Found(ground, Verdict.PROVED, evidence=(f"rests on {ground.on}",))
    return Found(ground, Verdict.UNDECIDED, reason=f"its premise {ground.on} is {known or 'no claim of this ledger'}")


UNWRITTEN = "not yet written in the proof language"


@dataclass(frozen=True)
class Composition:
    """Of a claim that is PROVED: what it rests on, each of its kind.

    ``hypotheses`` is None if part of it is neither in the proof language nor a theorem that is decided as a whole.
    """

    hypotheses: tuple[Document, ...] | None

    @property
    def open(self) -> tuple[str, ...]:
        """What is between it and ``whole``."""
        if self.hypotheses is None:
            return (UNWRITTEN,)
        return tuple(row["text"] for row in self.hypotheses if row["kind"] == "ours")

    @property
    def facts(self) -> dict[str, str]:
        """The textbook facts that it rests on, with the theorems of the library that prove each: "File.v:theorem"."""
        return {row["text"]: row["coq"] for row in self.hypotheses or () if row["kind"] == "fact"}

    @property
    def kind(self) -> str:
        """``whole`` or ``steps``."""
        return "steps" if self.open else "whole"


def composed(known: Composition | None) -> Document:
    """The composition of a claim, ready for JSON; None of one that is not PROVED."""
    if known is None:
        return {"argument": None, "hypotheses": None, "facts": [], "facts_in_coq": {}, "open": []}
    return {
        "argument": known.kind,
        "hypotheses": None if known.hypotheses is None else list(known.hypotheses),
        "facts": list(known.facts),
        "facts_in_coq": known.facts,
        "open": list(known.open),
    }


def composition(grounds: Sequence[Found]) -> Composition:
    """How these grounds are composed."""
    proved = [found.proved for found in grounds if found.proved]
    if not proved or not all(_is_written(found.ground) for found in grounds):
        return Composition(None)
    listed = [row for claim in proved for row in hypotheses(claim)]
    return Composition(tuple({(row["text"], row["kind"]): row for row in listed}.values()))


def _is_written(ground: Ground) -> bool:
    """Whether it rests on nothing that it does not say: a claim of a proof file, or a theorem decided as a whole."""
    return isinstance(ground, InProof) or (
        isinstance(ground, Obligations) and not isinstance(ground.item, Lemma) and ground.only == "*"
    )
