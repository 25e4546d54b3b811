"""Gap maps of softmax losses that are at most 1 because p* >= 1/K is positive: written without a minimum or maximum."""

from pathlib import Path

import pytest
from sympy import Expr, Rational, log
from test_whole_theorems import proved, refuse_other_data

from gaptron import GapMap, SoftmaxLoss
from gaptron.coq.development import development
from gaptron.coq.formal import asked, read
from gaptron.coq.library import compiled
from gaptron.coq.reader import compare
from gaptron.symbols import K, p
from gaptron.theory.theorem import Theorem

MAPS = {"a line": 1 - p, "a quotient": (1 - p) / (1 + p), "of K": (1 - p) * K / (K + 1)}


def of(gap_map: Expr, cost: Expr | None = None) -> Theorem:
    """The logistic loss in base 2 with a gap map."""
    return Theorem(
        name="untruncated",
        loss=SoftmaxLoss(-2 * log(p)),
        gap_map=GapMap(gap_map),
        learning_rate=1 / (90 * K),
        abstention_cost=cost,
    )


THEOREMS = {name: of(gap_map) for name, gap_map in MAPS.items()} | {"abstaining": of(1 - p, Rational(1, 4))}


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.one_in(4)
@pytest.mark.parametrize("theorem", THEOREMS.values(), ids=THEOREMS)
def test_coq_accepts_them(theorem: Theorem, library: Path, tmp_path: Path) -> None:
    whole = development(*proved(theorem))
    found = read(whole, compiled(asked(whole), tmp_path, library))
    assert compare(theorem, [*whole.files.values()], found.statement) > 50


@pytest.mark.slow
@pytest.mark.coq
def test_coq_refuses_a_map_that_is_above_1(library: Path, tmp_path: Path) -> None:
    found = proved(of(1 - p))
    name, text = next(iter(development(*found).files.items()))
    compiled({name: text}, tmp_path, library)
    refuse_other_data(found, of(Rational(101, 100) - p), tmp_path, library, "conditions")
