"""Lemma 1 as theorems use it: the symbols of a round, the algorithm in sentences, the argument from gap to bound.

The claims ``gaptron/lemma1-round`` and ``gaptron/lemma1`` prove Lemma 1 in these symbols; a theorem about Gaptron is
its obligations, composed with them.
"""

import sympy as sp

from gaptron.symbols import K, X, gamma
from gaptron.theory.arguments import Argument, Average, Cite, Derived, When
from gaptron.theory.theorem import Implication, Theorem

eta = sp.Symbol("eta", positive=True)
a, mix, miss, wrong, gap, inner, loss, loss_u = sp.symbols("a mix miss wrong gap inner loss loss_u", real=True)
before, far, after, squares, size, rounds = sp.symbols("before far after squares size rounds", nonnegative=True)
E_before, E_after = sp.symbols("E_before E_after", nonnegative=True)
E_wrong, E_loss_u, E_gap, mistakes, losses, gaps = sp.symbols("E_wrong E_loss_u E_gap mistakes losses gaps", real=True)

READS = {
    a: "a", mix: "max(a, gamma)", miss: "1[y* != y]", wrong: "P(y' != y)", gap: "the surrogate gap", loss: "l(W)",
    loss_u: "l(U)", before: "||W - U||^2", far: "||V - U||^2", after: "||W' - U||^2", inner: "<g, W - U>",
    squares: "||g||^2",
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
PREDICTION = (
    mix >= a,
    mix >= gamma,
    sp.Eq((mix - a) * (mix - gamma), 0),
    When("y* = y", (sp.Eq(miss, 0), sp.Eq(wrong, mix * (K - 1) / K))),
    When("not y* = y", (sp.Eq(miss, 1), sp.Eq(wrong, 1 - mix / K))),
)
GAP = sp.Eq(gap, (1 - a) * miss + a * (K - 1) / K - loss + eta * squares / 2)
EXPLORED = gamma * (K - 1) / K
BOUND = mistakes <= losses + size / (2 * eta) + EXPLORED * rounds
ROUND = {
    K: 2, eta: sp.Rational(1, 4), gamma: 0, a: 0, mix: 0, miss: 0, wrong: 0, loss: 1, squares: 0, gap: -1, loss_u: 1,
    inner: 0, before: 1, far: 1, after: 1,
}  # fmt: skip
TOTALS = {E_wrong: 0, E_loss_u: 1, E_gap: -1, E_before: 1, E_after: 1, size: 1, mistakes: 0, losses: 1, rounds: 1}


def gap_of(theorem: Theorem) -> Argument:
    """The surrogate gap of a theorem is at most 0 (with bandit feedback, in expectation), by its obligations."""
    of = E_gap if theorem.feedback == "bandit" else gap
    return Argument(
        name=f"{theorem.name}, gap",
        setting=f"{theorem.name}, for all weights, features, labels and numbers of classes claimed",
        symbols=READS | SUMS,
        steps=(Derived(theorem, "gap/*"),),
        conclusion=of <= 0,
        example=ROUND | TOTALS,
    )


def convex_of(theorem: Theorem) -> Argument:
    """The loss of a theorem is convex and not negative, by its obligations."""
    return Argument(
        name=f"{theorem.name}, loss",
        setting=f"The loss of {theorem.name}",
        steps=(Derived(theorem, "loss/*"),),
        conclusion=("l is convex", "l is not negative"),
    )


def bound_of(theorem: Theorem, radius: str = "X") -> Argument:
    """The mistake bound of a theorem with full information, by Lemma 1 and its obligations."""
    rate = theorem.eta()
    constant = Implication(
        name=f"constant of {theorem.name}",
        statement=f"||U||^2/(2 eta) is {theorem.regret} {radius}^2 ||U||^2 at eta = {rate}/{radius}^2",
        given=(BOUND, sp.Eq(gamma, 0), sp.Eq(eta, rate / X**2)),
        then=mistakes <= losses + theorem.regret * X**2 * size,
    )
    units = {X: 1, K: theorem.first_class_count, size: 1}
    value = sp.sympify(rate).subs(units)
    return Argument(
        name=f"{theorem.name}, bound",
        setting=f"{theorem.name}, full information, norms of features at most {radius}, first weights zero",
        symbols=READS | SUMS | {X: radius},
        hypotheses=(*DESCENT, *PREDICTION, GAP, sp.Eq(gamma, 0), sp.Eq(eta, rate / X**2)),
        steps=(
            Derived(theorem, "*"),
            Average(gap <= 0, {gap: E_gap}),
            Cite("gaptron/lemma1", part="Lemma 1, gaps at most 0"),
            constant,
        ),
        conclusion=constant.then,
        example=ROUND | TOTALS | units | {eta: value},
    )
