"""What a proximal step and its decoder cost in time beside a gradient step: ``--out benchmarks/proximal_cost.txt``.

Microseconds a round of the logistic loss with full information on the stream of ``--rounds`` normal rows of ||x|| <= 1
(20 times as many where it is compiled), labels from a linear map: a whole round of Gaptron (gradient step, gap map) and
of ProximalLogistic (proximal step, best decoder), each in the reference and compiled, and of the reference's proximal
round the decoder and the step alone. The least of three runs; numba is compiled before.
"""

import argparse
import platform
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import numpy as np

from gaptron import Gaptron
from gaptron.learners import ProximalLogistic
from gaptron.learners.learner import Learner
from gaptron.system.atomic import write_atomically

CLASSES, FEATURES, REPEATS, LONGER = (2, 10, 100, 1000), 50, 3, 20
COLUMNS = ("K", "gradient", "compiled", "proximal", "compiled", "decoder", "step")


def stream(n_classes: int, rounds: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rounds, FEATURES))
    X /= np.linalg.norm(X, axis=1).max()
    return X, (X @ rng.normal(size=(FEATURES, n_classes))).argmax(axis=1)


def microseconds(work: Callable[[], object], rounds: int) -> float:
    begin = perf_counter()
    work()
    return 1e6 * (perf_counter() - begin) / rounds


def whole(make: Callable[[], Learner], X: np.ndarray, y: np.ndarray, *, compiled: bool) -> float:
    """A round of a run, the least of some."""
    return min(microseconds(lambda: make().run(X, y, compiled=compiled), len(y)) for _ in range(REPEATS))


def parts(learner: ProximalLogistic, X: np.ndarray, y: np.ndarray) -> tuple[float, float]:
    """Decoder and step of the reference, at the weights that the whole stream has led to."""
    learner.run(X, y)
    seen = [learner._prediction(x) for x in X]
    labels = y.tolist()
    works: list[Callable[[], object]] = [
        lambda: [learner._prediction(x) for x in X],
        lambda: [learner._learn_label(*one) for one in zip(seen, labels, strict=True)],
    ]
    decoder, step = (min(microseconds(work, len(y)) for _ in range(REPEATS)) for work in works)
    return decoder, step


def row(n_classes: int, rounds: int) -> str:
    X, y = stream(n_classes, rounds)
    makes: list[Callable[[], Learner]] = [
        lambda: Gaptron(n_classes, FEATURES, loss="logistic", seed=0),
        lambda: ProximalLogistic(n_classes, FEATURES, seed=0),
    ]
    for make in makes:
        make().run(X[:2], y[:2], compiled=True)
    streams = {False: (X, y), True: stream(n_classes, LONGER * rounds)}
    found = [whole(make, *streams[compiled], compiled=compiled) for make in makes for compiled in streams]
    found += parts(ProximalLogistic(n_classes, FEATURES, seed=0), X, y)
    return "".join(f"{cell:>10}" for cell in (n_classes, *(f"{one:.1f}" for one in found)))


def main() -> None:
    """Parse the arguments and write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=300)
    parser.add_argument("--classes", type=int, nargs="+", default=CLASSES)
    parser.add_argument("--out", type=Path, help="write the table here instead of printing it")
    arguments = parser.parse_args()
    title = f"microseconds a round, d = {FEATURES}, {arguments.rounds} rounds, Python {platform.python_version()}"
    lines = [title, "".join(f"{name:>10}" for name in COLUMNS)]
    lines += [row(n_classes, arguments.rounds) for n_classes in arguments.classes]
    text = "\n".join(lines) + "\n"
    if arguments.out is None:
        print(text, end="")
    else:
        write_atomically(arguments.out, text)


if __name__ == "__main__":
    main()
