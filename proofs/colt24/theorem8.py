"""Theorem 8 of COLT 2024: surrogate regret with high probability, for oblivious and adaptive streams.

**Problem.** Theorem 7's setting, eta = a/b, target losses at most gamma D, D the diameter of conv(Y); sum L_t itself
is to be bounded, for all U at once, with probability at least 1 - delta.

**Algorithm.** Algorithm 1 and gradient descent with eta = a/b.

**Theoretical guarantee.** **Upper bound**, as printed, for adaptive streams too, by another proof. The printed one
ends with an inequality that is **false** (a = 1/2), and uses Bernstein's inequality with a variance that depends on
the draws of an adaptive stream, for which its display (12) is **false**: an adversary may stop when the draws have
gone its way. Instead: exp(a L/(gamma D) - (e^a - 1) E_t L/(gamma D)) has conditional mean at most 1, so sum L_t <=
((e^a - 1)/a) sum E_t L_t + gamma D ln(1/delta)/a with probability 1 - delta; and as the loss is smooth, (2 - a) sum
S_t(W_t) <= 2 sum S_t(U) + (2 - a) b ||U||^2/(2 a) on every path. Then 2 (1 - a)(e^a - 1) <= a (2 - a) and e^a - 1 <=
2 a.

**References.** Sakaue, Bao, Tsuchiya, Oki 2024, Theorem 8, Remark 9 and Appendix F.
"""

from fractions import Fraction
from functools import lru_cache

from sympy import Eq, Rational, exp, sqrt, symbols

from gaptron import (
    Argument,
    Average,
    Breaks,
    Cases,
    Cite,
    Claim,
    Corrected,
    Implication,
    InProof,
    Instance,
    Lemma,
    Put,
    Resists,
    Rests,
    Use,
    When,
)
from gaptron.numbers.evaluate import ball
from gaptron.theory import facts

SOURCE = "Sakaue, Bao, Tsuchiya, Oki 2024"
FILE = "descent.proof"
a, cap, delta = symbols("a cap delta", positive=True)
drawn, E_drawn = symbols("drawn E_drawn", real=True)
moment, u, prob_out = symbols("moment u_0 prob_out", nonnegative=True)
z = symbols("z_0", real=True)
surrogates = symbols("surrogates", real=True)

deviation = Lemma(
    name="COLT 2024, Theorem 8, deviation",
    source=f"{SOURCE}, Theorem 8",
    implications=(
        Implication(name="exponential", statement="exp(z) >= 1 + z", given=(), then=exp(z) >= 1 + z),
        Implication(
            name="moment",
            statement="1 + u <= exp(u)",
            given=(E_drawn <= 1 + u, exp(u) >= 1 + u, Eq(moment * exp(u), E_drawn)),
            then=moment <= 1,
        ),
    ),
)
chance, level, variance, logarithm, root, bound_12 = symbols(
    "chance level variance logarithm root bound_12", nonnegative=True
)
own_p, own_q = symbols("p q", nonnegative=True)
dev, E_dev, exceeded, scaled, third_of, lifted = symbols("dev E_dev exceeded scaled third_of lifted", real=True)
dev2, E_dev2, comp, kappa, r = symbols("dev2 E_dev2 comp kappa r", nonnegative=True)
LEVELS = (
    Eq(level, sqrt(2) * root * u + cap * logarithm / 3), Eq(root**2, variance), Eq(u**2, logarithm),
    variance <= (1 - a) * cap * surrogates, Eq(bound_12**2, 2 * (1 - a) * cap * surrogates * logarithm),
)  # fmt: skip
bernstein = Lemma(
    name="COLT 2024, Appendix F, (12)",
    source=f"{SOURCE}, Appendix F",
    implications=(
        Implication(
            name="squares of the levels",
            statement="v <= gamma D sum E_t L_t <= (1 - a) gamma D sum S_t(W_t)",
            given=LEVELS[1:],
            then=2 * root**2 * u**2 <= bound_12**2,
        ),
        Implication(
            name="roots of the levels",
            statement="p^2 <= q^2, both not negative",
            given=(own_p**2 <= own_q**2,),
            then=own_p <= own_q,
        ),
        Implication(
            name="larger level",
            statement="1/3 <= sqrt(2)/3",
            given=(LEVELS[0], sqrt(2) * root * u <= bound_12),
            then=level <= bound_12 + sqrt(2) / 3 * cap * logarithm,
        ),
        Implication(
            name="less often",
            statement="a larger level is exceeded no more often",
            given=(chance <= exceeded, exceeded <= delta),
            then=chance <= delta,
        ),
    ),
)  # fmt: skip
BOUNDED = drawn <= 1 + r * dev + kappa * dev2
RATE = Eq(r * (cap * sqrt(2) * u / 3 + root), sqrt(2) * u)
KAPPA = Eq(2 * kappa * (1 - r * cap / 3), r**2)
ENOUGH = r * level >= logarithm + kappa * variance

fixed_rate = Lemma(
    name="COLT 2024, Appendix F, Bernstein's inequality",
    source=f"{SOURCE}, Appendix F; Boucheron, Lugosi, Massart, Concentration Inequalities, section 2.8",
    implications=(
        Implication(
            name="logarithm",
            statement="ln(1/delta) = 0 says delta = 1",
            given=(Eq(delta, exp(-logarithm)), logarithm <= 0, exceeded <= 1),
            then=exceeded <= delta,
        ),
        Implication(
            name="no variance",
            statement="no deviation",
            given=(Eq(exceeded, 0),),
            then=exceeded <= delta,
        ),
        Implication(
            name="root",
            statement="of what is positive",
            given=(Eq(own_p**2, own_q), own_q > 0),
            then=own_p > 0,
        ),
        Implication(
            name="rate",
            statement="r gamma D/3 < 1",
            given=(RATE, u > 0, root > 0),
            then=r * cap < 3,
        ),
        Implication(
            name="up",
            statement="exp(z) <= 1 + z + z^2/(2 (1 - z/3)) for z in [0, 3)",
            given=(scaled >= 0, scaled < 3),
            then=exp(scaled) <= 1 + scaled + scaled**2 / (2 * (1 - scaled / 3)),
        ),
        Implication(
            name="down",
            statement="exp(-z) <= 1 - z + z^2/2 for z >= 0, here up to 3",
            given=(scaled >= 0, scaled <= 3),
            then=exp(-scaled) <= 1 - scaled + scaled**2 / 2,
        ),
        Implication(
            name="r Z, up",
            statement="r is not negative",
            given=(dev >= 0,),
            then=r * dev >= 0,
        ),
        Implication(
            name="r Z below 3",
            statement="Z <= gamma D",
            given=(dev <= cap, r * cap < 3),
            then=r * dev < 3,
        ),
        Implication(
            name="r Z/3",
            statement="Z <= gamma D",
            given=(dev <= cap,),
            then=r * dev / 3 <= r * cap / 3,
        ),
        Implication(
            name="kappa",
            statement="r^2/(2 (1 - r Z/3)) <= r^2/(2 (1 - r gamma D/3))",
            given=(third_of <= r * cap / 3, r * cap < 3, KAPPA),
            then=dev**2 * r**2 / (2 * (1 - third_of)) <= kappa * dev**2,
        ),
        Implication(
            name="a deviation",
            statement="exp(r Z) <= 1 + r Z + kappa Z^2",
            given=(
                Eq(drawn, lifted),
                lifted <= 1 + r * dev + third_of,
                third_of <= kappa * dev**2,
                Eq(dev2, dev**2),
            ),
            then=BOUNDED,
        ),
        Implication(
            name="r Z, down",
            statement="r is not negative",
            given=(dev <= 0,),
            then=-r * dev >= 0,
        ),
        Implication(
            name="r Z above -3",
            statement="-Z <= gamma D",
            given=(-dev <= cap, r * cap < 3),
            then=-r * dev <= 3,
        ),
        Implication(
            name="kappa, least",
            statement="r^2/2 <= kappa",
            given=(r * cap < 3, KAPPA),
            then=r**2 / 2 <= kappa,
        ),
        Implication(
            name="squares",
            statement="times Z^2",
            given=(r**2 / 2 <= kappa,),
            then=r**2 * dev**2 / 2 <= kappa * dev**2,
        ),
        Implication(
            name="in the mean",
            statement="E Z = 0",
            given=(E_drawn <= 1 + r * E_dev + kappa * E_dev2, Eq(E_dev, 0), Eq(comp, kappa * E_dev2)),
            then=E_drawn <= 1 + comp,
        ),
        Implication(
            name="kappa v",
            statement="kappa sqrt(2 v) = r sqrt(ln(1/delta))",
            given=(RATE, KAPPA, u > 0, root > 0, r * cap < 3),
            then=Eq(sqrt(2) * kappa * root, r * u, evaluate=False),
        ),
        Implication(
            name="the level",
            statement="r sqrt(2 v L) + r gamma D L/3 = L + kappa v, L = ln(1/delta)",
            given=(RATE, Eq(sqrt(2) * kappa * root, r * u), LEVELS[0], Eq(u**2, logarithm), Eq(root**2, variance)),
            then=ENOUGH,
        ),
        Implication(
            name="as often",
            statement="where sum Z is above the level sum X is above ln(1/delta)",
            given=(exceeded <= prob_out, prob_out <= delta),
            then=exceeded <= delta,
        ),
        Implication(
            name="not less",
            statement="the level is large enough",
            given=(ENOUGH, r * level < logarithm + kappa * variance),
            then=exceeded <= delta,
        ),
    ),
)
FIRST_LEVEL = {
    level: "sqrt(2 v ln(1/delta)) + (gamma D/3) ln(1/delta)", root: "sqrt(v)", u: "sqrt(ln(1/delta))", cap: "gamma D",
    variance: "v", logarithm: "ln(1/delta)", dev: "Z_t", dev2: "Z_t^2", E_dev: "E[Z_t]", E_dev2: "E[Z_t^2]",
    drawn: "exp(r Z_t)", E_drawn: "E[exp(r Z_t)]", moment: "max E[exp(X)]", prob_out: "P(sum X > ln(1/delta))",
    exceeded: "P(sum Z_t > the first level)", comp: "kappa E[Z_t^2]",
}  # fmt: skip
DEVIATIONS = (
    dev <= cap, -dev <= cap, Eq(dev2, dev**2), Eq(E_dev, 0), Eq(drawn, exp(r * dev)), RATE, KAPPA,
    Eq(comp, kappa * E_dev2), Eq(moment * exp(comp), E_drawn), *LEVELS[:3], exceeded <= 1,
    Eq(delta, exp(-logarithm)), When(ENOUGH, (exceeded <= prob_out,)), When(variance <= 0, (Eq(exceeded, 0),)),
)  # fmt: skip
VARIANCES = (
    "Z a target loss less its mean, v the sum of the variances, which are fixed, X being r Z less kappa times its "
    "variance"
)
STILL = {
    level: 0, root: 0, u: 0, cap: 1, variance: 0, logarithm: 0, dev: 0, dev2: 0, E_dev: 0, E_dev2: 0, drawn: 1,
    E_drawn: 1, moment: 1, prob_out: 0, exceeded: 0, comp: 0, kappa: 0, r: 0, delta: 1,
}  # fmt: skip
one_deviation = Argument(
    name="COLT 2024, Appendix F, a deviation",
    setting=VARIANCES,
    symbols=FIRST_LEVEL,
    hypotheses=(*DEVIATIONS[:3], DEVIATIONS[4], KAPPA, r * cap < 3),
    steps=(
        Cases(
            {
                dev >= 0: (
                    fixed_rate["r Z, up"],
                    fixed_rate["r Z below 3"],
                    Put(fixed_rate["up"], {scaled: r * dev}),
                    fixed_rate["r Z/3"],
                    Put(fixed_rate["kappa"], {third_of: r * dev / 3}),
                    Put(
                        fixed_rate["a deviation"],
                        {lifted: exp(r * dev), third_of: (r * dev) ** 2 / (2 * (1 - r * dev / 3))},
                    ),
                ),
                dev < 0: (
                    fixed_rate["r Z, down"],
                    fixed_rate["r Z above -3"],
                    Put(fixed_rate["down"], {scaled: -r * dev}),
                    fixed_rate["kappa, least"],
                    fixed_rate["squares"],
                    Put(fixed_rate["a deviation"], {lifted: exp(r * dev), third_of: r**2 * dev**2 / 2}),
                ),
            },
            (BOUNDED,),
        ),
        Average(BOUNDED, {drawn: E_drawn, dev: E_dev, dev2: E_dev2}, (r, kappa)),
    ),
    conclusion=E_drawn <= 1 + r * E_dev + kappa * E_dev2,
    example=STILL,
)
rarely_above = Argument(
    name="COLT 2024, Appendix F, Bernstein's inequality",
    setting=VARIANCES,
    symbols=FIRST_LEVEL,
    hypotheses=DEVIATIONS,
    steps=(
        Cases(
            {
                logarithm <= 0: (fixed_rate["logarithm"],),
                logarithm > 0: (
                    Cases(
                        {
                            variance <= 0: (fixed_rate["no variance"],),
                            variance > 0: (
                                Put(fixed_rate["root"], {own_p: root, own_q: variance}),
                                Put(fixed_rate["root"], {own_p: u, own_q: logarithm}),
                                fixed_rate["rate"],
                                Cite(one_deviation),
                                fixed_rate["in the mean"],
                                Put(deviation["exponential"], {z: comp}),
                                Put(deviation["moment"], {u: comp}),
                                Use(facts.VILLE, {"X": "X", "c": "delta"}),
                                fixed_rate["kappa v"],
                                fixed_rate["the level"],
                                Cases(
                                    {
                                        ENOUGH: (fixed_rate["as often"],),
                                        r * level < logarithm + kappa * variance: (fixed_rate["not less"],),
                                    },
                                    (exceeded <= delta,),
                                ),
                            ),
                        },
                        (exceeded <= delta,),
                    ),
                ),
            },
            (exceeded <= delta,),
        ),
    ),
    conclusion=exceeded <= delta,
    example=STILL,
)
display = Argument(
    name="COLT 2024, Appendix F, (12)",
    setting="Oblivious stream, so that variances are fixed; Bernstein's inequality at the first level, which is no "
    "larger than the printed one; " + VARIANCES,
    symbols=FIRST_LEVEL | {
        surrogates: "sum S_t(W_t)", bound_12: "sqrt(2 (1 - a) gamma D sum S_t(W_t) ln(1/delta))",
        chance: "P(sum Z_t > the printed level)",
    },
    hypotheses=(*DEVIATIONS, *LEVELS[3:], chance <= exceeded),
    steps=(
        Cite(rarely_above),
        bernstein["squares of the levels"],
        Put(bernstein["roots of the levels"], {own_p: sqrt(2) * root * u, own_q: bound_12}),
        bernstein["larger level"],
        bernstein["less often"],
    ),
    conclusion=(bernstein["larger level"].then, chance <= delta),
    example=STILL | {surrogates: 0, bound_12: 0, chance: 0, a: Rational(1, 2)},
)  # fmt: skip


def last_step():
    """a = 1/2, b ||U||^2 = 2, zeta = 1: the roots are 4/3 + sqrt(8/3) + sqrt(2)/3 + 1 against 4."""
    left = ball(Fraction(4, 3)) + ball(Fraction(8, 3)).sqrt() + ball(2).sqrt() / 3 + 1
    return Instance({"a": Fraction(1, 2), "b ||U||^2": 2, "zeta": 1}, left, 4)


def last_step_by_roots():
    """The same with roots from below: 8/5 < sqrt(8/3), 7/5 < sqrt(2)."""
    return Instance({"a": Fraction(1, 2)}, Fraction(4, 3) + Fraction(8, 5) + Fraction(7, 15) + 1, 4)


TRAINED = 5


@lru_cache
def stopped(n_rounds):
    """P(the adversary stops above the level of (12) within n rounds), the training rounds at their worst.

    Y = {0, 1}, Omega = 20 (v - s)^2, s = 3/20: on new features yhat = s and E L = 2 s^2 = mean. Five rounds on a
    feature of norm 3/4 come first, with residuals s f^k, and ``spent`` is the sum of their expected losses; then its
    multiple of norm 1 has S = 0 and no draw. ln 2 <= 6932/10^4 and sqrt(2)/3 <= 4715/10^4.
    """
    s, factor, ln2 = Fraction(3, 20), 1 - Fraction(9, 20) * Fraction(9, 16), Fraction(6932, 10**4)
    if s * (1 - factor**TRAINED) < Fraction(3, 4) * s:
        raise ValueError("the feature of norm 1 has a loss")
    spent = sum(2 * (s * factor**k) ** 2 for k in range(TRAINED))
    mean, stop, alive = 2 * s**2, 0, [1]
    for n in range(1, n_rounds + 1):
        more = [0, *alive]
        alive = [
            (mean.denominator - mean.numerator) * one + mean.numerator * two
            for one, two in zip([*alive, 0], more, strict=True)
        ]
        stop *= mean.denominator
        sums = n * mean + spent
        while alive and (over := len(alive) - 1 - sums - Fraction(4715, 10**4) * ln2) > 0 and over**2 > 2 * sums * ln2:
            stop += alive.pop()
    return Fraction(stop, mean.denominator**n_rounds)


def stops():
    """delta = 1/2, T = 1205: the probability that (12) fails is more than 1/2."""
    return Instance(
        {"Y": (0, 1), "lambda": 40, "a": Fraction(9, 10), "delta": "1/2", "T": 1205}, stopped(1200), Fraction(1, 2)
    )


def random_path(rng):
    """Three rounds, S = (v - y)^2/2, b = 2: (2 - a) sum S(W) against 2 sum S(U) + (2 - a) b u^2/(2 a)."""
    a_ = Fraction(int(rng.integers(1, 10)), 10)
    v, left, right, goal = Fraction(0), Fraction(0), Fraction(0), Fraction(int(rng.integers(-6, 7)), 3)
    targets = [Fraction(int(k), 3) for k in rng.integers(-6, 7, 3)]
    for target in targets:
        left += (2 - a_) * (v - target) ** 2 / 2
        right += (goal - target) ** 2
        v -= a_ / 2 * (v - target)
    return Instance({"a": a_, "targets": targets, "u": goal}, left, right + (2 - a_) * goal**2 / a_)


claims = (
    Claim(
        id="colt24/thm8",
        quote="with probability at least 1 - delta, for any U in W",
        source=f"{SOURCE}, section 4, Theorem 8",
        statement="Algorithm 1, gradient descent with eta = a/b, losses up to gamma D: with probability at least "
        "1 - delta a sum L_t - (e^a - 1) sum E_t L_t <= gamma D ln(1/delta), and then for every U sum L_t <= "
        "sum S_t(U) + (8 gamma C^2 kappa^2 ||U||^2/(lambda^2 nu) + gamma D ln(1/delta))/a",
        grounds=(InProof(FILE, "colt24/rarely"), InProof(FILE, "colt24/thm8")),
        recorded="PROVED",
        finding="True by another proof than the printed one, whose last step is false (colt24/thm8-last-step).",
        second=Resists(random_path, 100),
    ),
    Claim(
        id="colt24/thm8-eq12",
        quote="it holds that sum Z_t <= sqrt(2 (1-a) gamma D sum S_t(W_t) ln(1/delta)) + (sqrt 2/3) gamma D "
        "ln(1/delta)",
        source=f"{SOURCE}, Appendix F, (12)",
        grounds=display,
        recorded="PROVED",
        finding="Bernstein's inequality, with 1/3 in the place of sqrt(2)/3, by an exponential supermartingale at the "
        "best fixed rate.",
    ),
    Claim(
        id="colt24/thm8-last-step",
        quote="where the inequality is for simplification",
        severity="B",
        cause="the last inequality of the proof of Theorem 8 fails unless a is close to 0",
        patch="bound sum L_t by ((e^a - 1)/a) sum E_t L_t + gamma D ln(1/delta)/a instead, and use that the "
        "losses are smooth",
        source=f"{SOURCE}, Appendix F, last display of the proof of Theorem 8",
        statement="for a in (0, 1), b > 0, zeta >= 0, eta' = a/2: ((1-a)/(1-eta')) b ||U||^2/(4 eta') + sqrt(zeta "
        "((1-a)/(1-eta')) b "
        "||U||^2/(2 eta')) + (sqrt(2)/3) zeta + ((1-a)/a) zeta <= (1/a)((1-a) b ||U||^2 + zeta)",
        tex=r"\frac{1-a}{1-\eta'}\frac{b\|U\|^2}{4\eta'} + \sqrt{\zeta\frac{1-a}{1-\eta'}\frac{b\|U\|^2}{2\eta'}} + "
        r"\frac{\sqrt2}{3}\zeta + \frac{1-a}{a}\zeta \le \frac1a\left((1-a) b\|U\|^2 + \zeta\right)",
        grounds=Breaks(last_step),
        recorded="REFUTED",
        finding="The root is at most what is left over only if 2 (1 - a)(1 - sqrt(2)/3) >= 1, that is a <= 0.054.",
        corrected=Corrected(statement="Theorem 8 itself holds: colt24/thm8", grounds=Rests("colt24/thm8")),
        second=Breaks(last_step_by_roots),
    ),
    Claim(
        id="colt24/remark9-eq12",
        quote="an additional concentration argument used in the proof is irrelevant to the adversary's type",
        severity="B",
        cause="Bernstein's inequality needs a variance that is fixed, and that of an adaptive stream depends on "
        "the draws",
        patch="use an exponential supermartingale with a fixed rate, as in colt24/thm8",
        source=f"{SOURCE}, Remark 9 with (12)",
        statement="(12) holds with probability at least 1 - delta for every T and delta when (x_t, y_t) may "
        "depend on yhat_1, ..., "
        "yhat_{t-1}; here the probability that it fails against delta",
        tex=r"P\left(\sum_t Z_t > \sqrt{2(1-a)\gamma D\textstyle\sum_t S_t(W_t)\ln\frac1\delta} + "
        r"\frac{\sqrt2}{3}\gamma D\ln"
        r"\frac1\delta\right) \le \delta",
        grounds=Breaks(stops),
        recorded="REFUTED",
        finding="Y = {0, 1}, Omega = 20 (v - 3/20)^2, L = |y' - y|: new features until the draws are above the "
        "level of (12), then a "
        "feature that has been learned and has no loss. By the law of the iterated logarithm every level of this "
        "form is exceeded.",
        corrected=Corrected(
            statement="Theorem 8 holds for adaptive streams, with its constants: colt24/remark9-thm8",
            grounds=Rests("colt24/remark9-thm8"),
        ),
    ),
    Claim(
        id="colt24/remark9-thm8",
        quote="The high-probability bound in Theorem 8 also remains valid in the adaptive case",
        source=f"{SOURCE}, Remark 9, second sentence",
        statement="Theorem 8 with its constants where (x_t, y_t) may depend on yhat_1, ..., yhat_{t-1}",
        grounds=(InProof(FILE, "colt24/rarely"), InProof(FILE, "colt24/thm8")),
        recorded="PROVED",
        finding="True, though not by the printed argument: colt24/remark9-eq12.",
        second=Resists(random_path, 100),
    ),
)
