"""SOBA paper, Lemma 4: an exploration rate that adapts to the quadratic terms.

**Problem.** c_1, ..., c_T in [0, b], b > 0, revealed one after the other. The sum of gamma_t + a c_t/gamma_t is to be
small.

**Algorithm.** gamma_t = min{sqrt((b + c_1 + ... + c_{t-1})/t), 1}.

**Theoretical guarantee.** With C = c_1 + ... + c_T the sum is at most (2 + 2 a) sqrt(T) sqrt(b + C) + a C:
1/sqrt(t) <= 2 (sqrt(t) - sqrt(t - 1)), and c_t/sqrt(b + C_{t-1}) <= c_t/sqrt(C_t) <= 2 (sqrt(C_t) - sqrt(C_{t-1})) as
c_t <= b. In the text at hand the root covers b only, with the sum of the c_t beside it; that is false.

The best fixed rate costs at least 2 sqrt(a T C) if a C <= T, else T + a C. If C >= b and a >= 1 the adaptive one is
within the factor 7 sqrt(a) of it; with a = 1/(eta (2 - eta)) this grows as eta -> 0, and no constant factor will do:
the rate does not know eta.

**References.** Beygelzimer, Orabona, Zhang 2017, appendix A, Lemma 4; Auer et al. 2002, Lemma 3.5.
"""

from fractions import Fraction

import flint
import numpy as np
from sympy import Eq, symbols

from gaptron import (
    Breaks,
    Claim,
    Constant,
    Corrected,
    Implication,
    InProof,
    Instance,
    Lemma,
    Obligations,
    Resists,
    Rests,
)
from gaptron.instances.soba_games import require
from gaptron.numbers.evaluate import ball

a, rate, y, N = symbols("a rate y N", positive=True)

SOURCE = "Beygelzimer, Orabona, Zhang 2017, Lemma 4"
FILE = "second_order.proof"


def adaptive_rates(c_: list[Fraction], b_: Fraction) -> list[flint.arb]:
    """gamma_t, exactly 1 where it is clipped."""
    ratios_ = [(b_ + sum(c_[:t], Fraction(0))) / (t + 1) for t in range(len(c_))]
    return [ball(ratio).sqrt() if ratio < 1 else ball(Fraction(1)) for ratio in ratios_]


def cost(c_: list[Fraction], rates_: list[flint.arb], a_: Fraction) -> flint.arb:
    """The sum of gamma_t + a c_t/gamma_t."""
    return sum((g_ + ball(a_ * entry) / g_ for entry, g_ in zip(c_, rates_, strict=True)), ball(Fraction(0)))


def draw_sequence(rng: np.random.Generator) -> tuple[list[Fraction], Fraction, Fraction]:
    """c, b and a."""
    b_ = Fraction(int(rng.integers(1, 9)), 8)
    c_ = [b_ * int(n) / 4 for n in rng.integers(0, 5, int(rng.integers(1, 9)))]
    return c_, b_, Fraction(int(rng.integers(1, 9)), 2)


def draw_bound(rng: np.random.Generator) -> Instance:
    """Draws of a sequence against (2 + 2 a) sqrt(T (b + C)) + a C."""
    c_, b_, a_ = draw_sequence(rng)
    all_ = sum(c_, Fraction(0))
    right = ball(2 + 2 * a_) * ball(len(c_) * (b_ + all_)).sqrt() + ball(a_ * all_)
    return Instance({"c": c_, "b": b_, "a": a_}, cost(c_, adaptive_rates(c_, b_), a_), right)


def as_it_stands() -> Instance:
    """T = 9, c_t = b = 1/16, a = 1: gamma_t = 1/4 throughout, all rational."""
    t, b_, root = 9, Fraction(1, 16), Fraction(1, 4)
    require(all((b_ + s * b_) / (s + 1) == root**2 for s in range(t)), "gamma_t = 1/4")
    left = t * (root + b_ / root)
    return Instance({"T": t, "c_t": b_, "b": b_, "a": 1}, left, 4 * 3 * root + t * b_ + t * b_)


def one_late_term() -> Instance:
    """b = 4, T = 2500, c_T = 4 alone, eta = 1/1000: the adaptive cost against ten times that of gamma = 9/10.

    gamma_t = min(2/sqrt(t), 1); only the last of its terms and a c_T/gamma_T are counted.
    """
    at, t, root = Fraction(1, 1000), 2500, 50
    a_ = 1 / (at * (2 - at))
    last = Fraction(2, root)
    fixed = Fraction(9, 10) * t + a_ * 4 / Fraction(9, 10)
    setting = {"b": 4, "T": t, "c_T": 4, "c_t": 0, "eta": at, "fixed gamma": "9/10"}
    return Instance(setting, last + a_ * 4 / last, 10 * fixed)


def draw_factor(rng: np.random.Generator) -> Instance:
    """Draws of a sequence with C >= b and a >= 1: the adaptive cost against 7 sqrt(a) times the best fixed one."""
    c_, b_, a_ = draw_sequence(rng)
    c_, a_ = [b_, *c_], max(a_, Fraction(1))
    all_, t = sum(c_, Fraction(0)), len(c_)
    fixed = ball(t + a_ * all_) if a_ * all_ >= t else 2 * ball(a_ * t * all_).sqrt()
    return Instance({"c": c_, "b": b_, "a": a_}, cost(c_, adaptive_rates(c_, b_), a_), 7 * ball(a_).sqrt() * fixed)


def refuted(name: str, statement: str, given: tuple, then) -> Obligations:
    """The obligation of one false implication."""
    false = Implication(name=name, statement=statement, given=given, then=then)
    return Obligations(Lemma(name=name, source=SOURCE, implications=(false,)))


SETTING = "gamma_t = min(sqrt((b + c_1 + ... + c_{t-1})/t), 1). "

claims = (
    Claim(
        id="soba/lemma4",
        quote=r"\le (2+2a)\sqrt{T} \sqrt{b} + \sum_{t=1}^{T} c_t + a \sum_{t=1}^{T} c_t",
        severity="D",
        cause="the root of Lemma 4 ends too early",
        patch="read sqrt(b + sum c_t) for sqrt(b) + sum c_t",
        source=SOURCE,
        statement="c_t in [0, b], a > 0, gamma_t = min(sqrt((b + c_1 + ... + c_{t-1})/t), 1): sum (gamma_t + a "
        "c_t/gamma_t) <= (2 + 2 a) sqrt(T) sqrt(b) + sum c_t + a sum c_t",
        tex=r"\sum_t \left(\gamma_t + a\frac{c_t}{\gamma_t}\right) \le (2+2a)\sqrt{T}\sqrt{b} + \sum_t c_t + a\sum_t "
        r"c_t",
        grounds=Breaks(as_it_stands),
        recorded="REFUTED",
        finding="The root must cover b + sum c_t, as at the end of the proof and where Theorem 5 uses the lemma: in "
        "the text at hand, perhaps a scan of it, it ends after b.",
        corrected=Corrected(
            statement="... <= (2 + 2 a) sqrt(T) sqrt(b + sum c_t) + a sum c_t, b > 0",
            tex=r"(2+2a)\sqrt{T}\sqrt{b + \sum_t c_t} + a\sum_t c_t",
            grounds=Rests("soba/lemma4-proof"),
        ),
        second=refuted(
            "constant terms",
            "c_t = b = rate^2 < 1, T = N^2: (1 + a) N^2 rate <= (2 + 2 a) N rate + (1 + a) N^2 rate^2",
            (rate < 1,),
            (1 + a) * N**2 * rate <= (2 + 2 * a) * N * rate + (1 + a) * N**2 * rate**2,
        ),
    ),
    Claim(
        id="soba/lemma4-proof",
        kind="reading",
        quote=r"\le (2+2a)\sqrt{T} \sqrt{b} + \sum_{t=1}^{T} c_t + a \sum_{t=1}^{T} c_t",
        source=f"{SOURCE}, proof",
        statement=SETTING
        + "c_t in [0, b], a > 0: sum (gamma_t + a c_t/gamma_t) <= (2 + 2 a) sqrt(T) sqrt(b + sum c_t) + a sum c_t",
        grounds=InProof(FILE, "soba/lemma4-proof"),
        recorded="PROVED",
        second=Resists(draw_bound, 100),
    ),
    Claim(
        id="soba/adaptive-constant-factor",
        kind="reading",
        quote="the adaptive tuning would result in a bound within a constant factor of that achieved by the best "
        "fixed γ in hindsight",
        source="Beygelzimer, Orabona, Zhang 2017, appendix A",
        statement=SETTING
        + "for every c_t in [0, b] and 0 < eta <= 1 the adaptive rates make sum (gamma_t + c_t/(eta (2 - eta) "
        "gamma_t)) at most a constant (10 here) times what the best fixed gamma in (0, 1] does",
        grounds=Breaks(one_late_term),
        recorded="REFUTED",
        finding="The rates do not know eta, the best fixed one, sqrt(C/(eta (2 - eta) T)), does: the factor grows as "
        "1/sqrt(eta (2 - eta)). With one term c_T = b at the end it is at least 1/(2 sqrt(eta (2 - eta))). It is a "
        "constant for a fixed eta, and Theorem 5 has 1/eta where the best tuning of Theorem 2 has 1/sqrt(eta).",
        corrected=Corrected(
            statement="if sum c_t >= b the factor is at most 7/sqrt(eta (2 - eta))",
            tex=r"\frac{7}{\sqrt{\eta(2-\eta)}}",
            grounds=Rests("soba/adaptive-factor"),
        ),
        constants=(
            Constant(
                name="best fixed cost", printed="a constant", attained="between 1/2 and 7 times 1/sqrt(eta (2 - eta))"
            ),
        ),
        second=(
            refuted(
                "one late term",
                "b = 4, T = N^2, c_T = 4 alone, y^2 = a: a b/gamma_T = 2 a N <= 10 (2 sqrt(a T b)) = 40 y N",
                (Eq(y**2, a), N >= 4 * y),
                2 * a * N <= 40 * y * N,
            ),
        ),
    ),
    Claim(
        id="soba/adaptive-factor",
        kind="reading",
        quote="the adaptive tuning would result in a bound within a constant factor of that achieved by the best "
        "fixed γ in hindsight",
        source="Beygelzimer, Orabona, Zhang 2017, appendix A, made true",
        statement=SETTING
        + "0 < eta <= 1, C = sum c_t but b if that is more: sum (gamma_t + c_t/(eta (2 - eta) gamma_t)) <= "
        "7/sqrt(eta (2 - eta)) (gamma T + C/(eta (2 - eta) gamma)) for every gamma in (0, 1]",
        grounds=InProof(FILE, "soba/adaptive-factor"),
        recorded="PROVED",
        second=Resists(draw_factor, 100),
    ),
)
