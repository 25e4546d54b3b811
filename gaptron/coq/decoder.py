"""The best decoder for margin losses and losses of one weight vector: the library's conditions on what labels need.

Of each label it is left open whether it counts. For every choice, and every piece in which a label's loss is, the claim
of the obligation that is about them is looked up by what it says.
"""

from collections.abc import Sequence
from itertools import compress, product

import sympy as sp

from gaptron.coq.broken_decoder import BinaryNeeds, MarginNeeds
from gaptron.coq.in_pieces import InPieces
from gaptron.coq.proved import Claims, closing
from gaptron.coq.refuted import Refuted
from gaptron.coq.writing import COVERAGE, EMPTY, Development, functions_of
from gaptron.obligations import obligations
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.gap import s, t
from gaptron.obligations.needs import Face, Weighted, at_most_one, need_of
from gaptron.symbols import K, m, z
from gaptron.theory.theorem import Theorem

LABELS = ("x", "y", "w")  # whether the top label, the runner-up, all others count


class DecoderDevelopment(Development):
    """What the two kinds of losses share."""

    def __init__(self, theorem: Theorem, claims: Claims, module: str, found: Refuted | None = None) -> None:
        super().__init__(theorem, claims, module, found is not None)
        needs = [one for one in obligations(theorem) if one.id.startswith("decoder/")]
        self.said = {one.id: claim.then for one in needs for claim in one.claims}

    def together(self, labels: Sequence[Weighted], at_least: int, at: dict[str, str]) -> str:
        """A tactic: these labels need at most 1 together, by a claim that says so, or because there is no such case."""
        attempts = [
            self.claims.use(row, at)
            for rate in Coverage().pieces(self.eta.expr, self.classes)
            for constraint in at_most_one(self.theorem, Face("", (), ()), [*labels], at_least, Coverage())
            for name, then in self.said.items()
            if then == constraint.implication("needs", rate.value).then
            for row in self.claims.by_obligation.get(name, [])
        ]
        return closing(EMPTY, attempts, self.claims.attempts(COVERAGE, at=at))

    def _known(self) -> str:
        """A tactic: what the rate divides by is not zero, also where a claim does not need to say so."""
        return f"pose proof (rate_is_defined {self.binders} Hc) as F; unfold rate_defined in F"

    def regret_follows(self) -> str:
        """As for gap maps."""
        return f"- {self._known()}; {super().regret_follows().removeprefix('- ')}"

    def a_piece(self, side: InPieces, at: str, slope: str, rate: str, weight: str) -> str:
        """Tactics: of the last label's subgradient, only the slopes of the pieces are left."""
        c = self.binders
        known = f"({side.name}_pieces {c} Hc) ({side.name}_covered {c} Hc)"
        return (
            f"(apply (pieces_need _ _ {known} {at} {slope}); [{weight} | {rate} | | assumption]);\n"
            f"  unfold {side.name}_parts; every_piece"
        )

    def at_most_one(self, values: Sequence[tuple[InPieces, int, str, str]], cases: Sequence[str]) -> str:
        """A tactic for the labels in these pieces, at these places by these names: one case for every choice."""
        c = self.binders
        put = ", ".join(f"({side.name}_value_{number} {c} {at} Hc {name})" for side, number, at, name in values)
        chosen = ", ".join(f"H{label} as [-> | ->]" for label in LABELS[: len(values)])
        rate = f"{self.apart(self.eta, 'Er')}; clear Er; {self._known()}"
        return (
            f"first [solve [start; exfalso; lra]\n  | unfold need; rewrite {put}; {rate};\n"
            f"    destruct {chosen};\n    [{chr(10).join(f'    | {case}' for case in cases).removeprefix('    | ')}]]."
        )


class MarginDecoder(DecoderDevelopment):
    """phi(m)."""

    theory = "MarginTheorem DecoderConditions"

    def __init__(self, theorem: Theorem, claims: Claims, module: str, found: Refuted | None = None) -> None:
        super().__init__(theorem, claims, module, found)
        phi = functions_of(theorem.loss)[0]
        self.functions = [phi, *self.functions]
        self.phi = InPieces(self, phi)
        self.open()
        if found is not None:
            MarginNeeds(self, found, "(of_scores d (of_margin K (phi {0})))").write()
            return
        self.phi.write()
        self.rate()
        self._needs()
        self._conditions()
        self.whole(
            "K K d (of_scores d (of_margin K (phi {0})))",
            "apply decoder_margin_theorem; [lia | exact (conditions {0} Hc) | exact HX]",
        )

    def _needs(self) -> None:
        c, k, phi, smooth = self.binders, self.k, self.phi, self.phi.smooth
        need = f"need (phi {c}) (rate {c})"
        self.add(
            f"Lemma needs {c} v_s v_t g h e x y w : claimed {c} -> 0 <= v_s <= v_t ->",
            f"  none_or_one x -> none_or_one y -> none_or_one w -> ({k} = 2 -> w = 0) ->",
            f"  subgradient (phi {c}) v_s g -> subgradient (phi {c}) (- v_s) h -> subgradient (phi {c}) (- v_t) e ->",
            f"  x * {need} v_s g + y * {need} (- v_s) h + w * ({k} - 2) * {need} (- v_t) e <= 1.",
            "Proof.",
            "  intros Hc [Hs Hst] Hx Hy Hw Htwo Hg Hh He.",
            f"  assert (Hrate := Rlt_le _ _ (rate_is_positive {c} Hc)). assert (Hk : 2 <= {k}) by (start; lra).",
            "  assert (Rx := none_or_one_range x Hx). assert (Ry := none_or_one_range y Hy).",
            "  assert (Rw := none_or_one_range w Hw).",
            f"  {self.a_piece(phi, '(- v_t)', 'e', 'exact Hrate', 'apply Rmult_le_pos; lra')}; intro Ht;",
            f"  apply first_of_three_last; {self.a_piece(phi, 'v_s', 'g', 'exact Hrate', 'lra')}; intro Hp;",
            f"  apply first_of_three_last; {self.a_piece(phi, '(- v_s)', 'h', 'exact Hrate', 'lra')}; intro Hq.",
        )
        for others, top, second in product(range(len(smooth)), repeat=3):
            cases = [self._case(chosen, top, second, others) for chosen in product((False, True), repeat=3)]
            places = [(phi, others, "(- v_t)", "Ht"), (phi, top, "v_s", "Hp"), (phi, second, "(- v_s)", "Hq")]
            self.add(f"  - {self.at_most_one(places, cases)}")
        self.add("Qed.", "")

    def _case(self, chosen: tuple[bool, ...], top: int, second: int, others: int) -> str:
        """A tactic for one choice of labels that count."""
        if not any(chosen):
            return "lra"
        smooth = self.phi.smooth
        found = [
            (sp.S.One, need_of(smooth[top], m, s, sp.S.One)),
            (sp.S.One, need_of(smooth[second], m, -s, sp.S.One)),
            (K - 2, need_of(smooth[others], m, -s, sp.S.One).at(t)),
        ]
        labels = list(compress(found, chosen))
        if not chosen[-1]:
            return f"start; {self.together(labels, 2, {})}"
        few = f"destruct (classes_of {self.binders} Hc) as [Ck | Ck]; [exfalso; specialize (Htwo Ck); lra | clear Htwo]"
        return f"{few}; start; {self.together(labels, 3, {})}"

    def _conditions(self) -> None:
        c, k = self.binders, self.k
        self.add(
            f"Lemma conditions {c} : claimed {c} -> margin_needs {k} (phi {c}) (rate {c}) {self.regret_of(c)}.",
            "Proof.\nintro Hc. split.",
            self.phi.nonnegative(),
            f"- exact {self.phi.convex}.",
            *self.phi.falls(),
            f"- exact (rate_is_positive {c} Hc).",
            f"- exact (fun v_s v_t g h e x y w => needs {c} v_s v_t g h e x y w Hc).",
            self.regret_follows(),
            "Qed.",
            "",
        )


class BinaryDecoder(DecoderDevelopment):
    """plus(z), minus(z)."""

    theory = "BinaryTheorem DecoderConditions"

    def __init__(self, theorem: Theorem, claims: Claims, module: str, found: Refuted | None = None) -> None:
        super().__init__(theorem, claims, module, found)
        sides = functions_of(theorem.loss)
        self.functions = [*sides, *self.functions]
        self.plus, self.minus = (InPieces(self, side) for side in sides)
        self.open()
        if found is not None:
            BinaryNeeds(self, found, "(of_scores d (of_sign (plus {0}) (minus {0})))").write()
            return
        self.plus.write()
        self.minus.write()
        self.rate()
        self._needs()
        self._conditions()
        self.whole(
            "2 1 d (of_scores d (of_sign (plus {0}) (minus {0})))",
            "apply decoder_binary_theorem; [exact (conditions {0} Hc) | exact HX]",
            fixed="(INR 2)",
        )

    def _needs(self) -> None:
        c = self.binders
        need = "need ({0} {1}) (rate {1} / 2) v_z"
        self.add(
            f"Lemma needs {c} v_z g h x y : claimed {c} -> none_or_one x -> none_or_one y ->",
            f"  subgradient (plus {c}) v_z g -> subgradient (minus {c}) v_z h ->",
            f"  x * {need.format('plus', c)} g + y * {need.format('minus', c)} h <= 1.",
            "Proof.",
            f"  intros Hc Hx Hy Hg Hh. assert (Hrate := rate_is_positive {c} Hc).",
            "  assert (Rx := none_or_one_range x Hx). assert (Ry := none_or_one_range y Hy).",
            f"  {self.a_piece(self.minus, 'v_z', 'h', 'lra', 'lra')}; intro Hq;",
            f"  apply first_last; {self.a_piece(self.plus, 'v_z', 'g', 'lra', 'lra')}; intro Hp;",
            "  (destruct (Rle_dec 0 v_z) as [Hz | Hz]; [| assert (Hz' : 0 <= - v_z) by lra]).",
        )
        pieces = product(enumerate(self.minus.smooth), enumerate(self.plus.smooth), ((s, "v_z"), (-s, "(- v_z)")))
        for (second, minus), (first, plus), (place, at) in pieces:
            found = [(sp.S.One, need_of(piece, z, place, sp.Rational(1, 2))) for piece in (plus, minus)]
            choices = product((False, True), repeat=2)
            cases = [
                f"start; {self.together([*compress(found, chosen)], 2, {s.name: at})}" if any(chosen) else "lra"
                for chosen in choices
            ]
            places = [(self.minus, second, "v_z", "Hq"), (self.plus, first, "v_z", "Hp")]
            self.add(f"  - {self.at_most_one(places, cases)}")
        self.add("Qed.", "")

    def _conditions(self) -> None:
        c = self.binders
        self.add(
            f"Lemma conditions {c} : claimed {c} ->",
            f"  binary_needs (plus {c}) (minus {c}) (rate {c}) {self.regret_of(c)}.",
            "Proof.\nintro Hc. split.",
            *(side.nonnegative() for side in (self.plus, self.minus)),
            *(f"- exact {side.convex}." for side in (self.plus, self.minus)),
            f"- exact (rate_is_positive {c} Hc).",
            f"- exact (fun v_z g h x y => needs {c} v_z g h x y Hc).",
            self.regret_follows(),
            "Qed.",
            "",
        )
