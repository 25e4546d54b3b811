"""Relations between real numbers by sight: when one is another, what follows from the signs of symbols."""

from collections.abc import Iterable, Mapping
from functools import lru_cache

import sympy as sp
from sympy.core.relational import Relational

from gaptron.symbols import K, T, sign_of

SIGNS = {sp.Le: "<=", sp.Ge: "<=", sp.Lt: "<", sp.Gt: "<", sp.Eq: "="}
ORDERS = {"positive": sp.Gt, "nonnegative": sp.Ge, "negative": sp.Lt, "nonpositive": sp.Le}
MORE = sp.Symbol("more", nonnegative=True)


@lru_cache(maxsize=2**16)
def shape(relation: Relational) -> tuple[str, sp.Expr]:
    """("<=", "<" or "=", d): the relation says d <= 0, d < 0 or d = 0."""
    if type(relation) not in SIGNS:
        raise TypeError(f"{relation} is not a relation <=, <, >=, > or =")
    swap = isinstance(relation, (sp.Ge, sp.Gt))
    low, high = (relation.rhs, relation.lhs) if swap else (relation.lhs, relation.rhs)
    return SIGNS[type(relation)], sp.expand(low - high)


def gives(known: Relational, wanted: Relational) -> bool:
    """Whether ``wanted`` is ``known``, or what is left of it when < or = becomes <=."""
    (have, d), (want, e) = shape(known), shape(wanted)
    if have == "=":
        return want in ("=", "<=") and e in (d, _opposite(d))
    return d == e and want in ("<=", have)


@lru_cache(maxsize=2**16)
def _opposite(d: sp.Expr) -> sp.Expr:
    return sp.expand(-d)


@lru_cache(maxsize=2**16)
def is_evident(relation: Relational) -> bool:
    """Whether it holds by the signs that its symbols are declared with, K >= 2 and T >= 1."""
    sign, d = shape(relation)
    if sign == "=":
        return bool(d == 0)
    return is_positive(-d) if sign == "<" else is_nonnegative(-d)


def signs_of(values: Mapping[sp.Symbol, sp.Expr]) -> list[Relational]:
    """That what replaces a symbol has the symbol's sign."""
    signed = [(sign_of(symbol), value) for symbol, value in values.items()]
    nonzero = [sp.Gt(value**2, 0, evaluate=False) for sign, value in signed if sign == "nonzero"]
    return [*nonzero, *(ORDERS[sign](value, 0, evaluate=False) for sign, value in signed if sign in ORDERS)]


def is_nonnegative(expr: sp.Expr) -> bool:
    """Whether it is a sum of products of factors that are not negative."""
    terms = sp.Add.make_args(_counted(expr))
    return all(all(map(_factor_nonnegative, sp.Mul.make_args(term))) for term in terms)


def is_positive(expr: sp.Expr) -> bool:
    """The same, with a term all of whose factors are positive."""
    terms = sp.Add.make_args(_counted(expr))
    return is_nonnegative(expr) and any(all(map(_factor_positive, sp.Mul.make_args(term))) for term in terms)


def is_defined(expr: sp.Expr) -> bool:
    """Whether no power and no logarithm in it has a base that may be 0 or less, but for powers by 0, 1, 2, ..."""
    powers = [power.base for power in expr.atoms(sp.Pow) if not (power.exp.is_Integer and power.exp >= 0)]
    return all(map(is_positive, [*powers, *(log.args[0] for log in expr.atoms(sp.log))]))


def leave_nothing_out(cases: Iterable[Relational | str]) -> bool:
    """Whether one of the cases always holds: a sentence and "not " before it, or relations between the same two."""
    every = list(cases)
    if all(isinstance(case, str) for case in every):
        return len(every) == 2 and every[1] == f"not {every[0]}"
    if not all(isinstance(case, Relational) for case in every):
        return False
    shapes = [shape(case) for case in every]
    first, signs = shapes[0][1], set()
    for sign, d in shapes:
        if d not in (first, sp.expand(-first)):
            return False
        signs |= {"="} & set(sign) | ({"<" if d == first else ">"} if "<" in sign else set())
    return signs >= {"<", "=", ">"}


def _counted(expr: sp.Expr) -> sp.Expr:
    return sp.expand(expr.subs({K: MORE + 2, T: sp.Symbol("times", nonnegative=True) + 1}))


def _factor_positive(factor: sp.Expr) -> bool:
    if isinstance(factor, sp.Pow):
        return is_positive(factor.base)
    if factor.is_Symbol:
        return sign_of(factor) == "positive"
    return bool(isinstance(factor, sp.exp) or (factor.is_number and factor.is_positive))


def _factor_nonnegative(factor: sp.Expr) -> bool:
    if isinstance(factor, sp.Pow) and factor.exp.is_positive:
        return bool(factor.exp.is_Integer and factor.exp % 2 == 0) or is_nonnegative(factor.base)
    if factor.is_Symbol:
        return sign_of(factor) in ("positive", "nonnegative")
    return factor == 0 or _factor_positive(factor)
