"""Blog: self-bounded functions.

**Problem.** f is s-self-bounded if g^2 <= 2 s (f(x) - inf f) for every x and every subgradient g of f at x. Which
functions are?

**Algorithm.** None; Theorem 1 of the blog uses Gaptron with such losses.

**Theoretical guarantee.** **Upper bound**: a convex s-smooth function is s-self-bounded. A function with a subgradient
at every point of a convex set is convex there (Remark 1), and a convex f with f(0) >= 1 has f(z) + f(-z) >= 2 (Remark
2).

**References.** Blog "The Gaptron Algorithm", Definition 1, Remarks 1 and 2.
"""

from fractions import Fraction

from gaptron import Claim, InProof, Instance, Resists


def random_quadratic(rng):
    """f(x) = ||B (x - y)||^2/2 + c with s = ||B||_F^2, which is at least the largest eigenvalue of B'B."""
    d = int(rng.integers(1, 4))
    B, shift = rng.integers(-4, 5, (d, d)).tolist(), rng.integers(-4, 5, d).tolist()
    image = [sum(b * v for b, v in zip(row, shift, strict=True)) for row in B]
    gradient = [sum(B[i][j] * image[i] for i in range(d)) for j in range(d)]
    smoothness, above = sum(b * b for row in B for b in row), Fraction(sum(v * v for v in image), 2)
    return Instance({"B": B, "x - y": shift}, sum(v * v for v in gradient), 2 * smoothness * above)


def random_convex(rng, at_zero=1):
    """A maximum of affine functions of one variable that is ``at_zero`` or more at 0."""
    lines = [(Fraction(int(a), 4), at_zero * Fraction(int(b), 4)) for a, b in rng.integers(-8, 5, (4, 2))]
    lines.append((Fraction(int(rng.integers(-8, 9)), 4), Fraction(at_zero)))
    return lines, lambda x: max(a * x + b for a, b in lines)


def random_pair(rng):
    lines, f = random_convex(rng)
    x = Fraction(int(rng.integers(-24, 25)), 6)
    return Instance({"lines": lines, "x": x}, 2, f(x) + f(-x))


def random_mixture(rng):
    lines, f = random_convex(rng)
    x, y, mix = (Fraction(int(v), 6) for v in rng.integers(0, 7, 3))
    return Instance({"lines": lines, "x": x, "y": -y}, f(mix * x - (1 - mix) * y), mix * f(x) + (1 - mix) * f(-y))


BLOG = 'blog "The Gaptron Algorithm", '

claims = (
    Claim(
        id="blog/smooth-self-bounded",
        quote="Clearly, a convex {s}-smooth function is also {s}-self-bounded",
        source=BLOG + "Definition 1",
        statement="a convex s-smooth function f on R^d that is bounded from below is s-self-bounded: "
        "||g||^2 <= 2 s (f(x) - inf f) for every subgradient g at x",
        grounds=InProof("bounded.proof", "blog/smooth-self-bounded"),
        recorded="PROVED",
        second=Resists(random_quadratic, 100),
    ),
    Claim(
        id="blog/self-bounded-convex",
        quote=r"Self-bounded functions are also convex in {\mathcal{V}} because we are assuming that they are "
        r"subdifferentiable in {\mathcal{V}}",
        source=BLOG + "Remark 1",
        statement="a function with a slope at every point of a convex set is convex there",
        grounds=InProof("bounded.proof", "blog/self-bounded-convex"),
        recorded="PROVED",
        finding="V is taken to be convex, without which the remark has no meaning.",
        second=Resists(random_mixture, 100),
    ),
    Claim(
        id="blog/remark2",
        quote=r"then {f(0)\geq 1} implies the condition {\ell(x, 1)+\ell(x, -1)\geq 2} for all { x\in {\mathbb R}} "
        "by Jensen’s inequality",
        source=BLOG + "Remark 2",
        statement="f convex and f(0) >= 1: f(z) + f(-z) >= 2",
        grounds=InProof("bounded.proof", "blog/remark2"),
        recorded="PROVED",
        second=Resists(random_pair, 100),
    ),
)
