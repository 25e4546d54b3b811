"""The rules: each takes a claim and the fields of a proof, and returns only if the claim follows.

A rule rejects a field that it does not know, so that nothing in a certificate is without meaning.
"""

from collections.abc import Callable
from fractions import Fraction
from operator import eq, ge, gt, le, lt, ne
from typing import Any

from gaptron.kernel.enclosures import EVERYTHING, PRECISIONS, Interval, enclose, product, require_defined_on
from gaptron.kernel.polynomials import (
    Polynomial,
    add,
    canonical,
    constant,
    multiply,
    polynomial,
    polynomial_term,
    quotient,
    rational_value,
)
from gaptron.kernel.rejection import Rejected, require
from gaptron.kernel.relations import Claim, Fact, Hypotheses, Relation, atom_facts, requirements
from gaptron.kernel.terms import (
    Term,
    derivative,
    from_text,
    names,
    read_name,
    read_rational,
    read_term,
    replaced,
    substitute,
)

ZERO = Fraction(0)
LARGEST_DEGREE = 10_000
COMPARISONS = {"<=": le, "<": lt, ">=": ge, ">": gt, "=": eq, "!=": ne}
Proof = dict[str, Any]


def check(claim: Claim, proof: Any) -> None:
    """Return if the proof establishes the claim.

    Raises
    ------
    Rejected
        With the reason.
    """
    require(isinstance(proof, dict) and isinstance(proof.get("rule"), str), "a proof names its rule")
    require(proof["rule"] in RULES, f"there is no rule {proof['rule']!r}")
    rule, fields = RULES[proof["rule"]]
    require(set(proof) == {"rule", *fields}, f"the rule {proof['rule']} has the fields {', '.join(fields)}")
    try:
        rule(claim, *(proof[name] for name in fields))
    except (ValueError, OverflowError) as error:
        raise Rejected(f"a number is too large: {error}") from error


def lemma(claim: Claim, relation: Any, proof: Any, then: Any) -> None:
    """First prove a relation from the hypotheses, then the claim with its help."""
    found = Relation.read(relation)
    check(claim.instead(found), proof)
    check(claim.also(found), then)


def cases(claim: Claim, split: Any, below: Any, above: Any) -> None:
    """The claim where a polynomial is <= 0, and where it is >= 0."""
    term = read_term(split)
    polynomial(term)
    Hypotheses(claim.given).require_defined(term)
    check(claim.also(Relation("<=", term, ZERO)), below)
    check(claim.also(Relation(">=", term, ZERO)), above)


def integer(claim: Claim, term: Any, at: Any, below: Any, above: Any) -> None:
    """The claim where a term that is an integer is <= n, and where it is >= n + 1."""
    whole, number = read_term(term), read_rational(at)
    require(whole in claim.integers, "the term is not given as an integer")
    require(number.denominator == 1, f"{number} is not an integer")
    check(claim.also(Relation("<=", whole, number)), below)
    check(claim.also(Relation(">=", whole, number + 1)), above)


def both(claim: Claim, upper: Any, lower: Any) -> None:
    """a = b from a <= b and a >= b."""
    require(claim.then.sign == "=", "both proves an equation")
    check(claim.instead(Relation("<=", claim.then.left, claim.then.right)), upper)
    check(claim.instead(Relation(">=", claim.then.left, claim.then.right)), lower)


def apart(claim: Claim, sign: Any, proof: Any) -> None:
    """a != b from a < b, or from a > b."""
    require(claim.then.sign == "!=" and sign in ("<", ">"), "apart proves != from < or >")
    check(claim.instead(Relation(str(sign), claim.then.left, claim.then.right)), proof)


def weaken(claim: Claim, keep: Any, proof: Any) -> None:
    """The claim from some of its hypotheses, named by their numbers."""
    require(isinstance(keep, list), "keep is a list of numbers of hypotheses")
    require(all(type(i) is int and 0 <= i < len(claim.given) for i in keep), "there is no such hypothesis")
    check(Claim(tuple(claim.given[i] for i in keep), claim.then, claim.integers), proof)


def contradiction(claim: Claim, hypothesis: Any) -> None:
    """Anything, from a hypothesis between rationals that is false."""
    require(type(hypothesis) is int and 0 <= hypothesis < len(claim.given), "there is no such hypothesis")
    require(is_false(claim.given[hypothesis]), "the hypothesis is not false")


def is_false(relation: Relation) -> bool:
    """Whether a relation between rationals is false."""
    value = rational_value(relation.difference)
    return value is not None and not COMPARISONS[relation.sign](value, ZERO)


def combination(claim: Claim, bounds: Any, summands: Any, equations: Any) -> None:
    """Positivstellensatz: the hypotheses and the negated conclusion contradict each other.

    Their facts are numbered: those of the hypotheses in order, those of the atoms, two for each constant in
    ``bounds`` ([term, bits]: it lies in the enclosure that the kernel computes), and the negated conclusion last.
    ``summands`` are products c * (facts ...) * square^2 with c > 0, ``equations`` are equations times a polynomial.
    All of them add up to the zero polynomial, and one summand is certainly positive.
    """
    facts = facts_of(claim, bounds)
    require(isinstance(summands, list) and isinstance(equations, list), "summands and equations are lists")
    total, positive = constant(0), False
    for summand in summands:
        value, strict = _summand(facts, summand)
        total, positive = add(total, value), positive or strict
    for equation in equations:
        total = add(total, _multiple(facts, equation))
    require(positive, "no summand is certainly positive")
    require(not total, "the summands do not add up to zero")


def facts_of(claim: Claim, bounds: Any) -> list[Fact]:
    """The facts of ``combination``, in their order."""
    hypotheses = Hypotheses(claim.given)
    goal = claim.then.negation()
    for side in (goal.left, goal.right):
        hypotheses.require_defined(side)
    facts = [fact for relation in claim.given if (fact := hypotheses.fact(relation)) is not None]
    last = hypotheses.fact(goal)
    assert last is not None  # noqa: S101
    require(isinstance(bounds, list), "bounds is a list")
    enclosed = [fact for bound in bounds for fact in _bound(hypotheses, bound)]
    atoms = atom_facts([p for _, p in (*facts, *enclosed, last)])
    return [*facts, *atoms, *enclosed, last]


def _bound(hypotheses: Hypotheses, bound: Any) -> list[Fact]:
    require(_is_pair(bound), f"{bound!r} is not a term and a precision")
    term, bits = read_term(bound[0]), bound[1]
    require(type(bits) is int and bits in PRECISIONS, f"{bits!r} is not a precision")
    require(not names(term), "a bound is on a constant")
    hypotheses.require_defined(term)
    low, high = enclose(term, {}, bits)
    value = polynomial(term)
    return [(">=", add(value, _finite(low), -1)), (">=", add(_finite(high), value, -1))]


def _finite(end: Fraction | float) -> Polynomial:
    require(isinstance(end, Fraction), "a constant has no finite enclosure")
    return constant(Fraction(end))


def _is_pair(data: Any) -> bool:
    return isinstance(data, list) and len(data) == 2


def _summand(facts: list[Fact], data: Any) -> tuple[Polynomial, bool]:
    """[c, [fact, ...], square]: its polynomial, and whether it is certainly positive."""
    require(isinstance(data, list) and len(data) == 3 and isinstance(data[1], list), f"{data!r} is not a summand")
    coefficient, square = read_rational(data[0]), polynomial(read_term(data[2]))
    require(coefficient > 0, "a coefficient is not positive")
    value, strict = constant(coefficient), square.keys() == {()}
    value = multiply(value, multiply(square, square))
    for factor in data[1]:
        kind, fact = _fact(facts, factor)
        require(kind in (">=", ">"), "an equation stands in a product")
        value, strict = multiply(value, fact), strict and kind == ">"
    return value, strict


def _fact(facts: list[Fact], index: Any) -> Fact:
    require(type(index) is int and 0 <= index < len(facts), f"there is no fact {index!r}")
    return facts[int(index)]


def _multiple(facts: list[Fact], data: Any) -> Polynomial:
    """[fact, factor]: an equation times any polynomial."""
    require(_is_pair(data), f"{data!r} is not a multiple of an equation")
    kind, fact = _fact(facts, data[0])
    require(kind == "=", "a multiple of something that is not an equation")
    return multiply(fact, polynomial(read_term(data[1])))


def clear(claim: Claim, proof: Any) -> None:
    """f <= 0 from its numerator, for the signs of its denominators that the hypotheses know."""
    check(cleared(claim), proof)


def cleared(claim: Claim) -> Claim:
    """What ``clear`` needs: a polynomial over atoms is >= 0, or > 0."""
    hypotheses = Hypotheses(claim.given)
    f, strict = claim.then.upper()
    hypotheses.require_defined(f)
    fact = hypotheses.fact(Relation("<=", f, ZERO))
    assert fact is not None  # noqa: S101
    return claim.instead(Relation(">" if strict else ">=", polynomial_term(fact[1]), ZERO))


def powers(claim: Claim, variable: Any, start: Any, parts: Any) -> None:
    """f <= 0 for every v >= start, because every coefficient of f in powers of v - start is.

    ``parts`` prove that of the coefficients, lowest first.
    """
    goals = powers_goals(claim, read_name(variable), read_rational(start))
    require(isinstance(parts, list) and len(parts) == len(goals), "one part for every coefficient")
    for goal, part in zip(goals, parts, strict=True):
        check(goal, part)


def powers_goals(claim: Claim, name: str, start: Fraction) -> list[Claim]:
    """What ``powers`` needs: from the hypotheses without v, each coefficient is <= 0, the lowest < 0 if f is.

    f is cleared of denominators, whose signs the hypotheses know.
    """
    require(any(_lower_bound(relation, name) == start for relation in claim.given), f"{name} >= {start} is not given")
    goal = cleared(claim).then
    shifted = polynomial(substitute(goal.left, name, ("+", name, start)))
    rest = claim.without(name)
    return [
        rest.instead(Relation(goal.sign if degree == 0 else ">=", polynomial_term(coefficient), ZERO))
        for degree, coefficient in enumerate(_coefficients(shifted, name))
    ]


def _lower_bound(relation: Relation, name: str) -> Fraction | None:
    """c if the relation is name >= c, name > c or the other way round."""
    left, right = (relation.left, relation.right) if relation.sign in (">=", ">") else (relation.right, relation.left)
    return right if relation.sign not in ("=", "!=") and left == name and isinstance(right, Fraction) else None


def _coefficients(value: Polynomial, name: str) -> list[Polynomial]:
    """The coefficients of the powers of a variable, which occurs in no other atom."""
    found: dict[int, Polynomial] = {0: {}}
    for monomial, coefficient in value.items():
        require(all(atom == f'"{name}"' or name not in names_of(atom) for atom, _ in monomial), f"{name} is in an atom")
        degree = dict(monomial).get(f'"{name}"', 0)
        rest = tuple((atom, exponent) for atom, exponent in monomial if atom != f'"{name}"')
        found.setdefault(degree, {})[rest] = coefficient
    require(max(found) <= LARGEST_DEGREE, "a power is too large")
    return [found.get(degree, {}) for degree in range(max(found) + 1)]


def names_of(atom: str) -> set[str]:
    """The variables of an atom."""
    return names(from_text(atom))


def move(claim: Claim, variable: Any, direction: Any, facts: Any, slope: Any, ends: Any) -> None:
    """f <= 0 because f does not fall as v moves to its nearest bound (up or down), where f <= 0.

    ``facts`` are [relation, proof], each proved from what holds all the way and the facts before it.
    """
    name = read_name(variable)
    require(direction in ("up", "down"), "the direction is up or down")
    require(isinstance(facts, list) and all(map(_is_pair, facts)), "facts is a list of relations and proofs")
    way = Claim(way_of(claim, name), claim.then, claim.without(name).integers)
    for relation, proof in facts:
        found = Relation.read(relation)
        check(way.instead(found), proof)
        way = way.also(found)
    climb, arrivals = move_goals(claim, name, str(direction), way.given)
    require(isinstance(ends, list) and len(ends) == len(arrivals), "one end for every bound on that side")
    check(climb, slope)
    for arrival, end in zip(arrivals, ends, strict=True):
        check(arrival, end)


def way_of(claim: Claim, name: str) -> tuple[Relation, ...]:
    """The hypotheses that hold all the way to the nearest bound: those without v, and its bounds."""
    return tuple(relation for relation in claim.given if _is_along(relation, name))


def move_goals(claim: Claim, name: str, direction: str, way: tuple[Relation, ...]) -> tuple[Claim, list[Claim]]:
    """What ``move`` needs: the sign of the slope on the way, and f <= 0 at each bound where it is the nearest.

    f is defined on the way. The bounds are hypotheses linear in v.
    """
    f, strict = claim.then.upper()
    Hypotheses(way).require_defined(f)
    near, far = _ends(way_of(claim, name), name, direction)
    require(bool(near), f"{name} has no bound on that side")
    ahead, closer = (">=", "<=") if direction == "up" else ("<=", ">=")
    rest = claim.without(name)
    arrivals = []
    for end in near:
        nearest = [Relation(closer, end, other) for other in near if other != end]
        inside = [Relation(closer, other, end) for other in far]
        there = Relation("<" if strict else "<=", substitute(f, name, end), ZERO)
        arrivals.append(rest.also(*nearest, *inside).instead(there))
    return Claim(way, Relation(ahead, derivative(f, name), ZERO), rest.integers), arrivals


def _is_along(relation: Relation, name: str) -> bool:
    """Whether the relation is without the variable, or linear in it with a rational slope and defined everywhere."""
    if name not in relation.names:
        return True
    poles = (*requirements(relation.left), *requirements(relation.right))
    return all(name not in names(part) for part, _ in poles) and _bound_on(relation, name) is not None


def _bound_on(relation: Relation, name: str) -> tuple[str, Term] | None:
    """("up", b) if the relation says name <= b, ("down", b) if name >= b; b may be attained or not."""
    if relation.sign in ("=", "!="):
        return None
    numerator, denominators = quotient(relation.upper()[0])
    if denominators or any(name in names_of(a) and a != f'"{name}"' for m in numerator for a, _ in m):
        return None
    parts = _coefficients(numerator, name)
    if len(parts) != 2 or parts[1].keys() != {()}:
        return None
    slope = parts[1][()]
    return ("up" if slope > 0 else "down"), polynomial_term({m: -c / slope for m, c in parts[0].items()})


def _ends(way: tuple[Relation, ...], name: str, direction: str) -> tuple[list[Term], list[Term]]:
    """The bounds in the direction of movement, and those behind, each once."""
    found = [bound for relation in way if name in relation.names and (bound := _bound_on(relation, name))]
    near = dict.fromkeys(end for side, end in found if side == direction)
    far = dict.fromkeys(end for side, end in found if side != direction)
    return list(near), list(far)


def exponential(claim: Claim, variable: Any, rate: Any, new: Any, proof: Any) -> None:
    """f <= 0 in terms of u = exp(rate * v): v = log(u) / rate, and bounds of v by constants become bounds of u."""
    check(exponential_goal(claim, read_name(variable), read_rational(rate), read_name(new)), proof)


def exponential_goal(claim: Claim, name: str, rate: Fraction, new: str) -> Claim:
    """What ``exponential`` needs."""
    require(rate != 0 and new not in claim.names, f"{new} is not new")
    f, strict = claim.then.upper()
    Hypotheses(claim.given).require_defined(f)
    given = [Relation(">", new, ZERO)]
    for relation in claim.given:
        bound = _bound_on(relation, name)
        if bound is not None and not names(bound[1]):
            sign = "<=" if (bound[0] == "up") == (rate > 0) else ">="
            given.append(Relation(sign, new, canonical(("exp", ("*", rate, bound[1])))))
        elif name not in relation.names:
            given.append(relation)
    then = Relation("<" if strict else "<=", _in_terms_of(canonical(f), name, rate, new), ZERO)
    return Claim(tuple(given), then, claim.without(name).integers)


def _in_terms_of(term: Term, name: str, rate: Fraction, new: str) -> Term:
    """exp(n * rate * v) as the n-th power of the new variable, and any other v as its logarithm over the rate."""
    if term == name:
        return ("*", 1 / rate, ("log", new))
    if not isinstance(term, tuple):
        return term
    if term[0] == "exp":
        numerator, denominators = quotient(term[1])
        power = numerator.get(((f'"{name}"', 1),), ZERO) / rate
        if len(numerator) == 1 and not denominators and power != 0 and power.denominator == 1:
            return ("^", new, power.numerator)
    return tuple(p if type(p) is int or i == 0 else _in_terms_of(p, name, rate, new) for i, p in enumerate(term))


def interval(claim: Claim, bits: Any, form: Any) -> None:
    """f <= 0 because an enclosure of its values over the box of the hypotheses is.

    The form is "direct", or "mean": with one variable in an interval of finite length, f at the middle plus its slope
    times the distance.
    """
    require(type(bits) is int and bits in PRECISIONS, f"{bits!r} is not a precision")
    f, strict = claim.then.upper()
    Hypotheses(claim.given).require_defined(f)
    box = {name: bounds_on(claim.given, name, bits) for name in sorted(names(f))}
    require(form in ("direct", "mean"), f"{form!r} is not a form")
    high = enclose(f, box, bits)[1] if form == "direct" else _mean_value(f, box, bits)
    require(high < 0 or (high <= 0 and not strict), "the enclosure is not on one side of zero")


def _mean_value(f: Term, box: dict[str, Interval], bits: int) -> Fraction | float:
    require(len(box) == 1, "the mean form is for one variable")
    ((name, (low, high)),) = box.items()
    require(isinstance(low, Fraction) and isinstance(high, Fraction), "the mean form is for a finite interval")
    require_defined_on(f, box, bits)
    middle, radius = Fraction(low + high) / 2, Fraction(high - low) / 2
    at_middle = enclose(substitute(f, name, middle), {}, bits)[1]
    change = product(enclose(derivative(f, name), box, bits), (-radius, radius))[1]
    return at_middle + change if isinstance(change, Fraction) else change


def bounds_on(given: tuple[Relation, ...], name: str, bits: int) -> Interval:
    """Where the hypotheses that bound the variable by constants leave it."""
    low, high = EVERYTHING
    for relation in given:
        bound = _bound_on(relation, name)
        if bound is not None and not names(bound[1]):
            ends = enclose(bound[1], {}, bits)
            low, high = (low, min(high, ends[1])) if bound[0] == "up" else (max(low, ends[0]), high)
    require(low <= high, "the box is empty: prove it from the contradiction")
    return low, high


def fixed(claim: Claim, variable: Any, value: Any, proof: Any) -> None:
    """The claim with a value in the place of a variable that hypotheses bound to it from both sides."""
    check(fixed_goal(claim, read_name(variable), read_rational(value)), proof)


def fixed_goal(claim: Claim, name: str, value: Fraction) -> Claim:
    """What ``fixed`` needs."""
    bounds = {bound for r in claim.given if name in r.names and (bound := _bound_on(r, name)) is not None}
    require({("up", value), ("down", value)} <= bounds, f"{name} is not bounded to {value} from both sides")
    return _substituted(claim, lambda term: substitute(term, name, value))


def generalize(claim: Claim, term: Any, new: Any, proof: Any) -> None:
    """The claim for every value of a term, under a new name: what holds of each holds of the term's own."""
    check(generalized(claim, read_term(term), read_name(new)), proof)


def generalized(claim: Claim, term: Term, new: str) -> Claim:
    """What ``generalize`` needs; the conclusion is defined before the term is replaced."""
    require(new not in claim.names, f"{new} is not new")
    for side in (claim.then.left, claim.then.right):
        Hypotheses(claim.given).require_defined(side)
    return _substituted(claim, lambda part: replaced(part, term, new))


def _substituted(claim: Claim, put: Callable[[Term], Term]) -> Claim:
    """The claim with something in the place of a part of its terms; of the integers, those without that part."""
    given = tuple(Relation(r.sign, put(r.left), put(r.right)) for r in claim.given)
    then = Relation(claim.then.sign, put(claim.then.left), put(claim.then.right))
    return Claim(given, then, tuple(term for term in claim.integers if put(term) == term))


RULES: dict[str, tuple[Callable[..., None], tuple[str, ...]]] = {
    "lemma": (lemma, ("relation", "proof", "then")),
    "cases": (cases, ("split", "below", "above")),
    "integer": (integer, ("term", "at", "below", "above")),
    "weaken": (weaken, ("keep", "proof")),
    "contradiction": (contradiction, ("hypothesis",)),
    "both": (both, ("upper", "lower")),
    "apart": (apart, ("sign", "proof")),
    "combination": (combination, ("bounds", "summands", "equations")),
    "clear": (clear, ("proof",)),
    "powers": (powers, ("variable", "start", "parts")),
    "move": (move, ("variable", "direction", "facts", "slope", "ends")),
    "exponential": (exponential, ("variable", "rate", "new", "proof")),
    "interval": (interval, ("bits", "form")),
    "fixed": (fixed, ("variable", "value", "proof")),
    "generalize": (generalize, ("term", "new", "proof")),
}
