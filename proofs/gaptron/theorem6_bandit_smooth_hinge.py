"""Theorem 6: the smooth multiclass hinge loss with bandit feedback.

**Problem.** Online multiclass classification where only 1[y' != y] is revealed: K classes, ||x|| <= X, comparators with
||U|| <= D, T rounds.

**Algorithm.** Gaptron (Algorithm 1) on the importance-weighted smooth hinge loss, equation (6), truncated as in
Theorem 3, with the gap map of Theorem 3; gamma = min{1, sqrt(2 K^2 X^2 D^2/T)}, eta = gamma/(4 K^2 X^2); W is projected
on {||W|| <= D}.

**Theoretical guarantee.** **Upper bound**, Theorem 6:
E[mistakes] <= E[sum l_t(U)] + max{4 K^2 X^2 D^2, 2 K X D sqrt(2 T)}.

The paper prints gamma = min{1, sqrt(4 K^2 X^2 D^2/T)}: see theorem6_tuning for what that gives by Lemma 1, and
theorem6_classes for the numbers of classes for which the bound is true then.

**References.** van der Hoeven 2020, equation (6) and Theorem 6.
"""

from sympy import Max, Min, Piecewise, sqrt

from gaptron import GapMap, MarginLoss, Theorem
from gaptron.symbols import D, K, T, X, gamma, m

smooth_hinge = MarginLoss(Piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, m < 1), (0, True)))
bound = Max(4 * K**2 * X**2 * D**2, 2 * K * X * D * sqrt(2 * T))

bandit_smooth_hinge = Theorem(
    name="Theorem 6, bandit smooth hinge",
    source="van der Hoeven 2020, Theorem 6",
    loss=smooth_hinge,
    gap_map=GapMap((1 - Min(1, m)) ** 2),
    feedback="bandit",
    exploration=Min(1, sqrt(2 * K**2 * X**2 * D**2 / T)),
    learning_rate=gamma / (4 * K**2 * X**2),
    regret=bound,
)
