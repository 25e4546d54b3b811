"""Theorem 6: the smooth multiclass hinge loss with bandit feedback.

**Problem.** Online multiclass classification where only 1[y' != y] is revealed: K classes, ||x|| <= X, comparators with
||U|| <= D, T rounds.

**Algorithm.** Gaptron (Algorithm 1) on the importance-weighted smooth hinge loss, equation (6), truncated as in
Theorem 3, with the gap map of Theorem 3; gamma = min{1, sqrt(2 K^2 X^2 D^2/T)}, eta = gamma/(4 K^2 X^2); W is projected
on {||W|| <= D}.

**Theoretical guarantee.** **Upper bound**, Theorem 6:
E[mistakes] <= E[sum l_t(U)] + max{4 K^2 X^2 D^2, 2 K X D sqrt(2 T)}.

The paper prints gamma = min{1, sqrt(4 K^2 X^2 D^2/T)}: see theorem6_tuning for what that gives by Lemma 1, and
theorem6_classes for the numbers of classes for which the bound is true then.

**References.** van der Hoeven 2020, equation (6) and Theorem 6.
"""

from fractions import Fraction

from sympy import Max, Min, Piecewise, sqrt, symbols

from gaptron import (
    Claim,
    Constant,
    GapMap,
    Implication,
    Instance,
    Lemma,
    MarginLoss,
    Resists,
    Rests,
    Theorem,
    stated,
)
from gaptron.bounds.sides import Game
from gaptron.numbers.evaluate import ball
from gaptron.symbols import D, K, T, X, gamma, m
from gaptron.theory.lemma1 import bandit_bound_of, gap_of

smooth_hinge = MarginLoss(Piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, m < 1), (0, True)))
bound = Max(4 * K**2 * X**2 * D**2, 2 * K * X * D * sqrt(2 * T))

bandit_smooth_hinge = Theorem(
    name="Theorem 6, bandit smooth hinge",
    source="van der Hoeven 2020, Theorem 6",
    loss=smooth_hinge,
    gap_map=GapMap((1 - Min(1, m)) ** 2),
    feedback="bandit",
    exploration=Min(1, sqrt(2 * K**2 * X**2 * D**2 / T)),
    learning_rate=gamma / (4 * K**2 * X**2),
    regret=bound,
)


share, full, squares = symbols("share full squares", positive=True)
risk, loss = symbols("risk loss", real=True)

conditional = Lemma(
    name="Theorem 6, gap in conditional expectation",
    source="van der Hoeven 2020, Theorem 6 (our derivation)",
    implications=(
        Implication(
            name="full gap",
            statement="E ||g||^2 <= K ||g_full||^2/gamma and eta = gamma eta_full/K: the full gap is not exceeded",
            given=(gamma > 0, squares <= K * share / gamma, risk - loss + full * share / 2 <= 0),
            then=risk - loss + gamma * full / K * squares / 2 <= 0,
        ),
    ),
)

full_gap = stated(
    conditional["full gap"],
    "The gap with bandit feedback in conditional expectation, eta being gamma times that of full information over K, "
    "squares the second moment of the gradient and share that of full information",
    {gamma: 1, squares: 1, share: 1, full: 1, risk: 0, loss: 1, K: 2},
)


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
        grounds=(Rests("gaptron/t3-gap"), Rests("gaptron/bandit-second-moment"), full_gap, gap_of(bandit_smooth_hinge)),
        recorded="PROVED",
        second=Resists(random_round, 100),
    ),
    Claim(
        id="gaptron/t6-bound-some-gamma",
        kind="reading",
        quote=r"\max\left\{4K^2X^2D^2, \ 2KXD\sqrt{2T}\right\}",
        source="van der Hoeven 2020, Theorem 6",
        grounds=(
            Rests("gaptron/t6-gap"),
            Rests("gaptron/bandit-unbiased-smooth"),
            Rests("gaptron/convexity-margin"),
            bandit_bound_of(bandit_smooth_hinge),
        ),
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
        second=Resists(played(bandit_smooth_hinge, 3), 3),
    ),
)
