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

from sympy import Eq, symbols

from gaptron import BinaryGaptron, Claim, Constant, Implication, Instance, Lemma, Obligations, Resists, Rests
from gaptron.symbols import z

s, h = symbols("s h", positive=True)
x, g, value = symbols("x g value", real=True)

example2 = Lemma(
    name="Example 2, squared and smoothed hinge",
    source='blog "The Gaptron Algorithm", Example 2',
    implications=(
        Implication(
            name="smoothed <= squared",
            statement="z < 0: 1 - 2 z <= (1 - z)^2; elsewhere the two losses are equal",
            given=(z < 0,),
            then=1 - 2 * z <= (1 - z) ** 2,
        ),
        Implication(
            name="square, 2-self-bounded",
            statement="value (1 - z)^2, slope -2 (1 - z): squared hinge for z <= 1, smoothed hinge for 0 <= z <= 1",
            given=(Eq(value, (1 - z) ** 2), Eq(g, -2 * (1 - z))),
            then=g**2 <= 4 * value,
        ),
        Implication(
            name="square, smallest s",
            statement="s < 2 fails at every z < 1 with value (1 - z)^2",
            given=(s < 2, z < 1, Eq(value, (1 - z) ** 2), Eq(g, -2 * (1 - z))),
            then=g**2 > 2 * s * value,
        ),
        Implication(
            name="smoothed hinge, z < 0",
            statement="value 1 - 2 z, slope -2; beyond z = 1 both losses and their slopes are 0",
            given=(z < 0, Eq(value, 1 - 2 * z), Eq(g, -2)),
            then=g**2 <= 4 * value,
        ),
        Implication(
            name="squared hinge, pair, |x| <= 1",
            statement="z = |x|: (1 - z)^2 + (1 + z)^2 >= 2",
            given=(z >= 0, z <= 1),
            then=(1 - z) ** 2 + (1 + z) ** 2 >= 2,
        ),
        Implication(
            name="squared hinge, pair, |x| > 1",
            statement="z = |x|: 0 + (1 + z)^2 >= 2",
            given=(z > 1,),
            then=(1 + z) ** 2 >= 2,
        ),
        Implication(
            name="smoothed hinge, pair, |x| <= 1",
            statement="z = |x|: (1 - z)^2 + 1 + 2 z >= 2",
            given=(z >= 0, z <= 1),
            then=(1 - z) ** 2 + (1 + 2 * z) >= 2,
        ),
        Implication(
            name="smoothed hinge, pair, |x| > 1",
            statement="z = |x|: 0 + 1 + 2 z >= 2",
            given=(z > 1,),
            then=1 + 2 * z >= 2,
        ),
        Implication(
            name="label of the right sign, at most 1",
            statement="l(x, sign x) = (1 - z)^2 <= 1 for z = |x| <= 1, all losses; it is 0 for |x| > 1",
            given=(z >= 0, z <= 1),
            then=(1 - z) ** 2 <= 1,
        ),
    ),
)

example3 = Lemma(
    name="Example 3, weighted smoothed hinge",
    source='blog "The Gaptron Algorithm", Example 3',
    implications=(
        Implication(
            name="class of weight 2, z < 0",
            statement="value 1 - 4 z, slope -4",
            given=(z < 0, Eq(value, 1 - 4 * z), Eq(g, -4)),
            then=g**2 <= 16 * value,
        ),
        Implication(
            name="class of weight 2, kink",
            statement="z = 0: value 1, every g in [-4, -2]",
            given=(g >= -4, g <= -2, Eq(value, 1)),
            then=g**2 <= 16 * value,
        ),
        Implication(
            name="class of weight 2, smallest s",
            statement="s < 8 fails at z = 0, g = -4, value 1",
            given=(s < 8, Eq(g, -4), Eq(value, 1)),
            then=g**2 > 2 * s * value,
        ),
        Implication(
            name="square, 8-self-bounded",
            statement="0 <= z <= 1, either class: value (1 - z)^2, slope -2 (1 - z)",
            given=(Eq(value, (1 - z) ** 2), Eq(g, -2 * (1 - z))),
            then=g**2 <= 16 * value,
        ),
        Implication(
            name="class of weight 1, z < 0",
            statement="value 1 - 2 z, slope -2",
            given=(z < 0, Eq(value, 1 - 2 * z), Eq(g, -2)),
            then=g**2 <= 16 * value,
        ),
        Implication(
            name="pair, 0 <= x <= 1",
            statement="class 1 has weight 2: l(x, 1) + l(x, -1) = (1 - x)^2 + 1 + 2 x >= 2",
            given=(x >= 0, x <= 1),
            then=(1 - x) ** 2 + (1 + 2 * x) >= 2,
        ),
        Implication(
            name="pair, x > 1",
            statement="0 + 1 + 2 x >= 2",
            given=(x > 1,),
            then=1 + 2 * x >= 2,
        ),
        Implication(
            name="pair, -1 <= x < 0",
            statement="l(x, 1) + l(x, -1) = 1 - 4 x + (1 + x)^2 >= 2",
            given=(x >= -1, x < 0),
            then=(1 - 4 * x) + (1 + x) ** 2 >= 2,
        ),
        Implication(
            name="pair, x < -1",
            statement="1 - 4 x + 0 >= 2",
            given=(x < -1,),
            then=1 - 4 * x >= 2,
        ),
        Implication(
            name="not smooth",
            statement="at the kink l(h) + l(-h) - 2 l(0) = 2 h + h^2, which is more than s h^2 at h = 1/s",
            given=(Eq(s * h, 1), h <= 1),
            then=(1 - h) ** 2 + (1 + 4 * h) - 2 > s * h**2,
        ),
    ),
)


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


ASSUMPTIONS = (Rests("blog/examples-convex"), Obligations(example2, "label of the right sign, at most 1"))
BLOG = 'blog "The Gaptron Algorithm", '

claims = (
    Claim(
        id="blog/squared-hinge",
        source=BLOG + "Example 2",
        statement="the squared hinge loss is 2-self-bounded and satisfies the assumptions of Theorem 1, so with eta = "
        "1/(4 R^2): E[mistakes] <= sum l_t(u) + 2 R^2 ||u - x_1||^2",
        tex=r"\mathbb{E}[M_T] \le \sum_t (\ell^{\mathrm{hinge}}_t)^2(u) + 2 R^2 \|u - x_1\|^2",
        grounds=(
            *ASSUMPTIONS,
            Obligations(example2, "square, 2-self-bounded"),
            Obligations(example2, "squared hinge, pair*"),
            Rests("blog/t1-bound"),
        ),
        recorded="PROVED",
        constants=(Constant(name="s", printed=2, best=2, attained="every z < 1"),),
        second=(Resists(random_slope("squared", 2), 100), Resists(random_pair("squared"), 60)),
    ),
    Claim(
        id="blog/smooth-hinge-dominated",
        source=BLOG + "Example 2",
        statement="the smoothed hinge loss is at most the squared hinge loss everywhere",
        tex=r"\ell^{\mathrm{sh}}(x, y) \le (\ell^{\mathrm{hinge}}(x, y))^2",
        grounds=Obligations(example2, "smoothed <= squared"),
        recorded="PROVED",
        second=Resists(random_domination, 5),
    ),
    Claim(
        id="blog/smooth-hinge-self-bounded",
        source=BLOG + "Example 2",
        statement="the smoothed hinge loss is 2-self-bounded and satisfies the assumptions of Theorem 1",
        tex=r"|g|^2 \le 4 \ell^{\mathrm{sh}}(x, y)",
        grounds=(
            *ASSUMPTIONS,
            Obligations(example2, "square, 2-self-bounded"),
            Obligations(example2, "smoothed hinge*"),
        ),
        recorded="PROVED",
        constants=(Constant(name="s", printed=2, best=2, attained="0 <= z < 1"),),
        second=(Resists(random_slope("smoothed", 2), 100), Resists(random_pair("smoothed"), 60)),
    ),
    Claim(
        id="blog/weighted-hinge",
        source=BLOG + "Example 3",
        statement="the weighted smoothed hinge loss (w_1 = 2, w_-1 = 1) is 8-self-bounded, not smooth, and satisfies "
        "the assumptions of Theorem 1; 8 is the smallest s",
        tex=r"|g|^2 \le 16\, \ell(x, y)",
        grounds=(*ASSUMPTIONS, Obligations(example3)),
        recorded="PROVED",
        constants=(Constant(name="s", printed=8, best=8, attained="class +1, z = 0, g = -4"),),
        second=(Resists(random_slope("weighted", 8), 100), Resists(random_pair("weighted"), 60)),
    ),
)
