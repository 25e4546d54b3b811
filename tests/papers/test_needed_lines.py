"""Every line of a proof is needed: without it a later step, or the claim, is not found."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from test_proof_files import FILES, claims, named
from test_stronger_claims import GIVEN
from test_trees import replayed_to

from gaptron.papers import premise_search
from gaptron.papers.checked_files import ProvedClaim
from gaptron.papers.layout import PlaceError, ProofLine
from gaptron.papers.premise_search import LIMITS, NoProofError, SolverLimit
from gaptron.papers.proof_lines import Cited, Hints, Proof, StepError
from gaptron.papers.rules import Judgement
from gaptron.papers.scope import Scope
from gaptron.papers.typed_formulas import Formula
from gaptron.prove import positivstellensatz

searched, justified, stepped = Scope.prove, Hints.read, Proof.step
SHARE = 10  # of its time a search has a tenth too: where this finds nothing, the line is needed
ATTEMPTS = 5  # of the search, at a core or a certificate: with more of them other lines may turn out idle
OF_LINES = {"cases", "induction", "cite", *GIVEN}  # rules that lines and their justifications name; search has others


class NoticedError(Exception):
    """A step, or the claim, is not found."""


@dataclass
class Recalled:
    """Proves what the tree of a claim proves without the judgements of one line; searches for the rest."""

    steps: Sequence[Judgement]
    gone: Collection[Judgement]  # of the line that is deleted, and of its justification
    lines: Mapping[Formula, Collection[int]]  # what all others say, and which
    attempts: int | None = ATTEMPTS

    def prove(self, scope: Scope, goal: Formula, extra: Sequence[Judgement] = ()) -> Judgement:
        """In the place of ``Scope.prove``."""
        assumed = {p.then for p in scope.local}
        known = (p for p in scope.known() if p.then == goal)
        found = (p for p in self.steps if p.then == goal and p.local <= assumed and p.made[0] not in OF_LINES)
        one = next(known, None) or next((p for p in found if not self.rests(p)), None)
        try:
            return one or self.searched(scope, goal, extra)
        except NoProofError as error:
            raise NoticedError from error

    def searched(self, scope: Scope, goal: Formula, extra: Sequence[Judgement]) -> Judgement:
        """With a few attempts at most."""
        if self.attempts is None:
            return searched(scope, goal, extra)
        left = iter(range(self.attempts))

        def counted(attempt: Callable[..., Any]) -> Callable[..., Any]:
            def one_more(*given: Any) -> Any:
                if next(left, None) is None:
                    raise NoticedError
                return attempt(*given)

            return one_more

        with pytest.MonkeyPatch.context() as patch:
            for attempt in ("core", "certificate"):
                patch.setattr(premise_search, attempt, counted(getattr(premise_search, attempt)))
            return searched(scope, goal, extra)

    def rests(self, p: Judgement) -> bool:
        """Whether the line that is deleted is used, not through another line than the one that says this."""
        todo, seen, own = [p], set[int](), {*self.lines.get(p.then, ())}
        while todo:
            q = todo.pop()
            if id(q) in seen:
                continue
            seen.add(id(q))
            if self.is_gone(q):
                return True
            if not {*self.lines.get(q.then, ())} - own:
                todo += premises(q)
        return False

    def is_gone(self, q: Judgement) -> bool:
        """Whether the deleted line made it, or what it says; not if another line says the same and search made it."""
        named = q.made[0] in OF_LINES
        return any(q is p or (q.then == p.then and (named or q.then not in self.lines)) for p in self.gone)


def premises(p: Judgement) -> Iterator[Judgement]:
    """What a judgement was made of."""
    for argument in p.made[1]:
        yield from (q for q in (argument if isinstance(argument, tuple) else (argument,)) if isinstance(q, Judgement))


def without(lines: Sequence[ProofLine], number: int) -> list[ProofLine]:
    """A proof without one line, which may stand below others."""
    return [replace(line, below=without(line.below, number)) for line in lines if line.number != number]


def all_lines(lines: Sequence[ProofLine]) -> Iterator[ProofLine]:
    """The lines of a proof; not the words of cases."""
    for line in lines:
        if line.text not in ("yes:", "no:"):
            yield line
        yield from all_lines(line.below)


Made = list[tuple[int, list[Judgement]]]  # numbers of lines, with what they and their justifications made


def run(claim: ProvedClaim, proved: Mapping[str, Cited], recalled: Recalled, lines: list[ProofLine]) -> Made:
    """The proof with these lines, of which what is recalled is not searched for."""
    proof, made, given = Proof(replace(claim.stated, proof=lines), proved), Made(), list[Judgement]()

    def read(hints: Hints, hint: str) -> list[Judgement]:
        found = justified(hints, hint)
        given.extend(found)
        return found

    def step(proof: Proof, scope: Scope, line: ProofLine) -> None:
        before = len(proof.added)
        stepped(proof, scope, line)
        own = proof.added[-1][1] if len(proof.added) > before else []  # what stands below is before it
        made.append((line.number, [*own, *given]))
        given.clear()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Scope, "prove", lambda scope, goal, extra=(): recalled.prove(scope, goal, extra))
        patch.setattr(Hints, "read", read)
        patch.setattr(Proof, "step", step)
        proof.proved()
    return made


@contextmanager
def anew(share: int) -> Iterator[None]:
    """A search with a part of its time, which remembers nothing of others."""
    positivstellensatz._question.cache_clear()
    with pytest.MonkeyPatch.context() as patch:
        for name in ("first", "second"):
            patch.setattr(LIMITS, name, getattr(LIMITS, name) / share)
        for name in ("GLANCE", "QUICK", "LONGER", "LONGEST"):
            limit = getattr(premise_search, name)
            patch.setattr(premise_search, name, SolverLimit(limit.steps // share, limit.milliseconds // share))
        yield


def idle_lines(claim: ProvedClaim, proved: Mapping[str, Cited], steps: Sequence[Judgement]) -> Iterator[ProofLine]:
    """The lines without which all others are found soon: first with what the tree says of these, then by search alone.

    One without which the claim rests on more hypotheses is needed.
    """
    made = run(claim, proved, Recalled(steps, (), {}, None), claim.stated.proof)
    for line in all_lines(claim.stated.proof):
        mine = {line.number, *(inner.number for inner in all_lines(line.below))}
        gone = [p for number, found in made if number in mine for p in found]
        others: dict[Formula, set[int]] = {}
        for number, found in made:
            for p in found if number not in mine else ():
                others.setdefault(p.then, set()).add(number)
        recalled = Recalled(() if line.text.startswith("let ") else steps, gone, others)
        rest = without(claim.stated.proof, line.number)
        try:
            with anew(SHARE):
                run(claim, proved, recalled, rest)
            for share in (SHARE, 1):
                with anew(share):
                    found = Proof(replace(claim.stated, proof=rest), proved).proved()
        except (NoticedError, PlaceError, StepError):
            continue
        if all(p.hyps <= q.hyps for p, q in zip(found, claim.proved, strict=True)):
            yield line


@pytest.mark.slow
@pytest.mark.one_in(40)
@pytest.mark.parametrize(
    ("file", "claim"),
    [pytest.param(f, c, id=f"{named(f)}: {c}") for f in FILES for c in claims(f)],
)
def test_the_deletion_of_a_line_is_noticed(file: Path, claim: str) -> None:
    idle = idle_lines(*replayed_to(file, claim))
    assert [f"{line.number}: {line.text}" for line in idle] == []
