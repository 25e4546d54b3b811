"""What becomes of one ground of a claim."""

import fnmatch
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np

from gaptron.checking.check import Checked
from gaptron.numbers.evaluate import Number, UncertainError, enclosure
from gaptron.system.child import Message, Voice
from gaptron.system.deadline import time_limit
from gaptron.system.documents import Document
from gaptron.system.processes import Lost, in_processes
from gaptron.theory.claims import Breaks, Ground, Instance, NotCheckable, Obligations, Resists, Rests, Shows
from gaptron.theory.verdict import EVIDENCE, Verdict

SEED = 20_261_121
DIGITS = (6, 12, 24, 48)
LONG_FRACTION = 60

LIMIT = 60.0

Exact = Breaks | Shows | Resists


class GroundError(Exception):
    """A function of a claim that failed, by its ground."""

    def __init__(self, ground: Exact, reason: str) -> None:
        super().__init__(reason)
        self.ground = ground


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
    facts: tuple[str, ...] = ()
    parts: "tuple[Found, ...]" = ()  # of an argument: what became of its steps


# --- instances ----------------------------------------------------------------------------------------------


def all_instances(grounds: Sequence[Exact], workers: int, arrived: Callable[[], None]) -> list[Found]:
    """Every ground by instances, in several processes.

    Raises
    ------
    GroundError
        If a function fails, ends its process, or takes longer than ``LIMIT`` seconds.
    """
    rows: dict[int, Message] = {}
    work = partial(_compute, grounds)
    with closing(in_processes(work, range(len(grounds)), workers, lambda _: LIMIT)) as heard:
        for number, row in heard:
            if isinstance(row, Lost):
                late = f"was still running after {LIMIT:g} s"
                raise GroundError(grounds[number], f"ended the process ({row.ended})" if row.ended else late)
            if "error" in row:
                raise GroundError(grounds[number], row["error"])
            rows[number] = row
            arrived()
    return [_found(ground, rows[number]) for number, ground in enumerate(grounds)]


def _compute(grounds: Sequence[Exact], voice: Voice) -> None:
    for number in voice.tasks():
        voice.say(_computed(grounds[number]))


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
    return {"verdict": "UNDECIDED", "reason": f"the instance {kind}: {as_witness(instance)}"}


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
    return [_decimal(low, -1, digits), _decimal(high, 1, digits)]


def _decimal(value: Fraction, side: int, digits: int) -> str:
    """``value`` rounded down (side -1) or up (1) to this many decimals."""
    scaled = Fraction(value) * 10**digits
    whole = scaled.__floor__() if side < 0 else scaled.__ceil__()
    text = str(abs(whole)).rjust(digits + 1, "0")
    return f"{'-' if whole < 0 else ''}{text[:-digits]}.{text[-digits:]}"


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


def not_checkable(ground: NotCheckable) -> Found:
    """No verdict, with the reason."""
    return Found(ground, None, reason=ground.reason)
