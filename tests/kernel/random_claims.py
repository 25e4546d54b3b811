"""Random claims of the kernel, and whether they are seen to fail in doubles."""

import math
import random
from fractions import Fraction

from gaptron.kernel import Claim, Relation
from gaptron.language.terms import Term


def value_of(term: Term, point: dict[str, float]) -> float:
    """The value in floats; ValueError or ZeroDivisionError where it is undefined, OverflowError if too large."""
    if isinstance(term, Fraction):
        return float(term)
    if isinstance(term, str):
        return float(point[term])
    parts = [value_of(part, point) for part in (term[1:2] if term[0] in ("^", "root") else term[1:])]
    if term[0] == "+":
        return math.fsum(parts)
    if term[0] == "*":
        return math.prod(parts)
    if term[0] == "^":
        return float(parts[0] ** term[2])
    if term[0] == "root":
        return math.exp(math.log(parts[0]) / term[2]) if parts[0] else 0.0
    return math.exp(parts[0]) if term[0] == "exp" else math.log(parts[0])


def margin(relation: Relation, point: dict[str, float]) -> float:
    """How far a relation is from failing (positive) or from holding (negative); the least if it is undefined."""
    try:
        left, right = value_of(relation.left, point), value_of(relation.right, point)
    except (ValueError, ZeroDivisionError):
        return -math.inf
    error = 1e-9 * (1 + abs(left) + abs(right))
    if relation.sign in ("=", "!="):
        apart = abs(right - left) > error
        return error if apart == (relation.sign == "!=") else -2 * error
    found = right - left if relation.sign in ("<=", "<") else left - right
    return found if abs(found) > error else 0.0


def is_seen_to_fail(claim: Claim, generator: random.Random, points: int = 150) -> bool:
    """Whether a random point clearly fulfils all hypotheses and breaks the conclusion, computed in floats."""
    relations = (*claim.given, claim.then)
    terms = [side for r in relations for side in (r.left, r.right)]
    variables = sorted({name for term in (*terms, *claim.integers) for name in names_in(term)})
    for _ in range(points):
        scale = generator.choice((0.3, 1.0, 1.0, 4.0, 100.0))
        point = {name: generator.choice((round, float))(generator.uniform(-scale, scale)) for name in variables}
        try:
            meant = all(value_of(term, point).is_integer() for term in claim.integers)
            if meant and all(clearly_holds(r, point) for r in claim.given) and margin(claim.then, point) < -1e-9:
                return True
        except (OverflowError, ValueError, ZeroDivisionError):
            continue
    return False


def clearly_holds(relation: Relation, point: dict[str, float]) -> bool:
    return relation.sign != "=" and margin(relation, point) > 0


def names_in(term: Term) -> set[str]:
    if isinstance(term, str):
        return {term}
    return set().union(*(names_in(part) for part in term[1:])) if isinstance(term, tuple) else set()


def random_term(generator: random.Random, depth: int, kinds: str = "xyq++**^erl") -> Term:
    kind = generator.choice(kinds if depth else "xyq")
    if kind in "xy":
        return kind
    if kind == "q":
        return Fraction(generator.randint(-4, 4), generator.choice((1, 2)))
    first = random_term(generator, depth - 1, kinds)
    if kind in "+*":
        return (kind, first, random_term(generator, depth - 1, kinds))
    if kind in "^r":
        return ("^", first, generator.choice((-2, -1, 2, 3))) if kind == "^" else ("root", first, 2)
    return ("exp" if kind == "e" else "log", first)


def random_claim(generator: random.Random) -> Claim:
    """Bounds on variables by numbers and terms, and a term against a number."""
    signs = ("<=", "<", ">=", ">", "<=", ">=", "!=")
    given = [
        Relation(generator.choice(signs), generator.choice("xy"), random_term(generator, depth, "xyq+*el"))
        for depth in generator.choices((0, 0, 0, 1, 2), k=generator.randint(0, 4))
    ]
    then = random_term(generator, generator.randint(1, 3))
    return Claim(tuple(given), Relation(generator.choice(signs), then, Fraction(generator.randint(-4, 4))))
