"""What was found as a theorem file: the same loss with the learning rates and predictions that are proved."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import fields
from typing import Any

import sympy as sp

from gaptron.sharpen.any_algorithm import proximal
from gaptron.sharpen.report import Sharpened, regret
from gaptron.sharpen.sharpen import Finding
from gaptron.theory.theorem import Theorem

HEAD = '''\
"""Found by gaptron sharpen: gaptron check proves these theorems for every K, and keeps their certificates."""

from sympy import Abs, Max, Min, Piecewise, S, exp, log, sqrt  # noqa: F401

from gaptron import BinaryLoss, GapMap, MarginLoss, SoftmaxLoss, Theorem  # noqa: F401
from gaptron.symbols import K, m, p, z  # noqa: F401
'''


def as_theorem_file(results: Sequence[Sharpened]) -> str | None:
    """The Python source; None if no learning rate was proved for every K claimed."""
    found = [(result, answer) for result in results for answer in result.answers if answer.feasible is not None]
    theorems = [_theorem(result, answer, n) for n, (result, answer) in enumerate(found, 1)]
    return "\n".join([HEAD, *theorems]) if theorems else None


def _theorem(result: Sharpened, answer: Finding, number: int) -> str:
    theorem = result.theorem.at({q: result.chosen[str(q)] for q in result.theorem.parameters})
    return (
        f"theorem_{number} = Theorem(\n"
        + "".join(f"    {name}={value},\n" for name, value in _arguments(theorem, answer))
        + ")\n"
    )


def _arguments(theorem: Theorem, answer: Finding) -> Iterator[tuple[str, str]]:
    eta = answer.feasible
    assert eta is not None  # noqa: S101
    yield "name", repr(f"{theorem.name}, {answer.question.title}")
    yield "loss", _loss(proximal(theorem).loss if answer.question.name == "any_algorithm" else theorem.loss)
    over_algorithms = answer.question.name == "any_algorithm"
    if answer.question.name == "best_decoder" or over_algorithms:
        yield "decoder", '"best"'
    else:
        given = answer.gap_maps.get("K", theorem.gap_map)
        yield "gap_map", f"GapMap({_source(given.expression)})"
    yield ("update", '"proximal"') if over_algorithms else ("learning_rate", _source(eta))
    yield "regret", _source(regret(eta))
    if theorem.classes is not None:
        yield "classes", repr(theorem.classes)
    if theorem.abstention_cost is not None:
        yield "abstention_cost", _source(theorem.abstention_cost)


def _loss(loss: Any) -> str:
    values = {field.name: getattr(loss, field.name) for field in fields(loss)}
    shown = ", ".join(f"{name}={_source(value)}" for name, value in values.items() if value is not None)
    return f"{type(loss).__name__}({shown})"


def _source(expr: sp.Expr) -> str:
    """Python that gives the expression again: an integer that is divided is one of sympy's, so that nothing rounds."""
    return re.sub(r"S\((-?\d+)\)(?!/)", r"\1", str(sp.sstr(expr, sympy_integers=True)))
