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
from sympy import Eq, Rational, log, symbols

from gaptron import (
    Argument,
    Claim,
    Implication,
    Instance,
    Lemma,
    Resists,
    stated,
)
from gaptron.instances import by_hand as hand
from gaptron.rounds import value
from gaptron.symbols import K, m, p
from gaptron.theory.losses import SoftmaxLoss

first, second, total = symbols("first second total", positive=True)
a = symbols("a", real=True)

dominate = Lemma(
    name="Surrogates above the zero-one loss",
    source="van der Hoeven 2020, section 2.1",
    implications=(
        Implication(name="hinge", statement="m <= 0: 1 - m >= 1", given=(m <= 0,), then=1 - m >= 1),
        Implication(name="smooth hinge", statement="m <= 0: 1 - 2 m >= 1", given=(m <= 0,), then=1 - 2 * m >= 1),
        Implication(
            name="not the largest probability",
            statement="the label has probability first/total, another one is at least as large: it is at most 1/2",
            given=(first <= second, first + second <= total, Eq(p, first / total)),
            then=2 * p <= 1,
        ),
        Implication(name="logistic", statement="p_y <= 1/2: -log2 p_y >= 1", given=(2 * p <= 1,), then=-log(p, 2) >= 1),
    ),
)

positive = Lemma(
    name="No guessing where the loss vanishes",
    source="van der Hoeven 2020, section 4.2",
    implications=(
        Implication(
            name="right round",
            statement="y* = y, loss and gradient 0, a > 0: the gap a (K - 1)/K is positive",
            given=(a > 0,),
            then=a * (K - 1) / K > 0,
        ),
    ),
)

hinge = stated(dominate["hinge"], "A wrong round, the hinge loss at the margin m", {m: 0})
smooth = stated(dominate["smooth hinge"], "A wrong round, the smooth hinge loss at the margin m", {m: 0})
logistic = Argument(
    name="logistic",
    setting="A wrong round, the logistic loss at the probability p of the label y",
    symbols={first: "e^score_y", second: "e^score_k", total: "sum e^score"},
    hypotheses=(first <= second, first + second <= total, Eq(p, first / total)),
    steps=(dominate["not the largest probability"], dominate["logistic"]),
    conclusion=-log(p, 2) >= 1,
    example={first: 1, second: 2, total: 4, p: Rational(1, 4)},
)
switched = stated(positive["right round"], "A right round where loss and gradient vanish", {a: 1, K: 2})


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
        grounds=(hinge, smooth, logistic),
        recorded="PROVED",
        second=Resists(on_a_wrong_round, 60),
    ),
    Claim(
        id="gaptron/loss-positive-needed",
        quote="for the surrogate gap to be bounded by zero we need ℓ_t to be positive whenever $a_t > 0$ otherwise "
        r"there is nothing to cancel out the $a_t \frac{K-1}{K}$ term",
        source="van der Hoeven 2020, section 4.2",
        grounds=switched,
        recorded="PROVED",
        second=Resists(switched_off, 60),
        finding="With beta = 0, the common Perceptron loss, no learning rate will do for the gap map 1 - m.",
    ),
)
