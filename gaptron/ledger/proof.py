"""An argument as a reader sees it: hypotheses, steps with what stands behind each, conclusion."""

from collections.abc import Iterator, Mapping, Sequence

from gaptron.ledger.grounds import Found
from gaptron.papers.files import ProvedClaim
from gaptron.papers.layout import ProofLine
from gaptron.system.documents import Document
from gaptron.theory.arguments import Argument, Average, Cases, Cite, Derived, Let, Put, Rounds, Step, Use
from gaptron.theory.theorem import Implication
from gaptron.theory.words import words

Line = tuple[str, str]


def proof(found: Found) -> Document:
    """Ready for JSON: sentences, and for each step its name, what it says, and by what it stands."""
    if found.proved is not None:
        return _as_written(found.proved)
    argument = found.ground
    assert isinstance(argument, Argument)  # noqa: S101
    behind = dict(_behind(found))
    return {
        "name": argument.name,
        "hypotheses": [words(one, argument) for one in argument.hypotheses],
        "supplied": [words(one, argument) for one in argument.supplied],
        "steps": [{"says": says, "by": by} for step in argument.steps for says, by in _lines(step, argument, behind)],
        "conclusion": [words(one, argument) for one in argument.conclusion],
        "example": {argument.meaning(symbol): str(value) for symbol, value in argument.example.items()},
    }


def _as_written(claim: ProvedClaim) -> Document:
    """The setting and the lines of a proof file."""
    setting = claim.stated.setting
    return {
        "name": f"{claim.stated.name}, {setting.title}",
        "hypotheses": [line.text for line in _flat(setting.lines)],
        "supplied": [],
        "steps": [{"says": line.text, "by": ""} for line in _flat(claim.stated.proof)],
        "conclusion": [claim.stated.text],
        "example": {},
    }


def _flat(lines: Sequence[ProofLine]) -> Iterator[ProofLine]:
    for line in lines:
        yield line
        yield from _flat(line.below)


def _behind(found: Found) -> Iterator[Line]:
    """What replays each implication."""
    for part in found.parts:
        if part.checked is not None:
            for obligation, outcome in zip(part.checked.obligations, part.checked.outcomes, strict=True):
                certificate = f" {outcome.certificate[:19]}" if outcome.certificate else ""
                yield obligation.id, f"{outcome.verdict.value}, {', '.join(outcome.evidence)}{certificate}"


def _lines(step: Step, argument: Argument, behind: Mapping[str, str]) -> Iterator[Line]:
    if isinstance(step, Cases):
        for case, inside in step.cases.items():
            yield f"case {words(case, argument)}", "the cases leave nothing out"
            for one in inside:
                yield from _lines(one, argument, behind)
        yield f"in every case {', '.join(words(one, argument) for one in step.then)}", "cases"
    else:
        yield _line(step, argument, behind)


def _line(step: Step, argument: Argument, behind: Mapping[str, str]) -> Line:
    """One step that is not made of others."""
    match step:
        case Implication():
            return f"{step.name}: {words(step.then, argument)}", behind.get(step.name, "")
        case Put():
            shown = words(step.step.then.xreplace(dict(step.values)), argument)
            return f"{step.step.name}: {shown}", behind.get(step.step.name, "")
        case Use():
            return f"{step.fact.name}: {step.fact.statement}", f"fact: {step.fact.source}"
        case Cite():
            inner = step.on.name if isinstance(step.on, Argument) else step.on
            return f"{inner} {step.part}".strip(), "argument" if isinstance(step.on, Argument) else "claim"
        case Derived():
            return f"{step.theorem.name}: {step.only}", "obligations, derived by gaptron.obligations"
        case Let():
            return f"{argument.meaning(step.symbol)} stands for {step.value}", "definition"
        case Average():
            return f"mean of {words(step.of, argument)}", "expectation is linear and monotone"
        case Rounds():
            invariant = words(step.invariant, argument)
            return f"{step.step.name}: {invariant} after every round", f"induction; {behind.get(step.step.name, '')}"
    raise TypeError(step)
