"""A bandit theorem's parameters in the scalars that count: u = X D, and T as the square of sqrt_T.

Roots are rewritten here by sqrt(a) sqrt(b) = sqrt(a b) and sqrt(f^2 b) = f sqrt(b). The first needs every root that is
written to be defined, which is an obligation on what was written; the second needs f > 0, which is noted as a claim,
as is that what stands under the root is f^2 b.
"""

from fractions import Fraction

from gaptron.language.expressions import Expression, base_and_exponent, variables
from gaptron.language.formulas import formula, relation
from gaptron.language.normal import NORMAL, POSITIVE, put
from gaptron.language.relations import Relation
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.pieces import ZERO, Region
from gaptron.obligations.sequents import Sequent


def in_scale(coverage: Coverage, classes: Region, *parts: Expression) -> list[Expression]:
    """The expressions in K, u = X D and sqrt_T; with X and D apart if one of them depends on more than X D."""
    rounds = {"T": formula("sqrt_T**2")}
    scaled = [tidy(put(part, {"X": formula("u/D"), **rounds}), coverage, classes) for part in parts]
    if any(variables(part) & {"D", "X"} for part in scaled):
        return [tidy(put(part, rounds), coverage, classes) for part in parts]
    return scaled


def tidy(expression: Expression, coverage: Coverage, classes: Region) -> Expression:
    """Products of square roots as one, with the squares drawn out of it; everywhere inside."""
    if not isinstance(expression, tuple):
        return expression
    head, *below = expression
    if head == "pieces":
        below = [(tidy(value, coverage, classes), when) for value, when in below]
        return ("pieces", *below)
    if head not in ("^", "root"):
        expression = put((head, *(tidy(part, coverage, classes) for part in below)))
    factors = expression[1:] if isinstance(expression, tuple) and expression[0] == "*" else (expression,)
    halves = [part for part in factors if _is_half(part) and variables(part)]
    if not halves:
        return expression
    rest = [part for part in factors if part not in halves]
    squared = [(base, 2 * exponent) for base, exponent in map(base_and_exponent, halves)]
    under = NORMAL.product([NORMAL.rational_power(base, exponent) for base, exponent in squared], [])
    return NORMAL.product([*rest, _root(under, coverage, classes)], [])


def _is_half(part: Expression) -> bool:
    is_power = isinstance(part, tuple) and part[0] in ("^", "root")
    return is_power and base_and_exponent(part)[1].denominator == 2


def _root(under: Expression, coverage: Coverage, classes: Region) -> Expression:
    """sqrt(under), the squares of what seems to be positive outside."""
    outside, inside = coverage.guesses.squares(under)
    for factor in outside[1:] if isinstance(outside, tuple) and outside[0] == "*" else (outside,):
        base = base_and_exponent(factor)[0] if isinstance(factor, tuple) and factor[0] in ("^", "root") else factor
        if base not in POSITIVE and not isinstance(base, Fraction):
            coverage.note(Sequent(classes, Relation(">", base, ZERO)))
    if formula("f**2*rest", f=outside, rest=inside) != under:
        coverage.note(Sequent(classes, relation("f**2*rest == under", f=outside, rest=inside, under=under)))
    return formula("f*sqrt(rest)", f=outside, rest=inside)
