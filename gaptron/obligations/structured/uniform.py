"""The 0-1 target over K classes, an entropy sum_k omega(w_k), every K at once: uniform distributions are enough.

Where label k is the likeliest, H_L(w) = 1 - w_k is linear in w, and with F convex the other side is concave
(``vertices``). The vertices of {w : w_j <= w_k for all j} have each w_j either 0 or w_k: they are uniform on n labels.
There the criterion, multiplied by n/(n - 1) and with x = 1/n, is

    s h(x)/(x (1 - x)) - kappa >= 1/alpha,  h(v) = v omega(1) + (1 - v) omega(0) - omega(v),

for n = 2, ..., K. The Hamming target over classes is 2/K times the 0-1 target. A convolutional entropy adds H_L to J.
"""

from collections.abc import Iterator
from fractions import Fraction

import sympy as sp

from gaptron.obligations.claims import Claim
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.structured.cases import Case, Point, Surrogate, size_at, size_conditions
from gaptron.structured.distributions import Distribution, in_primes, uniform
from gaptron.structured.entropies import Convolutional, CoordinateEntropy, core, value_at
from gaptron.structured.outputs import Classes
from gaptron.structured.targets import Hamming, ZeroOne
from gaptron.structured.theorem import StructuredTheorem
from gaptron.symbols import v

share = sp.Symbol("share", positive=True)  # 1/n
labels = sp.Symbol("n", positive=True, integer=True)
HALF = sp.Rational(1, 2)
MOST_SIZES = 12  # that are checked one by one


def applies(theorem: StructuredTheorem) -> bool:
    """Classes, the 0-1 target or its multiple, and a sum over coordinates."""
    is_zero_one = isinstance(theorem.outputs, Classes) and isinstance(theorem.target, (ZeroOne, Hamming))
    return is_zero_one and isinstance(core(theorem.entropy), CoordinateEntropy)


def weight(theorem: StructuredTheorem) -> sp.Expr:
    """What the target is of the 0-1 target."""
    return 2 / theorem.size if isinstance(theorem.target, Hamming) else sp.S.One


def cases(theorem: StructuredTheorem, numbers: Surrogate, coverage: Coverage) -> Iterator[Case]:
    """One claim for each size and n if they are few, else for a real x, or for an integer n where K matters."""
    claims = tuple(_claims(theorem, numbers, coverage))
    statement = "at the uniform distribution on n of K labels: H_L <= alpha (s J - kappa Var), n = 2, ..., K"

    def failing(claim: Claim, point: Point) -> Iterator[Distribution]:
        size = size_at(theorem, point)
        chosen = [fixed[claim]] if claim in fixed else [(size, count) for count in _counts(point)]
        for size, count in chosen:
            size = max(size, count)
            yield uniform(size, theorem.outputs.vectors(size)[:count])

    fixed = {claim: where for claim, where in _one_by_one(theorem, numbers)} if _is_short(theorem) else {}
    yield Case("criterion/uniform", statement, claims, failing)


def _counts(point: Point) -> list[int]:
    count = point.get(labels, 1 / point[share] if share in point else Fraction(0))
    return [int(count)] if count.denominator == 1 and count >= 2 else []


def _claims(theorem: StructuredTheorem, numbers: Surrogate, coverage: Coverage) -> Iterator[Claim]:
    if _is_short(theorem):
        yield from (claim for claim, _ in _one_by_one(theorem, numbers))
        return
    parts = (numbers.scale, numbers.alpha, numbers.kappa, weight(theorem))
    depends = any(theorem.size in part.free_symbols for part in parts) or theorem.last_size is not None
    at_least_two = sp.Ge(labels, 2, evaluate=False)
    if depends:
        domain = (at_least_two, sp.Le(labels, theorem.size, evaluate=False), *size_conditions(theorem))
    else:
        domain = (sp.Gt(share, 0, evaluate=False), sp.Le(share, HALF, evaluate=False))
    surplus = _surplus(theorem, numbers, share)
    for piece in coverage.pieces(surplus, () if depends else domain):
        put = {share: 1 / labels} if depends else {}
        given = (*domain, *(relation.subs(put) for relation in piece.conditions))
        yield Claim(given, sp.Ge(sp.expand(piece.value.subs(put)), 0, evaluate=False))


def _is_short(theorem: StructuredTheorem) -> bool:
    return theorem.last_size is not None and theorem.last_size <= MOST_SIZES


def _one_by_one(theorem: StructuredTheorem, numbers: Surrogate) -> Iterator[tuple[Claim, tuple[int, int]]]:
    """Each claim once, with the first (K, n) at which it is made."""
    found: dict[Claim, tuple[int, int]] = {}
    for size in range(theorem.first_size, (theorem.last_size or 0) + 1):
        for count in range(2, size + 1):
            surplus = _surplus(theorem, numbers, sp.Rational(1, count)).subs(theorem.size, size)
            found.setdefault(Claim((), sp.Ge(in_primes(surplus), 0, evaluate=False)), (size, count))
    yield from found.items()


def _surplus(theorem: StructuredTheorem, numbers: Surrogate, x: sp.Expr) -> sp.Expr:
    """n (s J - kappa Var - H_L/alpha)/n: at least 0 is the criterion, for a uniform distribution on 1/x labels."""
    omega = core(theorem.entropy).omega  # type: ignore[attr-defined]
    ends = [value_at(omega, end) for end in (sp.S.One, sp.S.Zero)]
    gap = sp.expand(ends[0] + (1 / x - 1) * ends[1] - omega.subs(v, x) / x)
    if isinstance(theorem.entropy, Convolutional):
        gap += weight(theorem) * (1 - x)
    return sp.expand(numbers.scale * gap - (numbers.kappa + weight(theorem) / numbers.alpha) * (1 - x))
