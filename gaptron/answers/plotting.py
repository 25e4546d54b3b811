"""``plot``: loss, gap map and surrogate gap of theorems, as numbers and as a figure."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gaptron.plots import Plot, plotted, plotted_structured
from gaptron.system.exits import warn
from gaptron.system.extras import MissingExtraError, needing
from gaptron.system.near import known, matches
from gaptron.system.progress import in_notebook
from gaptron.theory.items import Item
from gaptron.theory.shipped import FileError
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.theorem import Lemma, Theorem

if TYPE_CHECKING:
    from matplotlib.figure import Figure


Drawable = Theorem | StructuredTheorem


def drawable(items: Sequence[Item], only: str | None = None) -> list[Drawable]:
    """The theorems of this name; FileError if there are theorems, and none has it."""
    every = [item for item in items if not isinstance(item, Lemma)]
    found = [item for item in every if matches(item.name, only)]
    if only is not None and every and not found:
        raise FileError(f"{only}: no theorem has such a name: {known(only, [item.name for item in every])}")
    return found


def plots(theorems: Sequence[Drawable], classes: Sequence[int], margins: tuple[float, float]) -> list[Plot]:
    """What is drawn of each; FileError if that is nothing."""
    if not -1e6 < margins[0] < 0 < margins[1] < 1e6:
        raise FileError(f"margins {margins[0]} {margins[1]}: a number below 0 and one above 0 are needed")
    found = []
    for theorem in theorems:
        try:
            if isinstance(theorem, StructuredTheorem):
                found.append(plotted_structured(theorem, classes))
            else:
                found.append(plotted(theorem, classes, margins))
        except ValueError as error:
            warn(error)
    for drawn in found:
        for note in drawn.notes:
            warn(f"{drawn.theorem.name}: {note}")
    if not found:
        raise FileError("nothing to draw: no theorem is given that can be drawn")
    return found


def figure(theorems: Sequence[Drawable], classes: Sequence[int], margins: tuple[float, float]) -> "Figure":
    """As matplotlib draws it; FileError if there is nothing to draw, or no matplotlib.

    It is pyplot's, so that a script's ``pyplot.show`` shows it; a notebook shows it once, as the value of its cell.
    """
    try:
        with needing("a figure"):
            from matplotlib import pyplot
    except MissingExtraError as error:
        raise FileError(str(error)) from None
    from gaptron.plots.image import drawing

    drawn = drawing(plots(theorems, classes, margins), made=pyplot.figure)
    if in_notebook():
        pyplot.close(drawn)
    return drawn
