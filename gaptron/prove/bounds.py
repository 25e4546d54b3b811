"""What is known of variables, exponentials and logarithms, by constants and by each other.

Variables have bounds that follow from hypotheses linear in several. Exponentials and logarithms of K alone are bounded
and then given names of their own, so that K is a polynomial's. Those of hypotheses have ranges: 1 <= exp(-v) and v >= 0
leave one value of v.
"""

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from fractions import Fraction
from math import ceil, floor, inf

import numpy as np

from gaptron.kernel import Claim, Rejected, Relation
from gaptron.kernel.enclosures import End, Interval, enclose
from gaptron.language.terms import Term, arguments, names, substitute, term_data
from gaptron.prove.derived_rules import equation, power_proof
from gaptron.prove.goals import bounds_on, generalized
from gaptron.prove.positivstellensatz import QUICK, find_combination, least_sum
from gaptron.prove.proofs import Known, Proof
from gaptron.prove.rational_functions import Polynomial, functions_in, quotient

DENOMINATOR = 1000
SECONDS = 2.0
NAME = "atom_{}_of_{}"
BITS = 64
SCALE = 64  # of the rational bounds of an exponential

Glance = Callable[[Claim], Proof | None]


# --- variables ----------------------------------------------------------------------------------------------------


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


# --- exponentials and logarithms ----------------------------------------------------------------------------------


def atoms_of(claim: Claim, name: str) -> list[Term]:
    """The outermost logarithms and exponentials in the conclusion that contain this variable alone."""
    sides = (claim.then.left, claim.then.right)
    return list(dict.fromkeys(atom for side in sides for atom in _outermost(side, name)))


def _outermost(term: Term, name: str) -> Iterator[Term]:
    if isinstance(term, tuple) and term[0] in ("log", "exp") and names(term) == {name}:
        yield term
    else:
        for argument in arguments(term):
            yield from _outermost(argument, name)


def bounds_of(atom: Term, name: str, start: Fraction) -> Iterator[Relation]:
    """What may be known of an atom for values from ``start`` on; each is to be proved, or left."""
    at_start = substitute(atom, name, start)
    if isinstance(atom, tuple) and atom[0] == "exp":
        low, high = enclose(at_start, {}, BITS)
        yield Relation(">", atom, Fraction(0))
        for end, sign in ((high, "<="), (low, ">=")):
            simple = _simple(end, sign == "<=")
            yield Relation(sign, atom, simple)
            yield Relation(sign, ("*", name, atom), start * simple)
        return
    yield Relation(">=", atom, at_start)
    yield Relation("<=", atom, at_start)
    if atom == ("log", name):
        yield Relation("<=", atom, ("+", at_start, ("*", 1 / start, ("+", name, -start))))


def _simple(end: End, upward: bool) -> Fraction:
    """A simple rational beyond the end of an enclosure."""
    if not isinstance(end, Fraction):
        return Fraction(0)
    return Fraction(ceil(end * SCALE) if upward else floor(end * SCALE), SCALE)


def named(claim: Claim, atoms: list[Term], name: str) -> tuple[Claim, list[tuple[Term, str]]]:
    """The claim with a variable in the place of each atom, and which stands for which."""
    chosen = [(atom, NAME.format(number, name)) for number, atom in enumerate(atoms, 1)]
    for atom, new in chosen:
        claim = generalized(claim, atom, new)
    return claim, chosen


def unnamed(proof: Proof, chosen: list[tuple[Term, str]]) -> Proof:
    """The proof of the claim with its atoms, from one of ``named``."""
    for atom, new in reversed(chosen):
        proof = {"rule": "generalize", "term": term_data(atom), "new": new, "proof": proof}
    return proof


def add_ranges(known: Known, name: str, rate: Fraction | None, glance: Glance) -> None:
    """Lemmas: atoms of hypotheses lie between constants, and exponentials are powers of the one with this rate."""
    box = {name: bounds_on(known.claim.given, name, BITS)}
    relations = known.claim.given
    if not any(_atoms(relation, name) for relation in relations):
        return
    for relation in relations:
        for atom in _atoms(relation, name):
            _add_ends(known, atom, box, glance)
    if rate is None or rate.denominator == 1:
        return
    for relation in (*relations, known.claim.then):
        for atom in _atoms(relation, name):
            _add_power(known, atom, name, rate)


def _atoms(relation: Relation, name: str) -> list[Term]:
    return [part for side in (relation.left, relation.right) for part in functions_in(side) if names(part) == {name}]


def _add_ends(known: Known, atom: Term, box: dict[str, Interval], glance: Glance) -> None:
    with suppress(Rejected):
        for sign, end in zip((">=", "<="), enclose(atom, box, BITS), strict=True):
            if isinstance(end, Fraction):
                relation = Relation(sign, atom, end)
                _add(known, relation, glance(known.claim.instead(relation)))


def _add_power(known: Known, atom: Term, name: str, rate: Fraction) -> None:
    """exp(n r v) = exp(r v)^n, where the kernel sees two atoms because r is a fraction."""
    if not isinstance(atom, tuple) or atom[0] != "exp":
        return
    numerator, denominators = quotient(atom[1])
    times = numerator.get(((f'"{name}"', 1),), Fraction(0)) / rate
    if len(numerator) > 1 or denominators or times.denominator > 1 or times in (0, 1, -1):
        return
    power = (atom, ("exp", ("*", rate, name)), int(times))
    with suppress(Rejected):
        _add(known, equation(power), power_proof(known.claim, name, power))


def _add(known: Known, relation: Relation, proof: Proof | None) -> None:
    if proof is not None and relation not in known.claim.given:
        known.add(relation, proof)
