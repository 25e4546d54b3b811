"""A loss of a probability in smooth pieces, convex in the logit: what the library's ``LogitJoins`` says of it."""

from gaptron.coq.joins import PROBABILITIES, Joins

NOT_NEGATIVE = "repeat apply Rplus_le_le_0_compat; first [apply pow2_ge_0 | apply Rmult_le_pos; lra]"


class LogitPieces(Joins):
    """psi's lemmas, and what proofs use of them."""

    domain = PROBABILITIES

    @property
    def known(self) -> str:
        """Proofs of what the library's theorems about pieces ask."""
        return " ".join(f"({self.name}_{what} {self.c} Hc)" for what in ("smooth", "in_order", "covered"))

    def tangents(self) -> None:
        """Every piece's slope is a subgradient in the logit on its closure."""
        d, found = self.development, f"(logit_pieces_tangent _ _ {self.known})"
        for number, piece in enumerate(self.smooth):
            subgradient = f"logit_subgradient ({self.name} {self.c}) {self.v} {self.slope(piece)}"
            d.lemma(f"{self.name}_tangent_{number}", self.function, f"{self.closed(piece)} -> {subgradient}")
            d.add(f"Proof. intros Hc H0 H1 Hm. exact (proj1 {found} {self.v} (conj H0 H1) Hm). Qed.", "")
            found = f"(proj2 {found})"

    def convex(self) -> str:
        """The condition that psi is convex in the logit."""
        return f"- exact (logit_pieces_convex _ _ {self.known})."

    def falls(self) -> list[str]:
        """The condition that psi does not increase, if there are more than two classes."""
        d = self.development
        return [
            f"- intros Hk {self.v} slope Hp. destruct (classes_of {self.c} Hc) as [Ck | Ck]; [contradiction|].",
            f"  apply (logit_pieces_nonincreasing _ _ {self.known} {self.v} slope Hp). destruct Hp as [H0 H1].",
            f"  unfold {self.name}_parts.",
            f"  every_piece; intro Hm; start; {d.uses('loss/nonincreasing', first=('lra',))}.",
        ]

    def gap(self, at: str, steps: str) -> None:
        """The proof of a gap for every subgradient ``slope`` at a probability, from the slope of every piece there."""
        d, c = self.development, self.c
        d.add(
            f"  refine (logit_pieces_gap _ _ {self.known} {at} slope _ _ _",
            "    (conj H0 H1) _ _ _ Hr); clear Hr slope;",
            f"    [assert (R := rate_is_positive {c} Hc); lra | {NOT_NEGATIVE} |].",
            f"  unfold {self.name}_parts. every_piece.",
        )
        for number, _ in enumerate(self.smooth):
            value = f"rewrite ({self.name}_value_{number} {c} {at} Hc H0 H1 Hm)"
            d.add(f"  - intro Hm. {value}. {self.know(number, at, 'Hm')}. {steps}.")
        d.add("Qed.", "")
