"""Data of the language as sympy's expressions, for those who search in them and for people."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from gaptron.door.reading import RELATION_OF, SIGNS, variable
from gaptron.language.expressions import Expression, evaluated
from gaptron.language.relations import Relation
from gaptron.language.variables import Variable
from gaptron.symbols import ALL, Parameter

Symbols = Mapping[str, sp.Symbol]
KINDS = {sign: kind for kind, sign in SIGNS.items()}
SIGN_OF = {sign: said for said, sign in RELATION_OF.items()}


def show(expression: Expression, symbols: Symbols) -> sp.Expr:
    """The expression, its variables written as these symbols."""
    return evaluated(expression, _InSympy(symbols))


def show_relation(given: Relation, symbols: Symbols) -> Relational:
    """The relation, not judged; one that never holds, where sympy knows that a side is not real."""
    sides = show(given.left, symbols), show(given.right, symbols)
    if any(side.is_extended_real is False for side in sides):
        return sp.Le(1, 0, evaluate=False)
    return KINDS[given.sign](*sides, evaluate=False)


def symbol(known: Variable) -> sp.Symbol:
    """The symbol of which ``reading.variable`` says this."""
    if known.is_parameter:
        return Parameter(known.name, known.low, known.high)
    if known.name in ALL and variable(ALL[known.name]) == known:
        return ALL[known.name]
    declared = {"real": True} | ({SIGN_OF[known.sign]: True} if known.sign else {})
    whole = {"integer": True} if known.is_whole and known.whole_power == 1 else {}
    return sp.Symbol(known.name, **declared, **whole)


class _InSympy:
    """A table of operations whose values are sympy's expressions."""

    def __init__(self, symbols: Symbols) -> None:
        self.symbols = symbols

    def number(self, value: Fraction) -> sp.Expr:
        return sp.Rational(value.numerator, value.denominator)

    def variable(self, name: str) -> sp.Expr:
        return self.symbols[name]

    def product(self, factors: Sequence[sp.Expr], divisors: Sequence[sp.Expr]) -> sp.Expr:
        return sp.Mul(*factors, *(1 / part for part in divisors))

    def rational_power(self, base: sp.Expr, exponent: Fraction) -> sp.Expr:
        return base ** self.number(exponent)

    def operation(self, name: str, parts: Sequence[sp.Expr]) -> sp.Expr:
        return _OPERATIONS[name](*parts)

    def pieces(self, branches: Sequence[tuple[sp.Expr, Boolean]]) -> sp.Expr:
        return sp.Piecewise(*branches, evaluate=False)

    def truth(self, value: bool) -> Boolean:
        return sp.true if value else sp.false

    def relation(self, sign: str, left: sp.Expr, right: sp.Expr) -> Boolean:
        return KINDS[sign](left, right, evaluate=False)

    def connective(self, name: str, parts: Sequence[Boolean]) -> Boolean:
        return {"and": sp.And, "or": sp.Or, "not": sp.Not}[name](*parts, evaluate=False)


_OPERATIONS: dict[str, Callable[..., sp.Expr]] = {
    "+": sp.Add, "min": sp.Min, "max": sp.Max, "abs": sp.Abs, "exp": sp.exp, "log": sp.log, "pi": lambda: sp.pi,
    "power": sp.Pow,
}  # fmt: skip
