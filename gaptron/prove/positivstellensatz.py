"""Search for the rule ``combination``: products of facts and squares that add up to zero, by linear programming.

Floats choose the summands; their coefficients are then solved for in the rationals, so that zero slack is no obstacle.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, islice

import flint
import numpy as np
from scipy.optimize import linprog
from scipy.sparse import coo_array

from gaptron.kernel import Claim
from gaptron.kernel.polynomials import Monomial, Polynomial, multiply, polynomial_term, times
from gaptron.kernel.relations import Fact
from gaptron.kernel.rules.algebra import facts_of
from gaptron.kernel.terms import from_text, names, term_data
from gaptron.prove.proofs import Proof

MOST_COLUMNS = 6000
FEW = 6
MOST_MONOMIALS = 20
BITS = (24, 64)
FIRST = ((1, 0),)
QUICK = ((1, 0), (2, 0))
USUAL = ((2, 0), (3, 0), (4, 0))
LEVELS = ((1, 0), (2, 0), (3, 0), (2, 1), (4, 0), (3, 1), (6, 0), (4, 2))  # factors of a product, extra degree
SMALL = 1e-9


@dataclass(frozen=True)
class _Column:
    """A product of facts and a square (summand), or an equation times a polynomial."""

    value: Polynomial
    facts: tuple[int, ...]
    square: Polynomial
    strict: bool
    equation: bool = False


def find_combination(claim: Claim, deadline: float, levels: tuple[tuple[int, int], ...] = LEVELS) -> Proof | None:
    """A proof of the claim by one combination, or None if none was found before the deadline, in process time."""
    for bits in BITS:
        bounds = _bounds(claim, bits)
        facts = facts_of(claim, bounds)
        generators = _generators(facts)
        if len(generators) > FEW:
            generators = _irredundant(generators)
        for factors, extra in levels:
            if time.process_time() > deadline:
                return None
            columns = list(islice(_columns(facts, generators, factors, extra), MOST_COLUMNS + 1))
            if not 0 < len(columns) <= MOST_COLUMNS:
                continue
            chosen = _solve(columns, deadline)
            if chosen is not None:
                return _proof(bounds, chosen)
        if not bounds:
            return None
    return None


def _bounds(claim: Claim, bits: int) -> list[list[object]]:
    """Enclosures of the constants that occur: logarithms of primes, exp(1), roots of rationals."""
    atoms = {name for _, value in facts_of(claim, []) for monomial in value for name, _ in monomial}
    return [[term_data(from_text(atom)), bits] for atom in sorted(atoms) if not names(from_text(atom))]


@dataclass(frozen=True)
class _Generator:
    """What products are made of: a fact, or the square of a variable of unknown sign."""

    value: Polynomial
    fact: int | None
    strict: bool
    root: Monomial = ()


def _columns(facts: list[Fact], generators: list[_Generator], factors: int, extra: int) -> Iterator[_Column]:
    """Products of up to ``factors`` facts, each times every monomial in the signed variables within the degrees."""
    caps = _degree_caps(facts, extra)
    units = [g for g in generators if _is_unit(g)]
    others = [g for g in generators if not _is_unit(g)]
    degrees = [_degrees(g.value) for g in others]
    one: Polynomial = {(): Fraction(1)}
    products: list[tuple[int, dict[str, int], _Column]] = [(0, {}, _Column(one, (), one, True))]
    longest = products
    for _ in range(factors):
        longest = [
            (i, reached | _sum_of(reached, degrees[i]), _times(column, others[i]))
            for start, reached, column in longest
            for i in range(start, len(others))
            if all(degree <= caps[atom] for atom, degree in _sum_of(reached, degrees[i]).items())
        ]
        products = products + longest
        if len(products) > MOST_COLUMNS:
            return
    for _, reached, column in products:
        yield from _times_units(column, units, {atom: cap - reached.get(atom, 0) for atom, cap in caps.items()})
    yield from _squares(caps, others if factors > 2 else [])
    yield from _squares_of_pairs(facts[-1][1], caps)
    yield from _equations(facts, caps)


def _irredundant(generators: list[_Generator]) -> list[_Generator]:
    """Without the linear facts that follow from the other linear ones: products with them say nothing new."""
    strict_goal = not generators[-1].strict
    linear = {i for i, g in enumerate(generators[:-1]) if g.fact is not None and _is_linear(g.value)}
    atoms = sorted({atom for i in linear for monomial in generators[i].value for atom, _ in monomial})
    rows = {i: _row(generators[i].value, atoms) for i in linear}
    for i in sorted(linear, key=lambda i: (not _is_unit(generators[i]), len(generators[i].value), i)):
        others = [rows[j] for j in linear if j != i]
        if others and not _is_unit(generators[i]):
            least = _least(rows[i], np.array(others))
            if least > SMALL or (least > -SMALL and not (generators[i].strict and strict_goal)):
                linear.remove(i)
    kept = {i for i, g in enumerate(generators[:-1]) if g.fact is None or not _is_linear(g.value)} | linear
    return [*(g for i, g in enumerate(generators[:-1]) if i in kept), generators[-1]]


def _is_linear(value: Polynomial) -> bool:
    return all(sum(exponent for _, exponent in monomial) <= 1 for monomial in value)


def _row(value: Polynomial, atoms: list[str]) -> list[float]:
    """The constant and the coefficients of a linear polynomial."""
    return [float(value.get((), 0)), *(float(value.get(((atom, 1),), 0)) for atom in atoms)]


def _least(row: list[float], others: np.ndarray) -> float:
    """The least value of a linear function where the others are >= 0."""
    found = linprog(row[1:], A_ub=-others[:, 1:], b_ub=others[:, 0], bounds=(None, None), method="highs")
    return float(found.fun) + row[0] if found.status == 0 and found.fun is not None else float("-inf")


def _is_unit(generator: _Generator) -> bool:
    """Whether it is a positive multiple of one variable, or the square of one."""
    return len(generator.value) == 1 and all(len(monomial) == 1 for monomial in generator.value)


def _sum_of(reached: dict[str, int], more: dict[str, int]) -> dict[str, int]:
    return {atom: reached.get(atom, 0) + degree for atom, degree in more.items()}


def _times_units(column: _Column, units: list[_Generator], room: dict[str, int]) -> Iterator[_Column]:
    """The column times every product of signed variables that fits."""
    if not units:
        yield column
        return
    ((atom, step),) = _degrees(units[0].value).items()
    for count in range(room[atom] // step + 1):
        yield from _times_units(column, units[1:], room | {atom: room[atom] - count * step})
        column = _times(column, units[0])


def _times(column: _Column, generator: _Generator) -> _Column:
    facts = column.facts if generator.fact is None else (*column.facts, generator.fact)
    ((root, _),) = column.square.items()
    square = {times(root, generator.root): Fraction(1)}
    return _Column(multiply(column.value, generator.value), facts, square, column.strict and generator.strict)


def _generators(facts: list[Fact]) -> list[_Generator]:
    """The inequalities without constants and repetitions, the conclusion's last; squares of variables before it."""
    found: dict[tuple[tuple[Monomial, Fraction], ...], _Generator] = {}
    for i, (kind, value) in enumerate(facts[:-1]):
        key = tuple(sorted(value.items()))
        if kind != "=" and any(value) and not (key in found and (found[key].strict or kind == ">=")):
            found[key] = _Generator(value, i, kind == ">")
    signed = {monomial for generator in found.values() if len(generator.value) == 1 for monomial in generator.value}
    atoms = sorted({((atom, 1),) for _, value in facts for monomial in value for atom, _ in monomial})
    squares = [_Generator({times(a, a): Fraction(1)}, None, False, a) for a in atoms if a not in signed]
    kind, value = facts[-1]
    return [*found.values(), *squares, _Generator(value, len(facts) - 1, kind == ">")]


def _degrees(value: Polynomial) -> dict[str, int]:
    found: dict[str, int] = {}
    for monomial in value:
        for atom, exponent in monomial:
            found[atom] = max(found.get(atom, 0), exponent)
    return found


def _degree_caps(facts: list[Fact], extra: int) -> dict[str, int]:
    """How high the power of each atom may be: as in the conclusion, or in one fact, and ``extra`` more."""
    caps: dict[str, int] = {}
    for _, value in facts:
        for atom, degree in _degrees(value).items():
            caps[atom] = max(caps.get(atom, 0), degree)
    return {atom: degree + extra for atom, degree in caps.items()}


def _monomials(caps: dict[str, int], total: int) -> list[Monomial]:
    found: list[Monomial] = [()]
    for degree in range(1, total + 1):
        for atoms in combinations_with_replacement(sorted(caps), degree):
            monomial: Monomial = ()
            for atom in atoms:
                monomial = times(monomial, ((atom, 1),))
            if all(exponent <= caps[atom] for atom, exponent in monomial):
                found.append(monomial)
    return found


def _squares(caps: dict[str, int], generators: list[_Generator]) -> Iterator[_Column]:
    """Squares of sums and differences of two monomials within the degrees, and those of variables times a fact."""
    half = {atom: cap // 2 for atom, cap in caps.items()}
    monomials = _monomials({a: c for a, c in half.items() if c}, 3)[:MOST_MONOMIALS]
    for first, second in combinations(monomials, 2):
        for scale in (1, -1, 2, -2, Fraction(1, 2), Fraction(-1, 2)):
            yield _square({first: Fraction(1), second: Fraction(scale)})
    for first, second in combinations(_monomials(half, 1), 2):
        square = _square({first: Fraction(1), second: Fraction(-1)})
        for generator in generators:
            if generator.fact is not None:
                value = multiply(square.value, generator.value)
                if all(degree <= caps[atom] for atom, degree in _degrees(value).items()):
                    yield _Column(value, (generator.fact,), square.square, False)


def _squares_of_pairs(goal: Polynomial, caps: dict[str, int]) -> Iterator[_Column]:
    """Squares of sums and differences of two monomials of the conclusion, where they fit, as (a - b)^2 for 2ab."""
    for first, second in combinations(sorted(goal), 2):
        for scale in (1, -1):
            square = _square({first: Fraction(1), second: Fraction(scale)})
            if all(degree <= caps[atom] for atom, degree in _degrees(square.value).items()):
                yield square


def _square(root: Polynomial) -> _Column:
    return _Column(multiply(root, root), (), root, False)


def _equations(facts: list[Fact], caps: dict[str, int]) -> Iterator[_Column]:
    for i, (kind, value) in enumerate(facts):
        if kind == "=" and value:
            room = {atom: cap - _degrees(value).get(atom, 0) for atom, cap in caps.items()}
            for monomial in _monomials({a: c for a, c in room.items() if c > 0}, 3):
                factor = {monomial: Fraction(1)}
                product = multiply(value, factor)
                yield _Column(product, (i,), factor, False, True)
                yield _Column({m: -c for m, c in product.items()}, (i,), {monomial: Fraction(-1)}, False, True)


def _solve(columns: list[_Column], deadline: float) -> list[tuple[Fraction, _Column]] | None:
    """Weights >= 0 with weighted sum zero and strict weights that sum to one; None if the linear program has none."""
    index: dict[Monomial, int] = {}
    rows, places, values = [], [], []
    scales = [max(map(abs, column.value.values()), default=Fraction(1)) for column in columns]
    for j, column in enumerate(columns):
        for monomial, coefficient in column.value.items():
            rows.append(index.setdefault(monomial, len(index)))
            places.append(j)
            values.append(float(coefficient / scales[j]))
    last = len(index)
    for j, column in enumerate(columns):
        if column.strict:
            rows.append(last)
            places.append(j)
            values.append(1.0)
    matrix = coo_array((values, (rows, places)), shape=(last + 1, len(columns))).tocsr()
    target = np.zeros(last + 1)
    target[last] = 1.0
    cost = [1.0 + 2 * len(c.facts) + 4 * (len(c.square) > 1) for c in columns]
    limit = {"time_limit": max(0.01, deadline - time.process_time())}
    found = linprog(cost, A_eq=matrix, b_eq=target, bounds=(0, None), method="highs-ds", options=limit)  # type: ignore[call-overload]
    if found.status != 0:
        return None
    for threshold in (SMALL, 1e-12, 1e-7):
        support = [j for j in range(len(columns)) if found.x[j] > threshold]
        weights = _exact([columns[j] for j in support])
        if weights is not None:
            return list(zip(weights, (columns[j] for j in support), strict=True))
    return None


def _exact(columns: list[_Column]) -> list[Fraction] | None:
    """The one rational solution on these columns, if it exists and is not negative; zeros are left in."""
    monomials = sorted({monomial for column in columns for monomial in column.value})
    table = [[_fmpq(c.value.get(monomial, Fraction(0))) for c in columns] + [flint.fmpq(0)] for monomial in monomials]
    table.append([flint.fmpq(int(c.strict)) for c in columns] + [flint.fmpq(1)])
    reduced, rank = flint.fmpq_mat(table).rref()
    count = len(columns)
    solution = [Fraction(0)] * count
    for row in range(rank):
        pivot = next(j for j in range(count + 1) if reduced[row, j] != 0)
        if pivot == count:
            return None
        value = reduced[row, count]
        solution[pivot] = Fraction(int(value.p), int(value.q))
    return solution if all(value >= 0 for value in solution) else None


def _fmpq(value: Fraction) -> flint.fmpq:
    return flint.fmpq(value.numerator, value.denominator)


def _proof(bounds: list[list[object]], chosen: list[tuple[Fraction, _Column]]) -> Proof:
    chosen = [(weight, column) for weight, column in chosen if weight]
    summands = [[str(w), list(c.facts), _term(c.square)] for w, c in chosen if not c.equation]
    equations = [[c.facts[0], _term({m: w * v for m, v in c.square.items()})] for w, c in chosen if c.equation]
    return {"rule": "combination", "bounds": bounds, "summands": summands, "equations": equations}


def _term(value: Polynomial) -> object:
    return "1" if value == {(): Fraction(1)} else term_data(polynomial_term(value))
