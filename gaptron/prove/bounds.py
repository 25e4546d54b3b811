"""Bounds of one variable by constants that follow from hypotheses linear in several."""

import time
from fractions import Fraction
from math import inf

import numpy as np

from gaptron.kernel import Claim, Rejected, Relation
from gaptron.prove.goals import bounds_on
from gaptron.prove.positivstellensatz import QUICK, find_combination
from gaptron.prove.proofs import Known
from gaptron.prove.rational_functions import Polynomial, quotient
from gaptron.prove.weights import least_sum

DENOMINATOR = 1000
SECONDS = 2.0


def least(relation: Relation, name: str) -> Fraction | None:
    """c if the relation says name >= c."""
    left, right, signs = relation.left, relation.right, (">=", ">")
    if right == name:
        left, right, signs = right, left, ("<=", "<")
    return right if left == name and relation.sign in signs and isinstance(right, Fraction) else None


def rational_bounds(claim: Claim, name: str) -> list[tuple[Fraction, bool, bool]]:
    """(bound, is lower, is strict) of the hypotheses that bound the variable by a rational."""
    found = []
    for relation in claim.given:
        row = _linear(relation) or {}
        if row.get(name) and row.keys() <= {name, ""}:
            bound = -row.get("", Fraction(0)) / row[name]
            found.append((bound, row[name] < 0, relation.sign in ("<", ">")))
    return found


def add_constant_bounds(known: Known, name: str) -> None:
    """Lemmas name >= c and name <= c that the other variables imply, where they say more than the bounds given."""
    low, high = bounds_on(known.claim.given, name, 64)
    for sign, direction in (("<=", 1), (">=", -1)):
        extreme = _extreme(known.claim, name, direction)
        if extreme is None or (extreme >= high if direction > 0 else extreme <= low):
            continue
        relation = Relation(sign, name, extreme)
        proof = find_combination(known.claim.instead(relation), time.process_time() + SECONDS, QUICK)
        if proof is not None:
            known.add(relation, proof)


def _extreme(claim: Claim, name: str, direction: int) -> Fraction | None:
    """The largest (smallest) value of the variable under the linear hypotheses, rounded to a simple rational."""
    rows = [row for relation in claim.given if (row := _linear(relation)) is not None]
    variables = sorted({n for row in rows for n in row if n} | {name})
    table = np.array([[float(row.get(v, 0)) for v in variables] for row in rows]).reshape(len(rows), len(variables))
    right = np.array([-float(row.get("", 0)) for row in rows])
    goal = np.array([-direction * (v == name) for v in variables], dtype=float)
    found = least_sum(goal, table, -inf, right, least=-inf)
    if found.status != 0 or found.x is None:
        return None
    value = float(found.x[variables.index(name)])
    return Fraction(value).limit_denominator(DENOMINATOR)


def _linear(relation: Relation) -> dict[str, Fraction] | None:
    """Coefficients of an inequality sum <= 0 linear in its variables, the constant under ""; else None."""
    if relation.sign in ("=", "!="):
        return None
    try:
        numerator, denominators = quotient(relation.upper()[0])
    except Rejected:
        return None
    if denominators:
        return None
    return _coefficients(numerator)


def _coefficients(value: Polynomial) -> dict[str, Fraction] | None:
    row: dict[str, Fraction] = {}
    for monomial, coefficient in value.items():
        if monomial and (len(monomial) > 1 or monomial[0][1] > 1 or names_of_atom(monomial[0][0]) is None):
            return None
        row[str(names_of_atom(monomial[0][0])) if monomial else ""] = coefficient
    return row


def names_of_atom(atom: str) -> str | None:
    """The variable that an atom is, or None."""
    return atom[1:-1] if atom.startswith('"') else None
