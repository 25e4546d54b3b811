"""Slides, smooth losses for K = 2: with eta = 1/(H K) every H-smooth loss has E[mistakes] <= sum loss_t(U) + H ||U||^2.

The slides print eta = 2/(H K) and so half of that regret. That bound is false: two rounds of the smooth hinge break it.
"""

from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given
from hypothesis import strategies as st

from gaptron import BinaryLoss, GapMap, Theorem
from gaptron.symbols import m, z
from gaptron.testing import Stream, streams
from properties import bound_of

OBLIQUE = Stream.of(2, ["1 0", "-5/13 12/13"], [0, 0])
SHARP = (Stream.of(2, ["1"], [1]), OBLIQUE, Stream.of(2, ["1"] * 6, [1, 0, 1, 0, 1, 0]))


def smooth_loss(width: Fraction, curvature: Fraction) -> tuple[sp.Expr, Fraction]:
    """(1 - z/width)^2 up to z = width, and curvature z^2 - (2/width) z + 1 below 0; with its H."""
    w, c = sp.Rational(str(width)), sp.Rational(str(curvature))
    inside = (1 - z / w) ** 2
    return sp.Piecewise((c * z**2 - 2 * z / w + 1, z < 0), (inside, z <= w), (0, True)), 2 * max(width**-2, curvature)


def theorem(loss: sp.Expr, rate: Fraction) -> Theorem:
    """The slides' learner: the gap map is the loss of the predicted label; the regret is 1/(2 eta)."""
    eta = sp.Rational(str(rate))
    return Theorem(
        name=f"slides, {loss}",
        loss=BinaryLoss(plus=loss),
        gap_map=GapMap(loss.subs(z, m)),
        learning_rate=eta,
        regret=1 / (2 * eta),
    )


WIDTHS, CURVATURES = [Fraction(1), Fraction(1, 2), Fraction(2)], [Fraction(0), Fraction(1, 2), Fraction(3)]
CORRECTED = [theorem(loss, 1 / (2 * H)) for w in WIDTHS for c in CURVATURES for loss, H in [smooth_loss(w, c)]]
PRINTED = theorem(smooth_loss(Fraction(1), Fraction(0))[0], Fraction(1, 2))


@given(case=st.sampled_from(CORRECTED).flatmap(lambda corrected: st.tuples(st.just(corrected), streams(corrected))))
def test_mistake_bound(case: tuple[Theorem, Stream]) -> None:
    bound_of.check(*case)


@pytest.mark.slow
@pytest.mark.parametrize("stream", SHARP, ids=repr)
def test_mistake_bound_on_sharp_streams(stream: Stream) -> None:
    for corrected in CORRECTED:
        bound_of.check(corrected, stream)


def test_the_printed_learning_rate_breaks_its_bound() -> None:
    """H = 2: 443/338 mistakes, and 26/21 is the bound at U = 13/21 (x_1 + x_2)."""
    with pytest.raises(AssertionError, match="expected mistakes 443/338 > comparator loss 338/441 \\+ regret 208/441"):
        bound_of.assert_bound(PRINTED, OBLIQUE, [[Fraction(8, 21), Fraction(4, 7)]])


def test_the_printed_bound_by_hand() -> None:
    """W_1 = 0; the step is 2 eta x_1 = x_1, so that x_2 has score -5/13 and is predicted wrong."""
    first, score, eta = Fraction(1, 2), Fraction(-5, 13), Fraction(1, 2)
    assert 2 * eta == 1
    second = 1 - (1 - abs(score)) ** 2 / 2
    u = (Fraction(8, 21), Fraction(4, 7))
    margins = (u[0], score * u[0] + Fraction(12, 13) * u[1])
    assert margins == (Fraction(8, 21), Fraction(8, 21))
    bound = sum((1 - margin) ** 2 for margin in margins) + u[0] ** 2 + u[1] ** 2
    assert (first + second, bound) == (Fraction(443, 338), Fraction(26, 21))
    assert first + second > bound
