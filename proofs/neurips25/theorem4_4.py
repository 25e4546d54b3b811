"""Theorem 4.4 of NeurIPS 2025: full information delayed by D rounds, surrogate regret O(D + 1).

**Problem.** Online structured prediction, full information that arrives D rounds late; E[L(yhat)] <= (1 - a) S(W) and
||grad S(W)||^2 <= b S(W).

**Algorithm.** D + 1 interleaved copies of adaptive gradient descent on a convex set of diameter B: a copy has seen
its last round when its next one comes.

**Theoretical guarantee.** **Upper bound**: E[R_T] <= b B^2 (D + 1)/(2a): each copy pays b B^2/(2a).

**References.** Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025, section 4.2, Theorem 4.4; Joulani, Gyorgy, Szepesvari
2013.
"""

from gaptron import Claim, InProof, Instance, Resists
from gaptron.instances.structured_bandit import delayed_sides

claims = (
    Claim(
        id="neurips25/thm4-4",
        quote="E[R_T] = O(D+1)",
        source="Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025, Theorem 4.4 (E.4)",
        statement="D + 1 copies that take turns, in any order, of adaptive gradient descent on a set of diameter B, "
        "randomized decoding: E[sum L(yhat)] <= E[sum S(U)] + b B^2 (D + 1)/(2 a)",
        grounds=InProof("bandit.proof", "neurips25/thm4-4"),
        recorded="PROVED",
        second=Resists(lambda rng: Instance(*delayed_sides(rng)), 30),
    ),
)
