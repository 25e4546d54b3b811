"""SOBA paper, Theorem 1: the Perceptron and every power q in [1, 2] of the multiclass hinge loss.

**Problem.** K classes, features with ||x|| <= X, full information. M mistakes are compared with L_q = the sum over the
rounds of l(U, (x_t, y_t))^q, l the multiclass hinge loss; the stream may be anything.

**Algorithm.** Multiclass Perceptron: yhat = argmax W x; if it is wrong, W += v, v = (e_y - e_yhat) (x) x.

**Theoretical guarantee.** **Upper bound**: M <= M^(1 - 1/q) L_q^(1/q) + sqrt(2) X ||U|| sqrt(M). On a mistake <W, v> <=
0 and ||v||^2 = 2 ||x||^2, so ||W||^2 <= 2 X^2 M after M mistakes; <W, U> grows by at least 1 - l on each; and the
losses on the mistakes sum to at most M^(1 - 1/q) L_q^(1/q), by the tangent of r^q at the mean loss. For T orthogonal
features of length 1 and the two labels in turn U = s W makes all of it equal, for every q and s in [0, 1/2]. Solved for
M, with c = sqrt(2) X ||U||: M <= L_1 + c^2 + c sqrt(L_1) and M <= (sqrt(L_2) + c)^2.

**References.** Beygelzimer, Orabona, Zhang 2017, Theorem 1 and appendix B. Printed is l(W, .) in the definition of L_q;
l(U, .) is meant.
"""

from collections.abc import Callable
from fractions import Fraction

import flint
import numpy as np
from sympy import Eq, Rational, exp, sqrt, symbols

from gaptron import (
    Argument,
    Cases,
    Cite,
    Claim,
    Constant,
    Implication,
    Instance,
    Lemma,
    Let,
    Put,
    Resists,
    Rounds,
    Use,
    When,
    stated,
)
from gaptron.instances.by_hand import dot
from gaptron.instances.soba import Vector
from gaptron.instances.soba_games import draw_vector
from gaptron.numbers.evaluate import ball
from gaptron.symbols import X
from gaptron.theory import facts

q, mean, mean_q, s = symbols("q mean mean_q s", positive=True)
tangent, log_r, score, aligned, product, product_next = symbols(
    "tangent log_r score aligned product product_next", real=True
)
norms, norms_next, gain, size_s, length2, u2, radius = symbols(
    "norms norms_next gain size_s length2 u2 radius", nonnegative=True
)
miss, spent, loss, power, M, S, L, c, root_m, root_l = symbols(
    "miss spent loss power M S L c root_m root_l", nonnegative=True
)

LONGER = norms_next <= norms + 2 * X**2 * miss
ALIGNED = product_next >= product + miss - spent
ABOVE = power >= mean_q * (miss + q * (spent / mean - miss))
TANGENT = power >= mean_q * (1 + q * (loss / mean - 1))
NORMS = norms <= 2 * X**2 * M
PRODUCTS = product >= M - S
POWERS = L >= mean_q * (M + q * (S / mean - M))
FROM_ABOVE = M <= S + c * root_m
SUMS = S <= L
SQUARES = S**2 <= M * L
MORE_SQUARES = (S + spent) ** 2 <= (M + miss) * (L + spent**2)
THEOREM = M <= M * mean + sqrt(2) * X * radius * root_m
POWER_OF_LOSS = (Eq(loss, mean * exp(log_r)), Eq(power, mean_q * exp(q * log_r)))

rounds = Lemma(
    name="SOBA, Theorem 1, sums over the rounds",
    source="Beygelzimer, Orabona, Zhang 2017, appendix B",
    implications=(
        Implication(
            name="norm, a mistake",
            statement="<W, v> <= 0 and ||v||^2 = 2 ||x||^2 <= 2 X^2",
            given=(
                Eq(norms_next, norms + 2 * score + gain),
                Eq(gain, size_s * length2),
                score <= 0,
                Eq(size_s, 2),
                length2 <= X**2,
                Eq(miss, 1),
            ),
            then=LONGER,
        ),
        Implication(
            name="norm, no mistake",
            statement="v = 0",
            given=(
                Eq(norms_next, norms + 2 * score + gain),
                Eq(gain, size_s * length2),
                Eq(score, 0),
                Eq(size_s, 0),
                Eq(miss, 0),
            ),
            then=LONGER,
        ),
        Implication(
            name="product, a mistake",
            statement="l >= 1 - <v, U>",
            given=(
                Eq(product_next, product + aligned),
                loss >= 1 - aligned,
                Eq(spent, loss),
                Eq(miss, 1),
            ),
            then=ALIGNED,
        ),
        Implication(
            name="product, no mistake",
            statement="v = 0",
            given=(Eq(product_next, product + aligned), Eq(aligned, 0), Eq(spent, 0), Eq(miss, 0)),
            then=ALIGNED,
        ),
        Implication(
            name="one more round, norm",
            statement="||W||^2 <= 2 X^2 M",
            given=(NORMS, LONGER),
            then=norms_next <= 2 * X**2 * (M + miss),
        ),
        Implication(
            name="one more round, product",
            statement="<W, U> is at least the number of mistakes without the losses in them",
            given=(PRODUCTS, ALIGNED),
            then=product_next >= M + miss - (S + spent),
        ),
        Implication(
            name="no losses",
            statement="U has no loss",
            given=(PRODUCTS, Eq(S, 0)),
            then=product >= M,
        ),
        Implication(
            name="one more round without a loss",
            statement="a sum of zeros",
            given=(Eq(S, 0), Eq(spent, 0)),
            then=Eq(S + spent, 0, evaluate=False),
        ),
        Implication(
            name="c",
            statement="c^2 = 2 X^2 ||U||^2",
            given=(Eq(c, sqrt(2) * X * radius), Eq(u2, radius**2)),
            then=Eq(c**2, 2 * X**2 * u2, evaluate=False),
        ),
        Implication(
            name="together, squares",
            statement="<W, U>^2 <= ||W||^2 ||U||^2 <= c^2 M",
            given=(product**2 <= norms * u2, NORMS, Eq(c**2, 2 * X**2 * u2), Eq(root_m**2, M)),
            then=product**2 <= (c * root_m) ** 2,
        ),
        Implication(
            name="together, roots",
            statement="<W, U> <= c sqrt(M)",
            given=(product**2 <= (c * root_m) ** 2,),
            then=product <= c * root_m,
        ),
        Implication(
            name="together",
            statement="M - losses <= <W, U> <= c sqrt(M)",
            given=(PRODUCTS, product <= c * root_m),
            then=FROM_ABOVE,
        ),
    ),
)

hoelder = Lemma(
    name="SOBA, Theorem 1, the power of the losses",
    source="Beygelzimer, Orabona, Zhang 2017, appendix B",
    implications=(
        Implication(
            name="exponential",
            statement="exp(z) >= 1 + z",
            given=(),
            then=exp(tangent) >= 1 + tangent,
        ),
        Implication(
            name="tangent of r exp((q - 1) log r)",
            statement="exp(-log r) >= 1 - log r and exp((q - 1) log r) >= 1 + (q - 1) log r",
            given=(
                q >= 1,
                exp(-log_r) >= 1 - log_r,
                exp((q - 1) * log_r) >= 1 + (q - 1) * log_r,
            ),
            then=exp(q * log_r) >= 1 + q * (exp(log_r) - 1),
        ),
        Implication(
            name="tangent of the power",
            statement="l^q against its tangent at mean, l = mean r",
            given=(*POWER_OF_LOSS, exp(q * log_r) >= 1 + q * (exp(log_r) - 1)),
            then=TANGENT,
        ),
        Implication(
            name="tangent, no loss",
            statement="1 - q <= 0",
            given=(q >= 1, loss <= 0),
            then=TANGENT,
        ),
        Implication(
            name="power, a mistake",
            statement="its loss counts",
            given=(TANGENT, Eq(spent, loss), Eq(miss, 1)),
            then=ABOVE,
        ),
        Implication(
            name="power, no mistake",
            statement="a power is not negative",
            given=(Eq(spent, 0), Eq(miss, 0)),
            then=ABOVE,
        ),
        Implication(
            name="one more round, power",
            statement="the sum of the powers against the sum of the tangents",
            given=(POWERS, ABOVE),
            then=L + power >= mean_q * (M + miss + q * ((S + spent) / mean - (M + miss))),
        ),
        Implication(
            name="the mean",
            statement="mean^q = L_q/M: the losses in mistakes are at most M mean",
            given=(POWERS, Eq(mean_q * M, L)),
            then=S <= M * mean,
        ),
        Implication(
            name="both",
            statement="M <= M mean + c sqrt(M)",
            given=(FROM_ABOVE, S <= M * mean, Eq(c, sqrt(2) * X * radius)),
            then=THEOREM,
        ),
    ),
)

consequences = Lemma(
    name="SOBA, Theorem 1, solved for M",
    source="Beygelzimer, Orabona, Zhang 2017, Theorem 1",
    implications=(
        Implication(
            name="a loss counts once",
            statement="in a mistake it is spent, else nothing is",
            given=(SUMS, spent <= loss),
            then=S + spent <= L + loss,
        ),
        Implication(
            name="loss, a mistake",
            statement="all of it",
            given=(Eq(spent, loss),),
            then=spent <= loss,
        ),
        Implication(
            name="loss, no mistake",
            statement="nothing",
            given=(Eq(spent, 0),),
            then=spent <= loss,
        ),
        Implication(
            name="root, q = 1",
            statement="M <= L + c sqrt(M) gives sqrt(M) <= c + sqrt(L)",
            given=(FROM_ABOVE, SUMS, Eq(root_m**2, M), Eq(root_l**2, L)),
            then=root_m <= c + root_l,
        ),
        Implication(
            name="q = 1",
            statement="M <= L + c sqrt(M) and sqrt(M) <= c + sqrt(L) give M <= L + c^2 + c sqrt(L)",
            given=(FROM_ABOVE, SUMS, root_m <= c + root_l, Eq(c, sqrt(2) * X * radius), Eq(u2, radius**2)),
            then=M <= L + 2 * X**2 * u2 + sqrt(2) * X * radius * root_l,
        ),
        Implication(
            name="cross term, squares",
            statement="(2 S l)^2 <= 4 M L l^2 <= (L + M l^2)^2",
            given=(SQUARES,),
            then=(2 * S * spent) ** 2 <= (L + M * spent**2) ** 2,
        ),
        Implication(
            name="cross term",
            statement="2 S l <= L + M l^2",
            given=((2 * S * spent) ** 2 <= (L + M * spent**2) ** 2,),
            then=2 * S * spent <= L + M * spent**2,
        ),
        Implication(
            name="square of the sum, a mistake",
            statement="(S + l)^2 <= (M + 1) (L + l^2)",
            given=(SQUARES, 2 * S * spent <= L + M * spent**2, Eq(miss, 1)),
            then=MORE_SQUARES,
        ),
        Implication(
            name="square of the sum, no mistake",
            statement="nothing changes",
            given=(SQUARES, Eq(spent, 0), Eq(miss, 0)),
            then=MORE_SQUARES,
        ),
        Implication(
            name="one more round, squares",
            statement="the square of what is spent is at most that of the loss",
            given=(MORE_SQUARES, spent <= loss),
            then=(S + spent) ** 2 <= (M + miss) * (L + loss**2),
        ),
        Implication(
            name="roots, squares",
            statement="S^2 <= (sqrt(M) sqrt(L))^2",
            given=(SQUARES, Eq(root_m**2, M), Eq(root_l**2, L)),
            then=S**2 <= (root_m * root_l) ** 2,
        ),
        Implication(
            name="roots",
            statement="S <= sqrt(M) sqrt(L)",
            given=(S**2 <= (root_m * root_l) ** 2,),
            then=S <= root_m * root_l,
        ),
        Implication(
            name="root, q = 2",
            statement="M <= sqrt(M L) + c sqrt(M) gives sqrt(M) <= sqrt(L) + c",
            given=(FROM_ABOVE, S <= root_m * root_l, Eq(root_m**2, M)),
            then=root_m <= root_l + c,
        ),
        Implication(
            name="squares, q = 2",
            statement="M <= (sqrt(L) + c)^2",
            given=(root_m <= root_l + c, Eq(root_m**2, M)),
            then=M <= (root_l + c) ** 2,
        ),
        Implication(
            name="expanded",
            statement="(sqrt(L) + c)^2 = L + c^2 + 2 c sqrt(L)",
            given=(M <= (root_l + c) ** 2, Eq(root_l**2, L)),
            then=M <= L + c**2 + 2 * c * root_l,
        ),
        Implication(
            name="q = 2",
            statement="c by its value",
            given=(M <= L + c**2 + 2 * c * root_l, Eq(c, sqrt(2) * X * radius), Eq(u2, radius**2)),
            then=M <= L + 2 * X**2 * u2 + 2 * sqrt(2) * X * radius * root_l,
        ),
        Implication(
            name="no losses",
            statement="M <= c sqrt(M)",
            given=(product >= M, product <= c * root_m, Eq(root_m**2, M), Eq(c**2, 2 * X**2 * u2)),
            then=M <= 2 * X**2 * u2,
        ),
    ),
)

equality = Implication(
    name="SOBA, Theorem 1, equality, q = 2",
    statement="sqrt(L_2) = (1 - 2 s) sqrt(M), c = 2 s sqrt(M)",
    given=(Eq(root_l, (1 - 2 * s) * root_m), Eq(c, 2 * s * root_m)),
    then=Eq(root_m**2, root_l**2 + c**2 + 2 * c * root_l, evaluate=False),
)
one_feature = Implication(
    name="SOBA, Theorem 1, equality, q = 1",
    statement="L = 1 - 2 s, c = 2 s: the rest 1 - L - c^2 is c (1 - 2 s), c sqrt(L) for s -> 0",
    given=(Eq(L, 1 - 2 * s), Eq(c, 2 * s)),
    then=Eq(1 - L - c**2, c * L, evaluate=False),
)

NAMES = {
    mean: "(L_q/M)^(1/q)", mean_q: "L_q/M", log_r: "ln(l(U)/(L_q/M)^(1/q))", score: "<W, v>", aligned: "<v, U>",
    product: "<W, U>", product_next: "<W', U>", norms: "||W||^2", norms_next: "||W'||^2", gain: "||v||^2",
    size_s: "||s||^2", length2: "||x||^2", u2: "||U||^2", radius: "||U||", miss: "1[yhat != y]",
    spent: "1[yhat != y] l(U)", loss: "l(U)", power: "l(U)^q", S: "sum 1[yhat != y] l(U)", L: "L_q", root_m: "sqrt(M)",
}  # fmt: skip
POINT = {
    X: 1, q: 2, mean: 1, mean_q: 1, log_r: 0, score: 0, aligned: 0, product: 1, product_next: 1, norms: 1,
    norms_next: 3, gain: 2, size_s: 2, length2: 1, u2: 1, radius: 1, miss: 1, spent: 1, loss: 1, power: 1, S: 1, L: 1,
    M: 1, root_m: 1,
}  # fmt: skip
RIGHT, WRONG = "yhat = y", "not yhat = y"
STEP = ("W' = W + v", "v = s (x) x", length2 <= X**2)
NO_MISTAKE = When(RIGHT, (Eq(miss, 0), Eq(spent, 0), Eq(size_s, 0), Eq(score, 0), Eq(aligned, 0)))
MISTAKE = When(WRONG, (Eq(miss, 1), Eq(spent, loss), Eq(size_s, 2), score <= 0, loss >= 1 - aligned))
PERCEPTRON = "The multiclass Perceptron, s having 1 at the label and -1 at a wrong prediction, first weights zero"

all_norms = Argument(
    name="SOBA, Theorem 1, norms",
    setting=PERCEPTRON,
    symbols=NAMES,
    hypotheses=(*STEP, NO_MISTAKE, MISTAKE),
    steps=(
        Use(facts.SUM, {"v": "W'", "x": "W", "g": "v"}),
        Use(facts.OUTER, {"g": "v", "s": "s", "x": "x"}),
        Cases({RIGHT: (rounds["norm, no mistake"],), WRONG: (rounds["norm, a mistake"],)}, (LONGER,)),
        Rounds(
            NORMS,
            {norms: (0, norms_next), M: (0, M + miss)},
            rounds["one more round, norm"],
            (X,),
        ),
    ),
    conclusion=NORMS,
    example=POINT,
)
all_products = Argument(
    name="SOBA, Theorem 1, products",
    setting=PERCEPTRON,
    symbols=NAMES,
    hypotheses=(STEP[0], NO_MISTAKE, MISTAKE),
    steps=(
        Use(facts.ADDITIVE, {"v": "W'", "x": "W", "g": "v", "w": "U"}),
        Cases({RIGHT: (rounds["product, no mistake"],), WRONG: (rounds["product, a mistake"],)}, (ALIGNED,)),
        Rounds(
            PRODUCTS,
            {product: (0, product_next), M: (0, M + miss), S: (0, S + spent)},
            rounds["one more round, product"],
        ),
    ),
    conclusion=PRODUCTS,
    example=POINT,
)
all_powers = Argument(
    name="SOBA, Theorem 1, powers of the losses",
    setting="Any rounds and a power q, and the q-th root of any positive number",
    symbols=NAMES,
    hypotheses=(q >= 1, When(loss > 0, POWER_OF_LOSS), NO_MISTAKE, MISTAKE),
    steps=(
        Put(hoelder["exponential"], {tangent: -log_r}),
        Put(hoelder["exponential"], {tangent: (q - 1) * log_r}),
        hoelder["tangent of r exp((q - 1) log r)"],
        Cases({loss > 0: (hoelder["tangent of the power"],), loss <= 0: (hoelder["tangent, no loss"],)}, (TANGENT,)),
        Cases({RIGHT: (hoelder["power, no mistake"],), WRONG: (hoelder["power, a mistake"],)}, (ABOVE,)),
        Rounds(
            POWERS,
            {L: (0, L + power), M: (0, M + miss), S: (0, S + spent)},
            hoelder["one more round, power"],
            (q, mean, mean_q),
        ),
    ),
    conclusion=POWERS,
    example=POINT,
)

no_losses = Argument(
    name="SOBA, Theorem 1, sum of no losses",
    setting="Rounds without a loss",
    symbols=NAMES,
    hypotheses=(Eq(spent, 0),),
    steps=(Rounds(Eq(S, 0), {S: (0, S + spent)}, rounds["one more round without a loss"]),),
    conclusion=Eq(S, 0),
    example={S: 0, spent: 0},
)

SIZES = (Eq(u2, radius**2), Eq(root_m**2, M))
WEIGHTS = (
    Let(c, sqrt(2) * X * radius),
    rounds["c"],
    Cite(all_norms),
    Cite(all_products),
    Use(facts.CAUCHY_SCHWARZ, {"u": "W", "v": "U"}),
    rounds["together, squares"],
    rounds["together, roots"],
)
WITH_LOSSES = (*STEP, NO_MISTAKE, MISTAKE, *SIZES, q >= 1, When(loss > 0, POWER_OF_LOSS), Eq(mean_q * M, L))
theorem1 = Argument(
    name="SOBA, Theorem 1",
    setting=PERCEPTRON + "; a sum of losses that is positive",
    symbols=NAMES,
    hypotheses=WITH_LOSSES,
    steps=(
        *WEIGHTS,
        rounds["together"],
        Cite(all_powers),
        hoelder["the mean"],
        hoelder["both"],
    ),
    conclusion=THEOREM,
    example=POINT,
)
separable = Argument(
    name="SOBA, Theorem 1, no losses",
    setting=PERCEPTRON,
    symbols=NAMES,
    hypotheses=(*STEP, NO_MISTAKE, MISTAKE, *SIZES, Eq(spent, 0)),
    steps=(*WEIGHTS, Cite(no_losses), rounds["no losses"], consequences["no losses"]),
    conclusion=M <= 2 * X**2 * u2,
    example=POINT | {miss: 0, spent: 0, size_s: 0, gain: 0, norms_next: 1, S: 0, loss: 0, power: 0},
)
ONE = {symbol: text for symbol, text in NAMES.items() if symbol not in (mean, mean_q, log_r, power)}
ONE |= {L: "L_1", root_l: "sqrt(L_1)"}
TWO = ONE | {L: "L_2", root_l: "sqrt(L_2)"}
SPENT = Cases({RIGHT: (consequences["loss, no mistake"],), WRONG: (consequences["loss, a mistake"],)}, (spent <= loss,))

all_losses = Argument(
    name="SOBA, Theorem 1, sum of the losses",
    setting="Any rounds",
    symbols=ONE,
    hypotheses=(NO_MISTAKE, MISTAKE),
    steps=(
        SPENT,
        Rounds(SUMS, {S: (0, S + spent), L: (0, L + loss)}, consequences["a loss counts once"]),
    ),
    conclusion=SUMS,
    example=POINT | {root_l: 1},
)
all_squares = Argument(
    name="SOBA, Theorem 1, sum of the squared losses",
    setting="Any rounds, L_2 being the sum of the squared losses",
    symbols=TWO,
    hypotheses=(NO_MISTAKE, MISTAKE),
    steps=(
        SPENT,
        Rounds(
            SQUARES,
            {S: (0, S + spent), M: (0, M + miss), L: (0, L + loss**2)},
            consequences["one more round, squares"],
            before=(
                consequences["cross term, squares"],
                consequences["cross term"],
                Cases(
                    {
                        RIGHT: (consequences["square of the sum, no mistake"],),
                        WRONG: (consequences["square of the sum, a mistake"],),
                    },
                    (MORE_SQUARES,),
                ),
            ),
        ),
    ),
    conclusion=SQUARES,
    example=POINT | {root_l: 1},
)
EVERY = (*STEP, NO_MISTAKE, MISTAKE, *SIZES, Eq(root_l**2, L))
first_power = Argument(
    name="SOBA, Theorem 1, q = 1",
    setting=PERCEPTRON + "; L_1 the sum of the losses",
    symbols=ONE,
    hypotheses=EVERY,
    steps=(*WEIGHTS, rounds["together"], Cite(all_losses), consequences["root, q = 1"], consequences["q = 1"]),
    conclusion=consequences["q = 1"].then,
    example=POINT | {root_l: 1},
)
second_power = Argument(
    name="SOBA, Theorem 1, q = 2",
    setting=PERCEPTRON + "; L_2 the sum of the squared losses",
    symbols=TWO,
    hypotheses=EVERY,
    steps=(
        *WEIGHTS,
        rounds["together"],
        Cite(all_squares),
        consequences["roots, squares"],
        consequences["roots"],
        consequences["root, q = 2"],
        consequences["squares, q = 2"],
        consequences["expanded"],
        consequences["q = 2"],
    ),
    conclusion=consequences["q = 2"].then,
    example=POINT | {root_l: 1},
)


C = "sqrt(2) X ||U||"
attained_second = stated(
    equality,
    "The multiclass Perceptron, the same label each time on orthogonal features of length one, U its weights times s",
    {root_m: 1, root_l: 0, c: 1, s: Rational(1, 2)},
    symbols={root_m: "sqrt(M)", root_l: "sqrt(L_2)", c: C},
)
attained_first = stated(
    one_feature,
    "The multiclass Perceptron, one feature of length one, U its weights times s",
    {L: 0, c: 1, s: Rational(1, 2)},
    symbols={L: "L_1", c: C},
)


def perceptron(stream: list[tuple[Vector, int]], n_classes: int) -> tuple[int, list[Vector]]:
    """Mistakes and last weights, the lowest index winning ties."""
    W, mistakes = [[Fraction(0)] * len(stream[0][0]) for _ in range(n_classes)], 0
    for x, label in stream:
        scores = [dot(row, x) for row in W]
        top = scores.index(max(scores))
        if top != label:
            mistakes += 1
            W[label] = [a + b for a, b in zip(W[label], x, strict=True)]
            W[top] = [a - b for a, b in zip(W[top], x, strict=True)]
    return mistakes, W


def hinge(U: list[Vector], x: Vector, label: int) -> Fraction:
    """Equation (1)."""
    scores = [dot(row, x) for row in U]
    return max(max(1 - scores[label] + other, Fraction(0)) for k, other in enumerate(scores) if k != label)


def bound(right: Callable[[int, flint.arb, Callable[[Fraction], flint.arb]], flint.arb]) -> Callable:
    """Draws of a stream with U near a multiple of the Perceptron's weights; X is 1/8 larger than needed."""

    def draw(rng: np.random.Generator) -> Instance:
        K, d, T = int(rng.integers(2, 4)), int(rng.integers(1, 4)), int(rng.integers(1, 7))
        stream = [([Fraction(1)] * d, 1), *((draw_vector(rng, d), int(rng.integers(K))) for _ in range(T))]
        made, W = perceptron(stream, K)
        scale, noise = Fraction(int(rng.integers(1, 5)), 8), Fraction(int(rng.integers(0, 2)), 8)
        U = [[scale * entry + noise * e for entry, e in zip(row, draw_vector(rng, d), strict=True)] for row in W]
        losses_u = [hinge(U, x, label) for x, label in stream]
        norm2 = max(dot(x, x) for x, _ in stream) * Fraction(81, 64) * sum(dot(row, row) for row in U)
        c = (2 * ball(norm2 + Fraction(1, 1000))).sqrt()
        return Instance({"stream": stream, "U": U}, ball(Fraction(made)), right(made, c, power_sum(losses_u)))

    return draw


def power_sum(values: list[Fraction]) -> Callable[[Fraction], flint.arb]:
    """q -> the sum of the q-th powers of positive values."""
    return lambda q_: sum((ball(value) ** ball(q_) for value in values if value), ball(Fraction(0)))


def first(made: int, c: flint.arb, sums: Callable[[Fraction], flint.arb]) -> flint.arb:
    """The theorem's right side, the smallest over three q."""
    rights = []
    for q_ in (Fraction(1), Fraction(3, 2), Fraction(2)):
        rights.append(
            ball(Fraction(made)) ** ball(1 - 1 / q_) * sums(q_) ** ball(1 / q_) + c * ball(Fraction(made)).sqrt()
        )
    return min(rights, key=float)


def solved(power_: int) -> Callable:
    """The right side of the consequence for q = 1 or 2."""
    return lambda _, c, sums: sums(Fraction(power_)) + c**2 + power_ * c * sums(Fraction(power_)).sqrt()


def orthogonal(n: int, scale: Fraction) -> tuple[int, list[Vector], list[tuple[Vector, int]]]:
    """n orthogonal unit vectors, always label 1, and U = scale W."""
    stream = [([Fraction(int(i == t)) for i in range(n)], 1) for t in range(n)]
    made, W = perceptron(stream, 2)
    return made, [[scale * entry for entry in row] for row in W], stream


def attained(rng: np.random.Generator) -> Instance:
    """Equality of q = 1: M - L_1 and sqrt(2) X ||U|| sqrt(M), squared, on orthogonal features."""
    n, scale = int(rng.integers(1, 6)), Fraction(int(rng.integers(0, 9)), 16)
    made, U, stream = orthogonal(n, scale)
    total = sum((hinge(U, x, label) for x, label in stream), Fraction(0))
    return Instance({"T": n, "s": scale}, (made - total) ** 2, 2 * sum(dot(row, row) for row in U) * made, "=")


SOURCE = "Beygelzimer, Orabona, Zhang 2017, Theorem 1"
EQUAL = "T orthogonal unit features, label 1 each time, two classes, U = s W for s in [0, 1/2]"

claims = (
    Claim(
        id="soba/t1",
        kind="reading",
        quote=r"where $L_{MH,q}(U) = \sum_{t=1}^{T} \ell(W, (x_t, y_t))^q$",
        severity="D",
        cause="the definition of L_q in Theorem 1 has W in the place of U",
        patch="read l(U, (x_t, y_t))^q for l(W, (x_t, y_t))^q",
        source=SOURCE,
        grounds=(theorem1, separable),
        recorded="PROVED",
        finding="In the definition of L_q the print has l(W, .) for l(U, .). The proof works for every q >= 1.",
        constants=(Constant(name="X ||U|| sqrt(M)", sharp="bound", printed=sqrt(2), best=sqrt(2), attained=EQUAL),),
        second=(Resists(bound(first), 30), Resists(attained, 30)),
    ),
    Claim(
        id="soba/t1-q1",
        quote=r"M_T \le L_{MH,1}(U) + 2X^2 \|U\|_F^2 + X \|U\|_F \sqrt{2} \sqrt{L_{MH,1}(U)}",
        source=SOURCE,
        grounds=(first_power, attained_first),
        recorded="PROVED",
        finding="Solved exactly it is L_1 + c^2/2 + c sqrt(c^2/4 + L_1), c = sqrt(2) X ||U||, which is attained.",
        constants=(
            Constant(
                name="X^2 ||U||^2",
                sharp="bound",
                printed=2,
                best=2,
                attained="T = 1, K = 2, U with margin 1: M = 1, L_1 = 0",
            ),
            Constant(
                name="X ||U|| sqrt(L_1)",
                sharp="bound",
                printed=sqrt(2),
                best=sqrt(2),
                attained="T = 1, U = s W, as s -> 0",
            ),
        ),
        second=Resists(bound(solved(1)), 30),
    ),
    Claim(
        id="soba/t1-q2",
        quote=r"M_T \le L_{MH,2}(U) + 2X^2 \|U\|_F^2 + X \|U\|_F 2\sqrt{2} \sqrt{L_{MH,2}(U)}",
        source=SOURCE,
        grounds=(second_power, attained_second),
        recorded="PROVED",
        finding="The right side is (sqrt(L_2) + sqrt(2) X ||U||)^2, and it is attained.",
        constants=(
            Constant(name="X^2 ||U||^2", sharp="bound", printed=2, best=2, attained=EQUAL),
            Constant(name="X ||U|| sqrt(L_2)", sharp="bound", printed=2 * sqrt(2), best=2 * sqrt(2), attained=EQUAL),
        ),
        second=Resists(bound(solved(2)), 30),
    ),
)
