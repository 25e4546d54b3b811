"""Section 2.3 of NeurIPS 2025: the constants of the examples.

**Problem.** Online structured prediction; the target loss must obey L(y'; y) <= gamma ||y' - y|| on conv(Y).

**Algorithm.** None: these are constants of the setting, for multilabel classification on {0, 1}^d with the l2 norm.

**Theoretical guarantee.** **Constants.** The Hamming loss is ||y' - y||_1/d, at most ||y' - y||_2/sqrt(d), with
equality where all coordinates differ by as much: gamma = 1/sqrt(d) is the least, and gamma = 1/d fails for every d >=
2.

**References.** Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025, section 2.3.
"""

from fractions import Fraction

from gaptron import Breaks, Claim, Corrected, InProof, Instance

SOURCE = "Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025, section 2.3"


def opposite_outputs():
    """d = 2, y' = (1, 1), y = (0, 0): L^2 against gamma^2 ||y' - y||^2."""
    return Instance({"d": 2, "y'": (1, 1), "y": (0, 0)}, 1, Fraction(1, 4) * 2)


claims = (
    Claim(
        id="neurips25/ex-multilabel",
        quote="Assumption 2.1 is satisfied with nu = 1 and gamma = 1/d",
        severity="D",
        cause="the l1 norm's gamma = 1/d stands beside the l2 norm",
        patch="read gamma = 1/sqrt(d)",
        source=f"{SOURCE}, multilabel",
        statement="Y = {0, 1}^d, the l2 norm, L the Hamming loss divided by d: L(y'; y) <= ||y' - y||/d for all y' in "
        "conv(Y), y in Y, d >= 2; both sides are squared",
        tex=r"L(y'; y) \le \frac1d \|y' - y\|_2",
        grounds=Breaks(opposite_outputs),
        recorded="REFUTED",
        finding="Two outputs that differ everywhere have L = 1 and ||y' - y|| = sqrt(d).",
        corrected=Corrected(
            statement="L(y'; y) <= ||y' - y||/sqrt(d)",
            tex=r"L(y'; y) \le \frac{1}{\sqrt d} \|y' - y\|_2",
            grounds=InProof("constants.proof", "neurips25/hamming"),
        ),
    ),
)
