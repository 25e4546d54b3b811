"""A learner's state to the kernels and back."""

import math
from typing import Any

import numpy as np

from gaptron.learners.arithmetic import Array
from gaptron.learners.compiled import gradient_loops, proximal_loops
from gaptron.learners.compiled.learner_rules import ProximalRule, Rule
from gaptron.learners.compiled.stream_arrays import CompiledRounds, Record, check_features, row, taking_turns
from gaptron.learners.record import Run, recorded
from gaptron.system.checks import Given

REGISTER, LINE = 4, 64


class Weights:
    """A learner's W as the kernels keep it: see there."""

    def __init__(self, W: Array, is_dense: bool) -> None:
        self.W, self.is_dense = W, is_dense
        K, d = W.shape
        self.V = _on_lines(K, d) if is_dense else np.zeros((d, -(-K // REGISTER) * REGISTER))
        self.ball, self.scratch = np.zeros(4), np.zeros((gradient_loops.VECTORS, self.V.shape[0 if is_dense else 1]))
        self.load()

    @property
    def arrays(self) -> tuple[Array, Array, Array]:
        """V, ball and scratch."""
        return self.V, self.ball, self.scratch

    def load(self) -> None:
        """From the learner."""
        self._seen()[:] = self.W
        self.ball[gradient_loops.SCALE] = 1.0
        gradient_loops.refresh(self.V, self.ball)

    def store(self) -> None:
        """To the learner."""
        gradient_loops.refresh(self.V, self.ball)
        self.W[:] = self._seen()

    def _seen(self) -> Array:
        return self.V if self.is_dense else self.V[:, : len(self.W)].T


def live(learner: Any, rule: Rule | ProximalRule, rounds: CompiledRounds, X: Given) -> Run:
    """All rounds, at the learner's state: compiled, but for those that a kernel leaves to the reference."""
    T, copies, first = len(rounds.labels), learner.delay + 1, learner.turn
    seen = taking_turns(rounds, learner.n_features, copies, first) if copies > 1 else rounds
    record = Record(np.empty(T, dtype=bool), np.empty(T), np.empty(T), np.empty(T, dtype=bool))
    weights, start, t = Weights(learner.W, seen.is_dense), learner.rng.bit_generator.state, 0
    lived = proximal_loops.live if isinstance(rule, ProximalRule) else gradient_loops.live
    while (t := lived(t, rule, seen, *weights.arrays, learner.rng, record)) < T:
        if start is not None:
            _check_features(learner, X, start)
            start = None
        weights.store()
        learner.turn = (first + t) % copies
        done = learner._round(row(rounds, t, learner.n_features), int(rounds.labels[t]))
        record.wrong[t], record.label_probability[t], record.loss[t], record.off[t] = done
        weights.load()
        t += 1
    weights.store()
    learner.turn = (first + T) % copies
    return recorded(*record)


def _check_features(learner: Any, X: Given, start: Any) -> None:
    """The kernel may have met a feature that is not finite: then nothing has been learned or drawn."""
    try:
        check_features(X, learner.n_features)
    except ValueError:
        learner.rng.bit_generator.state = start
        raise


def _on_lines(*shape: int) -> Array:
    """An array that begins with a line of the cache, where wide vectors are read fastest."""
    memory = np.empty(math.prod(shape) + LINE // 8)
    begin = -memory.ctypes.data % LINE // 8
    return memory[begin : begin + math.prod(shape)].reshape(shape)
