"""A refuted structured theorem with proximal updates in Coq: scores of every output that no algorithm withstands.

The conjugate is bounded at each of them: its scores are the tangent of the entropy at a rational point, plus rational
numbers where the tangent is rational (``proofs/coq/ProximalStructuredRefutations.v``).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from gaptron.coq.broken_structured import BrokenCriterion, StructuredRefutation
from gaptron.coq.constants import shown
from gaptron.coq.proved import Claims
from gaptron.coq.real_terms import number, show
from gaptron.coq.refuted import ONE, ZERO
from gaptron.coq.script import OutOfScopeError
from gaptron.language.terms import Term
from gaptron.obligations.structured.cases import slope_on_unit
from gaptron.prove.forced import slopes_at
from gaptron.theory.structured.entropies import CoordinateEntropy, core
from gaptron.theory.structured.means import Means
from gaptron.theory.structured.outputs import Vector
from gaptron.theory.structured.structured_theorem import StructuredTheorem

ROUNDING = (1, 10, 10**2, 10**3, 10**4, 10**6, 10**9)  # of points and scores: simple ones are cheaper
Row = tuple[Term, ...]


@dataclass(frozen=True)
class Tangent:
    """Of the entropy at a point; the scores are the slope and what is left, the loss is at most ``loss``."""

    point: Vector
    slope: Row
    scores: Row
    most: Fraction  # that an output has of what is left
    loss: Term


class EnvelopeRefutation(StructuredRefutation):
    """No algorithm attains the constant."""

    def __init__(self, theorem: StructuredTheorem, claims: Claims, module: str, found: BrokenCriterion) -> None:
        if theorem.regret is None:
            raise OutOfScopeError("no regret is given")
        if not found.scores:
            raise OutOfScopeError("its witness has no scores")
        super().__init__(theorem, claims, module, found)

    # --- the numbers ----------------------------------------------------------------------------------------------

    def _tangents(self, denominator: int) -> list[Tangent]:
        """One for each output that is drawn, its numbers rounded."""
        found, means = self.found, Means(self.theorem, self.found.distribution.size)
        rows = zip(found.scores, found.distribution.outputs, strict=True)
        return [self._tangent(row, means, output, denominator) for row, output in rows]

    def _tangent(self, row: Vector, means: Means, output: Vector, denominator: int) -> Tangent:
        near = means.mean(np.array([float(score) for score in row]))
        point = tuple(Fraction(round(float(entry) * denominator), denominator) for entry in near)
        slope = self._slope(point)
        rest = tuple(
            Fraction(round((a - t) * denominator), denominator) if isinstance(t, Fraction) else ZERO
            for a, t in zip(row, slope, strict=True)
        )
        scores = tuple(_plus(t, r) for t, r in zip(slope, rest, strict=True))
        vectors = self.theorem.outputs.vectors(self.found.distribution.size)
        most = max(sum((r * entry for r, entry in zip(rest, y, strict=True)), ZERO) for y in vectors)
        along = [("*", a, t) for a, t in zip(point, slope, strict=True) if a]
        against = [("*", -entry, a) for entry, a in zip(output, scores, strict=True) if entry]
        ends: tuple[Term, ...] = (("*", -ONE, self._entropy_at(point)), most, self._entropy_at(output))
        return Tangent(point, slope, scores, most, ("+", *along, *ends, *against))

    def _slope(self, point: Vector) -> Row:
        """Of the entropy; OutOfScopeError where it is steep."""
        entropy = core(self.theorem.entropy)
        slopes = slopes_at(entropy, point)
        if slopes is None:
            raise OutOfScopeError("the entropy is steep at the means of its witness")
        if not isinstance(entropy, CoordinateEntropy):
            return tuple(slopes)
        slope = slope_on_unit(entropy.omega)
        return tuple(self.printer.term(slope, {"v": entry}) for entry in point)

    def _breaks(self) -> None:
        """H_L(w) > alpha (E loss + c Var), at the first scores that are simple."""
        for denominator in ROUNDING:
            try:
                self.tangents = self._tangents(denominator)
            except OutOfScopeError:
                continue
            self._average()
            if shown(self._gap()):
                break
        self._positive("witness_gap", self._gap())
        for place, tangent in zip(self._drawn(), self.tangents, strict=True):
            self._about_loss(place, tangent)
        self._about_scores()

    def _average(self) -> None:
        """The mean of the scores, their variance, and the expected loss."""
        weights = self.found.distribution.weights
        rows = list(zip(weights, self.tangents, strict=True))
        columns = range(self.dimension)
        self.centre = tuple(_total([(w, tangent.scores[i]) for w, tangent in rows]) for i in columns)
        self.variance = _total(
            [(w, _square(tangent.scores[i], self.centre[i])) for w, tangent in rows for i in columns]
        )
        self.loss = _total([(w, tangent.loss) for w, tangent in rows])

    def _gap(self) -> Term:
        alpha, s, regret = (self._number(name) for name in ("coefficient", "scale_of", "regret"))
        right = (("*", -ONE, alpha, s, self.loss), ("*", -ONE, regret, self.variance))
        return ("+", self.least, *right)

    def _drawn(self) -> list[int]:
        """The outputs that are drawn, as they are numbered, in the order of the distribution."""
        return list(self.found.places)

    # --- lemmas ---------------------------------------------------------------------------------------------------

    def _about_loss(self, place: int, tangent: Tangent) -> None:
        """An upper bound on the loss of one output at its scores."""
        n, size = self.n, self.dimension
        for name, row in (("point", tangent.point), ("slope", tangent.slope), ("scores", tangent.scores)):
            self._table(f"witness_{name}_{place}", "i", row)
        point, slope, scores = (f"witness_{name}_{place}" for name in ("point", "slope", "scores"))
        about = f"{self.count} {size} (output_of {n}) (entropy_of {n}) {point} {slope}"
        self._add(
            f"Lemma witness_touches_{place} : touches {about}.",
            f"Proof. {self._there(self.entropy.touches)}. Qed.",
            "",
            f"Lemma witness_loss_{place} mu : attained ({self._problem_there()}) ->",
            f"  surrogate_loss ({self._problem_there()}) {place} {scores} <=",
            f"  scale_of {self.numbered} * {show(tangent.loss, {})}.",
            "Proof.",
            f"  intros Hmu. apply (loss_at_most {about} (cost_of {n}) (scale_of {self.numbered}) mu {place} _",
            f"    {number(tangent.most)}).",
            "  - unfold scale_of; use witness_scale_of.",
            "  - exact Hmu.",
            f"  - exact witness_touches_{place}.",
            "  - one_by_one ltac:(computed; lra).",
            "  - computed; at_ends; lra.",
            "Qed.",
            "",
        )

    def _about_scores(self) -> None:
        """The scores of all outputs, and what their bounds are on average."""
        count, size, drawn = self.count, self.dimension, self._drawn()
        losses = dict(zip(drawn, (tangent.loss for tangent in self.tangents), strict=True))
        self._table("witness_losses", "y", [losses.get(y, ZERO) for y in range(count)])
        self._table("witness_centre", "i", self.centre)
        cases = "".join(f"if Nat.eqb y {y} then witness_scores_{y} i else " for y in drawn)
        bounds = " | ".join(f"exact (witness_loss_{y} mu Hmu)" for y in drawn)
        self._add(
            f"Definition witness_scores (y i : nat) : R := {cases}0.",
            "",
            f"Lemma witness_centres : forall i, (i < {size})%nat ->",
            f"  mean {count} witness_weights witness_scores i = witness_centre i.",
            "Proof. one_by_one ltac:(computed; lra). Qed.",
            "",
            "Lemma witness_variance :",
            f"  weighted {count} witness_weights (fun y => distance2 {size} (witness_scores y) witness_centre)",
            f"  = {show(self.variance, {})}.",
            "Proof. computed; field. Qed.",
            "",
            f"Lemma witness_bounds mu : attained ({self._problem_there()}) ->",
            f"  forall y, (y < {count})%nat -> witness_weights y = 0 \\/",
            f"  surrogate_loss ({self._problem_there()}) y (witness_scores y) <=",
            f"  scale_of {self.numbered} * witness_losses y.",
            "Proof.",
            f"  intros Hmu. one_by_one ltac:(first [right; first [{bounds}] | left; reflexivity]).",
            "Qed.",
            "",
            f"Lemma witness_loss : weighted {count} witness_weights witness_losses = {show(self.loss, {})}.",
            "Proof. computed; lra. Qed.",
            "",
        )

    def _problem_there(self) -> str:
        """The problem at the witness's size and parameters."""
        n, made = self.n, f"{self.count} {self.dimension} (output_of {self.n})"
        return f"Structured {made} (cost_of {n}) (hull {made}) (entropy_of {n}) (scale_of {self.numbered}) mu"

    # --- the theorem ----------------------------------------------------------------------------------------------

    def _denied(self, problem: str) -> str:
        return self._guarantee(problem)

    def _broken(self) -> Iterator[str]:
        """The library's theorem at the witness."""
        n, there = self.n, self.numbered
        yield f"  unfold problem. replace (INR {n}) with {n} by (rewrite INR_IZR_INZ; reflexivity)."
        yield f"  apply (structured_not_attained {self.count} {self.dimension} (output_of {n}) (cost_of {n})"
        yield f"    (entropy_of {n}) _ _ witness_entropy 1 (scale_of {there}) (coefficient {there}) (regret {there})"
        yield f"    witness_weights witness_scores witness_centre witness_losses {number(self.least)}"
        yield f"    {show(self.loss, {})} {show(self.variance, {})})."
        yield "  - exact Rlt_0_1."
        for name in ("scale_of", "coefficient"):
            yield f"  - unfold {name}; use witness_{name}."
        for name in ("distribution", "costs", "centres", "variance", "bounds", "loss"):
            yield f"  - exact witness_{name}."
        yield f"  - unfold {', '.join(self.numbers)}; use witness_gap."


def _plus(slope: Term, rest: Fraction) -> Term:
    return slope + rest if isinstance(slope, Fraction) else slope


def _total(weighted: Sequence[tuple[Fraction, Term]]) -> Term:
    """sum w f, a number if all are."""
    if all(isinstance(value, Fraction) for _, value in weighted):
        return sum((w * value for w, value in weighted if isinstance(value, Fraction)), ZERO)
    return ("+", *(("*", w, value) for w, value in weighted))


def _square(score: Term, centre: Term) -> Term:
    """(score - centre)^2, a number if both are."""
    if isinstance(score, Fraction) and isinstance(centre, Fraction):
        return (score - centre) ** 2
    return ("^", ("+", score, ("*", -ONE, centre)), 2)
