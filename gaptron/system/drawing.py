"""Drawings: their axes, and how they are saved; matplotlib is imported by those who draw alone."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gaptron.system.extras import needing

if TYPE_CHECKING:
    from matplotlib.figure import Figure

COLUMN, ROW = 4.6, 3.4
FORMATS = (".svg", ".png", ".pdf")


def subplots(rows: int, columns: int, made: Callable[..., "Figure"] | None = None) -> Any:
    """A drawing and its axes, an array of shape (rows, columns); of no window or notebook unless ``made`` is pyplot's.

    Raises
    ------
    MissingExtraError
        If matplotlib is not installed.
    """
    with needing("a figure"):
        from matplotlib.figure import Figure as Drawing

    drawing = (made or Drawing)(figsize=(COLUMN * columns, ROW * rows))
    return drawing, drawing.subplots(rows, columns, squeeze=False)


def saved(drawing: Any, file: Path) -> None:
    """Write the whole drawing into ``file``, the same bytes for the same drawing."""
    import matplotlib

    with matplotlib.rc_context({"svg.hashsalt": "gaptron"}):
        metadata = {"Date": None} if file.suffix == ".svg" else None
        drawing.savefig(file, dpi=150, metadata=metadata, bbox_inches="tight")
