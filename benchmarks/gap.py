"""README's picture, docs/gap.svg: the largest surrogate gap of the squared hinge loss at a rate that is PROVED and one
that is REFUTED, with the witness of the refutation. ``python benchmarks/gap.py --out docs/gap.svg``.
"""

import argparse
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from gaptron import Theorem
from gaptron.checking.check import Checked, check
from gaptron.plots import plotted
from gaptron.symbols import K
from gaptron.theory.files import load

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "squared_hinge.py"
N_CLASSES = 2
LEFT, RIGHT, LOW, HIGH = -1.0, 1.5, -1.0, 0.4  # of the margin, of the gap
WIDTH, HEIGHT, EDGE = 480, 300, 24
SECONDS = 60
PLAIN, ACCENT = "#0b62a8", "#c2410c"
HEAD = f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" \
font-family="sans-serif" font-size="14">
<title>The surrogate gap of the squared hinge loss at two learning rates</title>
<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>
"""


def at(margin: float, gap: float) -> tuple[float, float]:
    """Where it is drawn."""
    x = EDGE + (margin - LEFT) / (RIGHT - LEFT) * (WIDTH - 2 * EDGE)
    return round(x, 1), round(EDGE + (HIGH - gap) / (HIGH - LOW) * (HEIGHT - 2 * EDGE), 1)


def line(points: Iterable[tuple[float, float]], style: str) -> str:
    path = " ".join(f"{x},{y}" for x, y in (at(*point) for point in points))
    return f'<polyline points="{path}" fill="none" {style}/>\n'


def text(margin: float, gap: float, said: str, colour: str = "#333") -> str:
    x, y = at(margin, gap)
    return f'<text x="{x}" y="{y}" fill="{colour}">{said}</text>\n'


def gap(theorem: Theorem) -> list[tuple[float, float]]:
    """The largest gap at each margin that is drawn."""
    panel = plotted(theorem, (N_CLASSES,), (LEFT, RIGHT)).panels[N_CLASSES][-1]
    return [(m, g) for m, g in zip(panel.x.tolist(), panel.lines["gap"].tolist(), strict=True) if LOW <= g <= HIGH]


def witness(checked: Checked) -> str:
    """The round that refutes it, if one does: at the margin of its true label."""
    marks = []
    for found in checked.witnesses[:1]:
        scores, label, height = [Fraction(score) for score in found["scores"]], int(found["label"]), found["gap"]
        margin = scores.pop(label) - max(scores)
        x, y = at(float(margin), float(Fraction(height)))
        marks.append(f'<circle cx="{x}" cy="{y}" r="6" fill="{ACCENT}"/>\n')
        marks.append(text(0.08, 0.2, f"witness: margin {margin}, gap {height} &gt; 0", ACCENT))
    return "".join(marks)


def picture() -> str:
    """Both gaps, each with its verdict."""
    (squared_hinge,) = (filed.item for filed in load(EXAMPLE) if isinstance(filed.item, Theorem))
    slow, fast = (replace(squared_hinge, learning_rate=1 / (n * K), regret=n * K / 2) for n in (4, 3))
    proved, refuted = check([slow, fast], SECONDS, 1)
    axes = [((LEFT, 0), (RIGHT, 0)), ((0, LOW), (0, HIGH - 0.06))]
    return "".join(
        [
            HEAD,
            *(line(axis, 'stroke="#bbb"') for axis in axes),
            line(gap(slow), f'stroke="{PLAIN}" stroke-width="2.5"'),
            line(gap(fast), f'stroke="{ACCENT}" stroke-width="2.5" stroke-dasharray="7 4"'),
            witness(refuted),
            text(0.05, -0.42, f"dashed: rate 1/(3K), {refuted.verdict.value}", ACCENT),
            text(0.05, -0.58, f"solid: rate 1/(4K), {proved.verdict.value} for every K", PLAIN),
            text(LEFT, 0.05, "gap = 0"),
            text(0.3, LOW, "margin m of the true label"),
            text(LEFT, HIGH, f"largest surrogate gap, squared hinge loss, K = {N_CLASSES}"),
            "</svg>\n",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, help="the file to write")
    parser.parse_args().out.write_text(picture(), encoding="utf-8")


if __name__ == "__main__":
    main()
