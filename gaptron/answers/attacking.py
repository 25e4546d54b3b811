"""``attack``: the streams that come closest to the bounds of theorems, for a K and T each, or break them."""

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from gaptron.adversary.attacked import Attacked
from gaptron.adversary.choice import Attackable
from gaptron.adversary.evolution import NOTHING, Effort
from gaptron.adversary.evolution import attack as search
from gaptron.adversary.structured_attack import attack_structured, attacked_sizes
from gaptron.adversary.target import target
from gaptron.learners.arithmetic import Array
from gaptron.system.progress import Progress
from gaptron.theory.shipped import FileError
from gaptron.theory.structured.structured_theorem import StructuredTheorem

CLASSES = (2, 3, 10)
ROUNDS, BANDIT_ROUNDS = 30, 100
IN_ALL, SEARCHING = 60.0, 0.6  # seconds, and the share of them before what is found is verified
Setting = tuple[Attackable, int, int]  # a theorem at K and T


@dataclass
class Attacks:
    """What was found, what could not be verified, and what cut the search short; filled in as it becomes known."""

    found: list[Attacked] = field(default_factory=list)
    open: list[str] = field(default_factory=list)
    cut: bool = False
    interrupt: KeyboardInterrupt | None = None

    @property
    def refuted(self) -> bool:
        """Whether a bound is broken."""
        return any(one.refuted for one in self.found)


def settings(chosen: Sequence[Attackable], classes: Sequence[int], rounds: Sequence[int]) -> Iterator[Setting]:
    """Every theorem at every K it claims and every T; FileError if one is not claimed for what is asked."""
    for theorem in chosen:
        if isinstance(theorem, StructuredTheorem):
            sizes = attacked_sizes(theorem, classes)
            if not sizes or len(sizes) < len(classes):
                raise FileError(f'theorem "{theorem.name}": not every size asked for is claimed and has few outputs')
            yield from ((theorem, size, 0) for size in sizes)
            continue
        claimed = [K for K in classes or CLASSES if theorem.claims(K)]
        if classes and len(claimed) < len(classes):
            raise FileError(f'theorem "{theorem.name}" is not claimed for every K of {list(classes)}')
        for n_classes in claimed or [theorem.first_class_count]:
            for horizon in rounds or [BANDIT_ROUNDS if theorem.feedback == "bandit" else ROUNDS]:
                yield theorem, n_classes, horizon


def attacked(
    wanted: Sequence[Setting], effort: Effort, shown: Progress, attacks: Attacks, *, seconds: float = IN_ALL,
    cluster: str | None = None,
) -> Iterator[Attacked]:  # fmt: skip
    """The best stream of each setting, as it is found; ``attacks`` has them all.

    All of them share the ``seconds``, about; what is there when this is interrupted is verified.
    """
    end = time.monotonic() + seconds
    try:
        known = _known(wanted, effort, seconds, cluster)
        for number, (one, n_classes, horizon) in enumerate(wanted):
            size = one.size if isinstance(one, StructuredTheorem) else f"T = {horizon}, K"
            setting = f"{one.name}: {size} = {n_classes}"
            shown.at(number, len(wanted), setting)
            deadline = time.monotonic() + (end - time.monotonic()) * SEARCHING / (len(wanted) - number)
            best = _searched(one, n_classes, horizon, effort, deadline, known.get(number, NOTHING))
            attacks.cut = attacks.cut or time.monotonic() > deadline
            if best is None:
                attacks.open.append(f"{setting}: no stream was verified (open in balls, or no U gains)")
            else:
                attacks.found.append(best)
                yield best
    except KeyboardInterrupt as interrupt:
        attacks.interrupt = interrupt


def _known(
    wanted: Sequence[Setting], effort: Effort, seconds: float, cluster: str | None
) -> dict[int, Mapping[int, Array]]:
    """What the workers of a cluster have found, by the number of the setting; structured theorems are not divided."""
    if cluster is None:
        return {}
    from gaptron.adversary.remote_streams import evolved_there

    targets = {n: target(one, K, T) for n, (one, K, T) in enumerate(wanted) if not isinstance(one, StructuredTheorem)}
    each = seconds * SEARCHING / 2 / max(1, len(wanted))  # half of the time is for what is searched here
    return dict(zip(targets, evolved_there(list(targets.values()), effort, each, cluster), strict=True))


def _searched(
    one: Attackable, n_classes: int, horizon: int, effort: Effort, deadline: float, known: Mapping[int, Array]
) -> Attacked | None:
    """The best stream that could be verified."""
    if isinstance(one, StructuredTheorem):
        found = attack_structured(one, n_classes, deadline)
        return None if found is None else Attacked(one, n_classes, found.attack.rounds, found)
    best = search(target(one, n_classes, horizon), effort, deadline, known)
    return None if best is None else Attacked(one, n_classes, horizon, best)
