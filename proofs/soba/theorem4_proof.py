"""SOBA paper, proof of Theorem 4: the hinge loss, for every eta, and the best eta.

**Problem.** K classes, bandit feedback, ||x_t|| <= X, L = L_0(U) the sum of the multiclass hinge losses of U, T >= 2
rounds.

**Algorithm.** SOBA with a = X^2.

**Theoretical guarantee.** With V = X^2 ||U||^2, B = d K^2 ln T/(2 gamma) and S = E[sum h]: S <= L + (S + 1/2) eta V +
B/eta for every eta > 0, best at eta = sqrt(B/(V (S + 1/2))): S <= L + 2 sqrt(V B (S + 1/2)). The print has this eta
without its root, and no factor 2.

**References.** Beygelzimer, Orabona, Zhang 2017, proof of Theorem 4. "Adding eta E[sum h] and dividing by eta" is 2
eta.
"""

from fractions import Fraction

import flint
import numpy as np
from sympy import Eq, Rational, symbols

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
from gaptron.instances.by_hand import dot
from gaptron.instances.soba import mean
from gaptron.instances.soba_games import SobaGame, draw_game
from gaptron.numbers.evaluate import ball

B, eta, v = symbols("B eta v", positive=True)
S, L, y = symbols("S L y", nonnegative=True)

SOURCE = "Beygelzimer, Orabona, Zhang 2017, Theorem 4"
FILE = "second_order.proof"
HALF = Rational(1, 2)


def log_term(game: SobaGame) -> flint.arb:
    """d K^2 ln T/(2 gamma)."""
    return len(game.U) * game.n_classes * ball(Fraction(len(game.stream))).log() / ball(2 * game.exploration)


def parts(game: SobaGame) -> tuple[Fraction, Fraction, Fraction]:
    """S = E sum h by enumeration, L_0(U) and V."""
    counted = mean(game.paths, lambda path: sum(step.counted for step in path.steps))
    return counted, game.losses(Fraction(0)), dot(game.U, game.U) * game.norm2


def draw_for_every_eta(rng: np.random.Generator) -> Instance:
    """Draws of two or three rounds with a = X^2, any eta."""
    drawn = draw_game(rng, int(rng.integers(2, 4)))
    game = SobaGame(drawn.stream, drawn.U, drawn.n_classes, drawn.exploration, drawn.norm2)
    counted, losses, v = parts(game)
    at = Fraction(int(rng.integers(1, 9)), 8)
    right = ball(losses + (counted + Fraction(1, 2)) * at * v) + log_term(game) / ball(at)
    return Instance(game.at | {"eta": at}, ball(counted), right)


def draw_best_eta(rng: np.random.Generator) -> Instance:
    """The same at the best eta."""
    drawn = draw_game(rng, int(rng.integers(2, 4)))
    game = SobaGame(drawn.stream, drawn.U, drawn.n_classes, drawn.exploration, drawn.norm2)
    counted, losses, v = parts(game)
    right = ball(losses) + 2 * (ball(v * (counted + Fraction(1, 2))) * log_term(game)).sqrt()
    return Instance(game.at, ball(counted), right + ball(Fraction(1, 10**9)))


def line_fails() -> Instance:
    """The line after the choice of eta: T = 2, x = 1, y = 1 twice, gamma = 1, U = (-1/2, 1/2)."""
    half = Fraction(1, 2)
    game = SobaGame([([Fraction(1)], 1)] * 2, [-half, half], 2, Fraction(1), Fraction(1))
    counted, losses, v = parts(game)
    right = ball(losses) + (ball(v * (counted + half)) * log_term(game)).sqrt()
    return Instance(game.at, ball(counted), right)


printed_eta = Implication(
    name="eta as printed",
    statement="eta = B/(V (S + 1/2)) in S <= L + (S + 1/2) eta V + B/eta gives S <= L + y, y = sqrt(V B (S + 1/2))",
    given=(S <= L + (S + HALF) * eta * v + B / eta, Eq(eta * v * (S + HALF), B), Eq(y**2, v * B * (S + HALF))),
    then=S <= L + y,
)

last_line = Implication(
    name="last line",
    statement="S <= L + 2 y, the best that y = sqrt(V B (S + 1/2)) allows, gives S <= L + (3/2) y; sqrt(2) < 3/2",
    given=(S <= L + 2 * y, Eq(y**2, v * B * (S + HALF))),
    then=S <= L + 3 * y / 2,
)


def best_eta_by_hand() -> Instance:
    """L = 0, V = B = 1, S = 1/2: the best eta is 1 and gives 2; the last line would be a root of 2."""
    return Instance({"L": 0, "V": 1, "B": 1, "S": "1/2", "eta": 1}, Fraction(2), ball(2).sqrt())


SETTING = (
    "SOBA, h = 1 if yhat is wrong or the round would be used, else 0; L_0(U) the sum of the multiclass hinge losses "
    "of U. "
)

claims = (
    Claim(
        id="soba/t4-proof",
        kind="reading",
        quote=r"Adding to both sides of (5) the term $\eta \mathbb{E}[\sum_{t=1}^T h_t]$ and dividing both sides by η",
        severity="D",
        cause="the first display of Theorem 4's proof adds 2 eta E[sum h] and divides by 2 eta",
        patch="read 2 eta E[sum h_t] and 2 eta for eta E[sum h_t] and eta",
        source=f"{SOURCE}, proof, first display, second line",
        statement=SETTING
        + "a = X^2, T >= 2, eta > 0, S = E[sum h]: S <= L_0(U) + (S + 1/2) eta X^2 ||U||^2 + d k^2 ln T/(2 gamma eta)",
        grounds=InProof(FILE, "soba/t4-proof"),
        recorded="PROVED",
        finding="The printed way, by Lemma 3's dk ln T, is broken for dk = 2, and for dk = 3 at T = 2; "
        "soba/lemma3-left mends it. The text adds eta E[sum h] and divides by eta: 2 eta is meant. At T = 1 it is "
        "false (ln T = 0).",
        second=Resists(draw_for_every_eta, 30),
    ),
    Claim(
        id="soba/t4-eta",
        quote=r"\sqrt{\|\boldsymbol{U}\|_F^2 \left(\mathbb{E}\left[\sum_{t=1}^{T} h_{t}\right] + \frac{1}{2}\right) "
        r"\frac{dk^2 X^2}{2\gamma} \ln T}",
        severity="B",
        cause="the second display of Theorem 4's proof loses the factor 2 of 2 sqrt(V B), and eta lacks its square "
        "root",
        patch="take eta = sqrt(B/(V (E[sum h] + 1/2))), and put 2 before the root",
        source=f"{SOURCE}, proof",
        statement=SETTING
        + "eta = B/(||U||^2 X^2 (E[sum h] + 1/2)), B = d k^2 ln T/(2 gamma), in that inequality gives E[sum "
        "h] <= L_0(U) + sqrt(||U||^2 X^2 (E[sum h] + 1/2) B)",
        grounds=Obligations(
            Lemma(name="SOBA, Theorem 4, eta as printed", source=f"{SOURCE}, proof", implications=(printed_eta,))
        ),
        recorded="REFUTED",
        finding="eta lacks a square root, and the line lacks a factor 2: eta = sqrt(B/(V (S + 1/2))) gives 2 sqrt(V B "
        "(S + 1/2)). The line itself is false as well: E[sum h] = 3/2 > 1.18 on two equal rounds with gamma = 1. The "
        "next line, larger by sqrt(2), still lacks sqrt(2). Only constants under O change.",
        corrected=Corrected(
            statement="eta = sqrt(B/(V (S + 1/2))), V = ||U||^2 X^2, S = E[sum h]: S <= L_0(U) + 2 sqrt(V B (S + 1/2))",
            tex=r"S \le L_0(U) + 2\sqrt{VB\left(S + \frac{1}{2}\right)}",
            grounds=Rests("soba/t4-eta-corrected"),
        ),
        constants=(
            Constant(
                name="sqrt(V B (S + 1/2))", sharp="argument", printed=1, best=2, attained="2 is what the best eta gives"
            ),
        ),
        second=Breaks(line_fails),
    ),
    Claim(
        id="soba/t4-eta-second-line",
        quote=r"\sqrt{\|\boldsymbol{U}\|_F^2 \left(\mathbb{E}\left[\sum_{t=1}^{T} h_{t}\right] + \frac{1}{2}\right) "
        r"\frac{dk^2 X^2}{\gamma} \ln T}",
        severity="B",
        cause="the second display of Theorem 4's proof loses the factor 2 of 2 sqrt(V B), and eta lacks its square "
        "root",
        patch="put sqrt(2) before the root of the last line",
        source=f"{SOURCE}, proof, second display, last line",
        statement=SETTING
        + "the first display with the best eta gives E[sum h] <= L_0(U) + sqrt(2 V B (E[sum h] + 1/2)), V = ||U||^2 "
        "X^2, B = d k^2 ln T/(2 gamma)",
        tex=r"S \le L_0(U) + \sqrt{2 VB\left(S + \frac{1}{2}\right)}",
        grounds=Obligations(
            Lemma(name="SOBA, Theorem 4, last line as printed", source=f"{SOURCE}, proof", implications=(last_line,))
        ),
        recorded="REFUTED",
        finding="It is larger by sqrt(2) than the line before, and still lacks sqrt(2): the best eta gives 2 sqrt(V B "
        "(S + 1/2)). Only the derivation is refuted: no stream that breaks the line itself is known.",
        corrected=Corrected(
            statement="S <= L_0(U) + 2 sqrt(V B (S + 1/2))",
            tex=r"S \le L_0(U) + 2\sqrt{VB\left(S + \frac{1}{2}\right)}",
            grounds=Rests("soba/t4-eta-corrected"),
        ),
        second=Breaks(best_eta_by_hand),
    ),
    Claim(
        id="soba/t4-eta-corrected",
        kind="reading",
        quote=r"\sqrt{\|\boldsymbol{U}\|_F^2 \left(\mathbb{E}\left[\sum_{t=1}^{T} h_{t}\right] + \frac{1}{2}\right) "
        r"\frac{dk^2 X^2}{2\gamma} \ln T}",
        source=f"{SOURCE}, proof, corrected",
        statement=SETTING
        + "a = X^2, T >= 2, S = E[sum h], B = d k^2 ln T/(2 gamma): S <= L_0(U) + 2 sqrt(X^2 ||U||^2 (S + 1/2) B)",
        grounds=InProof(FILE, "soba/t4-eta-corrected"),
        recorded="PROVED",
        second=Resists(draw_best_eta, 30),
    ),
)
