"""An expression as a list of smooth ones, each with the condition under which it is the value."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product

from gaptron.language.expressions import Condition, Expression, evaluated
from gaptron.language.instantiation import WRITTEN

Pieces = list[tuple[Condition, Expression]]
Cases = list[tuple[Condition, Condition]]  # a condition without kinks, and when it is what is asked


def pieces(expression: Expression) -> Pieces:
    """(condition, value) of each piece: without pieces, minima, maxima and absolute values in either.

    Where all conditions of the expression are defined at most one of those of its pieces holds, and one does if and
    only if a branch of everything that counts holds.
    """
    return evaluated(expression, _InPieces())


class _InPieces:
    """A table of operations on lists of pieces."""

    def number(self, value: Fraction) -> Pieces:
        return [(True, value)]

    def variable(self, name: str) -> Pieces:
        return [(True, name)]

    def product(self, factors: Sequence[Pieces], divisors: Sequence[Pieces]) -> Pieces:
        n = len(factors)
        return _of([*factors, *divisors], lambda values: WRITTEN.product(values[:n], values[n:]))

    def rational_power(self, base: Pieces, exponent: Fraction) -> Pieces:
        return _of([base], lambda values: WRITTEN.rational_power(values[0], exponent))

    def operation(self, name: str, parts: Sequence[Pieces]) -> Pieces:
        if name == "abs":
            return self._extreme(">=", parts[0], self.product([self.number(Fraction(-1)), parts[0]], []))
        if name not in ("min", "max"):
            return _of(parts, lambda values: WRITTEN.operation(name, values))
        best, *others = parts
        for other in others:
            best = self._extreme(">=" if name == "max" else "<=", best, other)
        return best

    def pieces(self, branches: Sequence[tuple[Pieces, Cases]]) -> Pieces:
        found: Pieces = []
        open_: list[Condition] = [True]
        for values, cases in branches:
            holds = [_all(left, guard, when) for left in open_ for guard, when in cases]
            found += [(_all(when, at), value) for when in holds for at, value in values]
            open_ = [_all(left, guard, _not(when)) for left in open_ for guard, when in cases]
        return [(when, value) for when, value in found if when is not False]

    def truth(self, value: bool) -> Cases:
        return [(True, value)]

    def relation(self, sign: str, left: Pieces, right: Pieces) -> Cases:
        return [(_all(a, b), WRITTEN.relation(sign, one, other)) for (a, one), (b, other) in product(left, right)]

    def connective(self, name: str, parts: Sequence[Cases]) -> Cases:
        chosen = product(*parts)
        return [(_all(*(g for g, _ in c)), WRITTEN.connective(name, [when for _, when in c])) for c in chosen]

    def _extreme(self, sign: str, left: Pieces, right: Pieces) -> Pieces:
        found: Pieces = []
        for (a, one), (b, other) in product(left, right):
            wins = WRITTEN.relation(sign, one, other)
            found += [(_all(a, b, wins), one), (_all(a, b, _not(wins)), other)]
        return [(when, value) for when, value in found if when is not False]


def _of(parts: Sequence[Pieces], made: Callable[[Sequence[Expression]], Expression]) -> Pieces:
    chosen = product(*parts)
    found = [(_all(*(when for when, _ in c)), made([value for _, value in c])) for c in chosen]
    return [(when, value) for when, value in found if when is not False]


def _all(*conditions: Condition) -> Condition:
    return WRITTEN.connective("and", conditions)


def _not(condition: Condition) -> Condition:
    return WRITTEN.connective("not", [condition])
