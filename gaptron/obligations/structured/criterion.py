"""When a randomized decoder exists at every score vector: H_L(w) <= alpha (s J(w) - kappa Var(w)) for every w.

Notation of ``theory.structured.distributions``, kappa = eta s^2 X^2/2. At scores theta with mu = grad Omega*(theta) a
decoder pi has E_pi L(yhat, y) <= alpha (loss_y(theta) - (eta/2) ||g_y||^2) for every y if and only if, by the minimax
theorem for finite games, H_L(w) <= alpha E_w[loss_y(theta) - (eta/2) ||g_y||^2] for every w. The right side is
alpha (s J(w) - kappa Var(w)) + alpha (s S(theta; m) - kappa ||mu - m||^2), and S(theta; m) >= (lambda/2) ||mu - m||^2
for a lambda-strongly convex Omega: for eta s X^2 <= lambda the criterion is sufficient. It is necessary at every eta:
where Omega has a gradient at m, the bracket vanishes at theta = grad Omega(m); elsewhere mix a little of another w in.

Proximal updates attain alpha e_y(theta), e_y(theta) = min_delta loss_y(theta + delta) + c ||delta||^2. By convex
duality e_y(theta) >= s <m - y, theta> + s Omega(y) - s Omega(m) - s^2 ||m - y||^2/(4 c), so that the criterion with
eta = 1/(2 c) is sufficient without strong convexity; it is not necessary.

Four ways to the criterion, the first two of them with F = s Omega - kappa ||.||^2 convex, and exact: ``uniform``,
``coordinates``; ``vertices``, which is exact as well; and ``dominated``, for every size, which is sufficient.
"""

from collections.abc import Iterator

from gaptron.language.relations import Relation
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.pieces import ZERO
from gaptron.obligations.sequents import Sequent
from gaptron.obligations.structured import coordinates, dominated, uniform, vertices
from gaptron.obligations.structured.cases import CriterionCase, Point, StructuredSurrogate, written
from gaptron.theory.structured.distributions import OutputDistribution, entropy_gap
from gaptron.theory.structured.structured_theorem import StructuredTheorem


def criterion_cases(
    theorem: StructuredTheorem, numbers: StructuredSurrogate, coverage: Coverage
) -> tuple[list[CriterionCase], bool]:
    """The cases, and whether they need F to be convex.

    Raises
    ------
    NotImplementedError
        If no way is known for these outputs, target and entropy.
    """
    if uniform.applies(theorem):
        return list(uniform.cases(theorem, numbers, coverage)), True
    if coordinates.applies(theorem):
        return list(coordinates.cases(theorem, numbers)), True
    few = list(_few(theorem))
    found = [_at_vertices(theorem, numbers, size) for size in few]
    rest = max(few, default=theorem.first_size - 1) + 1
    if theorem.last_size is None or rest <= theorem.last_size:
        if not dominated.applies(theorem):
            raise NotImplementedError(
                f"for {theorem.outputs!r} with this target and entropy the criterion is decided up to "
                f"{vertices.MOST_OUTPUTS} outputs: restrict sizes="
            )
        found += dominated.cases(theorem, numbers, coverage, rest)
    return found, bool(few)


def _few(theorem: StructuredTheorem) -> Iterator[int]:
    """The sizes with few outputs, if a last size is claimed."""
    if theorem.last_size is not None:
        sizes = range(theorem.first_size, theorem.last_size + 1)
        yield from (size for size in sizes if theorem.outputs.count(size) <= vertices.MOST_OUTPUTS)


def _at_vertices(theorem: StructuredTheorem, numbers: StructuredSurrogate, size: int) -> CriterionCase:
    """The criterion at all critical distributions of one size."""
    here = numbers.at(theorem, size)
    found: dict[Sequent, OutputDistribution] = {}
    for distribution, target in vertices.critical_distributions(theorem.target, theorem.outputs, size):
        gap = entropy_gap(theorem.entropy, theorem.target, theorem.outputs, distribution)
        surplus = written(
            "alpha*(s*gap - kappa*variance) - target", alpha=here.alpha, s=here.scale, kappa=here.kappa,
            gap=gap, variance=distribution.variance, target=target,
        )  # fmt: skip
        found.setdefault(Sequent((), Relation(">=", surplus, ZERO)), distribution)

    def failing(claim: Sequent, point: Point) -> Iterator[OutputDistribution]:
        matching = [w for known, w in found.items() if known.then == claim.then]
        yield from matching or found.values()

    count = theorem.outputs.count(size)
    statement = f"at the critical distributions over {count} outputs: H_L <= alpha (s J - kappa Var)"
    return CriterionCase(f"criterion/{theorem.size} = {size}", statement, tuple(found), failing)
