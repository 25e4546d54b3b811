"""Polynomials over atoms: products of facts that add up to zero."""

from gaptron.kernel.evidence import Evidence
from gaptron.kernel.polynomials import Polynomial, add, constant, multiply
from gaptron.kernel.sharing import Premises, Shared, at
from gaptron.language.rejection import require
from gaptron.language.relations import Claim
from gaptron.language.terms import Json, is_pair, read_rational


def combination(
    claim: Claim, shared: Shared, table: Json, steps: Json, against: Json, summands: Json, equations: Json
) -> Premises:
    """Positivstellensatz: the hypotheses and the negated conclusion contradict each other.

    ``steps`` derive facts from the hypotheses; then come those of the negated conclusion, and of the steps ``against``.
    ``summands`` are products [c, [fact, ...]] or [c, [fact, ...], p] of c > 0, facts and p^2, ``equations`` are
    [fact, p], an equation times a polynomial. All of them add up to zero, and one summand is certainly positive.
    """
    evidence = Evidence(claim.given, shared, at(shared.tables, table), steps)
    evidence.require_defined(claim.then.left, claim.then.right)
    evidence.add(*evidence.said_by(claim.then.negation()))
    evidence.take(against)
    require(isinstance(summands, list) and isinstance(equations, list), "summands and equations are lists")
    total: Polynomial = {}
    positive = False
    for summand in summands:
        value, strict = _summand(evidence, summand)
        total, positive = add(total, value), positive or strict
    for equation in equations:
        require(is_pair(equation), "{!r} is not a multiple of an equation", equation)
        total = add(total, evidence.multiple(*equation))
    require(positive, "no summand is certainly positive")
    require(not total, "the summands do not add up to zero")
    return ()


def _summand(evidence: Evidence, data: Json) -> tuple[Polynomial, bool]:
    """A product, and whether it is certainly positive."""
    good = isinstance(data, list) and len(data) in (2, 3) and isinstance(data[1], list)
    require(good, "{!r} is not a summand", data)
    coefficient, strict = read_rational(data[0]), len(data) == 2
    require(coefficient > 0, "a coefficient is not positive")
    value = constant(coefficient)
    if not strict:
        square = evidence.polynomial(data[2])
        value = multiply(value, multiply(square, square))
    for index in data[1]:
        kind, fact = at(evidence.facts, index)
        require(kind != "!=", "a fact that is no equation or inequality stands in a product")
        value, strict = multiply(value, fact), strict and kind == ">"
    return value, strict
