"""Notes, line 7 of Algorithm 4: when not to explore.

**Problem.** Bandit feedback, K classes, ||x_t|| <= 1, W in R^{K x d} whose rows have norm at most D >= 2, and a W* of
that kind whose squared hinge loss l_t(W*) is 0 on every round.

**Algorithm.** Algorithm 4: if ||x_t||_{M_t^{-1}} >= epsilon and ||W_t - W*||_F >= 1, guess; else predict the top label.
After a right prediction M_{t+1} = M_t + l_t(W_t) x_t x_t', W_{t+1} is W_t - (1/8) grad l_t(W_t), its rows projected.
At first M_1 = I and W_1 = 0; epsilon = 1/(4 D sqrt(32 K^3 D^4)). L_t is the sum of the losses of the updates before t.

**Theoretical guarantee.** What the notes conclude from Lemma 9 is false: rounds without exploration may be wrong, as
||W_t - W*||_F < 1 does not make W_t predict correctly; ||W_t - W*||_F < 1/sqrt(2) does, and no larger threshold.

**References.** Notes on bandit multiclass classification, section 5, Algorithm 4 and after Lemma 9.
"""

from fractions import Fraction

from sympy import Le, Rational, sqrt, symbols

from gaptron import Breaks, Claim, Constant, Corrected, Implication, Instance, Lemma, Obligations, Rests

one, other, distance, margin, star = symbols("one other distance margin star", real=True)
near = symbols("near", nonnegative=True)

gate = Lemma(
    name="Notes, a gate that works",
    source="notes, Algorithm 4, line 7",
    implications=(
        Implication(
            name="rows",
            statement="the difference of two rows of W - W*, squared, is at most 2 ||W - W*||_F^2",
            given=(),
            then=Le((one - other) ** 2, 2 * (one**2 + other**2), evaluate=False),
        ),
        Implication(
            name="margin",
            statement="m(W) >= m(W*) - |difference| ||x|| > 0 if near = ||W - W*||_F^2 < 1/2 and m(W*) >= 1",
            given=(star >= 1, margin >= star - distance, distance >= 0, distance**2 <= 2 * near, near < Rational(1, 2)),
            then=margin > 0,
        ),
    ),
)


def first_round() -> Instance:
    """W_1 = 0, W* = (-1/2, 1/2), x = 1, y = 1: ||W_1 - W*||^2 = 1/2 < 1, no exploration; the tie goes to label 0."""
    W_star = [Fraction(-1, 2), Fraction(1, 2)]
    explores = sum(v * v for v in W_star) >= 1
    return Instance(
        {"K": 2, "t": 1, "x": 1, "y": 1, "W*": W_star, "mistakes without exploration": int(not explores)},
        Fraction(int(not explores)),
        0,
    )


def no_tie() -> Instance:
    """W = (1/10, -1/10) is strictly wrong at x = 1, y = 1, and ||W - W*||^2 = 72/100 < 1: the margin is negative."""
    W, W_star = [Fraction(1, 10), Fraction(-1, 10)], [Fraction(-1, 2), Fraction(1, 2)]
    distance = sum((a - b) ** 2 for a, b in zip(W, W_star, strict=True))
    margin_ = W[1] - W[0] if distance < 1 else Fraction(1)
    return Instance({"K": 2, "x": 1, "y": 1, "W": W, "W*": W_star, "||W - W*||^2": distance}, margin_, 0, ">")


NOTES, TODO = "notes, section 5, ", "Gradient Descent [TODO]"

claims = (
    Claim(
        id="notes/no-explore-correct",
        quote="Therefore, when we do not explore, we know W_t will predict correctly!",
        severity="D",
        cause="being within 1 of W* does not make W_t predict correctly",
        patch="read ||W_t - W*||_F >= 1/sqrt(2) for ||W_t - W*||_F >= 1 in line 7",
        rough=TODO,
        source=NOTES + "after Lemma 9",
        statement="on every round without exploration (line 7 as printed: explore if ||x_t||_{M_t^{-1}} >= epsilon and "
        "||W_t - W*||_F >= 1) the prediction is correct",
        grounds=Breaks(first_round),
        recorded="REFUTED",
        finding="Being within 1 of W* does not make W_t predict correctly: W_1 = 0 is within 1/sqrt(2) of W* = (-1/2, "
        "1/2) and ties. Within less than 1/sqrt(2) it does. W* is not known to the learner either.",
        corrected=Corrected(
            statement="it is with ||W_t - W*||_F >= 1/sqrt(2) in line 7; 1/sqrt(2) is the largest such threshold",
            tex=r"\|W_t - W^*\|_F < \frac{1}{\sqrt{2}} \Rightarrow \hat{y}_t = y_t",
            grounds=(Obligations(gate), Rests("notes/lemma9")),
        ),
        constants=(
            Constant(
                name="threshold of ||W_t - W*||_F",
                sharp="bound",
                printed=1,
                best=1 / sqrt(2),
                attained="W_1 = 0, W* = (-1/2, 1/2), a tie",
            ),
        ),
        second=Breaks(no_tie),
    ),
)
