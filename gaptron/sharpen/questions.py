"""The three questions about a loss: each has constraints, a way to prove a learning rate and one to rule it out."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

import sympy as sp

from gaptron.obligations import obligations
from gaptron.obligations.claims import is_algebraic
from gaptron.obligations.gap import gap_obligations
from gaptron.obligations.parameters import gap_map_obligations, learning_rate_obligation
from gaptron.prove.tasks import Task
from gaptron.sharpen.constraints import Constraint, gap_constraints
from gaptron.sharpen.engine import Attempt
from gaptron.sharpen.maps import candidates
from gaptron.sharpen.needs import decoder_constraints, map_constraints, tied_constraints
from gaptron.sharpen.witnesses import Finder, breaks_every_decoder, breaks_every_map, breaks_gap_map
from gaptron.theorem import Lemma, Theorem

Proposal = tuple[str | None, Attempt]  # the gap map it is about, if it is not the given one, and what to prove


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
    yield None, tuple(Task(whole, obligation) for obligation in needed)


def _best_map(theorem: Theorem, eta: sp.Expr) -> Iterator[Proposal]:
    if not _is_algebraic(map_constraints(theorem)):
        *_, least = candidates(theorem, eta)
        yield str(least.expression), _lemma(theorem, "the least gap map", map_constraints(theorem, tied=True), eta)
        return
    for gap_map in candidates(theorem, eta):
        ((_, attempt),) = _given(replace(theorem, gap_map=gap_map), eta)
        yield str(gap_map.expression), attempt


def _best_decoder(theorem: Theorem, eta: sp.Expr) -> Iterator[Proposal]:
    dear = not _is_algebraic(decoder_constraints(theorem))  # then with one variable less
    constraints = tied_constraints(theorem) if dear else decoder_constraints(theorem)
    yield None, _lemma(theorem, "a decoder exists", constraints, eta)


def _is_algebraic(constraints: Iterable[Constraint]) -> bool:
    return all(is_algebraic(part) for c in constraints for part in (c.fixed, c.slope))


def _lemma(theorem: Theorem, what: str, constraints: Iterable[Constraint], eta: sp.Expr) -> Attempt:
    """All the constraints at this learning rate."""
    implications = tuple(c.implication(f"round/{n}", eta) for n, c in enumerate(constraints, 1))
    return lemma_tasks(Lemma(name=f"{theorem.name}: {what}", implications=implications))


def lemma_tasks(lemma: Lemma) -> Attempt:
    """Everything that the lemma says."""
    return tuple(Task(lemma, obligation) for obligation in obligations(lemma))


QUESTIONS = (
    Question("given_gap_map", "given map", gap_constraints, _given, breaks_gap_map),
    Question("best_gap_map", "best map", map_constraints, _best_map, breaks_every_map),
    Question("best_decoder", "best decoder", decoder_constraints, _best_decoder, breaks_every_decoder),
)
