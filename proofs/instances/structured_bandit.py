"""RDUE on two classes, written out: a second route to what the structured theorems say of expected surrogate regret.

Base-2 logistic loss (softmax by powers of 2), outputs e_1 and e_2, one feature x with |x| <= 1, W a vector of two
weights in the ball of diameter B, adaptive gradient descent, full information or bandit feedback with one of two
estimates, delayed by D rounds and then learned by D + 1 interleaved copies. Expectations are exact sums over the
draws, in balls. With the l1 norm, gamma = 1/2, nu = 2 and lambda = 1/ln 2: a = 1 - ln 2 and b = 2 ln 2. Source:
Shibukawa et al. 2025, sections 3 to 5.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any

import numpy as np
from flint import arb

Pair = tuple[arb, arb]
Point = tuple[Fraction, int]
Sides = tuple[dict[str, Any], arb, arb]  # a setting, and E[R_T] with its bound
ZERO = arb(0)
LN2 = arb(2).log()
A, B_GRAD = 1 - LN2, 2 * LN2
OMEGA = 4  # tr(V^-1 Q^+ V^-T) for the 0-1 loss on two classes


def ball(number: Fraction | int) -> arb:
    """A rational number as a ball."""
    exact = Fraction(number)
    return arb(exact.numerator) / exact.denominator


def probabilities(W: Pair, x: Fraction) -> Pair:
    """The softmax probabilities of the scores W x, by powers of 2."""
    first = 1 / (1 + (LN2 * (W[1] - W[0]) * ball(x)).exp())
    return first, 1 - first


def surrogate(W: Pair, x: Fraction, label: int) -> arb:
    """The base-2 logistic loss."""
    return -probabilities(W, x)[label].log() / LN2


def rdue(W: Pair, x: Fraction, q: arb) -> Pair:
    """The distribution of RDUE: uniform with probability q, else randomized decoding, p = 2 (1 - largest)."""
    sigma = probabilities(W, x)
    largest = sigma[0].max(sigma[1])
    mixed = 2 * (1 - largest)
    top = (1 - q) * (1 - mixed) * int(sigma[0] > sigma[1]) + (1 - q) * mixed * sigma[0] + q / 2
    if not (sigma[0] > sigma[1] or sigma[0] < sigma[1]):  # a tie: mixed = 1
        top = (1 - q) * sigma[0] + q / 2
    return top, 1 - top


def paying(W: Pair, x: Fraction, q: arb) -> Pair:
    """Uniform with probability q, else P(wrong) <= S - ||g||^2: every label its need, the top one the rest."""
    sigma, square = probabilities(W, x), ball(x) ** 2
    needs = [(1 + s.log() / LN2 + 2 * (1 - s) ** 2 * square).max(ZERO) for s in sigma]
    top = 1 - needs[1] if sigma[0] > sigma[1] else needs[0]
    first = (1 - q) * top + q / 2
    return first, 1 - first


def full(W: Pair, x: Fraction, label: int, drawn: int, chance: Pair) -> Pair:
    """The gradient itself: full information."""
    sigma, scale = probabilities(W, x), ball(x)
    return (sigma[0] - (label == 0)) * scale, (sigma[1] - (label == 1)) * scale


def inverse_weighted(W: Pair, x: Fraction, label: int, drawn: int, chance: Pair) -> Pair:
    """The gradient divided by the probability of the label if that was drawn, else 0."""
    gradient = full(W, x, label, drawn, chance)
    return tuple(g * int(drawn == label) / chance[label] for g in gradient)  # type: ignore[return-value]


def pseudo_inverse(W: Pair, x: Fraction, label: int, drawn: int, chance: Pair) -> Pair:
    """(sigma - ytilde) x, ytilde = V^-1 P^+ yhat <yhat, V y>: V swaps the classes, and the product is 1[yhat != y]."""
    sigma, scale = probabilities(W, x), ball(x)
    estimate = [arb(0), arb(0)]
    estimate[1 - drawn] = int(drawn != label) / chance[drawn]
    return (sigma[0] - estimate[0]) * scale, (sigma[1] - estimate[1]) * scale


@dataclass(frozen=True)
class Copy:
    """Adaptive gradient descent: its weights, and the sum of the squared norms of its gradients."""

    W: Pair = (ZERO, ZERO)
    total: arb = ZERO

    def moved(self, gradient: Pair, diameter: arb) -> "Copy":
        """One step at the rate B/sqrt(2 total), projected on the ball of this diameter around 0."""
        square = gradient[0] * gradient[0] + gradient[1] * gradient[1]
        if square == 0:
            return self
        total = self.total + square
        return Copy(stepped(self.W, diameter / (2 * total).sqrt(), gradient, diameter), total)


@dataclass(frozen=True)
class Steady:
    """Gradient descent at one rate: its weights."""

    rate: arb
    W: Pair = (ZERO, ZERO)

    def moved(self, gradient: Pair, diameter: arb) -> "Steady":
        """One step, projected on the ball of this diameter around 0."""
        return Steady(self.rate, stepped(self.W, self.rate, gradient, diameter))


def stepped(W: Pair, rate: arb, gradient: Pair, diameter: arb) -> Pair:
    """W - rate gradient, projected on the ball of this diameter around 0."""
    ahead = [w - rate * g for w, g in zip(W, gradient, strict=True)]
    squares = ahead[0] * ahead[0] + ahead[1] * ahead[1]
    shrink = 1 if squares < diameter**2 / 4 else diameter / (2 * squares.sqrt())
    return ahead[0] * shrink, ahead[1] * shrink


Estimate = Callable[[Pair, Fraction, int, int, Pair], Pair]
Decoder = Callable[[Pair, Fraction, arb], Pair]


def expected_loss(
    stream: Sequence[Point],
    q: arb,
    estimate: Estimate,
    diameter: arb,
    copies: Sequence[Copy | Steady],
    decoder: Decoder = rdue,
) -> arb:
    """E[sum L(yhat)], over all draws; the copies take turns."""
    if not stream:
        return arb(0)
    (x, label), now = stream[0], copies[0]
    chance = decoder(now.W, x, q)
    draws = (label,) if estimate is full else (0, 1)
    later = [
        (1 if estimate is full else chance[drawn])
        * expected_loss(
            stream[1:],
            q,
            estimate,
            diameter,
            (*copies[1:], now.moved(estimate(now.W, x, label, drawn, chance), diameter)),
            decoder,
        )
        for drawn in draws
    ]
    return chance[1 - label] + sum(later, arb(0))


def surrogate_regret(
    rng: np.random.Generator,
    estimate: Estimate,
    n_rounds: int,
    diameter: Fraction,
    q: arb,
    copies: Sequence[Copy | Steady] = (Copy(),),
    decoder: Decoder = rdue,
) -> tuple[dict[str, Any], arb]:
    """A random stream and comparator in the set, and E[R_T]."""
    stream = [(Fraction(int(rng.integers(-4, 5)), 4), int(rng.integers(2))) for _ in range(n_rounds)]
    first = diameter / 2 * Fraction(int(rng.integers(-5, 6)), 8)
    U = (ball(first), ball(-first))
    made = expected_loss(stream, q, estimate, ball(diameter), copies, decoder)
    setting = {"(x, y)": stream, "U": (first, -first), "B": diameter, "delay": len(copies) - 1}
    return setting, made - sum((surrogate(U, x, y) for x, y in stream), arb(0))


def inverse_weighted_sides(rng: np.random.Generator) -> Sides:
    """E[R_T] of inverse weights against (b/(2a) + 1) B sqrt(KT), T = 5."""
    q = (ball(2) / 5).sqrt()
    setting, regret = surrogate_regret(rng, inverse_weighted, 5, Fraction(1), q)
    return setting, regret, (B_GRAD / (2 * A) + 1) * arb(10).sqrt()


def pseudo_inverse_sides(rng: np.random.Generator) -> Sides:
    """E[R_T] of the pseudo-inverse estimate against b B^2/a + 2 (4 omega B^2)^(1/3) T^(2/3), T = 5, B = 1/2."""
    return _pseudo_inverse(rng, Fraction(1, 2), arb(1), arb(2))


def smaller_sides(rng: np.random.Generator) -> Sides:
    """The same against b B^2/(2 a) + (7/4) (4 omega B^2)^(1/3) T^(2/3), on sets of other diameters."""
    return _pseudo_inverse(rng, Fraction(int(rng.integers(1, 10)), 8), arb(1) / 2, arb(7) / 4)


def _pseudo_inverse(rng: np.random.Generator, B: Fraction, of_descent: arb, of_exploring: arb) -> Sides:
    """E[R_T] at the best q against both terms with these coefficients, T = 5."""
    T = 5
    rate = 4 * OMEGA * ball(B) ** 2
    q = (rate / T).root(3)
    q = q if q < 1 else arb(1)
    setting, regret = surrogate_regret(rng, pseudo_inverse, T, B, q)
    potential, exploring = B_GRAD * ball(B) ** 2 / A, rate.root(3) * arb(T).root(3) ** 2
    return setting, regret, of_descent * potential + of_exploring * exploring


def delayed_sides(rng: np.random.Generator) -> Sides:
    """E[R_T] with delay D and D + 1 copies, full information, against b B^2 (D + 1)/(2a)."""
    delay, B = int(rng.integers(0, 4)), Fraction(int(rng.integers(1, 13)), 4)
    setting, regret = surrogate_regret(rng, full, 8, B, arb(0), (Copy(),) * (delay + 1))
    return setting, regret, B_GRAD * ball(B) ** 2 * (delay + 1) / (2 * A)


def delayed_bandit_sides(rng: np.random.Generator) -> Sides:
    """E[R_T] of inverse weights, delay 1, two copies, against (b/(2a) + 1) B sqrt(K (D + 1) T), T = 5, B = 1."""
    setting, regret = surrogate_regret(rng, inverse_weighted, 5, Fraction(1), (ball(4) / 5).sqrt(), (Copy(), Copy()))
    return setting, regret, (B_GRAD / (2 * A) + 1) * arb(20).sqrt()


def paying_sides(rng: np.random.Generator) -> Sides:
    """E[R_T] of inverse weights and the decoder that pays, at eta_0 = 2 and q = D/sqrt(T), against D sqrt(T), T = 5."""
    D = Fraction(int(rng.integers(1, 9)), 4)
    q = ball(D) / arb(5).sqrt()
    setting, regret = surrogate_regret(rng, inverse_weighted, 5, 2 * D, q, (Steady(q),), paying)
    return setting, regret, ball(D) * arb(5).sqrt()


def adaptive_sides(rng: np.random.Generator) -> Sides:
    """E[R_T] of adaptive descent, full information, against 2 b (1 - a) B^2/a, b and a of the base-2 logistic loss."""
    B = Fraction(int(rng.integers(1, 13)), 4)
    setting, regret = surrogate_regret(rng, full, 8, B, arb(0))
    return setting, regret, 2 * B_GRAD * (1 - A) * ball(B) ** 2 / A


def averaged_sides(rng: np.random.Generator) -> Sides:
    """E[L] at the mean of W_1, W_2, W_3 on a fresh example against E[S(U)] + b ||U||^2/(4 a T); two examples, T = 3."""
    examples = [(Fraction(int(rng.integers(-4, 5)), 4), int(rng.integers(2))) for _ in range(2)]
    first = Fraction(int(rng.integers(-12, 13)), 4)
    U, rate, far = (ball(first), ball(-first)), 2 * A / B_GRAD, arb(10**6)
    risks = arb(0)
    for sample in product(examples, repeat=3):
        path = [Steady(rate)]
        for x, label in sample[:2]:
            path.append(path[-1].moved(full(path[-1].W, x, label, label, path[-1].W), far))
        mean = (sum((one.W[0] for one in path), arb(0)) / 3, sum((one.W[1] for one in path), arb(0)) / 3)
        risks += sum((rdue(mean, x, arb(0))[1 - label] for x, label in examples), arb(0)) / 16
    losses = sum((surrogate(U, x, label) for x, label in examples), arb(0)) / 2
    setting = {"(x, y)": examples, "U": (first, -first), "T": 3}
    return setting, risks, losses + B_GRAD * 2 * ball(first) ** 2 / (12 * A)
