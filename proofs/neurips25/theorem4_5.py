"""Theorem 4.5 of NeurIPS 2025: under delay D the surrogate regret is Omega(B^2 (D + 1)/ln(d)^2).

**Problem.** d labels, the logistic loss (natural or base 2), full information that arrives D rounds late.

**Algorithm.** Any. The stream: M blocks of D + 1 rounds with one new x = e_i and one uniformly random label each, and
a last x = e_(M+1) with a random label for all later rounds. U' has the columns ln(2d) e_label and ln(dT) e_label.

**Theoretical guarantee.** **Lower bound**. Within a block nothing of its label is known: each round costs 1 - 1/d. U'
pays ln(1 + (1 - 1/d)/2) <= (1 - 1/d)/2 in a block and at most (1 - 1/d)/T later, in natural units; later rounds cost
the learner 1 - 1/d at least, so that they do not help it. With the logarithm of base 2 both are divided by ln 2: the
printed step log2(1 + z) <= z is false for 0 < z < 1, but a round of a block still pays 1/6, and the later rounds lose
at most 1/2. With M features that is at least (D + 1)((M - 1)/6 - 1/2) >= (D + 1) B^2/(54 ln(d)^2) if B >= 3 ln(dT).

**References.** Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025, Theorem 4.5 and Appendix E.5; Sakaue et al. 2024, Theorem
13.
"""

from fractions import Fraction

from gaptron import Breaks, Claim, Corrected, InProof, Instance, Resists
from gaptron.numbers.evaluate import ball

SOURCE = "Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025"


def step_base_2():
    """d = 2: log2(1 + 1/4) <= 1/4, as powers: (5/4)^4 <= 2."""
    return Instance({"d": 2, "claim": "(1 + z)^(1/z) <= 2 at z = 1/4"}, Fraction(5, 4) ** 4, 2)


def large_d():
    """d = 4: z = 3/8, (11/8)^8 <= 2^3."""
    return Instance({"d": 4, "claim": "(1 + z)^8 <= 2^3 at z = 3/8"}, Fraction(11, 8) ** 8, 8)


def loss_in_a_block(rng):
    """ln(1 + (1/2)(1 - 1/d)) from the softmax of the scores (ln 2d, 0, ..., 0), against (1/2)(1 - 1/d)."""
    n = int(rng.integers(2, 200))
    sigma = ball(2 * n) / ball(2 * n + n - 1)
    return Instance({"d": n}, -sigma.log(), ball(1 - Fraction(1, n)) / 2)


def both_units(rng):
    """(1 - 1/d) - ln(1 + z)/ln 2 of a round in a block, against (1 - 1/d)/4."""
    n = int(rng.integers(2, 200))
    z_ = (1 - Fraction(1, n)) / 2
    return Instance({"d": n}, ball(2 * z_) - ball(1 + z_).log() / ball(2).log(), ball(z_ / 2), ">=")


claims = (
    Claim(
        id="neurips25/thm4-5",
        quote="is lower bounded by E[R_T] = Omega(B^2 (D+1)/(log d)^2)",
        source=f"{SOURCE}, Theorem 4.5",
        statement="K labels, any learner that sees labels D rounds late, blocks of D + 1 rounds with one new feature "
        "and one random label each, then one more feature; B >= 3 ln(K H), H at least the number of rounds with the "
        "last feature, base 2: the expected regret against U', ||U'|| = B, is at least (D + 1) B^2/(54 ln(K)^2) where "
        "all M = (B^2 - ln(K H)^2)/ln(2 K)^2 features are played",
        grounds=InProof("lower.proof", "neurips25/thm4-5"),
        recorded="PROVED",
        finding="With c = 1/54 and c0 = 3, in base 2 and so in natural units, by the repaired step (thm4-5-step). In "
        "base 2 the square of the logarithm is not needed: (D + 1) times the optimal constant is in front of B^2, up "
        "to lower terms (new/logistic-lower-bound-late), and D + 1 copies attain it (new/delay-exact).",
        second=Resists(both_units, 100),
    ),
    Claim(
        id="neurips25/thm4-5-step",
        quote="By the same calculation as that of Sakaue et al. [41, Theorem 13], we also have S_s^i(U') <= (1/2)(1 "
        "- 1/d)",
        severity="B",
        cause="log2(1 + z) <= z is false for 0 < z < 1",
        patch="divide by ln 2: S(U') <= (1 - 1/d)/(2 ln 2); a round of a block still pays (1 - 1/(2 ln 2))(1 - 1/d)",
        source=f"{SOURCE}, Appendix E.5",
        statement="for the base-2 logistic loss and every d >= 2, log2(1 + (1 - 1/d)/2) <= (1 - 1/d)/2; both sides "
        "as powers",
        tex=r"\log_2(1 + \tfrac12(1 - \tfrac1d)) \le \tfrac12(1 - \tfrac1d)",
        grounds=Breaks(step_base_2),
        recorded="REFUTED",
        finding="log2 is concave and equals z at z = 0 and z = 1, so that it is above z between. It holds for the "
        "natural logarithm, and the theorem is true in both (thm4-5).",
        corrected=Corrected(
            statement="log2(1 + z) <= z/ln 2 for z = (1 - 1/d)/2",
            tex=r"\log_2(1 + z) \le z/\ln 2",
            grounds=InProof("constants.proof", "neurips25/in-a-block-base-2"),
        ),
        second=Breaks(large_d),
    ),
    Claim(
        id="neurips25/thm4-5-step-natural",
        quote="The contribution of rounds t > (D+1)M to the surrogate regret is non-negative",
        source=f"{SOURCE}, Appendix E.5, natural logarithm",
        statement="ln(1 + z) <= z at z = (1 - 1/d)/2, and the later rounds, in each of which U' pays (1 - 1/d)/T at "
        "most, do not lose the learner's 1 - 1/d",
        grounds=(InProof("constants.proof", "neurips25/in-a-block"), InProof("constants.proof", "neurips25/later")),
        recorded="PROVED",
        second=Resists(loss_in_a_block, 100),
    ),
)
