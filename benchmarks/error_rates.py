"""Online error rates of every learner on the bundled data, at the parameters of its theory.

    python benchmarks/error_rates.py [--streams NAMES] [--out FILE.md]

A cell is the expected share of rounds in which the learner is wrong, each predicted before it is learned from: exact
with full information, given the draws with bandit feedback (then the mean of three seeds). Rounds are in the order in
which their package stores them, the features as they are, X the largest norm, as of ``gaptron run NAME``.
"""

import argparse
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from gaptron.experiments.contenders import CONTENDERS, QUADRATIC, Contender, Setting
from gaptron.experiments.named_streams import named
from gaptron.learners import Gaptron
from gaptron.learners.learner import Learner
from gaptron.streams import Stream
from gaptron.system.atomic import write_atomically

STREAMS = ("digits", "wine", "iris", "image-segments", "flights-origin", "flights-carrier")
ROUNDS = 2500  # of each stream, at most
SEEDS = 3
LARGEST = 200  # K d, of the learners whose rounds cost its square
HEAD = """<!-- generated: python benchmarks/error_rates.py --out benchmarks/error_rates.md -->

# Online error rates on the bundled data

The expected share of wrong rounds, each predicted before it is learned from, at the parameters of each learner's
theory: exact with full information, given the draws with bandit feedback (the mean of three seeds). The rounds are
the first {rounds:,} in the order of their package, which for wine and iris is one class after the other, and the
features are as they come, X the largest norm. So `gaptron run NAME --learner LEARNER` runs them; `--loss LOSS
--update UPDATE` are Gaptron's. *proximal-logistic* is what `gaptron run` does when nothing is said, with bandit
feedback it is *gaptron-smooth-hinge-bandit*. A guess is wrong in the share (K - 1)/K. "-": a round would cost the
square of more than {largest} weights. Learners that need more than rounds (a cost of abstaining, a pool of
comparators, two classes) are left out, and so is the data that is not in a Python package.
"""


def _proximal(loss: str) -> Callable[[Setting, float | None, float, int], Learner]:
    def build(setting: Setting, exploration: float | None, scale: float, seed: int) -> Learner:
        X = setting.feature_norm
        return Gaptron(setting.n_classes, setting.n_features, loss=loss, update="proximal", feature_norm=X, seed=seed)

    return build


LEARNERS = dict(
    sorted(
        (CONTENDERS | {f"gaptron-{loss}, proximal": Contender("full", _proximal(loss.replace("-", " ")))
                       for loss in ("hinge", "smooth-hinge")}).items(),
        key=lambda one: one[1].feedback == "bandit",
    )
)  # fmt: skip


def error_rate(name: str, stream: Stream) -> float | None:
    """Of a learner on a stream; None if it is not run."""
    contender = LEARNERS[name]
    if name in QUADRATIC and stream.n_classes * stream.n_features > LARGEST:
        return None
    setting = Setting(stream.n_classes, stream.n_features, stream.feature_norm, stream.n_rounds)
    seeds = range(SEEDS if contender.feedback == "bandit" else 1)
    runs = [contender.build(setting, None, 1.0, seed).run(stream.X, stream.y) for seed in seeds]
    return float(np.mean([float(run.expected_mistakes) / stream.n_rounds for run in runs]))


def table(streams: Sequence[str]) -> str:
    """A row for each learner, a column for each stream."""
    opened = [named(name, ROUNDS) for name in streams]
    heads = [f"{stream.name}, K = {stream.n_classes}, T = {stream.n_rounds}" for stream in opened]
    rows = [["learner", "feedback", *heads], ["---"] * (len(streams) + 2)]
    for name, contender in LEARNERS.items():
        rates = [error_rate(name, stream) for stream in opened]
        rows.append([name, contender.feedback, *("-" if rate is None else f"{rate:.3f}" for rate in rates)])
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main() -> None:
    """Parse the arguments and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--streams", default=",".join(STREAMS), help="names, separated by commas")
    parser.add_argument("--out", type=Path, help="write the page here instead of printing it")
    arguments = parser.parse_args()
    page = f"{HEAD.format(rounds=ROUNDS, largest=LARGEST)}\n{table(arguments.streams.split(','))}\n"
    if arguments.out is None:
        print(page, end="")
    else:
        write_atomically(arguments.out, page)


if __name__ == "__main__":
    main()
