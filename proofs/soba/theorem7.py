"""SOBA paper, Theorem 7: a reduction to online exp-concave optimization.

**Problem.** K classes, bandit feedback, ||x_t|| <= X, comparators with ||U||_F <= D, 0 < eta <= 1/max(2 X D, 1), T >=
2.

**Algorithm.** Algorithm 2: yhat is the top label of the oracle's W_t; draw from (1 - gamma) e_yhat + gamma/K; if the
draw is right and yhat wrong, the oracle gets the loss (K/gamma) f(margin), else zero.

**Theoretical guarantee.** Assumption 1 with constant c, dimension dK, G = 16 X K/gamma and beta = gamma eta/(32 K)
bounds the oracle's regret by c (G D + 1/beta) dK ln T <= 40 c K^2 d ln T/(gamma eta), as 16 X D <= 8/eta. In
expectation, with f(margin of U) <= l_eta(U) since margins of U are at most 1/eta <= (2 - eta)/eta:

    E[sum 1[yhat != y] l_eta(W_t)] <= L_eta(U) + 40 c K^2 d ln T/(gamma eta),

and 1[yhat != y] <= 1[yhat != y] l_eta(W_t) gives E[M] <= L_eta(U) + (40 c + 1) sqrt(K^2 d T ln T/eta) at gamma = min{1,
sqrt(K^2 d ln T/(eta T))}. The first statement is printed without 1[yhat != y], and so is false: the oracle learns
nothing from rounds with yhat = y, and may keep a tiny right margin, with a loss of nearly 1, for ever.

**References.** Beygelzimer, Orabona, Zhang 2017, appendix E, Theorem 7. Assumption 1 has d for the dimension, which is
dK here.
"""

from fractions import Fraction

import flint
import numpy as np
from sympy import Eq, symbols

from gaptron import Breaks, Claim, Corrected, Implication, InProof, Instance, Lemma, Obligations, Resists, Rests
from gaptron.instances.by_hand import eta_loss
from gaptron.instances.soba_games import require
from gaptron.numbers.evaluate import ball

tau, C = symbols("tau C", positive=True)
log_t, half_log = symbols("log_t half_log", real=True)

SOURCE = "Beygelzimer, Orabona, Zhang 2017, Theorem 7"
FILE = "oracle.proof"

idle_oracle = Lemma(
    name="SOBA, Theorem 7, an oracle that is never told",
    source=SOURCE,
    implications=(
        Implication(
            name="ln T",
            statement="T = tau^2: ln T = 2 ln tau <= 2 (tau - 1)",
            given=(Eq(log_t, 2 * half_log), half_log <= tau - 1),
            then=log_t <= 2 * tau,
        ),
        Implication(
            name="every constant",
            statement="K = 2, d = 1, X = D = 1, gamma = eta = 1/2: (3/5) T > 16 C ln T at tau > 160 C/3",
            given=(log_t <= 2 * tau, tau > 160 * C / 3),
            then=3 * tau**2 / 5 > 16 * C * log_t,
        ),
    ),
)


def idle(weight: Fraction, t: int, constant: int) -> Instance:
    """x_t = 1, y_t = 1, W_t = (-weight, weight) for ever, U = (-1/2, 1/2); all losses sent are zero."""
    at = Fraction(1, 2)
    scores = [-weight, weight]
    require(scores.index(max(scores)) == 1, "yhat is right")
    left = t * (eta_loss(2 * weight, at) - eta_loss(Fraction(1), at))
    right = constant * 16 * ball(Fraction(t)).log()
    setting = {
        "K": 2,
        "d": 1,
        "x_t": 1,
        "y_t": 1,
        "W_t": scores,
        "U": ("-1/2", "1/2"),
        "D": 1,
        "eta": at,
        "gamma": "1/2",
        "T": t,
    }
    return Instance(setting, ball(left), right)


def idle_oracle_breaks() -> Instance:
    """Margin 1/5 for ever, constant 100."""
    return idle(Fraction(1, 10), 10**5, 100)


def shrinking_oracle() -> Instance:
    """An oracle that moves while it is sent zeros: W_t = (-1/(t + 1), 1/(t + 1)), T = 1000, constant 1."""
    at, t = Fraction(1, 2), 1000
    left = sum((ball(eta_loss(Fraction(2, s + 1), at)) for s in range(1, t + 1)), ball(Fraction(0)))
    setting = {
        "K": 2,
        "d": 1,
        "x_t": 1,
        "y_t": 1,
        "W_t": "(-1/(t + 1), 1/(t + 1))",
        "U": ("-1/2", "1/2"),
        "eta": at,
        "gamma": "1/2",
        "T": t,
    }
    return Instance(setting, left, 16 * ball(Fraction(t)).log())


def draw_tuned(rng: np.random.Generator) -> Instance:
    """The oracle's printed bound at its G and beta, and gamma T, against (40 c + 1) sqrt(K^2 d T ln T/eta)."""
    k, d, t = (int(rng.integers(low, high)) for low, high in ((2, 6), (1, 5), (2, 10**6)))
    x, radius, constant = (Fraction(int(n), 4) for n in rng.integers(1, 17, 3))
    at = Fraction(int(rng.integers(1, 9)), 8) / max(2 * x * radius, Fraction(1))
    log_ = ball(Fraction(t)).log()
    root_: flint.arb = (k * k * d * t * log_ / ball(at)).sqrt()
    g = root_ / t
    regret = ball(constant) * (16 * ball(x * radius) * k / g + 32 * k / (g * ball(at))) * d * k * log_
    left = ball(Fraction(t)) if g > 1 else regret + g * t
    setting = {"k": k, "d": d, "T": t, "X": x, "D": radius, "eta": at, "c": constant}
    return Instance(setting, left, (ball(40 * constant + 1) + ball(Fraction(1, 10**6))) * root_)


SETTING = (
    "Algorithm 2 with an oracle of regret at most c (G D + 1/beta) dk ln T for beta-exp-concave losses with "
    "subgradients of norm G (Assumption 1), 0 < eta <= 1/max(2XD, 1), ||U||_F <= D. "
)

claims = (
    Claim(
        id="soba/t7-first",
        quote=r"\sum_{t=1}^{T} \mathbb{E}[\ell_{\eta}(\boldsymbol{W}_{t},(\boldsymbol{x}_{t},y_{t}))] - \sum_{t=1}^{T} "
        r"\ell_{\eta}(\boldsymbol{U},(\boldsymbol{x}_{t},y_{t})) \leq O\left(\frac{k^{2}d}{\gamma\eta} \ln T\right)",
        severity="A",
        cause="the first statement of Theorem 7 counts rounds of which the oracle is told nothing",
        patch="multiply l_eta(W_t, (x_t, y_t)) by 1[yhat_t != y_t] in the first statement",
        source=SOURCE,
        statement=SETTING
        + "given Assumption 1: sum E[l_eta(W_t, (x_t, y_t))] - sum l_eta(U, (x_t, y_t)) <= 100 k^2 d ln "
        "T/(gamma eta) (100 for the constant of O)",
        tex=r"\sum_t \mathrm{E}[\ell_\eta(W_t, (x_t, y_t))] - \sum_t \ell_\eta(U, (x_t, y_t))"
        r" \le O\left(\frac{k^2d}{\gamma\eta} \ln T\right)",
        grounds=Breaks(idle_oracle_breaks),
        recorded="REFUTED",
        finding="The proof bounds the losses of the rounds with yhat != y only, as the oracle is sent nothing else. "
        "On the others W_t may have a small margin and a loss of nearly 1 for ever: an oracle that starts at (-1/10, "
        "1/10) never hears of a loss if x = 1 and its top label is right in every round, and stays there, without any "
        "regret. No constant helps. The second statement is not affected.",
        corrected=Corrected(
            statement="sum E[1[yhat_t != y_t] l_eta(W_t, (x_t, y_t))] - sum l_eta(U, (x_t, y_t)) <= 40 c k^2 d ln "
            "T/(gamma eta), c the oracle's constant; without the indicator no constant is enough",
            tex=r"\sum_t \mathrm{E}[\mathbf{1}[\hat y_t \ne y_t] \ell_\eta(W_t, (x_t, y_t))] - \sum_t \ell_\eta(U, "
            r"(x_t, y_t)) \le \frac{40 c k^2d}{\gamma\eta} \ln T",
            grounds=(
                Rests("soba/claim1-exp-concave"),
                Rests("soba/claim1-gradient"),
                InProof(FILE, "soba/t7-first-corrected"),
                Obligations(idle_oracle),
            ),
        ),
        second=Breaks(shrinking_oracle),
    ),
    Claim(
        id="soba/t7-second",
        kind="reading",
        quote=r"\le O\left(\sqrt{\frac{k^2 d \cdot T \ln T}{\eta}}\right)",
        source=SOURCE,
        statement=SETTING
        + "gamma = min(1, sqrt(K^2 d ln T/(eta T))): E[M] <= E[L_eta(U)] + (40 c + 1) sqrt(K^2 d T ln T/eta)",
        grounds=(
            InProof("concave.proof", "soba/claim1-exp-concave"),
            InProof("concave.proof", "soba/claim1-gradient"),
            InProof(FILE, "soba/t7-second"),
        ),
        recorded="PROVED",
        finding="True although derived from the first statement: that of the wrong rounds is enough. With "
        "soba/claim1-exp-concave's best constants 40 is less than 9.",
        second=Resists(draw_tuned, 100),
    ),
)
