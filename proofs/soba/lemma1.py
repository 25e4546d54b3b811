"""SOBA paper, Lemma 1: the expected update, and what the exploration costs.

**Problem.** K classes, bandit feedback. In a round yhat is the top label, ybar the best label other than the true y,
v = (e_ybar - e_y) (x) x, and p the probability of y under (1 - gamma) e_yhat + gamma/K.

**Algorithm.** SOBA: g = v/p and z = v/sqrt(p) if the draw is y; the update indicator n is 1 if it is and the sum of
margins stays non-negative (q). h = 1[yhat != y] + q 1[yhat = y] does not depend on the draw.

**Theoretical guarantee.** If p > 0, then n = h 1[draw = y], so E[n <U, g>] = h <U, v> and E[n <U, z>^2] = h <U, v>^2.
In print the first has -v in place of v: a sign that is right again where Lemma 1 is used, as Lemma 2 has -g. At gamma =
0 and yhat != y the true label has p = 0: g is not defined, and expectations of 1[draw = y] times anything are 0. The
draw is wrong with probability (1 - gamma) 1[yhat != y] + gamma (K - 1)/K, which makes inequality (6) an identity with
less on the right.

**References.** Beygelzimer, Orabona, Zhang 2017, section 4, Lemma 1, inequality (6).
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
from sympy import Eq, symbols

from gaptron import Breaks, Claim, Constant, Corrected, Implication, InProof, Instance, Lemma, Obligations, Resists
from gaptron.instances.soba import Step, column, inner, mean, paths
from gaptron.instances.soba_games import draw_game
from gaptron.symbols import K, gamma

prob = symbols("prob", positive=True)
seen, unseen, product, h, q, chance = symbols("seen unseen product h q chance", real=True)
wrong = symbols("wrong", nonnegative=True)

FILE, ALGORITHM = "updates.proof", "second_order.proof"
SOURCE = "Beygelzimer, Orabona, Zhang 2017"


def conditional(
    left: Callable[[Step, Fraction], Any], right: Callable[[Step, Fraction], Any]
) -> Callable[[np.random.Generator], Instance]:
    """Draws of the mean of ``left`` over the last round's draw, given the past, against ``right``.

    Both are functions of the round and of <U, v>.
    """

    def draw(rng: np.random.Generator) -> Instance:
        game = draw_game(rng)
        found = game.paths
        past = found[int(rng.integers(len(found)))].steps[:-1]
        same = [path for path in found if all(a.drawn == b.drawn for a, b in zip(path.steps, past, strict=False))]
        total = sum(path.probability for path in same)
        means = [
            sum(
                path.probability / total * side(path.steps[-1], inner(column(game.U), path.steps[-1].v))
                for path in same
            )
            for side in (left, right)
        ]
        return Instance(game.at, means[0], means[1], "=")

    return draw


def one_round(exploration: Fraction, label: int, value: Callable[[Step, Fraction], Any]) -> Fraction:
    """Two classes, x = 1, W = 0 (so yhat = 0), U = (1, 0): the mean over the draw."""
    found = paths([([Fraction(1)], label)], 2, exploration, Fraction(1))
    U = column([Fraction(1), Fraction(0)])
    return mean(found, lambda path: value(path.steps[0], inner(U, path.steps[0].v)))


def first_line_printed() -> Instance:
    """The first line of Lemma 1 as printed, by enumeration of the draws."""
    left = one_round(Fraction(1, 2), 1, lambda step, uv: step.updated * uv / step.p)
    right = one_round(Fraction(1, 2), 1, lambda step, uv: step.counted * -uv)
    return Instance({"K": 2, "gamma": "1/2", "x": 1, "y": 1, "W": 0, "U": (1, 0)}, left, right, "=")


def g_line_printed() -> Instance:
    """The last line for G_t as printed, with 1[yhat != y], where yhat = y and q = 1."""
    left = one_round(Fraction(1, 2), 0, lambda step, uv: step.updated * (step.top == step.label) * uv / step.p)
    right = one_round(Fraction(1, 2), 0, lambda step, uv: (step.top != step.label) * step.positive * -uv)
    return Instance({"K": 2, "gamma": "1/2", "x": 1, "y": 0, "W": 0, "U": (1, 0)}, left, right, "=")


def h_line_printed() -> Instance:
    """The last line for H_t as printed, where yhat != y."""
    left = one_round(Fraction(1, 2), 1, lambda step, uv: step.updated * (step.top != step.label) * uv / step.p)
    right = one_round(Fraction(1, 2), 1, lambda step, uv: (step.top != step.label) * -uv)
    return Instance({"K": 2, "gamma": "1/2", "x": 1, "y": 1, "W": 0, "U": (1, 0)}, left, right, "=")


def no_exploration() -> Instance:
    """gamma = 0, yhat = 0, y = 1: the draw is never y, so E[1[draw = y] <U, z>^2] = 0, but <U, v>^2 = 1."""
    distribution = {0: Fraction(1), 1: Fraction(0)}
    left = sum((chance / distribution[1] for draw, chance in distribution.items() if draw == 1 and chance), Fraction(0))
    return Instance({"K": 2, "gamma": 0, "x": 1, "y": 1, "W": 0, "U": (1, 0)}, left, Fraction(1), "=")


def mistakes_by_enumeration(rng: np.random.Generator) -> Instance:
    """E[M] over all paths against the identity."""
    game = draw_game(rng, 3)
    g, k = game.exploration, game.n_classes
    made = mean(game.paths, lambda path: sum(not step.drawn for step in path.steps))
    top = mean(game.paths, lambda path: sum(step.top != step.label for step in path.steps))
    return Instance(game.at, made, (1 - g) * top + g * Fraction(k - 1, k) * len(game.stream), "=")


def floor_by_enumeration(rng: np.random.Generator) -> Instance:
    """E[M] over all paths against gamma (K - 1)/K T."""
    game = draw_game(rng, 3)
    made = mean(game.paths, lambda path: sum(not step.drawn for step in path.steps))
    return Instance(game.at, game.exploration * Fraction(game.n_classes - 1, game.n_classes) * len(game.stream), made)


printed_sign = Implication(
    name="first line as printed",
    statement="E[n <U, g>] = h <U, (e_y - e_ybar) (x) x> = -h <U, v>",
    given=(Eq(seen, h * product / prob), prob < 1, Eq(unseen, 0), h > 0, product > 0),
    then=Eq(prob * seen + (1 - prob) * unseen, -h * product),
)
printed_g = Implication(
    name="G_t as printed",
    statement="E[G <U, g>] = 1[yhat != y] q <U, .> where wrong = 1[yhat != y] is 0",
    given=(Eq(wrong, 0), Eq(seen, q * (1 - wrong) * product / prob), prob < 1, Eq(unseen, 0), Eq(q, 1)),
    then=Eq(prob * seen + (1 - prob) * unseen, wrong * q * product),
)
at_zero = Implication(
    name="gamma = 0",
    statement="chance = P(draw = y) = 0: the mean of 1[draw = y] <U, z>^2 is chance seen + 0 = <U, v>^2",
    given=(Eq(gamma, 0), Eq(chance, gamma / K), Eq(unseen, 0)),
    then=Eq(chance * seen + (1 - chance) * unseen, product**2),
)

SETTING = (
    "SOBA, one round: p = P(draw = y), v = (e_ybar - e_y) (x) x, g = v/p, z = v/sqrt(p), n = 1 if an update is made, "
    "q = 1 if the sum of margins stays >= 0, h = 1[yhat != y] + q 1[yhat = y]. "
)

claims = (
    Claim(
        id="soba/unbiased",
        quote=r"\mathbb{E}_{t-1}[\mathbbm{1}[y_t = \tilde{y}_t] \, \boldsymbol{g}_t] &= (\boldsymbol{e}_{\bar{y}_t} "
        r"- \boldsymbol{e}_{y_t}) \otimes \boldsymbol{x}_t",
        source=f"{SOURCE}, section 4, before Lemma 1",
        statement=SETTING
        + "E[1[draw = y] <U, g>] = <U, v> and E[1[draw = y] <U, z>^2] = <U, v>^2 for every U, as p >= gamma/K > 0",
        grounds=(InProof(ALGORITHM, "soba/unbiased"), InProof(ALGORITHM, "soba/law")),
        recorded="PROVED",
        finding="At gamma = 0 see soba/gamma-zero.",
        second=(
            Resists(conditional(lambda step, uv: step.drawn * uv / step.p, lambda _, uv: uv), 30),
            Resists(conditional(lambda step, uv: step.drawn * uv**2 / step.p, lambda _, uv: uv**2), 30),
        ),
    ),
    Claim(
        id="soba/lemma1",
        quote=r"\mathbb{E}_{t-1}\left[n_t \left\langle \boldsymbol{U}, \, \boldsymbol{g}_t \right\rangle\right] = "
        r"h_t \left\langle \boldsymbol{U}, \, \left(\boldsymbol{e}_{y_t} - \boldsymbol{e}_{\bar{y}_t}\right) \otimes "
        r"\boldsymbol{x}_t \right\rangle",
        severity="D",
        cause="the sign of Lemma 1's first line is flipped, in the lemma and in its proof",
        patch="read e_ybar - e_y for e_y - e_ybar in the first line of Lemma 1 and in the first display of its proof",
        source=f"{SOURCE}, Lemma 1",
        statement=SETTING
        + "E[n <U, g>] = h <U, (e_y - e_ybar) (x) x> and E[n <U, z>^2] = h <U, (e_y - e_ybar) (x) x>^2, with "
        "g = (e_ybar - e_y) (x) x/p as in Algorithm 1",
        tex=r"\mathrm{E}[n \langle U, g\rangle] = h \langle U, (e_y - e_{\bar y}) \otimes x\rangle",
        grounds=Obligations(
            Lemma(name="SOBA, Lemma 1 as printed", source=f"{SOURCE}, Lemma 1", implications=(printed_sign,))
        ),
        recorded="REFUTED",
        finding="The sign of the first line is flipped: g points from y to ybar, as the identity before the lemma has "
        "it. The second line is true. Theorem 3 uses Lemma 1 with the right sign, so nothing that follows is wrong.",
        corrected=Corrected(
            statement="E[n <U, g>] = h <U, (e_ybar - e_y) (x) x>, the second line as printed; p > 0",
            tex=r"\mathrm{E}[n \langle U, g\rangle] = h \langle U, (e_{\bar y} - e_y) \otimes x\rangle",
            grounds=InProof(ALGORITHM, "soba/lemma1-corrected"),
        ),
        second=Breaks(first_line_printed),
    ),
    Claim(
        id="soba/lemma1-corrected",
        kind="reading",
        quote=r"\mathbb{E}_{t-1}\left[n_t \left\langle \boldsymbol{U}, \, \boldsymbol{g}_t \right\rangle\right] = "
        r"h_t \left\langle \boldsymbol{U}, \, \left(\boldsymbol{e}_{y_t} - \boldsymbol{e}_{\bar{y}_t}\right) \otimes "
        r"\boldsymbol{x}_t \right\rangle",
        source=f"{SOURCE}, Lemma 1, the sign corrected",
        statement=SETTING + "n = h 1[draw = y], E[n <U, g>] = h <U, v> and E[n <U, z>^2] = h <U, v>^2",
        grounds=InProof(ALGORITHM, "soba/lemma1-corrected"),
        recorded="PROVED",
        second=(
            Resists(conditional(lambda step, uv: step.updated * uv / step.p, lambda step, uv: step.counted * uv), 30),
            Resists(
                conditional(lambda step, uv: step.updated * uv**2 / step.p, lambda step, uv: step.counted * uv**2), 60
            ),
        ),
    ),
    Claim(
        id="soba/lemma1-proof",
        quote=r"&= \mathbb{1}[\hat{y}_t \neq y_t] q_t \left\langle \boldsymbol{U} , \, (\boldsymbol{e}_{y_t} - "
        r"\boldsymbol{e}_{\bar{y}_t}) \otimes \boldsymbol{x}_t \right\rangle",
        severity="D",
        cause="the sign of Lemma 1's first line is flipped, in the lemma and in its proof",
        patch="in the last line for G_t read 1[yhat_t = y_t] for 1[yhat_t != y_t], and e_ybar - e_y",
        source=f"{SOURCE}, proof of Lemma 1",
        statement=SETTING + "the displays: E[H <U, g>] = 1[yhat != y] <U, (e_y - e_ybar) (x) x> and "
        "E[G <U, g>] = 1[yhat != y] q <U, (e_y - e_ybar) (x) x>",
        grounds=Obligations(
            Lemma(name="SOBA, display for G_t as printed", source=f"{SOURCE}, Lemma 1", implications=(printed_g,))
        ),
        recorded="REFUTED",
        finding="Two slips. Both displays have the sign of Lemma 1's first line; and the last line for G_t has "
        "1[yhat != y] for 1[yhat = y], although G_t is zero unless yhat = y. The lemma, its sign corrected, holds.",
        corrected=Corrected(
            statement="E[H <U, g>] = 1[yhat != y] <U, v> and E[G <U, g>] = 1[yhat = y] q <U, v>, v = (e_ybar - e_y) "
            "(x) x",
            grounds=InProof(ALGORITHM, "soba/lemma1-parts"),
        ),
        second=(Breaks(g_line_printed), Breaks(h_line_printed)),
    ),
    Claim(
        id="soba/gamma-zero",
        quote=r"Regularization parameter a > 0, exploration parameter $\gamma \in [0, 1]$",
        severity="D",
        cause="Algorithm 1 allows gamma = 0, which its analysis does not",
        patch="read gamma in (0, 1] for gamma in [0, 1]",
        source=f"{SOURCE}, Algorithm 1",
        statement=SETTING
        + "gamma in [0, 1] is an admissible input, and the displays of section 4 hold at gamma = 0 too",
        grounds=Obligations(
            Lemma(name="SOBA, unbiased at gamma = 0", source=f"{SOURCE}, section 4", implications=(at_zero,))
        ),
        recorded="REFUTED",
        finding="At gamma = 0 a label other than yhat is never drawn: the expectations are 0 and not those stated, "
        "Theorems 2 and 3 divide by 0, and no round with yhat != y can ever teach anything. gamma in (0, 1] is meant.",
        corrected=Corrected(
            statement="gamma in (0, 1]: then p >= gamma/K > 0 in every round and the displays hold",
            grounds=(InProof(ALGORITHM, "soba/unbiased"), InProof(ALGORITHM, "soba/law")),
        ),
        second=Breaks(no_exploration),
    ),
    Claim(
        id="soba/inequality6",
        quote=r"\mathbb{E}[M_T] \le \mathbb{E}[\hat{M}_T] + \gamma T",
        source=f"{SOURCE}, inequality (6)",
        statement="Draws from the top label mixed with the uniform distribution by gamma: E[M_T] = (1 - gamma) "
        "E[Mhat_T] + gamma (K - 1)/K T <= E[Mhat_T] + gamma T",
        grounds=InProof(FILE, "soba/inequality6"),
        recorded="PROVED",
        finding="It is an identity with less on the right: E[M_T] = (1 - gamma) E[Mhat_T] + gamma (K - 1)/K T.",
        constants=(
            Constant(
                name="gamma T",
                sharp="bound",
                printed=1,
                best=(K - 1) / K,
                attained="whenever yhat is always right; always with (1 - gamma) E[Mhat_T] for E[Mhat_T]",
            ),
        ),
        second=Resists(mistakes_by_enumeration, 25),
    ),
    Claim(
        id="soba/exploration-floor",
        quote=r"the best possible error rate is lower bounded by $\frac{k-1}{k}\gamma$ due to exploration",
        source=f"{SOURCE}, section 5",
        statement="draws from the top label mixed with the uniform distribution by gamma: E[M_T] >= gamma (K - 1)/K T",
        grounds=InProof(FILE, "soba/exploration-floor"),
        recorded="PROVED",
        second=Resists(floor_by_enumeration, 25),
    ),
)
