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
from sympy import Eq, symbols

from gaptron import Argument, Claim, Implication, Instance, Put, Resists
from gaptron.symbols import d

SOURCE = "Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025, Corollary 3.7"
m, first, second, trace, frobenius, least = symbols("m first second trace frobenius least", positive=True)

whole, part, rest, part_is, rest_is, most = symbols("whole part rest part_is rest_is most", real=True)
by_parts = Implication(
    name="omega, multilabel",
    statement="the trace by its eigenvalues",
    given=(
        Eq(whole, d**2 / 4 * (part + rest)),
        Eq(part, part_is),
        Eq(rest, rest_is),
        d**2 / 4 * (part_is + rest_is) <= most,
    ),
    then=whole <= most,
)
MANY = (Eq(first, m**2 / d), Eq(second, m * (d - m) / (d * (d - 1))), m >= 1, d >= m + 1)
multilabel = Argument(
    name="Corollary 3.7, multilabel",
    setting="Exactly m of d labels, Q with two eigenvalues, the second of multiplicity one less than d",
    symbols={first: "first eigenvalue of Q", second: "second eigenvalue of Q", trace: "tr(V^-1 Q^+ V^-T)"},
    hypotheses=(*MANY, Eq(trace, d**2 / 4 * (1 / first + (d - 1) / second))),
    steps=(
        Implication(
            name="first eigenvalue",
            statement="m^2/d >= m (d - m)/d^2",
            given=(MANY[0], MANY[2]),
            then=first >= m * (d - m) / d**2,
        ),
        Implication(
            name="second eigenvalue",
            statement="d (d - 1) <= d^2",
            given=(MANY[1], MANY[3]),
            then=second >= m * (d - m) / d**2,
        ),
        Implication(
            name="inverse of the first eigenvalue",
            statement="1/(m^2/d) = d/m^2",
            given=(MANY[0],),
            then=Eq(1 / first, d / m**2, evaluate=False),
        ),
        Implication(
            name="inverse of the second eigenvalue",
            statement="times its multiplicity",
            given=(MANY[1], MANY[3]),
            then=Eq((d - 1) / second, d * (d - 1) ** 2 / (m * (d - m)), evaluate=False),
        ),
        Implication(
            name="trace, multilabel",
            statement="(d - m)/m + (d - 1)^2 <= d^2",
            given=(m >= 1, d >= m + 1),
            then=d**2 / 4 * (d / m**2 + d * (d - 1) ** 2 / (m * (d - m))) <= d**5 / (4 * m * (d - m)),
        ),
        Put(
            by_parts,
            {
                whole: trace,
                part: 1 / first,
                rest: (d - 1) / second,
                part_is: d / m**2,
                rest_is: d * (d - 1) ** 2 / (m * (d - m)),
                most: d**5 / (4 * m * (d - m)),
            },
        ),
    ),
    conclusion=(
        first >= m * (d - m) / d**2,
        second >= m * (d - m) / d**2,
        trace <= d**5 / (4 * m * (d - m)),
    ),
    example={m: 1, d: 2, first: sp.Rational(1, 2), second: sp.Rational(1, 2), trace: 4},
)

multiclass = Argument(
    name="Corollary 3.7, multiclass",
    setting="Multiclass classification, Q an inverse d times the identity, the inverse of V with one eigenvalue of "
    "an inverse of "
    "one less than d, and others of minus one",
    symbols={frobenius: "||V^-1||_F^2", trace: "tr(V^-1 Q^+ V^-T)"},
    hypotheses=(Eq(frobenius, 1 / (d - 1) ** 2 + d - 1), Eq(trace, d * frobenius), d >= 2),
    steps=(
        Implication(
            name="inverse of V",
            statement="1/(d - 1)^2 <= 1",
            given=(Eq(frobenius, 1 / (d - 1) ** 2 + d - 1), d >= 2),
            then=frobenius <= d,
        ),
        Implication(
            name="omega, multiclass",
            statement="Q^+ = d I",
            given=(Eq(trace, d * frobenius), frobenius <= d),
            then=trace <= d**2,
        ),
    ),
    conclusion=(frobenius <= d, trace <= d**2),
    example={d: 2, frobenius: 2, trace: 4},
)

ranking = Argument(
    name="Corollary 3.7, ranking",
    setting="Ranking of m items, Q with the eigenvalue one, another (least) and zero, the inverse of V minus m times "
    "the identity",
    symbols={least: "the least positive eigenvalue of Q", trace: "tr(V^-1 Q^+ V^-T)"},
    hypotheses=(Eq(least, 1 / (m - 1)), Eq(trace, m**2 * (1 + (m - 1) ** 2 / least)), m >= 2),
    steps=(
        Implication(
            name="eigenvalue, ranking",
            statement="1/(m - 1) >= 1/m",
            given=(Eq(least, 1 / (m - 1)), m >= 2),
            then=least >= 1 / m,
        ),
        Implication(
            name="omega, ranking",
            statement="1 + (m - 1)^3 <= m^3",
            given=(Eq(least, 1 / (m - 1)), Eq(trace, m**2 * (1 + (m - 1) ** 2 / least)), m >= 2),
            then=trace <= m**5,
        ),
    ),
    conclusion=(least >= 1 / m, trace <= m**5),
    example={m: 2, least: 1, trace: 8},
)


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
        grounds=multilabel,
        recorded="PROVED",
        second=Resists(subsets, 8),
    ),
    Claim(
        id="neurips25/cor3-7-multiclass-ranking",
        quote="omega = d^2 ... omega = m^5",
        source=f"{SOURCE} and D.4",
        grounds=(multiclass, ranking),
        recorded="PROVED",
        second=Resists(labels_or_rankings, 8),
    ),
)
