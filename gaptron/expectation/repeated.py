"""One point repeated for any number of rounds: the states form a chain with geometric waiting times."""

from typing import Any

import flint

from gaptron.expectation.comparators import LossOfScores
from gaptron.expectation.game import ExpectedGame
from gaptron.expectation.states import StateOutcome, States
from gaptron.expectation.streams import fixed
from gaptron.expectation.walk import Expectation, Walk
from gaptron.learners.learner import Learner
from gaptron.numbers.kinds import Number, Vector
from gaptron.system import checks
from gaptron.theory.losses import Loss

MAX_STATES = 5000
NEGLIGIBLE = 80


def expected_repeated(
    learner: Learner,
    x: Any,
    label: int,
    n_rounds: int,
    *,
    comparator: Any = None,
    arithmetic: str = "ball",
    comparator_loss: Loss | LossOfScores | None = None,
    learning_rate: Number | None = None,
    exploration: Number | None = None,
) -> Expectation:
    """The expectation over T = ``n_rounds`` rounds that are all (x, label), with bandit feedback: one block.

    Balls know a closed form where T is far beyond the chain's length n. State i is left with probability s_i a round,
    the last one never, or for states that differ in nothing that counts. The expected rounds in state i are
    P(state i + 1 is reached within T)/s_i, and the last state has the rest; P(waiting > T) is at most
    sum_i (1 - s_i)^(T // n), by pigeonhole over the n waits, and negligible below 2^-80.

    Raises
    ------
    ValueError
        As ``expected``; also if neither T nor the number of states up to a last one is at most 5,000. There is a last
        one if the loss vanishes for good (hinge, smooth hinge), or if without projection the gap map gets below the
        exploration rate, where it and a loss that is never off fall with the margin, or with p* (see ``settles``).
    """
    game = ExpectedGame(learner, arithmetic, comparator, comparator_loss, learning_rate, exploration)
    checks.choice(learner.feedback, "feedback of the learner", ("bandit",))
    one, rounds = game.round(x, label), checks.integer(n_rounds, "n_rounds", 1)
    return game.certain(lambda: _closed(game, *one, rounds) or fixed(game, game.blocks([(*one, rounds)])))


def _closed(game: ExpectedGame, x: Vector, label: int, n_rounds: int) -> Expectation | None:
    """In closed form; None if it has none that is worth it."""
    process = game.process()
    if game.arithmetic != "ball" or not isinstance(process, States):
        return None
    process.span([x])
    point = process.point(x, label)
    chain = _chain(process, point, n_rounds)
    late = _late(chain, n_rounds)
    return None if late is None else _waits(process, game, chain, late, point, n_rounds)


def _chain(process: States, point: int, n_rounds: int) -> list[StateOutcome]:
    """The outcomes in W_0, W_1, ... up to the state that is never left, or that no round begins after."""
    chain, state = [process.outcome(0, point)], 0
    while not process.settled(state, point) and len(chain) <= n_rounds:
        successors = process.successors(state, point)
        if len(successors) == 1 and successors[0][1] == state:
            return chain
        if len(chain) == MAX_STATES or successors[-1][1] < state:
            raise ValueError(f"n_rounds = {n_rounds}: the chain has no last state within {len(chain)} states")
        state = successors[-1][1]
        chain.append(process.outcome(state, point))
    return chain


def _late(chain: list[StateOutcome], n_rounds: int) -> Number | None:
    """P(the last state is not reached) as a ball, if it is negligible; else None."""
    waits = len(chain) - 1
    if not 0 < waits <= n_rounds:
        return None
    late: Number = sum(((1 - outcome.right) ** (n_rounds // waits) for outcome in chain[:-1]), flint.arb(0))
    return late.union(0) if late < flint.arb(2) ** -NEGLIGIBLE else None


def _waits(
    process: States, game: ExpectedGame, chain: list[StateOutcome], late: Number, point: int, n_rounds: int
) -> Expectation:
    visits = [(1 - late) / outcome.right for outcome in chain[:-1]]
    visits.append(n_rounds - sum(visits, process.number(0)))
    mistakes = sum((v * o.wrong for v, o in zip(visits, chain, strict=True)), process.number(0))
    on = sum((v for v, o in zip(visits, chain, strict=True) if o.on), process.number(0))
    loss = None if game.U is None else on * Walk(process, game.comparator()).loss_at(point)
    return Expectation(mistakes, loss, process.number(1), len(chain))
