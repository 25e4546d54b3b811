"""Table 1: the regret of Gaptron is O(K ||U||^2) with full information, for the three losses, else O(K D sqrt T).

**Problem.** Online multiclass classification with full information or bandit feedback, K classes, ||x|| <= X.

**Algorithm.** Gaptron with the losses (1), (2) and (3) at the learning rates of Theorems 1, 2 and 3.

**Theoretical guarantee.** **Upper bound**: the constants K/ln 2, K^2/(2 (K - 1)), 2 K of X^2 ||U||^2 are at most 2 K.
With bandit feedback and the logistic loss it is 2 K X D sqrt(T/ln 2) for T >= K^2 X^2 D^2/ln 2, by Theorem 4.

**References.** van der Hoeven 2020, Table 1 and Theorems 1 to 3; Sakaue, Bao, Tsuchiya, Oki 2024, section 1.
"""

import numpy as np

from gaptron import Claim, InProof, Instance, Resists
from gaptron.numbers.evaluate import ball


def largest(rng: np.random.Generator) -> Instance:
    """The largest of the three constants at a random K."""
    n = int(rng.integers(2, 10**6))
    return Instance({"K": n}, max(n / ball(2).log(), ball(n**2) / (2 * (n - 1)), ball(2 * n), key=float), ball(2 * n))


FULL = (
    InProof("softmax.proof", "gaptron/table1-logistic"),
    InProof("margins.proof", "gaptron/table1-hinge"),
    InProof("margins.proof", "gaptron/t3-bound"),
)

claims = (
    Claim(
        id="gaptron/table1-full",
        kind="reading",
        quote=r"GAPTRON (This work) | logistic, hinge, | $O(K U ^2)$ | $O(KD\sqrt{T})$",
        source="van der Hoeven 2020, Table 1",
        statement="full information, the logistic, the hinge and the smooth hinge loss at the learning rates of "
        "Theorems 1, 2 and 3: E[mistakes] <= E[sum l_t(U)] + 2 K X^2 ||U||^2",
        grounds=FULL,
        recorded="PROVED",
        finding="The O(K) of the abstract, with an explicit constant.",
        second=Resists(largest, 40),
    ),
    Claim(
        id="colt24/quote-gaptron-full",
        quote="obtained an O(d||U||_F^2) surrogate regret bound",
        source="Sakaue, Bao, Tsuchiya, Oki 2024, section 1, on van der Hoeven (2020)",
        statement="Gaptron, full information, K labels, the logistic, hinge and smooth hinge loss: E M_T <= "
        "sum l_t(U) + 2 K X^2 ||U||^2",
        grounds=FULL,
        recorded="PROVED",
        finding="With K/ln 2, K^2/(2 (K - 1)) and 2 K.",
        second=Resists(largest, 40),
    ),
    Claim(
        id="colt24/quote-gaptron-bandit",
        quote="The author also gave an O(dB sqrt T) surrogate regret bound for the bandit setting",
        source="Sakaue, Bao, Tsuchiya, Oki 2024, section 1, on van der Hoeven (2020)",
        statement="2 d X D/ln 2 <= 2 sqrt(T/ln 2) for T >= d^2 X^2 D^2/ln 2: the second part of the maximum in "
        "gaptron/t4-bound",
        grounds=(InProof("softmax.proof", "gaptron/t4-bound-first"), InProof("numbers.proof", "gaptron/many-rounds")),
        recorded="PROVED",
        finding="The bound is K X D max(2 K X D/ln 2, 2 sqrt(T/ln 2)), gaptron/t4-bound; the statement here is "
        "that the second part is the larger one for T >= K^2 X^2 D^2/ln 2.",
    ),
)
