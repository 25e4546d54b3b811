"""Guesses: simple rationals for floats, and expressions in K through values at several K."""

from collections.abc import Mapping
from fractions import Fraction

import sympy as sp

from gaptron.symbols import K

CLOSE = 1e-9
LARGEST_DENOMINATOR = 10**4
MOST_DEGREE = 3


def rational_near(value: float, close: float = CLOSE) -> Fraction | None:
    """The rational with a small denominator that the value seems to be, or None."""
    guess = Fraction(value).limit_denominator(round(LARGEST_DENOMINATOR * (CLOSE / close) ** (1 / 3)))
    return guess if abs(float(guess) - value) <= close * max(1e-3, abs(value)) else None


def expression_near(values: Mapping[int, float], close: float = CLOSE) -> sp.Expr | None:
    """An expression in K, of fewer parameters than values, that the values seem to come from; or None.

    A rational function of low degree, or one times an irrational number.
    """
    exact = {n: rational_near(value, close) for n, value in values.items()}
    if None not in exact.values():
        return _through(exact)  # type: ignore[arg-type]
    unit = _number_near(next(iter(values.values())))
    if unit is None:
        return None
    ratios = {n: rational_near(value / float(unit), close) for n, value in values.items()}
    shape = None if None in ratios.values() else _through(ratios)  # type: ignore[arg-type]
    return None if shape is None else unit * shape


def _number_near(value: float) -> sp.Expr | None:
    """A root of a quadratic, or a rational times a power of ln 2, within 1e-10."""
    found = sp.nsimplify(value, [sp.log(2)], tolerance=1e-11, rational=False)
    if found.count_ops() > 8 or found.has(sp.Float) or abs(float(found) - value) > 1e-10 * abs(value):
        return None
    return found if not found.free_symbols and all(p.exp.is_Rational for p in found.atoms(sp.Pow)) else None


def _through(values: Mapping[int, Fraction]) -> sp.Expr | None:
    if len(values) == 1:
        return sp.Rational(next(iter(values.values())))
    for degree in range(2 * MOST_DEGREE):
        for below in range(degree + 1):
            above = degree - below
            if max(above, below) <= MOST_DEGREE and degree + 2 <= len(values):
                found = _of_degrees(values, above, below)
                if found is not None:
                    return found
    return None


def _of_degrees(values: Mapping[int, Fraction], above: int, below: int) -> sp.Expr | None:
    """The rational function of these degrees through all the values, if there is exactly one."""
    rows = [
        [sp.Integer(n) ** i for i in range(above + 1)] + [-sp.Rational(v) * n**j for j in range(below + 1)]
        for n, v in values.items()
    ]
    kernel = sp.Matrix(rows).nullspace()
    if len(kernel) != 1:
        return None
    top = sum(c * K**i for i, c in enumerate(kernel[0][: above + 1]))
    bottom = sum(c * K**j for j, c in enumerate(kernel[0][above + 1 :]))
    if bottom == 0 or any(sp.sympify(bottom).subs(K, n) == 0 for n in values):
        return None
    return sp.factor(sp.cancel(top / bottom))
