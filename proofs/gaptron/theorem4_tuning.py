"""Theorem 4, its bound at the printed learning rate.

**Problem.** As in Theorem 4: bandit feedback, the base-2 logistic loss, ||x|| <= X, ||U|| <= D, T rounds.

**Algorithm.** Gaptron with the gap map of Theorem 1 and the printed eta = ln 2 q/(2 K^2 X^2),
q = (1 - gamma) r/K + gamma, r = e^(-2DX); W is projected on {||W|| <= D}.

**Theoretical guarantee.** **Upper bound**, Theorem 4 as printed, with u = X D and one of two exploration rates:

- gamma = min{1, K u/sqrt(T ln 2)} gives the first branch, K u max{2 K u/ln 2, 2 sqrt(T/ln 2)};
- the second branch, K^2 u^2 e^(2u)/ln 2, is given by gamma = 1 if e^(2u) <= 2, and else by
  gamma = (K - 1) r/(1 + (K - 1) r). Neither exploration costs anything. A uniform prediction is no worse than the loss
  while all probabilities are at most 2/3 (K = 2) or 1/2 (K >= 3); and the second gamma is nowhere above the gap map, so
  that max(a, gamma) = a. Lemma 1 is applied to the gap map max(a, gamma), without its term for exploration.

With gamma = 0, which looks natural, Lemma 1 gives the second branch times K. Theorem 4 says that some gamma exists; its
proof is in an appendix that was not available.

**References.** van der Hoeven 2020, Theorem 4.
"""

from fractions import Fraction

from sympy import Eq, Le, Rational, exp, log, sqrt, symbols

from gaptron import (
    Argument,
    Average,
    Breaks,
    Cases,
    Cite,
    Claim,
    Constant,
    Corrected,
    Implication,
    InProof,
    Instance,
    Lemma,
    Let,
    Obligations,
    Put,
    Resists,
    Rests,
    Use,
    When,
)
from gaptron.numbers.evaluate import ball, is_less
from gaptron.symbols import D, K, T, X, gamma
from gaptron.theory import facts
from gaptron.theory.lemma1 import (
    BOUND,
    DESCENT,
    GAP,
    PREDICTION,
    READS,
    RISK,
    ROUND,
    SUMS,
    TOTALS,
    E_gap,
    a,
    at_a_cost,
    cost,
    eta,
    gap,
    loss,
    losses,
    miss,
    mistakes,
    mix,
    rounds,
    size,
    squares,
    with_gaps,
    wrong,
)

top, least, q, ln2, root, tau, u = symbols("top least q ln2 root tau u", positive=True)
rate = Eq(q, (1 - gamma) * least / K + gamma)


# --- the bound, as proofs/gaptron/theorem4_gap.py reads a round --------------------------------------------------

first, second, apart, E_loss, chance = symbols("first second apart E_loss chance", real=True)
part, power = symbols("part power", positive=True)
others, count, row_top, row, norm2 = symbols("others count row_top row norm2", nonnegative=True)
full_loss, full_squares, E_squares, branch = symbols("full_loss full_squares E_squares branch", nonnegative=True)
slope, S, S_k, other_squares = symbols("slope S S_k other_squares", real=True)
drop, explored, time, half, most, outer, rest = symbols("drop explored time half most outer rest", real=True)
R_k, rows = symbols("R_k rows", nonnegative=True)
p_y = symbols("p_y", positive=True)
HALF = Rational(1, 2)
LOG2 = log(2)
SLOWER = Eq(eta, LOG2 * q / (2 * K**2 * X**2))
LEAST = Eq(least, exp(-2 * D * X))
FREE = K**2 * D**2 * X**2 / (least * LOG2)

NAMES = READS | SUMS | {
    E_squares: "E[||g||^2]", E_loss: "E[l(W)]", chance: "p'(y)", top: "p*", part: "p_k",
    others: "sum of the other probabilities", count: "number of other labels", least: "r", power: "p_k/p*",
    first: "<row of y*, x>", second: "<row of k, x>", row_top: "||row of y*||^2", row: "||row of k||^2",
    norm2: "||x||^2", full_loss: "f(W)", full_squares: "||h||^2", tau: "sqrt(T)", root: "sqrt(ln 2)",
    branch: "max(2 K X D/ln 2, 2 sqrt(T/ln 2))",
}  # fmt: skip
SPREAD = (
    row_top + row <= D**2, norm2 <= X**2, Eq(apart, first - second), Eq(power, exp(-apart)), Eq(part, top * power),
    LEAST, Eq(others, 1 - top), Eq(count, K - 1),
)  # fmt: skip
LOGISTIC_MAP = (When(top >= HALF, (Eq(a, 1 - top),)), When(top < HALF, (Eq(a, 1),)))
ESTIMATES = ("l(W) is f(W)/p'(y) with probability p'(y), else 0", "g is h/p'(y) with probability p'(y), else 0")
ALGORITHM = (
    *DESCENT, *PREDICTION, GAP, *SPREAD, *LOGISTIC_MAP, *ESTIMATES, rate, SLOWER, size <= D**2,
    When("y* = y", (Eq(chance, 1 - mix + mix / K),)),
    When("not y* = y", (Eq(chance, mix / K),)),
)  # fmt: skip
POINT = ROUND | TOTALS | {
    D: 1, X: 1, first: 0, second: 0, row_top: 0, row: 0, norm2: 1, apart: 0, power: 1, least: exp(-2), part: HALF,
    top: HALF, others: HALF, count: 1, a: HALF, gamma: 1, mix: 1, q: 1, chance: HALF, eta: LOG2 / 8, loss: 2,
    squares: 0, gap: -Rational(7, 4), wrong: HALF, full_loss: 1, full_squares: 0, E_squares: 0, E_loss: 1,
    E_gap: -Rational(3, 4), size: 0, tau: 1, root: sqrt(LOG2), branch: 7,
}  # fmt: skip
UNIFORM = {
    p_y: "p_y", slope: "psi'", S: "S", S_k: "sum p_k^2", R_k: "sum p_k", rows: "||s||^2",
    other_squares: "sum of the other entries squared",
}  # fmt: skip
SMALL_D = log(2) / 4
AT_HALF = {
    D: SMALL_D, least: exp(-2 * SMALL_D), a: 1, p_y: HALF, slope: -2 / LOG2, S: Rational(1, 4), S_k: Rational(1, 4),
    R_k: HALF, other_squares: 0, rows: 1 / (4 * LOG2**2), norm2: 0, loss: 2, gap: -Rational(3, 2), full_loss: 1,
    E_loss: 1, E_gap: -HALF, power: 1,
}  # fmt: skip
FREE_GAMMA = exp(-2) / (1 + exp(-2))
FREE_Q = (1 - FREE_GAMMA) * exp(-2) / 2 + FREE_GAMMA
OF_THE_GAP = "gaptron/t4-gap"
ROUNDS = (
    Cite(OF_THE_GAP, part="top probability on the ball"),
    Cite(OF_THE_GAP, part="gap map on the ball"),
    Cite(OF_THE_GAP, part="Theorem 4, gap"),
    Cite(OF_THE_GAP, part="Theorem 1 at 3/2 times its learning rate, loss"),
)

first_sum = Lemma(
    name="Theorem 4, first branch through Lemma 1",
    source="van der Hoeven 2020, Theorem 4 (our derivation)",
    implications=(
        Implication(
            name="gap map, not negative",
            statement="a >= 1 - p* >= 0",
            given=(a >= 1 - top, Eq(others, 1 - top)),
            then=a >= 0,
        ),
        Implication(
            name="positive",
            statement="gamma = K u/sqrt(T ln 2) > 0",
            given=(Eq(gamma * tau * root, K * D * X),),
            then=gamma > 0,
        ),
        Implication(
            name="learning rate",
            statement="eta = ln 2 q/(2 K^2 X^2)",
            given=(SLOWER, Eq(root**2, LOG2)),
            then=Eq(eta, root**2 * q / (2 * K**2 * X**2), evaluate=False),
        ),
        Implication(
            name="gamma = 1, q",
            statement="q = 1",
            given=(Eq(gamma, 1), rate),
            then=Eq(q, 1, evaluate=False),
        ),
        Implication(
            name="gamma = 1, learning rate",
            statement="q = 1",
            given=(Eq(q, 1), Eq(eta, root**2 * q / (2 * K**2 * X**2))),
            then=Eq(eta, root**2 / (2 * K**2 * X**2), evaluate=False),
        ),
        Implication(
            name="gamma = 1, potential",
            statement="D^2/(2 eta) = K^2 u^2/ln 2",
            given=(Eq(eta, root**2 / (2 * K**2 * X**2)), size <= D**2),
            then=size / (2 * eta) <= K**2 * D**2 * X**2 / root**2,
        ),
        Implication(
            name="gamma = 1, exploration",
            statement="T (K - 1)/K <= T",
            given=(Eq(gamma, 1), Eq(rounds, tau**2)),
            then=gamma * (K - 1) / K * rounds <= tau**2,
        ),
        Implication(
            name="gamma = 1, rounds",
            statement="K u >= sqrt(T ln 2): T <= K^2 u^2/ln 2",
            given=(K * D * X >= tau * root,),
            then=tau**2 <= K**2 * D**2 * X**2 / root**2,
        ),
        Implication(
            name="gamma = 1, branch",
            statement="2 K^2 u^2/ln 2 is K u times the first term of the maximum",
            given=(branch >= 2 * K * D * X / root**2,),
            then=K * D * X * branch >= 2 * K**2 * D**2 * X**2 / root**2,
        ),
        Implication(
            name="gamma = 1, sum",
            statement="both are at most K^2 u^2/ln 2",
            given=(
                mistakes <= losses + drop + explored,
                explored <= time,
                time <= half,
                drop <= half,
                2 * half <= most,
            ),
            then=mistakes <= losses + most,
        ),
        Implication(
            name="gamma < 1, q",
            statement="q >= gamma",
            given=(rate, gamma <= 1),
            then=q >= gamma,
        ),
        Implication(
            name="gamma < 1, learning rate",
            statement="q >= gamma",
            given=(q >= gamma, Eq(eta, root**2 * q / (2 * K**2 * X**2))),
            then=eta >= root**2 * gamma / (2 * K**2 * X**2),
        ),
        Implication(
            name="gamma < 1, potential of the rate",
            statement="D^2/(2 eta) <= K^2 u^2/(gamma ln 2)",
            given=(gamma > 0, eta >= root**2 * gamma / (2 * K**2 * X**2), size <= D**2),
            then=size / (2 * eta) <= K**2 * D**2 * X**2 / (gamma * root**2),
        ),
        Implication(
            name="gamma < 1, potential of the bound",
            statement="K^2 u^2/(gamma ln 2) = K u sqrt(T/ln 2)",
            given=(
                gamma > 0,
                Eq(gamma * tau * root, K * D * X),
                size / (2 * eta) <= K**2 * D**2 * X**2 / (gamma * root**2),
            ),
            then=size / (2 * eta) <= K * D * X * tau / root,
        ),
        Implication(
            name="gamma < 1, exploration of the bound",
            statement="gamma T (K - 1)/K <= K u sqrt(T/ln 2)",
            given=(Eq(gamma * tau * root, K * D * X), Eq(rounds, tau**2)),
            then=gamma * (K - 1) / K * rounds <= K * D * X * tau / root,
        ),
        Implication(
            name="gamma < 1, sum",
            statement="both are K u sqrt(T/ln 2) at most",
            given=(
                BOUND,
                size / (2 * eta) <= K * D * X * tau / root,
                gamma * (K - 1) / K * rounds <= K * D * X * tau / root,
                branch >= 2 * tau / root,
            ),
            then=mistakes <= losses + K * D * X * branch,
        ),
    ),
)

AT_ONE = {
    drop: size / (2 * eta), explored: gamma * (K - 1) / K * rounds, time: tau**2,
    half: K**2 * D**2 * X**2 / root**2, most: K * D * X * branch,
}  # fmt: skip
first_bound = Argument(
    name="Theorem 4, first branch",
    setting="Theorem 4 with the printed eta and the first gamma, f the logistic loss and h its gradient, first weights "
    "zero, every W in the ball of radius D, apart the score of the top label minus that of another label k",
    symbols=NAMES,
    hypotheses=(
        *ALGORITHM, gamma <= 1, Eq(rounds, tau**2), Eq(root**2, LOG2),
        branch >= 2 * K * D * X / root**2, branch >= 2 * tau / root,
        When(K * D * X >= tau * root, (Eq(gamma, 1),)),
        When(K * D * X < tau * root, (Eq(gamma * tau * root, K * D * X),)),
    ),
    steps=(
        *ROUNDS[1:],
        first_sum["gap map, not negative"],
        Cite(with_gaps),
        first_sum["learning rate"],
        Cases(
            {
                K * D * X >= tau * root: (
                    first_sum["gamma = 1, q"],
                    first_sum["gamma = 1, learning rate"],
                    first_sum["gamma = 1, potential"],
                    first_sum["gamma = 1, exploration"],
                    first_sum["gamma = 1, rounds"],
                    first_sum["gamma = 1, branch"],
                    Put(first_sum["gamma = 1, sum"], AT_ONE),
                ),
                K * D * X < tau * root: (
                    first_sum["positive"],
                    first_sum["gamma < 1, q"],
                    first_sum["gamma < 1, learning rate"],
                    first_sum["gamma < 1, potential of the rate"],
                    first_sum["gamma < 1, potential of the bound"],
                    first_sum["gamma < 1, exploration of the bound"],
                    first_sum["gamma < 1, sum"],
                ),
            },
            (mistakes <= losses + K * D * X * branch,),
        ),
    ),
    conclusion=mistakes <= losses + K * D * X * branch,
    example=POINT,
)  # fmt: skip

NO_COST = Implication(
    name="no cost",
    statement="exploring costs nothing",
    given=(wrong <= RISK, Eq(cost, 0)),
    then=wrong <= RISK + cost,
)
NOTHING_PAID = Implication(
    name="nothing paid",
    statement="exploring cost nothing",
    given=(mistakes <= losses + size / (2 * eta) + cost * rounds, Eq(cost, 0)),
    then=mistakes <= losses + size / (2 * eta),
)

free = Lemma(
    name="Theorem 4, exploration that costs nothing",
    source="van der Hoeven 2020, Theorem 4",
    implications=(
        Implication(
            name="at most the gap map",
            statement="gamma = (K - 1) r/(1 + (K - 1) r) <= 1 - p* <= a",
            given=(
                Eq(gamma, (K - 1) * least / (1 + (K - 1) * least)),
                top <= 1 / (1 + (K - 1) * least),
                a >= 1 - top,
            ),
            then=gamma <= a,
        ),
        Implication(
            name="at most 1",
            statement="gamma <= a <= 1",
            given=(gamma <= a, a <= 1),
            then=gamma <= 1,
        ),
        Implication(
            name="max(a, gamma) = a",
            statement="gamma <= a",
            given=(gamma <= a, mix >= a, Eq((mix - a) * (mix - gamma), 0)),
            then=Eq(mix, a, evaluate=False),
        ),
        Implication(
            name="right round",
            statement="P(wrong) = a (K - 1)/K",
            given=(Eq(mix, a), Eq(miss, 0), Eq(wrong, mix * (K - 1) / K)),
            then=wrong <= RISK,
        ),
        Implication(
            name="wrong round",
            statement="P(wrong) = 1 - a/K",
            given=(Eq(mix, a), Eq(miss, 1), Eq(wrong, 1 - mix / K)),
            then=wrong <= RISK,
        ),
        Implication(
            name="free exploration",
            statement="r <= 1/2 and gamma = (K - 1) r/(1 + (K - 1) r): q >= r",
            given=(rate, Eq(gamma, (K - 1) * least / (1 + (K - 1) * least)), least <= HALF),
            then=q >= least,
        ),
        Implication(
            name="regret of free exploration",
            statement="D^2/(2 eta) = K^2 u^2/(q ln 2) <= K^2 u^2/(r ln 2)",
            given=(
                q >= least,
                Eq(eta, ln2 * q / (2 * K**2 * X**2)),
                size <= D**2,
                mistakes <= losses + size / (2 * eta),
            ),
            then=mistakes <= losses + K**2 * D**2 * X**2 / (least * ln2),
        ),
    ),
)

free_bound = Argument(
    name="Theorem 4, second branch, r at most 1/2",
    setting="Theorem 4 with the printed eta and a gamma no larger than the gap map, f the logistic loss and h its "
    "gradient, first weights zero, every W in the ball of radius D, apart the score of the top label minus that of "
    "another label k",
    symbols=NAMES,
    hypotheses=(*ALGORITHM, Eq(gamma, (K - 1) * least / (1 + (K - 1) * least)), least <= HALF),
    steps=(
        *ROUNDS[:2],
        free["at most the gap map"],
        free["at most 1"],
        *ROUNDS[2:],
        free["max(a, gamma) = a"],
        Cases({"y* = y": (free["right round"],), "not y* = y": (free["wrong round"],)}, (wrong <= RISK,)),
        Let(cost, 0),
        NO_COST,
        Cite(at_a_cost),
        NOTHING_PAID,
        free["free exploration"],
        Put(free["regret of free exploration"], {ln2: LOG2}),
    ),
    conclusion=mistakes <= losses + FREE,
    example=POINT | {gamma: FREE_GAMMA, mix: HALF, q: FREE_Q, eta: LOG2 * FREE_Q / 8, wrong: Rational(1, 4)},
)

uniform = Lemma(
    name="Theorem 4, the uniform prediction",
    source="van der Hoeven 2020, Theorem 4",
    implications=(
        Implication(
            name="squares of the others",
            statement="S <= (sum p_k)^2 = (1 - p_y)^2",
            given=(Eq(S, S_k), S_k <= R_k**2, Eq(R_k, 1 - p_y)),
            then=S <= (1 - p_y) ** 2,
        ),
        Implication(
            name="entries of the gradient",
            statement="outer = psi' p_y = -1/ln 2",
            given=(Eq(full_squares, outer**2 * rest), Eq(outer * ln2, -1)),
            then=Eq(full_squares * ln2**2, rest, evaluate=False),
        ),
        Implication(
            name="norm of the gradient",
            statement="||h||^2 <= 2 (1 - p_y)^2 X^2/ln^2 2",
            given=(
                Eq(full_squares * ln2**2, ((1 - p_y) ** 2 + S) * norm2),
                S <= (1 - p_y) ** 2,
                norm2 <= X**2,
            ),
            then=full_squares * ln2**2 <= 2 * (1 - p_y) ** 2 * X**2,
        ),
        Implication(
            name="q",
            statement="gamma = 1: q = 1",
            given=(rate, Eq(gamma, 1)),
            then=Eq(q, 1, evaluate=False),
        ),
        Implication(
            name="second moment",
            statement="p' = 1/K",
            given=(Eq(E_squares, full_squares / chance), Eq(chance, 1 / K)),
            then=Eq(E_squares, K * full_squares, evaluate=False),
        ),
        Implication(
            name="half a step",
            statement="eta = ln 2/(2 K^2 X^2)",
            given=(Eq(eta, ln2 * q / (2 * K**2 * X**2)), Eq(q, 1), Eq(E_squares, K * full_squares)),
            then=Eq(eta * E_squares / 2, ln2 * full_squares / (4 * K * X**2), evaluate=False),
        ),
        Implication(
            name="square of the gradient",
            statement="||h||^2 <= 2 (1 - p_y)^2 X^2/ln^2 2",
            given=(full_squares * ln2**2 <= 2 * (1 - p_y) ** 2 * X**2,),
            then=ln2 * full_squares / (4 * K * X**2) <= (1 - p_y) ** 2 / (2 * K * ln2),
        ),
        Implication(
            name="variance",
            statement="(eta/2) E ||g||^2 <= (1 - p_y)^2/(2 K ln 2)",
            given=(Eq(drop, half), half <= most),
            then=drop <= most,
        ),
        Implication(
            name="top probability, K = 2",
            statement="r >= 1/2, so p* <= 2/3",
            given=(top <= 1 / (1 + (K - 1) * least), least >= HALF, p_y <= top),
            then=p_y <= Rational(2, 3),
        ),
        Implication(
            name="three classes",
            statement="K is an integer",
            given=(K > 2,),
            then=K >= 3,
        ),
        Implication(
            name="top probability, K >= 3",
            statement="r >= 1/2, so p* <= 1/2",
            given=(top <= 1 / (1 + (K - 1) * least), least >= HALF, p_y <= top, K >= 3),
            then=p_y <= HALF,
        ),
        Implication(
            name="K = 2",
            statement="p_y <= 2/3: 1/2 + log_2 p_y + (1 - p_y)^2/(4 ln 2) <= 0",
            given=(p_y <= Rational(2, 3),),
            then=HALF + log(p_y) / LOG2 + (1 - p_y) ** 2 / (4 * LOG2) <= 0,
        ),
        Implication(
            name="K = 2, in K",
            statement="the same",
            given=(HALF + log(p_y) / LOG2 + (1 - p_y) ** 2 / (4 * LOG2) <= 0, K <= 2),
            then=(K - 1) / K + log(p_y) / LOG2 + (1 - p_y) ** 2 / (2 * K * LOG2) <= 0,
        ),
        Implication(
            name="K >= 3",
            statement="p_y <= 1/2",
            given=(p_y <= HALF,),
            then=(K - 1) / K + log(p_y) / LOG2 + (1 - p_y) ** 2 / (2 * K * LOG2) <= 0,
        ),
        Implication(
            name="gap",
            statement="a = 1: the gap is (K - 1)/K + log_2 p_y + (eta/2) E ||g||^2",
            given=(
                Eq(E_gap, RISK - E_loss + eta * E_squares / 2),
                Eq(a, 1),
                Eq(E_loss, full_loss),
                Eq(full_loss, -log(p_y) / LOG2),
                eta * E_squares / 2 <= (1 - p_y) ** 2 / (2 * K * LOG2),
                (K - 1) / K + log(p_y) / LOG2 + (1 - p_y) ** 2 / (2 * K * LOG2) <= 0,
            ),
            then=E_gap <= 0,
        ),
        Implication(
            name="mistakes",
            statement="P(wrong) = (K - 1)/K",
            given=(Eq(wrong, 1 - chance), Eq(chance, 1 / K), Eq(a, 1)),
            then=wrong <= RISK,
        ),
        Implication(
            name="1/K",
            statement="a probability",
            given=(Eq(chance, 1 / K),),
            then=chance > 0,
        ),
        Implication(
            name="at most 1",
            statement="1/K <= 1",
            given=(Eq(chance, 1 / K),),
            then=chance <= 1,
        ),
        Implication(
            name="r",
            statement="e^(-2 D X) <= 1",
            given=(),
            then=Le(exp(-2 * D * X), 1, evaluate=False),
        ),
        Implication(
            name="r <= 1",
            statement="r = e^(-2 D X)",
            given=(LEAST, Le(exp(-2 * D * X), 1, evaluate=False)),
            then=least <= 1,
        ),
        Implication(
            name="regret",
            statement="D^2/(2 eta) = K^2 u^2/ln 2 <= K^2 u^2/(r ln 2), as r <= 1",
            given=(
                least <= 1,
                Eq(q, 1),
                Eq(eta, ln2 * q / (2 * K**2 * X**2)),
                size <= D**2,
                mistakes <= losses + size / (2 * eta),
            ),
            then=mistakes <= losses + K**2 * D**2 * X**2 / (least * ln2),
        ),
    ),
)

VARIANCE = {
    drop: eta * E_squares / 2, half: LOG2 * full_squares / (4 * K * X**2), most: (1 - p_y) ** 2 / (2 * K * LOG2),
}  # fmt: skip
uniform_bound = Argument(
    name="Theorem 4, second branch, r at least 1/2",
    setting="Theorem 4 with the printed eta and gamma one, so that the prediction is uniform and a stands for one, f "
    "the logistic loss and h its gradient, first weights zero, every W in the ball of radius D, apart the score of the "
    "top label minus that of another label k",
    symbols=NAMES | UNIFORM,
    hypotheses=(
        *DESCENT, GAP, *SPREAD, *ESTIMATES, rate, SLOWER, size <= D**2, Eq(gamma, 1), least >= HALF, Eq(a, 1),
        Eq(chance, 1 / K), Eq(wrong, 1 - chance), Eq(full_loss, -log(p_y) / LOG2), p_y <= top,
        "h = s (x) x", Eq(rows, (slope * p_y * (1 - p_y)) ** 2 + other_squares), Eq(slope * p_y * LOG2, -1),
        Eq(S, S_k), Eq(R_k, 1 - p_y),
    ),
    steps=(
        ROUNDS[0],
        ROUNDS[3],
        Cite("gaptron/reduction-softmax", {"g": "h"}, part="gradient of a softmax loss"),
        Cite("gaptron/reduction-softmax", {"w_k": "p_k"}, part="sum of squares of weights"),
        uniform["squares of the others"],
        Put(uniform["entries of the gradient"], {ln2: LOG2, outer: slope * p_y, rest: ((1 - p_y) ** 2 + S) * norm2}),
        Put(uniform["norm of the gradient"], {ln2: LOG2}),
        uniform["q"],
        uniform["1/K"],
        uniform["at most 1"],
        Use(facts.WEIGHTED, {"e": "l(W)", "v": "f(W)", "p": "p'(y)"}),
        Use(facts.WEIGHTED_SQUARE, {"e": "g", "g": "h", "p": "p'(y)"}),
        uniform["second moment"],
        Put(uniform["half a step"], {ln2: LOG2}),
        Put(uniform["square of the gradient"], {ln2: LOG2}),
        Put(uniform["variance"], VARIANCE),
        Cases(
            {
                K <= 2: (uniform["top probability, K = 2"], uniform["K = 2"], uniform["K = 2, in K"]),
                K > 2: (uniform["three classes"], uniform["top probability, K >= 3"], uniform["K >= 3"]),
            },
            ((K - 1) / K + log(p_y) / LOG2 + (1 - p_y) ** 2 / (2 * K * LOG2) <= 0,),
        ),
        Average(GAP, {gap: E_gap, loss: E_loss, squares: E_squares}, (a, miss, K, eta)),
        uniform["gap"],
        uniform["mistakes"],
        Let(cost, 0),
        NO_COST,
        Cite(at_a_cost),
        NOTHING_PAID,
        uniform["r"],
        uniform["r <= 1"],
        Put(uniform["regret"], {ln2: LOG2}),
    ),
    conclusion=mistakes <= losses + FREE,
    example=POINT | AT_HALF,
)  # fmt: skip

no_exploration = Implication(
    name="no exploration",
    statement="gamma = 0: r ln2 = K (q ln2), so K^2 u^2/(q ln2) is K times the printed K^2 u^2/(r ln2)",
    given=(Eq(q, least / K),),
    then=Eq(least * ln2, K * (q * ln2), evaluate=False),
)

as_printed = Implication(
    name="printed",
    statement="gamma = 0, M_T <= T of no help: K^3 u^2 e^(2 u)/ln 2 <= K^2 u^2 e^(2 u)/ln 2",
    given=(K**2 * u**2 * exp(2 * u) / log(2) < T,),
    then=K**3 * u**2 * exp(2 * u) / log(2) <= K**2 * u**2 * exp(2 * u) / log(2),
)

LN2 = ball(2).log()


def without_exploration():
    """K = 2, X D = 1, T = 1000: what Lemma 1 gives with gamma = 0, against the printed second branch."""
    eta = LN2 * ball(-2).exp() / 2 / (2 * 2**2)
    due = 1 / (2 * eta)
    return Instance({"K": 2, "X": 1, "D": 1, "T": 1000, "gamma": 0}, smaller(due, ball(1000)), 4 * ball(2).exp() / LN2)


def smaller(left, right):
    return left if is_less(left, right) else right


def by_lemma1(rng):
    """D^2/(2 eta) + gamma T (K - 1)/K with the printed eta and the gamma of the first branch, in balls."""
    n, T, u = int(rng.integers(2, 40)), ball(int(rng.integers(1, 10**4))), ball(Fraction(int(rng.integers(1, 80)), 8))
    gamma = smaller(ball(1), n * u / (T * LN2).sqrt())
    eta = LN2 * ((1 - gamma) * (-2 * u).exp() / n + gamma) / (2 * n**2)
    branch = n * u * -smaller(-2 * n * u / LN2, -2 * (T / LN2).sqrt())
    at = {"K": n, "T": str(T), "X D": str(u), "gamma": str(gamma)}
    return Instance(at, u**2 / (2 * eta) + gamma * T * (n - 1) / n, branch)


def three_rounds(rng):
    """Expected mistakes on three equal rounds, K = 2, x = X = 1, y = 1, against the bound at U = (-D/2, D/2); balls."""
    D = Fraction(int(rng.integers(1, 9)), 16)
    r = ball(-2 * D).exp()
    explored = (ball(1), r / (1 + r))[int(rng.integers(2))] if D > Fraction(7, 20) else ball(1)
    eta = LN2 * ((1 - explored) * r / 2 + explored) / 8
    mistakes = expected_mistakes(ball(0), 3, eta, explored, D)
    loss = (1 + ball(-D).exp()).log() / LN2
    return Instance({"K": 2, "D": D, "gamma": str(explored), "T": 3}, mistakes, 3 * loss + 4 * ball(D) ** 2 / (r * LN2))


def expected_mistakes(margin, rounds, eta, explored, D):
    """Of the label 1, whose score exceeds the other's by ``margin``; ties go to the other label."""
    if rounds == 0:
        return ball(0)
    p = 1 / (1 + (-margin).exp())
    right = is_less(ball(0), margin) if margin != 0 else False
    a = 1 - (p if right else 1 - p) if margin != 0 else ball(Fraction(1, 2))
    mix = explored if is_less(a, explored) else a
    correct = 1 - mix / 2 if right else mix / 2
    moved = margin + 2 * eta * (1 - p) / (LN2 * correct)
    moved = smaller(moved, ball(2).sqrt() * ball(D))  # the projection: W = (-s, s) with 2 s^2 <= D^2
    later = [expected_mistakes(next_, rounds - 1, eta, explored, D) for next_ in (margin, moved)]
    return 1 - correct + (1 - correct) * later[0] + correct * later[1]


claims = (
    Claim(
        id="gaptron/t4-tuning-first",
        kind="derived",
        source="van der Hoeven 2020, Theorem 4 (a natural derivation; the appendix was not available)",
        statement="u = X D: the printed eta has D^2/(2 eta) <= K^2 u^2/(gamma ln 2); at gamma = K u/sqrt(T ln 2) this "
        "is K u sqrt(T/ln 2), and gamma T (K - 1)/K is no more; at gamma = 1 where K u >= sqrt(T ln 2) both "
        "together are at most 2 K^2 u^2/ln 2",
        grounds=tuple(
            InProof("numbers.proof", f"gaptron/t4-first-{part}") for part in ("potential", "balanced", "at-one")
        ),
        recorded="PROVED",
        second=Resists(by_lemma1, 100),
    ),
    Claim(
        id="gaptron/t4-tuning-second",
        kind="derived",
        source="van der Hoeven 2020, Theorem 4 (a natural derivation; the appendix was not available)",
        statement="the printed eta with gamma = 0 gives, through Lemma 1 (and M_T <= T), the second branch K X D * K "
        "X D/(e^(-2DX) ln 2)",
        tex=r"\gamma = 0:\ \frac{D^2}{2\eta} \le \frac{K^2 X^2 D^2}{e^{-2DX} \ln 2}",
        grounds=Obligations(Lemma(name="Theorem 4, second branch at gamma = 0", implications=(as_printed,))),
        recorded="REFUTED",
        finding="A factor K is lost: with gamma = 0 the printed eta is ln 2 e^(-2DX)/(2 K^3 X^2), and D^2/(2 eta) is "
        "K times the printed branch. Nothing printed is wrong: another gamma gives the branch as printed, see "
        "gaptron/t4-bound.",
        corrected=Corrected(
            statement="gamma = 0 gives K^3 X^2 D^2 e^(2DX)/ln 2; gamma = 1 (if e^(2DX) <= 2) or (K - 1) r/(1 + (K - "
            "1) r), r = e^(-2DX), gives K^2 X^2 D^2 e^(2DX)/ln 2",
            tex=r"\gamma = 0:\ \frac{D^2}{2\eta} = \frac{K^3 X^2 D^2 e^{2DX}}{\ln 2}",
            grounds=(
                Obligations(Lemma(name="Theorem 4, no exploration", implications=(no_exploration,))),
                Rests("gaptron/t4-bound"),
            ),
        ),
        constants=(
            Constant(
                name="X^2 D^2 e^(2DX)/ln 2 at gamma = 0", sharp="argument", printed=K**2, best=K**3, attained="every K"
            ),
        ),
        second=Breaks(without_exploration),
    ),
    Claim(
        id="gaptron/t4-bound",
        quote="Then there exists a setting of γ such that Algorithm 1 satisfies",
        source="van der Hoeven 2020, Theorem 4",
        grounds=(first_bound, uniform_bound, free_bound),
        recorded="PROVED",
        finding="True. Two steps of a natural derivation, ours, fail: the least probability "
        "(gaptron/t4-min-probability) and the choice gamma = 0 (gaptron/t4-tuning-second). The gap "
        "inequality has slack for the first, and for the second branch there is exploration that costs nothing.",
        second=Resists(three_rounds, 20),
    ),
)
