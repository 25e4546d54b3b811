"""Theorem D.2 of NeurIPS 2025: the surrogate regret of inverse-weighted gradients with high probability.

**Problem.** As in Theorem 3.4; a, b, B and S_max = max S(W) over the domain are constants, 0 <= L <= 1.

**Algorithm.** That of Theorem 3.4 with q = sqrt(K l/T), l = ln(3/delta): C of order K ln(1/delta).

**Theoretical guarantee.** **Upper bound** with probability at least 1 - delta, for a fixed U: R_T <= (2 + 1/c + 4 b
B^2/a + a S_max/8) sqrt(K T l) + 4 l/a, for any c with 4 b B^2 c <= a and c B sqrt(b S_max) <= 1.

The printed proof uses Bernstein's inequality with a random variance, which is false (bernstein-random). Freedman's at
three rates that are fixed beforehand does it, each outside an event of probability delta/3: for L - E[L] at the rate
a/4, whose variance is at most E[L]; for <g - h, W - U> at c q/K, whose variance is at most B^2 (b K/q) S(W); and for
||h||^2 - E||h||^2 at 1/m, m = (K/q)^2 b S_max its largest value, whose variance is at most m E||h||^2. Half of a S(W)
pays for the variances.

**References.** Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025, section 3.3, Theorem D.2; Freedman 1975.
"""

from gaptron import Claim, InProof

claims = (
    Claim(
        id="neurips25/thmD-2",
        quote="surrogate regret bound of O(sqrt(KT log(1/delta)) + log(1/delta)), which holds with probability 1 - "
        "delta",
        source="Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025, section 3.3 and Theorem D.2",
        statement="RDUE with q = sqrt(K l/T) <= 1, l = ln(3/delta) >= 1, target losses in [0, 1], inverse-weighted "
        "gradients and adaptive gradient descent on a set of diameter B, a fixed U, S(W) <= S_max, 4 b B^2 c <= a and "
        "b (c B)^2 S_max <= 1: with probability at least 1 - delta, sum L(yhat) <= sum S(U) + (2 + 1/c + 4 b B^2/a + "
        "a S_max/8) sqrt(K T l) + 4 l/a",
        grounds=InProof("bandit.proof", "neurips25/thmD-2"),
        recorded="PROVED",
        finding="By another proof: the printed one uses Bernstein's inequality with a random variance "
        "(bernstein-random). As delta < 1/2, ln(3/delta) is at most 2.6 ln(1/delta), and above 1.",
    ),
)
