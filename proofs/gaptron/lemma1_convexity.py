"""From a function of one variable to a loss that is convex in W, for every number of classes and features.

**Problem.** Lemma 1 needs l(W) - l(U) <= <g, W - U>, and a theorem file only says that phi is convex and, for K >= 3,
non-increasing (or the like of psi).

**Algorithm.** None: this is about the losses phi(m(W, y)) and psi(p_y).

**Theoretical guarantee.** The margin is the score of y minus a maximum, so it lies below its linearization; for K = 2
it is linear. With s = score of y - log(sum of the other e^score), p_y = 1/(1 + e^-s); s too lies below its
linearization, as the logarithm of a sum of exponentials is convex, and psi(p_y) is convex in s if
p (1 - p) psi'' + (1 - 2 p) psi' >= 0. A convex non-increasing function of either is convex, and its subgradient is the
slope times that of m or of s.

**References.** van der Hoeven 2020, sections 2.1 and 4.
"""

from fractions import Fraction

import numpy as np
from sympy import Eq, exp, log, symbols

from gaptron import Claim, Implication, Instance, Lemma, Obligations, Resists
from gaptron.instances import by_hand as hand
from gaptron.rounds import softmax
from gaptron.symbols import p

true_w, true_u, rival_w, rival_u, best_u = symbols("true_w true_u rival_w rival_u best_u", real=True)
inner, below, at_w, at_u, loss_w, loss_u, slope = symbols("inner below at_w at_u loss_w loss_u slope", real=True)
change, power, gain, summed, gains = symbols("change power gain summed gains", real=True)
weight, weights = symbols("weight weights", positive=True)
first, bend = symbols("first bend", real=True)

margin_loss = Lemma(
    name="Convex losses of the margin",
    source="van der Hoeven 2020, section 2.1",
    implications=(
        Implication(
            name="linearization",
            statement="rival of W in both: m(U) = true_u - best_u <= m(W) + (true_u - true_w) - (rival_u - rival_w)",
            given=(best_u >= rival_u,),
            then=true_u - best_u <= (true_w - rival_w) + (true_u - true_w) - (rival_u - rival_w),
        ),
        Implication(
            name="falling function",
            statement="at = m or s, inner its linear change from W to U, phi' = slope <= 0: l(W) - l(U) <= <g, W - U>",
            given=(at_u <= at_w + inner, slope <= 0, loss_u >= loss_w + slope * (at_u - at_w)),
            then=loss_w - loss_u <= -slope * inner,
        ),
        Implication(
            name="two classes",
            statement="the margin is linear: the slope may have any sign",
            given=(Eq(at_u, at_w + inner), loss_u >= loss_w + slope * (at_u - at_w)),
            then=loss_w - loss_u <= -slope * inner,
        ),
    ),
)

softmax_loss = Lemma(
    name="Convex losses of the softmax probability",
    source="van der Hoeven 2020, section 4.1",
    implications=(
        Implication(name="exponential", statement="e^x >= 1 + x", given=(), then=exp(change) >= 1 + change),
        Implication(
            name="one more class",
            statement="weights e^score over their sum, gain = change of the score minus the mean change: "
            "summed = sum of weight e^gain >= sum of weight (1 + gain)",
            given=(summed >= weights + gains, power >= 1 + gain),
            then=summed + weight * power >= (weights + weight) + (gains + weight * gain),
        ),
        Implication(
            name="all classes",
            statement="the weights sum to 1, the gains to 0: log(sum of e^score) grows by mean + log(summed) >= mean",
            given=(summed >= weights + gains, Eq(weights, 1), Eq(gains, 0)),
            then=summed >= 1,
        ),
        Implication(name="logarithm", statement="log x >= 0 for x >= 1", given=(weight >= 1,), then=log(weight) >= 0),
        Implication(
            name="s",
            statement="s = score of y - log(sum of the others), which grows by below >= rival_u - rival_w, their mean",
            given=(below >= rival_u - rival_w, Eq(at_u - at_w, true_u - true_w - below)),
            then=at_u <= at_w + (true_u - true_w) - (rival_u - rival_w),
        ),
        Implication(
            name="curvature in s",
            statement="p' = p (1 - p), p'' = p (1 - p)(1 - 2 p): psi'' p'^2 + psi' p'' is p (1 - p) times the "
            "condition",
            given=(),
            then=Eq(
                bend * (p * (1 - p)) ** 2 + first * p * (1 - p) * (1 - 2 * p),
                p * (1 - p) * (p * (1 - p) * bend + (1 - 2 * p) * first),
                evaluate=False,
            ),
        ),
    ),
)


def pair(rng: np.random.Generator) -> tuple[list[Fraction], list[Fraction], int]:
    """Two vectors of scores and a label."""
    n_classes = int(rng.integers(2, 5))
    left, right = hand.fractions(rng, 2, n_classes).tolist()
    return left, right, int(rng.integers(n_classes))


def margin_tangent(rng: np.random.Generator) -> Instance:
    """The hinge loss of U, and its linearization at W."""
    W, U, label = pair(rng)
    (at, rival), value = hand.margin(W, label), hand.margin(U, label)[0]
    slope_ = Fraction(-1 if at < 1 else 0)
    linear = max(1 - at, Fraction(0)) + slope_ * ((U[label] - W[label]) - (U[rival] - W[rival]))
    return Instance({"W": W, "U": U, "label": label}, linear, max(1 - value, Fraction(0)))


def softmax_chord(rng: np.random.Generator) -> Instance:
    """-log p_y in the middle of two vectors of scores, in balls: p^2 against the product of the ends."""
    W, U, label = pair(rng)
    U[0] += 1  # never the same point twice, up to a common shift
    U[-1] -= 1
    middle = softmax([(a + b) / 2 for a, b in zip(W, U, strict=True)])[label]
    return Instance({"W": W, "U": U, "label": label}, softmax(W)[label] * softmax(U)[label], middle**2)


claims = (
    Claim(
        id="gaptron/convexity-margin",
        source="van der Hoeven 2020, sections 2.1 and 4",
        statement="If phi is convex and non-increasing, or convex and K = 2, then phi(m(W, y)) is convex in W: "
        "l(W) - l(U) <= <g, W - U> for all W and U, with g = phi' (e_y - e_rival) (x) x",
        tex=r"\ell(W) - \ell(U) \le \langle g, W - U \rangle",
        grounds=Obligations(margin_loss),
        recorded="PROVED",
        second=Resists(margin_tangent, 100),
    ),
    Claim(
        id="gaptron/convexity-softmax",
        source="van der Hoeven 2020, section 4.1",
        statement="If psi is non-increasing and p (1 - p) psi'' + (1 - 2 p) psi' >= 0 then psi(p_y) is convex in W, as "
        "-log2 "
        "p_y is: s = score of y - log(sum of the other e^score) lies below its linearization, and psi is convex in s",
        tex=r"\ell(W) - \ell(U) \le \langle g, W - U \rangle",
        grounds=(Obligations(softmax_loss), Obligations(margin_loss, "falling*")),
        recorded="PROVED",
        second=Resists(softmax_chord, 60),
    ),
)
