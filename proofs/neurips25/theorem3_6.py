"""Theorem 3.6 of NeurIPS 2025: the pseudo-inverse estimate, surrogate regret O(omega^(1/3) T^(2/3)).

**Problem.** As in Theorem 3.4, with a SELF whose products <yhat, V y> are observed: bandit feedback, ||x|| <= C.

**Algorithm.** h = (yhat(theta) - ytilde) x', ytilde = V^-1 P^+ yhat <yhat, V y>; adaptive gradient descent on a
convex set of diameter B; q = (4 omega B^2 C^2/T)^(1/3).

**Theoretical guarantee.** **Upper bound**: E[R_T] <= b B^2/a + 2 (4 omega B^2 C^2)^(1/3) T^(2/3). As ytilde is
unbiased with E[||ytilde||^2] <= omega/q, E[||h||^2] = ||g||^2 + ||x||^2 E[||ytilde - y||^2] <= b S(W) + C^2 omega/q.
The steps give less than is printed: b B^2/(2a) + (7/4) (4 omega B^2 C^2)^(1/3) T^(2/3).

**References.** Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025, section 3.4, Theorem 3.6 and its version D.4.
"""

from sympy import Rational

from gaptron import Claim, Constant, InProof, Instance, Resists
from gaptron.instances.structured_bandit import pseudo_inverse_sides, smaller_sides

SOURCE = "Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025, Theorem 3.6"
claims = (
    Claim(
        id="neurips25/thm3-6",
        quote="E[R_T] = O(omega^(1/3) T^(2/3))",
        source=f"{SOURCE} and D.4",
        statement="RDUE with q = (4 omega B^2 C^2/T)^(1/3) <= 1, pseudo-inverse estimates and adaptive gradient "
        "descent on a set of diameter B, ||x|| <= C, a fixed U: E[sum L(yhat)] <= E[sum S(U)] + "
        "b B^2/a + 2 (4 omega B^2 C^2)^(1/3) T^(2/3)",
        grounds=InProof("bandit.proof", "neurips25/thm3-6"),
        recorded="PROVED",
        finding="With <yhat_t, V y_t> observed. Theorem D.4's proof gives less than is printed: see thm3-6-smaller.",
        second=Resists(lambda rng: Instance(*pseudo_inverse_sides(rng)), 20),
    ),
    Claim(
        id="neurips25/thm3-6-smaller",
        kind="improvement",
        source=f"{SOURCE}, its constants",
        statement="RDUE with q = (4 omega B^2 C^2/T)^(1/3) <= 1, pseudo-inverse estimates and adaptive gradient "
        "descent on a set of diameter B, ||x|| <= C, a fixed U: E[sum L(yhat)] <= E[sum S(U)] + "
        "b B^2/(2a) + (7/4) (4 omega B^2 C^2)^(1/3) T^(2/3)",
        grounds=InProof("bandit.proof", "neurips25/thm3-6-smaller"),
        recorded="PROVED",
        second=Resists(lambda rng: Instance(*smaller_sides(rng)), 20),
        finding="The variance of ytilde, not twice its second moment, is added to ||g||^2.",
        constants=(
            Constant(name="(4 omega B^2 C^2)^(1/3) T^(2/3)", printed=Rational(7, 4), attained="2 is printed"),
            Constant(name="b B^2/a", printed=Rational(1, 2), attained="1 is printed"),
        ),
    ),
)
