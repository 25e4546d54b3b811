"""Gap maps: from a witness to what ``proofs/coq/RefutationDefinitions.v`` calls broken, for every kind of loss.

Scores that are logarithms of integers have rational probabilities: with a softmax loss the round of the witness is
moved to weights in about its own proportions, integers as small as will do, at which it is broken still.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from gaptron.coq.proved import PRECISIONS, shown
from gaptron.coq.real_terms import number
from gaptron.coq.refuted import HALF, LIA, ONE, ZERO, Refuted, Witness
from gaptron.coq.script import OutOfScopeError
from gaptron.coq.tangents import Tangents
from gaptron.kernel.enclosures import enclose
from gaptron.language.terms import Term
from gaptron.rounds import margin, top_label

if TYPE_CHECKING:
    from gaptron.coq.from_data import FromData

ON_LINE = "(fun k => {t} * {a} k + (1 - {t}) * {b} k)"
SIZES = tuple(2**n for n in (0, 1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 24, 32, 48))  # of the largest weight
ENCLOSED = 128  # bits
Row = Sequence[Fraction]


class MarginWitness(Witness):
    """The lemmas about one witness."""

    def __init__(self, development: "FromData", found: Refuted, surrogate: str) -> None:
        super().__init__(development, found, surrogate)
        (self.function,) = self.functions
        self.phi = Tangents(self, self.function)
        self.row = found.scores[0] if found.scores else ()
        self.top = top_label(self.row) if found.scores else 0

    def round(self) -> None:
        """P(wrong) - phi(m) + eta g^2 > 0 for a tangent of phi there."""
        d, row, top, label = self.development, self.row, self.top, self.found.label
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


class BinaryWitness(Witness):
    """The lemmas about one witness: a score z, and a label."""

    fixed = "2"

    def __init__(self, development: "FromData", found: Refuted, surrogate: str) -> None:
        super().__init__(development, found, surrogate)
        self.scores_of = [row[0] - row[1] for row in found.scores]

    def round(self) -> None:
        """P(wrong) - loss + eta/2 g^2 > 0 for a tangent of the loss there."""
        d, (z,), label = self.development, self.scores_of, self.found.label
        side = Tangents(self, self.functions[label])
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
        side, (first, middle, last) = self.functions[label], self.scores_of
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
        values = [enclose(self.value(side, self.found.at), {}, PRECISIONS[0])[0] for side in self.functions]
        label = values.index(min(values))
        side = self.functions[label]
        self.positive("witness_is_negative", ("*", -ONE, self.value(side, self.found.at)))
        at = number(self.found.at)
        self.witness_breaks(
            f"broken_loss 2 {self.there}",
            f"  refine (binary_loss_negative _ _ _ {label} {at} {LIA} _). cbn [Nat.eqb].",
            f"  {self.by_fact('witness_is_negative', (side, at))}.",
        )


class SoftmaxWitness(Witness):
    """The lemmas about one witness: weights of labels, whose logarithms are the scores."""

    def __init__(self, development: "FromData", found: Refuted, surrogate: str) -> None:
        super().__init__(development, found, surrogate)
        (self.function,) = self.functions
        self.psi = Tangents(self, self.function)

    def round(self) -> None:
        """P(wrong) - psi(q) + eta/2 ||g||^2 > 0 for the slope of psi at q."""
        d, (row,), label = self.development, self.found.scores, self.found.label
        weights = next((weights for weights in near(row, 1) if shown(self._gap(weights))), None)
        if weights is None:
            raise OutOfScopeError("no round near its witness with rational probabilities is seen to be broken")
        self.weights("witness_weights", weights)
        top, chances = weights.index(max(weights)), chances_of(weights)
        q, above = number(chances[label]), number(chances[top])
        falls, says = self.falls(chances[label]), self.says(chances[label])
        self.positive("witness_gap", self._gap(weights))
        self.witness_breaks(
            self.is_broken,
            f"  apply {d.prediction.broken_by}.",
            f"  refine (softmax_broken {self.k} _ _ witness_weights {LIA} witness_weights_positive _ _ {top} {label}",
            f"    {above} {q} {number(squares_of(chances, label))} _ _ {LIA} _ _ _",
            f"    (proj2 {says}) _ _).",
            f"  - {self.is_top}.",
            *[f"  - {self.computed}."] * 3,
            f"  - {falls}.",
            f"  - cbn [Nat.eqb]. {d.prediction.priced}. rewrite (proj1 {says}).",
            f"    {self.by_fact('witness_gap', (d.a, above), (d.eta, ''), *self.price)}.",
        )

    def map(self) -> None:
        """The gap map at a largest probability."""
        at = self.found.at
        self.weights("witness_weights", self._with_chance(at))
        outside = self.outside(at)
        self.witness_breaks(
            f"broken_map 1 {self.there} 1",
            f"  refine (softmax_map_broken {self.k} _ _ witness_weights witness_weights_positive 0 {number(at)}",
            "    _ _ _).",
            f"  - {self.is_top}.",
            f"  - {self.computed}.",
            f"  - {outside}.",
        )

    def negative(self) -> None:
        """At a probability."""
        at = self.found.at
        self.weights("witness_weights", self._with_chance(at))
        self.positive("witness_is_negative", ("*", -ONE, self.value(self.function, at)))
        self.witness_breaks(
            f"broken_loss {self.k} {self.there}",
            f"  refine (softmax_loss_negative {self.k} _ _ witness_weights witness_weights_positive 0 {number(at)}",
            f"    {LIA} _ _).",
            f"  - {self.computed}.",
            f"  - {self.by_fact('witness_is_negative', (self.function, number(at)))}.",
        )

    def not_convex(self) -> None:
        """The ends are powers of weights, so that the scores between them are logarithms of rational weights, too."""
        label, t = self.found.label, self.found.weight
        first, _, last = self.found.scores
        pairs = zip(near(first, t.denominator), near(last, t.denominator), strict=True)
        found = next((pair for pair in pairs if shown(self._excess(*pair))), None)
        if found is None:
            raise OutOfScopeError("no rational probabilities near its witness show that the loss is not convex")
        for name, weights in zip(("first_weights", "last_weights"), found, strict=True):
            self.weights(name, weights)
        low, between, high = (number(chance) for chance in self._on_line(*found))
        self.positive("witness_is_above", self._excess(*found))
        self.witness_breaks(
            f"broken_loss {self.k} {self.there}",
            f"  refine (softmax_loss_not_convex {self.k} _ _ first_weights last_weights {t.denominator} {t.numerator}",
            f"    {number(t)} {label} {low} {high} {between} first_weights_positive last_weights_positive",
            f"    {LIA} {LIA} ltac:(lra) _ _ _ _ _).",
            "  - simpl; lra.",
            *[f"  - {self.computed}."] * 3,
            f"  - {self.by_fact('witness_is_above', *((self.function, place) for place in (low, high, between)))}.",
        )

    # --- terms ----------------------------------------------------------------------------------------------------

    def _gap(self, weights: Row) -> Term:
        """The surrogate gap of the round."""
        d, label, chances = self.development, self.found.label, chances_of(weights)
        top, q = weights.index(max(weights)), chances[label]
        size: Term = (1 - q) ** 2 + squares_of(chances, label)
        step: Term = ("*", HALF, self.value(d.eta), self.steep(q), size)
        return self.gap_of(self.value(d.a, chances[top]), top == label, self.psi.steepest(q).value, step)

    def says(self, q: Fraction) -> str:
        """The lemma that says both."""
        return self.psi.lemma(self.psi.steepest(q))

    def steep(self, q: Fraction) -> Term:
        """(psi'(q) q)^2."""
        return ("^", ("*", self.psi.steepest(q).slope, q), 2)

    def _on_line(self, first: Row, last: Row) -> Iterator[Fraction]:
        """The label's probabilities at the first scores, between, and at the last."""
        n, i = self.found.weight.denominator, self.found.weight.numerator
        for power in (n, i, 0):
            weights = [a**power * b ** (n - power) for a, b in zip(first, last, strict=True)]
            yield chances_of(weights)[self.found.label]

    def _excess(self, first: Row, last: Row) -> Term:
        """The loss between, above the chord."""
        t, psi = self.found.weight, self.function
        low, between, high = (self.value(psi, chance) for chance in self._on_line(first, last))
        return ("+", between, ("*", -t, low), ("*", t - 1, high))

    # --- weights --------------------------------------------------------------------------------------------------

    def weights(self, name: str, weights: Row) -> None:
        """Weights by their label, and that they are positive."""
        self.scores(name, weights)
        self.development.add(
            f"Lemma {name}_positive : forall k, 0 < {name} k.",
            f"Proof. intros k. {self.every}. Qed.",
            "",
        )

    @property
    def computed(self) -> str:
        """Tactics: a number that is computed from weights."""
        return f"cbv beta iota zeta delta [sum without Nat.eqb Nat.sub {' '.join(self.score_names)}]; field; lra"

    def _with_chance(self, at: Fraction) -> list[Fraction]:
        """Weights at which label 0 has the probability, and the others share the rest."""
        return [at, *[(1 - at) / (self.found.classes - 1)] * (self.found.classes - 1)]

    def falls(self, q: Fraction, name: str = "witness_slope") -> str:
        """Tactics: there are two classes, or the slope is not positive."""
        if self.found.classes == 2:
            return "left; reflexivity"
        self.positive(name, ("*", -ONE, self.psi.steepest(q).slope))
        return f"right; pose proof {name}; take_apart; lra"


def chances_of(weights: Row) -> list[Fraction]:
    """Their shares."""
    total = sum(weights)
    return [weight / total for weight in weights]


def squares_of(chances: Row, label: int) -> Fraction:
    """The sum of the squared probabilities of the other labels."""
    return sum((chance**2 for place, chance in enumerate(chances) if place != label), ZERO)


def near(row: Row, power: int) -> Iterator[list[Fraction]]:
    """Integers whose powers are in about the proportions of the exponentials of scores, larger and larger ones."""
    parts = [enclose(("exp", (score - max(row)) / power), {}, ENCLOSED)[0] for score in row]
    for size in SIZES:
        yield [Fraction(max(1, round(size * part))) for part in parts]
