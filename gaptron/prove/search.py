"""Search for proofs that the kernel accepts: every step mirrors one of its rules.

Algebraic claims are combinations of their hypotheses. The others lose K by its powers, then variables by moving them
to their bounds, and the last one by bisection, with a slope wherever zero is touched.
"""

import time
from contextlib import suppress
from fractions import Fraction
from itertools import product
from math import gcd, inf, lcm

from gaptron.kernel import Claim, Rejected, Relation
from gaptron.language.relations import requirements
from gaptron.language.terms import Term, names, substitute, subterms
from gaptron.prove.bounds import add_constant_bounds, add_ranges, atoms_of, bounds_of, named, unnamed
from gaptron.prove.derived_rules import (
    by_clearing,
    by_coefficients,
    by_exponential,
    cleared,
    coefficient_goals,
    exponential_goal,
)
from gaptron.prove.goals import bounds_on, is_false, move_goals, way_of
from gaptron.prove.hypotheses import Hypotheses, starts_at
from gaptron.prove.one_variable import Prove, prove_one_variable
from gaptron.prove.positivstellensatz import FIRST, LEVELS, QUICK, USUAL, find_combination
from gaptron.prove.proofs import Known, NotFoundError, Proof, enclosed
from gaptron.prove.rational_functions import functions_in, polynomial_term, primitive, quotient

ZERO = Fraction(0)
DEPTH = 6
CLASSES = "K"
FACT = 0.5  # seconds for each thing that may be known of a logarithm or exponential of K
TAIL_BITS = 64

SIGNS = {"nonzero": (">", "<", "!="), "positive": (">",), "nonnegative": (">", ">=")}
DEEP = LEVELS[:5]  # for steps of a longer proof, many of which are only tried
HIGH = (2, 2)
TANGENTS = ((2, 0), (3, 0))


class Search:
    """One search, with its deadline in this process's time."""

    def __init__(self, deadline: float) -> None:
        self.deadline = deadline

    def check_time(self) -> None:
        """Raise NotFoundError after the deadline."""
        if time.process_time() > self.deadline:
            raise NotFoundError("the search took all of its time", "a longer --timeout may help")

    def prove(self, claim: Claim, depth: int = 0) -> Proof:
        """A proof by whichever rule closes the claim first."""
        self.check_time()
        if depth > DEPTH:
            raise NotFoundError("the search gave up")
        for number, relation in enumerate(claim.given):
            if is_false(relation):
                return self._contradicted(claim, number)
        if is_false(claim.then):
            return self._nowhere(claim, depth)
        if claim.then.sign == "=":
            sides = [Relation(sign, claim.then.left, claim.then.right) for sign in ("<=", ">=")]
            upper, lower = (self.prove(claim.instead(side), depth) for side in sides)
            return {"rule": "both", "upper": upper, "lower": lower}
        if claim.then.sign == "!=":
            return self._apart(claim, depth)
        known = Known(claim)
        self._define(known, depth)
        return known.close(self._defined(known.claim, depth))

    def _contradicted(self, claim: Claim, number: int) -> Proof:
        """By a hypothesis that is false, whatever its denominators are, whose signs are told."""
        known = Known(claim.instead(claim.given[number]))
        for factor, wanted, _ in _unknown_factors(known.claim):
            found = self._sign_at_a_glance(known.claim, factor, wanted)
            if found is not None:
                known.add(*found)
        return known.close({"rule": "contradiction", "hypothesis": number})

    def _nowhere(self, claim: Claim, depth: int) -> Proof:
        """That hypotheses contradict each other: at once, or because one of them is false where the others hold."""
        proof = find_combination(claim, self.deadline, QUICK) or self._one_is_false(claim, depth)
        proof = proof or find_combination(claim, self.deadline, LEVELS if depth == 0 else DEEP)
        if proof is None:
            raise NotFoundError("the region could not be shown to be empty")
        return proof

    def _one_is_false(self, claim: Claim, depth: int) -> Proof | None:
        """A hypothesis that is no bound of a variable, and that the others contradict."""
        for number, relation in enumerate(claim.given):
            if relation.sign in ("=", "!=") or is_algebraic(relation.difference):
                continue
            keep = [n for n in range(len(claim.given)) if n != number]
            others = Claim(tuple(claim.given[n] for n in keep), relation.negation(), claim.integers)
            with suppress(NotFoundError, Rejected):
                known = Known(claim)
                below = self.prove(others, depth + 1)
                known.add(relation.negation(), {"rule": "weaken", "keep": keep, "proof": below})
                proof = find_combination(known.claim, self.deadline, QUICK)
                if proof is not None:
                    return known.close(proof)
            self.check_time()
        return None

    def _apart(self, claim: Claim, depth: int) -> Proof:
        for sign in (">", "<"):
            there = claim.instead(Relation(sign, claim.then.left, claim.then.right))
            try:
                return {"rule": "apart", "sign": sign, "proof": self.prove(there, depth)}
            except NotFoundError:
                continue
        raise NotFoundError("the sides of an inequation could not be told apart")

    def _defined(self, claim: Claim, depth: int) -> Proof:
        """The proof when everything in the conclusion is known to be defined."""
        f = claim.then.upper()[0]
        atoms = atoms_of(claim, CLASSES)
        proof = enclosed(claim) if not names(f) or atoms else None
        if atoms and proof is None:
            return self._with_names(claim, atoms, depth)
        if is_algebraic(f):
            proof = proof or find_combination(claim, self.deadline, QUICK) or self._by_definitions(claim)
            proof = proof or find_combination(claim, self.deadline, LEVELS if depth == 0 else DEEP)
        elif proof is None and _has_removable_poles(f):
            return by_clearing(claim, self.prove(cleared(claim), depth + 1))
        else:
            proof = proof or find_combination(claim, self.deadline, FIRST) or self._by_tangents(claim, depth)
            proof = proof or find_combination(claim, self.deadline, USUAL)
        return proof or self._eliminate_or_clear(claim, depth)

    def _eliminate_or_clear(self, claim: Claim, depth: int) -> Proof:
        """As it is written, or else multiplied out, if logarithms or exponentials cancel then."""
        try:
            return self._eliminate(claim, depth)
        except (NotFoundError, Rejected):
            self.check_time()
            if depth > 0 or not _cancels(claim):
                raise
        return by_clearing(claim, self.prove(cleared(claim), depth + 1))

    def _by_definitions(self, claim: Claim) -> Proof | None:
        """With what hypotheses put for variables in their places: fewer variables leave room for higher degrees."""
        defined = {str(r.left): r.right for r in claim.given if _is_definition(r, claim.then)}
        keep = [n for n, r in enumerate(claim.given) if r.names.isdisjoint(defined)]
        then = claim.then
        for name, value in defined.items():
            then = Relation(then.sign, *(substitute(side, name, value) for side in (then.left, then.right)))
        if not defined or not then.names.isdisjoint(defined):
            return None
        fewer = Claim(tuple(claim.given[n] for n in keep), then, claim.integers)
        with suppress(Rejected):
            known, proof = Known(claim), find_combination(fewer, self.deadline, (*DEEP, HIGH))
            if proof is not None:
                known.add(then, {"rule": "weaken", "keep": keep, "proof": proof})
                last = find_combination(known.claim, self.deadline, QUICK)
                return None if last is None else known.close(last)
        return None

    def _define(self, known: Known, depth: int) -> None:
        """Lemmas that fix the sign of every denominator, and define the logarithms and roots of the conclusion."""
        for factor, wanted, needed in _unknown_factors(known.claim):
            if Hypotheses(known.claim.given).meets(factor, wanted):
                continue
            found = self._sign(known.claim, factor, wanted, depth)
            if found is not None:
                known.add(*found)
            elif needed:
                raise NotFoundError(f"{factor} could not be shown to be {wanted}")

    def _sign(self, claim: Claim, factor: Term, wanted: str, depth: int) -> tuple[Relation, Proof] | None:
        found = self._sign_at_a_glance(claim, factor, wanted)
        if found is not None:
            return found
        for relation in _signs(factor, wanted):
            try:
                return relation, self.prove(claim.instead(relation), depth + 2)
            except (NotFoundError, Rejected):
                self.check_time()
        return None

    def _sign_at_a_glance(self, claim: Claim, factor: Term, wanted: str) -> tuple[Relation, Proof] | None:
        for look in (_at_sight, self._at_a_glance):  # a combination for the wrong sign may be looked for in vain
            for relation in _signs(factor, wanted):
                proof = look(claim.instead(relation))
                if proof is not None:
                    return relation, proof
        return None

    def _at_a_glance(self, claim: Claim) -> Proof | None:
        """By one enclosure or one small combination, if everything is defined."""
        try:
            return _at_sight(claim) or find_combination(claim, self.deadline, QUICK)
        except Rejected:
            return None

    def _eliminate(self, claim: Claim, depth: int) -> Proof:
        variables = sorted(names(claim.then.upper()[0]))
        if CLASSES in variables:
            return self._without_classes(claim, depth)
        known = Known(claim)
        for name in variables:
            add_constant_bounds(known, name)
        if len(variables) == 1:
            return known.close(self._one_variable(known.claim, variables[0], depth))
        inside = set[str]().union(*map(names, functions_in(claim.then.upper()[0])))
        variables.sort(key=lambda name: name in inside)
        for name, direction in product(variables, ("up", "down")):
            try:
                return self.move(claim, name, direction, lambda goal, _: self.prove(goal, depth + 1))
            except (NotFoundError, Rejected):
                self.check_time()
        raise NotFoundError("the search gave up")

    def _by_tangents(self, claim: Claim, depth: int) -> Proof | None:
        """Logarithms of variables, bounded by their tangents at the ends of the variables' ranges."""
        f, strict = claim.then.upper()  # an open end at which f is 0 is for tangents only
        variables = sorted({part for kind, part in functions_in(f) if kind == "log" and isinstance(part, str)})
        if not variables or (not strict and (depth > 0 or names(f) == set(variables))):
            return None
        known = Known(claim)
        for name in variables:
            add_constant_bounds(known, name)
            for point in bounds_on(known.claim.given, name, TAIL_BITS):
                if isinstance(point, Fraction) and point > 0:
                    relation = _tangent(name, point)
                    known.add(relation, prove_one_variable(self, known.claim.instead(relation), name, depth + 1))
        proof = find_combination(known.claim, self.deadline, TANGENTS)
        return None if proof is None else known.close(proof)

    def _one_variable(self, claim: Claim, name: str, depth: int) -> Proof:
        """By ranges of atoms, or bisection; a tail of exponentials becomes a finite interval first."""
        rate = tail_rate(claim.then.upper()[0], name)
        known = Known(claim)
        add_ranges(known, name, rate, self._at_a_glance)
        proof = find_combination(known.claim, self.deadline, USUAL) if known.lemmas else None
        if proof is not None:
            return known.close(proof)
        low, high = bounds_on(claim.given, name, TAIL_BITS)
        if rate is None or (low > -inf) == (high < inf):
            return prove_one_variable(self, claim, name, depth)
        rate = -rate if low > -inf else rate
        new = f"exp_{name}"
        known = Known(exponential_goal(claim, name, rate, new))
        self._define(known, depth + 1)
        proof = by_clearing(known.claim, self.prove(cleared(known.claim), depth + 1))
        return by_exponential(claim, name, rate, new, known.close(proof))

    def _with_names(self, claim: Claim, atoms: list[Term], depth: int) -> Proof:
        """What is known of logarithms and exponentials of K, and the claim with variables in their places."""
        start, known = _first_class_count(claim), Known(claim)
        for relation in (r for atom in atoms for r in bounds_of(atom, CLASSES, start)):
            proof = Search(min(self.deadline, time.process_time() + FACT))._about_classes(known.claim.instead(relation))
            if proof is not None:
                known.add(relation, proof)
        goal, chosen = named(known.claim, atoms, CLASSES)
        return known.close(unnamed(self.prove(goal, depth + 1), chosen))

    def _about_classes(self, claim: Claim) -> Proof | None:
        """A proof from what is known of K alone: at a glance, because f falls from the smallest K on, or in parts."""

        def in_parts(goal: Claim) -> Proof:
            return prove_one_variable(self, goal, CLASSES, DEPTH - 2)

        def falling(goal: Claim) -> Proof:
            return self.move(
                goal, CLASSES, "down", lambda p, _: find_combination(p, self.deadline, USUAL) or in_parts(p)
            )

        with suppress(NotFoundError, Rejected):
            return self._at_a_glance(claim) or falling(claim)
        with suppress(NotFoundError, Rejected):
            return in_parts(claim)
        return None

    def _without_classes(self, claim: Claim, depth: int) -> Proof:
        start = _first_class_count(claim)
        known = Known(claim)
        for relation in _weaker(claim, start):
            proof = self._at_a_glance(known.claim.instead(relation))
            if proof is not None:
                known.add(relation, proof)
        parts = [self.prove(goal, depth + 1) for goal in coefficient_goals(known.claim, CLASSES, start)]
        return known.close(by_coefficients(known.claim, CLASSES, start, parts))

    def move(self, claim: Claim, name: str, direction: str, prove: Prove) -> Proof:
        """``move``, with the claims on the slope and on the ends proved by ``prove(claim, is_slope)``."""
        known = Known(Claim(way_of(claim, name), claim.then, claim.without(name).integers))
        self._define(known, DEPTH - 2)
        slope, arrivals = move_goals(claim, name, direction, known.claim.given)
        return {
            "rule": "move",
            "variable": name,
            "direction": direction,
            "facts": [[relation.data, proof] for relation, proof in known.lemmas],
            "slope": prove(slope, True),
            "ends": [prove(arrival, False) for arrival in arrivals],
        }


def _at_sight(claim: Claim) -> Proof | None:
    """By one enclosure, if it is an inequality."""
    return None if claim.then.sign == "!=" else enclosed(claim)


def _signs(factor: Term, wanted: str) -> list[Relation]:
    """Any of these is enough."""
    return [Relation(sign, factor, ZERO) for sign in SIGNS[wanted]]


def _has_removable_poles(term: Term) -> bool:
    """Whether its denominators cancel, as those of p psi'(p) do: at their zeros its enclosures are infinite."""
    powers = (part for part in subterms(term) if isinstance(part, tuple) and part[0] == "^")
    return any(part[2] < 0 and names(part) for part in powers) and not quotient(term)[1]


def _cancels(claim: Claim) -> bool:
    """Whether logarithms and exponentials cancel when products are multiplied out."""
    with suppress(Rejected):
        return len(functions_in(cleared(claim).then.left)) < len(functions_in(claim.then.upper()[0]))
    return False


def _is_definition(relation: Relation, then: Relation) -> bool:
    """v = t for a variable of the conclusion that is not in t, or v <= t where the conclusion is v <= something."""
    name = relation.left
    if not isinstance(name, str) or name in names(relation.right) or name not in then.names:
        return False
    return relation.sign == "=" or (relation.sign == then.sign and name == then.left and name not in names(then.right))


def _tangent(name: str, point: Fraction) -> Relation:
    """log(v) <= log(c) + (v - c)/c."""
    slope: Term = ("*", 1 / point, ("+", name, -point))
    return Relation("<=", ("log", name), ("+", ("log", point), slope))


def tail_rate(term: Term, name: str) -> Fraction | None:
    """The largest rate of which all rates r in exp(r * name + ...) are multiples; None without exponentials."""
    rates = []
    for kind, argument in functions_in(term):
        if kind == "exp" and name in names(argument):
            numerator, denominators = quotient(argument)
            rates += [abs(c) for m, c in numerator.items() if m == ((f'"{name}"', 1),) and not denominators]
    if not rates:
        return None
    return Fraction(gcd(*(r.numerator for r in rates)), lcm(*(r.denominator for r in rates)))


def is_algebraic(term: Term) -> bool:
    """No exponential or logarithm of a variable."""
    return not functions_in(term)


def _unknown_factors(claim: Claim) -> list[tuple[Term, str, bool]]:
    """(factor, what it must be, whether the conclusion needs it): denominators of hypotheses help, but may stay."""
    found: list[tuple[Term, str, bool]] = []
    for relation in (claim.then, *claim.given):
        needed = relation is claim.then
        for side in (relation.left, relation.right):
            for _, (term, wanted) in requirements(side):
                if needed or wanted == "nonzero":
                    found += [(factor, kind, needed) for factor, kind in _parts(term, wanted)]
    return found


def _parts(term: Term, wanted: str) -> list[tuple[Term, str]]:
    """The numerator of a term, as it must be, and its denominators, which must have a sign."""
    try:
        numerator, denominators = quotient(term)
    except Rejected:
        return []
    if not numerator:
        return [(term, wanted)]
    factor, _ = primitive(numerator)
    top = polynomial_term(dict(factor) if wanted == "nonzero" else numerator)
    return [*((polynomial_term(dict(f)), "nonzero") for f in denominators), (top, wanted)]


def _first_class_count(claim: Claim) -> Fraction:
    found = [start for relation in claim.given if (start := starts_at(relation, CLASSES)) is not None]
    if not found:
        raise NotFoundError(f"{CLASSES} has no lower bound")
    return max(found)


def _weaker(claim: Claim, start: Fraction) -> list[Relation]:
    """Hypotheses with the least number of classes put in: without K, they may still follow."""
    mixed = [r for r in claim.given if CLASSES in (found := names(r.left) | names(r.right)) and len(found) > 1]
    return [Relation(r.sign, *(substitute(side, CLASSES, start) for side in (r.left, r.right))) for r in mixed]
