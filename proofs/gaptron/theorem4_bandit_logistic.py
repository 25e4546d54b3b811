"""Theorem 4: the logistic loss with bandit feedback.

**Problem.** Online multiclass classification where only 1[y' != y] is revealed: K classes, ||x|| <= X, comparators with
||U|| <= D, T rounds.

**Algorithm.** Gaptron (Algorithm 1) on the importance-weighted base-2 logistic loss, equation (4), with the gap map of
Theorem 1, exploration rate gamma = min{1, K X D/sqrt(T ln 2)} and learning rate eta = gamma ln 2/(2 K^2 X^2); W is
projected on {||W|| <= D}.

**Theoretical guarantee.** **Upper bound**, the first branch of Theorem 4:
E[mistakes] <= E[sum l_t(U)] + K X D max{2 K X D/ln 2, 2 sqrt(T/ln 2)}.

The paper prints eta = ln 2 ((1 - gamma) e^(-2DX)/K + gamma)/(2 K^2 X^2), for which every label should have a
probability p' with K p' >= (1 - gamma) e^(-2DX)/K + gamma. At W = 0, K = 2 the gap map is 1/2, so that K p' = 1/2 for
every gamma <= 1/2, while the right side is (1 + gamma)/2 as D X goes to 0. With gamma alone in the place of the
bracket, as here, the bound is the printed one. The second branch, for gamma = 0, is in
theorem4_branch_without_exploration.

With the printed learning rate the theorem is true all the same, with other exploration rates: see theorem4_gap and
theorem4_tuning.

**References.** van der Hoeven 2020, equation (4) and Theorem 4.
"""

from sympy import Max, Min, Piecewise, Rational, log, sqrt

from gaptron import GapMap, SoftmaxLoss, Theorem
from gaptron.symbols import D, K, T, X, gamma, p

bandit_logistic = Theorem(
    name="Theorem 4, bandit logistic",
    source="van der Hoeven 2020, Theorem 4",
    loss=SoftmaxLoss(-log(p, 2)),
    gap_map=GapMap(Piecewise((1 - p, p >= Rational(1, 2)), (1, True))),
    feedback="bandit",
    exploration=Min(1, K * X * D / sqrt(T * log(2))),
    learning_rate=gamma * log(2) / (2 * K**2 * X**2),
    regret=K * X * D * Max(2 * K * X * D / log(2), 2 * sqrt(T / log(2))),
)
