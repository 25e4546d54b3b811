"""Formulas as text: expressions and relations written as in a paper, with others in the place of names."""

import ast
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import lru_cache

from gaptron.language.expressions import Expression
from gaptron.language.normal import NORMAL
from gaptron.language.relations import Relation

OPERATIONS: dict[type, Callable[[Expression, Expression], Expression]] = {
    ast.Add: lambda one, other: NORMAL.operation("+", [one, other]),
    ast.Sub: lambda one, other: NORMAL.operation("+", [one, NORMAL.product([Fraction(-1), other], [])]),
    ast.Mult: lambda one, other: NORMAL.product([one, other], []),
    ast.Div: lambda one, other: NORMAL.product([one], [other]),
}
SIGNS = {ast.LtE: "<=", ast.Lt: "<", ast.GtE: ">=", ast.Gt: ">", ast.Eq: "=", ast.NotEq: "!="}


def formula(text: str, **values: Expression) -> Expression:
    """The expression that a text in Python's + - * / ** exp log sqrt says; other names are variables."""
    return _read(_parsed(text), values)


def relation(text: str, **values: Expression) -> Relation:
    """As ``formula``, of one comparison."""
    compared = _parsed(text)
    if not isinstance(compared, ast.Compare) or len(compared.ops) != 1:
        raise ValueError(f"{text} is not a relation")
    return Relation(SIGNS[type(compared.ops[0])], _read(compared.left, values), _read(compared.comparators[0], values))


def where(*texts: str, **values: Expression) -> tuple[Relation, ...]:
    """Several relations."""
    return tuple(relation(text, **values) for text in texts)


@lru_cache(maxsize=1024)
def _parsed(text: str) -> ast.expr:
    return ast.parse(text, mode="eval").body


def _read(node: ast.expr, values: Mapping[str, Expression]) -> Expression:
    match node:
        case ast.Constant(int() as number):
            return Fraction(number)
        case ast.Name(name):
            return values.get(name, name)
        case ast.UnaryOp(ast.USub(), below):
            return NORMAL.product([Fraction(-1), _read(below, values)], [])
        case ast.Call(ast.Name("sqrt"), [argument]):
            return NORMAL.rational_power(_read(argument, values), Fraction(1, 2))
        case ast.Call(ast.Name(("exp" | "log") as name), [argument]):
            return NORMAL.operation(name, [_read(argument, values)])
        case ast.BinOp(left, ast.Pow(), right) if isinstance(exponent := _read(right, values), Fraction):
            return NORMAL.rational_power(_read(left, values), exponent)
        case ast.BinOp(left, operation, right) if type(operation) in OPERATIONS:
            return OPERATIONS[type(operation)](_read(left, values), _read(right, values))
    raise ValueError(f"{ast.unparse(node)} is not understood in a formula")
