"""Plots of theorems as an image, by matplotlib: a row for each theorem, a line for each number of classes."""

from collections.abc import Callable, Sequence
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

from gaptron.plots.panels import ABOVE, Panel, Plot
from gaptron.system.drawing import FORMATS, saved, subplots
from gaptron.system.printable import printable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["FORMATS", "drawing", "image"]

STYLES = ("-", "--", "-.", ":")
PANELS = 3
TITLE = 60  # characters of a line above a panel


def drawing(
    plots: Sequence[Plot], places: Sequence[int] = range(PANELS), made: Callable[..., "Figure"] | None = None
) -> "Figure":
    """The panels in these places; ``made`` as of ``gaptron.system.drawing.subplots``.

    Raises
    ------
    ModuleNotFoundError
        If matplotlib is not installed.
    """
    found: Figure
    found, axes = subplots(len(plots), len(places), made)
    for row, plot in zip(axes, plots, strict=True):
        first = next(iter(plot.panels.values()))
        for place, axis in zip(places, row, strict=True):
            if place < len(first):
                _draw(axis, plot, place)
            else:
                axis.set_axis_off()
        row[0].set_title(printable("; ".join([plot.theorem.name, *plot.notes])).replace("$", r"\$"), loc="left")
    found.tight_layout()
    return found


def image(plots: Sequence[Plot], file: Path, places: Sequence[int] = range(PANELS)) -> None:
    """Write them to ``file``, in the format of its ending."""
    saved(drawing(plots, places), file)


def _draw(axis, plot: Plot, place: int) -> None:  # type: ignore[no-untyped-def]
    """One panel, of every number of classes."""
    for number, (n_classes, panels) in enumerate(plot.panels.items()):
        panel = panels[place]
        for line, (name, values) in enumerate(panel.lines.items()):
            size = f"{plot.size} = {n_classes}"
            label = size if len(panel.lines) == 1 else f"{name}, {size}"
            axis.plot(panel.x, values, STYLES[line % len(STYLES)], color=f"C{number % 10}", label=label)
            if panel.must_not_be_positive:
                axis.fill_between(panel.x, 0, values, where=values > ABOVE, color="red", alpha=0.2, lw=0)
    if panel.must_not_be_positive:
        _mark(axis, [panels[place] for panels in plot.panels.values()])
    axis.axhline(0, color="0.5", linewidth=0.8)
    axis.set_xlabel(panel.x_label)
    axis.set_ylabel(panel.y_label)
    low, high = plot.range(place)
    axis.set_ylim(low, high)
    axis.legend(fontsize="small", frameon=False)
    axis.grid(alpha=0.3)


def _mark(axis, panels: Sequence[Panel]) -> None:  # type: ignore[no-untyped-def]
    """Where it is highest, if that is above 0, and the exact round there."""
    worst = max(panels, key=lambda panel: panel.worst[1])
    where, most = worst.worst
    if most > ABOVE:
        axis.plot([where], [most], "o", color="red", clip_on=False)
        said = fill(worst.witness or f"{most:.4g} at {where:.4g}", TITLE)
        axis.set_title(said, color="red", fontsize="small")
