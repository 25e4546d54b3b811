"""Bandit feedback: from a witness to what ``proofs/coq/BanditRefutationDefinitions.v`` calls broken.

The rates are functions of the game X, D and T. At the witness's they are terms, of which the kernel's enclosures show
in which case of a minimum or maximum they are.
"""

from fractions import Fraction
from typing import TYPE_CHECKING

from gaptron.coq.bandit_feedback import Tuning
from gaptron.coq.broken_maps import MarginWitness, Row, SoftmaxWitness, chances_of, near, squares_of
from gaptron.coq.prediction import risk
from gaptron.coq.proved import shown
from gaptron.coq.real_terms import AND, number, show
from gaptron.coq.refuted import DEFINED, HALF, LIA, ONE, ZERO, Refuted, Witness, piece_at, refutation
from gaptron.coq.script import OutOfScopeError
from gaptron.kernel.enclosures import enclose
from gaptron.language.expressions import Expression
from gaptron.language.terms import Term
from gaptron.numbers.evaluate import value_at
from gaptron.numbers.kinds import Number
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.pieces import Piece
from gaptron.prove.rational_functions import rational_value
from gaptron.rounds import margin

if TYPE_CHECKING:
    from gaptron.coq.from_data import FromData


class BanditWitness(Witness):
    """The lemmas about one witness: a round in a game, or a game whose regret is too small.

    What a round says of its loss is with the kinds of losses.
    """

    def __init__(self, development: "FromData", found: Refuted, surrogate: str) -> None:
        super().__init__(development, found, surrogate)
        assert development.tuning is not None  # noqa: S101
        self.tuning: Tuning = development.tuning
        self.values |= dict(zip("XDT", found.game, strict=True))
        self.game = f"{self.c} {' '.join(map(number, found.game))}"
        self.exact: dict[str, Number] = {**self.values}
        self.explored: Term = ONE

    @property
    def rates(self) -> list[str]:
        """Those of which the condition speaks."""
        return ["exploration", "learning_rate", *(["excess"] if self.found.part == "regret" else [])]

    def write(self) -> None:
        """The rest of the development, after its functions."""
        self._open()
        self.terms = {name: self._rate(name) for name in self.rates}
        if self.found.part == "round":
            self.in_game()
            self._whole_game("broken_bandit_round K d {s} X D {exploration} {learning_rate}")
        else:
            self._regret_breaks()
            self._whole_game("broken_bandit_regret K D {exploration} {learning_rate} (INR T) {excess}")

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
        self.tuning.define(name)
        piece = piece_at(Coverage(d.guesses).pieces(expr), self.exact)
        value = self._at(piece.value)
        if name == "exploration":
            self.explored, self.exact["gamma"] = value, value_at(value, {})
        at = f"{self.game} {show(self.explored)}" if more else self.game
        known = [f"pose proof {fact}; " for fact in self._cases(name, piece)]
        d.add(
            f"Lemma witness_{name} : {name} {at} = {show(value)}.",
            f"Proof. unfold {name}. split_cases; first [equal | (exfalso; {''.join(known)}take_apart; lra)]. Qed.",
            "",
            f"Lemma witness_{name}_defined : {name}_defined {at}.",
            f"Proof. unfold {name}_defined. split_cases; parts; {DEFINED}. Qed.",
            "",
        )
        return value

    def _cases(self, name: str, piece: Piece) -> list[str]:
        """Facts that say that the game is in the piece, where it is not on the boundary."""
        facts = []
        for place, condition in enumerate(piece.conditions):
            fact = f"witness_{name}_case_{place}"
            sides = (self._at(condition.left), self._at(condition.right))
            large, small = sides if condition.sign in (">", ">=") else sides[::-1]
            if self.development.claims.positive(fact, ("+", large, ("*", -ONE, small))):
                facts.append(fact)
        return facts

    def _at(self, smooth: Expression) -> Term:
        """A smooth expression at the game, as it is written."""
        return self.development.printer.term(smooth, {**self.values, "gamma": self.explored})

    # --- what is broken -------------------------------------------------------------------------------------------

    def in_game(self) -> None:
        """The round as a lemma."""
        raise NotImplementedError

    @property
    def broken_in_game(self) -> str:
        """The condition that fails, for a loss."""
        ball, eta = number(self.found.game[1]), show(self.terms["learning_rate"])
        return f"broken_bandit_round {self.k} 1 {self.there} 1 {ball}\n  {show(self.explored)} {eta}"

    def share(self, at: Fraction) -> tuple[Term, str]:
        """The larger one of the gap map there and gamma, and tactics that prove that it is."""
        d = self.development
        a = self.value(d.a, at)
        apart = d.apart(d.a, "Ea", number(at), rewrite="rewrite ?{}", c=self.c)
        for share, other, lemma in ((a, self.explored, "Rmax_left"), (self.explored, a, "Rmax_right")):
            difference: Term = ("+", share, ("*", -ONE, other))
            if self.development.claims.positive("witness_share", difference):
                close = f"(rewrite {lemma}; [equal | pose proof witness_share; take_apart; lra])"
                return share, f"{apart}; {self.known}first [(exfalso; lra) | {close}]"
            if rational_value(difference) == 0:
                return share, f"{apart}; {self.known}first [(exfalso; lra) | (apply {lemma}; lra)]"
        raise OutOfScopeError("no enclosure shows which share of the uniform distribution its witness has")

    def gap_in_game(self, share: Term, is_right: bool, value: Term, squared: Term) -> Term:
        """The surrogate gap of a round, eta/2 times the size of its subgradient being eta times ``squared``."""
        others = Fraction(self.found.classes - 1, self.found.classes)
        chance = chance_of(share, is_right, self.found.classes)
        step: Term = ("*", self.terms["learning_rate"], squared, ("^", chance, -1))
        paid = risk(share, is_right, others)
        return ("+", paid, ("*", -others, self.explored), ("*", -ONE, value), step)

    def _regret_breaks(self) -> None:
        """The claimed regret is less than T, and than D^2/(2 eta) + gamma T (K - 1)/K."""
        _, ball, rounds = self.found.game
        share = Fraction(self.found.classes - 1, self.found.classes)
        eta, regret = self.terms["learning_rate"], self.terms["excess"]
        paid: Term = ("+", ("*", ball**2 / 2, ("^", eta, -1)), ("*", share * rounds, self.explored))
        self.positive("witness_is_less", ("+", paid, ("*", -ONE, regret)))
        self.positive("witness_is_below", ("+", rounds, ("*", -ONE, regret)))
        self.development.add(
            f"Lemma witness_breaks : broken_bandit_regret {self.k} {number(ball)} {show(self.explored)}",
            f"  {show(eta)} {number(rounds)} {show(regret)}.",
            "Proof. split; rewrite ?witness_classes; [use witness_is_below | use witness_is_less]. Qed.",
            "",
        )

    # --- the theorem ----------------------------------------------------------------------------------------------

    def _whole_game(self, broken: str) -> None:
        """Within what is claimed, where everything is defined, the condition fails."""
        d = self.development
        c = " ".join(["(INR K)", *d.others])
        calls = {"exploration": f"(exploration {c} X D (INR T))"}
        for name in self.rates[1:]:
            more = f" {calls['exploration']}" if self.tuning.rates[name][1] else ""
            calls[name] = f"({name} {c} X D (INR T){more})"
        functions = [d.defined_at(function, c)[0] for function in d.functions]
        rates = [call[1:-1].replace(name, f"{name}_defined", 1) for name, call in calls.items()]
        proofs = [d.defined_at(function, self.at_classes)[1] for function in d.functions]
        bound = f"(K d : nat){d.quantified} (X D : R) (T : nat)"
        premises = [*d.ranges(), "0 < X", "0 < D", "(1 <= T)%nat"]
        x, ball, rounds = self.found.game
        numbers = [f"{self.k}%nat", "1%nat", *map(number, (*self.found.parameters, x, ball)), f"(Z.to_nat {rounds})"]
        proof = (
            f"  split; [{''.join(f'split; [{proof} |]; ' for proof in proofs)}idtac |];",
            "    rewrite witness_classes, witness_rounds, ?witness_exploration.",
            f"  - {''.join(f'split; [exact witness_{rate}_defined |]; ' for rate in self.rates[:-1])}"
            f"exact witness_{self.rates[-1]}_defined.",
            f"  - {''.join(f'rewrite ?witness_{rate}. ' for rate in self.rates[1:])}exact witness_breaks.",
        )
        parts = f"({AND.join([*functions, *rates])})", broken.format(s=self.surrogate.format(c), **calls)
        d.add(*refutation(d.module, bound, premises, parts, numbers, *proof, known=[self.is_claimed]))


def chance_of(share: Term, is_right: bool, classes: int) -> Term:
    """The probability of the label."""
    others = Fraction(classes - 1, classes)
    return ("+", ONE, ("*", -others, share)) if is_right else ("*", Fraction(1, classes), share)


class MarginGame(BanditWitness, MarginWitness):
    """phi(m)."""

    def in_game(self) -> None:
        """P(wrong) - gamma (K - 1)/K - phi(m) + eta g^2/p'(y) > 0 for a tangent of phi there."""
        row, top, label = self.row, self.top, self.found.label
        (s, _), (m, rival) = margin(row, top), margin(row, label)
        self.scores("witness_scores", row)
        tangent = self.phi.steepest(m)
        says, value, slope = self.phi.lemma(tangent), tangent.value, tangent.slope
        share, is_share = self.share(s)
        chance = chance_of(share, top == label, self.found.classes)
        self.positive("witness_chance", chance)
        self.positive("witness_gap", self.gap_in_game(share, top == label, value, ("^", slope, 2)))
        at, top_at, falls = number(m), number(s), self.falls(slope)
        texts = " ".join(map(show, (slope, value, share, chance)))
        self.witness_breaks(
            self.broken_in_game,
            f"  refine (margin_broken_bandit {self.k} _ _ _ witness_scores {LIA} _ _ _ {top} {label} {rival} {top_at}",
            f"    {at} {texts} _ _ {LIA} {LIA} {LIA} _ _ _ _ (proj2 {says}) _",
            f"    (proj1 {says}) _ _ _ _).",
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
        )


class SoftmaxGame(BanditWitness, SoftmaxWitness):
    """psi(p_y): the logarithms of the weights of labels are in the ball."""

    def in_game(self) -> None:
        """P(wrong) - gamma (K - 1)/K - psi(q) + eta/2 ||g||^2/p'(y) > 0 for the slope of psi at q."""
        label, weights = self.found.label, self._in_ball()
        self.weights("witness_weights", weights)
        top, chances = weights.index(max(weights)), chances_of(weights)
        q, above = number(chances[label]), number(chances[top])
        share, is_share = self.share(chances[top])
        chance, falls = chance_of(share, top == label, self.found.classes), self.falls(chances[label])
        says = self.says(chances[label])
        self.positive("witness_chance", chance)
        self.positive("witness_in_ball", self._slack(weights))
        self.positive("witness_gap", self._gap_there(weights, share))
        texts = " ".join(map(show, (self.psi.steepest(chances[label]).value, share, chance)))
        self.witness_breaks(
            self.broken_in_game,
            f"  refine (softmax_broken_bandit {self.k} _ _ witness_weights {LIA} witness_weights_positive _ _ _",
            f"    {top} {label} {above} {q} {number(squares_of(chances, label))} _ {texts}",
            f"    _ {LIA} _ _ _ _ (proj2 {says}) _ _ _ _ _ _).",
            f"  - {self.is_top}.",
            *[f"  - {self.computed}."] * 3,
            "  - cbv beta iota delta [sum witness_weights]; pose proof witness_in_ball; take_apart; lra.",
            f"  - {falls}.",
            f"  - exact (proj1 {says}).",
            f"  - {is_share}.",
            "  - cbn [Nat.eqb]. rewrite ?witness_classes. equal.",
            "  - use witness_chance.",
            "  - cbn [Nat.eqb]. rewrite ?witness_classes. use witness_gap.",
        )

    def _in_ball(self) -> Row:
        """Weights near the witness's whose logarithms are in the ball, at which the round is broken."""
        (row,) = self.found.scores
        for weights in map(_centred, near(row, 1)):
            top = self.value(self.development.a, max(chances_of(weights)))
            share = top if shown(("+", top, ("*", -ONE, self.explored))) else self.explored
            if shown(self._slack(weights)) and shown(self._gap_there(weights, share)):
                return weights
        raise OutOfScopeError("no round near its witness with rational probabilities is seen to be broken")

    def _slack(self, weights: Row) -> Term:
        """By how much the squared logarithms are less than D^2."""
        return ("+", self.found.game[1] ** 2, *(("*", -ONE, ("^", ("log", weight), 2)) for weight in weights))

    def _gap_there(self, weights: Row, share: Term) -> Term:
        """The surrogate gap of the round."""
        label, chances = self.found.label, chances_of(weights)
        q, is_right = chances[label], weights[label] == max(weights)
        size = (1 - q) ** 2 + squares_of(chances, label)
        return self.gap_in_game(share, is_right, self.psi.steepest(q).value, ("*", HALF, self.steep(q), size))


def _centred(weights: Row) -> list[Fraction]:
    """In the same proportions, with logarithms whose mean is about zero."""
    logs: Term = ("+", ZERO, *(("log", weight) for weight in weights))
    middle = enclose(("exp", ("*", Fraction(1, len(weights)), logs)), {}, 64)[0]
    return [weight / Fraction(round(16 * middle), 16) for weight in weights]
