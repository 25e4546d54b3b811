"""What was found as a theorem file: the same loss with the learning rates and predictions that are proved."""

import re
from collections.abc import Sequence
from dataclasses import fields, is_dataclass, replace
from fractions import Fraction
from typing import Any

import sympy as sp

from gaptron.constants.largest_rates import Finding
from gaptron.constants.questions import proximal
from gaptron.constants.report import Result, regret
from gaptron.constants.structured_constants import TITLES, Part, SharpenedStructured
from gaptron.system.documents import Document
from gaptron.theory.decoders import GapMap
from gaptron.theory.losses import KINDS
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.theorem import Theorem

HEAD = f'''\
"""Found by gaptron sharpen: gaptron check proves these theorems for every K, and keeps their certificates."""

from sympy import Abs, Max, Min, Piecewise, Range, S, exp, log, oo, sqrt  # noqa: F401

from gaptron import {", ".join(sorted(["GapMap", "Theorem", *(kind.__name__ for kind in KINDS)]))}  # noqa: F401
from gaptron.symbols import K, m, p, z  # noqa: F401
'''
STRUCTURED_HEAD = """\
from gaptron import StructuredTheorem
from gaptron.structured import *  # noqa: F403
from gaptron.symbols import d, v  # noqa: F401
"""


def as_theorem_file(results: Sequence[Result]) -> str | None:
    """The Python source; None if nothing was proved for every K or size claimed."""
    found = [theorem for result in results for theorem in theorems(result)]
    if not found:
        return None
    head = HEAD + (STRUCTURED_HEAD if any(isinstance(one, StructuredTheorem) for one in found) else "")
    return "\n".join([head, *(_written(n, theorem) for n, theorem in enumerate(found, 1))])


def theorems(result: Result) -> list[Theorem | StructuredTheorem]:
    """What is proved for every K or size claimed.

    Of a structured theorem that is what gradient steps attain: what proximal updates attain has another argument.
    """
    if isinstance(result, SharpenedStructured):
        parts = (part for part in result.answers if part.proved is not None and part.name != "any_algorithm")
        return [_structured(result.theorem, part) for part in parts]
    theorem = result.theorem.at({q: result.chosen[str(q)] for q in result.theorem.parameters})
    return [_theorem(theorem, answer) for answer in result.answers if answer.feasible is not None]


def _theorem(theorem: Theorem, answer: Finding) -> Theorem:
    eta = answer.feasible
    assert eta is not None  # noqa: S101
    found: Document = {
        "name": f"{theorem.name}, {answer.question.title}",
        "loss": theorem.loss,
        "regret": regret(eta),
        "classes": theorem.classes,
        "abstention_cost": theorem.abstention_cost,
    }
    if answer.question.name == "any_algorithm":
        return Theorem(**found | {"loss": proximal(theorem).loss}, decoder="best", update="proximal")
    if answer.question.name == "best_decoder":
        return Theorem(**found, decoder="best", learning_rate=eta)
    return Theorem(**found, gap_map=answer.gap_maps.get("K", theorem.gap_map), learning_rate=eta)


def _structured(theorem: StructuredTheorem, part: Part) -> StructuredTheorem:
    found = {"best_decoder": (part.proved, theorem.coefficient), "coefficient": (theorem.learning_rate, part.proved)}
    eta, alpha = found.get(part.name, (part.rate, part.alpha))
    assert eta is not None  # noqa: S101
    assert alpha is not None  # noqa: S101
    return replace(
        theorem,
        name=f"{theorem.name}, {TITLES[part.name]}",
        learning_rate=eta,
        coefficient=alpha,
        regret=sp.factor(alpha / (2 * eta)),
        update="gradient",
        source=None,
        expect="PROVED",
    )


def _written(number: int, theorem: Theorem | StructuredTheorem) -> str:
    """An assignment of it, with the arguments that are not what they are by default."""
    values = {f.name: (getattr(theorem, f.name), f.default) for f in fields(theorem) if f.init and f.name != "source"}
    given = [(name, _source_of(value)) for name, (value, default) in values.items() if value != default]
    arguments = "".join(f"    {name}={value},\n" for name, value in given)
    return f"theorem_{number} = {type(theorem).__name__}(\n{arguments})\n"


def _source_of(value: object) -> str:
    """Python that gives an argument again."""
    if isinstance(value, (str, int, range)):
        return repr(value)
    if type(value) in KINDS:
        return _loss(value)
    return f"GapMap({_source(value.expression)})" if isinstance(value, GapMap) else _constructed(value)


def _loss(loss: Any) -> str:
    values = {field.name: getattr(loss, field.name) for field in fields(loss)}
    shown = ", ".join(f"{name}={_source(value)}" for name, value in values.items() if value is not None)
    return f"{type(loss).__name__}({shown})"


def _source(expr: sp.Expr) -> str:
    """Python that gives the expression again: an integer that is divided is one of sympy's, so that nothing rounds."""
    return re.sub(r"S\((-?\d+)\)(?!/)", r"\1", str(sp.sstr(expr, sympy_integers=True)))


def _constructed(value: Any) -> str:
    """Python that gives outputs, a target or an entropy again: their parts in order."""
    if isinstance(value, tuple):
        return f"[{', '.join(map(_constructed, value))}]"
    if isinstance(value, Fraction):
        return _source(sp.Rational(value))
    if is_dataclass(value):
        return f"{type(value).__name__}({', '.join(_constructed(getattr(value, f.name)) for f in fields(value))})"
    return _source(value)
