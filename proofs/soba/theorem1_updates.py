"""SOBA paper, Algorithm 1: in which rounds an update is made.

**Problem.** yhat is the top label of W_t, ybar the best label other than the true y, mu = <W, v> with
v = (e_ybar - e_y) (x) x: minus the margin of y.

**Algorithm.** SOBA: with z = v/sqrt(p), g = v/p, s = z'A_{t-1}^{-1}z and m = (<W, z>^2 + 2 <W, g>)/(1 + s), a round
whose draw is right is used if the sum of the m of the rounds used so far, with this one, is not negative.

**Theoretical guarantee.** m = (mu^2 + 2 mu)/(p (1 + s)). If yhat != y then mu >= 0, so m >= 0 and the round is used. If
yhat = y then m < 0 for margins in (0, 2), and a positive sum is needed; m >= 0 for margins from 2 on.

**References.** Beygelzimer, Orabona, Zhang 2017, Algorithm 1, equation (4), sections 4 and 5.
"""

from fractions import Fraction

import numpy as np
from sympy import Eq, symbols

from gaptron import Breaks, Claim, Corrected, Implication, InProof, Instance, Lemma, Obligations, Resists
from gaptron.instances.soba import inner, paths
from gaptron.instances.soba_games import draw_game

prob = symbols("prob", positive=True)
m, mu, total = symbols("m mu total", real=True)
s = symbols("s", nonnegative=True)

FILE = "updates.proof"
SOURCE = "Beygelzimer, Orabona, Zhang 2017"


def sums_stay(rng: np.random.Generator) -> Instance:
    """The smallest sum of margins of any path, minus 1 if a round with yhat != y is not used."""
    game = draw_game(rng, 4)
    missed = any(
        step.drawn and step.top != step.label and not step.updated for path in game.paths for step in path.steps
    )
    sums = [sum((s.m for s in path.steps[:t] if s.updated), Fraction(0)) for path in game.paths for t in range(1, 5)]
    return Instance(game.at, Fraction(0), min(sums) - missed)


POSITIVE = [([Fraction(1)], 1), ([Fraction(2)], 0), ([Fraction(1)], 0)]


LARGE = [([Fraction(1)], 1), ([Fraction(10)], 1)]


def with_positive_terms() -> Instance:
    """An update with yhat = y and a small margin: the sum of margins before it."""
    path = max(paths(POSITIVE, 2, Fraction(1, 2), Fraction(1)), key=lambda p: sum(s.updated for s in p.steps))
    step = path.steps[-1]
    shown = {"stream": POSITIVE, "K": 2, "gamma": "1/2", "a": 1, "yhat": step.top, "y": step.label, "m": step.m}
    return Instance(shown | {"updated": step.updated}, step.total, Fraction(0), "<")


def large_margin() -> Instance:
    """An update with yhat = y: its margin."""
    path = max(paths(LARGE, 2, Fraction(1, 2), Fraction(1)), key=lambda p: sum(s.updated for s in p.steps))
    step = path.steps[-1]
    shown = {
        "stream": LARGE,
        "K": 2,
        "gamma": "1/2",
        "a": 1,
        "yhat": step.top,
        "y": step.label,
        "updated": step.updated,
    }
    return Instance(shown, -inner(step.w, step.v), Fraction(2), "<")


SETTING = (
    "SOBA, v = (e_ybar - e_y) (x) x, mu = <W, v> minus the margin of y, m = (mu^2 + 2 mu)/(p (1 + s)), s = "
    "z'A_{t-1}^{-1}z, n = 1 in rounds with an update: the draw is right and sum n m stays >= 0. "
)

claims = (
    Claim(
        id="soba/invariant",
        quote=r"the set of iterations where $n_t = 1$ includes all iterations where $\tilde{y}_t = y_t \neq \hat{y}_t$",
        source=f"{SOURCE}, equation (4) and section 4",
        statement=SETTING + "sum n m >= 0 after every round, and every round with draw = y != yhat is used",
        grounds=InProof("second_order.proof", "soba/invariant"),
        recorded="PROVED",
        second=Resists(sums_stay, 20),
    ),
    Claim(
        id="soba/negative-terms",
        quote=r"SOBA requires an initial number of updates to accumulate enough negative terms in the $\sum_t n_t m_t$",
        severity="D",
        cause="positive terms of sum n m, not negative ones, let rounds be used whose label is right",
        patch="read 'positive terms' for 'negative terms'",
        source=f"{SOURCE}, section 5",
        statement=SETTING
        + '"SOBA requires an initial number of updates to accumulate enough negative terms in sum n m in '
        'order to start updating also when yhat is correct but the margin is too small": such an update needs a sum '
        "below 0",
        grounds=Obligations(
            Lemma(
                name="SOBA, negative terms",
                source=f"{SOURCE}, section 5",
                implications=(
                    Implication(
                        name="a negative sum",
                        statement="m < 0 and total + m >= 0 give total < 0",
                        given=(m < 0, total + m >= 0),
                        then=total < 0,
                    ),
                ),
            )
        ),
        recorded="REFUTED",
        finding="Positive terms are needed: a right round with a margin below 2 has m < 0 and is used only if the sum "
        "before it is at least -m > 0. The sum is never negative. (m is a negative margin, which may be what was "
        "meant.)",
        corrected=Corrected(
            statement="an update with yhat = y and 0 < margin < 2 needs the sum of the earlier n m to be at least -m "
            "> 0",
            grounds=InProof(FILE, "soba/small-margin"),
        ),
        second=Breaks(with_positive_terms),
    ),
    Claim(
        id="soba/large-margin",
        kind="reading",
        quote="where the algorithm makes an update even when it predicts correctly but the margin is too small",
        source=f"{SOURCE}, section 4",
        statement=SETTING
        + 'updates "even when it predicts correctly but the margin is too small": with yhat = y an update is '
        "made only at margins below 2",
        grounds=Breaks(large_margin),
        recorded="REFUTED",
        finding="m = (mu^2 + 2 mu)/(p (1 + s)), mu minus the margin, is not negative from margin 2 on: every right "
        "round with a margin of 2 or more is used, and pulls the margin towards 1 as least squares do.",
        corrected=Corrected(
            statement="with yhat = y: m >= 0 (so an update) if the margin is at least 2, m < 0 if it is in (0, 2)",
            grounds=(InProof(FILE, "soba/large-margin"), InProof(FILE, "soba/small-margin")),
        ),
        second=Obligations(
            Lemma(
                name="SOBA, large margins",
                source=f"{SOURCE}, section 4",
                implications=(
                    Implication(
                        name="only small margins",
                        statement="m >= 0 and yhat = y (mu < 0) give mu > -2",
                        given=(mu < 0, m >= 0, Eq(m * prob * (1 + s), mu**2 + 2 * mu)),
                        then=mu > -2,
                    ),
                ),
            )
        ),
    ),
)
