"""A refuted structured theorem in Coq: a distribution of the output at which the criterion fails, so no decoder exists.

The statement is ``exists`` over the size and the parameters of what is claimed; the proof names them and the
distribution, whose least expected cost, entropy gap and variance are computed. That the first is too large is a claim
of the kernel.
"""

from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from gaptron.coq import listed
from gaptron.coq.proved import Claims
from gaptron.coq.real_terms import AND, number, show
from gaptron.coq.refuted import DEFINED, HALF, ONE, ZERO, parameters_at, refutation
from gaptron.coq.script import OutOfScopeError
from gaptron.coq.structured_development import PREDICTION, StructuredDevelopment
from gaptron.coq.structured_parts import TargetFamily, cost_of, target_of
from gaptron.language.expressions import Expression
from gaptron.language.terms import Term
from gaptron.system.documents import Document
from gaptron.theory.structured.distributions import OutputDistribution, least_target
from gaptron.theory.structured.entropies import CoordinateEntropy, Entropy, core
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
        others = "".join(f" ({one} : R)" for one in self.others)
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
        bound, premises = f"({n} : nat){others} (X : R)", [*self._ranges(), "0 < X"]
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
