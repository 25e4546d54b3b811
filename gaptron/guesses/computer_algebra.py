"""Guesses about regions, by computer algebra: whatever follows from one of them is a claim that must be proved."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import inf
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from gaptron.door.reading import read
from gaptron.door.showing import show, show_relation, symbol
from gaptron.guesses import in_floats
from gaptron.language.expressions import Expression
from gaptron.language.relations import Relation
from gaptron.obligations.guessing import Guesses
from gaptron.obligations.sequents import Sequent
from gaptron.obligations.setting import RATE, variables_of
from gaptron.symbols import INTEGERS, K, Parameter, p
from gaptron.theory.items import Item
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.theorem import Theorem

LARGEST_PARTS = 12  # of a softmax distribution, for which a decoder is reduced
SHARES = (0, sp.Rational(1, 3), 1)  # of the range of a parameter

Region = tuple[Relational, ...]
Bound = tuple[sp.Symbol, sp.Expr, bool, bool]  # variable, bound, strict, is a lower bound


class SympyGuesses(Guesses):
    """Guesses about data, in which variables stand for these symbols; what each one answers is said in ``Guesses``."""

    def __init__(self, symbols: Mapping[str, sp.Symbol]) -> None:
        self.symbols = symbols
        self._shown: dict[Relation, Relational] = {}

    @staticmethod
    def of(item: Item) -> "SympyGuesses":
        """About the claims of a theorem."""
        found = {name: symbol(known) for name, known in variables_of(item).items()}
        return SympyGuesses(found | {RATE: sp.Symbol("eta", positive=True)})

    def relation(self, given: Relation) -> Relational:
        """In sympy."""
        if given not in self._shown:
            self._shown[given] = show_relation(given, self.symbols)
        return self._shown[given]

    def region(self, given: Iterable[Relation]) -> Region:
        """In sympy."""
        return tuple(map(self.relation, given))

    def said(self, expression: Expression) -> str:
        return str(show(expression, self.symbols))

    def said_relation(self, given: Relation) -> str:
        return str(sp.sstr(self.relation(given), order="none"))

    def seems_empty(self, region: Iterable[Relation]) -> bool:
        return seems_empty(self.region(region))

    def only_point(self, region: Iterable[Relation], variable: str) -> Expression | None:
        bounds = _bounds_of(self.region(region), self.symbols[variable])
        lower = dict.fromkeys(bound for bound, above in bounds if above)
        point = next((bound for bound, above in bounds if not above and bound in lower), None)
        return None if point is None else _finite(point)

    def place(self, region: Iterable[Relation], variable: str) -> tuple[float, float]:
        """Where in the variable the region seems to be, for two to four classes: enough to put pieces in order."""
        shown = self.region(region)
        bounds = _bounds_of(shown, self.symbols[variable])
        tried = (
            [(_sampled_bound(bound, classes), above) for bound, above in bounds] for classes in _some_classes(shown)
        )
        values = next((row for row in tried if all(value.is_real for value, _ in row)), [])
        low = max((float(value) for value, above in values if above), default=-inf)
        return low, min((float(value) for value, above in values if not above), default=inf)

    def seems_positive(self, expression: Expression) -> bool:
        return _seems_positive(show(expression, self.symbols))

    def seems_tight(self, given: Relation) -> bool:
        return seems_tight(self.relation(given))

    def seems_to_hold(self, region: Iterable[Relation], theorem: Theorem) -> bool:
        shown, last = self.region(region), theorem.last_class_count or theorem.first_class_count + 9
        for n_classes, share in product((theorem.first_class_count, last), SHARES):
            values = {q: _between(q, share) for q in theorem.parameters} | {K: n_classes}
            if any(relation.subs(values).doit() != sp.true for relation in shown):
                return False
        return True

    def seem_true(self, theorem: StructuredTheorem, claims: Sequence[Sequent]) -> bool:
        return in_floats.seem_true(theorem, claims)

    def not_needed(self, f: Expression) -> Fraction:
        """A simple rational at which f is negative, nearly the largest one: found in floats, to be proved.

        With parameters f is negative there at the ends of their ranges and between them.
        """
        shown = show(f, self.symbols)
        parameters = sorted(shown.free_symbols - {p}, key=str)
        grid = [[float(_between(q, share)) for share in SHARES] for q in parameters]
        value = sp.lambdify([p, *parameters], shown, "math")
        for n in range(2, LARGEST_PARTS + 2):
            if all(_in_floats(value, 1 / n, *at) < 0 for at in product(*grid)):
                return Fraction(1, n)
        raise NotImplementedError(f"more than {LARGEST_PARTS} labels may count: that many are not reduced")

    def seems_positive_number(self, expression: Expression) -> bool:
        shown = show(expression, self.symbols)
        return bool(shown.is_number and shown.is_positive)

    def beyond(self, c: Expression) -> Fraction:
        """A simple rational above 1/sqrt(c), for a positive number c: found in floats, to be proved."""
        return Fraction(int(8 / float(show(c, self.symbols)) ** 0.5) + 1, 8)

    def infimum(self, pieces: Iterable[tuple[Iterable[Relation], Expression]], variable: str) -> Expression:
        """The infimum of a convex function that is given by its smooth pieces, if it seems to be positive, else 0.

        It is taken at an end of a piece, where its slope vanishes, or at infinity.
        """
        levels, x = list[sp.Expr](), self.symbols[variable]
        for region, piece in pieces:
            value = show(piece, self.symbols)
            if value.free_symbols - {x}:
                return Fraction(0)
            low, high = ends(tuple(r for r in self.region(region) if x in r.free_symbols), x)
            levels += [sp.limit(value, x, end) for end in (low, high)]
            slope = sp.diff(value, x)
            if value.is_polynomial(x) and x in slope.free_symbols:
                levels += [value.subs(x, root) for root in sp.real_roots(slope, x) if low <= root <= high]
        return read(min((sp.Max(level, 0) for level in levels if level.is_finite), key=float, default=sp.S.Zero))

    def never_hold(self, region: Iterable[Relation]) -> int:
        return sum(relation.doit() == sp.false for relation in self.region(region))

    def in_other_forms(self, given: Relation) -> Iterator[Relation]:
        """Relations that seem to say the same: products of numbers computed, or one quotient; none without a value."""
        shown = self.relation(given)
        if not shown.has(sp.nan, sp.zoo, sp.oo, sp.I):
            yield Relation(given.sign, read(shown.lhs), read(shown.rhs))
            yield Relation(given.sign, read(sp.cancel(sp.together(shown.lhs - shown.rhs))), Fraction(0))

    def shortened(self, expression: Expression) -> Expression:
        found = _finite(sp.cancel(sp.together(show(expression, self.symbols))))
        return expression if found is None else found

    def factored(self, expression: Expression) -> Expression:
        return read(sp.factor(show(expression, self.symbols)))

    def squares(self, radicand: Expression) -> tuple[Expression, Expression]:
        whole = sp.fraction(sp.cancel(sp.together(show(radicand, self.symbols))))
        numerator, denominator = map(sp.factor_list, whole)
        outside, inside = sp.Integer(1), numerator[0] / denominator[0]
        for factors, sign in ((numerator[1], 1), (denominator[1], -1)):
            for factor, power in factors:
                halves = power // 2 if _seems_positive(factor) else 0
                outside *= factor ** (sign * halves)
                inside *= factor ** (sign * (power - 2 * halves))
        return read(outside), read(inside)


def _finite(found: sp.Expr) -> Expression | None:
    return None if found.has(sp.nan, sp.zoo, sp.oo, sp.I) else read(found)


def seems_empty(region: Region) -> bool:
    """Whether no point with an integer K >= 2 seems to satisfy all relations: by bounds on one variable, or samples."""
    lower: list[tuple[sp.Symbol, sp.Expr, bool]] = []
    upper: list[tuple[sp.Symbol, sp.Expr, bool]] = []
    for relation in region:
        if _never_holds(relation):
            return True
        for variable, bound, strict, above in _bounds(relation):
            (lower if above else upper).append((variable, bound, strict))
    if any(
        low[0] == high[0] and seems_nonnegative(low[1] - high[1], strict=not (low[2] or high[2]))
        for low in lower
        for high in upper
    ):
        return True
    return any(not _bounds(relation) for relation in region) and _has_no_sample(region)


@lru_cache(maxsize=4096)
def _never_holds(relation: Relational) -> bool:
    """Whether sympy sees that a relation is false everywhere."""
    return bool(relation.func(sp.expand(relation.lhs - relation.rhs), 0) == sp.false)


def _has_no_sample(region: Region) -> bool:
    """Whether none of some simple points is in a region of one scalar; False if it has more of them."""
    symbols = sorted(set().union(*(relation.free_symbols for relation in region)), key=str)
    scalars = [symbol for symbol in symbols if symbol != K and not isinstance(symbol, Parameter)]
    if len(scalars) != 1:
        return False
    import numpy as np  # here alone: few regions need it

    return not np.logical_and.reduce([_sampled(relation, tuple(symbols)) for relation in region]).any()


@lru_cache(maxsize=1024)
def _sampled(relation: Relational, symbols: tuple[sp.Symbol, ...]) -> Any:
    """At which of the samples of the symbols a relation holds, a flat array of booleans."""
    import numpy as np

    values = [_samples(symbol) for symbol in symbols]
    columns = [column.ravel() for column in np.meshgrid(*values, indexing="ij")]
    with np.errstate(all="ignore"):
        difference = sp.lambdify(symbols, relation.lhs - relation.rhs, "numpy")(*columns)
        holds = _COMPARED[type(relation)](np.asarray(difference, dtype=float))
    return np.broadcast_to(holds, columns[0].shape)


def _samples(symbol: sp.Symbol) -> list[float]:
    if symbol == K:
        return [2.0, 3.0, 4.0, 100.0]
    if not isinstance(symbol, Parameter):
        return SAMPLES
    ends = [float(end) for end in (symbol.low, symbol.high) if end is not None] or [0.0]
    return [*ends, sum(ends) / len(ends)]


SAMPLES = sorted({n / d for d in (1, 3, 8, 10, 64) for n in range(-8 * d, 8 * d + 1)} | {-1e3, 1e3, 1e-6, 1 - 1e-6})
TINY, FAR = 1e-12, 1e-6
_COMPARED: dict[type, Callable[[Any], Any]] = {
    sp.Le: lambda difference: difference <= TINY,
    sp.Lt: lambda difference: difference < 0,
    sp.Ge: lambda difference: difference >= -TINY,
    sp.Gt: lambda difference: difference > 0,
    sp.Eq: lambda difference: abs(difference) <= TINY,
    sp.Ne: lambda difference: difference != 0,
}


def _bounds_of(region: Region, variable: sp.Symbol) -> list[tuple[sp.Expr, bool]]:
    """Those of one variable, and whether it is above."""
    return [(bound, above) for r in region for name, bound, _, above in _bounds(r) if name == variable]


def _some_classes(region: Region) -> Iterator[sp.Expr]:
    """Numbers of classes of which the region speaks."""
    bounds = _bounds_of(region, K)
    for count in (3, 2, 4):
        least = sp.Max(count, *(bound for bound, above in bounds if above))
        yield sp.Min(least, *(bound for bound, above in bounds if not above))


def _sampled_bound(bound: sp.Expr, classes: sp.Expr) -> sp.Expr:
    """A bound at a number of classes, and at the ends of parameters."""
    ends = {s: next((end for end in (s.low, s.high) if end is not None), sp.S.Zero) for s in bound.free_symbols - {K}}
    return bound.subs({K: classes, **ends})


def ends(region: Region, variable: sp.Symbol) -> tuple[sp.Expr, sp.Expr]:
    """The ends of the interval of ``variable`` that the relations describe.

    Raises
    ------
    NotImplementedError
        If a relation is not a bound on ``variable`` by a number.
    """
    found: dict[bool, list[sp.Expr]] = {True: [-sp.oo], False: [sp.oo]}
    for relation in region:
        bounds = _bounds(relation)
        if not bounds or any(name != variable or not bound.is_number for name, bound, *_ in bounds):
            raise NotImplementedError(f"the condition {relation} is not a bound on {variable} by a number")
        for _, bound, _, above in bounds:
            found[above].append(bound)
    return sp.Max(*found[True]), sp.Min(*found[False])


@lru_cache(maxsize=4096)
def _bounds(relation: Relational) -> tuple[Bound, ...]:
    """Bounds that a relation linear in one variable sets, the others being K and parameters; K's are integers."""
    return tuple(_found_bounds(relation))


def _found_bounds(relation: Relational) -> Iterator[Bound]:
    difference = sp.expand(relation.lhs - relation.rhs)
    if not difference.free_symbols or difference.has(sp.nan, sp.zoo, sp.oo):
        return
    scalars = {symbol for symbol in difference.free_symbols - {K} if not isinstance(symbol, Parameter)}
    variables = scalars or difference.free_symbols - {K} or {K}
    if len(variables) > 1:
        return
    (variable,) = variables
    if not difference.is_polynomial(variable) or sp.degree(difference, variable) != 1:
        return
    slope = difference.coeff(variable, 1)
    if not slope.is_number or isinstance(relation, sp.Ne):
        return
    bound = -difference.coeff(variable, 0) / slope
    if isinstance(relation, sp.Eq):
        yield variable, bound, False, True
        yield variable, bound, False, False
        return
    strict, up = isinstance(relation, (sp.Lt, sp.Gt)), isinstance(relation, (sp.Ge, sp.Gt)) == bool(slope > 0)
    if variable in INTEGERS and bound.is_Rational:
        bound, strict = _whole(bound, strict, up), False
    yield variable, bound, strict, up


def _whole(bound: sp.Rational, strict: bool, up: bool) -> sp.Integer:
    """The same bound on an integer, by an integer that is attained."""
    if up:
        return sp.floor(bound) + 1 if strict else sp.ceiling(bound)
    return sp.ceiling(bound) - 1 if strict else sp.floor(bound)


@lru_cache(maxsize=4096)
def seems_nonnegative(expr: sp.Expr, strict: bool = False) -> bool:
    """Whether ``expr`` >= 0 (or > 0) for every real K >= 2: no coefficient in K - 2 is negative."""
    if expr.is_number:
        return bool(expr.is_positive if strict else expr.is_nonnegative)
    numerator, denominator = map(_coefficients, sp.fraction(sp.cancel(sp.together(expr))))
    if numerator is None or denominator is None:
        return False
    for top, bottom in ((numerator, denominator), ([-c for c in numerator], [-c for c in denominator])):
        if all(c.is_nonnegative for c in top + bottom) and bottom[-1].is_positive:
            return not strict or bool(top[-1].is_positive)
    return False


def _coefficients(expr: sp.Expr) -> list[sp.Expr] | None:
    if not expr.is_polynomial(K):
        return None
    return list(sp.Poly(expr.subs(K, K + 2), K).all_coeffs())


def _seems_positive(expr: sp.Expr) -> bool:
    more = sp.Dummy("more", nonnegative=True)
    is_polynomial = expr.free_symbols == {K} and seems_nonnegative(expr, strict=True)
    return bool(expr.is_positive) or is_polynomial or bool(expr.subs(K, 2 + more).is_positive)


@lru_cache(maxsize=4096)
def seems_tight(relation: Relational) -> bool:
    """Whether the two sides seem to be equal; if they differ in floats at a point, nothing is simplified."""
    difference = relation.lhs - relation.rhs
    point = {
        symbol: 3 + sp.Rational(1, 7 + place) for place, symbol in enumerate(sorted(difference.free_symbols, key=str))
    }
    value = difference.subs(point).evalf()
    return not (value.is_Float and abs(value) > FAR) and bool(sp.simplify(difference) == 0)


def _between(parameter: Parameter, share: sp.Rational) -> sp.Rational:
    low = parameter.low if parameter.low is not None else (parameter.high or 0) - 1
    high = parameter.high if parameter.high is not None else low + 1
    return low + share * (high - low)


def _in_floats(value: Callable[..., float], *at: float) -> float:
    """The value, or infinity where it is not defined."""
    try:
        return value(*at)
    except (ArithmeticError, ValueError):
        return inf
