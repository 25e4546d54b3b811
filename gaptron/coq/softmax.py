"""Softmax losses: the conditions of the library's ``softmax_theorem``."""

import sympy as sp

from gaptron.coq.broken_bandit import SoftmaxGame
from gaptron.coq.broken_softmax import SoftmaxWitness
from gaptron.coq.logit_pieces import LogitPieces
from gaptron.coq.proved import Claims
from gaptron.coq.refuted import Refuted
from gaptron.coq.script import OutOfScopeError
from gaptron.coq.writing import DIFFERENTIATE, Development, functions_of
from gaptron.obligations.in_sympy import q
from gaptron.symbols import p
from gaptron.theory.theorem import Theorem

OF_SOFTMAX = "Sums Margins RefutationDefinitions Refutations SoftmaxRefutations"  # the modules of a refutation
RIGHT = (
    ("large", "1 / 2 <= v_p", "(1 - v_p) ^ 2"),
    ("middle", "1 / 3 <= v_p < 1 / 2", "(v_p ^ 2 + (1 - 2 * v_p) ^ 2)"),
    ("small", "v_p < 1 / 3", "v_p * (1 - v_p)"),
)
WRONG = (
    ("large", "1 - v_q - v_p <= v_p", "(v_p ^ 2 + (1 - v_q - v_p) ^ 2)"),
    ("small", "v_p < 1 - v_q - v_p", "(v_p ^ 2 + v_p * (1 - v_q - v_p))"),
)


class SmoothSoftmax(Development):
    """psi(p_y), psi of one smooth piece: convex in the logit, with one slope."""

    also_known = "; above_inverses"  # p* >= 1/K, and claims say that it is positive

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


class SoftmaxDevelopment(SmoothSoftmax):
    """psi(p_y), a(p*)."""

    theory = "Softmax SoftmaxSubgradients LogitSubgradients LogitJoins SoftmaxTheorem"
    kind = "softmax"
    refutations = OF_SOFTMAX

    def __init__(self, theorem: Theorem, claims: Claims, module: str, found: Refuted | None = None) -> None:
        super().__init__(theorem, claims, module, found is not None)
        surrogate = "(softmax_loss K d (psi {0}) (gap_map_of {0}))"
        if found is not None:
            (SoftmaxGame if found.game else SoftmaxWitness)(self, found, surrogate).write()
            return
        self.in_pieces = LogitPieces(self, self.psi)
        self.in_pieces.write_joins()
        self.rate()
        self._gaps()
        self._conditions()
        self.whole(
            f"K d {surrogate}",
            f"apply {self.prediction.theorem.format('softmax')}; [lia | exact (conditions {{0}} Hc) | exact HX]",
        )

    def _gaps(self) -> None:
        c, k = self.binders, self.k
        a, price = self.call(self.a), self.prediction.price(c, k)
        for name, where, others in RIGHT:
            self.add(
                f"Lemma right_gap_{name} {c} v_p slope : claimed {c} -> 1 / {k} <= v_p < 1 -> {where} ->",
                f"  logit_subgradient (psi {c}) v_p slope ->",
                f"  {a} * {price} - psi {c} v_p",
                f"    + rate {c} / 2 * ((slope * v_p) ^ 2 * ((1 - v_p) ^ 2 + {others})) <= 0.",
                "Proof.",
                "  intros Hc [Hk H1] Hw Hr.",
                f"  assert (H0 : 0 < v_p) by ({self._positive}).",
            )
            self.in_pieces.gap("v_p", f"{self._apart()}; start; {self.uses('gap/right')}")
        other = f"assert (Hother : v_p = {self._text(1 - q)}) by (specialize (Htwo Ck); lra)"
        two = f"destruct (classes_of {c} Hc) as [Ck | Ck]; [{other}; clear Htwo; subst v_p {k} | clear Htwo]"
        for name, where, others in WRONG:
            self.add(
                f"Lemma wrong_gap_{name} {c} v_p v_q slope : claimed {c} -> 1 / {k} <= v_p < 1 -> 0 < v_q <= v_p ->",
                f"  v_p <= 1 - v_q -> ({k} = 2 -> v_p = 1 - v_q) -> {where} ->",
                f"  logit_subgradient (psi {c}) v_q slope ->",
                f"  1 - {a} + {a} * {price} - psi {c} v_q",
                f"    + rate {c} / 2 * ((slope * v_q) ^ 2 * ((1 - v_q) ^ 2 + {others})) <= 0.",
                "Proof.",
                "  intros Hc [Hk Hp] [H0 Hqp] Hs Htwo Hw Hr. assert (H1 : v_q < 1) by lra.",
            )
            self.in_pieces.gap("v_q", f"{self._apart()}; start; ({two}); {self.uses('gap/wrong')}")

    def _apart(self) -> str:
        """Tactics: all functions but psi apart."""
        known = f"{self._least()}; {self.prediction.apart('v_p')}; {self.apart(self.eta, 'Er')}"
        return f"{known}; clear {self.prediction.equations} Er"

    def _least(self) -> str:
        """1/K <= p as the claims write it."""
        return f"assert (Hk' : (/ {self.k}) <= v_p) by (rewrite <- (Rmult_1_l (/ {self.k})); exact Hk)"

    @property
    def _positive(self) -> str:
        """Tactics: a largest probability is positive."""
        return f"apply (Rlt_le_trans _ (1 / {self.k})); [apply Rdiv_lt_0_compat; [lra | start; lra] | exact Hk]"

    def _conditions(self) -> None:
        c, k = self.binders, self.k
        conditions = f"softmax_conditions {self.prediction.price(c, k)} {k}"
        self.add(
            f"Lemma conditions {c} : claimed {c} ->",
            f"  {conditions} (psi {c}) (gap_map_of {c}) (rate {c}) {self.regret_of(c)}.",
            "Proof.\nintro Hc. split.",
            self.not_negative(),
            self.in_pieces.convex(),
            *self.in_pieces.falls(),
            f"- intros v_p [Hk Hp]. {self._least()}.",
            f"  start. {self.apart(self.a, 'E', 'v_p')}; split; {self.uses('gap map/range', first=('lra',))}.",
            f"- exact (rate_is_positive {c} Hc).",
            *(f"- exact (fun v_p slope => right_gap_{name} {c} v_p slope Hc)." for name, *_ in RIGHT),
            *(f"- exact (fun v_p v_q slope => wrong_gap_{name} {c} v_p v_q slope Hc)." for name, *_ in WRONG),
            self.regret_follows(),
            "Qed.",
            "",
        )
