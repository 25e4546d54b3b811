"""The four questions about a loss: each has constraints, a way to prove a learning rate and one to rule it out.

The fourth one, over all algorithms, has the constraints of the criterion in ``obligations.attained``: they are linear
in eta = 1/(2 c), so that the search and the brackets are those of learning rates, a bracket of eta one of c.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction

import sympy as sp

from gaptron.constants.best_predictions import best_predictions
from gaptron.constants.engine import Attempt
from gaptron.constants.rate_constraint import RateConstraint, gap_constraints, implications, in_symbols
from gaptron.constants.rate_search import Binding
from gaptron.constants.witnesses import Finder, breaks_every_decoder, breaks_every_map, breaks_gap_map, points
from gaptron.door.reading import read
from gaptron.guesses import obligations_of
from gaptron.guesses.computer_algebra import SympyGuesses
from gaptron.obligations import Obligation, reduction_of
from gaptron.obligations.attained import proximal_obligations
from gaptron.obligations.constraint import Constraint, Implied
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.gap import gap_obligations
from gaptron.obligations.parameters import defined_obligations, gap_map_obligations, learning_rate_obligation
from gaptron.obligations.pieces import put_all, put_in
from gaptron.obligations.setting import in_setting
from gaptron.prove.broken_rounds import streams
from gaptron.prove.exact_text import Witness
from gaptron.prove.tasks import Task
from gaptron.theory.decoders import GapMap
from gaptron.theory.losses import with_threshold
from gaptron.theory.theorem import NO_MIXTURE, Lemma, Theorem


def proximal(theorem: Theorem, c: sp.Expr | None = None) -> Theorem:
    """The theorem about proximal updates for the same loss; with a threshold, for phi of the true label's margin.

    Raises
    ------
    NotImplementedError
        With an abstention cost, which is another target.
    """
    if theorem.abstention_cost is not None:
        raise NotImplementedError("with an abstention cost only the given gap map is sharpened")
    loss = with_threshold(theorem.loss, None)
    return replace(
        theorem,
        loss=loss,
        feedback="full",
        exploration=None,
        gap_map=NO_MIXTURE,
        decoder="best",
        update="proximal",
        learning_rate=None,
        regret=c,
        sharp_at=None,
    )


def of_every_map(theorem: Theorem, coverage: Coverage) -> Iterator[Constraint]:
    """What some gap map asks."""
    return best_predictions(theorem).map_constraints(coverage)


def of_every_decoder(theorem: Theorem, coverage: Coverage) -> Iterator[Constraint]:
    """What some decoder asks."""
    return best_predictions(theorem).decoder_constraints(coverage)


def optimal_constraints(theorem: Theorem, coverage: Coverage) -> Iterator[Constraint]:
    """The criterion of every algorithm, in eta = 1/(2 c)."""
    return reduction_of(proximal(theorem)).searched(coverage)


def breaks_every_algorithm(theorem: Theorem, contact: Binding, n_classes: int, eta: Fraction) -> Witness | None:
    """A stream on which every algorithm breaks the bound with c = 1/(2 eta)."""
    c = 1 / (2 * eta)
    for point in points(contact):
        for witness in streams(proximal(theorem).loss, c, point, n_classes):
            return {"regret": str(c), **witness}
    return None


Proposal = tuple[GapMap | None, Attempt]  # the gap map it is about, if it is not the given one, and what to prove


@dataclass(frozen=True)
class Question:
    """Which learning rates are possible, over which predictions."""

    name: str
    title: str
    reduced: Callable[[Theorem, Coverage], Iterable[Constraint]]
    proposals: Callable[[Theorem, sp.Expr], Iterator[Proposal]]
    breaks: Finder
    impossible: str = "no learning rate above 0 works: at that round the gap is positive for each of them"

    def constraints(self, theorem: Theorem) -> list[RateConstraint]:
        """What a learning rate must satisfy."""
        return list(in_symbols(theorem, self.reduced))


def with_rate(theorem: Theorem, eta: sp.Expr) -> Theorem:
    """The theorem with this learning rate and no claim about its regret."""
    return replace(theorem, learning_rate=eta, regret=None, sharp_at=None)


def for_classes(theorem: Theorem, n_classes: int) -> Theorem:
    """The theorem for one number of classes, without a learning rate."""
    return replace(theorem, learning_rate=None, regret=None, sharp_at=None, classes=n_classes)


def _given(theorem: Theorem, eta: sp.Expr) -> Iterator[Proposal]:
    whole = with_rate(theorem, eta)
    guesses = SympyGuesses.of(whole)
    reduction, coverage, rate = reduction_of(whole), Coverage(guesses), read(eta)
    needed = (
        *gap_map_obligations(reduction, coverage),
        *defined_obligations(reduction, coverage),
        learning_rate_obligation(whole, rate, coverage),
        *gap_obligations(reduction, rate, coverage),
    )
    yield None, _tasks(whole, (*needed, *coverage.obligation()))


def _tasks(whole: Theorem, needed: tuple[Obligation, ...]) -> Attempt:
    if isinstance(whole.classes, int):
        needed = tuple(_for_classes(obligation, whole.classes) for obligation in needed)
    return tuple(Task(whole, obligation) for obligation in in_setting(whole, needed, SympyGuesses.of(whole)))


def _for_classes(obligation: Obligation, n_classes: int) -> Obligation:
    """The obligation with the number of classes put in, which leaves one variable less to the proof."""
    values = {"K": Fraction(n_classes)}
    claims = tuple(
        replace(claim, given=put_all(claim.given, values), then=put_in(claim.then, values))
        for claim in obligation.claims
    )
    return replace(obligation, claims=claims)


def _best_map(theorem: Theorem, eta: sp.Expr) -> Iterator[Proposal]:
    guesses = SympyGuesses.of(theorem)
    coverage, best = Coverage(guesses), best_predictions(theorem)
    least = best.least_map(eta, coverage)
    if least is not None:
        gap_map, implied = least
        yield gap_map, _lemma(theorem, "the least gap map", implied, coverage, guesses)
        return
    for gap_map in best.maps(eta, coverage):
        ((_, attempt),) = _given(replace(theorem, gap_map=gap_map), eta)
        yield gap_map, attempt


def _best_decoder(theorem: Theorem, eta: sp.Expr) -> Iterator[Proposal]:
    guesses = SympyGuesses.of(theorem)
    coverage = Coverage(guesses)
    implied = reduction_of(theorem).decoder_implications(read(eta), coverage)
    yield None, _lemma(theorem, "a decoder exists", implied, coverage, guesses)


def _any_algorithm(theorem: Theorem, eta: sp.Expr) -> Iterator[Proposal]:
    whole = proximal(theorem, 1 / (2 * eta))
    guesses = SympyGuesses.of(whole)
    coverage = Coverage(guesses)
    needed = tuple(proximal_obligations(reduction_of(whole), coverage))
    yield None, _tasks(whole, (*needed, *coverage.obligation()))


def _lemma(
    theorem: Theorem, what: str, implied: Iterable[Implied], coverage: Coverage, guesses: SympyGuesses
) -> Attempt:
    """All that is implied, and that no case was lost."""
    lemma = Lemma(name=f"{theorem.name}: {what}", implications=implications(implied, guesses))
    whole = in_setting(theorem, coverage.obligation(), guesses)
    return (*lemma_tasks(lemma), *(Task(theorem, obligation) for obligation in whole))


def lemma_tasks(lemma: Lemma) -> Attempt:
    """Everything that the lemma says."""
    return tuple(Task(lemma, obligation) for obligation in obligations_of(lemma))


QUESTIONS = (
    Question("given_gap_map", "given map", gap_constraints, _given, breaks_gap_map),
    Question("best_gap_map", "best map", of_every_map, _best_map, breaks_every_map),
    Question("best_decoder", "best decoder", of_every_decoder, _best_decoder, breaks_every_decoder),
    Question(
        "any_algorithm",
        "any algorithm",
        optimal_constraints,
        _any_algorithm,
        breaks_every_algorithm,
        "no algorithm has a finite regret: there the comparator pays less than any prediction, at no norm",
    ),
)
