"""Theorem 4, the gap inequality at the printed learning rate.

**Problem.** As in Theorem 4: bandit feedback, the base-2 logistic loss, ||x|| <= X, weights with ||W|| <= D.

**Algorithm.** Gaptron with the gap map of Theorem 1, any exploration rate gamma and the printed learning rate
eta = ln 2 q/(2 K^2 X^2), q = (1 - gamma) r/K + gamma, r = e^(-2DX).

**Theoretical guarantee.** The gap is at most 0 in conditional expectation, for every gamma in [0, 1]. One would like
K p' >= q for the probability p' of every label, which is **false** (the paper's proof is in an appendix that was not
available): p' = max(a, gamma)/K for a label that is not on top, and q > gamma unless gamma = 1. True is
K p' >= max(a, gamma) with a >= (K - 1) r/(1 + (K - 1) r), and q is at most 3/2 times that; Theorem 1's gap inequality
has enough slack for 3/2 times its learning rate. (If the uniform distribution were mixed in on top of the gap map, as
p' = (1 - gamma) ((1 - a) e_{y*} + a/K) + gamma/K, then K p' >= q would be true.)

**References.** van der Hoeven 2020, Theorem 4.
"""

from fractions import Fraction
from math import isqrt

from sympy import Eq, Le, Piecewise, Rational, exp, log, symbols

from gaptron import (
    Argument,
    Average,
    Breaks,
    Cases,
    Cite,
    Claim,
    Constant,
    Corrected,
    GapMap,
    Implication,
    Instance,
    Lemma,
    Let,
    Obligations,
    Put,
    Resists,
    Rests,
    Rounds,
    SoftmaxLoss,
    Theorem,
    Use,
    When,
)
from gaptron.numbers.evaluate import ball, is_less
from gaptron.symbols import D, K, X, gamma, p
from gaptron.theory import facts
from gaptron.theory.lemma1 import (
    GAP,
    READS,
    RISK,
    ROUND,
    E_gap,
    a,
    convex_of,
    eta,
    gap,
    gap_of,
    loss,
    miss,
    mix,
    squares,
)

first, second, apart, full_gap, E_loss, prob = symbols("first second apart full_gap E_loss prob", real=True)
top, part, least, power, q, faster_eta, ln2 = symbols("top part least power q faster_eta ln2", positive=True)
others, count, row_top, row, norm2 = symbols("others count row_top row norm2", nonnegative=True)
full_loss, full_squares, E_squares = symbols("full_loss full_squares E_squares", nonnegative=True)
MEAN_GAP = Eq(E_gap, RISK - E_loss + eta * E_squares / 2)

faster = Theorem(
    name="Theorem 1 at 3/2 times its learning rate",
    source="van der Hoeven 2020, Theorem 1",
    loss=SoftmaxLoss(-log(p, 2)),
    gap_map=GapMap(Piecewise((1 - p, p >= Rational(1, 2)), (1, True))),
    learning_rate=3 * log(2) / (4 * K),
)

LN2_ = log(2)
MIXING = (mix >= a, mix >= gamma, Eq((mix - a) * (mix - gamma), 0))
RATE = Eq(q, (1 - gamma) * least / K + gamma)
SLOWER = Eq(eta, LN2_ * q / (2 * K**2 * X**2))
FASTER = 3 * LN2_ / (4 * K)

probabilities = Lemma(
    name="Theorem 4, probabilities on the ball",
    source="van der Hoeven 2020, Theorem 4 (our derivation)",
    implications=(
        Implication(
            name="scores",
            statement="two scores of W with ||W|| <= D, ||x|| <= X differ by at most 2 D X",
            given=(
                first**2 <= row_top * norm2,
                second**2 <= row * norm2,
                row_top + row <= D**2,
                norm2 <= X**2,
                Eq(apart, first - second),
            ),
            then=apart <= 2 * D * X,
        ),
        Implication(
            name="powers",
            statement="p_k/p* = e^(-apart) >= r = e^(-2 D X)",
            given=(apart <= 2 * D * X,),
            then=exp(-apart) >= exp(-2 * D * X),
        ),
        Implication(
            name="powers by name",
            statement="r = e^(-2 D X)",
            given=(exp(-apart) >= exp(-2 * D * X), Eq(power, exp(-apart)), Eq(least, exp(-2 * D * X))),
            then=power >= least,
        ),
        Implication(
            name="exponential",
            statement="e^(-2 D X) <= 1",
            given=(),
            then=Le(exp(-2 * D * X), 1, evaluate=False),
        ),
        Implication(
            name="r <= 1",
            statement="r = e^(-2 D X)",
            given=(Eq(least, exp(-2 * D * X)), Le(exp(-2 * D * X), 1, evaluate=False)),
            then=least <= 1,
        ),
        Implication(
            name="ratio",
            statement="p_k >= r p*",
            given=(power >= least, Eq(part, top * power)),
            then=part >= least * top,
        ),
        Implication(
            name="one more class",
            statement="others = the sum of count probabilities, each at least r p*",
            given=(others >= count * least * top, part >= least * top),
            then=others + part >= (count + 1) * least * top,
        ),
        Implication(
            name="the other classes",
            statement="there are K - 1 others",
            given=(others >= count * least * top, Eq(count, K - 1), Eq(others, 1 - top)),
            then=1 - top >= (K - 1) * least * top,
        ),
        Implication(
            name="top probability",
            statement="p* <= 1/(1 + (K - 1) r) if the other K - 1 are at least r p*",
            given=(1 - top >= (K - 1) * least * top,),
            then=top <= 1 / (1 + (K - 1) * least),
        ),
        Implication(
            name="gap map",
            statement="a >= 1 - p*: a >= (K - 1) r/(1 + (K - 1) r)",
            given=(a >= 1 - top, top <= 1 / (1 + (K - 1) * least)),
            then=a >= (K - 1) * least / (1 + (K - 1) * least),
        ),
        Implication(
            name="gap map of 1",
            statement="a = 1",
            given=(Eq(a, 1),),
            then=a >= 1 - top,
        ),
        Implication(
            name="gap map at most 1",
            statement="a = 1 - p*",
            given=(Eq(a, 1 - top),),
            then=a <= 1,
        ),
        Implication(
            name="least probability",
            statement="K p' >= max(a, gamma) for a label not on top",
            given=(Eq(prob, mix / K),),
            then=K * prob >= mix,
        ),
        Implication(
            name="at most 1",
            statement="p' <= 1 for a label not on top",
            given=(Eq(prob, mix / K), mix <= 1),
            then=prob <= 1,
        ),
        Implication(
            name="least probability, top label",
            statement="K p' >= max(a, gamma) for the top label",
            given=(mix <= 1, Eq(prob, 1 - mix + mix / K)),
            then=K * prob >= mix,
        ),
        Implication(
            name="at most 1, top label",
            statement="p' <= 1 for the top label",
            given=(mix >= gamma, Eq(prob, 1 - mix + mix / K)),
            then=prob <= 1,
        ),
        Implication(
            name="max(a, gamma)",
            statement="it is at most 1",
            given=(a <= 1, gamma <= 1, Eq((mix - a) * (mix - gamma), 0)),
            then=mix <= 1,
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
            given=(a >= 1 - top, a <= 1, 1 - top >= (K - 1) * least * top),
            then=(1 - a) * least <= a / (K - 1),
        ),
        Implication(
            name="positive",
            statement="p' > 0, as 1 - p* >= (K - 1) r p*",
            given=(K * prob >= mix, mix >= a, a >= 1 - top, 1 - top >= (K - 1) * least * top),
            then=prob > 0,
        ),
        Implication(
            name="rate against exploration",
            statement="q <= (3/2) max(a, gamma)",
            given=(*MIXING, a <= 1, RATE, least <= 1, (1 - a) * least <= a / (K - 1)),
            then=q <= Rational(3, 2) * mix,
        ),
        Implication(
            name="rate against the probability",
            statement="q <= (3/2) K p'",
            given=(q <= Rational(3, 2) * mix, K * prob >= mix),
            then=q <= Rational(3, 2) * K * prob,
        ),
        Implication(
            name="rates",
            statement="eta = q ln2/(2 K^2 X^2) <= p' times (3/2) ln2/(2 K X^2)",
            given=(
                q <= Rational(3, 2) * K * prob,
                Eq(eta, ln2 * q / (2 * K**2 * X**2)),
                Eq(faster_eta, 3 * ln2 / (4 * K) / X**2),
            ),
            then=eta <= faster_eta * prob,
        ),
        Implication(
            name="variance",
            statement="eta E ||g||^2 = eta ||h||^2/p'",
            given=(prob > 0, eta <= faster_eta * prob, Eq(E_squares, full_squares / prob)),
            then=eta * E_squares <= faster_eta * full_squares,
        ),
        Implication(
            name="gap",
            statement="the gap at 3/2 times the learning rate of Theorem 1 is at most 0, and eta E ||g||^2 no larger",
            given=(
                full_gap <= 0,
                Eq(full_gap, RISK - full_loss + faster_eta * full_squares / 2),
                eta * E_squares <= faster_eta * full_squares,
                Eq(E_loss, full_loss),
                MEAN_GAP,
            ),
            then=E_gap <= 0,
        ),
    ),
)

NAMES = READS | {
    E_gap: "E[the surrogate gap]", E_squares: "E[||g||^2]", E_loss: "E[l(W)]", prob: "p'(y)", top: "p*",
    part: "p_k", others: "sum of the other probabilities", count: "number of other labels", least: "r", power: "p_k/p*",
    first: "<row of y*, x>", second: "<row of k, x>", row_top: "||row of y*||^2", row: "||row of k||^2",
    norm2: "||x||^2", full_loss: "f(W)", full_squares: "||h||^2", full_gap: "the surrogate gap'", faster_eta: "eta'",
}  # fmt: skip
HALF = Rational(1, 2)
POINT = ROUND | {
    D: 1, X: 1, first: 0, second: 0, row_top: 0, row: 0, norm2: 1, apart: 0, power: 1, least: exp(-2), part: HALF,
    top: HALF, others: HALF, count: 1, a: HALF, gamma: 1, mix: 1, q: 1, prob: HALF, eta: LN2_ / 8, loss: 2, squares: 0,
    gap: -Rational(7, 4), miss: 0, full_loss: 1, full_squares: 0, E_squares: 0, E_loss: 1, E_gap: -Rational(3, 4),
}  # fmt: skip
ON_THE_BALL = (
    row_top + row <= D**2, norm2 <= X**2, Eq(apart, first - second), Eq(power, exp(-apart)), Eq(part, top * power),
    Eq(least, exp(-2 * D * X)),
)  # fmt: skip

ratio = Argument(
    name="least ratio of the probabilities",
    setting="W in the ball of radius D, apart the score of the top label minus that of another label k",
    symbols=NAMES,
    hypotheses=ON_THE_BALL,
    steps=(
        Use(facts.CAUCHY_SCHWARZ, {"u": "row of y*", "v": "x"}),
        Use(facts.CAUCHY_SCHWARZ, {"u": "row of k", "v": "x"}),
        probabilities["scores"],
        probabilities["powers"],
        probabilities["powers by name"],
        probabilities["ratio"],
    ),
    conclusion=part >= least * top,
    example=POINT,
)

other_classes = Argument(
    name="the other labels",
    setting="Any number of other labels",
    symbols=NAMES,
    hypotheses=(part >= least * top,),
    steps=(
        Rounds(
            invariant=others >= count * least * top,
            state={others: (0, others + part), count: (0, count + 1)},
            step=probabilities["one more class"],
            fixed=(least, top),
        ),
    ),
    conclusion=others >= count * least * top,
    example=POINT,
)

SPREAD = (*ON_THE_BALL, Eq(others, 1 - top), Eq(count, K - 1))
spread = Argument(
    name="top probability on the ball",
    setting="W in the ball of radius D, apart the score of the top label minus that of another label k",
    symbols=NAMES,
    hypotheses=SPREAD,
    steps=(
        Cite(ratio),
        Cite(other_classes),
        probabilities["the other classes"],
        probabilities["top probability"],
    ),
    conclusion=(1 - top >= (K - 1) * least * top, top <= 1 / (1 + (K - 1) * least)),
    example=POINT,
)

LOGISTIC_MAP = (When(top >= HALF, (Eq(a, 1 - top),)), When(top < HALF, (Eq(a, 1),)))
gap_map = Argument(
    name="gap map on the ball",
    setting="The gap map a of Theorem 1 at the largest probability",
    symbols=NAMES,
    hypotheses=LOGISTIC_MAP,
    steps=(
        Cases(
            {
                top >= HALF: (probabilities["gap map at most 1"],),
                top < HALF: (probabilities["gap map of 1"],),
            },
            (a >= 1 - top, a <= 1),
        ),
    ),
    conclusion=(a >= 1 - top, a <= 1),
    example=POINT,
)

PREDICTED = (
    When("y* = y", (Eq(prob, 1 - mix + mix / K),)),
    When("not y* = y", (Eq(prob, mix / K),)),
)
ESTIMATES = ("l(W) is f(W)/p'(y) with probability p'(y), else 0", "g is h/p'(y) with probability p'(y), else 0")
PARAMETERS = (gamma <= 1, RATE, SLOWER)

printed_gap = Argument(
    name="Theorem 4, gap",
    setting="Theorem 4 with bandit feedback, f the logistic loss and h its gradient, W in the ball of radius D, apart "
    "the score of the top label minus that of another label k",
    symbols=NAMES,
    hypotheses=(*SPREAD, *LOGISTIC_MAP, *MIXING, *PREDICTED, *ESTIMATES, *PARAMETERS, GAP),
    steps=(
        Cite(spread),
        Cite(gap_map),
        probabilities["max(a, gamma)"],
        Cases(
            {
                "y* = y": (probabilities["least probability, top label"], probabilities["at most 1, top label"]),
                "not y* = y": (probabilities["least probability"], probabilities["at most 1"]),
            },
            (K * prob >= mix, prob <= 1),
        ),
        printed_rate["gap map against r"],
        printed_rate["positive"],
        probabilities["exponential"],
        probabilities["r <= 1"],
        printed_rate["rate against exploration"],
        Use(facts.WEIGHTED, {"e": "l(W)", "v": "f(W)", "p": "p'(y)"}),
        Use(facts.WEIGHTED_SQUARE, {"e": "g", "g": "h", "p": "p'(y)"}),
        Let(faster_eta, FASTER / X**2),
        Let(full_gap, RISK - full_loss + faster_eta * full_squares / 2),
        printed_rate["rate against the probability"],
        Put(printed_rate["rates"], {ln2: LN2_}),
        printed_rate["variance"],
        Cite(gap_of(faster), {"gap": "gap'", "eta": "eta'"}),
        Average(GAP, {gap: E_gap, loss: E_loss, squares: E_squares}, (a, miss, K, eta)),
        printed_rate["gap"],
    ),
    conclusion=E_gap <= 0,
    example=POINT,
)

LN2 = ball(2).log()

as_printed = Implication(
    name="printed",
    statement="K p' = max(a, gamma) >= (1 - gamma) r/K + gamma for a label that is not on top",
    given=(*MIXING, least <= 1, a >= (K - 1) * least / (1 + (K - 1) * least)),
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
    a, top = map_of(max(p, key=float)), scores.index(max(scores))
    mix = ball(gamma) if is_less(a, gamma) else a
    share = mix / n if y != top else 1 - mix + mix / n
    q = (1 - ball(gamma)) * ball(-2 * radius).exp() / n + ball(gamma)
    squares = sum((p[k] ** 2 for k in range(n) if k != y), (1 - p[y]) ** 2)
    gap = (1 - a) * (y != top) + a * (n - 1) / n + p[y].log() / LN2 + q / (4 * n**2 * LN2) * squares / share
    return Instance({"scores": scores, "y": y, "D": radius, "gamma": gamma}, gap, 0)


def softmax(scores):
    powers = [ball(s).exp() for s in scores]
    return [power / sum(powers, ball(0)) for power in powers]


def map_of(top):
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
            grounds=(spread, gap_map),
        ),
        second=Breaks(at_zero),
    ),
    Claim(
        id="gaptron/t4-gap",
        kind="derived",
        source="van der Hoeven 2020, Theorem 4 (a natural derivation; the appendix was not available)",
        grounds=(Rests("gaptron/reduction-softmax"), printed_gap, spread, gap_map, convex_of(faster)),
        recorded="PROVED",
        finding="A natural derivation, ours, rests on gaptron/t4-min-probability, which is false: with max(a, gamma) "
        "in place of that sum, the learning rate is up to 3/2 times too large (K = 2, a = gamma = 1/2, DX near 0). "
        "Theorem 1's gap inequality holds at 3/2 times its learning rate, so the claim is true all the same.",
        constants=(
            Constant(
                name="learning rate over that of max(a, gamma)",
                sharp="argument",
                printed=1,
                best=Rational(3, 2),
                attained="K = 2",
            ),
        ),
        second=Resists(random_round, 80),
    ),
)
