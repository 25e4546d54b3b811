"""What is known of the exponentials and logarithms of hypotheses: 1 <= exp(-v) and v >= 0 leave one value of v."""

from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction

from gaptron.kernel import Claim, Rejected, Relation
from gaptron.kernel.enclosures import Interval, enclose
from gaptron.language.terms import Term, names, subterms
from gaptron.prove.derived_rules import equation, power_proof
from gaptron.prove.goals import bounds_on
from gaptron.prove.proofs import Known, Proof
from gaptron.prove.rational_functions import quotient

BITS = 64
Glance = Callable[[Claim], Proof | None]


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
    parts = (part for side in (relation.left, relation.right) for part in subterms(side))
    return [p for p in parts if isinstance(p, tuple) and p[0] in ("exp", "log") and names(p) == {name}]


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
