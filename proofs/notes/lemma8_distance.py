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
from sympy import Eq, Rational, symbols

from gaptron import (
    Argument,
    Cite,
    Claim,
    Constant,
    Implication,
    Instance,
    Lemma,
    Put,
    Resists,
    Rounds,
)
from gaptron.instances.squared_hinge import descent_run
from gaptron.symbols import D, K
from gaptron.theory.lemma1 import DESCENT

loss, loss_u, before, L, part, rows, norm2, score_squares, weights, parts = symbols(
    "loss loss_u before L part rows norm2 score_squares weights parts", nonnegative=True
)
row_in_metric, row, in_metric = symbols("row_in_metric row in_metric", nonnegative=True)
eta, c, power = symbols("eta c power", positive=True)
level, t = symbols("level t", real=True)

MEANS = {
    loss: "l(W)", loss_u: "l(U)", before: "||W - U||^2", L: "L_t", part: "||row of U||^2", rows: "number of rows",
    norm2: "||x||^2", score_squares: "||s||^2", weights: "sum of the weights", parts: "sum of the squared weights",
    row_in_metric: "||row of W - U||_M^2", row: "||row of W - U||^2", in_metric: "||W - U||_M^2",
}  # fmt: skip
POINT = {
    K: 2, D: 2, eta: Rational(1, 8), loss: 0, loss_u: 0, before: 0, L: 0, part: 1, rows: 2, norm2: 1, score_squares: 0,
    weights: 1, parts: 1, row_in_metric: 0, row: 0, in_metric: 0,
}  # fmt: skip

distance = Lemma(
    name="Notes, Lemma 8 by Lemma 6",
    source="notes, Lemma 8",
    implications=(
        Implication(
            name="one more row",
            statement="the sum over the rows",
            given=(in_metric <= (1 + L) * before, row_in_metric <= (1 + L) * row),
            then=in_metric + row_in_metric <= (1 + L) * (before + row),
        ),
        Implication(
            name="product",
            statement="||W - W*||_M^2 <= (1 + L) ||W - W*||_F^2 <= (1 + L)(K D^2 - L/8)",
            given=(in_metric <= (1 + L) * before, before <= K * D**2 - L / 8),
            then=in_metric <= (1 + L) * (K * D**2 - L / 8),
        ),
        Implication(
            name="largest",
            statement="(1 + L)(K D^2 - L/8) <= 2 (K D^2 + 1/8)^2: with t = 4 K D^2 - 1/2 the difference is (t - L)^2/8",
            given=(in_metric <= (1 + L) * (t / 4 + Rational(1, 8) - L / 8),),
            then=in_metric <= 2 * (t / 4 + Rational(1, 4)) ** 2,
        ),
        Implication(
            name="better than printed",
            statement="2 (K D^2 + 1/8)^2 <= 32 K^3 D^4 for K >= 2 and D >= 2",
            given=(in_metric <= 2 * (K * D**2 + Rational(1, 8)) ** 2, D >= 2),
            then=in_metric <= 32 * K**3 * D**4,
        ),
    ),
)

as_in_the_notes = Lemma(
    name="Notes, Lemma 8, its own way",
    source="notes, Lemma 8",
    implications=(
        Implication(
            name="middle expression",
            statement="(1 + L) c exp(-L/(32 c)) <= 32 c^2 with c = K D^2 >= 1/32, power = exp(L/(32 c)) >= 1 + "
            "L/(32 c)",
            given=(Eq(L, 32 * c * level), power >= 1 + level, 32 * c >= 1),
            then=(1 + L) * c / power <= 32 * c**2,
        ),
        Implication(
            name="printed constant",
            statement="K^2 D^2 (32 K D^2) = 32 K^3 D^4, the printed bound, is K times more than needed",
            given=(K >= 2, Eq(c, K * D**2)),
            then=32 * c**2 <= 32 * K**3 * D**4,
        ),
    ),
)

all_rows = Argument(
    name="rows in the metric",
    setting="Any number of rows",
    symbols=MEANS,
    hypotheses=(row_in_metric <= (1 + L) * row,),
    steps=(
        Rounds(
            invariant=in_metric <= (1 + L) * before,
            state={in_metric: (0, in_metric + row_in_metric), before: (0, before + row)},
            step=distance["one more row"],
            fixed=(L,),
        ),
    ),
    conclusion=in_metric <= (1 + L) * before,
    example=POINT,
)

UPDATES = (
    "l is convex", *DESCENT, "g = s (x) x", Eq(score_squares, 4 * loss * (1 + parts)), Eq(weights, 1), norm2 <= 1,
    Eq(eta, Rational(1, 8)), Eq(loss_u, 0), part <= D**2, Eq(rows, K),
)  # fmt: skip

lemma8 = Argument(
    name="Notes, Lemma 8",
    setting="Updates with the squared hinge loss l from W_1 zero and M_1 the identity; U is W*",
    symbols=MEANS,
    hypotheses=(*UPDATES, D >= 2),
    steps=(
        Cite("notes/lemma6-total-loss"),
        Cite("notes/lemma8-matrix", {"v": "row of W - U"}),
        Cite(all_rows),
        distance["product"],
        Put(distance["largest"], {t: 4 * K * D**2 - Rational(1, 2)}),
        distance["better than printed"],
    ),
    conclusion=(in_metric <= 32 * K**3 * D**4, in_metric <= 2 * (K * D**2 + Rational(1, 8)) ** 2),
    example=POINT,
)


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
        grounds=lemma8,
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
