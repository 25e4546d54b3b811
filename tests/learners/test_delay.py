"""Labels that arrive late: n + 1 copies that take turns, and nothing is learned before its time."""

from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp

from gaptron import Gaptron
from gaptron.expectation import expected
from gaptron.learners.saving import load, save

RNG = np.random.default_rng(0)
X = RNG.integers(-3, 4, size=(23, 2)) / 8
Y = RNG.integers(3, size=23)
KINDS: list[dict[str, Any]] = [
    {},
    {"loss": "logistic", "update": "proximal"},
    {"loss": "hinge", "radius": 0.25},
    {"loss": "hinge", "update": "proximal", "exact": True},
    {"ties": "fair"},
]


def new(delay: int, **kind: Any) -> Gaptron:
    return Gaptron(3, 2, delay=delay, seed=5, **kind)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("delay", [0, 1, 3])
def test_a_run_is_that_of_learners_who_take_turns(delay: int, kind: dict[str, Any]) -> None:
    done = new(delay, **kind).run(X, Y)
    for turn in range(delay + 1):
        rounds = slice(turn, None, delay + 1)
        alone = new(0, **kind).run(X[rounds], Y[rounds])
        for part in ("label_probability", "loss", "off"):
            assert getattr(done, part)[rounds].tolist() == getattr(alone, part).tolist()


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("late", [0, 1, 3])
def test_labels_that_arrive_late_give_what_a_run_gives(late: int, kind: dict[str, Any]) -> None:
    """A run knows each label at once; as late as the delay allows, or earlier, the predictions are the same."""
    whole, learner = new(3, **kind), new(3, **kind)
    done = whole.run(X, Y)
    for t, x in enumerate(X):
        assert learner.predict_proba(x)[Y[t]] == done.label_probability[t]
        assert (learner.predict(x) != Y[t]) == done.wrong[t]
        if t >= late:
            learner.update(X[t - late], int(Y[t - late]))
    assert learner.waiting == late
    for t in range(len(X) - late, len(X)):
        learner.update(X[t], int(Y[t]))
    assert np.array_equal(learner.W, whole.W)
    assert (learner.turn, learner.waiting) == (whole.turn, 0)


def test_no_prediction_depends_on_labels_that_have_not_arrived() -> None:
    other = (Y + 1) % 3
    one, two = new(2), new(2)
    one.run(X[:10], Y[:10])
    two.run(X[:10], Y[:10])
    for t in (10, 11, 12):  # the label of round 10 changes nothing before round 13
        assert one.predict_proba(X[t]).tolist() == two.predict_proba(X[t]).tolist()
        one.update(X[t], int(Y[t]))
        two.update(X[t], int(other[t]))
    assert one.predict_proba([1, 0]).tolist() != two.predict_proba([1, 0]).tolist()


def test_a_round_in_which_n_plus_1_others_wait_is_refused() -> None:
    learner = new(1)
    for _ in range(2):
        learner.predict([1, 0])
    for ask in (learner.predict, learner.predict_proba):
        with pytest.raises(
            ValueError, match=r"^waiting = 2: with delay = 1 the earliest round is to be updated first$"
        ):
            ask([1, 0])
    with pytest.raises(ValueError, match=r"^waiting = 2: rounds that wait for a label are to be updated before a run$"):
        learner.run(X, Y)
    with pytest.raises(ValueError, match="is not a label"):
        learner.update([1, 0], 9)
    assert learner.waiting == 2
    learner.update([1, 0], 0)
    learner.predict([1, 0])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"delay": -1}, "delay = -1 is not an integer >= 0"),
        ({"delay": 1.5}, "delay = 1.5 is not an integer >= 0"),
        ({"delay": True}, "delay = True is not an integer >= 0"),
        (
            {"delay": 2, "feedback": "bandit", "radius": 1, "horizon": 9},
            'delay = 2: with feedback = "bandit" it must be 0',
        ),
    ],
)
def test_what_is_no_delay(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError) as caught:  # noqa: PT011
        Gaptron(3, 2, **arguments)
    assert str(caught.value) == message


def test_rounds_that_wait_are_saved(tmp_path: Path) -> None:
    learner = new(3)
    learner.run(X, Y)
    learner.predict(X[0])
    learner.predict(X[1])
    save(learner, tmp_path / "saved")
    resumed: Any = load(tmp_path / "saved")
    for one in (learner, resumed):
        one.update(X[0], 1)
        one.predict(X[2])
        one.update(X[1], 2)
    assert (resumed.turn, resumed.waiting, resumed.delay) == (learner.turn, 1, 3)
    assert resumed.predict_proba([1, 0]).tolist() == learner.predict_proba([1, 0]).tolist()


def test_the_expectation_is_that_of_the_run() -> None:
    learner = new(2, loss="hinge", exact=True)
    found = expected(learner, X, Y, comparator=[[Fraction(1), 0], [0, 0], [0, 1]])
    assert found.mistakes == learner.run(X, Y).expected_mistakes
    assert new(0, loss="hinge", exact=True).run(X, Y).expected_mistakes != found.mistakes


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("kind", [{"loss": "hinge"}, {"loss": "logistic", "update": "proximal"}])
def test_a_compiled_run_with_a_delay_is_that_of_the_reference(kind: dict[str, Any], sparse: bool) -> None:
    """From a copy in the middle of its turns on, as well."""
    rng = np.random.default_rng(4)
    rows, labels = rng.integers(-2, 3, (41, 2)) / 4, rng.integers(0, 3, 41)
    reference, compiled = new(3, **kind), new(3, **kind)
    for part in (slice(0, 10), slice(10, 41)):
        slow = reference.run(rows[part], labels[part], compiled=False)
        given = sp.csr_matrix(rows[part]) if sparse else rows[part]
        fast = compiled.run(given, labels[part], compiled=True)
        assert np.allclose(fast.label_probability, slow.label_probability, rtol=1e-9, atol=1e-12)
        assert fast.mistakes == slow.mistakes
        assert compiled.turn == reference.turn
        assert np.allclose(compiled.W, reference.W, rtol=1e-9, atol=1e-12)
    assert compiled.rng.random() == reference.rng.random()


def test_what_has_no_compiled_run_with_a_delay() -> None:
    """A projection is of each copy alone; a round that has begun is ended first."""
    with pytest.raises(ValueError, match="has no compiled run"):
        new(2, radius=1).run(X, Y, compiled=True)
    learner = new(2)
    learner.predict([1, 0])
    with pytest.raises(ValueError, match="waiting = 1: rounds that wait"):
        learner.run(X, Y, compiled=True)
