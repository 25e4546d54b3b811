"""Enclosures of a conclusion's values over the box of its hypotheses."""

from fractions import Fraction

from gaptron.kernel.enclosures import EVERYTHING, Interval, enclose, product, require_smooth_on
from gaptron.kernel.evidence import Evidence, precision
from gaptron.kernel.sharing import Premises, Shared, at
from gaptron.language.rejection import require
from gaptron.language.relations import Claim
from gaptron.language.terms import Json, Term, derivative, is_pair, names, read_name, read_rational, substitute


def interval(claim: Claim, shared: Shared, table: Json, steps: Json, bits: Json, box: Json, mean: Json) -> Premises:
    """f <= 0 because an enclosure of its values over a box is.

    ``box`` has for variables their bounds [below, above], each [hypothesis, factor, term, rational] or null: the term
    is a bound of the variable, and the rational is not inside of it. ``mean`` is null, or the one variable of f, which
    is then enclosed at the middle of a finite interval, and its slope times the distance added.
    """
    (f, strict), bits = claim.then.upper(), precision(bits)
    evidence = Evidence(claim.given, shared, at(shared.tables, table), steps)
    evidence.require_defined(claim.then.left, claim.then.right)
    require(isinstance(box, dict), "a box gives variables their bounds")
    sides = {read_name(name): _interval(evidence, name, ends, bits) for name, ends in box.items()}
    if mean is None:
        high = enclose(f, sides, bits)[1]
    else:
        require(names(f) <= {read_name(mean)}, "the mean form is for one variable")
        high = mean_value(f, mean, sides.get(mean, EVERYTHING), bits)
    require(high < 0 or (high <= 0 and not strict), "the enclosure is not on one side of zero")
    return ()


def _interval(evidence: Evidence, name: str, ends: Json, bits: int) -> Interval:
    require(is_pair(ends), "{!r} are no bounds", ends)
    low, high = (
        EVERYTHING[side] if end is None else _end(evidence, name, end, bits, side) for side, end in enumerate(ends)
    )
    require(low <= high, "the box is empty: prove it from the contradiction")
    return low, high


def _end(evidence: Evidence, name: str, data: Json, bits: int, side: int) -> Fraction:
    """The rational of a bound, of which it is certainly on the outer side."""
    require(isinstance(data, list) and len(data) == 4, "{!r} is no bound", data)
    *link, end = data
    term, value = bound_on(evidence, name, link, is_lower=not side), read_rational(end)
    found = enclose(term, {}, bits)[side]
    require(value >= found if side else value <= found, "a rational inside of its bound")
    return value


def bound_on(evidence: Evidence, name: str, data: Json, is_lower: bool) -> Term:
    """t of [hypothesis, c, t]: v - t, or t - v, is c > 0 times what an inequality says is not negative."""
    relation, factor, term = at(evidence.given, data[0]), read_rational(data[1]), evidence.shared.term(data[2])
    evidence.require_defined(term)
    require_linked(evidence, name, relation.upper()[0], factor, term, is_lower)
    return term


def require_linked(evidence: Evidence, name: str, upper: Term, factor: Fraction, term: Term, is_lower: bool) -> None:
    """Reject unless a term that is <= 0 says so of a variable and a bound."""
    require(factor > 0, "a factor is not positive")
    sides = (name, term) if is_lower else (term, name)
    difference = ("+", sides[0], ("*", Fraction(-1), sides[1]), ("*", factor, upper))
    require(evidence.table.equal(difference, Fraction(0)), "the hypothesis is no such bound")


def mean_value(f: Term, name: str, box: Interval, bits: int) -> Fraction | float:
    """A number above f on an interval: f at the middle, and the slope times the distance."""
    low, high = box
    require(isinstance(low, Fraction) and isinstance(high, Fraction), "the mean form is for a finite interval")
    require_smooth_on(f, {name: box}, bits)
    middle, radius = Fraction(low + high) / 2, Fraction(high - low) / 2
    at_middle = enclose(substitute(f, name, middle), {}, bits)[1]
    change = product(enclose(derivative(f, name), {name: box}, bits), (-radius, radius))[1]
    return at_middle + change if isinstance(change, Fraction) else change
