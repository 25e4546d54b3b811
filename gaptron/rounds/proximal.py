"""The proximal steps of a loss, in any kind of numbers.

For ||x|| = 1 a step is W+ = argmin_V loss_y(V x) + c ||V - W||^2, with V x = theta + delta. ``least`` is never above
the minimum, the envelope, but for rounding: a prediction that gives label y at least 1 - least pays no more than it.
"""

from gaptron.language.theorems import StatedLoss
from gaptron.numbers.kinds import Doubles, Kind, Rationals
from gaptron.rounds.geometry import geometry_of
from gaptron.rounds.proximal_all_scores import OF_ALL_SCORES
from gaptron.rounds.proximal_balls import MarginBalls, SoftmaxBalls
from gaptron.rounds.proximal_margins import BinarySteps, MarginSteps
from gaptron.rounds.proximal_softmax import SoftmaxSteps
from gaptron.rounds.proximal_step import Proximal, ProximalSteps

__all__ = ["Proximal", "ProximalSteps", "proximal_steps"]


def proximal_steps(loss: StatedLoss, n_classes: int, kind: Kind) -> ProximalSteps:
    """Its proximal steps: in doubles, in fractions (for ``Rationals``), or in balls or intervals.

    Raises
    ------
    NotImplementedError
        In fractions, unless the loss is made of linear and quadratic pieces: the step is not rational.
    """
    geometry, functions = geometry_of(loss), loss.data.for_classes(n_classes).functions
    of_all_scores = OF_ALL_SCORES.get(loss.data.kind)
    if of_all_scores is not None:
        return of_all_scores(functions, kind)
    exact, in_balls = isinstance(kind, Rationals), not isinstance(kind, Doubles | Rationals)
    if geometry.is_transcendental:
        if exact:
            raise NotImplementedError("the proximal step of a softmax loss is not rational: balls contain it")
        return SoftmaxBalls(functions[0], kind) if in_balls else SoftmaxSteps(functions[0])
    if in_balls:
        return MarginBalls(functions, geometry.one_vector, kind)
    return BinarySteps((functions[0], functions[1]), exact) if geometry.one_vector else MarginSteps(functions[0], exact)
