"""One point repeated for any number of rounds: the states form a chain with geometric waiting times."""

from typing import Any

import flint

from gaptron.expectation.numbers import plain
from gaptron.expectation.paths import Expectation, certain, checked, comparator_losses, matrix, points
from gaptron.expectation.states import Outcome, Point, States
from gaptron.learners import checks
from gaptron.learners.gaptron import Gaptron

MAX_STATES = 5000
NEGLIGIBLE = 80


def expected_repeated(
    learner: Gaptron,
    x: Any,
    label: int,
    n_rounds: int,
    *,
    comparator: Any = None,
    arithmetic: str = "ball",
) -> Expectation:
    """The expectation over T = ``n_rounds`` rounds that are all (x, label), with bandit feedback.

    State i is left with probability s_i a round, and the last one never. The expected rounds in state i are
    P(state i + 1 is reached within T)/s_i, and the last state has the rest. The probabilities come from the T-th
    power of the transition matrix; balls use P(waiting > T) <= sum_i (1 - s_i)^(T // n), the pigeonhole bound over
    the n waits, where that is below 2^-80.

    Raises
    ------
    ValueError
        As ``expected``; also if the chain has no last state within the first T or 5,000 states, whichever is less.
    """
    checked(learner, checks.choice(arithmetic, "arithmetic", ("rational", "ball")))
    checks.choice(learner.feedback, "feedback of the learner", ("bandit",))
    rounds = checks.integer(n_rounds, "n_rounds", 1)
    U = None if comparator is None else matrix(comparator, "comparator", (learner.n_classes, learner.n_features))
    (point,) = points(learner, [x], [label])
    return certain(arithmetic, lambda: _repeated(States(learner, arithmetic), learner, point, rounds, U))


def _repeated(states: States, learner: Gaptron, point: Point, n_rounds: int, U: Any) -> Expectation:
    chain = _chain(states, point, n_rounds)
    reached = _reached(states, [outcome.right for outcome in chain[:-1]], n_rounds)
    visits = [p / outcome.right for p, outcome in zip(reached, chain, strict=False)]
    visits.append(n_rounds - sum(visits, states.number(0)))
    mistakes = sum((v * o.wrong for v, o in zip(visits, chain, strict=True)), states.number(0))
    on = sum((v for v, o in zip(visits, chain, strict=True) if o.on), states.number(0))
    loss = None if U is None else plain(on * comparator_losses(states, learner, U)(point))
    return Expectation(plain(mistakes), loss, plain(states.number(1)), min(len(chain), n_rounds))


def _chain(states: States, point: Point, n_rounds: int) -> list[Outcome]:
    """The outcomes in W_0, W_1, ... up to the state that is never left, or that no round begins after."""
    chain, state = [states.outcome(0, point)], 0
    while (child := states.child(state, chain[-1])) is not None and len(chain) <= n_rounds:
        if len(chain) == MAX_STATES or child <= state:
            raise ValueError(f"n_rounds = {n_rounds}: the chain has no last state within {len(chain)} states")
        state = child
        chain.append(states.outcome(state, point))
    return chain


def _reached(states: States, leaving: list[Any], n_rounds: int) -> list[Any]:
    """P(state i is reached within T rounds) for i = 1..n."""
    n = len(leaving)
    if not n:
        return []
    if states.matrix is flint.arb_mat:
        late: Any = sum(((1 - s) ** (n_rounds // n) for s in leaving), states.number(0))
        if late < flint.arb(2) ** -NEGLIGIBLE:
            return [1 - late.union(0)] * n
    row = _first_row(states, leaving, n_rounds)
    return [sum(row[i:], states.number(0)) for i in range(1, n + 1)]


def _first_row(states: States, leaving: list[Any], n_rounds: int) -> list[Any]:
    """The distribution of the state after T rounds."""
    n, zero = len(leaving), states.number(0)
    M = [[zero] * (n + 1) for _ in range(n + 1)]
    for i, s in enumerate(leaving):
        M[i][i], M[i][i + 1] = 1 - s, s
    M[n][n] = states.number(1)
    row: list[Any] = (states.matrix(M) ** n_rounds).tolist()[0]
    return row
