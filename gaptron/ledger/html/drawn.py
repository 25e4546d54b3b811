"""Plots of theorems as SVG with K as a slider: one offline page of them, or figures for the report."""

import json
from collections.abc import Sequence
from itertools import islice, pairwise
from math import ceil, floor, log10

import numpy as np
from markupsafe import Markup
from numpy.typing import NDArray

from gaptron.ledger.html.mathml import statement
from gaptron.ledger.templates import offline, part, text_of
from gaptron.plots.panels import ABOVE, Panel, Plot
from gaptron.system.printable import printable

WIDTH, HEIGHT = 330, 250  # of a panel
LEFT, RIGHT, TOP, BOTTOM = 48, 10, 12, 40  # its margins
TICKS = 5
STRAIGHT = 0.05  # pixels
AT_MOST = "at most 0 where it is drawn, which proves nothing"


def page(plots: Sequence[Plot], title: str) -> str:
    """One offline HTML page; the same plots give the same bytes."""
    shown = [
        {"name": one.theorem.name, "source": one.theorem.source or "", "parts": statement(one.theorem),
         "figure": figure(one)} for one in plots
    ]  # fmt: skip
    return offline("drawn.html.j2", {}, text_of("drawn.js"), title=title, plots=shown)


def figure(plot: Plot) -> Markup:
    """Its panels for the first K, what the others change, and the slider."""
    counts = list(plot.panels)
    places = range(len(plot.panels[counts[0]]))
    frames = [_Frame(plot, place) for place in places]
    lines = [
        [frame.path(plot.panels[n][place].x, plot.panels[n][place].lines[name]) for n in counts]
        for place, frame in zip(places, frames, strict=True)
        for name in frame.panel.lines
    ]
    says = [_says(plot.panels[n], f"{plot.size} = {n}") for n in counts]
    paths = enumerate(lines)
    drawings = [(frame, [(n, line[0]) for n, line in islice(paths, len(frame.panel.lines))]) for frame in frames]
    data = json.dumps({"size": plot.size, "sizes": counts, "lines": lines, "says": says}, separators=(",", ":"))
    caption = printable("; ".join([", ".join(frame.panel.title for frame in frames), *plot.notes]))
    return part(
        "figure.html.j2", {}, data=data, caption=caption, counts=counts, size=plot.size, says=says[0],
        drawings=drawings, whole=(WIDTH, HEIGHT), left=LEFT, top=TOP,
    )  # fmt: skip


def _says(panels: Sequence[Panel], size: str) -> str:
    """Where the last panel is largest, if it is one that must not be positive."""
    panel = panels[-1]
    if not panel.must_not_be_positive:
        return size
    at, most = panel.worst
    exact = f": {panel.witness}" if panel.witness else ""
    verdict = f"above 0, the inequality fails{exact}" if most > ABOVE else AT_MOST
    return f"{size}: largest {_number(most)}, at {at:.3f}: {verdict}"


def _number(value: float) -> str:
    return "0" if abs(value) <= ABOVE else f"{value:.6g}"


class _Frame:
    """The axes of a panel, the same for all K."""

    def __init__(self, plot: Plot, place: int) -> None:
        every = [panels[place] for panels in plot.panels.values()]
        self.panel, self.y = every[0], plot.range(place)
        self.x = min(float(panel.x[0]) for panel in every), max(float(panel.x[-1]) for panel in every)
        self.width, self.height = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def across(self, value: float) -> float:
        """Pixels from the left of the axes."""
        return self.width * (value - self.x[0]) / (self.x[1] - self.x[0])

    def down(self, value: float) -> float:
        """Pixels from the top of the axes."""
        return self.height * (self.y[1] - value) / (self.y[1] - self.y[0])

    def path(self, x: NDArray[np.float64], values: NDArray[np.float64]) -> str:
        """The line through these points, broken where there is no value; points on a straight line are left out."""
        runs: list[list[tuple[float, float]]] = [[]]
        for at, value in zip(x.tolist(), values.tolist(), strict=True):
            if np.isfinite(value):
                runs[-1].append((self.across(at), self.down(value)))
            elif runs[-1]:
                runs.append([])
        return "".join("M" + "L".join(f"{a:.1f},{b:.1f}" for a, b in _thinned(run)) for run in runs if run)

    @property
    def ticks(self) -> list[tuple[float, float, str, str]]:
        """The numbers at the axes: place, anchor and text."""
        across = [(LEFT + self.across(v), TOP + self.height + 16, "middle", f"{v:g}") for v in _round_numbers(*self.x)]
        return across + [(LEFT - 5, TOP + self.down(v) + 4, "end", f"{v:g}") for v in _round_numbers(*self.y)]


def _thinned(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Without those that are on the line from the last one kept to the next one."""
    kept = points[:1]
    for here, after in pairwise(points[1:]):
        (a, b), (x, y), (c, d) = kept[-1], here, after
        if abs((x - a) * (d - b) - (y - b) * (c - a)) > STRAIGHT * max(abs(c - a), abs(d - b)):
            kept.append(here)
    return [*kept, *points[len(points) - 1 :]] if len(points) > 1 else kept


def _round_numbers(low: float, high: float) -> list[float]:
    """About ``TICKS`` multiples of 1, 2 or 5 times a power of ten."""
    rough = (high - low) / TICKS
    power = 10.0 ** floor(log10(rough))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= rough)
    return [number * step for number in range(ceil(low / step), floor(high / step) + 1)]
