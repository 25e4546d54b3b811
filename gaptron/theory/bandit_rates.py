"""The rate with full information from which a theorem with bandit feedback follows, if there is one."""

import sympy as sp

from gaptron.symbols import D, K, T, X, gamma
from gaptron.theory.theorem import Theorem


def full_information_rate(theorem: Theorem) -> sp.Expr | None:
    """The h in K alone of a learning rate that seems to be gamma h/(K X^2): that it is one is for Coq to see."""
    assert theorem.learning_rate is not None  # noqa: S101
    rate = sp.simplify(theorem.learning_rate * K * X**2 / gamma)
    return None if rate.free_symbols & {X, D, T, gamma} else rate
