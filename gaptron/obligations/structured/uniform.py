"""The 0-1 target over K classes, an entropy sum_k omega(w_k), every K at once: uniform distributions are enough.

Where label k is the likeliest, H_L(w) = 1 - w_k is linear in w, and with F convex the other side is concave
(``vertices``). The vertices of {w : w_j <= w_k for all j} have each w_j either 0 or w_k: they are uniform on n labels.
There the criterion, multiplied by n/(n - 1) and with x = 1/n, is

    s phi(x) - kappa >= 1/alpha,  phi(x) = h(x)/(x (1 - x)),  h(v) = v omega(1) + (1 - v) omega(0) - omega(v),

for n = 2, ..., K. Where phi falls on (0, 1/2] only n = 2 is left (Shannon; Tsallis, q <= 2), where it rises n = K.
Where phi' is 0 at 1/2 (binary entropy) n >= 3 is claimed beside n = 2. The Hamming target over classes is 2/K times
the 0-1 target. A convolutional entropy adds H_L to J.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import lcm

import sympy as sp

from gaptron.obligations.claims import Sequent
from gaptron.obligations.in_sympy import SympyRegion, WrittenCoverage, sequent, written
from gaptron.obligations.structured.cases import (
    CriterionCase,
    Point,
    StructuredSurrogate,
    mentioned,
    size_at,
    size_conditions,
)
from gaptron.obligations.structured.guesses import seems_true
from gaptron.symbols import v
from gaptron.theory.structured.distributions import OutputDistribution, in_primes, uniform
from gaptron.theory.structured.entropies import Convolutional, CoordinateEntropy, core, value_at
from gaptron.theory.structured.outputs import Classes
from gaptron.theory.structured.targets import Hamming, ZeroOne
from gaptron.theory.structured.theorem import StructuredTheorem

share = sp.Symbol("share", positive=True)  # 1/n
root = sp.Symbol("root", positive=True)
inverse = sp.Symbol("n", positive=True)
HALF = sp.Rational(1, 2)
MOST_SIZES = 12  # that are checked one by one, and nothing more, if no other is claimed
FIRST_SIZES = 4  # that are checked one by one in any case: a distribution refutes


def applies(theorem: StructuredTheorem) -> bool:
    """Classes, the 0-1 target or its multiple, and a sum over coordinates."""
    is_zero_one = isinstance(theorem.outputs, Classes) and isinstance(theorem.target, (ZeroOne, Hamming))
    return is_zero_one and isinstance(core(theorem.entropy), CoordinateEntropy)


def weight(theorem: StructuredTheorem) -> sp.Expr:
    """What the target is of the 0-1 target."""
    return 2 / theorem.size if isinstance(theorem.target, Hamming) else sp.S.One


def cases(
    theorem: StructuredTheorem, numbers: StructuredSurrogate, coverage: WrittenCoverage
) -> Iterator[CriterionCase]:
    """One claim for each size and n if they are few; else at n = 2 or n = K if phi is monotone; else for a real x."""
    single, rest = _one_by_one(theorem, numbers), tuple[Sequent, ...]()
    if theorem.last_size is None or theorem.last_size > MOST_SIZES:
        single, rest = _monotone(theorem, numbers, coverage) or (single, _every_share(theorem, numbers, coverage))

    def failing(claim: Sequent, point: Point) -> Iterator[OutputDistribution]:
        counts = (count for known, count in single.items() if known.then == claim.then)
        size = size_at(theorem, point)
        count = next(counts, None) or (size if theorem.size in point else _count(point))
        if count >= 2:
            size = max(size, count)
            yield uniform(size, theorem.outputs.vectors(size)[:count])

    statement = "at the uniform distribution on n of K labels: H_L <= alpha (s J - kappa Var), n = 2, ..., K"
    yield CriterionCase("criterion/uniform", statement, (*single, *rest), failing)


def _count(point: Point) -> int:
    """n, if the point has one."""
    count = 1 / point[share] if share in point else point.get(inverse, Fraction(0))
    return int(count) if count.denominator == 1 else 0


def _one_by_one(theorem: StructuredTheorem, numbers: StructuredSurrogate) -> dict[Sequent, int]:
    """The claims for the first sizes, with the n of each."""
    found: dict[Sequent, int] = {}
    last = theorem.last_size
    if last is None or last > MOST_SIZES:
        last = max(FIRST_SIZES, theorem.first_size)
    for size in range(theorem.first_size, last + 1):
        for count in range(2, size + 1):
            surplus = _surplus(theorem, numbers, sp.Rational(1, count)).subs(theorem.size, size)
            found.setdefault(sequent((), sp.Ge(in_primes(surplus), 0, evaluate=False)), count)
    return found


def _monotone(
    theorem: StructuredTheorem, numbers: StructuredSurrogate, coverage: WrittenCoverage
) -> tuple[dict[Sequent, int], tuple[Sequent, ...]] | None:
    """The claim at n = 2 (or n = K, marked by n = 0), and those that phi falls (or rises); None if it does neither.

    Where phi' is 0 at n = 2 the criterion itself is claimed from n = 3 on.
    """
    for sign, x, count in ((-1, HALF, 2), (1, 1 / theorem.size, 0)):
        slopes = tuple(_slopes(theorem, sign, coverage))
        if seems_true(theorem, slopes):
            surplus = in_primes(_surplus(theorem, numbers, x))
            sizes = mentioned(theorem, size_conditions(theorem), surplus)
            is_flat = any(written(claim).then.lhs.subs(inverse, 2).expand(log=True) == 0 for claim in slopes)
            rest = (_from_3(theorem, numbers),) if is_flat else slopes
            return {sequent(sizes, sp.Ge(surplus, 0, evaluate=False)): count}, rest
    return None


def _from_3(theorem: StructuredTheorem, numbers: StructuredSurrogate) -> Sequent:
    """The criterion for a real n >= 3; the factor of a logarithm is one product, whose sign an enclosure can see."""
    surplus = sp.expand(sp.expand_log(_surplus(theorem, numbers, 1 / inverse)))
    for log in [one for one in surplus.atoms(sp.log) if one.has(inverse)]:
        surplus += sp.factor(surplus.coeff(log)) * log - sp.expand(surplus.coeff(log) * log)
    sizes = mentioned(theorem, (*size_conditions(theorem, 3), sp.Le(inverse, theorem.size, evaluate=False)), surplus)
    return sequent((sp.Ge(inverse, 3, evaluate=False), *sizes), sp.Ge(surplus, 0, evaluate=False))


def _slopes(theorem: StructuredTheorem, sign: int, coverage: WrittenCoverage) -> Iterator[Sequent]:
    """phi' (1 - x)^2 has this sign on (0, 1/2]: in n = 1/x if there are logarithms, else in a root of x, times x."""
    gap = _gap(theorem, share)
    put, domain = _domain(gap)
    if gap.has(sp.log):
        put, domain = 1 / inverse, (sp.Ge(inverse, 2, evaluate=False),)
    for piece in coverage.smooth(gap, share, (sp.Gt(share, 0, evaluate=False), sp.Le(share, HALF, evaluate=False))):
        slope = sp.diff(piece.value, share) * (1 - share) + piece.value  # phi' (1 - x)^2
        slope = sp.expand(slope if gap.has(sp.log) else share * slope).subs(share, put)
        conditions = tuple(relation.subs(share, put) for relation in piece.closed(share))
        kind = sp.Gt if gap.has(sp.log) else sp.Ge
        then = kind(sign * sp.expand(sp.expand_log(slope)), 0, evaluate=False)
        yield sequent((*domain, *conditions), then, refutes=False)


def _every_share(
    theorem: StructuredTheorem, numbers: StructuredSurrogate, coverage: WrittenCoverage
) -> tuple[Sequent, ...]:
    """The criterion for a real x in (0, 1/2]."""
    surplus = _surplus(theorem, numbers, share)
    put, domain = _domain(surplus)
    domain = (*domain, *mentioned(theorem, size_conditions(theorem), surplus))
    pieces = coverage.pieces(sp.expand(surplus.subs(share, put)), domain)
    return tuple(sequent((*domain, *piece.conditions), sp.Ge(piece.value, 0, evaluate=False)) for piece in pieces)


def _domain(expr: sp.Expr) -> tuple[sp.Expr, SympyRegion]:
    """x, or the power of a variable that makes powers of x polynomials; and that it is in (0, 1/2]."""
    powers = [part.exp for part in expr.atoms(sp.Pow) if part.base == share and part.exp.is_Rational]
    degree = lcm(*(int(power.q) for power in powers))
    variable = share if degree == 1 else root
    return variable**degree, (sp.Gt(variable, 0, evaluate=False), sp.Le(variable**degree, HALF, evaluate=False))


def _surplus(theorem: StructuredTheorem, numbers: StructuredSurrogate, x: sp.Expr) -> sp.Expr:
    """s J - kappa Var - H_L/alpha at a uniform distribution on 1/x labels."""
    weighted = weight(theorem) * (1 - x)
    gap = _gap(theorem, x) + (weighted if isinstance(theorem.entropy, Convolutional) else 0)
    return sp.expand(numbers.scale * gap - numbers.kappa * (1 - x) - weighted / numbers.alpha)


def _gap(theorem: StructuredTheorem, x: sp.Expr) -> sp.Expr:
    """h(x)/x, which is J there without convolution."""
    omega = core(theorem.entropy).omega  # type: ignore[attr-defined]
    one, zero = (value_at(omega, end) for end in (sp.S.One, sp.S.Zero))
    return sp.expand(one + (1 / x - 1) * zero - omega.subs(v, x) / x)
