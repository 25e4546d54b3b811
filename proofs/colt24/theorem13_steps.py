"""Theorem 13 of COLT 2024: the lower bound for the base-2 logistic loss, and the steps of its proof.

**Problem.** Multiclass classification with K classes (d in the paper), the base-2 logistic loss, ||x_t|| = 1, any
randomized learner. The labels are uniformly random and new features are orthogonal, so that nothing can be learned
from the past.

**Algorithm.** The adversary's: M rounds on M orthogonal features, the comparator U' with ln(2K) on the true label of
each; then one more feature again and again, with ln(KT).

**Theoretical guarantee.** **Lower bound**. A learner errs with probability 1 - 1/K in each of the M rounds and U'
pays log2(1 + (1/2)(1 - 1/K)) each. The paper bounds that by (1/2)(1 - 1/K), which is false for every K, as log2(1 +
u) > u on (0, 1); the regret of a round is at least 1/6 all the same. In the last rounds together U' pays at most (1 -
1/K)/ln 2, which may be more than the learner's first mistake there, but by less than 1/2. So the regret is at least
(M - 1)/6 - 1/2 >= B^2/(54 ln^2 K) for B >= 3 ln(KT). For the smooth hinge loss margins of 1/K on K^2 B^2/2 features
give the lower bound 3 K B^2/16.

**References.** Sakaue, Bao, Tsuchiya, Oki 2024, Theorem 13 and Appendix H; van der Hoeven, Fusco, Cesa-Bianchi 2021.
"""

from fractions import Fraction

from sympy import Eq, Rational, log, symbols

from gaptron import (
    Argument,
    Breaks,
    Cite,
    Claim,
    Corrected,
    Implication,
    Instance,
    Lemma,
    Obligations,
    Put,
    Resists,
    Rounds,
)
from gaptron.numbers.evaluate import ball
from gaptron.symbols import K, T

SOURCE = "Sakaue, Bao, Tsuchiya, Oki 2024, Appendix H"
share, ln2 = (1 - 1 / K) / 2, log(2)
u = symbols("u", nonnegative=True)
part, x, wrong, loss, regret, tail, whole = symbols("part x_0 wrong loss regret tail whole", real=True)
rounds, n, M = symbols("rounds n_0 M", nonnegative=True)
B, ln_k, ln_2k, ln_kt = symbols("B ln_k ln_2k ln_kt", positive=True)

logarithm = Lemma(
    name="COLT 2024, Appendix H, the loss of U'",
    source=SOURCE,
    implications=(
        Implication(name="mass", statement="K >= 1", given=(), then=share >= 0),
        Implication(name="tangent", statement="ln(1 + u) <= u", given=(), then=log(1 + u) <= u),
        Implication(
            name="base 2", statement="both sides divided by ln 2", given=(part <= u,), then=part / ln2 <= u / ln2
        ),
    ),
)
natural = Argument(
    name="COLT 2024, Appendix H, the first display in base 2",
    setting="Any number of classes K, d of the paper",
    hypotheses=(),
    steps=(
        logarithm["mass"],
        Put(logarithm["tangent"], {u: share}),
        Put(logarithm["base 2"], {part: log(1 + share), u: share}),
    ),
    conclusion=log(1 + share) / ln2 <= share / ln2,
    example={K: 2},
)

FALLS = x - log(1 + x / 2) / ln2
LEAST = Rational(1, 2) - log(Rational(5, 4)) / ln2
lower = Lemma(
    name="COLT 2024, Theorem 13",
    source=SOURCE,
    implications=(
        Implication(name="at least a half", statement="K >= 2", given=(), then=1 - 1 / K >= Rational(1, 2)),
        Implication(
            name="least",
            statement="the regret of a round grows with x = 1 - 1/K",
            given=(x >= Rational(1, 2), x <= 1),
            then=FALLS >= LEAST,
        ),
        Implication(
            name="a sixth",
            statement="of a round, x = 1 - 1/K",
            given=(x >= Rational(1, 2), x <= 1),
            then=FALLS >= Rational(1, 6),
        ),
        Implication(
            name="a round",
            statement="the learner errs with probability at least 1 - 1/K",
            given=(
                wrong >= 1 - 1 / K,
                Eq(loss, log(1 + (1 - 1 / K) / 2) / ln2),
                1 - 1 / K - log(1 + (1 - 1 / K) / 2) / ln2 >= Rational(1, 6),
            ),
            then=wrong - loss >= Rational(1, 6),
        ),
        Implication(
            name="one more round",
            statement="the rounds add up",
            given=(regret >= rounds / 6, wrong - loss >= Rational(1, 6)),
            then=regret + wrong - loss >= (rounds + 1) / 6,
        ),
        Implication(
            name="last rounds",
            statement="the learner errs in the first of them; U' pays at most (1 - 1/K)/(T ln 2) in each of n <= T",
            given=(tail >= x - n * (x / T / ln2), n <= T, x >= Rational(1, 2), x <= 1),
            then=tail >= -Rational(1, 2),
        ),
        Implication(
            name="in M",
            statement="at least M - 1 rounds",
            given=(
                regret >= rounds / 6, rounds >= M - 1, tail >= -Rational(1, 2), Eq(whole, regret + tail), M >= 8,
            ),
            then=whole >= M / 12,
        ),
        Implication(
            name="at least 8",
            statement="B >= 3 ln(KT) >= 3 ln(2K)",
            given=(Eq(M * ln_2k**2, B**2 - ln_kt**2), B >= 3 * ln_kt, ln_kt >= ln_2k),
            then=M >= 8,
        ),
        Implication(
            name="in B",
            statement="ln(2K) <= 2 ln K and ln^2(KT) <= B^2/9",
            given=(
                Eq(M * ln_2k**2, B**2 - ln_kt**2), B >= 3 * ln_kt, ln_2k <= 2 * ln_k, whole >= M / 12,
            ),
            then=whole >= B**2 / (54 * ln_k**2),
        ),
    ),
)  # fmt: skip
each_round = Argument(
    name="COLT 2024, Theorem 13, a round",
    setting="Uniformly random labels on new features, K classes, the base-two logistic loss of U'",
    hypotheses=(),
    steps=(lower["at least a half"], Put(lower["least"], {x: 1 - 1 / K})),
    conclusion=1 - 1 / K - log(1 + (1 - 1 / K) / 2) / ln2 >= LEAST,
    example={K: 3},
)
first_rounds = Argument(
    name="COLT 2024, Theorem 13, the first rounds",
    setting="Uniformly random labels on new features, K classes, the base-two logistic loss of U', any learner",
    symbols={wrong: "P(yhat != y)", loss: "S(U')", regret: "regret of the first rounds",
        rounds: "number of the first rounds"},
    hypotheses=(wrong >= 1 - 1 / K, Eq(loss, log(1 + (1 - 1 / K) / 2) / ln2)),
    steps=(
        lower["at least a half"], Put(lower["a sixth"], {x: 1 - 1 / K}), lower["a round"],
        Rounds(
            invariant=regret >= rounds / 6,
            state={regret: (0, regret + wrong - loss), rounds: (0, rounds + 1)},
            step=lower["one more round"],
        ),
    ),
    conclusion=regret >= rounds / 6,
    example={K: 2, wrong: 1, loss: log(Rational(5, 4)) / ln2, regret: 1, rounds: 1},
)  # fmt: skip
AFTER = tail >= (1 - 1 / K) - n * ((1 - 1 / K) / T / ln2)
last_rounds = Argument(
    name="COLT 2024, Theorem 13, the last rounds",
    setting="One more feature with a uniformly random label again and again, each loss of U' there by the "
    "corrected step, any learner",
    symbols={tail: "regret of the last rounds", n: "their number"},
    hypotheses=(AFTER, n <= T),
    steps=(
        lower["at least a half"],
        Put(lower["last rounds"], {x: 1 - 1 / K}),
    ),
    conclusion=tail >= -Rational(1, 2),
    example={K: 2, T: 2, n: 1, tail: 1},
)  # fmt: skip
theorem13 = Argument(
    name="COLT 2024, Theorem 13",
    setting="K classes (d of the paper), base-two logistic loss, labels drawn at random by the adversary, any "
    "learner: the expected "
    "surrogate regret against U', whose last column makes its norm B; some labels are no better than the mean",
    symbols={
        wrong: "P(yhat != y)", loss: "S(U')", regret: "regret of the first rounds",
        rounds: "number of the first rounds",
        tail: "regret of the last rounds", n: "their number", whole: "expected surrogate regret", ln_k: "ln K",
        ln_2k: "ln(2 K)", ln_kt: "ln(K T)",
    },
    hypotheses=(
        wrong >= 1 - 1 / K, Eq(loss, log(1 + (1 - 1 / K) / 2) / ln2), AFTER, n <= T, rounds >= M - 1,
        Eq(whole, regret + tail), Eq(M * ln_2k**2, B**2 - ln_kt**2), B >= 3 * ln_kt, ln_kt >= ln_2k,
        ln_2k <= 2 * ln_k,
    ),
    steps=(Cite(first_rounds), Cite(last_rounds), lower["at least 8"], lower["in M"], lower["in B"]),
    conclusion=lower["in B"].then,
    example={
        K: 2, T: 2, wrong: 1, loss: log(Rational(5, 4)) / ln2, regret: 2, rounds: 8, tail: 1, n: 1, whole: 3, ln_k: 1,
        ln_2k: 1, ln_kt: 1, B: 3, M: 8,
    },
)  # fmt: skip

hinge = Lemma(
    name="COLT 2024, lower bound of the smooth hinge loss",
    source="Sakaue, Bao, Tsuchiya, Oki 2024, sections 1 and 5",
    implications=(
        Implication(
            name="a round",
            statement="U has margin 1/K and pays (1 - 1/K)^2",
            given=(wrong >= 1 - 1 / K, Eq(loss, (1 - 1 / K) ** 2)),
            then=wrong - loss >= (1 - 1 / K) / K,
        ),
        Implication(
            name="one more round",
            statement="the rounds add up",
            given=(regret >= rounds * (1 - 1 / K) / K, wrong - loss >= (1 - 1 / K) / K),
            then=regret + wrong - loss >= (rounds + 1) * (1 - 1 / K) / K,
        ),
        Implication(
            name="norm",
            statement="(1/K)^2 (1 - 1/K) a feature, and 1 - 1/K for margin 1 on the last one",
            given=(Eq(part, rounds * (1 - 1 / K) / K**2 + (1 - 1 / K)), 2 * rounds <= K**2 * B**2, B**2 >= 2),
            then=part <= B**2,
        ),
        Implication(
            name="in B",
            statement="at least K^2 B^2/2 - 1 features; on the last one U has no loss",
            given=(regret >= rounds * (1 - 1 / K) / K, rounds >= K**2 * B**2 / 2 - 1, B**2 >= 2, whole >= regret),
            then=whole >= 3 * K * B**2 / 16,
        ),
    ),
)
HINGE = {
    wrong: "P(yhat != y)", loss: "S(U)", regret: "regret of the first rounds", rounds: "number of the first rounds",
    whole: "expected surrogate regret", part: "||U||^2",
}  # fmt: skip
HINGE_POINT = {K: 2, wrong: 1, loss: Rational(1, 4), regret: 10, rounds: 4, part: 1, B: Rational(3, 2), whole: 10}
smooth_rounds = Argument(
    name="COLT 2024, lower bound of the smooth hinge loss, first rounds",
    setting="K classes, smooth hinge loss, uniformly random labels on new features, any learner",
    symbols=HINGE,
    hypotheses=(wrong >= 1 - 1 / K, Eq(loss, (1 - 1 / K) ** 2)),
    steps=(
        hinge["a round"],
        Rounds(
            invariant=regret >= rounds * (1 - 1 / K) / K,
            state={regret: (0, regret + wrong - loss), rounds: (0, rounds + 1)},
            step=hinge["one more round"],
            fixed=(K,),
        ),
    ),
    conclusion=regret >= rounds * (1 - 1 / K) / K,
    example=HINGE_POINT,
)
smooth = Argument(
    name="COLT 2024, lower bound of the smooth hinge loss",
    setting="K classes (d of the paper), smooth hinge loss, uniformly random labels on new features and then one "
    "feature again and "
    "again, any learner and number of rounds that leaves room; part is the squared norm of U",
    symbols=HINGE,
    hypotheses=(
        wrong >= 1 - 1 / K, Eq(loss, (1 - 1 / K) ** 2), Eq(part, rounds * (1 - 1 / K) / K**2 + (1 - 1 / K)),
        2 * rounds <= K**2 * B**2, rounds >= K**2 * B**2 / 2 - 1, B**2 >= 2, whole >= regret,
    ),
    steps=(Cite(smooth_rounds), hinge["norm"], hinge["in B"]),
    conclusion=(hinge["norm"].then, hinge["in B"].then),
    example=HINGE_POINT,
)  # fmt: skip


def log2(value):
    """In base 2, as a ball."""
    return ball(value).log() / ball(2).log()


def two_classes():
    """d = 2: log2(5/4) against 1/4."""
    return Instance({"d": 2}, log2(Fraction(5, 4)), Fraction(1, 4))


def one_round():
    """d = 2, M = 1: the regret of a round is 1/2 - log2(5/4) for every learner."""
    return Instance({"d": 2, "M": 1}, ball(Fraction(1, 2)) - log2(Fraction(5, 4)), Fraction(1, 4), ">=")


def four_rounds():
    """The same, M = 4."""
    return Instance({"d": 2, "M": 4}, 4 * (ball(Fraction(1, 2)) - log2(Fraction(5, 4))), 1, ">=")


def one_last_round():
    """d = 2, T = 2, M = 1: the loss of U' in round 2 against (1/2)(1/2)."""
    return Instance({"d": 2, "T": 2}, log2(1 + Fraction(1, 4)), Fraction(1, 4))


def nine_last_rounds():
    """d = 2, T = 10, M = 1: a learner that repeats the label it saw has the regret 1/2 - 9 log2(1 + 1/20)."""
    return Instance({"d": 2, "T": 10, "M": 1}, ball(Fraction(1, 2)) - 9 * log2(Fraction(21, 20)), 0, ">=")


def random_regret(rng):
    """M rounds of K classes: the regret against M/6."""
    n_classes, m = int(rng.integers(2, 50)), int(rng.integers(1, 20))
    share_ = 1 - Fraction(1, n_classes)
    return Instance({"K": n_classes, "M": m}, m * (ball(share_) - log2(1 + share_ / 2)), Fraction(m, 6), ">=")


def random_smooth(rng):
    """The regret N (1 - 1/K)/K at N = floor(K^2 B^2/2), B^2 an integer, against 3 K B^2/16."""
    n_classes, square = int(rng.integers(2, 50)), int(rng.integers(2, 50))
    features = n_classes**2 * square // 2
    left = features * (1 - Fraction(1, n_classes)) / n_classes
    return Instance({"K": n_classes, "B^2": square}, left, Fraction(3 * n_classes * square, 16), ">=")


CAUSE = "log2(1 + u) <= u is false for every u in (0, 1): the step is that of the natural logarithm"
claims = (
    Claim(
        id="colt24/thm13",
        quote="incurs an Omega(B^2/ln^2 d) surrogate regret with respect to the logistic surrogate loss",
        source="Sakaue, Bao, Tsuchiya, Oki 2024, section 5, Theorem 13",
        grounds=theorem13,
        recorded="PROVED",
        finding="True with the constant 1/54 for B >= 3 ln(dT), although three displays of the proof are false: "
        "colt24/thm13-log-step, colt24/thm13-quarter and colt24/thm13-tail. No logarithm is needed, and the constant "
        "is that of proximal steps, up to lower terms: new/logistic-lower-bound.",
        second=Resists(random_regret, 60),
    ),
    Claim(
        id="colt24/thm13-log-step",
        quote="log2(1 + (1/2)(1 - 1/d)) <= (1/2)(1 - 1/d)",
        severity="B",
        cause=CAUSE,
        patch="read (1/(2 ln 2))(1 - 1/d) on the right, (1/2 - log2(5/4)) M for M/4, and a regret of at least "
        "-1/2 in the last rounds",
        source=f"{SOURCE}, first display",
        statement="log2(1 + (1/2)(1 - 1/d)) <= (1/2)(1 - 1/d) for every d >= 2",
        tex=r"\log_2\left(1 + \frac12\left(1 - \frac1d\right)\right) \le \frac12\left(1 - \frac1d\right)",
        grounds=Obligations(
            Lemma(
                name="COLT 2024, Appendix H, the first display",
                source=SOURCE,
                implications=(
                    Implication(
                        name="base 2",
                        statement="log2(1 + (1/2)(1 - 1/d)) <= (1/2)(1 - 1/d), d = K classes",
                        given=(),
                        then=log(1 + share) / ln2 <= share,
                    ),
                ),
            )
        ),
        recorded="REFUTED",
        finding="It is false for every d, as log2(1 + u) is concave, 0 at u = 0 and 1 at u = 1. With the natural "
        "logarithm it is true. The theorem survives with a smaller constant: colt24/thm13.",
        corrected=Corrected(
            statement="log2(1 + (1/2)(1 - 1/d)) <= (1/(2 ln 2))(1 - 1/d) for every d >= 2",
            tex=r"\log_2\left(1 + \frac12\left(1 - \frac1d\right)\right) \le \frac{1}{2\ln 2}\left(1 - "
            r"\frac1d\right)",
            grounds=natural,
        ),
        second=Breaks(two_classes),
    ),
    Claim(
        id="colt24/thm13-quarter",
        quote="= (M/2)(1 - 1/d) >= M/4",
        severity="B",
        cause=CAUSE,
        patch="read (1/2 - log2(5/4)) M for M/4",
        source=f"{SOURCE}, second display",
        statement="for every d >= 2 and every learner the expected surrogate regret over the first M rounds "
        "(base-2 logistic loss) is at "
        "least M/4",
        tex=r"\mathbb{E}[R_M] \ge \frac M4",
        grounds=Breaks(one_round),
        recorded="REFUTED",
        finding="For d = 2 it is (1/2 - log2(5/4)) M = 0.178 M for every learner; from d = 3 on it is above M/4.",
        corrected=Corrected(statement="it is at least (1/2 - log2(5/4)) M for every d >= 2", grounds=each_round),
        second=Breaks(four_rounds),
    ),
    Claim(
        id="colt24/thm13-tail",
        quote="the logistic loss value is at most (1/T)(1 - 1/d) by a similar calculus to the above",
        severity="B",
        cause=CAUSE,
        patch="read (1/(T ln 2))(1 - 1/d), and at least -1/2 for non-negative",
        source=f"{SOURCE}, last sentences",
        statement="for t > M (base-2 logistic loss) each loss of U' is at most (1/T)(1 - 1/d), and the expected "
        "surrogate regret over the "
        "last T - M rounds is not negative for every learner",
        tex=r"\log_2\left(1 + \frac{d - 1}{dT}\right) \le \frac1T\left(1 - \frac1d\right)",
        grounds=Breaks(one_last_round),
        second=Breaks(nine_last_rounds),
        recorded="REFUTED",
        finding="Both parts fail: the first at d = T = 2, the second at d = 2, M = 1, T = 10 for a learner that "
        "repeats the label that it "
        "has seen.",
        corrected=Corrected(
            statement="each loss is at most (1/(T ln 2))(1 - 1/d), and the regret over the last rounds is at "
            "least -1/2",
            grounds=last_rounds,
        ),
    ),
    Claim(
        id="colt24/quote-lower-smooth-hinge",
        quote="their lower bound is Omega(dB^2)",
        source="Sakaue, Bao, Tsuchiya, Oki 2024, sections 1 and 5, on van der Hoeven et al. 2021",
        grounds=smooth,
        recorded="PROVED",
        finding="With the constant 3/16.",
        second=Resists(random_smooth, 60),
    ),
)
