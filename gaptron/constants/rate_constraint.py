"""What a learning rate must satisfy, as data and in the sympy of the search, and the gap maps that it allows.

A gap map a exists at a top margin s if and only if every wrong round's lower bound K (1 - h) and 0 are at most every
right round's upper bound K h/(K - 1) and 1 (h as in ``obligations.margin_losses``).
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

import sympy as sp
from sympy.core.relational import Relational

from gaptron.door.reading import read
from gaptron.door.showing import show
from gaptron.guesses.computer_algebra import SympyGuesses
from gaptron.guesses.in_sympy import SympyRegion, s
from gaptron.language.expressions import Expression
from gaptron.language.formulas import formula, relation, where
from gaptron.language.normal import put, slope
from gaptron.obligations import margin_losses, reduction_of
from gaptron.obligations.constraint import Constraint, Implied
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.pieces import Region, put_all
from gaptron.obligations.reduction import Case, Need, Reduction
from gaptron.obligations.sequents import Sequent, claims_more_than_two, class_conditions
from gaptron.obligations.setting import RATE
from gaptron.obligations.softmax_losses import squared_slope, whole_psi
from gaptron.rounds.geometry import geometry_of
from gaptron.symbols import K, m, p
from gaptron.theory.decoders import GapMap
from gaptron.theory.theorem import Implication, Theorem

MOST_EQUAL = 8  # numbers of equal labels at which the search looks for what binds


@dataclass(frozen=True)
class RateConstraint:
    """``Constraint``, its region and expressions written with sympy's symbols."""

    kind: str
    region: SympyRegion
    fixed: sp.Expr
    slope: sp.Expr
    label: int | None = None

    @property
    def variables(self) -> tuple[sp.Symbol, ...]:
        """The scalars of the round, in order of their names."""
        found = self.fixed.free_symbols | self.slope.free_symbols
        found |= set().union(*(relation.free_symbols for relation in self.region))
        return tuple(sorted(found - {K}, key=str))

    @property
    def two_classes_only(self) -> bool:
        """Whether K does not occur."""
        return all(K not in part.free_symbols for part in (*self.region, self.fixed, self.slope))

    def at(self, n_classes: int) -> "RateConstraint | None":
        """The constraint for this many classes; None if it says nothing about them."""
        if self.two_classes_only:
            return self if n_classes == 2 else None
        return self.put({K: n_classes})

    def put(self, values: Mapping[sp.Symbol, object]) -> "RateConstraint | None":
        """The constraint with these values; None if its region is certainly empty there."""
        region = [relation.subs(values) for relation in self.region]
        if sp.false in region:
            return None
        kept = tuple(relation for relation in region if relation != sp.true)
        return replace(self, region=kept, fixed=self.fixed.subs(values), slope=self.slope.subs(values))


def in_symbols(
    theorem: Theorem, constraints: Callable[[Theorem, Coverage], Iterable[Constraint]]
) -> Iterator[RateConstraint]:
    """The constraints of a theorem, in its symbols."""
    guesses = SympyGuesses.of(theorem)
    for c in constraints(theorem, Coverage(guesses)):
        fixed, slope = (show(part, guesses.symbols) for part in (c.fixed, c.slope))
        yield RateConstraint(c.kind, guesses.region(c.region), fixed, slope, c.label)


def implications(implied: Iterable[Implied], guesses: SympyGuesses) -> tuple[Implication, ...]:
    """What is implied, as implications of a lemma."""
    return tuple(
        Implication(
            name=one.name, statement=one.statement, given=guesses.region(one.given), then=guesses.relation(one.then)
        )
        for one in implied
    )


def all_follow(
    prefix: str, statement: str, given: SympyRegion, conclusions: Iterable[Relational]
) -> tuple[Implication, ...]:
    """That each of these conclusions holds where all that is given does."""
    pairs = enumerate(conclusions, 1)
    return tuple(Implication(name=f"{prefix}{n}", statement=statement, given=given, then=then) for n, then in pairs)


# --- of the given gap map, of some gap map, of some decoder -------------------------------------------------------


def gap_constraints(theorem: Theorem, coverage: Coverage) -> Iterator[Constraint]:
    """The cases of the surrogate gap for the theorem's own gap map; 1 where the gap is not defined."""
    for case in reduction_of(theorem).cases(RATE, coverage):
        name = case.kind if case.label is None else f"{case.kind}, y = {case.label}"
        kept = (claim for claim in case.claims if not coverage.guesses.seems_empty(claim.given))
        yield from (linear(name, claim, case.label) for claim in kept)


def linear(kind: str, claim: Sequent, label: int | None = None) -> Constraint:
    """A claim that a gap, linear in the learning rate, is at most 0."""
    gap = claim.then.left
    return Constraint(kind, claim.given, put(gap, {RATE: Fraction(0)}), slope(gap, RATE), label)


def map_constraints(theorem: Theorem, coverage: Coverage) -> Iterator[Constraint]:
    """At every top margin, or largest probability, every lower bound on a is at most every upper one."""
    return (_softmax_map_constraints if is_softmax(theorem) else margin_map_constraints)(theorem, coverage)


def decoder_constraints(theorem: Theorem, coverage: Coverage) -> Iterator[Constraint]:
    """The needs of all labels sum to at most 1."""
    reduce = _softmax_decoder_constraints if is_softmax(theorem) else margin_losses.decoder_constraints
    return reduce(reduction_of(theorem), coverage)


def is_softmax(theorem: Theorem) -> bool:
    """Whether the loss is one of the softmax probability.

    Raises
    ------
    NotImplementedError
        With an abstention cost, for which neither maps nor decoders are reduced.
    """
    if theorem.abstention_cost is not None:
        raise NotImplementedError("with an abstention cost only the given gap map is sharpened")
    return geometry_of(theorem.loss).is_transcendental


# --- margin and binary losses -------------------------------------------------------------------------------


def margin_map_constraints(theorem: Theorem, coverage: Coverage, tied: bool = False) -> Iterator[Constraint]:
    """At every top margin, every lower bound on a is at most every upper one.

    If ``tied``, the need of a wrong label falls with its margin, so that t = s is the worst: this is among them.
    """
    if tied:
        yield from margin_losses.falling(reduction_of(theorem), coverage)
    every = reduction_of(theorem).faces(coverage)
    rights, wrongs = ([need for face in every for need in getattr(face, side)] for side in ("right", "wrong"))
    conditions = class_conditions(theorem)
    for need in rights:
        yield Constraint("right", (*need.region, *conditions), formula("-loss", loss=need.loss), need.half)
    for need in wrongs:
        yield Constraint("wrong", (*need.region, *conditions), formula("1 - loss - 1/K", loss=need.loss), need.half)
    for right, wrong in product(rights, wrongs):
        if tied:
            yield from _between_margins(right, wrong, conditions, "K", coverage)
            continue
        if theorem.claims(2):
            yield from _between_margins(right, wrong, (), Fraction(2), coverage)
        if claims_more_than_two(theorem):
            yield from _between_margins(
                right, wrong.at("t"), (relation("t >= s"), *class_conditions(theorem, 3)), "K", coverage
            )


def _between_margins(
    right: Need, wrong: Need, conditions: Region, n_classes: Expression, coverage: Coverage
) -> Iterator[Constraint]:
    classes = {"K": n_classes}
    region = put_all((*right.region, *wrong.region), classes) + conditions
    if coverage.keeps(region):
        fixed = put(formula("1 - wrong - right/(K - 1)", wrong=wrong.loss, right=right.loss), classes)
        half = put(formula("wrong + right/(K - 1)", wrong=wrong.half, right=right.half), classes)
        yield Constraint("right and wrong", tuple(dict.fromkeys(region)), fixed, half)


# --- softmax losses -----------------------------------------------------------------------------------------


def _softmax_map_constraints(theorem: Theorem, coverage: Coverage) -> Iterator[Constraint]:
    """At every largest probability every lower bound on a, from a wrong round, is at most every upper one."""
    rights, wrongs = _split(theorem, 0, coverage)
    alone = [*(("right", c) for c in rights), *(("wrong", c) for c in _split(theorem, 1, coverage)[1])]
    yield from (linear(kind, claim) for kind, c in alone for claim in c.claims if coverage.keeps(claim.given))
    for right, wrong in product(rights, wrongs):
        yield from _between(theorem, right, wrong, coverage)


def _split(theorem: Theorem, share: int, coverage: Coverage) -> tuple[list[Case], list[Case]]:
    """Right and wrong cases of the gap for a constant gap map."""
    mixed = replace(theorem, gap_map=GapMap(sp.Integer(share)), sharp_at=None)
    found = list(reduction_of(mixed).cases(RATE, coverage))
    return [case for case in found if case.kind == "right"], [case for case in found if case.kind == "wrong"]


def _between(theorem: Theorem, right: Case, wrong: Case, coverage: Coverage) -> Iterator[Constraint]:
    """1 - h of a wrong round is at most h/(K - 1) of a right one with the same largest probability."""
    gap = formula("wrong + right/(K - 1)", wrong=wrong.gap, right=right.gap)
    region = (*right.region, *wrong.region)
    two = {"K": Fraction(2), "p": formula("1 - q")}
    for classes, conditions in ((two, ()), ({}, class_conditions(theorem, 3))):
        if not (theorem.claims(2) if classes else claims_more_than_two(theorem)):
            continue
        given = (*put_all(region, classes), *conditions)
        if coverage.keeps(given):
            yield linear("right and wrong", Sequent(given, relation("gap <= 0", gap=put(gap, classes))))


def largest_maps(theorem: Theorem, eta: sp.Expr, coverage: Coverage) -> Iterator[GapMap]:
    """1 up to p = 1/2, then all that right rounds allow: K h/(K - 1) with the rest of the probability on one label.

    At the largest learning rate that is at most 1 of itself, as it has to be; otherwise it is cut there.
    """
    psi = whole_psi(reduction_of(theorem), coverage)
    squared = squared_slope(psi)
    allowed_there = formula("K/(K - 1)*(psi - eta*squared*(1 - p)**2)", psi=psi, squared=squared, eta=read(eta))
    most = show(allowed_there, SympyGuesses.of(theorem).symbols)
    for allowed in (most, sp.Min(1, most)):
        yield GapMap(sp.Piecewise((1, p < sp.Rational(1, 2)), (allowed, True)))


def _softmax_decoder_constraints(reduction: Reduction, coverage: Coverage) -> Iterator[Constraint]:
    """What is needed by one label, by two that share everything, and by n equal ones: where the search looks."""
    theorem, psi = reduction.theorem, whole_psi(reduction, coverage)
    squared = squared_slope(psi)
    slope = formula("squared*(1 - p)**2", squared=squared)
    yield Constraint("one label", reduction.domain(), formula("-psi", psi=psi), slope)
    other = {"p": formula("1 - p")}
    fixed = formula("1 - psi - other", psi=psi, other=put(psi, other))
    two = formula("slope + other", slope=slope, other=put(slope, other))
    yield Constraint("two labels", (*where("p >= 1/2", "p < 1"), *class_conditions(theorem)), fixed, two)
    for n in range(3, MOST_EQUAL + 1):
        if theorem.last_class_count is None or theorem.last_class_count >= n:
            share = {"p": Fraction(1, n)}
            fixed = formula(f"{n}*(1 - psi) - 1", psi=put(psi, share))
            there = formula(f"squared*{n - 1}/2", squared=put(squared, share))
            yield Constraint(f"{n} equal labels", class_conditions(theorem, n), fixed, there)


# --- gap maps in closed form --------------------------------------------------------------------------------


def candidates(theorem: Theorem, eta: sp.Expr) -> Iterator[GapMap]:
    """The largest and the least gap map at this learning rate: whichever is proved first is the answer."""
    guesses = SympyGuesses.of(theorem)
    n_classes = sp.Integer(2) if geometry_of(theorem.loss).one_vector else K

    def joined(needs: tuple[Need, ...], factor: sp.Expr, is_largest: bool) -> sp.Expr:
        """The factor times h of the top label, or 1 - h of the runner-up, h = loss - eta half."""
        parts = []
        for need in needs:
            loss, half = (show(part, guesses.symbols) for part in (need.loss, need.half))
            allowed = loss - eta * half if is_largest else 1 - loss + eta * half
            parts.append((guesses.region(need.region), _tidy(factor * allowed)))
        return _joined(parts, is_largest)

    every = reduction_of(theorem).faces(Coverage(guesses))
    least = [joined(face.wrong, n_classes, False) for face in every]
    largest = [joined(face.right, n_classes / (n_classes - 1), True) for face in every]
    for expr in (sp.Min(1, *largest), sp.Max(0, *least)):
        yield GapMap(expr.subs(s, m))


def _tidy(expr: sp.Expr) -> sp.Expr:
    """A polynomial in the top margin by its powers, coefficients factored."""
    return sp.collect(sp.expand(expr), s, sp.factor) if expr.is_polynomial(s) else expr


def _joined(parts: list[tuple[SympyRegion, sp.Expr]], steep_first: bool) -> sp.Expr:
    """The pieces as one expression; where two of them meet, the one with the larger slope counts.

    For a convex loss that is the piece of smaller margins: the first on right rounds, the second on wrong ones.
    """
    parts = [part for part in sorted(parts, key=lambda part: _start(part[0])) if not _is_point(part[0])]
    if len(parts) == 1:
        return parts[0][1]
    branches = [(value, sp.And(*_upper(region, steep_first))) for region, value in parts]
    return sp.Piecewise(*branches[:-1], (branches[-1][0], True))


def _start(region: SympyRegion) -> float:
    """Where the piece begins, for three classes: only an order."""
    return max((float(low.subs(K, 3)) for low in _bounds(region, above=False)), default=0.0)


def _is_point(region: SympyRegion) -> bool:
    return any(high == 0 for high in _bounds(region, above=True))


def _upper(region: SympyRegion, closed: bool) -> Iterator[sp.Basic]:
    for high in _bounds(region, above=True):
        yield s <= high if closed else s < high


def _bounds(region: SympyRegion, above: bool) -> Iterator[sp.Expr]:
    """The upper (or lower) bounds that relations linear in the top margin put on it."""
    for each in region:
        difference = sp.expand(each.lhs - each.rhs)
        slope = difference.coeff(s, 1)
        rest = difference - slope * s
        is_linear = slope.is_number and slope != 0 and s not in rest.free_symbols
        if is_linear and (isinstance(each, (sp.Le, sp.Lt)) == bool(slope > 0)) == above:
            yield -rest / slope
