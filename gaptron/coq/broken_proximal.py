"""Proximal updates with a margin loss: a margin at which the criterion fails, and no algorithm attains the constant.

The labels of the witness are drawn alike, and each is ahead of the others by that margin when it is drawn.
"""

from fractions import Fraction
from typing import TYPE_CHECKING

from gaptron.coq.refuted import LIA, ONE, Refuted, Witness
from gaptron.coq.script import OutOfScopeError
from gaptron.coq.terms import number
from gaptron.kernel.terms import Term

if TYPE_CHECKING:
    from gaptron.coq.proximal import MarginProximal


class MarginCriterion(Witness):
    """The lemmas about one witness."""

    def __init__(self, development: "MarginProximal", found: Refuted) -> None:
        super().__init__(development, found, "(of_margin K (phi {0}))")
        self.proximal = development

    def write(self) -> None:
        """The rest of the development, after its functions."""
        if self.found.part != "criterion":
            raise OutOfScopeError("with proximal updates the library speaks of the criterion alone")
        self._claimed()
        self.proximal.phi.write()
        self.proximal.positive()
        self._conditions()
        self._breaks()
        self._whole("~ attainable (classification K K (of_margin K (phi {0}))) X 1 (regret {0})")

    def _conditions(self) -> None:
        """What the library asks of the loss."""
        c, k, phi = self.development.binders, self.development.k, self.proximal.phi
        self.development.add(
            f"Lemma loss_conditions {c} : claimed {c} ->",
            f"  (forall v_m, 0 <= phi {c} v_m) /\\ (forall v_m, exists g, subgradient (phi {c}) v_m g) /\\",
            f"  ({k} <> 2 -> forall v_m g, subgradient (phi {c}) v_m g -> g <= 0).",
            "Proof.\nintro Hc. split; [|split].",
            phi.nonnegative(),
            f"- exact {phi.convex}.",
            *phi.falls(),
            "Qed.",
            "",
        )

    def _breaks(self) -> None:
        """(K - 1)/K - phi(m) - c (K - 1)/K m^2 > 0."""
        d, first, share = self.proximal, self.found.scores[0], 1 - Fraction(1, self.found.classes)
        margin = first[0] - first[1]
        value, constant, at = self.value(d.phi.function, margin), self.value(d.constant), number(margin)
        right: Term = ("+", value, ("*", share * margin**2, constant))
        self.positive("witness_gap", ("+", share, ("*", -ONE, right)))
        d.add(
            "Lemma witness_breaks : ~ attainable",
            f"  (classification {self.k} {self.k} (of_margin {self.k} (phi {self.c}))) 1 1 (regret {self.c}).",
            "Proof.",
            f"  assert (Hc := witness_claimed). destruct (loss_conditions {self.c} Hc) as (P & V & F).",
            f"  apply (margin_not_attained {self.k} _ _ _ {at} {LIA} Rlt_0_1 (regret_is_positive {self.c} Hc) P V);",
            "    rewrite witness_classes; [exact F |].",
            f"  {self.by_fact('witness_gap', (d.phi.function, at), (d.constant, ''))}.",
            "Qed.",
            "",
        )
