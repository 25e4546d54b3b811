"""Search for the rule ``combination``: products of facts and squares that add up to zero, by linear programming.

Floats choose the summands; their coefficients are then solved for in the rationals, so that zero slack is no obstacle.
"""

import time
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import inf

import flint
import numpy as np
from scipy.optimize import Bounds, OptimizeResult, milp
from scipy.sparse import coo_array, csr_array

from gaptron.kernel import Claim
from gaptron.language.terms import from_text, names, term_data
from gaptron.prove.columns import Column, ColumnBlock, Generator, blocks, column_of, generators_of
from gaptron.prove.goals import facts_of
from gaptron.prove.hypotheses import Fact
from gaptron.prove.proofs import Proof
from gaptron.prove.rational_functions import Polynomial, polynomial_term

FEW = 6
BITS = (24, 64)
FIRST = ((1, 0),)
QUICK = ((1, 0), (2, 0))
USUAL = ((2, 0), (3, 0), (4, 0))
LEVELS = ((1, 0), (2, 0), (3, 0), (2, 1), (4, 0), (3, 1), (6, 0), (4, 2))  # factors of a product, extra degree
SMALL = 1e-9
REMEMBERED = 64  # claims: the same is asked again with more levels


def find_combination(claim: Claim, deadline: float, levels: tuple[tuple[int, int], ...] = LEVELS) -> Proof | None:
    """A proof of the claim by one combination, or None if none was found before the deadline, in process time."""
    for bits in BITS:
        question = _question(claim, bits)
        for level in levels:
            if time.process_time() > deadline:
                return None
            proof = question.answer(level, deadline)
            if proof is not None:
                return proof
        if not question.bounds:
            return None
    return None


class _Question:
    """A claim, as facts that contradict each other, and what was found at each level."""

    def __init__(self, claim: Claim, bits: int) -> None:
        self.bounds = _bounds(claim, bits)
        self.facts = facts_of(claim, self.bounds)
        generators = generators_of(self.facts)
        self.generators = _irredundant(generators) if len(generators) > FEW else generators
        self.answers: dict[tuple[int, int], Proof | None] = {}

    def answer(self, level: tuple[int, int], deadline: float) -> Proof | None:
        """A combination at this level; None if there is none, or if time was up."""
        if level not in self.answers:
            columns = blocks(self.facts, self.generators, *level)
            try:
                chosen = _solve(columns, self.facts, deadline) if columns else None
            except TimeoutError:
                return None
            self.answers[level] = None if chosen is None else _proof(self.bounds, chosen)
        return self.answers[level]


@lru_cache(maxsize=REMEMBERED)
def _question(claim: Claim, bits: int) -> _Question:
    return _Question(claim, bits)


def _bounds(claim: Claim, bits: int) -> list[list[object]]:
    """Enclosures of the constants that occur: logarithms of primes, exp(1), roots of rationals."""
    atoms = {name for _, value in facts_of(claim, []) for monomial in value for name, _ in monomial}
    return [[term_data(from_text(atom)), bits] for atom in sorted(atoms) if not names(from_text(atom))]


def _irredundant(generators: list[Generator]) -> list[Generator]:
    """Without the linear facts that follow from the other linear ones: products with them say nothing new."""
    strict_goal = not generators[-1].strict
    linear = {i for i, g in enumerate(generators[:-1]) if g.fact is not None and _is_linear(g.value)}
    atoms = sorted({atom for i in linear for monomial in generators[i].value for atom, _ in monomial})
    rows = {i: _row(generators[i].value, atoms) for i in linear}
    for i in sorted(linear, key=lambda i: (not generators[i].is_unit, len(generators[i].value), i)):
        others = [rows[j] for j in linear if j != i]
        if others and not generators[i].is_unit:
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
    """The least value of a linear function where the others are >= 0; none along an axis that leads down for ever."""
    down = -np.sign(row[1:])
    if np.any((down != 0) & np.all(down * others[:, 1:] >= 0, axis=0)):
        return -inf
    found = least_sum(np.array(row[1:]), others[:, 1:], -others[:, 0], inf, least=-inf)
    return float(found.fun) + row[0] if found.status == 0 and found.fun is not None else -inf


def _solve(columns: list[ColumnBlock], facts: list[Fact], deadline: float) -> list[tuple[Fraction, Column]] | None:
    """Weights >= 0 with weighted sum zero and strict weights that sum to one; None if the linear program has none.

    Raises
    ------
    TimeoutError
        If the linear program was not solved in time.
    """
    weights = cheapest_weights(columns, deadline)
    if weights is None:
        return None
    for threshold in (SMALL, 1e-12, 1e-7):
        found = [column_of(columns, int(number)) for number in np.flatnonzero(weights > threshold)]
        exact = _exact(found, facts)
        if exact is not None:
            return list(zip(exact, found, strict=True))
    return None


def _exact(columns: list[Column], facts: list[Fact]) -> list[Fraction] | None:
    """The one rational solution on these columns, if it exists and is not negative; zeros are left in."""
    polynomials = [column.value(facts) for column in columns]
    monomials = sorted({monomial for value in polynomials for monomial in value})
    table = [[_fmpq(p.get(monomial, Fraction(0))) for p in polynomials] + [flint.fmpq(0)] for monomial in monomials]
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


def _proof(bounds: list[list[object]], chosen: list[tuple[Fraction, Column]]) -> Proof:
    chosen = [(weight, column) for weight, column in chosen if weight]
    summands = [[str(w), list(c.facts), _term(c.square)] for w, c in chosen if not c.equation]
    equations = [[c.facts[0], _term({m: w * v for m, v in c.square.items()})] for w, c in chosen if c.equation]
    return {"rule": "combination", "bounds": bounds, "summands": summands, "equations": equations}


def _term(value: Polynomial) -> object:
    return "1" if value == {(): Fraction(1)} else term_data(polynomial_term(value))


# --- the linear program: a solution is a hint, solved again exactly or checked ------------------------------------


@dataclass(frozen=True)
class _Table:
    """The entries of all columns: their rows (monomials), places (columns) and values."""

    rows: np.ndarray
    places: np.ndarray
    values: np.ndarray
    height: int
    strict: np.ndarray
    costs: np.ndarray


def cheapest_weights(blocks: list[ColumnBlock], deadline: float) -> np.ndarray | None:
    """Weights >= 0 with weighted sum zero, those of strict columns with sum one; None if there are none.

    Raises
    ------
    TimeoutError
        If they were not found before the deadline, in process time.
    """
    table = _table(blocks)
    kept = _balanced(table)
    if not table.strict[kept].any():
        return None
    matrix = _matrix(table, kept)
    used = np.diff(matrix.indptr) > 0
    target = np.zeros(table.height + 1)
    target[-1] = 1.0
    seconds = max(0.01, deadline - time.process_time())
    found = least_sum(table.costs[kept], matrix[used], target[used], target[used], seconds=seconds)
    if found.status == 1:
        raise TimeoutError
    if found.status != 0:
        return None
    weights = np.zeros(len(kept))
    weights[kept] = found.x
    return weights


def _table(blocks: list[ColumnBlock]) -> _Table:
    lengths = np.array([len(block) for block in blocks])
    widths = np.array([block.keys.shape[1] for block in blocks])
    monomials, rows = np.unique(np.concatenate([block.keys.ravel() for block in blocks]), return_inverse=True)
    return _Table(
        rows,
        np.repeat(np.arange(lengths.sum()), np.repeat(widths, lengths)),
        np.concatenate([np.outer(block.signs, block.values).ravel() for block in blocks]),
        len(monomials),
        np.concatenate([block.strict for block in blocks]),
        np.concatenate([block.costs for block in blocks]),
    )


def _balanced(table: _Table) -> np.ndarray:
    """Which columns can have a weight: not one with a monomial that only columns of the same sign have."""
    kept = np.ones(len(table.costs), dtype=bool)
    while True:
        inside = kept[table.places]
        above = np.bincount(table.rows[inside & (table.values > 0)], minlength=table.height)
        below = np.bincount(table.rows[inside & (table.values < 0)], minlength=table.height)
        alone = inside & ((above == 0) | (below == 0))[table.rows]
        if not alone.any():
            return kept
        kept[table.places[alone]] = False


def _matrix(table: _Table, kept: np.ndarray) -> csr_array:
    """The columns that are kept; the last row counts the strict ones."""
    inside, strict = kept[table.places], np.flatnonzero(table.strict & kept)
    places = np.cumsum(kept) - 1
    rows = np.append(table.rows[inside], np.full(len(strict), table.height))
    columns = np.append(places[table.places[inside]], places[strict])
    values = np.append(table.values[inside], np.ones(len(strict)))
    return coo_array((values, (rows, columns)), shape=(table.height + 1, int(kept.sum()))).tocsr()


def least_sum(
    costs: np.ndarray,
    rows: np.ndarray | csr_array,
    low: np.ndarray | float,
    high: np.ndarray | float,
    least: float = 0.0,
    seconds: float = inf,
) -> OptimizeResult:
    """x >= ``least`` with ``low`` <= rows x <= ``high`` and the smallest sum of costs, if ``status`` is 0.

    ``status`` 1 says that the time was up. ``milp`` without integers solves what ``linprog`` does, in half the time.
    """
    box = Bounds(least, inf)
    return milp(costs, constraints=(rows, low, high), bounds=box, options={"time_limit": seconds})
