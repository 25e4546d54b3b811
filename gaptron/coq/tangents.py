"""A loss at the numbers of a witness: its value and a subgradient, by the parts into which Coq takes its data apart."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from gaptron.coq.claim_search import kernel_relation
from gaptron.coq.extracted import of_coq
from gaptron.coq.from_data import FromData
from gaptron.coq.kernel_data import Data, Pair, rational
from gaptron.coq.proved import PRECISIONS
from gaptron.coq.real_terms import number, show
from gaptron.coq.script import OutOfScopeError
from gaptron.coq.theorem_data import losses_of
from gaptron.kernel.enclosures import enclose
from gaptron.language.relations import Relation
from gaptron.language.terms import Term
from gaptron.numbers.evaluate import UncertainError, truth_at

if TYPE_CHECKING:
    from gaptron.coq.refuted import Witness
    from gaptron.coq.writing import Function

ZERO = Fraction(0)
OF_LOSSES = (*FromData.premises[:2], "first [exact (classes_of {c} Hc) | unfold claimed in Hc; cbn; lra]")
STATED = (
    "loss_is_stated",
    "first_stated",
    "is_stated (fst data) {k} [{values}]",
    "touched _ _ _ ({stated} {c} witness_claimed) {part} _ {at} ltac:(is_possible) eq_refl _",
)  # a lemma, by the library's, what it says, and the proof of a tangent
OPPOSITE = (
    "other_is_stated",
    "other_stated",
    "forall o, snd data = Some o -> of_label (fst data) = Upper -> is_stated (opposed (fst data) o) {k} [{values}]",
    "touched_opposite _ _ _ _ ({stated} {c} witness_claimed _ eq_refl eq_refl) {part} _ {at} {margin}"
    " ltac:(lra) eq_refl _",
)


@dataclass(frozen=True)
class LossTangent:
    """What a part of the loss says at a number in its closure: terms without variables."""

    part: int  # its place among those that are joined
    at: Fraction
    value: Term
    slope: Term
    conditions: tuple[Relation, ...]


class Tangents:
    """The tangents of one function of a witness's theorem, whose losses are the data of the file of claims.

    That of a loss of a probability is in its logit. The loss of -1 is a function of the score, the opposite margin.
    """

    def __init__(self, witness: "Witness", function: "Function") -> None:
        self.witness, self.function, losses = witness, function, losses_of(witness.development.theorem)
        is_opposite = function is not witness.functions[0] and losses.opposite is not None
        self.sign, self.words = (Fraction(-1), OPPOSITE) if is_opposite else (Fraction(1), STATED)
        self.of_logit, self.parts = losses.loss.label == "Probable", losses.parts()[is_opposite]
        self._lemmas = dict[LossTangent, str]()

    def steepest(self, at: Fraction) -> LossTangent:
        """The one there; at a kink the steepest.

        Raises
        ------
        OutOfScopeError
            If no enclosure shows in which part the number is.
        """
        found = list(self._tangents(at))
        if not found:
            raise OutOfScopeError("the piece of the loss of its witness cannot be told")
        return max(found, key=lambda tangent: _size(tangent.slope))

    def lemma(self, tangent: LossTangent) -> str:
        """The name of the lemma that says: the function has this value there, and the slope is a subgradient."""
        if not self._lemmas:
            d, (name, by, statement, _) = self.witness.development, self.words
            stated = statement.format(k=d.k, values="; ".join(d.others))
            d.of_data(name, stated, f"{by} data data_proofs data_is_proved", OF_LOSSES)
        if tangent not in self._lemmas:
            self._lemmas[tangent] = f"witness_{self.function.name}_{len(self._lemmas)}"
            self._write(tangent, self._lemmas[tangent])
        return self._lemmas[tangent]

    def _write(self, tangent: LossTangent, name: str) -> None:
        witness, function = self.witness, f"({self.function.name} {self.witness.c})"
        witness.decide(tangent.conditions)
        at, value, slope = number(tangent.at), show(tangent.value), show(tangent.slope)
        stated, *_, pattern = self.words
        margin, subgradient = number(self.sign * tangent.at), f"{'logit_' * self.of_logit}subgradient"
        touched = pattern.format(stated=stated, c=witness.c, part=tangent.part, at=at, margin=margin)
        witness.development.add(
            f"Lemma {name} : {function} {at} = {value} /\\ {subgradient} {function} {at} {slope}.",
            f"Proof. refine ({touched}). {witness.known}is_there. Qed.",
            "",
        )

    def _tangents(self, at: Fraction) -> Iterator[LossTangent]:
        for place, (given, value, _) in enumerate(self.parts):
            conditions = tuple(self._at(each, at) for each in of_coq("closure")(given))
            with suppress(UncertainError):
                if all(truth_at(each, {}) for each in conditions):
                    says = self._at(Pair(Pair("Eq", value), of_coq("derived")(value)), at)
                    slope: Term = says.right if self.sign > 0 else ("*", self.sign, says.right)
                    yield LossTangent(place, at, says.left, slope, conditions)

    def _at(self, condition: Data, at: Fraction) -> Relation:
        """The condition there."""
        found = self.witness.found
        for place, value in enumerate((self.sign * at, ZERO, Fraction(found.classes), *found.parameters)):
            condition = of_coq("substituted")(place)(rational(value))(condition)
        return kernel_relation(condition, ())


def _size(term: Term) -> Fraction:
    """About its absolute value."""
    return max(abs(Fraction(end)) for end in enclose(term, {}, PRECISIONS[0]))
