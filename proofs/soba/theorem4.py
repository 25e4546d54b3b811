"""SOBA paper, Theorem 4: the fall-back to the hinge loss.

**Problem.** K classes, bandit feedback, ||x_t|| <= X, L = L_0(U) the sum of the multiclass hinge losses of U, T >= 2
rounds.

**Algorithm.** SOBA with a = X^2 and H = d K^2 X^2 ln T: gamma = min{1, (HL/T^2)^(1/3)} if L >= (||U||^2 + 1) sqrt(HT),
else gamma = min{1, sqrt(H/T)}. It needs L, not U.

**Theoretical guarantee.** S = E[sum h] <= L + 2 sqrt(V B (S + 1/2)) (see proof of Theorem 4), solved, with E[M] <= S +
gamma T, is

    E[M] <= L + gamma T + 4 ||U||^2 H/gamma + 2 sqrt(||U||^2 H L/gamma):

at most L + 4 (||U|| + 1) (HLT)^(1/3) in the first case, L + 6 (||U||^2 + 1) sqrt(HT) in the second. (The term 1/2 under
the root is absorbed: if V >= 1/8 then V B >= 1/8, as B >= 2 ln 2; else every loss is at least 1/2 and L >= 1.) In the
second case 2 sqrt(V B (S + 1/2)) <= ||U||^2 y + (S + 1/2)/2 with y = sqrt(HT) is enough, as L <= (||U||^2 + 1) y.

In print the first case lacks the "+ 1", which Lemma 5 has. It is needed: gamma does not depend on U, and the
exploration costs gamma T/2 if K = 2, however small ||U|| is. With features of length X on 3T/4 rounds, U of margin 1 on
these, and x = 0 with the label that loses ties on the rest, L = T/4, ||U|| = 1/(sqrt(2) X), and
E[M] - L >= (HLT)^(1/3)/4.

**References.** Beygelzimer, Orabona, Zhang 2017, Theorem 4.
"""

from fractions import Fraction

import numpy as np
from sympy import Eq, Rational, log, symbols

from gaptron import Breaks, Claim, Corrected, Implication, InProof, Instance, Lemma, Obligations, Resists, Rests
from gaptron.instances.soba_games import require
from gaptron.numbers.evaluate import ball
from gaptron.symbols import K, T, X, gamma

v, b, B, P, u, w, C, tau, r = symbols("v b B P u w C tau r", positive=True)
S, L, y, root_s, root_l, root_p, loss, log_t = symbols("S L y root_s root_l root_p loss log_t", nonnegative=True)
s, made, explored, size, root, small = symbols("s made explored size root small", real=True)

SOURCE = "Beygelzimer, Orabona, Zhang 2017, Theorem 4"
HALF = Rational(1, 2)

tuning = Lemma(
    name="SOBA, Theorem 4, solved",
    source=SOURCE,
    implications=(
        Implication(
            name="root",
            statement="with +1/2 on both sides, root_s^2 = S + 1/2, root_l^2 = L + 1/2, root_p^2 = P = V B",
            given=(root_s**2 <= root_l**2 + 2 * root_p * root_s,),
            then=root_s <= 2 * root_p + root_l,
        ),
        Implication(
            name="solved",
            statement="S <= L + 4 P + 2 sqrt(P (L + 1/2))",
            given=(S <= L + 2 * root_p * root_s, root_s <= 2 * root_p + root_l),
            then=S <= L + 4 * root_p**2 + 2 * root_p * root_l,
        ),
        Implication(
            name="losses of a small U",
            statement="V <= 1/8: margins are at most sqrt(2 V) <= 1/2, losses at least 1/2",
            given=(v <= HALF / 4, s**2 <= 2 * v, loss >= 1 - s),
            then=loss >= HALF,
        ),
        Implication(
            name="small U",
            statement="L >= 1: root^2 = P (L + 1/2), y^2 = P L: root <= (5/4) y",
            given=(L >= 1, Eq(root**2, P * (L + HALF)), Eq(y**2, P * L)),
            then=root <= 5 * y / 4,
        ),
        Implication(
            name="B",
            statement="B = d K^2 ln T/(2 gamma) >= 1, as ln T >= ln 2 >= 1/2",
            given=(size >= 1, log_t >= log(2), gamma > 0, gamma <= 1, Eq(2 * gamma * B, size * K**2 * log_t)),
            then=B >= 1,
        ),
        Implication(
            name="large U",
            statement="V >= 1/8, B >= 1, P = V B: root^2 = P (L + 1/2), y^2 = P L: root <= y + 2 P",
            given=(P >= HALF / 4, Eq(root**2, P * (L + HALF)), Eq(y**2, P * L)),
            then=root <= y + 2 * P,
        ),
        Implication(
            name="both",
            statement="S <= L + 4 P + 2 root, root at most (5/4) y or y + 2 P: S <= L + 8 P + (5/2) y",
            given=(S <= L + 4 * P + 2 * root, root <= 5 * y / 4 + 2 * P),
            then=S <= L + 8 * P + 5 * y / 2,
        ),
        Implication(
            name="in gamma",
            statement="P = U2 H/(2 gamma), y^2 = P L, root^2 = U2 H L/gamma: (5/2) y <= 2 root",
            given=(Eq(y**2, P * L), Eq(root**2, 2 * P * L), root >= 0),
            then=5 * y / 2 <= 2 * root,
        ),
    ),
)


first_case = Lemma(
    name="SOBA, Theorem 4, case 1",
    source=SOURCE,
    implications=(
        Implication(
            name="case 1",
            statement="r^3 = HLT: gamma T = r, U2 H/gamma = w^2 r^2/L <= (w + 1) r/2, sqrt(U2 H L/gamma) = w r",
            given=(
                made <= L + explored + 4 * small + 2 * root,
                Eq(explored, r),
                2 * small <= (w + 1) * r,
                Eq(root, w * r),
            ),
            then=made <= L + 4 * (w + 1) * r,
        ),
        Implication(
            name="case 1, U2 H/gamma",
            statement="L >= b^2 r and 2 w^2 <= (w + 1) b^2 with b^3 = w^2 + 1 (Lemma 5)",
            given=(L >= b**2 * r, 2 * w**2 <= (w + 1) * b**2, Eq(small * L, w**2 * r**2)),
            then=2 * small <= (w + 1) * r,
        ),
        Implication(
            name="case 1, gamma = 1", statement="T <= r", given=(made <= T, T <= r), then=made <= L + 4 * (w + 1) * r
        ),
    ),
)


no_constant = Lemma(
    name="SOBA, Theorem 4, no constant in case 1 as printed",
    source=SOURCE,
    implications=(
        Implication(
            name="mistakes",
            statement="T/4 rounds have x = 0 and y != yhat: E[M] = (1 - gamma) E[Mhat] + gamma T/2 >= L + gamma T/4, "
            "L = T/4",
            given=(Eq(made, (1 - gamma) * S + gamma * T / 2), S >= T / 4, gamma <= 1),
            then=made >= T / 4 + gamma * T / 4,
        ),
        Implication(
            name="every constant",
            statement="r = gamma T, u = ||U|| = 1/(sqrt(2) X): r/4 > C ||U|| r if X > 3 C",
            given=(Eq(2 * u**2 * X**2, 1), X > 3 * C),
            then=r / 4 > C * u * r,
        ),
        Implication(
            name="ln T",
            statement="T = tau^4: ln T = 4 ln tau <= 4 (tau - 1) <= tau^2",
            given=(Eq(log_t, 4 * s), s <= tau - 1),
            then=log_t <= tau**2,
        ),
        Implication(
            name="case 1 applies",
            statement="tau >= 8 X + 4/X: T/4 >= (1/(2 X^2) + 1) 2 X tau^3 >= (||U||^2 + 1) sqrt(HT)",
            given=(tau >= 8 * X + 4 / X,),
            then=tau**4 / 4 >= (1 / (2 * X**2) + 1) * 2 * X * tau**3,
        ),
        Implication(
            name="gamma < 1 applies",
            statement="HL = X^2 T ln T <= T^2",
            given=(log_t <= tau**2, tau >= 8 * X),
            then=X**2 * log_t <= tau**4,
        ),
    ),
)


def far_features(tied: int = 0) -> Instance:
    """X = 12, T = 120,000, L = T/4, constant 4: E[M] from below, by E[M] = (1 - gamma) E[Mhat] + gamma T/2.

    The label is 1, which yhat misses at x = 0 if ties go to another label.
    """
    x, t = 12, 120_000
    h_, l_, norm2 = 4 * x**2 * ball(Fraction(t)).log(), Fraction(t, 4), Fraction(1, 2 * x**2)
    require(ball(l_) > ball(norm2 + 1) * (h_ * t).sqrt(), "it is in the first case")
    r_ = (h_ * ball(l_) * t) ** ball(Fraction(1, 3))
    g = r_ / t
    setting = {"K": 2, "d": 1, "X": x, "T": t, "x_t": "12 on 3T/4 rounds, else 0", "y_t": 1, "U": ("-1/24", "1/24")}
    setting["ties"] = f"to label {tied}"
    missed = l_ if tied != 1 else Fraction(0)
    return Instance(setting, (1 - g) * ball(missed) + g * t / 2, ball(l_) + 4 * ball(norm2).sqrt() * r_)


def one_round() -> Instance:
    """T = 1: ln T = 0, so gamma = 0 and the bound is L_0(U) = 0 whatever the constant; yhat = 0, y = 1."""
    x, half = Fraction(1), Fraction(1, 2)
    margin_u = half * x - (-half * x)
    scores = [0 * x, 0 * x]
    made = Fraction(scores.index(max(scores)) != 1)
    return Instance({"T": 1, "x": x, "y": 1, "U": ("-1/2", "1/2"), "gamma": 0}, made, max(1 - margin_u, Fraction(0)))


def draw_bound(rng: np.random.Generator) -> Instance:
    """gamma T + 4 U2 H/gamma + 2 sqrt(U2 H L/gamma) in the second case, against 6 (U2 + 1) sqrt(HT)."""
    k, d_, t = (int(rng.integers(low, high)) for low, high in ((2, 6), (1, 5), (2, 10**5)))
    x, u2 = (Fraction(int(n), 4) for n in rng.integers(1, 17, 2))
    h_ = d_ * k * k * ball(x**2) * ball(Fraction(t)).log()
    root_ = (h_ * t).sqrt()
    l_ = ball(u2 + 1) * root_ * ball(Fraction(int(rng.integers(1, 9)), 9))
    g = (h_ / t).sqrt()
    left_ = ball(Fraction(t)) - l_ if g > 1 else g * t + 4 * ball(u2) * h_ / g + 2 * (ball(u2) * h_ * l_ / g).sqrt()
    return Instance({"k": k, "d": d_, "T": t, "X": x, "||U||^2": u2}, left_, 6 * ball(u2 + 1) * root_)


SETTING = "SOBA with a = X^2, M_T the mistakes of the draws, L_0(U) the sum of the multiclass hinge losses of U. "

claims = (
    Claim(
        id="soba/t4-first",
        quote=r"\mathbb{E}[M_T] \le L_0(U) + O\Big(\|U\|_F (d \, k^2 X^2 L_0(U) T \ln T)^{1/3} \Big)",
        severity="D",
        cause="case 1 of Theorem 4 has ||U|| where ||U|| + 1 is needed",
        patch="read ||U||_F + 1 for ||U||_F in the bound of case 1",
        source=f"{SOURCE}, case 1",
        statement=SETTING
        + "L_0(U) >= (||U||^2 + 1) sqrt(d k^2 X^2 T ln T), gamma = min(1, (d k^2 X^2 L_0(U) ln T/T^2)^(1/3)): "
        "E[M_T] <= L_0(U) + 4 ||U|| (d k^2 X^2 L_0(U) T ln T)^(1/3) (4 for the constant of O)",
        tex=r"\mathrm{E}[M_T] \le L_0(U) + O\left(\|U\|_F (dk^2X^2L_0(U)T\ln T)^{1/3}\right)",
        grounds=Breaks(far_features),
        recorded="REFUTED",
        finding="||U|| is printed for ||U|| + 1, which is what Lemma 5 gives. gamma does not depend on U, so the "
        "exploration costs gamma T (k - 1)/k = (d k^2 X^2 L T ln T)^(1/3) (k - 1)/k however small ||U|| is, and no "
        "constant will do: with X large, ||U|| = 1/(sqrt(2) X) has margin 1 on 3T/4 rounds. On the others, x = 0, all "
        "scores tie; the paper names no rule for ties, and y is the label that they do not go to. (Were they to go to "
        "y, this stream would have gamma T/2 = 14,473 mistakes, fewer than L = 30,000.) At T = 1 the printed bound is "
        "L_0(U), and SOBA, with gamma = 0, can be wrong where U has no loss.",
        corrected=Corrected(
            statement="T >= 2: E[M_T] <= L_0(U) + 4 (||U|| + 1) (d k^2 X^2 L_0(U) T ln T)^(1/3); without the + 1 no "
            "constant is enough",
            tex=r"\mathrm{E}[M_T] \le L_0(U) + 4(\|U\|_F + 1)(dk^2X^2L_0(U)T\ln T)^{1/3}",
            grounds=(
                Rests("soba/inequality6"),
                Rests("soba/lemma5-second"),
                Rests("soba/t4-eta-corrected"),
                Obligations(tuning),
                Obligations(first_case),
                Obligations(no_constant),
            ),
        ),
        second=Breaks(one_round),
    ),
    Claim(
        id="soba/t4-second",
        kind="reading",
        quote=r"\mathbb{E}[M_T] \le L_0(\boldsymbol{U}) + O\left(k(\|\boldsymbol{U}\|_F^2 + 1)X\sqrt{dT\ln T}\right)",
        source=f"{SOURCE}, case 2",
        statement=SETTING
        + "T >= 2, L_0(U) <= (||U||^2 + 1) sqrt(d k^2 X^2 T ln T), gamma = min(1, sqrt(d k^2 X^2 ln T/T)): E[M_T] <= "
        "L_0(U) + 6 (||U||^2 + 1) k X sqrt(d T ln T)",
        grounds=tuple(InProof("second_order.proof", f"soba/t4-{part}") for part in ("draws", "eta-corrected", "tuned")),
        recorded="PROVED",
        finding="True although its derivation goes through the false line of soba/t4-eta.",
        second=Resists(draw_bound, 100),
    ),
)
