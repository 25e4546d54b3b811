"""The documents whose claims come with the package: titles as references have them, and which text was seen of them."""

DOCUMENTS = {
    "gaptron": "D. van der Hoeven, Exploiting the Surrogate Gap in Online Multiclass Classification (2020)",
    "slides": "D. van der Hoeven, slides of the talk on the surrogate gap",
    "blog": "F. Orabona, the blog chapter on Gaptron",
    "soba": "A. Beygelzimer, F. Orabona, C. Zhang, Efficient Online Bandit Multiclass Learning (2017)",
    "notes": "Notes on bandit multiclass classification",
    "colt24": "S. Sakaue, H. Bao, T. Tsuchiya, T. Oki, Online Structured Prediction with Fenchel-Young Losses and "
    "Improved Surrogate Regret for Online Multiclass Classification with Logistic Loss (COLT 2024, PMLR "
    "247, sakaue24a)",
    "neurips25": "Y. Shibukawa, T. Tsuchiya, S. Sakaue, K. Yamanishi, Bandit and Delayed Feedback in Online Structured"
    " Prediction (NeurIPS 2025)",
    "new": "New here: what the theorem on optimal constants closes",
}

EDITIONS = {
    "gaptron": "Advances in Neural Information Processing Systems 33; arXiv 2007.12618. The text audited has the "
    "abstract of the proceedings and ends before the appendices.",
    "slides": "They name arXiv 2007.12618; no date and no venue was found.",
    "blog": "Neither the address of the post nor an arXiv id was found.",
    "soba": "ICML 2017, PMLR 70:488-497; arXiv 1702.07958. The text audited is dated January 19, 2018 and has the "
    "abstract of v3.",
    "notes": "They name no author, and no venue or arXiv id was found.",
    "colt24": "PMLR 247; arXiv 2402.08180, v3 found.",
    "neurips25": "arXiv 2502.18709, v2 found.",
}
"""Where they appeared, and which version was audited or found."""

_SEEN = (
    "The full text was not seen: claims and quotations (at most 25 words, transliterated to ASCII) are from a list "
    "of the paper's statements, and where a quotation and a statement differ, the statement is what is decided. "
)
_SETTING = (
    "Setting: Y is a finite set of outputs, theta = W x with ||x|| <= C, S the Fenchel-Young loss of an Omega that "
    "is lambda-strongly convex in a norm ||.|| on conv(Y), yhat its regularized prediction; kappa ||y|| >= ||y||_2. "
    "Condition (I): ||y - y'|| >= nu for different outputs; (II): the target loss L(.; y) is extended to conv(Y), "
    "affine and not negative there; (III): L(y'; y) <= gamma ||y' - y||, and gamma is then called admissible. "
    "Randomized decoding: the nearest output y* to yhat, at distance D*, with probability 1 - p, p = min(1, 2 "
    "D*/nu), else a random output of mean yhat. a = 1 - 4 gamma/(lambda nu), b = 2 C^2 kappa^2/lambda. Surrogate "
    "regret: sum L_t - sum S_t(U)."
)
ABOUT = {
    "colt24": _SEEN + _SETTING,
    "neurips25": _SEEN + _SETTING + " RDUE: a uniform output with probability q, else randomized decoding. Assumption "
    "3.5: L(y'; y) = <y', V y + b> + c(y) with V known and invertible, b and c(.) known, "
    "tr(V^-1 Q^+ V^-T) <= omega for Q = E[y y'] of a uniform output, |<y', V y>| <= 1.",
}
"""What was not seen of a document, and the definitions its claims are read with; for those that have an entry."""


def about(document: str) -> str:
    """What a reader should know of a document before its claims; empty for one that is not listed here."""
    return " ".join(said[document] for said in (EDITIONS, ABOUT) if document in said)
