"""gaptron.testing: what a user's own suite gets."""

import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sympy import Max, Min, Rational, sqrt

from gaptron import BinaryLoss, GapMap, Gaptron, Parameter, Theorem
from gaptron.bounds.exact_stream import exact_sides
from gaptron.symbols import D, K, T, X, m, z
from gaptron.system.extras import install
from gaptron.testing import Stream, assert_bound, assert_theorem, streams, strongest
from gaptron.testing.assertion import instances
from properties import bound_of

SQUARED = Theorem(
    name="squared hinge",
    loss=BinaryLoss(plus=Max(1 - z, 0) ** 2),
    gap_map=GapMap(Max(1 - m, 0) ** 2),
    learning_rate=Rational(1, 4),
    regret=2,
)
SMOOTH = bound_of.theorem("gaptron/theorem3_smooth_hinge", "Theorem 3, smooth hinge")
SHIPPED = {
    "full": SMOOTH,
    "softmax": bound_of.theorem("gaptron/theorem1_logistic", "Theorem 1, logistic"),
    "binary": SQUARED,
    "bandit": bound_of.theorem("gaptron/theorem5_bandit_hinge", "Theorem 5, bandit hinge"),
    "bandit softmax": bound_of.theorem("gaptron/theorem4_bandit_logistic", "Theorem 4, bandit logistic"),
    "abstention": bound_of.theorem("slides/abstention_losses", "abstention, smooth hinge"),
}


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", SHIPPED)
def test_a_true_theorem_passes_on_streams(kind: str) -> None:
    assert_theorem(SHIPPED[kind], prove=False, examples=5, max_rounds=3)


@pytest.mark.slow
@pytest.mark.usefixtures("lent")
def test_a_true_theorem_is_proved() -> None:
    assert_theorem(SQUARED, examples=5)


@pytest.mark.usefixtures("lent")
def test_a_false_theorem_is_refuted_with_its_round() -> None:
    with pytest.raises(AssertionError) as caught:
        assert_theorem(replace(SQUARED, learning_rate=Rational(1, 3), regret=Rational(3, 2)))
    assert '"squared hinge" is REFUTED' in str(caught.value)
    assert "gap = " in str(caught.value)


@pytest.mark.slow
def test_a_broken_bound_is_shown_with_both_sides() -> None:
    """The witness is a stream that can be pasted into a test, U, and the numbers."""
    with pytest.raises(AssertionError) as caught:
        assert_theorem(replace(SQUARED, regret=Rational(1, 4)), prove=False)
    said = str(caught.value)
    assert 'the bound of "squared hinge" is broken on' in said
    assert all(word in said for word in ("round 0: x = ", "label", "U = ", "expected mistakes", "comparator loss"))
    line = next(line for line in said.splitlines() if "Stream.of(" in line)
    stream = eval(line.strip(), {"Stream": Stream})  # noqa: S307
    with pytest.raises(AssertionError, match="is broken on"):
        assert_bound(replace(SQUARED, regret=Rational(1, 4)), stream)


@pytest.mark.slow
def test_a_bandit_theorem_is_broken_too() -> None:
    mutant = replace(SHIPPED["bandit"], regret=K * X * D * sqrt(T) / 1000)
    with pytest.raises(AssertionError, match="radius="):
        assert_theorem(mutant, prove=False, max_rounds=2)


@pytest.mark.slow
def test_a_cost_of_abstaining_that_is_too_high_is_broken() -> None:
    """The learning rate and regret of c = 0, at c = 9/10."""
    (free,) = [theorem for theorem in instances(SHIPPED["abstention"]) if theorem.abstention_cost == 0]
    with pytest.raises(AssertionError, match="is broken on"):
        assert_theorem(replace(free, abstention_cost=Rational(9, 10), sharp_at=None), prove=False)


def test_parameters_are_tried_at_the_ends_and_in_the_middle() -> None:
    w = Parameter("w", 1, 3)
    theorem = replace(SQUARED, learning_rate=1 / (4 * w), regret=2 * w)
    assert [instance.regret for instance in instances(theorem)] == [2, 4, 6]
    assert list(instances(SQUARED)) == [SQUARED]


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(kind=st.sampled_from(sorted(set(SHIPPED) - {"abstention"})), data=st.data())
def test_streams_are_streams_of_the_theorem(kind: str, data: st.DataObject) -> None:
    theorem = SHIPPED[kind]
    stream = data.draw(streams(theorem, max_classes=3, max_features=2, max_rounds=4))
    assert theorem.claims(stream.n_classes)
    assert 1 <= len(stream.rounds) == len(stream.labels) <= 4
    assert all(sum(v * v for v in x) <= stream.feature_norm**2 for x in stream.rounds)
    assert set(stream.labels) <= set(range(stream.n_classes))
    assert (stream.radius is None) == (theorem.feedback == "full")
    assert eval(repr(stream), {"Stream": Stream}) == stream  # noqa: S307


@pytest.mark.slow
def test_streams_are_aimed_at_a_learner_of_ones_own() -> None:
    """It is given what the stream teaches; that it learns three times as fast changes what is drawn against it."""
    taught: list[Any] = []

    def hasty(learner: Any) -> Any:
        learner.learning_rate *= 3
        taught.append(learner)
        return learner

    own, others = (bound_of.drawn(SMOOTH, 100, learner=aim) for aim in (None, hasty))
    assert taught
    assert all(type(learner) is Gaptron for learner in taught)
    assert any(learner.W.any() for learner in taught)
    assert own != others


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(stream=streams(SMOOTH, max_rounds=4))
def test_the_strongest_comparator_is_at_least_as_strong_as_zero(stream: Stream) -> None:
    zero = [[0] * stream.n_features] * stream.n_classes
    U = strongest(stream.game(SMOOTH), stream)
    assert exact_sides(SMOOTH, stream, U).slack <= exact_sides(SMOOTH, stream, zero).slack + Fraction(1, 10**5)


def test_the_strongest_comparator_of_one_round() -> None:
    """min over u of (1 - u)^2 + 2 u^2 is at u = 1/3."""
    stream = Stream.of(2, ["1"], [0])
    ((u,),) = strongest(stream.game(SQUARED), stream)
    assert abs(u - Fraction(1, 3)) < Fraction(1, 10**4)


@pytest.mark.slow
@settings(max_examples=10, deadline=None)
@given(stream=streams(SHIPPED["bandit"], max_rounds=3))
def test_a_bandit_comparator_stays_in_its_ball(stream: Stream) -> None:
    U = strongest(stream.game(SHIPPED["bandit"]), stream)
    assert sum(v * v for row in U for v in row) <= stream.radius**2


def test_a_theorem_for_few_classes_gets_these() -> None:
    few = replace(SMOOTH, classes=range(5, 7), gap_map=GapMap((1 - Min(1, m)) ** 2))
    assert_theorem(few, prove=False, examples=3, max_classes=3, max_rounds=2)


def test_what_is_no_theorem_gets_a_sentence() -> None:
    with pytest.raises(TypeError, match="'hinge' is not a gaptron"):
        assert_theorem("hinge")  # type: ignore[arg-type]


def test_without_hypothesis_one_sentence() -> None:
    code = "import sys; sys.modules['hypothesis'] = None; import gaptron.testing"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=Path(__file__).parents[2], capture_output=True, text=True, check=False
    )
    last = done.stderr.strip().splitlines()[-1]
    assert last.endswith(f"MissingExtraError: gaptron.testing needs Hypothesis: {install('testing')}")
