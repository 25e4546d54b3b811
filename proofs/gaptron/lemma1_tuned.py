"""After Lemma 1: the bound at the learning rate that is best in hindsight.

**Problem.** Online multiclass classification with full information and a convex loss that is at least 1 on every round
whose top label is wrong. A comparator U is given.

**Algorithm.** Gaptron with a = 0 and gamma = 0: the top label is predicted, and W follows online gradient descent.

**Theoretical guarantee.** **Upper bound**: the surrogate gap is at most (eta/2) ||g_t||^2, and with
G^2 = sum ||g_t||^2 and eta = ||U||/G Lemma 1 gives E[mistakes] <= sum l_t(U) + ||U|| G. No other eta gives less at the
same gradients. This eta depends on the gradients that it produces: it says what the bound is at its best, not how to
run the algorithm. For the hinge loss there may be no such eta at all.

**References.** van der Hoeven 2020, section 3 and footnote 4.
"""

from dataclasses import replace
from fractions import Fraction

import numpy as np

from gaptron import Claim, InProof, Instance, Resists
from gaptron.instances import by_hand as hand

FILE = "lemma1.proof"


def tuned(rng: np.random.Generator) -> Instance:
    """The bound before the tuning, with G^2 of the run: at the tuned eta its two last terms are ||U|| G."""
    n_classes, stream = hand.draw_stream(rng)
    rate = Fraction(int(rng.integers(1, 13)), 12)
    rule = replace(hand.smooth_hinge(n_classes, rate), gap=lambda _: Fraction(0))
    rounds = list(hand.play(rule, n_classes, stream))
    U, made, G2 = (
        hand.draw_comparator(rng, n_classes, stream),
        sum(r.P_wrong for r in rounds),
        sum(r.squares for r in rounds),
    )
    losses = hand.comparator_losses(rule, rounds, stream, U)
    bound = losses + hand.squared_norm(U) / (2 * rule.eta) + rule.eta / 2 * G2
    return Instance({"stream": stream, "U": U, "eta": rule.eta}, made, bound)


def never_one(rng: np.random.Generator) -> Instance:
    """eta^2 G^2 of the stream of gaptron/ogd-tuned-no-eta, played."""
    rate = Fraction(int(rng.integers(1, 400)), 800)
    stream = [([Fraction(v) for v in x], 0) for x in ((1, 0, 0), (1, 2, 0), (0, 1, 3))]
    G2 = sum(r.squares for r in hand.play(hand.hinge(2, eta=rate), 2, stream))
    return Instance({"eta": rate}, (rate**2 * G2 - 1) ** 2, Fraction(0), ">")


claims = (
    Claim(
        id="gaptron/ogd-tuned",
        quote=r"In the full information setting we can set $\gamma = 0$ and $\eta = "
        r"\sqrt{\frac{\|\boldsymbol{U}\|^2}{\sum_{t=1}^T \|g_t\|^2}}$ to obtain $M_T \leq \sum_{t=1}^T "
        r"\ell_t(\boldsymbol{U}) + \|\boldsymbol{U}\| \sqrt{\sum_{t=1}^T \|g_t\|^2}$",
        source="van der Hoeven 2020, section 3, after Lemma 1",
        statement="a = gamma = 0, a convex loss of at least 1 where the top label is wrong, eta G = ||U|| with G^2 = "
        "sum E ||g_t||^2: E[mistakes] <= E[sum l_t(U)] + ||U|| G; no other eta makes ||U||^2/(2 eta) + "
        "(eta/2) G^2 smaller",
        grounds=(InProof(FILE, "gaptron/ogd-tuned"), InProof(FILE, "gaptron/ogd-best-rate")),
        recorded="PROVED",
        finding="The gradients depend on eta, so this is an equation for eta, and for the hinge loss it may have no "
        "solution (gaptron/ogd-tuned-no-eta). The footnote says only that eta is not known beforehand.",
        second=Resists(tuned, 40),
    ),
    Claim(
        id="gaptron/ogd-tuned-no-eta",
        kind="improvement",
        source="van der Hoeven 2020, section 3, footnote 4",
        statement="rounds with squared norms 2, 10, 20 of the gradients, all three if eta <= 1/8, the first two if 1/8 "
        "< eta <= 1/4, the first and third if eta > 1/4: (eta G)^2 < 1 in the first two cases and > 1 in the "
        "third, so that no eta has eta G = ||U|| = 1",
        grounds=tuple(InProof(FILE, f"gaptron/ogd-tuned-{rate}") for rate in ("small", "middle", "large")),
        recorded="PROVED",
        finding="Not said in the paper: the hinge loss has kinks, so that even in hindsight the tuned eta need not "
        "exist. Up to eta = 1/8 all three rounds have a gradient, up to 1/4 the first two, then the first and third.",
        second=Resists(never_one, 80),
    ),
)
