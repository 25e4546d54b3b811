"""Rational points at which a claim fails, simplest first: a search in floats, every find checked exactly."""

import time
from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import ceil, floor

import numpy as np
import sympy as sp

from gaptron.guesses.in_sympy import WrittenClaim, known_of, tau, written
from gaptron.numbers.evaluate import UncertainError, evaluate, holds
from gaptron.obligations import Sequent
from gaptron.symbols import K, Parameter, is_integer
from gaptron.theory.theorem import Theorem

Candidate = dict[sp.Symbol, Fraction]

CLASS_COUNTS = (*range(2, 13), 16, 32, 64, 100, 1000, 10**4)
LARGE = (4, 5, 6, 8, 10, 12, 16, 20, 25, 32, 40, 50, 64, 80, 100, 128, 200, 500, 1000, 10**4, 10**6)
DENOMINATORS = (1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 32, 64, 100, 128, 1000, 1024, 10**4, 10**6, 10**9, 10**12, 10**18)
TRIED = 60
MOST_FAILING = 5000
STARTS = 4
UPHILL_COUNTS = 4
MOST_SYMBOLS = 4
MOST_CLASSES = 10**5
CLIMB = 200
SMALLEST_STEP = 1e-9


def by_name(point: Mapping[sp.Symbol, Fraction]) -> dict[str, Fraction]:
    """As the geometry of a loss reads it."""
    return {symbol.name: value for symbol, value in point.items()}


def any_value(parameter: Parameter) -> Fraction:
    """A value in its range, inside it if it can be: at an end a theorem may say nothing."""
    ends = [Fraction(int(end.p), int(end.q)) for end in (parameter.low, parameter.high) if end is not None]
    return sum(ends, Fraction(0)) / max(len(ends), 1)


def counterexamples(claim: Sequent, theorem: Theorem | None, hint: Candidate, deadline: float) -> Iterator[Candidate]:
    """Points with integer K at which the claim certainly fails, until the deadline; the simplest known come first.

    ``hint`` is a point at which a solver believes the claim to fail.
    """
    shown = written(claim)
    symbols = sorted(shown.symbols - {K}, key=str)
    tried = set[frozenset[tuple[sp.Symbol, Fraction]]]()
    for candidate in _candidates(shown, symbols, theorem, hint):
        if time.monotonic() > deadline:
            return
        if (point := frozenset(candidate.items())) not in tried:
            tried.add(point)
            repaired = _repaired(shown, candidate)
            if fails(shown, repaired):
                yield repaired


def _repaired(claim: WrittenClaim, candidate: Candidate) -> Candidate:
    """The candidate, with each symbol that a hypothesis equates to an expression set to its value."""
    candidate = dict(candidate)
    for relation in claim.given:
        if isinstance(relation, sp.Eq) and relation.lhs.is_Symbol and relation.lhs not in relation.rhs.free_symbols:
            try:
                candidate[relation.lhs] = evaluate(relation.rhs, candidate)
            except (ValueError, ZeroDivisionError, UncertainError):
                return candidate
    return candidate


def _candidates(
    claim: WrittenClaim, symbols: list[sp.Symbol], theorem: Theorem | None, hint: Candidate
) -> Iterator[Candidate]:
    counts = _class_counts(claim, theorem)
    search = _Search(claim, symbols)
    if len(symbols) <= 2:
        yield from _on_grids(search, counts)
    yield from _from_hint(symbols, counts, hint)
    for count in counts[:UPHILL_COUNTS]:
        yield from search.uphill(count)


def _class_counts(claim: WrittenClaim, theorem: Theorem | None) -> list[Fraction]:
    """The numbers of classes to try: some of those claimed, or just one if the claim does not mention K."""
    counts = [Fraction(k) for k in CLASS_COUNTS if theorem is None or theorem.claims(k)]
    if theorem is not None and not counts:
        counts = [Fraction(theorem.first_class_count)]
    return counts if K in claim.symbols else counts[:1]


def _on_grids(search: "_Search", counts: list[Fraction]) -> Iterator[Candidate]:
    """Failing points of the grids; before those of a large K, those of the smallest K down to which the grid fails."""
    for before, count in zip([counts[0] - 1, *counts], counts, strict=False):
        found = list(search.on_grid(count))
        low, high = before, count
        while found and high - low > 1:
            middle = Fraction((low + high) // 2)
            smaller = list(search.on_grid(middle))
            low, high, found = (low, middle, smaller + found) if smaller else (middle, high, found)
        yield from found


def _from_hint(symbols: list[sp.Symbol], counts: list[Fraction], hint: Candidate) -> Iterator[Candidate]:
    """The solver's own point, rounded: the only hope where a grid in many symbols is too large."""
    if not hint:
        return
    hint = dict.fromkeys(symbols, Fraction(0)) | hint
    near = [Fraction(k) for k in (floor(hint[K]), ceil(hint[K])) if k <= MOST_CLASSES] if K in hint else []
    for denominator, count in product(DENOMINATORS, [*near, *counts]):
        yield {K: count} | {symbol: hint[symbol].limit_denominator(denominator) for symbol in symbols}
    for count in (*near, *counts):
        yield {K: count} | {symbol: hint[symbol] for symbol in symbols}


def fails(claim: WrittenClaim, point: Candidate) -> bool:
    """True only if every hypothesis holds and the conclusion certainly does not, exactly at this point."""
    try:
        if any((v**2 if symbol == tau else v).denominator != 1 for symbol, v in point.items() if _is_whole(symbol)):
            return False
        if not all(holds(known, point) for symbol in point for known in known_of(symbol)):
            return False
        return all(holds(relation, point) for relation in claim.given) and not _may_hold(claim, point)
    except (UncertainError, ValueError, ZeroDivisionError):
        return False


def _is_whole(symbol: sp.Symbol) -> bool:
    """Whether the symbol, or its square, is an integer."""
    return symbol == tau or is_integer(symbol)


def _may_hold(claim: WrittenClaim, point: Candidate) -> bool:
    """False only if the conclusion is certainly wrong at the point (a value that does not exist is wrong)."""
    try:
        return holds(claim.then, point)
    except (ValueError, ZeroDivisionError):
        return False


class _Search:
    """The margin by which a claim fails, as a float function, on grids and uphill from their best points."""

    def __init__(self, claim: WrittenClaim, symbols: list[sp.Symbol]) -> None:
        self.symbols, self.nonnegative = symbols, tuple(bool(symbol.is_nonnegative) for symbol in symbols)
        arguments = (K, *symbols)
        upper = [r if isinstance(r, (sp.Le, sp.Lt)) else r.reversed for r in claim.given if not isinstance(r, sp.Eq)]
        self.given = [sp.lambdify(arguments, r.lhs - r.rhs, "numpy", dummify=True) for r in upper]
        difference = claim.then.lhs - claim.then.rhs
        if isinstance(claim.then, (sp.Ge, sp.Gt)):
            difference = -difference
        elif isinstance(claim.then, (sp.Eq, sp.Ne)):
            difference = abs(difference) * (1 if isinstance(claim.then, sp.Eq) else -1)
        self.excess = sp.lambdify(arguments, difference, "numpy", dummify=True)
        self.threshold = 1e-13 if isinstance(claim.then, (sp.Le, sp.Ge, sp.Eq)) else -1e-13

    def values(self, count: float, columns: list[np.ndarray]) -> np.ndarray:
        """How far the conclusion fails at each point; -inf where a hypothesis does."""
        shape = np.shape(columns[0]) if columns else ()
        with np.errstate(all="ignore"):
            found = np.array(np.broadcast_to(np.asarray(self.excess(count, *columns), dtype=float), shape))
            for relation in self.given:
                inside = np.broadcast_to(np.asarray(relation(count, *columns), dtype=float), shape) <= 1e-13
                found = np.where(inside, found, -np.inf)
        return np.where(np.isfinite(found), found, -np.inf)

    def on_grid(self, count: Fraction) -> Iterator[Candidate]:
        """Failing points of the grid, simplest first."""
        axes, columns = _grid(self.nonnegative, count)
        values = self.values(float(count), columns)
        failing = [
            tuple(axis[i] for axis, i in zip(axes, where, strict=True))
            for where in np.argwhere(values > self.threshold)[:MOST_FAILING]
        ]
        for point in sorted(failing, key=_complexity)[:TRIED]:
            yield {K: count} | dict(zip(self.symbols, point, strict=True))

    def uphill(self, count: Fraction) -> Iterator[Candidate]:
        """From the best points of the grid, climb; then round with growing denominators."""
        if not 1 <= len(self.symbols) <= MOST_SYMBOLS:
            return
        _, columns = _grid(self.nonnegative, count)
        values = self.values(float(count), columns).ravel()
        for start in np.argsort(values)[::-1][:STARTS]:
            if np.isfinite(values[start]):
                top = self._climb(float(count), np.array([column.ravel()[start] for column in columns]))
                for denominator in DENOMINATORS:
                    rounded = (Fraction(float(v)).limit_denominator(denominator) for v in top)
                    yield {K: count} | dict(zip(self.symbols, rounded, strict=True))

    def _climb(self, count: float, point: np.ndarray) -> np.ndarray:
        best, step = self.values(count, list(point[:, None])).item(), 0.25
        directions = _directions(len(point))
        for _ in range(CLIMB):
            moves = point + step * directions
            scores = self.values(count, list(moves.T))
            if scores.max() > best:
                best, point = scores.max(), moves[int(np.argmax(scores))]
            else:
                step /= 2
            if step < SMALLEST_STEP:
                break
        return point


@lru_cache
def _directions(dimension: int) -> np.ndarray:
    return np.array([d for d in product((-1.0, 0.0, 1.0), repeat=dimension) if any(d)])


@lru_cache
def _grid(nonnegative: tuple[bool, ...], count: Fraction) -> tuple[list[list[Fraction]], list[np.ndarray]]:
    """The simple values of symbols, of which those may only be nonnegative, and all combinations as float arrays.

    It is shared: do not change it.
    """
    axes = [_simple_values(one, count, len(nonnegative)) for one in nonnegative]
    return axes, list(np.meshgrid(*([float(v) for v in axis] for axis in axes), indexing="ij"))


def _simple_values(nonnegative: bool, count: Fraction, dimension: int) -> list[Fraction]:
    """Simple rationals for one symbol, simplest first; fewer when there are more symbols."""
    special = (1 / count, 1 / count + 1 / (4 * count**2), 2 / count, 1 / (2 * count), 1 - 1 / count)
    return [*_grid_values(nonnegative, dimension), *(special if dimension <= 2 else ())]


@lru_cache
def _grid_values(nonnegative: bool, dimension: int) -> list[Fraction]:
    largest = {0: 8, 1: 64, 2: 8}.get(dimension, 2)
    values = {Fraction(n, d) for d in range(1, largest + 1) for n in range(2 * d + 1)}
    if dimension <= 2:
        values |= {Fraction(n) for n in LARGE}
    if not nonnegative:
        values |= {-v for v in values}
    return sorted(values, key=lambda v: _complexity((v,)))


def _complexity(point: tuple[Fraction, ...]) -> tuple[int, Fraction]:
    bits = sum(v.numerator.bit_length() + 2 * v.denominator.bit_length() for v in point)
    return bits, sum(map(abs, point), Fraction(0))
