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

from gaptron.language.expanded import expanded
from gaptron.language.expressions import Expression, base_and_exponent, everywhere, factors_of, terms, variables
from gaptron.language.formulas import formula, relation, where
from gaptron.language.normal import NORMAL, put, slope
from gaptron.language.relations import Relation
from gaptron.language.variables import Variable
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.pieces import ZERO, Region, put_all
from gaptron.obligations.sequents import Sequent
from gaptron.obligations.structured.cases import (
    CriterionCase,
    Point,
    StructuredSurrogate,
    mentioned,
    size_at,
    size_conditions,
    written,
)
from gaptron.theory.structured.distributions import OutputDistribution, uniform
from gaptron.theory.structured.entropies import Convolutional, CoordinateEntropy, core
from gaptron.theory.structured.limits import INSIDE, at_mean
from gaptron.theory.structured.outputs import Classes
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.structured.targets import Hamming, ZeroOne

SHARE = "share"  # x = 1/n
REAL = (Variable("n", ">"),)  # n where phi is a function on an interval
HALF, ONE, TWO = Fraction(1, 2), Fraction(1), Fraction(2)
MOST_SIZES = 12  # that are checked one by one, and nothing more, if no other is claimed
FIRST_SIZES = 4  # that are checked one by one in any case: a distribution refutes


def applies(theorem: StructuredTheorem) -> bool:
    """Classes, the 0-1 target or its multiple, and a sum over coordinates."""
    is_zero_one = isinstance(theorem.outputs, Classes) and isinstance(theorem.target, (ZeroOne, Hamming))
    return is_zero_one and isinstance(core(theorem.entropy), CoordinateEntropy)


def weight(theorem: StructuredTheorem) -> Expression:
    """What the target is of the 0-1 target."""
    return formula("2/n", n=theorem.size.name) if isinstance(theorem.target, Hamming) else ONE


def cases(theorem: StructuredTheorem, numbers: StructuredSurrogate, coverage: Coverage) -> Iterator[CriterionCase]:
    """One claim for each size and n if they are few; else at n = 2 or n = K if phi is monotone; else for a real x."""
    single, rest = _one_by_one(theorem, numbers), tuple[Sequent, ...]()
    if theorem.last_size is None or theorem.last_size > MOST_SIZES:
        single, rest = _monotone(theorem, numbers, coverage) or (single, _every_share(theorem, numbers, coverage))

    def failing(claim: Sequent, point: Point) -> Iterator[OutputDistribution]:
        counts = (count for known, count in single.items() if known.then == claim.then)
        size = size_at(theorem, point)
        count = next(counts, None) or (size if theorem.size.name in point else _count(point))
        if count >= 2:
            size = max(size, count)
            yield uniform(size, theorem.outputs.vectors(size)[:count])

    statement = "at the uniform distribution on n of K labels: H_L <= alpha (s J - kappa Var), n = 2, ..., K"
    yield CriterionCase("criterion/uniform", statement, (*single, *rest), failing)


def _count(point: Point) -> int:
    """n, if the point has one."""
    count = 1 / point[SHARE] if SHARE in point else point.get("n", ZERO)
    return int(count) if count.denominator == 1 else 0


def _one_by_one(theorem: StructuredTheorem, numbers: StructuredSurrogate) -> dict[Sequent, int]:
    """The claims for the first sizes, with the n of each."""
    found: dict[Sequent, int] = {}
    last = theorem.last_size
    if last is None or last > MOST_SIZES:
        last = max(FIRST_SIZES, theorem.first_size)
    for size in range(theorem.first_size, last + 1):
        for count in range(2, size + 1):
            surplus = _surplus(theorem, numbers, Fraction(1, count))
            there = expanded(surplus, INSIDE, {theorem.size.name: Fraction(size)})
            found.setdefault(Sequent((), Relation(">=", there, ZERO)), count)
    return found


def _monotone(
    theorem: StructuredTheorem, numbers: StructuredSurrogate, coverage: Coverage
) -> tuple[dict[Sequent, int], tuple[Sequent, ...]] | None:
    """The claim at n = 2 (or n = K, marked by n = 0), and those that phi falls (or rises); None if it does neither.

    Where phi' is 0 at n = 2 the criterion itself is claimed from n = 3 on.
    """
    for sign, x, count in ((-ONE, HALF, 2), (ONE, formula("1/n", n=theorem.size.name), 0)):
        slopes = tuple(_slopes(theorem, sign, coverage))
        if coverage.guesses.seem_true(theorem, slopes):
            surplus = _surplus(theorem, numbers, x)
            sizes = mentioned(theorem, size_conditions(theorem), surplus)
            is_flat = any(expanded(claim.then.left, INSIDE, {"n": TWO}) == 0 for claim in slopes)
            rest = (_from_3(theorem, numbers, coverage),) if is_flat else slopes
            return dict.fromkeys(coverage.compared(surplus, ">=", sizes), count), rest
    return None


def _from_3(theorem: StructuredTheorem, numbers: StructuredSurrogate, coverage: Coverage) -> Sequent:
    """The criterion for a real n >= 3; the factor of a logarithm is one product, whose sign an enclosure can see."""
    shares: dict[Expression, list[Expression]] = {}
    for term in terms(_surplus(theorem, numbers, formula("1/n"))):
        logs = [part for part in factors_of(term) if _is_log(part)]
        log = logs[0] if len(logs) == 1 else ONE
        shares.setdefault(log, []).append(NORMAL.product([part for part in factors_of(term) if part != log], []))
    sums = [(log, NORMAL.operation("+", parts)) for log, parts in shares.items()]
    products = [part if log == ONE else NORMAL.product([_factored(part, coverage), log], []) for log, part in sums]
    surplus = NORMAL.operation("+", products)
    sizes = (*size_conditions(theorem, 3), relation("n <= last", last=theorem.size.name))
    given = (*where("n >= 3"), *mentioned(theorem, sizes, surplus))
    return Sequent(given, Relation(">=", surplus, ZERO), known=REAL)


def _is_log(part: Expression) -> bool:
    return isinstance(part, tuple) and part[0] == "log" and bool(variables(part))


def _factored(share: Expression, coverage: Coverage) -> Expression:
    """A guess that is multiplied out again."""
    found = coverage.guesses.factored(share)
    return found if written("a - b", a=found, b=share) == 0 else share


def _slopes(theorem: StructuredTheorem, sign: Fraction, coverage: Coverage) -> Iterator[Sequent]:
    """phi' (1 - x)^2 has this sign on (0, 1/2]: in n = 1/x if there are logarithms, else in a root of x, times x."""
    gap = _gap(theorem, SHARE)
    has_logs = any(map(_is_log, everywhere(gap)))
    put_in, domain = (formula("1/n"), where("n >= 2")) if has_logs else _domain(gap)
    times = "" if has_logs else "*x"
    for piece in coverage.smooth(gap, SHARE, where("share > 0", "share <= 1/2")):
        of_share = written(
            f"sign*(falls*(1 - x) + gap){times}", sign=sign, falls=slope(piece.value, SHARE), gap=piece.value, x=SHARE
        )
        there = expanded(of_share, INSIDE, {SHARE: put_in})
        conditions = put_all(piece.closed(SHARE), {SHARE: put_in})
        then = Relation(">" if has_logs else ">=", there, ZERO)
        yield Sequent((*domain, *conditions), then, refutes=False, known=REAL if has_logs else ())


def _every_share(theorem: StructuredTheorem, numbers: StructuredSurrogate, coverage: Coverage) -> tuple[Sequent, ...]:
    """The criterion for a real x in (0, 1/2]."""
    surplus = _surplus(theorem, numbers, SHARE)
    put_in, domain = _domain(surplus)
    domain = (*domain, *mentioned(theorem, size_conditions(theorem), surplus))
    pieces = coverage.pieces(put(surplus, {SHARE: put_in}), domain)
    return tuple(
        Sequent((*domain, *piece.conditions), Relation(">=", expanded(piece.value, INSIDE), ZERO)) for piece in pieces
    )


def _domain(expression: Expression) -> tuple[Expression, Region]:
    """x, or the power of a variable that makes powers of x polynomials; and that it is in (0, 1/2]."""
    roots = (part for part in everywhere(expression) if isinstance(part, tuple) and part[0] in ("^", "root"))
    powers = [exponent for base, exponent in map(base_and_exponent, roots) if base == SHARE]
    degree = lcm(*(power.denominator for power in powers))
    x = formula(f"root**{degree}") if degree > 1 else SHARE
    return x, where("variable > 0", "x <= 1/2", variable="root" if degree > 1 else SHARE, x=x)


def _surplus(theorem: StructuredTheorem, numbers: StructuredSurrogate, x: Expression) -> Expression:
    """s J - kappa Var - H_L/alpha at a uniform distribution on 1/x labels."""
    more = " + weighted" if isinstance(theorem.entropy, Convolutional) else ""
    weighted = formula("weight*(1 - x)", weight=weight(theorem), x=x)
    return written(
        f"s*(gap{more}) - kappa*(1 - x) - weighted/alpha",
        s=numbers.scale, gap=_gap(theorem, x), weighted=weighted, kappa=numbers.kappa, alpha=numbers.alpha, x=x,
    )  # fmt: skip


def _gap(theorem: StructuredTheorem, x: Expression) -> Expression:
    """h(x)/x, which is J there without convolution."""
    entropy = core(theorem.entropy)
    assert isinstance(entropy, CoordinateEntropy)  # noqa: S101
    omega = entropy.omega
    one, zero, there = at_mean(omega, ONE), at_mean(omega, ZERO), put(omega, {"v": x})
    return written("one + (1/x - 1)*zero - there/x", one=one, zero=zero, there=there, x=x)
