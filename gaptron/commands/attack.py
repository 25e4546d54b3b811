"""``gaptron attack``: the stream that comes closest to a theorem's bound, or breaks it, verified exactly."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path

import click

from gaptron.adversary.attack_json import SCHEMA, WitnessError
from gaptron.adversary.attacked import Replayed, document, line, replay, summary
from gaptron.adversary.choice import attackable, theorems
from gaptron.adversary.evolution import Effort
from gaptron.adversary.target import TargetError
from gaptron.answers.attacking import BANDIT_ROUNDS, IN_ALL, ROUNDS, Attacks, Setting, attacked, settings
from gaptron.numbers.evaluate import enclosure
from gaptron.rounds.step import LearningRateError
from gaptron.system.atomic import write_atomically
from gaptron.system.exits import refusing, warn, writing
from gaptron.system.interrupts import code_for
from gaptron.system.options import FILE, POSITIVE, WORKERS, require_cluster
from gaptron.system.printable import printable
from gaptron.system.progress import progress
from gaptron.theory.files import FileError

REPLAY_SECONDS = 600.0
EXIT_CODES = """\b
Exit codes:
  0  --replay: every witness is what its file says, and none breaks its bound
  1  a bound is broken: the theorem is REFUTED
  2  usage or input error, or a witness that is not what its file says
  3  no stream found breaks a bound, which proves nothing: UNDECIDED
  130, 143  interrupted: the streams that were verified until then are said
"""


@click.command(epilog=EXIT_CODES)
@click.argument("theorem", required=False, metavar="[FILE|THEOREM]")
@click.option("--only", metavar="PATTERN", help="Of FILE, the theorems whose name contains PATTERN.")
@click.option("--classes", type=click.IntRange(2, 1000), multiple=True,
              help="K, or the size of a structured theorem's outputs; may be given more than once.")  # fmt: skip
@click.option("--rounds", type=click.IntRange(1, 100_000), multiple=True, help="T, at most that many with full "
              "information; may be given more than once "
              f"[default: {ROUNDS}, with bandit feedback {BANDIT_ROUNDS}].")  # fmt: skip
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Of the search.")
@click.option("--generations", type=click.IntRange(min=0), default=30, show_default=True, help="Of the search, for "
              "every family of streams: with the same seed and generations it is the same search, with any number of "
              "workers.")  # fmt: skip
@click.option("--seconds", type=POSITIVE, help="For the whole attack, about: what cuts the search short, so that what "
              "is found depends on the machine. With --replay the limit for each witness.  "
              f"[default: {IN_ALL:g}, {REPLAY_SECONDS:g} with --replay]")  # fmt: skip
@WORKERS
@click.option("--cluster", metavar="ADDRESS", help="Ask the workers of a dask cluster for streams first; how good they "
              "are is computed here, exactly.")  # fmt: skip
@click.option("--save", type=FILE, metavar="FILE", help="Write the witnesses.")
@click.option("--replay", "witnesses", type=FILE, metavar="FILE",
              help="Compute the witnesses of a saved FILE again, instead of searching.")  # fmt: skip
@click.option("--json", "as_json", is_flag=True, help="Print the witnesses as one JSON document on stdout.")
def attack(
    theorem: str | None, only: str | None, classes: tuple[int, ...], rounds: tuple[int, ...], seed: int,
    generations: int, seconds: float | None, workers: int, cluster: str | None, save: Path | None,
    witnesses: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Search for the stream that comes closest to the bound of a theorem, or breaks it.

    The tightness ratio of a stream is (expected mistakes - loss of U)/regret, at the strongest comparator U that is
    found; above 1 it refutes the theorem. Streams of several families are searched for in doubles; the best are
    rounded to fractions, and both sides of the bound are computed exactly (in balls where roots, logarithms or
    bandit feedback need them). Of a structured theorem the ratio is (expected target - coefficient * loss of U)/regret,
    on independent outputs, where it is the same for every algorithm. THEOREM is a part of the name of a shipped
    theorem; a FILE's Python is run.
    """
    refuse = refusing(as_json, attacks=[])
    require_cluster(cluster, refuse)
    try:
        given = theorems(theorem, only, replaying=witnesses is not None)
        if witnesses is not None:
            _show_replayed(list(replay(witnesses, given, seconds or REPLAY_SECONDS)), as_json)
        wanted = list(settings(attackable(given), classes, rounds))
        _attack(wanted, Effort(seed, generations, workers), seconds or IN_ALL, cluster, save, as_json)
    except (FileError, TargetError, WitnessError, LearningRateError) as error:
        refuse(error)


# --- search -------------------------------------------------------------------------------------------------------


def _attack(
    wanted: Sequence[Setting], effort: Effort, seconds: float, cluster: str | None, save: Path | None, as_json: bool
) -> None:
    """Search, show, save, and exit. What is found is said when its bar is gone from the line."""
    attacks = Attacks()
    with progress("attack") as shown:
        for one in attacked(wanted, effort, shown, attacks, seconds=seconds, cluster=cluster):
            if not as_json:
                shown.print(line(one))
    for sentence in attacks.open:
        warn(sentence)
    if attacks.cut:
        warn(f"the search was cut short to end in about {seconds:g} s: --seconds allows more")
    code = 1 if attacks.refuted else 3
    if attacks.interrupt is not None:
        code = code_for(attacks.interrupt)
        warn(f"interrupted: {len(attacks.found)} of {len(wanted)} are attacked, and what was found is verified")
    text = document(attacks.found)
    if save is not None:
        with writing(save):
            write_atomically(save, text + "\n")
    click.echo(text if as_json else summary(attacks.found))
    sys.exit(code)


# --- replay -------------------------------------------------------------------------------------------------------


def _show_replayed(found: Sequence[Replayed], as_json: bool) -> None:
    """What was confirmed, and exit."""
    if as_json:
        kept = ("theorem", "K", "T", "D", "ratio")
        attacks = [{name: one.data[name] for name in kept} | {"verdict": _verdict(one)} for one in found]
        click.echo(json.dumps({"schema": SCHEMA, "attacks": attacks}, indent=1))
    for one in [] if as_json else found:
        where = f"{printable(one.theorem)}: K = {one.data['K']}, T = {one.data['T']}"
        click.echo(f"{_verdict(one):9} {where}: ratio {float(enclosure(one.sides.ratio)[0]):.6f}")
    sys.exit(1 if any(one.refutes for one in found) else 0)


def _verdict(one: Replayed) -> str:
    return "REFUTED" if one.refutes else "CONFIRMED"
