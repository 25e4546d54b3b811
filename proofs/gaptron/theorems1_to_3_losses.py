"""The three surrogate losses are upper bounds of the zero-one loss, and positive where Gaptron guesses.

**Problem.** A surrogate loss should be at least 1 on every round whose top label is wrong; then a = 0 has a surrogate
gap of at most (eta/2) ||g||^2.

**Algorithm.** None: these are properties of the losses (1), (2) and (3).

**Theoretical guarantee.** A wrong top label has margin m(W, y) <= 0 and probability p_y <= 1/2, where the hinge loss
1 - m, the smooth hinge loss 1 - 2 m and the logistic loss -log2 p_y are at least 1. On a right round where loss and
gradient vanish the gap is a (K - 1)/K, so that a must vanish there too: this is why the hinge loss is kept below beta.

**References.** van der Hoeven 2020, sections 2.1, 4.1 and 4.2.
"""

from dataclasses import replace
from fractions import Fraction

import numpy as np
from sympy import log

from gaptron import Claim, InProof, Instance, Resists
from gaptron.instances import by_hand as hand
from gaptron.rounds import value
from gaptron.symbols import p
from gaptron.theory.losses import SoftmaxLoss


def on_a_wrong_round(rng: np.random.Generator) -> Instance:
    """The smallest of the three losses at scores whose top label is wrong."""
    n_classes = int(rng.integers(2, 5))
    theta = hand.fractions(rng, n_classes).tolist()
    label = int(rng.choice([k for k in range(n_classes) if k != theta.index(max(theta))]))
    losses = [rule(n_classes).phi(hand.margin(theta, label)[0]) for rule in (hand.hinge, hand.smooth_hinge)]
    if theta[label] < max(theta):
        losses.append(value(SoftmaxLoss(-log(p, 2)), theta, label))
    return Instance({"scores": theta, "label": label}, min(losses, key=float), hand.ONE, ">=")


def switched_off(rng: np.random.Generator) -> Instance:
    """The gap of the hinge loss with beta = 0 and the gap map 1 - m*, on right rounds with 0 < m* < 1."""
    n_classes, top = int(rng.integers(2, 5)), Fraction(int(rng.integers(1, 12)), 12)
    W = [[top], *([[Fraction(0)]] * (n_classes - 1))]
    rule = replace(hand.hinge(n_classes, Fraction(0)), gap=lambda s: 1 - s)
    now, _ = hand.step(rule, W, [hand.ONE], 0, Fraction(0))
    value = now.P_wrong - now.loss + rule.eta / 2 * now.squares
    return Instance({"K": n_classes, "m*": top}, value, Fraction(0), ">")


claims = (
    Claim(
        id="gaptron/surrogates-dominate",
        quote="The surrogate loss function is a convex upper bound on the zero-one loss",
        source="van der Hoeven 2020, sections 2.1 and 4.1",
        statement="a wrong top label, the margin m at most 0, p = p_y with another label at least as likely: 1 - m >= "
        "1, 1 - 2 m >= 1 and -log2 p >= 1, the losses (2), (3) and (1)",
        grounds=InProof("numbers.proof", "gaptron/surrogates-dominate"),
        recorded="PROVED",
        second=Resists(on_a_wrong_round, 60),
    ),
    Claim(
        id="gaptron/loss-positive-needed",
        quote="for the surrogate gap to be bounded by zero we need ℓ_t to be positive whenever $a_t > 0$ otherwise "
        r"there is nothing to cancel out the $a_t \frac{K-1}{K}$ term",
        source="van der Hoeven 2020, section 4.2",
        statement="a right round where loss and gradient vanish has the gap a (K - 1)/K, and this is > 0 if a > 0",
        grounds=InProof("numbers.proof", "gaptron/loss-positive-needed"),
        recorded="PROVED",
        second=Resists(switched_off, 60),
        finding="With beta = 0, the common Perceptron loss, no learning rate will do for the gap map 1 - m.",
    ),
)
