"""Losses of one weight vector: from a witness to what ``proofs/coq/RefutationDefinitions.v`` calls broken."""

from typing import TYPE_CHECKING

from gaptron.coq.real_terms import number
from gaptron.coq.refuted import HALF, LIA, ONE, Refuted, Witness, least
from gaptron.coq.tangents import Tangents, TangentsOfMinus
from gaptron.language.terms import Term
from gaptron.rounds import top_label

if TYPE_CHECKING:
    from gaptron.coq.from_data import FromData


class BinaryWitness(Witness):
    """The lemmas about one witness: a score z, and a label."""

    fixed = "2"

    def __init__(self, development: "FromData", found: Refuted, surrogate: str) -> None:
        super().__init__(development, found, surrogate)
        self.scores_of = [row[0] - row[1] for row in found.scores]
        self.sides = development.of_loss  # by their labels

    def tangents(self) -> tuple[Tangents, Tangents]:
        """Of both losses, by their labels."""
        plus, minus = self.sides
        return Tangents(self, plus), TangentsOfMinus(self, minus)

    def round(self) -> None:
        """P(wrong) - loss + eta/2 g^2 > 0 for a tangent of the loss there."""
        d, (z,), label = self.development, self.scores_of, self.found.label
        side = self.tangents()[label]
        top = top_label(self.found.scores[0])
        tangent = side.steepest(z)
        says = side.lemma(tangent)
        step: Term = ("*", HALF, self.value(d.eta), ("^", tangent.slope, 2))
        self.positive("witness_gap", self.gap_of(self.value(d.a, abs(z)), top == label, tangent.value, step))
        at, size = number(z), number(abs(z))
        self.witness_breaks(
            self.is_broken,
            f"  apply {d.prediction.broken_by}.",
            f"  refine (binary_broken _ _ _ {at} _ _ {label} {top} {size} _ {LIA} _ _ (proj2 {says}) _).",
            "  - destruct Rle_dec; first [reflexivity | exfalso; lra].",
            "  - unfold Rabs. destruct Rcase_abs; lra.",
            f"  - cbn [Nat.eqb]. {d.prediction.priced}.",
            f"    rewrite (proj1 {says}).",
            f"    {self.by_fact('witness_gap', (d.a, size), (d.eta, ''), *self.price)}.",
        )

    def map(self) -> None:
        """The gap map at |z|."""
        at = number(self.found.at)
        outside = self.outside(self.found.at)
        self.witness_breaks(
            f"broken_map 1 {self.there} 1",
            f"  refine (binary_map_broken _ _ _ {at} {at} _ _).",
            "  - unfold Rabs. destruct Rcase_abs; lra.",
            f"  - {outside}.",
        )

    def not_convex(self) -> None:
        """The loss of the label above its chord, at three scores."""
        label, t = self.found.label, self.found.weight
        side, (first, middle, last) = self.sides[label], self.scores_of
        low, between, high = (self.value(side, z) for z in self.scores_of)
        self.positive("witness_is_above", ("+", between, ("*", -t, low), ("*", t - 1, high)))
        line = f"({number(t)} * {number(first)} + (1 - {number(t)}) * {number(last)})"
        self.witness_breaks(
            f"broken_loss 2 {self.there}",
            f"  refine (binary_loss_not_convex _ _ _ {number(t)} {label} {number(first)} {number(last)} {LIA}",
            "    ltac:(lra) _). cbn [Nat.eqb].",
            f"  replace {line} with {number(middle)} by lra.",
            f"  {self.by_fact('witness_is_above', *((side, number(z)) for z in self.scores_of))}.",
        )

    def negative(self) -> None:
        """The smaller loss at a score."""
        label, side = min(enumerate(self.sides), key=lambda row: least(self.value(row[1], self.found.at)))
        self.positive("witness_is_negative", ("*", -ONE, self.value(side, self.found.at)))
        at = number(self.found.at)
        self.witness_breaks(
            f"broken_loss 2 {self.there}",
            f"  refine (binary_loss_negative _ _ _ {label} {at} {LIA} _). cbn [Nat.eqb].",
            f"  {self.by_fact('witness_is_negative', (side, at))}.",
        )
