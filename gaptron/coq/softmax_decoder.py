"""The best decoder for softmax losses of one smooth piece: the library's conditions on what one probability needs."""

import sympy as sp

from gaptron.coq.broken_decoder import SoftmaxNeeds
from gaptron.coq.proved import Claims, closing
from gaptron.coq.refuted import Refuted
from gaptron.coq.script import OutOfScopeError
from gaptron.coq.softmax import OF_SOFTMAX, SmoothSoftmax
from gaptron.coq.writing import COVERAGE, DIFFERENTIATE, EMPTY
from gaptron.obligations import obligations
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.guesses import not_needed
from gaptron.obligations.softmax_needs import squared_slope
from gaptron.symbols import K, p
from gaptron.theory.theorem import Theorem


class SoftmaxDecoder(SmoothSoftmax):
    """psi(p_y), and f(p), what a label needs at most."""

    theory = "Softmax SoftmaxSubgradients LogitSubgradients LogitJoins SoftmaxTheorem DecoderSoftmax"
    refutations = OF_SOFTMAX

    def __init__(self, theorem: Theorem, claims: Claims, module: str, found: Refuted | None = None) -> None:
        super().__init__(theorem, claims, module, found is not None)
        if found is not None:
            SoftmaxNeeds(self, found, "(of_scores d (of_softmax K (psi {0})))").write()
            return
        self.slopes()
        self.rate()
        pieces = Coverage().pieces(self.eta.expr, self.classes)
        if len(pieces) != 1 or pieces[0].conditions:
            raise OutOfScopeError("a rate in pieces is not written yet with the best decoder and a softmax loss")
        self.need = 1 - self.value + pieces[0].value * squared_slope(self.value) * (1 - p) ** 2
        self.least = not_needed(self.need.subs(K, theorem.first_class_count))
        self.said = {one.statement: one.id for one in obligations(theorem) if one.id.startswith("decoder/")}
        self._need()
        self._below_tangents()
        self._few()
        self._conditions()
        self.whole(
            "K K d (of_scores d (of_softmax K (psi {0})))",
            f"apply decoder_softmax_theorem with (f := need_at {{0}}) (none := / {self.least.q}); [lia | "
            "exact (conditions {0} Hc) | exact HX]",
        )

    def _claim(self, step: str, first: tuple[str, ...] = ()) -> str:
        """A tactic that uses the claim of a step of the reduction."""
        names = [name for statement, name in self.said.items() if statement.startswith(f"{step}: ")]
        attempts = [self.claims.use(row, {}) for name in names for row in self.claims.by_obligation.get(name, [])]
        return closing(*first, attempts, EMPTY, self.claims.attempts(COVERAGE))

    def _need(self) -> None:
        c = self.binders
        known = f"assert (F := psi_is_defined {c} v_p Hc H0 H1); unfold psi_defined in F"
        rate = f"assert (F' := rate_is_defined {c} Hc); unfold rate_defined in F'; take_apart; clear H0 H1"
        names = ("need_at", "need_slope", "need_bend")
        for order, name in enumerate(names):
            text = self._text(sp.diff(self.need, p, order))
            self.add(f"Definition {name} ({c} v_p : R) : R := {text}.")
        for of, name in (names[:2], names[1:]):
            self.add(
                "",
                f"Lemma {of}_has_derivative {c} v_p : claimed {c} -> 0 < v_p < 1 ->",
                f"  derivable_pt_lim ({of} {c}) v_p ({name} {c} v_p).",
                f"Proof. intros Hc [H0 H1]. assert (P0 := H0). assert (P1 := H1). {known}.",
                f"  {rate}. unfold {of}, {name}. {DIFFERENTIATE}. Qed.",
            )
        self.add("")

    def _below_tangents(self) -> None:
        """f is concave where three labels need it."""
        c, none, last = self.binders, f"(/ {self.least.q})", self._text(1 - 2 * self.least)
        self.add(
            f"Lemma need_below_tangents_here {c} : claimed {c} -> 3 * {none} < 1 ->",
            f"  forall m, 0 < m <= 1 - 2 * {none} ->",
            f"  exists g, forall p, 0 < p <= 1 - 2 * {none} -> need_at {c} p <= need_at {c} m + g * (p - m).",
            "Proof.",
        )
        if self.least.q < 4:
            self.add("  intros Hc H. exfalso. lra.")
        else:
            self.add(
                f"  intros Hc _ m Hm. exists (need_slope {c} m).",
                f"  apply (tangents_above (fun p => 0 < p <= 1 - 2 * {none}) (need_at {c}) (need_slope {c})",
                f"    (need_bend {c})); [| | | | exact Hm].",
                "  - intros b0 c0 m0 [] [] ?. split; lra.",
                f"  - intros x Hx. apply (need_at_has_derivative {c} x Hc). lra.",
                f"  - intros x Hx. apply (need_slope_has_derivative {c} x Hc). lra.",
                f"  - intros v_p Hx. assert (P0 : 0 < v_p) by lra. assert (P1 : v_p <= {last}) by lra. clear Hx.",
                f"    unfold need_bend. start. {self._claim('concave', ('lra',))}.",
            )
        self.add("Qed.", "")

    def _few(self) -> None:
        """What the obligations say of f."""
        c, none, most = self.binders, f"(/ {self.least.q})", self.least.q - 1
        counts = " \\/ ".join(f"n = {n}%nat" for n in range(3, most + 1)) or "False"
        self.add(
            f"Lemma few_labels {c} : claimed {c} -> few_labels_need (need_at {c}) {none}.",
            "Proof.",
            "  intro Hc. split.",
            "  - lra.",
            "  - intros x y Hx Hy.",
            f"    apply (nondecreasing_from_derivative probabilities (need_at {c}) (need_slope {c}));",
            "      [intros b0 c0 m0 [] [] ?; split; lra | | | split; lra | split; lra | lra].",
            f"    + intros v_p Hp. exact (need_at_has_derivative {c} v_p Hc Hp).",
            f"    + intros v_p [P0 P1]. unfold need_slope. start. {self._claim('increasing', ('lra',))}.",
            f"  - unfold need_at. rewrite ?ln_Rinv by lra. start. {self._claim(f'not needed up to {self.least}')}.",
            f"  - intros v_p [P0 P1]. unfold need_at. start. {self._claim('one label')}.",
            f"  - intros v_p [P0 P1]. unfold need_at. replace (1 - v_p) with {self._text(1 - p)} by ring.",
            f"    start. {self._claim('two labels')}.",
            f"  - exact (need_below_tangents_here {c} Hc).",
            "  - intros n Hn Hless.",
            f"    assert (Hmost : INR n < INR {self.least.q}) by (simpl; simpl in Hless; lra).",
            f"    apply INR_lt in Hmost. assert (H : {counts}) by lia. clear Hn Hmost Hless.",
            "    repeat destruct H as [H | H]; try contradiction; subst n; rewrite INR_IZR_INZ; simpl Z.of_nat;",
            "      unfold need_at; rewrite ?ln_Rinv by lra; start.",
        )
        for n in range(3, most + 1):
            self.add(f"    + {self._claim(f'{n} labels')}.")
        self.add("Qed.", "")

    def _conditions(self) -> None:
        c, k = self.binders, self.k
        self.add(
            f"Lemma conditions {c} : claimed {c} ->",
            f"  softmax_needs {k} (psi {c}) (need_at {c}) (/ {self.least.q}) (rate {c}) {self.regret_of(c)}.",
            "Proof.\nintro Hc. split.",
            *self.nonnegative(),
            *self.falls(),
            f"- exact (rate_is_positive {c} Hc).",
            f"- intros v_p r Hp Hr. rewrite (psi_only_slope {c} v_p r Hc Hp Hr). destruct Hp as [H0 H1].",
            f"  assert (P0 := H0). assert (P1 := H1). assert (F := psi_is_defined {c} v_p Hc H0 H1).",
            f"  unfold psi_defined in F. {self.apart(self.psi, 'Ep', 'v_p')}; {self.apart(self.eta, 'Er')}.",
            "  clear Ep Er.",
            "  unfold psi_slope, need_at. start. right. equal.",
            f"- exact (few_labels {c} Hc).",
            self.regret_follows(),
            "Qed.",
            "",
        )
