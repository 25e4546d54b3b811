"""The proximal steps of a loss, in any kind of numbers.

For ||x|| = 1 a step is W+ = argmin_V loss_y(V x) + c ||V - W||^2, with V x = theta + delta. ``least`` is never above
the minimum, the envelope, but for rounding: a prediction that gives label y at least 1 - least pays no more than it.
"""

from collections.abc import Callable
from typing import TypeAlias

from gaptron.language.theorems import StatedLoss
from gaptron.numbers.kinds import Doubles, Kind, Rationals
from gaptron.rounds.proximal_all_scores import PairwiseBalls, PairwiseSteps, SeparableSteps
from gaptron.rounds.proximal_balls import BinaryBalls, MarginBalls, SoftmaxBalls
from gaptron.rounds.proximal_margins import BinarySteps, MarginSteps
from gaptron.rounds.proximal_softmax import SoftmaxSteps
from gaptron.rounds.proximal_step import ProximalSteps

Make: TypeAlias = Callable[..., ProximalSteps]
STEPS: dict[str, tuple[Make, Make]] = {  # in doubles or fractions; in balls or intervals
    "MarginLoss": (MarginSteps, MarginBalls),
    "SoftmaxLoss": (SoftmaxSteps, SoftmaxBalls),
    "BinaryLoss": (BinarySteps, BinaryBalls),
    "PairwiseLoss": (PairwiseSteps, PairwiseBalls),
    "SeparableLoss": (
        lambda sides, exact: SeparableSteps(BinarySteps(sides, exact)),
        lambda sides, kind: SeparableSteps(BinaryBalls(sides, kind)),
    ),
}


def proximal_steps(loss: StatedLoss, n_classes: int, kind: Kind) -> ProximalSteps:
    """Its proximal steps: in doubles, in fractions (for ``Rationals``), or in balls or intervals.

    Raises
    ------
    NotImplementedError
        In fractions, unless the loss is made of linear and quadratic pieces: the step is not rational.
    """
    functions, (in_numbers, in_balls) = loss.data.for_classes(n_classes).functions, STEPS[loss.data.kind]
    if isinstance(kind, Doubles | Rationals):
        return in_numbers(functions, isinstance(kind, Rationals))
    return in_balls(functions, kind)
