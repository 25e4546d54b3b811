"""The logistic loss with the best decoder: a regret that does not depend on K.

**Problem.** Online multiclass classification with full information: K classes, ||x|| <= X, any comparator U. The loss
is -log2 p_y, p the softmax probabilities of the scores.

**Algorithm.** With eta = 2 (ln 2)^2/X^2 and h_k = -log2 p_k - (eta/2) ||g_k||^2 predict label k with probability at
least max(0, 1 - h_k); what is left goes to the top label. Then W moves by -eta g.

**Theoretical guarantee.** **Upper bound**: E[mistakes] <= sum l_t(U) + X^2 ||U||^2/(4 (ln 2)^2), for every K; Theorem
1 has K X^2 ||U||^2/ln 2. The learning rate is **tight** for every randomized prediction and every K: on a round with
probabilities (1/2, 1/2, 0, ...) and ||x|| = X both h are 1 - eta X^2/(4 (ln 2)^2), so that eta X^2/(2 (ln 2)^2) <= 1.

What must hold is sum_k max(0, 1 - h_k) <= 1. With ||g_k||^2 = X^2 ((1 - p_k)^2 +
sum_{j != k} p_j^2)/(ln 2)^2 <= 2 X^2 (1 - p_k)^2/(ln 2)^2 each term is at most f(p_k), f(p) = 1 + log2 p + 2 (1 - p)^2.
f increases, is negative up to 1/5, and concave up to 3/5. So at most four labels count (five with p > 1/5 sum to more
than 1), and for them: f(p) <= 1; f(p) + f(1 - p) <= 1 with equality at 1/2; three are all below 3/5, four below 2/5,
so by concavity 3 f(1/3) and 4 f(1/4) bound them.

**References.** The loss is equation (1) of van der Hoeven 2020; the decoder and the constant are new.
"""

from sympy import log, symbols

from gaptron import Implication, Lemma, SoftmaxLoss, Theorem
from gaptron.symbols import p

logistic_best_decoder = Theorem(
    name="logistic, best decoder",
    source="improves van der Hoeven 2020, Theorem 1",
    loss=SoftmaxLoss(-log(p, 2)),
    decoder="best",
    learning_rate=2 * log(2) ** 2,
    regret=1 / (4 * log(2) ** 2),
)

rest, squares, largest = symbols("rest squares largest", nonnegative=True)
first, second, third, tangent, slope = symbols("first second third tangent slope", real=True)
value_1, value_2, value_3 = symbols("value_1 value_2 value_3", real=True)

softmax_reductions = Lemma(
    name="softmax, best decoder: reductions",
    source="for what improves van der Hoeven 2020, Theorem 1",
    implications=(
        Implication(
            name="others",
            statement="the other probabilities sum to rest = 1 - p, so their squares to at most rest^2: one more",
            given=(squares <= rest**2,),
            then=squares + largest**2 <= (rest + largest) ** 2,
        ),
        Implication(
            name="equal ones are worst",
            statement="f below its tangent at the mean of three values: their f sum to at most 3 f(mean)",
            given=(
                value_1 <= tangent + slope * (first - (first + second + third) / 3),
                value_2 <= tangent + slope * (second - (first + second + third) / 3),
                value_3 <= tangent + slope * (third - (first + second + third) / 3),
            ),
            then=value_1 + value_2 + value_3 <= 3 * tangent,
        ),
    ),
)
