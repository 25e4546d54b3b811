"""Exact rounds that rule a learning rate out: found near the contact, evaluated with the losses themselves."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction
from functools import reduce
from itertools import product

import sympy as sp

from gaptron.constants.rate_constraint import RateConstraint
from gaptron.constants.rate_search import Binding
from gaptron.numbers.evaluate import Number, UncertainError, evaluate, holds, if_positive, is_less, is_positive
from gaptron.obligations import Obligation
from gaptron.prove.broken_rounds import broken_rounds, excess_at
from gaptron.prove.counterexample import by_name
from gaptron.prove.exact_text import Witness, exact
from gaptron.rounds import need, top_label
from gaptron.rounds.exact import total
from gaptron.rounds.geometry import Round, geometry_of
from gaptron.symbols import K
from gaptron.system.documents import Document
from gaptron.theory.theorem import Theorem

Point = dict[sp.Symbol, Fraction]
Finder = Callable[[Theorem, Binding, int, Fraction], Witness | None]

BESIDE = Fraction(1, 10**6)
SIDES = {"right": ("right",), "wrong": ("wrong",), "right and wrong": ("right", "wrong")}
DENOMINATORS = (1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 32, 100, 10**3, 10**4, 10**6, 10**9, 10**12)
NUDGES = (Fraction(0), Fraction(1, 10**9), Fraction(-1, 10**9))


def points(contact: Binding) -> Iterator[Point]:
    """Rational points near the contact, the simplest first; a symbol that is positive is so."""
    for nudge, denominator in product(NUDGES, DENOMINATORS):
        point = {v: Fraction(x).limit_denominator(denominator) + nudge for v, x in contact.point.items()}
        if all(value > 0 for v, value in point.items() if v.is_positive):
            yield point


def breaks_gap_map(theorem: Theorem, contact: Binding, n_classes: int, eta: Fraction) -> Witness | None:
    """A round of the learner itself, with the theorem's own gap map, whose surrogate gap is positive."""
    faster = replace(theorem, learning_rate=sp.Rational(eta), regret=None, sharp_at=None, classes=n_classes)
    case = contact.constraint
    obligation = Obligation(f"gap/{case.kind}", case.kind, (), label=case.label)
    for point in points(contact):
        for witness in broken_rounds(faster, obligation, point | {K: Fraction(n_classes)}):
            rounds = [{"scores": witness["scores"], "label": witness["label"]}]
            return _witness(n_classes, eta, rounds, "surrogate gap", witness["gap"])
    return None


def breaks_every_map(theorem: Theorem, contact: Binding, n_classes: int, eta: Fraction) -> Witness | None:
    """Rounds with the same top margin that ask for an a which is too large for one and too small for the other."""
    sides = SIDES.get(contact.constraint.kind, ())
    for point in points(contact):
        found = geometry_of(theorem.loss).rounds_at_top(by_name(point), n_classes)
        rounds = [each for side, each in found if side in sides]
        excess = if_positive(_contradiction, theorem, rounds, n_classes, eta) if rounds else None
        if excess is not None:
            shown = [{"scores": [str(v) for v in scores], "label": label} for scores, label in rounds]
            return _witness(n_classes, eta, shown, "least a minus largest a", exact(excess))
    return None


def _contradiction(theorem: Theorem, rounds: list[Round], n_classes: int, eta: Fraction) -> Number:
    """The largest lower bound on a minus the smallest upper one."""
    lower, upper = [Fraction(0)], [Fraction(1)]
    for scores, label in rounds:
        needed = need(theorem.loss, eta, scores, label)
        if label == top_label(scores):
            upper.append((1 - needed) * n_classes / (n_classes - 1))
        else:
            lower.append(needed * n_classes)
    differences = [total((first, -second)) for first, second in product(lower, upper)]
    return reduce(lambda best, other: other if best != other and is_less(best, other) else best, differences)


def breaks_every_decoder(theorem: Theorem, contact: Binding, n_classes: int, eta: Fraction) -> Witness | None:
    """Scores at which the labels together need a probability of more than 1."""
    for point in points(contact):
        for scores in geometry_of(theorem.loss).all_labels(by_name(point), n_classes):
            excess = excess_at(theorem, scores, eta)
            if excess is not None:
                rounds = [{"scores": [str(score) for score in scores], "label": k} for k in range(n_classes)]
                return _witness(n_classes, eta, rounds, "sum of probabilities needed, minus 1", exact(excess))
    return None


def _witness(n_classes: int, eta: Fraction, rounds: list[Document], what: str, excess: object) -> Witness:
    return {"K": n_classes, "learning_rate": str(eta), "rounds": rounds, "positive": what, "value": excess}


def breaks_every_rate(contact: Binding, n_classes: int) -> Witness | None:
    """An exact point where, or beside which, fixed + eta slope is positive for every eta > 0: no rate will do."""
    constraint = contact.constraint.at(n_classes)
    if constraint is None:
        return None
    for point in points(contact):
        try:
            if not all(holds(relation, point) for relation in constraint.region):
                continue
            fixed, slope = (evaluate(part, point) for part in (constraint.fixed, constraint.slope))
            found = {"fixed": exact(fixed), "slope": exact(slope)}
            if is_less(Fraction(0), fixed) or (fixed == 0 and is_less(Fraction(0), slope)):
                return _nowhere(constraint, n_classes, point) | found
            beside = _rises(constraint, point) if fixed == 0 == slope else None
            if beside is not None:
                return _nowhere(constraint, n_classes, point) | found | {"rises": beside}
        except (UncertainError, ValueError, ZeroDivisionError):
            continue
    return None


def _nowhere(constraint: RateConstraint, n_classes: int, point: Point) -> Witness:
    shown = {str(variable): str(value) for variable, value in point.items()}
    return {"K": n_classes, "kind": constraint.kind, "point": shown}


def _rises(constraint: RateConstraint, point: Point) -> Witness | None:
    """A variable along which the slope rises while the fixed part, 0 there as it is, does not fall at first."""
    for variable, value in point.items():
        along = evaluate(sp.diff(constraint.slope, variable), point)
        fixed = evaluate(sp.diff(constraint.fixed, variable), point)
        if fixed != 0 or not (is_positive(along) or is_positive(-along)):
            continue
        step = point | {variable: value + BESIDE * (1 if is_positive(along) else -1)}
        if all(holds(relation, step) for relation in constraint.region):
            return {"variable": str(variable), "derivative": exact(along)}
    return None
