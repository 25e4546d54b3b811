"""Lemma 1: what one round of Gaptron costs, in potential form.

**Problem.** K classes, features x with ||x|| <= X, a convex loss l_t(W) in each round, a comparator U. The learner
predicts y' and suffers 1[y' != y]; the sum of these is to be compared with the sum of l_t(U).

**Algorithm.** Algorithm 1: y' is the top label with probability 1 - max(a, gamma), else uniform over the K labels;
then W' is the projection of W - eta g on {||W|| <= D}, with g a subgradient of l_t at W.

**Theoretical guarantee.** **Upper bound**, Lemma 1: with the potential ||W - U||^2/(2 eta), for every U in the ball,

    P(wrong) <= l_t(U) + (drop of the potential) + gamma (K - 1)/K
                + [(1 - a) 1[y* != y] + a (K - 1)/K - l_t(W) + (eta/2) ||g||^2].

The bracket is the surrogate gap. Summed over the rounds the potential telescopes to at most ||U||^2/(2 eta), since
W_1 = 0. All of this is about real numbers: vectors enter through inner products only, and each step below is an
implication between those.

**References.** van der Hoeven 2020, Lemma 1 and Appendix B.
"""

from fractions import Fraction

import numpy as np
from sympy import Eq, symbols

from gaptron import Claim, Implication, Instance, Lemma, Obligations, Resists
from gaptron.instances.by_hand import dot, fractions
from gaptron.symbols import D, K, gamma

w, u, g = symbols("w u g", real=True)
eta = symbols("eta", positive=True)
before, after, end, squares = symbols("before after end squares", nonnegative=True)
inner, loss_w, loss_u, wrong = symbols("inner loss_w loss_u wrong", real=True)
norm, norm_u, product = symbols("norm norm_u product", real=True)
a, mix = symbols("a mix", real=True)

mixing = (a >= 0, a <= 1, gamma <= 1, mix >= a, mix >= gamma, Eq((mix - a) * (mix - gamma), 0))

lemma1 = Lemma(
    name="Lemma 1, one round",
    source="van der Hoeven 2020, Lemma 1",
    implications=(
        Implication(
            name="step",
            statement="||W - eta g - U||^2 = ||W - U||^2 - 2 eta <g, W - U> + eta^2 ||g||^2, coordinate by coordinate",
            given=(),
            then=Eq((w - eta * g - u) ** 2, (w - u) ** 2 - 2 * eta * g * (w - u) + eta**2 * g**2, evaluate=False),
        ),
        Implication(
            name="projection",
            statement="V scaled to norm D is no farther from U: norm = ||V|| > D >= norm_u = ||U||, product = <V, U>",
            given=(norm > D, norm_u >= 0, norm_u <= D, product <= norm * norm_u),
            then=D**2 - 2 * D * product / norm + norm_u**2 <= norm**2 - 2 * product + norm_u**2,
        ),
        Implication(
            name="round",
            statement="wrong - l(U) <= (before - after)/(2 eta) + [wrong - l(W) + (eta/2) ||g||^2]",
            given=(loss_w - loss_u <= inner, after <= before - 2 * eta * inner + eta**2 * squares),
            then=wrong - loss_u <= (before - after) / (2 * eta) + wrong - loss_w + eta * squares / 2,
        ),
        Implication(
            name="top label right",
            statement="P(wrong) = mix (K - 1)/K <= a (K - 1)/K + gamma (K - 1)/K, mix = max(a, gamma)",
            given=mixing,
            then=mix * (K - 1) / K <= a * (K - 1) / K + gamma * (K - 1) / K,
        ),
        Implication(
            name="top label wrong",
            statement="P(wrong) = 1 - mix/K <= (1 - a) + a (K - 1)/K + gamma (K - 1)/K, mix = max(a, gamma)",
            given=mixing,
            then=1 - mix / K <= 1 - a + a * (K - 1) / K + gamma * (K - 1) / K,
        ),
        Implication(
            name="telescope",
            statement="from W_1 = 0 the potential drops by at most ||U||^2/(2 eta) in all",
            given=(Eq(before, norm_u**2),),
            then=(before - end) / (2 * eta) <= norm_u**2 / (2 * eta),
        ),
    ),
)


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
        source="van der Hoeven 2020, Appendix B",
        statement="One round of Algorithm 1 on a convex loss: P(wrong) <= l(U) + (||W - U||^2 - ||W' - U||^2)/(2 eta) "
        "+ gamma (K - 1)/K + [(1 - a) 1[y* != y] + a (K - 1)/K - l(W) + (eta/2) ||g||^2], W' the weights after it, "
        "for every U with ||U|| <= D; without projection for every U",
        tex=r"P(y\prime \ne y) \le \ell(U) + \frac{\|W - U\|^2 - \|W\prime - U\|^2}{2 \eta} + \gamma \frac{K-1}{K} "
        r"+ (1 - a) 1[y^\star \ne y] + a \frac{K-1}{K} - \ell(W) + \frac{\eta}{2} \|g\|^2",
        grounds=Obligations(lemma1),
        recorded="PROVED",
        finding="The gap map must stay in [0, 1]: with a < 0, which the hinge gap map as printed can be, the "
        "prediction is unchanged while the bracket is too small, and the inequality fails.",
        second=(Resists(projected, 80), Resists(one_step, 80)),
    ),
)
