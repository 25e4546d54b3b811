"""Theorem 5: the multiclass hinge loss with bandit feedback.

**Problem.** Online multiclass classification where only 1[y' != y] is revealed: K classes, ||x|| <= X, comparators with
||U|| <= D, T rounds.

**Algorithm.** Gaptron (Algorithm 1) on the importance-weighted hinge loss, equation (5), with beta = 1/K and the gap
map of Theorem 2; gamma = min{1, sqrt(K^3 X^2 D^2/(2 (1 - beta) (K - 1) T))}, eta = gamma (1 - beta)/(K^2 X^2); W is
projected on {||W|| <= D}.

**Theoretical guarantee.** **Upper bound**, Theorem 5:
E[mistakes] <= E[sum l_t(U)] + max{K^3 X^2 D^2/(K - 1), 2 K X D sqrt(T/2)}. The printed gamma minimises
D^2/(2 eta) + gamma T (K - 1)/K, and below 1 the two terms are equal: the second branch has no slack.

The gap map is clipped at 0 here, as in Theorem 2; the paper prints 1 - max{1[m* > beta], m*}, which is negative for
m* > 1.

**References.** van der Hoeven 2020, equation (5) and Theorem 5.
"""

from sympy import Max, Min, Piecewise, sqrt

from gaptron import GapMap, MarginLoss, Theorem
from gaptron.symbols import D, K, T, X, gamma, m

beta = 1 / K

bandit_hinge = Theorem(
    name="Theorem 5, bandit hinge",
    source="van der Hoeven 2020, Theorem 5",
    loss=MarginLoss(Max(1 - m, 0), off_above=beta),
    gap_map=GapMap(Piecewise((1 - m, m <= beta), (0, True))),
    feedback="bandit",
    exploration=Min(1, sqrt(K**3 * X**2 * D**2 / (2 * (1 - beta) * (K - 1) * T))),
    learning_rate=gamma * (1 - beta) / (K**2 * X**2),
    regret=Max(K**3 * X**2 * D**2 / (K - 1), 2 * K * X * D * sqrt(T / 2)),
)
