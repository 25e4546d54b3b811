"""Section 5.2 of NeurIPS 2025: interleaved copies under delayed bandit feedback.

**Problem.** Online structured prediction with bandit feedback that arrives D >= 1 rounds late; a, b as in Theorem
3.4.

**Algorithm.** D + 1 interleaved copies of the algorithms of Theorems 3.4 and 3.6, all with the same q.

**Theoretical guarantee.** **Upper bounds**: with q = B sqrt(K (D + 1)/T), E[R_T] <= (b/(2a) + 1) B sqrt(K (D + 1) T),
and with q = (4 omega B^2 C^2 (D + 1)/T)^(1/3), E[R_T] <= (D + 1) b B^2/(2a) + (7/4) (4 omega B^2 C^2 (D + 1))^(1/3)
T^(2/3). As D + 1 <= 2 D these are O(sqrt(KDT)) and O(D^(1/3) T^(2/3)); where q would exceed 1, T itself is of that
order.

**References.** Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025, section 5.2, last paragraph.
"""

from gaptron import Claim, InProof, Instance, Resists
from gaptron.instances.structured_bandit import delayed_bandit_sides

FILE = "bandit.proof"
claims = (
    Claim(
        id="neurips25/bold-bandit",
        quote="BOLD-based algorithms ... attain regret upper bounds of O(sqrt(KDT)) and O(D^(1/3) T^(2/3)), "
        "respectively",
        source="Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025, section 5.2",
        statement="n = D + 1 copies that take turns, in any order: with inverse weights E[R_T] <= (b/(2 a) + 1) "
        "B sqrt(K n T), and with pseudo-inverse estimates E[R_T] <= n b B^2/(2 a) + (7/4) (4 omega B^2 C^2 n)^(1/3) "
        "T^(2/3)",
        grounds=(InProof(FILE, "neurips25/bold-inverse-weights"), InProof(FILE, "neurips25/bold-pseudo-inverse")),
        recorded="PROVED",
        second=Resists(lambda rng: Instance(*delayed_bandit_sides(rng)), 20),
        finding="With n = D + 1 <= 2 D copies. The pseudo-inverse has (D + 1) b B^2/(2a) beside its main term, which "
        "is of smaller order as long as D <= T; else T itself is below D^(1/3) T^(2/3).",
    ),
)
