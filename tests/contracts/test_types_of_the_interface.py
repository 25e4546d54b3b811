"""A user's script that uses the library, with all of it annotated, passes mypy --strict."""

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import REPOSITORY

SCRIPT = """
from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from sympy import Expr, Max, Rational

import gaptron
from gaptron import GapMap, MarginLoss, StructuredTheorem, Theorem, TheoremError
from gaptron.structured import Cube, Hamming, SquaredNorm
from gaptron.symbols import K, d, m

loss: Expr = Max(1 - m, 0) ** 2
mine = Theorem(name="mine", loss=MarginLoss(loss), gap_map=GapMap(loss), learning_rate=1 / (4 * K), regret=2 * K)
labels = StructuredTheorem(
    name="labels", outputs=Cube(), target=Hamming(), entropy=SquaredNorm(), learning_rate=Rational(1, 2),
    coefficient=8 / d,
)


def verdicts(theorems: Sequence[Theorem]) -> dict[str, str]:
    return {result.name: result.verdict for result in gaptron.check(theorems, seconds=5.0, workers=1)}


def proved(theorem: Theorem | StructuredTheorem) -> bool:
    result = gaptron.check(theorem, cache=False)
    why: tuple[str, ...] = result.reasons
    return bool(result) and result.refutes is None and not why


def bracket(theorem: Theorem) -> tuple[Fraction, Fraction] | None:
    found = gaptron.sharpen(theorem, classes=[2, 3])
    if found.any_algorithm is None or found.any_algorithm.regret is None:
        return None
    form: Expr | None = found.any_algorithm.regret.closed_form
    return found.any_algorithm.regret.bracket[3] if form is None else None


def rest(folder: Path) -> str:
    try:
        worst: str = gaptron.check(folder).verdict
        shown = [repr(gaptron.explain(mine)), repr(gaptron.explain("mine", folder)), repr(gaptron.audit(folder))]
        gaptron.plot(mine, classes=[2]).savefig(folder / "mine.png")
        return worst + "".join(shown) + "".join(one.verdict for one in gaptron.attack(mine, seconds=5))
    except TheoremError as error:
        return str(error)
"""


@pytest.mark.slow
def test_a_script_that_uses_the_library_is_typed(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(SCRIPT)
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(REPOSITORY / ".mypy_cache"), str(script)]
    done = subprocess.run(command, cwd=REPOSITORY, text=True, capture_output=True, check=False)
    assert done.returncode == 0, done.stdout
    script.write_text(SCRIPT + "\nwrong: int = gaptron.check(mine).verdict\n")
    done = subprocess.run(command, cwd=REPOSITORY, text=True, capture_output=True, check=False)
    assert 'expression has type "str"' in done.stdout
