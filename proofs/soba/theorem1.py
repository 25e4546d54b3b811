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
from sympy import Eq, exp, sqrt, symbols

from gaptron import Claim, Constant, Implication, Instance, Lemma, Obligations, Resists, Rests
from gaptron.instances.by_hand import dot
from gaptron.instances.soba import Vector
from gaptron.instances.soba_games import draw_vector
from gaptron.numbers.evaluate import ball
from gaptron.symbols import X

q, r, s, weight = symbols("q r s weight", positive=True)
tangent, power, inverse, log_r = symbols("tangent power inverse log_r", real=True)
norms, gain, product, score, loss = symbols("norms gain product score loss", real=True)
length2, mistakes, losses, above = symbols("length2 mistakes losses above", nonnegative=True)
log_m, log_l, log_mean = symbols("log_m log_l log_mean", real=True)
old, new, entry, w, u = symbols("old new entry w u", real=True)
left, right, v2, u2 = symbols("left right v2 u2", real=True)
M, L, c, root_m, root_l = symbols("M L c root_m root_l", nonnegative=True)

rounds = Lemma(
    name="SOBA, Theorem 1, sums over the mistakes",
    source="Beygelzimer, Orabona, Zhang 2017, appendix B",
    implications=(
        Implication(
            name="one more mistake, norm",
            statement="score = <W, v> <= 0, gain = ||v||^2 = 2 ||x||^2: ||W + v||^2 <= 2 X^2 (M + 1)",
            given=(norms <= 2 * X**2 * mistakes, score <= 0, Eq(gain, 2 * length2), length2 <= X**2),
            then=norms + 2 * score + gain <= 2 * X**2 * (mistakes + 1),
        ),
        Implication(
            name="one more mistake, product",
            statement="<W, U> is at least the sum of 1 - l over the mistakes; score = <U, v>, l >= 1 - score",
            given=(product >= mistakes - losses, loss >= 1 - score),
            then=product + score >= mistakes + 1 - (losses + loss),
        ),
        Implication(
            name="Cauchy-Schwarz, cross term",
            statement="2 <V, U> w u <= ||V||^2 u^2 + ||U||^2 w^2 between the squares",
            given=(product**2 <= left * right, v2 >= 0, u2 >= 0),
            then=4 * product**2 * v2 * u2 <= (left * u2 + right * v2) ** 2,
        ),
        Implication(
            name="Cauchy-Schwarz, one more coordinate",
            statement="(<V, U> + w u)^2 <= (||V||^2 + w^2) (||U||^2 + u^2)",
            given=(product**2 <= left * right, 2 * product * w * u <= left * u**2 + right * w**2),
            then=(product + w * u) ** 2 <= (left + w**2) * (right + u**2),
        ),
        Implication(
            name="together, squares",
            statement="<W, U>^2 <= ||W||^2 ||U||^2 <= c^2 M with c^2 = 2 X^2 ||U||^2, u2 = ||U||^2",
            given=(product**2 <= norms * u2, norms <= 2 * X**2 * M, u2 >= 0, Eq(c**2, 2 * X**2 * u2)),
            then=product**2 <= c**2 * M,
        ),
        Implication(
            name="together, roots",
            statement="left^2 <= right^2 and right >= 0 give left <= right",
            given=(product**2 <= right**2, right >= 0),
            then=product <= right,
        ),
        Implication(
            name="together",
            statement="M - losses <= <W, U> <= c sqrt(M)",
            given=(product >= M - losses, product <= c * root_m),
            then=M <= losses + c * root_m,
        ),
    ),
)

hoelder = Lemma(
    name="SOBA, Theorem 1, the power of the losses",
    source="Beygelzimer, Orabona, Zhang 2017, appendix B",
    implications=(
        Implication(
            name="exponential",
            statement="exp(z) >= 1 + z",
            given=(),
            then=exp(tangent) >= 1 + tangent,
        ),
        Implication(
            name="logarithm",
            statement="inverse = exp(-log r) = 1/r: log r >= 1 - 1/r",
            given=(inverse >= 1 - log_r, Eq(inverse * r, 1)),
            then=log_r >= 1 - 1 / r,
        ),
        Implication(
            name="tangent of r^q",
            statement="power = r^(q - 1) = exp((q - 1) log r): r^q >= 1 + q (r - 1)",
            given=(q >= 1, power >= 1 + (q - 1) * log_r, log_r >= 1 - 1 / r),
            then=r * power >= 1 + q * (r - 1),
        ),
        Implication(
            name="one more mistake",
            statement="r is its loss over the mean loss of all mistakes: above = sum of the r^q >= M + q (sum of r - "
            "M)",
            given=(q >= 1, above >= mistakes + q * (losses - mistakes), power >= 1 + q * (r - 1)),
            then=above + power >= mistakes + 1 + q * (losses + r - mistakes - 1),
        ),
        Implication(
            name="no loss",
            statement="the tangent at r = 0: 0 >= 1 - q",
            given=(q >= 1,),
            then=1 + q * (0 - 1) <= 0,
        ),
        Implication(
            name="the mean",
            statement="with the mean loss of the mistakes the sum of r is M: above >= M",
            given=(Eq(losses, mistakes), above >= mistakes + q * (losses - mistakes)),
            then=above >= mistakes,
        ),
        Implication(
            name="in logarithms",
            statement="log M + q log mean <= log L_q gives log(M mean) <= (1 - 1/q) log M + (1/q) log L_q",
            given=(q >= 1, log_m + q * log_mean <= log_l),
            then=log_m + log_mean <= (1 - 1 / q) * log_m + log_l / q,
        ),
    ),
)

consequences = Lemma(
    name="SOBA, Theorem 1, solved for M",
    source="Beygelzimer, Orabona, Zhang 2017, Theorem 1",
    implications=(
        Implication(
            name="root, q = 1",
            statement="c = sqrt(2) X ||U||: M <= L + c sqrt(M) gives sqrt(M) <= c + sqrt(L)",
            given=(root_m**2 <= root_l**2 + c * root_m,),
            then=root_m <= c + root_l,
        ),
        Implication(
            name="q = 1",
            statement="M <= L + c sqrt(M) and sqrt(M) <= c + sqrt(L) give M <= L + c^2 + c sqrt(L)",
            given=(M <= L + c * root_m, root_m <= c + root_l),
            then=M <= L + c**2 + c * root_l,
        ),
        Implication(
            name="q = 2",
            statement="M <= sqrt(M L) + c sqrt(M) gives M <= (sqrt(L) + c)^2 = L + c^2 + 2 c sqrt(L)",
            given=(root_m**2 <= root_m * root_l + c * root_m,),
            then=root_m**2 <= root_l**2 + c**2 + 2 * c * root_l,
        ),
        Implication(
            name="equality, q = 2",
            statement="U = s W, M orthogonal features: sqrt(L_2) = (1 - 2 s) sqrt(M), c = 2 s sqrt(M)",
            given=(Eq(root_l, (1 - 2 * s) * root_m), Eq(c, 2 * s * root_m)),
            then=Eq(root_m**2, root_l**2 + c**2 + 2 * c * root_l, evaluate=False),
        ),
        Implication(
            name="c sqrt(L), q = 1",
            statement="U = s W, one feature: L = 1 - 2 s, c = 2 s: the rest 1 - L - c^2 is c (1 - 2 s), c sqrt(L) for "
            "s -> 0",
            given=(Eq(L, 1 - 2 * s), Eq(c, 2 * s)),
            then=Eq(1 - L - c**2, c * L, evaluate=False),
        ),
    ),
)


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


SOURCE = "Beygelzimer, Orabona, Zhang 2017, Theorem 1"
EQUAL = "T orthogonal unit features, label 1 each time, two classes, U = s W for s in [0, 1/2]"

SETTING = (
    "Multiclass Perceptron, any U and any stream with ||x_t|| <= X, M mistakes, L_q the sum of the q-th powers of "
    "the multiclass hinge losses of U. "
)

claims = (
    Claim(
        id="soba/t1",
        kind="reading",
        quote=r"where $L_{MH,q}(U) = \sum_{t=1}^{T} \ell(W, (x_t, y_t))^q$",
        severity="D",
        cause="the definition of L_q in Theorem 1 has W in the place of U",
        patch="read l(U, (x_t, y_t))^q for l(W, (x_t, y_t))^q",
        source=SOURCE,
        statement=SETTING + "Every q in [1, 2]: M <= M^(1 - 1/q) L_q^(1/q) + sqrt(2) X ||U|| sqrt(M)",
        tex=r"M_T \le M_T^{1-1/q} L_q(U)^{1/q} + \sqrt{2} X \|U\|_F \sqrt{M_T}",
        grounds=(Obligations(rounds), Obligations(hoelder)),
        recorded="PROVED",
        finding="In the definition of L_q the print has l(W, .) for l(U, .). The proof works for every q >= 1.",
        constants=(Constant(name="X ||U|| sqrt(M)", sharp="bound", printed=sqrt(2), best=sqrt(2), attained=EQUAL),),
        second=(Resists(bound(first), 30), Resists(attained, 30)),
    ),
    Claim(
        id="soba/t1-q1",
        quote=r"M_T \le L_{MH,1}(U) + 2X^2 \|U\|_F^2 + X \|U\|_F \sqrt{2} \sqrt{L_{MH,1}(U)}",
        source=SOURCE,
        statement=SETTING + "M <= L_1 + 2 X^2 ||U||^2 + sqrt(2) X ||U|| sqrt(L_1)",
        tex=r"M_T \le L_1(U) + 2 X^2 \|U\|_F^2 + \sqrt{2} X \|U\|_F \sqrt{L_1(U)}",
        grounds=(Rests("soba/t1"), Obligations(consequences, "*q = 1")),
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
        statement=SETTING + "M <= L_2 + 2 X^2 ||U||^2 + 2 sqrt(2) X ||U|| sqrt(L_2)",
        tex=r"M_T \le L_2(U) + 2 X^2 \|U\|_F^2 + 2\sqrt{2} X \|U\|_F \sqrt{L_2(U)}",
        grounds=(Rests("soba/t1"), Obligations(consequences, "q = 2"), Obligations(consequences, "equality, q = 2")),
        recorded="PROVED",
        finding="The right side is (sqrt(L_2) + sqrt(2) X ||U||)^2, and it is attained.",
        constants=(
            Constant(name="X^2 ||U||^2", sharp="bound", printed=2, best=2, attained=EQUAL),
            Constant(name="X ||U|| sqrt(L_2)", sharp="bound", printed=2 * sqrt(2), best=2 * sqrt(2), attained=EQUAL),
        ),
        second=Resists(bound(solved(2)), 30),
    ),
)
