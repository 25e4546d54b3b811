"""Perceptron and Banditron by their text, in fractions, independently of the package.

A label >= 0 is fixed in advance; a label -o < 0 is chosen against the learner: it is yhat + o modulo K. With bandit
feedback a walk visits every outcome path: a round is predicted right with probability p_y, or not.
"""

from dataclasses import dataclass
from fractions import Fraction

from properties.formulas import scores, top
from properties.strategies import Matrix, Vector


def label_of(given: int, yhat: int, K: int) -> int:
    """The label of a round whose top label is yhat."""
    return given if given >= 0 else (yhat - given) % K


def direction(K: int, up: int, down: int, x: Vector) -> Vector:
    """(e_up - e_down) (x) x."""
    return [((k == up) - (k == down)) * v for k in range(K) for v in x]


def added(W: Matrix, row: int, weight: Fraction, x: Vector) -> Matrix:
    """W with weight x added to a row."""
    return [[w + weight * v * (k == row) for w, v in zip(line, x, strict=True)] for k, line in enumerate(W)]


def perceptron(K: int, X: list[Vector], y: list[int]) -> tuple[Matrix, list[int], list[bool]]:
    """(W after the stream, the labels, the mistakes): Beygelzimer et al. 2017, appendix B."""
    W, labels, wrong = [[Fraction(0)] * len(X[0])] * K, [], []
    for x, given in zip(X, y, strict=True):
        yhat = top(scores(W, x))
        labels.append(label_of(given, yhat, K))
        wrong.append(labels[-1] != yhat)
        W = added(added(W, labels[-1], Fraction(1), x), yhat, Fraction(-1), x)
    return W, labels, wrong


# --- Banditron ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Look:
    """A round at one state: its probability, features, label, top label, p_y, and where a draw leads."""

    mass: Fraction
    W: Matrix
    x: Vector
    y: int
    yhat: int
    p: Fraction
    right: Matrix
    wrong: Matrix


def banditron(K: int, gamma: Fraction, X: list[Vector], y: list[int]) -> tuple[list[Look], dict[tuple, Fraction]]:
    """Every round at every state, and the mass of every last state: Kakade et al. 2008."""
    looks: list[Look] = []
    level: dict[tuple, Fraction] = {tuple([(Fraction(0),) * len(X[0])] * K): Fraction(1)}
    for x, given in zip(X, y, strict=True):
        here = [_bandit_look(mass, [*map(list, W)], x, given, gamma) for W, mass in level.items()]
        level = {}
        for look in here:
            for W, share in ((look.right, look.p), (look.wrong, 1 - look.p)):
                if share > 0:
                    key = tuple(map(tuple, W))
                    level[key] = level.get(key, Fraction(0)) + share * look.mass
        looks += here
    return looks, level


def _bandit_look(mass: Fraction, W: Matrix, x: Vector, given: int, gamma: Fraction) -> Look:
    K, yhat = len(W), top(scores(W, x))
    y = label_of(given, yhat, K)
    p = (1 - gamma) * (y == yhat) + gamma / K
    wrong = added(W, yhat, Fraction(-1), x)
    return Look(mass, W, x, y, yhat, p, added(wrong, y, 1 / p, x) if p else wrong, wrong)
