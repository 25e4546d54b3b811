"""What the obligations of a theorem give to an argument, and under which hypotheses.

The obligations are derived by ``gaptron.obligations``, whose lines are trusted; this says in sentences and relations
what it means that all of a kind are proved, for the theorem's numbers of classes and at its learning rate only.
"""

from collections.abc import Mapping
from fnmatch import fnmatchcase

import sympy as sp
from sympy.core.relational import Relational

from gaptron.symbols import D, K, T, X, gamma
from gaptron.theory.arguments import Derived, Sentence, When
from gaptron.theory.theorem import Theorem

NAME = "obligations of a theorem (gaptron.obligations)"
excess = sp.Symbol("excess", real=True)
eta = sp.Symbol("eta", positive=True)
limit = sp.Symbol("limit", nonnegative=True)
any_rate = sp.Symbol("any_rate", real=True)
worst = sp.Symbol("worst", real=True)
SHARP = {any_rate: "a learning rate", worst: "the largest surrogate gap with it"}
DUE = D**2 / (2 * eta) + gamma * (K - 1) / K * T
BANDIT_REGRET = When(excess < T, (DUE <= excess,))


def classes_of(theorem: Theorem) -> list[Relational]:
    """The numbers of classes for which a theorem is claimed, beside K >= 2."""
    first, last = theorem.first_class_count, theorem.last_class_count
    least = [sp.Ge(K, first, evaluate=False)] if first > 2 else []
    return least if last is None else [*least, sp.Le(K, last, evaluate=False)]


def at_its_rate(theorem: Theorem) -> list[Relational]:
    """The learning rate at which the gap of a theorem is at most 0, and the cost c of abstaining."""
    rate = theorem.learning_rate if theorem.feedback == "bandit" else theorem.eta() / X**2
    cost = [] if theorem.abstention_cost is None else [sp.Eq(limit, theorem.abstention_cost, evaluate=False)]
    return [sp.Eq(eta, rate, evaluate=False), *cost]


def parameters(theorem: Theorem) -> list[Relational]:
    """What a bandit theorem's symbols eta, gamma and excess are."""
    named = {eta: theorem.learning_rate, gamma: theorem.exploration, excess: theorem.regret}
    return [sp.Eq(symbol, value, evaluate=False) for symbol, value in named.items()]


def needed_and_given(step: Derived, symbols: Mapping[sp.Symbol, str]) -> tuple[list[Relational], list[Sentence | When]]:
    """What a step needs, and what it gives in the symbols of an argument that stand for the gap and the gap map."""
    theorem, named = step.theorem, {text: symbol for symbol, text in symbols.items()}
    bracket = "the surrogate gap" if theorem.abstention_cost is None else "the abstention gap"
    gap, a = named.get(f"E[{bracket}]" if theorem.feedback == "bandit" else bracket), named.get("a")
    is_tuned = theorem.feedback == "bandit" and theorem.regret is not None
    needs, given = classes_of(theorem), list[Sentence | When]()
    if fnmatchcase("gap/*", step.only) and gap:
        needs += at_its_rate(theorem)
        given.append(gap <= 0)
    if fnmatchcase("learning rate/sharp", step.only) and SHARP.items() <= symbols.items():
        needs.append(worst <= 0)
        given.append(any_rate <= theorem.eta() / X**2)
    if fnmatchcase("loss/*", step.only):
        given += ["l is convex", "l is not negative"]
    if fnmatchcase("gap map/*", step.only) and a:
        given += [a >= 0, a <= 1]
    if fnmatchcase("regret", step.only) and is_tuned:
        needs += parameters(theorem)
        given.append(BANDIT_REGRET)
    return needs, given
