"""The best decoder: what margin losses and losses of one weight vector share, and the latter's conditions.

Of each label it is left open whether it counts. For every choice, and every piece in which a label's loss is, the claim
of the obligation that is about them is looked up by what it says.
"""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import compress, product

from gaptron.coq.broken_decoder import BinaryNeeds
from gaptron.coq.in_pieces import InPieces
from gaptron.coq.proved import Claims, closing
from gaptron.coq.refuted import Refuted
from gaptron.coq.writing import COVERAGE, EMPTY, Development, functions_of
from gaptron.door.reading import read
from gaptron.language.formulas import formula
from gaptron.language.normal import alike
from gaptron.obligations import obligations
from gaptron.obligations.constraint import Constraint
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.decoder import all_algebraic
from gaptron.obligations.guesses import Guesses
from gaptron.obligations.needs import MINUS_S, ONE, Face, Weighted, at_most_one, decoder_constraints, need_of
from gaptron.obligations.sequents import class_conditions
from gaptron.obligations.setting import as_claimed
from gaptron.theory.theorem import Theorem

NOWHERE: Mapping[str, str] = {}


class DecoderDevelopment(Development):
    """What the two kinds of losses share."""

    def __init__(self, theorem: Theorem, claims: Claims, module: str, found: Refuted | None = None) -> None:
        super().__init__(theorem, claims, module, found is not None)
        needs = [one for one in obligations(theorem) if one.id.startswith("decoder/")]
        self.said = {one.id: claim.then for one in needs for claim in one.claims}
        self.guesses = Guesses.of(theorem)

    @property
    def tied(self) -> bool:
        """Whether the obligations are about wrong labels that are tied."""
        return not all_algebraic(decoder_constraints(self.theorem, Coverage(self.guesses)))

    def together(self, labels: Sequence[Weighted], at_least: int, at: Mapping[str, str] = NOWHERE) -> str:
        """A tactic: these labels need at most 1 together, by a claim that says so, or because there is no such case."""
        return self.by_claim(
            at_most_one(self.theorem, Face("", (), ()), [*labels], at_least, Coverage(self.guesses)), at
        )

    def by_claim(self, constraints: Iterable[Constraint], at: Mapping[str, str] = NOWHERE) -> str:
        """A tactic: by a claim that says one of these constraints, or because there is no such case."""
        rates = Coverage(self.guesses).pieces(read(self.eta.expr), class_conditions(self.theorem))
        wanted = [as_claimed(self.theorem, one.at_rate(rate.value)) for one, rate in product(constraints, rates)]
        attempts = [
            self.claims.use(row, at)
            for one in wanted
            for name, then in self.said.items()
            if then.sign == one.sign and alike(then.difference, one.difference)
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

    def of_rate(self) -> str:
        """Tactics that go through the cases of the rate."""
        return f"{self.apart(self.eta, 'Er')}; clear Er; {self._known()}"

    def in_pieces(self, values: Sequence[tuple[InPieces, int, str, str]], then: str) -> str:
        """A tactic for labels whose losses are in these pieces, at these places by these names."""
        c = self.binders
        put = ", ".join(f"({side.name}_value_{number} {c} {at} Hc {name})" for side, number, at, name in values)
        return f"first [solve [start; exfalso; lra]\n  | unfold need; rewrite {put}; {then}]."


def by_choice(labels: str, cases: Sequence[str]) -> str:
    """Tactics: one case for every choice of the labels that count."""
    chosen = ", ".join(f"H{label} as [-> | ->]" for label in labels)
    return f"\n    (destruct {chosen};\n    [{chr(10).join(f'    | {case}' for case in cases).removeprefix('    | ')}])"


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
        """Where the obligations are about tied labels, there are K - 1 of the wrong one."""
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
        pieces = product(
            enumerate(self.minus.smooth), enumerate(self.plus.smooth), (("s", "v_z"), (MINUS_S, "(- v_z)"))
        )
        for (second, minus), (first, plus), (place, at) in pieces:
            counts = [ONE, formula("K - 1") if self.tied else ONE]
            found = [
                (count, need_of(piece.data, "z", place, Fraction(1, 2)))
                for count, piece in zip(counts if place == "s" else counts[::-1], (plus, minus), strict=True)
            ]
            choices = product((False, True), repeat=2)
            cases = [
                f"rewrite ?Rmult_0_l; start; {self.together([*compress(found, chosen)], 2, {'s': at})}"
                if any(chosen)
                else "lra"
                for chosen in choices
            ]
            places = [(self.minus, second, "v_z", "Hq"), (self.plus, first, "v_z", "Hp")]
            tied = self._as_tied("y" if place == "s" else "x")
            self.add(f"  - {self.in_pieces(places, f'{self.of_rate()};{tied}' + by_choice('xy', cases))}")
        self.add("Qed.", "")

    def _as_tied(self, wrong: str) -> str:
        """Tactics: the wrong label counts K - 1 times, as the claims about tied labels say."""
        if not self.tied:
            return ""
        counts = f"{wrong} = 0 \\/ {wrong} = {self.k} - 1"
        return f" assert (Q : {counts}) by (start; destruct H{wrong}; lra); clear H{wrong}; rename Q into H{wrong};"

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
