"""Theorem 6 with its printed exploration rate, for K <= 11.

**Problem.** As in Theorem 6: bandit feedback, the truncated smooth hinge loss, ||x|| <= X, ||U|| <= D, T rounds.

**Algorithm.** Gaptron with the gap map of Theorem 3, eta = gamma/(4 K^2 X^2) and the printed
gamma = min{1, sqrt(4 K^2 X^2 D^2/T)}; W is projected on {||W|| <= D}.

**Theoretical guarantee.** **Upper bound** by Lemma 1:
E[mistakes] <= E[sum l_t(U)] + max{4 K^2 X^2 D^2, 2 K X D sqrt(2 T)}. See theorem6_tuning for why not for K = 12, and
theorem6_classes for more classes by another argument.

**References.** van der Hoeven 2020, Theorem 6.
"""

from dataclasses import replace

from sympy import Min, sqrt

from gaptron.symbols import D, K, T, X
from gaptron.theory.running import beside

bandit_smooth_hinge_as_printed = replace(
    beside(__file__, "theorem6_bandit_smooth_hinge.py"),
    name="Theorem 6, as printed, K <= 11",
    exploration=Min(1, sqrt(4 * K**2 * X**2 * D**2 / T)),
    classes=range(2, 12),
)
