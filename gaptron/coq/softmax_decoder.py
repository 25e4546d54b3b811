"""The best decoder for softmax losses of one smooth piece: the library's conditions on what one probability needs.

For every piece of the learning rate: what a label needs depends on it.
"""

import sympy as sp

from gaptron.coq.broken_decoder import SoftmaxNeeds
from gaptron.coq.proved import Claims, closing
from gaptron.coq.refuted import Refuted
from gaptron.coq.softmax import OF_SOFTMAX, SmoothSoftmax
from gaptron.coq.writing import COVERAGE, DIFFERENTIATE, EMPTY
from gaptron.obligations import obligations
from gaptron.obligations.guesses import not_needed
from gaptron.obligations.in_sympy import WrittenCoverage, WrittenPiece
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
        self.said = {one.id: one.statement for one in obligations(theorem) if one.id.startswith("decoder/")}
        parts = [Needed(self, *row) for row in enumerate(WrittenCoverage().pieces(self.eta.expr, self.classes))]
        for part in parts:
            part.write()
        self.whole(
            "K K d (of_scores d (of_softmax K (psi {0})))",
            f"{self.apart(self.eta, 'Er', rewrite='', c='{0}')}; first [{' | '.join(part.theorem for part in parts)}]",
        )


def _squared_slope(psi: sp.Expr) -> sp.Expr:
    return sp.simplify((sp.diff(psi, p) * p) ** 2)


class Needed:
    """What a label needs at most at the learning rate of one piece, where its conditions hold."""

    def __init__(self, development: SoftmaxDecoder, number: int, rate: WrittenPiece) -> None:
        self.development, self.number, self.conditions = development, number, rate.conditions
        self.c, self.k = development.binders, development.k
        self.need = 1 - development.value + rate.value * _squared_slope(development.value) * (1 - p) ** 2
        self.least = not_needed(self.need.subs(K, development.theorem.first_class_count))
        self.at, self.slope, self.bend = (f"{name}_{number}" for name in ("need_at", "need_slope", "need_bend"))
        self.where = "".join(f"{development.printer.relation(one)} -> " for one in rate.conditions)
        names = [f"Q{place}" for place, _ in enumerate(rate.conditions)]
        self.given = " ".join(["Hc", *names])

    @property
    def theorem(self) -> str:
        """A tactic: the guarantee, where the conditions are assumed."""
        return (
            f"(apply decoder_softmax_theorem with (f := {self.at} {{0}}) (none := / {self.least.q}); [lia | "
            f"apply (conditions_{self.number} {{0}} Hc); assumption | exact HX])"
        )

    def write(self) -> None:
        """All definitions and lemmas."""
        self._need()
        self._below_tangents()
        self._few()
        self._conditions()

    def _text(self, expr: sp.Expr) -> str:
        return self.development.printer.smooth(expr)

    def _claim(self, step: str, first: tuple[str, ...] = ()) -> str:
        """A tactic that uses the claim of a step of the reduction."""
        claims = self.development.claims
        names = [name for name, statement in self.development.said.items() if statement.startswith(f"{step}: ")]
        attempts = [claims.use(row, {}) for name in names for row in claims.by_obligation.get(name, [])]
        return closing(*first, attempts, EMPTY, claims.attempts(COVERAGE))

    def _need(self) -> None:
        c, d = self.c, self.development
        known = f"assert (F := psi_is_defined {c} v_p Hc H0 H1); unfold psi_defined in F"
        rate = (
            f"assert (F' := rate_is_defined {c} Hc); unfold rate_defined in F'; revert F'; split_cases; intro F';\n"
            "    try (exfalso; lra); take_apart; clear H0 H1"
        )
        names = (self.at, self.slope, self.bend)
        for order, name in enumerate(names):
            text = self._text(sp.diff(self.need, p, order))
            d.add(f"Definition {name} ({c} v_p : R) : R := {text}.")
        for of, name in (names[:2], names[1:]):
            d.add(
                "",
                f"Lemma {of}_has_derivative {c} v_p : claimed {c} -> {self.where}0 < v_p < 1 ->",
                f"  derivable_pt_lim ({of} {c}) v_p ({name} {c} v_p).",
                f"Proof. intros {self.given} [H0 H1]. assert (P0 := H0). assert (P1 := H1). {known}.",
                f"  {rate}. unfold {of}, {name}. {DIFFERENTIATE}. Qed.",
            )
        d.add("")

    def _below_tangents(self) -> None:
        """f is concave where three labels need it."""
        c, d, none, last = self.c, self.development, f"(/ {self.least.q})", self._text(1 - 2 * self.least)
        d.add(
            f"Lemma need_below_tangents_{self.number} {c} : claimed {c} -> {self.where}3 * {none} < 1 ->",
            f"  forall m, 0 < m <= 1 - 2 * {none} ->",
            f"  exists g, forall p, 0 < p <= 1 - 2 * {none} -> {self.at} {c} p <= {self.at} {c} m + g * (p - m).",
            "Proof.",
        )
        if self.least.q < 4:
            d.add(f"  intros {self.given} H. exfalso. lra.")
        else:
            d.add(
                f"  intros {self.given} _ m Hm. exists ({self.slope} {c} m).",
                f"  apply (tangents_above (fun p => 0 < p <= 1 - 2 * {none}) ({self.at} {c}) ({self.slope} {c})",
                f"    ({self.bend} {c})); [| | | | exact Hm].",
                "  - intros b0 c0 m0 [] [] ?. split; lra.",
                f"  - intros x Hx. apply ({self.at}_has_derivative {c} x {self.given}). lra.",
                f"  - intros x Hx. apply ({self.slope}_has_derivative {c} x {self.given}). lra.",
                f"  - intros v_p Hx. assert (P0 : 0 < v_p) by lra. assert (P1 : v_p <= {last}) by lra. clear Hx.",
                f"    unfold {self.bend}. start. {self._claim('concave', ('lra',))}.",
            )
        d.add("Qed.", "")

    def _few(self) -> None:
        """What the obligations say of f."""
        c, d, none, most = self.c, self.development, f"(/ {self.least.q})", self.least.q - 1
        counts = " \\/ ".join(f"n = {n}%nat" for n in range(3, most + 1)) or "False"
        d.add(
            f"Lemma few_labels_{self.number} {c} : claimed {c} -> {self.where}few_labels_need ({self.at} {c}) {none}.",
            "Proof.",
            f"  intros {self.given}. split.",
            "  - lra.",
            "  - intros x y Hx Hy.",
            f"    apply (nondecreasing_from_derivative probabilities ({self.at} {c}) ({self.slope} {c}));",
            "      [intros b0 c0 m0 [] [] ?; split; lra | | | split; lra | split; lra | lra].",
            f"    + intros v_p Hp. exact ({self.at}_has_derivative {c} v_p {self.given} Hp).",
            f"    + intros v_p [P0 P1]. unfold {self.slope}. start. {self._claim('increasing', ('lra',))}.",
            f"  - unfold {self.at}. rewrite ?ln_Rinv by lra. start. {self._claim(f'not needed up to {self.least}')}.",
            f"  - intros v_p [P0 P1]. unfold {self.at}. start. {self._claim('one label')}.",
            f"  - intros v_p [P0 P1]. unfold {self.at}. replace (1 - v_p) with {self._text(1 - p)} by ring.",
            f"    start. {self._claim('two labels')}.",
            f"  - exact (need_below_tangents_{self.number} {c} {self.given}).",
            "  - intros n Hn Hless.",
            f"    assert (Hmost : INR n < INR {self.least.q}) by (simpl; simpl in Hless; lra).",
            f"    apply INR_lt in Hmost. assert (H : {counts}) by lia. clear Hn Hmost Hless.",
            "    repeat destruct H as [H | H]; try contradiction; subst n; rewrite INR_IZR_INZ; simpl Z.of_nat;",
            f"      unfold {self.at}; rewrite ?ln_Rinv by lra; start.",
        )
        for n in range(3, most + 1):
            d.add(f"    + {self._claim(f'{n} labels')}.")
        d.add("Qed.", "")

    def _conditions(self) -> None:
        c, k, d = self.c, self.k, self.development
        d.add(
            f"Lemma conditions_{self.number} {c} : claimed {c} -> {self.where}",
            f"  softmax_needs {k} (psi {c}) ({self.at} {c}) (/ {self.least.q}) (rate {c}) {d.regret_of(c)}.",
            f"Proof.\nintros {self.given}. split.",
            *d.nonnegative(),
            *d.falls(),
            f"- exact (rate_is_positive {c} Hc).",
            f"- intros v_p r Hp Hr. rewrite (psi_only_slope {c} v_p r Hc Hp Hr). destruct Hp as [H0 H1].",
            f"  assert (P0 := H0). assert (P1 := H1). assert (F := psi_is_defined {c} v_p Hc H0 H1).",
            f"  unfold psi_defined in F. {d.apart(d.psi, 'Ep', 'v_p')}; {d.apart(d.eta, 'Er')}.",
            "  all: clear Ep Er.",
            f"  all: unfold psi_slope, {self.at}; start; first [(exfalso; lra) | (right; equal)].",
            f"- exact (few_labels_{self.number} {c} {self.given}).",
            d.regret_follows(),
            "Qed.",
            "",
        )
