"""Witnesses: a failing claim turned into exact numbers that anyone can check, replayed before they are shown."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import combinations, product
from typing import Any

import sympy as sp

from gaptron.evaluate import Number, UncertainError, ball, enclosure, evaluate
from gaptron.losses import BinaryLoss, MarginLoss
from gaptron.obligations import NOWHERE, Claim, Obligation
from gaptron.obligations.gap import binary_label, s, t
from gaptron.obligations.gap import q as true_probability
from gaptron.prove.counterexample import Candidate, certainly_positive, counterexamples
from gaptron.prove.replay import surrogate_gap
from gaptron.symbols import K, m, p, z
from gaptron.theorem import Lemma, Theorem

Witness = dict[str, Any]
SCORE_DENOMINATORS = (1, 2, 4, 16, 256, 2**12, 2**20, 2**40)  # dyadic, so that balls hold them exactly
FAR = Fraction(30)
POINTS_AFTER_KINK = 50
NUDGES = (Fraction(0), Fraction(1, 64), Fraction(1, 2**12), Fraction(1, 2**20))
CURVATURE_STEPS = (Fraction(1), Fraction(1, 2), Fraction(1, 4), Fraction(1, 16), Fraction(1, 256))


def refute(
    item: Theorem | Lemma, obligation: Obligation, claim: Claim, hint: Candidate, deadline: float
) -> Witness | None:
    """The simplest witness found against an obligation before the deadline, or None.

    ``hint`` is where a solver sees the claim fail. A round at a kink that needs the left derivative is the answer only
    if none of the next points breaks the claim without it.
    """
    theorem = item if isinstance(item, Theorem) else None
    build = _builder(item, obligation, claim)
    kink, later = None, 0
    for point in counterexamples(claim, theorem, hint, deadline):
        for witness in build(point):
            if "subgradient" not in witness:
                return {"obligation": obligation.id, **witness}
            kink = kink or {"obligation": obligation.id, **witness}
        later += kink is not None
        if later > POINTS_AFTER_KINK:
            break
    return kink


def _builder(item: Theorem | Lemma, obligation: Obligation, claim: Claim) -> Callable[[Candidate], Iterator[Witness]]:
    if isinstance(item, Theorem) and obligation.id.startswith("gap/"):
        return lambda point: _rounds(item, obligation, point)
    if isinstance(item, Theorem) and obligation.id == "loss/convex":
        return lambda point: _not_convex(item, point)
    if isinstance(item, Theorem) and obligation.id == "loss/nonincreasing":
        return lambda point: _increasing(item, point)
    return lambda point: iter([_values(claim, point)])


def _values(claim: Claim, point: Candidate) -> Witness:
    """The point, and both sides of the relation that fails there."""
    witness: Witness = {"K": int(point[K])} if _mentions(claim, K) else {}
    witness["point"] = {str(symbol): str(value) for symbol, value in point.items() if symbol != K}
    witness["fails"] = "a value is defined" if claim.then == NOWHERE else _relation(claim.then)
    witness["values"] = ["undefined"] if claim.then == NOWHERE else [_shown(side, point) for side in claim.then.args]
    return witness


def _relation(relation: sp.Basic) -> str:
    signs = {sp.Ne: "!=", sp.Eq: "="}
    if type(relation) in signs:
        return f"{relation.lhs} {signs[type(relation)]} {relation.rhs}"
    return str(sp.sstr(relation))


def _mentions(claim: Claim, symbol: sp.Symbol) -> bool:
    return any(symbol in relation.free_symbols for relation in (*claim.given, claim.then))


def _shown(side: sp.Expr, point: Candidate) -> str | list[str]:
    try:
        return exact(evaluate(side, point))
    except (ValueError, ZeroDivisionError):
        return "undefined"


def exact(value: Number) -> str | list[str]:
    """A rational as text; a ball as two decimal rationals that certainly enclose it."""
    if isinstance(value, Fraction):
        return str(value)
    low, high = enclosure(value)
    return [_decimal(low, down=True), _decimal(high, down=False)]


def _decimal(value: Fraction, down: bool, digits: int = 24) -> str:
    """A decimal string not above (down) or not below the value, with this many significant digits."""
    shift = digits - len(str(int(1 / abs(value)))) if 0 < abs(value) < 1 else digits
    places = digits + max(0, digits - shift)
    scaled = value * 10**places
    whole = scaled.numerator // scaled.denominator + (0 if down or scaled.denominator == 1 else 1)
    sign, text = "-" if whole < 0 else "", str(abs(whole)).rjust(places + 1, "0")
    return f"{sign}{text[:-places]}.{text[-places:]}"


# --- rounds that break the surrogate gap -------------------------------------------------------------------------


def _rounds(theorem: Theorem, obligation: Obligation, point: Candidate) -> Iterator[Witness]:
    """The round of the learner that the point describes, if its replayed gap is certainly positive."""
    for (scores, label), side in product(_scores(theorem, obligation, point), (1, -1)):
        try:
            gap = surrogate_gap(theorem, scores, label, side)
        except (UncertainError, ValueError, ZeroDivisionError):
            continue
        if certainly_positive(gap):
            witness = {
                "K": len(scores),
                "scores": [str(score) for score in scores],
                "x_norm": "1",
                "label": label,
                "gap": exact(gap),
            }
            if side < 0:
                witness["subgradient"] = "left"
            if isinstance(theorem.loss, BinaryLoss):
                witness |= {"z": str(scores[0] - scores[1]), "y": 1 - 2 * label}
            yield witness


def _scores(theorem: Theorem, obligation: Obligation, point: Candidate) -> Iterator[tuple[list[Fraction], int]]:
    wrong = obligation.id.startswith("gap/wrong")
    if isinstance(theorem.loss, BinaryLoss):
        yield [point[z], Fraction(0)], binary_label(obligation)
    elif isinstance(theorem.loss, MarginLoss):
        yield _margin_scores(point, wrong)
    else:
        yield from _softmax_scores(point, wrong)


def _margin_scores(point: Candidate, wrong: bool) -> tuple[list[Fraction], int]:
    """Scores with top margin m (right), or with top margin s and true margin -t (wrong)."""
    n_classes = 2 if wrong and s not in point else int(point[K])
    if not wrong:
        return [point[m], *[Fraction(0)] * (n_classes - 1)], 0
    behind, lead = point[t], point.get(s, point[t])
    return [behind, Fraction(0), *[behind - lead] * min(1, n_classes - 2), *[Fraction(0)] * (n_classes - 3)], 1


def _softmax_scores(point: Candidate, wrong: bool) -> Iterator[tuple[list[Fraction], int]]:
    """Rational scores whose probabilities come close to the point's, the others as unequal as they may be."""
    if wrong:
        n_classes = int(point[K]) if p in point else 2
        true = point[true_probability]
        top = point.get(p, 1 - true)
        masses, label = [top, true, *_spread(1 - top - true, top, n_classes - 2)], 1
    else:
        n_classes = int(point[K])
        masses, label = [point[p], *_spread(1 - point[p], point[p], n_classes - 1)], 0
    logs = [ball(mass).log() if mass > 0 else None for mass in masses]
    for denominator, nudge in product(SCORE_DENOMINATORS, NUDGES):
        scores = [-FAR if log is None else Fraction(float(log)).limit_denominator(denominator) for log in logs]
        least = min(scores)
        yield [score - least + (nudge if k == 0 else 0) for k, score in enumerate(scores)], label


def _spread(mass: Fraction, most: Fraction, count: int) -> list[Fraction]:
    """``mass`` over ``count`` labels, as many as possible at ``most``."""
    shares = []
    for _ in range(count):
        share = min(mass, most)
        shares.append(share)
        mass -= share
    return shares


# --- losses that are not convex ------------------------------------------------------------------------------------


def _not_convex(theorem: Theorem, point: Candidate) -> Iterator[Witness]:
    """Three scores of one label on a line, the loss in the middle above the chord."""
    n_classes = int(point.get(K, Fraction(theorem.first_class_count)))
    for ends in combinations(_near(theorem, point), 2):
        low, high = min(ends), max(ends)
        for weight in (Fraction(1, 2), Fraction(1, 16), Fraction(15, 16)):
            places = [low, weight * low + (1 - weight) * high, high]
            for label in range(2 if isinstance(theorem.loss, BinaryLoss) else 1):
                yield from _chord(theorem, [_one_against_zero(x, n_classes) for x in places], label, weight)


def _near(theorem: Theorem, point: Candidate) -> list[Fraction]:
    """Margins (or score differences) around those of the point."""
    found = []
    for symbol, value in point.items():
        if symbol == p:
            value = Fraction(float((ball(value) / ball(1 - value)).log())).limit_denominator(64)
        if symbol != K:
            found += [value, *(value + sign * step for step in CURVATURE_STEPS for sign in (1, -1))]
    return sorted(set(found or [Fraction(0)]), key=lambda v: (v.denominator, abs(v)))


def _one_against_zero(score: Fraction, n_classes: int) -> list[Fraction]:
    return [score, *[Fraction(0)] * (n_classes - 1)]


def _chord(theorem: Theorem, scores: list[list[Fraction]], label: int, weight: Fraction) -> Iterator[Witness]:
    """The witness if the loss at the middle scores is certainly above weight * first + (1 - weight) * last."""
    loss = MarginLoss(theorem.loss.phi) if isinstance(theorem.loss, MarginLoss) else theorem.loss
    try:
        first, middle, last = (loss.value(row, label) for row in scores)
        weights = [
            ball(w) if any(not isinstance(v, Fraction) for v in (first, middle, last)) else w
            for w in (weight, 1 - weight)
        ]
        excess = middle - weights[0] * first - weights[1] * last
    except (UncertainError, ValueError, ZeroDivisionError):
        return
    if certainly_positive(excess):
        yield {
            "K": len(scores[0]),
            "label": label,
            "points": [[str(v) for v in row] for row in scores],
            "weight": str(weight),
            "values": [exact(v) for v in (first, middle, last)],
        }


def _increasing(theorem: Theorem, point: Candidate) -> Iterator[Witness]:
    """With K >= 3, two rivals swap their scores: the margin is larger half way, and so is an increasing loss."""
    n_classes = int(point[K])
    for centre in _near(theorem, point):
        for step in CURVATURE_STEPS:
            ends = [[centre, sign * step, -sign * step, *[-step] * (n_classes - 3)] for sign in (1, -1)]
            middle = [centre, Fraction(0), Fraction(0), *[-step] * (n_classes - 3)]
            yield from _chord(theorem, [ends[0], middle, ends[1]], 0, Fraction(1, 2))
