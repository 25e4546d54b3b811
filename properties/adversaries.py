"""Adversaries: rounds chosen with an eye on the learner.

An adversary is a generator of rounds (x, label); ``play`` tells it after each whether the learner was wrong. The
Gaptron paper bounds mistakes on every stream and describes none: these are the notes' adversary and a greedy one.
"""

from collections.abc import Generator
from typing import Any

import numpy as np

from gaptron.learners.arithmetic import Arithmetic, Array
from gaptron.learners.learner import Learner
from gaptron.learners.record import Run, joined
from gaptron.numbers.kinds import Number
from gaptron.system import checks
from gaptron.system.checks import Given

Round = tuple[Array, int]
Adversary = Generator[Round, bool, None]


def play(learner: Learner, adversary: Adversary, n_rounds: int) -> tuple[Array, Array, Run]:
    """Let the learner predict and update on every round that the adversary picks.

    Parameters
    ----------
    learner : Learner
        It continues from its current state. The adversary must have been made for the same learner.
    adversary : Adversary
        A new one.
    n_rounds : int >= 1
        T; fewer are played if the adversary ends before.

    Returns
    -------
    X : (T, d) array
    y : (T,) int array
        The stream that was played: the learner with the same seed does the same on it.
    run : Run
        As of ``learner.run(X, y)``.

    Raises
    ------
    ValueError
        If an argument is not as above.
    """
    rounds, runs = _game(learner, adversary, checks.integer(n_rounds, "n_rounds", 1))
    if not rounds:
        raise ValueError("adversary has no rounds left: it must be a new one")
    X, y = zip(*rounds, strict=True)
    return np.array(X), np.array(y), joined(runs)


def _game(learner: Learner, adversary: Adversary, n_rounds: int) -> tuple[list[Round], list[Run]]:
    rounds: list[Round] = []
    runs: list[Run] = []
    current = next(adversary, None)
    while current is not None:
        rounds.append(current)
        runs.append(learner.run([current[0]], [current[1]]))
        current = _answer(adversary, bool(runs[-1].wrong[0])) if len(runs) < n_rounds else None
    return rounds, runs


def _answer(adversary: Adversary, wrong: bool) -> Round | None:
    """The next round, None if there is none."""
    try:
        return adversary.send(wrong)
    except StopIteration:
        return None


# --- the notes' lower bound ---------------------------------------------------------------------------------


def lower_bound(
    learner: Learner, pool: Given, horizon: int, *, seed: int | np.random.Generator | None = None
) -> Adversary:
    """The adversary for learners that learn from correct rounds only (Bandit Multiclass Classification, Algorithm 1).

    With V = 1/N and epsilon = max(sqrt(V), 1/sqrt(T)), the first point has label 0. A round is repeated until it is
    predicted correctly. Then comes the next point of the pool: with label 1 if the learner predicts label 0 with
    probability at least 1 - epsilon, else with label 0. After a label 1, or the last point, old rounds come again at
    random.

    Parameters
    ----------
    learner : Learner
        With two classes; its probabilities are read.
    pool : (N, d) array of finite numbers
        The notes' free space, in the order in which it is used up. Labels 0, .., 0 and 0, .., 0, 1 of its first
        points must be realizable, as they are for ``half_circle``: this is not checked.
    horizon : int >= 1
        T.
    seed : int, numpy.random.Generator or None
        For the rounds that come again.

    Notes
    -----
    Volumes are not computable in general: each of the N points uses up 1/N. The notes' labels 1 and 2 are 0 and 1.

    Raises
    ------
    ValueError
        If an argument is not as above.
    """
    if learner.n_classes != 2:
        raise ValueError(f"learner has n_classes = {learner.n_classes}: this adversary needs 2")
    points = _points(pool, "pool", learner.n_features)
    epsilon = max(len(points) ** -0.5, checks.integer(horizon, "horizon", 1) ** -0.5)
    return _lower_bound(learner, points, epsilon, checks.generator(seed))


def _lower_bound(learner: Learner, points: Array, epsilon: float, rng: np.random.Generator) -> Adversary:
    label = 0
    shown: list[Round] = []
    for x in points:
        if shown:
            label = int(learner.predict_proba(x)[0] >= 1 - epsilon)
        shown.append((x, label))
        yield from _until_right(shown[-1])
        if label == 1:
            break
    while True:
        yield from _until_right(shown[rng.integers(len(shown))])


def _until_right(current: Round) -> Adversary:
    while (yield current):
        pass


def half_circle(n_points: int) -> Array:
    """Points on the unit half circle at the angles pi (i + 1/2)/N, shape (N, 2).

    A line through the origin separates any first ones from the others: every labelling 0, .., 0, 1, .., 1 is
    realizable, with an angle of pi/(2N) to spare.
    """
    angles = np.pi * (np.arange(checks.integer(n_points, "n_points", 1)) + 0.5) / n_points
    return np.column_stack([np.cos(angles), np.sin(angles)])


# --- greedy -------------------------------------------------------------------------------------------------


def greedy(learner: Learner, points: Given) -> Adversary:
    """The adversary that sees the learner's state and picks, for ever, the round of largest ``slack``.

    Parameters
    ----------
    learner : Learner
    points : (N, d) array of finite numbers
        What x is chosen from, with any label. Among equals the first point comes, with its lowest label.

    Raises
    ------
    ValueError
        If ``points`` is not as above.
    """
    candidates = _points(points, "points", learner.n_features)
    return _greedy(learner, [(x, label) for x in candidates for label in range(learner.n_classes)])


def _greedy(learner: Learner, rounds: list[Round]) -> Adversary:
    while True:
        yield max(rounds, key=lambda candidate: slack(learner, *candidate))


def slack(learner: Learner, x: Given, label: int) -> Number:
    """What a round adds to the exact surrogate gap at the current weights; P(wrong) if there is no surrogate.

    The surrogate gap is P(wrong) - loss(W) + (eta/2) E ||g||^2 (van der Hoeven 2020, Lemma 1), where with bandit
    feedback E ||g||^2 is ||grad loss(W)||^2/p'(y).

    Raises
    ------
    ValueError
        If x or ``label`` is not a round of this learner.
    """
    y = checks.label(label, "label", learner.n_classes)
    model: Any = learner
    prediction = model._prediction(model._features(x))
    right = prediction.probability(y)
    if not hasattr(model, "surrogate"):
        return 1 - right
    slopes = model.surrogate.score_gradient(prediction.scores, y)
    squared_norm = (slopes**2).sum() * (prediction.x**2).sum()
    if model.feedback == "bandit" and squared_norm > 0:
        squared_norm = squared_norm / right
    return 1 - right - model.surrogate.value(prediction.scores, y) + model.learning_rate / 2 * squared_norm


def _points(values: Given, argument: str, n_features: int) -> Array:
    n_points = checks.length(values, argument)
    if n_points == 0:
        raise ValueError(f"{argument} = []: it must hold at least one point")
    return Arithmetic().array(values, argument, (n_points, n_features))
