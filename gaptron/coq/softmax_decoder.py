"""The best decoder for softmax losses of one smooth piece: what the few labels that count need together."""

from gaptron.coq.broken_decoder import SoftmaxNeeds
from gaptron.coq.from_data import FromData
from gaptron.coq.proved import Claims
from gaptron.coq.refuted import Refuted
from gaptron.coq.softmax import ABOVE_INVERSES, OF_SOFTMAX, THEORY
from gaptron.coq.writing import functions_of
from gaptron.theory.theorem import Theorem

SHOWN = "(of_scores d (of_softmax K (psi {0})))"


class SoftmaxDecoder(FromData):
    """psi(p_y)."""

    theory = f"{THEORY} LogitJoins DecoderSoftmax Obligations LossSound NumbersSound LikelySound"
    refutations = OF_SOFTMAX
    proved = "decoded_likely data data_proofs data_is_proved"
    also_known = ABOVE_INVERSES

    def __init__(self, theorem: Theorem, claims: Claims, module: str, found: Refuted | None = None) -> None:
        super().__init__(theorem, claims, module, found is not None)
        (self.psi,) = functions_of(theorem.loss)
        self.functions = [self.psi, *self.functions]
        self.open(taken_apart=found is not None)
        if found is not None:
            SoftmaxNeeds(self, found, SHOWN).write()
            return
        self.by_computation()
        self.whole(
            f"K K d {SHOWN}",
            "destruct (conditions {0} Hc) as (need & none & Hneeds); "
            "exact (decoder_softmax_theorem K d _ need none _ _ X ltac:(lia) Hneeds HX)",
        )

    def conditions(self) -> str:
        """The library's, of what labels need, and of a probability up to which they need nothing."""
        c = self.binders
        return f"exists need none, softmax_needs {self.k} (psi {c}) need none (rate {c}) {self.regret_of(c)}"

    def rate_from_conditions(self) -> None:
        """The rate is positive."""
        c = self.binders
        self.add(
            f"Lemma rate_is_positive {c} : claimed {c} -> 0 < rate {c}.",
            f"Proof. intro Hc. now destruct (conditions {c} Hc) as (need & none & []). Qed.",
            "",
        )
