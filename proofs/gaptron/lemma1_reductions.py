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
from sympy import Eq, symbols

from gaptron import Claim, Implication, Instance, Lemma, Obligations, Resists
from gaptron.instances import by_hand as hand
from gaptron.numbers.evaluate import ball
from gaptron.rounds import score_gradient, softmax
from gaptron.symbols import X, m, p
from gaptron.theory.losses import MarginLoss, SoftmaxLoss

f, scale, x, squares, norm2, true_row, rival_row = symbols("f scale x squares norm2 true_row rival_row", real=True)
part, parts, total = symbols("part parts total", nonnegative=True)
top, second, score, rival, margin, star, low_margin = symbols(
    "top second score rival margin star low_margin", real=True
)
base, slope2, eta, c = symbols("base slope2 eta c", nonnegative=True)
exp_y, exp_k, weights = symbols("exp_y exp_k weights", positive=True)
prob, prob_k, others = symbols("prob prob_k others", real=True)
rest, largest, cap = symbols("rest largest cap", nonnegative=True)
y, row = symbols("y row", real=True)

margin_loss = Lemma(
    name="Margin losses",
    source="van der Hoeven 2020, sections 4.2 and 4.3",
    implications=(
        Implication(
            name="one more feature",
            statement="the gradient has f x in row y and -f x in the rival's row: ||g||^2 = 2 f^2 ||x||^2",
            given=(Eq(squares, 2 * f**2 * norm2), Eq(true_row, f * x), Eq(rival_row, -f * x)),
            then=Eq(squares + true_row**2 + rival_row**2, 2 * f**2 * (norm2 + x**2), evaluate=False),
        ),
        Implication(
            name="one more tied rival",
            statement="weights part >= 0 of the rivals: the sum of their squares is at most the square of their sum",
            given=(parts <= total**2,),
            then=parts + part**2 <= (total + part) ** 2,
        ),
        Implication(
            name="ties",
            statement="the weights of the rivals sum to 1: e_y minus their combination has squared norm at most 2",
            given=(parts <= total**2, Eq(total, 1)),
            then=1 + parts <= 2,
        ),
        Implication(
            name="ties, subgradient",
            statement="||g||^2 = f^2 (1 + parts) ||x||^2 <= 2 f^2 ||x||^2, with slope2 = f^2",
            given=(parts <= 1, norm2 >= 0),
            then=slope2 * (1 + parts) * norm2 <= 2 * slope2 * norm2,
        ),
        Implication(
            name="right round",
            statement="the label on top is y: m(W, y) = top - second >= 0",
            given=(Eq(margin, top - second), second <= top),
            then=margin >= 0,
        ),
        Implication(
            name="wrong round",
            statement="y is not on top, second is the largest of the other scores: m* = top - second <= -m(W, y)",
            given=(Eq(star, top - second), Eq(margin, score - top), second >= score),
            then=star <= -margin,
        ),
        Implication(
            name="wrong round, sign",
            statement="m* >= 0",
            given=(Eq(star, top - second), second <= top),
            then=star >= 0,
        ),
        Implication(
            name="wrong round, K = 2",
            statement="there are no other labels: second = score, hence m* = -m(W, y)",
            given=(Eq(star, top - second), Eq(margin, score - top), Eq(second, score)),
            then=Eq(star, -margin, evaluate=False),
        ),
        Implication(
            name="every pair occurs, rival below top",
            statement="scores low_margin (top), low_margin - star (rival), 0 (y and the rest): rival <= top",
            given=(star >= 0, star <= low_margin, Eq(top, low_margin), Eq(rival, low_margin - star)),
            then=rival <= top,
        ),
        Implication(
            name="every pair occurs, rival second",
            statement="the same scores: the rival is at least 0, the score of y and of the rest, so m* = top - rival",
            given=(star >= 0, star <= low_margin, Eq(top, low_margin), Eq(rival, low_margin - star)),
            then=rival >= 0,
        ),
        Implication(
            name="every pair occurs, m*",
            statement="the same scores: m* = top - rival = star (and m(W, y) = 0 - top = -low_margin)",
            given=(Eq(top, low_margin), Eq(rival, low_margin - star)),
            then=Eq(top - rival, star, evaluate=False),
        ),
        Implication(
            name="norm of the features",
            statement="the gap increases with ||x||^2 <= X^2; slope2 ||x||^2 = ||g||^2",
            given=(norm2 <= X**2,),
            then=base + eta * slope2 * norm2 / 2 <= base + eta * slope2 * X**2 / 2,
        ),
        Implication(
            name="X = 1",
            statement="with eta = c/X^2 the gap at ||x|| = X is the gap at ||x|| = 1 with learning rate c",
            given=(Eq(eta, c / X**2),),
            then=Eq(base + eta * slope2 * X**2 / 2, base + c * slope2 / 2, evaluate=False),
        ),
    ),
)

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
            statement="scale = r p_y, entries -scale p_k of the gradient: others = scale^2 S, parts = S = sum of p_k^2",
            given=(Eq(others, scale**2 * parts), Eq(row, -scale * prob_k)),
            then=Eq(others + row**2, scale**2 * (parts + prob_k**2), evaluate=False),
        ),
        Implication(
            name="squared norm",
            statement="with the entry scale (1 - p_y) of y: ||g||^2 = scale^2 ((1 - p_y)^2 + S) in the scores",
            given=(Eq(others, scale**2 * parts), Eq(row, scale * (1 - prob))),
            then=Eq(row**2 + others, scale**2 * ((1 - prob) ** 2 + parts), evaluate=False),
        ),
        Implication(
            name="one more feature",
            statement="the gradient in W has the entry row x: its squared norm is that in the scores times ||x||^2",
            given=(Eq(squares, row**2 * norm2),),
            then=Eq(squares + (row * x) ** 2, row**2 * (norm2 + x**2), evaluate=False),
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
            given=(parts <= (rest - largest) ** 2, 2 * largest >= rest, largest <= cap),
            then=largest**2 + parts <= cap**2 + (rest - cap) ** 2,
        ),
        Implication(
            name="S <= c^2 + (R - c)^2, small",
            statement="the largest of the others is at most R/2: S <= largest R <= R^2/2",
            given=(parts <= largest * rest, 2 * largest <= rest, rest <= 2 * cap),
            then=parts <= cap**2 + (rest - cap) ** 2,
        ),
    ),
)

one_score_loss = Lemma(
    name="Losses of one score",
    source='van der Hoeven 2020, section 3; blog "The Gaptron Algorithm", Theorem 1',
    implications=(
        Implication(
            name="sign",
            statement="the gradient of phi(y <w, x>) is f y x with y = -1 or 1, and (f y)^2 = f^2",
            given=(Eq(y**2, 1),),
            then=Eq((f * y) ** 2, f**2, evaluate=False),
        ),
        Implication(
            name="one more feature",
            statement="scale = f y, the next entry is scale x: ||g||^2 = scale^2 ||x||^2",
            given=(Eq(squares, scale**2 * norm2), Eq(row, scale * x)),
            then=Eq(squares + row**2, scale**2 * (norm2 + x**2), evaluate=False),
        ),
    ),
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


claims = (
    Claim(
        id="gaptron/reduction-margin",
        source="van der Hoeven 2020, proofs of Theorems 2 and 3",
        statement="For a margin loss phi(m(W, y)) the surrogate gap is at most a function of K, m* >= 0 and, on a "
        "wrong round, t = -m(W, y) >= m* (t = m* if K = 2; every t >= m* occurs if K >= 3): "
        "||g||^2 = 2 phi'^2 ||x||^2, with <= for every other subgradient at a tie, and X = 1 may be assumed",
        tex=r"\|g\|^2 = 2 \phi\prime(m)^2 \|x\|^2, \quad 0 \le m^\star \le -m(W, y)",
        grounds=Obligations(margin_loss),
        recorded="PROVED",
        finding="The paper uses it without saying so; ties between rivals need the inequality.",
        second=(Resists(margin_round, 40), Resists(margins_of_a_round, 100)),
    ),
    Claim(
        id="gaptron/reduction-softmax",
        source="van der Hoeven 2020, section 4.1",
        statement="For a softmax loss psi(p_y): ||g||^2 = (psi' p_y)^2 ((1 - p_y)^2 + S) ||x||^2, S the sum of the "
        "other squared probabilities; with R = 1 - p_y: S <= R^2, S <= c R and, if R/2 <= c <= R, "
        "S <= c^2 + (R - c)^2, where no other probability exceeds c",
        tex=r"\|g\|^2 = (\psi\prime p_y)^2 \left((1 - p_y)^2 + \sum_{k \ne y} p_k^2\right) \|x\|^2",
        grounds=Obligations(softmax_loss),
        recorded="PROVED",
        second=Resists(softmax_round, 40),
    ),
    Claim(
        id="gaptron/reduction-one-score",
        source="van der Hoeven 2020, section 3; blog, Theorem 1",
        statement="For a loss phi(y <w, x>) of one weight vector, y = -1 or 1: ||g||^2 = phi'^2 ||x||^2",
        tex=r"\|g\|^2 = \phi\prime(z)^2 \|x\|^2",
        grounds=Obligations(one_score_loss),
        recorded="PROVED",
        second=Resists(one_score_round, 60),
    ),
)
