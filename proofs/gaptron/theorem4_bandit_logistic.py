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
bracket, as here, the bound is the printed one. The second branch, for gamma = 0, is the lemma below: the
probabilities are at least (K - 1) r/K^2 with r = e^(-sqrt(2) D X), and the bound is K^3 X^2 D^2/((K - 1) r ln 2); the
printed learning rate, with gamma = 0, would give K^3 X^2 D^2 e^(2DX)/ln 2 and not K^2 X^2 D^2 e^(2DX)/ln 2 as printed.

With the printed learning rate the theorem is true all the same, with other exploration rates: see theorem4_gap and
theorem4_tuning.

**References.** van der Hoeven 2020, equation (4) and Theorem 4.
"""

from sympy import Eq, Max, Min, Piecewise, Rational, log, sqrt, symbols

from gaptron import GapMap, Implication, Lemma, SoftmaxLoss, Theorem
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

first, second, difference = symbols("first second difference", real=True)
powers, least, probability, others, share = symbols("powers least probability others share", positive=True)
eta, eta_full, squares, loss, rho = symbols("eta eta_full squares loss rho", positive=True)
risk, ln2 = symbols("risk ln2", positive=True)

no_exploration = Lemma(
    name="Theorem 4, without exploration",
    source="van der Hoeven 2020, Theorem 4, second branch",
    implications=(
        Implication(
            name="scores",
            statement="two scores of W with ||W|| <= D, ||x|| <= X differ by at most sqrt(2) D X",
            given=(first**2 + second**2 <= (D * X) ** 2, Eq(difference, first - second)),
            then=difference**2 <= 2 * (D * X) ** 2,
        ),
        Implication(
            name="softmax",
            statement="each of the K powers e^(theta_j - theta_k) is at most 1/r, so that p_k >= r/K",
            given=(powers <= K / least, Eq(probability, 1 / powers)),
            then=probability >= least / K,
        ),
        Implication(
            name="gap map",
            statement="1 - p* is the sum of K - 1 probabilities, and 1 if p* < 1/2: a >= (K - 1) r/K",
            given=(others >= (K - 1) * least / K, share >= others),
            then=share >= (K - 1) * least / K,
        ),
        Implication(
            name="gap",
            statement="a >= rho, eta = rho eta_full/K: E ||g||^2 <= (K/rho) ||g_full||^2 does not break the full gap",
            given=(risk - loss + eta_full * squares / 2 <= 0, Eq(eta, rho * eta_full / K), share >= rho),
            then=risk - loss + eta / 2 * squares * K / share <= 0,
        ),
        Implication(
            name="regret",
            statement="eta = rho ln 2/(2 K^2 X^2), rho = (K - 1) r/K: D^2/(2 eta) = K^3 X^2 D^2/((K - 1) r ln 2)",
            given=(Eq(rho, (K - 1) * least / K), Eq(eta, rho * ln2 / (2 * K**2 * X**2))),
            then=Eq(D**2 / (2 * eta), K**3 * X**2 * D**2 / ((K - 1) * least * ln2), evaluate=False),
        ),
    ),
)
