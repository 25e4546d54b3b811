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

from sympy import Eq, Rational, symbols

from gaptron import Argument, Claim, Implication, Instance, Lemma, Let, Resists, Use
from gaptron.theory import facts

s = symbols("s", positive=True)
mix = symbols("mix", nonnegative=True)
value, low, below = symbols("value low below", real=True)
squares = symbols("squares", nonnegative=True)
middle, plus, minus, at_x, at_y, to_x, to_y = symbols("middle plus minus at_x at_y to_x to_y", real=True)
along, back, ahead = symbols("along back ahead", real=True)

self_bounded = Lemma(
    name="Self-bounded functions",
    source='blog "The Gaptron Algorithm", Definition 1 and Remark 2',
    implications=(
        Implication(
            name="smooth",
            statement="below = f(x - g/s) is at least low = inf f: ||g||^2 <= 2 s (f(x) - inf f)",
            given=(low <= below, below <= value - squares / (2 * s)),
            then=squares <= 2 * s * (value - low),
        ),
        Implication(
            name="Remark 1",
            statement="subgradients at the mixture of x and y give f(mixture) <= mix f(x) + (1 - mix) f(y)",
            given=(
                mix <= 1,
                value + to_x <= at_x,
                value + to_y <= at_y,
                Eq(to_x, back * along),
                Eq(to_y, ahead * along),
                Eq(back, 1 - mix),
                Eq(ahead, -mix),
            ),
            then=value <= mix * at_x + (1 - mix) * at_y,
        ),
        Implication(
            name="Remark 2",
            statement="f convex, middle = f(0) >= 1: f(z) + f(-z) >= 2",
            given=(middle >= 1, middle <= (plus + minus) / 2),
            then=plus + minus >= 2,
        ),
    ),
)

smooth = Argument(
    name="smooth functions are self-bounded",
    setting="A convex s-smooth function f on R^d that is bounded from below is s-self-bounded",
    symbols={squares: "||g||^2", value: "f(x)", below: "f(x - g/s)", low: "inf f"},
    hypotheses=("f is s-smooth", "g is the gradient of f at x"),
    steps=(
        Use(facts.DESCENT, {"f": "f", "x": "x", "g": "g", "s": "s"}),
        Use(facts.INFIMUM, {"f": "f", "x": "x - g/s"}),
        self_bounded["smooth"],
    ),
    conclusion=squares <= 2 * s * (value - low),
    example={squares: 1, s: 1, value: Rational(1, 2), below: 0, low: 0},
)

remark1 = Argument(
    name="Remark 1",
    setting="A function f with a subgradient g at every point of a convex set is convex there: m is the mixture of x "
    "and y, d the way from y to x",
    symbols={
        value: "f(m)", at_x: "f(x)", at_y: "f(y)", to_x: "<g, x - m>", to_y: "<g, y - m>", mix: "w",
        along: "<d, g>", back: "(1 - w)", ahead: "-w",
    },
    hypotheses=("x - m = (1 - w) d", "y - m = -w d", mix <= 1, value + to_x <= at_x, value + to_y <= at_y),
    steps=(
        Let(back, 1 - mix),
        Let(ahead, -mix),
        Use(facts.SCALED, {"g": "g", "x": "x", "o": "m", "c": "(1 - w)", "w": "d"}),
        Use(facts.SCALED, {"g": "g", "x": "y", "o": "m", "c": "-w", "w": "d"}),
        self_bounded["Remark 1"],
    ),
    conclusion=value <= mix * at_x + (1 - mix) * at_y,
    example={value: 0, at_x: 1, at_y: 1, to_x: 1, to_y: -1, along: 2, mix: Rational(1, 2)},
)  # fmt: skip

remark2 = Argument(
    name="Remark 2",
    setting="A loss that is a function f of the product of score and label",
    symbols={middle: "f(0)", plus: "f(z)", minus: "f(-z)"},
    hypotheses=("f is convex", middle >= 1),
    steps=(Use(facts.MIRROR, {"f": "f", "z": "z"}), self_bounded["Remark 2"]),
    conclusion=plus + minus >= 2,
    example={middle: 1, plus: 0, minus: 2},
)


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
        grounds=smooth,
        recorded="PROVED",
        second=Resists(random_quadratic, 100),
    ),
    Claim(
        id="blog/self-bounded-convex",
        quote=r"Self-bounded functions are also convex in {\mathcal{V}} because we are assuming that they are "
        r"subdifferentiable in {\mathcal{V}}",
        source=BLOG + "Remark 1",
        grounds=remark1,
        recorded="PROVED",
        finding="V is taken to be convex, without which the remark has no meaning.",
        second=Resists(random_mixture, 100),
    ),
    Claim(
        id="blog/remark2",
        quote=r"then {f(0)\geq 1} implies the condition {\ell(x, 1)+\ell(x, -1)\geq 2} for all { x\in {\mathbb R}} "
        "by Jensen’s inequality",
        source=BLOG + "Remark 2",
        grounds=remark2,
        recorded="PROVED",
        second=Resists(random_pair, 100),
    ),
)
