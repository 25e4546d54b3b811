"""Bandit feedback for any surrogate-gap theorem, with the best exploration rate for its learning rate.

**Problem.** Online multiclass classification where only 1[y' != y] is revealed: K classes, ||x|| <= X, comparators with
||U|| <= D, T rounds. Given: a loss and a gap map a whose surrogate gap is at most 0 at the learning rate h/X^2 with
full information; ``gaptron sharpen`` finds the largest h.

**Algorithm.** Gaptron (Algorithm 1) with the share max(a, gamma) of uniform, the importance-weighted gradient, and
eta = gamma h/(K X^2).

**Theoretical guarantee.** **Upper bound**: the excess over the comparator's loss is at most
K X^2 D^2/(2 gamma h) + gamma T (K - 1)/K. The best gamma is X D K/sqrt(2 h (K - 1) T), where that is
X D sqrt(2 (K - 1) T/h). Where it is above 1, gamma = 1 does, with K X^2 D^2/h.

| full-information theorem | h | excess | printed |
|---|---|---|---|
| logistic, best gap map | 4 (ln 2)^2/K | X D sqrt(K (K - 1) T/2)/ln 2 | 2 K X D sqrt(T/ln 2), Theorem 4 |
| hinge, best gap map | 1/K | X D sqrt(2 K (K - 1) T) | K X D sqrt(2 T), Theorem 5 |
| smooth hinge, Theorem 3 | 1/(4 K) | 2 X D sqrt(2 K (K - 1) T) | 2 K X D sqrt(2 T), Theorem 6 |

In Coq `BestExploration.v` has that this gamma alone is best, and the guarantee with it for the losses of Theorems 4 to
6 and for every one that has h with full information.

The rates are best for eta = gamma h/(K X^2) only: where the true label is on top it is seen more often than
gamma/K, and a larger eta can do (``bandit_hinge_half``: 2 X D sqrt((K - 1) T), hinge loss).

**References.** van der Hoeven 2020, Theorems 4 to 6; the tuning is new.
"""

from sympy import Eq, log, symbols

from gaptron import Implication, Lemma
from gaptron.symbols import D, K, T, X, gamma

a, loss, share = symbols("a loss share", nonnegative=True)
squares, eta, h, gain, spent, excess = symbols("squares eta h gain spent excess", positive=True)
ln2 = log(2)


def tuned(rate):
    """The square of the excess at the best gamma."""
    return 2 * (K - 1) * T * (X * D) ** 2 / rate


bandit_best_rates = Lemma(
    name="bandit feedback, best exploration rate",
    source="sharpens van der Hoeven 2020, Theorems 4 to 6",
    implications=(
        Implication(
            name="right round",
            statement="with share = max(a, gamma) and eta = gamma h/K: E ||g||^2 = ||g||^2/p'(y) <= ||g||^2 K/gamma",
            given=(
                a * (K - 1) / K - loss + h / 2 * squares <= 0,
                share - gamma <= a,
                share >= gamma,
                share <= 1,
                Eq(eta, gamma * h / K),
                gamma <= 1,
            ),
            then=(share - gamma) * (K - 1) / K - loss + eta / 2 * squares * K / gamma <= 0,
        ),
        Implication(
            name="wrong round",
            statement="the same where the top label is wrong",
            given=(1 - a / K - loss + h / 2 * squares <= 0, share >= a, share >= gamma, Eq(eta, gamma * h / K)),
            then=1 - share / K - gamma * (K - 1) / K - loss + eta / 2 * squares * K / gamma <= 0,
        ),
        Implication(
            name="regret",
            statement="Lemma 1 with eta = gamma h/(K X^2): D^2/(2 eta) = K X^2 D^2/(2 gamma h)",
            given=(Eq(eta, gamma * h / (K * X**2)),),
            then=Eq(D**2 / (2 * eta), K * (X * D) ** 2 / (2 * gamma * h), evaluate=False),
        ),
        Implication(
            name="product",
            statement="gamma T (K - 1)/K times K X^2 D^2/(2 gamma h) does not depend on gamma: a quarter of the square",
            given=(),
            then=Eq(K * (X * D) ** 2 / (2 * gamma * h) * (gamma * T * (K - 1) / K), tuned(h) / 4, evaluate=False),
        ),
        Implication(
            name="no less",
            statement="so their sum is nowhere below the root of that square",
            given=(),
            then=(gain + spent) ** 2 >= 4 * gain * spent,
        ),
        Implication(
            name="equal",
            statement="at gamma^2 = K^2 X^2 D^2/(2 h (K - 1) T) both are equal",
            given=(Eq(gamma**2 * 2 * h * (K - 1) * T, (K * X * D) ** 2),),
            then=Eq(gamma * T * (K - 1) / K, K * (X * D) ** 2 / (2 * gamma * h), evaluate=False),
        ),
        Implication(
            name="attained",
            statement="and then their sum is that root",
            given=(Eq(gain, spent),),
            then=Eq((gain + spent) ** 2, 4 * gain * spent, evaluate=False),
        ),
        Implication(
            name="gamma = 1",
            statement="where the best gamma is above 1, gamma = 1 has at most K X^2 D^2/h",
            given=(2 * h * (K - 1) * T <= (K * X * D) ** 2,),
            then=K * (X * D) ** 2 / (2 * h) + T * (K - 1) / K <= K * (X * D) ** 2 / h,
        ),
        Implication(
            name="logistic",
            statement="h = 4 (ln 2)^2/K: the excess is X D sqrt(K (K - 1) T/2)/ln 2",
            given=(Eq(excess**2, tuned(4 * ln2**2 / K)),),
            then=Eq(excess**2, K * (K - 1) * T * (X * D) ** 2 / (2 * ln2**2), evaluate=False),
        ),
        Implication(
            name="below Theorem 4",
            statement="which is less than half of the printed 2 K X D sqrt(T/ln 2)",
            given=(Eq(excess**2, K * (K - 1) * T * (X * D) ** 2 / (2 * ln2**2)),),
            then=4 * excess**2 < (2 * K * X * D) ** 2 * T / ln2,
        ),
        Implication(
            name="hinge",
            statement="h = 1/K: the excess is X D sqrt(2 K (K - 1) T), less than the printed K X D sqrt(2 T)",
            given=(Eq(excess**2, tuned(1 / K)),),
            then=excess**2 < 2 * (K * X * D) ** 2 * T,
        ),
        Implication(
            name="smooth hinge",
            statement="h = 1/(4 K): the excess is 2 X D sqrt(2 K (K - 1) T), less than the printed 2 K X D sqrt(2 T)",
            given=(Eq(excess**2, tuned(1 / (4 * K))),),
            then=excess**2 < 8 * (K * X * D) ** 2 * T,
        ),
    ),
)
