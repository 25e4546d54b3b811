"""The gap of a round depends on a few scalars, for every number of features and every K.

**Problem.** A round has a matrix W with K rows, features x with ||x|| <= X and a label y. The surrogate gap is to be
bounded for all of them, and only finitely many variables can be treated at once.

**Algorithm.** Gaptron on a margin loss phi(m(W, y)), on a softmax loss psi(p_y), or with K = 2 on a loss of one score
phi(y <w, x>). Here m(W, y) is the score of y minus the largest other score, m* the largest of the margins, p_y the
softmax probability of y. Primes are derivatives.

**Theoretical guarantee.** The gap depends on the following scalars only.

- Margin loss, f = phi'(m): ||g||^2 = 2 f^2 ||x||^2; with ties among the rivals every subgradient of the margin in the
  scores is e_y minus a convex combination of them, and 2 f^2 ||x||^2 is still an upper bound. In a right round
  m(W, y) = m* >= 0. In a wrong round m* <= -m(W, y), with equality if K = 2; if K >= 3 every pair 0 <= m* <= -m(W, y)
  occurs (all scores but the top one and one rival are 0).
- Softmax loss, r = psi'(p_y): ||g||^2 = (r p_y)^2 ((1 - p_y)^2 + S) ||x||^2, with S the sum of the other squared
  probabilities. These sum to R = 1 - p_y, so S <= R^2; if none of them exceeds c, then S <= c R and
  S <= c^2 + (R - c)^2.
- One score: ||g||^2 = f^2 ||x||^2.

The gap increases with ||x||^2 and the learning rate is c/X^2, so X = 1 may be assumed. A sum over classes is a mean
over a label that is drawn from the softmax probabilities.

**References.** van der Hoeven 2020, sections 3 and 4.1 to 4.3; blog "The Gaptron Algorithm", Theorem 1.
"""

from fractions import Fraction

import numpy as np

from gaptron import Claim, InProof, Instance, Resists
from gaptron.instances import by_hand as hand
from gaptron.numbers.evaluate import ball
from gaptron.rounds import score_gradient, softmax
from gaptron.symbols import m, p
from gaptron.theory.losses import MarginLoss, SoftmaxLoss


def margin_round(rng: np.random.Generator) -> Instance:
    """||g||^2 of phi(m) = (1 - m)^2 as the squares of all K d partial derivatives, against 2 phi'(m)^2 ||x||^2."""
    n_classes, d = int(rng.integers(2, 5)), int(rng.integers(1, 4))
    W, (entries,) = hand.fractions(rng, n_classes, d).tolist(), hand.fractions(rng, 1, d).tolist()
    theta, label = hand.scores(W, entries), int(rng.integers(n_classes))
    partial = score_gradient(MarginLoss((1 - m) ** 2), theta, label)
    squared = sum((slope * v) ** 2 for slope in partial for v in entries)
    right = 2 * (2 * (1 - hand.margin(theta, label)[0])) ** 2 * hand.dot(entries, entries)
    return Instance({"W": W, "x": entries, "label": label}, squared, right, "=")


def margins_of_a_round(rng: np.random.Generator) -> Instance:
    """0 <= m* <= -m(W, y) if the label on top is wrong, m(W, y) = m* if it is right; equality for K = 2."""
    n_classes = int(rng.integers(2, 6))
    theta, label = hand.fractions(rng, n_classes).tolist(), int(rng.integers(n_classes))
    top = theta.index(max(theta))
    star, own = hand.margin(theta, top)[0], hand.margin(theta, label)[0]
    exact = n_classes == 2 or top == label
    return Instance({"scores": theta, "label": label}, star, abs(own), "=" if exact else "<=")


def softmax_round(rng: np.random.Generator) -> Instance:
    """||g||^2 of psi = 1/p as the squares of its partial derivatives, against (psi' p)^2 ((1 - p)^2 + (1 - p)^2)."""
    n_classes = int(rng.integers(2, 5))
    theta, label = hand.fractions(rng, n_classes).tolist(), int(rng.integers(n_classes))
    probability = softmax(theta)[label]
    squared = sum(slope**2 for slope in score_gradient(SoftmaxLoss(1 / p), theta, label))
    larger = (1 / probability) ** 2 * 2 * (1 - probability) ** 2 + ball(Fraction(1, 10**40))
    return Instance({"scores": theta, "label": label}, squared, larger)


def one_score_round(rng: np.random.Generator) -> Instance:
    """||g||^2 of (1 - y <w, x>)^2 in w, entry by entry."""
    w, entries = hand.fractions(rng, 2, 3).tolist()
    label = int(rng.choice((-1, 1)))
    slope = -2 * (1 - label * hand.dot(w, entries))
    squared = sum((slope * label * v) ** 2 for v in entries)
    return Instance({"w": w, "x": entries, "y": label}, squared, slope**2 * hand.dot(entries, entries), "=")


FILE = "margins.proof"

claims = (
    Claim(
        id="gaptron/reduction-margin",
        kind="derived",
        source="van der Hoeven 2020, Theorems 2 and 3 (a natural derivation; the appendix was not available)",
        statement="h a convex combination of the rows of the labels that tie for the largest other score, g = phi' "
        "(e_y (x) x - h): ||g||^2 <= 2 phi'^2 ||x||^2, so that at eta = c/X^2 and ||x|| <= X the gap is at "
        "most that of X = 1 and rate c; with one rival ||g||^2 = 2 phi'^2 ||x||^2; in a right round m(W, y) "
        "= m* >= 0, in a wrong one 0 <= m* <= -m(W, y), with equality if K = 2; if K >= 3 every pair occurs:"
        " scores t, t - u, 0 have m* = u, m(W, y) = -t",
        grounds=tuple(
            InProof(FILE, f"gaptron/{part}")
            for part in ("margin-gradient", "margin-gradient-one-rival", "margins", "two-labels", "every-pair")
        ),
        recorded="PROVED",
        finding="The paper uses it without saying so; ties between rivals need the inequality.",
        second=(Resists(margin_round, 40), Resists(margins_of_a_round, 100)),
    ),
    Claim(
        id="gaptron/reduction-softmax",
        kind="derived",
        source="van der Hoeven 2020, section 4.1",
        statement="the gradient of a loss psi(p_y) of the softmax probability: p_y has the derivative p_y (1 - p_y) in "
        "the score of y and -p_y p_k in that of another label k, so that ||g||^2 = (psi' p_y)^2 ((1 - p_y)^2 + S) "
        "||x||^2, S the sum of the other squared probabilities; S <= R^2 with R = 1 - p_y, and S <= c R and S <= c^2 "
        "+ (R - c)^2 for every c that none of the other probabilities exceeds",
        grounds=tuple(
            InProof("softmax.proof", f"gaptron/softmax-{part}") for part in ("derivatives", "squares", "parts")
        ),
        recorded="PROVED",
        second=Resists(softmax_round, 40),
    ),
    Claim(
        id="gaptron/reduction-one-score",
        kind="derived",
        source="van der Hoeven 2020, section 3; blog, Theorem 1",
        statement="the gradient of phi(y <w, x>), y = -1 or 1, has the squared norm phi'^2 ||x||^2",
        grounds=InProof(FILE, "gaptron/one-score-gradient"),
        recorded="PROVED",
        second=Resists(one_score_round, 60),
    ),
)
