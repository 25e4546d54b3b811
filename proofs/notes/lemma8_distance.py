"""Notes, Lemma 8: the distance to W* in the metric of M_t.

**Problem.** Bandit feedback, K classes, ||x_t|| <= 1, W in R^{K x d} whose rows have norm at most D >= 2, and a W* of
that kind whose squared hinge loss l_t(W*) is 0 on every round.

**Algorithm.** Algorithm 4: if ||x_t||_{M_t^{-1}} >= epsilon and ||W_t - W*||_F >= 1, guess; else predict the top label.
After a right prediction M_{t+1} = M_t + l_t(W_t) x_t x_t', W_{t+1} is W_t - (1/8) grad l_t(W_t), its rows projected.
At first M_1 = I and W_1 = 0; epsilon = 1/(4 D sqrt(32 K^3 D^4)). L_t is the sum of the losses of the updates before t.

**Theoretical guarantee.** ||W_t - W*||_{M_t}^2 <= (1 + L_t) (K D^2 - L_t/8) <= 2 (K D^2 + 1/8)^2 <= 32 K^3 D^4, by
Lemma 6 with its factor and M_t <= (1 + L_t) I. In the arguments U is W*.

**References.** Notes on bandit multiclass classification, section 5, Lemma 8.
"""

from fractions import Fraction

import numpy as np
from sympy import Rational

from gaptron import Claim, Constant, InProof, Instance, Resists
from gaptron.instances.squared_hinge import descent_run
from gaptron.symbols import D, K


def lemma8_instance(rng: np.random.Generator) -> Instance:
    at, seen = descent_run(rng)
    return Instance(at, max((1 + spent) * distance for distance, spent in seen), 2 * (8 + Fraction(1, 8)) ** 2)


NOTES, TODO = "notes, section 5, ", "Gradient Descent [TODO]"

claims = (
    Claim(
        id="notes/lemma8",
        quote=r"(1 + L_t) K^2 D^2 \exp\left(-\frac{L_t}{32KD^2}\right) \leq 32K^3 D^4",
        rough=TODO,
        source=NOTES + "Lemma 8",
        statement="||W_t - W*||_{M_t}^2 <= 2 (K D^2 + 1/8)^2 <= 32 K^3 D^4 in every round",
        grounds=InProof("descent.proof", "notes/lemma8"),
        recorded="PROVED",
        finding="True, although its proof uses the false exp(-x) <= 1/(1 + x)^2 (exp(x) >= 1 + x does instead) and a "
        "factor K too many. By Lemma 6 in its true form the constant is 2 (K D^2 + 1/8)^2.",
        constants=(
            Constant(
                name="bound on ||W_t - W*||_{M_t}^2",
                sharp="argument",
                printed=32 * K**3 * D**4,
                best=2 * (K * D**2 + Rational(1, 8)) ** 2,
                attained="best of this argument, at L_t = 4 K D^2 - 1/2",
            ),
        ),
        second=Resists(lemma8_instance, 60),
    ),
)
