"""Margin losses: the conditions of the library's ``margin_theorem``, computed by Coq from the theorem's functions."""

from gaptron.coq.broken_bandit import MarginGame
from gaptron.coq.broken_margin import MarginWitness
from gaptron.coq.from_data import MapFromData
from gaptron.coq.proved import Claims
from gaptron.coq.refuted import Refuted
from gaptron.coq.writing import functions_of
from gaptron.theory.theorem import Theorem


class MarginDevelopment(MapFromData):
    """phi(m), a(m*), and perhaps a threshold above which right rounds are off."""

    theory = f"MarginTheorem {MapFromData.theory}"
    kind = "margin"

    def __init__(self, theorem: Theorem, claims: Claims, module: str, found: Refuted | None = None) -> None:
        super().__init__(theorem, claims, module, found is not None)
        phi, *threshold = functions_of(theorem.loss)
        self.beta = threshold[0] if threshold else None
        self.functions = [phi, *self.functions, *threshold]
        self.open(taken_apart=found is not None)
        surrogate = f"(margin_loss K d {self.losses()})"
        if found is not None:
            self.phi = phi
            (MarginGame if found.game else MarginWitness)(self, found, surrogate).write()
            return
        self.conclude(f"K d {surrogate}")

    def losses(self) -> str:
        """phi, the gap map, and the threshold."""
        return f"(phi {{0}}) (gap_map_of {{0}}) {'None' if self.beta is None else '(Some (threshold {0}))'}"
