"""SOBA paper, Lemma 3: the sum of the quadratic terms is logarithmic.

**Problem.** z = v/sqrt(p), v = (e_ybar - e_y) (x) x with ||x|| <= X, and A_t = a I + the sum of z z' over the updates,
a matrix of N = dk rows. The sum of E[n z'A_t^{-1}z] is to be bounded, gamma > 0 (it may change from round to round).

**Algorithm.** SOBA.

**Theoretical guarantee.** **Upper bound**: N ln(1 + 2 X^2 T/(a N)). With s = z'A_{t-1}^{-1}z the determinant grows by
the factor 1 + s, and z'A_t^{-1}z = s/(1 + s) <= ln(1 + s); ln|A_T| <= N ln(tr A_T/N), tangent by tangent, as the
tangent of ln at the mean of the eigenvalues is above each of them; ||z||^2 = 2 ||x||^2/p, and E[1[draw = y]/p] = 1. The
rows of every z sum to zero, so all of it happens in a space of dimension d (k - 1): N may be d (k - 1) instead.

That N ln(1 + 2T/N) <= N ln T for a = X^2 fails at dk = 2, and at dk = 3, T = 2. But the sum itself is at most dk ln T
for all T >= 2: for dk = 2 the space is a line, so it is at most ln(1 + 2T) <= 2 ln T from T = 3 on; and E[n
z'A_t^{-1}z] <= 2/3 in every round, so it is at most 4/3 < 2 ln 2 at T = 2.

**References.** Beygelzimer, Orabona, Zhang 2017, Lemma 3.
"""

from collections.abc import Callable
from fractions import Fraction

import flint
import numpy as np
from sympy import Eq, Le, Rational, exp, log, symbols

from gaptron import Breaks, Claim, Corrected, Implication, Instance, Lemma, Obligations, Resists, Rests
from gaptron.instances.soba import mean
from gaptron.instances.soba_games import SobaGame, draw_game
from gaptron.numbers.evaluate import ball
from gaptron.symbols import K, T, X

prob, a, average, d_i, det, size = symbols("prob a average d_i det size", positive=True)
s, norm2, gain = symbols("s norm2 gain", nonnegative=True)
exponent, inverse, log_s, quad, p_i, grown, chance = symbols("exponent inverse log_s quad p_i grown chance", real=True)
log_det, log_start, quads, log_entry, log_average, value = symbols(
    "log_det log_start quads log_entry log_average value", real=True
)
entries, logs, count, trace, weights, entry, h = symbols("entries logs count trace weights entry h", real=True)

SOURCE = "Beygelzimer, Orabona, Zhang 2017, Lemma 3"

determinant = Lemma(
    name="SOBA, Lemma 3, the determinant",
    source=SOURCE,
    implications=(
        Implication(
            name="exponential",
            statement="exp(z) >= 1 + z",
            given=(),
            then=exp(exponent) >= 1 + exponent,
        ),
        Implication(
            name="quadratic term",
            statement="inverse = exp(-ln(1 + s)) = 1/(1 + s): z'A_t^{-1}z = s/(1 + s) <= ln(1 + s)",
            given=(inverse >= 1 - log_s, Eq(inverse * (1 + s), 1), Eq(quad * (1 + s), s)),
            then=quad <= log_s,
        ),
        Implication(
            name="determinant, one more coordinate",
            statement="|D + p p'| = |D| (1 + sum p_i^2/d_i) for D diagonal (A = L D L', p = L^{-1}z, s = sum "
            "p_i^2/d_i): expansion by the last row, |D + p p'| of n + 1 rows = d |D + p p'| of n rows + p^2 |D| of n "
            "rows",
            given=(Eq(grown, det * (1 + s)),),
            then=Eq(d_i * grown + p_i**2 * det, d_i * det * (1 + s + p_i**2 / d_i), evaluate=False),
        ),
        Implication(
            name="one more update",
            statement="the sum of the quadratic terms is at most ln|A_t| - ln|A_0|",
            given=(quads <= log_det - log_start, quad <= log_s),
            then=quads + quad <= (log_det + log_s) - log_start,
        ),
    ),
)

trace_bound = Lemma(
    name="SOBA, Lemma 3, determinant and trace",
    source=SOURCE,
    implications=(
        Implication(
            name="tangent of ln",
            statement="exp(z) >= 1 + z at z = ln(entry/average): ln entry <= ln average + entry/average - 1",
            given=(Eq(value * average, entry), value >= 1 + (log_entry - log_average)),
            then=log_entry <= log_average + entry / average - 1,
        ),
        Implication(
            name="one more eigenvalue",
            statement="the sum of their logarithms against count ln average + (sum - count average)/average",
            given=(
                logs <= count * log_average + (entries - count * average) / average,
                log_entry <= log_average + entry / average - 1,
            ),
            then=logs + log_entry <= (count + 1) * log_average + (entries + entry - (count + 1) * average) / average,
        ),
        Implication(
            name="at the mean",
            statement="average = sum/count: ln|A| <= N ln(tr A/N)",
            given=(Eq(entries, count * average), logs <= count * log_average + (entries - count * average) / average),
            then=logs <= count * log_average,
        ),
        Implication(
            name="Jensen, one more outcome",
            statement="E ln(1 + Y) <= ln(1 + E Y), the tangent at the mean: entry = 1 + Y of probability chance",
            given=(
                logs <= count * log_average + (entries - count * average) / average,
                log_entry <= log_average + entry / average - 1,
                chance >= 0,
            ),
            then=logs + chance * log_entry
            <= (count + chance) * log_average + (entries + chance * entry - (count + chance) * average) / average,
        ),
        Implication(
            name="trace",
            statement="||z||^2 = 2 ||x||^2/p <= 2 X^2/p: tr A_t - a N <= 2 X^2 (sum of n/p)",
            given=(trace <= 2 * X**2 * weights, Eq(gain * prob, 2 * norm2), norm2 <= X**2),
            then=trace + gain <= 2 * X**2 * (weights + 1 / prob),
        ),
        Implication(
            name="expected trace",
            statement="n = h if the draw is y: E[n/p] = h <= 1",
            given=(h <= 1,),
            then=prob * (h / prob) + (1 - prob) * 0 <= 1,
        ),
        Implication(
            name="one space for all",
            statement="the rows of v are x, -x and zero: they sum to zero, entry by entry",
            given=(),
            then=Eq(entry + (-entry), 0, evaluate=False),
        ),
    ),
)

special = Lemma(
    name="SOBA, Lemma 3, a = X^2",
    source=SOURCE,
    implications=(
        Implication(
            name="N >= 4",
            statement="1 + 2T/N <= T for T >= 2",
            given=(size >= 4, T >= 2),
            then=1 + 2 * T / size <= T,
        ),
        Implication(
            name="N = 3",
            statement="1 + 2T/3 <= T for T >= 3",
            given=(T >= 3,),
            then=1 + 2 * T / 3 <= T,
        ),
        Implication(
            name="N >= 2",
            statement="1 + 2T/N <= 1 + T",
            given=(size >= 2,),
            then=1 + 2 * T / size <= 1 + T,
        ),
        Implication(
            name="dk = 2",
            statement="d (k - 1) = 1: 1 + 2T <= T^2, so ln(1 + 2T) <= 2 ln T, for T >= 3",
            given=(T >= 3,),
            then=1 + 2 * T <= T**2,
        ),
        Implication(
            name="one round",
            statement="s <= ||z||^2/a <= 2/p: E[n z'A_t^{-1}z] <= p s/(1 + s) <= 2 p/(p + 2) <= 2/3",
            given=(s * prob <= 2, prob <= 1, Eq(quad * (1 + s), s)),
            then=prob * quad <= Rational(2, 3),
        ),
        Implication(
            name="T = 2",
            statement="two rounds: 4/3 <= 2 ln 2 <= dk ln 2",
            given=(),
            then=Le(Rational(4, 3), 2 * log(2), evaluate=False),
        ),
    ),
)


def quadratic_sum(game: SobaGame) -> flint.arb:
    """E of the sum of n z'A_t^{-1}z over all paths."""
    return ball(mean(game.paths, lambda path: sum(step.quadratic for step in path.steps if step.updated)))


def draw_bound(rank: bool) -> Callable[[np.random.Generator], Instance]:
    """Draws of three rounds against N ln(1 + 2 X^2 T/(a N)), N = dk or d (k - 1)."""

    def draw(rng: np.random.Generator) -> Instance:
        game = draw_game(rng, 3)
        size_ = len(game.stream[0][0]) * (game.n_classes - rank)
        ratio = 1 + 2 * game.norm2 * 3 / (game.regularizer * size_)
        return Instance(game.at, quadratic_sum(game), size_ * ball(ratio).log())

    return draw


def draw_left(rng: np.random.Generator) -> Instance:
    """Two or three rounds with a = X^2 against dk ln T."""
    T_ = int(rng.integers(2, 4))
    game = draw_game(rng, T_)
    game = SobaGame(game.stream, game.U, game.n_classes, game.exploration, game.norm2)
    return Instance(game.at, quadratic_sum(game), len(game.U) * ball(Fraction(T_)).log())


def special_fails() -> Instance:
    """d = 1, k = 3, T = 2: 3 ln(1 + 4/3) against 3 ln 2."""
    return Instance({"d": 1, "k": 3, "T": 2}, 3 * ball(Fraction(7, 3)).log(), 3 * ball(Fraction(2)).log())


SETTING = (
    "SOBA: g = (e_ybar - e_y) (x) x/p, p = P(draw = y), z = sqrt(p) g, A_t = a I + sum n z z', n = 1 in rounds with "
    "an update. "
)

claims = (
    Claim(
        id="soba/lemma3",
        source=SOURCE,
        statement=SETTING + "sum E[n z'A_t^{-1}z] <= dk ln(1 + 2 X^2 T/(a d k))",
        tex=r"\sum_t \mathrm{E}[n_t z_t^\top A_t^{-1} z_t] \le dk \ln\left(1 + \frac{2X^2T}{adk}\right)",
        grounds=(
            Rests("soba/sherman-morrison"),
            Rests("soba/lemma1-corrected"),
            Obligations(determinant),
            Obligations(trace_bound),
        ),
        recorded="PROVED",
        finding="It needs gamma > 0 and neither d >= 1, k >= 2 nor T >= 2. See soba/lemma3-rank for less.",
        second=Resists(draw_bound(rank=False), 25),
    ),
    Claim(
        id="soba/lemma3-rank",
        source=f"{SOURCE} (not claimed there)",
        statement=SETTING + "sum E[n z'A_t^{-1}z] <= d (k - 1) ln(1 + 2 X^2 T/(a d (k - 1)))",
        tex=r"\sum_t \mathrm{E}[n_t z_t^\top A_t^{-1} z_t] \le d(k-1) \ln\left(1 + \frac{2X^2T}{ad(k-1)}\right)",
        grounds=(
            Rests("soba/sherman-morrison"),
            Rests("soba/lemma1-corrected"),
            Obligations(determinant),
            Obligations(trace_bound),
        ),
        recorded="PROVED",
        finding="The k rows of every z sum to zero: the determinant and the trace may be taken on that space, which "
        "A_t maps to itself.",
        second=Resists(draw_bound(rank=True), 25),
    ),
    Claim(
        id="soba/lemma3-special",
        source=SOURCE,
        statement=SETTING + "a = X^2, d >= 1, k >= 2, T >= 2: the right side dk ln(1 + 2T/(dk)) is at most dk ln T",
        tex=r"dk\ln\left(1 + \frac{2T}{dk}\right) \le dk \ln T",
        grounds=Obligations(
            Lemma(
                name="SOBA, Lemma 3, a = X^2, as printed",
                source=SOURCE,
                implications=(
                    Implication(
                        name="d = 1",
                        statement="1 + 2T/k <= T for k >= 2 and T >= 2",
                        given=(T >= 2,),
                        then=1 + 2 * T / K <= T,
                    ),
                ),
            )
        ),
        recorded="REFUTED",
        finding="It says 1 + 2T/(dk) <= T, which is false for dk = 2 at every T, and for dk = 3 at T = 2. What is "
        "used of it, that the sum of Lemma 3 is at most dk ln T, is true all the same: soba/lemma3-left.",
        corrected=Corrected(
            statement="it is at most dk ln T if dk >= 4, or dk = 3 and T >= 3; and always at most dk ln(T + 1)",
            tex=r"dk\ln\left(1 + \frac{2T}{dk}\right) \le dk \ln(T + 1)",
            grounds=Obligations(special, "N *"),
        ),
        second=Breaks(special_fails),
    ),
    Claim(
        id="soba/lemma3-left",
        source=f"{SOURCE}, as used in Theorems 2, 4 and 5",
        statement=SETTING + "a = X^2, T >= 2: sum E[n z'A_t^{-1}z] <= dk ln T",
        tex=r"\sum_t \mathrm{E}[n_t z_t^\top A_t^{-1} z_t] \le dk \ln T",
        grounds=(Rests("soba/lemma3"), Rests("soba/lemma3-rank"), Obligations(special)),
        recorded="PROVED",
        finding="True although the printed proof, by way of dk ln(1 + 2T/(dk)), fails for dk = 2 and for dk = 3, T = "
        "2.",
        second=Resists(draw_left, 25),
    ),
)
