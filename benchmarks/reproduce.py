"""Figures and tables of van der Hoeven 2020 and of Beygelzimer, Orabona, Zhang 2017, computed anew.

    python benchmarks/reproduce.py [--results FILE.jsonl] [--out FOLDER]

Writes FOLDER/README.md and its pictures. FILE.jsonl is what `gaptron compare` found; `make reproduce` runs it, and
`table_one.py`, before.
"""

import argparse
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import cast

import numpy as np
import sympy as sp
from numpy.typing import NDArray
from PIL import Image

from gaptron import GapMap, Theorem
from gaptron.experiments.jobs import Results
from gaptron.experiments.summary import best, entries, figure, sweeps
from gaptron.instances.by_hand import eta_loss
from gaptron.plots import plotted
from gaptron.symbols import X, m, p
from gaptron.system.drawing import saved, subplots
from gaptron.theory.files import load
from gaptron.theory.losses import MarginLoss, SoftmaxLoss

Array = NDArray[np.float64]
HERE = Path(__file__).resolve().parent
PROOFS = HERE.parent / "proofs" / "gaptron"
SIX = ("1_logistic", "2_hinge", "3_smooth_hinge", "4_bandit_logistic", "5_bandit_hinge", "6_bandit_smooth_hinge")
OTHERWISE = {
    2: r"$a = 1 - \max(1[m^\star > 1/K], m^\star)$, negative for $m^\star > 1$ (`gaptron/hinge-map-range`)",
    3: r"the loss is $(1 - m)^2$ beyond $m = 1$ too, and not convex (`gaptron/smooth-hinge-convex`)",
    4: r"$\eta = ((1 - \gamma) e^{-2DX}/K + \gamma) \ln 2/(2K^2X^2)$ (`gaptron/t4-gap`)",
    5: "the gap map as in Theorem 2",
    6: r"$\gamma = \min(1, \sqrt{4K^2X^2D^2/T})$ (`gaptron/t6-bound`); the loss as in Theorem 3",
}
EDGE, POINTS, FAMILY = 1.25, 241, (0, 0.25, 0.5, 0.75, 1)
HEAD = """<!-- generated: make reproduce -->

# The papers' figures and tables, computed anew

Neither paper prints the numbers of its pictures. Each picture here stands beside what the print does say in numbers,
and where it deviates is said.

## Table 1 of van der Hoeven (2020): rates

[Table 1, measured](../table_one.md): exponents of growth beside the printed orders.

## Table 2 of van der Hoeven (2020): settings of Gaptron

The paper's Table 2 stands in its Appendix A, which was not available. This one is built from the theorem files in
`proofs/gaptron`, with $X$ a bound on the features' norms, $m$ the margin, $p$ the label's softmax probability, and
$m^\\star$, $p^\\star$ those of the top label. "Printed otherwise" is where the print differs, and the claim
about it.

| theorem | loss | gap map | $\\eta$ | $\\gamma$ | printed otherwise |
|---|---|---|---|---|---|
"""


FIGURE_1 = r"""## Figure 1 of van der Hoeven (2020): the surrogate gap of the smooth hinge loss

![The loss and P(wrong) + (eta/2) times the squared gradient over the margin, with and without a gap map](figure1.png)

$K = 2$ with one weight vector, $\lVert x \rVert = 1$, $\eta = 1/8$. The surrogate gap is positive where the red or the
blue line is above the green one. The caption's formulas (dotted) differ from the learner's rounds by at most {near} for
$\lvert z \rvert \le 1$, and by up to {far} beyond, as they do not stop at margin 1 (`gaptron/fig1-map-printed`). The
text says that with $a = 0$ the gap is positive on $[-0.125, 0]$: here from {low} to {high}, on a grid with steps of
{step}, as at $-0.125$ it is 0 (`gaptron/fig1-a0`). With the gap map it is at most {most}.
"""
LOSSES = r"""## Figure 1 of Beygelzimer, Orabona, Zhang (2017): a family of losses

![Five losses between the hinge loss and the squared hinge loss](losses.png)

$\ell_\eta(x) = 1 - 2x/(2 - \eta) + \eta x^2/(2 - \eta)$ for $x \le 1$, else 0. The print does not say for
which $\eta$ it is drawn.
"""
FIGURE_2 = """## Figure 2 of Beygelzimer, Orabona, Zhang (2017): error rates

![Error rates over the exploration rate and over rounds on two streams](figure2.png)

The print has a million rounds, ten runs, and Covtype and Reuters4 besides, which do not come with this package. Here:
{rounds} rounds, {runs}, the exploration rate that is best in hindsight; `gaptron compare` runs more. Rates are over all
rounds, in which the first ones, without much learnt, have a larger share than in the print.

| printed | here |
|---|---|
{table}
"""


def latex(formula: sp.Basic) -> str:
    """A formula, its pieces in words."""
    if not isinstance(formula, sp.Piecewise):
        return f"${sp.latex(formula, ln_notation=True)}$"
    parts = ((latex(value), "else" if where == sp.true else f"if {latex(where)}") for value, where in formula.args)
    return ", ".join(f"{value} {where}" for value, where in parts)


def stated(file: str) -> Theorem:
    """The first theorem of a file of proofs/gaptron."""
    return cast(Theorem, load(PROOFS / file)[0].item)


def settings() -> Iterator[str]:
    """The rows of Table 2."""
    for number, name in enumerate(SIX, 1):
        theorem = stated(f"theorem{name}.py")
        loss, gap_map = theorem.loss, theorem.gap_map.expression
        text = latex(loss.psi if isinstance(loss, SoftmaxLoss) else loss.phi)
        if isinstance(loss, MarginLoss) and loss.off_above is not None:
            text += rf", $0$ if the top label is right and $m^\star > {sp.latex(loss.off_above)}$"
        cells = [
            theorem.name,
            text,
            latex(gap_map.subs({m: sp.Symbol(r"m^\star"), p: sp.Symbol(r"p^\star")})),
            latex(theorem.learning_rate / (X**2 if theorem.feedback == "full" else 1)),
            latex(theorem.exploration) if theorem.feedback == "bandit" else "$0$",
            OTHERWISE.get(number, ""),
        ]
        yield f"| {' | '.join(cells)} |"


def surrogate_gap(theorem: Theorem) -> tuple[Array, Array, Array]:
    """Margins z, the loss, and the larger P(wrong) + (eta/2) ||g||^2 of the two labels, with one weight vector."""
    loss, _, gap = plotted(theorem, [2], (-EDGE, EDGE)).panels[2]
    of_label = np.maximum(gap.lines["label +1"], gap.lines["label -1"][::-1])
    return loss.x, loss.lines["label +1"], of_label + loss.lines["label +1"]


def figure_1(out: Path) -> str:
    """The surrogate gap of the smooth hinge loss, drawn; and how far the caption's formulas are from it."""
    theorem = stated("figure1.py")
    z, loss, with_map = surrogate_gap(theorem)
    _, _, without = surrogate_gap(replace(theorem, gap_map=GapMap(0)))
    squares = 4 * np.where(z > 0, 1 - z, 1) ** 2 / 16
    red = (z <= 0) + squares
    blue = (1 - (1 - abs(z)) ** 2) * (z <= 0) + (1 - abs(z)) ** 2 / 2 + squares
    drawing, ((axis,),) = subplots(1, 1)
    axis.plot(z, loss, "g", label="smooth hinge loss")
    for ours, theirs, colour, label in ((without, red, "r", "a = 0"), (with_map, blue, "b", "a = (1 - |z|)²")):
        axis.plot(z, ours, colour, label=f"P(wrong) + (η/2)||g||², {label}")
        axis.plot(z, theirs, ":", color="0.2", linewidth=2)
    axis.plot([], [], ":", color="0.2", linewidth=2, label="the caption's formulas")
    axis.set_xlabel("margin z")
    axis.set_ylim(-0.05, 2)
    axis.legend(fontsize="x-small", frameon=False)
    axis.grid(alpha=0.3)
    drawing.tight_layout()
    saved(drawing, out / "figure1.png")
    near, far = abs(z) <= 1, abs(z) > 1
    apart = [max(abs(without - red)[where].max(), abs(with_map - blue)[where].max()) for where in (near, far)]
    above = z[without - loss > 1e-12]
    return FIGURE_1.format(
        near=f"{max(apart[0], 1e-12):.0e}", far=f"{apart[1]:.3f}", low=f"{above.min():.3f}", high=f"{above.max():.3f}",
        step=f"{z[1] - z[0]:.3f}", most=f"{max(0, round((with_map - loss).max(), 12)):g}",
    )  # fmt: skip


def losses(out: Path) -> str:
    """Figure 1 of Beygelzimer et al.: the family of losses."""
    x = np.linspace(-2, 2, POINTS)
    drawing, ((axis,),) = subplots(1, 1)
    for eta in FAMILY:
        axis.plot(x, [eta_loss(v, eta) for v in x], label=f"η = {eta:g}")
    axis.set_xlabel("margin x")
    axis.set_ylabel("loss")
    axis.legend(fontsize="small", frameon=False)
    axis.grid(alpha=0.3)
    drawing.tight_layout()
    saved(drawing, out / "losses.png")
    return LOSSES


def figure_2(results: Path, out: Path) -> str:
    """Figure 2 of Beygelzimer et al.: drawn, and what its text says beside what was found."""
    found = list(Results(results).found.values())
    everything = entries(found)
    tuned = {(e.stream, e.learner): e for e in best(everything)}
    streams = list(dict.fromkeys(entry.stream for entry in everything))
    figure(streams, sweeps(everything), [e for e in everything if e in tuned.values()], out / "figure2.png")
    largest = max(e.exploration for e in everything if e.exploration is not None and not e.theory)
    floor = min(e.error.mean for e in everything if e.exploration == largest)
    wide = next(s for s in sweeps(everything) if (s.stream, s.learner) == ("synsep", "pnewtron"))
    of_soba = {stream: tuned[stream, "soba-diagonal"].exploration for stream in streams}
    of_noise = {name: entry.error.mean for (stream, name), entry in tuned.items() if stream == "synnonsep"}
    rows = (
        ("SOBA is good for γ close to 0.01", f"its best γ: {_listed(of_soba, 'g')}"),
        ("no error is below (K - 1)γ/K", f"at γ = {largest:g} this is {8 / 9 * largest:.3f}: {floor:.3f} or more"),
        ("PNewtron is good in a wide range of γ", f"on synsep {min(wide.errors):.3f} to {max(wide.errors):.3f}"),
        ("on synnonsep SOBA errs least, nearly 0.05", _listed(of_noise, ".3f")),
    )
    table = "\n".join(f"| {printed} | {here} |" for printed, here in rows)
    runs = len({result.job.seed for result in found})
    return FIGURE_2.format(rounds=f"{found[0].job.rounds:,}", runs=f"{runs} run{'s' * (runs > 1)}", table=table)


def _listed(values: Mapping[str, float | None], digits: str) -> str:
    return ", ".join(
        f"{name} {'adaptive' if value is None else format(value, digits)}" for name, value in values.items()
    )


def main() -> None:
    """Write the page and its pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--results", type=Path, default=HERE / "reproduced" / "figure2.jsonl")
    parser.add_argument("--out", type=Path, default=HERE / "reproduced")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    kept = arguments.out / "figure2.jsonl"
    if arguments.results.resolve() != kept.resolve():
        rows = arguments.results.read_text(encoding="utf-8").splitlines(keepends=True)
        kept.write_text("".join(sorted(rows)), encoding="utf-8")  # they stand there as they were finished
    parts = [
        "\n".join(settings()) + "\n",
        figure_1(arguments.out),
        losses(arguments.out),
        figure_2(kept, arguments.out),
    ]
    for picture in arguments.out.glob("*.png"):  # in 64 colours they are a quarter as large
        Image.open(picture).convert("RGB").quantize(64).save(picture, optimize=True)
    (arguments.out / "README.md").write_text(HEAD + "\n".join(parts), encoding="utf-8")


if __name__ == "__main__":
    main()
