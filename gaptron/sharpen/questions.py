"""The three questions about a loss: each has constraints, a way to prove a learning rate and one to rule it out."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import sympy as sp

from gaptron.decoders import GapMap
from gaptron.losses import SoftmaxLoss
from gaptron.obligations import Claim, Obligation, needs, obligations, softmax_needs
from gaptron.obligations.constraint import Constraint
from gaptron.obligations.decoder import all_algebraic, decoder_implications
from gaptron.obligations.gap import gap_obligations
from gaptron.obligations.parameters import gap_map_obligations, learning_rate_obligation
from gaptron.prove.tasks import Task
from gaptron.sharpen.constraints import gap_constraints
from gaptron.sharpen.engine import Attempt
from gaptron.sharpen.maps import candidates
from gaptron.sharpen.witnesses import Finder, breaks_every_decoder, breaks_every_map, breaks_gap_map
from gaptron.symbols import K
from gaptron.theorem import Lemma, Theorem

Proposal = tuple[GapMap | None, Attempt]  # the gap map it is about, if it is not the given one, and what to prove


@dataclass(frozen=True)
class Question:
    """Which learning rates are possible, over which predictions."""

    name: str
    title: str
    constraints: Callable[[Theorem], Iterable[Constraint]]
    proposals: Callable[[Theorem, sp.Expr], Iterator[Proposal]]
    breaks: Finder


def with_rate(theorem: Theorem, eta: sp.Expr) -> Theorem:
    """The theorem with this learning rate and no claim about its regret."""
    return replace(theorem, learning_rate=eta, regret=None, sharp_at=None)


def for_classes(theorem: Theorem, n_classes: int) -> Theorem:
    """The theorem for one number of classes, without a learning rate."""
    return replace(theorem, learning_rate=None, regret=None, sharp_at=None, classes=n_classes)


def _given(theorem: Theorem, eta: sp.Expr) -> Iterator[Proposal]:
    whole = with_rate(theorem, eta)
    needed = (*gap_map_obligations(whole), learning_rate_obligation(whole, eta), *gap_obligations(whole, eta))
    n_classes = whole.classes
    if isinstance(n_classes, int):
        needed = tuple(_for_classes(obligation, n_classes) for obligation in needed)
    yield None, tuple(Task(whole, obligation) for obligation in needed)


def _for_classes(obligation: Obligation, n_classes: int) -> Obligation:
    """The obligation with the number of classes put in, which leaves one variable less to the proof."""
    claims = []
    for claim in obligation.claims:
        given = tuple(relation.subs(K, n_classes) for relation in claim.given)
        then = claim.then.func(*(side.subs(K, n_classes) for side in claim.then.args), evaluate=False)
        if sp.false not in given:
            claims.append(Claim(given, then))
    return replace(obligation, claims=tuple(claims))


def _map_constraints(theorem: Theorem) -> Iterator[Constraint]:
    return softmax_needs.map_constraints(theorem) if _is_softmax(theorem) else needs.map_constraints(theorem)


def _best_map(theorem: Theorem, eta: sp.Expr) -> Iterator[Proposal]:
    if not _is_softmax(theorem) and not all_algebraic(needs.map_constraints(theorem)):
        *_, least = candidates(theorem, eta)
        tied = needs.map_constraints(theorem, tied=True)
        yield least, _lemma(theorem, "the least gap map", tied, eta)
        return
    maps = softmax_needs.largest_maps(theorem, eta) if _is_softmax(theorem) else candidates(theorem, eta)
    for gap_map in maps:
        ((_, attempt),) = _given(replace(theorem, gap_map=gap_map), eta)
        yield gap_map, attempt


def _decoder_constraints(theorem: Theorem) -> Iterator[Constraint]:
    return softmax_needs.decoder_constraints(theorem) if _is_softmax(theorem) else needs.decoder_constraints(theorem)


def _best_decoder(theorem: Theorem, eta: sp.Expr) -> Iterator[Proposal]:
    implications = tuple(decoder_implications(theorem, eta))
    yield None, lemma_tasks(Lemma(name=f"{theorem.name}: a decoder exists", implications=implications))


def _is_softmax(theorem: Theorem) -> bool:
    if theorem.abstention_cost is not None:
        raise NotImplementedError("with an abstention cost only the given gap map is sharpened")
    return isinstance(theorem.loss, SoftmaxLoss)


def _lemma(theorem: Theorem, what: str, constraints: Iterable[Constraint], eta: sp.Expr) -> Attempt:
    """All the constraints at this learning rate."""
    implications = tuple(c.implication(f"round/{n}", eta) for n, c in enumerate(constraints, 1))
    return lemma_tasks(Lemma(name=f"{theorem.name}: {what}", implications=implications))


def lemma_tasks(lemma: Lemma) -> Attempt:
    """Everything that the lemma says."""
    return tuple(Task(lemma, obligation) for obligation in obligations(lemma))


QUESTIONS = (
    Question("given_gap_map", "given map", gap_constraints, _given, breaks_gap_map),
    Question("best_gap_map", "best map", _map_constraints, _best_map, breaks_every_map),
    Question("best_decoder", "best decoder", _decoder_constraints, _best_decoder, breaks_every_decoder),
)
