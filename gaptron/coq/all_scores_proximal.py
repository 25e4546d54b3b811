"""Proximal updates with losses of all scores: how many labels are alike, and at which two scores."""

from gaptron.coq.broken_proximal import ScoresCriterion
from gaptron.coq.proved import Claims
from gaptron.coq.proximal_updates import ProximalDevelopment
from gaptron.coq.refuted import Refuted
from gaptron.coq.writing import functions_of
from gaptron.theory.theorem import Theorem


class AllScoresProximal(ProximalDevelopment):
    """phi of each pair, or own and other."""

    theory = "OptimalAllScores Obligations LossSound ScoresSound"
    proved = "attained_scores data data_proofs data_is_proved"
    premises = (
        "unfold claimed in Hc. lra",
        "intros n Hn. unfold claimed in Hc. cbn. repeat split; lra",
        "reflexivity",
    )

    def __init__(self, theorem: Theorem, claims: Claims, module: str, found: Refuted | None = None) -> None:
        super().__init__(theorem, claims, module, found)
        self.of_loss = functions_of(theorem.loss)
        self.kind = "pairs" if len(self.of_loss) == 1 else "each_score"
        self.functions = [*self.of_loss, *self.functions]
        self.open(taken_apart=found is not None)
        if found is not None:
            ScoresCriterion(self, found).write()
            return
        self.conclude(f"(classification K K (of_{self.kind} K {self.losses()}))")

    def losses(self) -> str:
        """Of pairs, or of single scores."""
        return " ".join(f"({function.name} {{0}})" for function in self.of_loss)
