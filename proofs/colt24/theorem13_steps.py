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

from sympy import log

from gaptron import Breaks, Claim, Corrected, Implication, InProof, Instance, Lemma, Obligations, Resists
from gaptron.numbers.evaluate import ball
from gaptron.symbols import K

SOURCE = "Sakaue, Bao, Tsuchiya, Oki 2024, Appendix H"
FILE = "lower.proof"
share, ln2 = (1 - 1 / K) / 2, log(2)


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
        statement="K labels (d of the paper), base-2 logistic loss, features with uniformly random labels and then "
        "one feature n <= H times: E sum 1[yhat_t != y_t] - S_t(U') >= B^2/(54 ln^2 K) for B >= 3 ln(K H), every "
        "learner, U' of norm B",
        grounds=InProof(FILE, "colt24/thm13"),
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
            tex=r"\log_2\left(1 + \frac12\left(1 - \frac1d\right)\right) \le \frac{1}{2\ln 2}\left(1 - \frac1d\right)",
            grounds=InProof(FILE, "colt24/first-loss"),
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
        statement="for every d >= 2 and every learner the expected surrogate regret over the first M rounds (base-2 "
        "logistic loss) is at least M/4",
        tex=r"\mathbb{E}[R_M] \ge \frac M4",
        grounds=Breaks(one_round),
        recorded="REFUTED",
        finding="For d = 2 it is (1/2 - log2(5/4)) M = 0.178 M for every learner; from d = 3 on it is above M/4.",
        corrected=Corrected(
            statement="it is at least (1/2 - log2(5/4)) M for every d >= 2",
            grounds=InProof(FILE, "colt24/first-rounds"),
        ),
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
        "surrogate regret over the last T - M rounds is not negative for every learner",
        tex=r"\log_2\left(1 + \frac{d - 1}{dT}\right) \le \frac1T\left(1 - \frac1d\right)",
        grounds=Breaks(one_last_round),
        second=Breaks(nine_last_rounds),
        recorded="REFUTED",
        finding="Both parts fail: the first at d = T = 2, the second at d = 2, M = 1, T = 10 for a learner that "
        "repeats the label that it has seen.",
        corrected=Corrected(
            statement="each loss is at most (1/(T ln 2))(1 - 1/d), and the regret over the last rounds is at "
            "least -1/2",
            grounds=InProof(FILE, "colt24/last-rounds"),
        ),
    ),
    Claim(
        id="colt24/quote-lower-smooth-hinge",
        quote="their lower bound is Omega(dB^2)",
        source="Sakaue, Bao, Tsuchiya, Oki 2024, sections 1 and 5, on van der Hoeven et al. 2021",
        statement="K labels (d of the paper), smooth hinge loss, K^2 B^2/2 features with uniformly random labels "
        "and then one feature without loss of U: E sum 1[yhat_t != y_t] - S_t(U) >= 3 K B^2/16 for B^2 >= 2, ||U|| "
        "at most B, every learner",
        grounds=(InProof(FILE, "colt24/hinge-rounds"), InProof(FILE, "colt24/hinge-size")),
        recorded="PROVED",
        finding="With the constant 3/16.",
        second=Resists(random_smooth, 60),
    ),
)
