"""What the learner does with the share a of a round, in the library's words: it guesses, or abstains at a cost."""

from fractions import Fraction
from typing import TYPE_CHECKING

from gaptron.language.terms import Term
from gaptron.theory.losses import MarginLoss
from gaptron.theory.theorem import Theorem

if TYPE_CHECKING:
    from gaptron.coq.writing import Development, Function

ONE = Fraction(1)


class Guessing:
    """A label at random, which is wrong with probability (K - 1)/K."""

    modules = "Expectations"  # of the library, beside those of the loss
    game = "full"  # of which the guarantee is
    theorem = "{}_theorem"  # of the library, for a kind of loss
    refutations = ""  # of the library, beside those of the loss
    broken = "broken_round {K} {d} {s} {X}"  # the condition that fails, before the rate
    broken_loss = "broken_loss {K} {s}"  # that on the loss alone
    broken_by = "broken_guessing"  # of the library, by a round that is broken at the price
    priced = "unfold guessing; rewrite ?witness_classes"  # a tactic: the price in such a round's gap
    start = "take_apart; positively"  # what it ends with
    until_then: tuple[str, ...] = ()  # what comes before it

    def __init__(self, development: "Development") -> None:
        self.development = development

    def price(self, c: str, k: str) -> str:
        """Of the share, at classes and parameters ``c`` and ``k`` classes."""
        return f"(guessing {k})"

    def conditions(self, kind: str, c: str, k: str) -> str:
        """The library's conditions, before the classes and functions that they are about."""
        return f"{kind}_conditions {self.price(c, k)}"

    def risk(self, a: Term, is_right: bool, classes: int, *constants: Term) -> Term:
        """What is expected to be paid on one round, at a value of the gap map and those of the constants."""
        (price,) = constants or (1 - Fraction(1, classes),)
        return ("*", a, price) if is_right else ("+", ONE, ("*", -ONE, a), ("*", a, price))

    def constants(self) -> tuple["Function", ...]:
        """Of what it is made, beside the gap map."""
        return ()

    def guaranteed(self, losses: str, c: str) -> str:
        """What the guarantee is about, of some losses."""
        return f"guarantee ({self.game} {losses})"

    def constants_are_known(self) -> list[str]:
        """What makes ``start`` say that constants are defined."""
        return []


class Abstaining(Guessing):
    """No label, which costs ``abstention_cost``. The rates divide by functions of it."""

    modules = "AbstentionDefinitions AbstentionTheorem"
    game = "abstention"
    theorem = "abstaining_{}_theorem"
    refutations = " AbstentionRefutationDefinitions AbstentionRefutations"
    broken = "broken_abstention_round {K} {d} {s} (abstention_cost {c}) {X}"
    broken_by = "broken_abstaining"
    priced = "idtac"
    start = "take_apart; known; positively"
    until_then = ("Ltac known := idtac.", "")

    def __init__(self, development: "Development", cost: "Function") -> None:
        super().__init__(development)
        self.cost = cost

    def price(self, c: str, k: str) -> str:
        """The cost."""
        return f"(abstention_cost {c})"

    def constants(self) -> tuple["Function", ...]:
        """The cost."""
        return (self.cost,)

    def guaranteed(self, losses: str, c: str) -> str:
        """At the cost."""
        return super().guaranteed(f"{losses} {self.price(c, '')}", c)

    def constants_are_known(self) -> list[str]:
        """All of them are."""
        blanks = self.development.blanks
        facts = (
            f"    let F := fresh in assert (F := {name}_is_defined {blanks} H); unfold {name}_defined in F"
            for name in (one.name for one in self.development.functions if one.variable is None)
        )
        return [
            f"Ltac known ::=\n  lazymatch goal with H : claimed {blanks} |- _ =>",
            ";\n".join(facts),
            "  end; take_apart.",
            "",
        ]


class Exploring(Guessing):
    """A label at random, with at least the share gamma, at the rates of a game."""

    refutations = " BanditRefutationDefinitions BanditRefutations"


class Decoding(Guessing):
    """What every label needs at least: the best decoder."""

    modules = "ScoreLosses DecoderDefinitions"
    game = "decoding"
    theorem = "decoder_{}_theorem"
    refutations = " DecoderRefutationDefinitions DecoderRefutations"
    broken = "broken_decoder_round {K} {rows} {d} {s} {X}"
    broken_loss = "broken_score_loss {K} {s}"

    def conditions(self, kind: str, c: str, k: str) -> str:
        """What labels need."""
        return f"{kind}_needs"


class DecodingSwitched(Decoding):
    """The same, where rounds may be off."""

    game = "decoding_switched"
    theorem = "switched_decoder_{}_theorem"
    broken = "broken_switched_decoder_round {K} {rows} {d} {s} (Some (threshold {c})) {X}"


class Attaining(Guessing):
    """What some algorithm attains: proximal steps and the best decoder."""

    modules = "ScoreLosses Optimal"
    theorem = "attaining_{}_theorem"
    refutations = " ProximalRefutations"

    def guaranteed(self, losses: str, c: str) -> str:
        """A problem, which some algorithm solves."""
        return f"attainable {losses}"

    def conditions(self, kind: str, c: str, k: str) -> str:
        """Those of the constant."""
        return f"attaining_{kind}_conditions"


def of_decoder(theorem: Theorem) -> type[Guessing]:
    """What a theorem with the best decoder is about."""
    if theorem.update == "proximal":
        return Attaining
    is_switched = isinstance(theorem.loss, MarginLoss) and theorem.loss.off_above is not None
    return DecodingSwitched if is_switched else Decoding
