"""Claims in the kernel's language: what a certificate states, derived again from the theorem at every replay."""

from collections.abc import Mapping
from fractions import Fraction

import sympy as sp
from sympy.core.relational import Relational

from gaptron import kernel
from gaptron.kernel.terms import Term, text
from gaptron.obligations.claims import Claim

SIGNS = {sp.Le: "<=", sp.Lt: "<", sp.Ge: ">=", sp.Gt: ">", sp.Eq: "=", sp.Ne: "!="}
FALSE = kernel.Relation("<=", Fraction(1), Fraction(0))
TRUE = kernel.Relation("<=", Fraction(0), Fraction(0))


def statement(claim: Claim) -> kernel.Claim:
    """The claim with every assumption on a symbol as a hypothesis.

    Raises
    ------
    NotImplementedError
        If it uses a constant or function that the kernel does not know (pi).
    """
    symbols = set().union(*(relation.free_symbols for relation in (*claim.given, claim.then)))
    names = symbol_names(symbols)
    given = [_relation(relation, names) for relation in claim.given]
    given += [assumption for symbol, name in names.items() for assumption in _assumptions(symbol, name)]
    return kernel.Claim(tuple(dict.fromkeys(given)), _relation(claim.then, names))


def symbol_names(symbols: set[sp.Symbol]) -> dict[sp.Symbol, str]:
    """A name for every symbol: its own, numbered if two symbols share it."""
    names: dict[sp.Symbol, str] = {}
    for symbol in sorted(symbols, key=sp.default_sort_key):
        name = symbol.name if symbol.name.isidentifier() and symbol.name.isascii() else "symbol"
        taken = sum(other == name or other.startswith(f"{name}_copy") for other in names.values())
        names[symbol] = name if not taken else f"{name}_copy{taken}"
    return names


def _assumptions(symbol: sp.Symbol, name: str) -> list[kernel.Relation]:
    if symbol.is_positive:
        return [kernel.Relation(">", name, Fraction(0))]
    return [kernel.Relation(">=", name, Fraction(0))] if symbol.is_nonnegative else []


def _relation(relation: Relational, names: Mapping[sp.Symbol, str]) -> kernel.Relation:
    if relation in (sp.true, sp.false):
        return TRUE if relation == sp.true else FALSE
    return kernel.Relation(SIGNS[type(relation)], term(relation.lhs, names), term(relation.rhs, names))


def term(expr: sp.Expr, names: Mapping[sp.Symbol, str]) -> Term:
    """A sympy expression as a term of the kernel."""
    if expr.is_Rational:
        return Fraction(int(expr.p), int(expr.q))
    if expr.is_Symbol:
        return names[expr]
    if isinstance(expr, (sp.Add, sp.Mul)):
        sign = "+" if isinstance(expr, sp.Add) else "*"
        return (sign, *sorted((term(part, names) for part in expr.args), key=text))
    if expr == sp.E:
        return ("exp", Fraction(1))
    if isinstance(expr, sp.exp):
        return ("exp", term(expr.args[0], names))
    if isinstance(expr, sp.log):
        return ("log", term(expr.args[0], names))
    if isinstance(expr, sp.Pow) and expr.exp.is_Rational:
        base = term(expr.base, names)
        root = base if expr.exp.q == 1 else ("root", base, int(expr.exp.q))
        return root if expr.exp.p == 1 else ("^", root, int(expr.exp.p))
    if isinstance(expr, sp.Pow) and expr.base.is_number and expr.base.is_positive:
        return ("exp", term(expr.exp * sp.log(expr.base), names))
    raise NotImplementedError(f"{expr} is not in the language of certificates")
