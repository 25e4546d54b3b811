"""docs/optimal_constant.md: the constant that no algorithm beats, told to the field, with the table of all classes.

    python benchmarks/optimal_constant.py [--sharpened FILE.json] [--out FILE.md]

The numbers are those of ``gaptron sharpen examples/losses_to_sharpen.py --classes 2,3,10,100 --json``, which is run
unless its document is given.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import sympy as sp

from gaptron.bounds.hindsight import HindsightLoss, best_comparator
from gaptron.experiments.named_streams import named
from gaptron.learners import Gaptron
from gaptron.learners.record import Run
from gaptron.rounds.step import LearningRateError
from gaptron.streams import Stream
from gaptron.symbols import K
from gaptron.system.atomic import write_atomically
from gaptron.theory.files import load
from gaptron.theory.named import named_proximal_theorem, named_theorem
from gaptron.theory.theorem import Theorem

ROOT = Path(__file__).resolve().parent.parent
GALLERY = ROOT / "examples" / "losses_to_sharpen.py"
COUNTS = (2, 3, 10, 100, 1000)
SHARPENED = "2,3,10,100"
STREAMS = {"digits": 1797, "synsep": 2000, "synnonsep": 2000}
DECODED = {"logistic": 2 * sp.log(2) ** 2, "hinge": 1 / K, "smooth hinge": 1 / (4 * K)}
BEST_MAPS = {name: ROOT / "proofs" / "new" / f"{name}_best_map.py" for name in ("logistic", "hinge")}
ADVERSE, SHARED = 400, 0.1
FACTORS = (4, 16, 64)  # of the learning rate
CLASSES = {
    "best_gap_map": ("all gap maps", "gradient steps, the largest map", "rounds with one top margin"),
    "best_decoder": ("all decoders", "gradient steps, max(0, 1 - h_k)", "scores whose needs sum to more than 1"),
    "any_algorithm": ("all algorithms", "proximal steps, max(0, 1 - e_k)", "independent labels"),
}
PAGE = (ROOT / "benchmarks" / "optimal_constant_page.md").read_text(encoding="utf-8")


def document() -> dict[str, Any]:
    """What ``gaptron sharpen`` says of the gallery."""
    command = [sys.executable, "-m", "gaptron", "sharpen", str(GALLERY), "--json", "--classes", SHARPENED]
    done = subprocess.run(command, text=True, capture_output=True, check=True, cwd=ROOT)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def table(theorems: list[dict[str, Any]]) -> str:
    """For each loss the printed constant and the smallest one of each class."""
    heads = ["loss", "class", *(f"K = {n}" for n in COUNTS), "every K", "attained by", "less is forbidden by"]
    printed = {statement.item.name: statement.item for statement in load(GALLERY)}
    rows = [_row(heads), "|---" * len(heads) + "|"]
    for theorem in theorems:
        item = printed[theorem["name"]]
        assert isinstance(item, Theorem)  # noqa: S101
        rows += [_row(cells) for cells in _cells(theorem, item)]
    return "\n".join(rows)


def _row(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _cells(theorem: dict[str, Any], item: Theorem) -> Iterator[list[str]]:
    name, most = theorem["name"], item.last_class_count or max(COUNTS)
    counts = [n for n in COUNTS if n <= most]
    absent = [""] * (len(COUNTS) - len(counts))
    if item.regret is not None:
        yield [name, "printed", *(_at(item.regret, n) for n in counts), *absent, f"`{item.regret}`", "the document", ""]
    for question, (title, attained, forbidden) in CLASSES.items():
        regret = theorem[question]["regret"]
        values = [_value(regret, n) for n in counts]
        yield [name, title, *values, *absent, _every(regret), attained, _binds(theorem[question], forbidden)]


def _at(closed: sp.Expr, n: int) -> str:
    return f"{float(closed.subs(K, n)):.6g}"


def _value(regret: dict[str, Any], n: int) -> str:
    """The attained end, from the closed form where there is one."""
    if regret["closed_form"] is not None:
        return _at(sp.sympify(regret["closed_form"], locals={"K": K}), n)
    bracket = regret["K"].get(str(n)) or regret.get("every_K")
    return "-" if bracket is None else f"{float(Fraction(bracket[1])):.6g}"


def _every(regret: dict[str, Any]) -> str:
    if regret["closed_form"] is not None:
        return f"`{regret['closed_form']}`"
    every = regret.get("every_K")
    return "-" if every is None else f"{float(Fraction(every[0])):.8g} to {float(Fraction(every[1])):.8g}"


def _binds(answer: dict[str, Any], forbidden: str) -> str:
    every = answer["binds"].get("every K") or [answer["binds"].get("3", "")]
    return f"{forbidden}: {every[-1].removeprefix('K >= 3: ')}" if every[-1] else forbidden


def runs(rounds: int | None) -> str:
    """Expected mistakes and bounds with the constants of theory, and the fewest mistakes with any of the factors."""
    streams = [named(name, rounds or most) for name, most in STREAMS.items()]
    heads = [*(f"{stream.name}, T = {stream.n_rounds}" for stream in streams), f"adversary, T = {rounds or ADVERSE}"]
    rows = [_row(["loss", "learner", *heads]), "|---" * (len(heads) + 2) + "|"]
    for loss, rate in DECODED.items():
        own = [*streams, adverse(loss, rounds or ADVERSE)]
        for learner in ("printed", *(["best map"] if loss in BEST_MAPS else []), "best decoder", "proximal"):
            rows.append(_row([loss, learner, *(_run(loss, rate, learner, stream) for stream in own)]))
    return "\n".join(rows)


def best_map(loss: str) -> Theorem:
    """The shipped theorem with the best gap map of a loss; the smooth hinge's is the printed one."""
    (found,) = (s.item for s in load(BEST_MAPS[loss]) if s.item.name == f"{loss}, best gap map")
    assert isinstance(found, Theorem)  # noqa: S101
    return found


def adverse(loss: str, rounds: int) -> Stream:
    """The adversary's stream for ten classes: labels drawn alike, points that share one coordinate."""
    drawn = 2 if loss == "logistic" else 10
    X = np.hstack([np.full((rounds, 1), SHARED), np.sqrt(1 - SHARED**2) * np.eye(rounds)])
    y = np.random.default_rng(0).integers(drawn, size=rounds)
    return Stream("adversary", X, y, tuple(map(str, range(10))))


def _run(loss: str, rate: sp.Expr, learner: str, stream: Stream) -> str:
    made, done = _made(loss, rate, learner, stream, 1)
    n, X = stream.n_classes, stream.feature_norm
    phi = named_proximal_theorem(loss).loss if learner == "proximal" else named_theorem(loss).loss
    comparator = HindsightLoss(phi, stream.X / X, stream.y, ~done.off, n)  # type: ignore[arg-type]
    c = 1 / (2 * float(made.learning_rate) * X**2)
    found = comparator.at(best_comparator(comparator, c, [np.asarray(made.W, dtype=float) * X], np.inf))
    tuned = {1: done.expected_mistakes}
    for factor in FACTORS:
        with suppress(LearningRateError):
            tuned[factor] = _made(loss, rate, learner, stream, factor)[1].expected_mistakes
    best = min(tuned, key=lambda factor: tuned[factor])
    return f"{done.expected_mistakes:.1f} <= {found.loss + c * found.norm**2:.1f}; {tuned[best]:.1f} at {best} eta"


def _made(loss: str, rate: sp.Expr, learner: str, stream: Stream, factor: int) -> tuple[Gaptron, Run]:
    """The learner after the stream, with a multiple of the learning rate of theory (of 1/(2 c) for proximal steps)."""
    n, X = stream.n_classes, stream.feature_norm
    given: str | Theorem = best_map(loss) if learner == "best map" else loss
    more: dict[str, dict[str, Any]] = {
        "best decoder": {"decoder": "best", "learning_rate": float(rate.subs(K, n)) / X**2},
        "proximal": {"update": "proximal"},
    }
    options = more.get(learner, {})
    made = Gaptron(n, stream.X.shape[1], loss=given, feature_norm=X, seed=0, **options)
    if factor != 1:
        rated = float(made.learning_rate) * factor
        made = Gaptron(n, stream.X.shape[1], loss=given, feature_norm=X, seed=0, **options | {"learning_rate": rated})
    return made, made.run(stream.X, stream.y, compiled=False)


def main() -> None:
    """Parse the arguments and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sharpened", type=Path, help="a document of gaptron sharpen, instead of running it")
    parser.add_argument("--rounds", type=int, help="of each stream, for a quick look")
    parser.add_argument("--out", type=Path, help="write the page here instead of printing it")
    arguments = parser.parse_args()
    found = document() if arguments.sharpened is None else json.loads(arguments.sharpened.read_text(encoding="utf-8"))
    page = PAGE.replace("{table}", table(found["theorems"])).replace("{runs}", runs(arguments.rounds))
    if arguments.out is None:
        print(page)
    else:
        write_atomically(arguments.out, page)


if __name__ == "__main__":
    main()
