"""What the module of a theorem file holds: in its names, in containers, in its classes and in their objects."""

from collections import deque
from collections.abc import Iterator, Mapping
from types import SimpleNamespace
from typing import Any

from gaptron.theory.claims import LedgerClaim
from gaptron.theory.papers import Paper
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.theorem import Lemma, Theorem

MODULE = "theorem_file"
CONTAINERS = (list, tuple, set, frozenset, deque)


def reachable(namespace: dict[str, Any]) -> Iterator[Theorem | StructuredTheorem | Lemma | LedgerClaim | Paper]:
    """Every theorem, lemma, claim and paper, once, as deep as it may be nested."""
    waiting, seen = [*namespace.values()][::-1], set[int]()
    while waiting:
        value = waiting.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, (Theorem, StructuredTheorem, Lemma, LedgerClaim, Paper)):
            yield value
        else:
            waiting += _parts(value)[::-1]


def _parts(value: Any) -> list[Any]:
    if isinstance(value, Mapping):
        return [part for pair in value.items() for part in pair]
    if isinstance(value, CONTAINERS):
        return [*value, *_attributes(value)]
    return _attributes(value)


def _attributes(value: Any) -> list[Any]:
    """Those of a class that the file defines, and of the objects of such classes."""
    kind = value if isinstance(value, type) else type(value)
    if kind.__module__ != MODULE and kind is not SimpleNamespace:
        return []
    slots = [
        getattr(value, name) for name in getattr(kind, "__slots__", ()) if kind is not value and hasattr(value, name)
    ]
    return [*getattr(value, "__dict__", {}).values(), *slots]
