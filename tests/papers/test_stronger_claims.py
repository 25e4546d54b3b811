"""Every claim with bounds 1 % smaller: it is false, or its proof does not give it, or it is listed as not sharp."""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path

import pytest
from test_proof_files import FILES, claims, named
from test_trees import replayed_to

from gaptron.papers import facts, matrices
from gaptron.papers.checked_files import ProvedClaim
from gaptron.papers.counterexample_runs import breaking_run, counterexample
from gaptron.papers.layout import ProofLine
from gaptron.papers.premise_search import LIMITS, NoProofError
from gaptron.papers.proof_lines import STEP
from gaptron.papers.rules import RULES, Judgement
from gaptron.papers.scope import Scope
from gaptron.papers.statements import PaperSetting, declare
from gaptron.papers.typed_formulas import Formula
from gaptron.papers.typed_terms import Real, num

LISTED = Path(__file__).with_name("not_sharp.md")
HUNDREDTH = Fraction(1, 100)
GIVEN = {"cite", "sum_rounds", "average", "expectation", "one_of_sum", "telescope", "generalised", "induction"}
GIVEN |= {name for name in RULES if hasattr(facts, name) or hasattr(matrices, name)}


def stronger(goal: Formula) -> Formula | None:
    """The relation with what is subtracted in its normal form p <= 0 by 1 % less, or 1/100 if that is nothing."""
    if goal[0] == "all":
        body = stronger(goal[3])
        return body and (*goal[:3], body)
    if goal[0] != "rel" or goal[1] == "!=":
        return None
    signs = {c > 0 for _, c in goal[2].items}
    less = Real({m: -c * HUNDREDTH for m, c in goal[2].items if c < 0}) if len(signs) == 2 else num(HUNDREDTH)
    return (*goal[:2], goal[2] + less)


def outcomes(claim: ProvedClaim, steps: Sequence[Judgement]) -> Iterator[tuple[int, str]]:
    """(number of the conclusion, "false", "not found" or "found") of a claim whose tree has these judgements."""
    scope = _at_the_end(claim, steps)
    for number, goal in enumerate(claim.stated.goals):
        other = stronger(goal)
        if other is None:
            continue
        if counterexample(scope.setting, [], other) or breaking_run(claim.stated.setting, [], other):
            yield number, "false"
            continue
        try:
            scope.prove(other)
        except NoProofError:
            yield number, "not found"
        else:
            yield number, "found"


def _at_the_end(claim: ProvedClaim, steps: Sequence[Judgement]) -> Scope:
    """The scope after the last line of the proof, of what its tree has."""
    scope = Scope(claim.stated.setting.own())
    lines = {f for line in claim.stated.proof for f in _formulas(scope.setting, line)}
    scope.steps = [("", p) for p in steps if not p.local and (p.then in lines or p.made[0] in GIVEN)]
    return scope


def _formulas(setting: PaperSetting, line: ProofLine) -> list[Formula]:
    """What a line says; nothing of a definition or of a claim that is cited."""
    if line.text.startswith("let "):
        declare(setting, line)
        return []
    found = STEP.fullmatch(line.text)
    return setting.formulas(found[2]) if found and not found[2].startswith("cite ") else []


def listed() -> set[tuple[str, int]]:
    """The claims of the table, each with the number of a conclusion."""
    rows = [line.split(" | ") for line in LISTED.read_text(encoding="utf-8").splitlines() if line.startswith("| `")]
    return {(row[0].strip("| `"), int(row[1])) for row in rows}


def test_what_is_listed_as_not_sharp_is_claimed() -> None:
    stated = {name for file in FILES for name in claims(file)}
    assert {name for name, _ in listed()} <= stated
    assert len(listed()) <= len(stated) // 10


@pytest.mark.slow
@pytest.mark.one_in(50)
@pytest.mark.parametrize(
    ("file", "claim"), [pytest.param(f, c, id=f"{named(f)}: {c}") for f in FILES for c in claims(f)]
)
def test_a_smaller_bound_is_not_proved(file: Path, claim: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LIMITS, "second", 1.0)
    found, _, steps = replayed_to(file, claim)
    known = {n for name, n in listed() if name == claim}
    for number, outcome in outcomes(found, steps):
        assert outcome != ("false" if number in known else "found"), number
