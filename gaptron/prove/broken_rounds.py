"""What breaks a theorem where a case of it fails: from scalars to scores, replayed.

Rounds break the surrogate gap; with bandit feedback X, D and T are those at which the theorem explores at about the
rate of the case. Scores break the best decoder, at which the labels need probabilities that sum to more than 1. Streams
beat every algorithm: a distribution, scores, eps and T at which the criterion fails.
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import product
from math import isqrt, sqrt

import sympy as sp

from gaptron.numbers.evaluate import Number, UncertainError, evaluate, if_positive, is_less
from gaptron.obligations import Obligation
from gaptron.optimal.adversary import Adversary, adversary, criterion
from gaptron.prove.counterexample import MOST_CLASSES, Candidate, by_name
from gaptron.prove.exact_text import Witness, exact
from gaptron.prove.replayed_round import gap_terms
from gaptron.rounds.exact import needs, total
from gaptron.rounds.geometry import geometry_of
from gaptron.symbols import D, K, T, X, gamma
from gaptron.theory.losses import Loss
from gaptron.theory.theorem import Theorem

FEW = 6  # numbers of classes below this are tried for the decoder before that of the point
MOST_LABELS = 12  # whose scores a stream lists one by one
HORIZONS = tuple(4**n for n in range(24))
LARGEST_D = 10**9
DENOMINATORS = (1, 4, 64, 2**12, 2**24)
BISECTIONS = 80
Setting = dict[sp.Symbol, Number]


# --- rounds of the learner ----------------------------------------------------------------------------------------


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
            gap = if_positive(lambda *of: gap_terms(theorem, *of).gap, scores, label, side, setting)
            if gap is not None:
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


# --- scores without a decoder -------------------------------------------------------------------------------------


def broken_decoders(theorem: Theorem, point: Candidate) -> Iterator[Witness]:
    """The scores that the point describes, for few classes first, if the needs certainly sum to more than 1."""
    most = int(point.get(K, Fraction(theorem.first_class_count)))
    for n_classes in sorted({*range(theorem.first_class_count, min(most, FEW)), most}):
        if theorem.claims(n_classes):
            yield from _broken_at(theorem, point, n_classes)


def _broken_at(theorem: Theorem, point: Candidate, n_classes: int) -> Iterator[Witness]:
    eta = evaluate(theorem.eta(), {K: Fraction(n_classes)})
    for scores in geometry_of(theorem.loss).all_labels(by_name(point), n_classes):
        excess = excess_at(theorem, scores, eta)
        if excess is not None:
            yield {
                "K": n_classes,
                "scores": list(map(str, scores)),
                "x_norm": "1",
                "needed": [exact(needed) for needed in needs(theorem.loss, eta, scores)],
                "excess": exact(excess),
            }


def excess_at(theorem: Theorem, scores: list[Fraction], eta: Number) -> Number | None:
    """By how much the needs exceed 1, if they certainly do."""
    return if_positive(lambda: total(needs(theorem.loss, eta, scores)) - 1)


# --- streams ------------------------------------------------------------------------------------------------------


def broken_criteria(theorem: Theorem, point: Candidate) -> Iterator[Witness]:
    """The stream that the point describes, if every algorithm certainly breaks the claimed bound on it."""
    known = int(point.get(K, Fraction(theorem.first_class_count)))
    for n_classes in (known, *geometry_of(theorem.loss).class_counts(by_name(point))):
        if theorem.claims(n_classes):
            c = evaluate(theorem.regret, {K: Fraction(n_classes)})
            yield from streams(theorem.loss, c, point, n_classes)


def streams(loss: Loss, c: Number, point: Mapping[sp.Symbol, Fraction], n_classes: int) -> Iterator[Witness]:
    """The witnesses that c is attained by no algorithm, at these scalars of the criterion."""
    for distribution, scores in geometry_of(loss).drawn(by_name(point), n_classes):
        try:
            found = adversary(loss, c, distribution, scores)
        except (UncertainError, ValueError, ZeroDivisionError):
            continue
        if found is not None:
            yield {
                "K": n_classes,
                "distribution": [str(w) for w in found.distribution],
                **_scores(found, n_classes),
                "left": str(1 - max(found.distribution)),
                "right": exact(criterion(loss, c, found.distribution, found.scores)),
                "eps": str(found.eps),
                "T": found.rounds,
                "mistakes": str(found.mistakes),
                "bound": exact(found.comparator(loss, c)),
            }


def _scores(found: Adversary, n_classes: int) -> Witness:
    """For each label; of many, of those that are drawn, and of the first one if all are alike."""
    rows = [[str(score) for score in row] for row in found.scores]
    if n_classes <= MOST_LABELS:
        return {"scores": rows}
    if found.alike:
        return {"scores": rows[0], "scores_of": "label 0; of another label with both entries exchanged"}
    drawn = [row for w, row in zip(found.distribution, rows, strict=True) if w]
    return {"scores": drawn, "scores_of": "the labels that are drawn, in their order"}
