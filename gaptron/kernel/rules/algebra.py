"""Polynomials over atoms: products of facts that add up to zero."""

from fractions import Fraction

from gaptron.kernel.enclosures import PRECISIONS, enclose
from gaptron.kernel.hypotheses import Fact, Hypotheses, Premises, atom_facts
from gaptron.kernel.polynomials import Polynomial, add, constant, multiply, polynomial
from gaptron.language.rejection import require
from gaptron.language.relations import Claim
from gaptron.language.terms import Json, is_pair, names, read_rational, read_term


def combination(claim: Claim, bounds: Json, summands: Json, equations: Json) -> Premises:
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
    return ()


def facts_of(claim: Claim, bounds: Json) -> list[Fact]:
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


def _bound(hypotheses: Hypotheses, bound: Json) -> list[Fact]:
    require(is_pair(bound), f"{bound!r} is not a term and a precision")
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


def _summand(facts: list[Fact], data: Json) -> tuple[Polynomial, bool]:
    """[c, [fact, ...], square]: its polynomial, and whether it is certainly positive."""
    require(isinstance(data, list) and len(data) == 3 and isinstance(data[1], list), "{!r} is not a summand", data)
    coefficient, square = read_rational(data[0]), polynomial(read_term(data[2]))
    require(coefficient > 0, "a coefficient is not positive")
    value, strict = constant(coefficient), square.keys() == {()}
    value = multiply(value, multiply(square, square))
    for factor in data[1]:
        kind, fact = _fact(facts, factor)
        require(kind in (">=", ">"), "an equation stands in a product")
        value, strict = multiply(value, fact), strict and kind == ">"
    return value, strict


def _fact(facts: list[Fact], index: Json) -> Fact:
    require(type(index) is int and 0 <= index < len(facts), f"there is no fact {index!r}")
    return facts[int(index)]


def _multiple(facts: list[Fact], data: Json) -> Polynomial:
    """[fact, factor]: an equation times any polynomial."""
    require(is_pair(data), "{!r} is not a multiple of an equation", data)
    kind, fact = _fact(facts, data[0])
    require(kind == "=", "a multiple of something that is not an equation")
    return multiply(fact, polynomial(read_term(data[1])))
