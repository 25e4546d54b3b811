"""Theorem 1, claims: the gradient, the gap, the bound with its constants, and a slip of the text at p* = 1/2.

The theorem is in theorem1_logistic.py.
"""

from fractions import Fraction

import flint
import numpy as np
from sympy import Rational, log

from gaptron import Breaks, Claim, Constant, Corrected, Gaptron, InProof, Instance, Obligations, Resists
from gaptron.instances import by_hand as hand
from gaptron.numbers.evaluate import ball, is_less
from gaptron.rounds import softmax, value
from gaptron.symbols import K, p
from gaptron.theory.running import beside

logistic = beside(__file__, "theorem1_logistic.py")


def draw_round(rng: np.random.Generator) -> tuple[list[Fraction], int]:
    """Scores, sometimes far apart, and a label."""
    theta = (hand.fractions(rng, int(rng.integers(2, 6))) * int(rng.choice((1, 1, 3)))).tolist()
    return theta, int(rng.integers(len(theta)))


def gradient_by_scores(rng: np.random.Generator) -> Instance:
    """||g||^2 from the partial derivatives (p_k - 1[k = y])/ln 2 in the scores, ||x|| = 1."""
    theta, label = draw_round(rng)
    mass, ln = softmax(theta), ball(Fraction(2)).log()
    squared = sum((e - int(k == label)) ** 2 for k, e in enumerate(mass)) / ln**2
    return Instance({"scores": theta, "label": label}, squared, -2 * mass[label].log() / ln**2)


def gap_value(theta: list[Fraction], label: int, rate: flint.arb) -> flint.arb:
    """The surrogate gap of a round with ||x|| = 1, from the definitions."""
    mass, ln, top = softmax(theta), ball(Fraction(2)).log(), theta.index(max(theta))
    large = len(theta) == 2 or is_less(ball(Fraction(1, 2)), mass[top])
    a = 1 - mass[top] if large else ball(Fraction(1))
    wrong = a * (len(theta) - 1) / len(theta) + (0 if top == label else 1 - a)
    squared = sum((e - int(k == label)) ** 2 for k, e in enumerate(mass)) / ln**2
    return wrong + mass[label].log() / ln + rate / 2 * squared


def gap_by_scores(rng: np.random.Generator) -> Instance:
    """The gap at the printed learning rate."""
    theta, label = draw_round(rng)
    value = gap_value(theta, label, ball(Fraction(2)).log() / (2 * len(theta)))
    return Instance({"scores": theta, "label": label}, value, Fraction(0))


def bound_by_the_learner(rng: np.random.Generator) -> Instance:
    """Both sides of Theorem 1 from the learner's exact rounds."""
    n_classes, stream = hand.draw_stream(rng, 3)
    U = hand.draw_comparator(rng, n_classes, stream)
    learner = Gaptron(n_classes, 2, loss=logistic, exact=True)
    made = learner.run([x for x, _ in stream], [label for _, label in stream]).expected_mistakes
    losses = sum(value(logistic.loss, hand.scores(U, x), label) for x, label in stream)
    right = losses + n_classes * ball(hand.squared_norm(U)) / ball(Fraction(2)).log()
    return Instance({"stream": stream, "U": U}, made, right)


def prediction_at_zero() -> Instance:
    """K = 2, W = 0: what the learner predicts with, as a uniform prediction would be."""
    shares = Gaptron(2, 1, loss=logistic, exact=True).predict_proba([1])
    return Instance({"K": 2, "W": 0, "p*": "1/2", "p'": shares}, shares[0], ball(Fraction(1, 2)), "<=")


def map_at_zero() -> Instance:
    """The gap map at p* = 1/2; uniform is a = 1."""
    return Instance({"p*": "1/2"}, logistic.gap_map.expression.subs(p, Rational(1, 2)), Fraction(1), "=")


THEOREM = "van der Hoeven 2020, Theorem 1"

claims = (
    Claim(
        id="gaptron/logistic-gradient",
        kind="derived",
        source="van der Hoeven 2020, Theorem 1 (a natural derivation; the appendix was not available)",
        statement="the base-2 logistic loss of the softmax probability p_y: ||g||^2 <= (2/ln 2) ||x||^2 l(W), g the "
        "gradient; for every S <= (1 - p_y)^2, as the sum of the other squared probabilities: ((1 - p_y)^2 + S) "
        "||x||^2/(ln 2)^2 <= (2/ln 2) ||x||^2 l(W); and (1 - p)^2 <= -(41/100) ln p",
        grounds=tuple(InProof("softmax.proof", f"gaptron/{part}-gradient") for part in ("softmax", "logistic")),
        recorded="PROVED",
        finding="Not the best constant: (1 - p)^2 <= -c ln p holds for c = 0.41, and not for c = 0.4072.",
        constants=(
            Constant(
                name="(1/ln 2) ||x||^2 l(W)",
                printed=2,
                best=Rational(82, 100),
                attained="nearly: 0.8144 is too small for K = 2, p_y = 57/200",
            ),
        ),
        second=Resists(gradient_by_scores, 60),
    ),
    Claim(
        id="gaptron/t1-gap",
        quote="To prove Theorem 1 we show that the surrogate gap is bounded by 0 and then use Lemma 1",
        source=THEOREM,
        statement="Theorem 1: the surrogate gap (1 - a) 1[y* != y] + a (K - 1)/K - l(W) + (eta/2) ||g||^2 is at "
        "most 0 in every round",
        grounds=InProof("softmax.proof", "gaptron/t1-gap"),
        recorded="PROVED",
        second=(Resists(gap_by_scores, 60), Obligations(logistic, "gap*")),
    ),
    Claim(
        id="gaptron/t1-bound",
        quote=r"\sum_{t=1}^{T}\ell_t(\boldsymbol{U}) + \frac{KX^2\|\boldsymbol{U}\|^2}{\ln(2)}",
        source=THEOREM,
        statement="Theorem 1, W projected on a convex set that has U, an adversary that sees the past: E[mistakes] "
        "<= E[sum l_t(U)] + K X^2 ||U||^2/ln 2",
        grounds=InProof("softmax.proof", "gaptron/t1-bound"),
        recorded="PROVED",
        finding="The same argument with the true gradient norm gives a constant 2.77 times smaller.",
        constants=(
            Constant(
                name="K X^2 ||U||^2",
                sharp="argument",
                printed=1 / log(2),
                best=1 / (4 * log(2) ** 2),
                attained="eta = 2 (ln 2)^2/(K X^2), a wrong round with p* = p_y = 1/2",
                theorem="Theorem 1, logistic",
            ),
            Constant(
                name="K X^2 ||U||^2, with the best gap map",
                sharp="argument",
                printed=1 / log(2),
                best=1 / (8 * log(2) ** 2),
                attained="eta = 4 (ln 2)^2/(K X^2), right and wrong rounds with p* = p_y = 1/2 (logistic_best_map)",
                theorem="logistic, best gap map",
            ),
            Constant(
                name="X^2 ||U||^2, with the best decoder",
                sharp="argument",
                printed=K / log(2),
                best=1 / (4 * log(2) ** 2),
                attained="eta = 2 (ln 2)^2/X^2, two labels with p = 1/2 (logistic_best_decoder)",
                theorem="logistic, best decoder",
            ),
        ),
        second=(Resists(bound_by_the_learner, 12), Obligations(logistic)),
    ),
    Claim(
        id="gaptron/t1-uniform-at-half",
        quote=r"This means that Gaptron samples a label uniformly at random as long as $p_t^\star \leq 0.5$",
        severity="D",
        cause="at p* = 1/2 the gap map of Theorem 1 is 1/2, not 1",
        patch="read p* < 0.5 for p* <= 0.5",
        source="van der Hoeven 2020, section 4.1",
        statement="With the gap map 1 - 1[p* >= 0.5] p* Gaptron samples uniformly as long as p* <= 0.5",
        tex=r"p^\star \le 0.5 \Rightarrow a = 1",
        grounds=Breaks(map_at_zero),
        recorded="REFUTED",
        finding="At p* = 1/2, the first round for K = 2, the map is 1/2 and the prediction (3/4, 1/4). A slip of the "
        "text; the proof of Theorem 1 is not touched.",
        corrected=Corrected(
            statement="Gaptron samples uniformly as long as p* < 0.5", tex=r"p^\star < 0.5 \Rightarrow a = 1"
        ),
        second=Breaks(prediction_at_zero),
    ),
)
