"""A function omega of one coordinate at numbers in [0, 1]: its limit from inside where it has no value at an end."""

from fractions import Fraction
from functools import lru_cache

from gaptron.language.expanded import expanded
from gaptron.language.expressions import (
    Condition,
    Expression,
    base_and_exponent,
    evaluated,
    everywhere,
    factors_of,
    terms,
)
from gaptron.language.formulas import formula
from gaptron.language.instantiation import has_no_value
from gaptron.language.normal import NORMAL, POSITIVE, Normal, put

INSIDE = POSITIVE.union(("d", "share", "root", "v"))  # what is positive where claims about sizes and means are made
ENDS = (0, 1)
NOT_SEEN = "the limit of the entropy where a coordinate is 0 or 1 is not seen by its form"


@lru_cache(maxsize=256)
def at_mean(omega: Expression, v: Fraction) -> Expression:
    """omega at a number in [0, 1]; the limit from inside where it has no value at an end.

    Raises
    ------
    NotImplementedError
        If the limit is not that of a sum of powers, logarithms and what has a value.
    """
    value = put(omega, {"v": v})
    if v not in ENDS or not has_no_value(value):
        return expanded(value, INSIDE)
    if any(isinstance(part, tuple) and part[0] == "pieces" for part in everywhere(omega)):
        raise NotImplementedError(NOT_SEEN)
    from_0 = expanded(omega, INSIDE, {"v": formula("1 - v")} if v else None)
    return expanded(NORMAL.operation("+", [_limit_at_0(term) for term in terms(from_0)]), INSIDE)


def _limit_at_0(term: Expression) -> Expression:
    """Powers of v make those of log v vanish."""
    powers, rest = Fraction(0), []
    for factor in factors_of(term):
        is_power = isinstance(factor, tuple) and factor[0] in ("^", "root")
        base, exponent = base_and_exponent(factor) if is_power else (factor, Fraction(1))
        if base == "v":
            powers += exponent
        elif base != ("log", "v") or exponent.denominator > 1 or exponent < 0:
            rest.append(factor)
    value = put(NORMAL.product(rest, []), {"v": Fraction(0)})
    if powers > 0 and not has_no_value(value):
        return Fraction(0)
    whole = put(term, {"v": Fraction(0)})
    if has_no_value(whole):
        raise NotImplementedError(NOT_SEEN)
    return whole


class _Above0(Normal):
    """A table of operations for v > 0: what that decides of a relation is decided."""

    def relation(self, sign: str, left: Expression, right: Expression) -> Condition:
        above = self._is_positive(self.operation("+", [left, self.product([Fraction(-1), right], [])]))
        return sign in (">", ">=", "!=") if above else super().relation(sign, left, right)


def without_limit(omega: Expression) -> Expression:
    """Without a piece at 0 that says nothing else than the limit there."""
    above = evaluated(omega, _Above0({}, INSIDE))
    try:
        return above if at_mean(above, Fraction(0)) == at_mean(omega, Fraction(0)) else omega
    except NotImplementedError:
        return omega
