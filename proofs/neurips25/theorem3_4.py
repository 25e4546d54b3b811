"""Theorem 3.4 of NeurIPS 2025: inverse-weighted gradients, surrogate regret O(sqrt(KT)).

**Problem.** Online structured prediction with bandit feedback: K outputs, a target loss in [0, 1], T rounds, an
oblivious stream; b with ||grad S(W)||^2 <= b S(W), and a decoder with E[L(yhat)] <= (1 - a) S(W) + q that gives every
output at least q/K (RDUE).

**Algorithm.** h = g/p(y) if yhat = y, else 0; adaptive gradient descent on a convex set of diameter B; q = B
sqrt(K/T).

**Theoretical guarantee.** **Upper bound**: E[R_T] <= (b/(2a) + 1) B sqrt(KT) for a fixed U. E[||h||^2] <= (b K/q)
S(W), so that the surrogate regret is at most b K B^2/(2 a q) + q T; no step loses more than the constant.

**References.** Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025, section 3.3, Theorem 3.4.
"""

from gaptron import Claim, InProof, Instance, Resists
from gaptron.instances.structured_bandit import inverse_weighted_sides

claims = (
    Claim(
        id="neurips25/thm3-4",
        quote="E[R_T] <= (b/(2a) + 1) B sqrt(KT)",
        source="Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025, Theorem 3.4",
        statement="RDUE with q = B sqrt(K/T) <= 1, inverse-weighted gradients and adaptive gradient descent on a set "
        "of diameter B, a fixed U: E[sum L(yhat)] <= E[sum S(U)] + (b/(2a) + 1) B sqrt(KT)",
        grounds=InProof("bandit.proof", "neurips25/thm3-4"),
        recorded="PROVED",
        second=Resists(lambda rng: Instance(*inverse_weighted_sides(rng)), 20),
    ),
)
