"""The rounds of a stream, checked, and what a run keeps of them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from gaptron.learners.arithmetic import Arithmetic, Array
from gaptron.numbers.kinds import Number
from gaptron.system import checks
from gaptron.system.checks import Given


@dataclass(frozen=True, eq=False)
class Run:
    """A stream of T rounds as a learner lived it; arrays have shape (T,).

    Attributes
    ----------
    mistakes : int
        Number of rounds with y' != y.
    expected_mistakes : float
        The sum of ``probability_wrong`` (a fraction or a ball in exact arithmetic). With full information the
        weights do not depend on the draws, so this is the exact expectation of ``mistakes``; with bandit
        feedback it is the sum of the conditional expectations along this run.
    wrong : bool array
        Whether y' != y.
    probability_wrong : array
        1 - p'(y).
    label_probability : array
        p'(y).
    loss : array
        The full-information surrogate loss at the weights before the update, also with bandit feedback; nan for
        learners that have none.
    off : bool array
        Whether the hinge loss vanished because the top label was right with m* > beta.
    """

    mistakes: int
    expected_mistakes: Number
    wrong: Array
    probability_wrong: Array
    label_probability: Array
    loss: Array
    off: Array


def recorded(wrong: Array, label_probability: Array, loss: Array, off: Array) -> Run:
    """The run whose rounds gave these arrays."""
    probability_wrong = 1 - label_probability
    (expected_mistakes,) = probability_wrong.sum(keepdims=True).tolist()
    return Run(
        mistakes=int(np.count_nonzero(wrong)),
        expected_mistakes=expected_mistakes,
        wrong=wrong,
        probability_wrong=probability_wrong,
        label_probability=label_probability,
        loss=loss,
        off=off,
    )


def joined(runs: Sequence[Run]) -> Run:
    """One run out of those of consecutive parts of a stream, at least one."""
    arrays = ("wrong", "probability_wrong", "label_probability", "loss", "off")
    return Run(
        mistakes=sum(run.mistakes for run in runs),
        expected_mistakes=sum(run.expected_mistakes for run in runs),
        **{name: np.concatenate([getattr(run, name) for run in runs]) for name in arrays},
    )


class CheckedRows:
    """The rows of a checked (T, d) array or sparse matrix, each dense, one at a time."""

    def __init__(self, X: Given, n_features: int, arithmetic: Arithmetic) -> None:
        self.sparse = hasattr(X, "tocsr")
        if not self.sparse:
            self.rows: Given = arithmetic.array(X, "X", (checks.length(X, "X"), n_features))
            return
        checks.shape(X.shape, "X", (X.shape[0], n_features))
        self.rows = X.tocsr()
        bad = np.flatnonzero(~np.isfinite(np.asarray(self.rows.data, dtype=float)))
        if bad.size:
            row = int(np.searchsorted(self.rows.indptr, bad[0], side="right")) - 1
            raise ValueError(f"X[{row}, {self.rows.indices[bad[0]]}] = {self.rows.data[bad[0]]} is not finite")
        self.arithmetic = arithmetic

    def __len__(self) -> int:
        return int(self.rows.shape[0])

    def __iter__(self) -> Iterator[Array]:
        for t in range(len(self)):
            if not self.sparse:
                yield self.rows[t]
                continue
            row = self.arithmetic.zeros((self.rows.shape[1],))
            where = slice(self.rows.indptr[t], self.rows.indptr[t + 1])
            np.add.at(row, self.rows.indices[where], self.rows.data[where])
            yield row
