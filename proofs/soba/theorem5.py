"""SOBA paper, Theorem 5: exploration that adapts.

**Problem.** That of Theorem 2, without a bound on the sum of the quadratic terms. T >= 2, a = X^2.

**Algorithm.** SOBA with gamma_t = min{sqrt(k (1 + Q_{t-1})/t), 1}, Q the sum of n_s z_s'A_s^{-1}z_s over the past
rounds. The n_s is missing in print.

**Theoretical guarantee.** **Upper bound**: E[M] <= L_eta(U) + X^2 ||U||^2 + (6/eta) (sqrt(dk^2 T ln T) + dk^2 ln T).
With c_t = k n_t z_t'A_t^{-1}z_t in [0, k) and alpha = 1/(eta (2 - eta)) <= 1/eta Lemma 4 bounds sum gamma_t + alpha
c_t/gamma_t; then E sqrt(1 + Q) <= sqrt(1 + E Q), E Q <= dk ln T and 1 <= dk ln T (as dk >= 2).

Without n_s the guarantee is lost. A right round with a margin below 2 that is not used has z'A_t^{-1}z =
z'A_{t-1}^{-1}z, which can be 2 X^2/(a p). K = 2, x_1 = (1, 0), then x_t = (3/5, 4/5), y = 1 throughout: if the first
draw is right (probability 1/2), yhat = y from then on, no round is used again, and each right draw adds (178/125)/p to
Q. Q grows like (178/125) t, gamma stays at 1, and half of all rounds are wrong; but U with rows -(1/2, 1/4) and (1/2,
1/4) has no loss. Chebyshev's inequality makes this E[M] >= (T - 6 - 4 ln T)/4.

**References.** Beygelzimer, Orabona, Zhang 2017, appendix A, Theorem 5.
"""

from fractions import Fraction

import flint
import numpy as np
from sympy import Eq, Rational, symbols

from gaptron import (
    Breaks,
    Claim,
    Constant,
    Corrected,
    Implication,
    InProof,
    Instance,
    Lemma,
    Obligations,
    Resists,
    Rests,
)
from gaptron.instances.soba import form, paths
from gaptron.instances.soba_games import draw_game, require
from gaptron.numbers.evaluate import ball

prob, w, length = symbols("prob w length", positive=True)
Q = symbols("Q", nonnegative=True)
chance, far, spread = symbols("chance far spread", real=True)

SOURCE = "Beygelzimer, Orabona, Zhang 2017, Theorem 5"
FILE = "second_order.proof"


never_settles = Lemma(
    name="SOBA, Theorem 5 without n_t",
    source=SOURCE,
    implications=(
        Implication(
            name="mean",
            statement="a right draw (probability prob) adds w/prob: w in the mean",
            given=(),
            then=Eq(prob * (w / prob) + (1 - prob) * 0, w, evaluate=False),
        ),
        Implication(
            name="variance",
            statement="at prob >= 1/2 the variance of a round is at most w^2",
            given=(2 * prob >= 1,),
            then=prob * (w / prob - w) ** 2 + (1 - prob) * w**2 <= w**2,
        ),
        Implication(
            name="one more round",
            statement="the rounds are uncorrelated: the variance of Q is at most w^2 after each",
            given=(spread <= w**2 * length, far <= w**2),
            then=spread + far <= w**2 * (length + 1),
        ),
        Implication(
            name="Chebyshev",
            statement="chance = P(Q below its mean by w rounds/2): chance (w rounds/2)^2 <= w^2 rounds",
            given=(chance * (w * length / 2) ** 2 <= w**2 * length,),
            then=chance <= 4 / length,
        ),
        Implication(
            name="gamma = 1",
            statement="Q >= 4/5 + w rounds/2, w = 178/125, in round rounds + 2: 2 (1 + Q)/(rounds + 2) >= 1",
            given=(Eq(125 * w, 178), Q >= Rational(4, 5) + w * length / 2),
            then=2 * (1 + Q) >= length + 2,
        ),
        Implication(
            name="mistakes of a round",
            statement="first draw right: 1/2; gamma = 1: 1/2 wrong",
            given=(chance <= 4 / length,),
            then=(1 - chance) / 4 >= (1 - 4 / length) / 4,
        ),
    ),
)


def unused_round() -> Instance:
    """Two classes, a = X^2 = 1, gamma = 1/2; (1, 0), then (3/5, 4/5), y = 1: c_2 = k z_2'A_2^{-1}z_2."""
    stream = [([Fraction(1), Fraction(0)], 1), ([Fraction(3, 5), Fraction(4, 5)], 1)]
    path = next(p for p in paths(stream, 2, Fraction(1, 2), Fraction(1)) if all(t.drawn for t in p.steps))
    step = path.steps[-1]
    setting = {"stream": stream, "K": 2, "a": 1, "gamma": "1/2", "yhat": step.top, "updated": step.updated}
    return Instance(setting, 2 * step.quadratic, Fraction(2))


def unused_round_by_hand() -> Instance:
    """The same with gamma_1 = gamma_2 = 1 as printed: A_1 = I + 2 v v', so A_1^{-1} = I - (2/5) v v', ||v||^2 = 2."""
    w_ = 2 - Fraction(2, 5) * (2 * Fraction(3, 5)) ** 2
    return Instance({"gamma_t": 1, "p": "1/2", "x_2": ("3/5", "4/5")}, 2 * w_ / Fraction(1, 2), Fraction(2))


def linear_mistakes() -> Instance:
    """E[M] >= (T - 6 - 4 ln T)/4, by Chebyshev's inequality."""
    t = 10**6
    return printed_bound(t, (t - 6 - 4 * ball(Fraction(t)).log()) / 4)


def linear_mistakes_by_enumeration() -> Instance:
    """E[M] >= P(gamma = 1 for ever)/2 (T - 1)/2; 40 rounds are enumerated, the rest is Hoeffding's inequality.

    With N right draws in n rounds Q = 4/5 + (356/125) N, and gamma = 1 if 2 (1 + Q) >= n + 2, which N >= n/5 implies;
    P(N < n/5) <= exp(-2 n (3/10)^2), and these sum to at most exp(-41 * 9/50)/(1 - exp(-9/50)) beyond 40.
    """
    alive = {0: Fraction(1)}
    for t in range(1, 41):
        moved = {N: (alive.get(N, 0) + alive.get(N - 1, 0)) / Fraction(2) for N in range(t + 1)}
        alive = {N: p for N, p in moved.items() if 2 * (1 + Fraction(4, 5) + Fraction(356, 125) * N) >= t + 2}
    tail = (ball(Fraction(-41 * 9, 50))).exp() / (1 - ball(Fraction(-9, 50)).exp())
    t = 4 * 10**6
    return printed_bound(t, (ball(sum(alive.values(), Fraction(0))) - tail) / 2 * (t - 1) / 2)


def printed_bound(t: int, lower: flint.arb) -> Instance:
    """Mistakes against the bound with constant 12 at eta = 9/10, for a U without loss."""
    at, norm2 = Fraction(9, 10), Fraction(5, 8)
    half = [Fraction(1, 2), Fraction(1, 4)]
    margins = [2 * sum(u * e for u, e in zip(half, x, strict=True)) for x in ([1, 0], [Fraction(3, 5), Fraction(4, 5)])]
    require(all(m >= 1 for m in margins), "U has no loss")
    require((2 / at - 1) ** 2 >= 4 * norm2 / 2, "eta <= 2/(2 ||u_i|| + 1)")
    log_ = ball(Fraction(t)).log()
    right = ball(norm2) + 12 / ball(at) * ((8 * t * log_).sqrt() + 8 * log_)
    setting = {"K": 2, "T": t, "x_1": (1, 0), "x_t": ("3/5", "4/5"), "y_t": 1, "u_1 = -u_0": ("1/2", "1/4"), "eta": at}
    return Instance(setting, lower, right)


def draw_summand(rng: np.random.Generator) -> Instance:
    """Draws of a round with an update: n z'A_t^{-1}z < 1."""
    game = draw_game(rng, 3)
    used = [step for path in game.paths for step in path.steps if step.updated]
    step = used[int(rng.integers(len(used)))]
    return Instance(game.at, form(step.after.inv(), step.v) / step.p, Fraction(1), "<")


def draw_end(rng: np.random.Generator) -> Instance:
    """(2 + 2 alpha) sqrt(k T (1 + dk ln T)) + alpha dk^2 ln T against (6/eta) (sqrt(dk^2 T ln T) + dk^2 ln T)."""
    k, d, t = (int(rng.integers(low, high)) for low, high in ((2, 6), (1, 5), (2, 10**5)))
    at = Fraction(int(rng.integers(1, 9)), 8)
    q_, alpha_ = d * k * ball(Fraction(t)).log(), ball(1 / (at * (2 - at)))
    left = (2 + 2 * alpha_) * (k * t * (1 + q_)).sqrt() + alpha_ * k * q_
    return Instance({"k": k, "d": d, "T": t, "eta": at}, left, 6 / ball(at) * ((k * t * q_).sqrt() + k * q_))


SETTING = (
    "SOBA with exploration gamma_t, g = (e_ybar - e_y) (x) x/p, z = sqrt(p) g, A_t = a I + sum n z z', n = 1 in "
    "rounds with an update. "
)

claims = (
    Claim(
        id="soba/t5",
        kind="reading",
        quote=r"L_{\eta}(U) + O\left(X^2 \|U\|_F^2 + \frac{1}{\eta}(\sqrt{dk^2 T \ln T} + dk^2 \ln T)\right)",
        source=SOURCE,
        statement=SETTING
        + "a = X^2, T >= 2, gamma_t = min(sqrt(k (1 + sum_{s < t} n_s z_s'A_s^{-1}z_s)/t), 1): E[M_T] <= L_eta(U) + "
        "X^2 ||U||^2 + (6/eta) (sqrt(d k^2 T ln T) + d k^2 ln T)",
        grounds=InProof(FILE, "soba/t5"),
        recorded="PROVED",
        finding="With n_s in the sum; as printed, without it, see soba/t5-printed.",
        constants=(Constant(name="1/eta", printed=12, best=None, attained="6 is enough"),),
        second=Resists(draw_end, 100),
    ),
    Claim(
        id="soba/t5-printed",
        quote=r"\gamma_t = \min\left(\sqrt{\frac{k(1+\sum_{s=1}^{t-1} \boldsymbol{z}_s^T \boldsymbol{A}_s^{-1} "
        r"\boldsymbol{z}_s)}{t}}, 1\right)",
        severity="D",
        cause="the exploration rate of Theorem 5 sums over all rounds instead of those with an update",
        patch="read n_s z_s'A_s^{-1}z_s for z_s'A_s^{-1}z_s in gamma_t",
        source=SOURCE,
        statement=SETTING
        + "Theorem 5 with gamma_t as printed, no n_s in it (z_s = 0 if the draw is wrong): E[M_T] <= L_eta(U) "
        "+ X^2 ||U||^2 + (12/eta) (sqrt(d k^2 T ln T) + d k^2 ln T)",
        grounds=Breaks(linear_mistakes),
        recorded="REFUTED",
        finding="Rounds that are right, have a margin below 2 and are not used add a constant to the sum each time, so "
        "gamma_t does not fall: on a stream of two different features and one label, a quarter of all rounds is wrong "
        "in expectation, where some U has no loss. No constant helps. n_s must stand in the sum, as Lemma 4 needs it.",
        corrected=Corrected(
            statement="soba/t5, with n_s in the sum; without it E[M_T] >= (T - 6 - 4 ln T)/4 on that stream",
            grounds=(Rests("soba/t5"), Obligations(never_settles)),
        ),
        second=Breaks(linear_mistakes_by_enumeration),
    ),
    Claim(
        id="soba/t5-summand",
        quote=r"Lemma 4 with $c_t = k \boldsymbol{z}_t^T \boldsymbol{A}_t^{-1} \boldsymbol{z}_t \in [0, k], b = k",
        severity="D",
        cause="the exploration rate of Theorem 5 sums over all rounds instead of those with an update",
        patch="read n_t z_t'A_t^{-1}z_t for z_t'A_t^{-1}z_t in the proof",
        source=f"{SOURCE}, proof",
        statement=SETTING
        + "c_t = k z_t'A_t^{-1}z_t lies in [0, k] on every round whose draw is right (no n_t, as printed)",
        tex=r"c_t = k z_t^\top A_t^{-1} z_t \in [0, k]",
        grounds=Breaks(unused_round),
        recorded="REFUTED",
        finding="On a round that is not used A_t does not contain z_t z_t', and z'A_t^{-1}z can be 2 X^2/(a p) > 1. "
        "With n_t it is s/(1 + s) < 1.",
        corrected=Corrected(
            statement="c_t = k n_t z_t'A_t^{-1}z_t lies in [0, k)",
            tex=r"c_t = k n_t z_t^\top A_t^{-1} z_t \in [0, k)",
            grounds=Rests("soba/t5-summand-corrected"),
        ),
        second=Breaks(unused_round_by_hand),
    ),
    Claim(
        id="soba/t5-summand-corrected",
        kind="reading",
        quote=r"Lemma 4 with $c_t = k \boldsymbol{z}_t^T \boldsymbol{A}_t^{-1} \boldsymbol{z}_t \in [0, k], b = k",
        source=f"{SOURCE}, proof, n_t added",
        statement=SETTING + "0 <= n_t z_t'A_t^{-1}z_t < 1, so that c_t = k n_t z_t'A_t^{-1}z_t lies in [0, k)",
        grounds=InProof(FILE, "soba/sherman-morrison"),
        recorded="PROVED",
        second=Resists(draw_summand, 50),
    ),
)
