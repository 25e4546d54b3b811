"""Slides: gradients of smooth losses.

**Problem.** l >= 0 is H-smooth with minimum 0. How large can ||grad l||^2 be, compared with l?

**Algorithm.** None.

**Theoretical guarantee.** **Upper bound**: ||grad l||^2 <= 2 H l. **Tight**: for H w^2/2 the sides are equal. Printed
is ||grad l||^2 <= H l, which is false: H w^2/2 is H-smooth, and its gradient squared is H^2 w^2 = 2 H (H w^2/2).

**References.** Slides "Exploiting the Surrogate Gap in Online Multiclass Classification", "Choosing a_t and eta for
smooth losses".
"""

from fractions import Fraction

from gaptron import BinaryGaptron, Breaks, Claim, Constant, Corrected, InProof, Instance, Resists, Rests

FILE = "smooth.proof"


def parabola() -> Instance:
    """H = 2: f(w) = w^2 at w = 1 has f = 1 and gradient 2."""
    h, at = Fraction(2), Fraction(1)
    return Instance({"f(w)": "H w^2/2", "H": h, "w": at}, (h * at) ** 2, h * (h * at**2 / 2))


def one_score():
    """The smooth hinge at score 0: H = 2, value 1, slope -2, from the learner's own code."""
    surrogate = BinaryGaptron(1, exact=True).surrogate
    slope = surrogate.score_gradient([Fraction(0), Fraction(0)], 0)[0]
    value = surrogate.value([Fraction(0), Fraction(0)], 0)
    return Instance({"l": "smooth hinge", "H": 2, "score": 0}, slope**2, 2 * value)


def random_quadratic(rng):
    """l(w) = ||B w||^2/2 with H = ||B||_F^2, which is at least the largest eigenvalue of B'B, at a random w."""
    d = int(rng.integers(1, 4))
    B, w = rng.integers(-4, 5, (d, d)).tolist(), rng.integers(-4, 5, d).tolist()
    Bw = [sum(b * v for b, v in zip(row, w, strict=True)) for row in B]
    gradient = [sum(B[i][j] * Bw[i] for i in range(d)) for j in range(d)]
    H, value = sum(b * b for row in B for b in row), Fraction(sum(v * v for v in Bw), 2)
    return Instance({"B": B, "w": w, "H": H}, sum(v * v for v in gradient), 2 * H * value)


claims = (
    Claim(
        id="slides/smooth-gradient",
        quote=r"\|\nabla \ell_t(\mathbf{W}_t)\|_2^2 \leq H(\ell_t(\mathbf{W}_t) - \ell_t(\mathbf{U}_t^*)) = "
        r"H\ell_t(\mathbf{W}_t)",
        severity="A",
        cause="a factor 2 is missing in the gradient inequality of smooth losses, and so in the learning rate",
        patch="read 2 H (l_t(W_t) - l_t(U_t*)) for H (l_t(W_t) - l_t(U_t*))",
        source="slides, Choosing a_t and eta for smooth losses",
        statement="an H-smooth loss l >= 0 with minimum 0 has ||grad l||^2 <= H l",
        tex=r"\|\nabla \ell\|^2 \le H \ell",
        grounds=Breaks(parabola),
        recorded="REFUTED",
        finding="A factor 2 is missing: the parabola H w^2/2 has ||grad||^2 = 2 H l, and so has the smooth hinge of "
        "the paper.",
        corrected=Corrected(
            statement="||grad l||^2 <= 2 H l, with equality for H w^2/2",
            tex=r"\|\nabla \ell\|^2 \le 2 H \ell",
            grounds=(Rests("slides/smooth-gradient-corrected"), InProof(FILE, "slides/parabola")),
        ),
        constants=(Constant(name="H l", sharp="bound", printed=1, best=2, attained="H w^2/2"),),
        second=Breaks(one_score),
    ),
    Claim(
        id="slides/smooth-gradient-corrected",
        kind="reading",
        quote=r"\|\nabla \ell_t(\mathbf{W}_t)\|_2^2 \leq H(\ell_t(\mathbf{W}_t) - \ell_t(\mathbf{U}_t^*)) = "
        r"H\ell_t(\mathbf{W}_t)",
        source="slides, Choosing a_t and eta for smooth losses (corrected)",
        statement="an H-smooth loss l that is nowhere negative has ||grad l||^2 <= 2 H l",
        tex=r"\|\nabla \ell\|^2 \le 2 H \ell",
        grounds=InProof(FILE, "slides/smooth-gradient-corrected"),
        recorded="PROVED",
        second=Resists(random_quadratic, 100),
    ),
)
