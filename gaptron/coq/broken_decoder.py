"""The best decoder: from a witness to what ``proofs/coq/DecoderRefutationDefinitions.v`` calls broken.

With a subgradient of its loss a label needs the probability 1 - loss + (eta/2) ||g||^2 at least. At the scores of the
witness the labels need more than 1 together.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from gaptron.coq.broken_maps import BinaryWitness, MarginWitness, Row, SoftmaxWitness, chances_of, near, squares_of
from gaptron.coq.proved import shown
from gaptron.coq.real_terms import number, show
from gaptron.coq.refuted import HALF, LIA, ONE, ZERO, Refuted, Witness
from gaptron.coq.script import OutOfScopeError
from gaptron.coq.tangents import Tangents
from gaptron.language.terms import Term
from gaptron.rounds import margin

if TYPE_CHECKING:
    from gaptron.coq.from_data import FromData

MOST_LABELS = 32  # that Coq goes through one by one


class Needs(Witness):
    """What every label needs at some scores, one lemma each; of those that need nothing, that they are left out."""

    weights_text: str  # the weights of the round
    with_map: tuple[str, str]  # the kind of loss, and it as one with a gap map

    def round(self) -> None:
        """No prediction suits."""
        if self.found.classes > MOST_LABELS:
            raise OutOfScopeError(f"its witness is about more than {MOST_LABELS} labels")
        needs = [need if shown(need) else ZERO for need in self.needs()]
        self.positive("witness_gap", ("+", -ONE, *needs))
        self._needed(needs)
        for label, need in enumerate(needs):
            self._label(label, [] if need == ZERO else self.shows(label))
        labels = " | ".join(f"exact witness_label_{y}" for y, _ in enumerate(needs))
        self.development.add(
            f"Lemma witness_breaks : {self.is_broken}.",
            "Proof.",
            *self.broken_by_needs(),
            f"  - one_by_one ltac:(first [{labels}]).",
            "  - cbv beta iota delta [sum witness_needs Nat.eqb]. use witness_gap.",
            "Qed.",
            "",
        )

    def broken_by_needs(self) -> list[str]:
        """Tactics: the labels need more than 1 together."""
        return [f"  apply (broken_by_needs {self.k} {self.rows} _ _ {self.weights_text} witness_needs)."]

    def needs(self) -> Sequence[Term]:
        """Of every label, the steepest subgradient."""
        raise NotImplementedError

    def shows(self, label: int) -> list[str]:
        """Tactics: the label needs that."""
        raise NotImplementedError

    def loss(self) -> None:
        """As with a gap map, whatever it is."""
        kind, surrogate = self.with_map
        self.there = surrogate.format(K=self.k, c=self.c)
        self.shown_by = f"({kind}_loss_of_scores _ _ _ _ witness_breaks)"
        super().loss()

    @property
    def of_round(self) -> str:
        """The loss of the round."""
        return self.there

    def _needed(self, needs: Sequence[Term]) -> None:
        """A function of the labels."""
        cases = "".join(f"if Nat.eqb k {y} then {show(need)} else " for y, need in enumerate(needs) if need != ZERO)
        self.development.add(f"Definition witness_needs (k : nat) : R := {cases}0.", "")

    def _label(self, label: int, tactics: list[str]) -> None:
        needs = f"label_needs {self.rows} 1 {self.of_round} (rate {self.c} / 1 ^ 2) {self.weights_text} unit"
        self.development.add(
            f"Lemma witness_label_{label} : witness_needs {label} = 0 \\/ {needs} {label} (witness_needs {label}).",
            "Proof.",
            *(["  assert (Hc := witness_claimed). right.", *tactics] if tactics else ["  left. reflexivity."]),
            "Qed.",
            "",
        )

    @property
    def by_values(self) -> str:
        """Tactics: the need is that of the values, after the rate is taken apart."""
        d = self.development
        apart = f"{d.apart(d.eta, 'Er', rewrite='rewrite ?{}', c=self.c)}; {self.known}"
        return f"cbv beta iota delta [witness_needs Nat.eqb]. {apart}first [(exfalso; lra) | (right; equal)]"


class MarginNeeds(Needs, MarginWitness):
    """phi(m)."""

    with_map = ("margin", "(margin_loss {K} 1 (phi {c}) (fun _ => 0) None)")
    weights_text = "(column witness_scores)"
    off = False  # whether the round is seen to be

    @property
    def of_round(self) -> str:
        """The loss of the round, which may be off."""
        threshold = f"(Some (threshold {self.c})) {self.weights_text} {self.top}"
        return self.there if self.development.beta is None else f"(switched {self.k} 1 {self.there} {threshold})"

    def needs(self) -> Sequence[Term]:
        """1 - phi(m) + eta g^2; 1 where the round is off."""
        self.scores("witness_scores", self.row)
        eta = self.value(self.development.eta)
        self.touches = [self.phi.steepest(margin(self.row, y)[0]) for y in range(self.found.classes)]
        needs: list[Term] = [
            ("+", ONE, ("*", -ONE, one.value), ("*", eta, ("^", one.slope, 2))) for one in self.touches
        ]
        at, beta = margin(self.row, self.top)[0], self.development.beta
        if beta is not None and shown(("+", at, ("*", -ONE, self.value(beta)))):
            self.off, needs[self.top] = True, ONE
        return needs

    def broken_by_needs(self) -> list[str]:
        """By those of a round that may be off."""
        if self.development.beta is None:
            return super().broken_by_needs()
        by = f"broken_switched_by_needs {self.k} {self.rows} _ _ _ witness_scores {self.top} witness_needs"
        return [f"  apply ({by}).", f"  - {self.is_top}."]

    def shows(self, label: int) -> list[str]:
        """By a tangent of phi there, or because the round is off."""
        if self.development.beta is None:
            return self._by_tangent(label)
        is_top = self.is_margin("witness_scores", self.row, self.top)
        at = f"with (s := {number(margin(self.row, self.top)[0])}).\n  - {is_top}."
        if self.off and label == self.top:
            return [f"  apply label_off {at}", f"  - {self.is_switched_off}.", "  - cbn; lra."]
        return [f"  apply label_on {at}", f"  - {self.on}.", "  -", *self._by_tangent(label, "+")]

    @property
    def is_switched_off(self) -> str:
        """Tactics: the round is off."""
        assert self.development.beta is not None  # noqa: S101
        threshold = self.development.apart(self.development.beta, "Eb", rewrite="rewrite {} in Hon", c=self.c)
        tactic = f"exfalso; apply Rnot_lt_le in Hon; {threshold}; lra"
        return f"cbn [off Nat.eqb]; destruct Rlt_dec as [_|Hon]; [reflexivity | {tactic}]"

    def _by_tangent(self, label: int, bullet: str = "-") -> list[str]:
        (m, rival), tangent = margin(self.row, label), self.touches[label]
        at, says = number(m), self.phi.lemma(tangent)
        return [
            f"  refine (margin_label_needs {self.k} _ witness_scores {LIA} _ {label} {rival} {at} _ _",
            f"    {LIA} {LIA} {LIA} _ _ (proj2 {says}) _ _).",
            f"  {bullet} intros k Hk Hother; {self.every}.",
            f"  {bullet} {self.compared}.",
            f"  {bullet} {self.falls(tangent.slope, f'witness_slope_{label}')}.",
            f"  {bullet} rewrite (proj1 {says}). {self.by_values}.",
        ]


class BinaryNeeds(Needs, BinaryWitness):
    """plus(z), minus(z)."""

    with_map = ("binary", "(binary_loss 1 (plus {c}) (minus {c}) (fun _ => 0))")

    def __init__(self, development: "FromData", found: Refuted, surrogate: str) -> None:
        super().__init__(development, found, surrogate)
        self.weights_text = f"(column (fun _ => {number(self.scores_of[0])}))" if self.scores_of else ""

    def needs(self) -> Sequence[Term]:
        """1 - loss + eta/2 g^2."""
        eta, (z,) = self.value(self.development.eta), self.scores_of
        self.touches = [(side, side.steepest(z)) for side in (Tangents(self, function) for function in self.functions)]
        return [("+", ONE, ("*", -ONE, one.value), ("*", HALF, eta, ("^", one.slope, 2))) for _, one in self.touches]

    def shows(self, label: int) -> list[str]:
        """By a tangent of the label's loss there."""
        side, tangent = self.touches[label]
        says = side.lemma(tangent)
        return [
            f"  refine (sign_label_needs _ _ _ _ {label} _ _ (proj2 {says}) _).",
            f"  cbn [Nat.eqb]. rewrite (proj1 {says}). {self.by_values}.",
        ]


class SoftmaxNeeds(Needs, SoftmaxWitness):
    """psi(p_y), at scores that are logarithms of integers."""

    with_map = ("softmax", "(softmax_loss {K} 1 (psi {c}) (fun _ => 0))")
    weights_text = "(column (logs witness_weights))"

    def needs(self) -> Sequence[Term]:
        """At weights near the witness's that need more than 1."""
        (row,) = self.found.scores
        for weights in near(row, 1):
            needs = self._needs_at(weights)
            if shown(("+", -ONE, *(need for need in needs if shown(need)))):
                self.row = weights
                self.weights("witness_weights", weights)
                return needs
        raise OutOfScopeError("no round near its witness with rational probabilities is seen to be broken")

    def _needs_at(self, weights: Row) -> list[Term]:
        """1 - psi(q) + eta/2 (psi'(q) q)^2 ((1 - q)^2 + the other squared probabilities)."""
        eta, chances = self.value(self.development.eta), chances_of(weights)
        sizes = [(1 - q) ** 2 + squares_of(chances, y) for y, q in enumerate(chances)]
        return [
            ("+", ONE, ("*", -ONE, self.psi.steepest(q).value), ("*", HALF, eta, self.steep(q), size))
            for q, size in zip(chances, sizes, strict=True)
        ]

    def shows(self, label: int) -> list[str]:
        """By the slope of psi there."""
        chances = chances_of(self.row)
        q, says = number(chances[label]), self.says(chances[label])
        return [
            f"  refine (softmax_label_needs {self.k} _ witness_weights {LIA} witness_weights_positive _ {label} {q}",
            f"    {number(squares_of(chances, label))} _ _ {LIA} _ _",
            f"    (proj2 {says}) _ _).",
            *[f"  - {self.computed}."] * 2,
            f"  - {self.falls(chances[label], f'witness_slope_{label}')}.",
            f"  - rewrite (proj1 {says}). {self.by_values}.",
        ]
