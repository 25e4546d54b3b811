"""The logistic loss with the best decoder: a regret that does not depend on K.

**Problem.** Online multiclass classification with full information: K classes, ||x|| <= X, any comparator U. The loss
is -log2 p_y, p the softmax probabilities of the scores.

**Algorithm.** With eta = 2 (ln 2)^2/X^2 and h_k = -log2 p_k - (eta/2) ||g_k||^2 predict label k with probability at
least max(0, 1 - h_k); what is left goes to the top label. Then W moves by -eta g.

**Theoretical guarantee.** **Upper bound**: E[mistakes] <= sum l_t(U) + X^2 ||U||^2/(4 (ln 2)^2), for every K; Theorem
1 has K X^2 ||U||^2/ln 2. The learning rate is **tight** for every randomized prediction and every K: on a round with
probabilities (1/2, 1/2, 0, ...) and ||x|| = X both h are 1 - eta X^2/(4 (ln 2)^2), so that eta X^2/(2 (ln 2)^2) <= 1.

What must hold is sum_k max(0, 1 - h_k) <= 1 (design: feasibility of a decoder). With ||g_k||^2 = X^2 ((1 - p_k)^2 +
sum_{j != k} p_j^2)/(ln 2)^2 <= 2 X^2 (1 - p_k)^2/(ln 2)^2 each term is at most f(p_k), f(p) = 1 + log2 p + 2 (1 - p)^2.
f increases, is negative up to 1/5, and concave up to 3/5. So at most four labels count (five with p > 1/5 sum to more
than 1), and for them: f(p) <= 1; f(p) + f(1 - p) <= 1 with equality at 1/2; three are all below 3/5, four below 2/5,
so by concavity 3 f(1/3) and 4 f(1/4) bound them.

**References.** The loss is equation (1) of van der Hoeven 2020; the decoder and the constant are new.
"""

from sympy import Le, Lt, Rational, log, symbols

from gaptron import Implication, Lemma

p = symbols("p", positive=True)
rest, squares, largest = symbols("rest squares largest", nonnegative=True)


def f(p):
    """1 + log2 p + 2 (1 - p)^2."""
    return 1 + log(p) / log(2) + 2 * (1 - p) ** 2


logistic_best_decoder = Lemma(
    name="logistic, best decoder",
    source="improves van der Hoeven 2020, Theorem 1",
    implications=(
        Implication(
            name="others",
            statement="the other probabilities sum to rest = 1 - p, so their squares to at most rest^2: one more",
            given=(squares <= rest**2,),
            then=squares + largest**2 <= (rest + largest) ** 2,
        ),
        Implication(
            name="increasing",
            statement="f'(p) = 1/(p ln 2) - 4 (1 - p) >= 0: 4 p (1 - p) ln 2 <= ln 2 <= 1",
            given=(p <= 1,),
            then=1 / (p * log(2)) - 4 * (1 - p) >= 0,
        ),
        Implication(
            name="negative up to 1/5",
            statement="f(1/5) < 0, and f increases: a label with p <= 1/5 does not count",
            given=(),
            then=Lt(f(Rational(1, 5)), 0, evaluate=False),
        ),
        Implication(
            name="one label",
            statement="f(p) <= f(1) = 1",
            given=(p <= 1,),
            then=f(p) <= 1,
        ),
        Implication(
            name="two labels",
            statement="f(p) + f(q) <= f(p) + f(1 - p) <= 1, with equality at p = 1/2",
            given=(p < 1,),
            then=f(p) + f(1 - p) <= 1,
        ),
        Implication(
            name="concave up to 3/5",
            statement="f''(p) = 4 - 1/(p^2 ln 2) <= 0 for p <= 3/5",
            given=(p <= Rational(3, 5),),
            then=4 - 1 / (p**2 * log(2)) <= 0,
        ),
        Implication(
            name="three labels",
            statement="all above 1/5 and at most 1 in sum, so below 3/5: at most 3 f(1/3) <= 1",
            given=(),
            then=Le(3 * f(Rational(1, 3)), 1, evaluate=False),
        ),
        Implication(
            name="four labels",
            statement="at most 4 f(1/4) <= 1",
            given=(),
            then=Le(4 * f(Rational(1, 4)), 1, evaluate=False),
        ),
    ),
)
