"""Theorem 3.4 of NeurIPS 2025: inverse-weighted gradients, surrogate regret O(sqrt(KT)).

**Problem.** Online structured prediction with bandit feedback: K outputs, a target loss in [0, 1], T rounds, an
oblivious stream; b with ||grad S(W)||^2 <= b S(W), and a decoder with E[L(yhat)] <= (1 - a) S(W) + q that gives every
output at least q/K (RDUE).

**Algorithm.** h = g/p(y) if yhat = y, else 0; adaptive gradient descent on a convex set of diameter B; q = B
sqrt(K/T).

**Theoretical guarantee.** **Upper bound**: E[R_T] <= (b/(2a) + 1) B sqrt(KT) for a fixed U. E[||h||^2] <= (b K/q)
S(W), so that the surrogate regret is at most b K B^2/(2 a q) + q T; no step loses more than the constant.

**References.** Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025, section 3.3, Theorem 3.4.
"""

from sympy import Eq, Rational, symbols

from gaptron import Argument, Cite, Claim, Implication, Instance, Let, Resists, Use
from gaptron.instances.structured_bandit import inverse_weighted_sides
from gaptron.symbols import K
from gaptron.theory import facts
from gaptron.theory.surrogate_regret import (
    ADAPTIVE,
    BOUND,
    CONVEX,
    POINT,
    READS,
    B,
    E_losses,
    E_paid,
    a,
    alpha,
    beta,
    loss,
    mean_squares,
    paid,
    rounds,
    surrogate_regret,
    w,
)
from gaptron.theory.surrogate_regret import q as any_q

q, p, b, tau, k = symbols("q p b tau k", positive=True)
norm = symbols("norm", nonnegative=True)
NAMES = READS | {norm: "||g||^2", tau: "sqrt(T)", k: "sqrt(K)"}
INVERSE_WEIGHTED = (
    "h is g/p with probability p, else 0",
    "<h, W - U> is <g, W - U>/p with probability p, else 0",
    p <= 1,
    p >= q / K,
)

EXPLORED = (Eq(q, B * k / tau), Eq(K, k**2))
PAID = E_paid <= E_losses + (b / (2 * a) + 1) * B * k * tau

bound = Argument(
    name="Theorem 3.4",
    setting="RDUE and inverse-weighted gradients h, p the probability of the true output, adaptive gradient descent on "
    "a set of diameter B, an oblivious stream, a fixed U",
    symbols=NAMES,
    hypotheses=(
        *ADAPTIVE,
        *CONVEX,
        *INVERSE_WEIGHTED,
        paid <= (1 - a) * loss + q,
        norm <= b * loss,
        *EXPLORED,
        Eq(rounds, tau**2),
    ),
    steps=(
        Let(alpha, b * k * tau / B),
        Let(w, a * B / (b * k * tau)),
        Use(facts.WEIGHTED, {"e": "<h, W - U>", "v": "<g, W - U>", "p": "p"}),
        Use(facts.WEIGHTED_SQUARE, {"e": "h", "g": "g", "p": "p"}),
        Implication(
            name="least probability",
            statement="q/K = B/sqrt(KT)",
            given=(*EXPLORED, p >= q / K),
            then=p >= B / (k * tau),
        ),
        Implication(
            name="inverse of the least probability",
            statement="||g||^2/p <= ||g||^2 sqrt(KT)/B",
            given=(Eq(mean_squares, norm / p), p >= B / (k * tau)),
            then=mean_squares <= norm * k * tau / B,
        ),
        Implication(
            name="second moment, inverse-weighted",
            statement="E[||h||^2] <= (b K/q) S(W)",
            given=(mean_squares <= norm * k * tau / B, norm <= b * loss, Eq(alpha, b * k * tau / B)),
            then=mean_squares <= alpha * loss,
        ),
        Implication(
            name="rate of Theorem 3.4",
            statement="alpha w = a",
            given=(Eq(alpha, b * k * tau / B), Eq(w, a * B / (b * k * tau))),
            then=alpha * w <= a,
        ),
        Cite(surrogate_regret, {"beta": "0"}),
        Implication(
            name="potential of Theorem 3.4",
            statement="B^2/(2 w) = (b/(2a)) B sqrt(KT)",
            given=(Eq(w, a * B / (b * k * tau)),),
            then=Eq(B**2 / (2 * w), b / (2 * a) * B * k * tau, evaluate=False),
        ),
        Implication(
            name="exploration of Theorem 3.4",
            statement="q T = B sqrt(KT)",
            given=(Eq(q, B * k / tau), Eq(rounds, tau**2)),
            then=Eq(q * rounds, B * k * tau, evaluate=False),
        ),
        Implication(
            name="sum of Theorem 3.4",
            statement="both terms",
            given=(
                BOUND.subs({beta: 0, any_q: q}),
                Eq(B**2 / (2 * w), b / (2 * a) * B * k * tau),
                Eq(q * rounds, B * k * tau),
            ),
            then=PAID,
        ),
    ),
    conclusion=PAID,
    example=POINT | {q: 1, p: 1, b: 1, tau: 2, k: 2, K: 4, rounds: 4, norm: 0, alpha: 4, w: Rational(1, 4)},
)

claims = (
    Claim(
        id="neurips25/thm3-4",
        quote="E[R_T] <= (b/(2a) + 1) B sqrt(KT)",
        source="Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025, Theorem 3.4",
        grounds=bound,
        recorded="PROVED",
        second=Resists(lambda rng: Instance(*inverse_weighted_sides(rng)), 20),
    ),
)
