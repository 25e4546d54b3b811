"""A theorem as JSON for the workers of a cluster: what a search needs of it, its expressions as sympy reads them."""

from dataclasses import fields
from typing import Any

import sympy as sp

from gaptron.system.documents import Document
from gaptron.theory.decoders import GapMap
from gaptron.theory.losses import KINDS
from gaptron.theory.theorem import Theorem

LOSSES = {kind.__name__: kind for kind in KINDS}
EXPRESSIONS = ("learning_rate", "regret", "exploration")
WORDS = ("name", "feedback", "decoder", "update")


def described(theorem: Theorem) -> Document:
    """The theorem, ready for JSON."""
    loss = {part.name: _text(getattr(theorem.loss, part.name)) for part in fields(theorem.loss)}
    classes = theorem.classes
    return {
        "loss": type(theorem.loss).__name__,
        "parts": loss,
        "gap_map": _text(theorem.gap_map.expression),
        "classes": [classes.start, classes.stop, classes.step] if isinstance(classes, range) else classes,
        **{name: _text(getattr(theorem, name)) for name in EXPRESSIONS},
        **{name: getattr(theorem, name) for name in WORDS},
    }


def theorem_from(data: Document) -> Theorem:
    """The theorem again; sympy evaluates the text of its expressions."""
    classes = data["classes"]
    return Theorem(
        loss=LOSSES[data["loss"]](**{name: _read(text) for name, text in data["parts"].items()}),
        gap_map=GapMap(_read(data["gap_map"])),
        classes=range(*classes) if isinstance(classes, list) else classes,
        **{name: _read(data[name]) for name in EXPRESSIONS},
        **{name: data[name] for name in WORDS},
    )


def _text(expression: sp.Expr | None) -> str | None:
    return None if expression is None else sp.srepr(expression)


def _read(text: str | None) -> Any:
    return None if text is None else sp.sympify(text)
