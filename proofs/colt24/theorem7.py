"""Proposition 6, Theorems 7, 11 and 15 of COLT 2024: surrogate regret from a surrogate gap by online gradient descent.

**Problem.** Online structured prediction with full information, convex losses S_t(W) = S(W x_t; y_t) that are not
negative, a decoder with E_t L_t <= (1 - a) S_t(W_t), and ||grad S_t(W_t)||^2 <= b S_t(W_t).

**Algorithm.** Gradient descent with projection from W_1 = 0, eta = (2/b) m, m = min(1/2, a); in Theorem 15 eta_t =
B/sqrt(2 sum ||g||^2) on a domain of diameter B.

**Theoretical guarantee.** **Upper bounds**: (1 - m) sum S_t(W_t) <= sum S_t(U) + ||U||^2/(2 eta), so sum E_t L_t <=
sum S_t(U) + (1 - a) b ||U||^2/(4 (1 - m) m), on every path of draws; with b = 2 C^2 kappa^2/lambda and 1 - a = 4
gamma/(lambda nu) this is Theorem 7. Theorem 15 has half a root less than is printed: sum S_t(W_t) - S_t(U) <= B
sqrt(2 b sum S_t(W_t)).

**References.** Sakaue, Bao, Tsuchiya, Oki 2024, Proposition 6, Remark 10, Theorems 7, 11 and 15, Lemma 16.
"""

from fractions import Fraction

from gaptron import Claim, InProof, Instance, Resists
from gaptron.instances.structured_bandit import adaptive_sides, averaged_sides
from gaptron.numbers.evaluate import ball

SOURCE = "Sakaue, Bao, Tsuchiya, Oki 2024"
FILE = "descent.proof"


def two_rounds(rng):
    """Three rounds of one feature with S = (v - y)^2/2: (1 - a) sum S_t(W_t) against the bound of Proposition 6."""
    a_, b_ = Fraction(int(rng.integers(1, 10)), 10), Fraction(2)
    m_ = min(Fraction(1, 2), a_)
    w, left, right, u = Fraction(0), Fraction(0), Fraction(0), Fraction(int(rng.integers(-6, 7)), 3)
    targets = [Fraction(int(k), 3) for k in rng.integers(-6, 7, 3)]
    for target in targets:
        left += (1 - a_) * (w - target) ** 2 / 2
        right += (u - target) ** 2 / 2
        w -= 2 / b_ * m_ * (w - target)
    return Instance({"a": a_, "targets": targets, "u": u}, left, right + (1 - a_) * b_ * u**2 / (4 * (1 - m_) * m_))


def term_a(rng):
    """Term (A) of Proposition 6 with its minimum, b ||U||^2 = 1, against what the remark says in its two cases."""
    gap = Fraction(int(rng.integers(1, 40)), 40)
    least = min(Fraction(1, 2), gap)
    simple = 1 / (4 * gap) if 2 * gap <= 1 else 1 - gap
    return Instance({"a": gap}, (1 - gap) / (4 * (1 - least) * least), simple, "=")


def larger_lambda(rng):
    """gamma = 1, nu = 4, C = kappa = ||U|| = 1, lambda doubled from 2 on: (1 - a) b with b = 2/lambda is a quarter."""
    first = Fraction(int(rng.integers(2, 100)))
    terms = [(1 - (1 - 1 / lam_)) * (2 / lam_) for lam_ in (first, 2 * first)]
    return Instance({"lambda": first}, 4 * terms[1], terms[0], "=")


def random_logarithm(rng):
    """Both sides in balls, at random a, b, c and x."""
    one, two, three = (Fraction(int(v), 8) for v in rng.integers(1, 80, 3))
    x = Fraction(int(rng.integers(0, 400)), 8)
    left = (ball(two * x) * (1 + ball(three * x)).log()).sqrt() - ball(one * x)
    right = ball(two / (2 * one)) * ((1 + ball(two / (2 * one**2))).log() + (1 + ball(three)).log()) + ball(one)
    return Instance({"a": one, "b": two, "c": three, "x": x}, left, right)


claims = (
    Claim(
        id="colt24/prop6",
        quote="Then, it holds that ... (1-a) b ||U||_F^2 / (4 (1 - min{1/2,a}) min{1/2,a})",
        source=f"{SOURCE}, section 4, Proposition 6",
        statement="gradient descent with projection on Fenchel-Young losses, any stream and any draws of the decoder, "
        "eta = 2 m/b, m = min(1/2, a): sum E_t L_t <= sum S_t(U) + (1 - a) b ||U||^2/(4 (1 - m) m)",
        grounds=InProof(FILE, "colt24/prop6"),
        recorded="PROVED",
        second=Resists(two_rounds, 100),
    ),
    Claim(
        id="colt24/remark10",
        quote="simplifies to b||U||_F^2/(4a) if a <= 1/2 and to (1-a) b ||U||_F^2 if a > 1/2",
        source=f"{SOURCE}, section 4, Remark 10",
        statement="(1 - a) b/(4 (1 - m) m) is b/(4 a) for a <= 1/2 and (1 - a) b < b/(4 a) for a > 1/2, at most c from "
        "a = 1 - c/b on; in Theorem 7 it is 8 gamma C^2 kappa^2/nu times 1/lambda^2 for lambda >= 8 gamma/nu",
        grounds=tuple(InProof(FILE, f"colt24/remark10-{part}") for part in ("small", "large", "limit", "rate")),
        recorded="PROVED",
        second=(Resists(term_a, 60), Resists(larger_lambda, 60)),
    ),
    Claim(
        id="colt24/thm7",
        quote="If lambda > 4 gamma/nu holds and Alg is OGD with learning rate eta = (lambda/(C^2 kappa^2)) min{1/2, 1 "
        "- 4 gamma/(lambda nu)}",
        source=f"{SOURCE}, section 4, Theorem 7 (with Remark 9, first sentence)",
        statement="Algorithm 1, gradient descent, any adaptive stream, eta = lambda m/(C^2 kappa^2), m = min(1/2, a): "
        "sum E_t L_t <= sum S_t(U) + 2 gamma C^2 kappa^2 ||U||^2/(lambda^2 nu (1 - m) m)",
        grounds=InProof(FILE, "colt24/thm7"),
        recorded="PROVED",
        second=Resists(two_rounds, 100),
    ),
    Claim(
        id="colt24/thm11",
        quote="E[L(psi(Wbar x); y)] <= E[S_Omega(Ux; y)] + (1/T) ...",
        source=f"{SOURCE}, section 4.2, Theorem 11",
        statement="examples drawn independently from one law, W_bar the mean of W_1, ..., W_T, T >= 1, U fixed: for a "
        "fresh example E L(psi(W_bar x); y) <= E S(U x; y) + (1/T) 2 gamma C^2 kappa^2 ||U||^2/(lambda^2 nu (1 - m) m)",
        grounds=InProof(FILE, "colt24/thm11"),
        recorded="PROVED",
        second=Resists(lambda rng: Instance(*averaged_sides(rng)), 20),
    ),
    Claim(
        id="colt24/thm15",
        quote="(1 - 4 gamma/(lambda nu))^-1 16 gamma C^2 kappa^2 B^2/(lambda^2 nu)",
        source=f"{SOURCE}, Appendix E.1, Theorem 15",
        statement="a domain of diameter B, eta_t = B/sqrt(2 sum ||G_i||^2): sum S_t(W_t) - S_t(U) <= 2 b B^2 + 2 B "
        "sqrt(2 b sum S_t(U)), and E sum L_t <= E sum S_t(U) + 16 gamma C^2 kappa^2 B^2/(lambda^2 nu a)",
        grounds=(InProof(FILE, "colt24/thm15-sums"), InProof(FILE, "colt24/thm15")),
        recorded="PROVED",
        second=Resists(lambda rng: Instance(*adaptive_sides(rng)), 30),
        finding="The same steps give less, 2 b B^2 + B sqrt(2 b sum S_t(U)) in the first part, and a quarter of the "
        "constant for a <= 1/2 in the second.",
    ),
    Claim(
        id="colt24/lemma16",
        quote="-ax + sqrt(bx ln(cx+1)) <= (b/2a)(ln(b/(2a^2) + 1) + ln(c+1)) + a",
        source=f"{SOURCE}, Appendix E.2, Lemma 16",
        statement="-a x + sqrt(b x ln(c x + 1)) <= (b/(2 a)) (ln(b/(2 a^2) + 1) + ln(c + 1)), and so with + a added",
        grounds=InProof("numbers.proof", "colt24/lemma16"),
        recorded="PROVED",
        second=Resists(random_logarithm, 100),
        finding="The term a is not needed.",
    ),
)
