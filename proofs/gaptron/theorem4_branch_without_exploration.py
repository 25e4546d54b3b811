"""Theorem 4, its second branch: no exploration, as the gap map gives every label a probability on the ball.

**Problem.** As Theorem 4, theorem4_bandit_logistic.py.

**Algorithm.** As there with gamma = 0: on {||W|| <= D} two scores differ by at most sqrt(2) D X, so that with
r = e^(-sqrt(2) D X) each softmax probability is at least r/K and the gap map at least (K - 1) r/K; learning rate
eta = (K - 1) r ln 2/(2 K^3 X^2).

**Theoretical guarantee.** **Upper bound**, through Lemma 1:
E[mistakes] <= E[sum l_t(U)] + K^3 X^2 D^2/((K - 1) r ln 2). The printed learning rate, with gamma = 0, would give
K^3 X^2 D^2 e^(2DX)/ln 2 and not K^2 X^2 D^2 e^(2DX)/ln 2 as printed.

**References.** van der Hoeven 2020, Theorem 4.
"""

from sympy import Eq, symbols

from gaptron import Implication, Lemma
from gaptron.symbols import D, K, X

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
