"""Claims with exp or log in several variables, reduced to one variable: K by its powers, the others by monotonicity.

Every step replaces the claim by claims that imply it, so a proof is a proof and a failure is only a failure.
"""

import time
from collections.abc import Callable, Iterator

import sympy as sp
from sympy.core.relational import Relational

from gaptron.obligations import Claim
from gaptron.pieces import is_nonnegative
from gaptron.prove.univariate import prove_constant, prove_nonpositive
from gaptron.symbols import K
from gaptron.verdict import UndecidedError

DEPTH = 4
FEW_CLASSES = 32

Decide = Callable[[Claim, int], None]


def prove_transcendental(claim: Claim, decide: Decide, deadline: float, depth: int = 0) -> None:
    """Return if the claim certainly holds; ``decide`` settles the claims on derivatives that come up.

    Raises
    ------
    UndecidedError
        If some step cannot be closed.
    """
    if depth > DEPTH:
        raise UndecidedError(f"{claim.then} needs too many eliminations")
    if isinstance(claim.then, sp.Ne):
        _either(claim, decide, deadline, depth)
        return
    strict = isinstance(claim.then, (sp.Lt, sp.Gt))
    for f in _upper_forms(claim.then):
        constraints = [c for relation in claim.given for c in _upper_forms(relation)]
        constraints += [-symbol for symbol in _symbols(claim) if symbol.is_nonnegative]
        for part, region in _without_classes(f, constraints):
            _prove(part, region, strict, decide, deadline, depth)


def _either(claim: Claim, decide: Decide, deadline: float, depth: int) -> None:
    """a != b, by a > b everywhere or a < b everywhere."""
    try:
        prove_transcendental(Claim(claim.given, sp.Gt(*claim.then.args, evaluate=False)), decide, deadline, depth)
    except UndecidedError:
        prove_transcendental(Claim(claim.given, sp.Lt(*claim.then.args, evaluate=False)), decide, deadline, depth)


def _symbols(claim: Claim) -> set[sp.Symbol]:
    return set().union(*(relation.free_symbols for relation in (*claim.given, claim.then)))


def _upper_forms(relation: Relational) -> tuple[sp.Expr, ...]:
    """Expressions that are <= 0 exactly where the relation holds (its boundary included)."""
    difference = relation.lhs - relation.rhs
    if isinstance(relation, sp.Eq):
        return difference, -difference
    return (difference,) if isinstance(relation, (sp.Le, sp.Lt)) else (-difference,)


def _without_classes(f: sp.Expr, constraints: list[sp.Expr]) -> Iterator[tuple[sp.Expr, list[sp.Expr]]]:
    """Claims without K that imply f <= 0 for every K in the range: all coefficients of f in K - K_0 are <= 0."""
    if K not in f.free_symbols.union(*(c.free_symbols for c in constraints)):
        yield f, constraints
        return
    first = max((c.subs(K, 0) for c in constraints if _is_class_bound(c, -1)), default=sp.Integer(2))
    last = min((-c.subs(K, 0) for c in constraints if _is_class_bound(c, 1)), default=None)
    if last is not None and last - first <= FEW_CLASSES:
        for n_classes in range(int(first), int(last) + 1):
            yield f.subs(K, n_classes), [c.subs(K, n_classes) for c in constraints]
        return
    region = [c for c in (_weaken(c, first) for c in constraints) if c is not None]
    for coefficient in _class_coefficients(f, first):
        yield coefficient, region


def _is_class_bound(constraint: sp.Expr, slope: int) -> bool:
    """Whether the constraint is K <= n (slope 1) or K >= n (slope -1)."""
    return bool(constraint.free_symbols == {K} and sp.diff(constraint, K) == slope)


def _weaken(constraint: sp.Expr, first: sp.Expr) -> sp.Expr | None:
    """A constraint without K that follows from this one for every K >= first; None if there is no simple one."""
    if K not in constraint.free_symbols:
        return constraint
    without, part = constraint.as_independent(K, as_Add=True)
    shifted = part - part.subs(K, first)
    return without + part.subs(K, first) if is_nonnegative(shifted.subs(K, K + first - 2)) else None


def _class_coefficients(f: sp.Expr, first: sp.Expr) -> list[sp.Expr]:
    denominator = sp.denom(sp.together(f))
    factor = sp.Mul(*(part for part in sp.Mul.make_args(sp.factor(denominator)) if K in part.free_symbols))
    if not is_nonnegative(factor, strict=True):
        raise UndecidedError(f"the sign of {factor} is not clear for every K")
    cleared = sp.expand(sp.expand(f) * factor)
    cleared = sp.expand(sum((sp.cancel(term) for term in sp.Add.make_args(cleared)), sp.Integer(0)))
    if not cleared.is_polynomial(K):
        raise UndecidedError(f"{f} is not a rational function of K")
    return sp.Poly(sp.expand(cleared.subs(K, K + first)), K).coeffs() if K in cleared.free_symbols else [cleared]


def _prove(f: sp.Expr, constraints: list[sp.Expr], strict: bool, decide: Decide, deadline: float, depth: int) -> None:
    if time.monotonic() > deadline:
        raise UndecidedError(f"{f} <= 0 was not decided in time")
    for symbol in set().union(*(c.free_symbols for c in constraints)) - f.free_symbols:
        constraints = _project(constraints, symbol)
    symbols = sorted(f.free_symbols, key=str)
    if not symbols:
        prove_constant(f, strict)
    elif len(symbols) == 1:
        low, high = _interval(constraints, symbols[0])
        empty = low > high or (symbols[0].is_positive and high <= 0)
        if not empty:
            prove_nonpositive(f, symbols[0], low, high, deadline, strict)
    else:
        _eliminate_one(f, constraints, symbols, strict, decide, deadline, depth)


def _eliminate_one(
    f: sp.Expr,
    constraints: list[sp.Expr],
    symbols: list[sp.Symbol],
    strict: bool,
    decide: Decide,
    deadline: float,
    depth: int,
) -> None:
    """Push one variable in which f is monotone to its bound.

    Only constraints linear in that variable may be used for the monotonicity: they leave the whole segment inside.
    """
    for symbol in symbols:
        given = tuple(sp.Le(c, 0, evaluate=False) for c in constraints if _is_linear(c, symbol))
        slope = sp.diff(f, symbol)
        for direction in (1, -1):
            bounds = _bounds(constraints, symbol)[0 if direction > 0 else 1]
            if not bounds:
                continue
            try:
                decide(Claim(given, sp.Ge(direction * slope, 0, evaluate=False)), depth + 1)
            except UndecidedError:
                continue
            rest = _project(constraints, symbol)
            for bound in bounds:
                nearest = [direction * (bound - other) for other in bounds if other != bound]
                _prove(f.subs(symbol, bound), rest + nearest, strict, decide, deadline, depth + 1)
            return
    raise UndecidedError(f"{f} is monotone in none of {', '.join(map(str, symbols))}, as far as could be shown")


def _is_linear(constraint: sp.Expr, symbol: sp.Symbol) -> bool:
    return bool(sp.diff(constraint, symbol).is_number)


def _bounds(constraints: list[sp.Expr], symbol: sp.Symbol) -> tuple[list[sp.Expr], list[sp.Expr]]:
    """(upper bounds, lower bounds) of the symbol among the constraints linear in it."""
    upper: list[sp.Expr] = []
    lower: list[sp.Expr] = []
    for constraint in map(sp.expand, constraints):
        slope = sp.diff(constraint, symbol)
        if slope.is_number and slope != 0:
            (upper if slope.is_positive else lower).append(sp.expand(symbol - constraint / slope))
    return list(dict.fromkeys(upper)), list(dict.fromkeys(lower))


def _project(constraints: list[sp.Expr], symbol: sp.Symbol) -> list[sp.Expr]:
    """What the constraints say about the other symbols: every lower bound is at most every upper bound."""
    upper, lower = _bounds(constraints, symbol)
    rest = [c for c in constraints if symbol not in c.free_symbols]
    pairs = [sp.expand(low - high) for low in lower for high in upper]
    return rest + [pair for pair in pairs if not pair.is_number]


def _interval(constraints: list[sp.Expr], symbol: sp.Symbol) -> tuple[sp.Expr, sp.Expr]:
    upper, lower = _bounds(constraints, symbol)
    ends = [[end for end in ends if end.is_number] for ends in (lower, upper)]
    return sp.Max(-sp.oo, *ends[0]), sp.Min(sp.oo, *ends[1])
