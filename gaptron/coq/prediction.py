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

    modules = ""  # of the library, beside those of the loss
    guarantee = "guarantee"
    theorem = "{}_theorem"  # of the library, for a kind of loss
    refutations = ""  # of the library, beside those of the loss
    broken = "broken_round {K} {d} {s} {X}"  # the condition that fails, before the rate
    broken_loss = "broken_loss {K} {s}"  # that on the loss alone
    broken_by = "{}_broken"  # of the library, for a kind of loss
    rewrites = "witness_classes, "  # what a broken round's surrogate gap speaks of
    equations = "Ea"  # the names of those that ``apart`` leaves
    start = "take_apart; positively"  # what it ends with
    until_then: tuple[str, ...] = ()  # what comes before it

    def __init__(self, development: "Development") -> None:
        self.development = development

    def risks(self) -> tuple[str, str]:
        """What is expected to be paid on right and on wrong rounds."""
        a, k = self.development.call(self.development.a), self.development.k
        return f"{a} * ({k} - 1) / {k}", f"1 - {a} / {k}"

    def apart(self, at: str) -> str:
        """Tactics that go through the cases of the risks."""
        return self.development.apart(self.development.a, "Ea", at)

    def risk(self, a: Term, is_right: bool, classes: int, *constants: Term) -> Term:
        """What is expected to be paid on one round, at a value of the gap map and those of the constants."""
        share = Fraction(1, classes)
        return ("*", 1 - share, a) if is_right else ("+", ONE, ("*", -share, a))

    def constants(self) -> tuple["Function", ...]:
        """Of what it is made, beside the gap map."""
        return ()

    def of_guarantee(self, c: str) -> str:
        """What the guarantee says of it, after the loss."""
        return ""

    def conditions(self, kind: str, c: str) -> str:
        """The library's conditions, before the classes and functions that they are about."""
        return f"{kind}_conditions"

    def last_condition(self) -> list[str]:
        """The proof of the condition that is about it alone."""
        return []

    def constants_are_known(self) -> list[str]:
        """What makes ``start`` say that constants are defined."""
        return []


class Abstaining(Guessing):
    """No label, which costs ``abstention_cost``. The rates divide by functions of it."""

    modules = "AbstentionDefinitions AbstentionConditions"
    guarantee = "abstention_guarantee"
    theorem = "abstaining_{}_theorem"
    refutations = " AbstentionRefutationDefinitions AbstentionRefutations"
    broken = "broken_abstention_round {K} {d} {s} (abstention_cost {c}) {X}"
    broken_by = "{}_broken_abstaining _"
    rewrites = ""
    equations = "Ea Ex"
    start = "take_apart; known; positively"
    until_then = ("Ltac known := idtac.", "")

    def __init__(self, development: "Development", cost: "Function") -> None:
        super().__init__(development)
        self.cost = cost

    def risks(self) -> tuple[str, str]:
        """A mistake costs 1."""
        a, cost = self.development.call(self.development.a), self.development.call(self.cost)
        return f"{a} * {cost}", f"1 - {a} + {a} * {cost}"

    def apart(self, at: str) -> str:
        """The gap map's, and the cost's."""
        return f"{super().apart(at)}; {self.development.apart(self.cost, 'Ex')}"

    def risk(self, a: Term, is_right: bool, classes: int, *constants: Term) -> Term:
        """A mistake costs 1."""
        (cost,) = constants
        return ("*", a, cost) if is_right else ("+", ONE, ("*", -ONE, a), ("*", a, cost))

    def constants(self) -> tuple["Function", ...]:
        """The cost."""
        return (self.cost,)

    def of_guarantee(self, c: str) -> str:
        """The cost."""
        return f" (abstention_cost {c})"

    def conditions(self, kind: str, c: str) -> str:
        """Those at the cost."""
        return f"abstaining_{kind}_conditions (abstention_cost {c})"

    def last_condition(self) -> list[str]:
        """The cost is not negative."""
        uses = self.development.uses("abstention cost/nonnegative", first=("lra",))
        return [f"- {self.development.apart(self.cost, 'Ex')}; start; {uses}."]

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
    guarantee = "decoder_guarantee"
    theorem = "decoder_{}_theorem"
    refutations = " DecoderRefutationDefinitions DecoderRefutations"
    broken = "broken_decoder_round {K} {rows} {d} {s} {X}"
    broken_loss = "broken_score_loss {K} {s}"

    def conditions(self, kind: str, c: str) -> str:
        """What labels need."""
        return f"{kind}_needs"


class DecodingSwitched(Decoding):
    """The same, where rounds may be off."""

    modules = "ScoreLosses DecoderDefinitions SwitchedDecoderDefinitions"
    guarantee = "switched_decoder_guarantee"
    theorem = "switched_decoder_{}_theorem"
    broken = "broken_switched_decoder_round {K} {rows} {d} {s} (Some (threshold {c})) {X}"


class Attaining(Guessing):
    """What some algorithm attains: proximal steps and the best decoder."""

    modules = "ScoreLosses Optimal"
    guarantee = "attainable"
    theorem = "attaining_{}_theorem"
    refutations = " ProximalRefutations"

    def conditions(self, kind: str, c: str) -> str:
        """Those of the constant."""
        return f"attaining_{kind}_conditions"


def of_decoder(theorem: Theorem) -> type[Guessing]:
    """What a theorem with the best decoder is about."""
    if theorem.update == "proximal":
        return Attaining
    is_switched = isinstance(theorem.loss, MarginLoss) and theorem.loss.off_above is not None
    return DecodingSwitched if is_switched else Decoding
