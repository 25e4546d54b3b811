"""The proximal steps of a loss, in any kind of numbers.

For ||x|| = 1 a step is W+ = argmin_V loss_y(V x) + c ||V - W||^2, with V x = theta + delta. ``least`` is never above
the minimum, the envelope, but for rounding: a prediction that gives label y at least 1 - least pays no more than it.
"""

from gaptron.numbers.kinds import Doubles, Kind, Rationals
from gaptron.rounds.proximal_all_scores import steps_of_all_scores
from gaptron.rounds.proximal_balls import MarginBalls, SoftmaxBalls
from gaptron.rounds.proximal_margins import BinarySteps, MarginSteps
from gaptron.rounds.proximal_softmax import SoftmaxSteps
from gaptron.rounds.proximal_step import Proximal, ProximalSteps
from gaptron.theory.for_classes import loss_for_classes
from gaptron.theory.losses import BinaryLoss, Loss, LossOfAllScores, MarginLoss

__all__ = ["Proximal", "ProximalSteps", "proximal_steps"]


def proximal_steps(loss: Loss, n_classes: int, kind: Kind) -> ProximalSteps:
    """Its proximal steps: in doubles, in fractions (for ``Rationals``), or in balls or intervals.

    Raises
    ------
    NotImplementedError
        In fractions, unless the loss is made of linear and quadratic pieces: the step is not rational.
    """
    if isinstance(loss, LossOfAllScores):
        return steps_of_all_scores(loss, n_classes, kind)
    functions = loss_for_classes(loss, n_classes).functions
    if isinstance(kind, Doubles | Rationals):
        exact = isinstance(kind, Rationals)
        if isinstance(loss, BinaryLoss):
            return BinarySteps((functions[0], functions[1]), exact)
        if isinstance(loss, MarginLoss):
            return MarginSteps(functions[0], exact)
        if exact:
            raise NotImplementedError("the proximal step of a softmax loss is not rational: balls contain it")
        return SoftmaxSteps(functions[0])
    if isinstance(loss, BinaryLoss | MarginLoss):
        return MarginBalls(functions, isinstance(loss, BinaryLoss), kind)
    return SoftmaxBalls(functions[0], kind)
