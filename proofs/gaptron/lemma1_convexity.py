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

from gaptron import (
    Argument,
    Cite,
    Claim,
    Implication,
    InProof,
    Instance,
    Lemma,
    Put,
    Resists,
    Rounds,
    stated,
)
from gaptron.instances import by_hand as hand
from gaptron.rounds import softmax
from gaptron.symbols import p

true_w, true_u, rival_w, rival_u, best_u = symbols("true_w true_u rival_w rival_u best_u", real=True)
inner, below, at_w, at_u, loss_w, loss_u, slope = symbols("inner below at_w at_u loss_w loss_u slope", real=True)
change, power, gain, summed, gains, mean = symbols("change power gain summed gains mean", real=True)
weight, weights = symbols("weight weights", nonnegative=True)
first, bend = symbols("first bend", real=True)

margin_loss = Lemma(
    name="Convex losses of the margin",
    source="van der Hoeven 2020, section 2.1",
    implications=(
        Implication(
            name="falling function",
            statement="at = m or s, inner its linear change from W to U, phi' = slope <= 0: l(W) - l(U) <= <g, W - U>",
            given=(at_u <= at_w + inner, slope <= 0, loss_u >= loss_w + slope * (at_u - at_w)),
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
            given=(summed >= weights + gains, exp(gain) >= 1 + gain),
            then=summed + weight * exp(gain) >= (weights + weight) + (gains + weight * gain),
        ),
        Implication(
            name="all classes",
            statement="the weights sum to 1, the gains to 0",
            given=(summed >= weights + gains, Eq(weights, 1), Eq(gains, 0)),
            then=summed >= 1,
        ),
        Implication(name="logarithm", statement="log x >= 0 for x >= 1", given=(summed >= 1,), then=log(summed) >= 0),
        Implication(
            name="s",
            statement="s = score of y - log(sum of the others), which grows by below = mean + log(summed) >= mean",
            given=(
                log(summed) >= 0,
                Eq(below, mean + log(summed)),
                Eq(at_u - at_w, true_u - true_w - below),
                Eq(inner, true_u - true_w - mean),
            ),
            then=at_u <= at_w + inner,
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

NAMES = {
    loss_w: "l(W)", loss_u: "l(U)", at_w: "m(W)", at_u: "m(U)", slope: "phi'(m(W))", inner: "linear change",
    true_w: "score of y at W", true_u: "score of y at U", rival_w: "score of the rival at W",
    rival_u: "score of the rival at U", best_u: "largest other score at U",
}  # fmt: skip
TANGENT = loss_u >= loss_w + slope * (at_u - at_w)
FALL = {loss_w: 1, loss_u: 0, at_w: 0, at_u: 1, slope: -1, inner: 1, true_w: 0, true_u: 1}


all_classes = Argument(
    name="sum of the powers",
    setting="Any number of classes, each with a weight and a gain",
    symbols={summed: "sum of weight e^gain", weights: "sum of the weights", gains: "sum of weight gain"},
    steps=(
        Put(softmax_loss["exponential"], {change: gain}),
        Rounds(
            invariant=summed >= weights + gains,
            state={
                summed: (0, summed + weight * exp(gain)),
                weights: (0, weights + weight),
                gains: (0, gains + weight * gain),
            },
            step=softmax_loss["one more class"],
        ),
    ),
    conclusion=summed >= weights + gains,
    example={gain: 0, weight: 1, summed: 0, weights: 0, gains: 0},
)

softmax_convex = Argument(
    name="convex and non-increasing in s",
    setting="The loss psi, convex and non-increasing as phi of the score s of y minus the log of the sum of the other "
    "powers, in the place of m; weights are their shares at W, a gain is the change of a score minus the mean change",
    symbols=NAMES
    | {summed: "sum of weight e^gain", weights: "sum of the weights", gains: "sum of weight gain"}
    | {mean: "mean change", below: "growth of the log"},
    hypotheses=(
        Eq(weights, 1),
        Eq(gains, 0),
        Eq(below, mean + log(summed)),
        Eq(at_u - at_w, true_u - true_w - below),
        Eq(inner, true_u - true_w - mean),
        slope <= 0,
        TANGENT,
    ),
    steps=(
        Cite(all_classes),
        softmax_loss["all classes"],
        softmax_loss["logarithm"],
        softmax_loss["s"],
        margin_loss["falling function"],
    ),
    conclusion=loss_w - loss_u <= -slope * inner,
    example=FALL | {gain: 0, weight: 1, summed: 1, weights: 1, gains: 0, mean: 0, below: 0},
)

curvature = stated(
    softmax_loss["curvature in s"],
    "The second derivative of psi in s",
    {bend: 1, first: -1, p: 1},
    symbols={bend: "psi''", first: "psi'"},
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
        kind="derived",
        source="van der Hoeven 2020, sections 2.1 and 4",
        statement="for every subgradient h of the largest other score, at any ties, and the loss phi of the margin, "
        "convex and non-increasing: l(W) - l(U) <= phi' <e_y (x) x - h, W - U>; with two classes for any "
        "convex phi",
        grounds=(
            InProof("margins.proof", "gaptron/convex-in-the-margin"),
            InProof("margins.proof", "gaptron/two-labels"),
        ),
        recorded="PROVED",
        second=Resists(margin_tangent, 100),
    ),
    Claim(
        id="gaptron/convexity-softmax",
        kind="derived",
        source="van der Hoeven 2020, section 4.1",
        grounds=(softmax_convex, curvature),
        recorded="PROVED",
        second=Resists(softmax_chord, 60),
    ),
)
