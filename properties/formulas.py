"""The hinge losses and Gaptron's round, written out from van der Hoeven 2020 in fractions, on their own."""

from fractions import Fraction

Vector = list[Fraction]
Matrix = list[Vector]


def scores(W: Matrix, x: Vector) -> Vector:
    """<W^k, x> for every k."""
    return [sum((w * v for w, v in zip(row, x, strict=True)), Fraction(0)) for row in W]


def margin(theta: Vector, y: int) -> Fraction:
    """m(W, y), section 4.2."""
    return theta[y] - max(score for k, score in enumerate(theta) if k != y)


def top(theta: Vector) -> int:
    """y*, the lowest index among ties."""
    return theta.index(max(theta))


def squared_norm(W: Matrix) -> Fraction:
    """||W||_F^2."""
    return sum((w * w for row in W for w in row), Fraction(0))


class Hinge:
    """Equation (2) and Theorem 2, beta = 1/K."""

    name = "hinge"

    def __init__(self, K: int) -> None:
        self.beta = Fraction(1, K)
        self.eta = (1 - self.beta) / K
        self.regret = Fraction(K**2, 2 * (K - 1))

    def a(self, s: Fraction) -> Fraction:
        return Fraction(0) if s > self.beta else 1 - s

    def phi(self, m: Fraction) -> Fraction:
        return max(1 - m, Fraction(0))

    def slope(self, m: Fraction) -> Fraction:
        return Fraction(-1 if m < 1 else 0)

    def is_off(self, theta: Vector, y: int) -> bool:
        return top(theta) == y and margin(theta, y) > self.beta


class SmoothHinge:
    """Equation (3), truncated at margin 1, and Theorem 3."""

    name = "smooth hinge"

    def __init__(self, K: int) -> None:
        self.eta = Fraction(1, 4 * K)
        self.regret = Fraction(2 * K)

    def a(self, s: Fraction) -> Fraction:
        return (1 - min(Fraction(1), s)) ** 2

    def phi(self, m: Fraction) -> Fraction:
        return 1 - 2 * m if m <= 0 else max(1 - m, Fraction(0)) ** 2

    def slope(self, m: Fraction) -> Fraction:
        return Fraction(-2) if m <= 0 else -2 * max(1 - m, Fraction(0))

    def is_off(self, theta: Vector, y: int) -> bool:
        return False


Loss = Hinge | SmoothHinge


def distribution(loss: Loss, theta: Vector, gamma: Fraction = Fraction(0)) -> Vector:
    """p', Algorithm 1 line 5."""
    K, best = len(theta), top(theta)
    a = max(loss.a(margin(theta, best)), gamma)
    return [(1 - a) * (k == best) + a / K for k in range(K)]


def value(loss: Loss, theta: Vector, y: int) -> Fraction:
    """The loss of a round."""
    return Fraction(0) if loss.is_off(theta, y) else loss.phi(margin(theta, y))


def gradient(loss: Loss, theta: Vector, x: Vector, y: int) -> Matrix:
    """The gradient in W: phi'(m) x in row y and -phi'(m) x in the row of the largest other score."""
    if loss.is_off(theta, y):
        return [[Fraction(0)] * len(x) for _ in theta]
    rival = min((k for k in range(len(theta)) if k != y), key=lambda k: (-theta[k], k))
    slope = loss.slope(margin(theta, y))
    return [[slope * v * ((k == y) - (k == rival)) for v in x] for k in range(len(theta))]


def step(loss: Loss, W: Matrix, x: Vector, y: int, weight: Fraction = Fraction(1)) -> Matrix:
    """W - eta weight g, Algorithm 1 line 8 without projection; with bandit feedback the weight is 1/p'(y)."""
    g = gradient(loss, scores(W, x), x, y)
    return [[w - loss.eta * weight * v for w, v in zip(*rows, strict=True)] for rows in zip(W, g, strict=True)]


def surrogate_gap(loss: Loss, W: Matrix, x: Vector, y: int) -> Fraction:
    """P(wrong) - loss + (eta/2) ||g||^2."""
    theta = scores(W, x)
    squared = squared_norm(gradient(loss, theta, x, y))
    return 1 - distribution(loss, theta)[y] - value(loss, theta, y) + loss.eta / 2 * squared
