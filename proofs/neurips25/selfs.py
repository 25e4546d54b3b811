"""SELF of NeurIPS 2025: its examples, and what bandit feedback shows of it.

**Problem.** L(y'; y) = <y', V y + b> + c(y), L <= 1 and L(y'; y) = 0 iff y' = y. Bandit feedback is L(yhat; y).

**Algorithm.** The pseudo-inverse estimate needs <yhat, V y> = L(yhat; y) - <yhat, b> - c(y).

**Theoretical guarantee.** The three examples are SELFs. The product can be computed if c has one value on Y
(multiclass 0, ranking 1, multilabel with exactly m labels m/d), and not in general: y is not known, so that c(y) is
not. Of d = 4 labels let at most two be correct: yhat = 1000 has Hamming loss 1/4 for y = 0000 and for y = 1100, where
<yhat, V y> is 0 and -1/2.

**References.** Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025, sections 2.4 and 3.4, Assumption 3.5.
"""

from fractions import Fraction

from gaptron import Breaks, Claim, Corrected, InProof, Instance, Resists

SOURCE = "Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025"
FILE = "constants.proof"


def hamming(y1, y2):
    """A fraction of the labels."""
    return Fraction(sum(u != v for u, v in zip(y1, y2, strict=True)), len(y1))


def same_loss(yhat, one, two, scale):
    """<yhat, V y> at two outputs with the same loss, V = -(2 scale/d) I."""
    losses = tuple(scale * hamming(yhat, y) for y in (one, two))
    left, right = (-2 * scale * Fraction(sum(u * v for u, v in zip(yhat, y, strict=True)), len(y)) for y in (one, two))
    return Instance({"yhat": yhat, "y": (one, two), "L": losses}, left, right, "=")


def four_labels():
    """d = 4, Y = {0000, 1000, 1100}: |<y', V y>| <= 1 on Y."""
    return same_loss((1, 0, 0, 0), (0, 0, 0, 0), (1, 1, 0, 0), 1)


def two_labels():
    """d = 2, Y = {0, 1}^2, half of the Hamming loss."""
    return same_loss((1, 0), (0, 0), (1, 1), Fraction(1, 2))


def by_matrices(rng):
    """L by its definition against <y', V y + b> + c(y), for the three examples."""
    kind, n = int(rng.integers(3)), int(rng.integers(2, 6))
    if kind == 0:
        y1, y2 = (tuple(int(i == k) for i in range(n)) for k in rng.integers(0, n, 2))
        value, V, b, c = Fraction(int(y1 != y2)), [[int(i != j) for j in range(n)] for i in range(n)], 0, 0
    elif kind == 1:
        perms = [rng.permutation(n).tolist() for _ in range(2)]
        y1, y2 = (tuple(int(p[i] == j) for i in range(n) for j in range(n)) for p in perms)
        value = Fraction(sum(a != b for a, b in zip(*perms, strict=True)), n)
        V, b, c = [[-Fraction(int(i == j), n) for j in range(n * n)] for i in range(n * n)], 0, 1
    else:
        y1, y2 = (tuple(row) for row in rng.integers(0, 2, (2, n)).tolist())
        value, b, c = hamming(y1, y2), Fraction(1, n), Fraction(sum(y2), n)
        V = [[-Fraction(2 * int(i == j), n) for j in range(n)] for i in range(n)]
    Vy = [sum(v * w for v, w in zip(row, y2, strict=True)) for row in V]
    self_ = sum((u * (v + b) for u, v in zip(y1, Vy, strict=True)), Fraction(0)) + c
    return Instance({"y'": y1, "y": y2}, value, self_, "=")


def m_of_n(rng):
    """Exactly m of n labels: n (<yhat, V y> - (L(yhat; y) - <yhat, b> - m/n)) = 0, L counted entry by entry."""
    n = int(rng.integers(3, 8))
    m = int(rng.integers(1, n))
    yhat, y = ([int(k in chosen) for k in range(n)] for chosen in (rng.permutation(n)[:m].tolist() for _ in range(2)))
    both = sum(u & v for u, v in zip(yhat, y, strict=True))
    seen = Fraction(sum(u ^ v for u, v in zip(yhat, y, strict=True)), n) - Fraction(sum(yhat), n) - Fraction(m, n)
    return Instance({"yhat": yhat, "y": y}, Fraction(-2 * both, n), seen, "=")


claims = (
    Claim(
        id="neurips25/self-examples",
        quote="the 0-1 loss is a SELF with V = 11^T - I, b = 0, and c(y) = 0",
        source=f"{SOURCE}, section 2.4",
        statement="L(y'; y) = <y', V y + b> + c(y) and |<y', V y>| <= 1 for the 0-1 loss, V = 11' - I, b = 0, c = 0, "
        "for rankings of m items, V = -I/m, b = 0, c = 1, and for at most m <= d/2 of d labels, V = -(2/d) I, b = 1/d, "
        "c(y) = <y, 1>/d",
        grounds=(
            InProof(FILE, "neurips25/self-labels"),
            InProof(FILE, "neurips25/self-ranking"),
            InProof(FILE, "neurips25/self-multilabel"),
        ),
        recorded="PROVED",
        second=Resists(by_matrices, 100),
    ),
    Claim(
        id="neurips25/inner-product",
        quote="given that b and c(.) are known, we can compute <yhat_t, V y_t> = L_t(yhat_t) - <yhat_t, b> - c(y_t)",
        severity="B",
        cause="c is known and y_t is not, so that c(y_t) is not known",
        patch="assume in Assumption 3.5 (i) that c has one value on Y",
        source=f"{SOURCE}, section 3.4 with Assumption 3.5",
        statement="under Assumption 3.5 outputs y with the same L(yhat; y) have the same <yhat, V y>",
        tex=r"\langle \hat y_t, V y_t\rangle = L_t(\hat y_t) - \langle \hat y_t, b\rangle - c(y_t)",
        grounds=Breaks(four_labels),
        recorded="REFUTED",
        finding="The Hamming loss with at most two of four labels correct, Y = {0000, 1000, 1100}, satisfies "
        "Assumption 3.5, and a loss of 1/4 of yhat = 1000 leaves open whether y = 0000 or y = 1100. In the paper's "
        "three corollaries c is constant.",
        corrected=Corrected(
            statement="if c has one value on Y, <yhat, V y> = L(yhat; y) - <yhat, b> - c",
            grounds=InProof(FILE, "neurips25/observed"),
        ),
        second=Breaks(two_labels),
    ),
    Claim(
        id="neurips25/inner-product-constant",
        kind="reading",
        quote="given that b and c(.) are known, we can compute <yhat_t, V y_t> = L_t(yhat_t) - <yhat_t, b> - c(y_t)",
        source=f"{SOURCE}, section 3.4, with c of one value on Y",
        statement="A SELF whose c has one value on Y: <yhat, V y> = L(yhat; y) - <yhat, b> - c",
        grounds=InProof(FILE, "neurips25/observed"),
        recorded="PROVED",
        second=Resists(m_of_n, 60),
        finding="Multiclass classification has c = 0, ranking c = 1, multilabel classification with exactly m labels "
        "c = m/d.",
    ),
)
