"""Lemma 1 as theorems use it: the symbols of a round, the algorithm in sentences, the argument from gap to bound.

``with_gaps`` is Lemma 1 in these symbols; a theorem about Gaptron is its obligations, composed with it.
"""

from typing import Any

import sympy as sp

from gaptron.symbols import D, K, T, X, gamma
from gaptron.theory import facts
from gaptron.theory.arguments import Argument, Average, Cases, Cite, Derived, Put, Rounds, Use, When
from gaptron.theory.derived import DUE, classes_of, eta, excess, parameters
from gaptron.theory.theorem import Implication, Lemma, Theorem

a, mix, miss, wrong, gap, inner, loss, loss_u = sp.symbols("a mix miss wrong gap inner loss loss_u", real=True)
before, far, after, squares, size, rounds = sp.symbols("before far after squares size rounds", nonnegative=True)
cost = sp.Symbol("cost", real=True)
E_before, E_after = sp.symbols("E_before E_after", nonnegative=True)
E_wrong, E_loss_u, E_gap, mistakes, losses, gaps = sp.symbols("E_wrong E_loss_u E_gap mistakes losses gaps", real=True)

READS = {
    a: "a", mix: "max(a, gamma)", miss: "1[y* != y]", wrong: "P(y' != y)", gap: "the surrogate gap", loss: "l(W)",
    loss_u: "l(U)", before: "||W - U||^2", far: "||V - U||^2", after: "||W' - U||^2", inner: "<g, W - U>",
    squares: "||g||^2", cost: "the cost of exploring",
}  # fmt: skip
SUMS = {
    E_wrong: "E[P(y' != y)]", E_loss_u: "E[l(U)]", E_gap: "E[the surrogate gap]", E_before: "E[||W - U||^2]",
    E_after: "E[||W' - U||^2]", mistakes: "E[M_T]", losses: "E[sum l_t(U)]", gaps: "sum E[the surrogate gap]",
    rounds: "T", size: "||U||^2",
}  # fmt: skip
DESCENT = (
    "g is a subgradient of l at W",
    "V = W - eta g",
    "W' is the projection of V on a convex set",
    "U is in this convex set",
)
WHOLE_SPACE = "the convex set being the whole space"  # in a setting
BALL = "the convex set being the ball of radius D"
PREDICTION = (
    mix >= a,
    mix >= gamma,
    sp.Eq((mix - a) * (mix - gamma), 0),
    When("y* = y", (sp.Eq(miss, 0), sp.Eq(wrong, mix * (K - 1) / K))),
    When("not y* = y", (sp.Eq(miss, 1), sp.Eq(wrong, 1 - mix / K))),
)
RISK = (1 - a) * miss + a * (K - 1) / K
GAP = sp.Eq(gap, RISK - loss + eta * squares / 2)
EXPLORED = gamma * (K - 1) / K
BOUND = mistakes <= losses + size / (2 * eta) + EXPLORED * rounds
ROUND = {
    K: 2, eta: sp.Rational(1, 4), gamma: 0, a: 0, mix: 0, miss: 0, wrong: 0, loss: 1, squares: 0, gap: -1, loss_u: 1,
    inner: 0, before: 1, far: 1, after: 1, cost: 0,
}  # fmt: skip
TOTALS = {E_wrong: 0, E_loss_u: 1, E_gap: -1, E_before: 1, E_after: 1, size: 1, mistakes: 0, losses: 1, rounds: 1}


SHARE = (K - 1) / K

_of_a_round = Lemma(
    name="Lemma 1, one round",
    source="van der Hoeven 2020, Lemma 1",
    implications=(
        Implication(
            name="top label right",
            statement="P(wrong) = mix (K - 1)/K <= a (K - 1)/K + gamma (K - 1)/K, mix = max(a, gamma)",
            given=(
                a >= 0,
                mix >= gamma,
                sp.Eq((mix - a) * (mix - gamma), 0),
                sp.Eq(miss, 0),
                sp.Eq(wrong, mix * SHARE),
            ),
            then=wrong <= RISK + gamma * SHARE,
        ),
        Implication(
            name="top label wrong",
            statement="P(wrong) = 1 - mix/K <= (1 - a) + a (K - 1)/K + gamma (K - 1)/K, mix = max(a, gamma)",
            given=(mix >= a, sp.Eq(miss, 1), sp.Eq(wrong, 1 - mix / K)),
            then=wrong <= RISK + gamma * SHARE,
        ),
        Implication(
            name="round",
            statement="the potential ||W - U||^2/(2 eta) pays for l(W) - l(U), and the bracket is the surrogate gap",
            given=(
                wrong <= RISK + cost,
                loss - loss_u <= inner,
                sp.Eq(far, before - 2 * eta * inner + eta**2 * squares),
                after <= far,
                GAP,
            ),
            then=wrong <= loss_u + (before - after) / (2 * eta) + cost + gap,
        ),
    ),
)

one_round = Argument(
    name="Lemma 1, one round",
    setting="One round of Algorithm 1 on a convex loss, with projection on a convex set; on the whole space, without",
    symbols=READS,
    hypotheses=("l is convex", *DESCENT, a >= 0, *PREDICTION, GAP),
    steps=(
        Cases(
            {"y* = y": (_of_a_round["top label right"],), "not y* = y": (_of_a_round["top label wrong"],)},
            (wrong <= RISK + gamma * SHARE,),
        ),
        Use(facts.SUBGRADIENT, {"f": "l", "g": "g", "x": "W", "u": "U"}),
        Use(facts.STEP, {"v": "V", "x": "W", "u": "U", "g": "g", "c": "eta"}),
        Use(facts.PROJECTION, {"p": "W'", "v": "V", "u": "U"}),
        Put(_of_a_round["round"], {cost: gamma * SHARE}),
    ),
    conclusion=wrong <= loss_u + (before - after) / (2 * eta) + gamma * SHARE + gap,
    example=ROUND,
)


COST = wrong <= loss_u + (before - after) / (2 * eta) + gamma * SHARE + gap
MEANS = {wrong: E_wrong, loss_u: E_loss_u, before: E_before, after: E_after, gap: E_gap}
SO_FAR = losses + (size - E_before) / (2 * eta) + gamma * SHARE * rounds
NOW = losses + E_loss_u + (size - E_after) / (2 * eta) + gamma * SHARE * (rounds + 1)
FIXED = (eta, gamma, K, size)
STATE = {
    mistakes: (0, mistakes + E_wrong),
    losses: (0, losses + E_loss_u),
    E_before: (size, E_after),
    rounds: (0, rounds + 1),
}

_of_all_rounds = Lemma(
    name="Lemma 1, T rounds in expectation",
    source="van der Hoeven 2020, Lemma 1",
    implications=(
        Implication(
            name="one more round, gap at most 0",
            statement="the same, when the gap of every round is at most 0 in expectation",
            given=(COST.xreplace(MEANS), E_gap <= 0, mistakes <= SO_FAR),
            then=mistakes + E_wrong <= NOW,
        ),
        Implication(
            name="last potential, gaps at most 0",
            statement="from W_1 = 0 the potential drops by at most ||U||^2/(2 eta) in all",
            given=(mistakes <= SO_FAR,),
            then=BOUND,
        ),
    ),
)

with_gaps = Argument(
    name="Lemma 1, gaps at most 0",
    setting="Lemma 1 when the surrogate gap of every round is at most zero in expectation",
    symbols=READS | SUMS,
    hypotheses=("l is convex", *DESCENT, a >= 0, *PREDICTION, GAP, E_gap <= 0),
    steps=(
        Cite(one_round),
        Average(COST, MEANS, FIXED),
        Rounds(
            invariant=mistakes <= SO_FAR,
            state=STATE,
            step=_of_all_rounds["one more round, gap at most 0"],
            fixed=FIXED,
        ),
        _of_all_rounds["last potential, gaps at most 0"],
    ),
    conclusion=BOUND,
    example=ROUND | TOTALS,
)


def at_rate(rate: sp.Expr) -> tuple[Any, ...]:
    """The hypotheses of a theorem with full information: the algorithm, eta being ``rate``/X^2."""
    return (*DESCENT, *PREDICTION, GAP, sp.Eq(gamma, 0), sp.Eq(eta, rate / X**2))


def bound_of(theorem: Theorem, radius: str = "X", weights: str = "") -> Argument:
    """The mistake bound of a theorem with full information, by Lemma 1 and its obligations.

    The weights are projected on a convex set; ``weights`` may be WHOLE_SPACE.
    """
    rate = theorem.eta()
    constant = Implication(
        name=f"constant of {theorem.name}",
        statement=f"||U||^2/(2 eta) is {theorem.regret} {radius}^2 ||U||^2 at eta = {rate}/{radius}^2",
        given=(BOUND, sp.Eq(gamma, 0), sp.Eq(eta, rate / X**2)),
        then=mistakes <= losses + theorem.regret * X**2 * size,
    )
    where = f"first weights zero, {weights}" if weights else "first weights zero"
    units = {X: 1, K: theorem.first_class_count, size: 1}
    value = sp.sympify(rate).subs(units)
    return Argument(
        name=f"{theorem.name}, bound",
        setting=f"{_words(theorem.name)}, full information, norms of features at most {radius}, {where}",
        symbols=READS | SUMS | {X: radius},
        hypotheses=(*classes_of(theorem), *at_rate(rate)),
        steps=(
            Derived(theorem, "*"),
            Average(gap <= 0, {gap: E_gap}),
            Cite(with_gaps),
            constant,
        ),
        conclusion=constant.then,
        example=ROUND | TOTALS | units | {eta: value},
    )


def bandit_bound_of(theorem: Theorem) -> Argument:
    """The bound of a theorem with bandit feedback, by Lemma 1, M_T <= T and its obligations; l_t are the estimates.

    The weights are projected on the ball, as the paper has it.
    """
    bound = mistakes <= losses + excess
    point = {K: 2, X: 1, D: 1, T: 8, gamma: 1, mix: 1, rounds: 8}
    rate, claimed = (sp.sympify(part).subs(point) for part in (theorem.learning_rate, theorem.regret))
    small = Implication(
        name=f"excess below T, {theorem.name}",
        statement="||U||^2/(2 eta) + gamma T (K - 1)/K is at most the claimed excess",
        given=(BOUND, sp.Eq(rounds, T), size <= D**2, DUE <= excess),
        then=bound,
    )
    large = Implication(
        name=f"excess of T or more, {theorem.name}",
        statement="no more than T mistakes are possible",
        given=(mistakes <= rounds, losses >= 0, sp.Eq(rounds, T), excess >= T),
        then=bound,
    )
    return Argument(
        name=f"{theorem.name}, bound",
        setting=f"{_words(theorem.name)}, first weights zero, {BALL}, l_t the estimated losses",
        symbols=READS | SUMS | {excess: "the claimed excess", rounds: "number of rounds"},
        hypotheses=(
            *classes_of(theorem), *DESCENT, *PREDICTION, GAP, *parameters(theorem),
            sp.Eq(rounds, T), size <= D**2, wrong <= 1, loss_u >= 0,
        ),
        steps=(
            Derived(theorem, "*"),
            Cite(with_gaps, {"T": "number of rounds"}),
            Cite(AT_MOST_ONE, {"T": "number of rounds"}),
            Cite(NOT_NEGATIVE),
            Cases({excess < T: (small,), excess >= T: (large,)}, (bound,)),
        ),
        conclusion=bound,
        example=ROUND | TOTALS | point | {eta: rate, excess: claimed},
    )  # fmt: skip


MORE = Implication(
    name="one more mistake",
    statement="a round costs at most one mistake",
    given=(mistakes <= rounds, E_wrong <= 1),
    then=mistakes + E_wrong <= rounds + 1,
)
NO_LESS = Implication(
    name="one more loss",
    statement="losses are not negative",
    given=(losses >= 0, E_loss_u >= 0),
    then=losses + E_loss_u >= 0,
)
AT_MOST_ONE = Argument(
    name="no more mistakes than rounds",
    setting="Probabilities of a mistake",
    symbols=READS | SUMS,
    hypotheses=(wrong <= 1,),
    steps=(
        Average(wrong <= 1, {wrong: E_wrong}),
        Rounds(mistakes <= rounds, {mistakes: (0, mistakes + E_wrong), rounds: (0, rounds + 1)}, MORE),
    ),
    conclusion=mistakes <= rounds,
    example=ROUND | TOTALS,
)
NOT_NEGATIVE = Argument(
    name="losses are not negative",
    setting="Losses that are not negative",
    symbols=READS | SUMS,
    hypotheses=(loss_u >= 0,),
    steps=(
        Average(loss_u >= 0, {loss_u: E_loss_u}),
        Rounds(losses >= 0, {losses: (0, losses + E_loss_u)}, NO_LESS),
    ),
    conclusion=losses >= 0,
    example=ROUND | TOTALS,
)


def _words(name: str) -> str:
    """A name without formulas: "K = 2" becomes "K is 2"."""
    return name.replace(" <= ", " at most ").replace(" = ", " is ").replace(" < ", " below ")
