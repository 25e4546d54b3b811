"""Blog, Example 1: a self-bounded function that is not smooth.

**Problem.** Is f(x) = x^2/2 + |x - 1| s-self-bounded, g^2 <= 2 s (f(x) - inf f) for every subgradient g, with s = 4?

**Algorithm.** None.

**Theoretical guarantee.** Printed is s = 4. No s will do: the minimum is f(1) = 1/2, and the subgradients there are
[0, 2], so g = 2 would need 4 <= 2 s (1/2 - 1/2) = 0. What the example is to show is shown by
f(x) = x^2/2 + max(x - 1, 0): it has the kink, its infimum is f(0) = 0, and it is 4-self-bounded (**upper bound**),
with equality at x = 1 and g = 2 (4 = 2 * 4 * 1/2): **tight**.

**References.** Blog "The Gaptron Algorithm", Definition 1 and Example 1.
"""

from fractions import Fraction

from sympy import Eq, Rational, symbols

from gaptron import Breaks, Claim, Constant, Corrected, Implication, InProof, Instance, Lemma, Obligations, Resists

s = symbols("s", positive=True)
x, g, value, low = symbols("x g value low", real=True)

example1 = Lemma(
    name="Example 1",
    source='blog "The Gaptron Algorithm", Example 1',
    implications=(
        Implication(
            name="printed, minimum from the left",
            statement="x^2/2 + |x - 1| >= 1/2 for x <= 1",
            given=(x <= 1,),
            then=x**2 / 2 + (1 - x) >= Rational(1, 2),
        ),
        Implication(
            name="printed, minimum from the right",
            statement="x^2/2 + |x - 1| >= 1/2 for x >= 1",
            given=(x >= 1,),
            then=x**2 / 2 + (x - 1) >= Rational(1, 2),
        ),
        Implication(
            name="printed, no s",
            statement="at the minimum x = 1 the right derivative g = x + 1 violates the bound with every s > 0",
            given=(Eq(x, 1), Eq(value, x**2 / 2 + (x - 1)), Eq(low, Rational(1, 2)), Eq(g, x + 1)),
            then=g**2 > 2 * s * (value - low),
        ),
        Implication(
            name="corrected, infimum",
            statement="x^2/2 + (x - 1) >= 0 for x > 1; for x <= 1 the function is x^2/2, and its infimum is f(0) = 0",
            given=(x > 1, Eq(value, x**2 / 2 + x - 1)),
            then=value >= 0,
        ),
        Implication(
            name="corrected, infimum on the left",
            statement="f(x) = x^2/2 >= 0",
            given=(Eq(value, x**2 / 2),),
            then=value >= 0,
        ),
        Implication(
            name="corrected, infimum at the kink",
            statement="f(1) = 1/2 >= 0",
            given=(Eq(value, Rational(1, 2)),),
            then=value >= 0,
        ),
        Implication(
            name="corrected, left",
            statement="x < 1: g = x, f = x^2/2",
            given=(Eq(g, x), Eq(value, x**2 / 2)),
            then=g**2 <= 8 * value,
        ),
        Implication(
            name="corrected, kink",
            statement="x = 1: every g in [1, 2], f = 1/2",
            given=(g >= 1, g <= 2, Eq(value, Rational(1, 2))),
            then=g**2 <= 8 * value,
        ),
        Implication(
            name="corrected, right",
            statement="x > 1: g = x + 1, f = x^2/2 + x - 1",
            given=(x > 1, Eq(g, x + 1), Eq(value, x**2 / 2 + x - 1)),
            then=g**2 <= 8 * value,
        ),
        Implication(
            name="corrected, smallest s",
            statement="s < 4 fails at x = 1, g = 2, f = 1/2",
            given=(s < 4, Eq(g, 2), Eq(value, Rational(1, 2))),
            then=g**2 > 2 * s * value,
        ),
    ),
)

as_printed = Implication(
    name="printed",
    statement="x >= 1: the right derivative g = x + 1, the value x^2/2 + x - 1 and the minimum 1/2",
    given=(x >= 1, Eq(g, x + 1), Eq(value, x**2 / 2 + (x - 1)), Eq(low, Rational(1, 2))),
    then=g**2 <= 8 * (value - low),
)


def at_the_kink():
    """x = 1, g = 2: a subgradient, as f(1 + h) - f(1) - 2 h = h^2/2 for h >= 0 and h^2/2 - 2 h for h < 0."""

    def f(x):
        return x**2 / 2 + abs(x - 1)

    points = [Fraction(v, 8) for v in range(-16, 33)]
    if not all(f(x) >= f(Fraction(1)) + 2 * (x - 1) for x in points):
        raise ValueError("2 is no subgradient at 1")
    return Instance({"x": 1, "g": 2, "s": 4}, Fraction(4), 8 * (f(Fraction(1)) - min(map(f, points))))


def random_corrected(rng):
    """The corrected example with s = 4, at a random point and subgradient."""
    x, share = Fraction(int(rng.integers(-24, 25)), 12), Fraction(int(rng.integers(0, 5)), 4)
    g = x + (share if x == 1 else Fraction(x > 1))
    return Instance({"x": x, "g": g}, g**2, 8 * (x**2 / 2 + max(x - 1, Fraction(0))))


SOURCE = 'blog "The Gaptron Algorithm", Example 1'

claims = (
    Claim(
        id="blog/example1-self-bounded",
        quote=r"{f(x)=\frac12 x^2 + |x-1|}. The function {f} is not differentiable in {1}, hence it is not smooth. "
        "However, it is easy to verify that it is {4}-self-bounded",
        severity="D",
        cause="the function of Example 1 has its minimum at its kink, and is self-bounded for no s",
        patch="read max(x - 1, 0) for |x - 1|",
        source=SOURCE,
        statement="f(x) = x^2/2 + abs(x - 1) is 4-self-bounded",
        tex=r"f(x) = \frac{1}{2} x^2 + |x - 1|",
        grounds=Obligations(Lemma(name="Example 1 as printed", implications=(as_printed,))),
        recorded="REFUTED",
        finding="The minimum is at the kink: f(1) = inf f = 1/2, where 2 is a subgradient, so no s at all will do. "
        "With abs(x - 1) replaced by max(x - 1, 0) the infimum is f(0) = 0, and the example is as intended, with s = "
        "4.",
        corrected=Corrected(
            statement="f is s-self-bounded for no s; x^2/2 + max(x - 1, 0) is 4-self-bounded, and for no smaller s",
            tex=r"f(x) = \frac{1}{2} x^2 + \max(x - 1, 0)",
            grounds=(Obligations(example1, "printed, *"), Obligations(example1, "corrected, *")),
        ),
        constants=(
            Constant(name="s, for x^2/2 + max(x - 1, 0)", sharp="bound", printed=4, best=4, attained="x = 1, g = 2"),
        ),
        second=Breaks(at_the_kink),
    ),
    Claim(
        id="blog/example1-corrected",
        kind="reading",
        quote="it is easy to verify that it is {4}-self-bounded",
        source=SOURCE + " (corrected)",
        statement="x^2/2 + max(x - 1, 0) is 4-self-bounded, and its infimum is f(0) = 0",
        grounds=InProof("bounded.proof", "blog/example1-corrected"),
        recorded="PROVED",
        second=Resists(random_corrected, 100),
    ),
    Claim(
        id="blog/example1-not-smooth",
        quote="The function {f} is not differentiable in {1}, hence it is not smooth",
        source=SOURCE,
        statement="f(1 + h) + f(1 - h) - 2 f(1) = h^2 + 2 h, more than s h^2 at h = 1/s: f is s-smooth for no s",
        grounds=InProof("bounded.proof", "blog/example1-not-smooth"),
        recorded="PROVED",
    ),
)
