"""Vowpal Wabbit: its driver in C++, which reads a cache file, and its Python interface, which acts round by round."""

import time
from pathlib import Path
from tempfile import mkdtemp

import numpy as np
import vowpalwabbit
from peers_streams import Timed

QUIET = "--quiet --no_stdin"
EPSILON = 0.1
EMPTY = 5


def lines(stream: Timed) -> list[str]:
    """The features of each round in VW's text format."""
    return ["|f " + " ".join(f"{j}:{value:.9g}" for j, value in row) for row in stream.rows()]


class Driver:
    """``vw --oaa K`` over a cache file: a run learns everything within the constructor of a workspace.

    Its table of weights is the smallest in which no two of them share a place, which makes it fastest. The least time
    that a workspace takes with an empty file, to clear the table, is not counted.
    """

    def __init__(self, stream: Timed, folder: Path) -> None:
        self.n_rounds, d = stream.X.shape
        places = (stream.n_classes - 1).bit_length()
        self.options = f"--oaa {stream.n_classes} -b {(d * 2**places).bit_length()} {QUIET}"
        folder = Path(mkdtemp(dir=folder))
        self.file, self.empty = folder / "stream.vw", folder / "empty.vw"
        texts = (f"{y + 1} {text}\n" for y, text in zip(stream.y, lines(stream), strict=True))
        self.file.write_text("".join(texts))
        self.empty.write_text("")
        self._run(self.file)
        self.ready = min(self._run(self.empty) for _ in range(EMPTY))

    def seconds(self) -> float:
        """The time of one pass."""
        return self._run(self.file) - self.ready

    def _run(self, file: Path) -> float:
        start = time.process_time()
        workspace = vowpalwabbit.Workspace(f"{self.options} -d {file} --cache_file {file}.cache")
        seconds = time.process_time() - start
        learned = workspace.get_weighted_examples()
        workspace.finish()
        if file == self.file and learned != self.n_rounds:
            raise RuntimeError(f"vw learned from {learned} of {self.n_rounds} rounds")
        return seconds


class Acting:
    """``--cb_explore K``: predict a distribution, draw, and learn from the cost of what was drawn."""

    def __init__(self, stream: Timed, folder: Path) -> None:
        self.stream, self.texts = stream, lines(stream)

    def seconds(self) -> float:
        """The time of all rounds."""
        workspace = vowpalwabbit.Workspace(f"--cb_explore {self.stream.n_classes} --epsilon {EPSILON} {QUIET}")
        rng = np.random.default_rng(0)
        start = time.process_time()
        for text, y in zip(self.texts, self.stream.y.tolist(), strict=True):
            probabilities = workspace.predict(text)
            drawn = draw(probabilities, rng.random())
            workspace.learn(f"{drawn + 1}:{float(drawn != y)}:{probabilities[drawn]} {text}")
        seconds = time.process_time() - start
        workspace.finish()
        return seconds


def draw(probabilities: list[float], uniform: float) -> int:
    """The index at which the sum exceeds ``uniform``."""
    for k, probability in enumerate(probabilities):
        uniform -= probability
        if uniform < 0:
            return k
    return len(probabilities) - 1
