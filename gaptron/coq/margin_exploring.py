"""Margin losses with bandit feedback at any learning rate: the conditions of the library's ``any_rate_margin_theorem``.

They are about the rates of a game X, D, T, and Coq computes them from the theorem's functions and the rate eta X^2.
"""

from gaptron.coq.bandit_feedback import GAME, PROPERTIES, Tuning
from gaptron.coq.margin import MarginDevelopment

KNOWN = "Hc HX HD HXD Er H1 H0 Hi"


class OwnTuning(Tuning):
    """The rates of a game, at which the conditions are."""

    paid = ("exploration", "learning_rate", "excess")
    rate_name = "learning_rate"

    def _steps(self) -> None:
        self.development.add(
            f"Lemma steps {self.c} {GAME} root_T : claimed {self.c} -> {PROPERTIES} ->",
            f"  0 < learning_rate {self.at('learning_rate')} * v_X ^ 2.",
            "Proof.\n  intros Hc; intros.",
            *self._known("exploration", "learning_rate"),
            f"  split_cases; {self._uses('learning rate/positive', first=('lra',))}.\nQed.\n",
        )

    def _rate_there(self, explored: str) -> str:
        return f"(learning_rate {self.c} {GAME} {explored})"

    def _rate_is_known(self) -> str:
        return ""

    def _applied(self, at: str, explored: str, known: str, c: str) -> list[str]:
        return [
            "  unfold flat. apply any_rate_margin_theorem;",
            f"    [lia | exact HX | exact HD | exact (explores {known}) | exact (conditions {known}) |"
            f" exact (pays {known})].",
        ]


class MarginAtAnyRate(MarginDevelopment):
    """phi(m), a(m*), perhaps a threshold, and the rates of a game."""

    theory = "MarginTheorem Obligations LossSound NumbersSound GapMapSound BanditMargins ExploringSound"
    tunes = OwnTuning
    own_rates = True

    def conclude(self, guaranteed: str) -> None:
        """The rates, the conditions at them, and the theorem."""
        assert self.tuning is not None  # noqa: S101
        self.tuning.write()
        self._conditions_in_game()
        self.tuning.whole(guaranteed)

    def _conditions_in_game(self) -> None:
        c, k = self.binders, self.k
        explored, known = f"(exploration {c} {GAME})", f"{c} {GAME} root_T {KNOWN}"
        values = "; ".join(["v_X", "v_D", "v_T", *self.others])
        self.add(
            f"Lemma conditions {c} {GAME} root_T : claimed {c} -> {PROPERTIES} ->",
            f"  bandit_margin_conditions {k} {self.losses().format(c)} {explored}",
            f"    (learning_rate {c} {GAME} {explored} * v_X ^ 2) ({explored} * ({k} - 1) / {k}).",
            "Proof.",
            f"  intros {KNOWN}. assert (HT : 1 <= v_T) by (rewrite Er; nra). assert (Hg := explores {known}).",
            "  refine (proved_exploring data data_proofs data_is_proved",
            f"    {k} {explored} [{values}] eq_refl _ _ _ Hg eq_refl (steps {known})).",
            "  - now destruct Hc.",
            "  - unfold claimed in Hc. cbn. repeat split; lra.",
            f"  - exact (classes_of {c} Hc).",
            "Qed.\n",
        )
