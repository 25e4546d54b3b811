"""Bandit estimates of NeurIPS 2025: (1), Lemma 3.1, and the moments of both estimates.

**Problem.** Online structured prediction with bandit feedback; g = (yhat(theta) - y) x' the gradient of the surrogate
S.

**Algorithm.** RDUE: a uniform output with probability q, else randomized decoding; it returns y with probability p.
Inverse weights: h = g/p if yhat = y, else 0. Pseudo-inverse: ytilde = V^-1 P^+ yhat <yhat, V y>, P = E[yhat yhat'].

**Theoretical guarantee.** ||g||^2 <= b S(W), b = 2 C_x^2 kappa^2/lambda; RDUE pays (1 - q) (1 - a) S + q (K - 1)/K;
inverse weights are unbiased, with E||h||^2 <= (b K/q) S(W), and known from L(yhat; y), which is 0 iff yhat = y; the
pseudo-inverse is unbiased with E||ytilde||^2 <= omega/q. C_y is read as the diameter of Y in the l2 norm.

**References.** Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025, sections 2.2, 3.1, 3.3, 3.4 and D.3.
"""

from fractions import Fraction

import sympy as sp
from sympy import Eq, symbols

from gaptron import Argument, Average, Cite, Claim, Implication, InProof, Instance, Resists, Rounds, Use
from gaptron.instances.decoding import decoding
from gaptron.numbers.evaluate import ball
from gaptron.theory import facts

SOURCE = "Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025"
FILE = "bandit.proof"
q = symbols("q", positive=True)
product, metric, of_inverse, of_smaller = symbols("product metric of_inverse of_smaller", nonnegative=True)
inverses = Argument(
    name="inverses of ordered matrices",
    setting="Matrices B at most A, positive definite on their common image, w the vector that A maps to v",
    symbols={
        product: "<w, v>", metric: "||w||_B^2", of_inverse: "||v||_A^-1^2", of_smaller: "||v||_B^-1^2",
    },
    hypotheses=("B is positive definite", Eq(of_inverse, product), metric <= product),
    steps=(
        Use(facts.METRIC, {"u": "w", "v": "v", "M": "B"}),
        Implication(
            name="inverse is antitone",
            statement="f^2 <= ||w||_B^2 ||v||_B^-1^2 <= f ||v||_B^-1^2, f = ||v||_A^-1^2",
            given=(product**2 <= metric * of_smaller, metric <= product, Eq(of_inverse, product)),
            then=of_inverse <= of_smaller,
        ),
    ),
    conclusion=of_inverse <= of_smaller,
    example={product: 1, metric: 1, of_inverse: 1, of_smaller: 1},
)  # fmt: skip

squares, E_squares, rows, E_rows, omega, form, of_q = symbols(
    "squares E_squares rows E_rows omega form of_q", nonnegative=True
)
seen = symbols("seen", real=True)
of_row, E_of_row, of_p, of_share = symbols("of_row E_of_row of_p of_share", nonnegative=True)
ROWS = E_rows <= omega / q
MOMENTS = {
    squares: "||ytilde||^2", E_squares: "E[||ytilde||^2]", seen: "<yhat, V y>", rows: "||V^-1 P^+ yhat||^2",
    E_rows: "E[||V^-1 P^+ yhat||^2]", E_of_row: "E[<w, yhat>^2]", product: "<w, v>",
    form: "||w||_qQ^2", of_p: "||v||_P^-1^2", of_share: "||v||_qQ^-1^2", of_q: "||v||_Q^-1^2",
}  # fmt: skip
PSEUDO_INVERSE = (
    "RDUE, P the mean of yhat yhat' and Q that of a uniform output, definite on their common image, v a row of V^-1 "
    "and w the vector that P maps to it, omega the sum over the rows of the squared norms of v in the inverse of Q"
)
A_ROW = (
    "qQ is positive definite", Eq(of_p, product), form <= product, Eq(E_of_row, of_p), Eq(of_share, of_q / q),
)  # fmt: skip
traces = Argument(
    name="trace of the pseudo-inverse",
    setting=PSEUDO_INVERSE,
    symbols=MOMENTS,
    hypotheses=A_ROW,
    steps=(
        Cite(inverses, {"B": "qQ", "_A": "_P", "_B": "_qQ"}),
        Implication(
            name="a row",
            statement="E[<w, yhat>^2] = w'P w = v'P^+ v <= v'Q^+ v/q",
            given=(Eq(E_of_row, of_p), of_p <= of_share, Eq(of_share, of_q / q)),
            then=E_of_row <= of_q / q,
        ),
        Rounds(
            ROWS,
            {E_rows: (0, E_rows + E_of_row), omega: (0, omega + of_q)},
            Implication(
                name="one more row",
                statement="the sum over the rows of V^-1 is the squared norm, and omega is the trace of V^-1 Q^+ V^-T",
                given=(ROWS, E_of_row <= of_q / q),
                then=E_rows + E_of_row <= (omega + of_q) / q,
            ),
            (q,),
        ),
    ),
    conclusion=ROWS,
    example={
        E_rows: 0, omega: 1, q: 1, product: 0, form: 0, of_p: 0, of_share: 0, of_q: 0, E_of_row: 0,
    },
)  # fmt: skip
second_moment = Argument(
    name="second moment of the pseudo-inverse",
    setting=PSEUDO_INVERSE + ", the squared norm of ytilde being the square of the product seen times that of yhat "
    "by V^-1 P^+",
    symbols=MOMENTS,
    hypotheses=(*A_ROW, Eq(squares, seen**2 * rows), seen**2 <= 1),
    steps=(
        Implication(
            name="product of at most 1",
            statement="|<yhat, V y>| <= 1",
            given=(Eq(squares, seen**2 * rows), seen**2 <= 1),
            then=squares <= rows,
        ),
        Average(squares <= rows, {squares: E_squares, rows: E_rows}),
        Cite(traces),
        Implication(
            name="trace of P^+",
            statement="tr(V^-1 P^+ P P^+ V^-T) = tr(V^-1 P^+ V^-T) <= tr(V^-1 Q^+ V^-T)/q",
            given=(E_squares <= E_rows, ROWS),
            then=E_squares <= omega / q,
        ),
    ),
    conclusion=E_squares <= omega / q,
    example={
        squares: 0, seen: 0, rows: 0, E_rows: 0, E_squares: 0, omega: 1, q: 1, product: 0, form: 0, of_p: 0,
        of_share: 0, of_q: 0, E_of_row: 0,
    },
)  # fmt: skip


def rdue(rng):
    """Three labels, l1 norm: the distribution of RDUE, q, the probabilities and the true label."""
    raw = [Fraction(int(v)) for v in rng.integers(1, 20, 3)]
    sigma, q_, y = [v / sum(raw) for v in raw], Fraction(int(rng.integers(1, 9)), 8), int(rng.integers(3))
    unit = [[Fraction(int(i == j)) for j in range(3)] for i in range(3)]
    return [q_ / 3 + (1 - q_) * v for v in decoding(unit, sigma, Fraction(2))], q_, sigma, y


def gradient_instance(rng):
    """||g||^2 of the natural logistic loss on three labels, |x| = 1, against 2 S: C_x = kappa = lambda = 1."""
    _, _, sigma, y = rdue(rng)
    squares_ = sum((v - (k == y)) ** 2 for k, v in enumerate(sigma))
    return Instance({"sigma": sigma, "y": y}, ball(squares_), -2 * ball(sigma[y]).log())


def lemma_instance(rng):
    """P(y is missed) by RDUE against (1 - q) S + q 2/3 with S at least half the squared l1 distance: Proposition 3."""
    chance, q_, sigma, y = rdue(rng)
    lower = 2 * (1 - sigma[y]) ** 2
    return Instance({"sigma": sigma, "y": y, "q": q_}, 1 - chance[y], (1 - q_) * lower + q_ * Fraction(2, 3))


def moment_instance(rng):
    """E||h||^2 of inverse weights, |x| = 1, against (K/q) ||g||^2."""
    chance, q_, sigma, y = rdue(rng)
    g = [v - (k == y) for k, v in enumerate(sigma)]
    second = chance[y] * sum((v / chance[y]) ** 2 for v in g)
    return Instance({"sigma": sigma, "y": y, "q": q_}, second, Fraction(3) / q_ * sum(v * v for v in g))


def pseudo_inverse_instance(rng):
    """Permutations of two items: E||ytilde||^2 + (distance of E ytilde from y) exactly, against omega/q = tr/q."""
    outputs = [sp.Matrix(row) for row in ([1, 0, 0, 1], [0, 1, 1, 0])]
    q_ = sp.Rational(int(rng.integers(1, 9)), 8)
    first = q_ / 2 + (1 - q_) * sp.Rational(int(rng.integers(0, 9)), 8)
    chance, y, V = (first, 1 - first), outputs[int(rng.integers(2))], -sp.eye(4) / 2
    P = sum((c * o * o.T for c, o in zip(chance, outputs, strict=True)), sp.zeros(4))
    Q = sum((o * o.T / 2 for o in outputs), sp.zeros(4))
    draws = [V.inv() * P.pinv() * o * (o.T * V * y)[0] for o in outputs]
    mean = sum((c * v for c, v in zip(chance, draws, strict=True)), sp.zeros(4, 1))
    second = sum(c * (v.T * v)[0] for c, v in zip(chance, draws, strict=True)) + 1000 * ((mean - y).T * (mean - y))[0]
    trace = (V.inv() * Q.pinv() * V.inv().T).trace()
    return Instance({"p": chance, "q": q_, "y": y.T.tolist()[0]}, sp.Rational(second), sp.Rational(trace / q_))


claims = (
    Claim(
        id="neurips25/eq1",
        quote="(1) holds with b = 2 C_x^2 kappa^2/lambda",
        source=f"{SOURCE}, section 2.2, (1)",
        statement="The Fenchel-Young loss S(W) = S(W x; y), ||x|| <= C_x: ||grad S(W)||^2 <= "
        "(2 C_x^2 kappa^2/lambda) S(W)",
        grounds=InProof(FILE, "neurips25/eq1"),
        recorded="PROVED",
        second=Resists(gradient_instance, 60),
    ),
    Claim(
        id="neurips25/lemma3-1",
        quote="E[L(psi(theta); y)] <= (4 gamma/(lambda nu)) (1-q) S(theta; y) + q (K-1)/K",
        source=f"{SOURCE}, section 3.1, Lemma 3.1 and Assumption 3.2",
        statement="RDUE with K outputs, L <= 1, zero at the true output: E[L] <= (4 gamma/(lambda nu)) (1 - q) S + "
        "q (K - 1)/K, at most (1 - a) S + q, a = 1 - 4 gamma/(lambda nu)",
        grounds=InProof(FILE, "neurips25/lemma3-1"),
        recorded="PROVED",
        second=Resists(lemma_instance, 100),
    ),
    Claim(
        id="neurips25/inverse-weighted",
        quote="where we used E_t[||Ghat_t||_F^2] = ||G_t||_F^2/p_t(y_t) <= (K/q)||G_t||_F^2 <= (bK/q) S_t(W_t)",
        source=f"{SOURCE}, section 3.3",
        statement="RDUE, h = g/p(y) if yhat = y, else 0: E[h] = g, E||h|| = ||g|| <= C_x C_y, E||h||^2 = ||g||^2/p(y) "
        "<= (K/q) ||g||^2 <= (b K/q) S(W)",
        grounds=(InProof(FILE, "neurips25/inverse-weighted"), InProof(FILE, "neurips25/moments")),
        recorded="PROVED",
        finding="The estimate is known under bandit feedback: L(yhat; y) = 0 says that yhat = y, and then y is "
        "known; else it "
        "is 0. C_y is read as the diameter of Y in the l2 norm.",
        second=Resists(moment_instance, 100),
    ),
    Claim(
        id="neurips25/pseudo-inverse",
        quote="ytilde_t is unbiased",
        source=f"{SOURCE}, section 3.4 and D.3, Lemmas D.5 and D.6",
        grounds=(inverses, second_moment),
        recorded="PROVED",
        finding="E ytilde = V^-1 P^+ P V y, and P^+ P is the projection on span(Y), in which V y lies (or which is "
        "all). P >= q Q "
        "as p >= q/K, and both have the image span(Y).",
        second=Resists(pseudo_inverse_instance, 8),
    ),
)
