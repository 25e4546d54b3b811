"""What a structured theorem says, as data of the language: its sympy is read once, by the door."""

from collections.abc import Sequence
from fractions import Fraction
from functools import lru_cache

from gaptron.language.expanded import expanded, factors_of, terms
from gaptron.language.expressions import Expression, base_and_exponent, everywhere
from gaptron.language.formulas import formula
from gaptron.language.instantiation import has_no_value
from gaptron.language.normal import NORMAL, POSITIVE, put
from gaptron.language.slopes import left_slope, right_slope
from gaptron.theory.for_classes import checked
from gaptron.theory.structured.entropies import CoordinateEntropy, Entropy, Quadratic
from gaptron.theory.structured.structured_theorem import StructuredTheorem

INSIDE = POSITIVE.union(("d", "share", "root", "v"))  # what is positive where claims about sizes and means are made
ENDS = (0, 1)
NOT_SEEN = "the limit of the entropy where a coordinate is 0 or 1 is not seen by its form"


@lru_cache(maxsize=256)
def numbers_of(theorem: StructuredTheorem) -> dict[str, Expression]:
    """Every number of the theorem under the name of its argument."""
    return {name: checked(name, part) for name, part in theorem.expressions.items()}


@lru_cache(maxsize=256)
def step_of(theorem: StructuredTheorem) -> Expression | None:
    """The learning rate, or else the one of the claimed regret, which is 1/(2 c) with proximal updates."""
    given = numbers_of(theorem)
    if "learning_rate" in given or "regret" not in given:
        return given.get("learning_rate")
    return expanded(formula("alpha/(2*c)", alpha=given["coefficient"], c=given["regret"]), INSIDE)


@lru_cache(maxsize=256)
def omega_of(entropy: CoordinateEntropy) -> Expression:
    """The function of one coordinate v."""
    return checked("entropy", entropy.omega)


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


def entropy_at(entropy: Entropy, mean: Sequence[Fraction]) -> Expression:
    """Omega at a mean of outputs, without convolution."""
    if isinstance(entropy, Quadratic):
        rows = zip(mean, entropy.matrix, strict=True)
        return sum((m * a * b / 2 for m, row in rows for a, b in zip(row, mean, strict=True)), Fraction(0))
    assert isinstance(entropy, CoordinateEntropy)  # noqa: S101
    return NORMAL.operation("+", [at_mean(omega_of(entropy), part) for part in mean])


def slopes_at(entropy: Entropy, mean: Sequence[Fraction]) -> list[Expression] | None:
    """Partial derivatives there, without convolution, at kinks from the right; None where it is steep."""
    if isinstance(entropy, Quadratic):
        return [sum((a * m for a, m in zip(row, mean, strict=True)), Fraction(0)) for row in entropy.matrix]
    assert isinstance(entropy, CoordinateEntropy)  # noqa: S101
    omega = omega_of(entropy)
    found = [put((left_slope if part == 1 else right_slope)(omega, "v"), {"v": part}) for part in mean]
    return None if any(map(has_no_value, found)) else found
