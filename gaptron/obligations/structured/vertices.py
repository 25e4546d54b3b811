"""Where the criterion has to be checked when there are few outputs: finitely many distributions.

The criterion says that alpha (s J(w) - kappa Var(w)) - t >= 0 on the polytope of all (w, t) with w a distribution and
0 <= t <= E_w L(yhat, y) for every prediction yhat, whose upper boundary is t = H_L(w). With F = s Omega - kappa ||.||^2
convex, s J - kappa Var = E_w F(y) - F(E_w y) is concave in w: a concave function on a polytope is smallest at a vertex.
Those with t = 0 hold by Jensen's inequality.

The vertices are the extreme rays of the cone of the same inequalities without sum w = 1, found by the double
description method (Motzkin et al. 1953; Fukuda and Prodon 1996) in exact integers.
"""

from fractions import Fraction
from math import gcd, lcm

from gaptron.structured.distributions import Distribution
from gaptron.structured.outputs import Outputs
from gaptron.structured.targets import Target

Row = tuple[int, ...]
Ray = tuple[Row, frozenset[int]]  # a ray, and the numbers of the inequalities that are equations there

MOST_OUTPUTS = 8
MOST_RAYS = 4000


def critical_distributions(target: Target, outputs: Outputs, size: int) -> list[tuple[Distribution, Fraction]]:
    """The vertices (w, H_L(w)) with H_L(w) > 0.

    Raises
    ------
    NotImplementedError
        If they are too many.
    """
    table, vectors = target.table(outputs, size), outputs.vectors(size)
    found = []
    for ray in _extreme_rays([_integers((*row, Fraction(-1))) for row in table]):
        *weights, top = ray
        if top > 0:
            pairs = [(y, Fraction(w, sum(weights))) for y, w in zip(vectors, weights, strict=True) if w]
            distribution = Distribution(size, tuple(y for y, _ in pairs), tuple(w for _, w in pairs))
            found.append((distribution, Fraction(top, sum(weights))))
    return found


def _integers(row: tuple[Fraction, ...]) -> Row:
    scale = lcm(*(entry.denominator for entry in row))
    return tuple(int(entry * scale) for entry in row)


def _extreme_rays(rows: list[Row]) -> list[Row]:
    """The extreme rays of {z >= 0, row . z >= 0 for every row}."""
    dimension = len(rows[0])
    units = [tuple(int(i == k) for i in range(dimension)) for k in range(dimension)]
    rays: list[Ray] = [(unit, frozenset(range(dimension)) - {k}) for k, unit in enumerate(units)]
    for number, row in enumerate(rows, dimension):
        rays = _cut(rays, row, number)
        if len(rays) > MOST_RAYS:
            raise NotImplementedError(f"more than {MOST_RAYS} distributions would have to be checked")
    return [ray for ray, _ in rays]


def _cut(rays: list[Ray], row: Row, number: int) -> list[Ray]:
    """The rays of the cone where the row is not negative: those of before, and one for each edge that is cut."""
    values = [sum(a * b for a, b in zip(row, ray, strict=True)) for ray, _ in rays]
    kept = [
        (ray, zeros | {number} if value == 0 else zeros)
        for (ray, zeros), value in zip(rays, values, strict=True)
        if value >= 0
    ]
    inside = [(r, value) for r, value in zip(rays, values, strict=True) if value > 0]
    outside = [(r, value) for r, value in zip(rays, values, strict=True) if value < 0]
    for (above, zeros_above), up in inside:
        for (below, zeros_below), down in outside:
            common = zeros_above & zeros_below
            if sum(common <= zeros for _, zeros in rays) == 2:  # the two span an edge
                new = tuple(up * b - down * a for a, b in zip(above, below, strict=True))
                kept.append((_primitive(new), common | {number}))
    return kept


def _primitive(ray: Row) -> Row:
    divisor = gcd(*ray)
    return tuple(entry // divisor for entry in ray)
