"""Notes, section 1: a lower bound for learners that learn from correct rounds only.

**Problem.** Two classes. The learner's probability p_t of label 1 is determined by the rounds it predicted correctly
(Assumption 1). The adversary's free space has volume 1 at first, and each new point uses up at most V of it.

**Algorithm.** The adversary's (Algorithm 1): the same round again after a mistake; else a new point of the free space,
with label 2 if p_t(x_t) >= 1 - epsilon and label 1 otherwise, epsilon = max{sqrt(V), 1/sqrt(T)}.

**Theoretical guarantee.** **Lower bounds**, Lemmas 3 and 4. Both need conditions that the notes do not state. Lemma 3:
with n = T - t + 1 rounds left the expected mistakes from round t on are sum_{j=1}^n (1 - q)^j with q <= epsilon, at
least (1 - epsilon)(1 - (1 - epsilon)^n)/epsilon; if n >= 1/epsilon and epsilon <= 1/2 that is at least
1/(4 epsilon) = min{1/sqrt(V), sqrt(T)}/4. In the last rounds it is false. Lemma 4: if total volume 1 is used up by at
most V a new point, the first min{T, 1/V} rounds have a free point, and the bound holds with constant 1.

**References.** Notes on bandit multiclass classification, Lemmas 3 and 4.
"""

from fractions import Fraction

import numpy as np
from sympy import Eq, Rational, symbols

from gaptron import (
    Argument,
    Breaks,
    Cases,
    Cite,
    Claim,
    Corrected,
    Implication,
    Instance,
    Lemma,
    Resists,
    Rests,
    Rounds,
    When,
)
from gaptron.symbols import T

V, epsilon, root_t, root_v, bound = symbols("V epsilon root_t root_v bound", positive=True)
q, total, mistakes, right = symbols("q total mistakes right", real=True)
n, power, least, used, spent = symbols("n power least used spent", nonnegative=True)

SMALLER = total >= least
CLOSED = Eq(epsilon * least, (1 - epsilon) * (1 - power), evaluate=False)
POWER = power * (1 + n * epsilon) <= 1

repeated = Lemma(
    name="Notes, Lemma 3",
    source="notes, Lemma 3",
    implications=(
        Implication(
            name="the least is not negative",
            statement="epsilon <= 1",
            given=(epsilon <= 1,),
            then=(1 - epsilon) * (1 + least) >= 0,
        ),
        Implication(
            name="less often right",
            statement="(1 - q)(1 + total) grows with total and falls with q: q <= epsilon costs at least as much",
            given=(q <= epsilon, epsilon <= 1, SMALLER),
            then=(1 - q) * (1 + total) >= (1 - epsilon) * (1 + least),
        ),
        Implication(
            name="the power is not negative",
            statement="epsilon <= 1",
            given=(epsilon <= 1,),
            then=power * (1 - epsilon) >= 0,
        ),
        Implication(
            name="one more round",
            statement="n + 1 rounds, right with probability epsilon each until the first time, cost (1 - epsilon) (1 + "
            "total of n)",
            given=(CLOSED,),
            then=Eq(
                epsilon * ((1 - epsilon) * (1 + least)), (1 - epsilon) * (1 - power * (1 - epsilon)), evaluate=False
            ),
        ),
        Implication(
            name="one more factor",
            statement="(1 - epsilon)^n <= 1/(1 + n epsilon): one more factor",
            given=(epsilon <= 1, POWER),
            then=power * (1 - epsilon) * (1 + (n + 1) * epsilon) <= 1,
        ),
        Implication(
            name="at most half",
            statement="epsilon <= 1/2 is at most 1",
            given=(epsilon <= Rational(1, 2),),
            then=epsilon <= 1,
        ),
        Implication(
            name="seldom right",
            statement="the other label is the true one",
            given=(right >= 1 - epsilon, Eq(q, 1 - right)),
            then=q <= epsilon,
        ),
        Implication(
            name="bound",
            statement="n epsilon >= 1 gives (1 - epsilon)^n <= 1/2; with epsilon <= 1/2 the total is at least "
            "1/(4 epsilon)",
            given=(SMALLER, CLOSED, POWER, n * epsilon >= 1, epsilon <= Rational(1, 2), Eq(bound * epsilon, 1)),
            then=total >= bound / 4,
        ),
    ),
)

fresh = Lemma(
    name="Notes, Lemma 4",
    source="notes, Lemma 4",
    implications=(
        Implication(
            name="more is used",
            statement="at most V by a point",
            given=(used <= n * V, spent <= V),
            then=used + spent <= (n + 1) * V,
        ),
        Implication(
            name="wrong",
            statement="right with probability at most 1 - epsilon",
            given=(right <= 1 - epsilon, Eq(q, 1 - right)),
            then=q >= epsilon,
        ),
        Implication(
            name="one more round",
            statement="each of these rounds is wrong with probability at least epsilon",
            given=(mistakes >= n * epsilon, q >= epsilon),
            then=mistakes + q >= (n + 1) * epsilon,
        ),
        Implication(
            name="all rounds",
            statement="T/sqrt(T) = sqrt(T)",
            given=(mistakes >= n * epsilon, n >= T, Eq(root_t**2, T), epsilon * root_t >= 1, bound <= root_t),
            then=mistakes >= bound,
        ),
        Implication(
            name="no space is left",
            statement="(1/V) sqrt(V) = 1/sqrt(V)",
            given=(
                mistakes >= n * epsilon,
                used <= n * V,
                used >= 1,
                Eq(root_v**2, V),
                epsilon >= root_v,
                bound * root_v <= 1,
            ),
            then=mistakes >= bound,
        ),
    ),
)

NAMES = {
    q: "P(right)", total: "E[mistakes from round t on]", right: "p_t(x_t)", n: "rounds left",
    power: "(1 - epsilon)^(rounds left)", least: "E[mistakes with P(right) = epsilon]",
    bound: "min{1/sqrt(V), sqrt(T)}",
}  # fmt: skip
HALF = {epsilon: Rational(1, 2), q: 0, right: 1, n: 2, power: Rational(1, 4), least: Rational(3, 4), total: 2, bound: 2}
SAME = "The same round until the learner is right, which it is with one probability each time"
more_often = Argument(
    name="notes, less often right",
    setting=SAME,
    symbols=NAMES,
    hypotheses=(q <= epsilon, epsilon <= 1),
    steps=(
        Rounds(
            SMALLER,
            {total: (0, (1 - q) * (1 + total)), least: (0, (1 - epsilon) * (1 + least))},
            repeated["less often right"],
            (q, epsilon),
            (repeated["the least is not negative"],),
        ),
    ),
    conclusion=SMALLER,
    example=HALF,
)
closed = Argument(
    name="notes, the sum of the powers",
    setting=SAME,
    symbols=NAMES,
    hypotheses=(epsilon <= 1,),
    steps=(
        Rounds(
            CLOSED,
            {least: (0, (1 - epsilon) * (1 + least)), power: (1, power * (1 - epsilon))},
            repeated["one more round"],
            (epsilon,),
            (repeated["the least is not negative"], repeated["the power is not negative"]),
        ),
    ),
    conclusion=CLOSED,
    example=HALF,
)
powers = Argument(
    name="notes, the powers",
    setting=SAME,
    symbols=NAMES,
    hypotheses=(epsilon <= 1,),
    steps=(
        Rounds(
            POWER,
            {power: (1, power * (1 - epsilon)), n: (0, n + 1)},
            repeated["one more factor"],
            (epsilon,),
            (repeated["the power is not negative"],),
        ),
    ),
    conclusion=POWER,
    example=HALF,
)
lemma3 = Argument(
    name="notes, Lemma 3",
    setting=SAME + ", the other label than the likely one being true",
    symbols=NAMES,
    hypotheses=(
        right >= 1 - epsilon, Eq(q, 1 - right), epsilon <= Rational(1, 2), n * epsilon >= 1, Eq(bound * epsilon, 1),
    ),
    steps=(
        repeated["at most half"],
        repeated["seldom right"],
        Cite(more_often),
        Cite(closed),
        Cite(powers),
        repeated["bound"],
    ),
    conclusion=total >= bound / 4,
    example=HALF,
)  # fmt: skip

FREE = {
    q: "P(mistake)", right: "p_s(x_s)", mistakes: "sum P(mistake)", n: "rounds with a new point", used: "volume used",
    spent: "volume used by a point", root_t: "sqrt(T)", root_v: "sqrt(V)", bound: "min{sqrt(T), 1/sqrt(V)}",
}  # fmt: skip
ONE = {
    epsilon: 1, q: 1, right: 0, mistakes: 1, n: 1, used: 1, spent: 1, root_t: 1, root_v: 1, bound: 1, T: 1, V: 1,
}  # fmt: skip
NEW = "A new point of the free space in every round, the whole volume one at first"
volumes = Argument(
    name="notes, volume used",
    setting=NEW,
    symbols=FREE,
    hypotheses=(spent <= V,),
    steps=(Rounds(used <= n * V, {used: (0, used + spent), n: (0, n + 1)}, fresh["more is used"], (V,)),),
    conclusion=used <= n * V,
    example=ONE,
)
wrong = Argument(
    name="notes, wrong rounds",
    setting=NEW,
    symbols=FREE,
    hypotheses=(right <= 1 - epsilon, Eq(q, 1 - right)),
    steps=(
        fresh["wrong"],
        Rounds(
            mistakes >= n * epsilon, {mistakes: (0, mistakes + q), n: (0, n + 1)}, fresh["one more round"], (epsilon,)
        ),
    ),
    conclusion=mistakes >= n * epsilon,
    example=ONE,
)
lemma4 = Argument(
    name="notes, Lemma 4",
    setting=NEW + ", until there is no round or no volume left",
    symbols=FREE,
    hypotheses=(
        spent <= V, right <= 1 - epsilon, Eq(q, 1 - right), When(n < T, (used >= 1,)), Eq(root_t**2, T),
        Eq(root_v**2, V), epsilon >= root_v, epsilon * root_t >= 1, bound <= root_t, bound * root_v <= 1,
    ),
    steps=(
        Cite(volumes),
        Cite(wrong),
        Cases({n >= T: (fresh["all rounds"],), n < T: (fresh["no space is left"],)}, (mistakes >= bound,)),
    ),
    conclusion=mistakes >= bound,
    example=ONE,
)  # fmt: skip


def total_of(q_: Fraction, rounds: int) -> Fraction:
    """sum_{j=1}^n (1 - q)^j, term by term."""
    return sum(((1 - q_) ** j for j in range(1, rounds + 1)), Fraction(0))


def lemma3_instance(rng: np.random.Generator) -> Instance:
    inverse = int(rng.integers(2, 20))
    rounds = inverse + int(rng.integers(0, 30))
    q_ = Fraction(int(rng.integers(0, 9)), 8 * inverse)
    return Instance(
        {"epsilon": Fraction(1, inverse), "q": q_, "n": rounds}, total_of(q_, rounds), Fraction(inverse, 4), ">="
    )


def last_round() -> Instance:
    """t = T = 10,000 and V = 1/10,000: at most one mistake, and min{1/sqrt(V), sqrt(T)}/4 = 25."""
    q_ = Fraction(1, 100)
    return Instance({"T": 10_000, "V": "1/10000", "t": 10_000, "q": q_}, total_of(q_, 1), Fraction(25), ">=")


def lemma4_instance(rng: np.random.Generator) -> Instance:
    root, other = int(rng.integers(1, 12)), int(rng.integers(1, 12))
    rounds, volume = root**2, Fraction(1, other**2)
    epsilon_ = max(Fraction(1, other), Fraction(1, root))
    return Instance({"T": rounds, "V": volume}, min(rounds, 1 / volume) * epsilon_, min(root, other), ">=")


claims = (
    Claim(
        id="notes/lemma3",
        kind="reading",
        quote=r"\mathbb{E}_t \left[ \sum_{s=t}^T \mathbf{1}[\tilde{y}_s \neq y_s] \right] \geq \Omega \left(\min "
        r"\left\{ \frac{1}{\sqrt{V}}, \sqrt{T} \right\} \right)",
        rough="(roughly)",
        source="notes, Lemma 3",
        grounds=lemma3,
        recorded="PROVED",
        finding="This is Lemma 3 with the two conditions that it needs and does not state: enough rounds left, "
        "and epsilon "
        "bounded away from 1.",
        second=Resists(lemma3_instance),
    ),
    Claim(
        id="notes/lemma3-any-round",
        quote=r"\mathbb{E}_t \left[ \sum_{s=t}^T \mathbf{1}[\tilde{y}_s \neq y_s] \right] \geq \Omega \left(\min "
        r"\left\{ \frac{1}{\sqrt{V}}, \sqrt{T} \right\} \right)",
        severity="D",
        cause="Lemma 3 does not ask for enough rounds to be left, nor for epsilon to be bounded away from 1",
        patch="add: with T - t + 1 >= 1/epsilon and epsilon = max{sqrt(V), 1/sqrt(T)} <= 1/2",
        rough="(roughly)",
        source="notes, Lemma 3",
        statement="the same for every t <= T, as printed, with the constant 1/4",
        grounds=Breaks(last_round),
        recorded="REFUTED",
        finding="In the last round there is at most one mistake, and min{1/sqrt(V), sqrt(T)} is as large as one "
        "likes, so no "
        "constant will do.",
        corrected=Corrected(
            statement="true if T - t + 1 >= 1/epsilon rounds are left and epsilon <= 1/2",
            grounds=Rests("notes/lemma3"),
        ),
    ),
    Claim(
        id="notes/lemma4",
        kind="reading",
        quote=r"then $\sum_{s=1}^T \mathbb{E}_s[\mathbf{1}[\tilde{y}_s \neq y_s]] = \Omega\left(\min\left\{\sqrt{T}, "
        r"\frac{1}{\sqrt{V}}\right\}\right)",
        severity="D",
        cause="Lemma 4 does not state that the total volume is 1, which its proof assumes",
        patch="add to Lemma 4: the free space has volume at least 1 at the start",
        source="notes, Lemma 4",
        grounds=lemma4,
        recorded="PROVED",
        finding="It needs the total volume 1, which the proof assumes in passing; a round repeats the same "
        "point after a "
        "mistake, which uses up nothing.",
        second=Resists(lemma4_instance),
    ),
)
