"""Gradient ascent from a candidate: the stream's parameters and the comparator's coefficients together."""

import time

import numpy as np
from scipy.optimize import minimize

from gaptron.attack.candidate import Candidate
from gaptron.attack.target import Target
from gaptron.learners.arithmetic import Array

NUDGE = 1e-6
MOST = 120  # numbers to move at once


def ascended(target: Target, start: Candidate, iterations: int, deadline: float) -> Candidate:
    """The candidate after L-BFGS steps with central differences, or itself if they do not help.

    A comparator that follows the stream by fixed coefficients is a valid one, so that both may move together: at the
    kinks of a loss a search for the one and then for the other gets stuck.
    """
    template = target.template(start.family, start.parameters)
    if template is None or not start.parameters.size or start.parameters.size + template.size > MOST:
        return start
    size, shape = start.parameters.size, template.shape[1:]

    def ratios(P: Array) -> Array:
        return target.ratios(start.family, P[:, :size], P[:, size:].reshape(-1, *shape))

    def descent(flat: Array) -> tuple[float, Array]:
        nudges = NUDGE * np.eye(flat.size)
        values = ratios(np.vstack([flat + nudges, flat - nudges, flat[None]]))
        return -float(values[-1]), (values[flat.size : -1] - values[: flat.size]) / (2 * NUDGE)

    def stop(flat: Array) -> None:
        if time.monotonic() > deadline:
            raise StopIteration

    flat = np.concatenate([start.parameters, template.ravel()])
    found = minimize(  # type: ignore[call-overload]
        descent, flat, jac=True, method="L-BFGS-B", callback=stop, options={"maxiter": iterations}
    )
    best = Candidate(-float(found.fun), start.family, found.x[:size])
    return best if best.ratio > start.ratio else start
