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

from sympy import Eq, symbols

from gaptron import BinaryGaptron, Claim, Constant, Implication, Instance, Lemma, Obligations, Resists, Rests

s, eta, radius2 = symbols("s eta radius2", positive=True)
low, loss, slope2, norm2, top, other, squares = symbols("low loss slope2 norm2 top other squares", nonnegative=True)
distance2, before, after, end = symbols("distance2 before after end", nonnegative=True)
a, wrong = symbols("a wrong", real=True)
slope, entry, feature = symbols("slope entry feature", real=True)
expected, loss_u, gap, excess_sum = symbols("expected loss_u gap excess_sum", real=True)

theorem1 = Lemma(
    name="Blog, Theorem 1",
    source='blog "The Gaptron Algorithm", Theorem 1',
    implications=(
        Implication(
            name="probability of a mistake",
            statement="wrong = 1[yhat != y]: (1 - a) wrong + a/2 wrong + a/2 (1 - wrong) = (1 - a) wrong + a/2",
            given=(),
            then=Eq((1 - a) * wrong + a / 2 * wrong + a / 2 * (1 - wrong), (1 - a) * wrong + a / 2, evaluate=False),
        ),
        Implication(
            name="one more feature",
            statement="the subgradient is slope times z: ||g||^2 = slope^2 ||z||^2",
            given=(Eq(squares, slope**2 * norm2), Eq(entry, slope * feature)),
            then=Eq(squares + entry**2, slope**2 * (norm2 + feature**2), evaluate=False),
        ),
        Implication(
            name="slope",
            statement="slope2 = slope^2 <= 2 s (l - inf l) <= 2 s l since low = inf l >= 0",
            given=(slope2 <= 2 * s * (loss - low),),
            then=slope2 <= 2 * s * loss,
        ),
        Implication(
            name="subgradient",
            statement="||g||^2 = slope2 ||z||^2 <= 2 s R^2 l, with radius2 = R^2",
            given=(slope2 <= 2 * s * loss, norm2 <= radius2),
            then=slope2 * norm2 <= 2 * s * radius2 * loss,
        ),
        Implication(
            name="learning rate",
            statement="(eta/2) ||g||^2 <= l/2 for eta <= 1/(2 s R^2)",
            given=(squares <= 2 * s * radius2 * loss, 2 * eta * s * radius2 <= 1),
            then=eta * squares / 2 <= loss / 2,
        ),
        Implication(
            name="case yhat != y",
            statement="a = top, l(m, y) = other: the gap is at most 0",
            given=(top + other >= 2, eta * squares / 2 <= other / 2),
            then=(1 - top) + top / 2 - other + eta * squares / 2 <= 0,
        ),
        Implication(
            name="case yhat = y",
            statement="a = l(m, y) = top: the gap is at most 0",
            given=(eta * squares / 2 <= top / 2,),
            then=top / 2 - top + eta * squares / 2 <= 0,
        ),
        Implication(
            name="one more round",
            statement="excess_sum = E[mistakes] - sum l_t(u) so far; the potential ||x_t - u||^2/(2 eta) telescopes",
            given=(
                gap <= 0,
                expected - loss_u <= (before - after) / (2 * eta) + gap,
                excess_sum <= (distance2 - before) / (2 * eta),
            ),
            then=excess_sum + expected - loss_u <= (distance2 - after) / (2 * eta),
        ),
        Implication(
            name="all rounds",
            statement="distance2 = ||u - x_1||^2; the last potential is not negative",
            given=(excess_sum <= (distance2 - end) / (2 * eta),),
            then=excess_sum <= distance2 / (2 * eta),
        ),
        Implication(
            name="largest learning rate",
            statement="at eta = 1/(2 s R^2): ||u - x_1||^2/(2 eta) = s R^2 ||u - x_1||^2",
            given=(Eq(eta, 1 / (2 * s * radius2)),),
            then=Eq(distance2 / (2 * eta), s * radius2 * distance2, evaluate=False),
        ),
    ),
)

lines = Lemma(
    name="Blog, Theorem 1, the printed lines",
    source='blog "The Gaptron Algorithm", proof of Theorem 1',
    implications=(
        Implication(
            name="wrong, line 2",
            statement="a = top = l(m, yhat), other = l(m, y), (eta/2) ||g||^2 <= eta s R^2 l(m, y)",
            given=(squares <= 2 * s * radius2 * other,),
            then=(1 - top) + top / 2 - other + eta / 2 * squares
            <= 1 - top + top / 2 - other + eta * s * radius2 * other,
        ),
        Implication(
            name="wrong, line 3",
            statement="the same, with l(m, y) in two halves",
            given=(),
            then=Eq(
                1 - top + top / 2 - other + eta * s * radius2 * other,
                1 - top / 2 - other / 2 - other / 2 + eta * s * radius2 * other,
                evaluate=False,
            ),
        ),
        Implication(
            name="wrong, line 4",
            statement="by the assumption top + other >= 2",
            given=(top + other >= 2,),
            then=1 - top / 2 - other / 2 - other / 2 + eta * s * radius2 * other
            <= -other / 2 + eta * s * radius2 * other,
        ),
        Implication(
            name="right, lines 2 and 3",
            statement="yhat = y, so that l(m, yhat) = l(m, y) = top",
            given=(squares <= 2 * s * radius2 * top,),
            then=top / 2 - top + eta / 2 * squares <= -top / 2 + eta * s * radius2 * top,
        ),
        Implication(
            name="conclusion",
            statement="-l/2 + eta s R^2 l <= 0 for eta <= 1/(2 s R^2)",
            given=(eta <= 1 / (2 * s * radius2),),
            then=-loss / 2 + eta * s * radius2 * loss <= 0,
        ),
    ),
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


PROOF = 'blog "The Gaptron Algorithm", proof of Theorem 1'

claims = (
    Claim(
        id="blog/t1-gap-wrong",
        source=PROOF + ", case y_t != yhat_t",
        statement="line by line: gamma_t <= 1 - l(yhat) + l(yhat)/2 - l(y) + eta s R^2 l(y) = 1 - l(yhat)/2 - l(y)/2 "
        "- l(y)/2 + eta s R^2 l(y) <= -l(y)/2 + eta s R^2 l(y), at most 0 for eta <= 1/(2 s R^2)",
        tex=r"\gamma_t \le -\frac{1}{2} \ell(m_t, y_t) + \eta s R^2 \ell(m_t, y_t)",
        grounds=(
            Obligations(lines, "wrong*"),
            Obligations(lines, "conclusion"),
            Obligations(theorem1, "slope"),
            Obligations(theorem1, "subgradient"),
            Obligations(theorem1, "one more feature"),
        ),
        recorded="PROVED",
        second=Resists(lambda rng: random_gap(rng, right=False), 80),
    ),
    Claim(
        id="blog/t1-gap-right",
        source=PROOF + ", case y_t = yhat_t",
        statement="line by line: gamma_t <= l(yhat)/2 - l(y) + eta s R^2 l(y) = -l(y)/2 + eta s R^2 l(y), at most 0 "
        "for eta <= 1/(2 s R^2)",
        tex=r"\gamma_t \le -\frac{1}{2} \ell(m_t, y_t) + \eta s R^2 \ell(m_t, y_t)",
        grounds=(
            Obligations(lines, "right*"),
            Obligations(lines, "conclusion"),
            Obligations(theorem1, "slope"),
            Obligations(theorem1, "subgradient"),
            Obligations(theorem1, "one more feature"),
        ),
        recorded="PROVED",
        second=Resists(lambda rng: random_gap(rng, right=True), 80),
    ),
    Claim(
        id="blog/t1-bound",
        source='blog "The Gaptron Algorithm", Theorem 1',
        statement="Theorem 1: for a loss that satisfies the assumptions and eta <= 1/(2 s R^2), E[mistakes] <= sum "
        "l_t(u) + ||u - x_1||^2/(2 eta)",
        tex=r"\mathbb{E}[M_T] \le \sum_t \ell_t(u) + \frac{\|u - x_1\|^2}{2\eta}",
        grounds=(
            Rests("gaptron/lemma1"),
            Rests("blog/self-bounded-convex"),
            Rests("blog/t1-gap-wrong"),
            Rests("blog/t1-gap-right"),
            Obligations(theorem1),
        ),
        recorded="PROVED",
        finding="Lemma 1 is applied to the losses shifted by x_1. The third and fourth assumptions make a = l(m, "
        "yhat) a probability; with the second one they force l(0, 1) = l(0, -1) = 1.",
        constants=(Constant(name="R^2 ||u - x_1||^2", printed=s, best=s, attained="gap inequality, smoothed hinge"),),
        second=Resists(random_stream, 8),
    ),
)
