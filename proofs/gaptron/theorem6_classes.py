"""Theorem 6 as printed, for K <= 54.

**Problem.** As in Theorem 6: bandit feedback, the truncated smooth hinge loss phi, ||x|| <= X, ||U|| <= D, T rounds.

**Algorithm.** Gaptron with the gap map (1 - min(1, m*))^2, the printed gamma = min{1, 2 K X D/sqrt(T)} and
eta = gamma/(4 K^2 X^2); W is projected on {||W|| <= D}.

**Theoretical guarantee.** **Upper bound** for K >= 4: P(wrong) - l_t(U) is at most 1 - 1/sqrt(K) times the expected
drop of the potential ||W - U||^2/(2 eta), plus gamma (K - 1)/K. So the printed gamma < 1 gives

    E[mistakes] <= E[sum l_t(U)] + K X D sqrt(T) (3 - 2/K - 1/sqrt(K)),

where Lemma 1 has 3 - 2/K. This is at most the printed 2 sqrt(2) K X D sqrt(T) for K <= 54. If gamma = 1, then
T <= 4 K^2 X^2 D^2, and the printed bound is trivial. From K = 55 on the printed bound is **false**: theorem6_adversary.

The loss is bounded by its tangents as in smooth_hinge_curvature: v is the margin of U against the rival that the
subgradient uses, 2 z the subgradient's slope, z = 1 - m on a right round with margin m < 1, and the tangent is the one
at b = (1 - 1/sqrt(K)) z. With r = 1/sqrt(K): 1/K = r^2, k = 1 - r^2, kappa = 1 - r.

**References.** van der Hoeven 2020, Theorem 6.
"""

from fractions import Fraction

from sympy import sqrt

from gaptron import Claim, Constant, InProof, Instance, Obligations, Resists
from gaptron.instances.by_hand import margin as margin_of
from gaptron.instances.by_hand import scores, smooth_hinge, squared_norm, step
from gaptron.symbols import K
from gaptron.theory.running import beside

up_to_11 = beside(__file__, "theorem6_up_to_11.py")


def distance2(M, N):
    return squared_norm([[a - b for a, b in zip(p, q, strict=True)] for p, q in zip(M, N, strict=True)])


def random_round(rng):
    """P(wrong) - l(U) - gamma (K - 1)/K against (1 - 1/sqrt(K)) E drop, from the definitions; two features, X = 1."""
    root = int(rng.integers(2, 4))
    n, y, explored = root**2, int(rng.integers(4)), Fraction(int(rng.integers(1, 9)), 8)
    W, U = ([[Fraction(int(v), 4) for v in rng.integers(-3, 4, 2)] for _ in range(n)] for _ in range(2))
    x = ((1, 0), (0, 1), (Fraction(3, 5), Fraction(4, 5)), (Fraction(-1, 2), 0))[int(rng.integers(4))]
    rule = smooth_hinge(n, explored / (4 * n**2))
    now, moved = step(rule, W, x, y, explored, lambda right: 1 / right)
    drop = (1 - now.P_wrong) * (distance2(W, U) - distance2(moved, U)) / (2 * rule.eta)
    excess = now.P_wrong - rule.phi(margin_of(scores(U, x), y)[0]) - explored * Fraction(n - 1, n)
    return Instance(
        {"K": n, "W": W, "U": U, "x": x, "y": y, "gamma": explored}, excess, drop * Fraction(root - 1, root)
    )


claims = (
    Claim(
        id="gaptron/t6-bound-to-54",
        kind="reading",
        quote=r"\max\left\{4K^2X^2D^2, \ 2KXD\sqrt{2T}\right\}",
        source="van der Hoeven 2020, Theorem 6",
        statement="Theorem 6 as printed for 2 to 54 classes, gamma = min{1, 2 K X D/sqrt(T)}, l_t the estimates of the "
        "truncated losses, W projected on a convex set of radius D that has U, any ties among the rivals, an adversary "
        "that sees the past: E[mistakes] <= E[sum l_t(U)] + max{4 K^2 X^2 D^2, 2 K X D sqrt(2 T)}",
        grounds=tuple(InProof("margins.proof", f"gaptron/t6-bound-to-{most}") for most in (11, 54)),
        recorded="PROVED",
        finding="Lemma 1 gives it for K <= 11. For 4 <= K <= 54 the curvature of the loss does: the part of the "
        "potential is multiplied by 1 - 1/sqrt(K).",
        constants=(
            Constant(
                name="K X D sqrt(T)",
                sharp="bound",
                printed=2 * sqrt(2),
                best=3 - 2 / K - 1 / sqrt(K),
                attained="K >= 4, printed gamma < 1, in the limit of large T (theorem6_adversary)",
            ),
        ),
        second=(Resists(random_round, 100), Obligations(up_to_11, "gap*|regret")),
        coq={"PaperBandit.v:Theorem6_to_54": "TheoremSixTo54.v:theorem_6_to_54"},
    ),
)
