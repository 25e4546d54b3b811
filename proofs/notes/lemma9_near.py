"""Notes, Lemma 9: where x_t is short in the metric of M_t the prediction is right.

**Problem.** Bandit feedback, K classes, ||x_t|| <= 1, W in R^{K x d} whose rows have norm at most D >= 2, and a W* of
that kind whose squared hinge loss l_t(W*) is 0 on every round.

**Algorithm.** Algorithm 4: if ||x_t||_{M_t^{-1}} >= epsilon and ||W_t - W*||_F >= 1, guess; else predict the top label.
After a right prediction M_{t+1} = M_t + l_t(W_t) x_t x_t', W_{t+1} is W_t - (1/8) grad l_t(W_t), its rows projected.
At first M_1 = I and W_1 = 0; epsilon = 1/(4 D sqrt(32 K^3 D^4)). L_t is the sum of the losses of the updates before t.

**Theoretical guarantee.** Lemma 9 holds as printed although its proof does not: the gradient of Phi, the loss as a
function of the scores, may be longer than 4 D, but ||grad Phi||^2 <= 8 Phi, so that the printed epsilon gives
l <= 1/(2 D^2) <= 1/8. A loss of 1 may be a tie. In the arguments U is W*.

**References.** Notes on bandit multiclass classification, section 5, Lemma 9.
"""

from fractions import Fraction

import numpy as np
from sympy import sqrt, symbols

from gaptron import Breaks, Claim, Constant, Corrected, Implication, InProof, Instance, Lemma, Obligations
from gaptron.instances.squared_hinge import hinge_and_gradient
from gaptron.symbols import D

score_squares, hinge = symbols("score_squares hinge", nonnegative=True)
margin = symbols("margin", real=True)

below_one = Implication(
    name="loss below 1",
    statement="l = h^2 < 1, h = max(1 - m, 0): m > 0",
    given=(hinge**2 < 1, hinge >= 1 - margin),
    then=margin > 0,
)


def steep() -> Instance:
    """K = 2, d = 1, D = 2: W = (-2, 2) at x = 1, y = 0 has h = 5 and grad Phi = 10 (-1, 1)."""
    W = np.array([[Fraction(-2)], [Fraction(2)]], dtype=object)
    _, g = hinge_and_gradient(W, np.array([Fraction(1)], dtype=object), 0)
    return Instance({"K": 2, "D": 2, "W": (-2, 2), "x": 1, "y": 0, "squared": "yes"}, (g * g).sum(), (4 * 2) ** 2)


def steep_in_words() -> Instance:
    """||grad Phi||^2 = 8 h^2 with h = 1 + 2 D, against (4 D)^2, at D = 2."""
    D_ = Fraction(2)
    return Instance({"D": D_, "h": 1 + 2 * D_}, 8 * (1 + 2 * D_) ** 2, 16 * D_**2)


def tie() -> Instance:
    """W = 0 has loss 1 everywhere, and the top label is 0 by the rule for ties: wrong if y = 1."""
    zero = np.zeros((2, 1), dtype=object) + Fraction(0)
    value, _ = hinge_and_gradient(zero, np.array([Fraction(1)], dtype=object), 1)
    wrong = Fraction(1) if value <= 1 else Fraction(0)
    return Instance({"K": 2, "W": 0, "x": 1, "y": 1, "loss": value, "1[top label != y]": wrong}, wrong, 0)


FILE = "descent.proof"
NOTES, TODO = "notes, section 5, ", "Gradient Descent [TODO]"

claims = (
    Claim(
        id="notes/lemma9-gradient",
        quote=r"\langle \nabla \Phi_t(W_t x_t), W_t x_t - W^* x_t \rangle \\ &\leq 4D \|W_t x_t - W^* x_t\|_2",
        severity="B",
        cause="the gradient of Phi is not bounded by 4 D",
        patch="use ||grad Phi||^2 <= 8 Phi instead of ||grad Phi|| <= 4 D in the proof of Lemma 9",
        rough=TODO,
        source=NOTES + "Lemma 9, proof",
        statement="||grad Phi_t(W x_t)|| <= 4 D for every W whose rows have norm at most D, D >= 2",
        tex=r"\|\nabla \Phi_t(W_t x_t)\|_2 \le 4 D",
        grounds=Breaks(steep),
        recorded="REFUTED",
        finding="||grad Phi|| = 2 sqrt(2) h and h may be 1 + 2 D: at D = 2 that is sqrt(200) > 8.",
        corrected=Corrected(
            statement="||grad Phi_t|| <= 2 sqrt(2) (1 + 2 D); better for Lemma 9: ||grad Phi_t||^2 <= 8 Phi_t",
            tex=r"\|\nabla \Phi_t\|_2 \le 2 \sqrt{2} (1 + 2 D)",
            grounds=Obligations(
                Lemma(
                    name="Notes, gradient of Phi",
                    implications=(
                        Implication(
                            name="bound",
                            statement="||grad Phi||^2 <= 8 h^2 and 0 <= h <= 1 + 2 D",
                            given=(score_squares <= 8 * hinge**2, hinge <= 1 + 2 * D),
                            then=score_squares <= (2 * sqrt(2) * (1 + 2 * D)) ** 2,
                        ),
                    ),
                )
            ),
        ),
        constants=(
            Constant(
                name="bound on ||grad Phi_t||",
                sharp="bound",
                printed=4 * D,
                best=2 * sqrt(2) * (1 + 2 * D),
                attained="opposite rows of norm D",
            ),
        ),
        second=Breaks(steep_in_words),
    ),
    Claim(
        id="notes/lemma9",
        quote=r"Lemma 9. If $\|x_t\|_{M_t^{-1}} \leq \epsilon = \frac{1}{4D\sqrt{32K^3D^4}}$, then $\hat{y}_t = y_t$",
        rough=TODO,
        source=NOTES + "Lemma 9",
        statement="if ||x_t||_{M_t^-1} <= 1/(4 D sqrt(32 K^3 D^4)), every top label is y_t: "
        "l^2 <= 8 l ||W_t - W*||_{M_t}^2 ||x_t||_{M_t^-1}^2",
        grounds=(InProof(FILE, "notes/lemma9"), InProof(FILE, "notes/lemma9-chain")),
        recorded="PROVED",
        finding="True, although its proof is not: the gradient is bounded by 4 D wrongly, and l <= 1 allows a tie. "
        "With ||grad Phi||^2 <= 8 l the same epsilon gives l <= 1/(2 D^2) <= 1/8.",
    ),
    Claim(
        id="notes/lemma9-last-step",
        quote=r"4D \|W_t - W^*\|_{M_t} \|x_t\|_{M_t^{-1}} \leq 1. \end{aligned} $$ This implies $\hat{y}_t = y_t$",
        severity="B",
        cause="a loss of at most 1 allows a tie",
        patch="show l_t(W_t) < 1 (with ||grad Phi||^2 <= 8 Phi it is at most 1/8)",
        rough=TODO,
        source=NOTES + "Lemma 9, last step",
        statement="l_t(W_t) <= 1 implies that the top label is the true one",
        tex=r"\ell_t(W_t) \le 1 \Rightarrow \hat{y}_t = y_t",
        grounds=Breaks(tie),
        recorded="REFUTED",
        finding="Loss 1 is a tie, which may go to another label, as at W = 0. Loss below 1 implies it.",
        corrected=Corrected(
            statement="l_t(W_t) < 1 implies that the top label is the true one",
            tex=r"\ell_t(W_t) < 1 \Rightarrow \hat{y}_t = y_t",
            grounds=Obligations(Lemma(name="Notes, loss below 1", implications=(below_one,))),
        ),
    ),
)
