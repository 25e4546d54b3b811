"""Bandit hinge loss with threshold 1/2: exploration that grows like sqrt(K), not K.

**Problem.** Online multiclass classification where only 1[y' != y] is revealed: K classes, ||x|| <= X, comparators with
||U|| <= D, T rounds. The hinge loss of van der Hoeven 2020, equation (2), switched off above beta = 1/2.

**Algorithm.** Gaptron (Algorithm 1) with the gap map 1 - max{1[m* > 1/2], min{1, m*}}, an exploration rate gamma
<= min{1/2, 2/K}, the importance-weighted gradient, and eta = gamma/(2 K X^2).

**Theoretical guarantee.** **Upper bound**: the excess over the comparator's loss is at most
K X^2 D^2/gamma + gamma T (K - 1)/K: 2 X D sqrt((K - 1) T) at gamma = K X D/sqrt((K - 1) T), where that is at most
min{1/2, 2/K}. The surrogate gap is at most 0 in conditional expectation: where the true label is on top it is seen
with probability 1 - a (K - 1)/K and needs no share of the exploration, or nothing is learned (m* > 1/2); and where a
wrong label is on top with m* > 1/2 the loss is above 3/2. In Coq the whole is `BanditHingeHalf.v`.

**References.** van der Hoeven 2020, Theorem 5, has 2 K X D sqrt(T/2) with beta = 1/K: losses count in other rounds;
``bandit_best_rates`` X D sqrt(2 K (K - 1) T).
"""

from sympy import Eq, Rational, symbols

from gaptron import Implication, Lemma
from gaptron.symbols import D, K, T, X, gamma

HALF = Rational(1, 2)
m, t, a, chance, excess = symbols("m t a chance excess", nonnegative=True)
eta, gain, spent = symbols("eta gain spent", positive=True)
SMALL = (gamma > 0, 2 * gamma <= 1, gamma * K <= 2, Eq(eta, gamma / (2 * K)))

bandit_hinge_half = Lemma(
    name="bandit hinge, threshold 1/2",
    source="beside van der Hoeven 2020, Theorem 5; another threshold",
    implications=(
        Implication(
            name="exploring is below guessing",
            statement="m* <= 1/2: the gap map 1 - m* is at least 1/2 >= gamma",
            given=(m <= HALF, *SMALL),
            then=gamma <= 1 - m,
        ),
        Implication(
            name="right round, chance",
            statement="a = 1 - m* is between 1/2 and 1: 2 K a (1 - a (K - 1)/K) is at least K (1 - a) + 3 a - 1",
            given=(a <= 1, 2 * a >= 1),
            then=2 * a * (K - a * (K - 1)) >= K * (1 - a) + 3 * a - 1,
        ),
        Implication(
            name="right round, gamma",
            statement="which is at least gamma K",
            given=(a <= 1, 2 * a >= 1, 2 * gamma <= 1, gamma * K <= 2),
            then=gamma * K <= K * (1 - a) + 3 * a - 1,
        ),
        Implication(
            name="right round, guessing",
            statement="the label is seen with chance = 1 - a (K - 1)/K: E ||g||^2 = 2/chance",
            given=(gamma <= 2 * a * chance, chance > 0, Eq(eta, gamma / (2 * K))),
            then=a * (K - 1) / K - a + eta / chance <= 0,
        ),
        Implication(
            name="wrong round, guessing",
            statement="a = 1 - m*, the label is seen with probability a/K, its margin is -t with t >= m*",
            given=(m <= HALF, t >= m, Eq(a, 1 - m), *SMALL),
            then=1 - a / K - (1 + t) + eta * K / a <= 0,
        ),
        Implication(
            name="wrong round, sure",
            statement="m* > 1/2: P(wrong) = 1 - gamma/K, the label is seen with probability gamma/K",
            given=(m > HALF, t >= m, *SMALL),
            then=1 - gamma / K - gamma * (K - 1) / K - (1 + t) + eta * K / gamma <= 0,
        ),
        Implication(
            name="regret",
            statement="Lemma 1 with eta = gamma/(2 K X^2): D^2/(2 eta) = K X^2 D^2/gamma",
            given=(Eq(eta, gamma / (2 * K * X**2)),),
            then=Eq(D**2 / (2 * eta), K * (X * D) ** 2 / gamma, evaluate=False),
        ),
        Implication(
            name="tuned",
            statement="gamma^2 (K - 1) T = K^2 X^2 D^2: equal terms, whose sum squared is 4 (K - 1) T X^2 D^2",
            given=(
                Eq(gamma**2 * (K - 1) * T, (K * X * D) ** 2),
                Eq(gain * gamma, K * (X * D) ** 2),
                Eq(spent * K, gamma * T * (K - 1)),
                Eq(gain, spent),
                gamma > 0,
            ),
            then=Eq((gain + spent) ** 2, 4 * (K - 1) * T * (X * D) ** 2, evaluate=False),
        ),
        Implication(
            name="equal",
            statement="at this gamma K X^2 D^2/gamma = gamma T (K - 1)/K",
            given=(Eq(gamma**2 * (K - 1) * T, (K * X * D) ** 2), gamma > 0),
            then=Eq(gamma * T * (K - 1) / K, K * (X * D) ** 2 / gamma, evaluate=False),
        ),
        Implication(
            name="below Theorem 5",
            statement="2 X D sqrt((K - 1) T) is less than the printed K X D sqrt(2 T)",
            given=(Eq(excess**2, 4 * (K - 1) * T * (X * D) ** 2),),
            then=excess**2 <= 2 * (K * X * D) ** 2 * T,
        ),
    ),
)
