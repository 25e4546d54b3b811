"""Figure 2 of Beygelzimer, Orabona, Zhang 2017: error against exploration, and against rounds, a column a stream."""

from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from typing import Any

from gaptron.experiments.summary import Entry, Sweep
from gaptron.system.drawing import saved, subplots
from gaptron.system.printable import printable

COLOURS = (*(f"C{number}" for number in range(10)), "black", "gold", "teal", "navy", "tan")


def figure(streams: Sequence[str], sweeps: Sequence[Sweep], lines: Sequence[Entry], file: Path) -> None:
    """Draw the sweeps over the exploration rate (top row) and the error rates over rounds (bottom row) into ``file``.

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
