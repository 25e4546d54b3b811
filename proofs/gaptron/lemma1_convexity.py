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

from gaptron import Claim, InProof, Instance, Resists
from gaptron.instances import by_hand as hand
from gaptron.rounds import softmax


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
        "convex and non-increasing: l(W) - l(U) <= phi' <e_y (x) x - h, W - U>; with two classes for any convex phi",
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
        statement="s the score of y minus the log of the sum of the other powers, psi(p_y) convex and non-increasing in"
        " s with slope psi', h the mean of the other rows by their shares: l(W) - l(U) <= psi' <e_y (x) x - "
        "h, W - U>; the second derivative of psi in s is p (1 - p) (p (1 - p) psi'' + (1 - 2 p) psi')",
        grounds=(InProof("softmax.proof", "gaptron/convex-in-s"), InProof("softmax.proof", "gaptron/curvature-in-s")),
        recorded="PROVED",
        second=Resists(softmax_chord, 60),
    ),
)
