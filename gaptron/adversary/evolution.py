"""The search: an evolution strategy over the parameters of every family, then an ascent; its finds verified exactly."""

import math
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

import numpy as np
from scipy.optimize import minimize

from gaptron.adversary.attack_json import Attack, Verified
from gaptron.adversary.families import Family
from gaptron.adversary.target import Targeted
from gaptron.bounds.exact_stream import ExactStream, Matrix, Vector
from gaptron.learners.arithmetic import Array
from gaptron.numbers.evaluate import UncertainError
from gaptron.system.child import Voice
from gaptron.system.exits import warn
from gaptron.system.processes import Lost, in_processes

STEP, LEAST_STEP = 0.4, 1e-5
KEPT, ROUNDING, REFRESH = 3, 1e-5, 10
NUDGE = 1e-6
GRAIN = 2**16
DENOMINATORS = (12, 120, GRAIN)
MOST = 120  # numbers to move at once by gradients
TRIES = 2  # a part whose process died is searched once more
FOREVER = 1e9  # seconds: a part ends by its own deadline
NOTHING: Mapping[int, Array] = {}
Search = Callable[[int, float], list[float]]


@dataclass(frozen=True)
class Candidate:
    """A stream of a family by its parameters, and how much of the bound it uses in doubles."""

    ratio: float
    family: Family
    parameters: Array


@dataclass(frozen=True)
class Effort:
    """How a search is made: generations for every family, in so many processes, which make no difference."""

    seed: int
    generations: int
    workers: int = 1


def attack(target: Targeted, effort: Effort, deadline: float, known: Mapping[int, Array] = NOTHING) -> Verified | None:
    """The best stream found, verified; None if nothing could be.

    A part of the search is a family of streams, with random numbers of its own: what is found is the same however many
    processes there are. After the ``deadline`` (of ``time.monotonic``) no family but the first is looked at and no
    generation begins; the parts share the time until then. ``known`` are parameters, by the number of their family,
    that someone else has searched for.
    """
    begun: list[Candidate] = []
    for family in target.families:
        if not begun or time.monotonic() < deadline:
            begun.append(_started(target, family))
    left = [number for number in evolving(target) if number not in known and time.monotonic() < deadline]
    here = in_parts(partial(evolve, target, effort), left, effort.workers, deadline)
    for number, parameters in (dict(known) | {n: np.array(p) for n, p in here.items()}).items():
        if number < len(begun):
            begun[number] = min(_measured(target, begun[number].family, parameters), begun[number], key=_order)
    kept = sorted(begun, key=_order)[:KEPT]
    climbing = range(len(kept)) if time.monotonic() < deadline else ()

    def ascend(number: int, deadline: float) -> list[float]:
        return list(map(float, ascended(target, kept[number], effort.generations, deadline).parameters))

    climbed = in_parts(ascend, climbing, effort.workers, deadline)
    for number, ended in climbed.items():
        kept[number] = _measured(target, kept[number].family, np.array(ended))
    best: Verified | None = None
    for one in sorted(kept, key=_order):
        if best is not None and time.monotonic() > deadline:
            break
        if best is None or one.ratio > best.low + ROUNDING:
            other = verified(target, one.family, one.parameters)
            if best is None or (other is not None and other.low > best.low + Fraction(ROUNDING)):
                best = other  # clearly the better one: it comes later, and is longer
    return best


def evolving(target: Targeted) -> dict[int, int]:
    """The families that have parameters, by their numbers, and how many."""
    sizes = {number: target.starts(family).shape[1] for number, family in enumerate(target.families)}
    return {number: size for number, size in sizes.items() if size}


def evolve(target: Targeted, effort: Effort, number: int, deadline: float) -> list[float]:
    """One part of the search: the parameters of the best stream found of a family."""
    rng, family = np.random.default_rng([effort.seed, number]), target.families[number]
    return list(map(float, evolved(target, family, rng, effort.generations, deadline).parameters))


def _started(target: Targeted, family: Family) -> Candidate:
    """The best of where the search in a family begins."""
    starts = target.starts(family)
    ratios = target.ratios(family, starts)
    return Candidate(float(ratios.max()), family, starts[ratios.argmax()])


def _measured(target: Targeted, family: Family, parameters: Array) -> Candidate:
    """The stream with these parameters, against its strongest comparator."""
    template = target.template(family, parameters)
    return Candidate(float(target.ratios(family, parameters[None], template)[0]), family, parameters)


def _order(one: Candidate) -> tuple[float, int]:
    """The best first, of equals the shortest."""
    return -round(one.ratio, 6), sum(one.family.counts)


def evolved(target: Targeted, family: Family, rng: np.random.Generator, generations: int, deadline: float) -> Candidate:
    """An elitist evolution strategy: the step grows with success and shrinks without.

    Now and then the comparator is searched for anew; in between it follows the stream by its coefficients.
    """
    begun, step, template = _started(target, family), STEP, None
    best, record = begun.parameters, begun.ratio
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


class _TimeIsUpError(Exception):
    """The deadline has passed: what was found so far is kept."""


def ascended(target: Targeted, start: Candidate, iterations: int, deadline: float) -> Candidate:
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


# --- from doubles to an exact attack ------------------------------------------------------------------------------


def verified(target: Targeted, family: Family, parameters: Array) -> Verified | None:
    """The stream with these parameters and its strongest comparator, exactly; None if a branch stays open, or U = 0."""
    radius = target.radius(parameters)
    points = family.points(parameters[None, : family.size])[0]
    rounds, labels = tuple(map(_inside, points.tolist())), tuple(map(int, family.labels))
    rounded = np.array(rounds, dtype=float)
    D = Fraction(max(1, round(radius * GRAIN)), GRAIN) if radius < math.inf else None
    stream = ExactStream(target.n_classes, rounds, labels, D, counts=family.counts)
    U = target.comparator(rounded, np.array(family.labels), family.counts, radius)
    found = []
    for comparator in _fractions(U, D):
        made = Attack(stream, comparator)
        try:
            found.append(Verified(family.name, made, made.sides(target.theorem)))
        except UncertainError:
            return None
    return max(found, key=lambda one: one.low, default=None)


def _inside(x: list[float]) -> Vector:
    """Rounded towards 0, so that a norm of at most 1 stays so."""
    return tuple(Fraction(int(v * GRAIN), GRAIN) for v in x)


def _fractions(U: Array, radius: Fraction | None) -> Iterator[Matrix]:
    """U with small denominators, and with large ones; scaled into its ball, if rounding has brought it out."""
    for denominator in DENOMINATORS:
        rows = tuple(tuple(Fraction(v).limit_denominator(denominator) for v in row) for row in U.tolist())
        if any(v for row in rows for v in row):
            yield rows if radius is None else _scaled(rows, radius)


def _scaled(rows: Matrix, radius: Fraction) -> Matrix:
    square = sum(v * v for row in rows for v in row)
    if square <= radius**2:
        return rows
    factor = Fraction(int(GRAIN * float(radius) / float(square) ** 0.5) - 1, GRAIN)
    return tuple(tuple(v * factor for v in row) for row in rows)


# --- the parts of a search in several processes -------------------------------------------------------------------


def in_parts(search: Search, parts: Sequence[int], workers: int, deadline: float) -> dict[int, list[float]]:
    """``search(part, its deadline)`` of every part, in so many processes; the parts share the time until the deadline.

    A part's answer is the parameters of a stream and nothing else: how good that is, is computed where they arrive.
    One worker is this process. A part whose process dies each time is said to be lost, and is not among those found.
    """
    if workers == 1:
        return {part: search(part, _share(deadline, len(parts) - number, 1)) for number, part in enumerate(parts)}
    found: dict[int, list[float]] = {}
    for _ in range(TRIES):
        left = [part for part in parts if part not in found]
        work = partial(_work, search, left, workers, deadline)
        with closing(in_processes(work, left, min(workers, len(left)), lambda _: FOREVER)) as heard:
            found |= {part: said["parameters"] for part, said in heard if not isinstance(said, Lost)}
    if len(found) < len(parts):
        warn(
            f"{len(parts) - len(found)} of {len(parts)} parts of the search died with their processes, and are left out"
        )
    return found


def _work(search: Search, parts: Sequence[int], workers: int, deadline: float, voice: Voice) -> None:
    """In the child."""
    for part in voice.tasks():
        voice.say({"parameters": search(part, _share(deadline, len(parts) - parts.index(part), workers))})


def _share(deadline: float, behind: int, workers: int) -> float:
    """When a part is over: the time that is left, divided by what each process has yet to do."""
    now = time.monotonic()
    return now + (deadline - now) * min(1.0, workers / behind)
