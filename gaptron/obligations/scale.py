"""A bandit theorem's parameters in the scalars that count: u = X D, and T as the square of sqrt_T.

Roots are rewritten here by sqrt(a) sqrt(b) = sqrt(a b) and sqrt(f^2 b) = f sqrt(b). The first needs every root that is
written to be defined, which is an obligation on what was written; the second needs f > 0, which is noted as a claim.
"""

import sympy as sp

from gaptron.obligations.claims import Sequent
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.guesses import seems_positive
from gaptron.obligations.pieces import Region
from gaptron.symbols import D, T, X

u = sp.Symbol("u", positive=True)  # X D
tau = sp.Symbol("sqrt_T", positive=True)


def in_scale(coverage: Coverage, classes: Region, *parts: sp.Expr) -> list[sp.Expr]:
    """The expressions in K, u = X D and sqrt_T; with X and D apart if one of them depends on more than X D."""
    scaled = [tidy(part.subs(X, u / D).subs(T, tau**2), coverage, classes) for part in parts]
    if any(D in part.free_symbols or X in part.free_symbols for part in scaled):
        return [tidy(part.subs(T, tau**2), coverage, classes) for part in parts]
    return scaled


def tidy(expr: sp.Expr, coverage: Coverage, classes: Region) -> sp.Expr:
    """Products of square roots as one, with the squares drawn out of it; everywhere inside."""
    if not expr.args:
        return expr
    if not isinstance(expr, sp.Pow):
        expr = expr.func(*(tidy(part, coverage, classes) for part in expr.args))
    if isinstance(expr, (sp.Pow, sp.Mul)):
        halves = [f for f in sp.Mul.make_args(expr) if isinstance(f, sp.Pow) and f.exp.is_Rational and f.exp.q == 2]
        if halves and any(half.base.free_symbols for half in halves):
            rest = sp.Mul(*(f for f in sp.Mul.make_args(expr) if f not in halves))
            return rest * _root(sp.Mul(*(half.base ** (2 * half.exp) for half in halves)), coverage, classes)
    return expr


def _root(radicand: sp.Expr, coverage: Coverage, classes: Region) -> sp.Expr:
    """sqrt(radicand), the squares of factors that seem to be positive outside."""
    numerator, denominator = (sp.factor_list(part) for part in sp.fraction(sp.cancel(sp.together(radicand))))
    outside, inside = sp.Integer(1), numerator[0] / denominator[0]
    for factors, sign in ((numerator[1], 1), (denominator[1], -1)):
        for factor, power in factors:
            halves = power // 2 if seems_positive(factor) else 0
            if halves and not factor.is_Symbol:
                coverage.note(Sequent(classes, sp.Gt(factor, 0, evaluate=False)))
            outside *= factor ** (sign * halves)
            inside *= factor ** (sign * (power - 2 * halves))
    return outside * sp.sqrt(inside)
