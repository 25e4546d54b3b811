"""The smooth hinge loss: what its curvature adds to Lemma 1.

**Problem.** Online multiclass classification with full information: K classes, ||x|| <= X, the truncated smooth hinge
loss phi of the margin. Lemma 1 bounds l_t(W) - l_t(U) by <g, W - U>, as if the loss were linear. It is not: for every
b in [0, 1] and every margin v, phi(v) >= 2 b (1 - v) - b^2, the tangent at v = 1 - b.

**Algorithm.** Gaptron as in Theorem 3: gap map (1 - min(1, m*))^2 and eta = 1/(4 K X^2).

**Theoretical guarantee.** **Upper bound**, with k = 1 - 1/K: P(wrong) - l_t(U) is at most k times the drop of the
potential ||W - U||^2/(2 eta), hence

    E[mistakes] <= sum l_t(U) + 2 (K - 1) X^2 ||U||^2,

where Theorem 3 has 2 K. For K = 2 it is **tight**: one round, with a U of margin 1/2. Here v is the margin of U against
the rival that the subgradient uses; it is at least its margin, and phi does not increase. The subgradient has slope
-2 z, with z = 1 - m on a right round with margin m < 1 and z = 1 on a wrong one; the tangent is the one at b = k z. On
a right round with m >= 1 nothing moves, no mistake is made, and phi >= 0.

**References.** van der Hoeven 2020, Theorem 3.
"""

from fractions import Fraction

from gaptron import Claim, Constant, InProof, Instance, Resists
from gaptron.instances.by_hand import comparator_losses, play, smooth_hinge
from gaptron.symbols import K

FILE = "margins.proof"


def excess(K, rounds, U):
    """Expected mistakes of Theorem 3's learner minus the loss of U, from the definitions; X = 1."""
    rule = smooth_hinge(K)
    played = list(play(rule, K, rounds))
    return sum(now.P_wrong for now in played) - comparator_losses(rule, played, rounds, U)


UNIT = [(1, 0), (0, 1), (Fraction(3, 5), Fraction(4, 5)), (Fraction(-4, 5), Fraction(3, 5)), (Fraction(1, 2), 0)]


def random_stream(rng):
    K, T = int(rng.integers(2, 5)), int(rng.integers(1, 6))
    rounds = [(UNIT[int(rng.integers(5))], int(rng.integers(K))) for _ in range(T)]
    U = [[Fraction(int(v), 6) for v in rng.integers(-3, 4, 2)] for _ in range(K)]
    square = sum(u * u for row in U for u in row)
    return Instance({"K": K, "(x, y)": rounds, "U": U}, excess(K, rounds, U), 2 * (K - 1) * square)


def one_round(_):
    """K = 2, x = 1, y = 0, U = (1/4, -1/4): mistakes 1/2, loss 1/4, ||U||^2 = 1/8."""
    U = [[Fraction(1, 4)], [Fraction(-1, 4)]]
    return Instance({"K": 2, "x": 1, "y": 0, "U": U}, excess(2, [((Fraction(1),), 0)], U), 2 * Fraction(1, 8), "=")


def random_tangent(rng):
    b, v = Fraction(int(rng.integers(0, 13)), 12), Fraction(int(rng.integers(-36, 37)), 12)
    return Instance({"b": b, "v": v}, 2 * b * (1 - v) - b**2, smooth_hinge(2).phi(v))


claims = (
    Claim(
        id="gaptron/smooth-hinge-tangents",
        kind="improvement",
        source="van der Hoeven 2020, equation (3) (not claimed there)",
        statement="the truncated smooth hinge loss at every margin v, every b in [0, 1]: phi(v) >= 2 b (1 - v) - b^2",
        grounds=InProof(FILE, "gaptron/tangents"),
        recorded="PROVED",
        second=Resists(random_tangent, 100),
    ),
    Claim(
        id="gaptron/t3-bound-sharper",
        kind="improvement",
        source="van der Hoeven 2020, Theorem 3 (not claimed there)",
        statement="Theorem 3, truncated loss, W projected on a convex set that has U, an adversary that sees the past: "
        "E[mistakes] <= E[sum l_t(U)] + 2 (K - 1) X^2 ||U||^2; for K = 2 and one round no constant below 2 will do",
        grounds=(InProof(FILE, "gaptron/t3-bound-sharper"), InProof(FILE, "gaptron/t3-sharper-attained")),
        recorded="PROVED",
        finding="Lemma 1 drops the curvature of the loss. With it, a round costs at most 1 - 1/K times what the "
        "potential drops, so Theorem 3 holds with K - 1 in place of K, for the same algorithm. A repeated example "
        "shows that at least (2 - o(1)) K is needed for large K.",
        constants=(
            Constant(name="X^2 ||U||^2", printed=2 * K, best=2 * (K - 1), attained="K = 2, T = 1, margin of U 1/2"),
        ),
        second=(Resists(random_stream, 80), Resists(one_round, 1)),
    ),
)
