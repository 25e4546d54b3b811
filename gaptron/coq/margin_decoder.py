"""The best decoder for margin losses: what the top label, the runner-up and all others need together."""

from gaptron.coq.broken_decoder import MarginNeeds
from gaptron.coq.from_data import FromData
from gaptron.coq.proved import Claims
from gaptron.coq.refuted import Refuted
from gaptron.coq.writing import functions_of
from gaptron.theory.theorem import Theorem

SHOWN = "(of_scores d (of_margin K (phi {0})))"


class MarginDecoder(FromData):
    """phi(m), and perhaps a threshold above which right rounds are off."""

    theory = "MarginTheorem DecoderConditions Obligations LossSound NumbersSound DecodedSound"
    kind = "margin"
    proved = "decoded data data_proofs data_is_proved"

    def __init__(self, theorem: Theorem, claims: Claims, module: str, found: Refuted | None = None) -> None:
        super().__init__(theorem, claims, module, found is not None)
        phi, *threshold = functions_of(theorem.loss)
        self.beta = threshold[0] if threshold else None
        self.functions = [phi, *self.functions, *threshold]
        self.open(taken_apart=found is not None)
        if found is not None:
            self.phi = phi
            MarginNeeds(self, found, SHOWN).write()
            return
        self.conclude(f"K K d {SHOWN}{'' if self.beta is None else ' (Some (threshold {0}))'}")

    def losses(self) -> str:
        """phi, and the threshold."""
        return f"(phi {{0}}) {'None' if self.beta is None else '(Some (threshold {0}))'}"
