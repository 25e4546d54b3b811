"""Blog, Exercise 1: Gaptron without knowledge of R.

**Problem.** As in Theorem 1 of the blog: labels y = -1 or 1, features z, an s-self-bounded loss l(m, y) >= 0 of the
score m = <z, x> with l(m, 1) + l(m, -1) >= 2 and l(m, sign m) in [0, 1] (both labels at m = 0), any comparator u. No
bound on ||z|| is known beforehand.

**Algorithm.** Gaptron with yhat = sign m and gap map a = l(m, yhat); the weights come from
follow-the-regularized-leader with an increasing regularizer: x_t minimises <theta, x> + (lambda_t/2) ||x - x_1||^2,
where theta is the sum of the subgradients of the rounds before t and lambda_t = 2 s max ||z_i||^2 over i <= t; z_t is
known when x_t is chosen. As long as all z are 0, x_t = x_1.

**Theoretical guarantee.** **Upper bound**: for every u, with R_T the largest norm seen,

    E[mistakes] <= sum l_t(u) + s R_T^2 ||u - x_1||^2,

the bound of Theorem 1 at the learning rate that would need R_T. (Labels and features are chosen beforehand; if they
react to the predictions, both sides are expectations.) Let V(theta; lambda) = -||theta||^2/(2 lambda) be the minimum
over x of <theta, x - x_1> + (lambda/2) ||x - x_1||^2. It increases with lambda, is V(0; lambda) = 0 before the first
round with z != 0, and g_t changes it by <g_t, x_t - x_1> - ||g_t||^2/(2 lambda_t). Rounds with z = 0 have g = 0, and
||g||^2/(2 lambda) is read as 0 there. Vectors are treated one coordinate at a time.

**References.** Blog "The Gaptron Algorithm", Theorem 1 and Exercise 1.
"""

from fractions import Fraction

from sympy import Eq, Rational, symbols

from gaptron import (
    Argument,
    Cases,
    Cite,
    Claim,
    Implication,
    Instance,
    Lemma,
    Let,
    Resists,
    Rounds,
    Use,
    When,
)
from gaptron.theory import facts

s, lam, lam_1, lam_t = symbols("s lam lam_1 lam_t", positive=True)
theta, y, step, scale = symbols("theta y step scale", real=True)
norm2, radius2, top, other, squares = symbols("norm2 radius2 top other squares", nonnegative=True)
low, theta2, theta2_next, distance2 = symbols("low theta2 theta2_next distance2", nonnegative=True)
slope, inner, linear, cross, loss, loss_u, wrong = symbols("slope inner linear cross loss loss_u wrong", real=True)
against_g, against, against_next, mistakes, losses = symbols(
    "against_g against against_next mistakes losses", real=True
)

GAP = wrong - loss + squares / (2 * lam_t) <= 0
ROUND = wrong - loss_u <= -theta2_next / (2 * lam_t) + theta2 / (2 * lam) - against_g
SO_FAR = mistakes <= losses - theta2 / (2 * lam) - against

exercise1 = Lemma(
    name="Blog, Exercise 1",
    source='blog "The Gaptron Algorithm", Exercise 1',
    implications=(
        Implication(
            name="minimum",
            statement="theta y + (lambda/2) y^2 >= -theta^2/(2 lambda) for every y = x - x_1",
            given=(),
            then=theta * y + lam * y**2 / 2 >= -(theta**2) / (2 * lam),
        ),
        Implication(
            name="minimiser",
            statement="step = x_t - x_1 = -theta/lambda attains the minimum",
            given=(Eq(lam * step, -theta),),
            then=Eq(theta * step + lam * step**2 / 2, -(theta**2) / (2 * lam), evaluate=False),
        ),
        Implication(
            name="subgradient",
            statement="||g||^2 <= 2 s ||z||^2 l(m, y) and lambda >= 2 s ||z||^2: ||g||^2/(2 lambda) <= l(m, y)/2",
            given=(
                Eq(squares, slope**2 * norm2),
                slope**2 <= 2 * s * (loss - low),
                lam_t >= 2 * s * norm2,
            ),
            then=squares / (2 * lam_t) <= loss / 2,
        ),
        Implication(
            name="case yhat != y",
            statement="a = top, l(m, y) = other: the gap, with ||g||^2/(2 lambda), is at most 0",
            given=(top + other >= 2, squares / (2 * lam_t) <= loss / 2, Eq(loss, other), Eq(wrong, 1 - top + top / 2)),
            then=GAP,
        ),
        Implication(
            name="case yhat = y",
            statement="a = l(m, y) = top: the gap is at most 0",
            given=(squares / (2 * lam_t) <= loss / 2, Eq(loss, top), Eq(wrong, top / 2)),
            then=GAP,
        ),
        Implication(
            name="one round",
            statement="g (x_t - x_1) = V(theta + g; lambda) - V(theta; lambda) + g^2/(2 lambda)",
            given=(
                Eq(scale, -1 / lam_t),
                Eq(linear, scale * cross),
                Eq(theta2_next, theta2 + 2 * cross + squares),
            ),
            then=Eq(linear, -theta2_next / (2 * lam_t) + theta2 / (2 * lam_t) + squares / (2 * lam_t)),
        ),
        Implication(
            name="larger regularizer",
            statement="V(theta; lambda) <= V(theta; lambda') for lambda <= lambda'",
            given=(lam <= lam_t,),
            then=theta2 / (2 * lam_t) <= theta2 / (2 * lam),
        ),
        Implication(
            name="mistakes of a round",
            statement="l_t(x_t) - l_t(u) <= <g_t, x_t - u>, and the gap is at most 0",
            given=(
                GAP,
                loss - loss_u <= inner,
                Eq(inner, linear - against_g),
                Eq(linear, -theta2_next / (2 * lam_t) + theta2 / (2 * lam_t) + squares / (2 * lam_t)),
                theta2 / (2 * lam_t) <= theta2 / (2 * lam),
            ),
            then=ROUND,
        ),
        Implication(
            name="one more round",
            statement="V telescopes, and so does <theta, u - x_1>",
            given=(SO_FAR, ROUND, Eq(against_next, against + against_g)),
            then=mistakes + wrong <= losses + loss_u - theta2_next / (2 * lam_t) - against_next,
        ),
        Implication(
            name="all rounds",
            statement="-theta^2/(2 lambda) - <theta, u - x_1> <= (lambda/2) ||u - x_1||^2, by Cauchy-Schwarz",
            given=(SO_FAR, against**2 <= theta2 * distance2),
            then=mistakes <= losses + lam / 2 * distance2,
        ),
        Implication(
            name="regularizer",
            statement="lambda_T = 2 s R_T^2: (lambda_T/2) ||u - x_1||^2 = s R_T^2 ||u - x_1||^2, radius2 = R_T^2",
            given=(mistakes <= losses + lam / 2 * distance2, Eq(lam, 2 * s * radius2)),
            then=mistakes <= losses + s * radius2 * distance2,
        ),
    ),
)

READS = {
    lam: "lambda", lam_1: "first lambda", lam_t: "lambda_t", scale: "-1/lambda_t", theta2: "||theta||^2",
    theta2_next: "||theta'||^2", distance2: "||u - x_1||^2", norm2: "||z||^2", squares: "||g||^2", low: "inf l",
    slope: "slope", inner: "<g, x - u>", linear: "<g, x - x_1>", cross: "<theta, g>", loss: "l(x)", loss_u: "l(u)",
    against_g: "<g, u - x_1>", against: "<theta, u - x_1>", against_next: "<theta', u - x_1>", wrong: "P(y' != y)",
    mistakes: "E[mistakes]", losses: "sum l_t(u)", radius2: "R^2",
}  # fmt: skip
ASSUMED = (
    "l is convex",
    "g is a subgradient of l at x",
    "g = slope z",
    "x - x_1 = -1/lambda_t theta",
    "theta' = theta + g",
    slope**2 <= 2 * s * (loss - low),
    lam_t >= 2 * s * norm2,
    top + other >= 2,
    When("y = yhat", (Eq(loss, top), Eq(wrong, top / 2))),
    When("not y = yhat", (Eq(loss, other), Eq(wrong, 1 - top + top / 2))),
)
POINT = {
    s: 1, lam: 2, lam_1: 2, lam_t: 2, scale: -Rational(1, 2), theta2: 0, theta2_next: 1, distance2: 1, norm2: 1,
    squares: 1, low: 0, slope: 1, inner: 1, linear: 0, cross: 0, loss: 1, loss_u: 0, top: 1, other: 1, against_g: -1,
    against: 0, against_next: -1, wrong: Rational(1, 2), mistakes: 0, losses: 0, radius2: 1,
}  # fmt: skip

all_rounds = Argument(
    name="follow-the-regularized-leader",
    setting="Gaptron with two labels and follow-the-regularized-leader, lambda being that of the last round",
    symbols=READS,
    hypotheses=(*ASSUMED, When("in every round", (lam <= lam_t,))),
    steps=(
        Use(facts.MULTIPLE, {"g": "g", "c": "slope", "z": "z"}),
        exercise1["subgradient"],
        Cases({"y = yhat": (exercise1["case yhat = y"],), "not y = yhat": (exercise1["case yhat != y"],)}, (GAP,)),
        Use(facts.SUBGRADIENT, {"f": "l", "g": "g", "x": "x", "u": "u"}),
        Use(facts.DIFFERENCE, {"g": "g", "x": "x", "u": "u", "o": "x_1"}),
        Let(scale, -1 / lam_t),
        Use(facts.SCALED, {"g": "g", "x": "x", "o": "x_1", "c": "-1/lambda_t", "w": "theta"}),
        Use(facts.SUM, {"v": "theta'", "x": "theta", "g": "g"}),
        Use(facts.ADDITIVE, {"v": "theta'", "x": "theta", "g": "g", "w": "u - x_1"}),
        exercise1["one round"],
        Rounds(
            SO_FAR,
            {
                mistakes: (0, mistakes + wrong),
                losses: (0, losses + loss_u),
                theta2: (0, theta2_next),
                against: (0, against_next),
                lam: (lam_1, lam_t),
            },
            exercise1["one more round"],
            (lam_1,),
            (exercise1["larger regularizer"], exercise1["mistakes of a round"]),
        ),
        Use(facts.CAUCHY_SCHWARZ, {"u": "theta", "v": "u - x_1"}),
        exercise1["all rounds"],
    ),
    conclusion=mistakes <= losses + lam / 2 * distance2,
    example=POINT,
)

bound = Argument(
    name="Exercise 1",
    setting="Gaptron with two labels and follow-the-regularized-leader, regularizers that do not decrease, the last "
    "one being what the largest norm R of features asks for",
    symbols=READS,
    hypotheses=(*ASSUMED, When("in every round", (lam <= lam_t,)), Eq(lam, 2 * s * radius2)),
    steps=(Cite(all_rounds), exercise1["regularizer"]),
    conclusion=mistakes <= losses + s * radius2 * distance2,
    example=POINT,
)


def squared_hinge(z):
    """The loss at z = y m, and minus its slope; s = 2."""
    return max(1 - z, Fraction(0)) ** 2, max(2 * (1 - z), Fraction(0))


def random_stream(rng):
    """Expected mistakes with the squared hinge, from the definition, against the bound at a random u."""
    start, u = ([Fraction(int(v), 4) for v in rng.integers(-4, 5, 2)] for _ in range(2))
    total, largest, theta = Fraction(0), Fraction(0), [Fraction(0)] * 2
    rounds = [([Fraction(int(v), 2) for v in rng.integers(-4, 5, 2)], int(rng.choice((-1, 1)))) for _ in range(4)]
    for features, y in rounds:
        largest = max(largest, sum(v * v for v in features))
        x = [a - (b / (4 * largest) if largest else 0) for a, b in zip(start, theta, strict=True)]
        m, at_u = (sum(a * b for a, b in zip(features, w, strict=True)) for w in (x, u))
        a = squared_hinge(abs(m))[0]
        wrong = (1 if m >= 0 else -1) != y
        total += (1 - a) * wrong + a / 2 - squared_hinge(y * at_u)[0]
        slope = -y * squared_hinge(y * m)[1]
        theta = [t + slope * v for t, v in zip(theta, features, strict=True)]
    distance2 = sum((a - b) ** 2 for a, b in zip(u, start, strict=True))
    return Instance({"(z, y)": rounds, "x_1": start, "u": u}, total, 2 * largest * distance2)


claims = (
    Claim(
        id="blog/exercise1",
        kind="reading",
        quote="Use FTRL with an increasing regularizer instead of OSD in the Gaptron to get rid of the need to know "
        "{R} to set the learning rate",
        source='blog "The Gaptron Algorithm", Exercise 1',
        grounds=bound,
        recorded="PROVED",
        finding="The exercise leaves the regularizer open; this one gives the bound of Theorem 1 at the learning rate "
        "that would need R.",
        second=Resists(random_stream, 80),
    ),
)
