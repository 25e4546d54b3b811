"""Notes, Lemma 8: the matrix M_t grows with the losses.

**Problem.** Bandit feedback, K classes, ||x_t|| <= 1, W in R^{K x d} whose rows have norm at most D >= 2, and a W* of
that kind whose squared hinge loss l_t(W*) is 0 on every round.

**Algorithm.** Algorithm 4: if ||x_t||_{M_t^{-1}} >= epsilon and ||W_t - W*||_F >= 1, guess; else predict the top label.
After a right prediction M_{t+1} = M_t + l_t(W_t) x_t x_t', W_{t+1} is W_t - (1/8) grad l_t(W_t), its rows projected.
At first M_1 = I and W_1 = 0; epsilon = 1/(4 D sqrt(32 K^3 D^4)). L_t is the sum of the losses of the updates before t.

**Theoretical guarantee.** M_t <= (1 + L_t) I: with ||x|| <= 1, v' x x' v <= v' v.

**References.** Notes on bandit multiclass classification, section 5, Lemma 8.
"""

from fractions import Fraction

import numpy as np

from gaptron import Claim, InProof, Instance, Resists
from gaptron.instances.squared_hinge import in_unit_ball, rationals


def matrix_instance(rng: np.random.Generator) -> Instance:
    d, n = int(rng.integers(1, 4)), int(rng.integers(1, 5))
    v, rows = rationals(rng, d), [in_unit_ball(rng, d) for _ in range(n)]
    losses = [abs(Fraction(int(rng.integers(0, 12)), 4)) for _ in rows]
    quadratic = (v * v).sum() + sum((a * (x @ v) ** 2 for a, x in zip(losses, rows, strict=True)), Fraction(0))
    return Instance({"v": v, "x": rows, "losses": losses}, quadratic, (1 + sum(losses)) * (v * v).sum())


NOTES, TODO = "notes, section 5, ", "Gradient Descent [TODO]"

claims = (
    Claim(
        id="notes/lemma8-matrix",
        quote=r"Because we assume $\|x_t\|_2^2 \leq 1$, it holds that $M_t \preceq (1 + L_t)I$",
        rough=TODO,
        source=NOTES + "Lemma 8",
        statement="v'v <= v'M_t v <= (1 + L_t) v'v for every v, in every round",
        grounds=InProof("descent.proof", "notes/lemma8-matrix"),
        recorded="PROVED",
        second=Resists(matrix_instance, 100),
    ),
)
