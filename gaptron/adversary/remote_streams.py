"""Streams from the workers of a cluster, which are not trusted.

A worker is sent a theorem, K, T and the number of a family, and sends back parameters. Whatever they are, they are
those of a stream of that family, both sides of whose bound are computed here: a worker can hide a stream, and make none
up.
"""

import json
import time
from collections.abc import Mapping, Sequence

import numpy as np

from gaptron.adversary.evolution import Effort, evolve, evolving
from gaptron.adversary.target import Targeted, target
from gaptron.kernel import digest, version
from gaptron.learners.arithmetic import Array
from gaptron.system.cluster import answers
from gaptron.theory.data import read, written

START = 60.0  # seconds until the first worker is at work
LARGEST = 1e100


def search(question: str) -> str:
    """On a worker: the parameters of the best stream of a family that is found, a list as JSON."""
    asked = json.loads(question)
    (theorem,) = read(asked["theorem"], lambda place: None)
    made = target(theorem, asked["K"], asked["T"])
    effort = Effort(asked["seed"], asked["generations"])
    return json.dumps(evolve(made, effort, asked["family"], time.monotonic() + asked["seconds"]))


def evolved_there(targets: Sequence[Targeted], effort: Effort, seconds: float, address: str) -> list[dict[int, Array]]:
    """For each target, by the number of a family, the parameters that a worker found in its share of the seconds.

    Families whose answer is missing, or is none, are left out.
    """
    questions: dict[str, str] = {}
    places: dict[str, list[tuple[int, int, int]]] = {}
    kernel, longest = version(), 0.0
    for place, one in enumerate(targets):
        sizes = evolving(one)
        longest = max(longest, share := seconds / max(1, len(sizes)))
        for family, size in sizes.items():
            question = json.dumps(_asked(one, effort, family, share))
            key = f"gaptron-{digest([question, kernel])}"
            questions[key] = question
            places.setdefault(key, []).append((place, family, size))
    found: list[dict[int, Array]] = [{} for _ in targets]
    for key, said in answers(address, search, questions, longest + START):
        for place, family, size in places.pop(key, ()):
            parameters = parameters_said(said, size)
            if parameters is not None:
                found[place][family] = parameters
    return found


def _asked(one: Targeted, effort: Effort, family: int, seconds: float) -> Mapping[str, object]:
    about = {"theorem": written([one.theorem])[0], "K": one.n_classes, "T": one.horizon, "family": family}
    return about | {"seed": effort.seed, "generations": effort.generations, "seconds": seconds}


def parameters_said(said: str, size: int) -> Array | None:
    """The parameters in an answer; None unless it is a list of so many numbers that are not too large to square."""
    try:
        numbers = json.loads(said)
    except (ValueError, RecursionError):
        return None
    if not isinstance(numbers, list) or len(numbers) != size:
        return None
    if not all(isinstance(one, float) and abs(one) <= LARGEST for one in numbers):
        return None
    return np.array(numbers)
