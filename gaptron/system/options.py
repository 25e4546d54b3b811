"""Options that several verbs have."""

import math
import os
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import click

from gaptron.system.cluster import why_unusable
from gaptron.system.deadline import CLAIM_SECONDS
from gaptron.system.exits import fail


class FiniteRange(click.FloatRange):
    """A number in a range; nan, which is in every one, and the infinities are refused."""

    def convert(self, value: float, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number."""
        number = float(super().convert(value, param, ctx))
        if not math.isfinite(number):
            self.fail(f"{value} is not a finite number.", param, ctx)
        return number


LIMIT = (
    "Seconds of a processor to search for a proof of each claim: more by the clock where a machine does other work. An "
    "obligation of n claims is ended after (4 + n) times that by the clock, loading and deriving after a minute each. "
    "A timeout is UNDECIDED, never a verdict."
)
POSITIVE = FiniteRange(min=0, min_open=True)
COUNT = click.IntRange(1, 10**9)
PATH, FILE = click.Path(path_type=Path), click.Path(path_type=Path, dir_okay=False)
FOLDER = click.Path(path_type=Path, file_okay=False)
JSON = click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout and nothing else.")
NO_CACHE = click.option("--no-cache", is_flag=True, help="Search every proof again, and keep none.")
TIMEOUT = click.option(
    "--timeout", type=POSITIVE, default=CLAIM_SECONDS, show_default=True, metavar="SECONDS", help=LIMIT
)


WORKERS = click.option("--workers", type=click.IntRange(min=1), metavar="N",
                       callback=lambda _, option, value: value or os.cpu_count() or 1,
                       help="Processes on this machine [default: the number of processors].")  # fmt: skip
CLUSTER = click.option("--cluster", metavar="ADDRESS",
                       help="Ask the workers of a dask cluster for proofs first; the kernel replays here what they "
                       "send.")  # fmt: skip


def require_cluster(address: str | None, refuse: Callable[..., NoReturn] = fail) -> None:
    """End with one sentence if a cluster is to be asked that cannot be."""
    why = None if address is None else why_unusable(address)
    if why is not None:
        refuse(f"--cluster {address}: {why}")
