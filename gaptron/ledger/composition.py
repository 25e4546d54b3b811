"""How the grounds of a claim are composed: ``whole`` in the proof language, or in ``steps``."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import partial

from gaptron.ledger.grounds import Found
from gaptron.papers.hypotheses import hypotheses
from gaptron.system import deadline
from gaptron.system.child import Voice
from gaptron.system.documents import Document
from gaptron.system.processes import Lost, in_processes
from gaptron.theory.arguments import Argument, Sentence
from gaptron.theory.claims import Ground, InProof, Obligations, Rests
from gaptron.theory.compose import Arguments, CompositionError, compose
from gaptron.theory.evident import gives, is_evident
from gaptron.theory.facts import in_coq
from gaptron.theory.theorem import Implication, Lemma
from gaptron.theory.verdict import Verdict
from gaptron.theory.words import words

PROSE = "how the grounds give the statement"
UNWRITTEN = "not yet written in the proof language"


@dataclass(frozen=True)
class Composition:
    """Of a claim that is PROVED: the named facts it rests on, and what prose supplies (nothing: its steps combine).

    ``hypotheses`` are what it rests on, each of its kind; None if part of it is neither in the proof language
    nor a theorem that is decided as a whole.
    """

    facts: tuple[str, ...]
    supplied: tuple[str, ...]
    hypotheses: tuple[Document, ...] | None = None

    @property
    def open(self) -> tuple[str, ...]:
        """What is between it and ``whole``."""
        return self.supplied if self.hypotheses is not None else (*self.supplied, UNWRITTEN)

    @property
    def facts_in_coq(self) -> dict[str, str]:
        """The theorems of the library that prove these facts: "File.v:theorem"."""
        return in_coq(self.facts) | {h["text"]: h["coq"] for h in self.hypotheses or () if h["kind"] == "fact"}

    @property
    def kind(self) -> str:
        """``whole`` or ``steps``."""
        return "steps" if self.open else "whole"


def parts(argument: Argument) -> tuple[Obligations, ...]:
    """What is to be decided for an argument: its implications, and the obligations of theorems it rests on."""
    lemma = argument.lemma
    own = () if lemma is None else (Obligations(lemma),)
    return (*own, *(Obligations(step.theorem, f"{step.only}|coverage") for step in argument.derived))


@dataclass(frozen=True)
class Combined:
    """Whether the steps of an argument combine to its conclusion: why not, or the named facts that it uses."""

    facts: tuple[str, ...] = ()
    reason: str | None = None


def combine_all(arguments: Sequence[Argument], others: Arguments, processes: int) -> Iterator[tuple[int, Combined]]:
    """What each argument is found to be, by its number, as several processes are done with it.

    ``others`` are the arguments of all claims.
    """
    work = partial(_combine, arguments, others)
    numbers = range(len(arguments))
    with closing(in_processes(work, numbers, processes, lambda _: deadline.PLAN_SECONDS)) as heard:
        for number, row in heard:
            if isinstance(row, Lost):
                late = f"it was still running after {deadline.PLAN_SECONDS:g} s"
                why = f"the process ended ({row.ended})" if row.ended else late
                yield number, Combined(reason=f"{arguments[number].name}: its steps could not be combined: {why}")
            else:
                yield number, Combined(tuple(row["facts"]), row["reason"])


def _combine(arguments: Sequence[Argument], others: Arguments, voice: Voice) -> None:
    for number in voice.tasks():
        try:
            voice.say({"facts": compose(arguments[number], others), "reason": None})
        except CompositionError as error:
            voice.say({"facts": (), "reason": f"{arguments[number].name}: {error}"})


def of_argument(argument: Argument, decided: Sequence[Found], verdicts: Mapping[str, str], combined: Combined) -> Found:
    """PROVED if its steps are, the claims it cites are, and all of them combine to the conclusion."""
    premises = [
        f"its premise {on} is {verdicts.get(on, 'no claim')}" for on in argument.cited if verdicts.get(on) != "PROVED"
    ]
    verdict = Verdict.of([Verdict.PROVED, *(found.verdict or Verdict.UNDECIDED for found in decided)])
    reason = next((found.reason for found in decided if found.reason), None) or next(iter(premises), None)
    reason = combined.reason or reason
    if reason is not None and verdict is Verdict.PROVED:
        verdict = Verdict.UNDECIDED
    return Found(
        argument,
        verdict,
        evidence=tuple(dict.fromkeys(level for found in decided for level in found.evidence)),
        reason=reason,
        witness=next((found.witness for found in decided if found.witness), None),
        seconds=sum(found.seconds for found in decided),
        parts=tuple(decided),
        facts=combined.facts,
    )


def composition(grounds: Sequence[Found], known: Mapping[str, Composition | None]) -> Composition:
    """How these grounds are composed; ``known`` are the compositions of the premises."""
    facts, left = list[str](), list[str]()
    if not any(isinstance(found.ground, Argument | InProof) for found in grounds):
        left.append(PROSE)
    listed = [row for found in grounds if found.proved for row in hypotheses(found.proved)]
    rests_on = tuple({(row["text"], row["kind"]): row for row in listed}.values())
    facts += [row["text"] for row in rests_on if row["kind"] == "fact"]
    left += [row["text"] for row in rests_on if row["kind"] == "ours"]
    steps = [i for f in grounds if isinstance(f.ground, Obligations) for i in _implications(f.ground, f)]
    for found in grounds:
        ground = found.ground
        facts += found.facts
        if isinstance(ground, Argument):
            left += [words(one, ground) for one in ground.supplied]
        for on in (ground.on,) if isinstance(ground, Rests) else ground.cited if isinstance(ground, Argument) else ():
            premise = known.get(on)
            facts += premise.facts if premise else ()
            left += [f"what {on} leaves open"] if premise is None or premise.supplied else []
    left += [f"{i.name}: {given}" for i in steps for given in i.given if not _is_given(given, i, steps)]
    written = all(_is_written(found.ground) for found in grounds)
    return Composition(tuple(sorted(set(facts))), tuple(dict.fromkeys(left)), rests_on if written else None)


def _is_written(ground: Ground) -> bool:
    """Whether it rests on nothing that it does not say: a claim of a proof file, or a theorem decided as a whole."""
    return isinstance(ground, InProof) or (
        isinstance(ground, Obligations) and not isinstance(ground.item, Lemma) and ground.only == "*"
    )


def _implications(ground: Obligations, found: Found) -> list[Implication]:
    """Those of a lemma that the ground names."""
    if not isinstance(ground.item, Lemma) or found.checked is None:
        return []
    named = {obligation.id for obligation in found.checked.obligations}
    return [implication for implication in ground.item.implications if implication.name in named]


def _is_given(given: Sentence, of: Implication, steps: Sequence[Implication]) -> bool:
    """Whether a hypothesis of a step is another step's conclusion, or evident."""
    return is_evident(given) or any(gives(other.then, given) for other in steps if other is not of)
