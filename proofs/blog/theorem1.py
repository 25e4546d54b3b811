"""Blog, Theorem 1: Gaptron with two labels and any self-bounded loss.

**Problem.** Labels y = -1 or 1, features z with ||z|| <= R, a loss l(m, y) >= 0 of the score m = <z, x>, x the weight
vector; l is s-self-bounded in m, l(m, 1) + l(m, -1) >= 2, and l(m, sign m) is in [0, 1], both labels at m = 0. Labels
and features are chosen beforehand; if they react to the predictions, both sides below are expectations.

**Algorithm.** Gaptron with one weight vector: yhat = sign m, gap map a = l(m, yhat); predict yhat with probability
1 - a, else one of the two labels at random; then subgradient descent with learning rate eta <= 1/(2 s R^2).

**Theoretical guarantee.** **Upper bound**, Theorem 1: for every u

    E[mistakes] <= sum l_t(u) + ||u - x_1||^2/(2 eta),

which at eta = 1/(2 s R^2) is sum l_t(u) + s R^2 ||u - x_1||^2. The loss enters by two numbers only: top = l(m, yhat)
and other = l(m, -yhat).

**References.** Blog "The Gaptron Algorithm", Theorem 1; van der Hoeven 2020, Lemma 1.
"""

from fractions import Fraction

from sympy import Eq, Rational, symbols

from gaptron import (
    Argument,
    BinaryGaptron,
    Cases,
    Claim,
    Constant,
    Implication,
    Instance,
    Lemma,
    Resists,
    Rounds,
    Use,
    When,
)
from gaptron.theory import facts

s, eta, radius2 = symbols("s eta radius2", positive=True)
low, norm2, top, other, squares = symbols("low norm2 top other squares", nonnegative=True)
distance2, before, after = symbols("distance2 before after", nonnegative=True)
slope, inner, loss, loss_u, wrong, mistakes, losses = symbols(
    "slope inner loss loss_u wrong mistakes losses", real=True
)

PROOF = 'blog "The Gaptron Algorithm", proof of Theorem 1'

theorem1 = Lemma(
    name="Blog, Theorem 1",
    source='blog "The Gaptron Algorithm", Theorem 1',
    implications=(
        Implication(
            name="slope",
            statement="slope^2 <= 2 s (l - inf l) <= 2 s l since low = inf l >= 0",
            given=(slope**2 <= 2 * s * (loss - low),),
            then=slope**2 <= 2 * s * loss,
        ),
        Implication(
            name="subgradient",
            statement="||g||^2 = slope^2 ||z||^2 <= 2 s R^2 l, with radius2 = R^2",
            given=(Eq(squares, slope**2 * norm2), slope**2 <= 2 * s * loss, norm2 <= radius2),
            then=squares <= 2 * s * radius2 * loss,
        ),
        Implication(
            name="case yhat != y, learning rate kept",
            statement="a = top, l(m, y) = other, P(y' != y) = (1 - a) + a/2: the gap is at most -l/2 + eta s R^2 l",
            given=(squares <= 2 * s * radius2 * loss, Eq(loss, other), Eq(wrong, 1 - top + top / 2), top + other >= 2),
            then=wrong - loss + eta * squares / 2 <= -loss / 2 + eta * s * radius2 * loss,
        ),
        Implication(
            name="case yhat = y, learning rate kept",
            statement="a = l(m, y) = top, P(y' != y) = a/2: the gap is at most -l/2 + eta s R^2 l",
            given=(squares <= 2 * s * radius2 * loss, Eq(loss, top), Eq(wrong, top / 2)),
            then=wrong - loss + eta * squares / 2 <= -loss / 2 + eta * s * radius2 * loss,
        ),
        Implication(
            name="gap",
            statement="-l/2 + eta s R^2 l <= 0 for eta <= 1/(2 s R^2)",
            given=(
                wrong - loss + eta * squares / 2 <= -loss / 2 + eta * s * radius2 * loss,
                eta <= 1 / (2 * s * radius2),
                slope**2 <= 2 * s * loss,
            ),
            then=wrong - loss + eta * squares / 2 <= 0,
        ),
        Implication(
            name="round",
            statement="the surrogate gap bounds what the round costs beyond the drop of the potential",
            given=(
                wrong - loss + eta * squares / 2 <= 0,
                loss - loss_u <= inner,
                Eq(after, before - 2 * eta * inner + eta**2 * squares),
            ),
            then=wrong - loss_u <= (before - after) / (2 * eta),
        ),
        Implication(
            name="one more round",
            statement="the potential ||x_t - u||^2/(2 eta) telescopes",
            given=(
                wrong - loss_u <= (before - after) / (2 * eta),
                mistakes - losses <= (distance2 - before) / (2 * eta),
            ),
            then=mistakes + wrong - (losses + loss_u) <= (distance2 - after) / (2 * eta),
        ),
        Implication(
            name="all rounds",
            statement="distance2 = ||u - x_1||^2; the last potential is not negative",
            given=(mistakes - losses <= (distance2 - before) / (2 * eta),),
            then=mistakes <= losses + distance2 / (2 * eta),
        ),
    ),
)

READS = {
    low: "inf l", norm2: "||z||^2", radius2: "R^2", slope: "slope", squares: "||g||^2", loss: "l(x)", loss_u: "l(u)",
    top: "top", other: "other", wrong: "P(y' != y)", inner: "<g, x - u>", before: "||x - u||^2", after: "||v - u||^2",
    distance2: "||u - x_1||^2", mistakes: "E[mistakes]", losses: "sum l_t(u)",
}  # fmt: skip
SELF_BOUNDED = ("g = slope z", slope**2 <= 2 * s * (loss - low), norm2 <= radius2)
WRONG = (Eq(loss, other), Eq(wrong, 1 - top + top / 2))
RIGHT = (Eq(loss, top), Eq(wrong, top / 2))
GRADIENT = (theorem1["slope"], Use(facts.MULTIPLE, {"g": "g", "c": "slope", "z": "z"}), theorem1["subgradient"])
GAP = wrong - loss + eta * squares / 2
LINE = GAP <= -loss / 2 + eta * s * radius2 * loss
POINT = {s: 2, eta: Rational(1, 4), radius2: 1, low: 0, norm2: 1, loss: 1, top: 1, other: 1, slope: -2, squares: 4}

wrong_lines = Argument(
    name="the lines for y != yhat",
    setting="Line by line, case y_t not yhat_t with top the loss of yhat_t and other that of y_t",
    symbols=READS,
    hypotheses=(*SELF_BOUNDED, eta <= 1 / (2 * s * radius2), *WRONG, top + other >= 2),
    steps=(*GRADIENT, theorem1["case yhat != y, learning rate kept"], theorem1["gap"]),
    conclusion=(LINE, GAP <= 0),
    example=POINT | {wrong: Rational(1, 2)},
)

right_lines = Argument(
    name="the lines for y = yhat",
    setting="Line by line, case y_t is yhat_t with top its loss",
    symbols=READS,
    hypotheses=(*SELF_BOUNDED, eta <= 1 / (2 * s * radius2), *RIGHT),
    steps=(*GRADIENT, theorem1["case yhat = y, learning rate kept"], theorem1["gap"]),
    conclusion=(LINE, GAP <= 0),
    example=POINT | {wrong: Rational(1, 2)},
)

bound = Argument(
    name="Theorem 1",
    setting="Theorem 1, two labels, gap map top, which is the loss of yhat; other is that of the other label",
    symbols=READS,
    hypotheses=(
        "l is convex",
        "g is a subgradient of l at x",
        "v = x - eta g",
        *SELF_BOUNDED,
        eta <= 1 / (2 * s * radius2),
        top + other >= 2,
        When("y = yhat", RIGHT),
        When("not y = yhat", WRONG),
    ),
    steps=(
        *GRADIENT,
        Cases(
            {
                "y = yhat": (theorem1["case yhat = y, learning rate kept"],),
                "not y = yhat": (theorem1["case yhat != y, learning rate kept"],),
            },
            (LINE,),
        ),
        theorem1["gap"],
        Use(facts.SUBGRADIENT, {"f": "l", "g": "g", "x": "x", "u": "u"}),
        Use(facts.STEP, {"v": "v", "x": "x", "u": "u", "g": "g", "c": "eta"}),
        theorem1["round"],
        Rounds(
            invariant=mistakes - losses <= (distance2 - before) / (2 * eta),
            state={
                mistakes: (0, mistakes + wrong),
                losses: (0, losses + loss_u),
                before: (distance2, after),
            },
            step=theorem1["one more round"],
            fixed=(eta, distance2),
        ),
        theorem1["all rounds"],
    ),
    conclusion=mistakes <= losses + distance2 / (2 * eta),
    example=POINT
    | {wrong: Rational(1, 2), loss_u: 1, inner: 0, before: 1, after: Rational(5, 4)}
    | {distance2: 1, mistakes: 0, losses: 0},
)

UNIT = [(1, 0), (0, 1), (Fraction(3, 5), Fraction(4, 5)), (Fraction(-4, 5), Fraction(3, 5)), (Fraction(1, 2), 0)]


def smoothed(z):
    """The smoothed hinge and minus its slope."""
    return (1 - 2 * z, Fraction(2)) if z < 0 else (max(1 - z, Fraction(0)) ** 2, max(2 * (1 - z), Fraction(0)))


def random_gap(rng, right):
    """The gap of a round with the smoothed hinge, s = 2, R = 1, eta = 1/4, from the definitions."""
    z, norm2 = Fraction(int(rng.integers(0, 25)), 12), Fraction(int(rng.integers(0, 5)), 4)
    (value, slope), a = smoothed(z if right else -z), smoothed(z)[0]
    gap = (1 - a) * (not right) + a / 2 - value + Fraction(1, 8) * slope**2 * norm2
    return Instance({"|m|": z, "yhat = y": right, "||z||^2": norm2}, gap, 0)


def random_stream(rng):
    """Expected mistakes by the learner's own code from a random x_1, against the bound at a random u; s = 2, R = 1."""
    T = int(rng.integers(1, 4))
    rows, labels = [UNIT[int(rng.integers(5))] for _ in range(T)], rng.integers(0, 2, T).tolist()
    start, u = ([Fraction(int(v), 4) for v in rng.integers(-4, 5, 2)] for _ in range(2))
    mistakes = BinaryGaptron(2, start=start, exact=True).run(rows, labels).expected_mistakes
    scores = [sum(a * b for a, b in zip(u, x, strict=True)) * (1 - 2 * y) for x, y in zip(rows, labels, strict=True)]
    bound = sum(smoothed(z)[0] for z in scores) + 2 * sum((a - b) ** 2 for a, b in zip(u, start, strict=True))
    return Instance({"z": rows, "labels": labels, "x_1": start, "u": u}, mistakes, bound)


claims = (
    Claim(
        id="blog/t1-gap-wrong",
        quote=r"Case { y_t \neq \hat{y}_t}: \displaystyle \begin{aligned} \gamma_t &=(1-a_t)\boldsymbol{1}[\hat{y}_t "
        r"\neq y_t]",
        source=PROOF + ", case y_t != yhat_t",
        grounds=wrong_lines,
        recorded="PROVED",
        second=Resists(lambda rng: random_gap(rng, right=False), 80),
    ),
    Claim(
        id="blog/t1-gap-right",
        quote=r"Case { y_t = \hat{y}_t}: \displaystyle \begin{aligned} \gamma_t &=(1-a_t)\boldsymbol{1}[\hat{y}_t "
        r"\neq y_t]",
        source=PROOF + ", case y_t = yhat_t",
        grounds=right_lines,
        recorded="PROVED",
        second=Resists(lambda rng: random_gap(rng, right=True), 80),
    ),
    Claim(
        id="blog/t1-bound",
        quote=r"\sum_{t=1}^T \ell_t({\boldsymbol u}) + \frac{\|{\boldsymbol u}-{\boldsymbol x}_1\|_2^2}{2\eta}, "
        r"\qquad \forall {\boldsymbol u} \in {\mathbb R}^d",
        source='blog "The Gaptron Algorithm", Theorem 1',
        grounds=bound,
        recorded="PROVED",
        finding="At eta = 1/(2 s R^2) the last term is s R^2 ||u - x_1||^2. The third and fourth assumptions make a = "
        "l(m, yhat) a probability; with the second one they force l(0, 1) = l(0, -1) = 1.",
        constants=(
            Constant(
                name="R^2 ||u - x_1||^2",
                sharp="argument",
                printed=s,
                best=s,
                attained="gap inequality, smoothed hinge",
                of=radius2 * distance2,
                at={eta: 1 / (2 * s * radius2)},
            ),
        ),
        second=Resists(random_stream, 8),
    ),
)
