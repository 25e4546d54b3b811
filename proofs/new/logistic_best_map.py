"""The logistic loss with the best gap map: a regret 8 ln 2 = 5.5 times smaller than Theorem 1's.

**Problem.** Online multiclass classification with full information: K classes, ||x|| <= X, any comparator U.

**Algorithm.** Gaptron (Algorithm 1) on the loss -log2 p_y, p the softmax probabilities, p* the largest. The gap map is
a = 1 for p* < 1/2, and a = K/(K - 1) (-log2 p* - (4/K) (1 - p*)^2) from there on; eta = 4 (ln 2)^2/(K X^2).

**Theoretical guarantee.** **Upper bound**: E[mistakes] <= sum l_t(U) + K X^2 ||U||^2/(8 (ln 2)^2); Theorem 1 has
K X^2 ||U||^2/ln 2. The learning rate is **tight** over all gap maps: on rounds with probabilities (1/2, 1/2, 0, ...)
and ||x|| = X, e = eta X^2/(4 (ln 2)^2), a wrong one needs a >= K e, and a right one a (K - 1)/K <= 1 - e, so K e <= 1.

Proof. ||g||^2 (ln 2)^2 = (1 - p_y)^2 + S <= 2 (1 - p_y)^2, S the sum of the other squares. Right rounds with p* >= 1/2:
the map is defined by a (K - 1)/K = -log2 p* - (4/K) (1 - p*)^2. Wrong ones: p_y <= 1 - p*, and what they need grows
with p_y, so that K (1 + log2(1 - p*)) + 4 p*^2 <= a is enough: with equality at p* = 1/2, and from there the left side
falls K - 1 times as fast. For p* < 1/2 the loss is above 1 on every round, by more than (4/K) (1 - p_y)^2 - 1/K.

**References.** The loss is equation (1) of van der Hoeven 2020; the map and the constants are new.
"""

from sympy import Piecewise, Rational, log

from gaptron import GapMap, SoftmaxLoss, Theorem
from gaptron.symbols import K, p

best_map = GapMap(Piecewise((1, p < Rational(1, 2)), (K / (K - 1) * (-log(p, 2) - 4 * (1 - p) ** 2 / K), True)))

logistic_best_map = Theorem(
    name="logistic, best gap map",
    source="improves van der Hoeven 2020, Theorem 1",
    loss=SoftmaxLoss(-log(p, 2)),
    gap_map=best_map,
    learning_rate=4 * log(2) ** 2 / K,
    regret=K / (8 * log(2) ** 2),
)
