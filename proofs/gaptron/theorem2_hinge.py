"""Theorem 2: the multiclass hinge loss.

**Problem.** Online multiclass classification with full information: K classes, ||x|| <= X, any comparator U.

**Algorithm.** Gaptron (Algorithm 1) with gamma = 0 on the hinge loss max(1 - m(W, y), 0), switched off (loss and
gradient zero) on rounds whose top label is right with top margin m* > beta = 1/K. The gap map is a = 1 - m* up to
beta and 0 above. Learning rate eta = (1 - beta)/(K X^2).

**Theoretical guarantee.** **Upper bound**, Theorem 2: E[mistakes] <= sum l_t(U) + K^2 X^2 ||U||^2/(2 (K - 1)), the
cases of l_t being those of W_t. The learning rate is **tight** for the gap inequality: on a round whose top label is
right with m* = 1/K the gap is exactly 0, and any larger eta makes it positive.

The gap map is clipped at 0 here. The paper prints 1 - max{1[m* > beta], m*}, which is negative for m* > 1 and so not
a probability; nothing else in the theorem changes.

**References.** van der Hoeven 2020, equation (2) and Theorem 2.
"""

from sympy import Max, Piecewise

from gaptron import Contact, GapMap, MarginLoss, Theorem
from gaptron.symbols import K, m

hinge = Theorem(
    name="Theorem 2, hinge",
    source="van der Hoeven 2020, Theorem 2",
    loss=MarginLoss(Max(1 - m, 0), off_above=1 / K),
    gap_map=GapMap(Piecewise((1 - m, m <= 1 / K), (0, True))),
    learning_rate=(1 - 1 / K) / K,
    regret=K**2 / (2 * (K - 1)),
    sharp_at=Contact(right=True, margin=1 / K),
)
