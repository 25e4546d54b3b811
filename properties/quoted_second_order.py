"""SOBA and the second-order Perceptron by their text, in fractions, with A inverted anew in every state.

Labels below 0 are chosen against the learner, as in ``properties.quoted_walks``.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property

from flint import fmpq, fmpq_mat

from properties.formulas import margin, scores, top
from properties.quoted_walks import direction, label_of
from properties.strategies import Matrix, Vector

Exploration = Callable[["State", int], Fraction]


def rational(value: Fraction) -> fmpq:
    """The number as python-flint has it."""
    return fmpq(value.numerator, value.denominator)


def fraction(value: fmpq) -> Fraction:
    """The number as Python has it."""
    return Fraction(int(value.p), int(value.q))


@dataclass(frozen=True)
class Ridge:
    """A = a I + sum of v v'/p, and theta = minus the sum of v/p: z = v/sqrt(p) and g = v/p."""

    K: int
    A: fmpq_mat
    theta: fmpq_mat

    @classmethod
    def new(cls, K: int, d: int, a: Fraction) -> "Ridge":
        n = K * d
        return cls(K, fmpq_mat(n, n, [rational(a) * (i == j) for i in range(n) for j in range(n)]), fmpq_mat(n, 1))

    @cached_property
    def inverse(self) -> fmpq_mat:
        return self.A.inv()

    @cached_property
    def W(self) -> Matrix:
        w = [fraction(entry) for entry in (self.inverse * self.theta).entries()]
        d = len(w) // self.K
        return [w[k * d : (k + 1) * d] for k in range(self.K)]

    def form(self, v: Vector) -> Fraction:
        """v'A^{-1}v."""
        column = _column(v)
        return fraction((column.transpose() * self.inverse * column)[0, 0])

    def grown(self, v: Vector, p: Fraction) -> "Ridge":
        """With v v'/p added to A and v/p taken from theta."""
        column, weight = _column(v), rational(1 / p)
        return replace(self, A=self.A + column * column.transpose() * weight, theta=self.theta - column * weight)


def _column(v: Vector) -> fmpq_mat:
    return fmpq_mat(len(v), 1, [*map(rational, v)])


@dataclass(frozen=True)
class State:
    """SOBA: the ridge, S, the sums of z'A_t^{-1}z and g'A_t^{-1}g over the updates, and the updates as (v, p)."""

    ridge: Ridge
    margins: Fraction = Fraction(0)
    quadratic: Fraction = Fraction(0)
    quadratic_g: Fraction = Fraction(0)
    updates: tuple[tuple[Vector, Fraction], ...] = ()


@dataclass(frozen=True)
class Round:
    """A round of SOBA at one state; ``updates`` is n_t if the draw is right, ``h`` is h_t."""

    mass: Fraction
    state: State
    x: Vector
    y: int
    yhat: int
    rival: int
    gamma: Fraction
    p: Fraction
    v: Vector
    m: Fraction

    @property
    def updates(self) -> bool:
        return self.state.margins + self.m >= 0

    @property
    def h(self) -> bool:
        return self.yhat != self.y or self.updates


def soba(a: Fraction, gamma: Fraction | Exploration, K: int, X: list[Vector], y: list[int]) -> Iterator[list[Round]]:
    """All rounds, level by level; the last level holds the states after the stream, as rounds on its last x."""
    level = [(Fraction(1), State(Ridge.new(K, len(X[0]), a)))]
    for t, (x, given) in enumerate(zip([*X, X[-1]], [*y, 0], strict=True), 1):
        rates = [gamma if isinstance(gamma, Fraction) else gamma(state, t) for _, state in level]
        rounds = [look(mass, state, x, given, rate) for (mass, state), rate in zip(level, rates, strict=True)]
        yield rounds
        level = [after for done in rounds for after in outcomes(done)]


def look(mass: Fraction, state: State, x: Vector, given: int, gamma: Fraction, *, certain: bool = False) -> Round:
    """Lines 4, 5 and 10 to 14 of Algorithm 1, as if the draw were right; gamma > 0. ``certain``: with p_y = 1."""
    K, W = state.ridge.K, state.ridge.W
    theta = scores(W, x)
    yhat = top(theta)
    y = label_of(given, yhat, K)
    rival = min((k for k in range(K) if k != y), key=lambda k: (-theta[k], k))
    p = Fraction(1) if certain else (1 - gamma) * (y == yhat) + gamma / K
    v, mu = direction(K, rival, y, x), -margin(theta, y)
    m = (mu * mu / p + 2 * mu / p) / (1 + state.ridge.form(v) / p)
    return Round(mass, state, x, y, yhat, rival, gamma, p, v, m)


def outcomes(done: Round) -> list[tuple[Fraction, State]]:
    """The states after a round, with their mass."""
    if not done.updates:
        return [(done.mass, done.state)]
    right = (done.mass * done.p, updated(done.state, done))
    return [right, (done.mass * (1 - done.p), done.state)] if done.p < 1 else [right]


def updated(state: State, done: Round) -> State:
    """Lines 18 to 20."""
    ridge = state.ridge.grown(done.v, done.p)
    form = ridge.form(done.v)
    return State(
        ridge,
        state.margins + done.m,
        state.quadratic + form / done.p,
        state.quadratic_g + form / done.p**2,
        (*state.updates, (done.v, done.p)),
    )


def second_order(a: Fraction, K: int, X: list[Vector], y: list[int]) -> tuple[State, list[Round]]:
    """The second-order Perceptron: SOBA's update with p = 1 on every mistake, and only there."""
    state, rounds = State(Ridge.new(K, len(X[0]), a)), []
    for x, given in zip(X, y, strict=True):
        rounds.append(look(Fraction(1), state, x, given, Fraction(0), certain=True))
        if rounds[-1].y != rounds[-1].yhat:
            state = updated(state, rounds[-1])
    return state, rounds
