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
from fractions import Fraction
from pathlib import Path
from typing import Any

import sympy as sp

from gaptron.symbols import K
from gaptron.system.atomic import write_atomically
from gaptron.theory.files import load
from gaptron.theory.theorem import Theorem

ROOT = Path(__file__).resolve().parent.parent
GALLERY = ROOT / "examples" / "losses_to_sharpen.py"
COUNTS = (2, 3, 10, 100, 1000)
SHARPENED = "2,3,10,100"
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


def main() -> None:
    """Parse the arguments and write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sharpened", type=Path, help="a document of gaptron sharpen, instead of running it")
    parser.add_argument("--out", type=Path, help="write the page here instead of printing it")
    arguments = parser.parse_args()
    found = document() if arguments.sharpened is None else json.loads(arguments.sharpened.read_text(encoding="utf-8"))
    page = PAGE.replace("{table}", table(found["theorems"]))
    if arguments.out is None:
        print(page)
    else:
        write_atomically(arguments.out, page)


if __name__ == "__main__":
    main()
