"""Corollary 3.7 of NeurIPS 2025: omega for multiclass classification, multilabel classification and ranking.

**Problem.** omega >= tr(V^-1 Q^+ V^-T), Q = E[y y'] for a uniform y, of three SELFs.

**Algorithm.** None: these are constants of Theorem 3.6.

**Theoretical guarantee.** **Constants**, by the eigenvalues of Q and V. Multiclass: Q = I/d, V = 11' - I has d - 1
and -1, so that the trace is d (d - 1 + 1/(d - 1)^2) <= d^2. Multilabel with m of d labels: Q has m^2/d (all ones) and
m (d - m)/(d (d - 1)), V = -(2/d) I, and the trace is at most d^5/(4 m (d - m)). Ranking of m items: Q has 1, 1/(m -
1) with multiplicity (m - 1)^2, and 0, V = -I/m, and the trace is m^2 (1 + (m - 1)^3) <= m^5.

**References.** Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025, Corollary 3.7 and Appendix D.4.
"""

from fractions import Fraction
from itertools import combinations, permutations

import sympy as sp

from gaptron import Claim, InProof, Instance, Resists

SOURCE = "Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025, Corollary 3.7"


def omega_of(outputs, V):
    """tr(V^-1 Q^+ V^-T), exactly."""
    rows = sp.Matrix(outputs)
    Q = rows.T * rows / len(outputs)
    inverse = V.inv()
    found = (inverse * Q.pinv() * inverse.T).trace()
    return Fraction(int(found.p), int(found.q))


def subsets(rng):
    """m of d labels by matrices."""
    n = int(rng.integers(2, 5))
    k = int(rng.integers(1, n))
    outputs = [[int(i in chosen) for i in range(n)] for chosen in combinations(range(n), k)]
    found = omega_of(outputs, -sp.Rational(2, n) * sp.eye(n))
    return Instance({"d": n, "m": k}, found, Fraction(n**5, 4 * k * (n - k)))


def labels_or_rankings(rng):
    """Labels, or permutations of two or three items, by matrices."""
    n = int(rng.integers(2, 4))
    if rng.integers(2):
        return Instance({"labels": n}, omega_of(sp.eye(n).tolist(), sp.ones(n) - sp.eye(n)), n**2)
    outputs = [[int(p[i] == j) for i in range(n) for j in range(n)] for p in permutations(range(n))]
    return Instance({"items": n}, omega_of(outputs, -sp.eye(n * n) / n), n**5)


claims = (
    Claim(
        id="neurips25/cor3-7-multilabel",
        quote="omega = d^5/(4m(d-m))",
        source=f"{SOURCE} and D.4",
        statement="exactly m of d labels, V = -(2/d) I: both eigenvalues of Q are at least m (d - m)/d^2, and "
        "tr(V^-1 Q^+ V^-T) <= d^5/(4 m (d - m))",
        grounds=InProof("constants.proof", "neurips25/cor3-7-multilabel"),
        recorded="PROVED",
        second=Resists(subsets, 8),
    ),
    Claim(
        id="neurips25/cor3-7-multiclass-ranking",
        quote="omega = d^2 ... omega = m^5",
        source=f"{SOURCE} and D.4",
        statement="d labels, V = 11' - I: ||V^-1||_F^2 <= d and tr(V^-1 Q^+ V^-T) <= d^2; m items, V = -I/m: the least "
        "positive eigenvalue of Q is at least 1/m and tr(V^-1 Q^+ V^-T) <= m^5",
        grounds=(
            InProof("constants.proof", "neurips25/cor3-7-multiclass"),
            InProof("constants.proof", "neurips25/cor3-7-ranking"),
        ),
        recorded="PROVED",
        second=Resists(labels_or_rankings, 8),
    ),
)
