"""SOBA paper, Theorem 3: expected mistakes of the top label against a whole family of losses at once.

**Problem.** K classes, bandit feedback, ||x_t|| <= X. L_eta(U) is the sum of l_eta(U, (x_t, y_t)); every U and every
eta with 0 < eta <= min(1, 2/(2 max ||u_k|| X + 1)) may be compared with.

**Algorithm.** SOBA with gamma in (0, 1], which needs neither U nor eta.

**Theoretical guarantee.** **Upper bound**: with V = ||U||^2 and Q = sum E[n z'A_t^{-1}z],

    E[Mhat] <= L_eta(U) + a eta V/(2 - eta) + K Q/(gamma eta (2 - eta)).

Lemma 2 at eta U, in expectation by Lemma 1, is E[sum h (2 eta s - eta^2 s^2)] <= a eta^2 V + (K/gamma) Q with
s = (U x)_y - (U x)_ybar; and eta (2 - eta) f(s) = eta (2 - eta) - 2 eta s + eta^2 s^2, f(s) <= l_eta(s) <= l_eta of the
margin.

**References.** Beygelzimer, Orabona, Zhang 2017, Theorem 3.
"""

from collections.abc import Callable
from fractions import Fraction

import flint
import numpy as np

from gaptron import Claim, InProof, Instance, Resists
from gaptron.instances.by_hand import dot
from gaptron.instances.soba import mean
from gaptron.instances.soba_games import SobaGame, draw_game
from gaptron.numbers.evaluate import ball

FILE = "second_order.proof"
SOURCE = "Beygelzimer, Orabona, Zhang 2017"


def draw_bound(quadratic: Callable[[SobaGame], flint.arb]) -> Callable[[np.random.Generator], Instance]:
    """Draws of three rounds: E[Mhat] by enumeration against its bound, at the largest eta."""

    def draw(rng: np.random.Generator) -> Instance:
        game = draw_game(rng, 3)
        eta_ = game.largest_eta()
        made = mean(game.paths, lambda path: sum(step.top != step.label for step in path.steps))
        fixed = game.losses(eta_) + game.regularizer * eta_ / (2 - eta_) * dot(game.U, game.U)
        scale = game.n_classes / (game.exploration * eta_ * (2 - eta_))
        return Instance(game.at | {"eta": eta_}, ball(Fraction(made)), ball(fixed) + quadratic(game) * ball(scale))

    return draw


def enumerated(game: SobaGame) -> flint.arb:
    """E of the sum of n z'A_t^{-1}z."""
    return ball(mean(game.paths, lambda path: sum(step.quadratic for step in path.steps if step.updated)))


def logarithmic(game: SobaGame) -> flint.arb:
    """dk ln(1 + 2 X^2 T/(a d k))."""
    size = len(game.U)
    return size * ball(1 + 2 * game.norm2 * len(game.stream) / (game.regularizer * size)).log()


SETTING = (
    "SOBA: g = (e_ybar - e_y) (x) x/p, p = P(draw = y), z = sqrt(p) g, A_t = a I + sum n z z', n = 1 in rounds with "
    "an update. Mhat are the mistakes of the top label, 0 < eta <= min(1, 2/(2 max ||u_k|| X + 1)), 0 < gamma <= 1. "
)

claims = (
    Claim(
        id="soba/t3-first",
        quote=r"\leq L_{\eta}(\boldsymbol{U}) + \frac{a\eta \|\boldsymbol{U}\|_F^2}{2-\eta} + "
        r"\frac{k\sum_{t=1}^{T}\mathbb{E}[\boldsymbol{n}_t\boldsymbol{z}_t^T\boldsymbol{A}_t^{-1}\boldsymbol{z}_t]}{"
        r"\gamma\eta(2-\eta)}",
        source=f"{SOURCE}, Theorem 3",
        statement=SETTING + "E[Mhat] <= L_eta(U) + a eta ||U||^2/(2 - eta) + k E[sum n z'A_t^{-1}z]/(gamma eta "
        "(2 - eta)); with rates that change, the last term is E[sum n g'A_t^{-1}g]/(eta (2 - eta))",
        grounds=(InProof(FILE, "soba/t3-first"), InProof(FILE, "soba/t3-any-rates")),
        recorded="PROVED",
        finding="The condition on eta may be relaxed to 2/(1 + the largest difference of two scores of U).",
        second=Resists(draw_bound(enumerated), 20),
    ),
    Claim(
        id="soba/t3-second",
        quote=r"\frac{dk^2\ln\left(1 + \frac{2TX^2}{a\,d\,k}\right)}{\gamma\eta(2-\eta)}",
        source=f"{SOURCE}, Theorem 3",
        statement=SETTING + "E[Mhat] <= L_eta(U) + a eta ||U||^2/(2 - eta) + "
        "d k^2 ln(1 + 2 X^2 T/(a dk))/(gamma eta (2 - eta))",
        grounds=InProof(FILE, "soba/t3-second"),
        recorded="PROVED",
        second=Resists(draw_bound(logarithmic), 20),
    ),
    Claim(
        id="soba/separable-logarithmic",
        kind="reading",
        quote=r"it is easy to show that in SOBA $\hat{y}_t$ makes a logarithmic number of mistakes in the separable "
        "case, with a constant rate of exploration",
        source=f"{SOURCE}, section 6",
        statement=SETTING + "If U has no loss, L_eta(U) = 0: E[Mhat] <= a eta ||U||^2/(2 - eta) + "
        "d k^2 ln(1 + 2 X^2 T/(a dk))/(gamma eta (2 - eta))",
        grounds=InProof(FILE, "soba/t3-second"),
        recorded="PROVED",
    ),
)
