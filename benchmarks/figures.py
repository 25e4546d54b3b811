"""A figure in SVG of the colours and sizes that the pages have: polylines and words at points of two scales."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

Scale = Callable[[float], float]  # of a value, where it stands between 0 and 1
PLAIN, ACCENT, OTHER, GREY = "#0b62a8", "#c2410c", "#4d7c0f", "#333"


@dataclass
class Figure:
    """What is drawn, between edges in pixels."""

    title: str
    size: tuple[int, int]
    edge: int
    across: Scale
    upward: Scale
    parts: list[str] = field(default_factory=list)

    def at(self, x: float, y: float) -> tuple[float, float]:
        """The pixel of a point."""
        width, height = (length - 2 * self.edge for length in self.size)
        return round(self.edge + self.across(x) * width, 1), round(self.edge + (1 - self.upward(y)) * height, 1)

    def line(self, points: Iterable[tuple[float, float]], style: str) -> None:
        """A polyline."""
        path = " ".join(f"{x},{y}" for x, y in (self.at(*point) for point in points))
        self.parts.append(f'<polyline points="{path}" fill="none" {style}/>')

    def text(self, x: float, y: float, said: str, colour: str = GREY, anchor: str = "start") -> None:
        """Words that begin, end or have their middle at a point."""
        left, base = self.at(x, y)
        self.parts.append(f'<text x="{left}" y="{base}" fill="{colour}" text-anchor="{anchor}">{said}</text>')

    def dot(self, x: float, y: float) -> None:
        """A point that is marked."""
        left, top = self.at(x, y)
        self.parts.append(f'<circle cx="{left}" cy="{top}" r="6" fill="{ACCENT}"/>')

    def svg(self) -> str:
        """The file."""
        width, height = self.size
        head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
        return "\n".join(
            [
                f'{head}font-family="sans-serif" font-size="14">',
                f"<title>{self.title}</title>",
                f'<rect width="{width}" height="{height}" fill="#fff"/>',
                *self.parts,
                "</svg>\n",
            ]
        )
