"""Gradient ascent from a candidate: the stream's parameters and the comparator's coefficients together."""

import time
from contextlib import suppress

import numpy as np
from scipy.optimize import minimize

from gaptron.adversary.candidate import Candidate
from gaptron.adversary.target import Target
from gaptron.learners.arithmetic import Array

NUDGE = 1e-6
MOST = 120  # numbers to move at once


class _TimeIsUpError(Exception):
    """The deadline has passed: what was found so far is kept."""


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
        if time.monotonic() > deadline:
            raise _TimeIsUpError
        nudges = NUDGE * np.eye(flat.size)
        values = ratios(np.vstack([flat + nudges, flat - nudges, flat[None]]))
        return -float(values[-1]), (values[flat.size : -1] - values[: flat.size]) / (2 * NUDGE)

    best = start

    def keep(flat: Array) -> None:
        nonlocal best
        found = Candidate(float(ratios(flat[None])[0]), start.family, flat[:size].copy())
        best = found if found.ratio > best.ratio else best

    flat = np.concatenate([start.parameters, template.ravel()])
    with suppress(_TimeIsUpError):
        minimize(descent, flat, jac=True, method="L-BFGS-B", callback=keep, options={"maxiter": iterations})  # type: ignore[call-overload]
    return best
