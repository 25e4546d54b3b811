"""Proximal updates with one weight vector: the conditions under which some algorithm attains the constant."""

from gaptron.coq.broken_proximal import BinaryCriterion
from gaptron.coq.proved import Claims
from gaptron.coq.proximal_updates import ProximalDevelopment
from gaptron.coq.refuted import Refuted
from gaptron.coq.writing import functions_of
from gaptron.theory.theorem import Theorem


class BinaryProximal(ProximalDevelopment):
    """plus(z) for the label +1, minus(z) for -1."""

    theory = "OptimalBinary Obligations LossSound AttainedSound"
    kind = "binary"
    fixed = "(INR 2)"
    premises = (*ProximalDevelopment.premises[:2], "unfold claimed in Hc. cbn. lra")

    def __init__(self, theorem: Theorem, claims: Claims, module: str, found: Refuted | None = None) -> None:
        super().__init__(theorem, claims, module, found)
        self.sides = functions_of(theorem.loss)
        self.functions = [*self.sides, *self.functions]
        self.open(taken_apart=found is not None)
        if found is not None:
            BinaryCriterion(self, found).write()
            return
        self.conclude(f"(classification 2 1 (of_sign {self.losses()}))")

    def losses(self) -> str:
        """Both labels'."""
        return "(plus {0}) (minus {0})"
