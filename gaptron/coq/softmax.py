"""Softmax losses: the conditions of the library's ``softmax_theorem``, computed by Coq from the theorem's functions."""

import sympy as sp

from gaptron.coq.broken_bandit import SoftmaxGame
from gaptron.coq.broken_softmax import SoftmaxWitness
from gaptron.coq.from_data import FromData
from gaptron.coq.proved import Claims
from gaptron.coq.refuted import Refuted
from gaptron.coq.script import OutOfScopeError
from gaptron.coq.writing import DIFFERENTIATE, Development, functions_of
from gaptron.symbols import p
from gaptron.theory.theorem import Theorem

OF_SOFTMAX = "Sums Margins RefutationDefinitions Refutations SoftmaxRefutations"  # the modules of a refutation
ABOVE_INVERSES = "; above_inverses"  # p* >= 1/K, and claims say that it is positive
THEORY = "Softmax SoftmaxSubgradients LogitSubgradients"


class SmoothSoftmax(Development):
    """psi(p_y), psi of one smooth piece: convex in the logit, with one slope."""

    also_known = ABOVE_INVERSES

    def __init__(self, theorem: Theorem, claims: Claims, module: str, is_refuted: bool = False) -> None:
        super().__init__(theorem, claims, module, is_refuted)
        (self.psi,) = functions_of(theorem.loss)
        self.functions = [self.psi, *self.functions]
        self.open()

    def _text(self, expr: sp.Expr) -> str:
        return self.printer.smooth(expr)

    @property
    def value(self) -> sp.Expr:
        """psi's one piece."""
        pieces = self.pieces[self.psi.name]
        if len(pieces) != 1 or pieces[0].conditions:
            raise OutOfScopeError("a softmax loss in several pieces is not written yet")
        return pieces[0].value

    def slopes(self) -> None:
        """psi is convex in the logit, and its only subgradient there is its derivative."""
        c = self.binders
        slope, bend = sp.diff(self.value, p), sp.diff(self.value, p, 2)
        known = f"assert (F := psi_is_defined {c} v_p Hc H0 H1); unfold psi_defined in F; take_apart; clear H0 H1"
        self.add(
            f"Definition psi_slope ({c} v_p : R) : R := {self._text(slope)}.",
            f"Definition psi_bend ({c} v_p : R) : R := {self._text(bend)}.",
            "",
            f"Lemma psi_has_slope {c} v_p : claimed {c} -> 0 < v_p < 1 ->",
            f"  derivable_pt_lim (psi {c}) v_p (psi_slope {c} v_p).",
            f"Proof. intros Hc [H0 H1]. assert (P0 := H0). assert (P1 := H1). {known}.",
            f"  unfold psi, psi_slope. {DIFFERENTIATE}. Qed.",
            "",
            f"Lemma psi_has_bend {c} v_p : claimed {c} -> 0 < v_p < 1 ->",
            f"  derivable_pt_lim (psi_slope {c}) v_p (psi_bend {c} v_p).",
            f"Proof. intros Hc [H0 H1]. assert (P0 := H0). assert (P1 := H1). {known}.",
            f"  unfold psi_slope, psi_bend. {DIFFERENTIATE}. Qed.",
            "",
            f"Lemma psi_convex_in_logit {c} v_p : claimed {c} -> 0 < v_p < 1 ->",
            f"  logit_subgradient (psi {c}) v_p (psi_slope {c} v_p).",
            "Proof.",
            "  intros Hc Hp. apply logit_subgradient_of_supports.",
            f"  apply (logit_supports_from_curvature probabilities (psi {c}) (psi_slope {c}) (psi_bend {c})); auto.",
            "  - intros b0 c0 m0 [] [] ?. split; lra.",
            f"  - intros x Hx. exact (psi_has_slope {c} x Hc Hx).",
            f"  - intros x Hx. exact (psi_has_bend {c} x Hc Hx).",
            f"  - clear v_p Hp. intros v_p [P0 P1]. unfold psi_slope, psi_bend. start. {self.uses('loss/convex')}.",
            "Qed.",
            "",
            f"Lemma psi_only_slope {c} v_p slope : claimed {c} -> 0 < v_p < 1 ->",
            f"  logit_subgradient (psi {c}) v_p slope -> slope = psi_slope {c} v_p.",
            "Proof.",
            f"  intros Hc Hp Hr. apply (logit_subgradient_equal (psi {c}) (psi {c}) v_p (v_p / 2) ((1 + v_p) / 2));",
            f"    auto; try lra. exact (psi_has_slope {c} v_p Hc Hp).",
            "Qed.",
            "",
        )

    def falls(self) -> list[str]:
        """The condition that psi does not increase, if there are more than two classes."""
        c = self.binders
        return [
            f"- intros Hk v_p slope Hp Hr. destruct (classes_of {c} Hc) as [Ck | Ck]; [contradiction|].",
            f"  rewrite (psi_only_slope {c} v_p slope Hc Hp Hr). unfold psi_slope.",
            f"  destruct Hp; start; {self.uses('loss/nonincreasing', first=('lra',))}.",
        ]

    def not_negative(self) -> str:
        """The condition that psi is not negative."""
        uses = self.uses("loss/nonnegative", first=("lra",))
        return f"- intros v_p [H0 H1]. {self.apart(self.psi, 'E', 'v_p')}; start; {uses}."

    def nonnegative(self) -> list[str]:
        """The conditions that psi is not negative, and convex in the logit."""
        c = self.binders
        return [
            self.not_negative(),
            f"- intros v_p Hp. exists (psi_slope {c} v_p). exact (psi_convex_in_logit {c} v_p Hc Hp).",
        ]


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
