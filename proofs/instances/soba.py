"""SOBA in fractions: every outcome path of a short stream, by the definitions of Algorithm 1 and no faster formula."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import flint

Vector = list[Fraction]
Stream = Sequence[tuple[Vector, int]]


@dataclass(frozen=True)
class Step:
    """One round of a path.

    Attributes
    ----------
    x : (d,) list of Fractions
    label, top, rival : int
        y, yhat and ybar.
    p : Fraction
        The probability of y.
    drawn, positive, updated : bool
        1[ytilde = y], q (whether the sum of margins with this m is not negative) and n.
    v : (K d, 1) matrix
        (e_ybar - e_y) (x) x, so that g = v/p and z = v/sqrt(p).
    before, after, w : matrices
        A_{t-1}, A_t and the weights W_t as a column.
    m, total : Fraction
        m_t, and the sum of the n_s m_s before this round.
    """

    x: Vector
    label: int
    top: int
    rival: int
    p: Fraction
    drawn: bool
    positive: bool
    updated: bool
    v: flint.fmpq_mat
    before: flint.fmpq_mat
    after: flint.fmpq_mat
    w: flint.fmpq_mat
    m: Fraction
    total: Fraction

    @property
    def counted(self) -> bool:
        """h: yhat is wrong, or an update would be made."""
        return self.top != self.label or self.positive

    @property
    def quadratic(self) -> Fraction:
        """z'A_t^{-1}z, z as if ytilde = y."""
        return form(self.after.inv(), self.v) / self.p


@dataclass(frozen=True)
class Path:
    """The rounds of one sequence of draws, its probability, and A, theta and the sum of margins after it."""

    probability: Fraction
    steps: tuple[Step, ...]
    A: flint.fmpq_mat
    theta: flint.fmpq_mat
    total: Fraction


def paths(
    stream: Stream, n_classes: int, exploration: Fraction, regularizer: Fraction, *, diagonal: bool = False
) -> list[Path]:
    """Every path of positive probability: at most 2^T, as only 1[ytilde = y] matters.

    Parameters
    ----------
    stream : T pairs of (d,) Fractions and a label in 0..K-1
    exploration : Fraction in (0, 1]
        gamma; at 0 a round with yhat != y divides by p = 0 (ZeroDivisionError).
    regularizer : Fraction > 0
        a.
    diagonal : bool
        A is replaced by its diagonal (SOBAdiag).
    """
    size = n_classes * len(stream[0][0])
    found = [Path(Fraction(1), (), scaled_identity(size, regularizer), flint.fmpq_mat(size, 1), Fraction(0))]
    for x, label in stream:
        found = [new for path in found for new in _split(path, x, label, n_classes, exploration, diagonal)]
    return found


def mean(found: Sequence[Path], value: Callable[[Path], Any]) -> Any:
    """The expectation of a function of the path."""
    return sum((path.probability * value(path) for path in found), Fraction(0))


def _split(path: Path, x: Vector, label: int, n_classes: int, exploration: Fraction, diagonal: bool) -> Iterator[Path]:
    seen = _before_the_draw(path, x, label, n_classes, exploration)
    if seen.p < 1:
        yield _extended(path, seen, 1 - seen.p)
    updated = seen.positive
    after = _grown(path.A, seen.v, seen.p, diagonal) if updated else path.A
    yield _extended(path, replace(seen, drawn=True, updated=updated, after=after), seen.p)


def _before_the_draw(path: Path, x: Vector, label: int, n_classes: int, exploration: Fraction) -> Step:
    """The round if its draw is wrong."""
    inverse = path.A.inv()
    w = inverse * path.theta
    scores = [_score(w, x, k) for k in range(n_classes)]
    top = _argmax(scores)
    rival = _argmax([s if k != label else min(scores) - 1 for k, s in enumerate(scores)])
    p = exploration / n_classes + (1 - exploration if top == label else 0)
    v, mu = direction(x, rival, label, n_classes), scores[rival] - scores[label]
    m = (mu**2 + 2 * mu) / p / (1 + form(inverse, v) / p)
    positive = path.total + m >= 0
    return Step(x, label, top, rival, p, False, positive, False, v, path.A, path.A, w, m, path.total)


def _extended(path: Path, step: Step, probability: Fraction) -> Path:
    theta, total = path.theta, path.total
    if step.updated:
        theta, total = theta - step.v / _fmpq(step.p), total + step.m
    return Path(path.probability * probability, (*path.steps, step), step.after, theta, total)


def _grown(A: flint.fmpq_mat, v: flint.fmpq_mat, p: Fraction, diagonal: bool) -> flint.fmpq_mat:
    if not diagonal:
        return A + outer(v, 1 / p)
    return A + diagonal_matrix([fraction(v[i, 0]) ** 2 / p for i in range(v.nrows())])


def _argmax(scores: Sequence[Fraction]) -> int:
    return max(range(len(scores)), key=lambda k: (scores[k], -k))


def _score(w: flint.fmpq_mat, x: Vector, k: int) -> Fraction:
    return sum((fraction(w[k * len(x) + j, 0]) * x[j] for j in range(len(x))), Fraction(0))


# --- vectors and matrices -------------------------------------------------------------------------------------


def direction(x: Vector, rival: int, label: int, n_classes: int) -> flint.fmpq_mat:
    """(e_rival - e_label) (x) x as a column of K d entries."""
    signs = [(k == rival) - (k == label) for k in range(n_classes)]
    return column([sign * entry for sign in signs for entry in x])


def column(entries: Sequence[Fraction]) -> flint.fmpq_mat:
    """A column of fractions."""
    return flint.fmpq_mat(len(entries), 1, [_fmpq(Fraction(entry)) for entry in entries])


def scaled_identity(size: int, scale: Fraction) -> flint.fmpq_mat:
    """scale I."""
    return diagonal_matrix([scale] * size)


def diagonal_matrix(entries: Sequence[Fraction]) -> flint.fmpq_mat:
    """The diagonal matrix of these entries."""
    size = range(len(entries))
    return flint.fmpq_mat(len(entries), len(entries), [_fmpq(entries[i]) if i == j else 0 for i in size for j in size])


def outer(v: flint.fmpq_mat, scale: Fraction) -> flint.fmpq_mat:
    """scale v v'."""
    return v * v.transpose() * _fmpq(scale)


def inner(u: flint.fmpq_mat, v: flint.fmpq_mat) -> Fraction:
    """<u, v> of two columns."""
    return fraction((u.transpose() * v)[0, 0])


def form(A: flint.fmpq_mat, v: flint.fmpq_mat) -> Fraction:
    """v'A v."""
    return inner(v, A * v)


def fraction(value: flint.fmpq) -> Fraction:
    """A Fraction."""
    return Fraction(int(value.p), int(value.q))


def _fmpq(value: Fraction) -> flint.fmpq:
    return flint.fmpq(value.numerator, value.denominator)
