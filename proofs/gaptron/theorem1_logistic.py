"""Theorem 1: the logistic loss.

**Problem.** Online multiclass classification with full information: K classes, ||x|| <= X, any comparator U.

**Algorithm.** Gaptron (Algorithm 1) with gamma = 0 on the base-2 logistic loss l(W) = -log2 p_y, p the softmax of
W x. The gap map is a = 1 - p* if p* >= 1/2 and a = 1 otherwise, p* the largest probability: below one half the
prediction is uniform. Learning rate eta = ln 2/(2 K X^2).

**Theoretical guarantee.** **Upper bound**, Theorem 1: E[mistakes] <= sum l_t(U) + K X^2 ||U||^2/ln 2.
The paper bounds ||g||^2 by (2/ln 2) X^2 l(W). With the true norm, (1/ln 2)^2 ((1 - p_y)^2 + sum of the other squared
probabilities) ||x||^2, the constant is **not tight** for the gap inequality: proofs/gaptron/theorem1_largest_rate.py.

**References.** van der Hoeven 2020, equation (1) and Theorem 1.
"""

from sympy import Piecewise, Rational, log

from gaptron import GapMap, SoftmaxLoss, Theorem
from gaptron.symbols import K, p

logistic = Theorem(
    name="Theorem 1, logistic",
    source="van der Hoeven 2020, Theorem 1",
    loss=SoftmaxLoss(-log(p, 2)),
    gap_map=GapMap(Piecewise((1 - p, p >= Rational(1, 2)), (1, True))),
    learning_rate=log(2) / (2 * K),
    regret=K / log(2),
)
