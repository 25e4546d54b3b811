"""The search: an evolution strategy over the parameters of every family, its finds verified exactly."""

import time
from collections.abc import Iterator
from fractions import Fraction

import numpy as np

from gaptron.attack.ascent import ascended
from gaptron.attack.candidate import Candidate
from gaptron.attack.families import Family, families
from gaptron.attack.polish import Verified, verified
from gaptron.attack.target import Target
from gaptron.learners.arithmetic import Array

STEP, LEAST_STEP = 0.4, 1e-5
KEPT, ROUNDING, REFRESH = 3, 1e-5, 10


def attack(target: Target, rng: np.random.Generator, generations: int, deadline: float) -> Verified | None:
    """The best stream found, verified; None if nothing could be.

    Every family gets ``generations`` generations; after the ``deadline`` (of ``time.monotonic``) none begins, and the
    families share the time until then.
    """
    found = sorted(_candidates(target, rng, generations, deadline), key=_order)[:KEPT]
    found = [ascended(target, one, generations, deadline) for one in found]
    best: Verified | None = None
    for one in sorted(found, key=_order):
        if best is not None and time.monotonic() > deadline:
            break
        if best is None or one.ratio > best.low + ROUNDING:
            best = _better(best, verified(target, one.family, one.parameters))
    return best


def _better(best: Verified | None, other: Verified | None) -> Verified | None:
    """The second only if it is clearly the better one: it comes later, and is longer."""
    if best is None or other is None:
        return best or other
    return other if other.low > best.low + Fraction(ROUNDING) else best


def _order(one: Candidate) -> tuple[float, int]:
    """The best first, of equals the shortest."""
    return -round(one.ratio, 6), sum(one.family.counts)


def _candidates(target: Target, rng: np.random.Generator, generations: int, deadline: float) -> Iterator[Candidate]:
    """The best of every family; the time left is shared by the families left."""
    known = list(families(target.n_classes, target.horizon, bandit=target.theorem.feedback == "bandit"))
    for number, family in enumerate(known):
        now = time.monotonic()
        yield evolved(target, family, rng, generations, now + (deadline - now) / (len(known) - number))


def evolved(target: Target, family: Family, rng: np.random.Generator, generations: int, deadline: float) -> Candidate:
    """An elitist evolution strategy: the step grows with success and shrinks without.

    Now and then the comparator is searched for anew; in between it follows the stream by its coefficients.
    """
    starts = target.starts(family)
    ratios, step, template = target.ratios(family, starts), STEP, None
    best, record = starts[ratios.argmax()], float(ratios.max())
    for generation in range(generations if best.size else 0):
        if time.monotonic() > deadline:
            break
        if generation % REFRESH == REFRESH - 1:
            template = target.template(family, best)
            record = float(target.ratios(family, best[None], template)[0])
        children = best + step * _mutations(rng, target.children, best.size)
        ratios = target.ratios(family, children, template)
        step = max(LEAST_STEP, step * float(np.exp(0.5 * (np.mean(ratios > record) - 0.15))))
        if ratios.max() > record:
            best, record = children[ratios.argmax()], float(ratios.max())
    return Candidate(record, family, best)


def _mutations(rng: np.random.Generator, children: int, size: int) -> Array:
    """Some of the parameters, never none of all."""
    share = max(0.3, min(1.0, 2 / size))
    return np.asarray(rng.standard_normal((children, size)) * (rng.random((children, size)) < share))
