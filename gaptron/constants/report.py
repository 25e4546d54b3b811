"""What ``sharpen`` says: one JSON document for machines, tables for people."""

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from io import StringIO
from math import ceil, floor
from pathlib import Path
from typing import TypeVar

import sympy as sp
from rich.console import Console
from rich.table import Table

from gaptron.constants.brackets import Answered, Bracket, Brackets
from gaptron.constants.largest_rates import Finding
from gaptron.constants.questions import QUESTIONS
from gaptron.constants.structured_constants import PARTS, TITLES, Part, SharpenedStructured, around
from gaptron.reports.check_report import escaped, say, shown_path
from gaptron.reports.witness import witness_line
from gaptron.system.digits import decimal
from gaptron.system.documents import Document
from gaptron.theory.shipped import NO_FILE, place
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.theorem import Theorem

A = TypeVar("A")
B = TypeVar("B")

WIDTH = 110  # of a table as text
DIGITS = 8
SHORT = 12
DECODER = "P(k) = max(0, 1 - loss_k + (eta/2) ||g_k||^2), the rest to the top label"
PROXIMAL = (
    "W+ = argmin_V loss(V) + c X^2 ||V - W||^2; P(k) = max(0, 1 - e_k), the rest to the top label, "
    "e_k = min_delta loss_k(theta + delta) + c ||delta||^2"
)
ALGORITHM = "hi is attained by proximal updates with the decoder that their envelopes allow; below lo nobody can go"
WIDE = 1 + Fraction(1, 10**5)  # a structured bracket whose ends are both said


@dataclass
class Sharpened(Answered):
    """A theorem, the values chosen for its own parameters, and the answers."""

    file: Path
    theorem: Theorem
    chosen: dict[str, Fraction]
    answers: list[Finding]
    best_chosen: bool = False  # whether the values are proved to be the best for the given map


Result = Sharpened | SharpenedStructured


def as_json(results: Sequence[Result]) -> str:
    """The document of ``sharpen --json``."""
    return json.dumps({"schema": 1, "theorems": [document(result) for result in results]}, indent=1)


def document(result: Result) -> Document:
    """One theorem, ready for JSON; what does not apply to it is null."""
    head: Document = {"name": result.theorem.name, "file": str(result.file), "line": result.theorem.line}
    if isinstance(result, SharpenedStructured):
        parts = dict.fromkeys(("given_gap_map", "best_gap_map", *PARTS))
        return head | parts | {part.name: _part(result.theorem, part) for part in result.answers}
    if result.chosen:
        head["parameters"] = {name: str(value) for name, value in result.chosen.items()}
        head["parameters_proved_best"] = result.best_chosen
    answers = {answer.question.name: _answer(answer) for answer in result.answers}
    return head | {question.name: answers.get(question.name) for question in QUESTIONS}


def _known(shown: Callable[[A], B], value: A | None) -> B | None:
    return None if value is None else shown(value)


def _ends(bracket: Bracket) -> list[str]:
    return [str(end) for end in bracket]


def _said(answer: Brackets) -> Document:
    """The witnesses, and what is not decided."""
    shown = answer.witnesses | answer.impossible
    return {"witnesses": {str(n): witness for n, witness in shown.items()}} | {
        "reasons": {str(n): reason for n, reason in answer.reasons.items()}
    }


def _answer(answer: Finding) -> Document:
    found: Document = {
        "learning_rate": {
            "closed_form": _known(str, answer.closed_form),
            "proved_for_every_K": _known(str, answer.feasible),
            "K": {str(n): _known(_ends, bracket) for n, bracket in answer.brackets.items()},
        },
        "regret": {
            "closed_form": _known(_regret_text, answer.closed_form),
            "K": {str(n): _known(_regret_ends, bracket) for n, bracket in answer.brackets.items()},
        },
        "binds": {str(n): words for n, words in answer.binds.items()}
        | ({"every K": list(answer.everywhere)} if answer.everywhere else {}),
        **_said(answer),
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
        found["regret"]["proved_for_every_K"] = _known(_regret_text, answer.feasible)
        found["regret"]["every_K"] = _known(_regret_ends, answer.for_every_count)
        found["algorithm"] = PROXIMAL
        if answer.whole_loss is not None:
            found["loss"] = answer.whole_loss
    return found


def _part(theorem: StructuredTheorem, part: Part) -> Document:
    def of_coefficient(eta: sp.Expr) -> str:
        return str(sp.factor(theorem.coefficient / (2 * eta)))

    key = str(theorem.size)
    values = {
        "closed_form": _known(str, part.closed_form),
        f"proved_for_every_{key}": _known(str, part.proved),
        key: {str(n): _known(_ends, bracket) for n, bracket in part.brackets.items()},
    }
    kind = {"best_decoder": "learning_rate", "coefficient": "coefficient"}.get(part.name, "regret")
    found: Document = {kind: values}
    if part.name == "best_decoder":
        regrets = {n: bracket and _structured_regrets(theorem, n, bracket) for n, bracket in part.brackets.items()}
        ends = {str(n): _known(_ends, bracket) for n, bracket in regrets.items()}
        found["regret"] = {"closed_form": _known(of_coefficient, part.closed_form), key: ends}
    if part.name == "any_algorithm":
        found["algorithm"] = ALGORITHM
    if part.name == "frontier":
        pair = {"learning_rate": part.rate, "coefficient": part.alpha}
        found |= {name: None if value is None else {"closed_form": str(value)} for name, value in pair.items()}
    return found | _said(part)


def _structured_regrets(theorem: StructuredTheorem, size: int, bracket: Bracket) -> Bracket:
    """alpha/(2 eta), in increasing order."""
    alpha = theorem.coefficient.subs(theorem.size, size)
    return around(alpha)[0] / (2 * bracket[1]), around(alpha, above=True)[1] / (2 * bracket[0])


def regret(eta: sp.Expr) -> sp.Expr:
    """1/(2 eta), the coefficient of X^2 ||U||^2."""
    return sp.factor(sp.cancel(1 / (2 * eta)))


def _regret_text(eta: sp.Expr) -> str:
    return str(regret(eta))


def _regret_ends(bracket: Bracket) -> list[str]:
    return _ends(_regrets(bracket))


def _regrets(bracket: Bracket) -> Bracket:
    """The regret constants of both learning rates, in increasing order: the second one is certified."""
    return 1 / (2 * bracket[1]), 1 / (2 * bracket[0])


def expressions(result: Result) -> list[sp.Expr]:
    """Those whose text stands in the document."""
    if isinstance(result, SharpenedStructured):
        found = [x for part in result.answers for x in (part.closed_form, part.proved, part.rate, part.alpha)]
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
            for line in _structured_lines(result):
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


def _structured_lines(result: SharpenedStructured) -> Iterator[str]:
    yield f"{result.theorem.name} ({place(result.file, result.theorem.line)})"
    for part in result.answers:
        yield f"  {TITLES[part.name]}:"
        if part.closed_form is not None:
            pair = f", at eta = {part.rate}, coefficient {part.alpha}" if part.rate is not None else ""
            yield f"    {part.closed_form} for every {result.theorem.size} claimed, and none is better{pair}"
        elif part.proved is not None:
            yield f"    {part.proved} is proved for every {result.theorem.size} claimed"
        for n, bracket in part.brackets.items():
            if bracket is not None:
                yield f"    {result.theorem.size} = {n}: {_structured_cell(bracket)}"
        for n, reason in part.reasons.items():
            verdict = "NONE" if n in part.impossible else "UNDECIDED"
            yield f"    {result.theorem.size} = {n}: {verdict}: {reason}"


def _structured_cell(bracket: Bracket) -> str:
    low, high = bracket
    short = [str(end) for end in bracket if len(str(end)) <= DIGITS]
    return short[0] if short and high < low * WIDE else f"{float(low):.{DIGITS}g} to {float(high):.{DIGITS}g}"
