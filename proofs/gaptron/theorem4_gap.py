"""Theorem 4, the gap inequality at the printed learning rate.

**Problem.** As in Theorem 4: bandit feedback, the base-2 logistic loss, ||x|| <= X, weights with ||W|| <= D.

**Algorithm.** Gaptron with the gap map of Theorem 1, any exploration rate gamma and the printed learning rate
eta = ln 2 q/(2 K^2 X^2), q = (1 - gamma) r/K + gamma, r = e^(-2DX).

**Theoretical guarantee.** The gap is at most 0 in conditional expectation, for every gamma in [0, 1]. The printed
derivation takes K p' >= q for the probability p' of every label, which is **false**: p' = max(a, gamma)/K for a label
that is not on top, and q > gamma unless gamma = 1. True is K p' >= max(a, gamma) with
a >= (K - 1) r/(1 + (K - 1) r), and q is at most 3/2 times that; Theorem 1's gap inequality has enough slack for 3/2
times its learning rate. (If the uniform distribution were mixed in on top of the gap map, as
p' = (1 - gamma) ((1 - a) e_{y*} + a/K) + gamma/K, then K p' >= q would be true.)

**References.** van der Hoeven 2020, Theorem 4.
"""

from fractions import Fraction
from math import isqrt

from sympy import Eq, Piecewise, Rational, exp, log, symbols

from gaptron import (
    Breaks,
    Claim,
    Constant,
    Corrected,
    GapMap,
    Implication,
    Instance,
    Lemma,
    Obligations,
    Resists,
    Rests,
    SoftmaxLoss,
    Theorem,
)
from gaptron.numbers.evaluate import ball, is_less
from gaptron.symbols import D, K, X, gamma, p

first, second, apart, risk = symbols("first second apart risk", real=True)
top, others, share, least, mix, prob = symbols("top others share least mix prob", positive=True)
q, squares, loss, part, count, full, ln2, u = symbols("q squares loss part count full ln2 u", positive=True)

faster = Theorem(
    name="Theorem 1 at 3/2 times its learning rate",
    source="van der Hoeven 2020, Theorem 1",
    loss=SoftmaxLoss(-log(p, 2)),
    gap_map=GapMap(Piecewise((1 - p, p >= Rational(1, 2)), (1, True))),
    learning_rate=3 * log(2) / (4 * K),
)

mixing = (gamma <= 1, share <= 1, mix >= share, mix >= gamma, Eq((mix - share) * (mix - gamma), 0))
rate = Eq(q, (1 - gamma) * least / K + gamma)

probabilities = Lemma(
    name="Theorem 4, probabilities on the ball",
    source="van der Hoeven 2020, Theorem 4 (our derivation)",
    implications=(
        Implication(
            name="scores",
            statement="two scores of W with ||W|| <= D, ||x|| <= X differ by at most 2 D X",
            given=(first**2 + second**2 <= (D * X) ** 2,),
            then=first - second <= 2 * D * X,
        ),
        Implication(
            name="powers",
            statement="so p_k/p* = e^(-apart) >= r = e^(-2 u), u = D X",
            given=(apart <= 2 * u,),
            then=exp(-apart) >= exp(-2 * u),
        ),
        Implication(
            name="one more class",
            statement="others = the sum of count probabilities, each at least r p*",
            given=(others >= count * least * top, part >= least * top),
            then=others + part >= (count + 1) * least * top,
        ),
        Implication(
            name="top probability",
            statement="p* <= 1/(1 + (K - 1) r) if the other K - 1 are at least r p*",
            given=(Eq(others, 1 - top), others >= (K - 1) * least * top),
            then=top <= 1 / (1 + (K - 1) * least),
        ),
        Implication(
            name="gap map",
            statement="a >= 1 - p*: a >= (K - 1) r/(1 + (K - 1) r)",
            given=(share >= 1 - top, top <= 1 / (1 + (K - 1) * least)),
            then=share >= (K - 1) * least / (1 + (K - 1) * least),
        ),
        Implication(
            name="least probability",
            statement="K p' >= max(a, gamma) for a label not on top",
            given=(*mixing, Eq(prob, mix / K)),
            then=K * prob >= mix,
        ),
        Implication(
            name="least probability, top label",
            statement="K p' >= max(a, gamma) for the top label",
            given=(mix <= 1, Eq(prob, 1 - mix + mix / K)),
            then=K * prob >= mix,
        ),
    ),
)

printed_rate = Lemma(
    name="Theorem 4, gap at the printed learning rate",
    source="van der Hoeven 2020, Theorem 4 (our derivation)",
    implications=(
        Implication(
            name="gap map against r",
            statement="1 - a <= p* and 1 - p* >= (K - 1) r p*: (1 - a) r <= a/(K - 1)",
            given=(share <= 1, 1 - share <= top, share >= others, others >= (K - 1) * least * top),
            then=(1 - share) * least <= share / (K - 1),
        ),
        Implication(
            name="rate against exploration",
            statement="q <= (3/2) max(a, gamma)",
            given=(*mixing, rate, least <= 1, (1 - share) * least <= share / (K - 1)),
            then=q <= Rational(3, 2) * mix,
        ),
        Implication(
            name="variance",
            statement="eta E ||g||^2 = q ln2 ||g||^2/(2 K^2 X^2 p') <= (3/2) ln2/(2 K X^2) ||g||^2",
            given=(q <= Rational(3, 2) * mix, K * prob >= mix),
            then=q * ln2 / (2 * K**2 * X**2) * squares / prob <= 3 * ln2 / (4 * K * X**2) * squares,
        ),
        Implication(
            name="gap",
            statement="full = (3/2) ln2/(2 K X^2) ||g||^2 keeps the gap at most 0, and eta E ||g||^2 is not larger",
            given=(risk - loss + full / 2 <= 0, squares <= full),
            then=risk - loss + squares / 2 <= 0,
        ),
    ),
)

LN2 = ball(2).log()

as_printed = Implication(
    name="printed",
    statement="K p' = max(a, gamma) >= (1 - gamma) r/K + gamma for a label that is not on top",
    given=(*mixing, least <= 1, share >= (K - 1) * least / (1 + (K - 1) * least)),
    then=mix >= (1 - gamma) * least / K + gamma,
)


def at_zero():
    """W = 0, K = 2, X D = 1, gamma = 1/2: the softmax is (1/2, 1/2), so a = 1/2 and p' of the second label 1/4."""
    share = max(1 - Fraction(1, 2), Fraction(1, 2))
    q = ball(Fraction(1, 2)) * ball(-2).exp() / 2 + ball(Fraction(1, 2))
    return Instance({"K": 2, "W": "0", "X D": 1, "gamma": "1/2", "K p'": share}, q, share)


def random_round(rng):
    """The conditional gap of a round with one feature x = X = 1, from the definitions, in balls."""
    numbers = [8 * int(v) for v in rng.integers(-2, 3, int(rng.integers(2, 6)))]
    numbers[0] += 3  # two labels never tie: balls could not tell whether p* >= 1/2
    n, gamma, y = len(numbers), Fraction(int(rng.integers(0, 9)), 8), int(rng.integers(len(numbers)))
    radius = Fraction(isqrt(sum(v * v for v in numbers)) + 1, 16)
    scores = [Fraction(v, 16) for v in numbers]
    p = softmax(scores)
    a, top = gap_of(max(p, key=float)), scores.index(max(scores))
    mix = ball(gamma) if is_less(a, gamma) else a
    share = mix / n if y != top else 1 - mix + mix / n
    q = (1 - ball(gamma)) * ball(-2 * radius).exp() / n + ball(gamma)
    squares = sum((p[k] ** 2 for k in range(n) if k != y), (1 - p[y]) ** 2)
    gap = (1 - a) * (y != top) + a * (n - 1) / n + p[y].log() / LN2 + q / (4 * n**2 * LN2) * squares / share
    return Instance({"scores": scores, "y": y, "D": radius, "gamma": gamma}, gap, 0)


def softmax(scores):
    powers = [ball(s).exp() for s in scores]
    return [power / sum(powers, ball(0)) for power in powers]


def gap_of(top):
    return ball(1) if is_less(top, Fraction(1, 2)) else 1 - top


claims = (
    Claim(
        id="gaptron/t4-min-probability",
        kind="derived",
        source="van der Hoeven 2020, Theorem 4 (a natural derivation; the appendix was not available)",
        statement="under Theorem 4's parameters K p'(k) >= (1 - gamma) e^(-2DX)/K + gamma for every label k and every "
        "W with ||W|| <= D",
        tex=r"K p'_t(k) \ge (1-\gamma) \frac{e^{-2DX}}{K} + \gamma",
        grounds=Obligations(Lemma(name="Theorem 4, least probability as a sum", implications=(as_printed,))),
        recorded="REFUTED",
        finding="The prediction takes the maximum of a and gamma, so a label that is not on top has K p' = max(a, "
        "gamma), which is less than that sum whenever a <= gamma < 1. That sum is the least probability of another "
        "algorithm, which mixes the uniform distribution in on top of the gap map. Theorem 4 itself survives: see "
        "gaptron/t4-bound.",
        corrected=Corrected(
            statement="K p'(k) >= max{gamma, (K - 1) r/(1 + (K - 1) r)} with r = e^(-2DX)",
            tex=r"K p'_t(k) \ge \max\{\gamma, \frac{(K-1) r}{1 + (K-1) r}\},\ r = e^{-2DX}",
            grounds=(Obligations(probabilities),),
        ),
        second=Breaks(at_zero),
    ),
    Claim(
        id="gaptron/t4-gap",
        kind="derived",
        source="van der Hoeven 2020, Theorem 4 (a natural derivation; the appendix was not available)",
        statement="the surrogate gap with bandit feedback is at most 0 in conditional expectation, with the printed "
        "eta, for every gamma in [0, 1] (gamma = 0 included), K >= 2 and ||W|| <= D",
        tex=r"\mathbb{E}_t[(1-a_t) 1[y_t^\star \neq y_t] + a_t \frac{K-1}{K} - \ell_t(W_t)"
        r" + \frac{\eta}{2}\|g_t\|^2] \le 0",
        grounds=(
            Rests("gaptron/reduction-softmax"),
            Obligations(faster),
            Obligations(probabilities),
            Obligations(printed_rate),
        ),
        recorded="PROVED",
        finding="The derivation rests on gaptron/t4-min-probability, which is false: with max(a, gamma) in place of "
        "that sum, the learning rate is up to 3/2 times too large (K = 2, a = gamma = 1/2, DX near 0). Theorem "
        "1's gap inequality holds at 3/2 times its learning rate, so the claim is true all the same.",
        constants=(
            Constant(name="learning rate over that of max(a, gamma)", printed=1, best=Rational(3, 2), attained="K = 2"),
        ),
        second=Resists(random_round, 80),
    ),
)
