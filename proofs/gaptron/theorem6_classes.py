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

from sympy import Eq, Rational, sqrt, symbols

from gaptron import Claim, Constant, Implication, Instance, Lemma, Obligations, Resists, Rests
from gaptron.symbols import K, gamma

v, phi, wrong, loss_u, inner, excess_sum = symbols("v phi wrong loss_u inner excess_sum", real=True)
z, s, t, a, part, squares, before, after, start, cost = symbols(
    "z s t a part squares before after start cost", nonnegative=True
)
eta, r, prob, g, u, tau, rounds = symbols("eta r prob g u tau rounds", positive=True)

small = (r <= Rational(1, 2), gamma <= 1)
tangent = phi >= 2 * (1 - r) * z * (1 - v) - (1 - r) ** 2 * z**2
flat = phi >= 2 * (1 - r) * (1 - v) - (1 - r) ** 2

round_costs = Lemma(
    name="Theorem 6, costs of a round",
    source="van der Hoeven 2020, Theorem 6",
    implications=(
        Implication(
            name="r <= 1/2",
            statement="r = 1/sqrt(K), K >= 4; below, 1/K = r^2, k = 1 - r^2 and kappa = 1 - r",
            given=(K >= 4, Eq(K * r**2, 1)),
            then=r <= Rational(1, 2),
        ),
        Implication(
            name="variance",
            statement="right round: part = (eta/2) E ||g||^2 <= gamma z^2/(K^2 p') <= gamma/K, since K p' >= 1 and z "
            "<= 1",
            given=(z <= 1, K * prob >= 1),
            then=gamma * z**2 / (K**2 * prob) <= gamma / K,
        ),
        Implication(
            name="right round, a >= gamma",
            statement="P(wrong) = k z^2; tangent at b = kappa z",
            given=(*small, part <= gamma * r**2, tangent),
            then=(1 - r**2) * z**2 - phi - (1 - r**2) * gamma <= (1 - r) * (2 * z * (v - (1 - z)) - part),
        ),
        Implication(
            name="variance against z",
            statement="right round: part <= gamma z^2/(K^2 p') <= z^2",
            given=(gamma <= 1, K * prob >= 1),
            then=gamma * z**2 / (K**2 * prob) <= z**2,
        ),
        Implication(
            name="right round, a < gamma",
            statement="P(wrong) = k gamma, the exploration; with margin >= 1 there is no step, and phi >= 0",
            given=(*small, part <= z**2, tangent),
            then=-phi <= (1 - r) * (2 * z * (v - (1 - z)) - part),
        ),
        Implication(
            name="gap map against margin",
            statement="wrong round, a = (1 - s)^2: 1 - a <= 2 s <= 2 t",
            given=(s <= t, Eq(a, (1 - s) ** 2)),
            then=1 - a <= 2 * t,
        ),
        Implication(
            name="variance, wrong round",
            statement="part = (eta/2) E ||g||^2 <= gamma/(K a) <= gamma/K + (1 - a)/K for a >= gamma",
            given=(gamma > 0, a >= gamma, a <= 1),
            then=gamma / (K * a) <= gamma / K + (1 - a) / K,
        ),
        Implication(
            name="wrong round, a >= gamma",
            statement="P(wrong) = 1 - a/K; tangent at b = kappa",
            given=(*small, part <= r**2 * (gamma + 1 - a), 1 - a <= 2 * t, a <= 1, flat),
            then=1 - a * r**2 - phi - (1 - r**2) * gamma <= (1 - r) * (2 * (v + t) - part),
        ),
        Implication(
            name="wrong round, a < gamma",
            statement="P(wrong) = 1 - gamma/K, (eta/2) E ||g||^2 <= 1/K, g = sqrt(gamma), 1 - g <= m* <= t",
            given=(*small, Eq(g**2, gamma), t >= 1 - g, flat),
            then=1 - gamma * r**2 - phi - (1 - r**2) * gamma <= (1 - r) * (2 * (v + t) - r**2),
        ),
    ),
)

all_rounds = Lemma(
    name="Theorem 6, all rounds",
    source="van der Hoeven 2020, Theorem 6 (our derivation)",
    implications=(
        Implication(
            name="drop",
            statement="in conditional expectation, the potential drops by at least <g, W - U> - (eta/2) E ||g||^2",
            given=(after <= before - 2 * eta * inner + eta**2 * squares,),
            then=inner - eta * squares / 2 <= (before - after) / (2 * eta),
        ),
        Implication(
            name="one more round",
            statement="cost = gamma (K - 1)/K; excess_sum = E[mistakes] - E[sum l_t(U)] so far",
            given=(
                wrong - loss_u - cost <= (1 - r) * (before - after) / (2 * eta),
                excess_sum <= (1 - r) * (start - before) / (2 * eta) + cost * rounds,
            ),
            then=excess_sum + wrong - loss_u <= (1 - r) * (start - after) / (2 * eta) + cost * (rounds + 1),
        ),
        Implication(
            name="printed parameters",
            statement="tau = sqrt(T), u = X D: gamma = 2 K u/tau, eta X^2 = gamma/(4 K^2) and 1/(2 eta X^2) = K tau/u",
            given=(Eq(gamma, 2 * K * u / tau), Eq(eta, gamma / (4 * K**2))),
            then=Eq(1 / (2 * eta), K * tau / u, evaluate=False),
        ),
        Implication(
            name="K <= 54",
            statement="(1 - r) + 2 (K - 1)/K <= 2 sqrt(2)",
            given=(K <= 54, Eq(r**2, 1 / K)),
            then=1 - r + 2 * (K - 1) / K <= 2 * sqrt(2),
        ),
        Implication(
            name="bound",
            statement="K u tau ((1 - r) + 2 (K - 1)/K) <= 2 sqrt(2) K u sqrt(T)",
            given=(1 - r + 2 * (K - 1) / K <= 2 * sqrt(2),),
            then=(1 - r) * u**2 * (K * tau / u) + 2 * K * u * tau * (K - 1) / K <= 2 * sqrt(2) * K * u * tau,
        ),
        Implication(
            name="gamma = 1",
            statement="2 K u >= sqrt(T): M_T <= T <= 4 K^2 u^2",
            given=(2 * K * u >= tau,),
            then=tau**2 <= 4 * K**2 * u**2,
        ),
    ),
)


def smooth_hinge(m):
    """The truncated loss at the margin m, and minus its slope."""
    return (1 - 2 * m, Fraction(2)) if m <= 0 else (max(1 - m, Fraction(0)) ** 2, max(2 * (1 - m), Fraction(0)))


def margin(M, x, y):
    """The margin of y and its rival."""
    scores = [sum(w * v for w, v in zip(row, x, strict=True)) for row in M]
    rival = max((k for k in range(len(M)) if k != y), key=lambda k: (scores[k], -k))
    return scores[y] - scores[rival], rival


def distance2(M, N):
    return sum((a - b) ** 2 for p, q in zip(M, N, strict=True) for a, b in zip(p, q, strict=True))


def random_round(rng):
    """P(wrong) - l(U) - gamma (K - 1)/K against (1 - 1/sqrt(K)) E drop, from the definitions; two features, X = 1."""
    root = int(rng.integers(2, 4))
    n, y, explored = root**2, int(rng.integers(4)), Fraction(int(rng.integers(1, 9)), 8)
    W, U = ([[Fraction(int(v), 4) for v in rng.integers(-3, 4, 2)] for _ in range(n)] for _ in range(2))
    x = ((1, 0), (0, 1), (Fraction(3, 5), Fraction(4, 5)), (Fraction(-1, 2), 0))[int(rng.integers(4))]
    margins = [margin(W, x, k)[0] for k in range(n)]
    top = next(k for k in range(n) if margins[k] >= 0)
    mix = max((1 - min(Fraction(1), margins[top])) ** 2, explored)
    right = mix / n + (1 - mix) * (top == y)
    eta = explored / (4 * n**2)
    (m, rival), moved = margin(W, x, y), [list(row) for row in W]
    step = eta * smooth_hinge(m)[1] / right
    moved[y] = [w + step * v for w, v in zip(W[y], x, strict=True)]
    moved[rival] = [w - step * v for w, v in zip(W[rival], x, strict=True)]
    drop = right * (distance2(W, U) - distance2(moved, U)) / (2 * eta)
    excess = 1 - right - smooth_hinge(margin(U, x, y)[0])[0] - explored * Fraction(n - 1, n)
    return Instance(
        {"K": n, "W": W, "U": U, "x": x, "y": y, "gamma": explored}, excess, drop * Fraction(root - 1, root)
    )


claims = (
    Claim(
        id="gaptron/t6-bound-to-54",
        kind="reading",
        quote=r"\max\left\{4K^2X^2D^2, \ 2KXD\sqrt{2T}\right\}",
        source="van der Hoeven 2020, Theorem 6",
        statement="Theorem 6 with its printed gamma and eta (truncated loss) for 2 <= K <= 54 and every T",
        tex=r"K \le 54:\ M_T \le \mathbb{E}\left[\sum_t \ell_t(U)\right] + \max\{4K^2X^2D^2, 2KXD\sqrt{2T}\}",
        grounds=(
            Rests("gaptron/lemma1"),
            Rests("gaptron/t6-gap"),
            Rests("gaptron/t6-tuning-to-11"),
            Rests("gaptron/bandit-unbiased-smooth"),
            Rests("gaptron/bandit-second-moment"),
            Rests("gaptron/reduction-margin"),
            Rests("gaptron/smooth-hinge-tangents"),
            Obligations(round_costs),
            Obligations(all_rounds),
        ),
        recorded="PROVED",
        finding="Lemma 1 gives it for K <= 11. For 4 <= K <= 54 the curvature of the loss does: the part of the "
        "potential is multiplied by 1 - 1/sqrt(K).",
        constants=(
            Constant(
                name="K X D sqrt(T)",
                printed=2 * sqrt(2),
                best=3 - 2 / K - 1 / sqrt(K),
                attained="K >= 4, printed gamma < 1, in the limit of large T (theorem6_adversary)",
            ),
        ),
        second=Resists(random_round, 100),
    ),
)
