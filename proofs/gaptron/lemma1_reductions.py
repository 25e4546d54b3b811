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
  probabilities. These sum to R = 1 - p_y, so S <= R^2; if none of them exceeds c, then S <= c R, and
  S <= c^2 + (R - c)^2 if also R/2 <= c <= R.
- One score: ||g||^2 = f^2 ||x||^2.

The gap increases with ||x||^2 and the learning rate is c/X^2, so X = 1 may be assumed. Sums over features, rivals and
classes are built up one term at a time, from 0.

**References.** van der Hoeven 2020, sections 3 and 4.1 to 4.3; blog "The Gaptron Algorithm", Theorem 1.
"""

from fractions import Fraction

import numpy as np
from sympy import Eq, Rational, symbols

from gaptron import (
    Argument,
    Cases,
    Cite,
    Claim,
    Implication,
    InProof,
    Instance,
    Lemma,
    Let,
    Resists,
    Rounds,
    Use,
)
from gaptron.instances import by_hand as hand
from gaptron.numbers.evaluate import ball
from gaptron.rounds import score_gradient, softmax
from gaptron.symbols import m, p
from gaptron.theory import facts
from gaptron.theory.losses import MarginLoss, SoftmaxLoss

slope, row, prob, prob_k, share = symbols("slope row prob prob_k share", real=True)
parts, others = symbols("parts others", real=True)
top, second, score, rival, margin, star = symbols("top second score rival margin star", real=True)
part, total, rows, squares, norm2 = symbols("part total rows squares norm2", nonnegative=True)
other, rest, largest, cap, low_margin = symbols("other rest largest cap low_margin", nonnegative=True)
exp_y, exp_k, weights = symbols("exp_y exp_k weights", positive=True)


softmax_loss = Lemma(
    name="Softmax losses",
    source="van der Hoeven 2020, section 4.1",
    implications=(
        Implication(
            name="derivative in the score of y",
            statement="quotient rule for p_y = exp_y/weights, weights the sum over all labels: it is p_y (1 - p_y)",
            given=(Eq(prob * weights, exp_y),),
            then=Eq((exp_y * weights - exp_y * exp_y) / weights**2, prob * (1 - prob), evaluate=False),
        ),
        Implication(
            name="derivative in another score",
            statement="quotient rule for p_y = exp_y/weights in the score of k: it is -p_y p_k",
            given=(Eq(prob * weights, exp_y), Eq(prob_k * weights, exp_k)),
            then=Eq((0 * weights - exp_y * exp_k) / weights**2, -prob * prob_k, evaluate=False),
        ),
        Implication(
            name="one more class",
            statement="entries -psi' p_y p_k of the gradient: others = (psi' p_y)^2 S, parts = S = sum of p_k^2",
            given=(Eq(others, (slope * prob) ** 2 * parts), Eq(row, -slope * prob * prob_k)),
            then=Eq(others + row**2, (slope * prob) ** 2 * (parts + prob_k**2)),
        ),
        Implication(
            name="squared norm",
            statement="with the entry psi' p_y (1 - p_y) of y: ||g||^2 = (psi' p_y)^2 ((1 - p_y)^2 + S) ||x||^2",
            given=(
                Eq(others, (slope * prob) ** 2 * parts),
                Eq(rows, (slope * prob * (1 - prob)) ** 2 + others),
                Eq(squares, rows * norm2),
            ),
            then=Eq(squares, (slope * prob) ** 2 * ((1 - prob) ** 2 + parts) * norm2),
        ),
        Implication(
            name="S <= R^2, one more class",
            statement="the sum of the squares is at most the square of the sum",
            given=(parts <= total**2,),
            then=parts + part**2 <= (total + part) ** 2,
        ),
        Implication(
            name="S <= c R, one more class",
            statement="no probability exceeds cap = c: the sum of the squares is at most c times the sum",
            given=(parts <= cap * total, part <= cap),
            then=parts + part**2 <= cap * (total + part),
        ),
        Implication(
            name="S <= c^2 + (R - c)^2, large",
            statement="the largest of the others is at least R/2, the other squares sum to parts <= (R - largest)^2",
            given=(
                parts <= total**2,
                Eq(total, rest - largest),
                2 * largest >= rest,
                largest <= cap,
                Eq(share, largest**2 + parts),
            ),
            then=share <= cap**2 + (rest - cap) ** 2,
        ),
        Implication(
            name="S <= c^2 + (R - c)^2, small",
            statement="the largest of the others is at most R/2: S <= largest R <= R^2/2",
            given=(share <= largest * rest, 2 * largest <= rest, rest <= 2 * cap),
            then=share <= cap**2 + (rest - cap) ** 2,
        ),
    ),
)


NAMES = {
    slope: "phi'", parts: "sum w_k^2", total: "sum w_k", part: "w_k", rows: "||s||^2", squares: "||g||^2",
    norm2: "||x||^2", star: "m*", margin: "m(W, y)", low_margin: "t", top: "largest score",
    second: "largest other score", score: "score of y", rival: "score of the rival",
}  # fmt: skip

squares_of_weights = Argument(
    name="sum of squares of weights",
    setting="Any number of weights that are not negative",
    symbols=NAMES,
    steps=(
        Rounds(
            invariant=parts <= total**2,
            state={parts: (0, parts + part**2), total: (0, total + part)},
            step=softmax_loss["S <= R^2, one more class"],
        ),
    ),
    conclusion=parts <= total**2,
    example={part: 1, total: 0, parts: 0},
)


PROBABILITIES = {
    slope: "psi'", prob: "p_y", prob_k: "p_k", parts: "S", others: "sum of the other entries squared", rows: "||s||^2",
    squares: "||g||^2", norm2: "||x||^2", rest: "R", cap: "c", exp_y: "e^score_y", exp_k: "e^score_k",
    weights: "sum e^score",
}  # fmt: skip

derivatives = Argument(
    name="derivatives of the softmax probability",
    setting="By the quotient rule, in the score of y and in that of another label k",
    symbols=PROBABILITIES,
    hypotheses=(Eq(prob * weights, exp_y), Eq(prob_k * weights, exp_k)),
    steps=(softmax_loss["derivative in the score of y"], softmax_loss["derivative in another score"]),
    conclusion=(
        Eq((exp_y * weights - exp_y * exp_y) / weights**2, prob * (1 - prob), evaluate=False),
        Eq((0 * weights - exp_y * exp_k) / weights**2, -prob * prob_k, evaluate=False),
    ),
    example={exp_y: 1, exp_k: 1, weights: 2, prob: Rational(1, 2), prob_k: Rational(1, 2)},
)

other_entries = Argument(
    name="the other entries",
    setting="The entries of the gradient in the scores of the other labels",
    symbols=PROBABILITIES,
    steps=(
        Let(row, -slope * prob * prob_k),
        Rounds(
            invariant=Eq(others, (slope * prob) ** 2 * parts),
            state={others: (0, others + row**2), parts: (0, parts + prob_k**2)},
            step=softmax_loss["one more class"],
            fixed=(slope, prob),
        ),
    ),
    conclusion=Eq(others, (slope * prob) ** 2 * parts),
    example={slope: 0, prob: 1, prob_k: 0, others: 0, parts: 0},
)

softmax_gradient = Argument(
    name="gradient of a softmax loss",
    setting="The loss psi of the probability of y: s has the entries psi' times the derivatives of p_y",
    symbols=PROBABILITIES,
    hypotheses=("g = s (x) x", Eq(rows, (slope * prob * (1 - prob)) ** 2 + others)),
    steps=(Use(facts.OUTER, {"g": "g", "s": "s", "x": "x"}), Cite(other_entries), softmax_loss["squared norm"]),
    conclusion=Eq(squares, (slope * prob) ** 2 * ((1 - prob) ** 2 + parts) * norm2),
    example={slope: 0, prob: 1, others: 0, parts: 0, rows: 0, squares: 0, norm2: 1},
)

capped = Argument(
    name="squares of capped probabilities",
    setting="Other probabilities that are at most c",
    symbols=NAMES | {cap: "c"},
    hypotheses=(part <= cap,),
    steps=(
        Rounds(
            invariant=parts <= cap * total,
            state={parts: (0, parts + part**2), total: (0, total + part)},
            step=softmax_loss["S <= c R, one more class"],
            fixed=(cap,),
        ),
    ),
    conclusion=parts <= cap * total,
    example={part: 1, cap: 1, total: 0, parts: 0},
)

between = Argument(
    name="squares of probabilities, c between R/2 and R",
    setting="Other probabilities v_k of sum R whose largest one is at most c, the rest being w_k",
    symbols=NAMES | {cap: "c", rest: "sum v_k", share: "sum v_k^2", other: "v_k", largest: "largest"},
    hypotheses=(
        other <= largest,
        largest <= cap,
        rest <= 2 * cap,
        Eq(total, rest - largest),
        Eq(share, largest**2 + parts),
    ),
    steps=(
        Cite(squares_of_weights),
        Cite(capped, {"w_k": "v_k", "c": "largest"}),
        Cases(
            {
                2 * largest >= rest: (softmax_loss["S <= c^2 + (R - c)^2, large"],),
                2 * largest <= rest: (softmax_loss["S <= c^2 + (R - c)^2, small"],),
            },
            (share <= cap**2 + (rest - cap) ** 2,),
        ),
    ),
    conclusion=share <= cap**2 + (rest - cap) ** 2,
    example={other: 1, cap: 1, rest: 1, largest: 1, total: 0, parts: 0, share: 1},
)


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
        grounds=(derivatives, softmax_gradient, squares_of_weights, capped, between),
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
