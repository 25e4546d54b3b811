"""Theorem 3: the smooth multiclass hinge loss.

**Problem.** Online multiclass classification with full information: K classes, ||x|| <= X, any comparator U.

**Algorithm.** Gaptron (Algorithm 1) with gamma = 0 on the smooth hinge loss: 1 - 2m for margins m <= 0, (1 - m)^2 up
to 1, zero above. Gap map a = (1 - min(1, m*))^2, learning rate eta = 1/(4 K X^2).

**Theoretical guarantee.** **Upper bound**, Theorem 3: E[mistakes] <= sum l_t(U) + 2 K X^2 ||U||^2. The learning rate
is **tight** for the gap inequality: at W = 0 the gap of a wrong round is exactly 0, and any larger eta makes it
positive, whatever the gap map.

The loss is truncated here. Equation (3) prints max{(1 - m)^2, 0}, which is (1 - m)^2 itself: beyond m = 1 it
increases, and an increasing function of the margin is not convex in W when K >= 3. With it the theorem is false:
proofs/gaptron/theorem3_as_printed.py.

**References.** van der Hoeven 2020, equation (3) and Theorem 3.
"""

from sympy import Min, Piecewise

from gaptron import Contact, GapMap, MarginLoss, Theorem
from gaptron.symbols import K, m

smooth_hinge = Theorem(
    name="Theorem 3, smooth hinge",
    source="van der Hoeven 2020, Theorem 3",
    loss=MarginLoss(Piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, m < 1), (0, True))),
    gap_map=GapMap((1 - Min(1, m)) ** 2),
    learning_rate=1 / (4 * K),
    regret=2 * K,
    sharp_at=Contact(right=False, margin=0),
)
