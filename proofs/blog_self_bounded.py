"""Blog: self-bounded functions, and the losses of Examples 1 to 3.

**Problem.** f is s-self-bounded if g^2 <= 2 s (f(x) - inf f) for every x and every subgradient g of f at x. Which of
the functions of the blog are, and with which s? Losses are functions of z = y x, with y = -1 or 1 and x the score.

**Algorithm.** None; Theorem 1 uses Gaptron with these losses.

**Theoretical guarantee.** **Upper bounds**: a convex s-smooth function is s-self-bounded; the squared hinge and the
smoothed hinge are 2-self-bounded, the weighted smoothed hinge (weight 2 on one class) is 8-self-bounded. **Tight**: no
smaller s serves any of these three losses. They satisfy l(x, 1) + l(x, -1) >= 2 and l(x, sign x) in [0, 1], and
l(0, y) = 1. The smoothed hinge is at most the squared hinge; they differ for z < 0 only.

Example 1 is printed with f(x) = x^2/2 + |x - 1|, said to be 4-self-bounded. It is not self-bounded with any s: its
minimum is f(1) = 1/2, and the subgradients there are [0, 2], so g = 2 would need 4 <= 2 s (1/2 - 1/2) = 0. What the
example is to show is shown by f(x) = x^2/2 + max(x - 1, 0): it has the kink, its infimum is f(0) = 0, and it is
4-self-bounded, with equality at x = 1 and g = 2 (4 = 2 * 4 * 1/2).

**References.** Blog "The Gaptron Algorithm", Definition 1, Examples 1 to 3 and Remark 2.
"""

from sympy import Eq, Rational, symbols

from gaptron import Implication, Lemma
from gaptron.symbols import z

s = symbols("s", positive=True)
x, g, value, low, below, squares, step = symbols("x g value low below squares step", real=True)
middle, plus, minus = symbols("middle plus minus", real=True)

self_bounded = Lemma(
    name="Self-bounded functions",
    source='blog "The Gaptron Algorithm", Definition 1 and Remark 2',
    implications=(
        Implication(
            name="gradient step",
            statement="at step = -g/s: <g, step> + (s/2) ||step||^2 = -||g||^2/(2 s), coordinate by coordinate",
            given=(Eq(s * step, -g),),
            then=Eq(g * step + s * step**2 / 2, -(g**2) / (2 * s), evaluate=False),
        ),
        Implication(
            name="smooth",
            statement="below = f(x - g/s) is at least low = inf f: ||g||^2 <= 2 s (f(x) - inf f)",
            given=(low <= below, below <= value - squares / s + squares / (2 * s)),
            then=squares <= 2 * s * (value - low),
        ),
        Implication(
            name="Remark 2",
            statement="f convex, middle = f(0) >= 1: f(z) + f(-z) >= 2",
            given=(middle >= 1, middle <= (plus + minus) / 2),
            then=plus + minus >= 2,
        ),
    ),
)

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
            statement="x^2/2 + (x - 1) >= 0 for x >= 1; for x <= 1 the function is x^2/2, and its infimum is f(0) = 0",
            given=(x >= 1,),
            then=x**2 / 2 + (x - 1) >= 0,
        ),
        Implication(
            name="corrected, left",
            statement="x < 1: g = x, f = x^2/2",
            given=(x < 1, Eq(g, x), Eq(value, x**2 / 2)),
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
    ),
)
