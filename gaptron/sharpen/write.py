"""What was found as a theorem file: the same loss with the learning rates and predictions that are proved."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from gaptron.sharpen.any_algorithm import proximal
from gaptron.sharpen.report import Result, regret
from gaptron.sharpen.sharpen import Finding
from gaptron.sharpen.structured import TITLES, Part, SharpenedStructured
from gaptron.theory.structured.theorem import StructuredTheorem
from gaptron.theory.theorem import Theorem

HEAD = '''\
"""Found by gaptron sharpen: gaptron check proves these theorems for every K, and keeps their certificates."""

from sympy import Abs, Max, Min, Piecewise, Range, S, exp, log, oo, sqrt  # noqa: F401

from gaptron import BinaryLoss, GapMap, MarginLoss, SoftmaxLoss, Theorem  # noqa: F401
from gaptron.symbols import K, m, p, z  # noqa: F401
'''
STRUCTURED_HEAD = """\
from gaptron import StructuredTheorem
from gaptron.structured import *  # noqa: F403
from gaptron.symbols import d, v  # noqa: F401
"""


def as_theorem_file(results: Sequence[Result]) -> str | None:
    """The Python source; None if nothing was proved for every K or size claimed."""
    found = [one for result in results for one in _proved(result)]
    if not found:
        return None
    head = HEAD + (STRUCTURED_HEAD if any(kind == "StructuredTheorem" for kind, _ in found) else "")
    return "\n".join([head, *(_written(n, kind, arguments) for n, (kind, arguments) in enumerate(found, 1))])


def _proved(result: Result) -> Iterator[tuple[str, Iterator[tuple[str, str]]]]:
    """The kind and the arguments of each theorem."""
    if isinstance(result, SharpenedStructured):
        parts = (part for part in result.parts if part.proved is not None and part.name != "any_algorithm")
        yield from (("StructuredTheorem", _structured_arguments(result.theorem, part)) for part in parts)
        return
    theorem = result.theorem.at({q: result.chosen[str(q)] for q in result.theorem.parameters})
    answers = (answer for answer in result.answers if answer.feasible is not None)
    yield from (("Theorem", _arguments(theorem, answer)) for answer in answers)


def _written(number: int, kind: str, arguments: Iterator[tuple[str, str]]) -> str:
    return f"theorem_{number} = {kind}(\n" + "".join(f"    {name}={value},\n" for name, value in arguments) + ")\n"


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


# --- structured theorems ------------------------------------------------------------------------------------------


def _structured_arguments(theorem: StructuredTheorem, part: Part) -> Iterator[tuple[str, str]]:
    """Of what is proved for every size by gradient steps: what proximal updates attain has another argument."""
    found = {"best_decoder": (part.proved, theorem.coefficient), "coefficient": (theorem.learning_rate, part.proved)}
    eta, alpha = found.get(part.name, (part.rate, part.alpha))
    assert eta is not None  # noqa: S101
    assert alpha is not None  # noqa: S101
    yield "name", repr(f"{theorem.name}, {TITLES[part.name]}")
    for name in ("outputs", "target", "entropy"):
        yield name, _constructed(getattr(theorem, name))
    yield "scale", _source(theorem.scale)
    yield "learning_rate", _source(eta)
    yield "coefficient", _source(alpha)
    yield "regret", _source(sp.factor(alpha / (2 * eta)))
    if theorem.sizes is not None:
        yield "sizes", repr(theorem.sizes)


def _constructed(value: Any) -> str:
    """Python that gives outputs, a target or an entropy again: their parts in order."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(_constructed, value))}]"
    if isinstance(value, Fraction):
        return _source(sp.Rational(value))
    if is_dataclass(value):
        return f"{type(value).__name__}({', '.join(_constructed(getattr(value, f.name)) for f in fields(value))})"
    return _source(value)
