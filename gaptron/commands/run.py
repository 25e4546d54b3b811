"""The verb ``run``: a learner on a stream; its mistakes beside the bound, if it is one of those proved here."""

import json
from pathlib import Path
from typing import Any

import click

from gaptron.experiments.names import LEARNERS, LOSSES
from gaptron.system.exits import refusing
from gaptron.system.interrupts import code_for
from gaptron.system.options import COUNT, FILE, JSON, POSITIVE

EXIT_CODES = """\b
Exit codes:
  0    the stream was run
  2    usage or input error
  130, 143  interrupted
"""


@click.command(epilog=EXIT_CODES)
@click.argument("data", required=False)
@click.option("--learner", type=click.Choice(LEARNERS), help="The algorithm.  [proximal-logistic, the best that is "
              "proved here; gaptron if one of Gaptron's options is given, --feedback bandit say]")  # fmt: skip
@click.option("--loss", callback=lambda _, option, value: _checked_loss(value), default="smooth hinge",
              show_default=True, metavar="LOSS", help="Gaptron's surrogate loss: logistic, hinge, smooth-hinge, or the "
              "theorem of a file, FILE.py or FILE.py:NAME, whose Python is run.")  # fmt: skip
@click.option("--feedback", type=click.Choice(["full", "bandit"]), default="full", show_default=True,
              help="Whether Gaptron sees the label, or only whether it was right.")  # fmt: skip
@click.option("--decoder", type=click.Choice(["gap-map", "best"]),
              callback=lambda _, option, value: value and value.replace("-", " "), help="How Gaptron predicts: the top "
              "label, or a uniform one as often as the gap map says; or every label as often as its loss and gradient "
              "ask for, else the top label.  [the theorem's, gap-map for a loss with a name]")  # fmt: skip
@click.option(
    "--update",
    type=click.Choice(["gradient", "proximal"]),
    help="How Gaptron learns: by gradient steps, or by "
    "proximal ones with the constant that no algorithm beats.  [the theorem's, gradient for a loss with a name]",
)
@click.option("--delay", type=click.IntRange(min=0), default=0, show_default=True, metavar="ROUNDS",
              help="How late labels arrive, with full information: so many copies of Gaptron and one more take turns, "
              "and the bound has so many times ||U||^2/(2 eta) and one more.")  # fmt: skip
@click.option("--learning-rate", type=float, help="Gaptron's eta as used in the step.  [the theorem's]")
@click.option("--exploration", type=float, help="The exploration rate gamma.  [the theory's]")
@click.option("--radius", type=float, help="Gaptron's D: weights and comparator have norm <= D.  [none; 1/X for bandit "
              "feedback]")  # fmt: skip
@click.option("--label-column", metavar="NAME|INDEX", help="The label's column in CSV and TSV files, from 0; a NAME "
              "says that there is a header.  [last]")  # fmt: skip
@click.option("--rounds", type=COUNT, help="Only the first rounds.  [all; 20000 of a synthetic stream]")
@click.option("--chunk", type=COUNT, metavar="ROUNDS",
              help="Read the stream ROUNDS at a time, in constant memory; no comparator is searched for.")  # fmt: skip
@click.option("--bias/--no-bias", default=False, show_default=True, help="Append a constant feature 1.")
@click.option("--feature-norm", type=POSITIVE, help="X: no feature vector may be "
              "longer.  [the largest norm in the data]")  # fmt: skip
@click.option("--rescale", is_flag=True, help="Divide the features of DATA by their largest norm: X = 1 before --bias.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Where the draws come from.")
@click.option("--seeds", type=COUNT, default=1, show_default=True,
              help="How many runs, with the seeds from --seed on, several at a time.")  # fmt: skip
@JSON
@click.option("--csv", "csv_file", type=FILE, metavar="FILE",
              help="Write the error rate over rounds, for every seed.")  # fmt: skip
@click.option("--plot", "plot_file", type=FILE, metavar="FILE",
              help="Draw the error rate over rounds: .svg, .png or .pdf.")  # fmt: skip
@click.pass_context
def run(ctx: click.Context, /, data: str | None, as_json: bool, **options: Any) -> None:
    """Run a learner on DATA; for proximal-logistic and gaptron, report the mistakes beside the bound of the theorem.

    DATA is a .csv or .tsv file (the label in the last column; a first row without numbers is a header), a LibSVM file
    (.libsvm, .svm, .svmlight, .txt), a .npz file with arrays X and y, a .npy file whose last column is the label, a
    synthetic stream (synsep, synnonsep), or real data by its name: digits (the default), wine, iris and others that
    packages bring. For a structured theorem (--loss FILE.py) it is a .npz file with arrays X and Y, multilabel, yeast,
    or diabetes-grades.

    X is the largest norm of a feature vector in the data. The bound is the sum of the losses of the best comparator U
    found in hindsight plus ||U||^2/(2 eta), and gamma T (K - 1)/K if there is exploration. With full information the
    expected mistakes are exact, since the weights do not depend on the draws; with bandit feedback they are
    conditional on this run's draws, and the bound holds in expectation over them. Other learners run at the
    parameters of their theory; with several seeds, the mean error rate has a 95 % confidence interval.
    """
    refuse = refusing(as_json)
    if data is not None and Path(data).suffix and not Path(data).exists():  # before anything heavy is imported
        refuse(f"{data}: does not exist")
    from gaptron.experiments.runs import REFUSALS, ran

    given = [name for name in options if ctx.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE]
    try:
        document, text = ran(data, options, given)
    except REFUSALS as error:
        refuse(" ".join(str(error).split()))
    except KeyboardInterrupt as interrupt:
        refuse("interrupted", code_for(interrupt))
    click.echo(json.dumps(document, indent=1, allow_nan=False) if as_json else text)


def _checked_loss(value: str) -> str:
    names = (*LOSSES, "smooth hinge")
    if value in names:
        return value.replace("-", " ")
    if ".py" not in value:
        raise click.BadParameter(f"{value!r} is not one of {', '.join(LOSSES)}, FILE.py, FILE.py:NAME")
    return value
