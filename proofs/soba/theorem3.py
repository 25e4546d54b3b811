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
from sympy import Eq, symbols

from gaptron import (
    Argument,
    Average,
    Cases,
    Cite,
    Claim,
    Implication,
    InProof,
    Instance,
    Lemma,
    Put,
    Resists,
    Rounds,
)
from gaptron.instances.by_hand import dot
from gaptron.instances.soba import mean
from gaptron.instances.soba_games import SobaGame, draw_game
from gaptron.numbers.evaluate import ball
from gaptron.symbols import K, gamma
from gaptron.theory.soba import (
    COUNTED,
    DRAWS,
    E_LEMMA2,
    EXPLORED,
    LOSSES,
    MEANS,
    NAMES,
    POINT,
    SOBA,
    WEIGHTS,
    E_costs,
    E_firsts,
    E_quads,
    E_seconds,
    E_top,
    V,
    a,
    eta,
    expected_regret,
    f,
    first,
    firsts,
    h,
    loss,
    loss_s,
    losses,
    means,
    quadratic_terms,
    score,
    score_j,
    score_y,
    second,
    seconds,
    top,
    wrong,
)

value, bigger = symbols("value bigger", real=True)

FILE = "second_order.proof"
SOURCE = "Beygelzimer, Orabona, Zhang 2017"


ROUND_BY_ROUND = eta * (2 - eta) * top <= eta * (2 - eta) * losses - 2 * firsts - seconds
QUADRATIC = Eq(eta * (2 - eta) * value, eta * (2 - eta) - (2 * eta * score - eta**2 * score**2), evaluate=False)
ANY_EXPLORATION = E_top <= losses + a * eta * V / (2 - eta) + E_costs / (eta * (2 - eta))
BOUND = E_top <= losses + a * eta * V / (2 - eta) + K * E_quads / (gamma * eta * (2 - eta))

theorem3 = Lemma(
    name="SOBA, Theorem 3",
    source=f"{SOURCE}, Theorem 3",
    implications=(
        Implication(
            name="within the roots",
            statement="s <= (2 - eta)/eta",
            given=(score_y - score_j <= (2 - eta) / eta, Eq(score, score_y - score_j)),
            then=eta * score <= 2 - eta,
        ),
        Implication(
            name="up to 1",
            statement="l_eta(s) = f(s)",
            given=(eta <= 1, Eq(loss_s, f(score)), loss_s <= loss),
            then=f(score) <= loss,
        ),
        Implication(
            name="beyond 1",
            statement="f is not positive between its roots",
            given=(eta <= 1, score > 1, eta * score <= 2 - eta),
            then=f(score) <= loss,
        ),
        Implication(
            name="the quadratic",
            statement="eta (2 - eta) f(s) = eta (2 - eta) - (2 eta s - eta^2 s^2)",
            given=(eta <= 1,),
            then=QUADRATIC.xreplace({value: f(score)}),
        ),
        Implication(
            name="at most the loss",
            statement="h f(s) <= loss",
            given=(h <= 1, value <= loss),
            then=h * value <= loss,
        ),
        Implication(
            name="the top label",
            statement="1[yhat != y] <= h",
            given=(eta <= 1, wrong <= h),
            then=eta * (2 - eta) * wrong <= eta * (2 - eta) * h,
        ),
        Implication(
            name="the loss",
            statement="h f(s) <= loss, times eta (2 - eta)",
            given=(eta <= 1, h * value <= loss),
            then=eta * (2 - eta) * h * value <= eta * (2 - eta) * loss,
        ),
        Implication(
            name="one round",
            statement="together",
            given=(
                eta * (2 - eta) * wrong <= eta * (2 - eta) * h,
                eta * (2 - eta) * h * value <= eta * (2 - eta) * loss,
                QUADRATIC,
                MEANS,
            ),
            then=eta * (2 - eta) * wrong <= eta * (2 - eta) * loss - 2 * first - second,
        ),
        Implication(
            name="one more round",
            statement="mistakes of the top label, losses of U, means given the past",
            given=(ROUND_BY_ROUND, eta * (2 - eta) * wrong <= eta * (2 - eta) * loss - 2 * first - second),
            then=eta * (2 - eta) * (top + wrong)
            <= eta * (2 - eta) * (losses + loss) - 2 * (firsts + first) - (seconds + second),
        ),
        Implication(
            name="divide",
            statement="Lemma 2 at eta U in expectation, and the mistakes of the top label",
            given=(
                eta <= 1,
                E_LEMMA2,
                eta * (2 - eta) * E_top <= eta * (2 - eta) * losses - 2 * E_firsts - E_seconds,
            ),
            then=ANY_EXPLORATION,
        ),
        Implication(
            name="explored",
            statement="with E[sum n g'A_t^{-1}g] <= bigger the same holds with bigger",
            given=(eta <= 1, E_costs <= bigger, ANY_EXPLORATION),
            then=E_top <= losses + a * eta * V / (2 - eta) + bigger / (eta * (2 - eta)),
        ),
    ),
)

quadratic = Argument(
    name="SOBA, Theorem 3, the quadratic",
    setting="A round, s the margin of U against one label",
    symbols=NAMES,
    hypotheses=LOSSES,
    steps=(
        Cite("soba/eta-range", {"u_i": "u_y", "u_j": "u_ybar"}, part="the range of eta"),
        theorem3["within the roots"],
        Cite("soba/loss-monotone", {"x": "margin", "y": "s"}),
        Cases({score <= 1: (theorem3["up to 1"],), score > 1: (theorem3["beyond 1"],)}, (f(score) <= loss,)),
    ),
    conclusion=f(score) <= loss,
    example=POINT,
)
mistakes = Argument(
    name="SOBA, Theorem 3, mistakes of the top label",
    setting=SOBA,
    symbols=NAMES,
    hypotheses=(*LOSSES, *COUNTED, *DRAWS),
    steps=(
        Cite(quadratic),
        Cite(means),
        theorem3["the quadratic"],
        Put(theorem3["at most the loss"], {value: f(score)}),
        theorem3["the top label"],
        Put(theorem3["the loss"], {value: f(score)}),
        Put(theorem3["one round"], {value: f(score)}),
        Rounds(
            ROUND_BY_ROUND,
            {
                top: (0, top + wrong),
                losses: (0, losses + loss),
                firsts: (0, firsts + first),
                seconds: (0, seconds + second),
            },
            theorem3["one more round"],
            (eta,),
        ),
    ),
    conclusion=ROUND_BY_ROUND,
    example=POINT,
)
any_exploration = Argument(
    name="SOBA, Theorem 3, any exploration",
    setting=SOBA,
    symbols=NAMES,
    hypotheses=(*LOSSES, *COUNTED, *DRAWS, *WEIGHTS),
    steps=(
        Cite(mistakes),
        Average(ROUND_BY_ROUND, {top: E_top, firsts: E_firsts, seconds: E_seconds}, (eta, losses)),
        Cite(expected_regret),
        theorem3["divide"],
    ),
    conclusion=ANY_EXPLORATION,
    example=POINT,
)
for_all_rates = Argument(
    name="SOBA, Theorem 3",
    setting=SOBA,
    symbols=NAMES,
    hypotheses=(*LOSSES, *COUNTED, *DRAWS, *EXPLORED, *WEIGHTS),
    steps=(
        Cite(any_exploration),
        Cite(quadratic_terms),
        Put(theorem3["explored"], {bigger: K / gamma * E_quads}),
    ),
    conclusion=BOUND,
    example=POINT,
)


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
        grounds=(for_all_rates, any_exploration, InProof(FILE, "soba/t3-first"), InProof(FILE, "soba/t3-any-rates")),
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
