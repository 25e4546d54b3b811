"""SOBA paper, Theorem 3: expected mistakes of the top label against a whole family of losses at once.

**Problem.** K classes, bandit feedback, ||x_t|| <= X. L_eta(U) is the sum of l_eta(U, (x_t, y_t)); every U and every
eta with 0 < eta <= min(1, 2/(2 max ||u_k|| X + 1)) may be compared with.

**Algorithm.** SOBA with gamma in (0, 1], which needs neither U nor eta.

**Theoretical guarantee.** **Upper bound**: with V = ||U||^2 and Q = sum E[n z'A_t^{-1}z],

    E[Mhat] <= L_eta(U) + a eta V/(2 - eta) + K Q/(gamma eta (2 - eta)).

Lemma 2 at eta U, in expectation by Lemma 1, is E[sum h (2 eta s - eta^2 s^2)] <= a eta^2 V + (K/gamma) Q with
s = (U x)_y - (U x)_ybar; and eta (2 - eta) f(s) = eta (2 - eta) - 2 eta s + eta^2 s^2, f(s) <= l_eta(s) <= l_eta of the
margin.

**References.** Beygelzimer, Orabona, Zhang 2017, Theorem 3.
"""

from collections.abc import Callable
from fractions import Fraction

import flint
import numpy as np
from sympy import Eq, exp, log, symbols

from gaptron import (
    Argument,
    Average,
    Cases,
    Cite,
    Claim,
    Implication,
    Instance,
    Lemma,
    Let,
    Put,
    Resists,
    Rounds,
    Use,
    When,
)
from gaptron.instances.by_hand import dot
from gaptron.instances.soba import mean
from gaptron.instances.soba_games import SobaGame, draw_game
from gaptron.numbers.evaluate import ball
from gaptron.symbols import K, X, d, gamma
from gaptron.theory import facts

eta, a, prob = symbols("eta a prob", positive=True)
V, norm_c, norm2, norm2_y, norm2_j, largest, loss, loss_s, losses = symbols(
    "V norm_c norm2 norm2_y norm2_j largest loss loss_s losses", nonnegative=True
)
h, wrong, quad, quads, E_quads, s, before, after, n = symbols(
    "h wrong quad quads E_quads s before after n", nonnegative=True
)
margin, score, score_y, score_j, product, product_u, h_product, h_square, first, second = symbols(
    "margin score score_y score_j product product_u h_product h_square first second", real=True
)
firsts, seconds, linears, squares, costs, E_linears, E_squares, E_costs, E_firsts, E_seconds = symbols(
    "firsts seconds linears squares costs E_linears E_squares E_costs E_firsts E_seconds", real=True
)
top, E_top, alpha, wz, uz, wg, linear, nm, m, total, value, bigger = symbols(
    "top E_top alpha wz uz wg linear nm m total value bigger", real=True
)

det, grown, entry, c, N = symbols("det grown entry c N", positive=True)
norm_z, trace, entries, count, rounds = symbols("norm_z trace entries count rounds", nonnegative=True)
weight, log_det, log_up, log_entry, logs, log_c, ratio = symbols(
    "weight log_det log_up log_entry logs log_c ratio", real=True
)

SOURCE = "Beygelzimer, Orabona, Zhang 2017"


def f(at):
    """The quadratic, not clipped."""
    return 1 - 2 * at / (2 - eta) + eta * at**2 / (2 - eta)


ROUND_BY_ROUND = eta * (2 - eta) * top <= eta * (2 - eta) * losses - 2 * firsts - seconds
QUADRATIC = Eq(eta * (2 - eta) * value, eta * (2 - eta) - (2 * eta * score - eta**2 * score**2), evaluate=False)
MEANS = Eq(-2 * first - second, h * (2 * eta * score - eta**2 * score**2), evaluate=False)
COSTS = costs <= K / gamma * quads
LEMMA2 = -2 * linears - squares <= a * norm_c + costs
LOGARITHM = d * K * log(1 + 2 * X**2 * rounds / (a * d * K))
REST = a * eta * V / (2 - eta) + K * LOGARITHM / (gamma * eta * (2 - eta))
BOUND = E_top <= losses + a * eta * V / (2 - eta) + K * E_quads / (gamma * eta * (2 - eta))

theorem3 = Lemma(
    name="SOBA, Theorem 3",
    source=f"{SOURCE}, Theorem 3",
    implications=(
        Implication(
            name="within the roots",
            statement="s <= (2 - eta)/eta",
            given=(score_y - score_j <= (2 - eta) / eta, Eq(score, score_y - score_j)),
            then=eta * score <= 2 - eta,
        ),
        Implication(
            name="up to 1",
            statement="l_eta(s) = f(s)",
            given=(eta <= 1, Eq(loss_s, f(score)), loss_s <= loss),
            then=f(score) <= loss,
        ),
        Implication(
            name="beyond 1",
            statement="f is not positive between its roots",
            given=(eta <= 1, score > 1, eta * score <= 2 - eta),
            then=f(score) <= loss,
        ),
        Implication(
            name="the quadratic",
            statement="eta (2 - eta) f(s) = eta (2 - eta) - (2 eta s - eta^2 s^2)",
            given=(eta <= 1,),
            then=QUADRATIC.xreplace({value: f(score)}),
        ),
        Implication(
            name="at most the loss",
            statement="h f(s) <= loss",
            given=(h <= 1, value <= loss),
            then=h * value <= loss,
        ),
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
        Implication(
            name="the top label",
            statement="1[yhat != y] <= h",
            given=(eta <= 1, wrong <= h),
            then=eta * (2 - eta) * wrong <= eta * (2 - eta) * h,
        ),
        Implication(
            name="the loss",
            statement="h f(s) <= loss, times eta (2 - eta)",
            given=(eta <= 1, h * value <= loss),
            then=eta * (2 - eta) * h * value <= eta * (2 - eta) * loss,
        ),
        Implication(
            name="one round",
            statement="together",
            given=(
                eta * (2 - eta) * wrong <= eta * (2 - eta) * h,
                eta * (2 - eta) * h * value <= eta * (2 - eta) * loss,
                QUADRATIC,
                MEANS,
            ),
            then=eta * (2 - eta) * wrong <= eta * (2 - eta) * loss - 2 * first - second,
        ),
        Implication(
            name="one more round",
            statement="mistakes of the top label, losses of U, means given the past",
            given=(ROUND_BY_ROUND, eta * (2 - eta) * wrong <= eta * (2 - eta) * loss - 2 * first - second),
            then=eta * (2 - eta) * (top + wrong)
            <= eta * (2 - eta) * (losses + loss) - 2 * (firsts + first) - (seconds + second),
        ),
        Implication(
            name="importance weight",
            statement="g'A_t^{-1}g = z'A_t^{-1}z/p <= (K/gamma) z'A_t^{-1}z as p >= gamma/K",
            given=(prob >= gamma / K, gamma > 0, Eq(alpha**2 * prob, 1)),
            then=alpha**2 * quad <= K / gamma * quad,
        ),
        Implication(
            name="one more quadratic term",
            statement="round after round",
            given=(gamma > 0, COSTS, alpha**2 * quad <= K / gamma * quad),
            then=costs + alpha**2 * quad <= K / gamma * (quads + quad),
        ),
        Implication(
            name="divide",
            statement="Lemma 2 at eta U in expectation, and the mistakes of the top label",
            given=(
                eta <= 1,
                gamma > 0,
                -2 * E_linears - E_squares <= a * norm_c + E_costs,
                Eq(E_linears, E_firsts),
                Eq(E_squares, E_seconds),
                E_costs <= K / gamma * E_quads,
                eta * (2 - eta) * E_top <= eta * (2 - eta) * losses - 2 * E_firsts - E_seconds,
                Eq(norm_c, eta**2 * V),
            ),
            then=BOUND,
        ),
        Implication(
            name="logarithm",
            statement="with Q <= bigger the same holds with bigger",
            given=(eta <= 1, gamma > 0, E_quads <= bigger, BOUND),
            then=E_top <= losses + a * eta * V / (2 - eta) + K * bigger / (gamma * eta * (2 - eta)),
        ),
        Implication(
            name="no losses",
            statement="U has no loss",
            given=(E_top <= losses + bigger, Eq(losses, 0)),
            then=E_top <= bigger,
        ),
    ),
)

C = "eta U - 0"
NAMES = {
    prob: "p", V: "||U||^2", norm_c: f"||{C}||^2", norm2: "||x||^2", norm2_y: "||u_y||^2", norm2_j: "||u_ybar||^2",
    largest: "max ||u_k||", loss: "l_eta(margin)", loss_s: "l_eta(s)", wrong: "1[yhat != y]", quad: "||n z||_B^-1^2",
    s: "||n z||_A^-1^2", before: f"||W - {C}||_A^2", after: f"||V - {C}||_B^2", losses: "L_eta(U)",
    quads: "sum n ||z||_B^-1^2", E_quads: "E[sum n ||z||_B^-1^2]", score: "s", score_y: "<u_y, x>",
    score_j: "<u_ybar, x>", product: f"<v, {C}>", product_u: "<U, v>", first: f"E[n <g, {C}>]",
    second: f"E[n <z, {C}>^2]", firsts: f"sum E[n <g, {C}>]", seconds: f"sum E[n <z, {C}>^2]",
    linears: f"sum n <g, {C}>", squares: f"sum n <z, {C}>^2", costs: "sum n ||g||_B^-1^2",
    E_linears: f"E[sum n <g, {C}>]", E_squares: f"E[sum n <z, {C}>^2]", E_costs: "E[sum n ||g||_B^-1^2]",
    E_firsts: f"E[sum E[n <g, {C}>]]", E_seconds: f"E[sum E[n <z, {C}>^2]]", top: "Mhat", E_top: "E[Mhat]",
    wz: "<W, n z>", uz: f"<n z, {C}>", wg: "<W, n g>", linear: f"<n g, {C}>", nm: "n m", total: "sum n m",
    h_product: f"h <v, {C}>", h_square: f"h <v, {C}>^2",
}  # fmt: skip
POINT = {
    prob: 1, V: 0, norm_c: 0, norm2: 1, norm2_y: 0, norm2_j: 0, largest: 0, loss: 1, loss_s: 1, wrong: 0, quad: 0, s: 0,
    before: 0, after: 0, losses: 0, quads: 0, E_quads: 0, score: 0, score_y: 0, score_j: 0, product: 0, product_u: 0,
    first: 0, second: 0, firsts: 0, seconds: 0, linears: 0, squares: 0, costs: 0, E_linears: 0, E_squares: 0,
    E_costs: 0, E_firsts: 0, E_seconds: 0, top: 0, E_top: 0, wz: 0, uz: 0, wg: 0, linear: 0, nm: 0, m: 0, n: 0,
    total: 0, h: 0, margin: 0, alpha: 1, eta: 1, a: 1, X: 1, K: 2, gamma: 1,
}  # fmt: skip

LOSSES = (
    eta <= 1, eta * (2 * largest * X + 1) <= 2, norm2_y <= largest**2, norm2_j <= largest**2, norm2 <= X**2,
    Eq(score, score_y - score_j), margin <= score,
    When(margin <= 1, (Eq(loss, f(margin)),)), When(margin > 1, (Eq(loss, 0),)),
    When(score <= 1, (Eq(loss_s, f(score)),)), When(score > 1, (Eq(loss_s, 0),)),
)  # fmt: skip
DRAWS = (
    wrong <= h, h <= 1, prob <= 1, Eq(product_u, -score), f"{C} = eta U",
    f"n <g, {C}> is h <v, {C}>/p with probability p, else 0",
    f"n <z, {C}>^2 is h <v, {C}>^2/p with probability p, else 0",
)  # fmt: skip
EXPLORED = (prob >= gamma / K, gamma > 0, Eq(alpha**2 * prob, 1))
WEIGHTS = (
    "B = A + n z n z'", "A is positive definite", "A W = -theta", "B V = -theta - alpha n z", Eq(wg, alpha * wz),
    Eq(linear, alpha * uz), Eq(nm, (wz**2 + 2 * wg) / (1 + s)), Eq(nm, n * m), n <= 1,
    When("in every round", (n * (total + m) >= 0,)),
)  # fmt: skip
SOBA = (
    "SOBA, A before a round and B after it, first a times the identity, theta the sum of the n g so far, W and V the "
    "weights, first zero, n one in rounds with an update and else zero, g being alpha times z; s the margin of U "
    "against the label ybar of v"
)

quadratic = Argument(
    name="SOBA, Theorem 3, the quadratic",
    setting="A round, s the margin of U against one label",
    symbols=NAMES,
    hypotheses=LOSSES,
    steps=(
        Cite("soba/eta-range", {"u_i": "u_y", "u_j": "u_ybar"}, part="the range of eta"),
        theorem3["within the roots"],
        Cite("soba/loss-monotone", {"x": "margin", "y": "s"}),
        Cases({score <= 1: (theorem3["up to 1"],), score > 1: (theorem3["beyond 1"],)}, (f(score) <= loss,)),
    ),
    conclusion=f(score) <= loss,
    example=POINT,
)
mistakes = Argument(
    name="SOBA, Theorem 3, mistakes of the top label",
    setting=SOBA,
    symbols=NAMES,
    hypotheses=(*LOSSES, *DRAWS),
    steps=(
        Cite(quadratic),
        Let(h_product, h * product),
        Let(h_square, h * product**2),
        Use(facts.WEIGHTED, {"e": f"n <g, {C}>", "v": f"h <v, {C}>", "p": "p"}),
        Use(facts.WEIGHTED, {"e": f"n <z, {C}>^2", "v": f"h <v, {C}>^2", "p": "p"}),
        Use(facts.SCALED, {"g": "v", "x": "eta U", "o": "0", "c": "eta", "w": "U"}),
        theorem3["the quadratic"],
        Put(theorem3["at most the loss"], {value: f(score)}),
        theorem3["the product"],
        theorem3["first mean"],
        theorem3["second mean"],
        theorem3["means"],
        theorem3["the top label"],
        Put(theorem3["the loss"], {value: f(score)}),
        Put(theorem3["one round"], {value: f(score)}),
        Rounds(
            ROUND_BY_ROUND,
            {
                top: (0, top + wrong),
                losses: (0, losses + loss),
                firsts: (0, firsts + first),
                seconds: (0, seconds + second),
            },
            theorem3["one more round"],
            (eta,),
        ),
    ),
    conclusion=ROUND_BY_ROUND,
    example=POINT,
)
quadratic_terms = Argument(
    name="SOBA, Theorem 3, quadratic terms",
    setting=SOBA,
    symbols=NAMES,
    hypotheses=EXPLORED,
    steps=(
        theorem3["importance weight"],
        Rounds(
            COSTS,
            {costs: (0, costs + alpha**2 * quad), quads: (0, quads + quad)},
            theorem3["one more quadratic term"],
            (K, gamma),
        ),
    ),
    conclusion=COSTS,
    example=POINT,
)
for_all_rates = Argument(
    name="SOBA, Theorem 3",
    setting=SOBA,
    symbols=NAMES,
    hypotheses=(*LOSSES, *DRAWS, *EXPLORED, *WEIGHTS),
    steps=(
        Cite(mistakes),
        Average(ROUND_BY_ROUND, {top: E_top, firsts: E_firsts, seconds: E_seconds}, (eta, losses)),
        Cite("soba/lemma2", {"U": C}),
        Average(LEMMA2, {linears: E_linears, squares: E_squares, costs: E_costs}, (a, norm_c)),
        Use(facts.TOWER, {"x": f"n <g, {C}>"}),
        Use(facts.TOWER, {"x": f"n <z, {C}>^2"}),
        Cite(quadratic_terms),
        Average(COSTS, {costs: E_costs, quads: E_quads}, (K, gamma)),
        Use(facts.MULTIPLE, {"g": C, "c": "eta", "z": "U"}),
        theorem3["divide"],
    ),
    conclusion=BOUND,
    example=POINT,
)


MATRIX = {
    det: "det A", grown: "det B", log_det: "ln det A", log_up: "ln det B", weight: "n/p", norm_z: "||n z||^2",
    trace: "tr A", rounds: "T", entries: "sum of the eigenvalues", logs: "sum of the logs of the eigenvalues",
    count: "number of eigenvalues", entry: "eigenvalue", log_entry: "log of the eigenvalue", log_c: "log of c",
    ratio: "the log of the growth of c",
}  # fmt: skip
LEMMA3 = (
    When("in every round", (Eq(det, grown * exp(log_det - log_up)),)), Eq(norm_z, 2 * norm2 * weight), weight >= 0,
    "n/p is h/p with probability p, else 0", Eq(entry, c * exp(log_entry - log_c)), Eq(logs, log_det),
    Eq(entries, trace), Eq(count, N), Eq(c, a + 2 * X**2 * rounds / N), Eq(log_c, log(a) + ratio), Eq(N, d * K),
    Eq(ratio, log(1 + 2 * X**2 * rounds / (a * d * K))),
)  # fmt: skip
AT = POINT | {
    det: 1, grown: 1, log_det: 0, log_up: 0, weight: 0, norm_z: 0, trace: 2, rounds: 0, entries: 2, logs: 0, count: 2,
    entry: 1, log_entry: 0, c: 1, log_c: 0, ratio: 0, N: 2, d: 1,
}  # fmt: skip
EIGENVALUES = (
    SOBA
    + "; c the largest mean eigenvalue of A, whose determinant and trace are the product and the sum of eigenvalues"
)
logarithmic_bound = Argument(
    name="SOBA, Theorem 3, logarithm",
    setting=EIGENVALUES,
    symbols=NAMES | MATRIX,
    hypotheses=(*for_all_rates.hypotheses, *LEMMA3),
    steps=(
        Cite("soba/t3-first"),
        Cite("soba/lemma3"),
        Put(theorem3["logarithm"], {bigger: LOGARITHM}),
    ),
    conclusion=E_top <= losses + REST,
    example=AT,
)
separable = Argument(
    name="SOBA, Theorem 3, separable",
    setting=EIGENVALUES,
    symbols=NAMES | MATRIX,
    hypotheses=(*logarithmic_bound.hypotheses, Eq(losses, 0)),
    steps=(Cite("soba/t3-second"), Put(theorem3["no losses"], {bigger: REST})),
    conclusion=E_top <= REST,
    example=AT,
)


def draw_bound(quadratic: Callable[[SobaGame], flint.arb]) -> Callable[[np.random.Generator], Instance]:
    """Draws of three rounds: E[Mhat] by enumeration against its bound, at the largest eta."""

    def draw(rng: np.random.Generator) -> Instance:
        game = draw_game(rng, 3)
        eta_ = game.largest_eta()
        made = mean(game.paths, lambda path: sum(step.top != step.label for step in path.steps))
        fixed = game.losses(eta_) + game.regularizer * eta_ / (2 - eta_) * dot(game.U, game.U)
        scale = game.n_classes / (game.exploration * eta_ * (2 - eta_))
        return Instance(game.at | {"eta": eta_}, ball(Fraction(made)), ball(fixed) + quadratic(game) * ball(scale))

    return draw


def enumerated(game: SobaGame) -> flint.arb:
    """E of the sum of n z'A_t^{-1}z."""
    return ball(mean(game.paths, lambda path: sum(step.quadratic for step in path.steps if step.updated)))


def logarithmic(game: SobaGame) -> flint.arb:
    """dk ln(1 + 2 X^2 T/(a d k))."""
    size = len(game.U)
    return size * ball(1 + 2 * game.norm2 * len(game.stream) / (game.regularizer * size)).log()


claims = (
    Claim(
        id="soba/t3-first",
        quote=r"\leq L_{\eta}(\boldsymbol{U}) + \frac{a\eta \|\boldsymbol{U}\|_F^2}{2-\eta} + "
        r"\frac{k\sum_{t=1}^{T}\mathbb{E}[\boldsymbol{n}_t\boldsymbol{z}_t^T\boldsymbol{A}_t^{-1}\boldsymbol{z}_t]}{"
        r"\gamma\eta(2-\eta)}",
        source=f"{SOURCE}, Theorem 3",
        grounds=for_all_rates,
        recorded="PROVED",
        finding="The condition on eta may be relaxed to 2/(1 + the largest difference of two scores of U).",
        second=Resists(draw_bound(enumerated), 20),
    ),
    Claim(
        id="soba/t3-second",
        quote=r"\frac{dk^2\ln\left(1 + \frac{2TX^2}{a\,d\,k}\right)}{\gamma\eta(2-\eta)}",
        source=f"{SOURCE}, Theorem 3",
        grounds=logarithmic_bound,
        recorded="PROVED",
        second=Resists(draw_bound(logarithmic), 20),
    ),
    Claim(
        id="soba/separable-logarithmic",
        kind="reading",
        quote=r"it is easy to show that in SOBA $\hat{y}_t$ makes a logarithmic number of mistakes in the separable "
        "case, with a constant rate of exploration",
        source=f"{SOURCE}, section 6",
        grounds=separable,
        recorded="PROVED",
    ),
)
