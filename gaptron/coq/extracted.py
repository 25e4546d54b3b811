"""Functions of ``proofs/coq/Obligations.v`` as Coq extracts them, run here: what is to be proved is written once.

Nothing here is trusted: Coq computes them again from the same data, and refuses certificates of other claims.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, TypeAlias

from gaptron.coq.kernel_data import Data, Pair

EXTRACTED = Path(__file__).with_name("obligations.json")  # written by tests/formal/test_extracted.py
Value: TypeAlias = Any  # data, or a function of one argument
Local: TypeAlias = Mapping[str, Value]
Code: TypeAlias = Callable[[Local], Value]

# Numbers and lists are Python's own: what is made of the arguments of a constructor, and what a value is made of.
MADE: dict[str, Callable[..., Value]] = {
    "True": lambda: True,
    "False": lambda: False,
    "Nil": list,
    "Cons": lambda first, rest: [first, *rest],
    "Pair": Pair,
    "O": int,
    "S": lambda n: n + 1,
    "XH": lambda: 1,
    "XO": lambda n: 2 * n,
    "XI": lambda n: 2 * n + 1,
    "Z0": int,
    "Zpos": int,
    "Zneg": lambda n: -n,
}
TAKEN: dict[str, Callable[[Value], tuple[Value, ...] | None]] = {
    "True": lambda value: () if value else None,
    "False": lambda value: None if value else (),
    "Nil": lambda value: None if value else (),
    "Cons": lambda value: (value[0], value[1:]) if value else None,
    "Pair": lambda value: (value.first, value.second),
    "O": lambda n: None if n else (),
    "S": lambda n: (n - 1,) if n else None,
    "XH": lambda n: () if n == 1 else None,
    "XO": lambda n: None if n % 2 else (n // 2,),
    "XI": lambda n: (n // 2,) if n % 2 and n > 1 else None,
    "Z0": lambda n: None if n else (),
    "Zpos": lambda n: (n,) if n > 0 else None,
    "Zneg": lambda n: (-n,) if n < 0 else None,
}
KNOWN: dict[str, Value] = {  # of Coq's library, without its recursion
    "app": lambda a: lambda b: a + b,
    "map": lambda f: lambda values: [f(value) for value in values],
    "flat_map": lambda f: lambda values: [part for value in values for part in f(value)],
}


@cache
def of_coq(name: str) -> Value:
    """A function of the library, of its arguments one by one; KeyError if it is not extracted."""
    return KNOWN[name] if name in KNOWN else _compiled(_program()[name])({})


@cache
def _program() -> dict[str, Data]:
    found: dict[str, Data] = json.loads(EXTRACTED.read_text(encoding="utf-8"))
    return found


def _compiled(code: Data) -> Code:
    """A term of Coq's: a name, or what it does and its parts."""
    if isinstance(code, str):
        return lambda local: local[code]
    kind, *parts = code
    return KINDS[kind](*parts)


def _global(name: str) -> Code:
    return lambda _: of_coq(name)


def _lambda(names: Sequence[str], body: Data) -> Code:
    inside = _compiled(body)

    def function(local: Local, taken: tuple[Value, ...] = ()) -> Value:
        if len(taken) == len(names):
            return inside({**local, **dict(zip(names, taken, strict=True))})
        return lambda value: function(local, (*taken, value))

    return function


def _apply(function: Data, arguments: Sequence[Data]) -> Code:
    called, given = _compiled(function), list(map(_compiled, arguments))

    def value(local: Local) -> Value:
        found: Value = called(local)
        for argument in given:
            found = found(argument(local))
        return found

    return value


def _constructor(name: str, arguments: Sequence[Data]) -> Code:
    parts, make = list(map(_compiled, arguments)), MADE.get(name)

    def made(local: Local) -> Value:
        values = [part(local) for part in parts]
        return make(*values) if make else (name, *values) if values else name

    return made


def _case(value: Data, cases: Sequence[tuple[str, Sequence[str], Data]]) -> Code:
    matched = _compiled(value)
    ways = [(_taken_by(name), names, _compiled(body)) for name, names, body in cases]

    def chosen(local: Local) -> Value:
        found = matched(local)
        for take, names, body in ways:
            taken = take(found)
            if taken is not None:
                return body({**local, **dict(zip(names, taken, strict=True))})
        raise ValueError(f"no case for {found!r}")

    return chosen


def _taken_by(name: str) -> Callable[[Value], tuple[Value, ...] | None]:
    """What a value is made of, if that constructor made it; "_" is for all others."""
    if name in TAKEN:
        return TAKEN[name]
    if name == "_":
        return lambda _: ()

    def taken(value: Value) -> tuple[Value, ...] | None:
        made, *parts = (value,) if isinstance(value, str) else value
        return tuple(parts) if made == name else None

    return taken


def _let(name: str, value: Data, body: Data) -> Code:
    put, inside = _compiled(value), _compiled(body)
    return lambda local: inside({**local, name: put(local)})


KINDS: dict[str, Callable[..., Code]] = {
    "global": _global,
    "lambda": _lambda,
    "apply": _apply,
    "constructor": _constructor,
    "case": _case,
    "let": _let,
}
