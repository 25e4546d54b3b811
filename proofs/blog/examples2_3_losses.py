"""Blog: the losses of Examples 2 and 3.

**Problem.** Losses of z = y x, with y = -1 or 1 and x the score: the squared hinge, the smoothed hinge, and the
smoothed hinge whose slope on errors of the class +1 is doubled. Do they satisfy the assumptions of Theorem 1, and with
which s?

**Algorithm.** None; Theorem 1 of the blog uses Gaptron with these losses.

**Theoretical guarantee.** **Upper bounds**: the squared hinge and the smoothed hinge are 2-self-bounded, the weighted
smoothed hinge is 8-self-bounded. **Tight**: no smaller s serves any of the three. They satisfy
l(x, 1) + l(x, -1) >= 2 and l(x, sign x) in [0, 1], and l(0, y) = 1. The smoothed hinge is at most the squared hinge;
they differ for z < 0 only.

**References.** Blog "The Gaptron Algorithm", Theorem 1, Examples 2 and 3.
"""

from fractions import Fraction

from gaptron import BinaryGaptron, Claim, Constant, InProof, Instance, Resists

FILE = "losses.proof"


def losses(kind):
    """Value and slopes (left, right) of a loss at z, for a label y."""

    def at(z, y):
        weight = 2 if kind == "weighted" and y == 1 else 1
        if z > 1:
            return Fraction(0), (Fraction(0), Fraction(0))
        square = (1 - z) ** 2, -2 * (1 - z)
        linear = 1 - 2 * weight * z, Fraction(-2 * weight)
        value, right = square if z >= 0 or kind == "squared" else linear
        return value, (right if kind == "squared" or z > 0 else linear[1], right)

    return at


def random_slope(kind, s):
    """g^2 <= 2 s l at a random z, for a random subgradient."""

    def draw(rng):
        z, y, mix = (
            Fraction(int(rng.integers(-18, 19)), 12),
            int(rng.choice((-1, 1))),
            Fraction(int(rng.integers(5)), 4),
        )
        value, (left, right) = losses(kind)(z, y)
        g = mix * left + (1 - mix) * right
        return Instance({"loss": kind, "z": z, "y": y, "g": g}, g**2, 2 * s * value)

    return draw


def random_pair(kind):
    """l(x, 1) + l(x, -1) >= 2 at a random x."""

    def draw(rng):
        x = Fraction(int(rng.integers(-30, 31)), 12)
        both = losses(kind)(x, 1)[0] + losses(kind)(-x, -1)[0]
        return Instance({"loss": kind, "x": x}, 2, both)

    return draw


def random_domination(rng):
    """By the learner's own code."""
    z = Fraction(int(rng.integers(-30, 31)), 12)
    smoothed, squared = (
        BinaryGaptron(1, loss=loss, exact=True).surrogate for loss in ("smooth hinge", "squared hinge")
    )
    scores = [z, Fraction(0)]
    return Instance({"z": z}, smoothed.value(scores, 0), squared.value(scores, 0))


BLOG = 'blog "The Gaptron Algorithm", '

claims = (
    Claim(
        id="blog/squared-hinge",
        quote=r"{(\ell^\text{hinge})^2} that satisfies all the assumptions in Theorem 1 and it is {2}-self-bounded "
        "in its first argument",
        source=BLOG + "Example 2",
        statement="(max(0, 1 - z))^2, z = y x, is 2-self-bounded, its values for the two labels sum to at least 2 and "
        "that for the sign of x is in [0, 1]; Gaptron with it has E[mistakes] <= sum l_t(u) + 2 R^2 ||u - x_1||^2",
        grounds=(
            InProof(FILE, "blog/squared-hinge-convex"),
            InProof(FILE, "blog/squared-hinge"),
            InProof("gaptron.proof", "blog/example2"),
            InProof(FILE, "blog/squared-bound"),
        ),
        recorded="PROVED",
        constants=(Constant(name="s", sharp="bound", printed=2, best=2, attained="every z < 1"),),
        second=(Resists(random_slope("squared", 2), 100), Resists(random_pair("squared"), 60)),
    ),
    Claim(
        id="blog/smooth-hinge-dominated",
        quote="This loss is always less than or equal to the squared hinge loss",
        source=BLOG + "Example 2",
        statement="the smoothed hinge loss is at most the squared hinge loss, and equal to it where y x >= 0",
        grounds=InProof(FILE, "blog/smooth-hinge-dominated"),
        recorded="PROVED",
        second=Resists(random_domination, 5),
    ),
    Claim(
        id="blog/smooth-hinge-self-bounded",
        quote="it still satisfies all the assumptions of Theorem 1, and it is {2}-self-bounded in its first argument",
        source=BLOG + "Example 2",
        statement="the smoothed hinge loss is 2-self-bounded, its values for the two labels sum to at least 2 and that "
        "for the sign of x is in [0, 1]",
        grounds=(InProof(FILE, "blog/smooth-hinge-convex"), InProof(FILE, "blog/smooth-hinge")),
        recorded="PROVED",
        constants=(Constant(name="s", sharp="bound", printed=2, best=2, attained="0 <= z < 1"),),
        second=(Resists(random_slope("smoothed", 2), 100), Resists(random_pair("smoothed"), 60)),
    ),
    Claim(
        id="blog/weighted-hinge",
        quote="In this case, the loss function is {8}-self-bounded (but it is not smooth!) and it still satisfies "
        "the assumptions of Theorem 1",
        source=BLOG + "Example 3",
        statement="the weighted smoothed hinge loss is 8-self-bounded, for no smaller s, is smooth for no s, its "
        "values for the two labels sum to at least 2 and that for the sign of x is in [0, 1]",
        grounds=(
            InProof(FILE, "blog/weighted-hinge-convex"),
            InProof(FILE, "blog/smooth-hinge"),
            InProof(FILE, "blog/weighted-hinge"),
            InProof(FILE, "blog/weighted-hinge-least"),
        ),
        recorded="PROVED",
        constants=(Constant(name="s", sharp="bound", printed=8, best=8, attained="class +1, z = 0, g = -4"),),
        second=(Resists(random_slope("weighted", 8), 100), Resists(random_pair("weighted"), 60)),
    ),
)
