"""Claims in the kernel's language: what a certificate states, derived again from the theorem at every replay."""

from collections.abc import Mapping
from fractions import Fraction

import sympy as sp
from sympy.core.relational import Relational

from gaptron import kernel
from gaptron.language.terms import NAME, Term, text
from gaptron.obligations.assumptions import assumptions
from gaptron.obligations.claims import Sequent
from gaptron.obligations.scale import tau
from gaptron.symbols import is_integer

SIGNS = {sp.Le: "<=", sp.Lt: "<", sp.Ge: ">=", sp.Gt: ">", sp.Eq: "=", sp.Ne: "!="}
FALSE = kernel.Relation("<=", Fraction(1), Fraction(0))
TRUE = kernel.Relation("<=", Fraction(0), Fraction(0))
ENCODED = "symbol_"


def statement(claim: Sequent) -> kernel.Claim:
    """The claim with every assumption on a symbol as a hypothesis.

    Raises
    ------
    NotImplementedError
        If it uses a constant or function that the kernel does not know (pi), or two symbols of one name.
    """
    names = symbol_names(symbols_of(claim))
    given = [_relation(relation, names) for relation in claim.given]
    given += [_relation(known, names) for symbol in names for known in assumptions(symbol)]
    integers = tuple(_integer(symbol, name) for symbol, name in names.items() if is_integer(symbol) or symbol == tau)
    return kernel.Claim(tuple(dict.fromkeys(given)), _relation(claim.then, names), integers)


def symbols_of(claim: Sequent) -> set[sp.Symbol]:
    """The symbols that the claim speaks of."""
    return set().union(*(relation.free_symbols for relation in (*claim.given, claim.then)))


def symbol_names(symbols: set[sp.Symbol]) -> dict[sp.Symbol, str]:
    """A name for every symbol, no two alike: its own, or that of its bytes if the kernel cannot read it."""
    names = {symbol: _name(symbol.name) for symbol in sorted(symbols, key=sp.default_sort_key)}
    if len(set(names.values())) < len(names):
        shown = ", ".join(sorted(symbol.name for symbol in names))
        raise NotImplementedError(f"two different symbols have one name, among {shown}: rename one of them")
    return names


def _name(name: str) -> str:
    is_plain = NAME.fullmatch(name) is not None and not name.startswith(ENCODED)
    return name if is_plain else ENCODED + name.encode().hex()


def _integer(symbol: sp.Symbol, name: str) -> Term:
    """What is an integer: the symbol, or the number of rounds of which it is the root."""
    return ("^", name, 2) if symbol == tau else name


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
