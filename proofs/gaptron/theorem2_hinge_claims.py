"""Theorem 2, claims: the gap, the bound with its constants, and two readings that fail.

The theorem is in theorem2_hinge.py.
"""

from dataclasses import replace
from fractions import Fraction

import numpy as np
from sympy import Max, Piecewise

from gaptron import (
    Breaks,
    Claim,
    Constant,
    Corrected,
    GapMap,
    Gaptron,
    InProof,
    Instance,
    MarginLoss,
    Obligations,
    Parameter,
    Resists,
    Rests,
    Theorem,
)
from gaptron.instances import by_hand as hand
from gaptron.rounds import value
from gaptron.symbols import K, m
from gaptron.theory.running import beside

hinge = beside(__file__, "theorem2_hinge.py")

SOURCE = "van der Hoeven 2020, Theorem 2"
beta = Parameter("beta", 0, 1)
DIAGONAL = 9


def with_map(gap_map: GapMap) -> Theorem:
    """The hinge loss with another gap map, for every beta in [0, 1]."""
    loss = MarginLoss(Max(1 - m, 0), off_above=beta)
    return replace(
        hinge, name="hinge, any beta", loss=loss, gap_map=gap_map, learning_rate=None, regret=None, sharp_at=None
    )


def gap_by_hand(rng: np.random.Generator) -> Instance:
    """The surrogate gap of a round at random weights."""
    n_classes = int(rng.integers(2, 6))
    W, label = (hand.fractions(rng, n_classes, 1) / 3).tolist(), int(rng.integers(n_classes))
    now, _ = hand.step(hand.hinge(n_classes), W, [hand.ONE], label, Fraction(0))
    value = now.P_wrong - now.loss + hand.hinge(n_classes).eta / 2 * now.squares
    return Instance({"W": W, "label": label}, value, Fraction(0))


def bound_by_hand(rng: np.random.Generator) -> Instance:
    """Both sides of Theorem 2, the cases of the losses being those of W_t."""
    n_classes, stream = hand.draw_stream(rng)
    U, rule = hand.draw_comparator(rng, n_classes, stream), hand.hinge(n_classes)
    rounds = list(hand.play(rule, n_classes, stream))
    regret = Fraction(n_classes**2, 2 * (n_classes - 1)) * hand.squared_norm(U)
    right = hand.comparator_losses(rule, rounds, stream, U) + regret
    return Instance({"stream": stream, "U": U}, sum(r.P_wrong for r in rounds), right)


def reached_map() -> Instance:
    """The printed map after nine orthogonal rounds with the same label, at the diagonal: m* = 3/2."""
    learner = Gaptron(2, DIAGONAL, loss=hinge, exact=True)
    learner.run(np.eye(DIAGONAL, dtype=int), [0] * DIAGONAL)
    first, second = (learner.W @ np.full(DIAGONAL, Fraction(1, 3), dtype=object)).tolist()
    a = 1 - max(int(first - second > Fraction(1, 2)), first - second)
    return Instance({"K": 2, "rounds": "e_1, ..., e_9, label 1 each", "m*": first - second}, a, Fraction(0), ">=")


def loss_at_u_by_the_learner() -> Instance:
    """One round: the learner's expected mistakes, and the bound with U's own top label and margin."""
    made = Gaptron(2, 1, loss=hinge, exact=True).run([[1]], [1]).expected_mistakes
    U = [[-Fraction(3, 10)], [Fraction(3, 10)]]
    loss = value(hinge.loss, [row[0] for row in U], 1)
    return Instance({"K": 2, "x": "(1)", "label": 2, "U": U}, made, loss + 2 * hand.squared_norm(U))


def loss_at_u_by_hand() -> Instance:
    """K = 3, one round x = (1), label 1, U = (4/15, -2/15, -2/15): margin 2/5 > 1/3, loss 0, ||U||^2 = 8/75."""
    bound = Fraction(9, 4) * (Fraction(4, 15) ** 2 + 2 * Fraction(2, 15) ** 2)
    return Instance({"K": 3, "x": "(1)", "label": 1, "U": "(4/15, -2/15, -2/15)"}, Fraction(2, 3), bound)


claims = (
    Claim(
        id="gaptron/hinge-map-range",
        quote=r"The gap map for the hinge loss is $a(W_t, \boldsymbol{x}_t) = 1 - \max\{\mathbb{1}[m_t^{\star} > "
        r"\beta], m_t^{\star}\}$",
        severity="D",
        cause="the hinge gap map is negative for margins above 1",
        patch="read 1 - max{1[m* > beta], min{1, m*}} in section 4.2 and in Theorems 2 and 5",
        source="van der Hoeven 2020, section 4.2",
        statement="The hinge gap map 1 - max{1[m* > beta], m*} lies in [0, 1] for every beta in [0, 1]",
        tex=r"0 \le 1 - \max\{1[m^\star > \beta], m^\star\} \le 1",
        grounds=Obligations(with_map(GapMap(1 - Max(Piecewise((1, m > beta), (0, True)), m))), "gap map/range"),
        recorded="REFUTED",
        finding="It is 1 - m* < 0 for m* > 1, which the learner reaches. The prediction is not touched, as it uses "
        "max{a, gamma}; the bracket of Lemma 1 would be, and Lemma 1 is false for such an a. m* was meant as min{1, "
        "m*}.",
        corrected=Corrected(
            statement="1 - max{1[m* > beta], min(1, m*)} lies in [0, 1], and nothing else in Theorem 2 changes",
            tex=r"a = 1 - \max\{1[m^\star > \beta], \min\{1, m^\star\}\}",
            grounds=Obligations(with_map(GapMap(Piecewise((1 - m, m <= beta), (0, True)))), "gap map/range"),
        ),
        second=Breaks(reached_map),
    ),
    Claim(
        id="gaptron/t2-gap",
        quote="for the surrogate gap to be bounded by zero we need ℓ_t to be positive whenever $a_t > 0$",
        source=SOURCE,
        statement="Theorem 2: the surrogate gap (1 - a) 1[y* != y] + a (K - 1)/K - l(W) + (eta/2) ||g||^2 is at "
        "most 0 in every round, at any ties among the rivals",
        grounds=InProof("margins.proof", "gaptron/t2-gap"),
        recorded="PROVED",
        second=(Resists(gap_by_hand), Obligations(hinge, "gap*")),
    ),
    Claim(
        id="gaptron/t2-bound",
        quote=r"\sum_{t=1}^{T} \ell_t(U) + \frac{K^2 X^2 ||U||^2}{2(K-1)}",
        source=SOURCE,
        statement="Theorem 2, W projected on a convex set that has U, any ties among the rivals, an adversary that "
        "sees the past: E[mistakes] <= E[sum l_t(U)] + K^2 X^2 ||U||^2/(2 (K - 1)), the cases of l_t being those of "
        "W_t",
        grounds=InProof("margins.proof", "gaptron/t2-bound"),
        recorded="PROVED",
        constants=(
            Constant(
                name="X^2 ||U||^2",
                sharp="argument",
                printed=K**2 / (2 * (K - 1)),
                best=K**2 / (2 * (K - 1)),
                attained="for beta = 1/K: gap 0 on a right round with m* = 1/K",
                theorem="Theorem 2, hinge",
            ),
            Constant(
                name="X^2 ||U||^2, with the best gap map",
                sharp="bound",
                printed=K**2 / (2 * (K - 1)),
                best=K / 2,
                attained="the bound itself is: K - 1 rounds of one point with label K - 1 (hinge_best_map)",
                theorem="hinge, best gap map",
            ),
        ),
        second=(Resists(bound_by_hand, 60), Obligations(hinge)),
    ),
    Claim(
        id="gaptron/t2-from-definitions",
        kind="derived",
        source=SOURCE,
        statement="Theorem 2 from the definitions: margins as differences of scores, the loss and its gap map with "
        "their cases, the draw, the projected step on a convex set, an adversary that sees the past: "
        "E[mistakes] <= E sum l_t(U) + K^2 X^2 ||U||^2/(2 (K - 1)), the cases of l_t being those of W_t",
        grounds=InProof("theorem2.proof", "gaptron/t2-from-definitions"),
        recorded="PROVED",
        finding="Nothing is cited. The kink of the loss at margin 1 is met in rounds alone in which the loss is off.",
        second=Resists(bound_by_hand, 60),
    ),
    Claim(
        id="slides/regret-final-hinge",
        kind="reading",
        quote=r"Full information now: $KX^2\|\mathbf{U}\|^2$ regret",
        source="slides, Gaptron Analysis: wow, that is very useful!",
        statement="the hinge loss with the learning rate of the paper's Theorem 2: "
        "E[mistakes] <= E sum l_t(U) + K X^2 ||U||^2",
        grounds=InProof("theorem2.proof", "slides/regret-final-hinge"),
        recorded="PROVED",
    ),
    Claim(
        id="gaptron/t2-loss-at-u",
        kind="reading",
        quote=r"\max\{1 - m_t(\boldsymbol{W}, y_t), 0\} & \text{if } y_t^* \neq y_t \text{ and } m_t^* > \beta",
        source=SOURCE,
        statement="Theorem 2 with the cases of loss (2) evaluated at U, by its own top label and margin, instead of at "
        "W_t",
        tex=r"\ell_t(U) = 0 \mathrm{\ if\ } m(U, y_t) > \beta",
        grounds=Breaks(loss_at_u_by_the_learner),
        recorded="REFUTED",
        finding="A U with margins just above 1/K would pay nothing and have 1/K times the norm. The loss (2) reads as "
        "a function of W; m*_t and y*_t in its cases are those of the learner, and then the theorem holds.",
        corrected=Corrected(
            statement="Theorem 2 holds with the cases of l_t evaluated at W_t",
            tex=r"\ell_t(U) = \max\{1 - m(U, y_t), 0\} \mathrm{\ or\ } 0",
            grounds=Rests("gaptron/t2-bound"),
        ),
        second=Breaks(loss_at_u_by_hand),
    ),
)
