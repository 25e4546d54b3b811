"""Level by level: the mass of every state after each round, and the expectations it gives."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from gaptron.expectation.losses import LOSSES, comparator_value
from gaptron.expectation.numbers import plain, until_certain
from gaptron.expectation.states import Outcome, Point, States
from gaptron.learners import checks
from gaptron.learners.gaptron import Gaptron

Split = tuple[int, Outcome, Any]
Adversary = Callable[[list[list[Any]]], tuple[Any, int]]


@dataclass(frozen=True)
class Expectation:
    """Over all draws of T rounds.

    Attributes
    ----------
    mistakes
        Expected number of rounds with y' != y: a Fraction, an arb that contains it, or a float.
    comparator_loss
        E sum loss_t(U) over the rounds that are on at the learner's weights; None without a comparator.
    mass
        The sum of the probabilities of these states: exactly 1, a ball that contains 1, or 1 up to rounding.
    states : int
        How many states the learner can be in at the last round.
    """

    mistakes: Any
    comparator_loss: Any
    mass: Any
    states: int


def expected(
    learner: Gaptron,
    X: Any,
    y: Any = None,
    *,
    comparator: Any = None,
    arithmetic: str = "rational",
    n_rounds: int | None = None,
) -> Expectation:
    """Expected mistakes and comparator loss of ``learner``, which is not changed, from its current weights.

    Parameters
    ----------
    learner : Gaptron
        With a loss that has a name and ties = "lowest"; its learning rate and exploration are taken as the exact
        numbers they are.
    X, y : (T, d) numbers and (T,) labels; or a callable and None
        A fixed stream; or an adaptive one: ``X(W)`` gives (features, label) from the weights W of each path, a
        list of K rows of Fractions or balls, for ``n_rounds`` rounds.
    comparator : (K, d) numbers, optional
        U.
    arithmetic : "rational", "ball" or "float"
        Rationals double in length with most updates. Balls raise their precision until every branch is certain.
        Doubles are for searches: no states are merged, and the stream must be fixed.

    Raises
    ------
    ValueError
        If an argument is not as above, or rationals meet the logistic loss or a projection.
    gaptron.evaluate.UncertainError
        If balls leave a branch open at the highest precision.
    """
    checked(learner, arithmetic)
    if arithmetic == "float":
        from gaptron.expectation.floats import expected_floats

        return expected_floats(learner, X, y, comparator=comparator)
    U = None if comparator is None else matrix(comparator, "comparator", (learner.n_classes, learner.n_features))
    if callable(X):
        rounds, adversary = checks.integer(n_rounds, "n_rounds", 1), X
        return certain(arithmetic, lambda: _adaptive(States(learner, arithmetic), learner, adversary, rounds, U))
    stream = points(learner, X, y)
    return certain(arithmetic, lambda: _fixed(States(learner, arithmetic), learner, stream, U))


def checked(learner: object, arithmetic: str) -> None:
    """ValueError unless the learner's expectation can be computed with this arithmetic."""
    if not isinstance(learner, Gaptron):
        raise ValueError(f"learner = {learner!r} is not a Gaptron")
    checks.choice(learner.loss_given, "loss of the learner", tuple(LOSSES))
    checks.choice(learner.ties, "ties of the learner", ("lowest",))
    checks.choice(arithmetic, "arithmetic", ("rational", "ball", "float"))
    if arithmetic == "rational" and learner.loss_given == "logistic":
        raise ValueError('arithmetic = "rational": the logistic loss needs "ball" or "float"')


def matrix(values: Any, argument: str, shape: tuple[int, ...]) -> Any:
    """``values`` as an object array of this shape."""
    array = np.array(values, dtype=object)
    checks.shape(array.shape, argument, shape)
    return array


def points(learner: Gaptron, X: Any, y: Any) -> list[Point]:
    """The rounds of a fixed stream."""
    n = checks.length(X, "X")
    rows = matrix(X, "X", (n, learner.n_features)).tolist()
    return list(zip(map(tuple, rows), checks.labels(y, "y", n, learner.n_classes), strict=True))


def certain(arithmetic: str, compute: Callable[[], Expectation]) -> Expectation:
    """The expectation, at a precision that settles every branch if it is by balls."""
    return compute() if arithmetic == "rational" else until_certain(compute)


def comparator_losses(states: States, learner: Gaptron, U: Any) -> Callable[[Point], Any]:
    """loss(U) of every point, each computed once; 0 without a comparator."""
    known: dict[Point, Any] = {}
    weights = None if U is None else states.matrix([[states.number(u) for u in row] for row in U.tolist()])

    def value(point: Point) -> Any:
        if weights is None:
            return states.number(0)
        if point not in known:
            known[point] = comparator_value(str(learner.loss_given), states.scores(weights, point[0]), point[1])
        return known[point]

    return value


def _fixed(states: States, learner: Gaptron, stream: list[Point], U: Any) -> Expectation:
    def always(point: Point) -> Callable[[int], Point]:
        return lambda state: point

    return _levels(states, learner, map(always, stream), U)


def _adaptive(states: States, learner: Gaptron, adversary: Adversary, n_rounds: int, U: Any) -> Expectation:
    answers: dict[int, Point] = {}

    def answer(state: int) -> Point:
        if state not in answers:
            W = [[plain(w) for w in row] for row in states.weights[state].tolist()]
            x, label = adversary(W)
            (answers[state],) = points(learner, [x], [label])
        return answers[state]

    return _levels(states, learner, (answer for _ in range(n_rounds)), U)


def _levels(states: States, learner: Gaptron, rounds: Iterable[Callable[[int], Point]], U: Any) -> Expectation:
    loss_at = comparator_losses(states, learner, U)
    mistakes = loss = states.number(0)
    mass = {0: states.number(1)}
    splits: list[Split] = []
    for point_at in rounds:
        mass, splits = _after(states, splits) if splits else mass, []
        for state, weight in mass.items():
            point = point_at(state)
            outcome = states.outcome(state, point)
            mistakes += weight * outcome.wrong
            if outcome.on and U is not None:
                loss += weight * loss_at(point)
            splits.append((state, outcome, weight))
    total = sum(mass.values(), states.number(0))
    return Expectation(plain(mistakes), None if U is None else plain(loss), plain(total), len(mass))


def _after(states: States, splits: list[Split]) -> dict[int, Any]:
    """The mass of every state after a round; a draw that is certainly right leaves nothing behind."""
    mass: dict[int, Any] = {}
    for state, outcome, weight in splits:
        child = states.child(state, outcome)
        stays, moves = (0, 1) if states.full else (outcome.wrong, outcome.right)
        shares = ((state, weight),) if child is None else ((state, weight * stays), (child, weight * moves))
        for successor, share in shares:
            if share != 0:
                mass[successor] = mass[successor] + share if successor in mass else share
    return mass
