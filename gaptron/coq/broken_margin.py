"""Margin losses: from a witness to what ``proofs/coq/RefutationDefinitions.v`` calls broken."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from gaptron.coq.real_terms import number
from gaptron.coq.refuted import LIA, ONE, Refuted, Witness
from gaptron.coq.tangents import Tangents
from gaptron.language.terms import Term
from gaptron.rounds import margin, top_label

if TYPE_CHECKING:
    from gaptron.coq.from_data import FromData

ON_LINE = "(fun k => {t} * {a} k + (1 - {t}) * {b} k)"


class MarginWitness(Witness):
    """The lemmas about one witness."""

    def __init__(self, development: "FromData", found: Refuted, surrogate: str) -> None:
        super().__init__(development, found, surrogate)
        (self.function,) = development.of_loss
        self.phi = Tangents(self, self.function)

    def round(self) -> None:
        """P(wrong) - phi(m) + eta g^2 > 0 for a tangent of phi there."""
        d, (row,), label = self.development, self.found.scores, self.found.label
        top = top_label(row)
        (s, _), (m, rival) = margin(row, top), margin(row, label)
        self.scores("witness_scores", row)
        a, eta = self.value(d.a, s), self.value(d.eta)
        tangent = self.phi.steepest(m)
        says, slope = self.phi.lemma(tangent), tangent.slope
        self.positive("witness_gap", self.gap_of(a, top == label, tangent.value, ("*", eta, ("^", slope, 2))))
        at, top_at = number(m), number(s)
        falls = self.falls(slope)
        self.witness_breaks(
            self.is_broken,
            f"  apply {d.prediction.broken_by}.",
            f"  refine (margin_broken {self.k} _ _ _ witness_scores {LIA} _ _ {top} {label} {rival} {top_at} {at} _",
            f"    _ _ {LIA} {LIA} {LIA} _ _ _ (proj2 {says}) _ _).",
            f"  - {self.is_top}.",
            f"  - {self.is_margin('witness_scores', row, top)}.",
            f"  - intros k Hk Hother; {self.every}.",
            f"  - {self.compared}.",
            f"  - {self.on}.",
            f"  - {falls}.",
            f"  - cbn [Nat.eqb]. {d.prediction.priced}. rewrite (proj1 {says}).",
            f"    {self.by_fact('witness_gap', (d.a, top_at), (d.eta, ''), *self.price)}.",
        )

    def map(self) -> None:
        """The gap map at a top margin."""
        at, row = self.found.at, self._one_ahead()
        outside = self.outside(at)
        self.witness_breaks(
            f"broken_map 1 {self.there} 1",
            f"  refine (margin_map_broken {self.k} _ _ _ witness_scores 0 {number(at)} _ _ _).",
            f"  - {self.is_top}.",
            f"  - {self.is_margin('witness_scores', row, 0)}.",
            f"  - {outside}.",
        )

    def not_convex(self) -> None:
        """Above its chord at a margin."""
        label, t, phi = self.found.label, self.found.weight, self.function
        first, middle, last = self.found.scores
        self.scores("first_scores", first)
        self.scores("last_scores", last)
        margins = [margin(row, label)[0] for row in (first, last, middle)]
        low, high, between = (self.value(phi, m) for m in margins)
        self.positive("witness_is_above", ("+", between, ("*", -t, low), ("*", t - 1, high)))
        weight = number(t)
        line = ON_LINE.format(t=weight, a="first_scores", b="last_scores")
        values = [number(m) for m in margins]
        self.witness_breaks(
            f"broken_loss {self.k} {self.there}",
            f"  refine (margin_loss_not_convex {self.k} _ _ _ first_scores last_scores {weight} {label} {1 - label}",
            f"    {' '.join(values)} {LIA} {LIA} ltac:(lra) _ _ _ _).",
            f"  - {self.is_margin('first_scores', first, label)}.",
            f"  - {self.is_margin('last_scores', last, label)}.",
            f"  - {self.is_margin(line, middle, label)}.",
            f"  - {self.by_fact('witness_is_above', *((phi, value) for value in values))}.",
        )

    def negative(self) -> None:
        """At a margin."""
        at, phi, row = self.found.at, self.function, self._one_ahead()
        self.positive("witness_is_negative", ("*", -ONE, self.value(phi, at)))
        self.witness_breaks(
            f"broken_loss {self.k} {self.there}",
            f"  refine (margin_loss_negative {self.k} _ _ _ witness_scores 0 1 {number(at)} {LIA} {LIA} _ _).",
            f"  - {self.is_margin('witness_scores', row, 0)}.",
            f"  - {self.by_fact('witness_is_negative', (phi, number(at)))}.",
        )

    def _one_ahead(self) -> list[Fraction]:
        """The scores of a witness that is a margin: label 0 ahead of all others by it."""
        row = [self.found.at, *[Fraction(0)] * (self.found.classes - 1)]
        self.scores("witness_scores", row)
        return row

    @property
    def on(self) -> str:
        """Tactics: the round is not off."""
        d = self.development
        if d.beta is None:
            return "cbn [off Nat.eqb]; try reflexivity"
        threshold = d.apart(d.beta, "Eb", rewrite="rewrite {} in Hon", c=self.c)
        return f"cbn [off Nat.eqb]; destruct Rlt_dec as [Hon|_]; try reflexivity; exfalso; {threshold}; lra"

    def falls(self, slope: Term, name: str = "witness_slope") -> str:
        """Tactics: there are two classes, or the slope is not positive."""
        if self.found.classes == 2:
            return "left; reflexivity"
        if self.development.claims.positive(name, ("*", -ONE, slope)):
            return f"right; pose proof {name}; take_apart; lra"
        return "right; lra"

    # --- scores ---------------------------------------------------------------------------------------------------

    def is_margin(self, scores: str, row: Sequence[Fraction], label: int) -> str:
        """Tactics: the margin of a label is the number that it is said to be."""
        _, rival = margin(row, label)
        return (
            f"refine (margin_at {self.k} {scores} {label} {rival} _ {LIA} {LIA} {LIA} {LIA} _ _); "
            f"[intros k Hk Hother; {self.every} | {self.compared}]"
        )
