"""Margin losses: the conditions of the library's ``margin_theorem``, computed by Coq from the theorem's functions."""

from gaptron.coq.broken_bandit import MarginGame
from gaptron.coq.broken_margin import MarginWitness
from gaptron.coq.in_pieces import InPieces
from gaptron.coq.proved import Claims
from gaptron.coq.refuted import Refuted
from gaptron.coq.writing import Development, functions_of
from gaptron.theory.theorem import Theorem


class MarginDevelopment(Development):
    """phi(m), a(m*), and perhaps a threshold above which right rounds are off.

    The file of claims has them as data, with certificates of what Coq's ``obligations`` asks of it: ``margin_data``.
    """

    theory = "MarginTheorem Obligations ObligationsSound"
    kind = "margin"

    def __init__(self, theorem: Theorem, claims: Claims, module: str, found: Refuted | None = None) -> None:
        super().__init__(theorem, claims, module, found is not None)
        phi, *threshold = functions_of(theorem.loss)
        self.beta = threshold[0] if threshold else None
        self.functions = [phi, *self.functions, *threshold]
        by_script = found is not None or self.own_rates
        self.open(taken_apart=by_script)
        if by_script:
            self.phi = InPieces(self, phi)
        beta_text = "None" if self.beta is None else "(Some (threshold {0}))"
        surrogate = f"(margin_loss K d (phi {{0}}) (gap_map_of {{0}}) {beta_text})"
        if found is not None:
            (MarginGame if found.game else MarginWitness)(self, found, surrogate).write()
            return
        self.conclude(surrogate)

    def conclude(self, surrogate: str) -> None:
        """The conditions, and the theorem about the loss in the library's words."""
        sharp = self._sharp()
        self._from_data()
        self.whole(
            f"K d {surrogate}",
            f"apply {self.prediction.theorem.format('margin')}; [lia | exact (conditions {{0}} Hc) | exact HX]",
            sharp=None if sharp is None else (sharp, "exact (rate_is_largest {0} Hc)"),
        )

    def _conditions(self, rates: str, k: str = "{1}") -> str:
        """The library's, at the classes and parameters {0} and {1} classes."""
        beta = "None" if self.beta is None else "(Some (threshold {0}))"
        return f"{self.prediction.conditions('margin', k, '{0}')} (phi {{0}}) (gap_map_of {{0}}) {beta} {rates}"

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
        positive = self.prediction.condition("rate_positive")
        self.add(
            f"Lemma from_data {c} : claimed {c} ->",
            f"  {conditions} /\\\n  {'True' if sharp is None else f'({sharp.format(c, k)})'}.",
            "Proof.",
            "  intro Hc.",
            f"  refine (proved data data_proofs data_is_proved {k} [{'; '.join(self.others)}] eq_refl _ _ _).",
            "  - now destruct Hc.",
            "  - unfold claimed in Hc. cbn. repeat split; lra.",
            f"  - exact (classes_of {c} Hc).",
            "Qed.",
            "",
            f"Lemma conditions {c} : claimed {c} ->\n  {conditions}.",
            f"Proof. intro Hc. exact (proj1 (from_data {c} Hc)). Qed.",
            "",
            f"Lemma rate_is_positive {c} : claimed {c} -> 0 < rate {c}.",
            f"Proof. intro Hc. exact ({positive} (conditions {c} Hc)). Qed.",
            "",
        )
        if sharp is not None:
            self.add(
                f"Lemma rate_is_largest {c} : claimed {c} -> {sharp.format(c, k)}.",
                f"Proof. intro Hc. exact (proj2 (from_data {c} Hc)). Qed.",
                "",
            )
