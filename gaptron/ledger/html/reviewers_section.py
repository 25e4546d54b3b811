"""What a reviewer reads of Coq, as a part of a page."""

from collections.abc import Mapping, Sequence

from markupsafe import Markup

from gaptron.ledger.html.mathml import typeset
from gaptron.ledger.reviewers import Reviewed, reviewed
from gaptron.ledger.templates import part

NONE: Mapping[str, Sequence[str]] = {}


def reviewers(obstacles: Mapping[str, Sequence[str]] = NONE, found: Reviewed | None = None) -> Markup:
    """Definitions, statements, and what is not formal; ``obstacles`` are theorems by why they do not reach Coq."""
    return part("reviewers.html.j2", {"typeset": typeset}, found=found or reviewed(), obstacles=obstacles)
