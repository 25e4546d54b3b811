"""The example of an argument: a point at which all that it assumes holds, so that it is not about nothing."""

from collections.abc import Iterable, Mapping
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from gaptron.numbers.evaluate import Number, evaluate, holds

Point = dict[sp.Symbol, sp.Expr]


def counterexample(
    example: Mapping[sp.Symbol, Any], defined: Mapping[sp.Symbol, sp.Expr], relations: Iterable[Relational]
) -> str | None:
    """The first relation that does not hold at the example, or whose symbols have no value there; None if all do."""
    point = {symbol: sp.sympify(value) for symbol, value in example.items()}
    for symbol, value in defined.items():
        point.setdefault(symbol, value.xreplace(point))
    numbers: dict[sp.Symbol, Number] = {}
    for relation in relations:
        missing = relation.free_symbols - set(point)
        if missing or not _holds(relation, point, numbers):
            return f"{relation}, {missing or 'which fails'}"
    return None


def _holds(relation: Relational, point: Point, numbers: dict[sp.Symbol, Number]) -> bool:
    """Whether it holds at a point: equations exactly, inequalities in fractions or balls, the ``numbers`` known."""
    if isinstance(relation, sp.Eq):
        return bool(sp.expand((relation.lhs - relation.rhs).xreplace(point)) == 0)
    numbers.update({s: evaluate(point[s], {}) for s in relation.free_symbols - numbers.keys()})
    return holds(relation, {symbol: numbers[symbol] for symbol in relation.free_symbols})
