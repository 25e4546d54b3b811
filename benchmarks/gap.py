"""README's picture, docs/gap.svg: the largest surrogate gap of the squared hinge loss at a rate that is PROVED and one
that is REFUTED, with the witness of the refutation. ``python benchmarks/gap.py --out docs/gap.svg``.
"""

import argparse
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

from figures import ACCENT, PLAIN, Figure

from gaptron import Theorem
from gaptron.checking.checker import Checked, check
from gaptron.plots import plotted
from gaptron.symbols import K
from gaptron.theory.files import load

EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "squared_hinge.py"
N_CLASSES = 2
LEFT, RIGHT, LOW, HIGH = -1.0, 1.5, -1.0, 0.4  # of the margin, of the gap
SECONDS = 60


def gap(theorem: Theorem) -> list[tuple[float, float]]:
    """The largest gap at each margin that is drawn."""
    panel = plotted(theorem, (N_CLASSES,), (LEFT, RIGHT)).panels[N_CLASSES][-1]
    return [(m, g) for m, g in zip(panel.x.tolist(), panel.lines["gap"].tolist(), strict=True) if LOW <= g <= HIGH]


def mark(figure: Figure, refuted: Checked) -> None:
    """The round that refutes it, at the margin of its true label."""
    for found in refuted.witnesses[:1]:
        scores, label, height = [Fraction(score) for score in found["scores"]], int(found["label"]), found["gap"]
        margin = scores.pop(label) - max(scores)
        figure.dot(float(margin), float(Fraction(height)))
        figure.text(0.08, 0.2, f"witness: margin {margin}, gap {height} &gt; 0", ACCENT)


def picture() -> str:
    """Both gaps, each with its verdict."""
    (squared_hinge,) = (filed.item for filed in load(EXAMPLE) if isinstance(filed.item, Theorem))
    slow, fast = (replace(squared_hinge, learning_rate=1 / (n * K), regret=n * K / 2) for n in (4, 3))
    proved, refuted = check([slow, fast], SECONDS, 1)
    figure = Figure(
        "The surrogate gap of the squared hinge loss at two learning rates", (480, 300), 24,
        lambda m: (m - LEFT) / (RIGHT - LEFT), lambda g: (g - LOW) / (HIGH - LOW),
    )  # fmt: skip
    for axis in ([(LEFT, 0), (RIGHT, 0)], [(0, LOW), (0, HIGH - 0.06)]):
        figure.line(axis, 'stroke="#bbb"')
    figure.line(gap(slow), f'stroke="{PLAIN}" stroke-width="2.5"')
    figure.line(gap(fast), f'stroke="{ACCENT}" stroke-width="2.5" stroke-dasharray="7 4"')
    mark(figure, refuted)
    figure.text(0.05, -0.42, f"dashed: rate 1/(3K), {refuted.verdict.value}", ACCENT)
    figure.text(0.05, -0.58, f"solid: rate 1/(4K), {proved.verdict.value} for every K", PLAIN)
    figure.text(LEFT, 0.05, "gap = 0")
    figure.text(0.3, LOW, "margin m of the true label")
    figure.text(LEFT, HIGH, f"largest surrogate gap, squared hinge loss, K = {N_CLASSES}")
    return figure.svg()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, required=True, help="the file to write")
    parser.parse_args().out.write_text(picture(), encoding="utf-8")


if __name__ == "__main__":
    main()
