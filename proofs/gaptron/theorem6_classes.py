"""Theorem 6 as printed, for K <= 54.

**Problem.** As in Theorem 6: bandit feedback, the truncated smooth hinge loss phi, ||x|| <= X, ||U|| <= D, T rounds.

**Algorithm.** Gaptron with the gap map (1 - min(1, m*))^2, the printed gamma = min{1, 2 K X D/sqrt(T)} and
eta = gamma/(4 K^2 X^2); W is projected on {||W|| <= D}.

**Theoretical guarantee.** **Upper bound** for K >= 4: P(wrong) - l_t(U) is at most 1 - 1/sqrt(K) times the expected
drop of the potential ||W - U||^2/(2 eta), plus gamma (K - 1)/K. So the printed gamma < 1 gives

    E[mistakes] <= E[sum l_t(U)] + K X D sqrt(T) (3 - 2/K - 1/sqrt(K)),

where Lemma 1 has 3 - 2/K. This is at most the printed 2 sqrt(2) K X D sqrt(T) for K <= 54. If gamma = 1, then
T <= 4 K^2 X^2 D^2, and the printed bound is trivial. From K = 55 on the printed bound is **false**: theorem6_adversary.

The loss is bounded by its tangents as in smooth_hinge_curvature: v is the margin of U against the rival that the
subgradient uses, 2 z the subgradient's slope, z = 1 - m on a right round with margin m < 1, and the tangent is the one
at b = (1 - 1/sqrt(K)) z. With r = 1/sqrt(K): 1/K = r^2, k = 1 - r^2, kappa = 1 - r.

**References.** van der Hoeven 2020, Theorem 6.
"""

from dataclasses import replace
from fractions import Fraction

from sympy import Eq, Ge, Max, Min, Rational, sqrt, symbols

from gaptron import (
    Argument,
    Average,
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
    Rests,
    Rounds,
    Use,
    When,
)
from gaptron.instances.by_hand import margin as margin_of
from gaptron.instances.by_hand import scores, smooth_hinge, squared_norm, step
from gaptron.symbols import D, K, T, X, gamma
from gaptron.theory import facts
from gaptron.theory.derived import excess
from gaptron.theory.lemma1 import (
    AT_MOST_ONE,
    BALL,
    DESCENT,
    GAP,
    NOT_NEGATIVE,
    PREDICTION,
    READS,
    ROUND,
    SUMS,
    TOTALS,
    E_before,
    E_wrong,
    a,
    after,
    bandit_bound_of,
    before,
    eta,
    far,
    inner,
    loss_u,
    losses,
    mistakes,
    mix,
    rounds,
    size,
    squares,
    wrong,
)
from gaptron.theory.running import beside

v, phi, u, margin, slope, cut = symbols("v phi u margin slope cut", real=True)
full_inner, E_inner, full_loss_u, E_loss_u, EE_loss_u, prob = symbols(
    "full_inner E_inner full_loss_u E_loss_u EE_loss_u prob", real=True
)
b, z, star, rows, norm2, parts, total, part, branch = symbols(
    "b z star rows norm2 parts total part branch", nonnegative=True
)
full_squares, E_squares, E_after, EE_after = symbols("full_squares E_squares E_after EE_after", nonnegative=True)
drop, most, spent, paid, sum_ = symbols("drop most spent paid sum_", real=True)
r, tau, root = symbols("r tau root", positive=True)

NAMES = READS | SUMS | {
    phi: "phi(m(U, y))", u: "m(U, y)", margin: "m(W, y)", star: "m*", cut: "min(1, m*)", slope: "phi'", rows: "||s||^2",
    norm2: "||x||^2", parts: "sum w_k^2", total: "sum w_k", full_inner: "<h, W - U>", E_inner: "E[<g, W - U>]",
    full_loss_u: "f(U)", E_loss_u: "E[l(U)]", EE_loss_u: "E[E[l(U)]]", full_squares: "||h||^2", E_squares: "E[||g||^2]",
    E_after: "E[||W' - U||^2]", EE_after: "E[E[||W' - U||^2]]", prob: "p'(y)", r: "1/sqrt(K)", tau: "sqrt(T)",
    root: "sqrt(gamma)", branch: "max(4 K^2 X^2 D^2, 2 K X D sqrt(2 T))", rounds: "number of rounds",
}  # fmt: skip
EXPLORED = gamma * (1 - r**2)
MOVED = 2 * z * (v - (1 - z))
TANGENT = phi >= 2 * (1 - r) * z * (1 - v) - (1 - r) ** 2 * z**2
SLOWER = wrong - phi - EXPLORED <= (1 - r) * (full_inner - part)
DROP = after <= before - 2 * eta * inner + eta**2 * squares
COST = wrong - E_loss_u - EXPLORED <= (1 - r) * (before - E_after) / (2 * eta)
MEANS = {wrong: E_wrong, E_loss_u: EE_loss_u, before: E_before, E_after: EE_after}
SO_FAR = losses + (1 - r) * (size - E_before) / (2 * eta) + EXPLORED * rounds
SUMMED = mistakes <= losses + (1 - r) * size / (2 * eta) + EXPLORED * rounds
RATE = Eq(eta, gamma / (4 * K**2 * X**2))

rivals = Lemma(
    name="Rivals that tie",
    source="van der Hoeven 2020, sections 4.2 and 4.3",
    implications=(
        Implication(
            name="one more tied rival",
            statement="weights part >= 0 of the rivals: the sum of their squares is at most the square of their sum",
            given=(parts <= total**2,),
            then=parts + part**2 <= (total + part) ** 2,
        ),
        Implication(
            name="ties",
            statement="the weights of the rivals sum to 1: e_y minus their combination has squared norm at most 2",
            given=(parts <= total**2, Eq(total, 1), Eq(rows, slope**2 * (1 + parts)), Eq(squares, rows * norm2)),
            then=squares <= 2 * slope**2 * norm2,
        ),
    ),
)

squares_of_weights = Argument(
    name="sum of squares of weights",
    setting="Any number of weights that are not negative",
    symbols=NAMES,
    steps=(
        Rounds(
            invariant=parts <= total**2,
            state={parts: (0, parts + part**2), total: (0, total + part)},
            step=rivals["one more tied rival"],
        ),
    ),
    conclusion=parts <= total**2,
    example={part: 1, total: 0, parts: 0},
)

margin_gradient = Argument(
    name="gradient of a margin loss",
    setting="The loss phi of the margin: s is phi' times the unit vector of y minus weights on the rivals that tie",
    symbols=NAMES,
    hypotheses=("g = s (x) x", Eq(rows, slope**2 * (1 + parts)), Eq(total, 1)),
    steps=(Use(facts.OUTER, {"g": "g", "s": "s", "x": "x"}), Cite(squares_of_weights), rivals["ties"]),
    conclusion=squares <= 2 * slope**2 * norm2,
    example={slope: -1, parts: 1, total: 1, part: 1, rows: 2, squares: 2, norm2: 1},
)

tangents = Lemma(
    name="Tangents of the smooth hinge loss",
    implications=(
        Implication(
            name="v <= 0",
            statement="phi(v) = 1 - 2 v >= 2 b (1 - v) - b^2 for b in [0, 1]",
            given=(v <= 0, b <= 1, Eq(phi, 1 - 2 * v)),
            then=phi >= 2 * b * (1 - v) - b**2,
        ),
        Implication(
            name="0 <= v <= 1",
            statement="phi(v) = (1 - v)^2",
            given=(Eq(phi, (1 - v) ** 2),),
            then=phi >= 2 * b * (1 - v) - b**2,
        ),
        Implication(
            name="v >= 1",
            statement="phi(v) = 0",
            given=(v >= 1, Eq(phi, 0)),
            then=phi >= 2 * b * (1 - v) - b**2,
        ),
    ),
)

TANGENT_AT_B = phi >= 2 * b * (1 - v) - b**2

beyond_0 = Cases({v <= 1: (tangents["0 <= v <= 1"],), v >= 1: (tangents["v >= 1"],)}, (TANGENT_AT_B,))

tangent = Argument(
    name="tangents of the smooth hinge loss",
    setting="The truncated smooth hinge loss phi at every margin v",
    symbols={phi: "phi(v)"},
    hypotheses=(
        b <= 1,
        When(v <= 0, (Eq(phi, 1 - 2 * v),)),
        When(v <= 1, (Eq(phi, (1 - v) ** 2),)),
        When(v >= 1, (Eq(phi, 0),)),
    ),
    steps=(Cases({v <= 0: (tangents["v <= 0"],), v > 0: (beyond_0,)}, (TANGENT_AT_B,)),),
    conclusion=TANGENT_AT_B,
    example={b: 1, v: 0, phi: 1},
)

of_a_round = Lemma(
    name="Theorem 6, costs of a round",
    source="van der Hoeven 2020, Theorem 6",
    implications=(
        Implication(
            name="r <= 1/2",
            statement="r = 1/sqrt(K), K >= 4; below, 1/K = r^2, k = 1 - r^2 and kappa = 1 - r",
            given=(K >= 4, Eq(K * r**2, 1)),
            then=r <= Rational(1, 2),
        ),
        Implication(
            name="max(a, gamma)",
            statement="a = (1 - min(1, m*))^2 is at most 1",
            given=(Eq((mix - a) * (mix - gamma), 0), gamma <= 1, Eq(a, (1 - cut) ** 2), cut >= 0, cut <= 1),
            then=mix <= 1,
        ),
        Implication(
            name="probability on a right round",
            statement="K p' >= 1",
            given=(mix <= 1, Eq(prob, 1 - mix + mix / K)),
            then=K * prob >= 1,
        ),
        Implication(
            name="possible on a right round",
            statement="p' > 0",
            given=(mix <= 1, Eq(prob, 1 - mix + mix / K)),
            then=prob > 0,
        ),
        Implication(
            name="possible on a wrong round",
            statement="p' = mix/K >= gamma/K > 0",
            given=(Eq(prob, mix / K), mix >= gamma, gamma > 0),
            then=prob > 0,
        ),
        Implication(
            name="at most 1 on a right round",
            statement="p' = 1 - mix + mix/K",
            given=(Eq(prob, 1 - mix + mix / K), mix >= gamma),
            then=prob <= 1,
        ),
        Implication(
            name="at most 1 on a wrong round",
            statement="p' = mix/K",
            given=(Eq(prob, mix / K), mix <= 1),
            then=prob <= 1,
        ),
        Implication(
            name="norm of the gradient",
            statement="||h||^2 <= 8 z^2 X^2",
            given=(full_squares <= 2 * slope**2 * norm2, norm2 <= X**2, Eq(slope, -2 * z)),
            then=full_squares <= 8 * z**2 * X**2,
        ),
        Implication(
            name="second moment",
            statement="part = (eta/2) E ||g||^2 = (eta/2) ||h||^2/p'",
            given=(
                prob > 0,
                Eq(part, eta * E_squares / 2),
                Eq(E_squares, full_squares / prob),
                full_squares <= 8 * z**2 * X**2,
            ),
            then=part * prob <= 4 * eta * z**2 * X**2,
        ),
        Implication(
            name="variance",
            statement="eta = gamma/(4 K^2 X^2): part <= gamma z^2/(K^2 p')",
            given=(prob > 0, RATE, part * prob <= 4 * eta * z**2 * X**2),
            then=part <= gamma * z**2 / (K**2 * prob),
        ),
        Implication(
            name="z <= 1 on a right round",
            statement="z = 1 - min(1, m*)",
            given=(Eq(z, 1 - cut), cut >= 0),
            then=z <= 1,
        ),
        Implication(
            name="b >= 0",
            statement="b = (1 - r) z",
            given=(r <= Rational(1, 2),),
            then=Ge((1 - r) * z, 0, evaluate=False),
        ),
        Implication(name="b <= 1", statement="b = (1 - r) z", given=(Eq(b, (1 - r) * z), z <= 1), then=b <= 1),
        Implication(
            name="tangent",
            statement="v is at least the margin of U, and the tangent falls",
            given=(phi >= 2 * b * (1 - u) - b**2, Eq(b, (1 - r) * z), v >= u),
            then=TANGENT,
        ),
        Implication(
            name="linear change, right round",
            statement="m = m*, and z = 0 if m* > 1: <h, W - U> = 2 z (v - (1 - z))",
            given=(
                Eq(full_inner, slope * (margin - v)),
                Eq(slope, -2 * z),
                Eq(z, 1 - cut),
                Eq(margin, star),
                Eq((cut - 1) * (cut - star), 0),
            ),
            then=Eq(full_inner, MOVED, evaluate=False),
        ),
        Implication(
            name="mix = a",
            statement="a >= gamma",
            given=(a >= gamma, mix >= a, Eq((mix - a) * (mix - gamma), 0)),
            then=Eq(mix, a, evaluate=False),
        ),
        Implication(
            name="mix = gamma",
            statement="a < gamma",
            given=(a < gamma, mix >= gamma, Eq((mix - a) * (mix - gamma), 0)),
            then=Eq(mix, gamma, evaluate=False),
        ),
        Implication(
            name="variance, right round, a >= gamma",
            statement="part <= gamma z^2/(K^2 p') <= gamma/K, since K p' >= 1 and z <= 1",
            given=(part <= gamma * z**2 / (K**2 * prob), z <= 1, prob > 0, K * prob >= 1, Eq(K * r**2, 1)),
            then=part <= gamma * r**2,
        ),
        Implication(
            name="mistakes, right round, a >= gamma",
            statement="P(wrong) = k z^2",
            given=(
                Eq(wrong, mix * (K - 1) / K),
                Eq(mix, a),
                Eq(a, (1 - cut) ** 2),
                Eq(z, 1 - cut),
                Eq(K * r**2, 1),
            ),
            then=Eq(wrong, (1 - r**2) * z**2, evaluate=False),
        ),
        Implication(
            name="right round, a >= gamma",
            statement="tangent at b = kappa z",
            given=(
                r <= Rational(1, 2),
                gamma <= 1,
                part <= gamma * r**2,
                TANGENT,
                Eq(wrong, (1 - r**2) * z**2),
                Eq(full_inner, MOVED),
            ),
            then=SLOWER,
        ),
        Implication(
            name="variance, right round, a < gamma",
            statement="part <= gamma z^2/(K^2 p') <= z^2",
            given=(part <= gamma * z**2 / (K**2 * prob), gamma <= 1, prob > 0, K * prob >= 1),
            then=part <= z**2,
        ),
        Implication(
            name="mistakes, right round, a < gamma",
            statement="P(wrong) = k gamma, the exploration",
            given=(Eq(wrong, mix * (K - 1) / K), Eq(mix, gamma), Eq(K * r**2, 1)),
            then=Eq(wrong, EXPLORED, evaluate=False),
        ),
        Implication(
            name="right round, a < gamma",
            statement="with margin >= 1 there is no step, and phi >= 0",
            given=(r <= Rational(1, 2), part <= z**2, TANGENT, Eq(wrong, EXPLORED), Eq(full_inner, MOVED)),
            then=SLOWER,
        ),
        Implication(
            name="linear change, wrong round",
            statement="z = 1: <h, W - U> = 2 (v - m)",
            given=(Eq(full_inner, slope * (margin - v)), Eq(slope, -2 * z), Eq(z, 1)),
            then=Eq(full_inner, 2 * (v - margin), evaluate=False),
        ),
        Implication(
            name="gap map against margin",
            statement="a = (1 - min(1, m*))^2: 1 - a <= 2 m* <= -2 m",
            given=(cut <= star, star <= -margin, Eq(a, (1 - cut) ** 2)),
            then=1 - a <= -2 * margin,
        ),
        Implication(
            name="variance, wrong round, a >= gamma",
            statement="part <= gamma/(K a) <= gamma/K + (1 - a)/K",
            given=(
                part <= gamma * z**2 / (K**2 * prob),
                Eq(z, 1),
                Eq(prob, mix / K),
                Eq(mix, a),
                gamma > 0,
                a >= gamma,
                mix <= 1,
                Eq(K * r**2, 1),
            ),
            then=part <= r**2 * (gamma + 1 - a),
        ),
        Implication(
            name="mistakes, wrong round, a >= gamma",
            statement="P(wrong) = 1 - a/K",
            given=(Eq(wrong, 1 - mix / K), Eq(mix, a), Eq(K * r**2, 1)),
            then=Eq(wrong, 1 - a * r**2, evaluate=False),
        ),
        Implication(
            name="wrong round, a >= gamma",
            statement="tangent at b = kappa",
            given=(
                r <= Rational(1, 2),
                gamma <= 1,
                part <= r**2 * (gamma + 1 - a),
                1 - a <= -2 * margin,
                Eq(mix, a),
                mix <= 1,
                TANGENT,
                Eq(z, 1),
                Eq(wrong, 1 - a * r**2),
                Eq(full_inner, 2 * (v - margin)),
            ),
            then=SLOWER,
        ),
        Implication(
            name="margin, wrong round, a < gamma",
            statement="(1 - min(1, m*))^2 < gamma = root^2: 1 - root <= m* <= -m",
            given=(a < gamma, Eq(a, (1 - cut) ** 2), Eq(root**2, gamma), cut <= star, star <= -margin),
            then=-margin >= 1 - root,
        ),
        Implication(
            name="variance, wrong round, a < gamma",
            statement="part <= gamma/(K^2 p') = 1/K",
            given=(
                part <= gamma * z**2 / (K**2 * prob),
                Eq(z, 1),
                Eq(prob, mix / K),
                Eq(mix, gamma),
                gamma > 0,
                Eq(K * r**2, 1),
            ),
            then=part <= r**2,
        ),
        Implication(
            name="mistakes, wrong round, a < gamma",
            statement="P(wrong) = 1 - gamma/K",
            given=(Eq(wrong, 1 - mix / K), Eq(mix, gamma), Eq(K * r**2, 1)),
            then=Eq(wrong, 1 - gamma * r**2, evaluate=False),
        ),
        Implication(
            name="wrong round, a < gamma",
            statement="tangent at b = kappa",
            given=(
                r <= Rational(1, 2),
                gamma <= 1,
                part <= r**2,
                Eq(root**2, gamma),
                -margin >= 1 - root,
                TANGENT,
                Eq(z, 1),
                Eq(wrong, 1 - gamma * r**2),
                Eq(full_inner, 2 * (v - margin)),
            ),
            then=SLOWER,
        ),
        Implication(
            name="drop",
            statement="what the potential loses with the estimated gradient",
            given=(Eq(far, before - 2 * eta * inner + eta**2 * squares), after <= far),
            then=DROP,
        ),
        Implication(
            name="round",
            statement="in conditional expectation, the potential pays 1/kappa times",
            given=(
                SLOWER,
                E_after <= before - 2 * eta * E_inner + eta**2 * E_squares,
                Eq(E_inner, full_inner),
                Eq(part, eta * E_squares / 2),
                Eq(E_loss_u, full_loss_u),
                Eq(phi, full_loss_u),
                r <= Rational(1, 2),
            ),
            then=COST,
        ),
        Implication(
            name="one more round",
            statement="the potential telescopes",
            given=(COST.xreplace(MEANS), mistakes <= SO_FAR),
            then=mistakes + E_wrong
            <= losses + EE_loss_u + (1 - r) * (size - EE_after) / (2 * eta) + EXPLORED * (rounds + 1),
        ),
        Implication(
            name="all rounds",
            statement="the last potential is not negative",
            given=(mistakes <= SO_FAR, r <= Rational(1, 2)),
            then=SUMMED,
        ),
    ),
)

parameters = Lemma(
    name="Theorem 6, its parameters up to K = 54",
    source="van der Hoeven 2020, Theorem 6 (our derivation)",
    implications=(
        Implication(
            name="positive, gamma < 1",
            statement="gamma = 2 K X D/sqrt(T)",
            given=(Eq(gamma * tau, 2 * K * X * D),),
            then=gamma > 0,
        ),
        Implication(
            name="potential",
            statement="||U||^2/(2 eta) <= K X D sqrt(T)",
            given=(Eq(gamma * tau, 2 * K * X * D), gamma > 0, RATE, size <= D**2),
            then=size / (2 * eta) <= K * X * D * tau,
        ),
        Implication(
            name="exploration",
            statement="gamma T (K - 1)/K = 2 (K - 1) X D sqrt(T)",
            given=(Eq(gamma * tau, 2 * K * X * D), Eq(rounds, tau**2), Eq(K * r**2, 1)),
            then=Eq(EXPLORED * rounds, 2 * (K - 1) * X * D * tau, evaluate=False),
        ),
        Implication(
            name="K <= 54",
            statement="(1 - r) + 2 (K - 1)/K <= 2 sqrt(2)",
            given=(K <= 54, Eq(K * r**2, 1)),
            then=1 - r + 2 * (K - 1) / K <= 2 * sqrt(2),
        ),
        Implication(
            name="part of the potential",
            statement="(1 - r) times it",
            given=(drop <= most, r <= Rational(1, 2)),
            then=(1 - r) * drop <= (1 - r) * most,
        ),
        Implication(
            name="both parts",
            statement="K X D sqrt(T) ((1 - r) + 2 (K - 1)/K) <= 2 sqrt(2) K X D sqrt(T)",
            given=(1 - r + 2 * (K - 1) / K <= 2 * sqrt(2),),
            then=(1 - r) * K * X * D * tau + 2 * (K - 1) * X * D * tau <= 2 * sqrt(2) * K * X * D * tau,
        ),
        Implication(
            name="bound",
            statement="both parts are at most the claimed excess",
            given=(
                mistakes <= losses + drop + spent,
                drop <= most,
                Eq(spent, paid),
                most + paid <= sum_,
                branch >= sum_,
            ),
            then=mistakes <= losses + branch,
        ),
        Implication(
            name="gamma = 1",
            statement="2 K X D >= sqrt(T): M_T <= T <= 4 K^2 X^2 D^2",
            given=(
                mistakes <= rounds,
                losses >= 0,
                Eq(rounds, tau**2),
                2 * K * X * D >= tau,
                branch >= 4 * K**2 * X**2 * D**2,
            ),
            then=mistakes <= losses + branch,
        ),
    ),
)

IF_Y = "with probability p'(y), else 0"
A_ROUND = (
    *DESCENT[1:], *PREDICTION, RATE, gamma <= 1, Eq(K * r**2, 1), K >= 4, Eq(root**2, gamma),
    cut >= 0, cut <= 1, cut <= star, Eq((cut - 1) * (cut - star), 0), Eq(a, (1 - cut) ** 2),
    "h = s (x) x", Eq(rows, slope**2 * (1 + parts)), Eq(total, 1), norm2 <= X**2,
    Eq(slope, -2 * z), Eq(full_inner, slope * (margin - v)), v >= u, Eq(phi, full_loss_u),
    f"g is h/p'(y) {IF_Y}", f"<g, W - U> is <h, W - U>/p'(y) {IF_Y}", f"l(U) is f(U)/p'(y) {IF_Y}",
    When("y* = y", (Eq(margin, star), Eq(z, 1 - cut), Eq(prob, 1 - mix + mix / K))),
    When("not y* = y", (star <= -margin, Eq(z, 1), Eq(prob, mix / K))),
    When(u <= 0, (Eq(phi, 1 - 2 * u),)),
    When(u <= 1, (Eq(phi, (1 - u) ** 2),)),
    When(u >= 1, (Eq(phi, 0),)),
)  # fmt: skip
POINT = ROUND | TOTALS | {
    K: 4, r: Rational(1, 2), D: 1, X: 1, T: 1, gamma: 1, root: 1, tau: 1, eta: Rational(1, 64), cut: 0, star: 0, a: 1,
    mix: 1, wrong: Rational(3, 4), margin: 0, z: 1, slope: -2, inner: 8, v: 1, u: 1, phi: 0, full_loss_u: 0, loss_u: 0,
    parts: 1,
    total: 1, rows: 8, norm2: 1, full_squares: 8, squares: 128, full_inner: 2, prob: Rational(1, 4), E_inner: 2,
    E_squares: 32, E_loss_u: 0, EE_loss_u: 0, before: 5, far: 5 - Rational(1, 4) + Rational(1, 32), size: 1,
    after: 5 - Rational(1, 4) + Rational(1, 32), E_after: Rational(39, 8) + Rational(9, 128), EE_after: 1, E_before: 1,
    E_wrong: 0, mistakes: 0, branch: 64, b: Rational(1, 2),
}  # fmt: skip


def steps(*names: str) -> tuple[Implication, ...]:
    """Those of a round."""
    return tuple(of_a_round[name] for name in names)


def both(kind: str) -> tuple[Implication, ...]:
    """What a round costs, of this kind, in the end."""
    return steps(f"variance, {kind}", f"mistakes, {kind}", kind)


summed = Argument(
    name="Theorem 6, all rounds",
    setting="Theorem 6, f the truncated smooth hinge loss and h its gradient, first weights zero; v is the margin of U "
    "against the rivals of W",
    symbols=NAMES,
    hypotheses=(*A_ROUND, gamma > 0),
    steps=(
        of_a_round["r <= 1/2"],
        of_a_round["max(a, gamma)"],
        Cases(
            {
                "y* = y": steps(
                    "possible on a right round", "at most 1 on a right round", "z <= 1 on a right round"
                ),
                "not y* = y": steps("possible on a wrong round", "at most 1 on a wrong round"),
            },
            (prob > 0, prob <= 1, z <= 1),
        ),
        Use(facts.WEIGHTED, {"e": "l(U)", "v": "f(U)", "p": "p'(y)"}),
        Use(facts.WEIGHTED, {"e": "<g, W - U>", "v": "<h, W - U>", "p": "p'(y)"}),
        Use(facts.WEIGHTED_SQUARE, {"e": "g", "g": "h", "p": "p'(y)"}),
        Cite(margin_gradient, {"g": "h"}),
        Let(part, eta * E_squares / 2),
        of_a_round["norm of the gradient"],
        of_a_round["second moment"],
        of_a_round["variance"],
        of_a_round["b >= 0"],
        Let(b, (1 - r) * z),
        of_a_round["b <= 1"],
        Cite(tangent, {"v": "m(U, y)"}),
        of_a_round["tangent"],
        Cases(
            {
                "y* = y": (
                    *steps("probability on a right round", "linear change, right round"),
                    Cases(
                        {
                            a >= gamma: (of_a_round["mix = a"], *both("right round, a >= gamma")),
                            a < gamma: (of_a_round["mix = gamma"], *both("right round, a < gamma")),
                        },
                        (SLOWER,),
                    ),
                ),
                "not y* = y": (
                    *steps("linear change, wrong round"),
                    Cases(
                        {
                            a >= gamma: (
                                *steps("mix = a", "gap map against margin"), *both("wrong round, a >= gamma"),
                            ),
                            a < gamma: (
                                *steps("mix = gamma", "margin, wrong round, a < gamma"),
                                *both("wrong round, a < gamma"),
                            ),
                        },
                        (SLOWER,),
                    ),
                ),
            },
            (SLOWER,),
        ),
        Use(facts.STEP, {"v": "V", "x": "W", "u": "U", "g": "g", "c": "eta"}),
        Use(facts.PROJECTION, {"p": "W'", "v": "V", "u": "U"}),
        of_a_round["drop"],
        Average(DROP, {after: E_after, inner: E_inner, squares: E_squares}, (before, eta)),
        of_a_round["round"],
        Average(COST, MEANS, (gamma, r, eta)),
        Rounds(
            invariant=mistakes <= SO_FAR,
            state={
                mistakes: (0, mistakes + E_wrong),
                losses: (0, losses + EE_loss_u),
                E_before: (size, EE_after),
                rounds: (0, rounds + 1),
            },
            step=of_a_round["one more round"],
            fixed=(gamma, r, eta, size, K),
        ),
        of_a_round["all rounds"],
    ),
    conclusion=SUMMED,
    example=POINT,
)  # fmt: skip

PARTS = {
    drop: (1 - r) * size / (2 * eta), most: (1 - r) * K * X * D * tau, spent: EXPLORED * rounds,
    paid: 2 * (K - 1) * X * D * tau, sum_: 2 * sqrt(2) * K * X * D * tau,
}  # fmt: skip
from_4 = Argument(
    name="Theorem 6, K from 4 to 54",
    setting="Theorem 6 as printed, f the truncated smooth hinge loss and h its gradient, first weights zero, "
    f"{BALL}; v is the margin of U against the rivals of W",
    symbols=NAMES,
    hypotheses=(
        *A_ROUND, K <= 54, Eq(rounds, tau**2), size <= D**2, wrong <= 1, loss_u >= 0,
        When(2 * K * X * D < tau, (Eq(gamma * tau, 2 * K * X * D),)),
        branch >= 4 * K**2 * X**2 * D**2, branch >= 2 * sqrt(2) * K * X * D * tau,
    ),
    steps=(
        Cases(
            {
                2 * K * X * D >= tau: (
                    Cite(AT_MOST_ONE, {"T": "number of rounds"}),
                    Cite(NOT_NEGATIVE),
                    parameters["gamma = 1"],
                ),
                2 * K * X * D < tau: (
                    parameters["positive, gamma < 1"],
                    Cite(summed),
                    of_a_round["r <= 1/2"],
                    parameters["potential"],
                    parameters["exploration"],
                    parameters["K <= 54"],
                    Put(parameters["part of the potential"], {drop: size / (2 * eta), most: K * X * D * tau}),
                    parameters["both parts"],
                    Put(parameters["bound"], PARTS),
                ),
            },
            (mistakes <= losses + branch,),
        ),
    ),
    conclusion=mistakes <= losses + branch,
    example=POINT,
)  # fmt: skip

PRINTED = (
    RATE,
    Eq(gamma, Min(1, sqrt(4 * K**2 * X**2 * D**2 / T))),
    Eq(excess, Max(4 * K**2 * X**2 * D**2, 2 * K * X * D * sqrt(2 * T))),
)
up_to_11 = replace(
    beside(__file__, "theorem6_bandit_smooth_hinge.py"),
    name="Theorem 6, as printed, K <= 11",
    exploration=Min(1, sqrt(4 * K**2 * X**2 * D**2 / T)),
    classes=range(2, 12),
)
to_11 = Argument(
    name="Theorem 6, K up to 11",
    setting=f"Theorem 6 as printed, by Lemma 1, first weights zero, {BALL}, l_t the estimated losses",
    symbols=READS | SUMS | {excess: "the claimed excess", rounds: "number of rounds"},
    hypotheses=(K <= 11, *DESCENT, *PREDICTION, GAP, *PRINTED, Eq(rounds, T), size <= D**2, wrong <= 1, loss_u >= 0),
    steps=(Cite(bandit_bound_of(up_to_11)),),
    conclusion=mistakes <= losses + excess,
    example=ROUND | TOTALS | {X: 1, D: 1, T: 8, gamma: 1, mix: 1, rounds: 8, eta: Rational(1, 16), excess: 16},
)


def distance2(M, N):
    return squared_norm([[a - b for a, b in zip(p, q, strict=True)] for p, q in zip(M, N, strict=True)])


def random_round(rng):
    """P(wrong) - l(U) - gamma (K - 1)/K against (1 - 1/sqrt(K)) E drop, from the definitions; two features, X = 1."""
    root = int(rng.integers(2, 4))
    n, y, explored = root**2, int(rng.integers(4)), Fraction(int(rng.integers(1, 9)), 8)
    W, U = ([[Fraction(int(v), 4) for v in rng.integers(-3, 4, 2)] for _ in range(n)] for _ in range(2))
    x = ((1, 0), (0, 1), (Fraction(3, 5), Fraction(4, 5)), (Fraction(-1, 2), 0))[int(rng.integers(4))]
    rule = smooth_hinge(n, explored / (4 * n**2))
    now, moved = step(rule, W, x, y, explored, lambda right: 1 / right)
    drop = (1 - now.P_wrong) * (distance2(W, U) - distance2(moved, U)) / (2 * rule.eta)
    excess = now.P_wrong - rule.phi(margin_of(scores(U, x), y)[0]) - explored * Fraction(n - 1, n)
    return Instance(
        {"K": n, "W": W, "U": U, "x": x, "y": y, "gamma": explored}, excess, drop * Fraction(root - 1, root)
    )


claims = (
    Claim(
        id="gaptron/t6-bound-to-54",
        kind="reading",
        quote=r"\max\left\{4K^2X^2D^2, \ 2KXD\sqrt{2T}\right\}",
        source="van der Hoeven 2020, Theorem 6",
        grounds=(
            Rests("gaptron/reduction-margin"),
            Rests("gaptron/bandit-unbiased-smooth"),
            to_11,
            from_4,
        ),
        recorded="PROVED",
        finding="Lemma 1 gives it for K <= 11. For 4 <= K <= 54 the curvature of the loss does: the part of the "
        "potential is multiplied by 1 - 1/sqrt(K).",
        constants=(
            Constant(
                name="K X D sqrt(T)",
                sharp="bound",
                printed=2 * sqrt(2),
                best=3 - 2 / K - 1 / sqrt(K),
                attained="K >= 4, printed gamma < 1, in the limit of large T (theorem6_adversary)",
            ),
        ),
        second=Resists(random_round, 100),
        coq={"PaperBandit.v:Theorem6_to_54": "TheoremSixTo54.v:theorem_6_to_54"},
    ),
)
