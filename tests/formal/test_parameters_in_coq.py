"""Parameters of a theorem file whose names the proofs might have: the theorem is accepted as by any other name."""

from pathlib import Path

import pytest
from sympy import Max, Piecewise, Rational, log
from test_whole_theorems import proved

from gaptron import BinaryLoss, GapMap, MarginLoss, Parameter, SoftmaxLoss
from gaptron.coq.development import development
from gaptron.coq.formal import asked, read
from gaptron.coq.library import compiled
from gaptron.coq.reader import compare
from gaptron.symbols import K, m, p, z
from gaptron.theory.theorem import Theorem

g, r = Parameter("g", 1, 2), Parameter("r", 1, 2)
TRUNCATED = GapMap(Piecewise((1 - p, p >= Rational(1, 2)), (1, True)))
SQUARE = Max(1 - m, 0) ** 2
NAMED = {
    "a margin loss": Theorem(
        name="named", loss=MarginLoss(g * SQUARE), gap_map=GapMap(SQUARE), learning_rate=1 / (8 * K)
    ),
    "one vector": Theorem(
        name="named", loss=BinaryLoss(plus=g * Max(1 - z, 0) ** 2), gap_map=GapMap(SQUARE), learning_rate=1 / (8 * K)
    ),
    "a softmax loss": Theorem(
        name="named", loss=SoftmaxLoss(-log(p, 2)), gap_map=TRUNCATED, learning_rate=r * log(2) / (4 * K)
    ),
}


@pytest.mark.slow
@pytest.mark.coq
@pytest.mark.parametrize("theorem", NAMED.values(), ids=NAMED)
def test_coq_accepts_parameters_by_any_name(theorem: Theorem, library: Path, tmp_path: Path) -> None:
    whole = development(*proved(theorem))
    found = read(whole, compiled(asked(whole), tmp_path, library))
    assert compare(theorem, [*whole.files.values()], found.statement) > 30
