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

from gaptron import (
    Argument,
    BinaryGaptron,
    Cases,
    Claim,
    Constant,
    Implication,
    InProof,
    Instance,
    Lemma,
    Resists,
    Rests,
    When,
)
from gaptron.symbols import z

s, h = symbols("s h", positive=True)
x, g, value, right, wrong, plus, minus, middle = symbols("x g value right wrong plus minus middle", real=True)

example2 = Lemma(
    name="Example 2, squared and smoothed hinge",
    source='blog "The Gaptron Algorithm", Example 2',
    implications=(
        Implication(
            name="smoothed <= squared, z < 0",
            statement="1 - 2 z <= (1 - z)^2",
            given=(Eq(plus, 1 - 2 * z), Eq(minus, (1 - z) ** 2)),
            then=plus <= minus,
        ),
        Implication(
            name="smoothed <= squared, z >= 0",
            statement="the two losses are equal",
            given=(Eq(plus, value), Eq(minus, value)),
            then=plus <= minus,
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
            name="beyond 1",
            statement="z > 1: the losses and their slopes are 0",
            given=(Eq(value, 0), Eq(g, 0)),
            then=g**2 <= 4 * value,
        ),
        Implication(
            name="smoothed hinge, z < 0",
            statement="value 1 - 2 z, slope -2",
            given=(z < 0, Eq(value, 1 - 2 * z), Eq(g, -2)),
            then=g**2 <= 4 * value,
        ),
        Implication(
            name="squared hinge, pair, |x| <= 1",
            statement="z = |x|: (1 - z)^2 + (1 + z)^2 >= 2",
            given=(Eq(right, (1 - z) ** 2), Eq(wrong, (1 + z) ** 2)),
            then=right + wrong >= 2,
        ),
        Implication(
            name="squared hinge, pair, |x| > 1",
            statement="z = |x|: 0 + (1 + z)^2 >= 2",
            given=(z > 1, Eq(right, 0), Eq(wrong, (1 + z) ** 2)),
            then=right + wrong >= 2,
        ),
        Implication(
            name="smoothed hinge, pair, |x| <= 1",
            statement="z = |x|: (1 - z)^2 + 1 + 2 z >= 2",
            given=(Eq(right, (1 - z) ** 2), Eq(wrong, 1 + 2 * z)),
            then=right + wrong >= 2,
        ),
        Implication(
            name="smoothed hinge, pair, |x| > 1",
            statement="z = |x|: 0 + 1 + 2 z >= 2",
            given=(z > 1, Eq(right, 0), Eq(wrong, 1 + 2 * z)),
            then=right + wrong >= 2,
        ),
        Implication(
            name="label of the right sign, at most 1",
            statement="l(x, sign x) = (1 - z)^2 <= 1 for z = |x| <= 1, all losses",
            given=(z >= 0, z <= 1, Eq(right, (1 - z) ** 2)),
            then=right <= 1,
        ),
        Implication(
            name="label of the right sign, at least 0",
            statement="l(x, sign x) = (1 - z)^2 >= 0 for z = |x| <= 1, all losses",
            given=(Eq(right, (1 - z) ** 2),),
            then=right >= 0,
        ),
        Implication(
            name="label of the right sign, beyond 1",
            statement="it is 0 for |x| > 1",
            given=(Eq(right, 0),),
            then=right <= 1,
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
            name="beyond 1, either class",
            statement="z > 1: value and slope are 0",
            given=(Eq(value, 0), Eq(g, 0)),
            then=g**2 <= 16 * value,
        ),
        Implication(
            name="class of weight 1, z <= 0",
            statement="value 1 - 2 z, slope -2",
            given=(z <= 0, Eq(value, 1 - 2 * z), Eq(g, -2)),
            then=g**2 <= 16 * value,
        ),
        Implication(
            name="pair, 0 <= |x| <= 1",
            statement="the class of the other sign has weight 1 or 2: (1 - z)^2 + 1 + 2 z >= 2, z = |x|",
            given=(Eq(right, (1 - z) ** 2), wrong >= 1 + 2 * z),
            then=right + wrong >= 2,
        ),
        Implication(
            name="pair, |x| > 1",
            statement="0 + 1 + 2 z >= 2",
            given=(z > 1, Eq(right, 0), wrong >= 1 + 2 * z),
            then=right + wrong >= 2,
        ),
        Implication(
            name="not smooth",
            statement="at the kink l(h) + l(-h) - 2 l(0) = 2 h + h^2, which is more than s h^2 at h = 1/s",
            given=(Eq(s * h, 1), Eq(plus, (1 - h) ** 2), Eq(minus, 1 + 4 * h), Eq(middle, 1)),
            then=plus + minus - 2 * middle > s * h**2,
        ),
    ),
)

NAMES = {value: "l(z)", right: "l(x, sign x)", wrong: "l(x, -sign x)", z: "z"}
OFF = When(z > 1, (Eq(value, 0), Eq(g, 0)))
SQUARE = (Eq(value, (1 - z) ** 2), Eq(g, -2 * (1 - z)))
SMALL, LARGE = (Eq(right, (1 - z) ** 2),), (Eq(right, 0),)
ASSUMPTIONS = (right + wrong >= 2, right <= 1, right >= 0)


def pair(name, wrong_loss, inner, outer):
    """The assumptions of Theorem 1 on the losses of the two labels, z = |x|."""
    right_sign = "label of the right sign, "
    inside = (inner, example2[right_sign + "at most 1"], example2[right_sign + "at least 0"])
    outside = (outer, example2[right_sign + "beyond 1"])
    return Argument(
        name=f"{name}, the assumptions of Theorem 1",
        setting=f"{name}, the losses of the two labels at a score x of size z",
        symbols=NAMES,
        hypotheses=(z >= 0, wrong_loss, When(z <= 1, SMALL), When(z > 1, LARGE)),
        steps=(Cases({z <= 1: inside, z > 1: outside}, ASSUMPTIONS),),
        conclusion=ASSUMPTIONS,
        example={z: 0, right: 1, wrong: 1},
    )


dominated = Argument(
    name="smoothed hinge below squared hinge",
    setting="The smoothed hinge loss and the squared hinge loss, which are equal from z on",
    symbols={plus: "smoothed(z)", minus: "squared(z)", value: "both(z)"},
    hypotheses=(
        When(z < 0, (Eq(plus, 1 - 2 * z), Eq(minus, (1 - z) ** 2))),
        When(z >= 0, (Eq(plus, value), Eq(minus, value))),
    ),
    steps=(
        Cases(
            {
                z < 0: (example2["smoothed <= squared, z < 0"],),
                z >= 0: (example2["smoothed <= squared, z >= 0"],),
            },
            (plus <= minus,),
        ),
    ),
    conclusion=plus <= minus,
    example={z: 0, plus: 1, minus: 1, value: 1},
)

squared_slope = Argument(
    name="squared hinge, 2-self-bounded",
    setting="The squared hinge loss is 2-self-bounded",
    symbols=NAMES,
    hypotheses=(When(z <= 1, SQUARE), OFF),
    steps=(
        Cases({z <= 1: (example2["square, 2-self-bounded"],), z > 1: (example2["beyond 1"],)}, (g**2 <= 4 * value,)),
    ),
    conclusion=g**2 <= 4 * value,
    example={z: 0, value: 1, g: -2},
)

smoothed_slope = Argument(
    name="smoothed hinge, 2-self-bounded",
    setting="The smoothed hinge loss is 2-self-bounded",
    symbols=NAMES,
    hypotheses=(When(z < 0, (Eq(value, 1 - 2 * z), Eq(g, -2))), When(z <= 1, SQUARE), OFF),
    steps=(
        Cases(
            {
                z < 0: (example2["smoothed hinge, z < 0"],),
                z >= 0: (
                    Cases(
                        {z <= 1: (example2["square, 2-self-bounded"],), z > 1: (example2["beyond 1"],)},
                        (g**2 <= 4 * value,),
                    ),
                ),
            },
            (g**2 <= 4 * value,),
        ),
    ),
    conclusion=g**2 <= 4 * value,
    example={z: 0, value: 1, g: -2},
)


def weighted_slope(name, below):
    """The slope of one class: ``below`` are the slopes and values left of 0, with their steps, and at 0."""
    beyond = Cases(
        {z <= 1: (example3["square, 8-self-bounded"],), z > 1: (example3["beyond 1, either class"],)},
        (g**2 <= 16 * value,),
    )
    return Argument(
        name=f"weighted hinge, {name}",
        setting=f"The weighted smoothed hinge loss is 8-self-bounded, {name}",
        symbols=NAMES,
        hypotheses=(*(When(case, then) for case, (then, _) in below.items()), When(z <= 1, SQUARE), OFF),
        steps=(
            Cases({case: (step,) for case, (_, step) in below.items()} | {z > 0: (beyond,)}, (g**2 <= 16 * value,)),
        ),
        conclusion=g**2 <= 16 * value,
        example={z: 0, value: 1, g: -2},
    )


weighted = (
    weighted_slope(
        "class of weight 2",
        {
            z < 0: ((Eq(value, 1 - 4 * z), Eq(g, -4)), example3["class of weight 2, z < 0"]),
            Eq(z, 0): ((g >= -4, g <= -2, Eq(value, 1)), example3["class of weight 2, kink"]),
        },
    ),
    weighted_slope(
        "class of weight 1",
        {z <= 0: ((Eq(value, 1 - 2 * z), Eq(g, -2)), example3["class of weight 1, z <= 0"])},
    ),
    Argument(
        name="weighted hinge, no smaller s",
        setting="No smaller s serves, class of weight 2 at the kink",
        symbols=NAMES,
        hypotheses=(s < 8, Eq(g, -4), Eq(value, 1)),
        steps=(example3["class of weight 2, smallest s"],),
        conclusion=g**2 > 2 * s * value,
        example={s: 4, g: -4, value: 1},
    ),
    Argument(
        name="weighted hinge, not smooth",
        setting="No s makes it s-smooth, as its second difference at 0 is too large",
        symbols={plus: "l(h)", minus: "l(-h)", middle: "l(0)"},
        hypotheses=(Eq(s * h, 1), Eq(plus, (1 - h) ** 2), Eq(minus, 1 + 4 * h), Eq(middle, 1)),
        steps=(example3["not smooth"],),
        conclusion=plus + minus - 2 * middle > s * h**2,
        example={s: 1, h: 1, plus: 0, minus: 5, middle: 1},
    ),
    pair(
        "Weighted smoothed hinge",
        wrong >= 1 + 2 * z,
        example3["pair, 0 <= |x| <= 1"],
        example3["pair, |x| > 1"],
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


BLOG = 'blog "The Gaptron Algorithm", '

claims = (
    Claim(
        id="blog/squared-hinge",
        quote=r"{(\ell^\text{hinge})^2} that satisfies all the assumptions in Theorem 1 and it is {2}-self-bounded "
        "in its first argument",
        source=BLOG + "Example 2",
        grounds=(
            Rests("blog/examples-convex"),
            squared_slope,
            pair(
                "Squared hinge",
                Eq(wrong, (1 + z) ** 2),
                example2["squared hinge, pair, |x| <= 1"],
                example2["squared hinge, pair, |x| > 1"],
            ),
            InProof("gaptron.proof", "blog/example2"),
        ),
        recorded="PROVED",
        constants=(Constant(name="s", sharp="bound", printed=2, best=2, attained="every z < 1", of=2 * value),),
        second=(Resists(random_slope("squared", 2), 100), Resists(random_pair("squared"), 60)),
    ),
    Claim(
        id="blog/smooth-hinge-dominated",
        quote="This loss is always less than or equal to the squared hinge loss",
        source=BLOG + "Example 2",
        grounds=dominated,
        recorded="PROVED",
        second=Resists(random_domination, 5),
    ),
    Claim(
        id="blog/smooth-hinge-self-bounded",
        quote="it still satisfies all the assumptions of Theorem 1, and it is {2}-self-bounded in its first argument",
        source=BLOG + "Example 2",
        grounds=(
            Rests("blog/examples-convex"),
            smoothed_slope,
            pair(
                "Smoothed hinge",
                Eq(wrong, 1 + 2 * z),
                example2["smoothed hinge, pair, |x| <= 1"],
                example2["smoothed hinge, pair, |x| > 1"],
            ),
        ),
        recorded="PROVED",
        constants=(Constant(name="s", sharp="bound", printed=2, best=2, attained="0 <= z < 1", of=2 * value),),
        second=(Resists(random_slope("smoothed", 2), 100), Resists(random_pair("smoothed"), 60)),
    ),
    Claim(
        id="blog/weighted-hinge",
        quote="In this case, the loss function is {8}-self-bounded (but it is not smooth!) and it still satisfies "
        "the assumptions of Theorem 1",
        source=BLOG + "Example 3",
        grounds=(Rests("blog/examples-convex"), *weighted),
        recorded="PROVED",
        constants=(
            Constant(name="s", sharp="bound", printed=8, best=8, attained="class +1, z = 0, g = -4", of=2 * value),
        ),
        second=(Resists(random_slope("weighted", 8), 100), Resists(random_pair("weighted"), 60)),
    ),
)
