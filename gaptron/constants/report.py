"""What ``sharpen`` says: one JSON document for machines, tables for people."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from io import StringIO
from math import ceil, floor
from pathlib import Path

import sympy as sp
from rich.console import Console
from rich.table import Table

from gaptron.constants import structured_constants
from gaptron.constants.largest_rates import Finding
from gaptron.constants.questions import QUESTIONS
from gaptron.constants.structured_constants import SharpenedStructured
from gaptron.reports.check_report import escaped, say, shown_path
from gaptron.reports.witness import witness_line
from gaptron.system.digits import decimal
from gaptron.system.documents import Document
from gaptron.theory.shipped import NO_FILE, place
from gaptron.theory.theorem import Theorem

WIDTH = 110  # of a table as text
DIGITS = 8
SHORT = 12
DECODER = "P(k) = max(0, 1 - loss_k + (eta/2) ||g_k||^2), the rest to the top label"
PROXIMAL = (
    "W+ = argmin_V loss(V) + c X^2 ||V - W||^2; P(k) = max(0, 1 - e_k), the rest to the top label, "
    "e_k = min_delta loss_k(theta + delta) + c ||delta||^2"
)
Bracket = tuple[Fraction, Fraction]


@dataclass
class Sharpened:
    """A theorem, the values chosen for its own parameters, and the answers."""

    file: Path
    theorem: Theorem
    chosen: dict[str, Fraction]
    answers: list[Finding]
    best_chosen: bool = False  # whether the values are proved to be the best for the given map

    def stop(self) -> None:
        """Say of what is not decided that it was interrupted, and what the search believes."""
        for answer in self.answers:
            answer.stop()

    @property
    def certified(self) -> bool:
        """Whether nothing was left undecided."""
        return bool(self.answers) and all(answer.certified for answer in self.answers)


Result = Sharpened | SharpenedStructured


def as_json(results: Sequence[Result]) -> str:
    """The document of ``sharpen --json``."""
    return json.dumps({"schema": 1, "theorems": [document(result) for result in results]}, indent=1)


def document(result: Result) -> Document:
    """One theorem, ready for JSON."""
    return structured_constants.as_data(result) if isinstance(result, SharpenedStructured) else _theorem(result)


def _theorem(result: Sharpened) -> Document:
    head = {"name": result.theorem.name, "file": str(result.file), "line": result.theorem.line}
    if result.chosen:
        head["parameters"] = {name: str(value) for name, value in result.chosen.items()}
        head["parameters_proved_best"] = result.best_chosen
    answers = {answer.question.name: _answer(answer) for answer in result.answers}
    return head | {question.name: answers.get(question.name) for question in QUESTIONS}


def _answer(answer: Finding) -> Document:
    found: Document = {
        "learning_rate": {
            "closed_form": None if answer.closed_form is None else str(answer.closed_form),
            "proved_for_every_K": None if answer.feasible is None else str(answer.feasible),
            "K": {str(n): None if b is None else [str(end) for end in b] for n, b in answer.brackets.items()},
        },
        "regret": {
            "closed_form": None if answer.closed_form is None else str(regret(answer.closed_form)),
            "K": {str(n): None if b is None else [str(end) for end in _regrets(b)] for n, b in answer.brackets.items()},
        },
        "binds": {str(n): words for n, words in answer.binds.items()}
        | ({"every K": list(answer.everywhere)} if answer.everywhere else {}),
        "witnesses": {str(n): witness for n, witness in (answer.witnesses | answer.impossible).items()},
        "reasons": {str(n): reason for n, reason in answer.reasons.items()},
    }
    if answer.question.name == "best_gap_map":
        gap_maps = {n: str(gap_map.expression) for n, gap_map in answer.gap_maps.items()}
        found |= {"gap_map": gap_maps.get("K"), "gap_maps": gap_maps}
    if answer.question.name == "best_decoder":
        found |= {"decoder": DECODER}
    if _over_algorithms(answer):
        del found["learning_rate"]
        if answer.impossible:
            impossible = {str(n) for n in answer.impossible}
            found["regret"]["K"] = {n: b for n, b in found["regret"]["K"].items() if n not in impossible}
            found["regret"]["none"] = {n: reason for n, reason in found["reasons"].items() if n in impossible}
        found["regret"]["proved_for_every_K"] = None if answer.feasible is None else str(regret(answer.feasible))
        every = answer.for_every_count
        found["regret"]["every_K"] = None if every is None else [str(end) for end in _regrets(every)]
        found["algorithm"] = PROXIMAL
        if answer.whole_loss is not None:
            found["loss"] = answer.whole_loss
    return found


def regret(eta: sp.Expr) -> sp.Expr:
    """1/(2 eta), the coefficient of X^2 ||U||^2."""
    return sp.factor(sp.cancel(1 / (2 * eta)))


def _regrets(bracket: Bracket) -> Bracket:
    """The regret constants of both learning rates, in increasing order: the second one is certified."""
    return 1 / (2 * bracket[1]), 1 / (2 * bracket[0])


def expressions(result: Result) -> list[sp.Expr]:
    """Those whose text stands in the document."""
    if isinstance(result, SharpenedStructured):
        found = [x for part in result.parts for x in (part.closed_form, part.proved, part.rate, part.alpha)]
        found += [sp.factor(result.theorem.coefficient / (2 * x)) for x in found if x is not None]
    else:
        rates = [x for answer in result.answers for x in (answer.closed_form, answer.feasible) if x is not None]
        found = [*rates, *map(regret, rates)]
        found += [gap_map.expression for answer in result.answers for gap_map in answer.gap_maps.values()]
    return [expr for expr in found if expr is not None]


def as_text(results: Sequence[Result]) -> str:
    """What ``show`` prints where there is no terminal."""
    shown = StringIO()
    show(Console(file=shown, width=WIDTH, highlight=False), results)
    return shown.getvalue().rstrip()


def show(console: Console, results: Sequence[Result]) -> None:
    """For each theorem a table of learning rates, then closed forms, maps, contacts and reasons."""
    for result in results:
        if isinstance(result, SharpenedStructured):
            for line in structured_constants.lines(result):
                say(console, escaped(line))
            continue
        where = place(result.file if result.file == NO_FILE else shown_path(result.file), result.theorem.line)
        say(console, f"{escaped(result.theorem.name)} ({where})")
        for name, value in result.chosen.items():
            known = "proved to be the best" if result.best_chosen else "the best found, not proved to be the best"
            say(console, f"  {escaped(name)} = {value}: {known} for the given map")
        if any(any(a.brackets.values()) for a in result.answers):
            console.print(_table(result.answers))
        for line in (line for answer in result.answers for line in _lines(answer)):
            say(console, f"  {escaped(line)}")


def _table(answers: Sequence[Finding]) -> Table:
    table = Table("K", *(escaped(answer.question.title) for answer in answers), title="learning rate (regret constant)")
    for n in answers[0].brackets:
        table.add_row(str(n), *(escaped(_cell(answer, answer.brackets[n])) for answer in answers))
    return table


def _cell(answer: Finding, bracket: Bracket | None) -> str:
    """lo as a fraction if it is short, else lo to hi in decimals, rounded outwards; and the regret of lo.

    Over all algorithms there is no learning rate.
    """
    if bracket is None:
        return "-"
    if _over_algorithms(answer):
        return f"({_decimal(_regrets(bracket)[1], down=False)})"
    lo, hi = bracket
    rate = str(lo) if len(str(lo)) <= SHORT else f"{_decimal(lo, down=True)}..{_decimal(hi, down=False)}"
    return f"{rate} ({_decimal(_regrets(bracket)[1], down=False)})"


def _decimal(value: Fraction, down: bool) -> str:
    return decimal(value, floor if down else ceil, DIGITS).rstrip("0").rstrip(".")


def _lines(answer: Finding) -> Iterator[str]:
    title = answer.question.title
    if answer.closed_form is not None:
        yield f"{title}: {_found(answer, answer.closed_form)}, for every K; {_nothing_less(answer)}"
        yield f"    binds: {'; '.join(answer.everywhere)}"
    elif any(answer.brackets.values()):
        if answer.feasible is not None:
            rest = f"that {_nothing_less(answer)}, for those above"
            if answer.for_every_count is not None:
                rest = (
                    f"below {_decimal(_regrets(answer.for_every_count)[0], down=True)} no algorithm has one, for any K"
                )
            yield f"{title}: {_found(answer, answer.feasible)} is proved for every K; {rest}"
        yield from (f"{title}: K = {n} binds: {words}" for n, words in answer.binds.items())
    for n, gap_map in answer.gap_maps.items():
        yield f"    a = {gap_map.expression}" + ("" if n == "K" else f" for K = {n}")
    if answer.question.name == "best_decoder" and any(answer.brackets.values()):
        yield f"    {DECODER}"
    if _over_algorithms(answer) and any(answer.brackets.values()):
        yield f"    attained by {PROXIMAL}"
        yield from _stream_below(answer)
        if answer.whole_loss is not None:
            yield f"    {answer.whole_loss}"
    for reason in dict.fromkeys(answer.reasons.values()):
        counts = [n for n, other in answer.reasons.items() if other == reason]
        where = f" ({answer.binds[counts[0]]} for K = {counts[0]})" if counts[0] in answer.binds else ""
        verdict = "NONE" if counts[0] in answer.impossible else "UNDECIDED"
        yield f"{title}: {verdict} for K = {', '.join(map(str, counts))}: {reason}{where}"


def _stream_below(answer: Finding) -> Iterator[str]:
    """The stream that forbids less, for the least number of classes with a bracket; JSON has the others."""
    for n in [n for n, bracket in answer.brackets.items() if bracket and n in answer.witnesses][:1]:
        witness = answer.witnesses[n]
        yield f"    less is forbidden, c = {witness['regret']}: {witness_line(witness)}"


def _found(answer: Finding, eta: sp.Expr) -> str:
    return f"regret {regret(eta)}" if _over_algorithms(answer) else f"eta = {eta}, regret {regret(eta)}"


def _nothing_less(answer: Finding) -> str:
    return "no algorithm has a smaller one" if _over_algorithms(answer) else "no larger eta works"


def _over_algorithms(answer: Finding) -> bool:
    return answer.question.name == "any_algorithm"
