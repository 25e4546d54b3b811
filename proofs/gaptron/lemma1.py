"""Lemma 1: what one round of Gaptron costs, in potential form.

**Problem.** K classes, features x with ||x|| <= X, a convex loss l_t(W) in each round, a comparator U. The learner
predicts y' and suffers 1[y' != y]; the sum of these is to be compared with the sum of l_t(U).

**Algorithm.** Algorithm 1: y' is the top label with probability 1 - max(a, gamma), else uniform over the K labels;
then W' is the projection of W - eta g on {||W|| <= D}, with g a subgradient of l_t at W.

**Theoretical guarantee.** **Upper bound**, Lemma 1: with the potential ||W - U||^2/(2 eta), for every U in the ball,

    P(wrong) <= l_t(U) + (drop of the potential) + gamma (K - 1)/K
                + [(1 - a) 1[y* != y] + a (K - 1)/K - l_t(W) + (eta/2) ||g||^2].

The bracket is the surrogate gap. Summed over the rounds the potential telescopes to at most ||U||^2/(2 eta), since
W_1 = 0.

**References.** van der Hoeven 2020, Lemma 1.
"""

from fractions import Fraction

import numpy as np

from gaptron import Claim, InProof, Instance, Resists
from gaptron.instances.by_hand import dot, fractions


def projected(rng: np.random.Generator) -> Instance:
    """V = norm (2r, r^2 - 1)/(r^2 + 1), so that ||V|| is rational, and any U with ||U|| <= D < ||V||."""
    r, shift, bound = (abs(v) + Fraction(1, 3) for v in fractions(rng, 3).tolist())
    norm, unit = bound + shift, [2 * r / (r**2 + 1), (r**2 - 1) / (r**2 + 1)]
    u_ = fractions(rng, 2).tolist()
    u_ = [bound * v / max(1, dot(u_, u_)) for v in u_]
    near, far = ([length * e - v for e, v in zip(unit, u_, strict=True)] for length in (bound, norm))
    return Instance({"D": bound, "V": [norm * e for e in unit], "U": u_}, dot(near, near), dot(far, far))


def one_step(rng: np.random.Generator) -> Instance:
    """||W - eta g - U||^2 in three dimensions, multiplied out."""
    W, U, G = fractions(rng, 3, 3).tolist()
    rate = abs(fractions(rng, 1)[0])
    new = [a - rate * c - b for a, b, c in zip(W, U, G, strict=True)]
    old = [a - b for a, b in zip(W, U, strict=True)]
    right = dot(old, old) - 2 * rate * dot(G, old) + rate**2 * dot(G, G)
    return Instance({"W": W, "U": U, "g": G, "eta": rate}, dot(new, new), right, "=")


claims = (
    Claim(
        id="gaptron/lemma1-round",
        kind="derived",
        source="van der Hoeven 2020, Lemma 1 (a natural derivation; the appendix was not available)",
        statement="one round of Algorithm 1 on a convex loss s f, s = 1 or the factor of an estimate, W' the "
        "projection of W - eta s g on a convex set that has U: P(y' != y) <= s f(U) + (||W - U||^2 - ||W' - "
        "U||^2)/(2 eta) + gamma (K - 1)/K + [(1 - a) 1[y* != y] + a (K - 1)/K - s f(W) + (eta/2) ||s g||^2]",
        grounds=InProof("lemma1.proof", "gaptron/lemma1-round"),
        recorded="PROVED",
        finding="The gap map must stay in [0, 1]: with a < 0, which the hinge gap map as printed can be, the "
        "prediction is unchanged while the bracket is too small, and the inequality fails.",
        second=(Resists(projected, 80), Resists(one_step, 80)),
    ),
)
