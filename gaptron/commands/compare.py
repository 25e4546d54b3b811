"""``gaptron compare``: every learner on many streams, at the theory's parameters and at tuned ones."""

from collections.abc import Callable, Sequence
from pathlib import Path

import click

from gaptron.experiments.comparison import compared
from gaptron.experiments.contenders import CONTENDERS, LINEAR
from gaptron.experiments.named_streams import ALL
from gaptron.streams import StreamError
from gaptron.system.exits import fail
from gaptron.system.interrupts import code_for
from gaptron.system.options import CLUSTER, COUNT, FOLDER, WORKERS, require_cluster
from gaptron.system.progress import progress

STREAMS = ("synsep", "synnonsep", "digits", "image-segments")
EXPLORATIONS = (0.003, 0.01, 0.03, 0.1, 0.3)
EXIT_CODES = """\b
Exit codes:
  0    everything was run
  2    usage or input error
  130, 143  interrupted; the same command goes on where it stopped
"""


def _names(allowed: Sequence[str]) -> Callable[[click.Context, click.Parameter, str], tuple[str, ...]]:
    """The reader of an option: names out of ``allowed``, separated by commas."""

    def read(ctx: click.Context, option: click.Parameter, value: str | None) -> tuple[str, ...]:
        names = () if value is None else tuple(dict.fromkeys(value.split(",")))
        for name in names:
            if name not in allowed:
                raise click.BadParameter(f"{name!r} is not one of {', '.join(allowed)}", ctx, option)
        return names

    return read


def _rates(ctx: click.Context, option: click.Parameter, value: str) -> tuple[float, ...]:
    """Numbers in (0, 1], separated by commas."""
    try:
        rates = sorted({float(part) for part in value.split(",")})
    except ValueError as error:
        raise click.BadParameter(f"{value!r} is not a list of numbers separated by commas", ctx, option) from error
    for rate in rates:
        if not 0 < rate <= 1:
            raise click.BadParameter(f"{rate!r} is not in (0, 1]", ctx, option)
    return tuple(rates)


@click.command(epilog=EXIT_CODES)
@click.argument("data", nargs=-1)
@click.option("--streams", callback=_names(ALL), metavar="NAMES", help="Streams by name, separated by commas; "
              f"besides DATA.  [{','.join(STREAMS)} if there is no DATA]")  # fmt: skip
@click.option("--label-column", metavar="NAME|INDEX", help="As of gaptron run, in all CSV and TSV files of DATA.")
@click.option("--learners", callback=_names(tuple(CONTENDERS)), metavar="NAMES", default=",".join(LINEAR),
              show_default=True, help="The learners, separated by commas.")  # fmt: skip
@click.option("--rounds", type=COUNT, default=10_000, show_default=True,
              help="Rounds of each stream; shorter real data is run whole.")  # fmt: skip
@click.option("--seeds", type=COUNT, default=3, show_default=True, help="Runs of each setting.")
@click.option("--explorations", callback=_rates, metavar="NUMBERS", default=",".join(map(str, EXPLORATIONS)),
              show_default=True, help="The exploration rates to try beside the theory's.")  # fmt: skip
@click.option("--out", type=FOLDER, default=Path("comparison"), show_default=True,
              help="The folder for results.jsonl, summary.md and figure.svg.")  # fmt: skip
@WORKERS
@CLUSTER
def compare(data: tuple[str, ...], streams: tuple[str, ...], label_column: str | None, learners: tuple[str, ...],
            rounds: int, seeds: int, explorations: tuple[float, ...], out: Path, workers: int,
            cluster: str | None) -> None:  # fmt: skip
    """Compare learners on DATA: error against the exploration rate, and against rounds.

    DATA are files, or streams by name, as gaptron run reads them. proximal-logistic is the best that is proved here.

    This is Figure 2 of Beygelzimer, Orabona, Zhang 2017 with Gaptron's variants added. Every learner is run at the
    parameters of its theory, and at every exploration rate and multiple of its learning rate that is tried; "tuned" is
    the setting with the least mean error in hindsight, as in that figure. Every finished run is kept in
    OUT/results.jsonl: an interrupted comparison goes on where it stopped, and the same command repeats nothing.
    What the workers of a cluster measured is believed, as there is no proof of it.
    """
    require_cluster(cluster)
    wanted = tuple(dict.fromkeys((*data, *streams))) or STREAMS
    try:
        with progress("runs") as shown:
            summary = compared(
                wanted, learners, out, shown, label_column=label_column, rounds=rounds, seeds=seeds,
                explorations=explorations, workers=workers, cluster=cluster,
            )  # fmt: skip
    except (StreamError, OSError) as error:
        fail(" ".join(str(error).split()))
    except KeyboardInterrupt as interrupt:
        fail("interrupted; the same command goes on where it stopped", code_for(interrupt))
    click.echo(summary)
