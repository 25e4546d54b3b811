"""What the learner does with the share a of a round, in the library's words: it guesses, or abstains at a cost."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from gaptron.language.terms import Term
from gaptron.theory.for_classes import data_of
from gaptron.theory.theorem import Theorem

ONE = Fraction(1)


@dataclass(frozen=True)
class Prediction:
    """What Coq is told of one: usually that a label is drawn at random, which is wrong with probability (K - 1)/K.

    In ``theorem`` and ``conditions`` is the ``{kind}`` of loss; in ``guarantee`` the losses {0}, and the classes and
    parameters {1}, which in ``conditions`` are {{0}}, beside the classes {{1}}.
    """

    modules: str = "Expectations"  # of the library, beside those of the loss
    guarantee: str = "guarantee (full {0})"
    theorem: str = "{kind}_theorem"  # of the library
    conditions: str = "{kind}_conditions (guessing {{1}})"  # of it, before the functions that they are about
    refutations: str = ""  # of the library, beside those of the loss
    broken: str = "broken_round {K} {d} {s} {X}"  # the condition that fails, before the rate
    broken_loss: str = "broken_loss {K} {s}"  # that on the loss alone
    broken_by: str = "broken_guessing"  # of the library, by a round that is broken at the price
    priced: str = "unfold guessing; rewrite ?witness_classes"  # a tactic: the price in such a round's gap
    start: str = "take_apart; positively"  # what ``start`` ends with


GUESSING = Prediction()
ABSTAINING = Prediction(  # no label, which costs ``abstention_cost``; the rates divide by functions of it
    modules="AbstentionDefinitions AbstentionTheorem",
    guarantee="guarantee (abstention {0} (abstention_cost {1}))",
    theorem="abstaining_{kind}_theorem",
    conditions="{kind}_conditions (abstention_cost {{0}})",
    refutations=" AbstentionRefutationDefinitions AbstentionRefutations",
    broken="broken_abstention_round {K} {d} {s} (abstention_cost {c}) {X}",
    broken_by="broken_abstaining",
    priced="idtac",
    start="take_apart; known; positively",
)
EXPLORING = Prediction(refutations=" BanditRefutationDefinitions BanditRefutations")  # at the rates of a game
DECODING = Prediction(  # what every label needs at least: the best decoder
    modules="ScoreLosses DecoderDefinitions",
    guarantee="guarantee (decoding {0})",
    theorem="decoder_{kind}_theorem",
    conditions="{kind}_needs",
    refutations=" DecoderRefutationDefinitions DecoderRefutations",
    broken="broken_decoder_round {K} {rows} {d} {s} {X}",
    broken_loss="broken_score_loss {K} {s}",
)
SWITCHED = replace(  # the same, where rounds may be off
    DECODING,
    guarantee="guarantee (decoding_switched {0})",
    theorem="switched_decoder_{kind}_theorem",
    broken="broken_switched_decoder_round {K} {rows} {d} {s} (Some (threshold {c})) {X}",
)
ATTAINING = Prediction(  # what some algorithm attains: proximal steps and the best decoder
    modules="ScoreLosses Optimal",
    guarantee="attainable {0}",
    theorem="attaining_{kind}_theorem",
    conditions="attaining_{kind}_conditions",
    refutations=" ProximalRefutations",
)


def prediction_of(theorem: Theorem) -> Prediction:
    """By the feedback, the decoder and the updates."""
    if theorem.feedback == "bandit":
        return EXPLORING
    if theorem.abstention_cost is not None:
        return ABSTAINING
    if theorem.decoder == "gap map":
        return GUESSING
    if theorem.update == "proximal":
        return ATTAINING
    return SWITCHED if "off_above" in data_of(theorem) else DECODING


def constants_known(names: Sequence[str], blanks: str) -> Iterator[str]:
    """What makes ``start`` say that these functions of what is claimed are defined."""
    fact = "    let F := fresh in assert (F := {0}_is_defined {1} H); unfold {0}_defined in F"
    yield f"Ltac known ::=\n  lazymatch goal with H : claimed {blanks} |- _ =>"
    yield ";\n".join(fact.format(name, blanks) for name in names)
    yield "  end; take_apart."
    yield ""


def risk(a: Term, is_right: bool, price: Term) -> Term:
    """What is expected to be paid on one round, at a value of the gap map and the price of its share."""
    return ("*", a, price) if is_right else ("+", ONE, ("*", -ONE, a), ("*", a, price))
