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

from gaptron import Claim, InProof, Instance, Resists
from gaptron.instances.decoding import decoding
from gaptron.numbers.evaluate import ball

SOURCE = "Shibukawa, Tsuchiya, Sakaue, Yamanishi 2025"
FILE = "bandit.proof"


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
        finding="The estimate is known under bandit feedback: L(yhat; y) = 0 says that yhat = y, and then y is known; "
        "else it is 0. C_y is read as the diameter of Y in the l2 norm.",
        second=Resists(moment_instance, 100),
    ),
    Claim(
        id="neurips25/pseudo-inverse",
        quote="ytilde_t is unbiased",
        source=f"{SOURCE}, section 3.4 and D.3, Lemmas D.5 and D.6",
        statement="RDUE with q > 0 under Assumption 3.5, <yhat, V y> observed, ytilde = V^-1 P^+ yhat <yhat, V y>: "
        "E[ytilde] = y, E[||ytilde||^2] <= omega/q. B >= 0 and A >= B, A w = v = B s: <v, w> <= <v, s>",
        grounds=(InProof(FILE, "neurips25/antitone"), InProof(FILE, "neurips25/pseudo-inverse")),
        recorded="PROVED",
        finding="E ytilde = V^-1 P^+ P V y, and P^+ P is the projection on span(Y), in which V y lies (or which is "
        "all). P >= q Q as p >= q/K, and both have the image span(Y).",
        second=Resists(pseudo_inverse_instance, 8),
    ),
)
