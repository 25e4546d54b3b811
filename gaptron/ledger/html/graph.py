"""The graph of premises, drawn in layers as SVG: what rests on nothing is on the left."""

from collections.abc import Mapping
from dataclasses import dataclass

from markupsafe import Markup

from gaptron.ledger.recomputation import Audited

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
    found: set[str] = set()
    changed = True
    while changed:
        now = {n for n, on in premises.items() if any(verdicts[p] != "PROVED" or p in found for p in on)}
        changed, found = now != found, now
    return found


def edges(rows: list[Audited]) -> list[tuple[str, str]]:
    """(premise, what rests on it), among these claims; what is refuted rests on nothing."""
    known = {row.claim.id for row in rows}
    standing = [row for row in rows if row.verdict != "REFUTED"]
    return [(premise, row.claim.id) for row in standing for premise in row.premises if premise in known]


def drawing(rows: list[Audited]) -> Markup:
    """The graph of the claims that rest on another or are rested on; empty if there is none."""
    links = _reduced(edges(rows))
    linked = {name for link in links for name in link}
    placed = _placed([row for row in rows if row.claim.id in linked], links, shaky(rows))
    if not placed:
        return Markup()
    width = max(node.x for node in placed.values()) + WIDTH + 10
    height = max(node.y for node in placed.values()) + HEIGHT
    parts = [_edge(placed[start], placed[end]) for start, end in links]
    parts += [_node(node) for node in placed.values()]
    head = Markup('<svg class="graph" viewBox="0 0 {w} {h}" width="{w}" height="{h}" role="group">')
    return head.format(w=width, h=height) + Markup("").join(parts) + Markup("</svg>")


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


def _edge(start: Node, end: Node) -> Markup:
    x0, x1 = start.x + WIDTH, end.x
    middle = (x0 + x1) // 2
    path = f"M{x0},{start.y} C{middle},{start.y} {middle},{end.y} {x1},{end.y}"
    return Markup('<path class="edge" d="{}"/>').format(path)


def _node(node: Node) -> Markup:
    """A link: square corners if PROVED, pointed ends if REFUTED, round otherwise; dashed if a premise is not PROVED."""
    kind = f"node {node.verdict.lower()}{' shaky' if node.shaky else ''}"
    title = f"{node.id}: {node.verdict}{', rests on a claim that is not PROVED' if node.shaky else ''}"
    return Markup('<a href="#{}"><g class="{}"><title>{}</title>{}<text x="{}" y="{}">{}</text></g></a>').format(
        anchor(node.id),
        kind,
        title,
        _shape(node),
        node.x + 8,
        node.y + 5,
        f"{SYMBOLS[node.verdict]} {node.id.split('/')[1]}",
    )


def _shape(node: Node) -> Markup:
    left, right, top, bottom = node.x, node.x + WIDTH, node.y - HEIGHT // 2, node.y + HEIGHT // 2
    if node.verdict == "REFUTED":
        corners = [(left + 8, top), (right - 8, top), (right, node.y), (right - 8, bottom), (left + 8, bottom)]
        points = " ".join(f"{x},{y}" for x, y in [*corners, (left, node.y)])
        return Markup('<polygon points="{}"/>').format(points)
    radius = 3 if node.verdict == "PROVED" else HEIGHT // 2
    return Markup('<rect x="{}" y="{}" width="{}" height="{}" rx="{}"/>').format(left, top, WIDTH, HEIGHT, radius)
