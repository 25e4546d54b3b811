"""Losses with square roots as whole theorems: roots of one piece, pieces that meet at a root, the larger of two."""

from dataclasses import replace
from pathlib import Path

import pytest
from sympy import Expr, Max, Piecewise, Rational, sqrt
from test_whole_theorems import UNCERTIFIED, proved

from gaptron import GapMap, MarginLoss
from gaptron.coq.development import development
from gaptron.coq.formal import asked, read
from gaptron.coq.library import compiled
from gaptron.coq.reader import compare
from gaptron.coq.script import OutOfScopeError
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


@pytest.mark.slow
def test_a_larger_rate_has_no_certificate() -> None:
    theorem, certificates = proved(WITH_ROOTS["one piece"])
    with pytest.raises(OutOfScopeError, match=UNCERTIFIED):
        development(replace(theorem, learning_rate=2 / K), certificates)
