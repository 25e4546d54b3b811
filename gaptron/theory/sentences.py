"""Hypotheses and conclusions of arguments: the symbols they speak of, and the same with other names."""

import re
from collections.abc import Iterable, Mapping

import sympy as sp
from sympy.core.relational import Relational

from gaptron.theory.arguments import Sentence, When

EVERY_ROUND = "in every round"


def is_of_a_round(hypothesis: Sentence | When) -> bool:
    """Whether it is said to hold in every round, so that it may speak of the state."""
    return isinstance(hypothesis, When) and hypothesis.case == EVERY_ROUND


def symbols_of(sentences: Iterable[Sentence | When]) -> set[sp.Symbol]:
    """Those that relations speak of."""
    parts = [one.then if isinstance(one, When) else (one,) for one in sentences]
    return {s for part in parts for one in part if isinstance(one, Relational) for s in one.free_symbols}


def put(what: Sentence | When, values: Mapping[sp.Symbol, sp.Symbol], objects: Mapping[str, str]) -> Sentence | When:
    """A hypothesis in other symbols, with other names for its objects."""
    if isinstance(what, When):
        then = tuple(one.xreplace(values) for one in what.then)
        return When(put(what.case, values, objects), then)
    return renamed(what, objects) if isinstance(what, str) else what.xreplace(values)


def renamed(text: str, objects: Mapping[str, str]) -> str:
    """The text with other names for its objects, word by word."""
    return re.sub(r"[\w']+", lambda match: objects.get(match[0], match[0]), text)
