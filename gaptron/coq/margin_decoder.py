"""The best decoder for margin losses: what the top label, the runner-up and all others need together.

Where the loss has exponentials the obligations are about wrong labels that are tied, and say that a wrong label needs
less the lower its margin is.
"""

from collections.abc import Iterator
from itertools import compress, product

import sympy as sp

from gaptron.coq.best_decoder import DecoderDevelopment, by_choice
from gaptron.coq.broken_decoder import MarginNeeds
from gaptron.coq.in_pieces import InPieces
from gaptron.coq.proved import Claims
from gaptron.coq.refuted import Refuted
from gaptron.coq.script import OutOfScopeError
from gaptron.coq.writing import functions_of
from gaptron.language.formulas import formula
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.needs import MINUS_S, ONE, ZERO, Need, Weighted, falling, need_of
from gaptron.symbols import m
from gaptron.theory.theorem import Theorem

OFF = Need((), ZERO, ZERO)  # what the top label needs in a round that is off
SHOWN = "(of_scores d (of_margin K (phi {0})))"


class MarginDecoder(DecoderDevelopment):
    """phi(m), and perhaps a threshold above which right rounds are off."""

    theory = "MarginTheorem DecoderConditions"

    def __init__(self, theorem: Theorem, claims: Claims, module: str, found: Refuted | None = None) -> None:
        super().__init__(theorem, claims, module, found)
        phi, *threshold = functions_of(theorem.loss)
        self.beta = threshold[0] if threshold else None
        self.functions = [phi, *self.functions, *threshold]
        self.phi = InPieces(self, phi)
        self.open()
        if found is not None:
            MarginNeeds(self, found, SHOWN).write()
            return
        self.phi.write()
        self.rate()
        if self.tied:
            self._falls()
        self._needs(off=False)
        if self.beta is not None:
            self._needs(off=True)
        self._conditions()
        kind, threshold_text = ("switched_", " (Some (threshold {0}))") if self.beta else ("", "")
        self.whole(
            f"K K d {SHOWN}{threshold_text}",
            f"apply {kind}decoder_margin_theorem; [lia | exact (conditions {{0}} Hc) | exact HX]",
        )

    # --- labels that are tied -------------------------------------------------------------------------------------

    def _falls(self) -> None:
        """A wrong label needs less the lower its margin is."""
        if len(self.phi.smooth) > 1:
            raise OutOfScopeError("tied labels of a loss in several pieces are not written yet")
        c, v, (piece,) = self.binders, self.phi.v, self.phi.smooth
        slope, less = self.phi.slope(piece), falling(self.theorem, Coverage(self.guesses))
        bend = self.printer.smooth(sp.diff(piece.value, m, 2))
        functions = " ".join(f"(fun {v} => {text})" for text in (self.phi.value(piece), slope, bend))
        at = [f"need (phi {c}) (rate {c}) (- {side}) ((fun {v} => {slope}) (- {side}))" for side in ("v_t", "v_s")]
        self.add(
            f"Lemma wrong_need_falls {c} v_s v_t : claimed {c} -> 0 <= v_s <= v_t ->",
            f"  {at[0]} <=",
            f"  {at[1]}.",
            "Proof.",
            f"  intros Hc Hst. assert (H := need_falls {functions} (rate {c})).",
            f"  unfold need in *. rewrite !(phi_value_0 {c} _ Hc I). apply H; [| | | exact Hst]; clear H Hst v_s v_t.",
            f"  - intro {v}. exact (phi_has_slope_0 {c} {v} Hc I).",
            f"  - intro {v}. exact (phi_has_bend_0 {c} {v} Hc I).",
            f"  - intros v_s Hs. {self.of_rate()}; start. {self.by_claim(less)}.",
            "Qed.",
            "",
        )

    def _tied(self, top: Need, second: Need) -> str:
        """Tactics: all wrong labels need most when they are tied."""
        right, wrong = (ONE, top), (formula("K - 1"), second)
        sums = [f"start; {self.together(labels, 2)}" for labels in ([right], [wrong], [right, wrong])]
        if top == OFF:
            sums[0] = "lra"
        whole = "apply one_time_one, tied_labels" if top == OFF else "apply tied_labels"
        few = "[start; lra | first [assumption | now right] | assumption | assumption"
        falls = f"exact (wrong_need_falls {self.binders} v_s v_t Hc (conj Hs Hst))"
        return f"apply first_of_three_last; ({whole};\n    {few} | {falls} | {' | '.join(sums)}])"

    # --- what labels need together --------------------------------------------------------------------------------

    def _needs(self, off: bool) -> None:
        """When a round is on, and when it is off."""
        c, phi = self.binders, self.phi
        self.add(*self._stated(off))
        rotated = "apply first_of_three_last; "
        top = "" if off else f"{self.a_piece(phi, 'v_s', 'g', 'exact Hrate', 'lra')}; intro Hp;"
        self.add(
            f"  assert (Hrate := Rlt_le _ _ (rate_is_positive {c} Hc)). assert (Hk : 2 <= {self.k}) by (start; lra).",
            *(f"  assert (R{label} := none_or_one_range {label} H{label})." for label in ("yw" if off else "xyw")),
            f"  {self.a_piece(phi, '(- v_t)', 'e', 'exact Hrate', 'apply Rmult_le_pos; lra')}; intro Ht;",
            f"  {rotated}{top}",
            f"  {rotated}{self.a_piece(phi, '(- v_s)', 'h', 'exact Hrate', 'lra')}; intro Hq.",
        )
        for places, tactics in self._in_all_pieces(off):
            self.add(f"  - {self.in_pieces(places, tactics)}")
        self.add("Qed.", "")

    def _stated(self, off: bool) -> list[str]:
        """The statement, and names for what is given: x is whether the top label counts, g its subgradient."""
        c, k = self.binders, self.k
        need, subgradient = f"need (phi {c}) (rate {c})", f"subgradient (phi {c})"
        others = f"y * {need} (- v_s) h + w * ({k} - 2) * {need} (- v_t) e <= 1"
        of_others = f"none_or_one y -> none_or_one w -> ({k} = 2 -> w = 0) ->"
        slopes = f"{subgradient} (- v_s) h -> {subgradient} (- v_t) e ->"
        if off:
            return [
                f"Lemma needs_when_off {c} v_s v_t h e y w : claimed {c} -> 0 <= v_s <= v_t -> threshold {c} < v_s ->",
                f"  {of_others} {slopes}\n  1 + {others}.",
                "Proof.\n  intros Hc [Hs Hst] Hon Hy Hw Htwo Hh He.",
            ]
        switch, name = ("", "") if self.beta is None else (f" v_s <= threshold {c} ->", " Hon")
        return [
            f"Lemma needs {c} v_s v_t g h e x y w : claimed {c} -> 0 <= v_s <= v_t ->{switch}",
            f"  none_or_one x -> {of_others}\n  {subgradient} v_s g -> {slopes}\n  x * {need} v_s g + {others}.",
            f"Proof.\n  intros Hc [Hs Hst]{name} Hx Hy Hw Htwo Hg Hh He.",
        ]

    def _in_all_pieces(self, off: bool) -> Iterator[tuple[list[tuple[InPieces, int, str, str]], str]]:
        """Where the labels' margins may be, and the tactics there."""
        threshold = "" if self.beta is None else f"; {self.apart(self.beta, 'Eb', rewrite='rewrite {} in Hon')}"
        pieces = list(enumerate(self.phi.smooth))
        for others, top, second in product(pieces, [(0, None)] if off else pieces, pieces):
            right = OFF if top[1] is None else need_of(top[1].data, "m", "s", ONE)
            wrong, rest = (need_of(one[1].data, "m", MINUS_S, ONE) for one in (second, others))
            rest = rest.at("t")
            places = [(self.phi, others[0], "(- v_t)", "Ht"), (self.phi, second[0], "(- v_s)", "Hq")]
            if not off:
                places.insert(1, (self.phi, top[0], "v_s", "Hp"))
            yield places, f"{self.of_rate()}{threshold}; {self._shown(right, wrong, rest)}"

    def _shown(self, right: Need, wrong: Need, rest: Need) -> str:
        """Tactics: these labels need at most 1 together."""
        if self.tied:
            return self._tied(right, wrong)
        choices = product((False, True), repeat=3 - (right == OFF))
        off = (True,) if right == OFF else ()
        labels = [(ONE, right), (ONE, wrong), (formula("K - 2"), rest)]
        cases = [self._case(list(compress(labels, (*off, *chosen)))) for chosen in choices]
        return by_choice("yw" if off else "xyw", cases)

    def _case(self, labels: list[Weighted]) -> str:
        """A tactic for the labels that count."""
        if not [need for _, need in labels if need != OFF]:
            return "lra"
        if labels[-1][0] != formula("K - 2"):
            return f"start; {self.together(labels, 2)}"
        few = f"destruct (classes_of {self.binders} Hc) as [Ck | Ck]; [exfalso; specialize (Htwo Ck); lra | clear Htwo]"
        return f"{few}; start; {self.together(labels, 3)}"

    def _conditions(self) -> None:
        c, k = self.binders, self.k
        beta = "None" if self.beta is None else f"(Some (threshold {c}))"
        self.add(
            f"Lemma conditions {c} : claimed {c} -> margin_needs {k} (phi {c}) {beta} (rate {c}) {self.regret_of(c)}.",
            "Proof.\nintro Hc. split.",
            self.phi.nonnegative(),
            f"- exact {self.phi.convex}.",
            *self.phi.falls(),
            f"- exact (rate_is_positive {c} Hc).",
            *self._switches(),
            self.regret_follows(),
            "Qed.",
            "",
        )

    def _switches(self) -> list[str]:
        """The conditions on rounds that are on, and that are off."""
        c = self.binders
        if self.beta is None:
            return [
                f"- exact (fun v_s v_t g h e x y w Hst _ => needs {c} v_s v_t g h e x y w Hc Hst).",
                "- intros v_s v_t h e y w _ [].",
            ]
        return [
            f"- exact (fun v_s v_t g h e x y w Hst Hon => needs {c} v_s v_t g h e x y w Hc Hst (Rnot_lt_le _ _ Hon)).",
            f"- exact (fun v_s v_t h e y w => needs_when_off {c} v_s v_t h e y w Hc).",
        ]
