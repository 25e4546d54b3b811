"""Theorems 4.3, 5.1 and 5.2 of NeurIPS 2025: follow the regularized leader under delay.

**Problem.** Online structured prediction with feedback that arrives D rounds late, full information or bandit; a, b,
B, C_x, C_y, omega are constants.

**Algorithm.** ODAFTRL with AdaHedgeD (Flaspohler et al. 2021) on gradients or on the estimates of Theorems 3.4 and
3.6, on a convex set of diameter B, c at least the regularizer of U.

**Theoretical guarantee.** **Upper bounds** from a bound on the regret, proved in `bandit.proof`: for every v it is at
most v + 2 (B^2 + c) (sum ||h||^2 + sum ||h_t|| ||h_s||)/v, the last sum over 1 <= t - s <= D, and that is at most D
sum ||h||^2. So full information has O(D + 1), which is O(min(D^2 + 1, (D + 1)^(2/3) T^(1/3))) as T < D + 1 rounds cost
less than the latter; and the pseudo-inverse, with q = (omega B^2 C_x^2 D/T)^(1/3), has O(D^(1/3) T^(2/3)). With
inverse weights, q = B sqrt(K/T) and an oblivious stream, W_t is made of draws before t - D, so that the products of
estimates have the mean of those of the gradients, at most D b sum S(W): O(sqrt(KT) + D), which is O(sqrt((K + D) T))
for D <= T; T is that for D > T. No bound of the largest window is needed.

**References.** Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025, Theorems 4.3, 5.1, 5.2; Flaspohler, Orabona, Cohen,
Mouatadid, Oprescu, Orenstein, Mackey 2021, Online Learning with Optimism and Delay.
"""

from gaptron import Claim, InProof

SOURCE = "Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025"
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
        id="neurips25/thm5-1",
        quote="E[R_T] = O(sqrt((K+D) T))",
        source=f"{SOURCE}, section 5.1, Theorem 5.1",
        statement="D rounds late, an oblivious stream, c at least the regularizer of U, q = B sqrt(K/T) <= 1: E[R_T] "
        "<= (2 (B^2 + c) b/(a B) + B) sqrt(K T) + 2 (B^2 + c) b D/a",
        grounds=InProof(FILE, "neurips25/thm5-1"),
        recorded="PROVED",
        finding="The delay is paid once, O(sqrt(KT) + D), and not at the rate sqrt(DT).",
    ),
    Claim(
        id="neurips25/thm5-2",
        quote="O(D^(1/3) T^(2/3))",
        source=f"{SOURCE}, section 5.2, Theorem 5.2",
        statement="D >= 1 rounds late, c at least the regularizer of U, Q = (omega B^2 C^2 D)^(1/3) T^(2/3), q = Q/T "
        "<= 1: E[R_T] <= 2 (B^2 + c) (D + 1) (b/a + Q/(B^2 D)) + 2 Q",
        grounds=InProof(FILE, "neurips25/thm5-2"),
        recorded="PROVED",
        finding="(D + 1)/D <= 2; 2 (B^2 + c) b (D + 1)/a is of smaller order for D <= T, and for D > T, T itself is "
        "below D^(1/3) T^(2/3).",
    ),
)
