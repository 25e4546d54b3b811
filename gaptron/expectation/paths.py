"""Expectations over all draws of a learner: of a stream, fixed, in blocks or adaptive, and of one point repeated."""

from collections.abc import Sequence
from typing import Any

import flint

from gaptron.expectation.game import ExpectedGame, LossOfScores, matrix
from gaptron.expectation.states import States
from gaptron.expectation.streams import adaptive, blocks_of, fixed, stream
from gaptron.expectation.walk import Expectation, Outcome, Walk
from gaptron.language.theorems import StatedLoss
from gaptron.learners.learner import Learner
from gaptron.numbers.kinds import Number, Vector
from gaptron.system import checks


def expected(
    learner: Learner, X: Any, y: Any = None, *, comparator: Any = None, arithmetic: str = "rational",
    n_rounds: int | None = None, comparator_loss: StatedLoss | LossOfScores | None = None,
    learning_rate: Number | None = None, exploration: Number | None = None,
) -> Expectation:  # fmt: skip
    """Expected mistakes and comparator loss of ``learner``, which is not changed, from its current weights.

    Parameters
    ----------
    learner : Learner
        Gaptron and BinaryGaptron, in all four arithmetics, at kinks of their losses with the slope from the right;
        every other learner by putting it into its states, in doubles, or as "rational" if it has ``exact = True``.
    X, y : (T, d) numbers and (T,) labels; or a callable and None
        A fixed stream; or an adaptive one: ``X(W)`` gives (features, label) from the weights W of each path, a
        list of K rows of Fractions, balls or floats, for ``n_rounds`` rounds.
    comparator : (K, d) numbers, (1, d) for BinaryGaptron, optional
        U.
    arithmetic : "rational", "ball", "interval" or "float"
        Rationals double in length with most updates. Balls and intervals raise their precision until every branch is
        certain; intervals are mpmath's, a second road to what balls say, and slower.
    comparator_loss : MarginLoss, SoftmaxLoss, BinaryLoss or function, optional
        A function ``comparator_loss(scores, label)`` is given the scores U x, a list of numbers of the arithmetic
        (rationals are flint.fmpq). Default: Gaptron's own loss; of other learners the hinge loss max(0, 1 - m).
    learning_rate, exploration : number, flint.arb or sympy number, optional
        Of a Gaptron: as exact as they come, in place of the learner's. A sympy number is evaluated at the precision
        of the balls.

    Notes
    -----
    Equal states are merged: of other learners those equal bit for bit, so sums that differ by rounding keep many
    states apart, which fractions merge. Parts of a fixed stream that have no feature in common are computed one by
    one, where neither changes the scores of the other (without projection; Perceptron and Banditron too). Rounds that
    repeat the one before, or a whole stream that repeats its beginning, are cheap where the states on their way are
    few: see ``expected_blocks``.

    In balls, scores that are equal as they come from the same numbers are told to be equal, and other ties are decided
    by rationals if the learner is rational, up to 14 updates. The logistic loss needs no more: scores of unequal
    origin that are equal nevertheless leave a branch open.

    Raises
    ------
    ValueError
        If an argument is not as above, or rationals meet a logarithm, a power of e or a root that is not one.
    gaptron.numbers.evaluate.UncertainError
        If balls leave a branch open at the highest precision.
    """
    game = ExpectedGame(learner, arithmetic, comparator, comparator_loss, learning_rate, exploration)
    if callable(X):
        rounds, adversary = checks.integer(n_rounds, "n_rounds", 1), X
        return game.certain(lambda: adaptive(game, adversary, rounds))
    n = checks.length(X, "X")
    rows = matrix(X, "X", (n, learner.n_features)).tolist()
    labels = checks.labels(y, "y", n, learner.n_classes)
    given = stream(rows, labels, [1] * n)
    return game.certain(lambda: fixed(game, given))


def expected_blocks(
    learner: Learner, blocks: Sequence[tuple[Any, int, int]], *, comparator: Any = None, arithmetic: str = "rational",
    comparator_loss: StatedLoss | LossOfScores | None = None, learning_rate: Number | None = None,
    exploration: Number | None = None, played: bool = False,
) -> Expectation:  # fmt: skip
    """As ``expected``, of a stream given as blocks (features, label, number of rounds).

    With ``played`` a Gaptron too is put into its states, round by round, and asked; ``arithmetic`` is then its own.

    A block of n rounds costs about log n products of matrices over the states within its reach, or n rounds one by one
    where that is cheaper. In the last block of a part (see ``expected``) the states from which on the outcomes stay
    the same are one.

    Raises
    ------
    ValueError, gaptron.numbers.evaluate.UncertainError
        As ``expected``.
    """
    game = ExpectedGame(learner, arithmetic, comparator, comparator_loss, learning_rate, exploration, played)
    given = blocks_of(game, blocks)
    return game.certain(lambda: fixed(game, given))


MAX_STATES = 5000
NEGLIGIBLE = 80


def expected_repeated(
    learner: Learner, x: Any, label: int, n_rounds: int, *, comparator: Any = None, arithmetic: str = "ball",
    comparator_loss: StatedLoss | LossOfScores | None = None, learning_rate: Number | None = None,
    exploration: Number | None = None,
) -> Expectation:  # fmt: skip
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
    return game.certain(lambda: _closed(game, *one, rounds) or fixed(game, blocks_of(game, [(*one, rounds)])))


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


def _chain(process: States, point: int, n_rounds: int) -> list[Outcome]:
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


def _late(chain: list[Outcome], n_rounds: int) -> Number | None:
    """P(the last state is not reached) as a ball, if it is negligible; else None."""
    waits = len(chain) - 1
    if not 0 < waits <= n_rounds:
        return None
    late: Number = sum(((1 - outcome.right) ** (n_rounds // waits) for outcome in chain[:-1]), flint.arb(0))
    return late.union(0) if late < flint.arb(2) ** -NEGLIGIBLE else None


def _waits(
    process: States, game: ExpectedGame, chain: list[Outcome], late: Number, point: int, n_rounds: int
) -> Expectation:
    visits = [(1 - late) / outcome.right for outcome in chain[:-1]]
    visits.append(n_rounds - sum(visits, process.number(0)))
    mistakes = sum((v * o.wrong for v, o in zip(visits, chain, strict=True)), process.number(0))
    on = sum((v for v, o in zip(visits, chain, strict=True) if o.on), process.number(0))
    loss = None if game.U is None else on * Walk(process, game.comparator()).loss_at(point)
    return Expectation(mistakes, loss, process.number(1), len(chain))
