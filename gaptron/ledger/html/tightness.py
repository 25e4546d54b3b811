"""How close to each bound the best streams come that were found by attack, with a curve over the horizon."""

import json
import math
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path

from markupsafe import Markup

from gaptron.ledger.templates import part
from gaptron.system.documents import Document

WIDTH, HEIGHT, MARGIN = 420, 240, 44
DASHES = ("", "6 3", "2 3", "8 3 2 3", "1 4", "12 4")


@dataclass(frozen=True)
class Best:
    """The best stream found for a theorem: its ratio (mistakes - comparator loss)/regret, at K classes and T rounds."""

    n_classes: int
    n_rounds: int
    ratio: float


def best_streams() -> dict[str, list[Best]]:
    """The recorded witnesses by theorem, of the repository or of the package; empty if there are none."""
    package = Path(__file__).resolve().parents[2]
    folders = (package / "best_streams", package.parent / "properties" / "best_streams")
    found: dict[str, list[Best]] = {}
    for folder in folders:
        for file in sorted(folder.glob("*.json")):
            for attack in json.loads(file.read_text(encoding="utf-8"))["attacks"]:
                found.setdefault(attack["theorem"], []).append(_read(attack))
        if found:
            break
    return {name: sorted(b, key=lambda best: (best.n_classes, best.n_rounds)) for name, b in found.items()}


def _read(attack: Document) -> Best:
    """A witness as ``gaptron attack --save`` writes it; of an enclosed ratio the lower end."""
    ratio = attack["ratio"]
    low = ratio[0] if isinstance(ratio, list) else ratio
    return Best(int(attack["K"]), int(attack["T"]), float(Fraction(low)))


def curves(best: dict[str, list[Best]]) -> Markup:
    """The ratio over T (logarithmic), one line for each theorem with more than one horizon; empty if there is none."""
    lines = {name: _over_horizon(found) for name, found in best.items()}
    lines = {name: points for name, points in lines.items() if len(points) > 1}
    if not lines:
        return Markup()
    longest = max(points[-1].n_rounds for points in lines.values())
    return part(
        "curves.html.j2", {}, lines=sorted(lines.items()), longest=longest, at=(_x, _y), dashes=DASHES,
        width=WIDTH, height=HEIGHT, margin=MARGIN,
    )  # fmt: skip


def _over_horizon(found: list[Best]) -> list[Best]:
    """The best at each horizon, whatever K."""
    by_horizon: dict[int, Best] = {}
    for best in found:
        if best.n_rounds not in by_horizon or by_horizon[best.n_rounds].ratio < best.ratio:
            by_horizon[best.n_rounds] = best
    return [by_horizon[T] for T in sorted(by_horizon)]


def _x(rounds: int, longest: int) -> float:
    return MARGIN + (WIDTH - 2 * MARGIN) * (math.log(rounds) / max(math.log(longest), 1e-9))


def _y(ratio: float) -> float:
    return HEIGHT - MARGIN - (HEIGHT - 1.5 * MARGIN) * min(max(ratio, 0), 1)
