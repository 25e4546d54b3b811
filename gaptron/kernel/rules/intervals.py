"""Enclosures of a conclusion's values over the box of its hypotheses."""

from fractions import Fraction

from gaptron.kernel.enclosures import EVERYTHING, PRECISIONS, Interval, enclose, product, require_defined_on
from gaptron.kernel.hypotheses import Hypotheses, Premises, bound_on
from gaptron.language.rejection import require
from gaptron.language.relations import Claim, Relation
from gaptron.language.terms import Json, Term, derivative, names, substitute


def interval(claim: Claim, bits: Json, form: Json) -> Premises:
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
    return ()


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
        bound = bound_on(relation, name)
        if bound is not None and not names(bound[1]):
            ends = enclose(bound[1], {}, bits)
            low, high = (low, min(high, ends[1])) if bound[0] == "up" else (max(low, ends[0]), high)
    require(low <= high, "the box is empty: prove it from the contradiction")
    return low, high
