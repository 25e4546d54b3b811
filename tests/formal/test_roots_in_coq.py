"""Losses with square roots as whole theorems: roots of one piece, pieces that meet at a root, the larger of two."""

from dataclasses import replace
from pathlib import Path

import pytest
from sympy import Expr, Max, Piecewise, Rational, sqrt
from test_whole_theorems import lemma_at, proved

from gaptron import GapMap, MarginLoss
from gaptron.coq.compiler import RefusedError, compiled
from gaptron.coq.development import development
from gaptron.coq.formal import asked, read
from gaptron.coq.reader import compare
from gaptron.symbols import K, m
from gaptron.theory.theorem import Theorem

CURVE = sqrt(1 + m**2) - m
KNEE = Max(1 - m / sqrt(2), 0) ** 2
HINGE = Max(1 - m, 0)


def of(loss: Expr, rate: Expr, gap_map: Expr) -> Theorem:
    """A margin loss without a name."""
    return Theorem(name="roots", loss=MarginLoss(loss), gap_map=GapMap(gap_map), learning_rate=rate)


WITH_ROOTS = {
    "one piece": of(CURVE, 1 / (20 * K), CURVE),
    "pieces that meet at a root": of(KNEE, 1 / (4 * K), KNEE),
    "a line and a curve": of(Piecewise((2 - m, m <= 1), (CURVE + 2 - sqrt(2), True)), 1 / (20 * K), HINGE),
    "the larger of a line and a curve": of(Max(CURVE, (1 - m) / 2 + Rational(1, 10)), 1 / (50 * K), HINGE / 2),
}


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.one_in(4)
@pytest.mark.parametrize("theorem", WITH_ROOTS.values(), ids=WITH_ROOTS)
def test_coq_accepts_losses_with_roots(theorem: Theorem, library: Path, tmp_path: Path) -> None:
    whole = development(*proved(theorem))
    found = read(whole, compiled(asked(whole), tmp_path, library))
    assert compare(theorem, [*whole.files.values()], found.statement) > 50


def refused_at(files: dict[str, str], name: str, library: Path, folder: Path) -> str:
    """The lemma that Coq refuses."""
    with pytest.raises(RefusedError) as refused:
        compiled(files, folder, library)
    return lemma_at(files[name], refused.value.line)


@pytest.mark.slow
@pytest.mark.coq
def test_coq_refuses_a_larger_rate_and_a_slope_without_a_value(library: Path, tmp_path: Path) -> None:
    theorem, certificates = proved(WITH_ROOTS["one piece"])
    whole, faster = development(theorem, certificates), development(replace(theorem, learning_rate=2 / K), certificates)
    name = f"{whole.module}.v"
    assert refused_at(faster.files, name, library, tmp_path) == "right_gap"
    unknown = whole.files[name].replace("know (loss_convex", "know (loss_nonnegative")
    assert unknown != whole.files[name]
    assert refused_at({**whole.files, name: unknown}, name, library, tmp_path) == "phi_pieces"
