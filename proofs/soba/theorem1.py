"""SOBA paper, Theorem 1: the Perceptron and every power q in [1, 2] of the multiclass hinge loss.

**Problem.** K classes, features with ||x|| <= X, full information. M mistakes are compared with L_q = the sum over the
rounds of l(U, (x_t, y_t))^q, l the multiclass hinge loss; the stream may be anything.

**Algorithm.** Multiclass Perceptron: yhat = argmax W x; if it is wrong, W += v, v = (e_y - e_yhat) (x) x.

**Theoretical guarantee.** **Upper bound**: M <= M^(1 - 1/q) L_q^(1/q) + sqrt(2) X ||U|| sqrt(M). On a mistake <W, v> <=
0 and ||v||^2 = 2 ||x||^2, so ||W||^2 <= 2 X^2 M after M mistakes; <W, U> grows by at least 1 - l on each; and the
losses on the mistakes sum to at most M^(1 - 1/q) L_q^(1/q), by the tangent of r^q at the mean loss. For T orthogonal
features of length 1 and the two labels in turn U = s W makes all of it equal, for every q and s in [0, 1/2]. Solved for
M, with c = sqrt(2) X ||U||: M <= L_1 + c^2 + c sqrt(L_1) and M <= (sqrt(L_2) + c)^2.

**References.** Beygelzimer, Orabona, Zhang 2017, Theorem 1 and appendix B. Printed is l(W, .) in the definition of L_q;
l(U, .) is meant.
"""

from collections.abc import Callable
from fractions import Fraction

import flint
import numpy as np
from sympy import sqrt

from gaptron import Claim, Constant, InProof, Instance, Resists
from gaptron.instances.by_hand import dot
from gaptron.instances.soba import Vector
from gaptron.instances.soba_games import draw_vector
from gaptron.numbers.evaluate import ball


def perceptron(stream: list[tuple[Vector, int]], n_classes: int) -> tuple[int, list[Vector]]:
    """Mistakes and last weights, the lowest index winning ties."""
    W, mistakes = [[Fraction(0)] * len(stream[0][0]) for _ in range(n_classes)], 0
    for x, label in stream:
        scores = [dot(row, x) for row in W]
        top = scores.index(max(scores))
        if top != label:
            mistakes += 1
            W[label] = [a + b for a, b in zip(W[label], x, strict=True)]
            W[top] = [a - b for a, b in zip(W[top], x, strict=True)]
    return mistakes, W


def hinge(U: list[Vector], x: Vector, label: int) -> Fraction:
    """Equation (1)."""
    scores = [dot(row, x) for row in U]
    return max(max(1 - scores[label] + other, Fraction(0)) for k, other in enumerate(scores) if k != label)


def bound(right: Callable[[int, flint.arb, Callable[[Fraction], flint.arb]], flint.arb]) -> Callable:
    """Draws of a stream with U near a multiple of the Perceptron's weights; X is 1/8 larger than needed."""

    def draw(rng: np.random.Generator) -> Instance:
        K, d, T = int(rng.integers(2, 4)), int(rng.integers(1, 4)), int(rng.integers(1, 7))
        stream = [([Fraction(1)] * d, 1), *((draw_vector(rng, d), int(rng.integers(K))) for _ in range(T))]
        made, W = perceptron(stream, K)
        scale, noise = Fraction(int(rng.integers(1, 5)), 8), Fraction(int(rng.integers(0, 2)), 8)
        U = [[scale * entry + noise * e for entry, e in zip(row, draw_vector(rng, d), strict=True)] for row in W]
        losses_u = [hinge(U, x, label) for x, label in stream]
        norm2 = max(dot(x, x) for x, _ in stream) * Fraction(81, 64) * sum(dot(row, row) for row in U)
        c = (2 * ball(norm2 + Fraction(1, 1000))).sqrt()
        return Instance({"stream": stream, "U": U}, ball(Fraction(made)), right(made, c, power_sum(losses_u)))

    return draw


def power_sum(values: list[Fraction]) -> Callable[[Fraction], flint.arb]:
    """q -> the sum of the q-th powers of positive values."""
    return lambda q_: sum((ball(value) ** ball(q_) for value in values if value), ball(Fraction(0)))


def first(made: int, c: flint.arb, sums: Callable[[Fraction], flint.arb]) -> flint.arb:
    """The theorem's right side, the smallest over three q."""
    rights = []
    for q_ in (Fraction(1), Fraction(3, 2), Fraction(2)):
        rights.append(
            ball(Fraction(made)) ** ball(1 - 1 / q_) * sums(q_) ** ball(1 / q_) + c * ball(Fraction(made)).sqrt()
        )
    return min(rights, key=float)


def solved(power_: int) -> Callable:
    """The right side of the consequence for q = 1 or 2."""
    return lambda _, c, sums: sums(Fraction(power_)) + c**2 + power_ * c * sums(Fraction(power_)).sqrt()


def orthogonal(n: int, scale: Fraction) -> tuple[int, list[Vector], list[tuple[Vector, int]]]:
    """n orthogonal unit vectors, always label 1, and U = scale W."""
    stream = [([Fraction(int(i == t)) for i in range(n)], 1) for t in range(n)]
    made, W = perceptron(stream, 2)
    return made, [[scale * entry for entry in row] for row in W], stream


def attained(rng: np.random.Generator) -> Instance:
    """Equality of q = 1: M - L_1 and sqrt(2) X ||U|| sqrt(M), squared, on orthogonal features."""
    n, scale = int(rng.integers(1, 6)), Fraction(int(rng.integers(0, 9)), 16)
    made, U, stream = orthogonal(n, scale)
    total = sum((hinge(U, x, label) for x, label in stream), Fraction(0))
    return Instance({"T": n, "s": scale}, (made - total) ** 2, 2 * sum(dot(row, row) for row in U) * made, "=")


FILE = "perceptron.proof"
SOURCE = "Beygelzimer, Orabona, Zhang 2017, Theorem 1"
EQUAL = "T orthogonal unit features, label 1 each time, two classes, U = s W for s in [0, 1/2]"

claims = (
    Claim(
        id="soba/t1",
        kind="reading",
        quote=r"where $L_{MH,q}(U) = \sum_{t=1}^{T} \ell(W, (x_t, y_t))^q$",
        severity="D",
        cause="the definition of L_q in Theorem 1 has W in the place of U",
        patch="read l(U, (x_t, y_t))^q for l(W, (x_t, y_t))^q",
        source=SOURCE,
        statement="the multiclass Perceptron, every q >= 1: M <= M^(1 - 1/q) L_q^(1/q) + sqrt(2) X ||U|| sqrt(M)",
        grounds=InProof(FILE, "soba/t1"),
        recorded="PROVED",
        finding="In the definition of L_q the print has l(W, .) for l(U, .). The proof works for every q >= 1.",
        constants=(Constant(name="X ||U|| sqrt(M)", sharp="bound", printed=sqrt(2), best=sqrt(2), attained=EQUAL),),
        second=(Resists(bound(first), 30), Resists(attained, 30)),
    ),
    Claim(
        id="soba/t1-q1",
        quote=r"M_T \le L_{MH,1}(U) + 2X^2 \|U\|_F^2 + X \|U\|_F \sqrt{2} \sqrt{L_{MH,1}(U)}",
        source=SOURCE,
        statement="the multiclass Perceptron: M <= L_1 + c^2 + c sqrt(L_1), c = sqrt(2) X ||U||; attained",
        grounds=(InProof(FILE, "soba/t1-q1"), InProof(FILE, "soba/t1-q1-attained")),
        recorded="PROVED",
        finding="Solved exactly it is L_1 + c^2/2 + c sqrt(c^2/4 + L_1), c = sqrt(2) X ||U||, which is attained.",
        constants=(
            Constant(
                name="X^2 ||U||^2",
                sharp="bound",
                printed=2,
                best=2,
                attained="T = 1, K = 2, U with margin 1: M = 1, L_1 = 0",
            ),
            Constant(
                name="X ||U|| sqrt(L_1)",
                sharp="bound",
                printed=sqrt(2),
                best=sqrt(2),
                attained="T = 1, U = s W, as s -> 0",
            ),
        ),
        second=Resists(bound(solved(1)), 30),
    ),
    Claim(
        id="soba/t1-q2",
        quote=r"M_T \le L_{MH,2}(U) + 2X^2 \|U\|_F^2 + X \|U\|_F 2\sqrt{2} \sqrt{L_{MH,2}(U)}",
        source=SOURCE,
        statement="the multiclass Perceptron: M <= (sqrt(L_2) + c)^2, c = sqrt(2) X ||U||; attained",
        grounds=(InProof(FILE, "soba/t1-q2"), InProof(FILE, "soba/t1-q2-attained")),
        recorded="PROVED",
        finding="The right side is (sqrt(L_2) + sqrt(2) X ||U||)^2, and it is attained.",
        constants=(
            Constant(name="X^2 ||U||^2", sharp="bound", printed=2, best=2, attained=EQUAL),
            Constant(name="X ||U|| sqrt(L_2)", sharp="bound", printed=2 * sqrt(2), best=2 * sqrt(2), attained=EQUAL),
        ),
        second=Resists(bound(solved(2)), 30),
    ),
)
