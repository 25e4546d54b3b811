"""The best decoder for losses of one weight vector: what both labels need together."""

from gaptron.coq.broken_decoder import BinaryNeeds
from gaptron.coq.from_data import FromData
from gaptron.coq.proved import Claims
from gaptron.coq.refuted import Refuted
from gaptron.coq.writing import functions_of
from gaptron.theory.theorem import Theorem

SHOWN = "(of_scores d (of_sign (plus {0}) (minus {0})))"


class BinaryDecoder(FromData):
    """plus(z), minus(z)."""

    theory = "BinaryTheorem DecoderConditions Obligations LossSound NumbersSound DecodedSound"
    kind = "binary"
    fixed = "(INR 2)"
    proved = "decoded data data_proofs data_is_proved"
    premises = (*FromData.premises[:2], "unfold claimed in Hc. cbn. lra")

    def __init__(self, theorem: Theorem, claims: Claims, module: str, found: Refuted | None = None) -> None:
        super().__init__(theorem, claims, module, found is not None)
        sides = functions_of(theorem.loss)
        self.functions = [*sides, *self.functions]
        self.open(taken_apart=found is not None)
        if found is not None:
            self.plus, self.minus = sides
            BinaryNeeds(self, found, SHOWN).write()
            return
        self.conclude(f"2 1 d {SHOWN}")

    def losses(self) -> str:
        """Both labels'."""
        return "(plus {0}) (minus {0})"
