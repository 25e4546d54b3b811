"""What a combination may be made of: products of facts and squares, in blocks of columns of a linear program.

A monomial is a number of 64 bits here, the sum of its exponents times what was drawn for its atoms, so that a product
is a sum. Two monomials with one number would cost a proof, not make one: what is found is solved again exactly.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from itertools import combinations, combinations_with_replacement, islice
from math import lcm
from random import Random

import numpy as np

from gaptron.prove.hypotheses import Fact
from gaptron.prove.rational_functions import Monomial, Polynomial, multiply, times

MOST_COLUMNS = 6000
MOST_MONOMIALS = 20
SCALES = (1, -1, 2, -2, Fraction(1, 2), Fraction(-1, 2))
MASK = (1 << 64) - 1

Sparse = dict[int, int]  # a positive multiple of a polynomial, by the numbers of its monomials


@dataclass(frozen=True)
class Column:
    """A product of facts and the square of a polynomial, or an equation times a polynomial."""

    facts: tuple[int, ...]
    square: Polynomial
    strict: bool = False
    equation: bool = False

    def value(self, facts: list[Fact]) -> Polynomial:
        """The polynomial that it is."""
        value = self.square if self.equation else multiply(self.square, self.square)
        for number in self.facts:
            value = multiply(value, facts[number][1])
        return value


@dataclass(frozen=True)
class ColumnBlock:
    """Columns with the same coefficients but for their signs, each at its own monomials; ``column(i)`` is the i-th."""

    keys: np.ndarray  # (columns, monomials), numbers of monomials
    values: np.ndarray  # (monomials,), the largest 1
    signs: np.ndarray  # (columns,)
    strict: np.ndarray  # (columns,)
    costs: np.ndarray  # (columns,)
    column: Callable[[int], Column]

    def __len__(self) -> int:
        return len(self.keys)


@dataclass(frozen=True)
class Generator:
    """What products are made of: a fact, or the square of a variable of unknown sign."""

    value: Polynomial
    fact: int | None
    strict: bool
    root: Monomial = ()

    @property
    def is_unit(self) -> bool:
        """Whether it is a multiple of one variable's power."""
        return len(self.value) == 1 and all(len(monomial) == 1 for monomial in self.value)


def generators_of(facts: list[Fact]) -> list[Generator]:
    """The inequalities without constants and repetitions, the conclusion's last; squares of variables before it."""
    found: dict[tuple[tuple[Monomial, Fraction], ...], Generator] = {}
    for i, (kind, value) in enumerate(facts[:-1]):
        key = tuple(sorted(value.items()))
        if kind != "=" and any(value) and not (key in found and (found[key].strict or kind == ">=")):
            found[key] = Generator(value, i, kind == ">")
    signed = {monomial for generator in found.values() if len(generator.value) == 1 for monomial in generator.value}
    atoms = sorted({((atom, 1),) for _, value in facts for monomial in value for atom, _ in monomial})
    squares = [Generator({times(a, a): Fraction(1)}, None, False, a) for a in atoms if a not in signed]
    kind, value = facts[-1]
    return [*found.values(), *squares, Generator(value, len(facts) - 1, kind == ">")]


def blocks(facts: list[Fact], generators: list[Generator], factors: int, extra: int) -> list[ColumnBlock]:
    """Products of up to ``factors`` facts, each times every monomial in the signed variables within the degrees.

    Then squares and multiples of equations. None at all if there are more than ``MOST_COLUMNS``.
    """
    maker, found, count = _Maker(facts, extra), list[ColumnBlock](), 0
    for block in maker.all(generators, factors):
        found.append(block)
        count += len(block)
        if count > MOST_COLUMNS:
            return []
    return found


def column_of(found: list[ColumnBlock], number: int) -> Column:
    """The column with this number among those of all blocks."""
    for block in found:
        if number < len(block):
            return block.column(number)
        number -= len(block)
    raise IndexError(number)


@dataclass(frozen=True)
class _Product:
    """A product of facts that are no units; ``last`` is the number of the last one among the generators."""

    last: int
    reached: dict[str, int]
    facts: tuple[int, ...]
    value: Sparse
    strict: bool


@dataclass(frozen=True)
class _Shifts:
    """All products of units that fit: how often each is taken, and what that does to a column."""

    counts: np.ndarray
    keys: np.ndarray
    signs: np.ndarray
    strict: np.ndarray
    facts: np.ndarray


class _Maker:
    """Makes the columns of some facts within their degrees, and ``extra`` more."""

    def __init__(self, facts: list[Fact], extra: int) -> None:
        self.facts = facts
        highest = degrees_of(monomial for _, value in facts for monomial in value)
        self.caps = {atom: cap + extra for atom, cap in highest.items()}
        drawn = Random(0)  # noqa: S311
        self.numbers: dict[str, int] = {atom: drawn.getrandbits(64) for atom in sorted(self.caps)}
        self.shifts: dict[tuple[int, ...], _Shifts] = {}

    def all(self, generators: list[Generator], factors: int) -> Iterator[ColumnBlock]:
        """Products, squares, and multiples of equations."""
        units, others = [g for g in generators if g.is_unit], [g for g in generators if not g.is_unit]
        for product in self._products(others, factors):
            yield self._times_units(product, units)
        yield from self._squares()
        if factors > 2:
            yield from self._squares_times([g for g in others if g.fact is not None])
        yield from self._squares_of_pairs()
        for number, (kind, value) in enumerate(self.facts):
            if kind == "=" and value:
                yield from self._multiples(number, value)

    def key(self, monomial: Monomial) -> int:
        """The number of a monomial."""
        return sum(self.numbers[atom] * exponent for atom, exponent in monomial) & MASK

    def sparse(self, value: Polynomial) -> Sparse:
        """A positive multiple of the polynomial, with integers."""
        scale = lcm(*(c.denominator for c in value.values()))
        return {self.key(m): c.numerator * (scale // c.denominator) for m, c in value.items()}

    def _products(self, others: list[Generator], factors: int) -> list[_Product]:
        """Those of up to ``factors`` facts that are no units; more than there is room for are not finished."""
        degrees, values = [degrees_of(g.value) for g in others], [self.sparse(g.value) for g in others]
        longest = [_Product(0, {}, (), {0: 1}, True)]
        found = list(longest)
        for _ in range(factors):
            longer = (
                _Product(i, reached, (*p.facts, g.fact or 0), _multiplied(p.value, values[i]), p.strict and g.strict)
                for p in longest
                for i, g in enumerate(others[p.last :], p.last)
                if self._fits(reached := _sum_of(p.reached, degrees[i]))
            )
            longest = list(islice(longer, MOST_COLUMNS))
            found += longest
            if len(found) > MOST_COLUMNS:
                break
        return found

    def _fits(self, degrees: dict[str, int]) -> bool:
        return all(degree <= self.caps[atom] for atom, degree in degrees.items())

    def _times_units(self, product: _Product, units: list[Generator]) -> ColumnBlock:
        """The product times every product of units that fits."""
        shifts = self._room_for(units, product.reached)

        def column(number: int) -> Column:
            facts = product.facts
            root: Monomial = ()
            for unit, count in zip(units, shifts.counts[number].tolist(), strict=True):
                facts += () if unit.fact is None else (unit.fact,) * count
                root = times(root, tuple((atom, exponent * count) for atom, exponent in unit.root))
            return Column(facts, {root: Fraction(1)}, bool(product.strict and shifts.strict[number]))

        keys = np.array(list(product.value), dtype=np.uint64)
        costs = 1.0 + 2 * (len(product.facts) + shifts.facts)
        strict = shifts.strict & product.strict
        return ColumnBlock(
            shifts.keys[:, None] + keys, _scaled(list(product.value.values())), shifts.signs, strict, costs, column
        )

    def _room_for(self, units: list[Generator], reached: dict[str, int]) -> _Shifts:
        """The products of units that keep the degrees, the same for all products with as much room for them."""
        steps = [next(iter(degrees_of(unit.value).items())) for unit in units]
        room = {atom: self.caps[atom] - reached.get(atom, 0) for atom, _ in steps}
        known = tuple(room.values())
        if known not in self.shifts:
            self.shifts[known] = self._shifts(units, _counts(steps, room))
        return self.shifts[known]

    def _shifts(self, units: list[Generator], counts: np.ndarray) -> _Shifts:
        numbers = np.array([self.key(next(iter(unit.value))) for unit in units], dtype=np.uint64)
        negative = np.array([next(iter(unit.value.values())) < 0 for unit in units], dtype=bool)
        weak = np.array([not unit.strict for unit in units], dtype=bool)
        is_fact = np.array([unit.fact is not None for unit in units], dtype=bool)
        return _Shifts(
            counts,
            (counts.astype(np.uint64) * numbers).sum(axis=1, dtype=np.uint64),
            1.0 - 2.0 * (counts[:, negative].sum(axis=1) % 2),
            np.logical_not(counts[:, weak].any(axis=1)),
            counts[:, is_fact].sum(axis=1),
        )

    def _monomials(self, caps: dict[str, int], total: int) -> list[Monomial]:
        found: list[Monomial] = [()]
        for degree in range(1, total + 1):
            for atoms in combinations_with_replacement(sorted(caps), degree):
                monomial = tuple((atom, atoms.count(atom)) for atom in dict.fromkeys(atoms))
                if all(exponent <= caps[atom] for atom, exponent in monomial):
                    found.append(monomial)
        return found

    def _squares(self) -> Iterator[ColumnBlock]:
        """Squares of sums and differences of two monomials within the degrees."""
        half = {atom: cap // 2 for atom, cap in self.caps.items() if cap > 1}
        pairs = list(combinations(self._monomials(half, 3)[:MOST_MONOMIALS], 2))
        for scale in SCALES if pairs else ():
            yield self._squared(pairs, Fraction(scale))

    def _squares_of_pairs(self) -> Iterator[ColumnBlock]:
        """Squares of sums and differences of two monomials of the conclusion, where they fit, as (a - b)^2 for 2ab."""
        pairs = [
            (first, second)
            for first, second in combinations(sorted(self.facts[-1][1]), 2)
            if all(2 * exponent <= self.caps[atom] for atom, exponent in (*first, *second))
        ]
        for scale in (1, -1) if pairs else ():
            yield self._squared(pairs, Fraction(scale))

    def _squared(self, pairs: list[tuple[Monomial, Monomial]], scale: Fraction) -> ColumnBlock:
        """(first + scale * second)^2 for each pair."""
        first, second = (np.array([self.key(m) for m in side], dtype=np.uint64) for side in zip(*pairs, strict=True))
        keys = np.stack([first + first, first + second, second + second], axis=1)
        values = _scaled([Fraction(1), 2 * scale, scale**2])
        return _weak(keys, values, 5.0, lambda i: Column((), {pairs[i][0]: Fraction(1), pairs[i][1]: scale}))

    def _squares_times(self, generators: list[Generator]) -> Iterator[ColumnBlock]:
        """Squares of differences of two variables, times a fact, within the degrees."""
        half = {atom: cap // 2 for atom, cap in self.caps.items()}
        for first, second in combinations(self._monomials(half, 1), 2):
            root: Polynomial = {first: Fraction(1), second: Fraction(-1)}
            square = multiply(root, root)
            for generator in generators:
                if self._fits(_sum_of(degrees_of(square), degrees_of(generator.value))):
                    value = _multiplied(self.sparse(square), self.sparse(generator.value))
                    column = Column((generator.fact or 0,), root)
                    yield _weak(_row(value), _scaled(list(value.values())), 7.0, partial(_always, column))

    def _multiples(self, number: int, value: Polynomial) -> Iterator[ColumnBlock]:
        """An equation times every monomial that fits, with both signs."""
        degrees, sparse = degrees_of(value), self.sparse(value)
        room = {atom: cap - degrees.get(atom, 0) for atom, cap in self.caps.items() if cap > degrees.get(atom, 0)}
        monomials = self._monomials(room, 3)
        shifts = np.array([self.key(monomial) for monomial in monomials], dtype=np.uint64)
        for sign in (1, -1):

            def column(i: int, sign: int = sign) -> Column:
                return Column((number,), {monomials[i]: Fraction(sign)}, equation=True)

            yield _weak(shifts[:, None] + _row(sparse), sign * _scaled(list(sparse.values())), 3.0, column)


def _weak(keys: np.ndarray, values: np.ndarray, cost: float, column: Callable[[int], Column]) -> ColumnBlock:
    """Columns of which none is certainly positive."""
    ones = np.ones(len(keys))
    return ColumnBlock(keys, values, ones, np.zeros(len(keys), dtype=bool), cost * ones, column)


def _always(column: Column, _: int) -> Column:
    return column


def _row(value: Sparse) -> np.ndarray:
    return np.array([list(value)], dtype=np.uint64)


def _scaled(values: list[int] | list[Fraction]) -> np.ndarray:
    """As floats, the largest 1 or -1."""
    largest = max(map(abs, values), default=1)
    return np.array([float(value / largest) for value in values])


def _multiplied(left: Sparse, right: Sparse) -> Sparse:
    found: Sparse = {}
    for a, x in left.items():
        for b, y in right.items():
            key = (a + b) & MASK
            found[key] = found.get(key, 0) + x * y
    return {key: value for key, value in found.items() if value}


def _counts(steps: list[tuple[str, int]], room: dict[str, int]) -> np.ndarray:
    """How often each unit, which takes so much of the room of an atom, can be taken: a row each, the first ones."""
    counts = np.zeros((1, 0), dtype=np.int64)
    left = {atom: np.array([most]) for atom, most in room.items()}
    for atom, step in steps:
        ways = left[atom] // step + 1
        of = np.repeat(np.arange(len(counts)), ways)[: MOST_COLUMNS + 1]
        taken = np.arange(len(of)) - (np.cumsum(ways) - ways)[of]
        counts = np.column_stack([counts[of], taken])
        left = {name: most[of] for name, most in left.items()}
        left[atom] -= step * taken
    return counts


def degrees_of(value: Iterable[Monomial]) -> dict[str, int]:
    """The degree in each atom, of a polynomial or of several monomials."""
    found: dict[str, int] = {}
    for monomial in value:
        for atom, exponent in monomial:
            found[atom] = max(found.get(atom, 0), exponent)
    return found


def _sum_of(reached: dict[str, int], more: dict[str, int]) -> dict[str, int]:
    return reached | {atom: reached.get(atom, 0) + degree for atom, degree in more.items()}
