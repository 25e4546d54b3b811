"""``gaptron attack``: the stream that comes closest to a theorem's bound, or breaks it, verified exactly."""

import fnmatch
import json
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click
import numpy as np

from gaptron.atomic import write_atomically
from gaptron.attack.polish import Verified
from gaptron.attack.replay import Replayed, replay
from gaptron.attack.search import attack as search
from gaptron.attack.target import target
from gaptron.attack.witness import SCHEMA, WitnessError, written
from gaptron.bounds import breaks
from gaptron.evaluate import enclosure
from gaptron.exits import fail, warn
from gaptron.files import FileError, load, shipped_files
from gaptron.printable import printable
from gaptron.theorem import Theorem

EXIT_CODES = """\b
Exit codes:
  0  --replay: every witness is what its file says, and none breaks its bound
  1  a bound is broken: the theorem is REFUTED
  2  usage or input error, or a witness that is not what its file says
  3  no stream found breaks a bound, which proves nothing: UNDECIDED
"""
CLASSES = (2, 3, 10)
ROUNDS, BANDIT_ROUNDS = 30, 100
REPLAY_SECONDS = 600.0


@dataclass(frozen=True)
class Attacked:
    """A theorem at K and T, and the best stream found."""

    theorem: Theorem
    n_classes: int
    horizon: int
    found: Verified

    @property
    def refuted(self) -> bool:
        """Whether the stream certainly breaks the bound."""
        return breaks(self.found.sides)


@click.command(epilog=EXIT_CODES)
@click.argument("theorem", required=False, metavar="[FILE|THEOREM]")
@click.option("--only", metavar="PATTERN", help="Of FILE, the theorems whose name contains PATTERN.")
@click.option("--classes", type=click.IntRange(2, 1000), multiple=True, help="K; may be given more than once.")
@click.option(
    "--rounds",
    type=click.IntRange(1, 100_000),
    multiple=True,
    help="T, at most that many with full information; may be given more than once "
    f"[default: {ROUNDS}, with bandit feedback {BANDIT_ROUNDS}].",
)
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the search.")
@click.option(
    "--generations",
    type=click.IntRange(min=0),
    default=30,
    show_default=True,
    help="Of the search, for every family of streams. The result is the same wherever it is run.",
)
@click.option(
    "--seconds",
    type=click.FloatRange(min=0, min_open=True),
    help="Begin no generation after so many seconds, for each K and T: cuts the search short, and the result then "
    "depends on the machine. With --replay the limit for each witness.",
)
@click.option("--save", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Write the witnesses.")
@click.option(
    "--replay",
    "witnesses",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="FILE",
    help="Compute the witnesses of a saved FILE again, instead of searching.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the witnesses as one JSON document on stdout.")
def attack(
    theorem: str | None,
    only: str | None,
    classes: tuple[int, ...],
    rounds: tuple[int, ...],
    seed: int,
    generations: int,
    seconds: float | None,
    save: Path | None,
    witnesses: Path | None,
    as_json: bool,
) -> None:
    """Search for the stream that comes closest to the bound of a theorem, or breaks it.

    The tightness ratio of a stream is (expected mistakes - loss of U)/regret, at the strongest comparator U that is
    found; above 1 it refutes the theorem. Streams of several families are searched for in doubles; the best are
    rounded to fractions, and both sides of the bound are computed exactly (in balls where roots, logarithms or
    bandit feedback need them). THEOREM is a part of the name of a shipped theorem; a FILE's Python is run.
    """
    try:
        theorems = _theorems(theorem, only, replaying=witnesses is not None)
        if witnesses is not None:
            _show_replayed(list(replay(witnesses, theorems, seconds or REPLAY_SECONDS)), as_json)
        _attack(_attackable(theorems), classes, rounds, seed, generations, seconds, save, as_json)
    except (FileError, WitnessError) as error:
        document = json.dumps({"schema": SCHEMA, "attacks": [], "error": str(error)}, indent=1)
        fail(error, document=document if as_json else None)


# --- which theorems -----------------------------------------------------------------------------------------------


def _theorems(given: str | None, only: str | None, *, replaying: bool) -> dict[str, Theorem]:
    """By name: of a file, or the shipped ones that fit; when replaying, those of the file and the shipped ones."""
    is_file = given is not None and (given.endswith(".py") or Path(given).exists())
    if given is None and not replaying:
        raise FileError("name a theorem file, a part of the name of a shipped theorem, or --replay FILE")
    files = [*(shipped_files() if replaying or not is_file else []), *([Path(given or "")] if is_file else [])]
    found = [s.item for file in files for s in load(file) if isinstance(s.item, Theorem)]
    patterns = [p for p in (None if is_file or replaying else given, only) if p is not None]
    kept = {item.name: item for item in found if all(_matches(item.name, pattern) for pattern in patterns)}
    if not kept:
        raise FileError(f"{' '.join(patterns) or given}: no theorem has such a name")
    return kept


def _matches(name: str, pattern: str) -> bool:
    return fnmatch.fnmatch(name.lower(), f"*{pattern.lower()}*")


def _attackable(theorems: dict[str, Theorem]) -> list[Theorem]:
    """Those whose bound is one on mistakes; what the others are is said, and an error if there is no other."""
    refusals = {name: _refusal(theorem) for name, theorem in theorems.items()}
    said = [f'theorem "{name}" is not attacked: {why}' for name, why in refusals.items() if why is not None]
    if len(said) == len(theorems):
        raise FileError(said[0])
    for sentence in said:
        warn(sentence)
    return [theorem for name, theorem in theorems.items() if refusals[name] is None]


def _refusal(theorem: Theorem) -> str | None:
    if theorem.abstention_cost is not None:
        return "it is about abstaining, and bounds a cost, not mistakes"
    if theorem.parameters:
        return f"it has parameters of its own ({', '.join(map(str, theorem.parameters))}): give them values"
    if theorem.regret is None and (theorem.feedback == "bandit" or theorem.learning_rate is None):
        return "it states no regret"
    return None


# --- search -------------------------------------------------------------------------------------------------------


def _attack(
    theorems: Sequence[Theorem],
    classes: Sequence[int],
    rounds: Sequence[int],
    seed: int,
    generations: int,
    seconds: float | None,
    save: Path | None,
    as_json: bool,
) -> None:
    """Search, show, save, and exit."""
    found = []
    for one, n_classes, horizon in _settings(theorems, classes, rounds):
        deadline = time.monotonic() + seconds if seconds else float("inf")
        best = search(target(one, n_classes, horizon), np.random.default_rng(seed), generations, deadline)
        if best is None:
            warn(f"{one.name}: K = {n_classes}, T = {horizon}: balls leave every stream open")
            continue
        found.append(Attacked(one, n_classes, horizon, best))
        if not as_json:
            click.echo(_line(found[-1]))
    document = _document(found)
    if save is not None:
        _save(save, document)
    if as_json:
        click.echo(document)
    else:
        click.echo(_summary(found))
    sys.exit(1 if any(one.refuted for one in found) else 3)


def _settings(
    theorems: Sequence[Theorem], classes: Sequence[int], rounds: Sequence[int]
) -> Iterator[tuple[Theorem, int, int]]:
    """Every theorem at every K it claims and every T."""
    for theorem in theorems:
        claimed = [K for K in classes or CLASSES if theorem.claims(K)]
        if classes and len(claimed) < len(classes):
            raise FileError(f'theorem "{theorem.name}" is not claimed for every K of {list(classes)}')
        for n_classes in claimed or [theorem.first_class_count]:
            for horizon in rounds or [BANDIT_ROUNDS if theorem.feedback == "bandit" else ROUNDS]:
                yield theorem, n_classes, horizon


def _line(one: Attacked) -> str:
    verdict = "REFUTED  " if one.refuted else "UNDECIDED"
    at_most = "T <=" if one.theorem.feedback == "full" else "T ="
    where = f"{printable(one.theorem.name)}: K = {one.n_classes}, {at_most} {one.horizon}"
    return f"{verdict} {where}: ratio {_ratio(one)} ({one.found.family}, {one.found.attack.horizon} rounds)"


def _ratio(one: Attacked) -> str:
    low, _ = enclosure(one.found.sides.ratio)
    return str(low) if low == one.found.sides.ratio and len(str(low)) < 12 else f"{float(low):.6f}"


def _summary(found: Sequence[Attacked]) -> str:
    if not found:
        return "no stream could be verified"
    best = max(found, key=lambda one: one.found.low)
    if any(one.refuted for one in found):
        return f"a bound is broken: best ratio {_ratio(best)} > 1"
    return f"no stream found breaks the bound; best ratio {_ratio(best)}: this proves nothing"


def _document(found: Sequence[Attacked]) -> str:
    attacks = [
        written(one.theorem, one.found.attack, one.found.sides)
        | {"verdict": "REFUTED" if one.refuted else "UNDECIDED", "family": one.found.family}
        for one in found
    ]
    return json.dumps({"schema": SCHEMA, "attacks": attacks}, indent=1)


def _save(file: Path, document: str) -> None:
    try:
        write_atomically(file, document + "\n")
    except OSError as error:
        fail(f"{file}: cannot be written: {error.strerror}")


# --- replay -------------------------------------------------------------------------------------------------------


def _show_replayed(found: Sequence[Replayed], as_json: bool) -> None:
    """What was confirmed, and exit."""
    if as_json:
        click.echo(json.dumps({"schema": SCHEMA, "attacks": [_replayed_data(one) for one in found]}, indent=1))
    for one in [] if as_json else found:
        verdict = "REFUTED  " if one.refutes else "CONFIRMED"
        where = f"{printable(one.theorem)}: K = {one.data['K']}, T = {one.data['T']}"
        click.echo(f"{verdict} {where}: ratio {float(enclosure(one.sides.ratio)[0]):.6f}")
    sys.exit(1 if any(one.refutes for one in found) else 0)


def _replayed_data(one: Replayed) -> dict[str, Any]:
    kept: dict[str, Any] = {name: one.data[name] for name in ("theorem", "K", "T", "D", "ratio")}
    return kept | {"verdict": "REFUTED" if one.refutes else "CONFIRMED"}
