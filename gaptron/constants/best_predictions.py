"""What some gap map, and some decoder, asks of a learning rate, and the gap maps that it allows: a class a geometry.

A gap map a exists at a top margin s if and only if every wrong round's lower bound K (1 - h) and 0 are at most every
right round's upper bound K h/(K - 1) and 1 (h as in ``obligations.margin_losses``).
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product

import sympy as sp

from gaptron.constants.rate_constraint import linear
from gaptron.door.reading import read
from gaptron.door.showing import show
from gaptron.guesses.computer_algebra import SympyGuesses
from gaptron.guesses.in_sympy import SympyRegion, s
from gaptron.language.expressions import Expression
from gaptron.language.formulas import formula, relation, where
from gaptron.language.normal import put
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
from gaptron.theory.theorem import Theorem

MOST_EQUAL = 8  # numbers of equal labels at which the search looks for what binds


@dataclass(frozen=True)
class BestPredictions(ABC):
    """Of a theorem's loss, whatever its own gap map is."""

    theorem: Theorem

    @property
    def reduction(self) -> Reduction:
        """Of the loss."""
        return reduction_of(self.theorem)

    @abstractmethod
    def map_constraints(self, coverage: Coverage) -> Iterator[Constraint]:
        """At every top margin, or largest probability, every lower bound on a is at most every upper one."""

    @abstractmethod
    def decoder_constraints(self, coverage: Coverage) -> Iterator[Constraint]:
        """The needs of all labels sum to at most 1."""

    @abstractmethod
    def maps(self, eta: sp.Expr, coverage: Coverage) -> Iterator[GapMap]:
        """Gap maps for this learning rate: whichever is proved first is the answer."""

    def least_map(self, eta: sp.Expr, coverage: Coverage) -> tuple[GapMap, Iterator[Implied]] | None:
        """One with what shows that it is a gap map, where that is simpler than the theorem about it."""
        return None


def best_predictions(theorem: Theorem) -> BestPredictions:
    """Of the theorem's loss.

    Raises
    ------
    NotImplementedError
        With an abstention cost, for which neither maps nor decoders are reduced.
    """
    if theorem.abstention_cost is not None:
        raise NotImplementedError("with an abstention cost only the given gap map is sharpened")
    return (ByProbabilities if geometry_of(theorem.loss).is_transcendental else ByTopMargins)(theorem)


class ByTopMargins(BestPredictions):
    """Of margin and binary losses."""

    def map_constraints(self, coverage: Coverage) -> Iterator[Constraint]:
        """See ``BestPredictions``."""
        rights, wrongs = self._sides(coverage)
        yield from self._alone(rights, wrongs)
        for right, wrong in product(rights, wrongs):
            if self.theorem.claims(2):
                yield from _between_margins(right, wrong, (), Fraction(2), coverage)
            if claims_more_than_two(self.theorem):
                conditions = (relation("t >= s"), *class_conditions(self.theorem, 3))
                yield from _between_margins(right, wrong.at("t"), conditions, "K", coverage)

    def _tied_constraints(self, coverage: Coverage) -> Iterator[Constraint]:
        """The same where the need of a wrong label falls with its margin, as the first say: t = s is the worst."""
        yield from margin_losses.falling(self.reduction, coverage)
        rights, wrongs = self._sides(coverage)
        yield from self._alone(rights, wrongs)
        for right, wrong in product(rights, wrongs):
            yield from _between_margins(right, wrong, class_conditions(self.theorem), "K", coverage)

    def _sides(self, coverage: Coverage) -> tuple[list[Need], list[Need]]:
        faces = self.reduction.faces(coverage)
        return [need for face in faces for need in face.right], [need for face in faces for need in face.wrong]

    def _alone(self, rights: list[Need], wrongs: list[Need]) -> Iterator[Constraint]:
        conditions = class_conditions(self.theorem)
        for need in rights:
            yield Constraint("right", (*need.region, *conditions), formula("-loss", loss=need.loss), need.half)
        for need in wrongs:
            yield Constraint("wrong", (*need.region, *conditions), formula("1 - loss - 1/K", loss=need.loss), need.half)

    def decoder_constraints(self, coverage: Coverage) -> Iterator[Constraint]:
        """See ``BestPredictions``."""
        return margin_losses.decoder_constraints(self.reduction, coverage)

    def maps(self, eta: sp.Expr, coverage: Coverage) -> Iterator[GapMap]:
        """The largest and the least."""
        guesses = SympyGuesses.of(self.theorem)
        n_classes = sp.Integer(2) if geometry_of(self.theorem.loss).one_vector else K

        def joined(needs: tuple[Need, ...], factor: sp.Expr, is_largest: bool) -> sp.Expr:
            """The factor times h of the top label, or 1 - h of the runner-up, h = loss - eta half."""
            parts = []
            for need in needs:
                loss, half = (show(part, guesses.symbols) for part in (need.loss, need.half))
                allowed = loss - eta * half if is_largest else 1 - loss + eta * half
                parts.append((guesses.region(need.region), _tidy(factor * allowed)))
            return _joined(parts, is_largest)

        every = self.reduction.faces(Coverage(guesses))
        least = [joined(face.wrong, n_classes, False) for face in every]
        largest = [joined(face.right, n_classes / (n_classes - 1), True) for face in every]
        for expr in (sp.Min(1, *largest), sp.Max(0, *least)):
            yield GapMap(expr.subs(s, m))

    def least_map(self, eta: sp.Expr, coverage: Coverage) -> tuple[GapMap, Iterator[Implied]] | None:
        """Where an exp or log would have several variables."""
        if margin_losses.all_algebraic(self.map_constraints(Coverage(coverage.guesses))):
            return None
        *_, least = self.maps(eta, coverage)
        tied = enumerate(self._tied_constraints(coverage), 1)
        return least, (constraint.implied(n, read(eta)) for n, constraint in tied)


class ByProbabilities(BestPredictions):
    """Of softmax losses."""

    def map_constraints(self, coverage: Coverage) -> Iterator[Constraint]:
        """See ``BestPredictions``."""
        rights, wrongs = self._split(0, coverage)
        alone = [*(("right", c) for c in rights), *(("wrong", c) for c in self._split(1, coverage)[1])]
        yield from (linear(kind, claim) for kind, c in alone for claim in c.claims if coverage.keeps(claim.given))
        for right, wrong in product(rights, wrongs):
            yield from self._between(right, wrong, coverage)

    def _split(self, share: int, coverage: Coverage) -> tuple[list[Case], list[Case]]:
        """Right and wrong cases of the gap for a constant gap map."""
        mixed = replace(self.theorem, gap_map=GapMap(sp.Integer(share)), sharp_at=None)
        found = list(reduction_of(mixed).cases(RATE, coverage))
        return [case for case in found if case.kind == "right"], [case for case in found if case.kind == "wrong"]

    def _between(self, right: Case, wrong: Case, coverage: Coverage) -> Iterator[Constraint]:
        """1 - h of a wrong round is at most h/(K - 1) of a right one with the same largest probability."""
        gap = formula("wrong + right/(K - 1)", wrong=wrong.gap, right=right.gap)
        region = (*right.region, *wrong.region)
        two = {"K": Fraction(2), "p": formula("1 - q")}
        for classes, conditions in ((two, ()), ({}, class_conditions(self.theorem, 3))):
            if not (self.theorem.claims(2) if classes else claims_more_than_two(self.theorem)):
                continue
            given = (*put_all(region, classes), *conditions)
            if coverage.keeps(given):
                yield linear("right and wrong", Sequent(given, relation("gap <= 0", gap=put(gap, classes))))

    def decoder_constraints(self, coverage: Coverage) -> Iterator[Constraint]:
        """What one label needs, two that share everything, and n equal ones: where the search looks."""
        psi = whole_psi(self.reduction, coverage)
        squared = squared_slope(psi)
        slope = formula("squared*(1 - p)**2", squared=squared)
        yield Constraint("one label", self.reduction.domain(), formula("-psi", psi=psi), slope)
        other = {"p": formula("1 - p")}
        fixed = formula("1 - psi - other", psi=psi, other=put(psi, other))
        two = formula("slope + other", slope=slope, other=put(slope, other))
        yield Constraint("two labels", (*where("p >= 1/2", "p < 1"), *class_conditions(self.theorem)), fixed, two)
        for n in range(3, MOST_EQUAL + 1):
            if self.theorem.last_class_count is None or self.theorem.last_class_count >= n:
                share = {"p": Fraction(1, n)}
                fixed = formula(f"{n}*(1 - psi) - 1", psi=put(psi, share))
                there = formula(f"squared*{n - 1}/2", squared=put(squared, share))
                yield Constraint(f"{n} equal labels", class_conditions(self.theorem, n), fixed, there)

    def maps(self, eta: sp.Expr, coverage: Coverage) -> Iterator[GapMap]:
        """1 up to p = 1/2, then all that right rounds allow: K h/(K - 1) with the rest of the probability on one label.

        At the largest learning rate that is at most 1 of itself, as it has to be; otherwise it is cut there.
        """
        psi = whole_psi(self.reduction, coverage)
        known = {"psi": psi, "squared": squared_slope(psi), "eta": read(eta)}
        most = show(formula("K/(K - 1)*(psi - eta*squared*(1 - p)**2)", **known), SympyGuesses.of(self.theorem).symbols)
        for allowed in (most, sp.Min(1, most)):
            yield GapMap(sp.Piecewise((1, p < sp.Rational(1, 2)), (allowed, True)))


# --- pieces of a gap map ------------------------------------------------------------------------------------------


def _between_margins(
    right: Need, wrong: Need, conditions: Region, n_classes: Expression, coverage: Coverage
) -> Iterator[Constraint]:
    classes = {"K": n_classes}
    region = put_all((*right.region, *wrong.region), classes) + conditions
    if coverage.keeps(region):
        fixed = put(formula("1 - wrong - right/(K - 1)", wrong=wrong.loss, right=right.loss), classes)
        half = put(formula("wrong + right/(K - 1)", wrong=wrong.half, right=right.half), classes)
        yield Constraint("right and wrong", tuple(dict.fromkeys(region)), fixed, half)


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
