"""The loss of a comparator U on a round."""

from collections.abc import Callable
from typing import Any

import flint
from mpmath import iv

from gaptron.expectation.arithmetic import ARITHMETICS
from gaptron.expectation.scores import start
from gaptron.numbers.kinds import less, plain, rational
from gaptron.rounds import margin
from gaptron.rounds.layouts import Scores

Loss = Callable[[Scores, int], Any]


def comparator_loss(U: Any, loss: Loss, arithmetic: str) -> Callable[[Any, int], Any]:
    """loss(U x, label) as a function of (x, label), for U of shape (K, d), or (1, d) for one weight vector."""
    kind: Any = ARITHMETICS[arithmetic]()
    scores = start(kind, U.tolist())
    return lambda x, label: loss(scores(kind.column(x)), label)


def hinge_loss(scores: Scores, label: int) -> Any:
    """The multiclass hinge loss max(0, 1 - m), m the margin of the label."""
    return quadratic_loss(0)(scores, label)


def quadratic_loss(eta: Any) -> Loss:
    """The family of Beygelzimer, Orabona, Zhang 2017, (2)-(3), eta in [0, 1]: the hinge loss at 0, its square at 1.

    1 - 2 m/(2 - eta) + eta m^2/(2 - eta) for a margin m <= 1, else 0.
    """
    exact = rational(eta)
    if not 0 <= exact <= 1:
        raise ValueError(f"eta = {eta!r} is not a number in [0, 1]")

    def loss(scores: Scores, label: int) -> Any:
        m, _ = margin(scores, label)
        share = exact if isinstance(m, (flint.fmpq, flint.arb)) else _like(m, exact)
        return m * 0 if less(1, m) else 1 - (2 - share * m) * m / (2 - share)

    return loss


def _like(m: Any, share: flint.fmpq) -> Any:
    """The share as a number of the kind of m: an interval, a fraction or a double."""
    return iv.mpf(int(share.p)) / int(share.q) if isinstance(m, iv.mpf) else type(m)(plain(share))
