"""Theorem 13 of COLT 2024: three steps of the proof of the lower bound for the base-2 logistic loss.

**Problem.** Multiclass classification with d classes, the base-2 logistic loss, ||x_t|| = 1, any randomized learner.
The labels are uniformly random and new features are orthogonal, so that nothing can be learned from the past.

**Algorithm.** The adversary's: M rounds on M orthogonal features, the comparator U' with ln(2d) on the true label of
each; then one more feature again and again, with ln(dT).

**Theoretical guarantee.** **Lower bound**. A learner errs with probability 1 - 1/d in each of the M rounds and U'
pays log2(1 + (1/2)(1 - 1/d)) each. The paper bounds that by (1/2)(1 - 1/d), which is false for every d, as log2(1 +
u) > u on (0, 1); it is at most (1/2)(1 - 1/d)/ln 2.

**References.** Sakaue, Bao, Tsuchiya, Oki 2024, Theorem 13 and Appendix H.
"""

from fractions import Fraction

from sympy import log, symbols

from gaptron import Argument, Breaks, Claim, Corrected, Implication, Instance, Lemma, Obligations, Put
from gaptron.numbers.evaluate import ball
from gaptron.symbols import K

SOURCE = "Sakaue, Bao, Tsuchiya, Oki 2024, Appendix H"
share, ln2 = (1 - 1 / K) / 2, log(2)
u = symbols("u", nonnegative=True)
part = symbols("part", real=True)

printed = Lemma(
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


def two_classes():
    """d = 2: log2(5/4) against 1/4."""
    return Instance({"d": 2}, ball(Fraction(5, 4)).log() / ball(2).log(), Fraction(1, 4))


claims = (
    Claim(
        id="colt24/thm13-log-step",
        quote="log2(1 + (1/2)(1 - 1/d)) <= (1/2)(1 - 1/d)",
        severity="B",
        cause="log2(1 + u) <= u is false for every u in (0, 1): the step is that of the natural logarithm",
        patch="read (1/(2 ln 2))(1 - 1/d) on the right, and 0.13 M or (1/2 - log2(5/4)) M for M/4 after it",
        source=f"{SOURCE}, first display",
        statement="log2(1 + (1/2)(1 - 1/d)) <= (1/2)(1 - 1/d) for every d >= 2",
        tex=r"\log_2\left(1 + \frac12\left(1 - \frac1d\right)\right) \le \frac12\left(1 - \frac1d\right)",
        grounds=Obligations(printed),
        recorded="REFUTED",
        finding="It is false for every d, as log2(1 + u) is concave, 0 at u = 0 and 1 at u = 1. With the natural "
        "logarithm it is true. The theorem survives with a smaller constant.",
        corrected=Corrected(
            statement="log2(1 + (1/2)(1 - 1/d)) <= (1/(2 ln 2))(1 - 1/d) for every d >= 2",
            tex=r"\log_2\left(1 + \frac12\left(1 - \frac1d\right)\right) \le \frac{1}{2\ln 2}\left(1 - \frac1d\right)",
            grounds=natural,
        ),
        second=Breaks(two_classes),
    ),
)
