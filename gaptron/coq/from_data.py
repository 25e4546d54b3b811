"""Theorems whose conditions Coq computes and proves from data: ``proofs/coq/Obligations.v``."""

from gaptron.coq.writing import Development


class FromData(Development):
    """The file of claims has the functions as data, with certificates of what Coq's ``obligations`` asks of it.

    The data is ``theorem_data``'s.
    """

    theory = "Obligations ObligationsSound"
    fixed: str | None = None  # the classes, if they are not a variable
    proved = "proved data (proves_all _ _ data_is_proved)"
    premises: tuple[str, ...] = (
        "now destruct Hc",
        "unfold claimed in Hc. cbn. repeat split; lra",
        "exact (classes_of {c} Hc)",
    )

    def losses(self) -> str:
        """The arguments of the library's conditions before the rates, at the classes and parameters {0}."""
        raise NotImplementedError

    def conclude(self, surrogate: str) -> None:
        """The conditions, and the theorem about the loss in the library's words."""
        sharp = self._sharp()
        self._from_data()
        classes, dimensions = ("lia | ", "K d") if self.fixed is None else ("", "2 d")
        by = self.prediction.theorem.format(self.kind)
        self.whole(
            f"{dimensions} {surrogate}",
            f"apply {by}; [{classes}exact (conditions {{0}} Hc) | exact HX]",
            fixed=self.fixed,
            sharp=None if sharp is None else (sharp, "exact (rate_is_largest {0} Hc)"),
        )

    def _conditions(self, rates: str) -> str:
        """The library's, at the classes and parameters {0} and {1} classes."""
        classes = " {1}" if self.fixed is None else ""
        return f"{self.kind}_conditions {self.prediction.price('{0}', '{1}')}{classes} {self.losses()} {rates}"

    def _sharp(self) -> str | None:
        """With any larger learning rate the conditions are false."""
        if self.theorem.sharp_at is None:
            return None
        larger, other = self.free("v_e"), self.free("v_c")
        return f"forall {larger} {other}, rate {{0}} < {larger} -> ~ {self._conditions(f'{larger} {other}')}"

    def _from_data(self) -> None:
        """What Coq proves of the data, said of the functions: they are the same by computation."""
        c, k, sharp = self.binders, self.k, self._sharp()
        conditions = self._conditions(f"(rate {{0}}) {self.regret_of(c)}").format(c, k)
        holes = " ".join("_" for _ in self.premises)
        self.add(
            f"Lemma from_data {c} : claimed {c} ->",
            f"  {conditions} /\\\n  {'True' if sharp is None else f'({sharp.format(c, k)})'}.",
            "Proof.",
            "  intro Hc.",
            f"  refine ({self.proved} {k} [{'; '.join(self.others)}] eq_refl {holes}).",
            *(f"  - {premise.format(c=c)}." for premise in self.premises),
            "Qed.",
            "",
            f"Lemma conditions {c} : claimed {c} ->\n  {conditions}.",
            f"Proof. intro Hc. exact (proj1 (from_data {c} Hc)). Qed.",
            "",
            f"Lemma rate_is_positive {c} : claimed {c} -> 0 < rate {c}.",
            f"Proof. intro Hc. now destruct (conditions {c} Hc). Qed.",
            "",
        )
        if sharp is not None:
            self.add(
                f"Lemma rate_is_largest {c} : claimed {c} -> {sharp.format(c, k)}.",
                f"Proof. intro Hc. exact (proj2 (from_data {c} Hc)). Qed.",
                "",
            )
