"""Search for proofs that the kernel accepts: every step mirrors one of its rules.

Algebraic claims are combinations of their hypotheses. The others lose K by its powers, then variables by moving them
to their bounds, and the last one by bisection, with a slope wherever zero is touched.
"""

import time
from collections.abc import Callable
from fractions import Fraction
from math import gcd, inf, lcm

from gaptron.kernel import Claim, Rejected, Relation, check
from gaptron.kernel.polynomials import polynomial_term, primitive, quotient
from gaptron.kernel.relations import Hypotheses, requirements
from gaptron.kernel.rules import Proof, bounds_on, cleared, exponential_goal, is_false, move_goals, powers_goals, way_of
from gaptron.kernel.terms import Term, names, substitute, subterms
from gaptron.prove.bounds import constant_bounds, least
from gaptron.prove.one_variable import prove_one_variable
from gaptron.prove.positivstellensatz import LEVELS, QUICK, USUAL, find_combination
from gaptron.prove.proofs import NotFoundError, enclosed, with_lemmas

ZERO = Fraction(0)
DEPTH = 6
CLASSES = "K"
TAIL_BITS = 64

Lemmas = list[tuple[Relation, Proof]]
Prove = Callable[[Claim, bool], Proof]


def certify(claim: Claim, seconds: float) -> Proof:
    """A proof of the claim that the kernel has accepted.

    Raises
    ------
    NotFoundError
        If the search ends, or ``seconds`` pass, without one.
    """
    try:
        proof = Search(time.monotonic() + seconds).prove(claim)
        check(claim, proof)
    except (Rejected, RecursionError, OverflowError) as error:
        raise NotFoundError(str(error)) from error
    return proof


class Search:
    """One search, with its deadline."""

    def __init__(self, deadline: float) -> None:
        self.deadline = deadline

    def check_time(self) -> None:
        """Raise NotFoundError after the deadline."""
        if time.monotonic() > self.deadline:
            raise NotFoundError("the deadline passed")

    def prove(self, claim: Claim, depth: int = 0) -> Proof:
        """A proof by whichever rule closes the claim first."""
        self.check_time()
        if depth > DEPTH:
            raise NotFoundError("too many steps")
        for number, relation in enumerate(claim.given):
            if is_false(relation):
                return {"rule": "contradiction", "hypothesis": number}
        if claim.then.sign == "=":
            sides = [Relation(sign, claim.then.left, claim.then.right) for sign in ("<=", ">=")]
            upper, lower = (self.prove(claim.instead(side), depth) for side in sides)
            return {"rule": "both", "upper": upper, "lower": lower}
        if claim.then.sign == "!=":
            return self._apart(claim, depth)
        return with_lemmas(self._definitions(claim, depth), claim, lambda known: self._defined(known, depth))

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
        proof = enclosed(claim) if not names(f) else None
        proof = proof or find_combination(claim, self.deadline, QUICK)
        if proof is not None:
            return proof
        proof = find_combination(claim, self.deadline, LEVELS if is_algebraic(f) else USUAL) if names(f) else None
        if proof is not None:
            return proof
        return self._eliminate(claim, depth)

    def _definitions(self, claim: Claim, depth: int) -> Lemmas:
        """Lemmas that fix the sign of every denominator, and define the logarithms and roots of the conclusion."""
        lemmas: Lemmas = []
        for factor, wanted, needed in _unknown_factors(claim):
            if Hypotheses(claim.given).meets(factor, wanted):
                continue
            found = self._sign(claim, factor, wanted, depth)
            if found is not None:
                lemmas.append(found)
                claim = claim.also(found[0])
            elif needed:
                raise NotFoundError(f"{factor} could not be shown to be {wanted}")
        return lemmas

    def _sign(self, claim: Claim, factor: Term, wanted: str, depth: int) -> tuple[Relation, Proof] | None:
        for sign in {"nonzero": (">", "<", "!="), "positive": (">",), "nonnegative": (">", ">=")}[wanted]:
            relation = Relation(sign, factor, ZERO)
            try:
                return relation, self.prove(claim.instead(relation), depth + 1)
            except (NotFoundError, Rejected):
                continue
        return None

    def _eliminate(self, claim: Claim, depth: int) -> Proof:
        variables = sorted(names(claim.then.upper()[0]))
        if CLASSES in variables:
            return self._without_classes(claim, depth)
        bounds = [(relation, proof) for name in variables for relation, proof in constant_bounds(claim, name)]
        if len(variables) == 1:
            return with_lemmas(bounds, claim, lambda known: self._one_variable(known, variables[0], depth))
        attempts = [(name, direction) for name in variables for direction in ("up", "down")]
        return self._first(lambda way: self.move(claim, *way, lambda goal, _: self.prove(goal, depth + 1)), attempts)

    def _one_variable(self, claim: Claim, name: str, depth: int) -> Proof:
        """By bisection; a tail of exponentials becomes a finite interval first."""
        low, high = bounds_on(claim.given, name, TAIL_BITS)
        rate = tail_rate(claim.then.upper()[0], name)
        if rate is None or (low > -inf) == (high < inf):
            return prove_one_variable(self, claim, name, depth)
        rate = -rate if low > -inf else rate
        new = f"exp_{name}"
        there = exponential_goal(claim, name, rate, new)
        proof = with_lemmas(self._definitions(there, depth + 1), there, lambda known: self._cleared(known, depth + 1))
        return {"rule": "exponential", "variable": name, "rate": str(rate), "new": new, "proof": proof}

    def _cleared(self, claim: Claim, depth: int) -> Proof:
        return {"rule": "clear", "proof": self.prove(cleared(claim), depth)}

    def _first(self, attempt: Callable[[tuple[str, str]], Proof], ways: list[tuple[str, str]]) -> Proof:
        for way in ways:
            try:
                return attempt(way)
            except (NotFoundError, Rejected):
                self.check_time()
        raise NotFoundError("no variable could be moved to a bound")

    def _without_classes(self, claim: Claim, depth: int) -> Proof:
        start = max(
            (bound for relation in claim.given if (bound := least(relation, CLASSES)) is not None), default=None
        )
        if start is None:
            raise NotFoundError(f"{CLASSES} has no lower bound")
        lemmas = [
            (r, p) for r in _weaker(claim, start) if (p := find_combination(claim.instead(r), self.deadline, QUICK))
        ]

        def without(known: Claim) -> Proof:
            parts = [self.prove(goal, depth + 1) for goal in powers_goals(known, CLASSES, start)]
            return {"rule": "powers", "variable": CLASSES, "start": str(start), "parts": parts}

        return with_lemmas(lemmas, claim, without)

    def move(self, claim: Claim, name: str, direction: str, prove: Prove) -> Proof:
        """``move``, with the claims on the slope and on the ends proved by ``prove(claim, is_slope)``."""
        way = Claim(way_of(claim, name), claim.then)
        facts = self._definitions(way, DEPTH - 1)
        along = (*way.given, *(relation for relation, _ in facts))
        slope, arrivals = move_goals(claim, name, direction, along)
        return {
            "rule": "move",
            "variable": name,
            "direction": direction,
            "facts": [[relation.data, proof] for relation, proof in facts],
            "slope": prove(slope, True),
            "ends": [prove(arrival, False) for arrival in arrivals],
        }


def tail_rate(term: Term, name: str) -> Fraction | None:
    """The largest rate of which all rates r in exp(r * name + ...) are multiples; None without exponentials."""
    rates = []
    for part in subterms(term):
        if isinstance(part, tuple) and part[0] == "exp" and name in names(part):
            numerator, denominators = quotient(part[1])
            rates += [
                abs(c) for monomial, c in numerator.items() if monomial == ((f'"{name}"', 1),) and not denominators
            ]
    if not rates:
        return None
    return Fraction(gcd(*(r.numerator for r in rates)), lcm(*(r.denominator for r in rates)))


def is_algebraic(term: Term) -> bool:
    """No exponential or logarithm of a variable."""
    return not any(isinstance(part, tuple) and part[0] in ("exp", "log") and names(part) for part in subterms(term))


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


def _weaker(claim: Claim, start: Fraction) -> list[Relation]:
    """Hypotheses with the least number of classes put in: without K, they may still follow."""
    mixed = [r for r in claim.given if CLASSES in (found := names(r.left) | names(r.right)) and len(found) > 1]
    return [Relation(r.sign, *(substitute(side, CLASSES, start) for side in (r.left, r.right))) for r in mixed]
