"""Section 3.3 of NeurIPS 2025 on Van der Hoeven et al. (2021): which base of the logarithm allows O(K sqrt T).

**Problem.** K classes, bandit feedback, S the logistic loss with the logarithm of base k.

**Algorithm.** Any. One feature x = 1, labels drawn uniformly from two of K = 5 classes.

**Theoretical guarantee.** **Lower bound** for k = K = 5: any learner errs with probability 1/2 at least in every
round; U with scores ln 15 for the two labels and 0 for the others pays log_5(2 + 3/15) = log_5(11/5) < 1/2 a round,
so that the surrogate regret is linear in T. The same pair of labels excludes every base k > 4. **Upper bound**:
Gaptron has O(K sqrt T) for base 2.

**References.** Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025, section 3.3 and Appendix C.3; van der Hoeven 2020,
Theorem 4.
"""

from fractions import Fraction

from gaptron import Breaks, Claim, Corrected, InProof, Instance, Rests
from gaptron.numbers.evaluate import ball

SOURCE = "Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025, section 3.3"


def two_labels():
    """1/2 <= log_5(11/5), as powers: 5 <= (11/5)^2."""
    return Instance({"K": 5, "k": 5, "scores of U": "(ln 15, ln 15, 0, 0, 0)"}, 5, Fraction(11, 5) ** 2)


def by_softmax():
    """The mean loss of U on both labels against 1/2, from the scores, k = K = 8."""
    u = ball(15).log()
    powers = [u.exp(), u.exp(), *[ball(1)] * 6]
    return Instance({"K": 8, "k": 8}, ball(Fraction(1, 2)), -(powers[0] / sum(powers)).log() / ball(8).log())


claims = (
    Claim(
        id="neurips25/base-k",
        quote="their bound applies to the base-k logistic loss for k <= K",
        severity="C",
        cause="for a base above 4 no algorithm has sublinear surrogate regret",
        patch="say: for the base-2 logistic loss",
        source=f"{SOURCE} and C.3",
        statement="bandit feedback, the logistic loss of base k, 2 <= k <= K: some algorithm has surrogate regret "
        "O(K sqrt T) on every "
        "bounded domain; for k = K = 5 and two random labels this needs 1/2 <= log_5(11/5), both sides as powers",
        tex=r"\tfrac12 \le \log_5 \tfrac{11}{5}",
        grounds=Breaks(two_labels),
        recorded="REFUTED",
        finding="Two uniformly random labels cost any learner 1/2 a round, and a comparator of norm below 4 costs "
        "log_5(11/5) = 0.49. For other K >= k > 4 the scores of the two labels must be larger; 2 <= k < 4 has room, k "
        "= 4 none at this pair.",
        corrected=Corrected(
            statement="for base 2 and every K, Gaptron has K X D max(2 K X D/ln 2, 2 sqrt(T/ln 2)); for base 5 and K = "
            "5 the surrogate regret is at least T/200",
            grounds=(Rests("gaptron/t4-bound"), InProof("constants.proof", "neurips25/base-5")),
        ),
        second=Breaks(by_softmax),
    ),
)
