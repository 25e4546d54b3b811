"""SOBA's rounds in symbols, and what its theorems have in common.

What a symbol stands for, what a round assumes, and Lemma 2 at eta U in expectation: Theorems 2, 3, 4 and 5 begin with
it. A is the matrix before a round and B after it, W and V are the weights, v = (e_ybar - e_y) (x) x, g = v/p and z =
v/sqrt(p); n is one in rounds with an update, else zero, and h is one where the draw of the label makes an update.

Reference: Beygelzimer, Orabona, Zhang 2017, Algorithm 1, sections 4 and 5.
"""

import sympy as sp
from sympy import Eq, exp, log

from gaptron.symbols import K, X, d, gamma
from gaptron.theory import facts
from gaptron.theory.arguments import Argument, Average, Cite, Let, Rounds, Use, When
from gaptron.theory.theorem import Implication

eta, a, prob = sp.symbols("eta a prob", positive=True)
V, norm_c, norm2, norm2_y, norm2_j, largest, loss, loss_s, losses = sp.symbols(
    "V norm_c norm2 norm2_y norm2_j largest loss loss_s losses", nonnegative=True
)
h, wrong, quad, quads, E_quads, s, before, after, n = sp.symbols(
    "h wrong quad quads E_quads s before after n", nonnegative=True
)
margin, score, score_y, score_j, product, product_u, h_product, h_square, first, second = sp.symbols(
    "margin score score_y score_j product product_u h_product h_square first second", real=True
)
firsts, seconds, linears, squares, costs, E_linears, E_squares, E_costs, E_firsts, E_seconds = sp.symbols(
    "firsts seconds linears squares costs E_linears E_squares E_costs E_firsts E_seconds", real=True
)
top, E_top, missed = sp.symbols("top E_top missed", nonnegative=True)
alpha, wz, uz, wg, linear, nm, m, total = sp.symbols("alpha wz uz wg linear nm m total", real=True)
det, grown, entry, c, N = sp.symbols("det grown entry c N", positive=True)
norm_z, trace, entries, count = sp.symbols("norm_z trace entries count", nonnegative=True)
rounds = sp.Symbol("rounds", integer=True, nonnegative=True)
weight, log_det, log_up, log_entry, logs, log_c, ratio = sp.symbols(
    "weight log_det log_up log_entry logs log_c ratio", real=True
)
hinge, hinges, counts, E_counts, norm_v, size_e = sp.symbols(
    "hinge hinges counts E_counts norm_v size_e", nonnegative=True
)
full, s_full, norm_full, norm_w, form = sp.symbols("full s_full norm_full norm_w form", nonnegative=True)
mistakes, chance, certain = sp.symbols("mistakes chance certain", real=True)
product_w, nothing, up, down, rest, row_sum = sp.symbols("product_w nothing up down rest row_sum", real=True)


def f(at: sp.Expr) -> sp.Expr:
    """The quadratic of the losses l_eta, not clipped."""
    return 1 - 2 * at / (2 - eta) + eta * at**2 / (2 - eta)


def slope_of(at: sp.Expr) -> sp.Expr:
    """Its derivative."""
    return -2 * (1 - eta * at) / (2 - eta)


U_C = "eta U - 0"
NAMES = {
    prob: "p", V: "||U||^2", norm_c: f"||{U_C}||^2", norm2: "||x||^2", norm2_y: "||u_y||^2", norm2_j: "||u_ybar||^2",
    largest: "max ||u_k||", loss: "l_eta(margin)", loss_s: "l_eta(s)", wrong: "1[yhat != y]", quad: "||n z||_B^-1^2",
    s: "||n z||_A^-1^2", before: f"||W - {U_C}||_A^2", after: f"||V - {U_C}||_B^2", losses: "L_eta(U)",
    quads: "sum n ||z||_B^-1^2", E_quads: "E[sum n ||z||_B^-1^2]", score: "s", score_y: "<u_y, x>",
    score_j: "<u_ybar, x>", product: f"<v, {U_C}>", product_u: "<U, v>", first: f"E[n <g, {U_C}>]",
    second: f"E[n <z, {U_C}>^2]", firsts: f"sum E[n <g, {U_C}>]", seconds: f"sum E[n <z, {U_C}>^2]",
    linears: f"sum n <g, {U_C}>", squares: f"sum n <z, {U_C}>^2", costs: "sum n ||g||_B^-1^2",
    E_linears: f"E[sum n <g, {U_C}>]", E_squares: f"E[sum n <z, {U_C}>^2]", E_costs: "E[sum n ||g||_B^-1^2]",
    E_firsts: f"E[sum E[n <g, {U_C}>]]", E_seconds: f"E[sum E[n <z, {U_C}>^2]]", top: "Mhat", E_top: "E[Mhat]",
    wz: "<W, n z>", uz: f"<n z, {U_C}>", wg: "<W, n g>", linear: f"<n g, {U_C}>", nm: "n m", total: "sum n m",
    h_product: f"h <v, {U_C}>", h_square: f"h <v, {U_C}>^2", det: "det A", grown: "det B", log_det: "ln det A",
    log_up: "ln det B", weight: "n/p", norm_z: "||n z||^2", trace: "tr A", rounds: "T",
    entries: "sum of the eigenvalues", logs: "sum of the logs of the eigenvalues", count: "number of eigenvalues",
    entry: "eigenvalue", log_entry: "log of the eigenvalue", log_c: "log of c", ratio: "the log of the growth of c",
    full: "||z||_F^-1^2", s_full: "||z||_A^-1^2", norm_full: "||z||^2", norm_w: "||w||^2", product_w: "<z, w>",
    form: "||0 - w||_A^2", nothing: "<0, n z>", mistakes: "E[M]", chance: "P(draw != y)", certain: "P(draw = yhat)",
    missed: "P(yhat != y)", hinge: "max{1 - margin, 0}", hinges: "L_0(U)", counts: "sum h", E_counts: "E[sum h]",
    norm_v: "||v||^2", size_e: "||(e_ybar - e_y)||^2",
}  # fmt: skip
POINT = dict.fromkeys(NAMES, 0) | {
    prob: 1, norm2: 1, loss: 1, loss_s: 1, m: 0, n: 0, h: 0, margin: 0, alpha: 1, eta: 1, a: 1, X: 1, K: 2, d: 1,
    gamma: 1, size_e: 2, norm_v: 2, hinge: 1, chance: sp.Rational(1, 2), certain: sp.Rational(1, 2), det: 1, grown: 1,
    entry: 1, trace: 2, entries: 2, count: 2, c: 1, N: 2,
}  # fmt: skip

SOBA = (
    "SOBA, A before a round and B after it, first a times the identity, theta the sum of the n g so far, W and V the "
    "weights, first zero, n one in rounds with an update and else zero, g being alpha times z"
)
LOSSES = (
    eta <= 1, eta * (2 * largest * X + 1) <= 2, norm2_y <= largest**2, norm2_j <= largest**2, norm2 <= X**2,
    Eq(score, score_y - score_j), margin <= score,
    When(margin <= 1, (Eq(loss, f(margin)),)), When(margin > 1, (Eq(loss, 0),)),
    When(score <= 1, (Eq(loss_s, f(score)),)), When(score > 1, (Eq(loss_s, 0),)),
)  # fmt: skip
"""The losses l_eta of U, s the margin against ybar."""
OUTER = ("v = (e_ybar - e_y) (x) x", Eq(size_e, 2), norm2 <= X**2, Eq(product_u, -score))
HINGE = (*OUTER[:3], margin <= score, hinge >= 1 - margin)
"""The hinge losses of U."""
COUNTED = (wrong <= h, h <= 1)
DRAWS = (
    prob <= 1, Eq(product_u, -score), f"{U_C} = eta U",
    f"n <g, {U_C}> is h <v, {U_C}>/p with probability p, else 0",
    f"n <z, {U_C}>^2 is h <v, {U_C}>^2/p with probability p, else 0",
)  # fmt: skip
"""What the draw of the label makes of a round."""
EXPLORED = (prob >= gamma / K, gamma > 0, Eq(alpha**2 * prob, 1))
WEIGHTS = (
    "B = A + n z n z'", "A is positive definite", "A W = -theta", "B V = -theta - alpha n z", Eq(wg, alpha * wz),
    Eq(linear, alpha * uz), Eq(nm, (wz**2 + 2 * wg) / (1 + s)), Eq(nm, n * m), n <= 1,
    When("in every round", (n * (total + m) >= 0,)),
)  # fmt: skip
"""Least squares on the rounds with an update, and a sum of margins that stays non-negative."""
MATRIX = (
    When("in every round", (Eq(det, grown * exp(log_det - log_up)),)), Eq(norm_z, 2 * norm2 * weight), weight >= 0,
    "n/p is h/p with probability p, else 0", Eq(entry, c * exp(log_entry - log_c)), Eq(logs, log_det),
    Eq(entries, trace), Eq(count, N), Eq(c, a + 2 * X**2 * rounds / N), Eq(log_c, log(a) + ratio),
)  # fmt: skip
"""A matrix of N dimensions with the product and the sum of its eigenvalues; c their largest mean."""
SPACE = (
    *MATRIX, Eq(N, d * (K - 1)), Eq(ratio, log(1 + 2 * X**2 * rounds / (a * d * (K - 1)))),
    Eq(row_sum, up + down + rest), Eq(down, -up), Eq(rest, 0),
)  # fmt: skip
"""That space is the one of matrices whose rows sum to zero; up, down and rest are the entries of z in one column."""
USED = (
    "A 0 = -0", "B 0 = -0 - 0 n z", Eq(nothing, 0), "F = A + z z'", Eq(s_full, product_w), Eq(form, product_w),
    Eq(prob * norm_full, 2 * norm2), "n ||z||_B^-1^2 is h p ||z||_F^-1^2/p with probability p, else 0",
)  # fmt: skip
"""F is the matrix after a round with an update, and w what A maps to its z."""
LOGARITHMIC = (*SPACE, *USED, Eq(a, X**2), rounds >= 2)
"""With LOSSES, DRAWS and WEIGHTS: Lemma 3 at a = X^2."""
MIXED = (
    Eq(certain, 1 - gamma + gamma / K), Eq(chance, missed * (1 - gamma / K) + (1 - missed) * (1 - certain)),
)  # fmt: skip
"""The label is drawn from the top label mixed with the uniform distribution by gamma."""
TWO_ROUNDS = POINT | {
    rounds: 2, N: 1, c: 5, log_c: log(5), ratio: log(5), trace: 1, entries: 1, count: 1, norm_full: 2, up: 1, down: -1,
    rest: 0, row_sum: 0,
}  # fmt: skip
LOGARITHMIC_SETTING = (
    SOBA
    + "; its determinant and its trace those on the space of matrices whose rows sum to zero, which holds every z and "
    "which A maps to itself, c the largest mean eigenvalue there; F is A after an update, w what A maps to its z"
)

MEANS = Eq(-2 * first - second, h * (2 * eta * score - eta**2 * score**2), evaluate=False)
SCORES = score**2 <= 2 * X**2 * V
COSTS = costs <= K / gamma * quads
LEMMA2 = -2 * linears - squares <= a * norm_c + costs
E_COSTS = E_costs <= K / gamma * E_quads
E_LEMMA2 = -2 * E_firsts - E_seconds <= a * eta**2 * V + E_costs

means = Argument(
    name="SOBA, means of a round",
    setting="A round of SOBA, s the margin of U against one label",
    symbols=NAMES,
    hypotheses=DRAWS,
    steps=(
        Let(h_product, h * product),
        Let(h_square, h * product**2),
        Use(facts.WEIGHTED, {"e": f"n <g, {U_C}>", "v": f"h <v, {U_C}>", "p": "p"}),
        Use(facts.WEIGHTED, {"e": f"n <z, {U_C}>^2", "v": f"h <v, {U_C}>^2", "p": "p"}),
        Use(facts.SCALED, {"g": "v", "x": "eta U", "o": "0", "c": "eta", "w": "U"}),
        Implication(
            name="the product",
            statement="eta U in the place of U",
            given=(Eq(product, eta * product_u), Eq(product_u, -score)),
            then=Eq(product, -eta * score, evaluate=False),
        ),
        Implication(
            name="first mean",
            statement="E[n <g, eta U>] = -h eta s",
            given=(Eq(first, h_product), Eq(h_product, h * product), Eq(product, -eta * score)),
            then=Eq(first, -h * eta * score, evaluate=False),
        ),
        Implication(
            name="second mean",
            statement="E[n <z, eta U>^2] = h eta^2 s^2",
            given=(Eq(second, h_square), Eq(h_square, h * product**2), Eq(product, -eta * score)),
            then=Eq(second, h * eta**2 * score**2, evaluate=False),
        ),
        Implication(
            name="means",
            statement="both",
            given=(Eq(first, -h * eta * score), Eq(second, h * eta**2 * score**2)),
            then=MEANS,
        ),
    ),
    conclusion=MEANS,
    example=POINT,
)

scores = Argument(
    name="SOBA, scores of U",
    setting="A round of SOBA, s the margin of U against one label",
    symbols=NAMES,
    hypotheses=OUTER,
    steps=(
        Use(facts.CAUCHY_SCHWARZ, {"u": "U", "v": "v"}),
        Use(facts.OUTER, {"g": "v", "s": "(e_ybar - e_y)", "x": "x"}),
        Implication(
            name="Cauchy-Schwarz",
            statement="s^2 <= ||U||^2 2 ||x||^2",
            given=(
                product_u**2 <= V * norm_v,
                Eq(norm_v, size_e * norm2),
                Eq(size_e, 2),
                norm2 <= X**2,
                Eq(product_u, -score),
            ),
            then=SCORES,
        ),
    ),
    conclusion=SCORES,
    example=POINT,
)

expected_regret = Argument(
    name="SOBA, Lemma 2 in expectation",
    setting=SOBA,
    symbols=NAMES,
    hypotheses=(f"{U_C} = eta U", *WEIGHTS),
    steps=(
        Cite("soba/lemma2", {"U": U_C}),
        Average(LEMMA2, {linears: E_linears, squares: E_squares, costs: E_costs}, (a, norm_c)),
        Use(facts.TOWER, {"x": f"n <g, {U_C}>"}),
        Use(facts.TOWER, {"x": f"n <z, {U_C}>^2"}),
        Use(facts.MULTIPLE, {"g": U_C, "c": "eta", "z": "U"}),
        Implication(
            name="at eta U",
            statement="sums of means given the past in the place of means of sums",
            given=(
                -2 * E_linears - E_squares <= a * norm_c + E_costs,
                Eq(E_linears, E_firsts),
                Eq(E_squares, E_seconds),
                Eq(norm_c, eta**2 * V),
            ),
            then=E_LEMMA2,
        ),
    ),
    conclusion=E_LEMMA2,
    example=POINT,
)

quadratic_terms = Argument(
    name="SOBA, quadratic terms",
    setting=SOBA,
    symbols=NAMES,
    hypotheses=EXPLORED,
    steps=(
        Implication(
            name="importance weight",
            statement="g'A_t^{-1}g = z'A_t^{-1}z/p <= (K/gamma) z'A_t^{-1}z as p >= gamma/K",
            given=EXPLORED,
            then=alpha**2 * quad <= K / gamma * quad,
        ),
        Rounds(
            COSTS,
            {costs: (0, costs + alpha**2 * quad), quads: (0, quads + quad)},
            Implication(
                name="one more quadratic term",
                statement="round after round",
                given=(gamma > 0, COSTS, alpha**2 * quad <= K / gamma * quad),
                then=costs + alpha**2 * quad <= K / gamma * (quads + quad),
            ),
            (K, gamma),
        ),
        Average(COSTS, {costs: E_costs, quads: E_quads}, (K, gamma)),
    ),
    conclusion=E_COSTS,
    example=POINT,
)
