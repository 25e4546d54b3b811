"""What is written of a theorem, by the kind of its loss and its setting; Coq computes and proves the conditions."""

from collections.abc import Callable, Mapping

from gaptron.coq.broken_bandit import MarginGame, SoftmaxGame
from gaptron.coq.broken_decoder import BinaryNeeds, MarginNeeds, SoftmaxNeeds
from gaptron.coq.broken_maps import BinaryWitness, MarginWitness, SoftmaxWitness
from gaptron.coq.broken_proximal import BinaryCriterion, MarginCriterion, ScoresCriterion, SoftmaxCriterion
from gaptron.coq.from_data import FromData, MapFromData, ProximalDevelopment
from gaptron.coq.script import OutOfScopeError
from gaptron.theory.losses import BinaryLoss, Loss, MarginLoss, PairwiseLoss, SeparableLoss, SoftmaxLoss
from gaptron.theory.theorem import Theorem

ABOVE_INVERSES = "; above_inverses"  # p* >= 1/K, and claims say that it is positive
OF_SOFTMAX = "Sums Margins RefutationDefinitions Refutations SoftmaxRefutations"  # the modules of a refutation
PROBABILITIES = "Softmax SoftmaxSubgradients LogitSubgradients"
IS_TWO = "unfold claimed in Hc. cbn. lra"

# --- with a gap map ---------------------------------------------------------------------------------------------------


class MarginMap(MapFromData):
    """phi(m), a(m*), and perhaps a threshold above which right rounds are off."""

    theory = f"MarginTheorem {MapFromData.theory}"
    kind = "margin"
    proved = "proved data (proves_all _ _ data_is_proved)"
    surrogate = "(margin_loss K d LOSSES)"
    may_be_off = True
    witness, in_game = MarginWitness, MarginGame


class BinaryMap(MapFromData):
    """plus(z) for the label +1, minus(z) for -1; the gap map is a function of |z|."""

    theory = f"BinaryTheorem {MapFromData.theory} BinaryObligations"
    kind, fixed, sizes = "binary", "(INR 2)", "2 d"
    proved = "proved_both data data_proofs data_is_proved"
    premises = ("unfold claimed in Hc. lra", "unfold claimed in Hc. cbn. repeat split; lra")
    surrogate = "(binary_loss d LOSSES)"
    witness = BinaryWitness


class SoftmaxMap(FromData):
    """psi(p_y), a(p*)."""

    theory = f"{PROBABILITIES} LogitJoins SoftmaxTheorem Obligations LossSound NumbersSound GapMapSound SoftmaxSound"
    kind, refutations, also_known = "softmax", OF_SOFTMAX, ABOVE_INVERSES
    proved = "proved_softmax data data_proofs data_is_proved"
    surrogate = "(softmax_loss K d LOSSES)"
    witness, in_game = SoftmaxWitness, SoftmaxGame


# --- with the best decoder --------------------------------------------------------------------------------------------


class MarginDecoder(FromData):
    """What the top label, the runner-up and all others need together."""

    theory = "MarginTheorem DecoderConditions Obligations LossSound NumbersSound DecodedSound"
    kind, sizes = "margin", "K K d"
    proved = "decoded data data_proofs data_is_proved"
    surrogate = "(of_scores d (of_margin K LOSSES))"
    may_be_off = True
    witness = MarginNeeds

    def shown(self) -> str:
        """With the threshold, if there is one."""
        return super().shown() + ("" if self.beta is None else " (Some (threshold {0}))")


class BinaryDecoder(FromData):
    """What both labels need together."""

    theory = "BinaryTheorem DecoderConditions Obligations LossSound NumbersSound DecodedSound"
    kind, fixed, sizes = "binary", "(INR 2)", "2 1 d"
    proved = "decoded data data_proofs data_is_proved"
    premises = (*FromData.premises[:2], IS_TWO)
    surrogate = "(of_scores d (of_sign LOSSES))"
    witness = BinaryNeeds


class SoftmaxDecoder(FromData):
    """What the few labels that count need together, if psi is one smooth piece."""

    theory = f"{PROBABILITIES} LogitJoins DecoderSoftmax Obligations LossSound NumbersSound LikelySound"
    refutations, also_known, sizes = OF_SOFTMAX, ABOVE_INVERSES, "K K d"
    proved = "decoded_likely data data_proofs data_is_proved"
    surrogate = "(of_scores d (of_softmax K LOSSES))"
    exists = "need & none & "
    concluded = (
        "destruct (conditions {0} Hc) as (need & none & Hneeds); "
        "exact (decoder_softmax_theorem K d _ need none _ _ X ltac:(lia) Hneeds HX)"
    )
    witness = SoftmaxNeeds

    def conditions(self) -> str:
        """The library's, of what labels need, and of a probability up to which they need nothing."""
        c = self.binders
        return f"exists need none, softmax_needs {self.k} (psi {c}) need none (rate {c}) {self.regret_of(c)}"


# --- with proximal updates --------------------------------------------------------------------------------------------


class MarginProximal(ProximalDevelopment):
    """phi(m): all labels alike are the hardest."""

    theory = "OptimalMargin Obligations LossSound AttainedSound"
    kind = "margin"
    surrogate = "(of_margin K LOSSES)"
    witness = MarginCriterion


class BinaryProximal(ProximalDevelopment):
    """plus(z) for the label +1, minus(z) for -1."""

    theory = "OptimalBinary Obligations LossSound AttainedSound"
    kind, fixed, sizes = "binary", "(INR 2)", "2 1"
    premises = (*ProximalDevelopment.premises[:2], IS_TWO)
    surrogate = "(of_sign LOSSES)"
    witness = BinaryCriterion


class SoftmaxProximal(ProximalDevelopment):
    """psi(p_y), of one smooth piece: one label in the lead of another is the hardest."""

    theory = f"{PROBABILITIES} OptimalSets OptimalSoftmax Obligations LossSound LeadSound"
    also_known = ABOVE_INVERSES
    proved = "attained_lead data data_proofs data_is_proved"
    surrogate = "(of_softmax K LOSSES)"
    concluded = (
        "destruct (conditions {0} Hc) as (least & H); exact (attaining_softmax_theorem K _ least _ ltac:(lia) H X HX)"
    )
    witness = SoftmaxCriterion

    def conditions(self) -> str:
        """The library's, at some number that the loss is above."""
        c = self.binders
        return f"exists least, attaining_softmax_conditions {self.k} (psi {c}) least (regret {c})"


class PairsProximal(ProximalDevelopment):
    """phi of each pair: any number of labels may be alike, at two scores."""

    theory = "OptimalAllScores Obligations LossSound ScoresSound"
    kind = "pairs"
    proved = "attained_scores data data_proofs data_is_proved"
    premises = (
        "unfold claimed in Hc. lra",
        "intros n Hn. unfold claimed in Hc. cbn. repeat split; lra",
        "reflexivity",
    )
    surrogate = "(of_pairs K LOSSES)"
    witness = ScoresCriterion


class EachScoreProximal(PairsProximal):
    """own of the label's score, and other of its rivals'."""

    kind = "each_score"
    surrogate = "(of_each_score K LOSSES)"


Kinds = Mapping[type[Loss], Callable[..., FromData]]
WITH_MAP: Kinds = {MarginLoss: MarginMap, BinaryLoss: BinaryMap, SoftmaxLoss: SoftmaxMap}
DECODED: Kinds = {MarginLoss: MarginDecoder, BinaryLoss: BinaryDecoder, SoftmaxLoss: SoftmaxDecoder}
PROXIMAL: Kinds = {
    MarginLoss: MarginProximal,
    BinaryLoss: BinaryProximal,
    SoftmaxLoss: SoftmaxProximal,
    PairwiseLoss: PairsProximal,
    SeparableLoss: EachScoreProximal,
}


def kind_of(theorem: Theorem) -> Callable[..., FromData]:
    """What writes the theorem; OutOfScopeError if nothing does."""
    if theorem.update == "proximal":
        return PROXIMAL[type(theorem.loss)]
    kinds = WITH_MAP if theorem.decoder == "gap map" else DECODED
    if type(theorem.loss) not in kinds:
        raise OutOfScopeError("gradient steps with losses of all scores are not written")
    return kinds[type(theorem.loss)]
