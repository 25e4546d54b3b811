"""A distribution of the true output for which no decoder will do, and scores at which that is so.

At scores theta_0 = grad Omega(m), m the mean of w, the right side of the criterion is what the best bound of a round
allows: alpha E_w[loss_y(theta_0) - (eta/2) ||g_y||^2] = alpha (s J(w) - kappa Var(w)). At rational scores theta close
to theta_0 it is larger by at most alpha s max_y <theta - theta_0, y - m>: Omega* is convex with gradients in the hull
of the outputs, and E_w ||mu - y||^2 >= Var(w).
"""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from itertools import islice

import sympy as sp

from gaptron.door.reading import name_of
from gaptron.guesses.computer_algebra import SympyGuesses
from gaptron.language.formulas import formula
from gaptron.numbers.evaluate import Number, ball, enclosure, evaluate, value_at
from gaptron.obligations import Obligation, Sequent, structured
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.structured.cases import StructuredSurrogate
from gaptron.obligations.structured.criterion import criterion_cases
from gaptron.prove.exact_text import Witness, exact
from gaptron.prove.forced import broken_envelopes, inner, slopes_at
from gaptron.theory.structured.distributions import (
    OutputDistribution,
    entropy_gap,
    expected_targets,
    least_target,
    mixed,
    uniform,
)
from gaptron.theory.structured.entropies import Convolutional, core
from gaptron.theory.structured.outputs import Classes, Vector
from gaptron.theory.structured.structured_theorem import StructuredTheorem

SHARES = (
    Fraction(0),
    *(Fraction(1, 10**k) for k in (2, 3, 4, 6, 9, 12, 18)),
)  # of another distribution, where Omega is steep
DENOMINATORS = (1, 10, 10**3, 10**6, 10**12, 10**18)
MOST_OUTPUTS = 5000
Slopes = list[Number]


def critical(theorem: StructuredTheorem, size: int) -> Iterator[OutputDistribution]:
    """Distributions over the outputs among which that is, or seems to be, at which the criterion is tightest."""
    vectors = theorem.outputs.vectors(size)
    if structured.uniform.applies(theorem):
        yield from (uniform(size, vectors[:count]) for count in range(2, size + 1))
    elif structured.coordinates.applies(theorem):
        yield uniform(size, vectors[:2])
    elif theorem.outputs.count(size) <= structured.vertices.MOST_OUTPUTS:
        yield from (w for w, _ in structured.vertices.critical_distributions(theorem.target, theorem.outputs, size))
    elif structured.dominated.applies(theorem):
        yield uniform(size, structured.dominated.farthest(theorem.outputs, theorem.target, size))


def broken_distributions(
    theorem: StructuredTheorem, obligation: Obligation, claim: Sequent, point: Mapping[sp.Symbol, Fraction]
) -> Iterator[Witness]:
    """What the case of this obligation proposes where its claim fails, if it breaks the criterion at exact scores."""
    numbers = StructuredSurrogate.of(theorem)
    if numbers is None:
        return
    cases, _ = criterion_cases(theorem, numbers, Coverage(SympyGuesses.of(theorem)))
    for case in cases:
        if case.id == obligation.id:
            for distribution in case.failing(claim, {name_of(symbol): value for symbol, value in point.items()}):
                yield from broken_at(theorem, distribution)


def broken_at(theorem: StructuredTheorem, distribution: OutputDistribution) -> Iterator[Witness]:
    """Scores at which the distribution, or one close to it, leaves no decoder, or no algorithm of proximal updates."""
    return (broken_envelopes if theorem.update == "proximal" else broken_scores)(theorem, distribution)


def broken_scores(theorem: StructuredTheorem, distribution: OutputDistribution) -> Iterator[Witness]:
    """The first scores at which the distribution, or one close to it, leaves no decoder."""
    size = distribution.size
    if not theorem.claims(size) or theorem.outputs.count(size) > MOST_OUTPUTS:
        return
    everything = uniform(size, theorem.outputs.vectors(size))
    for share in SHARES:
        close = mixed(distribution, everything, share) if share else distribution
        left, right = sides(theorem, close)
        if left > enclosure(right)[1]:
            steepest = _gradient(theorem, close)
            if steepest is not None:
                yield from islice(_at_scores(theorem, close, steepest, left, right), 1)
                return
        elif not share:
            return


def _at_scores(
    theorem: StructuredTheorem, distribution: OutputDistribution, steepest: Slopes, left: Fraction, right: Number
) -> Iterator[Witness]:
    """Rational scores, simplest first, at which the left side is still above the right one."""
    for denominator in DENOMINATORS:
        scores = tuple(_rounded(slope, denominator) for slope in steepest)
        low, high = enclosure(right)
        high += _allowance(theorem, distribution, scores, steepest)
        if left > high:
            yield _witness(theorem, distribution, scores) | {
                "left": str(left),
                "right": exact(low if low == high else ball(low).union(ball(high))),
            }


def _witness(theorem: StructuredTheorem, distribution: OutputDistribution, scores: Vector) -> Witness:
    """For classes the distribution has a probability for each, else one for each of ``outputs``."""
    given = dict(zip(distribution.outputs, distribution.weights, strict=True))
    outputs = distribution.outputs
    size: Witness = {"size": distribution.size}
    if isinstance(theorem.outputs, Classes):
        size, outputs = {"K": distribution.size}, theorem.outputs.vectors(distribution.size)
    else:
        size["outputs"] = [[str(entry) for entry in output] for output in outputs]
    shown = {"distribution": [str(given.get(output, 0)) for output in outputs], "scores": list(map(str, scores))}
    return size | shown


def sides(theorem: StructuredTheorem, distribution: OutputDistribution) -> tuple[Fraction, Number]:
    """H_L(w) and alpha (s J(w) - kappa Var(w)), the second as a rational or a ball."""
    numbers = StructuredSurrogate.of(theorem)
    assert numbers is not None  # noqa: S101
    gap = entropy_gap(theorem.entropy, theorem.target, theorem.outputs, distribution)
    here = numbers.at(theorem, distribution.size)
    right = formula(
        "alpha*(s*gap - kappa*variance)",
        alpha=here.alpha, s=here.scale, gap=gap, kappa=here.kappa, variance=distribution.variance,
    )  # fmt: skip
    return least_target(theorem.target, theorem.outputs, distribution), value_at(right, {})


def _gradient(theorem: StructuredTheorem, distribution: OutputDistribution) -> Slopes | None:
    """grad Omega(m), None where it is not finite; for a convolutional entropy a subgradient."""
    slopes = slopes_at(core(theorem.entropy), distribution.mean)
    if slopes is None:
        return None
    if isinstance(theorem.entropy, Convolutional):
        slopes = [formula("a + b", a=a, b=b) for a, b in zip(slopes, _convolved(theorem, distribution), strict=True)]
    return [value_at(slope, {}) for slope in slopes]


def _convolved(theorem: StructuredTheorem, distribution: OutputDistribution) -> list[Fraction]:
    """A subgradient of minus the least expected target."""
    if isinstance(theorem.outputs, Classes):
        vectors = theorem.outputs.vectors(distribution.size)
        expected = expected_targets(theorem.target, theorem.outputs, distribution)
        best = expected.index(min(expected))
        return [-theorem.target.table(theorem.outputs, distribution.size)[best][y] for y in range(len(vectors))]
    step = Fraction(1, distribution.size)
    return [step if 2 * entry > 1 else -step for entry in distribution.mean]


def _rounded(value: Number, denominator: int) -> Fraction:
    """A rational near the number; the number itself if it is rational."""
    low, high = enclosure(value)
    return low if low == high else Fraction(round((low + high) / 2 * denominator), denominator)


def _allowance(
    theorem: StructuredTheorem, distribution: OutputDistribution, scores: Vector, steepest: Slopes
) -> Fraction:
    """At least alpha s max_y <theta - theta_0, y - m>."""
    if list(scores) == steepest:
        return Fraction(0)
    off = [ball(score) - ball(slope) for score, slope in zip(scores, steepest, strict=True)]
    along = (inner(output, off) for output in theorem.outputs.vectors(distribution.size))
    most = max(enclosure(value)[1] for value in along) - enclosure(inner(distribution.mean, off))[0]
    factor = evaluate(theorem.coefficient * theorem.scale, {theorem.size: Fraction(distribution.size)})
    return max(Fraction(0), most) * enclosure(factor)[1]
