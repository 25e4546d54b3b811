"""What the shared step makes of balls contains what it makes of every number in them, or is refused."""

from fractions import Fraction
from types import SimpleNamespace

import flint
import pytest
from sympy import log

from gaptron import GapMap, SoftmaxLoss, Theorem
from gaptron.learners.surrogates import in_exact_numbers
from gaptron.numbers.kinds import Balls, UncertainError
from gaptron.rounds import Lists, of_theorem
from gaptron.rounds.layouts import mixed
from gaptron.rounds.step import Step
from gaptron.symbols import p

OPEN = Theorem(name="open", loss=SoftmaxLoss(-log(p) / log(2)), gap_map=GapMap(1 - p))
TIED = [flint.arb(0, 1e-30), flint.arb(0, 1e-30), flint.arb(-3)]


@pytest.mark.parametrize("label", [0, 1])
def test_a_share_near_1_does_not_hide_the_top_label(label: int) -> None:
    share, found = Fraction(2**20 - 1, 2**20), SimpleNamespace(top=0)
    enclosed = Lists(Balls()).chances(flint.arb(1, 2.0**-20), 6, found, label)
    for exact, ball in zip(mixed(share, 6, label == 0), enclosed, strict=True):
        assert ball.contains(flint.fmpq(exact.numerator, exact.denominator))


def test_an_open_top_label_is_refused() -> None:
    surrogate, layout = in_exact_numbers(OPEN, 3), Lists(Balls())
    with pytest.raises(UncertainError):
        surrogate.gap(TIED)
    step = Step(of_theorem(OPEN, 3, layout), layout.one, most=layout.most)
    with pytest.raises(UncertainError):
        step.chances(step.surrogate.at(TIED), 0)
