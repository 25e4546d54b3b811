"""Theorem 3, claims: the gap, the bound with its constants, the learning rate, and the curvature of the loss.

The theorem is in theorem3_smooth_hinge.py.
"""

from fractions import Fraction

import numpy as np

from gaptron import Claim, Constant, InProof, Instance, Obligations, Resists
from gaptron.instances import by_hand as hand
from gaptron.numbers.evaluate import ball
from gaptron.rounds import value
from gaptron.symbols import K
from gaptron.theory.running import beside

smooth_hinge = beside(__file__, "theorem3_smooth_hinge.py")


def gap_by_hand(rng: np.random.Generator) -> Instance:
    """The surrogate gap of a round at random weights."""
    n_classes = int(rng.integers(2, 6))
    W, label = (hand.fractions(rng, n_classes, 1) / 3).tolist(), int(rng.integers(n_classes))
    rule = hand.smooth_hinge(n_classes)
    now, _ = hand.step(rule, W, [hand.ONE], label, Fraction(0))
    return Instance({"W": W, "label": label}, now.P_wrong - now.loss + rule.eta / 2 * now.squares, Fraction(0))


def bound_by_hand(rng: np.random.Generator) -> Instance:
    """Both sides of Theorem 3."""
    n_classes, stream = hand.draw_stream(rng)
    U, rule = hand.draw_comparator(rng, n_classes, stream), hand.smooth_hinge(n_classes)
    rounds = list(hand.play(rule, n_classes, stream))
    right = hand.comparator_losses(rule, rounds, stream, U) + 2 * n_classes * hand.squared_norm(U)
    return Instance({"stream": stream, "U": U}, sum(r.P_wrong for r in rounds), right)


def chord(rng: np.random.Generator) -> Instance:
    """The loss in the middle of two random weights, in two dimensions."""
    n_classes = int(rng.integers(2, 5))
    V, W, (x,) = (hand.fractions(rng, n, 2) for n in (n_classes, n_classes, 1))
    label, phi = int(rng.integers(n_classes)), hand.smooth_hinge(n_classes).phi
    left, right, middle = (phi(hand.margin(list(M @ x), label)[0]) for M in (V, W, (V + W) / 2))
    return Instance({"V": V, "W": W, "x": x, "label": label}, middle, (left + right) / 2)


def no_decoder(rng: np.random.Generator) -> Instance:
    """K labels, W = 0, any distribution: the largest gap over the labels at a learning rate above 1/(4 K)."""
    n_classes = int(rng.integers(2, 6))
    weights = [Fraction(int(n)) for n in rng.integers(1, 9, n_classes)]
    rate = Fraction(1, 4 * n_classes) * (1 + Fraction(1, int(rng.integers(1, 100))))
    gaps = [1 - weight / sum(weights) - 1 + rate / 2 * 8 for weight in weights]
    return Instance({"p": weights, "eta": rate}, max(gaps), Fraction(0), ">")


def exponentials(rng: np.random.Generator) -> Instance:
    """exp(-alpha l) in the middle of scores 0 and -2 delta of the true label, against the mean of the ends."""
    alpha, step = (Fraction(int(n), 8) for n in rng.integers(1, 20, 2))
    values = [ball(-alpha * value(smooth_hinge.loss, [-i * step, Fraction(0)], 0)).exp() for i in range(3)]
    return Instance({"alpha": alpha, "delta": step}, values[1], (values[0] + values[2]) / 2, "<")


SOURCE = "van der Hoeven 2020, Theorem 3"

claims = (
    Claim(
        id="gaptron/smooth-hinge-convex-truncated",
        kind="reading",
        quote=r"\max\{(1 - m_t(\mathbf{W}, y_t))^2, 0\} & \text{if } m_t(\mathbf{W}, y_t) > 0",
        source="van der Hoeven 2020, section 4.3",
        statement="the smooth hinge loss, truncated beyond margin 1, is convex in W and not negative: at every W it "
        "has the subgradient phi' (e_y (x) x - h), h a subgradient of the largest other score, at any ties",
        grounds=InProof("margins.proof", "gaptron/smooth-hinge-convex"),
        recorded="PROVED",
        second=(Resists(chord, 100), Obligations(smooth_hinge, "loss/*")),
    ),
    Claim(
        id="gaptron/t3-gap",
        kind="reading",
        quote="The proof of Theorem 3 follows from bounding the surrogate gap by zero",
        source=SOURCE,
        statement="Theorem 3, truncated loss: the surrogate gap (1 - a) 1[y* != y] + a (K - 1)/K - l(W) + (eta/2) "
        "||g||^2 is at most 0 in every round for eta <= 1/(4 K X^2), at any ties among the rivals",
        grounds=InProof("margins.proof", "gaptron/t3-gap"),
        recorded="PROVED",
        second=(Resists(gap_by_hand, 120), Obligations(smooth_hinge, "gap*")),
    ),
    Claim(
        id="gaptron/t3-bound",
        kind="reading",
        quote=r"let ℓ_t be the smooth multiclass hinge loss defined in (3). Then for any $U \in \mathcal{W}$ "
        "Algorithm 1 satisfies",
        source=SOURCE,
        statement="Theorem 3, truncated loss, W projected on a convex set that has U, any ties among the rivals, an "
        "adversary that sees the past: E[mistakes] <= E[sum l_t(U)] + 2 K X^2 ||U||^2",
        grounds=InProof("margins.proof", "gaptron/t3-bound"),
        recorded="PROVED",
        constants=(
            Constant(
                name="X^2 ||U||^2",
                sharp="argument",
                printed=2 * K,
                best=2 * K,
                attained="by the gap inequality: it is 0 on a wrong round at W = 0, for every gap map",
                theorem="Theorem 3, smooth hinge",
            ),
        ),
        second=(Resists(bound_by_hand, 50), Obligations(smooth_hinge)),
    ),
    Claim(
        id="gaptron/t3-from-definitions",
        kind="derived",
        source=SOURCE,
        statement="Theorem 3 from the definitions: margins as differences of scores, the gap map, the draw, the "
        "projected step on a convex set, an adversary that sees the past: "
        "E[mistakes] <= E sum l_t(U) + 2 K X^2 ||U||^2",
        grounds=InProof("theorem3.proof", "gaptron/t3-from-definitions"),
        recorded="PROVED",
        finding="Nothing is cited: convexity of the loss, the gap inequality on right and wrong rounds and the descent "
        "are lines of one proof.",
        second=Resists(bound_by_hand, 50),
    ),
    Claim(
        id="gaptron/t3-gap-sharp",
        kind="improvement",
        source=SOURCE,
        statement="a wrong round at W = 0 with a feature of norm X and no ties among the rivals has a surrogate gap "
        "of at least 4 X^2 (eta - 1/(4 K X^2)), whatever the gap map: no eta above 1/(4 K X^2) keeps it at most 0",
        grounds=InProof("margins.proof", "gaptron/t3-gap-sharp"),
        recorded="PROVED",
        finding="At W = 0 not even another randomized prediction allows more: some label has probability at most 1/K.",
        second=(Resists(no_decoder, 100), Obligations(smooth_hinge, "learning rate/sharp")),
    ),
    Claim(
        id="gaptron/smooth-hinge-not-exp-concave",
        quote="This loss function is not exp-concave nor is it strongly-convex",
        source="van der Hoeven 2020, section 4.3",
        statement="at the margins 0, -delta, -2 delta, r = exp(-2 alpha delta): exp(-alpha l) is proportional to 1, r, "
        "r^2 with r < (1 + r^2)/2, and the middle loss is larger than strong convexity allows, for every "
        "alpha, delta, mu > 0",
        grounds=InProof("numbers.proof", "gaptron/smooth-hinge-not-exp-concave"),
        recorded="PROVED",
        finding="Both fail where the loss is linear, at margins below 0, which every ball of weights contains.",
        second=Resists(exponentials, 60),
    ),
)
