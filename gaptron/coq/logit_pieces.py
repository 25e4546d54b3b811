"""A loss of a probability in smooth pieces, convex in the logit: what the library's ``LogitJoins`` says of it."""

from gaptron.coq.joins import PROBABILITIES, Joins


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
