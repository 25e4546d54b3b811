"""Slides: how to choose a_t and eta for smooth losses, corrected.

**Problem.** Two labels -1 and 1, a convex loss l(y <W, x>) >= 0 with l(0) >= 1 and values in [0, 1] at scores of the
right sign, and l_t(W) = l(y <W, x>) is H-smooth in W.

**Algorithm.** Gaptron with one weight vector, gamma = 0: y* = sign <W, x>, gap map a = l(y* <W, x>), the loss that the
predicted label would have, a number in [0, 1]. The formulas are kept in K as printed; K = 2 here.

**Theoretical guarantee.** **Upper bound**: with eta = 1/(H K) the surrogate gap is at most 0 in every round, so
E[mistakes] <= sum l_t(U) + (H K/2) ||U||^2. It rests on ||grad l_t||^2 <= 2 H l_t for H-smooth l_t >= 0. **Tight**: no
larger eta will do for all such losses.

Printed are ||grad l_t||^2 <= H l_t (see slides_smooth_loss) and eta = 2/(H K), with which the gap can be positive: the
smooth hinge with ||x|| = 1 has H = 2, and at y <W, x> = 1/2 in a right round a = l = 1/4 and ||grad||^2 = 1, so with
eta = 1/2 the gap is 1/8 - 1/4 + 1/4 = 1/8. The mistake bound (H K/4) ||U||^2 fails too, on two rounds. If
||grad l_t||^2 <= H l_t is assumed, the printed steps are correct.

**References.** Slides "Exploiting the Surrogate Gap in Online Multiclass Classification", "Choosing a_t and eta for
smooth losses"; van der Hoeven 2020, Lemma 1.
"""

from fractions import Fraction

from sympy import Min, Piecewise, Rational, symbols

from gaptron import (
    BinaryGaptron,
    BinaryLoss,
    Breaks,
    Claim,
    Constant,
    Corrected,
    GapMap,
    InProof,
    Instance,
    Obligations,
    Resists,
    Rests,
    Theorem,
)
from gaptron.symbols import K, m, z

H = symbols("H", positive=True)

FILE = "smooth.proof"


def squared_hinge():
    """(max(1 - z, 0))^2, H = 2, at z = 1/2 in a right round with eta = 1/2, by hand."""
    loss, slope, eta = Fraction(1, 4), Fraction(-1), Fraction(2, 2 * 2)
    return Instance({"l": "squared hinge", "z": "1/2", "eta": eta}, loss / 2 - loss + eta / 2 * slope**2, 0)


def two_rounds():
    """Smooth hinge, x_1 = (1, 0), x_2 = (-7/25, 24/25), labels +1: w = (1, 0) after the first round."""
    first, second = (Fraction(1), Fraction(0)), (Fraction(-7, 25), Fraction(24, 25))
    u = tuple(Fraction(3, 5) * (a + b) for a, b in zip(first, second, strict=True))
    mistakes = Fraction(1, 2) + 1 - (1 - Fraction(7, 25)) ** 2 / 2
    losses = [(1 - sum(a * b for a, b in zip(u, x, strict=True))) ** 2 for x in (first, second)]
    at = {"x": [first, second], "y": [1, 1], "u": u, "eta": "1/2"}
    return Instance(at, mistakes - sum(losses), sum(v**2 for v in u))


def learned_rounds():
    """The same with x_2 = (-5/13, 12/13), played by the learner."""
    rounds = [[Fraction(1), Fraction(0)], [Fraction(-5, 13), Fraction(12, 13)]]
    learner = BinaryGaptron(2, learning_rate=Fraction(1, 2), exact=True)
    mistakes = learner.run(rounds, [0, 0]).expected_mistakes
    u = [Fraction(3, 5) * (a + b) for a, b in zip(*rounds, strict=True)]
    learner.w = u
    losses = sum(learner.loss(x, 0) for x in rounds)
    return Instance({"x": rounds, "labels": [0, 0], "u": u}, mistakes - losses, sum(v**2 for v in u))


def random_convex(rng):
    """The printed steps on max(0, 1 - a z, 1 - b z), a <= b, which is convex, 1 at 0, in [0, 1] at z >= 0."""
    n, size = int(rng.integers(2, 8)), Fraction(int(rng.integers(0, 25)), 8)
    slopes = sorted(Fraction(int(v), 6) for v in rng.integers(0, 13, 2))

    def loss(z):
        return max(Fraction(0), *(1 - a * z for a in slopes))

    mixture = size / n - size * Fraction(n - 1, n)
    chain = [1 - loss(size) / n - loss(-size) * Fraction(n - 1, n), 1 - loss(mixture), Fraction(0)]
    link = int(rng.integers(2))
    return Instance({"K": n, "slopes": slopes, "<W, x>": size}, chain[link], chain[link + 1])


rate = Theorem(
    name="Slides, smooth hinge at the corrected learning rate",
    source="slides, Choosing a_t and eta for smooth losses",
    loss=BinaryLoss(plus=Piecewise((1 - 2 * z, z < 0), ((1 - z) ** 2, z <= 1), (0, True))),
    gap_map=GapMap((1 - Min(1, m)) ** 2),
    learning_rate=Rational(1, 4),
    regret=2,
)


def at_printed_rate():
    return Theorem(name="smooth hinge at 2/(H K)", loss=rate.loss, gap_map=rate.gap_map, learning_rate=Rational(1, 2))


SOURCE = "slides, Choosing a_t and eta for smooth losses"

claims = (
    Claim(
        id="slides/smooth-gap",
        quote=r"Picking $a_t = \ell_t^*(\mathbf{W}_t) = \ell(\langle \mathbf{W}_t, \mathbf{x}_t \rangle y_t^*)$ and "
        r"$\eta = \frac{2}{HK}$",
        severity="A",
        cause="a factor 2 is missing in the gradient inequality of smooth losses, and so in the learning rate",
        patch="read eta = 1/(H K) for eta = 2/(H K)",
        source=SOURCE,
        statement="two labels, one weight vector, an H-smooth convex loss of y <W, x> with l(0) >= 1 and top-label "
        "loss in [0, 1]: with a = the top label's loss and eta = 2/(H K) the surrogate gap is at most 0",
        tex=r"a_t = \ell_t^\star(W_t),\ \eta = \frac{2}{HK}",
        grounds=Obligations(at_printed_rate(), "gap/*"),
        recorded="REFUTED",
        finding="The learning rate inherits the missing factor 2 of slides/smooth-gradient. The smooth hinge (H = 2, "
        "||x|| = 1) has a positive gap in every right round with margin in [0, 1).",
        corrected=Corrected(
            statement="with eta = 1/(H K) the gap is at most 0, and no larger eta will do for all such losses",
            tex=r"\eta = \frac{1}{HK}",
            grounds=(
                Rests("slides/smooth-gap-corrected"),
                InProof(FILE, "slides/smooth-gap-larger-rate"),
                Obligations(rate, "gap/*"),
            ),
        ),
        constants=(
            Constant(
                name="eta",
                sharp="argument",
                printed=2 / (H * K),
                best=1 / (H * K),
                attained="smooth hinge, 0 <= margin < 1",
            ),
        ),
        second=Breaks(squared_hinge),
    ),
    Claim(
        id="slides/smooth-gap-corrected",
        kind="reading",
        quote=r"Picking $a_t = \ell_t^*(\mathbf{W}_t) = \ell(\langle \mathbf{W}_t, \mathbf{x}_t \rangle y_t^*)$ and "
        r"$\eta = \frac{2}{HK}$",
        source=SOURCE + " (corrected)",
        statement="two labels, one weight vector W, an H-smooth convex loss phi of the product of label and score with "
        "phi(0) >= 1: with the top label's loss as gap map and eta = 1/(2 H) the surrogate gap is at most 0",
        grounds=InProof(FILE, "slides/smooth-gap-corrected"),
        recorded="PROVED",
        second=Obligations(rate, "gap/*"),
    ),
    Claim(
        id="slides/smooth-gap-wrong-step",
        quote=r"1 - \frac{1}{K} \ell_t^*(\mathbf{W}_t) - \frac{K-1}{K} \ell_t(\mathbf{W}_t)",
        source=SOURCE,
        statement="the displayed steps for a top label that is wrong, z = y* <W, x>, M = -(1 - 2/K) z the score of the "
        "mixture: if ||g||^2 <= H phi(-z), eta = 2/(H K), phi(0) >= 1 and phi(z) <= 1, then 1 - phi(z) + phi(z) (K - "
        "1)/K - phi(-z) + (eta/2) ||g||^2 <= 1 - phi(z)/K - phi(-z) (K - 1)/K <= 1 - phi(M) <= 0",
        grounds=InProof(FILE, "slides/smooth-gap-wrong-step"),
        recorded="PROVED",
        finding="With two labels the mixture of y* and y is 0, so that l(0) >= 1 is used and not a score of the "
        "opposite sign; with weights 1/K, K >= 3, the sign is opposite and the loss at least 1 by convexity.",
        second=Resists(random_convex, 150),
    ),
    Claim(
        id="slides/smooth-bound",
        kind="derived",
        cause="a factor 2 is missing in the gradient inequality of smooth losses, and so in the learning rate",
        source=SOURCE,
        statement="the mistake bound that follows from eta = 2/(H K): E[mistakes] - sum l_t(U) <= H K X^2 ||U||^2/4, "
        "for two labels, K = 2",
        tex=r"\mathbb{E}[M_T] - \sum_t \ell_t(U) \le \frac{H K}{4} X^2 \|U\|^2",
        grounds=Breaks(two_rounds),
        recorded="REFUTED",
        finding="Not only the step is wrong: with this learning rate two rounds of the smooth hinge (H = 2, X = 1) "
        "cost more than ||U||^2.",
        corrected=Corrected(
            statement="eta = 1/(H K) gives E[mistakes] - sum l_t(U) <= H K X^2 ||U||^2/2",
            tex=r"\mathbb{E}[M_T] - \sum_t \ell_t(U) \le \frac{H K}{2} X^2 \|U\|^2",
            grounds=(
                Rests("gaptron/lemma1"),
                Rests("slides/smooth-gap-corrected"),
                InProof(FILE, "slides/smooth-regret"),
            ),
        ),
        constants=(
            Constant(
                name="H K X^2 ||U||^2",
                sharp="argument",
                printed=Rational(1, 4),
                best=Rational(1, 2),
                attained="through the lemma",
            ),
        ),
        second=Breaks(learned_rounds),
    ),
)
