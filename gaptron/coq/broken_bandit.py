"""Bandit feedback: from a witness to what ``proofs/coq/BanditRefutationDefinitions.v`` calls broken.

The rates are functions of the game X, D and T. At the witness's they are terms, of which the kernel's enclosures show
in which case of a minimum or maximum they are.
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

import sympy as sp

from gaptron.coq.bandit import Tuning
from gaptron.coq.broken_margin import MarginWitness
from gaptron.coq.refuted import LIA, ONE, Refuted
from gaptron.coq.script import OutOfScopeError
from gaptron.coq.terms import AND, number, show
from gaptron.kernel.polynomials import rational_value
from gaptron.kernel.terms import Term, substitute
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.pieces import Piece
from gaptron.rounds import margin, top_label
from gaptron.symbols import D, T, X, gamma

if TYPE_CHECKING:
    from gaptron.coq.margin import MarginDevelopment

DEFINED = "first [exact I | lra | nonzero | (apply Rgt_not_eq, sqrt_lt_R0; lra)]"


class BanditWitness(MarginWitness):
    """The lemmas about one witness: a round in a game, or a game whose regret is too small."""

    def __init__(self, development: "MarginDevelopment", found: Refuted, surrogate: str) -> None:
        super().__init__(development, found, surrogate)
        assert development.tuning is not None  # noqa: S101
        self.tuning: Tuning = development.tuning
        self.values |= dict(zip((X, D, T), found.game, strict=True))
        self.game = f"{self.c} {' '.join(map(number, found.game))}"
        self.exact: dict[sp.Symbol, sp.Expr] = {
            symbol: sp.Rational(value.numerator, value.denominator) for symbol, value in self.values.items()
        }
        self.explored: Term = ONE

    @property
    def rates(self) -> list[str]:
        """Those of which the condition speaks."""
        return ["exploration", "learning_rate", *(["excess"] if self.found.part == "regret" else [])]

    def write(self) -> None:
        """The rest of the development, after its functions."""
        self._open()
        self.terms = {name: self._rate(name) for name in self.rates}
        broken = self._broken_round() if self.found.part == "round" else self._broken_regret()
        self._whole_game(broken)

    def _open(self) -> None:
        """That the numbers are claimed, of the classes and of the game."""
        self._claimed()
        rounds = int(self.found.game[2])
        self.development.add(
            f"Lemma witness_rounds : INR (Z.to_nat {rounds}) = {rounds}.",
            "Proof. rewrite INR_IZR_INZ, Z2Nat.id by lia. reflexivity. Qed.",
            "",
        )

    # --- rates ----------------------------------------------------------------------------------------------------

    def _rate(self, name: str) -> Term:
        """A rate with its value at the game as a lemma."""
        d, (expr, more) = self.development, self.tuning.rates[name]
        assert expr is not None  # noqa: S101
        self.tuning.define(name)
        piece = self._piece(Coverage().pieces(expr, ()))
        value = self._at(piece.value)
        if name == "exploration":
            self.explored, self.exact[gamma] = value, piece.value.subs(self.exact)
        at = f"{self.game} {self.show(self.explored)}" if more else self.game
        known = [f"pose proof {fact}; " for fact in self._cases(name, piece)]
        d.add(
            f"Lemma witness_{name} : {name} {at} = {self.show(value)}.",
            f"Proof. unfold {name}. split_cases; first [equal | (exfalso; {''.join(known)}take_apart; lra)]. Qed.",
            "",
            f"Lemma witness_{name}_defined : {name}_defined {at}.",
            f"Proof. unfold {name}_defined. split_cases; parts; {DEFINED}. Qed.",
            "",
        )
        return value

    def _piece(self, pieces: Sequence[Piece]) -> Piece:
        """The first piece that the game is in."""
        for piece in pieces:
            if all(condition.subs(self.exact) == sp.true for condition in piece.conditions):
                return piece
        raise OutOfScopeError("the case of its witness cannot be told")

    def _cases(self, name: str, piece: Piece) -> list[str]:
        """Facts that say that the game is in the piece, where it is not on the boundary."""
        facts = []
        for place, condition in enumerate(piece.conditions):
            fact = f"witness_{name}_case_{place}"
            if self.development.claims.positive(fact, self._at(condition.gts - condition.lts)):
                facts.append(fact)
        return facts

    def _at(self, expr: sp.Expr) -> Term:
        """A smooth expression at the game, as it is written."""
        return substitute(self.term(expr), self.development.printer.kernel_names[gamma], self.explored)

    @staticmethod
    def show(term: Term) -> str:
        """A constant as text."""
        return show(term, {})

    # --- what is broken -------------------------------------------------------------------------------------------

    def _broken_round(self) -> str:
        """P(wrong) - gamma (K - 1)/K - phi(m) + eta g^2/p'(y) > 0 for a tangent of phi there."""
        d, (row,), label = self.margin, self.found.scores, self.found.label
        d.phi.write()
        top = top_label(row)
        (s, _), (m, rival) = margin(row, top), margin(row, label)
        self.scores("witness_scores", row)
        place, value, slope = self.steepest(d.phi, m)
        share, is_share = self._share(s)
        chance = _chance(share, top == label, self.found.classes)
        self.positive("witness_chance", chance)
        self.positive("witness_gap", self._gap(share, chance, top == label, value, slope))
        at, top_at, falls = number(m), number(s), self.falls(slope)
        texts = " ".join(map(self.show, (slope, value, share, chance)))
        tangent = f"(phi_tangent_{place} {self.c} {at} Hc {self.closed})"
        d.add(
            f"Lemma witness_breaks : broken_bandit_round {self.k} 1 {self.there} 1 {number(self.found.game[1])}",
            f"  {self.show(self.explored)} {self.show(self.terms['learning_rate'])}.",
            "Proof.",
            "  assert (Hc := witness_claimed).",
            f"  refine (margin_broken_bandit {self.k} _ _ _ witness_scores {LIA} _ _ _ {top} {label} {rival} {top_at}",
            f"    {at} {texts} _ _ {LIA} {LIA} {LIA} _ _ _ _ {tangent} _",
            f"    (phi_value_{place} {self.c} {at} Hc {self.closed}) _ _ _ _).",
            f"  - {self.is_top}.",
            f"  - {self.is_margin('witness_scores', row, top)}.",
            f"  - intros k Hk Hother; {self.every}.",
            f"  - {self.compared}.",
            "  - cbv beta iota delta [sum witness_scores]; lra.",
            f"  - {self.on}.",
            f"  - {falls}.",
            f"  - {is_share}.",
            "  - cbn [Nat.eqb]. rewrite ?witness_classes. equal.",
            "  - use witness_chance.",
            "  - cbn [Nat.eqb]. rewrite ?witness_classes. use witness_gap.",
            "Qed.",
            "",
        )
        return "broken_bandit_round K d {s} X D {gamma} {eta}"

    def _share(self, s: Fraction) -> tuple[Term, str]:
        """The larger one of a(s) and gamma, and tactics that prove that it is."""
        a = self.value(self.margin.a, s)
        apart = self.margin.apart(self.margin.a, "Ea", number(s), rewrite="rewrite ?{}", c=self.c)
        for share, other, lemma in ((a, self.explored, "Rmax_left"), (self.explored, a, "Rmax_right")):
            difference: Term = ("+", share, ("*", -ONE, other))
            if self.development.claims.positive("witness_share", difference):
                close = f"(rewrite {lemma}; [equal | pose proof witness_share; take_apart; lra])"
                return share, f"{apart}; first [(exfalso; lra) | {close}]"
            if rational_value(difference) == 0:
                return share, f"{apart}; first [(exfalso; lra) | (apply {lemma}; lra)]"
        raise OutOfScopeError("no enclosure shows which share of the uniform distribution its witness has")

    def _gap(self, share: Term, chance: Term, is_right: bool, value: Term, slope: Term) -> Term:
        """The surrogate gap of the round."""
        others = Fraction(self.found.classes - 1, self.found.classes)
        risk = self.development.prediction.risk(share, is_right, self.found.classes)
        step: Term = ("*", self.terms["learning_rate"], ("^", slope, 2), ("^", chance, -1))
        return ("+", risk, ("*", -others, self.explored), ("*", -ONE, value), step)

    def _broken_regret(self) -> str:
        """The claimed regret is less than T, and than D^2/(2 eta) + gamma T (K - 1)/K."""
        _, ball, rounds = self.found.game
        share = Fraction(self.found.classes - 1, self.found.classes)
        eta, regret = self.terms["learning_rate"], self.terms["excess"]
        paid: Term = ("+", ("*", ball**2 / 2, ("^", eta, -1)), ("*", share * rounds, self.explored))
        self.positive("witness_is_less", ("+", paid, ("*", -ONE, regret)))
        self.positive("witness_is_below", ("+", rounds, ("*", -ONE, regret)))
        self.development.add(
            f"Lemma witness_breaks : broken_bandit_regret {self.k} {number(ball)} {self.show(self.explored)}",
            f"  {self.show(eta)} {number(rounds)} {self.show(regret)}.",
            "Proof. split; rewrite ?witness_classes; [use witness_is_below | use witness_is_less]. Qed.",
            "",
        )
        return "broken_bandit_regret K D {gamma} {eta} (INR T) {regret}"

    # --- the theorem ----------------------------------------------------------------------------------------------

    def _whole_game(self, broken: str) -> None:
        """Within what is claimed, where everything is defined, the condition fails."""
        d = self.development
        c = " ".join(["(INR K)", *d.others])
        calls = {"exploration": f"(exploration {c} X D (INR T))"}
        for name in self.rates[1:]:
            more = f" {calls['exploration']}" if self.tuning.rates[name][1] else ""
            calls[name] = f"({name} {c} X D (INR T){more})"
        named = {"gamma": calls["exploration"], "eta": calls["learning_rate"], "regret": calls.get("excess", "")}
        functions = [d.defined_at(function, c)[0] for function in d.functions]
        rates = [call[1:-1].replace(name, f"{name}_defined", 1) for name, call in calls.items()]
        proofs = [d.defined_at(function, self.at_classes)[1] for function in d.functions]
        bound = f"(K d : nat){''.join(f' ({name} : R)' for name in d.others)} (X D : R) (T : nat)"
        premises = [*d.ranges(), "0 < X", "0 < D", "(1 <= T)%nat"]
        x, ball, rounds = self.found.game
        numbers = [f"{self.k}%nat", "1%nat", *map(number, (*self.found.parameters, x, ball)), f"(Z.to_nat {rounds})"]
        name = f"{d.module}_refuted"
        d.add(
            f"Theorem {name} : exists {bound},",
            f"  ({AND.join(premises)}) /\\",
            f"  ({AND.join([*functions, *rates])}) /\\",
            f"  {broken.format(s=self.surrogate.format(c), **named)}.",
            "Proof.",
            f"  assert (Hc : claimed {self.at_classes}) by (rewrite witness_classes; exact witness_claimed).",
            f"  exists {', '.join(numbers)}.",
            "  split; [parts; first [lia | lra] |].",
            f"  split; [{''.join(f'split; [{proof} |]; ' for proof in proofs)}idtac |];",
            "    rewrite witness_classes, witness_rounds, ?witness_exploration.",
            f"  - {''.join(f'split; [exact witness_{rate}_defined |]; ' for rate in self.rates[:-1])}"
            f"exact witness_{self.rates[-1]}_defined.",
            f"  - {''.join(f'rewrite ?witness_{rate}. ' for rate in self.rates[1:])}exact witness_breaks.",
            "Qed.",
            f"Print Assumptions {name}.",
        )


def _chance(share: Term, is_right: bool, classes: int) -> Term:
    """The probability of the label."""
    others = Fraction(classes - 1, classes)
    return ("+", ONE, ("*", -others, share)) if is_right else ("*", Fraction(1, classes), share)
