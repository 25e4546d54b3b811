"""Theorem 6: the smooth multiclass hinge loss with bandit feedback.

**Problem.** Online multiclass classification where only 1[y' != y] is revealed: K classes, ||x|| <= X, comparators with
||U|| <= D, T rounds.

**Algorithm.** Gaptron (Algorithm 1) on the importance-weighted smooth hinge loss, equation (6), truncated as in
Theorem 3, with the gap map of Theorem 3; gamma = min{1, sqrt(2 K^2 X^2 D^2/T)}, eta = gamma/(4 K^2 X^2); W is projected
on {||W|| <= D}.

**Theoretical guarantee.** **Upper bound**, Theorem 6:
E[mistakes] <= E[sum l_t(U)] + max{4 K^2 X^2 D^2, 2 K X D sqrt(2 T)}.

The paper prints gamma = min{1, sqrt(4 K^2 X^2 D^2/T)}. Below 1 the lemma then gives K X D sqrt(T) (3 - 2/K), which is
at most 2 sqrt(2) K X D sqrt(T) divided by K only for K <= 11: at K = 12, X D = 1/3, T = 144 it is 136, and the bound
135.76. The second theorem is the printed one, for the numbers of classes for which the lemma gives it.

**References.** van der Hoeven 2020, equation (6), Theorem 6 and Appendix D.3.
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

bandit_smooth_hinge_as_printed = Theorem(
    name="Theorem 6, as printed, K <= 11",
    source="van der Hoeven 2020, Theorem 6",
    loss=smooth_hinge,
    gap_map=GapMap((1 - Min(1, m)) ** 2),
    feedback="bandit",
    exploration=Min(1, sqrt(4 * K**2 * X**2 * D**2 / T)),
    learning_rate=gamma / (4 * K**2 * X**2),
    regret=bound,
    classes=range(2, 12),
)
