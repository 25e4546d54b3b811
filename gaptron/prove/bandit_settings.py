"""X, D and T at which a bandit theorem explores at about a given rate, with the round's weights inside the ball."""

from collections.abc import Iterator
from fractions import Fraction
from math import isqrt, sqrt

import sympy as sp

from gaptron.numbers.evaluate import Number, UncertainError, evaluate, is_less
from gaptron.prove.counterexample import Candidate
from gaptron.symbols import D, K, T, X, gamma
from gaptron.theory.theorem import Theorem

HORIZONS = tuple(4**n for n in range(24))
LARGEST_D = 10**9
DENOMINATORS = (1, 4, 64, 2**12, 2**24)
BISECTIONS = 80

Setting = dict[sp.Symbol, Number]


def settings(theorem: Theorem, n_classes: int, point: Candidate, scores: list[Fraction]) -> Iterator[Setting]:
    """Values of K, X, D, T and gamma, gamma being the theorem's and ||W|| <= D for x = (1) and these scores."""
    assert theorem.exploration is not None  # noqa: S101
    least = _norm_bound(scores)
    for horizon in HORIZONS:
        for bound in _bounds(theorem, n_classes, horizon, point.get(gamma), least):
            at: Setting = {K: Fraction(n_classes), X: Fraction(1), D: bound, T: Fraction(horizon)}
            try:
                at[gamma] = evaluate(theorem.exploration, at)
                if not is_less(at[gamma], Fraction(0)) and not is_less(Fraction(1), at[gamma]):
                    yield at
            except (UncertainError, ValueError, ZeroDivisionError):
                continue
        if not theorem.exploration.free_symbols & {D, T}:
            return


def _norm_bound(scores: list[Fraction]) -> Fraction:
    """A rational >= the norm of the scores."""
    total = sum((score * score for score in scores), Fraction(0))
    return Fraction(isqrt(-(-total.numerator * 2**40 // total.denominator)) + 1, 2**20)


def _bounds(
    theorem: Theorem, n_classes: int, horizon: int, rate: Fraction | None, least: Fraction
) -> Iterator[Fraction]:
    """Values of D, at least ``least``, at which the exploration rate comes close to ``rate``."""
    if rate is None or theorem.exploration is None or D not in theorem.exploration.free_symbols:
        yield least
        return
    at_bound = sp.lambdify(D, theorem.exploration.subs({K: n_classes, X: 1, T: horizon}), "math")
    low, high = float(least), float(LARGEST_D)
    rising = at_bound(high) >= at_bound(low)
    for _ in range(BISECTIONS):
        middle = sqrt(low * high)
        low, high = (middle, high) if (at_bound(middle) < float(rate)) == rising else (low, middle)
    for denominator in DENOMINATORS:
        near = Fraction(high).limit_denominator(denominator)
        if near >= least:
            yield near
