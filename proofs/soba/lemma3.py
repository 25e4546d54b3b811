"""SOBA paper, Lemma 3: the sum of the quadratic terms is logarithmic.

**Problem.** z = v/sqrt(p), v = (e_ybar - e_y) (x) x with ||x|| <= X, and A_t = a I + the sum of z z' over the updates,
a matrix of N = dk rows. The sum of E[n z'A_t^{-1}z] is to be bounded, gamma > 0 (it may change from round to round).

**Algorithm.** SOBA.

**Theoretical guarantee.** **Upper bound**: N ln(1 + 2 X^2 T/(a N)). With s = z'A_{t-1}^{-1}z the determinant grows by
the factor 1 + s, and z'A_t^{-1}z = s/(1 + s) <= ln(1 + s); ln|A_T| <= N ln(tr A_T/N), tangent by tangent, as the
tangent of ln at the mean of the eigenvalues is above each of them; ||z||^2 = 2 ||x||^2/p, and E[1[draw = y]/p] = 1. The
rows of every z sum to zero, so all of it happens in a space of dimension d (k - 1): N may be d (k - 1) instead.

**References.** Beygelzimer, Orabona, Zhang 2017, Lemma 3.
"""

from collections.abc import Callable

import flint
import numpy as np

from gaptron import Claim, InProof, Instance, Resists
from gaptron.instances.soba import mean
from gaptron.instances.soba_games import SobaGame, draw_game
from gaptron.numbers.evaluate import ball

FILE = "second_order.proof"
SOURCE = "Beygelzimer, Orabona, Zhang 2017, Lemma 3"


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


claims = (
    Claim(
        id="soba/lemma3",
        quote=r"Lemma 3. If $d \ge 1$, $k \ge 2$, $T \ge 2$, then",
        source=SOURCE,
        statement="SOBA: z = v/sqrt(p), v = (e_ybar - e_y) (x) x, A_t = a I + sum n z z', n = 1 in rounds with an "
        "update, ||x|| <= X, exploration gamma > 0 that may change. E[sum n z'A_t^{-1}z] <= dk ln(1 + 2 X^2 T/(a dk))",
        grounds=InProof(FILE, "soba/lemma3"),
        recorded="PROVED",
        finding="It needs gamma > 0 and neither d >= 1, k >= 2 nor T >= 2. See soba/lemma3-rank for less.",
        second=Resists(draw_bound(rank=False), 25),
    ),
    Claim(
        id="soba/lemma3-rank",
        kind="improvement",
        source=f"{SOURCE} (not claimed there)",
        statement="SOBA as in Lemma 3: E[sum n z'A_t^{-1}z] <= d (k - 1) ln(1 + 2 X^2 T/(a d (k - 1)))",
        grounds=InProof(FILE, "soba/lemma3-rank"),
        recorded="PROVED",
        finding="The k rows of every z sum to zero: the determinant and the trace may be taken on that space, which "
        "A_t maps to itself.",
        second=Resists(draw_bound(rank=True), 25),
    ),
)
