"""Theorems 4.3, 5.1 and 5.2 of NeurIPS 2025: follow the regularized leader under delay.

**Problem.** Online structured prediction with feedback that arrives D rounds late, full information or bandit; a, b,
B, C_x, C_y, omega are constants.

**Algorithm.** ODAFTRL with AdaHedgeD (Flaspohler et al. 2021) on gradients or on the estimates of Theorems 3.4 and
3.6, on a convex set of diameter B, c at least the regularizer of U.

**Theoretical guarantee.** **Upper bounds** from a bound on the regret, proved in `bandit.proof` for Theorem 4.3 and in
Coq (`Delayed.v`) for the others: for every v it is at most v + ((B^2 + 2 c) sum ||h||^2 + 2 (B^2 + c) sum ||h_t||
||h_s||)/v, the last sum over 1 <= t - s <= D, and that is at most D sum ||h||^2. So full information has O(D + 1),
which is O(min(D^2 + 1, (D + 1)^(2/3) T^(1/3))) as T < D + 1 rounds cost less than the latter; and the pseudo-inverse,
with q = (omega B^2 C_x^2 D/T)^(1/3), has O(D^(1/3) T^(2/3)). Theorem 5.1, with inverse weights, is in `theorem5_1.py`.

**References.** Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025, Theorems 4.3, 5.1, 5.2; Flaspohler, Orabona, Cohen,
Mouatadid, Oprescu, Orenstein, Mackey 2021, Online Learning with Optimism and Delay.
"""

from sympy import Eq, Rational, sqrt, symbols

from gaptron import Argument, Cite, Claim, Implication, InProof, Let, Put, Use
from gaptron.theory import facts
from gaptron.theory.surrogate_regret import (
    AT_A_RATE,
    CONVEX,
    POINT,
    READS,
    B,
    E_losses,
    E_paid,
    a,
    base,
    beta,
    drop,
    drop_is,
    explored,
    explored_is,
    loss,
    made,
    mean_inner,
    mean_squares,
    noisy,
    noisy_most,
    paid,
    regret,
    rounds,
    slope,
    three_terms,
    total,
    w,
    with_estimates,
)

SOURCE = "Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025"
wide, b, c, q, r, t, u, n, v, noise = symbols("wide b c q r t u n v noise", positive=True)
products, delay = symbols("products delay", nonnegative=True)
regularizer = symbols("regularizer", real=True)
NAMES = READS | {
    products: "sum ||h_t|| ||h_s|| over 1 <= t - s <= D", regularizer: "psi(U)", delay: "D", wide: "B'",
}  # fmt: skip
LEADS = (
    "W leads h, D rounds late, on a convex set, regularized by psi at the rate of AdaHedgeD with c",
    "this set has the diameter B",
    "psi is 1-strongly convex and not negative there",
    "U is in this convex set",
    regularizer <= c,
)
SQUARE = 4 * (B**2 + c) * (delay + 1)
GIVEN = (*LEADS, Eq(wide**2, SQUARE))
WIDE_RATE = AT_A_RATE.xreplace({B: wide})
FLAT = POINT | {b: 1, c: 1, delay: 0, products: 0, regularizer: 0, wide: 2 * sqrt(2), B: 1, v: 4}

REGRET = regret <= v + ((B**2 + 2 * c) * total + 2 * (B**2 + c) * products) / v
BOTH = (B**2 + 2 * c) * total + 2 * (B**2 + c) * products <= 2 * (B**2 + c) * (delay + 1) * total
delayed_descent = Argument(
    name="delayed follow the regularized leader",
    setting="ODAFTRL with AdaHedgeD",
    symbols=NAMES,
    hypotheses=GIVEN,
    steps=(
        Let(v, 2 * (B**2 + c) * (delay + 1) / w),
        Use(facts.DELAYED, {"W": "W", "h": "h", "u": "U", "f": "psi", "D": "D", "B": "B", "c": "c", "v": "v"}),
        Use(facts.PRODUCTS, {"h": "h", "D": "D"}),
        Implication(
            name="squares and products",
            statement="the products are at most D sum ||h||^2",
            given=(products <= delay * total,),
            then=BOTH,
        ),
        Implication(
            name="delayed regret at a rate",
            statement="v = 2 (B^2 + c) (D + 1)/w",
            given=(REGRET, BOTH, Eq(v, 2 * (B**2 + c) * (delay + 1) / w)),
            then=regret <= v + w * total,
        ),
        Implication(
            name="delayed regret as on a wide set",
            statement="B'^2 = 4 (B^2 + c) (D + 1)",
            given=(regret <= v + w * total, Eq(v, 2 * (B**2 + c) * (delay + 1) / w), Eq(wide**2, SQUARE)),
            then=WIDE_RATE,
        ),
    ),
    conclusion=WIDE_RATE,
    example=FLAT,
)

RATE = a * n / (b * n + a * r * t**2)
POTENTIAL = 2 * (B**2 + c) * (delay + 1) * (b / a + r * t**2 / n)
PSEUDO = E_paid <= E_losses + POTENTIAL + 2 * r * t**2
pseudo_inverse = Argument(
    name="Theorem 5.2",
    setting="ODAFTRL with AdaHedgeD, bandit feedback, pseudo-inverse estimates, n the square of B times the delay, a "
    "fixed U",
    symbols=NAMES | {t: "T^(1/3)", r: "(omega B^2 C_x^2 D)^(1/3)", noise: "omega C_x^2", n: "B^2 D"},
    hypotheses=(
        *GIVEN,
        *CONVEX,
        paid <= (1 - a) * loss + q,
        mean_squares <= b * loss + noise / q,
        Eq(mean_inner, slope),
        Eq(q, r / t),
        Eq(noise, r**3 / n),
        Eq(rounds, t**3),
    ),
    steps=(
        Let(beta, r**2 * t / n),
        Let(w, RATE),
        Implication(
            name="noise of Theorem 5.2",
            statement="omega C_x^2/q = r^2 T^(1/3)/(B^2 D)",
            given=(Eq(noise, r**3 / n), Eq(q, r / t)),
            then=Eq(noise / q, r**2 * t / n, evaluate=False),
        ),
        Implication(
            name="second moment of Theorem 5.2",
            statement="beta = omega C_x^2/q",
            given=(mean_squares <= b * loss + noise / q, Eq(noise / q, r**2 * t / n), Eq(beta, r**2 * t / n)),
            then=mean_squares <= b * loss + beta,
        ),
        Implication(
            name="rate of Theorem 5.2",
            statement="1/w >= b/a",
            given=(Eq(w, RATE),),
            then=b * w <= a,
        ),
        Cite(delayed_descent),
        Cite(with_estimates, {"B": "B'", "alpha": "b"}),
        Implication(
            name="rate and noise of Theorem 5.2",
            statement="1/w >= r T^(2/3)/(B^2 D)",
            given=(Eq(w, RATE),),
            then=w * r * t**2 <= n,
        ),
        Implication(
            name="noise at the rate of Theorem 5.2",
            statement="w beta T = (w r T^(2/3)) r T^(2/3)/(B^2 D)",
            given=(w * r * t**2 <= n, Eq(beta, r**2 * t / n), Eq(rounds, t**3)),
            then=w * beta * rounds <= r * t**2,
        ),
        Implication(
            name="inverse of the rate",
            statement="1/w = b/a + r T^(2/3)/(B^2 D)",
            given=(Eq(w, RATE),),
            then=Eq(1 / w, b / a + r * t**2 / n, evaluate=False),
        ),
        Implication(
            name="potential of Theorem 5.2",
            statement="B'^2/(2 w) = 2 (B^2 + c) (D + 1)/w",
            given=(Eq(1 / w, b / a + r * t**2 / n), Eq(wide**2, SQUARE)),
            then=Eq(wide**2 / (2 * w), POTENTIAL, evaluate=False),
        ),
        Implication(
            name="exploration of Theorem 5.2",
            statement="q T = r T^(2/3)",
            given=(Eq(q, r / t), Eq(rounds, t**3)),
            then=Eq(q * rounds, r * t**2, evaluate=False),
        ),
        Put(
            three_terms,
            {
                made: E_paid,
                base: E_losses,
                drop: wide**2 / (2 * w),
                noisy: w * beta * rounds,
                explored: q * rounds,
                drop_is: POTENTIAL,
                noisy_most: r * t**2,
                explored_is: r * t**2,
            },
        ),
    ),
    conclusion=PSEUDO,
    example=FLAT | {t: 1, r: 1, q: 1, n: 1, noise: 1, beta: 1, rounds: 1, mean_squares: 0, w: Rational(1, 2)},
)

FILE = "bandit.proof"
claims = (
    Claim(
        id="neurips25/thm4-3",
        quote="O(min{D^2 + 1, (D+1)^(2/3) T^(1/3)})",
        source=f"{SOURCE}, section 4.1, Theorem 4.3 (E.2)",
        statement="D rounds late, c at least the regularizer of U: E[R_T] <= 2 (B^2 + c) (D + 1) b/a, where "
        "D + 1 <= 2 (D^2 + 1), and D + 1 <= (D + 1)^(2/3) T^(1/3) where D + 1 <= T",
        grounds=(
            InProof(FILE, "neurips25/thm4-3"),
            InProof(FILE, "neurips25/below-squares"),
            InProof(FILE, "neurips25/below-roots"),
        ),
        recorded="PROVED",
        finding="The regret gives more: O(D + 1), as the copies of Theorem 4.4 do. Where T < D + 1, T itself is below "
        "(D + 1)^(2/3) T^(1/3).",
    ),
    Claim(
        id="neurips25/thm5-2",
        quote="O(D^(1/3) T^(2/3))",
        source=f"{SOURCE}, section 5.2, Theorem 5.2",
        grounds=pseudo_inverse,
        recorded="PROVED",
        finding="(D + 1)/D <= 2; 2 (B^2 + c) b (D + 1)/a is of smaller order for D <= T, and for D > T, T itself is "
        "below D^(1/3) T^(2/3).",
    ),
)
