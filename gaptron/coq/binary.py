"""Losses of one weight vector: the conditions of the library's ``binary_theorem``, computed by Coq from its data."""

from gaptron.coq.broken_binary import BinaryWitness
from gaptron.coq.from_data import MapFromData
from gaptron.coq.proved import Claims
from gaptron.coq.refuted import Refuted
from gaptron.coq.writing import functions_of
from gaptron.theory.theorem import Theorem


class BinaryDevelopment(MapFromData):
    """plus(z) for the label +1, minus(z) for -1; the gap map is a function of |z|."""

    theory = f"BinaryTheorem {MapFromData.theory} BinaryObligations"
    kind = "binary"
    fixed = "(INR 2)"
    proved = "proved_both data data_proofs data_is_proved"
    premises = ("unfold claimed in Hc. lra", "unfold claimed in Hc. cbn. repeat split; lra")

    def __init__(self, theorem: Theorem, claims: Claims, module: str, found: Refuted | None = None) -> None:
        super().__init__(theorem, claims, module, found is not None)
        sides = functions_of(theorem.loss)
        self.functions = [*sides, *self.functions]
        self.open(taken_apart=found is not None)
        surrogate = f"(binary_loss d {self.losses()})"
        if found is not None:
            self.plus, self.minus = sides
            BinaryWitness(self, found, surrogate).write()
            return
        self.conclude(f"2 d {surrogate}")

    def losses(self) -> str:
        """Both labels' losses, and the gap map."""
        return "(plus {0}) (minus {0}) (gap_map_of {0})"
