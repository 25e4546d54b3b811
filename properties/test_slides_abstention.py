"""Slides, abstention at cost c < 1 instead of guessing: expected cost <= sum loss_t(U) + c_loss X^2 ||U||^2."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gaptron.bounds.exact_stream import exact_sides
from gaptron.learners import AbstainingGaptron
from gaptron.testing import Stream, strongest
from gaptron.theory.theorem import Theorem
from properties import bound_of

NAMES = ("logistic", "hinge", "smooth hinge")
COSTS = tuple(map(Fraction, ("0", "1/2", "9/10")))
SHARP = (
    Stream.of(2, ["1"], [1]),
    Stream.of(2, ["1", "1"], [1, 1]),
    Stream.of(3, ["1"] * 4, [1] * 4),
    Stream.of(2, ["1 0", "0 1"], [1, 1]),
)


def theorem(loss: str, cost: Fraction) -> Theorem:
    """The slides' theorem for a loss, at one cost."""
    general = bound_of.theorem("slides/abstention_losses", f"abstention, {loss}")
    return general.at(dict.fromkeys(general.parameters, cost))


THEOREMS = {(loss, cost): theorem(loss, cost) for loss in NAMES for cost in COSTS}
ANY = st.sampled_from(sorted(THEOREMS)).flatmap(
    lambda key: st.tuples(st.just(THEOREMS[key]), bound_of.aimed(THEOREMS[key]))
)


@pytest.mark.slow
@given(case=ANY)
def test_cost_bound(case: tuple[Theorem, Stream]) -> None:
    bound_of.check(*case)


@pytest.mark.few(1)
@pytest.mark.parametrize("stream", SHARP, ids=repr)
def test_cost_bound_on_sharp_streams(stream: Stream) -> None:
    for at_a_cost in THEOREMS.values():
        bound_of.check(at_a_cost, stream)


@pytest.mark.few(5)
@pytest.mark.parametrize("key", THEOREMS, ids=str)
def test_the_learner_has_this_cost(key: tuple[str, Fraction]) -> None:
    """In doubles, on a stream without ties."""
    loss, cost = key
    stream = Stream.of(3, ["1 0", "3/5 4/5", "1/8 1", "-3/5 4/5"], [1, 2, 0, 2], feature_norm=2)
    learner = AbstainingGaptron(3, 2, loss=loss, abstention_cost=float(cost), feature_norm=2)
    lived = learner.run(np.array(stream.rounds, dtype=float), stream.labels)
    U = strongest(stream.game(THEOREMS[key]), stream)
    assert float(exact_sides(THEOREMS[key], stream, U).mistakes) == pytest.approx(lived.expected_cost, abs=1e-9)


def test_at_the_price_of_a_guess_it_is_theorem_3() -> None:
    """c = (K - 1)/K, here 1/2 for K = 2: the same cost, the same regret."""
    guess = bound_of.theorem("gaptron/theorem3_smooth_hinge", "Theorem 3, smooth hinge")
    stream = SHARP[3]
    U = strongest(stream.game(guess), stream)
    assert exact_sides(THEOREMS["smooth hinge", Fraction(1, 2)], stream, U) == exact_sides(guess, stream, U)
