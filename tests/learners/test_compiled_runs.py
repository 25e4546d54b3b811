"""Compiled runs of whole streams, against the reference that lives them round by round."""

import math
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from dataclasses import fields
from importlib import import_module
from itertools import pairwise
from types import ModuleType
from typing import Any

import mpmath
import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sympy import Max, exp, log

from gaptron import Gaptron, MarginLoss, SoftmaxLoss, Theorem
from gaptron.door.reading import read
from gaptron.learners import SOBA, Banditron, Perceptron
from gaptron.learners import compiled as fast
from gaptron.learners.compiled.learner_rules import rule_of
from gaptron.learners.record import Run
from gaptron.rounds.proximal_softmax import SoftmaxSteps
from gaptron.symbols import K, m, p
from gaptron.system.extras import install

LOSSES = ("logistic", "hinge", "smooth hinge")
WITHOUT_LOGARITHMS = LOSSES[1:]
KINDS = [np.asarray, sp.csr_matrix]
WIDE = 64  # from here on dense rounds are read in blocks
WIDTHS = st.integers(1, 40) | st.integers(WIDE, WIDE + 20)
Build = Callable[[], Any]


@pytest.fixture(scope="module", autouse=True)
def _kernels() -> None:
    """Compiled or loaded here, since no example may take long."""
    Gaptron(2, 1).run([[1.0]], [0], compiled=True)


def gaptron(K: int, d: int, loss: str, feedback: str, radius: float = math.inf, **given: Any) -> Gaptron:
    given = {"exploration": 0.25, "feature_norm": 4.0} | given
    return Gaptron(K, d, loss=loss, feedback=feedback, radius=radius, **given)


def stream(seed: int, T: int, d: int, K: int) -> tuple[np.ndarray, np.ndarray]:
    """Half of the features zero, labels mostly those of a linear classifier."""
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(T, d)) * (rng.random((T, d)) < 0.5)
    X *= 4 / np.maximum(np.linalg.norm(X, axis=1), 4)[:, None]
    best = (X @ rng.normal(size=(d, K))).argmax(axis=1)
    return X, np.where(rng.random(T) < 0.8, best, rng.integers(K, size=T))


def dyadic(seed: int, T: int, d: int, K: int) -> tuple[np.ndarray, np.ndarray]:
    """A stream whose sums are exact for a while: features are multiples of 1/2."""
    rng = np.random.default_rng(seed)
    return rng.integers(-2, 3, size=(T, d)) / 2, rng.integers(K, size=T)


def both(build: Build, X: Any, y: np.ndarray) -> tuple[tuple[Any, Run], tuple[Any, Run]]:
    """A learner and its run: the reference, and compiled."""
    reference, compiled = build(), build()
    return (reference, reference.run(X, y, compiled=False)), (compiled, compiled.run(X, y, compiled=True))


def before_a_tie(build: Build, X: np.ndarray, y: np.ndarray) -> int:
    """How many rounds come before rounding says which of two scores is larger, also of equal rows."""
    learners = build(), build()
    for t in range(len(X)):
        if any(_is_near(learner.W, X[t]) for learner in learners):
            return t
        for learner, compiled in zip(learners, (False, True), strict=True):
            learner.run(X[t : t + 1], y[t : t + 1], compiled=compiled)
    return len(X)


def _is_near(W: np.ndarray, x: np.ndarray) -> bool:
    scores = W @ x
    order = np.argsort(scores)
    pairs = [(i, j) for i, j in pairwise(order) if scores[j] - scores[i] < 1e-12]
    return any(scores[i] != scores[j] or (W[i] != W[j]).any() for i, j in pairs)


def draws_after(learner: Any) -> list[float]:
    """What the generator gives next, among it the half of a 64-bit draw it may keep."""
    return [*learner.rng.integers(7, size=3, dtype=np.int32), learner.rng.random()]


def assert_close(left: tuple[Any, Run], right: tuple[Any, Run], tolerance: float) -> None:
    """The same draws and mistakes; numbers within a relative tolerance, 0 for the same bits."""
    np.testing.assert_allclose(right[0].W, left[0].W, rtol=tolerance, atol=tolerance)
    for field in fields(Run):
        found, expected = (getattr(run, field.name) for run in (right[1], left[1]))
        assert np.asarray(found).dtype == np.asarray(expected).dtype
        np.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance, err_msg=field.name)
    np.testing.assert_array_equal(left[1].wrong, right[1].wrong)
    assert draws_after(left[0]) == draws_after(right[0])


# --- the same run -------------------------------------------------------------------------------------------


@pytest.mark.slow
@settings(max_examples=60, deadline=None)  # the first learner of a loss compiles it
@given(
    seed=st.integers(0, 2**32 - 1),
    shape=st.tuples(st.integers(0, 60), WIDTHS, st.integers(2, 10)),
    loss=st.sampled_from(LOSSES),
    feedback=st.sampled_from(["full", "bandit"]),
    radius=st.sampled_from([math.inf, 2.0, 0.1]),
    kind=st.sampled_from(KINDS),
)
def test_gaptron_makes_the_same_draws_and_mistakes(
    seed: int, shape: tuple[int, int, int], loss: str, feedback: str, radius: float, kind: Callable[..., Any]
) -> None:
    T, d, K = shape
    X, y = stream(seed, T, d, K)
    assert_close(*both(lambda: gaptron(K, d, loss, feedback, radius, seed=seed), kind(X), y), 1e-9)


@settings(max_examples=60)
@given(
    seed=st.integers(0, 2**32 - 1),
    shape=st.tuples(st.integers(1, 40), WIDTHS, st.sampled_from([2, 4, 8])),
    loss=st.sampled_from(["hinge", "perceptron"]),
    kind=st.sampled_from(KINDS),
)
def test_where_every_sum_is_exact_every_bit_is_the_same(
    seed: int, shape: tuple[int, int, int], loss: str, kind: Callable[..., Any]
) -> None:
    T, d, K = shape
    X, y = dyadic(seed, T, d, K)
    rate = {"learning_rate": 1 / 64, "exploration": 0.0, "seed": seed}
    build = (
        (lambda: Perceptron(K, d, seed=seed)) if loss == "perceptron" else lambda: gaptron(K, d, loss, "full", **rate)
    )
    assert_close(*both(build, kind(X), y), 0)


@given(seed=st.integers(0, 2**32 - 1), T=st.integers(1, 6), loss=st.sampled_from(WITHOUT_LOGARITHMS))
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("feedback", ["full", "bandit"])
@pytest.mark.parametrize("d", [3, WIDE])
def test_short_dyadic_streams_are_the_same_bits_for_every_loss(
    d: int, kind: Callable[..., Any], feedback: str, seed: int, T: int, loss: str
) -> None:
    X, y = dyadic(seed, T if d < WIDE else 4, d, 4)  # a block: its squared margins have 42 bits behind the point
    rate = {"learning_rate": 1 / 64, "exploration": 1.0, "seed": seed}
    assert_close(*both(lambda: gaptron(4, d, loss, feedback, **rate), kind(X), y), 0)


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("feedback", ["full", "bandit"])
@pytest.mark.parametrize("radius", [math.inf, 0.1, 0.01])
def test_rounds_read_together_are_learned_one_after_the_other(radius: float, feedback: str, loss: str) -> None:
    """Blocks, what is left at the end, every remainder of K by three, and projections that need ||x_t||."""
    for n_classes in (2, 3, 5, 7):
        X, y = stream(n_classes, 63, WIDE + n_classes, n_classes)

        def build(n_classes: int = n_classes) -> Gaptron:
            return gaptron(n_classes, WIDE + n_classes, loss, feedback, radius, seed=1)

        assert_close(*both(build, X, y), 1e-9)


@settings(max_examples=40)
@given(
    seed=st.integers(0, 2**32 - 1),
    shape=st.tuples(st.integers(1, 60), WIDTHS, st.integers(2, 10)),
    learner=st.sampled_from([Perceptron, Banditron]),
    kind=st.sampled_from(KINDS),
)
def test_the_perceptrons_make_the_same_draws_and_mistakes(
    seed: int, shape: tuple[int, int, int], learner: type, kind: Callable[..., Any]
) -> None:
    T, d, K = shape
    X, y = stream(seed, T, d, K)
    given_ = {"exploration": 0.3} if learner is Banditron else {}
    assert_close(*both(lambda: learner(K, d, seed=seed, **given_), kind(X), y), 1e-9)


@pytest.mark.parametrize("bits", [np.random.PCG64, np.random.MT19937, np.random.Philox, np.random.SFC64])
def test_any_bit_generator_is_left_in_the_state_of_the_reference(bits: type) -> None:
    X, y = stream(1, 301, 5, 3)

    def build() -> Gaptron:
        return gaptron(3, 5, "logistic", "bandit", seed=np.random.Generator(bits(11)))

    assert_close(*both(build, X, y), 1e-9)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("radius", [math.inf, 1.0])
@pytest.mark.parametrize("d", [12, WIDE])
def test_a_run_in_pieces_is_the_whole_run(d: int, kind: Callable[..., Any], radius: float) -> None:
    X, y = stream(3, 500, d, 5)
    whole, pieces = (gaptron(5, d, "smooth hinge", "bandit", radius, seed=4) for _ in range(2))
    run = whole.run(kind(X), y, compiled=True)
    parts = [pieces.run(kind(X[a:b]), y[a:b], compiled=True) for a, b in ((0, 1), (1, 200), (200, 500))]
    np.testing.assert_array_equal(np.concatenate([part.wrong for part in parts]), run.wrong)
    np.testing.assert_allclose(np.concatenate([part.loss for part in parts]), run.loss, rtol=1e-9)
    np.testing.assert_allclose(pieces.W, whole.W, rtol=1e-9)
    assert draws_after(whole) == draws_after(pieces)


def test_a_run_continues_from_the_learners_state_and_keeps_its_array() -> None:
    X, y = stream(5, 200, 6, 3)
    reference, compiled = (gaptron(3, 6, "logistic", "full", seed=2) for _ in range(2))
    W = compiled.W
    for learner in (reference, compiled):
        learner.update(X[0], 1)
    assert_close((reference, reference.run(X, y, compiled=False)), (compiled, compiled.run(X, y, compiled=True)), 1e-9)
    assert compiled.W is W


@pytest.mark.few(1)
@pytest.mark.parametrize("d", [6, WIDE])
def test_thousands_of_projections_keep_the_norm(d: int) -> None:
    """The lazy scale falls below what is folded into the weights many times over, also within a block."""
    X, y = stream(6, 4000, d, 3)
    (reference, _), (compiled, _) = both(
        lambda: gaptron(3, d, "logistic", "full", 1e-3, learning_rate=1.0, seed=0), X, y
    )
    assert np.linalg.norm(compiled.W) == pytest.approx(1e-3, rel=1e-12)
    np.testing.assert_allclose(compiled.W, reference.W, rtol=1e-9, atol=1e-12)


def test_weights_that_start_outside_the_ball_are_projected() -> None:
    X, y = stream(7, 20, 4, 3)

    def build() -> Gaptron:
        learner = gaptron(3, 4, "smooth hinge", "full", 1.0, seed=0)
        learner.W[:] = np.arange(12).reshape(3, 4)
        return learner

    assert_close(*both(build, X, y), 1e-9)


# --- proximal updates ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module", params=["interpreted", pytest.param("compiled", marks=pytest.mark.slow)])
def _proximal_kernels(request: pytest.FixtureRequest) -> Iterator[None]:
    """Compiling them takes 20 seconds: by default Python itself runs the same lines."""
    with pytest.MonkeyPatch.context() as patch, np.errstate(all="ignore"):
        if request.param == "interpreted":
            patch.setattr("numba.config.DISABLE_JIT", True)
            kernels = _again("gradient_loops", patch)
            patch.setattr(kernels, "borrowed", lambda array: array)
            patch.setattr(kernels, "prefetch", lambda array, index: None)
            patch.setattr(kernels, "power", lambda shifted: 2.0 ** (shifted - kernels.SHIFT))
            patch.setattr(f"{fast.__name__}.learner_state.proximal_loops", _again("proximal_loops", patch))
        yield


def _again(name: str, patch: pytest.MonkeyPatch) -> ModuleType:
    """A module of the compiled runs, imported once more."""
    patch.setattr(fast, name, getattr(fast, name))  # an import binds it there
    patch.delitem(sys.modules, f"{fast.__name__}.{name}")
    return import_module(f"{fast.__name__}.{name}")


of_proximal_kernels = pytest.mark.usefixtures("_proximal_kernels")


def proximal_theorem(name: str, loss: MarginLoss | SoftmaxLoss, c: object) -> Theorem:
    return Theorem(name=name, loss=loss, decoder="best", update="proximal", regret=c)


PROXIMAL: dict[str, str | Theorem] = {name: name for name in LOSSES} | {
    "squared hinge": proximal_theorem("squared hinge", MarginLoss(Max(0, 1 - m) ** 2), K),
    "slopes 2 and 1": proximal_theorem("slopes 2 and 1", MarginLoss(Max(1 - 2 * m, 1 - m, 0)), 4 * K),
    "natural logistic": proximal_theorem("natural logistic", SoftmaxLoss(-2 * log(p)), 4),
}


def proximal(n_classes: int, d: int, loss: str, **given: Any) -> Gaptron:
    return Gaptron(n_classes, d, loss=PROXIMAL[loss], update="proximal", **({"feature_norm": 4.0} | given))


@of_proximal_kernels
@settings(max_examples=20, deadline=None)  # the reference solves a problem for each label
@given(
    seed=st.integers(0, 2**32 - 1),
    shape=st.tuples(st.integers(0, 40), st.integers(1, 20), st.sampled_from([2, 3, 8])),
    loss=st.sampled_from([*PROXIMAL]),
    tied=st.booleans(),
    kind=st.sampled_from(KINDS),
)
@example(seed=2**32 - 1, shape=(17, 11, 3), loss="smooth hinge", tied=False, kind=np.asarray)
@example(seed=891, shape=(19, 3, 2), loss="slopes 2 and 1", tied=True, kind=np.asarray)
@example(seed=3021706, shape=(27, 17, 3), loss="slopes 2 and 1", tied=True, kind=sp.csr_matrix)
def test_proximal_gaptron_makes_the_same_draws_and_mistakes(
    seed: int, shape: tuple[int, int, int], loss: str, tied: bool, kind: Callable[..., Any]
) -> None:
    """Among them streams of few different rows, whose rivals stay tied."""
    T, d, n_classes = shape
    X, y = stream(seed, T, d, n_classes)
    if tied:
        X = np.sign(X) / 4

    def build() -> Gaptron:
        return proximal(n_classes, d, loss, seed=seed)

    end = before_a_tie(build, X, y)
    assert_close(*both(build, kind(X[:end]), y[:end]), 1e-9)


@of_proximal_kernels
@pytest.mark.parametrize("loss", PROXIMAL)
def test_proximal_runs_never_leave_the_simplex_at_many_classes(loss: str) -> None:
    """The first rounds have all labels tied at needs that sum to 1 for the losses with a name."""
    X, y = stream(4, 12, 3, 100)
    assert_close(*both(lambda: proximal(100, 3, loss, seed=1), X, y), 1e-9)


@of_proximal_kernels
@pytest.mark.parametrize("loss", PROXIMAL)
@pytest.mark.parametrize("n_classes", [2, 3, 4, 5])
def test_proximal_rounds_read_together_are_learned_one_after_the_other(n_classes: int, loss: str) -> None:
    """Blocks, what is left at the end, and every remainder of K by three; from weights that tie nothing."""
    d = WIDE + n_classes
    X, y = stream(n_classes, 10, d, n_classes)

    def build() -> Gaptron:
        learner = proximal(n_classes, d, loss, seed=1)
        learner.W[:] = np.random.default_rng(0).normal(size=(n_classes, d)) / 9
        return learner

    assert before_a_tie(build, X, y) == len(X)
    assert_close(*both(build, X, y), 1e-9)


@of_proximal_kernels
@pytest.mark.parametrize("loss", ["smooth hinge", "logistic"])
@pytest.mark.parametrize("t", range(4, 8))
def test_a_proximal_block_is_left_at_a_row_that_is_refused(t: int, loss: str) -> None:
    """What its earlier rounds learned is kept, and what stands in the row is not met."""
    X, y = stream(5, 12, WIDE, 3)
    X[t] *= 1e3
    states = []
    for compiled in (False, True):
        learner = proximal(3, WIDE, loss, seed=2)
        with pytest.raises(ValueError, match="is more than feature_norm"):
            learner.run(X, y, compiled=compiled)
        states.append((learner.W, draws_after(learner)))
    np.testing.assert_allclose(states[1][0], states[0][0], rtol=1e-9, atol=1e-12)
    assert states[0][1] == states[1][1]


@of_proximal_kernels
@pytest.mark.parametrize("bad", [math.nan, math.inf])
@pytest.mark.parametrize("t", [0, 5, 11])
def test_a_proximal_run_refuses_a_feature_that_is_not_finite(t: int, bad: float) -> None:
    X, y = stream(10, 12, WIDE, 3)
    X[t, 1] = bad
    learner, untouched = (proximal(3, WIDE, "logistic", seed=1) for _ in range(2))
    with pytest.raises(ValueError, match=rf"X\[{t}, 1\] = {bad} is not finite"):
        learner.run(X, y, compiled=True)
    assert not learner.W.any()
    assert draws_after(learner) == draws_after(untouched)


@of_proximal_kernels
@pytest.mark.parametrize("rate", [1e-6, 0.05, 3.0, 1e3])
def test_a_step_that_is_linear_in_log_p_is_the_references_at_every_rate(rate: float) -> None:
    """Moves and envelopes of labels at the top, below it and tied, at rates far from the theorem's too."""
    from gaptron.learners.compiled import proximal_loops as kernels_of_proximal

    steps, rng = SoftmaxSteps([read(-2 * log(p))]), np.random.default_rng(0)
    rule, space, c = rule_of(proximal(4, 1, "natural logistic")), np.zeros((5, 4)), 1 / (2 * rate)
    for scores in (rng.normal(size=4), 30 * rng.normal(size=4), np.zeros(4), np.array([1e3, 0.0, 1e3, -1e3])):
        for y in range(4):
            moves = np.zeros(4)
            seen = kernels_of_proximal.look(rule, scores, moves, y, c, space)
            least = kernels_of_proximal.softmax_step(rule, scores, y, c, seen, math.inf, moves, space)
            expected = steps.step(scores.tolist(), y, c)
            np.testing.assert_allclose(moves, expected.move, rtol=1e-9, atol=1e-12)
            assert least == pytest.approx(expected.least, rel=1e-9, abs=1e-12)


def test_exponentials_are_right_to_two_units_in_the_last_place() -> None:
    from gaptron.learners.compiled import gradient_loops

    for z in [*-np.geomspace(1e-300, 708, 500), *-np.linspace(0, 40, 500), 0.0]:
        value, exact = gradient_loops.exp(float(z)), mpmath.exp(mpmath.mpf(float(z)))
        assert abs(value - exact) <= 2 * math.ulp(value)
    assert [gradient_loops.exp(z) for z in (0.0, -708.5, -2e100, -math.inf)] == [1.0, 0.0, 0.0, 0.0]


@of_proximal_kernels
def test_a_proximal_run_in_pieces_is_the_whole_run() -> None:
    X, y = stream(3, 300, 12, 5)
    whole, pieces = (proximal(5, 12, "logistic", seed=4) for _ in range(2))
    run = whole.run(X, y, compiled=True)
    parts = [pieces.run(X[a:b], y[a:b], compiled=True) for a, b in ((0, 1), (1, 200), (200, 300))]
    np.testing.assert_array_equal(np.concatenate([part.wrong for part in parts]), run.wrong)
    np.testing.assert_allclose(pieces.W, whole.W, rtol=1e-9)
    assert draws_after(whole) == draws_after(pieces)


@pytest.mark.few(14)
@of_proximal_kernels
@pytest.mark.parametrize("loss", PROXIMAL)
@pytest.mark.parametrize(
    ("given", "factor", "error"),
    [
        ({}, 1.001, "is more than feature_norm"),
        ({"learning_rate": 4.0}, 1.0, "need probabilities that sum to"),
        ({"feature_norm": 4e-30}, 1e-30, None),
        ({"feature_norm": 4e30}, 1e30, None),
    ],
)
@pytest.mark.parametrize("kind", KINDS)
def test_what_the_reference_refuses_a_compiled_run_refuses_in_the_same_state(
    kind: Callable[..., Any], given: dict[str, float], factor: float, error: str | None, loss: str
) -> None:
    X, y = stream(13, 30, 3, 3)
    X *= min(factor, 1.0) if error else factor
    if factor > 1 and error:
        X[20] *= 4 * factor / np.linalg.norm(X[20])
    states = []
    for compiled in (False, True):
        learner = proximal(3, 3, loss, seed=2, **given)
        with pytest.raises(ValueError, match=error) if error else nullcontext():
            learner.run(kind(X), y, compiled=compiled)
        states.append((learner.W, draws_after(learner)))
    np.testing.assert_allclose(states[1][0], states[0][0], rtol=1e-9, atol=1e-12 / factor)
    assert states[0][1] == states[1][1]


@of_proximal_kernels
def test_a_loss_that_increases_is_refused_where_the_reference_meets_it() -> None:
    bowl = proximal_theorem("bowl", MarginLoss((m - 1) ** 2), 4)
    X, y = np.ones((60, 1)), np.zeros(60, dtype=int)
    said = []
    for compiled in (False, True):
        learner = Gaptron(2, 1, loss=bowl, seed=0)
        learner.W[:] = [[1.0], [-1.0]]
        with pytest.raises(ValueError, match="the loss increases at the margin"):
            learner.run(X, y, compiled=compiled)
        said.append(draws_after(learner))
    assert said[0] == said[1]


@pytest.mark.parametrize(
    "loss", [SoftmaxLoss((1 - p) ** 2), MarginLoss(log(1 + exp(-m))), MarginLoss(Max(0, 1 - m) ** 4)]
)
def test_a_proximal_step_of_another_form_has_no_compiled_run(loss: MarginLoss | SoftmaxLoss) -> None:
    with pytest.raises(ValueError, match="this Gaptron has no compiled run"):
        Gaptron(2, 1, loss=proximal_theorem("other", loss, 4)).run([[1]], [0], compiled=True)


# --- what streams may be ------------------------------------------------------------------------------------


def read_only(X: np.ndarray) -> np.ndarray:
    X.flags.writeable = False
    return X


@pytest.mark.parametrize(
    "convert",
    [
        np.asfortranarray,
        read_only,
        lambda X: np.repeat(X, 2, axis=0)[::2],
        np.ndarray.tolist,
        lambda X: (X * 2).astype(int),
        lambda X: X.astype(np.float32),
        sp.csc_array,
        lambda X: sp.csr_array((X * 2).astype(int)),
    ],
)
def test_streams_of_other_types_are_the_same_stream(convert: Callable[[np.ndarray], Any]) -> None:
    X, y = dyadic(8, 50, 4, 3)
    assert_close(*both(lambda: gaptron(3, 4, "hinge", "bandit", seed=1), convert(X), y), 1e-12)
    assert_close(*both(lambda: gaptron(3, 4, "hinge", "bandit", seed=1), convert(X), y.tolist()), 1e-12)


def test_entries_that_a_sparse_matrix_has_twice_are_added_up() -> None:
    X, y = stream(9, 30, 5, 3)
    matrix = sp.csr_matrix(X)
    doubled = sp.csr_matrix(
        (np.repeat(matrix.data / 2, 2), np.repeat(matrix.indices, 2), matrix.indptr * 2), shape=matrix.shape
    )
    assert_close(*both(lambda: gaptron(3, 5, "smooth hinge", "full", 0.1, seed=1), doubled, y), 1e-9)
    assert not doubled.has_canonical_format


def test_no_rounds_change_nothing() -> None:
    reference, compiled = both(lambda: gaptron(3, 2, "hinge", "full", seed=1), np.zeros((0, 2)), np.zeros(0, int))
    assert compiled[1].mistakes == reference[1].mistakes == 0
    assert compiled[1].loss.shape == (0,)
    assert draws_after(reference[0]) == draws_after(compiled[0])


# --- errors -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("bad", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize(("d", "t"), [(3, 40), *((WIDE, t) for t in (0, 41, 42, 43, 49))])
def test_a_feature_that_is_not_finite_is_refused_and_nothing_is_learned_or_drawn(
    d: int, t: int, bad: float, kind: Callable[..., Any]
) -> None:
    X, y = stream(10, 50, d, 3)
    X[t, 1] = bad
    learner, untouched = (gaptron(3, d, "smooth hinge", "full", seed=1) for _ in range(2))
    with pytest.raises(ValueError, match=rf"X\[{t}, 1\] = {bad} is not finite"):
        learner.run(kind(X), y, compiled=True)
    assert not learner.W.any()
    assert draws_after(learner) == draws_after(untouched)


@pytest.mark.parametrize(
    ("X", "y"),
    [
        ([[1.0]], [0]),
        (np.zeros((1, 3)), [0]),
        (np.zeros(2), [0]),
        (sp.csr_matrix((1, 3)), [0]),
        (3, [0]),
        ([[1.0, "a"]], [0]),
        (np.zeros((1, 2)), [0, 1]),
        (np.zeros((1, 2)), [3]),
        (np.zeros((1, 2)), np.array([-1])),
        (np.zeros((1, 2)), np.array([0.0])),
        (np.zeros((1, 2)), np.array([True])),
        (np.array([[1.0, math.nan]]), [7]),
    ],
)
def test_bad_streams_get_the_message_of_the_reference(X: Any, y: Any) -> None:
    said = []
    for compiled in (False, True):
        with pytest.raises(ValueError, match=r"^\w") as error:
            Gaptron(3, 2).run(X, y, compiled=compiled)
        said.append(str(error.value))
    assert said[0] == said[1]


def test_a_sparse_matrix_whose_columns_do_not_exist_is_refused() -> None:
    matrix = sp.csr_matrix(np.ones((2, 3)))
    matrix.indices[1] = 99
    with pytest.raises(ValueError, match="indices"):
        Gaptron(2, 3).run(matrix, [0, 1], compiled=True)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "build",
    [
        lambda d: gaptron(3, d, "smooth hinge", "full", learning_rate=1e150, seed=3),
        lambda d: gaptron(3, d, "smooth hinge", "bandit", learning_rate=1e150, seed=3),
        lambda d: Perceptron(3, d, seed=3),
        lambda d: Banditron(3, d, exploration=0.5, seed=1),
    ],
)
@pytest.mark.parametrize("d", [2, WIDE])
def test_weights_that_overflow_are_an_error_that_leaves_the_state_of_the_reference(
    d: int, build: Callable[[int], Any], kind: Callable[..., Any]
) -> None:
    X, y = stream(11, 60, 2, 3)
    X[30:32], y[30:32] = [[1e308, 1e308], [1e308, -1.5e308]], 1
    X = np.pad(X, [(0, 0), (0, d - 2)])
    states = []
    for compiled in (False, True):
        learner = build(d)
        with pytest.raises(OverflowError, match="overflow"):
            learner.run(kind(X), y, compiled=compiled)
        states.append((learner.W, draws_after(learner)))
    np.testing.assert_allclose(states[1][0], states[0][0], rtol=1e-9)
    assert states[0][1] == states[1][1]


@pytest.mark.parametrize("scale", [1e-160, 1e-90, 1e90, 1e120, 1e160])
@pytest.mark.parametrize("radius", [math.inf, 1e-3])
@pytest.mark.parametrize("d", [3, WIDE])
def test_huge_and_tiny_features_are_lived_as_the_reference_lives_them(d: int, scale: float, radius: float) -> None:
    X, y = stream(12, 40, d, 3)
    rate = {"learning_rate": 0.05 / scale**2 if scale < 1e100 else 1e-200, "seed": 5}
    if 1e-150 < scale:
        assert_close(*both(lambda: gaptron(3, d, "hinge", "full", radius, **rate), X * scale, y), 1e-9)
    else:
        assert_close(*both(lambda: gaptron(3, d, "hinge", "full", radius, seed=5), X * scale, y), 1e-9)


# --- when a run is compiled ---------------------------------------------------------------------------------


class Renamed(Gaptron):
    """A learner that may do anything."""


@pytest.mark.parametrize(
    "learner",
    [
        SOBA(2, 1, exploration=0.5),
        Gaptron(2, 1, exact=True),
        Renamed(2, 1),
        Gaptron(2, 1, radius=1e-200),
        Gaptron(2, 1, ties="fair"),
    ],
    ids=lambda learner: type(learner).__name__,
)
def test_a_learner_without_a_compiled_run_says_so(learner: Any) -> None:
    with pytest.raises(ValueError, match=f"compiled = True: this {type(learner).__name__} has no compiled run"):
        learner.run([[1]], [0], compiled=True)


def test_compiled_is_a_flag() -> None:
    with pytest.raises(ValueError, match="compiled = 1 is not True or False"):
        Gaptron(2, 1).run([[1.0]], [0], compiled=1)  # type: ignore[arg-type]


def test_without_numba_it_is_named_where_it_is_required(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    with pytest.raises(ModuleNotFoundError, match=re.escape(f"compiled = True needs numba: {install('fast')}")):
        Gaptron(2, 1).run([[1.0]], [0], compiled=True)


def test_without_numba_the_reference_lives_long_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "numba", None)
    monkeypatch.setattr(fast, "WORTH_SECONDS", 0.0)
    assert Gaptron(2, 1, seed=0).run([[1.0]] * 9, [0] * 9).wrong.shape == (9,)


def test_long_streams_are_compiled_unasked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Gaptron, "_run", None)
    X, y = np.ones((30_000, 1)), np.zeros(30_000, dtype=int)
    assert Gaptron(2, 1, seed=0).run(X, y).mistakes < 50
    with pytest.raises(TypeError, match="not callable"):
        Gaptron(2, 1, seed=0).run(X[:100], y[:100])
