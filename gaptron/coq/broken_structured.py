"""A refuted structured theorem in Coq: a distribution of the output at which the criterion fails.

The statement is ``exists`` over the size and the parameters of what is claimed; the proof names them and the
distribution, whose least expected cost, entropy gap and variance are computed. That the first is too large is a claim
of the kernel: no decoder exists. With proximal updates no algorithm withstands scores of every output. The conjugate is
bounded at each of them: its scores are the tangent of the entropy at a rational point, plus rational numbers where the
tangent is rational (``proofs/coq/ProximalStructuredRefutations.v``).
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from gaptron.coq import listed
from gaptron.coq.proved import Claims, shown
from gaptron.coq.real_terms import AND, number, show
from gaptron.coq.refuted import DEFINED, HALF, ONE, ZERO, parameters_at, refutation
from gaptron.coq.script import OutOfScopeError
from gaptron.coq.structured_development import PREDICTION, StructuredDevelopment
from gaptron.coq.structured_parts import TargetFamily, cost_of, target_of
from gaptron.language.expressions import Expression
from gaptron.language.terms import Term
from gaptron.obligations.structured.cases import slope_on_unit
from gaptron.prove.forced import slopes_at
from gaptron.system.documents import Document
from gaptron.theory.structured.distributions import OutputDistribution, least_target
from gaptron.theory.structured.entropies import CoordinateEntropy, Entropy, core
from gaptron.theory.structured.means import Means
from gaptron.theory.structured.outputs import Vector
from gaptron.theory.structured.structured_theorem import StructuredTheorem

MOST_OUTPUTS = 32  # that Coq goes through one by one
NUMBERS = "IZR INR Rplus Rminus Rmult Rdiv Ropp Rinv pow ln sqrt Req_EM_T Rlt_dec Rle Rlt Rmin Rmax"
TACTICS = (
    f"Ltac computed := cbv -[{NUMBERS}]; rewrite ?INR_IZR_INZ; cbn [Z.of_nat Pos.of_succ_nat Pos.succ];",
    "  repeat match goal with",
    "  | |- context [Req_EM_T ?a ?b] =>",
    "      let E := fresh in destruct (Req_EM_T a b) as [E|E]; [try (exfalso; lra) | try (exfalso; apply E; lra)]",
    "  | |- context [Rlt_dec ?a ?b] => destruct (Rlt_dec a b); try (exfalso; lra)",
    "  end.",
    "Ltac extremes := repeat match goal with",
    "  | |- context [Rmin ?a ?b] => first [rewrite (Rmin_left a b) by lra | rewrite (Rmin_right a b) by lra]",
    "  | |- context [Rmax ?a ?b] => first [rewrite (Rmax_left a b) by lra | rewrite (Rmax_right a b) by lra]",
    "  end.",
    "",
)
ROUNDING = (1, 10, 10**2, 10**3, 10**4, 10**6, 10**9)  # of points and scores: simple ones are cheaper
Row = tuple[Term, ...]


@dataclass(frozen=True)
class BrokenCriterion:
    """A witness as numbers: a distribution of the output, its probabilities in Coq's order, and the parameters."""

    distribution: OutputDistribution
    weights: tuple[Fraction, ...]
    parameters: tuple[Fraction, ...]
    places: tuple[int, ...]  # of the outputs that are drawn, in Coq's order
    scores: tuple[Vector, ...] = ()  # of these outputs


def broken_criterion(theorem: StructuredTheorem, witness: Document) -> BrokenCriterion:
    """The witness as numbers; OutOfScopeError, with the reason, if it is no distribution that is written."""
    if "distribution" not in witness:
        raise OutOfScopeError(f"its witness against {witness['obligation']} is no distribution of the output")
    size = int(witness["K"] if "K" in witness else witness["size"])
    _, values = parameters_at(theorem, witness)
    if theorem.outputs.count(size) > MOST_OUTPUTS:
        raise OutOfScopeError(f"its witness is about more than {MOST_OUTPUTS} outputs")
    rows = witness.get("outputs") or theorem.outputs.vectors(size)
    chances = {tuple(map(Fraction, row)): Fraction(w) for row, w in zip(rows, witness["distribution"], strict=True)}
    drawn = {vector: chance for vector, chance in chances.items() if chance}
    vectors = listed.numbered(theorem.outputs, size)
    weights = tuple(drawn.get(vector, ZERO) for vector in vectors)
    distribution = OutputDistribution(size, tuple(drawn), tuple(drawn.values()))
    places = tuple(vectors.index(vector) for vector in drawn)
    scores = _scores(witness, chances, drawn) if theorem.update == "proximal" else ()
    return BrokenCriterion(distribution, weights, values, places, scores)


def _scores(witness: Document, rows: Iterable[Vector], drawn: Container[Vector]) -> tuple[Vector, ...]:
    """Of the outputs that are drawn."""
    given = [tuple(map(Fraction, row)) for row in witness.get("scores", ())]
    if not given:
        raise OutOfScopeError(f"its witness against {witness['obligation']} has no scores")
    return tuple(row for output, row in zip(rows, given, strict=True) if output in drawn)


class StructuredRefutation(StructuredDevelopment):
    """The file that is being written: definitions as for a theorem that is PROVED, then what fails at one size."""

    def __init__(self, theorem: StructuredTheorem, claims: Claims, module: str, found: BrokenCriterion) -> None:
        self.found = found
        self.n = str(found.distribution.size)
        self.count = len(found.weights)
        super().__init__(theorem, claims, module)

    def _numbers(self) -> dict[str, Expression]:
        """Without the regret where steps have a rate: of it a decoder does not speak."""
        numbers = super()._numbers()
        return {name: part for name, part in numbers.items() if name != "regret" or "rate" not in numbers}

    def _target(self) -> TargetFamily:
        """The cost; what it is beside the variance is not asked."""
        if self.is_convolved:
            return target_of(self.theorem)
        return TargetFamily(cost_of(self.theorem), ZERO, "")

    # --- the numbers ----------------------------------------------------------------------------------------------

    @property
    def dimension(self) -> int:
        """Of the outputs."""
        return len(self.found.distribution.mean)

    @property
    def numbered(self) -> str:
        """The size, as a real number, and the parameters of the witness."""
        return " ".join([self.n, *map(number, self.found.parameters)])

    def _number(self, name: str) -> Term:
        """A function of the theorem there, as it is written."""
        values = [Fraction(self.n), *self.found.parameters]
        names = [self.size, *(parameter.name for parameter in self.parameters)]
        return self.printer.term(self.numbers[name], dict(zip(names, values, strict=True)))

    def _entropy_at(self, vector: Vector) -> Term:
        """Omega there, without convolution; coordinates at 0 and 1 by their values."""
        entropy = core(self.theorem.entropy)
        if not isinstance(entropy, CoordinateEntropy):
            return _value(entropy, vector)
        inside = [self.printer.term(entropy.omega, {"v": entry}) for entry in vector if entry not in (0, 1)]
        return ("+", _value(entropy, tuple(entry for entry in vector if entry in (0, 1))), *inside)

    def _entropy_gap(self) -> Term:
        """E Omega(y) - Omega(m); with convolution, what every prediction is expected to cost is added."""
        distribution = self.found.distribution
        drawn = zip(distribution.weights, distribution.outputs, strict=True)
        known: list[Term] = [("*", weight, self._entropy_at(vector)) for weight, vector in drawn]
        convolved = self.least if self.is_convolved else ZERO
        return ("+", *known, ("*", -ONE, self._entropy_at(distribution.mean)), convolved)

    # --- lemmas ---------------------------------------------------------------------------------------------------

    def _facts(self) -> None:
        """What the distribution is, and what it leaves."""
        self.least = least_target(self.theorem.target, self.theorem.outputs, self.found.distribution)
        for name in self.numbers:
            self._positive(f"witness_{name}", self._number(name))
        self._add("From Gaptron Require Import Sums StructuredRefutations ProximalStructuredRefutations.", "", *TACTICS)
        self._own_entropy()
        self._table("witness_weights", "y", self.found.weights)
        self._about_distribution()
        self._about_entropy()
        self._breaks()

    def _breaks(self) -> None:
        """What the criterion is made of, and that it fails."""
        distribution, self.gap = self.found.distribution, self._entropy_gap()
        alpha, s, eta = (self._number(name) for name in ("coefficient", "scale_of", "rate"))
        step: Term = ("*", -HALF * distribution.variance, eta, ("^", s, 2))
        right: Term = ("*", alpha, ("+", ("*", s, self.gap), step))
        self._positive("witness_gap", ("+", self.least, ("*", -ONE, right)))
        self._table("witness_mean", "i", distribution.mean)
        self._about_mean()

    def _positive(self, name: str, term: Term) -> None:
        if not self.claims.positive(name, term):
            raise OutOfScopeError("no enclosure shows that what breaks at its witness is above zero")

    def _table(self, name: str, argument: str, values: Sequence[Term]) -> None:
        """A function of numbered things, 0 beyond them."""
        cases = "".join(
            f"if Nat.eqb {argument} {i} then {show(value)} else " for i, value in enumerate(values) if value
        )
        self._add(f"Definition {name} ({argument} : nat) : R := {cases}0.", "")

    def _about_distribution(self) -> None:
        n, count = self.n, self.count
        self._add(
            f"Lemma witness_distribution : is_distribution {count} witness_weights.",
            "Proof.",
            "  split; [intros k _; unfold witness_weights; repeat (destruct Nat.eqb; [lra|]); lra | computed; lra].",
            "Qed.",
            "",
            f"Lemma witness_costs : forall k, (k < {count})%nat ->",
            f"  {number(self.least)} <= weighted {count} witness_weights (cost_of {n} k).",
            "Proof. one_by_one ltac:(computed; lra). Qed.",
            "",
        )

    def _about_mean(self) -> None:
        n, count, size = self.n, self.count, self.dimension
        unfolded = f"sum largest Nat.sub Nat.mul Nat.add Nat.eqb {'form_of' if self.entropy.form else 'omega'}"
        least = ", least_of" * self.is_convolved
        self._add(
            f"Lemma witness_means : forall i, (i < {size})%nat ->",
            f"  mean {count} witness_weights (output_of {n}) i = witness_mean i.",
            "Proof. one_by_one ltac:(computed; lra). Qed.",
            "",
            "Lemma witness_variance :",
            f"  weighted {count} witness_weights (fun y => distance2 {size} (output_of {n} y) witness_mean)",
            f"  = {number(self.found.distribution.variance)}.",
            "Proof. computed; lra. Qed.",
            "",
            f"Lemma witness_entropy_gap : weighted {count} witness_weights (fun y => entropy_of {n} (output_of {n} y))",
            f"  - entropy_of {n} (mean {count} witness_weights (output_of {n})) = {show(self.gap)}.",
            "Proof.",
            f"  replace (entropy_of {n} (mean {count} witness_weights (output_of {n})))",
            f"    with (entropy_of {n} witness_mean)",
            f"    by (unfold entropy_of{least}; cbv beta iota delta [{unfolded}];",
            "      now rewrite !witness_means by (repeat constructor)).",
            "  computed; extremes; at_ends; lra.",
            "Qed.",
            "",
        )

    def _about_entropy(self) -> None:
        n, count, size = self.n, self.count, self.dimension
        strength, share = (self.printer.smooth(one) for one in (self.entropy.strength, self.entropy.share))
        core_function = f"(fun m => {self._core(self._there)})"
        convolved = [
            f"apply (convolved_suits {count} {size} (output_of {n}) (cost_of {n}) {core_function}",
            f"  (entropy_of {n}) (least_of {n})).",
            f"- {self._suits(self._there)}.",
            f"- {self._there(self.target.least_proof)}.",
            "- reflexivity.",
        ]
        self._add(
            "Lemma witness_entropy :",
            f"  entropy_suits {count} {size} (output_of {n}) (entropy_of {n}) {strength} {share}.",
            "Proof.",
            *(convolved if self.is_convolved else [f"{self._suits(self._there)}."]),
            "Qed.",
            "",
        )

    def _there(self, pattern: str) -> str:
        """With the witness's sizes in their places."""
        return pattern.format(n=self.n, size=self.outputs.dimension.format(n=self.n))

    # --- the theorem ----------------------------------------------------------------------------------------------

    def _whole(self) -> None:
        """Within what is claimed, where everything is defined, there is no decoder."""
        n, at = self.size, self.at
        problem = " ".join(["problem", n, *self.others, "mu"])
        unfolded = ", ".join([*self.numbers, *(f"{one}_defined" for one in self.numbers)])
        parts = (
            f"({AND.join(f'{one}_defined {at}' for one in self.numbers)})",
            f"(exists {PREDICTION}, attained ({problem}))",
            f"(forall {PREDICTION}, attained ({problem}) ->\n    ~ {self._denied(problem)})",
        )
        proof = (
            f"  replace (INR {self.n}) with {self.n} by (rewrite INR_IZR_INZ; reflexivity).",
            f"  split; [unfold {unfolded}; parts; {DEFINED} |].",
            *self._broken(),
        )
        bound, premises = f"({n} : nat){self.quantified} (X : R)", [*self._ranges(), "0 < X"]
        numbers = [f"{self.n}%nat", *map(number, self.found.parameters), "1"]
        self._add(*refutation(self.module, bound, premises, parts, numbers, *proof))

    def _denied(self, problem: str) -> str:
        """The part of the guarantee that fails."""
        return f"decodable ({problem}) (rate {self.at}) (coefficient {self.at})"

    def _broken(self) -> Iterator[str]:
        """The library's theorem at the witness."""
        n, there = self.n, self.numbered
        variance = number(self.found.distribution.variance)
        yield f"  unfold problem. replace (INR {n}) with {n} by (rewrite INR_IZR_INZ; reflexivity)."
        yield f"  apply (structured_broken {self.count} {self.dimension} (output_of {n}) (cost_of {n})"
        yield f"    (entropy_of {n}) _ _"
        yield f"    witness_entropy (scale_of {there}) _ _ witness_weights witness_mean {number(self.least)}"
        yield f"    {show(self.gap)} {variance})."
        for name in ("scale_of", "rate", "coefficient"):
            yield f"  - unfold {name}; use witness_{name}."
        for name in ("distribution", "means", "costs", "entropy_gap", "variance"):
            yield f"  - exact witness_{name}."
        yield f"  - unfold {', '.join(self.numbers)}; use witness_gap."


def _value(entropy: Entropy, vector: Vector) -> Fraction:
    """Omega at rational entries at which it is rational."""
    value = entropy.value(vector)
    if not isinstance(value, Fraction):
        raise OutOfScopeError("the entropy of an output is no rational number")
    return value


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
        for place, tangent in zip(self.found.places, self.tangents, strict=True):
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
            f"  scale_of {self.numbered} * {show(tangent.loss)}.",
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
        count, size, drawn = self.count, self.dimension, self.found.places
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
            f"  = {show(self.variance)}.",
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
            f"Lemma witness_loss : weighted {count} witness_weights witness_losses = {show(self.loss)}.",
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
        yield f"    {show(self.loss)} {show(self.variance)})."
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
