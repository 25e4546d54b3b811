"""Deletion and mutation of proofs: a change of a shipped argument is noticed, by the composer or by the kernel.

A step is deleted, a hypothesis of the argument or of a step is dropped, a constant of the conclusion is changed, a
fact is replaced by its false neighbour. No change survives.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from typing import Any

import pytest
import sympy as sp
from conftest import REPOSITORY, shipped_entries
from sympy.core.relational import Relational
from test_readme import table

from gaptron import Argument, Cases, Implication, Lemma, TheoremError, Use
from gaptron.checking.check import check
from gaptron.theory.arguments import Put, Rounds
from gaptron.theory.claims import LedgerClaim
from gaptron.theory.compose import CompositionError, compose
from gaptron.theory.files import load_whole, shipped_files
from gaptron.theory.verdict import Verdict

FEW_FILES = [("neurips25", "delayed.py")]
SAMPLE, SAMPLED_GIVENS, MANY_GIVENS = 24, 1, 60
SECONDS = 2.0
SEED = 20_261_122
NOTICED = "<!-- table: changes noticed -->"
# What may be left out of a proof unnoticed, and why.


@dataclass(frozen=True)
class Mutant:
    """One argument with one change; ``asked`` is the implication that a dropped hypothesis leaves to be proved."""

    claim: str
    kind: str
    what: str
    argument: Argument | None
    asked: Implication | None = None

    @property
    def name(self) -> tuple[str, str]:
        return self.claim, f"{self.kind}: {self.what}"


@cache
def claims(few: bool) -> tuple[LedgerClaim, ...]:
    """Those of all shipped files, or of a few files that cite nothing else."""
    if not few:
        return tuple(filed.claim for filed in shipped_entries()[1])
    files = [file for file in shipped_files() if (file.parent.name, file.name) in FEW_FILES]
    return tuple(filed.claim for file in files for filed in load_whole(file)[1])


@cache
def others(few: bool) -> dict[str, tuple[Argument, ...]]:
    return {claim.id: claim.arguments for claim in claims(few)}


def changed(argument: Argument, **change: Any) -> Argument | None:
    """With a change; None if the vocabulary refuses it."""
    try:
        return replace(argument, **change)
    except TheoremError:
        return None


def variants(steps: tuple[Any, ...]) -> Iterator[tuple[Any, tuple[Any, ...], Any]]:
    """Every step, cases included, with the steps before and after it put around what replaces it."""
    for number, step in enumerate(steps):
        yield step, steps, (lambda new, number=number: (*steps[:number], *new, *steps[number + 1 :]))
        if isinstance(step, Rounds):
            for one, _, around in variants(step.before):
                yield (
                    one,
                    step.before,
                    lambda new, number=number, step=step, around=around: (
                        *steps[:number],
                        replace(step, before=around(new)),
                        *steps[number + 1 :],
                    ),
                )
        if isinstance(step, Cases):
            for case, inside in step.cases.items():
                for one, _, around in variants(inside):
                    yield (
                        one,
                        inside,
                        lambda new, number=number, step=step, case=case, around=around: (
                            *steps[:number],
                            replace(step, cases={**step.cases, case: around(new)}),
                            *steps[number + 1 :],
                        ),
                    )


def mutants(few: bool) -> Iterator[Mutant]:
    for claim in claims(few):
        for argument in claim.arguments:
            for kind, what, change, asked in changes(argument):
                yield Mutant(claim.id, kind, f"{argument.name}: {what}", changed(argument, **change), asked)


def changes(argument: Argument) -> Iterator[tuple[str, str, dict[str, Any], Implication | None]]:
    for step, _, around in variants(argument.steps):
        yield "step deleted", str(getattr(step, "name", step))[:80], {"steps": around(())}, None
        if isinstance(step, Use):
            false = replace(step, fact=replace(step.fact, then=step.fact.neighbour))
            yield "false neighbour", step.fact.name, {"steps": around((false,))}, None
        inner = step.step if isinstance(step, (Put, Rounds)) else step
        if isinstance(inner, Implication):
            for given in inner.given:
                weaker = replace(inner, given=tuple(one for one in inner.given if one is not given))
                new = replace(step, step=weaker) if isinstance(step, (Put, Rounds)) else weaker
                yield "given dropped", f"{inner.name}, {given}", {"steps": around((new,))}, weaker
    for hypothesis in argument.hypotheses:
        kept = tuple(one for one in argument.hypotheses if one is not hypothesis)
        yield "hypothesis dropped", str(hypothesis), {"hypotheses": kept}, None
    for number, end in enumerate(argument.conclusion):
        for new in other_constants(end):
            ends = (*argument.conclusion[:number], new, *argument.conclusion[number + 1 :])
            yield "constant changed", str(new), {"conclusion": ends}, None


def other_constants(end: Any) -> Iterator[Relational]:
    """The relation with each number of one side larger by one; without numbers, with its right side doubled, plus 1."""
    if not isinstance(end, Relational):
        return
    found = False
    for number, side in enumerate(end.args):
        for constant in sorted(side.atoms(sp.Rational) - {sp.Integer(0), sp.Integer(-1)}, key=str):
            found = True
            sides = [*end.args[:number], side.xreplace({constant: constant + 1}), *end.args[number + 1 :]]
            yield end.func(*sides, evaluate=False)
    if not found:
        yield end.func(end.lhs, 2 * end.rhs + 1, evaluate=False)


def is_composed(mutant: Mutant, few: bool) -> bool:
    """Whether the vocabulary and the composer accept it."""
    if mutant.argument is None:
        return False
    try:
        compose(mutant.argument, others(few))
    except CompositionError:
        return False
    return True


def survivors(chosen: list[Mutant], few: bool) -> list[Mutant]:
    """What neither the composer notices nor, where a step has lost a hypothesis, the kernel: it is still PROVED."""
    composed = [mutant for mutant in chosen if is_composed(mutant, few)]
    asked = [mutant for mutant in composed if mutant.asked is not None]
    lemmas = [Lemma(name=f"mutant {n}", implications=(m.asked,)) for n, m in enumerate(asked) if m.asked is not None]
    proved = [m for m, one in zip(asked, check(lemmas, SECONDS, 2), strict=True) if one.verdict is Verdict.PROVED]
    return [mutant for mutant in composed if mutant.asked is None] + proved


def sampled(few: bool, givens: int) -> list[Mutant]:
    """Changes that the composer judges, of a few files a sample, and some of a hypothesis, which cost a search each.

    Drawn by their names, so that a new claim leaves the draw of the others as it is.
    """
    by_composer = sorted((m for m in mutants(few) if m.asked is None), key=drawn)
    by_search = sorted((m for m in mutants(few) if m.asked is not None), key=drawn)
    return by_composer[: SAMPLE if few else None] + by_search[:givens]


def drawn(mutant: Mutant) -> bytes:
    return sha256(repr((SEED, *mutant.name)).encode()).digest()


@pytest.mark.slow
def test_a_sample_of_changes_is_noticed() -> None:
    assert [m.name for m in survivors(sampled(True, SAMPLED_GIVENS), True)] == []


@pytest.mark.slow
def test_every_shipped_argument_composes() -> None:
    for claim in claims(False):
        for argument in claim.arguments:
            compose(argument, others(False))


@pytest.mark.slow
def test_changes_of_each_kind_are_noticed() -> None:
    chosen = sampled(False, MANY_GIVENS)
    left = survivors(chosen, False)
    total, missed = Counter(m.kind for m in chosen), Counter(m.kind for m in left)
    print({kind: f"{count - missed[kind]} of {count}" for kind, count in total.items()})
    assert [m.name for m in left] == []
    rows = [f"| {kind} | {100 * (total[kind] - missed[kind]) // total[kind]} |" for kind in sorted(total)]
    page = REPOSITORY / "docs" / "whole_arguments.md"
    table(page, NOTICED, "\n".join(["", "| change | noticed of 100 |", "|---|---|", *rows]))
