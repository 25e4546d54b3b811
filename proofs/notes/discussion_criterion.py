"""Notes, Discussion: another criterion for exploring.

**Problem.** Bandit feedback, K classes, ||x_t|| <= 1, W in R^{K x d} whose rows have norm at most D >= 2, and a W* of
that kind whose squared hinge loss l_t(W*) is 0 on every round.

**Algorithm.** Algorithm 4, exploring if l_t(W_t) ||x_t||^2_{M_t^{-1}} is at least a threshold.

**Theoretical guarantee.** The printed threshold 1/epsilon^2 is never reached, so that nothing is explored. With
epsilon^2 no mistake is made on the other rounds: l^2 <= 8 l ||W - W*||_M^2 ||x||^2_{M^{-1}} gives l < 1.

**References.** Notes on bandit multiclass classification, section 5, Discussion.
"""

from fractions import Fraction

import numpy as np
from sympy import Eq, symbols

from gaptron import Breaks, Claim, Corrected, Implication, Instance, Lemma, Obligations, Rests
from gaptron.instances.squared_hinge import hinge_and_gradient
from gaptron.symbols import D, K

loss, in_metric, dual, hinge = symbols("loss in_metric dual hinge", nonnegative=True)
margin = symbols("margin", real=True)

criterion = Lemma(
    name="Notes, the criterion of the discussion, corrected",
    source="notes, section 5, Discussion",
    implications=(
        Implication(
            name="no exploration, no mistake",
            statement="l ||x||^2_{M^{-1}} < epsilon^2 = 1/(16 D^2 32 K^3 D^4), ||W - W*||_M^2 <= 32 K^3 D^4: l < 1",
            given=(
                loss**2 <= 8 * loss * in_metric * dual,
                in_metric <= 32 * K**3 * D**4,
                loss * dual * 16 * D**2 * 32 * K**3 * D**4 < 1,
                D >= 2,
            ),
            then=loss < 1,
        ),
        Implication(
            name="right",
            statement="l = h^2 < 1, h = max(1 - m, 0), gives m > 0",
            given=(loss < 1, Eq(loss, hinge**2), hinge >= 1 - margin),
            then=margin > 0,
        ),
        Implication(
            name="printed criterion never explores",
            statement="l <= (1 + 2 D)^2 and ||x||^2_{M^{-1}} <= 1: l ||x||^2 < 1/epsilon^2 = 512 K^3 D^6",
            given=(loss <= (1 + 2 * D) ** 2, dual <= 1, D >= 2),
            then=loss * dual < 512 * K**3 * D**6,
        ),
    ),
)


def never_explores() -> Instance:
    """W_1 = 0, x = 1, y = 1: l ||x||^2 = 1 < 1/epsilon^2 = 262144, so there is no exploration, and the tie is wrong."""
    inverse = 512 * 8 * 2**6
    return Instance(
        {
            "K": 2,
            "D": 2,
            "W_1": 0,
            "x": 1,
            "y": 1,
            "l ||x||^2": 1,
            "1/epsilon^2": inverse,
            "mistakes without exploration": 1,
        },
        Fraction(int(inverse > 1)),
        0,
    )


def opposite_weights() -> Instance:
    """W = (1, -1), x = 1, y = 1 has l = 9, far below 1/epsilon^2: no exploration, and the margin is -2."""
    W = np.array([[Fraction(1)], [Fraction(-1)]], dtype=object)
    value, _ = hinge_and_gradient(W, np.array([Fraction(1)], dtype=object), 1)
    explores = value >= 512 * 8 * 2**6
    return Instance({"K": 2, "D": 2, "W": (1, -1), "x": 1, "y": 1, "l": value}, Fraction(1 if explores else -2), 0, ">")


NOTES, TODO = "notes, section 5, ", "Gradient Descent [TODO]"

claims = (
    Claim(
        id="notes/discussion-criterion",
        quote=r"So the exploration criterion could potentially become $\ell_t(W_t) \|x_t\|_{M_t^{-1}}^2 \geq "
        r"\frac{1}{\epsilon^2}$",
        severity="D",
        cause="the threshold is inverted",
        patch="read epsilon^2 for 1/epsilon^2",
        rough=TODO,
        source=NOTES + "Discussion",
        statement="exploring if l_t(W_t) ||x_t||^2_{M_t^{-1}} >= 1/epsilon^2 keeps the other rounds free of mistakes",
        tex=r"\ell_t(W_t) \|x_t\|_{M_t^{-1}}^2 \ge \frac{1}{\epsilon^2}",
        grounds=Breaks(never_explores),
        recorded="REFUTED",
        finding="The threshold should be epsilon^2: with 1/epsilon^2 = 512 K^3 D^6 the algorithm never explores "
        "at all.",
        corrected=Corrected(
            statement="exploring if l_t(W_t) ||x_t||^2_{M_t^{-1}} >= epsilon^2, epsilon as in Lemma 9, does",
            tex=r"\ell_t(W_t) \|x_t\|_{M_t^{-1}}^2 \ge \epsilon^2",
            grounds=(Obligations(criterion), Rests("notes/lemma9"), Rests("notes/lemma8")),
        ),
        second=Breaks(opposite_weights),
    ),
)
