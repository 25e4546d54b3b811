"""What a reviewer reads of Coq, as a part of a page."""

from collections.abc import Mapping, Sequence
from importlib.resources import files

from jinja2 import Environment, StrictUndefined
from markupsafe import Markup

from gaptron.ledger.html.typeset import typeset
from gaptron.ledger.reviewers import Reviewed, reviewed
from gaptron.system.printable import printable

NONE: Mapping[str, Sequence[str]] = {}


def reviewers(obstacles: Mapping[str, Sequence[str]] = NONE, found: Reviewed | None = None) -> Markup:
    """Definitions, statements, and what is not formal; ``obstacles`` are theorems by why they do not reach Coq."""
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"plain": printable, "typeset": typeset}
    text = (files("gaptron.ledger.html") / "reviewers.html.j2").read_text(encoding="utf-8")
    shown = environment.from_string(text).render(found=found or reviewed(), obstacles=obstacles)
    return Markup(shown)  # noqa: S704  escaped by the template
