"""Softmax losses: the conditions of the library's ``softmax_theorem``, computed by Coq from the theorem's functions."""

from gaptron.coq.broken_bandit import SoftmaxGame
from gaptron.coq.broken_softmax import SoftmaxWitness
from gaptron.coq.from_data import FromData
from gaptron.coq.proved import Claims
from gaptron.coq.refuted import Refuted
from gaptron.coq.writing import functions_of
from gaptron.theory.theorem import Theorem

OF_SOFTMAX = "Sums Margins RefutationDefinitions Refutations SoftmaxRefutations"  # the modules of a refutation
ABOVE_INVERSES = "; above_inverses"  # p* >= 1/K, and claims say that it is positive
THEORY = "Softmax SoftmaxSubgradients LogitSubgradients"


class SoftmaxDevelopment(FromData):
    """psi(p_y), a(p*)."""

    theory = f"{THEORY} LogitJoins SoftmaxTheorem Obligations LossSound NumbersSound GapMapSound SoftmaxSound"
    kind = "softmax"
    refutations = OF_SOFTMAX
    proved = "proved_softmax data data_proofs data_is_proved"
    also_known = ABOVE_INVERSES

    def __init__(self, theorem: Theorem, claims: Claims, module: str, found: Refuted | None = None) -> None:
        super().__init__(theorem, claims, module, found is not None)
        (self.psi,) = functions_of(theorem.loss)
        self.functions = [self.psi, *self.functions]
        self.open(taken_apart=found is not None)
        surrogate = f"(softmax_loss K d {self.losses()})"
        if found is not None:
            (SoftmaxGame if found.game else SoftmaxWitness)(self, found, surrogate).write()
            return
        self.conclude(f"K d {surrogate}")

    def losses(self) -> str:
        """psi, and the gap map."""
        return "(psi {0}) (gap_map_of {0})"
