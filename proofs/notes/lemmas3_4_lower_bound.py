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

from gaptron import Breaks, Claim, Corrected, InProof, Instance, Resists, Rests

FILE = "lower.proof"


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
        statement="right with probability q <= epsilon until the first time: with n rounds left E[mistakes] >= "
        "(1 - epsilon) n/(1 + n epsilon), at least 1/(4 epsilon) if n >= 1/epsilon and epsilon <= 1/2",
        grounds=(InProof(FILE, "notes/lemma3"), InProof(FILE, "notes/lemma3-constant")),
        recorded="PROVED",
        finding="This is Lemma 3 with the two conditions that it needs and does not state: enough rounds left, and "
        "epsilon bounded away from 1.",
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
        finding="In the last round there is at most one mistake, and min{1/sqrt(V), sqrt(T)} is as large as one likes, "
        "so no constant will do.",
        corrected=Corrected(
            statement="true if T - t + 1 >= 1/epsilon rounds are left and epsilon <= 1/2", grounds=Rests("notes/lemma3")
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
        statement="total volume 1, at most V used by a point: sum E_s[1[wrong]] >= min{sqrt(T), 1/sqrt(V)}",
        grounds=InProof(FILE, "notes/lemma4"),
        recorded="PROVED",
        finding="It needs the total volume 1, which the proof assumes in passing; a round repeats the same point after "
        "a mistake, which uses up nothing.",
        second=Resists(lemma4_instance),
    ),
)
