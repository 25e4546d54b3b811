"""Rounds that break the surrogate gap: from scalars at which a case fails to scores and a label, replayed.

With bandit feedback X, D and T are those at which the theorem explores at about the rate of the case.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import isqrt, sqrt

import sympy as sp

from gaptron.numbers.evaluate import Number, UncertainError, evaluate, is_less, is_positive
from gaptron.obligations import Obligation
from gaptron.prove.counterexample import MOST_CLASSES, Candidate, by_name
from gaptron.prove.exact_text import Witness, exact
from gaptron.prove.replayed_round import gap_terms
from gaptron.rounds.geometry import geometry_of
from gaptron.symbols import D, K, T, X, gamma
from gaptron.theory.theorem import Theorem

HORIZONS = tuple(4**n for n in range(24))
LARGEST_D = 10**9
DENOMINATORS = (1, 4, 64, 2**12, 2**24)
BISECTIONS = 80
Setting = dict[sp.Symbol, Number]


def broken_rounds(theorem: Theorem, obligation: Obligation, point: Candidate) -> Iterator[Witness]:
    """The round of the learner that the point describes, if its replayed gap is certainly positive.

    None with more than ``MOST_CLASSES`` labels: a round is listed with the score of each.
    """
    if point.get(K, 0) > MOST_CLASSES:
        return
    point = {K: Fraction(theorem.first_class_count), **point}  # a case without K is one of every K claimed
    is_wrong, geometry = obligation.id.startswith("gap/wrong"), geometry_of(theorem.loss)
    for scores, label in geometry.rounds(by_name(point), is_wrong, obligation.label):
        for setting, side in product(_settings(theorem, point, scores), (1, -1)):
            try:
                gap = gap_terms(theorem, scores, label, side, setting).gap
            except (UncertainError, ValueError, ZeroDivisionError):
                continue
            if is_positive(gap):
                yield _witness(theorem, scores, label, side, gap, setting)


def _witness(
    theorem: Theorem, scores: list[Fraction], label: int, side: int, gap: Number, values: Mapping[sp.Symbol, Number]
) -> Witness:
    witness: Witness = {
        "K": len(scores),
        "scores": [str(score) for score in scores],
        "x_norm": "1",
        "label": label,
        "gap": exact(gap),
    }
    if side < 0:
        witness["subgradient"] = "left"
    if geometry_of(theorem.loss).one_vector:
        witness |= {"z": str(scores[0] - scores[1]), "y": 1 - 2 * label}
    if values:
        witness["parameters"] = {symbol.name: exact(value) for symbol, value in values.items() if symbol != K}
    return witness


def _settings(theorem: Theorem, point: Candidate, scores: list[Fraction]) -> Iterator[Setting]:
    """Values of K, X, D, T and gamma, gamma being the theorem's and ||W|| <= D for x = (1) and these scores.

    With full information there is nothing to set.
    """
    if theorem.exploration is None:
        yield {}
        return
    least, n_classes = _norm_bound(scores), len(scores)
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
