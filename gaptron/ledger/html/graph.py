"""The graph of premises, drawn in layers as SVG: what rests on nothing is on the left."""

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

from gaptron.ledger.recomputation import Audited
from gaptron.ledger.templates import part

WIDTH, HEIGHT, COLUMN, ROW = 244, 30, 300, 42
SYMBOLS = {"PROVED": "✓", "REFUTED": "✗", "UNDECIDED": "?", "NOT-CHECKABLE": "–"}


@dataclass(frozen=True)
class Node:
    """A claim at a place."""

    id: str
    verdict: str
    shaky: bool
    layer: int
    row: int

    @property
    def x(self) -> int:
        """The left end."""
        return 10 + self.layer * COLUMN

    @property
    def y(self) -> int:
        """The middle."""
        return 24 + self.row * ROW


def anchor(name: str) -> str:
    """A claim's identifier as the name of a place in the page."""
    return name.replace("/", "-")


def shaky(rows: list[Audited]) -> set[str]:
    """Claims that are not refuted themselves, but rest, directly or not, on one that is not PROVED."""
    verdicts = {row.claim.id: row.verdict for row in rows}
    premises = {row.claim.id: [p for p in row.premises if p in verdicts] for row in rows}
    unsure = {name for name, verdict in verdicts.items() if verdict != "PROVED"}
    found: set[str] = set()
    while more := {name for name, on in premises.items() if (unsure | found) & {*on}} - found:
        found |= more
    return found


def edges(rows: list[Audited]) -> list[tuple[str, str]]:
    """(premise, what rests on it), among these claims; what is refuted rests on nothing."""
    known = {row.claim.id for row in rows}
    standing = [row for row in rows if row.verdict != "REFUTED"]
    return [(premise, row.claim.id) for row in standing for premise in row.premises if premise in known]


def drawing(rows: list[Audited]) -> Markup:
    """The graph of the claims that rest on another or are rested on; empty if there is none.

    Square corners are PROVED, pointed ends REFUTED, round ones neither; dashed is what rests on what is not PROVED.
    """
    links = _reduced(edges(rows))
    linked = {name for link in links for name in link}
    placed = _placed([row for row in rows if row.claim.id in linked], links, shaky(rows))
    if not placed:
        return Markup()
    width = max(node.x for node in placed.values()) + WIDTH + 10
    height = max(node.y for node in placed.values()) + HEIGHT
    return part(
        "graph.html.j2", {"anchor": anchor}, width=width, height=height, nodes=placed.values(), size=(WIDTH, HEIGHT),
        links=[(placed[start], placed[end]) for start, end in links], symbols=SYMBOLS,
    )  # fmt: skip


def _placed(rows: list[Audited], links: list[tuple[str, str]], unsure: set[str]) -> dict[str, Node]:
    layers = _layers([row.claim.id for row in rows], links)
    placed: dict[str, Node] = {}
    for layer in range(max(layers.values(), default=-1) + 1):
        inside = [row for row in rows if layers[row.claim.id] == layer]
        inside.sort(key=lambda row: _middle(row.claim.id, links, placed))
        for number, row in enumerate(inside):
            placed[row.claim.id] = Node(row.claim.id, row.verdict, row.claim.id in unsure, layer, number)
    return placed


def _middle(name: str, links: list[tuple[str, str]], placed: Mapping[str, Node]) -> float:
    """The mean row of the premises, to keep edges short."""
    rows = [placed[start].row for start, end in links if end == name]
    return sum(rows) / len(rows) if rows else 0.0


def _reduced(links: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Without the edges that a chain of others implies."""
    after: dict[str, set[str]] = {}
    for start, end in links:
        after.setdefault(start, set()).add(end)

    def reaches(start: str, end: str) -> bool:
        return any(step == end or reaches(step, end) for step in after.get(start, ()))

    return [(a, c) for a, c in links if not any(reaches(b, c) for b in after[a] if b != c)]


def _layers(names: list[str], links: list[tuple[str, str]]) -> Mapping[str, int]:
    """The length of the longest chain of premises below each claim."""
    layers = dict.fromkeys(names, 0)
    for _ in names:
        for start, end in links:
            layers[end] = max(layers[end], layers[start] + 1)
    return layers
