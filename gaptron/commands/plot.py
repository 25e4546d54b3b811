"""The verb ``plot``: loss, gap map and surrogate gap of theorems."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from gaptron.system.exits import fail, writing
from gaptron.system.extras import MissingExtraError, needing
from gaptron.system.options import FILE, PATH

if TYPE_CHECKING:
    from gaptron.plots import Plot

EXIT_CODES = """\b
Exit codes:
  0  it is drawn
  2  usage or input error, or nothing in FILE can be drawn, or matplotlib is missing for an image
"""

PAGE = (".html", ".htm")
SLIDER = tuple(range(2, 13))
LINES = (2, 3, 5, 10)


@click.command(epilog=EXIT_CODES)
@click.argument("file", type=PATH)
@click.option("--out", type=FILE, metavar="FILE",
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
    counts = _counts(classes) if classes else SLIDER if target.suffix in PAGE else LINES
    from gaptron.answers.plotting import drawable, plots
    from gaptron.theory.files import FileError, load_every

    try:
        items = load_every(file)
    except FileError as error:
        fail(error)
    try:
        drawn = plots(drawable(items, only), counts, margins)
    except FileError as error:
        fail(f"{file}: {error}")
    _write(target, drawn, file.name)
    click.echo(f"{target}: {len(drawn)} drawn")


def _need_matplotlib(target: Path) -> None:
    """Said before anything is computed."""
    try:
        with needing(f"{target}: an image"):
            import matplotlib  # noqa: F401
    except MissingExtraError as error:
        fail(f"{error}; a .html page does not")


def _counts(text: str) -> Sequence[int]:
    from gaptron.answers.sharpening import class_counts

    try:
        return class_counts(text)
    except ValueError as error:
        fail(f"--classes {text}: {error}")


def _write(target: Path, plots: "list[Plot]", title: str) -> None:
    from gaptron.ledger.html.drawn import page
    from gaptron.plots.image import image
    from gaptron.system.atomic import write_atomically
    from gaptron.theory.files import FileError

    try:
        with writing(target):
            if target.suffix in PAGE:
                write_atomically(target, page(plots, title))
            else:
                image(plots, target)
    except FileError as error:
        fail(error)
