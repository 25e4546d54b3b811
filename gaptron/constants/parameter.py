"""The parameter of a loss of one's own, chosen for the largest learning rate of the given gap map.

The choice is a search. It is proved to be the best one if there is a round for all smaller values, and one for all
larger values, whose surrogate gap is at least 0 at the learning rate found and grows with it: then no value allows a
larger one.
"""

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import numpy as np
import sympy as sp

from gaptron.constants.contacts import Place, commons
from gaptron.constants.engine import Engine
from gaptron.constants.largest_rates import Finding
from gaptron.constants.questions import lemma_tasks
from gaptron.constants.rate_constraint import RateConstraint, all_follow, gap_constraints, in_symbols
from gaptron.constants.rate_search import contacts
from gaptron.guesses.computer_algebra import SympyGuesses, seems_empty
from gaptron.guesses.in_sympy import SympyRegion
from gaptron.obligations.sequents import class_conditions
from gaptron.symbols import K, Parameter
from gaptron.theory.refusals import TheoremError
from gaptron.theory.theorem import Lemma, Theorem

PLACES = 9
ROUNDS = 8
DENOMINATORS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 100, 10**3, 10**5)
AS_GOOD = 1e-9


def choose(theorem: Theorem) -> dict[Parameter, Fraction]:
    """The best value found for the theorem's parameter, at its smallest K; nothing if it has none.

    Raises
    ------
    TheoremError
        If it has several parameters, one without both bounds, or no gap map.
    """
    if not theorem.parameters:
        return {}
    parameter = theorem.parameters[0]
    if len(theorem.parameters) > 1 or parameter.low is None or parameter.high is None:
        names = ", ".join(map(str, theorem.parameters))
        raise TheoremError(f"the parameters {names} cannot be optimised: one parameter with both bounds is needed")
    if theorem.decoder == "best":
        raise TheoremError(f"the parameter {parameter} is chosen for a gap map, and there is none: give it a value")
    constraints = list(in_symbols(theorem, gap_constraints))
    low, high = Fraction(str(parameter.low)), Fraction(str(parameter.high))

    def rate(value: Fraction) -> float:
        found = contacts(_at(constraints, parameter, value), theorem.first_class_count)
        return found[0].rate if found else -np.inf

    best = _climbed(rate, low, high)
    return {parameter: _simplest(rate, best, low, high)}


def is_best(theorem: Theorem, chosen: dict[Parameter, Fraction], answer: Finding, engine: Engine) -> bool:
    """Whether it is proved that no other value of the parameter allows a larger learning rate than ``answer`` has."""
    eta = answer.closed_form
    if eta is None:
        return False
    ((parameter, value),) = chosen.items()
    exact = sp.Rational(value)
    sides = [(parameter >= parameter.low, parameter < exact), (parameter > exact, parameter <= parameter.high)]
    groups = {first: {n: c for n, c in answer.contacts.items() if (n == 2) == (first == 2)} for first in (2, 3)}
    binding = {first: list(commons(group, first, limits=True)) for first, group in groups.items() if group}
    every = [
        [lemma_tasks(lemma) for lemma in _lemmas(theorem, chosen, side, first, places, eta)]
        for side in sides
        for first, places in binding.items()
    ]
    proved = iter([failed is None for failed in engine.failures([a for attempts in every for a in attempts])])
    found = [[next(proved) for _ in attempts] for attempts in every]
    return all(any(proofs) for proofs in found)


def _lemmas(
    theorem: Theorem, chosen: dict[Parameter, Fraction], side: SympyRegion, first: int,
    places: Sequence[tuple[RateConstraint, Place]], eta: sp.Expr,
) -> Iterator[Lemma]:  # fmt: skip
    """For each place that binds at the chosen value: the round is there for this side's values, with a gap >= 0."""
    classes = {K: sp.Integer(2)} if first == 2 else {}
    given = (*side, *(SympyGuesses.of(theorem).region(class_conditions(theorem, 3)) if first == 3 else ()))
    for whole in in_symbols(theorem, gap_constraints):
        at_value = _at([whole], *next(iter(chosen.items())))
        for constraint, place in places:
            if at_value and _same(at_value[0], constraint):
                gap, slope, *inside = (
                    part.subs(place).subs(classes)
                    for part in (whole.fixed + eta * whole.slope, whole.slope, *whole.region)
                )
                grows = (sp.Ge(gap, 0, evaluate=False), sp.Gt(slope, 0, evaluate=False))
                conclusions = [*grows, *(relation for relation in inside if relation not in (sp.true, *given))]
                if sp.false not in conclusions:
                    name = f"{theorem.name}: no larger learning rate for {side[0]}, {side[1]}"
                    found = all_follow("round ", "the gap is at least 0", given, conclusions)
                    yield Lemma(name=name, implications=found)


def _same(one: RateConstraint, other: RateConstraint) -> bool:
    """Whether the two say the same, up to the form of their relations and expressions."""
    regions = [{relation.canonical for relation in c.region} for c in (one, other)]
    parts = ((one.fixed, other.fixed), (one.slope, other.slope))
    return one.kind == other.kind and regions[0] == regions[1] and all(sp.expand(a - b) == 0 for a, b in parts)


def _at(constraints: Sequence[RateConstraint], parameter: Parameter, value: Fraction) -> list[RateConstraint]:
    put = (c.put({parameter: sp.Rational(value)}) for c in constraints)
    return [c for c in put if c is not None and not seems_empty(c.region)]


def _climbed(rate: Callable[[Fraction], float], low: Fraction, high: Fraction) -> Fraction:
    """A grid, again and again around its best point."""
    left, right = low, high
    best = low
    for _ in range(ROUNDS):
        grid = [left + (right - left) * Fraction(i, PLACES - 1) for i in range(PLACES)]
        best = max(grid, key=rate)
        width = (right - left) / (PLACES - 1)
        left, right = max(low, best - width), min(high, best + width)
    return best


def _simplest(rate: Callable[[Fraction], float], best: Fraction, low: Fraction, high: Fraction) -> Fraction:
    """The simplest number nearby that is as good."""
    goal = rate(best)
    for denominator in DENOMINATORS:
        near = best.limit_denominator(denominator)
        if low <= near <= high and rate(near) >= goal * (1 - AS_GOOD):
            return near
    return best
