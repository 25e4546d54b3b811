"""The 0-1 target for K classes with Fenchel-Young losses: one constant for every K.

**Problem.** Online multiclass classification with full information: K classes, ||x|| <= X, any comparator U. The
surrogate of scores theta = W x is s times the Fenchel-Young loss of an entropy Omega on the simplex: Shannon's (the
softmax loss, s = 1/ln 2 for base 2), Tsallis' (entmax), the squared norm (sparsemax).

**Algorithm.** Online gradient descent on the surrogate. In each round the best decoder: the distribution over labels
whose expected target is at most alpha (loss_y - (eta/2) ||g_y||^2) for every y. It exists at every score vector if and
only if 1 - max w <= alpha (s J(w) - (eta s^2/2) Var(w)) for every distribution w of the label (up to the rate
eta = lambda/s, lambda the strong convexity of Omega), and that holds if it does for the uniform distributions on
n = 2, ..., K labels (``gaptron.obligations.structured``).

**Theoretical guarantee.** **Upper bound**: E[mistakes] <= alpha sum l_t(U) + R X^2 ||U||^2 for every K. No pair of a
coefficient alpha and a learning rate has a smaller R by this argument: at two labels that are equally likely
R >= H_L Var/J^2. With h = (1 - 2^(1 - q))/(2 q (q - 1)), or h = (ln 2)/2 for Shannon's entropy, R = 1/(16 h^2).

| entropy | alpha | eta X^2 | R | printed |
|---|---|---|---|---|
| Shannon, base 2 | 1 | 2 (ln 2)^2 | 1/(4 (ln 2)^2) = 0.5203 | 1/(2 (1 - ln 2) ln 2) = 2.351 |
| Tsallis, q = 3/2 | 3/(4 - 2 sqrt 2) | (4/3)(2 - sqrt 2) | 1.6393 | |
| squared norm | 4 | 1/2 | 4 | |

A loss s times as large changes alpha and eta, not R.

**References.** Sakaue, Bao, Tsuchiya and Oki 2024 (COLT, PMLR 247) have the printed constant, the first without K, for
the base-2 softmax loss with alpha = 1. New: the criterion, the constants of the other entropies, that none is smaller.
"""

from sympy import Rational, log, sqrt

from gaptron import StructuredTheorem
from gaptron.structured import Classes, Shannon, SquaredNorm, Tsallis, ZeroOne

HALF = Rational(1, 2)

softmax = StructuredTheorem(
    name="0-1 target, softmax",
    source="improves Sakaue, Bao, Tsuchiya and Oki 2024, section 5",
    outputs=Classes(),
    target=ZeroOne(),
    entropy=Shannon(),
    scale=1 / log(2),
    learning_rate=2 * log(2) ** 2,
    regret=1 / (4 * log(2) ** 2),
)

entmax = StructuredTheorem(
    name="0-1 target, 1.5-entmax",
    source="new",
    outputs=Classes(),
    target=ZeroOne(),
    entropy=Tsallis(Rational(3, 2)),
    learning_rate=Rational(4, 3) * (2 - sqrt(2)),
    coefficient=3 / (4 - 2 * sqrt(2)),
    regret=9 / (16 * (2 - sqrt(2)) ** 2),
)

sparsemax = StructuredTheorem(
    name="0-1 target, sparsemax",
    source="new",
    outputs=Classes(),
    target=ZeroOne(),
    entropy=SquaredNorm(),
    learning_rate=HALF,
    coefficient=4,
    regret=4,
)
