"""The verb ``plot``: loss, gap map and surrogate gap of theorems."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gaptron.system.exits import fail, warn

if TYPE_CHECKING:
    from gaptron.plots import Plot
    from gaptron.theory.theorem import Theorem

EXIT_CODES = """\b
Exit codes:
  0  it is drawn
  2  usage or input error, or nothing in FILE can be drawn, or matplotlib is missing for an image
"""

PAGE = (".html", ".htm")
SLIDER = tuple(range(2, 13))
LINES = (2, 3, 5, 10)


@click.command(epilog=EXIT_CODES)
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
              help="Where to draw: .html, .svg, .png or .pdf  [default: FILE's name with .html, here]")  # fmt: skip
@click.option("--only", metavar="PATTERN", help="Draw the theorems whose name contains PATTERN (* and ? match).")
@click.option("--classes", metavar="K, K-K or a list", help="The numbers of classes  [default: 2-12, image: 2,3,5,10]")
@click.option("--margins", type=(float, float), default=(-1.5, 1.5), show_default=True, metavar="LOW HIGH",
              help="The margins to draw, or z.")  # fmt: skip
def plot(file: Path, out: Path | None, only: str | None, classes: str | None, margins: tuple[float, float]) -> None:
    """Draw loss, gap map and surrogate gap of the theorems in FILE over the margin (or the probability).

    An HTML page is offline, with K as a slider; an image has a line for each K, and needs matplotlib (the extra plot).
    Values are those of the learner's own round, in doubles: a drawing proves nothing. Drawing a FILE runs its Python.
    """
    from gaptron.plots.image import FORMATS

    target = out or Path(f"{file.stem}.html")
    if target.suffix not in (*PAGE, *FORMATS):
        fail(f"--out {target}: its ending must be one of {', '.join((*PAGE, *FORMATS))}")
    if target.suffix not in PAGE:
        _need_matplotlib(target)
    if not -1e6 < margins[0] < 0 < margins[1] < 1e6:
        fail(f"--margins {margins[0]} {margins[1]}: a number below 0 and one above 0 are needed")
    counts = _counts(classes) if classes else SLIDER if target.suffix in PAGE else LINES
    plots = _plots(_theorems(file, only), counts, margins)
    if not plots:
        fail(f"{file}: nothing to draw")
    _write(target, plots, file.name)
    click.echo(f"{target}: {len(plots)} drawn")


def _need_matplotlib(target: Path) -> None:
    """Said before anything is computed."""
    try:
        import matplotlib  # noqa: F401
    except ModuleNotFoundError as error:
        if error.name != "matplotlib":
            raise
        fail(f"{target}: an image needs matplotlib: pip install 'gaptron[plot]'; a .html page does not")


def _counts(text: str) -> Sequence[int]:
    from gaptron.commands.sharpen import class_counts

    return class_counts(text, fail)


def _theorems(file: Path, only: str | None) -> "list[Theorem]":
    """Those of the file, in claims too; what has no margin is named."""
    from fnmatch import fnmatch

    from gaptron.theory.files import FileError, load_every
    from gaptron.theory.theorem import Lemma, Theorem

    try:
        items = [item for item in load_every(file) if not isinstance(item, Lemma)]
    except FileError as error:
        fail(error)
    found = [item for item in items if only is None or fnmatch(item.name.lower(), f"*{only.lower()}*")]
    for item in found:
        if not isinstance(item, Theorem):
            warn(f"{file}:{item.line}: {item.name!r} is a structured theorem: it has no margin to draw it over")
    return [item for item in found if isinstance(item, Theorem)]


def _plots(theorems: "list[Theorem]", counts: Sequence[int], margins: tuple[float, float]) -> "list[Plot]":
    from gaptron.plots import plotted

    plots = []
    for theorem in theorems:
        try:
            plots.append(plotted(theorem, counts, margins))
        except ValueError as error:
            warn(error)
    for drawn in plots:
        for note in drawn.notes:
            warn(f"{drawn.theorem.name}: {note}")
    return plots


def _write(target: Path, plots: "list[Plot]", title: str) -> None:
    from gaptron.ledger.html.drawn import page
    from gaptron.plots.image import image
    from gaptron.system.atomic import write_atomically
    from gaptron.theory.files import FileError

    try:
        if target.suffix in PAGE:
            write_atomically(target, page(plots, title))
        else:
            image(plots, target)
    except FileError as error:
        fail(error)
    except OSError as error:
        fail(f"{target}: cannot be written: {error.strerror}")
