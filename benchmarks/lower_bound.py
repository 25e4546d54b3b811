"""docs/lower_bound.svg: the regret that a comparator of norm B forces, and the one that proximal steps have at most,
for the logistic loss of base 2; as a table too. ``python benchmarks/lower_bound.py [--out docs/lower_bound.svg]``.

The two lower bounds are the conclusions of the claims ``new/logistic-lower-bound`` and ``colt24/thm13``, the regrets
those of their streams, labels at random, against the learner that does best on them.
"""

import argparse
import re
import runpy
from collections.abc import Callable
from fractions import Fraction
from math import ceil, exp, log, log2, log10
from pathlib import Path

from figures import ACCENT, OTHER, PLAIN, Figure

from gaptron.theory.named import named_proximal_theorem

PROOFS = Path(__file__).resolve().parents[1] / "proofs"
OURS = runpy.run_path(str(PROOFS / "new" / "logistic_lower_bound.py"))
THEIRS = re.compile(
    r"^claim colt24/thm13 in Game: expect\(total\(regret\)\) >= B\*\*2/\((\d+)\*log\(K\)\*\*2\) ", re.MULTILINE
)
STATED = re.compile(
    r"^claim new/logistic-lower-bound in Game: .* >= "
    r"c\*\(B\*\*2 - (\d+/\d+)\*B\*s - s\*\*2\) - (\d+/\d+) - 1/log\(2\) - ",
    re.MULTILINE,
)
((BELOW, CONSTANT),) = (
    map(Fraction, found) for found in STATED.findall((PROOFS / "new" / "logistic_lower_bound.proof").read_text())
)
(SHARE,) = map(int, THEIRS.findall((PROOFS / "colt24" / "lower.proof").read_text()))
CLASSES, ROUNDS = 1000, 10**7
LEAD = Fraction(145921, 10**5)  # which binds: docs/optimal_constant.md
LONG = log(CLASSES * ROUNDS)
NORMS = (100, 300, 1000, 3000)
LEFT, RIGHT, LOW, HIGH = 100, 3000, 1, 10**7  # of the norm, of the regret
STEPS = 30


def most(norm: float) -> float:
    """c B^2, what proximal steps have at most."""
    return float(named_proximal_theorem("logistic").regret) * norm**2


def least(norm: float) -> float:
    """What every algorithm has at least."""
    c = (1 - 2 * log2(1 + exp(-LEAD))) / float(LEAD) ** 2
    return c * (norm**2 - float(BELOW) * norm * LONG - LONG**2) - float(CONSTANT) - 1 / log(2)


def of_our_stream(norm: int) -> float:
    """The regret of the stream that shows it."""
    number = OURS["blocks_of"](CLASSES, ROUNDS, norm, LEAD)
    return float(OURS["regret_of"](CLASSES, ROUNDS, norm, LEAD, 0, number))


def theirs(norm: float) -> float:
    """Theorem 13 of COLT 2024, with the constant of its claim."""
    return norm**2 / (SHARE * log(CLASSES) ** 2)


def of_their_stream(norm: float) -> float:
    """The regret of its stream: new points, then one point again and again, on which the first mistake is the last."""
    wrong = 1 - 1 / CLASSES
    number = int((norm**2 - LONG**2) / log(2 * CLASSES) ** 2)
    later = (ROUNDS - number) * log2(1 + wrong / ROUNDS)
    return number * (wrong - log2(1 + wrong / 2)) + wrong - later


Curve = tuple[str, Callable[[int], float], str]
CURVES: tuple[Curve, ...] = (
    ("proximal steps, at most", most, f'stroke="{PLAIN}" stroke-width="2.5"'),
    ("every algorithm, at least", least, f'stroke="{ACCENT}" stroke-width="2.5"'),
    ("its stream", of_our_stream, f'stroke="{ACCENT}" stroke-dasharray="2 4"'),
    ("COLT 2024, Theorem 13", theirs, f'stroke="{OTHER}" stroke-width="2.5"'),
    ("its own stream", of_their_stream, f'stroke="{OTHER}" stroke-dasharray="2 4"'),
)


def picture() -> str:
    """The five curves over B, both axes logarithmic."""
    figure = Figure(
        "Bounds on the regret over the norm of the comparator", (640, 400), 72,
        lambda norm: log10(norm / LEFT) / log10(RIGHT / LEFT), lambda regret: log10(regret / LOW) / log10(HIGH / LOW),
    )  # fmt: skip
    norms = [ceil(LEFT * (RIGHT / LEFT) ** (step / STEPS) - 1e-9) for step in range(STEPS + 1)]
    for regret in (10**power for power in range(0, 8, 2)):
        figure.line([(LEFT, regret), (RIGHT, regret)], 'stroke="#ddd"')
        figure.text(LEFT * 0.97, regret, f"{regret:,}", anchor="end")
    for norm in NORMS:
        figure.line([(norm, LOW), (norm, HIGH)], 'stroke="#ddd"')
        figure.text(norm, LOW / 2, f"{norm}", anchor="middle")
    for row, (name, of, style) in enumerate(CURVES):
        height = HIGH / 2.5 / 2.4**row
        figure.line([(norm, of(norm)) for norm in norms], style)
        figure.line([(110, height), (130, height)], style)
        figure.text(134, height / 1.2, name)
    said = f"regret over B = ||U||, logistic loss of base 2, K = {CLASSES}, T = {ROUNDS:,}"
    figure.text(LEFT, HIGH * 1.5, said)
    return figure.svg()


def table() -> str:
    """The curves at some norms."""
    rows = [["B", *(name for name, _, _ in CURVES)], ["---"] * (len(CURVES) + 1)]
    rows += [[f"{norm}", *(f"{of(norm):.1f}" for _, of, _ in CURVES)] for norm in NORMS]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, help="write the picture here instead of printing the table")
    out = parser.parse_args().out
    if out is None:
        print(table())
    else:
        out.write_text(picture(), encoding="utf-8")


if __name__ == "__main__":
    main()
