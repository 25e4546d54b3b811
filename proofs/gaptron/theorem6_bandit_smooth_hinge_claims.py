"""Theorem 6, claims: the gap, and the bound with another exploration rate.

The theorem is in theorem6_bandit_smooth_hinge.py.
"""

from fractions import Fraction

from sympy import sqrt

from gaptron import Claim, Constant, InProof, Instance, Obligations, Resists
from gaptron.bounds.sides import Game
from gaptron.numbers.evaluate import ball
from gaptron.symbols import K
from gaptron.theory.running import beside

bandit_smooth_hinge = beside(__file__, "theorem6_bandit_smooth_hinge.py")


def random_round(rng):
    """The gap of a round with scores W x, ||x|| = X = 1, at the printed eta, from the definitions."""
    n, explored = int(rng.integers(2, 6)), Fraction(int(rng.integers(1, 9)), 8)
    scores, y = [Fraction(int(v), 12) for v in rng.integers(-12, 13, n)], int(rng.integers(n))
    top = scores.index(max(scores))
    star, margin = (scores[k] - max(scores[:k] + scores[k + 1 :]) for k in (top, y))
    a = (1 - min(Fraction(1), star)) ** 2
    value = 1 - 2 * margin if margin <= 0 else max(1 - margin, Fraction(0)) ** 2
    slope = 2 if margin <= 0 else max(2 * (1 - margin), Fraction(0))
    eta = explored / (4 * n**2)
    mix = max(a, explored)
    share = mix / n + (1 - mix) * (y == top)
    gap = (1 - a) * (y != top) + a * Fraction(n - 1, n) - value + eta / 2 * 2 * slope**2 / share
    return Instance({"W x": scores, "y": y, "gamma": explored}, gap, 0)


def played(theorem, n_classes):
    """Exact expected mistakes on a short random stream with one feature, against the bound at a random U."""

    def draw(rng):
        n, T, D = n_classes, int(rng.integers(1, 3)), Fraction(int(rng.integers(1, 4)), 10)
        rows = [[Fraction(int(v), 4)] for v in rng.choice((-4, -3, -2, 2, 3, 4), T)]
        y = rng.integers(0, n, T).tolist()
        U = [[D * Fraction(int(v), 8 * n)] for v in rng.integers(-8, 9, n)]
        sides = Game(theorem, n, T, D).sides(rows, y, U, arithmetic="ball")
        at = {"K": n, "D": D, "x": rows, "y": y, "U": U}
        return Instance(at, ball(sides.mistakes), ball(sides.comparator_loss) + ball(sides.regret))

    return draw


claims = (
    Claim(
        id="gaptron/t6-gap",
        kind="derived",
        source="van der Hoeven 2020, Theorem 6 (a natural derivation; the appendix was not available)",
        statement="Theorem 6 with bandit feedback and any gamma > 0, l and g the estimates of the truncated loss "
        "and its gradient: in every round the surrogate gap (1 - a) 1[y* != y] + a (K - 1)/K - l(W) + (eta/2) "
        "||g||^2 is at most 0 in conditional expectation",
        grounds=InProof("margins.proof", "gaptron/t6-gap"),
        recorded="PROVED",
        second=(Resists(random_round, 100), Obligations(bandit_smooth_hinge, "gap*")),
    ),
    Claim(
        id="gaptron/t6-bound-some-gamma",
        kind="reading",
        quote=r"\max\left\{4K^2X^2D^2, \ 2KXD\sqrt{2T}\right\}",
        source="van der Hoeven 2020, Theorem 6",
        statement="Theorem 6 with bandit feedback at gamma = min{1, sqrt(2 K^2 X^2 D^2/T)}, l_t the estimates of "
        "the truncated losses, W projected on a convex set of radius D that has U, any ties among the rivals, an "
        "adversary that sees the past: E[mistakes] <= E[sum l_t(U)] + max{4 K^2 X^2 D^2, 2 K X D sqrt(2 T)}",
        grounds=InProof("margins.proof", "gaptron/t6-bound-some-gamma"),
        recorded="PROVED",
        finding="gamma = min{1, sqrt(2 K^2 X^2 D^2/T)} does.",
        constants=(
            Constant(
                name="K X D sqrt(T)",
                sharp="argument",
                printed=2 * sqrt(2),
                best=2 * sqrt(2) * sqrt((K - 1) / K),
                attained="through Lemma 1, at gamma = sqrt(2 K^3 X^2 D^2/((K - 1) T)) < 1",
                theorem="Theorem 6, bandit smooth hinge",
            ),
        ),
        second=(Resists(played(bandit_smooth_hinge, 3), 3), Obligations(bandit_smooth_hinge)),
    ),
)
