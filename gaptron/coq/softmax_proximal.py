"""Proximal updates with a softmax loss of one smooth piece: one label in the lead of another is the hardest."""

from gaptron.coq.broken_proximal import SoftmaxCriterion
from gaptron.coq.proved import Claims
from gaptron.coq.proximal_updates import ProximalDevelopment
from gaptron.coq.refuted import Refuted
from gaptron.coq.softmax import ABOVE_INVERSES, THEORY
from gaptron.coq.writing import functions_of
from gaptron.theory.theorem import Theorem


class SoftmaxProximal(ProximalDevelopment):
    """psi(p_y)."""

    theory = f"{THEORY} OptimalSets OptimalSoftmax Obligations LossSound LeadSound"
    proved = "attained_lead data data_proofs data_is_proved"
    also_known = ABOVE_INVERSES

    def __init__(self, theorem: Theorem, claims: Claims, module: str, found: Refuted | None = None) -> None:
        super().__init__(theorem, claims, module, found)
        (self.psi,) = functions_of(theorem.loss)
        self.functions = [self.psi, *self.functions]
        self.open(taken_apart=found is not None)
        if found is not None:
            SoftmaxCriterion(self, found).write()
            return
        self.by_computation()
        self.whole(
            "(classification K K (of_softmax K (psi {0})))",
            "destruct (conditions {0} Hc) as (least & H); "
            "exact (attaining_softmax_theorem K _ least _ ltac:(lia) H X HX)",
        )

    def conditions(self) -> str:
        """The library's, at some number that the loss is above."""
        c = self.binders
        return f"exists least, attaining_softmax_conditions {self.k} (psi {c}) least (regret {c})"
