"""SOBA paper, Theorem 5: exploration that adapts.

**Problem.** That of Theorem 2, without a bound on the sum of the quadratic terms. T >= 2, a = X^2.

**Algorithm.** SOBA with gamma_t = min{sqrt(k (1 + Q_{t-1})/t), 1}, Q the sum of n_s z_s'A_s^{-1}z_s over the past
rounds. The n_s is missing in print.

**Theoretical guarantee.** **Upper bound**: E[M] <= L_eta(U) + X^2 ||U||^2 + (6/eta) (sqrt(dk^2 T ln T) + dk^2 ln T).
With c_t = k n_t z_t'A_t^{-1}z_t in [0, k) and alpha = 1/(eta (2 - eta)) <= 1/eta Lemma 4 bounds sum gamma_t + alpha
c_t/gamma_t; then E sqrt(1 + Q) <= sqrt(1 + E Q), E Q <= dk ln T and 1 <= dk ln T (as dk >= 2).

Without n_s the guarantee is lost. A right round with a margin below 2 that is not used has z'A_t^{-1}z =
z'A_{t-1}^{-1}z, which can be 2 X^2/(a p). K = 2, x_1 = (1, 0), then x_t = (3/5, 4/5), y = 1 throughout: if the first
draw is right (probability 1/2), yhat = y from then on, no round is used again, and each right draw adds (178/125)/p to
Q. Q grows like (178/125) t, gamma stays at 1, and half of all rounds are wrong; but U with rows -(1/2, 1/4) and (1/2,
1/4) has no loss. Chebyshev's inequality makes this E[M] >= (T - 6 - 4 ln T)/4.

**References.** Beygelzimer, Orabona, Zhang 2017, appendix A, Theorem 5.
"""

from fractions import Fraction

import flint
import numpy as np
from sympy import Eq, Rational, log, sqrt, symbols

from gaptron import (
    Argument,
    Average,
    Breaks,
    Cite,
    Claim,
    Constant,
    Corrected,
    Implication,
    InProof,
    Instance,
    Lemma,
    Obligations,
    Put,
    Resists,
    Rests,
    Rounds,
    Use,
    When,
)
from gaptron.instances.soba import form, paths
from gaptron.instances.soba_games import draw_game, require
from gaptron.numbers.evaluate import ball
from gaptron.symbols import K, X, d
from gaptron.theory import facts
from gaptron.theory.soba import (
    COUNTED,
    DRAWS,
    LOGARITHMIC,
    LOGARITHMIC_SETTING,
    LOSSES,
    NAMES,
    TWO_ROUNDS,
    WEIGHTS,
    E_costs,
    E_quads,
    E_top,
    V,
    a,
    alpha,
    certain,
    costs,
    eta,
    losses,
    prob,
    quad,
    quads,
    rounds,
    s,
    top,
    wrong,
)

r, w, rate, g, root_t, root_base, E_root, root_up, root_k = symbols(
    "r w rate g root_t root_base E_root root_up root_k", positive=True
)
root_n, root_before, root_now, root_m, c, C, E_C, root = symbols(
    "root_n root_before root_now root_m c C E_C root", nonnegative=True
)
length = symbols("length", positive=True)
Q = symbols("Q", nonnegative=True)
chance, far, spread, spent, E_spent, gammas, E_gammas, wrong_draw, misses, E_misses, made = symbols(
    "chance far spread spent E_spent gammas E_gammas wrong_draw misses E_misses made", real=True
)
product, log_n, of_rates, of_sums, rates_most, sums_most = symbols(
    "product log_n of_rates of_sums rates_most sums_most", real=True
)

SOURCE = "Beygelzimer, Orabona, Zhang 2017, Theorem 5"

PAID = gammas + r * costs <= spent
MISSES = misses <= top + gammas
LEMMA4 = spent <= (2 + 2 * r) * root_n * root_base + r * C
TANGENT = root_base <= root_m + (C - E_C) / (2 * root_m)
SAME = Eq(C, K * quads, evaluate=False)
BOUND = made <= losses + X**2 * V + 6 / eta * (root + d * K**2 * log(rounds))

theorem5 = Lemma(
    name="SOBA, Theorem 5",
    source=SOURCE,
    implications=(
        Implication(
            name="summand",
            statement="c_t = k n z'A_t^{-1}z = k s/(1 + s) <= k",
            given=(Eq(quad * (1 + s), s), Eq(c, K * quad)),
            then=c <= K,
        ),
        Implication(
            name="one more summand",
            statement="k times the sum",
            given=(SAME, Eq(c, K * quad)),
            then=Eq(C + c, K * (quads + quad), evaluate=False),
        ),
        Implication(
            name="importance weight",
            statement="1/p <= k/gamma_t",
            given=(prob >= rate / K, Eq(alpha**2 * prob, 1)),
            then=alpha**2 <= K / rate,
        ),
        Implication(
            name="quadratic term",
            statement="g'A_t^{-1}g = z'A_t^{-1}z/p <= c_t/gamma_t",
            given=(alpha**2 <= K / rate, Eq(c, K * quad)),
            then=alpha**2 * quad <= c / rate,
        ),
        Implication(
            name="one more round",
            statement="exploration and quadratic terms, by the sum of Lemma 4",
            given=(PAID, alpha**2 * quad <= c / rate),
            then=gammas + rate + r * (costs + alpha**2 * quad) <= spent + rate + r * c / rate,
        ),
        Implication(
            name="a draw",
            statement="P(draw != y) <= 1[yhat != y] + gamma_t",
            given=(
                Eq(certain, 1 - rate + rate / K),
                Eq(wrong_draw, wrong * (1 - rate / K) + (1 - wrong) * (1 - certain)),
            ),
            then=wrong_draw <= wrong + rate,
        ),
        Implication(
            name="one more draw",
            statement="all rounds",
            given=(MISSES, wrong_draw <= wrong + rate),
            then=misses + wrong_draw <= top + wrong + gammas + rate,
        ),
        Implication(
            name="tangent of the root",
            statement="root_m^2 = k + E C: sqrt(k + C) <= root_m + (C - E C)/(2 root_m), so E sqrt <= sqrt E",
            given=(Eq(root_base**2, K + C), Eq(root_m**2, K + E_C), root_m > 0),
            then=TANGENT,
        ),
        Implication(
            name="positive root",
            statement="k > 0",
            given=(Eq(root_m**2, K + E_C),),
            then=root_m > 0,
        ),
        Implication(
            name="r",
            statement="r = 1/(eta (2 - eta)) is at most 1/eta",
            given=(Eq(r * eta * (2 - eta), 1), eta <= 1),
            then=r <= 1 / eta,
        ),
        Implication(
            name="eta V",
            statement="a = X^2: a eta V/(2 - eta) <= X^2 V",
            given=(eta <= 1, Eq(a, X**2)),
            then=a * eta * V / (2 - eta) <= X**2 * V,
        ),
        Implication(
            name="by r",
            statement="Theorem 3 with the quadratic terms r times",
            given=(
                eta <= 1,
                E_top <= losses + a * eta * V / (2 - eta) + E_costs / (eta * (2 - eta)),
                a * eta * V / (2 - eta) <= X**2 * V,
                Eq(r * eta * (2 - eta), 1),
            ),
            then=E_top <= losses + X**2 * V + r * E_costs,
        ),
        Implication(
            name="Lemma 4",
            statement="in expectation, the root of the mean in the place of the mean of the root",
            given=(E_spent <= (2 + 2 * r) * root_n * E_root + r * E_C, E_root <= root_m),
            then=E_spent <= (2 + 2 * r) * root_n * root_m + r * E_C,
        ),
        Implication(
            name="all draws",
            statement="Theorem 3 and what the exploration costs",
            given=(
                Eq(made, E_misses),
                E_misses <= E_top + E_gammas,
                E_top <= losses + X**2 * V + r * E_costs,
                E_gammas + r * E_costs <= E_spent,
                E_spent <= (2 + 2 * r) * root_n * root_m + r * E_C,
            ),
            then=made <= losses + X**2 * V + (2 + 2 * r) * root_n * root_m + r * E_C,
        ),
        Implication(
            name="ln T",
            statement="ln 2 >= 2/3",
            given=(rounds >= 2,),
            then=log(rounds) >= Rational(2, 3),
        ),
        Implication(
            name="dk",
            statement="d >= 1",
            given=(log_n >= Rational(2, 3),),
            then=3 * d * K * log_n >= 4,
        ),
        Implication(
            name="sum",
            statement="E C = k E Q <= dk^2 ln T",
            given=(Eq(E_C, K * E_quads), E_quads <= d * K * log_n),
            then=E_C <= d * K**2 * log_n,
        ),
        Implication(
            name="1 is small",
            statement="4 (k + E C) <= 7 dk^2 ln T",
            given=(3 * d * K * log_n >= 4, E_C <= d * K**2 * log_n),
            then=4 * (K + E_C) <= 7 * d * K**2 * log_n,
        ),
        Implication(
            name="squares",
            statement="4 T (k + E C) <= 7 d k^2 T ln T",
            given=(
                4 * (K + E_C) <= 7 * d * K**2 * log_n,
                Eq(root_m**2, K + E_C),
                Eq(root_n**2, rounds),
                Eq(root**2, d * K**2 * rounds * log_n),
            ),
            then=4 * (root_n * root_m) ** 2 <= 7 * root**2,
        ),
        Implication(
            name="roots",
            statement="sqrt(7) <= 3",
            given=(4 * product**2 <= 7 * root**2,),
            then=2 * product <= 3 * root,
        ),
        Implication(
            name="first term",
            statement="2 + 2 r <= 4/eta",
            given=(eta <= 1, r <= 1 / eta, 2 * product <= 3 * root),
            then=(2 + 2 * r) * product <= 6 / eta * root,
        ),
        Implication(
            name="second term",
            statement="r <= 1/eta",
            given=(r <= 1 / eta, E_C <= d * K**2 * log_n),
            then=r * E_C <= 6 / eta * d * K**2 * log_n,
        ),
        Implication(
            name="together",
            statement="both terms",
            given=(made <= losses + X**2 * V + of_rates + of_sums, of_rates <= rates_most, of_sums <= sums_most),
            then=made <= losses + X**2 * V + rates_most + sums_most,
        ),
    ),
)

ADAPTIVE = LOGARITHMIC_SETTING + "; gamma_t the rates of Lemma 4, r the number by which it weighs the c_t"
HERE = NAMES | {
    rate: "gamma_t", c: "c_t", C: "sum c_t", E_C: "E[sum c_t]", g: "sqrt((K + c_1 + ... + c_{t-1})/t)",
    root_k: "sqrt(K)", root_t: "sqrt(t)", root_n: "sqrt(T)", root_before: "sqrt(sum c_t)",
    root_now: "sqrt(c_1 + ... + c_t)", root_base: "sqrt(K + sum c_t)", root_up: "sqrt(K + c_1 + ... + c_t)",
    E_root: "E[sqrt(K + sum c_t)]", root_m: "sqrt(K + E[sum c_t])", spent: "sum (gamma_t + r c_t/gamma_t)",
    E_spent: "E[sum (gamma_t + r c_t/gamma_t)]", gammas: "sum gamma_t", E_gammas: "E[sum gamma_t]",
    wrong_draw: "E[1[draw != y]]", misses: "sum E[1[draw != y]]", E_misses: "E[sum E[1[draw != y]]]",
    made: "E[sum 1[draw != y]]", root: "sqrt(d K^2 T ln T)",
}  # fmt: skip
ROUND = (*LOSSES, *COUNTED, *DRAWS, *WEIGHTS)
ADAPTED = (
    prob >= rate / K, Eq(alpha**2 * prob, 1), Eq(c, K * quad), rate <= g, Eq((rate - g) * (rate - 1), 0),
    Eq(certain, 1 - rate + rate / K), Eq(wrong_draw, wrong * (1 - rate / K) + (1 - wrong) * (1 - certain)),
)  # fmt: skip
ROOTS = (Eq(root_before**2, C), Eq(root_base**2, K + C))
GROWING = When(
    "in every round",
    (
        *ROOTS,
        Eq(g * root_t, root_base),
        Eq(root_t**2, root_n**2 + 1),
        Eq(root_now**2, root_before**2 + c),
        Eq(root_up**2, root_base**2 + c),
    ),
)
ENDS = (Eq(root_m**2, K + E_C), Eq(root_n**2, rounds), Eq(root**2, d * K**2 * rounds * log(rounds)))
POINT = TWO_ROUNDS | {
    rate: 1, c: 0, C: 2, E_C: 2, quads: 1, E_quads: 1, g: 2 / sqrt(3), root_k: sqrt(2), root_t: sqrt(3),
    root_n: sqrt(2), root_before: sqrt(2), root_now: sqrt(2), root_base: 2, root_up: 2, E_root: 2, root_m: 2, spent: 0,
    E_spent: 0, gammas: 0, E_gammas: 0, wrong_draw: Rational(1, 2), misses: 0, E_misses: 0, made: 0,
    root: sqrt(8 * log(2)), r: 1,
}  # fmt: skip

TERMS = {
    of_rates: (2 + 2 * r) * root_n * root_m, of_sums: r * E_C, rates_most: 6 / eta * root,
    sums_most: 6 / eta * d * K**2 * log(rounds),
}  # fmt: skip

same_sum = Argument(
    name="SOBA, Theorem 5, summands",
    setting=ADAPTIVE,
    symbols=HERE,
    hypotheses=(ADAPTED[2],),
    steps=(
        Rounds(SAME, {C: (0, C + c), quads: (0, quads + quad)}, theorem5["one more summand"], (K,)),
        Average(SAME, {C: E_C, quads: E_quads}, (K,)),
    ),
    conclusion=Eq(E_C, K * E_quads, evaluate=False),
    example=POINT,
)
exploration = Argument(
    name="SOBA, Theorem 5, exploration and quadratic terms",
    setting=ADAPTIVE,
    symbols=HERE,
    hypotheses=ADAPTED[:3],
    steps=(
        theorem5["importance weight"],
        theorem5["quadratic term"],
        Rounds(
            PAID,
            {
                gammas: (0, gammas + rate),
                costs: (0, costs + alpha**2 * quad),
                spent: (0, spent + rate + r * c / rate),
            },
            theorem5["one more round"],
            (r,),
        ),
        Average(PAID, {gammas: E_gammas, costs: E_costs, spent: E_spent}, (r,)),
    ),
    conclusion=E_gammas + r * E_costs <= E_spent,
    example=POINT,
)
draws = Argument(
    name="SOBA, Theorem 5, mistakes of the draws",
    setting=ADAPTIVE,
    symbols=HERE,
    hypotheses=ADAPTED[5:],
    steps=(
        theorem5["a draw"],
        Rounds(
            MISSES,
            {misses: (0, misses + wrong_draw), top: (0, top + wrong), gammas: (0, gammas + rate)},
            theorem5["one more draw"],
        ),
        Average(MISSES, {misses: E_misses, top: E_top, gammas: E_gammas}),
        Use(facts.TOWER, {"x": "1[draw != y]"}),
    ),
    conclusion=(E_misses <= E_top + E_gammas, Eq(made, E_misses, evaluate=False)),
    example=POINT,
)
rates = Argument(
    name="SOBA, Theorem 5, Lemma 4 in expectation",
    setting=ADAPTIVE,
    symbols=HERE,
    hypotheses=(*WEIGHTS[:2], *ADAPTED[2:5], *ROOTS, GROWING, ENDS[0]),
    steps=(
        Use(facts.SHERMAN_MORRISON, {"A": "A", "B": "B", "z": "n z"}),
        theorem5["summand"],
        Cite("soba/lemma4-proof", {"a": "r", "b": "K"}),
        Average(LEMMA4, {spent: E_spent, root_base: E_root, C: E_C}, (r, root_n)),
        theorem5["positive root"],
        theorem5["tangent of the root"],
        Average(TANGENT, {root_base: E_root, C: E_C}, (root_m, E_C)),
        theorem5["Lemma 4"],
    ),
    conclusion=theorem5["Lemma 4"].then,
    example=POINT,
)
adaptive = Argument(
    name="SOBA, Theorem 5",
    setting=ADAPTIVE,
    symbols=HERE,
    hypotheses=(*ROUND, *LOGARITHMIC, *ADAPTED, *ROOTS, GROWING, *ENDS, Eq(r * eta * (2 - eta), 1)),
    steps=(
        Cite("soba/t3-first", part="SOBA, Theorem 3, any exploration"),
        Cite("soba/lemma3-left"),
        Cite(same_sum),
        Cite(exploration),
        Cite(draws),
        Cite(rates),
        theorem5["r"],
        theorem5["eta V"],
        theorem5["by r"],
        theorem5["all draws"],
        theorem5["ln T"],
        *(Put(theorem5[name], {log_n: log(rounds)}) for name in ("dk", "sum", "1 is small", "squares")),
        Put(theorem5["roots"], {product: root_n * root_m}),
        Put(theorem5["first term"], {product: root_n * root_m}),
        Put(theorem5["second term"], {log_n: log(rounds)}),
        Put(theorem5["together"], TERMS),
    ),
    conclusion=BOUND,
    example=POINT,
)

never_settles = Lemma(
    name="SOBA, Theorem 5 without n_t",
    source=SOURCE,
    implications=(
        Implication(
            name="mean",
            statement="a right draw (probability prob) adds w/prob: w in the mean",
            given=(),
            then=Eq(prob * (w / prob) + (1 - prob) * 0, w, evaluate=False),
        ),
        Implication(
            name="variance",
            statement="at prob >= 1/2 the variance of a round is at most w^2",
            given=(2 * prob >= 1,),
            then=prob * (w / prob - w) ** 2 + (1 - prob) * w**2 <= w**2,
        ),
        Implication(
            name="one more round",
            statement="the rounds are uncorrelated: the variance of Q is at most w^2 after each",
            given=(spread <= w**2 * length, far <= w**2),
            then=spread + far <= w**2 * (length + 1),
        ),
        Implication(
            name="Chebyshev",
            statement="chance = P(Q below its mean by w rounds/2): chance (w rounds/2)^2 <= w^2 rounds",
            given=(chance * (w * length / 2) ** 2 <= w**2 * length,),
            then=chance <= 4 / length,
        ),
        Implication(
            name="gamma = 1",
            statement="Q >= 4/5 + w rounds/2, w = 178/125, in round rounds + 2: 2 (1 + Q)/(rounds + 2) >= 1",
            given=(Eq(125 * w, 178), Q >= Rational(4, 5) + w * length / 2),
            then=2 * (1 + Q) >= length + 2,
        ),
        Implication(
            name="mistakes of a round",
            statement="first draw right: 1/2; gamma = 1: 1/2 wrong",
            given=(chance <= 4 / length,),
            then=(1 - chance) / 4 >= (1 - 4 / length) / 4,
        ),
    ),
)


def unused_round() -> Instance:
    """Two classes, a = X^2 = 1, gamma = 1/2; (1, 0), then (3/5, 4/5), y = 1: c_2 = k z_2'A_2^{-1}z_2."""
    stream = [([Fraction(1), Fraction(0)], 1), ([Fraction(3, 5), Fraction(4, 5)], 1)]
    path = next(p for p in paths(stream, 2, Fraction(1, 2), Fraction(1)) if all(t.drawn for t in p.steps))
    step = path.steps[-1]
    setting = {"stream": stream, "K": 2, "a": 1, "gamma": "1/2", "yhat": step.top, "updated": step.updated}
    return Instance(setting, 2 * step.quadratic, Fraction(2))


def unused_round_by_hand() -> Instance:
    """The same with gamma_1 = gamma_2 = 1 as printed: A_1 = I + 2 v v', so A_1^{-1} = I - (2/5) v v', ||v||^2 = 2."""
    w_ = 2 - Fraction(2, 5) * (2 * Fraction(3, 5)) ** 2
    return Instance({"gamma_t": 1, "p": "1/2", "x_2": ("3/5", "4/5")}, 2 * w_ / Fraction(1, 2), Fraction(2))


def linear_mistakes() -> Instance:
    """E[M] >= (T - 6 - 4 ln T)/4, by Chebyshev's inequality."""
    t = 10**6
    return printed_bound(t, (t - 6 - 4 * ball(Fraction(t)).log()) / 4)


def linear_mistakes_by_enumeration() -> Instance:
    """E[M] >= P(gamma = 1 for ever)/2 (T - 1)/2; 40 rounds are enumerated, the rest is Hoeffding's inequality.

    With N right draws in n rounds Q = 4/5 + (356/125) N, and gamma = 1 if 2 (1 + Q) >= n + 2, which N >= n/5 implies;
    P(N < n/5) <= exp(-2 n (3/10)^2), and these sum to at most exp(-41 * 9/50)/(1 - exp(-9/50)) beyond 40.
    """
    alive = {0: Fraction(1)}
    for t in range(1, 41):
        moved = {N: (alive.get(N, 0) + alive.get(N - 1, 0)) / Fraction(2) for N in range(t + 1)}
        alive = {N: p for N, p in moved.items() if 2 * (1 + Fraction(4, 5) + Fraction(356, 125) * N) >= t + 2}
    tail = (ball(Fraction(-41 * 9, 50))).exp() / (1 - ball(Fraction(-9, 50)).exp())
    t = 4 * 10**6
    return printed_bound(t, (ball(sum(alive.values(), Fraction(0))) - tail) / 2 * (t - 1) / 2)


def printed_bound(t: int, lower: flint.arb) -> Instance:
    """Mistakes against the bound with constant 12 at eta = 9/10, for a U without loss."""
    at, norm2 = Fraction(9, 10), Fraction(5, 8)
    half = [Fraction(1, 2), Fraction(1, 4)]
    margins = [2 * sum(u * e for u, e in zip(half, x, strict=True)) for x in ([1, 0], [Fraction(3, 5), Fraction(4, 5)])]
    require(all(m >= 1 for m in margins), "U has no loss")
    require((2 / at - 1) ** 2 >= 4 * norm2 / 2, "eta <= 2/(2 ||u_i|| + 1)")
    log_ = ball(Fraction(t)).log()
    right = ball(norm2) + 12 / ball(at) * ((8 * t * log_).sqrt() + 8 * log_)
    setting = {"K": 2, "T": t, "x_1": (1, 0), "x_t": ("3/5", "4/5"), "y_t": 1, "u_1 = -u_0": ("1/2", "1/4"), "eta": at}
    return Instance(setting, lower, right)


def draw_summand(rng: np.random.Generator) -> Instance:
    """Draws of a round with an update: n z'A_t^{-1}z < 1."""
    game = draw_game(rng, 3)
    used = [step for path in game.paths for step in path.steps if step.updated]
    step = used[int(rng.integers(len(used)))]
    return Instance(game.at, form(step.after.inv(), step.v) / step.p, Fraction(1), "<")


def draw_end(rng: np.random.Generator) -> Instance:
    """(2 + 2 alpha) sqrt(k T (1 + dk ln T)) + alpha dk^2 ln T against (6/eta) (sqrt(dk^2 T ln T) + dk^2 ln T)."""
    k, d, t = (int(rng.integers(low, high)) for low, high in ((2, 6), (1, 5), (2, 10**5)))
    at = Fraction(int(rng.integers(1, 9)), 8)
    q_, alpha_ = d * k * ball(Fraction(t)).log(), ball(1 / (at * (2 - at)))
    left = (2 + 2 * alpha_) * (k * t * (1 + q_)).sqrt() + alpha_ * k * q_
    return Instance({"k": k, "d": d, "T": t, "eta": at}, left, 6 / ball(at) * ((k * t * q_).sqrt() + k * q_))


SETTING = (
    "SOBA with exploration gamma_t, g = (e_ybar - e_y) (x) x/p, z = sqrt(p) g, A_t = a I + sum n z z', n = 1 in "
    "rounds with an update. "
)

claims = (
    Claim(
        id="soba/t5",
        kind="reading",
        quote=r"L_{\eta}(U) + O\left(X^2 \|U\|_F^2 + \frac{1}{\eta}(\sqrt{dk^2 T \ln T} + dk^2 \ln T)\right)",
        source=SOURCE,
        grounds=adaptive,
        recorded="PROVED",
        finding="With n_s in the sum; as printed, without it, see soba/t5-printed.",
        constants=(Constant(name="1/eta", printed=12, best=None, attained="6 is enough"),),
        second=Resists(draw_end, 100),
    ),
    Claim(
        id="soba/t5-printed",
        quote=r"\gamma_t = \min\left(\sqrt{\frac{k(1+\sum_{s=1}^{t-1} \boldsymbol{z}_s^T \boldsymbol{A}_s^{-1} "
        r"\boldsymbol{z}_s)}{t}}, 1\right)",
        severity="D",
        cause="the exploration rate of Theorem 5 sums over all rounds instead of those with an update",
        patch="read n_s z_s'A_s^{-1}z_s for z_s'A_s^{-1}z_s in gamma_t",
        source=SOURCE,
        statement=SETTING
        + "Theorem 5 with gamma_t as printed, no n_s in it (z_s = 0 if the draw is wrong): E[M_T] <= L_eta(U) "
        "+ X^2 ||U||^2 + (12/eta) (sqrt(d k^2 T ln T) + d k^2 ln T)",
        grounds=Breaks(linear_mistakes),
        recorded="REFUTED",
        finding="Rounds that are right, have a margin below 2 and are not used add a constant to the sum each time, "
        "so gamma_t does not fall: on a stream of two different features and one label, a quarter of all rounds is "
        "wrong in expectation, where some U has no loss. No constant helps. n_s must stand in the sum, as Lemma 4 "
        "needs it.",
        corrected=Corrected(
            statement="soba/t5, with n_s in the sum; without it E[M_T] >= (T - 6 - 4 ln T)/4 on that stream",
            grounds=(Rests("soba/t5"), Obligations(never_settles)),
        ),
        second=Breaks(linear_mistakes_by_enumeration),
    ),
    Claim(
        id="soba/t5-summand",
        quote=r"Lemma 4 with $c_t = k \boldsymbol{z}_t^T \boldsymbol{A}_t^{-1} \boldsymbol{z}_t \in [0, k], b = k",
        severity="D",
        cause="the exploration rate of Theorem 5 sums over all rounds instead of those with an update",
        patch="read n_t z_t'A_t^{-1}z_t for z_t'A_t^{-1}z_t in the proof",
        source=f"{SOURCE}, proof",
        statement=SETTING
        + "c_t = k z_t'A_t^{-1}z_t lies in [0, k] on every round whose draw is right (no n_t, as printed)",
        tex=r"c_t = k z_t^\top A_t^{-1} z_t \in [0, k]",
        grounds=Breaks(unused_round),
        recorded="REFUTED",
        finding="On a round that is not used A_t does not contain z_t z_t', and z'A_t^{-1}z can be 2 X^2/(a p) > 1. "
        "With n_t it is s/(1 + s) < 1.",
        corrected=Corrected(
            statement="c_t = k n_t z_t'A_t^{-1}z_t lies in [0, k)",
            tex=r"c_t = k n_t z_t^\top A_t^{-1} z_t \in [0, k)",
            grounds=Rests("soba/t5-summand-corrected"),
        ),
        second=Breaks(unused_round_by_hand),
    ),
    Claim(
        id="soba/t5-summand-corrected",
        kind="reading",
        quote=r"Lemma 4 with $c_t = k \boldsymbol{z}_t^T \boldsymbol{A}_t^{-1} \boldsymbol{z}_t \in [0, k], b = k",
        source=f"{SOURCE}, proof, n_t added",
        statement=SETTING + "0 <= n_t z_t'A_t^{-1}z_t < 1, so that c_t = k n_t z_t'A_t^{-1}z_t lies in [0, k)",
        grounds=InProof("second_order.proof", "soba/sherman-morrison"),
        recorded="PROVED",
        second=Resists(draw_summand, 50),
    ),
)
