"""Theorem -> obligations: every statement about real numbers that the lemma needs, each to be decided on its own.

One lemma stands behind all of them (van der Hoeven 2020, Lemma 1): if every round's surrogate gap
P(wrong) - loss(W) + (eta/2) ||g||^2 is at most zero, then the expected mistakes are at most the comparator's loss
plus ||U||^2/(2 eta). The gap depends on (W, x, y) through few scalars only, those of the loss's ``reduction``.

What has to be believed for the evidence ``kernel``, beside the kernel itself, Python and ``theory.data`` (which reads
what a file's process hands over): the modules of this table; for structured theorems also of that of ``structured``.
Sympy is asked for guesses and texts alone. Lines (tests/soundness/test_trusted_lines.py) are code without docstrings.

| module | lines | what it says | how it is tested |
|---|---|---|---|
| __init__ | 81 | which obligations a theorem has | a theorem broken in each argument is not PROVED |
| pieces | 72 | conditions as lists of relations | pieces against exact values, degenerate theorem files |
| coverage | 150 | what is left out is noted, and what must be defined | wrong guesses planted, degenerate files |
| sequents, setting, statement | 145 | hypotheses; the kernel's language | names and assumptions planted |
| loss | 73 | defined, non-negative, convex, non-increasing | broken losses of each kind |
| reduction, mixture, gap | 190 | the scalars of a round, the gap | against the learner's own round |
| margin_losses, one_vector, softmax_losses, all_scores | 430 | geometries, decoders | rounds, `OptimalAllScores.v` |
| sharp, parameters, bandit | 215 | gap map, rates, regret, contacts | broken parameters of each kind |
| constraint, attained | 75 | rates, any algorithm | the best decoder's own needs, linear programs, streams |
| expressions, instantiation, normal, formulas, variables | 412 | ``language`` | random ones, also without a value |
| reading | 88 | ``door``: what a file says, as data | against sympy's values, in every check |

Guesses, from which claims follow (a case is empty, two forms are equal), are an argument: ``guessing`` lists them.
"""

from collections.abc import Iterator

from gaptron.door.reading import read_relation, variable
from gaptron.language.formulas import where
from gaptron.obligations.all_scores import PairwiseReduction, SeparableReduction
from gaptron.obligations.attained import proximal_obligations
from gaptron.obligations.bandit import bandit_rate_obligation, bandit_regret_obligation, exploration_obligation
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.gap import decoder_obligations, gap_obligations
from gaptron.obligations.guessing import Guesses
from gaptron.obligations.loss import loss_obligations
from gaptron.obligations.margin_losses import MarginReduction
from gaptron.obligations.mixture import scaled_learning_rate
from gaptron.obligations.one_vector import OneVectorReduction
from gaptron.obligations.parameters import (
    cost_obligations,
    defined_obligations,
    gap_map_obligations,
    learning_rate_obligation,
    regret_obligations,
)
from gaptron.obligations.pieces import NOWHERE
from gaptron.obligations.reduction import Reduction
from gaptron.obligations.sequents import Obligation, Sequent
from gaptron.obligations.setting import OWN, in_setting
from gaptron.obligations.sharp import sharp_obligation
from gaptron.obligations.softmax_losses import SoftmaxReduction
from gaptron.obligations.structured import structured_obligations
from gaptron.theory.items import Item
from gaptron.theory.losses import BinaryLoss, Loss, MarginLoss, PairwiseLoss, SeparableLoss, SoftmaxLoss
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.theorem import Lemma, Theorem

__all__ = ["NOWHERE", "Obligation", "Sequent", "obligations", "reduction_of"]
REDUCTIONS: dict[type[Loss], type[Reduction]] = {
    MarginLoss: MarginReduction,
    SoftmaxLoss: SoftmaxReduction,
    BinaryLoss: OneVectorReduction,
    PairwiseLoss: PairwiseReduction,
    SeparableLoss: SeparableReduction,
}


def reduction_of(theorem: Theorem) -> Reduction:
    """By the geometry of its loss."""
    return REDUCTIONS[type(theorem.loss)](theorem)


def obligations(item: Item, guesses: Guesses) -> tuple[Obligation, ...]:
    """Everything that must hold for the theorem (or lemma) to be true, in the order it is reported.

    Nothing is guessed here: from a guess that is used a claim follows, and with a wrong one that is not proved.
    """
    if isinstance(item, StructuredTheorem):
        return tuple(in_setting(item, structured_obligations(item, guesses), guesses))
    found = _of_lemma(item) if isinstance(item, Lemma) else _of_theorem(item, guesses)
    return tuple(in_setting(item, found, guesses))


def _of_lemma(lemma: Lemma) -> Iterator[Obligation]:
    for i in lemma.implications:
        given, then = tuple(map(read_relation, i.given)), read_relation(i.then)
        known = tuple(map(variable, i.symbols))
        classes = where("K >= 2") if OWN["K"] in known else ()
        yield Obligation(i.name, i.formula, (Sequent((*given, *classes), then, known=known),), words=i.statement)


def _of_theorem(theorem: Theorem, guesses: Guesses) -> Iterator[Obligation]:
    reduction, coverage = reduction_of(theorem), Coverage(guesses)
    yield from loss_obligations(reduction, coverage)
    if theorem.decoder == "gap map":
        yield from gap_map_obligations(reduction, coverage)
    yield from defined_obligations(reduction, coverage)
    yield from cost_obligations(theorem, coverage)
    of_parameters = proximal_obligations if theorem.update == "proximal" else _of_parameters
    yield from of_parameters(reduction, coverage)
    yield from coverage.obligation()


def _of_parameters(reduction: Reduction, coverage: Coverage) -> Iterator[Obligation]:
    theorem = reduction.theorem
    eta = scaled_learning_rate(theorem, coverage)
    if eta is None:
        unsupported = "neither learning_rate nor regret is given, and gaptron sharpen finds the largest"
        yield Obligation("gap", "the surrogate gap is at most 0", (), unsupported)
        return
    if theorem.feedback == "bandit":
        yield exploration_obligation(theorem, coverage)
        yield bandit_rate_obligation(theorem, coverage)
    else:
        yield learning_rate_obligation(theorem, eta, coverage)
    of_rounds = decoder_obligations if theorem.decoder == "best" else gap_obligations
    yield from reduction.undecided(eta, coverage) or of_rounds(reduction, eta, coverage)
    yield from sharp_obligation(reduction, eta, coverage)
    if theorem.feedback == "bandit":
        yield from bandit_regret_obligation(theorem, coverage)
    else:
        yield from regret_obligations(theorem, eta, coverage)
