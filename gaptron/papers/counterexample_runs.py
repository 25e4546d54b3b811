"""Exact values, or runs near the example of a setting, at which a line is false. Not trusted to find them."""

import random
import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from fractions import Fraction

import z3

from gaptron.language.rejection import Rejected
from gaptron.papers.examples import Evaluator, Example, ExampleError
from gaptron.papers.layout import PlaceError, ProofLine, UnreadError
from gaptron.papers.premise_search import translated
from gaptron.papers.statements import PaperSetting
from gaptron.papers.typed_formulas import Formula, negation, symbols_in
from gaptron.papers.typed_terms import T, Term

HEADS = ("r", "inv", "max", "min", "on")


def counterexample(setting: PaperSetting, local: Sequence[Formula], goal: Formula) -> dict[str, str]:
    """Values of numbers at which all hypotheses hold and the goal does not; none if there is more than numbers.

    ``local`` are assumptions of the case.
    """
    (t,), stated = T.atoms, [*(h.formula for h in setting.hyps), *local]
    atoms = {x for f in (*stated, goal) for x in symbols_in(f)}
    if any(f[0] != "rel" for f in (*stated, goal)) or any(x[0] not in HEADS or x == t for x in atoms):
        return {}
    symbols = sorted(x for x in atoms if x[0] == "r")
    solver, named = translated([*stated, negation(goal)], symbols)
    if solver.check() != z3.sat:
        return {}
    model = solver.model()
    found = {s: model.eval(named[s], model_completion=True) for s in symbols}
    if not all(z3.is_rational_value(v) for v in found.values()):
        return {}
    values = {s: Fraction(v.as_fraction()) for s, v in found.items()}
    at = Evaluator(Example(setting, ProofLine(0, 0, "example:")), values)
    if not all(_holds(f, at) for f in stated) or _holds(goal, at):
        return {}
    return {s[1]: str(v) for s, v in values.items()}


def _holds(f: Formula, at: Evaluator) -> bool:
    """Whether a relation holds; not where it is undefined."""
    try:
        return not at.example.false(f, at)
    except ExampleError:
        return False


SECONDS = 1.0  # of the processor
TRIES = 500
MOST_ROUNDS = 3
NUMBERS = ("-2", "-1", "-1/2", "0", "1/4", "1/2", "1", "2", "3")
NUMBER = re.compile(r"(?<![\w/])-?\d+(?:/\d+)?(?![\w/])")
LABELS = ("label 0", "label 1", "label 2")


def breaking_run(setting: PaperSetting, local: Sequence[Formula], goal: Formula) -> dict[str, str]:
    """What is given in a run in which all hypotheses hold, and where the goal does not; nothing if none is found.

    ``local`` are assumptions of the case. A hypothesis about all vectors is not settled by points: then none is sought.
    """
    example = _example(setting)
    if example is None or any(_is_open(h.formula) for h in setting.hyps) or any(map(_is_norm, setting.names.values())):
        return {}
    until, drawn = time.process_time() + SECONDS, random.Random(0)  # noqa: S311  tries, no secrets
    for number in range(TRIES):
        block = example if number == 0 else _near(setting, example, drawn)
        if time.process_time() > until:
            break
        try:
            run = Example(setting, block)
            if run.broken() is None and _fails(run, local, goal):
                return dict(_given(block, ""))
        except (ExampleError, PlaceError, UnreadError, Rejected, ZeroDivisionError):
            continue
    return {}


def _example(setting: PaperSetting) -> ProofLine | None:
    """Its own, or of what it is a copy of."""
    return setting.example if setting.example or setting.base is None else _example(setting.base)


def _is_open(f: Formula) -> bool:
    """Whether a run shows but a part of a hypothesis: it has not all vectors, and listed points are no convex set."""
    return f[0] in ("is", "in") or (f[0] == "all" and (f[1][0] != "lab" or _is_open(f[3])))


def _is_norm(value: Term) -> bool:
    return isinstance(value, tuple) and value[0] == "f" and bool(value[3])


def _fails(run: Example, local: Sequence[Formula], goal: Formula) -> bool:
    """Whether the goal is false at a place where the assumptions hold."""
    return any(not any(run.false(f, at) for f in local) and run.false(goal, at) for at in run.everywhere())


# --- another run --------------------------------------------------------------------------------------------------


def _near(setting: PaperSetting, block: ProofLine, drawn: random.Random) -> ProofLine:
    """An example with other numbers, and with some of its rounds once more."""
    rounds = [line for line in block.below if line.text == "round:"]
    more = [drawn.choice(rounds) for _ in range(drawn.randrange(MOST_ROUNDS))] if rounds else []
    return replace(block, below=[_changed(setting, line, drawn) for line in (*block.below, *more)])


def _changed(setting: PaperSetting, line: ProofLine, drawn: random.Random) -> ProofLine:
    """Half of its values are others; sizes, sets and functions stay."""
    if line.below:
        return replace(line, below=[_changed(setting, one, drawn) for one in line.below])
    name, _, value = line.text.partition(" = ")
    if name not in setting.names or drawn.getrandbits(1):
        return line
    other = drawn.choice(LABELS) if value in LABELS else NUMBER.sub(lambda _: drawn.choice(NUMBERS), value)
    return replace(line, text=f"{name} = {other}")


def _given(block: ProofLine, where: str) -> Iterator[tuple[str, str]]:
    """The values of a run as they are written, those of rounds and outcomes with their number."""
    number = 0
    for line in block.below:
        if line.below:
            number += 1
            inner = line.text.rstrip(":") if line.text != "round:" else f"round {number}"
            yield from _given(line, f"{where}{inner}: ")
        else:
            name, _, value = line.text.partition(" = ")
            yield f"{where}{name}", value
