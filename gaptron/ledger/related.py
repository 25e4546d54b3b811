"""Results beside which those of the documents and of this project stand, in common units.

Features have norm at most 1. With full information the constant is c of E[mistakes] <= sum l_t(U) + c ||U||^2; with
bandit feedback that of D sqrt(T) in the excess over the losses of a U with ||U|| <= D, for large T.
"""

from dataclasses import dataclass

from sympy import Expr, Integer, Rational, log, sqrt

from gaptron.symbols import K

ln2 = log(2)
HERE = "here"
LOSSES = ("logistic, base 2", "hinge", "smooth hinge")
AT = (2, 10, 100)


@dataclass(frozen=True)
class Compared:
    """A bound: whose, for which feedback and loss, its constant in K (in words if none is stated), and what we know.

    ``proved`` names the theorem that ``gaptron check`` proves, or the lemma that has the steps of its proof.
    """

    source: str
    feedback: str
    loss: str
    constant: Expr | str
    standing: str
    proved: str = ""

    def at(self, n: int) -> str:
        """The constant at K = n."""
        return "" if isinstance(self.constant, str) else f"{float(self.constant.subs(K, n)):.4g}"


VDH, GAPPLETRON = "van der Hoeven 2020", "van der Hoeven, Fusco, Cesa-Bianchi 2021 (Gappletron)"
SAKAUE, SHIBUKAWA = "Sakaue, Bao, Tsuchiya, Oki 2024", "Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025"
LOGISTIC, HINGE, SMOOTH = LOSSES
PRINTED_BETA = f"{HINGE}, off above 1/K"
REGULAR = "regular, as defined there"
PROVED, CITED = "PROVED here", "as its abstract states; the text was not seen"
STEPS = "the steps of its proof are PROVED here"
WHOLE = f"{STEPS}, and in Coq the whole"
BEST_RATE = "bandit feedback, best exploration rate"

RESULTS = (
    Compared(f"{VDH}, Theorem 1", "full", LOGISTIC, K / ln2, PROVED, "Theorem 1, logistic"),
    Compared(GAPPLETRON, "full", REGULAR, "O(K)", CITED),
    Compared(
        f"{SAKAUE}, section 5",
        "full",
        LOGISTIC,
        1 / (2 * (1 - ln2) * ln2),
        "first without K; claim colt24/thm12 of the audit",
    ),
    Compared(f"{HERE}: best gap map", "full", LOGISTIC, K / (8 * ln2**2), PROVED, "logistic, best gap map"),
    Compared(f"{HERE}: best decoder", "full", LOGISTIC, 1 / (4 * ln2**2), PROVED, "logistic, best decoder"),
    Compared(
        f"{HERE}: over all algorithms", "full", LOGISTIC, Rational(18646, 10**5), PROVED, "logistic, all algorithms"
    ),
    Compared(f"{VDH}, Theorem 2", "full", PRINTED_BETA, K**2 / (2 * (K - 1)), PROVED, "Theorem 2, hinge"),
    Compared(f"{HERE}: best gap map", "full", f"{HINGE}, off above (K - 1)/K", K / 2, PROVED, "hinge, best gap map"),
    Compared(
        f"{HERE}: over all algorithms", "full", f"{HINGE}, never off", K**2 / (4 * (K - 1)), PROVED, "hinge, proximal"
    ),
    Compared(f"{VDH}, Theorem 3", "full", SMOOTH, 2 * K, PROVED, "Theorem 3, smooth hinge"),
    Compared(f"{HERE}: over all algorithms", "full", SMOOTH, K, PROVED, "smooth hinge, proximal"),
    Compared(f"{VDH}, Theorem 4", "bandit", LOGISTIC, 2 * K / sqrt(ln2), PROVED, "Theorem 4, bandit logistic"),
    Compared(GAPPLETRON, "bandit", REGULAR, "O(K)", f"any feedback graph; {CITED}"),
    Compared(
        f"{SHIBUKAWA}, Theorem 3.4",
        "bandit",
        LOGISTIC,
        2 * sqrt(K) * (1 / (ln2 * (1 - ln2)) + 1),
        "diameter 2 D, a = 1 - ln 2, b = 2/ln 2; claim neurips25/thm3-4 of the audit",
    ),
    Compared(
        f"{SHIBUKAWA}, the best q in its argument",
        "bandit",
        LOGISTIC,
        4 * sqrt(K) / sqrt(ln2 * (1 - ln2)),
        "not printed; claim neurips25/thm3-4-best-decoder of the audit",
    ),
    Compared(
        f"{HERE}: best decoder",
        "bandit",
        LOGISTIC,
        sqrt(K - 1) / ln2,
        "claim neurips25/thm3-4-best-decoder of the audit",
    ),
    Compared(f"{HERE}: best gap map", "bandit", LOGISTIC, sqrt(K * (K - 1) / Integer(2)) / ln2, STEPS, BEST_RATE),
    Compared(f"{VDH}, Theorem 5", "bandit", PRINTED_BETA, sqrt(2) * K, PROVED, "Theorem 5, bandit hinge"),
    Compared(
        f"{HERE}: threshold 1/2",
        "bandit",
        f"{HINGE}, off above 1/2",
        2 * sqrt(K - 1),
        f"{WHOLE}, for D sqrt(T) large",
        "bandit hinge, threshold 1/2",
    ),
    Compared(
        f"{VDH}, Theorem 6",
        "bandit",
        SMOOTH,
        2 * sqrt(2) * K,
        f"{PROVED} up to K = 54, else with a smaller rate",
        "Theorem 6, bandit smooth hinge",
    ),
    Compared(
        f"{HERE}: best exploration rate at this learning rate",
        "bandit",
        SMOOTH,
        2 * sqrt(2 * K * (K - 1)),
        WHOLE,
        BEST_RATE,
    ),
)


def table() -> list[list[str]]:
    """Rows of text: the header first."""
    rows = [["feedback", "loss", "whose", "constant", *(f"K = {n}" for n in AT), "standing"]]
    for one in RESULTS:
        constant = one.constant if isinstance(one.constant, str) else f"`{one.constant}`"
        rows.append([one.feedback, one.loss, one.source, constant, *(one.at(n) for n in AT), one.standing])
    return rows
