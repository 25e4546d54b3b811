"""Theorem 5, claims: the gap, the exploration rate, the tuning and the bound.

The theorem is in theorem5_bandit_hinge.py.
"""

from fractions import Fraction

from gaptron import Claim, Constant, InProof, Instance, Obligations, Resists
from gaptron.bounds.sides import Game
from gaptron.numbers.evaluate import ball
from gaptron.theory.running import beside

bandit_hinge = beside(__file__, "theorem5_bandit_hinge.py")


def by_lemma1(rng):
    """D^2/(2 eta) + gamma T (K - 1)/K at the printed parameters, or T if that is less, against the bound; balls."""
    n, T, u = int(rng.integers(2, 60)), int(rng.integers(1, 10**4)), Fraction(int(rng.integers(1, 80)), 16)
    kept = Fraction(n - 1, n)
    square = n**3 * u**2 / (2 * kept * (n - 1) * T)
    explored = ball(1) if square >= 1 else ball(square).sqrt()
    due = ball(u**2) * n**2 / (2 * explored * ball(kept)) + explored * ball(T * kept)
    first, second = ball(n**3 * u**2 / (n - 1)), 2 * n * ball(u) * ball(Fraction(T, 2)).sqrt()
    tolerance = ball(Fraction(1, 10**20))  # below 1 the second branch is met exactly, which balls cannot tell
    at = {"K": n, "T": T, "X D": u}
    return Instance(at, min(due, ball(T), key=float), max(first, second, key=float) + tolerance)


def random_round(rng):
    """The gap of a round with scores W x, ||x|| = X = 1, at the printed eta, from the definitions."""
    n, explored = int(rng.integers(2, 6)), Fraction(int(rng.integers(1, 9)), 8)
    scores, y = [Fraction(int(v), 12) for v in rng.integers(-12, 13, n)], int(rng.integers(n))
    top = scores.index(max(scores))
    star, margin = (scores[k] - max(scores[:k] + scores[k + 1 :]) for k in (top, y))
    a = 1 - star if star <= Fraction(1, n) else Fraction(0)
    off = y == top and star > Fraction(1, n)
    value, slope = (Fraction(0), 0) if off or margin >= 1 else (1 - margin, 1)
    eta = explored * Fraction(n - 1, n) / n**2
    mix = max(a, explored)
    share = mix / n + (1 - mix) * (y == top)
    gap = (1 - a) * (y != top) + a * Fraction(n - 1, n) - value + eta / 2 * 2 * slope**2 / share
    return Instance({"W x": scores, "y": y, "gamma": explored}, gap, 0)


def another_rate(rng):
    """The cost at the printed gamma, against that at another gamma; balls, with a tolerance for equality."""
    n, T, u = int(rng.integers(2, 60)), int(rng.integers(1, 10**4)), Fraction(int(rng.integers(1, 80)), 16)
    kept, other = Fraction(n - 1, n), ball(Fraction(int(rng.integers(1, 65)), 64))
    square = n**3 * u**2 / (2 * kept * (n - 1) * T)
    first, second = ball(n**2 * u**2 / (2 * kept)), ball(T * kept)
    best = ball(1) if square >= 1 else ball(square).sqrt()
    tolerance = ball(Fraction(1, 10**20))
    at = {"K": n, "T": T, "X D": u, "gamma": str(other)}
    return Instance(at, first / best + second * best, first / other + second * other + tolerance)


def played(theorem):
    """Exact expected mistakes on a short random stream with one feature, against the bound at a random U."""

    def draw(rng):
        n, T, D = int(rng.integers(2, 5)), int(rng.integers(1, 3)), Fraction(int(rng.integers(1, 4)), 5)
        X = [[Fraction(int(v), 4)] for v in rng.choice((-4, -3, -2, 2, 3, 4), T)]
        y = rng.integers(0, n, T).tolist()
        U = [[D * Fraction(int(v), 8 * n)] for v in rng.integers(-8, 9, n)]
        sides = Game(theorem, n, T, D).sides(X, y, U, arithmetic="ball")
        at = {"K": n, "D": D, "x": X, "y": y, "U": U}
        return Instance(at, ball(sides.mistakes), ball(sides.comparator_loss) + ball(sides.regret))

    return draw


claims = (
    Claim(
        id="gaptron/t5-gap",
        kind="derived",
        source="van der Hoeven 2020, Theorem 5 (a natural derivation; the appendix was not available)",
        statement="Theorem 5 with bandit feedback, l and g the estimates of loss and gradient: in every round the "
        "surrogate gap (1 - a) 1[y* != y] + a (K - 1)/K - l(W) + (eta/2) ||g||^2 is at most 0 in conditional "
        "expectation",
        grounds=InProof("margins.proof", "gaptron/t5-gap"),
        recorded="PROVED",
        finding="The printed gap map 1 - max{1[m* > beta], m*} is negative for m* > 1 (gaptron/hinge-map-range); with "
        "exploration the predictions are those of the clipped one, since max(a, gamma) = gamma there.",
        second=(Resists(random_round, 100), Obligations(bandit_hinge, "gap*")),
    ),
    Claim(
        id="gaptron/t5-gamma",
        kind="improvement",
        source="van der Hoeven 2020, Theorem 5",
        statement="the printed gamma minimises ||U||^2/(2 eta) + gamma T (K - 1)/K over (0, 1] at ||U|| = D: it is "
        "inverse/gamma + linear gamma, the printed root star balances the terms, no gamma > 0 gives less than"
        " star, and none in (0, 1] less than 1 if star >= 1",
        grounds=tuple(
            InProof("numbers.proof", f"gaptron/t5-{part}") for part in ("two-terms", "best-gamma", "clipped-gamma")
        ),
        recorded="PROVED",
        second=Resists(another_rate, 100),
    ),
    Claim(
        id="gaptron/t5-tuning",
        kind="derived",
        source="van der Hoeven 2020, Theorem 5 (a natural derivation; the appendix was not available)",
        statement="the printed eta and gamma of Theorem 5: D^2/(2 eta) + gamma T (K - 1)/K <= max{K^3 X^2 D^2/(K - "
        "1), 2 K X D sqrt(T/2)} for all K >= 2 and T, X, D > 0",
        grounds=InProof("margins.proof", "gaptron/t5-tuning"),
        recorded="PROVED",
        finding="For gamma < 1 the two sides are equal. For gamma = 1 the first branch has slack.",
        constants=(
            Constant(
                name="2 K X D sqrt(T/2)",
                sharp="argument",
                printed=1,
                best=1,
                attained="gamma < 1, every K (through Lemma 1)",
                theorem="Theorem 5, bandit hinge",
            ),
        ),
        second=(Resists(by_lemma1, 150), Obligations(bandit_hinge, "regret")),
    ),
    Claim(
        id="gaptron/t5-bound",
        quote=r"\max\left\{\frac{K^3 X^2 D^2}{K - 1}, \ 2KXD\sqrt{\frac{T}{2}}\right\}",
        source="van der Hoeven 2020, Theorem 5",
        statement="Theorem 5 with bandit feedback, l_t the estimated losses, W projected on a convex set of radius "
        "D that has U, any ties among the rivals, an adversary that sees the past: E[mistakes] <= E[sum l_t(U)] + "
        "max{K^3 X^2 D^2/(K - 1), 2 K X D sqrt(T/2)}",
        grounds=InProof("margins.proof", "gaptron/t5-bound"),
        recorded="PROVED",
        second=(Resists(played(bandit_hinge), 3), Obligations(bandit_hinge)),
    ),
)
