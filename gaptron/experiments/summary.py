"""What a comparison found: the best parameters of every learner, its curves, a table, and a figure."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

import numpy as np

from gaptron.experiments.curves import Mean, mean
from gaptron.experiments.jobs import Result
from gaptron.system.drawing import saved, subplots
from gaptron.system.printable import printable

COLOURS = (*(f"C{number}" for number in range(10)), "black", "gold", "teal", "navy", "tan")


@dataclass(frozen=True)
class Entry:
    """A learner on a stream at given parameters, over all its seeds; ``theory`` if they are the theory's."""

    stream: str
    learner: str
    exploration: float | None
    scale: float
    theory: bool
    error: Mean
    results: tuple[Result, ...]

    @property
    def points(self) -> list[int]:
        """Numbers of rounds."""
        return self.results[0].points

    @property
    def errors(self) -> list[float]:
        """The mean error rate over so many first rounds."""
        return [float(rate) for rate in np.mean([result.errors for result in self.results], axis=0)]


@dataclass(frozen=True)
class Sweep:
    """The mean error rate of a learner for each exploration rate, at its best learning rate there."""

    stream: str
    learner: str
    explorations: list[float]
    errors: list[float]


def entries(results: Iterable[Result]) -> list[Entry]:
    """The results, one entry for each stream, learner and parameters."""
    groups: dict[tuple[str, str, float | None, float], list[Result]] = defaultdict(list)
    for result in results:
        job = result.job
        groups[job.stream, job.learner, job.exploration, job.scale].append(result)
    return [
        Entry(
            stream=stream,
            learner=learner,
            exploration=group[0].exploration,
            scale=scale,
            theory=exploration is None and scale == 1,
            error=mean([result.error for result in group]),
            results=tuple(group),
        )
        for (stream, learner, exploration, scale), group in groups.items()
    ]


def best(found: Sequence[Entry]) -> list[Entry]:
    """For each stream and learner: the entry at the theory's parameters, and the one with the least error."""
    chosen: list[Entry] = []
    for key in dict.fromkeys((entry.stream, entry.learner) for entry in found):
        own = [entry for entry in found if (entry.stream, entry.learner) == key]
        chosen += [entry for entry in own if entry.theory]
        tuned = min(own, key=lambda entry: entry.error.mean)
        if not tuned.theory:
            chosen.append(tuned)
    return chosen


def sweeps(found: Sequence[Entry]) -> list[Sweep]:
    """The error rate against the exploration rate; learners that do not explore have none."""
    drawn = []
    for key in dict.fromkeys((entry.stream, entry.learner) for entry in found):
        errors: dict[float, float] = {}
        for entry in found:
            if (entry.stream, entry.learner) == key and entry.exploration and not entry.theory:
                errors[entry.exploration] = min(entry.error.mean, errors.get(entry.exploration, 1.0))
        if errors:
            drawn.append(Sweep(*key, sorted(errors), [errors[gamma] for gamma in sorted(errors)]))
    return drawn


def table(chosen: Sequence[Entry]) -> str:
    """A Markdown table of the chosen entries."""
    head = ["| stream | learner | parameters | gamma | learning rate | error rate (95 % interval) | us per round |"]
    head.append("|---|---|---|---|---|---|---|")
    return "\n".join([*head, *map(_row, chosen)])


def _row(entry: Entry) -> str:
    microseconds = np.median([result.seconds / result.points[-1] for result in entry.results]) * 1e6
    rate = "theory" if entry.scale == 1 else f"{entry.scale:g} x theory"
    cells = [
        printable(entry.stream).replace("|", "\\|"),
        entry.learner,
        "theory" if entry.theory else "tuned",
        "adaptive" if entry.exploration is None else f"{entry.exploration:.3g}",
        rate,
        str(entry.error),
        f"{microseconds:.0f}",
    ]
    return f"| {' | '.join(cells)} |"


# --- a figure -----------------------------------------------------------------------------------------------------


def figure(streams: Sequence[str], sweeps: Sequence[Sweep], lines: Sequence[Entry], file: Path) -> None:
    """Draw the sweeps over the exploration rate (top row) and the error rates over rounds (bottom row) into ``file``.

    A column a stream, as in Figure 2 of Beygelzimer, Orabona, Zhang 2017.

    Raises
    ------
    ModuleNotFoundError
        If matplotlib is not installed.
    """
    drawing, axes = subplots(2, len(streams))
    colours = dict(zip(dict.fromkeys(line.learner for line in lines), cycle(COLOURS), strict=False))
    for column, stream in enumerate(streams):
        _sweeps(axes[0][column], [sweep for sweep in sweeps if sweep.stream == stream], colours)
        _lines(axes[1][column], [line for line in lines if line.stream == stream], colours)
        axes[0][column].set_title(printable(stream).replace("$", r"\$"))
    axes[0][0].set_ylabel("error rate")
    axes[1][0].set_ylabel("error rate so far")
    handles, labels = axes[1][0].get_legend_handles_labels()
    drawing.legend(handles, labels, loc="lower center", ncols=4, fontsize="small", frameon=False)
    drawing.tight_layout(rect=(0, 0.02 + 0.035 * -(-len(labels) // 4), 1, 1))
    saved(drawing, file)


def _sweeps(axis: Any, sweeps: Sequence[Sweep], colours: dict[str, str]) -> None:
    for sweep in sweeps:
        axis.plot(sweep.explorations, sweep.errors, marker="o", markersize=3, color=colours[sweep.learner])
    axis.set_xscale("log")
    axis.set_xlabel("exploration rate γ")
    axis.set_ylim(0, 1)
    axis.grid(alpha=0.3)


def _lines(axis: Any, lines: Sequence[Entry], colours: dict[str, str]) -> None:
    for line in lines:
        style = "--" if line.theory else "-"
        label = f"{line.learner}, {'theory' if line.theory else 'tuned'}"
        axis.plot(line.points, line.errors, style, color=colours[line.learner], label=label)
    axis.set_xscale("log")
    axis.set_yscale("log")
    axis.set_xlabel("rounds")
    axis.grid(alpha=0.3, which="both")
