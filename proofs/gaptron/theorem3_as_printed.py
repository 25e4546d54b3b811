"""The smooth hinge loss (3) as printed: what fails if it is not truncated beyond margin 1.

**Problem.** Online multiclass classification with full information and the loss 1 - 2 m for m <= 0, max{(1 - m)^2, 0}
for m > 0. The square is never negative, so the maximum does nothing: beyond m = 1 the loss increases with the margin.

**Algorithm.** Gaptron with the gap map and learning rate of Theorem 3; on a round with m > 1 it lowers the true label's
score and raises the rival's.

**Theoretical guarantee.** For K = 2 the loss is convex in W, and Theorem 3 holds as printed. For K >= 3 the margin is
concave in W, an increasing function of it is not convex, and Lemma 1 fails; the surrogate gap is still at most 0.
Theorem 3 itself is false for K = 3: on the stream below U has loss 0, and the expected mistakes grow by 0.118 a round.
The truncated loss of proofs/gaptron/theorem3_smooth_hinge.py is what is meant.

**References.** van der Hoeven 2020, equation (3) and Theorem 3.
"""

from fractions import Fraction

import numpy as np
from sympy import Min, Piecewise, symbols

from gaptron import (
    Breaks,
    Claim,
    Corrected,
    GapMap,
    Gaptron,
    Implication,
    InProof,
    Instance,
    Lemma,
    MarginLoss,
    Obligations,
    Resists,
    Rests,
    Theorem,
)
from gaptron.bounds.sides import Game
from gaptron.instances import by_hand as hand
from gaptron.rounds import score_gradient, value
from gaptron.symbols import K, m


def as_printed(classes: int | None, name: str = "Theorem 3, as printed") -> Theorem:
    """Theorem 3 with loss (3) to the letter."""
    return Theorem(
        name=name,
        source="van der Hoeven 2020, Theorem 3",
        loss=MarginLoss(Piecewise((1 - 2 * m, m <= 0), ((1 - m) ** 2, True))),
        gap_map=GapMap((1 - Min(1, m)) ** 2),
        learning_rate=1 / (4 * K),
        regret=2 * K,
        classes=classes,
    )


two_classes = as_printed(2, "Theorem 3, as printed, K = 2")

margin_w, margin_u, same_rival = symbols("margin_w margin_u same_rival", real=True)

linearization = Implication(
    name="linearization",
    statement="margin_w = m(W, y) > 1; U has margin margin_u > 0, and same_rival >= margin_u against the rival of W: "
    "(1 - margin_w)^2 - (1 - margin_u)^2 <= <g, W - U> = 2 (margin_w - 1) (margin_w - same_rival)",
    given=(margin_w > 1, margin_u > 0, same_rival >= margin_u),
    then=(1 - margin_w) ** 2 - (1 - margin_u) ** 2 <= 2 * (margin_w - 1) * (margin_w - same_rival),
)

# --- the stream of Theorem 3 ---------------------------------------------------------------------------------

PUSH, RAISE, LOWER, SPREAD = ("4/5", "3/5"), ("3/10", "3/5"), ("-3/10", "3/5"), ("0", "-3/5")
POINTS = {"A": (PUSH, 0), "B": (RAISE, 0), "D": (LOWER, 1), "E": (SPREAD, 2)}
U = [[Fraction(10, 9), Fraction(5, 9)], [-Fraction(20, 9), Fraction(5, 9)], [Fraction(10, 9), -Fraction(10, 9)]]
ROUNDS = {"A": "x = (4/5, 3/5), label 1", "B": "(3/10, 3/5), 1", "D": "(-3/10, 3/5), 2", "E": "(0, -3/5), 3"}


def points(word: str) -> list[hand.Point]:
    """One round for every letter. U has margin exactly 1 on each, against label 3 on A, where label 2 is far below."""
    return [([Fraction(v) for v in x], label) for x, label in (POINTS[letter] for letter in word)]


def setting(word: str) -> dict[str, object]:
    """What a reader needs to play the stream."""
    return {"K": 3, "X": 1, "stream": word, **ROUNDS, "U": U}


def broken_by_hand() -> Instance:
    """399 rounds, in fractions."""
    word = "E" * 16 + "DB" * 9 + ("ADB" * 24 + "E") * 5
    rule, stream = hand.smooth_hinge(3, truncated=False), points(word)
    rounds = list(hand.play(rule, 3, stream))
    right = hand.comparator_losses(rule, rounds, stream, U) + 6 * hand.squared_norm(U)
    return Instance(setting("E^16 (DB)^9 ((ADB)^24 E)^5"), sum(r.P_wrong for r in rounds), right)


def broken_by_the_learner() -> Instance:
    """Another 404 rounds, by the exact expectation of the learner."""
    stream = points("E" * 18 + "DB" * 9 + ("ADB" * 15 + "E") * 8)
    sides = Game(as_printed(None), 3).sides([x for x, _ in stream], [label for _, label in stream], U)
    return Instance(setting("E^18 (DB)^9 ((ADB)^15 E)^8"), sides.mistakes, sides.comparator_loss + sides.regret)


# --- three rounds that break Lemma 1 ---------------------------------------------------------------------------

RATE = Fraction(1, 2)
SHORT = [([Fraction(x)], label) for x, label in (("2/5", 0), ("27/10", 0), ("-1/2", 2))]
SHORT_U = [[Fraction(u)] for u in ("2/5", "0", "-2/5")]


def lemma1(mistakes: Fraction, brackets: Fraction) -> Instance:
    """Both sides of Lemma 1; W_t = 0, (2/5, -2/5, 0), (23/125, -2/5, 27/125), and the second margin is 27/25."""
    phi = hand.smooth_hinge(3, truncated=False).phi
    losses = sum(phi(hand.margin(hand.scores(SHORT_U, x), label)[0]) for x, label in SHORT)
    at = {"K": 3, "eta": RATE, "x": "2/5, 27/10, -1/2", "labels": "1, 1, 3", "U": "(2/5, 0, -2/5)"}
    return Instance(at, mistakes, losses + hand.squared_norm(SHORT_U) / (2 * RATE) + brackets)


def lemma1_by_hand() -> Instance:
    """The rounds in fractions."""
    rounds = list(hand.play(hand.smooth_hinge(3, RATE, truncated=False), 3, SHORT))
    brackets = sum((0 if r.right else 1 - r.a) + r.a * Fraction(2, 3) - r.loss + RATE / 2 * r.squares for r in rounds)
    return lemma1(sum(r.P_wrong for r in rounds), brackets)


def lemma1_by_the_learner() -> Instance:
    """The learner's probabilities, losses and steps; its bracket is P(wrong) - l(W) + ||W' - W||^2/(2 eta)."""
    learner = Gaptron(3, 1, loss=as_printed(None), learning_rate=RATE, exact=True)
    mistakes, rest = Fraction(0), Fraction(0)
    for x, label in SHORT:
        before, loss = learner.W.copy(), learner.loss(x, label)
        mistakes += 1 - learner.predict_proba(x)[label]
        learner.update(x, label)
        rest += ((learner.W - before) ** 2).sum() / (2 * RATE) - loss
    return lemma1(mistakes, mistakes + rest)


# --- convexity --------------------------------------------------------------------------------------------------


def middle() -> Instance:
    """K = 3, d = 2: the loss halfway between two weights at which it is 0."""
    phi = hand.smooth_hinge(3, truncated=False).phi
    V, W = ([[3, 0], [2, 0], [-4, 0]], [[3, 0], [-4, 0], [2, 0]])
    between = [[Fraction(a + b, 2) for a, b in zip(v, w, strict=True)] for v, w in zip(V, W, strict=True)]
    losses = [phi(hand.margin(hand.scores(M, [hand.ONE, Fraction(0)]), 0)[0]) for M in (V, W, between)]
    return Instance({"V": V, "W": W, "x": "(1, 0)", "label": 1}, losses[2], (losses[0] + losses[1]) / 2)


def tangent() -> Instance:
    """The gradient of the loss as the learner takes it, at scores (2, 0, -1), against U with scores (1, -2, 0)."""
    loss, at_w, at_u = (
        as_printed(None).loss,
        [Fraction(2), Fraction(0), -hand.ONE],
        [hand.ONE, Fraction(-2), Fraction(0)],
    )
    difference = [a - b for a, b in zip(at_w, at_u, strict=True)]
    left = value(loss, at_w, 0) - value(loss, at_u, 0)
    right = hand.dot(score_gradient(loss, at_w, 0), difference)
    return Instance({"W": "(2, 0, -1)", "U": "(1, -2, 0)", "x": "(1)", "label": 1}, left, right)


def gap_by_hand(rng: np.random.Generator) -> Instance:
    """The surrogate gap of a round at random weights."""
    n_classes = int(rng.integers(2, 6))
    W, label = (hand.fractions(rng, n_classes, 1) / 2).tolist(), int(rng.integers(n_classes))
    rule = hand.smooth_hinge(n_classes, truncated=False)
    now, _ = hand.step(rule, W, [hand.ONE], label, Fraction(0))
    return Instance({"W": W, "label": label}, now.P_wrong - now.loss + rule.eta / 2 * now.squares, Fraction(0))


def two_classes_by_hand(rng: np.random.Generator) -> Instance:
    """Both sides of Theorem 3 as printed, K = 2."""
    _, stream = hand.draw_stream(rng)
    stream = [(x, label % 2) for x, label in stream]
    comparator, rule = hand.draw_comparator(rng, 2, stream), hand.smooth_hinge(2, truncated=False)
    rounds = list(hand.play(rule, 2, stream))
    right = hand.comparator_losses(rule, rounds, stream, comparator) + 4 * hand.squared_norm(comparator)
    return Instance({"stream": stream, "U": comparator}, sum(r.P_wrong for r in rounds), right)


SOURCE = "van der Hoeven 2020, equation (3)"
TRUNCATED = (
    "The truncated loss, (max{1 - m, 0})^2 for m > 0, is convex in W for every K >= 2; for K = 2 the printed one too"
)
CONVEX = (
    Rests("gaptron/smooth-hinge-convex-truncated"),
    Rests("gaptron/convexity-margin"),
    Obligations(two_classes, "loss/*"),
)

claims = (
    Claim(
        id="gaptron/t3-bound-printed",
        quote=r"\max\{(1 - m_t(\mathbf{W}, y_t))^2, 0\} & \text{if } m_t(\mathbf{W}, y_t) > 0",
        severity="D",
        cause="equation (3) prints the maximum of a square and 0 for the square of a maximum; Theorem 3 holds with "
        "the latter",
        patch="in (3) and (6) read (max{1 - m_t(W, y_t), 0})^2 for max{(1 - m_t(W, y_t))^2, 0}",
        source="van der Hoeven 2020, Theorem 3 and equation (3)",
        statement="Theorem 3 with loss (3) as printed, every K >= 2: E[mistakes] <= sum l_t(U) + 2 K X^2 ||U||^2",
        tex=r"\mathbb{E}\left[\sum_{t=1}^{T} 1[y\prime_t \ne y_t]\right] \le \sum_{t=1}^{T} \ell_t(U) + 2 K X^2 "
        r"\|U\|^2",
        grounds=Breaks(broken_by_hand),
        recorded="REFUTED",
        finding="A misprint, and the theorem is true as meant. To the letter not only its proof fails: for K = 3 the "
        "stream has sum l_t(U) = 0 and more than 6 ||U||^2 = 500/9 expected mistakes after 399 rounds; continued, "
        "they grow linearly. On rounds A the learner's margin is above 1 against label 2, where U's is 8/3, and it "
        "gives back what B and D taught it. The surrogate gap is at most 0 all the time.",
        corrected=Corrected(
            statement="Theorem 3 holds for the truncated loss, and for K = 2 as printed",
            tex=r"\ell(W) = (\max\{1 - m(W, y), 0\})^2 \mathrm{\ if\ } m(W, y) > 0",
            grounds=(
                Rests("gaptron/t3-bound"),
                Rests("gaptron/lemma1"),
                Rests("gaptron/reduction-margin"),
                Obligations(two_classes),
            ),
        ),
        second=Breaks(broken_by_the_learner),
    ),
    Claim(
        id="gaptron/smooth-hinge-convex",
        quote=r"\max\{(1 - m_t(\mathbf{W}, y_t))^2, 0\} & \text{if } m_t(\mathbf{W}, y_t) > 0",
        severity="D",
        cause="equation (3) prints the maximum of a square and 0 for the square of a maximum; Theorem 3 holds with "
        "the latter",
        patch="in (3) and (6) read (max{1 - m_t(W, y_t), 0})^2 for max{(1 - m_t(W, y_t))^2, 0}",
        source=SOURCE,
        statement="Loss (3) as printed, with max{(1 - m)^2, 0} for m > 0, is convex in W for every K >= 2",
        tex=r"\ell(W) = \max\{(1 - m(W, y))^2, 0\} \mathrm{\ if\ } m(W, y) > 0",
        grounds=Obligations(as_printed(None), "loss/*"),
        recorded="REFUTED",
        finding="The maximum of a square and 0 is the square, so the loss increases beyond m = 1. The margin is "
        "concave in W "
        "and linear only for K = 2. A misprint for (max{1 - m, 0})^2, but one that changes what the theorem says.",
        corrected=Corrected(
            statement=TRUNCATED, tex=r"\ell(W) = (\max\{1 - m(W, y), 0\})^2 \mathrm{\ if\ } m(W, y) > 0", grounds=CONVEX
        ),
        second=Breaks(middle),
        coq={"PaperBandit.v:Loss3_as_printed_is_not_convex": "LossThree.v:loss_3_is_not_convex"},
    ),
    Claim(
        id="gaptron/smooth-hinge-linearization",
        kind="derived",
        cause="equation (3) prints the maximum of a square and 0 for the square of a maximum; Theorem 3 holds with "
        "the latter",
        source=SOURCE,
        statement="For loss (3) as printed, l(W) - l(U) <= <g, W - U> for all W, U and K >= 2, g its gradient at W",
        tex=r"\ell(W) - \ell(U) \le \langle g, W - U \rangle",
        grounds=Obligations(Lemma(name="Smooth hinge loss, as printed", implications=(linearization,))),
        recorded="REFUTED",
        finding="This is the step of Lemma 1 that uses convexity. It fails where the rival of W is not the rival of U.",
        corrected=Corrected(
            statement=TRUNCATED + ", and the inequality follows",
            tex=r"\ell(W) - \ell(U) \le \langle g, W - U \rangle",
            grounds=CONVEX,
        ),
        second=Breaks(tangent),
    ),
    Claim(
        id="gaptron/lemma1-printed-smooth-hinge",
        quote=r"Lemma 1. For any $U \in W$ Algorithm 1 satisfies",
        severity="D",
        cause="equation (3) prints the maximum of a square and 0 for the square of a maximum; Theorem 3 holds with "
        "the latter",
        patch="in (3) and (6) read (max{1 - m_t(W, y_t), 0})^2 for max{(1 - m_t(W, y_t))^2, 0}",
        source="van der Hoeven 2020, Lemma 1 and equation (3)",
        statement="Lemma 1 for loss (3) as printed, every eta > 0 and every U",
        tex=r"\mathbb{E}\left[\sum_{t=1}^{T} 1[y\prime_t \ne y_t]\right] \le \sum_{t=1}^{T} \ell_t(U) + "
        r"\frac{\|U\|^2}{2 \eta} + \sum_{t=1}^{T} \mathbb{E}\left[(1-a_t) 1[y^\star_t \ne y_t] + a_t \frac{K-1}{K} - "
        r"\ell_t(W_t) + \frac{\eta}{2}\|g_t\|^2\right]",
        grounds=Breaks(lemma1_by_hand),
        recorded="REFUTED",
        finding="Three rounds with one feature and K = 3 break it by 0.037: the second has margin 27/25, its gradient "
        "lowers the true label's score against the rival of W, and that is not where U's loss increases.",
        corrected=Corrected(
            statement="Lemma 1 holds for the truncated loss, and for K = 2 as printed",
            tex=r"\ell(W) = (\max\{1 - m(W, y), 0\})^2 \mathrm{\ if\ } m(W, y) > 0",
            grounds=(Rests("gaptron/lemma1"), *CONVEX),
        ),
        second=Breaks(lemma1_by_the_learner),
        coq={"PaperBandit.v:Loss3_as_printed_breaks_Lemma1": "LossThree.v:loss_3_breaks_lemma_1"},
    ),
    Claim(
        id="gaptron/t3-printed-two-classes",
        kind="reading",
        quote=r"let ℓ_t be the smooth multiclass hinge loss defined in (3). Then for any $U \in \mathcal{W}$ "
        "Algorithm 1 satisfies",
        source="van der Hoeven 2020, Theorem 3 and equation (3)",
        statement="two classes, Theorem 3 with loss (3) as printed, W projected on a convex set that has U, an "
        "adversary that sees the past: E[mistakes] <= E[sum l_t(U)] + 2 K X^2 ||U||^2",
        grounds=InProof("margins.proof", "gaptron/t3-printed-two-classes"),
        recorded="PROVED",
        finding="With two classes the margin is linear in W, and the printed loss is convex.",
        second=(Resists(two_classes_by_hand, 50), Obligations(two_classes)),
    ),
    Claim(
        id="gaptron/t3-gap-printed",
        quote="The proof of Theorem 3 follows from bounding the surrogate gap by zero",
        source="van der Hoeven 2020, Theorem 3 and equation (3)",
        statement="loss (3) as printed, every K >= 2: the surrogate gap is at most 0 in every round at eta = 1/(4 K "
        "X^2), at any ties among the rivals",
        grounds=InProof("margins.proof", "gaptron/t3-gap-printed"),
        recorded="PROVED",
        finding="So the gap inequality alone proves nothing: the loss must be convex as well.",
        second=(Resists(gap_by_hand, 120), Obligations(as_printed(None), "gap*")),
    ),
)
