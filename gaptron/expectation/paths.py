"""Expectations over all draws of a learner: of a fixed stream, of blocks of equal rounds, of an adaptive stream."""

from collections.abc import Sequence
from typing import Any

from gaptron.expectation.comparators import LossOfScores
from gaptron.expectation.game import ExpectedGame, matrix
from gaptron.expectation.parts import stream
from gaptron.expectation.streams import adaptive, fixed
from gaptron.expectation.walk import Expectation
from gaptron.learners.learner import Learner
from gaptron.numbers.kinds import Number
from gaptron.system import checks
from gaptron.theory.losses import Loss


def expected(
    learner: Learner,
    X: Any,
    y: Any = None,
    *,
    comparator: Any = None,
    arithmetic: str = "rational",
    n_rounds: int | None = None,
    comparator_loss: Loss | LossOfScores | None = None,
    learning_rate: Number | None = None,
    exploration: Number | None = None,
) -> Expectation:
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
    learner: Learner,
    blocks: Sequence[tuple[Any, int, int]],
    *,
    comparator: Any = None,
    arithmetic: str = "rational",
    comparator_loss: Loss | LossOfScores | None = None,
    learning_rate: Number | None = None,
    exploration: Number | None = None,
    played: bool = False,
) -> Expectation:
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
    given = game.blocks(blocks)
    return game.certain(lambda: fixed(game, given))
