"""Notes, section 5: gradient descent on the squared hinge loss with gated exploration.

**Problem.** Bandit feedback, K classes, ||x_t|| <= 1, W in R^{K x d} whose rows have norm at most D >= 2, and a W* of
that kind whose squared hinge loss l_t(W*) is 0 on every round.

**Algorithm.** Algorithm 4: if ||x_t||_{M_t^{-1}} >= epsilon and ||W_t - W*||_F >= 1, guess; else predict the top label.
After a right prediction M_{t+1} = M_t + l_t(W_t) x_t x_t', W_{t+1} is W_t - (1/8) grad l_t(W_t), its rows projected.
At first M_1 = I and W_1 = 0; epsilon = 1/(4 D sqrt(32 K^3 D^4)). L_t is the sum of the losses of the updates before t.

**Theoretical guarantee.** Lemma 5 and Definition 7 hold as printed. The induction of Lemma 6 gives
||W_{t+1} - W*||_F^2 <= K D^2 exp(-L_{t+1}/(32 K D^2)): the factor K D^2 is missing in its statement. More is true:
||W_{t+1} - W*||_F^2 + L_{t+1}/8 <= K D^2, so L_t never exceeds 8 K D^2. Lemmas 8 and 9 hold as printed although their
proofs do not: exp(-x) <= 1/(1 + x)^2 is false, and the gradient step of Lemma 9 is off, but ||grad Phi||^2 <= 8 Phi
saves it. What the notes conclude from Lemma 9 is false: rounds without exploration may be wrong, as ||W_t - W*||_F < 1
does not make W_t predict correctly, and exploration need not end.

**References.** Notes on bandit multiclass classification, section 5, Lemmas 5 to 10.
"""

from fractions import Fraction

import flint
import numpy as np
from sympy import Eq, Le, Rational, exp, sqrt, symbols

from gaptron import (
    Breaks,
    Claim,
    Constant,
    Corrected,
    Implication,
    Instance,
    Lemma,
    Obligations,
    Resists,
    Rests,
)
from gaptron.symbols import K

D = symbols("D", positive=True)
h, x, w, slope = symbols("h x w slope", real=True)
hinge, norm2, parts, part, total, squares, loss = symbols("hinge norm2 parts part total squares loss", nonnegative=True)
before, after, end, L = symbols("before after end L", nonnegative=True)
inner, level, product = symbols("inner level product", real=True)
norm_w, norm_x, dual, quadratic, scale = symbols("norm_w norm_x dual quadratic scale", real=True)
margin, star, distance, length = symbols("margin star distance length", real=True)
weighted, c, power = symbols("weighted c power", positive=True)

gradient = Lemma(
    name="Notes, Lemma 5",
    source="notes, Lemma 5",
    implications=(
        Implication(
            name="one more feature",
            statement="the gradient is -2 h x in row y and 2 h x times weights in the tied rivals' rows; parts = sum "
            "of squared weights: ||g||^2 = 4 h^2 (1 + parts) ||x||^2",
            given=(Eq(squares, 4 * hinge**2 * (1 + parts) * norm2),),
            then=Eq(
                squares + (2 * hinge * x) ** 2 * (1 + parts),
                4 * hinge**2 * (1 + parts) * (norm2 + x**2),
                evaluate=False,
            ),
        ),
        Implication(
            name="one more tied rival",
            statement="the sum of squares of non-negative weights is at most the square of their sum, which is 1",
            given=(parts <= total**2,),
            then=parts + part**2 <= (total + part) ** 2,
        ),
        Implication(
            name="bound",
            statement="parts <= 1 and ||x|| <= 1: ||g||^2 <= 8 h^2 = 8 l",
            given=(Eq(squares, 4 * hinge**2 * (1 + parts) * norm2), parts <= 1, norm2 <= 1),
            then=squares <= 8 * hinge**2,
        ),
        Implication(
            name="attained",
            statement="without ties and with ||x|| = 1 there is equality",
            given=(Eq(squares, 4 * hinge**2 * (1 + parts) * norm2), Eq(parts, 1), Eq(norm2, 1)),
            then=Eq(squares, 8 * hinge**2, evaluate=False),
        ),
    ),
)

descent = Lemma(
    name="Notes, Lemma 6 with its factor",
    source="notes, Lemma 6",
    implications=(
        Implication(
            name="step",
            statement="||W - eta g - W*||^2 expands, coordinate by coordinate; eta = 1/8",
            given=(),
            then=Eq((w - slope / 8 - x) ** 2, (w - x) ** 2 - slope * (w - x) / 4 + slope**2 / 64, evaluate=False),
        ),
        Implication(
            name="projection of a row",
            statement="a row V of norm length > D scaled to norm D is no farther from W*: norm_w = ||W*|| <= D, "
            "product = <V, W*>",
            given=(length > D, norm_w >= 0, norm_w <= D, product <= length * norm_w),
            then=D**2 - 2 * D * product / length + norm_w**2 <= length**2 - 2 * product + norm_w**2,
        ),
        Implication(
            name="one update",
            statement="convexity and l(W*) = 0 give <g, W - W*> >= l, and ||g||^2 <= 8 l: the distance falls by l/8",
            given=(inner >= loss, squares <= 8 * loss, after <= before - inner / 4 + squares / 64),
            then=after <= before - loss / 8,
        ),
        Implication(
            name="first distance",
            statement="W_1 = 0 and every row of W* has norm at most D: one more row",
            given=(before <= K * D**2, part <= D**2),
            then=before + part <= (K + 1) * D**2,
        ),
        Implication(
            name="sum",
            statement="distance^2 <= K D^2 - L/8 after one more update",
            given=(before <= K * D**2 - L / 8, after <= before - loss / 8),
            then=after <= K * D**2 - (L + loss) / 8,
        ),
        Implication(
            name="tangent",
            statement="1 - x <= exp(-x)",
            given=(),
            then=Le(1 - level, exp(-level), evaluate=False),
        ),
        Implication(
            name="exponential",
            statement="K D^2 - L/8 <= K D^2 exp(-L/(8 K D^2)), with c = K D^2, level = L/(8 c), power = exp(-level)",
            given=(Eq(L, 8 * c * level), 1 - level <= power, end <= c - L / 8),
            then=end <= c * power,
        ),
        Implication(
            name="printed rate",
            statement="exp(-4 level) <= exp(-level): the printed exponent L/(32 K D^2) is a weaker statement",
            given=(level >= 0,),
            then=exp(-4 * level) <= exp(-level),
        ),
        Implication(
            name="total loss",
            statement="L <= 8 K D^2, as distances are not negative",
            given=(end <= c - L / 8,),
            then=L <= 8 * c,
        ),
    ),
)

cauchy_schwarz = Lemma(
    name="Notes, Definition 7",
    source="notes, Definition 7",
    implications=(
        Implication(
            name="one row",
            statement="||w - s M^{-1} x||_M^2 = ||w||_M^2 - 2 s w'x + s^2 ||x||^2_{M^{-1}} >= 0 at s = w'x/dual, "
            "dual = ||x||^2_{M^{-1}} > 0",
            given=(dual > 0, Eq(scale * dual, product), norm_w - 2 * scale * product + scale**2 * dual >= 0),
            then=product**2 <= norm_w * dual,
        ),
        Implication(
            name="one more row",
            statement="the sum over the rows",
            given=(squares <= total * dual, product**2 <= norm_w * dual),
            then=squares + product**2 <= (total + norm_w) * dual,
        ),
    ),
)

metric = Lemma(
    name="Notes, Lemma 8, the matrix",
    source="notes, Lemma 8",
    implications=(
        Implication(
            name="one more update",
            statement="v'M v <= (1 + L) v'v, and loss (x'v)^2 <= loss v'v as ||x|| <= 1",
            given=(quadratic <= (1 + L) * norm2, product**2 <= norm2 * norm_x, norm_x <= 1),
            then=quadratic + loss * product**2 <= (1 + L + loss) * norm2,
        ),
    ),
)

weighted_distance = Lemma(
    name="Notes, Lemma 8 by Lemma 6",
    source="notes, Lemma 8",
    implications=(
        Implication(
            name="middle expression",
            statement="(1 + L) c exp(-L/(32 c)) <= 32 c^2 with c = K D^2 >= 1/32, power = exp(L/(32 c)) >= 1 + "
            "L/(32 c)",
            given=(Eq(L, 32 * c * level), power >= 1 + level, 32 * c >= 1),
            then=(1 + L) * c / power <= 32 * c**2,
        ),
        Implication(
            name="printed constant",
            statement="K^2 D^2 (32 K D^2) = 32 K^3 D^4, the printed bound, is K times more than needed",
            given=(K >= 2, Eq(c, K * D**2)),
            then=32 * c**2 <= 32 * K**3 * D**4,
        ),
        Implication(
            name="product",
            statement="||W - W*||_M^2 <= (1 + L) ||W - W*||_F^2 <= (1 + L)(c - L/8)",
            given=(quadratic <= (1 + L) * end, end <= c - L / 8),
            then=quadratic <= (1 + L) * (c - L / 8),
        ),
        Implication(
            name="better",
            statement="2 (c + 1/8)^2 - (1 + L)(c - L/8) is the square 2 (c - 1/8 - L/4)^2, zero at L = 4 c - 1/2",
            given=(),
            then=Eq(
                2 * (c + Rational(1, 8)) ** 2 - (1 + L) * (c - L / 8),
                2 * (c - Rational(1, 8) - L / 4) ** 2,
                evaluate=False,
            ),
        ),
        Implication(
            name="better than printed",
            statement="2 (c + 1/8)^2 <= 32 K^3 D^4 for K >= 2 and D >= 2",
            given=(K >= 2, D >= 2, Eq(c, K * D**2)),
            then=2 * (c + Rational(1, 8)) ** 2 <= 32 * K**3 * D**4,
        ),
    ),
)

near = Lemma(
    name="Notes, Lemma 9 by Lemma 5",
    source="notes, Lemma 9",
    implications=(
        Implication(
            name="chain",
            statement="l <= <grad Phi, (W - W*) x> <= ||grad Phi|| ||(W - W*) x||, squared, with ||grad Phi||^2 <= 8 l",
            given=(
                loss <= inner,
                inner**2 <= squares * product**2,
                squares <= 8 * loss,
                product**2 <= quadratic * dual,
                dual >= 0,
                quadratic >= 0,
            ),
            then=loss**2 <= 8 * loss * quadratic * dual,
        ),
        Implication(
            name="below one",
            statement="with ||W - W*||_M^2 <= 32 K^3 D^4 and ||x||^2 <= 1/(16 D^2 32 K^3 D^4): l <= 1/(2 D^2) <= 1/8",
            given=(
                loss**2 <= 8 * loss * quadratic * dual,
                quadratic >= 0,
                quadratic <= weighted,
                dual >= 0,
                dual * 16 * D**2 * weighted <= 1,
                D >= 2,
            ),
            then=loss <= Fraction(1, 8),
        ),
        Implication(
            name="right",
            statement="l = h^2 < 1, h = max(1 - m, 0), gives m > 0: the top label is the true one, without a tie",
            given=(hinge**2 < 1, hinge >= 1 - margin),
            then=margin > 0,
        ),
    ),
)

criterion = Lemma(
    name="Notes, the criterion of the discussion, corrected",
    source="notes, section 5, Discussion",
    implications=(
        Implication(
            name="no exploration, no mistake",
            statement="l ||x||^2_{M^{-1}} < epsilon^2 = 1/(16 D^2 weighted), ||W - W*||_M^2 <= weighted: l < 1",
            given=(
                loss**2 <= 8 * loss * quadratic * dual,
                quadratic >= 0,
                quadratic <= weighted,
                dual >= 0,
                loss * dual * 16 * D**2 * weighted < 1,
                D >= 2,
            ),
            then=loss < 1,
        ),
        Implication(
            name="printed criterion never explores",
            statement="l <= (1 + 2 D)^2 and ||x||^2_{M^{-1}} <= 1: l ||x||^2 < 1/epsilon^2 = 512 K^3 D^6",
            given=(loss <= (1 + 2 * D) ** 2, dual >= 0, dual <= 1, K >= 2, D >= 2),
            then=loss * dual < 512 * K**3 * D**6,
        ),
    ),
)

for_ever = Lemma(
    name="Notes, exploration for ever",
    source="notes, after Lemma 9",
    implications=(
        Implication(
            name="weights",
            statement="K = 2, x = 1, label 0, W = (w, -w) with w <= 1/2: an update moves w by h/4, h = 1 - 2 w, and "
            "keeps w <= 1/2",
            given=(w >= 0, w <= Fraction(1, 2)),
            then=w + (1 - 2 * w) / 4 <= Fraction(1, 2),
        ),
        Implication(
            name="far",
            statement="W* = (2, -2), D = 2: ||W - W*||_F^2 = 2 (2 - w)^2 >= 1",
            given=(w >= 0, w <= Fraction(1, 2)),
            then=2 * (2 - w) ** 2 >= 1,
        ),
        Implication(
            name="not explored enough",
            statement="L <= 8 K D^2 = 64: ||x||^2_{M^{-1}} = 1/(1 + L) >= epsilon^2 = 1/(512 K^3 D^6) = 1/262144",
            given=(L <= 64,),
            then=1 / (1 + L) >= Fraction(1, 262144),
        ),
    ),
)

gate = Lemma(
    name="Notes, a gate that works",
    source="notes, Algorithm 4, line 7",
    implications=(
        Implication(
            name="rows",
            statement="the difference of two rows of W - W*, squared, is at most 2 ||W - W*||_F^2",
            given=(),
            then=Le((w - x) ** 2, 2 * (w**2 + x**2), evaluate=False),
        ),
        Implication(
            name="margin",
            statement="m(W) >= m(W*) - |difference| ||x|| > 0 if ||W - W*||_F^2 = squares < 1/2 and m(W*) >= 1",
            given=(
                star >= 1,
                margin >= star - distance,
                distance >= 0,
                distance**2 <= 2 * squares,
                squares < Fraction(1, 2),
            ),
            then=margin > 0,
        ),
    ),
)

exponential = Lemma(
    name="Notes, exp(-x) and 1/(1 + x)",
    source="notes, Lemma 8",
    implications=(
        Implication(
            name="tangent",
            statement="1 + y <= exp(y)",
            given=(),
            then=Le(1 + level, exp(level), evaluate=False),
        ),
        Implication(
            name="first",
            statement="exp(-x) = 1/power <= 1/(1 + x) for x > 0, power = exp(x)",
            given=(level > 0, 1 + level <= power),
            then=1 / power <= 1 / (1 + level),
        ),
        Implication(
            name="square",
            statement="y = (x - 1)/2, power = exp(y), exp(x) = e power^2: (1 + x)^2 = 4 (1 + y)^2 <= 4 power^2",
            given=(Eq(level, (scale - 1) / 2), scale > 0, 1 + level <= power),
            then=(1 + scale) ** 2 <= 4 * power**2,
        ),
    ),
)


# --- instances ----------------------------------------------------------------------------------------------


def rationals(rng: np.random.Generator, *shape: int, scale: int = 4) -> np.ndarray:
    """Random fractions with denominator ``scale``, at most 3 in absolute value."""
    values = rng.integers(-3 * scale, 3 * scale + 1, shape)
    return np.array([Fraction(int(v), scale) for v in values.ravel()], dtype=object).reshape(shape)


def in_unit_ball(rng: np.random.Generator, d: int) -> np.ndarray:
    """A random rational vector of norm at most 1."""
    v = rationals(rng, d)
    while (v * v).sum() > 1:
        v = v / 2
    return v


def hinge_and_gradient(W: np.ndarray, x: np.ndarray, y: int) -> tuple[Fraction, np.ndarray]:
    """The squared hinge loss and a subgradient, from the definition."""
    scores = W @ x
    rivals = [k for k in range(len(W)) if k != y]
    rival = max(rivals, key=lambda k: scores[k])
    h = max(1 - scores[y] + scores[rival], Fraction(0))
    g = np.zeros(W.shape, dtype=object) + Fraction(0)
    g[y], g[rival] = -2 * h * x, 2 * h * x
    return h * h, g


def lemma5_instance(rng: np.random.Generator) -> Instance:
    n, d = int(rng.integers(2, 5)), int(rng.integers(1, 4))
    W, x, y = rationals(rng, n, d), in_unit_ball(rng, d), int(rng.integers(n))
    value, g = hinge_and_gradient(W, x, y)
    return Instance({"W": W, "x": x, "y": y}, (g * g).sum(), 8 * value)


def one_feature() -> Instance:
    """Nothing has been updated; every W* of loss 0 at x = 1/2 has w_0 - w_1 >= 2, so ||W*||^2 >= 2 > exp(0)."""
    W_star = [Fraction(1), Fraction(-1)]
    return Instance(
        {"K": 2, "d": 1, "D": 2, "x_1": "1/2", "y_1": 0, "W*": W_star, "W_2 = W_1": 0, "L_2": 0},
        sum(v * v for v in W_star),
        1,
    )


def after_one_update() -> Instance:
    """W* = (2, -2); the first prediction is right: W_2 = (1/4, -1/4), L_2 = 1."""
    w = Fraction(1, 4)
    distance = 2 * (2 - w) ** 2
    bound = (flint.arb(-1) / (32 * 2 * 4)).exp()
    return Instance(
        {"K": 2, "d": 1, "D": 2, "x_1": 1, "y_1": 0, "W*": (2, -2), "W_2": (w, -w), "L_2": 1}, distance, bound
    )


def descent_run(rng: np.random.Generator, rounds: int = 4) -> tuple[dict[str, object], list[tuple[Fraction, Fraction]]]:
    """A run of updates only, K = 2, D = 2, d = 2: (||W_t - W*||^2, L_t) before every round; exact, no row projected."""
    W_star = np.array([[Fraction(2), Fraction(0)], [Fraction(-2), Fraction(0)]], dtype=object)
    W = np.zeros((2, 2), dtype=object) + Fraction(0)
    L, seen, shown = Fraction(0), [], []
    for _ in range(rounds):
        y = int(rng.integers(2))
        a = Fraction(int(rng.integers(2, 6)), 8) * (1 if y == 0 else -1)
        x = np.array([a, Fraction(int(rng.integers(-4, 5)), 8)], dtype=object)
        seen.append((((W - W_star) ** 2).sum(), L))
        value, g = hinge_and_gradient(W, x, y)
        W, L = W - g / 8, L + value
        shown.append((x, y))
    seen.append((((W - W_star) ** 2).sum(), L))
    return {"K": 2, "D": 2, "W*": W_star, "rounds": shown}, seen


def lemma6_instance(rng: np.random.Generator) -> Instance:
    at, seen = descent_run(rng)
    distance, spent = seen[-1]
    return Instance(at, distance + spent / 8, 2 * 2**2)


def definition7_instance(rng: np.random.Generator) -> Instance:
    n, d = int(rng.integers(2, 4)), int(rng.integers(1, 4))
    W, x, vectors = rationals(rng, n, d), rationals(rng, d), rationals(rng, 2, d)
    M = np.array([[Fraction(i == j) for j in range(d)] for i in range(d)], dtype=object) + vectors.T @ vectors
    entries = [flint.fmpq(v.numerator, v.denominator) for v in M.ravel()]
    column = flint.fmpq_mat(d, 1, [flint.fmpq(v.numerator, v.denominator) for v in x])
    solved = flint.fmpq_mat(d, d, entries).solve(column).entries()
    dual = sum((v * Fraction(int(s.p), int(s.q)) for v, s in zip(x, solved, strict=True)), Fraction(0))
    scores = W @ x
    return Instance({"W": W, "x": x, "M": M}, (scores * scores).sum(), ((W @ M) * W).sum() * dual)


def matrix_instance(rng: np.random.Generator) -> Instance:
    d, n = int(rng.integers(1, 4)), int(rng.integers(1, 5))
    v, rows = rationals(rng, d), [in_unit_ball(rng, d) for _ in range(n)]
    losses = [abs(Fraction(int(rng.integers(0, 12)), 4)) for _ in rows]
    quadratic = (v * v).sum() + sum((a * (x @ v) ** 2 for a, x in zip(losses, rows, strict=True)), Fraction(0))
    return Instance({"v": v, "x": rows, "losses": losses}, quadratic, (1 + sum(losses)) * (v * v).sum())


def exponential_series() -> Instance:
    """e < 1 + 1 + 1/2 + 1/6 + 1/24 + 1/60 < 4, by the series (1/60 covers the tail): so exp(-1) > 1/4."""
    e = sum((Fraction(1, k) for k in (1, 1, 2, 6, 24, 60)), Fraction(0))
    return Instance({"x": 1, "e is at most": e}, 1 / e, Fraction(1, 4))


def lemma8_instance(rng: np.random.Generator) -> Instance:
    at, seen = descent_run(rng)
    return Instance(at, max((1 + spent) * distance for distance, spent in seen), 2 * (8 + Fraction(1, 8)) ** 2)


def steep() -> Instance:
    """K = 2, d = 1, D = 2: W = (-2, 2) at x = 1, y = 0 has h = 5 and grad Phi = 10 (-1, 1)."""
    W = np.array([[Fraction(-2)], [Fraction(2)]], dtype=object)
    _, g = hinge_and_gradient(W, np.array([Fraction(1)], dtype=object), 0)
    return Instance({"K": 2, "D": 2, "W": (-2, 2), "x": 1, "y": 0, "squared": "yes"}, (g * g).sum(), (4 * 2) ** 2)


def steep_in_words() -> Instance:
    """||grad Phi||^2 = 8 h^2 with h = 1 + 2 D, against (4 D)^2, at D = 2."""
    D_ = Fraction(2)
    return Instance({"D": D_, "h": 1 + 2 * D_}, 8 * (1 + 2 * D_) ** 2, 16 * D_**2)


def tie() -> Instance:
    """W = 0 has loss 1 everywhere, and the top label is 0 by the rule for ties: wrong if y = 1."""
    zero = np.zeros((2, 1), dtype=object) + Fraction(0)
    value, _ = hinge_and_gradient(zero, np.array([Fraction(1)], dtype=object), 1)
    wrong = Fraction(1) if value <= 1 else Fraction(0)
    return Instance({"K": 2, "W": 0, "x": 1, "y": 1, "loss": value, "1[top label != y]": wrong}, wrong, 0)


def first_round() -> Instance:
    """W_1 = 0, W* = (-1/2, 1/2), x = 1, y = 1: ||W_1 - W*||^2 = 1/2 < 1, no exploration; the tie goes to label 0."""
    W_star = [Fraction(-1, 2), Fraction(1, 2)]
    explores = sum(v * v for v in W_star) >= 1
    return Instance(
        {"K": 2, "t": 1, "x": 1, "y": 1, "W*": W_star, "mistakes without exploration": int(not explores)},
        Fraction(int(not explores)),
        0,
    )


def no_tie() -> Instance:
    """W = (1/10, -1/10) is strictly wrong at x = 1, y = 1, and ||W - W*||^2 = 72/100 < 1: the margin is negative."""
    W, W_star = [Fraction(1, 10), Fraction(-1, 10)], [Fraction(-1, 2), Fraction(1, 2)]
    distance = sum((a - b) ** 2 for a, b in zip(W, W_star, strict=True))
    margin_ = W[1] - W[0] if distance < 1 else Fraction(1)
    return Instance({"K": 2, "x": 1, "y": 1, "W": W, "W*": W_star, "||W - W*||^2": distance}, margin_, 0, ">")


def wrong_guess() -> Instance:
    """One round, explored, guessed wrong: one mistake, and sum Z_t = 0."""
    return Instance({"T": 1, "K": 2, "W*": (2, -2), "x_1": 1, "y_1": 0, "guess": 1}, 1, 0)


def unlucky_guess() -> Instance:
    """P(no right guess in one explored round) = 1/2 at K = 2, more than delta = 1/4: then 1 <= 0 fails."""
    return Instance({"K": 2, "explored rounds": 1, "delta": "1/4"}, Fraction(1, 2), Fraction(1, 4))


def explored_rounds() -> Instance:
    """Algorithm 4 on x = 1, y = 0, every guess right: all of 40 rounds explore, with M rounded up."""
    w, M, explored = Fraction(0), Fraction(1), 0
    for _ in range(40):
        explored += 1 / M >= Fraction(1, 262144) and 2 * (2 - w) ** 2 >= 1
        M += (1 - 2 * w) ** 2
        w += (1 - 2 * w) / 4
        w, M = Fraction(round(w * 2**60), 2**60), Fraction(-((-M * 2**60) // 1), 2**60)
    return Instance({"K": 2, "D": 2, "W*": (2, -2), "x_t": 1, "y_t": 0, "T": 40}, explored, 39)


def never_explores() -> Instance:
    """W_1 = 0, x = 1, y = 1: l ||x||^2 = 1 < 1/epsilon^2 = 262144, so there is no exploration, and the tie is wrong."""
    inverse = 512 * 8 * 2**6
    return Instance(
        {
            "K": 2,
            "D": 2,
            "W_1": 0,
            "x": 1,
            "y": 1,
            "l ||x||^2": 1,
            "1/epsilon^2": inverse,
            "mistakes without exploration": 1,
        },
        Fraction(int(inverse > 1)),
        0,
    )


def opposite_weights() -> Instance:
    """W = (1, -1), x = 1, y = 1 has l = 9, far below 1/epsilon^2: no exploration, and the margin is -2."""
    W = np.array([[Fraction(1)], [Fraction(-1)]], dtype=object)
    value, _ = hinge_and_gradient(W, np.array([Fraction(1)], dtype=object), 1)
    explores = value >= 512 * 8 * 2**6
    return Instance({"K": 2, "D": 2, "W": (1, -1), "x": 1, "y": 1, "l": value}, Fraction(1 if explores else -2), 0, ">")


NOTES = "notes, section 5, "

claims = (
    Claim(
        id="notes/lemma5",
        source=NOTES + "Lemma 5",
        statement="||grad l_t(W)||_F^2 <= 8 l_t(W) for the squared hinge loss and ||x_t|| <= 1",
        tex=r"\|\nabla \ell_t(W)\|_F^2 \le 8 \ell_t(W)",
        grounds=Obligations(gradient),
        recorded="PROVED",
        constants=(Constant(name="l_t(W)", printed=8, best=8, attained="||x|| = 1, no tie among the rivals"),),
        second=Resists(lemma5_instance),
    ),
    Claim(
        id="notes/lemma6",
        source=NOTES + "Lemma 6",
        statement="||W_{t+1} - W*||_F^2 <= exp(-L_{t+1}/(32 K D^2)), L_{t+1} = sum_{s <= t} Z_s l_s(W_s)",
        tex=r"\|W_{t+1} - W^*\|_F^2 \le \exp(-\frac{L_{t+1}}{32 K D^2})",
        grounds=Breaks(one_feature),
        recorded="REFUTED",
        finding="The factor K D^2, the first distance, is missing; the last line of the proof has it. The proof gives "
        "more: ||W_{t+1} - W*||_F^2 + L_{t+1}/8 <= K D^2, hence the exponent L/(8 K D^2), and L never exceeds 8 K D^2.",
        corrected=Corrected(
            statement="||W_{t+1} - W*||_F^2 <= K D^2 - L_{t+1}/8 <= K D^2 exp(-L_{t+1}/(8 K D^2))",
            tex=r"\|W_{t+1} - W^*\|_F^2 \le K D^2 - \frac{L_{t+1}}{8} \le K D^2 \exp(-\frac{L_{t+1}}{8 K D^2})",
            grounds=(Obligations(descent), Rests("notes/lemma5")),
        ),
        second=Breaks(after_one_update),
    ),
    Claim(
        id="notes/lemma6-total-loss",
        source=NOTES + "Lemma 6 (not stated)",
        statement="the losses of all updates sum to at most 8 K D^2, whatever the stream",
        tex=r"L_t \le 8 K D^2",
        grounds=(Obligations(descent), Rests("notes/lemma5")),
        recorded="PROVED",
        finding="Not in the notes: Lemma 6's own steps bound L_t by a constant.",
        second=Resists(lemma6_instance, 60),
    ),
    Claim(
        id="notes/definition7",
        source=NOTES + "Definition 7",
        statement="||W x||^2 <= ||W||_M^2 ||x||^2_{M^{-1}} for symmetric positive definite M",
        tex=r"\|W x\|_2^2 \le \|W\|_M^2 \|x\|_{M^{-1}}^2",
        grounds=Obligations(cauchy_schwarz),
        recorded="PROVED",
        second=Resists(definition7_instance, 100),
    ),
    Claim(
        id="notes/lemma8-matrix",
        source=NOTES + "Lemma 8",
        statement="M_t <= (1 + L_t) I, for ||x_t|| <= 1",
        tex=r"M_t \preceq (1 + L_t) I",
        grounds=Obligations(metric),
        recorded="PROVED",
        second=Resists(matrix_instance, 100),
    ),
    Claim(
        id="notes/lemma8-exp",
        source=NOTES + "Lemma 8, proof",
        statement="exp(-x) <= 1/(1 + x)^2 for every x > 0",
        tex=r"\exp(-x) \le \frac{1}{(1 + x)^2}",
        grounds=Obligations(
            Lemma(
                name="Notes, exp(-x) <= 1/(1 + x)^2",
                implications=(
                    Implication(
                        name="as printed",
                        statement="exp(-x) <= 1/(1 + x)^2 for every x > 0",
                        given=(level > 0,),
                        then=exp(-level) <= 1 / (1 + level) ** 2,
                    ),
                ),
            )
        ),
        recorded="REFUTED",
        finding="At x = 1 it says e >= 4. True are exp(-x) <= 1/(1 + x) and exp(-x) <= (4/e)/(1 + x)^2, equal "
        "at x = 1.",
        corrected=Corrected(
            statement="exp(-x) <= 1/(1 + x), and (1 + x)^2 exp(-x) <= 4/e with equality at x = 1",
            tex=r"\exp(-x) \le \frac{1}{1 + x}, \quad \exp(-x) \le \frac{4/e}{(1 + x)^2}",
            grounds=Obligations(exponential),
        ),
        second=Breaks(exponential_series),
    ),
    Claim(
        id="notes/lemma8",
        source=NOTES + "Lemma 8",
        statement="||W_t - W*||_{M_t}^2 <= 32 K^3 D^4, D >= 2",
        tex=r"\|W_t - W^*\|_{M_t}^2 \le 32 K^3 D^4",
        grounds=(
            Obligations(weighted_distance),
            Rests("notes/lemma8-matrix"),
            Rests("notes/lemma6-total-loss"),
        ),
        recorded="PROVED",
        finding="True, although its proof uses the false exp(-x) <= 1/(1 + x)^2 (exp(x) >= 1 + x does instead) and a "
        "factor K too many. By Lemma 6 in its true form the constant is 2 (K D^2 + 1/8)^2.",
        constants=(
            Constant(
                name="bound on ||W_t - W*||_{M_t}^2",
                printed=32 * K**3 * D**4,
                best=2 * (K * D**2 + Rational(1, 8)) ** 2,
                attained="best of this argument, at L_t = 4 K D^2 - 1/2",
            ),
        ),
        second=Resists(lemma8_instance, 60),
    ),
    Claim(
        id="notes/lemma9-gradient",
        source=NOTES + "Lemma 9, proof",
        statement="||grad Phi_t(W x_t)|| <= 4 D for every W whose rows have norm at most D, D >= 2",
        tex=r"\|\nabla \Phi_t(W_t x_t)\|_2 \le 4 D",
        grounds=Breaks(steep),
        recorded="REFUTED",
        finding="||grad Phi|| = 2 sqrt(2) h and h may be 1 + 2 D: at D = 2 that is sqrt(200) > 8.",
        corrected=Corrected(
            statement="||grad Phi_t|| <= 2 sqrt(2) (1 + 2 D); better for Lemma 9: ||grad Phi_t||^2 <= 8 Phi_t",
            tex=r"\|\nabla \Phi_t\|_2 \le 2 \sqrt{2} (1 + 2 D)",
            grounds=Obligations(
                Lemma(
                    name="Notes, gradient of Phi",
                    implications=(
                        Implication(
                            name="bound",
                            statement="||grad Phi||^2 <= 8 h^2 and 0 <= h <= 1 + 2 D",
                            given=(squares <= 8 * hinge**2, hinge <= 1 + 2 * D),
                            then=squares <= (2 * sqrt(2) * (1 + 2 * D)) ** 2,
                        ),
                    ),
                )
            ),
        ),
        constants=(
            Constant(
                name="bound on ||grad Phi_t||",
                printed=4 * D,
                best=2 * sqrt(2) * (1 + 2 * D),
                attained="opposite rows of norm D",
            ),
        ),
        second=Breaks(steep_in_words),
    ),
    Claim(
        id="notes/lemma9",
        source=NOTES + "Lemma 9",
        statement="if ||x_t||_{M_t^{-1}} <= 1/(4 D sqrt(32 K^3 D^4)), D >= 2, then the top label is the true one",
        tex=r"\|x_t\|_{M_t^{-1}} \le \frac{1}{4 D \sqrt{32 K^3 D^4}} \Rightarrow \hat{y}_t = y_t",
        grounds=(
            Obligations(near),
            Rests("notes/lemma5"),
            Rests("notes/definition7"),
            Rests("notes/lemma8"),
        ),
        recorded="PROVED",
        finding="True, although its proof is not: the gradient is bounded by 4 D wrongly, and l <= 1 allows a tie. "
        "With ||grad Phi||^2 <= 8 l the same epsilon gives l <= 1/(2 D^2) <= 1/8.",
    ),
    Claim(
        id="notes/lemma9-last-step",
        source=NOTES + "Lemma 9, last step",
        statement="l_t(W_t) <= 1 implies that the top label is the true one",
        tex=r"\ell_t(W_t) \le 1 \Rightarrow \hat{y}_t = y_t",
        grounds=Breaks(tie),
        recorded="REFUTED",
        finding="Loss 1 is a tie, which may go to another label, as at W = 0. Loss below 1 implies it.",
        corrected=Corrected(
            statement="l_t(W_t) < 1 implies that the top label is the true one",
            tex=r"\ell_t(W_t) < 1 \Rightarrow \hat{y}_t = y_t",
            grounds=Obligations(near, "right"),
        ),
    ),
    Claim(
        id="notes/no-explore-correct",
        source=NOTES + "after Lemma 9",
        statement="on every round without exploration (line 7 as printed: explore if ||x_t||_{M_t^{-1}} >= epsilon and "
        "||W_t - W*||_F >= 1) the prediction is correct",
        grounds=Breaks(first_round),
        recorded="REFUTED",
        finding="Being within 1 of W* does not make W_t predict correctly: W_1 = 0 is within 1/sqrt(2) of W* = (-1/2, "
        "1/2) and ties. Within less than 1/sqrt(2) it does. W* is not known to the learner either.",
        corrected=Corrected(
            statement="it is with ||W_t - W*||_F >= 1/sqrt(2) in line 7; 1/sqrt(2) is the largest such threshold",
            tex=r"\|W_t - W^*\|_F < \frac{1}{\sqrt{2}} \Rightarrow \hat{y}_t = y_t",
            grounds=(Obligations(gate), Rests("notes/lemma9")),
        ),
        constants=(
            Constant(
                name="threshold of ||W_t - W*||_F",
                printed=1,
                best=1 / sqrt(2),
                attained="W_1 = 0, W* = (-1/2, 1/2), a tie",
            ),
        ),
        second=Breaks(no_tie),
    ),
    Claim(
        id="notes/lemma10",
        source=NOTES + "Lemma 10",
        statement="the steps for the number of exploration rounds hold: mistakes <= N = sum Z_t, and N <= K "
        "ln(1/delta) "
        "sum 1[||x_t|| > epsilon] Z_t with probability 1 - delta",
        grounds=Breaks(wrong_guess),
        recorded="REFUTED",
        finding="Z_t = 1 on rounds that were predicted correctly, so sum Z_t does not count mistakes, nor exploration "
        "rounds. The second step fails too: one round, explored and guessed wrong, has probability 1 - 1/K. The last "
        "step divides by the smallest loss, which has no lower bound; the notes leave the bound open (???).",
        corrected=Corrected(
            statement="in expectation, exploration rounds are K times the exploration rounds with a right guess",
            grounds=Obligations(
                Lemma(
                    name="Notes, guesses",
                    implications=(
                        Implication(
                            name="one explored round",
                            statement="a guess is right with probability 1/K: explored = K E[explored 1[right]]",
                            given=(Eq(product, squares / K),),
                            then=Eq(squares, K * product, evaluate=False),
                        ),
                    ),
                )
            ),
        ),
        second=Breaks(unlucky_guess),
    ),
    Claim(
        id="notes/exploration-ends",
        source=NOTES + "after Lemma 9",
        statement="the number of exploration rounds is bounded independently of T; here: at K = 2, D = 2, by 39",
        grounds=Breaks(explored_rounds),
        recorded="REFUTED",
        finding="The losses of all updates sum to at most 8 K D^2, so M_t never grows enough to make a unit vector "
        "short: on x_t = 1, y_t = 0 with W* = (2, -2) every round explores, for ever, and half of them are mistakes. "
        "39 stands for any bound: the corrected statement is proved for every T.",
        corrected=Corrected(
            statement="on x_t = 1, y_t = 0, K = 2, D = 2, W* = (2, -2) all T rounds explore, for every T",
            grounds=(Obligations(for_ever), Rests("notes/lemma6-total-loss")),
        ),
    ),
    Claim(
        id="notes/discussion-criterion",
        source=NOTES + "Discussion",
        statement="exploring if l_t(W_t) ||x_t||^2_{M_t^{-1}} >= 1/epsilon^2 keeps the other rounds free of mistakes",
        tex=r"\ell_t(W_t) \|x_t\|_{M_t^{-1}}^2 \ge \frac{1}{\epsilon^2}",
        grounds=Breaks(never_explores),
        recorded="REFUTED",
        finding="The threshold should be epsilon^2: with 1/epsilon^2 = 512 K^3 D^6 the algorithm never explores "
        "at all.",
        corrected=Corrected(
            statement="exploring if l_t(W_t) ||x_t||^2_{M_t^{-1}} >= epsilon^2, epsilon as in Lemma 9, does",
            tex=r"\ell_t(W_t) \|x_t\|_{M_t^{-1}}^2 \ge \epsilon^2",
            grounds=(
                Obligations(criterion),
                Obligations(near, "chain"),
                Obligations(near, "right"),
                Rests("notes/lemma8"),
            ),
        ),
        second=Breaks(opposite_weights),
    ),
)
