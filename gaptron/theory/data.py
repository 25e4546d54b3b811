"""Theorems and claims as data: written where their file ran, read strictly where no file did.

The data is a list of nodes [head, *arguments]. The heads are a closed list. The arguments of a number, a text or a
symbol are literal; those of everything else are the places of earlier nodes, so that what is shared is one node.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields
from fractions import Fraction
from types import UnionType
from typing import Any, TypeAlias, get_args, get_origin

import sympy as sp
from sympy.core.assumptions import _assume_defined

from gaptron import symbols
from gaptron.symbols import Parameter
from gaptron.system.documents import Document
from gaptron.theory import claims, theorem
from gaptron.theory.claims import Exact, LedgerClaim, Resists
from gaptron.theory.decoders import GapMap
from gaptron.theory.losses import KINDS
from gaptron.theory.structured.entropies import ENTROPIES
from gaptron.theory.structured.outputs import OUTPUTS
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.structured.targets import TARGETS
from gaptron.theory.theorem import Lemma, Theorem
from gaptron.theory.user_expressions import CONDITIONS, FUNCTIONS

EXPRESSIONS = {kind.__name__: kind for kind in (sp.Add, sp.Mul, sp.Pow, *FUNCTIONS, *CONDITIONS)}
CONSTANTS = {"pi": sp.pi, "E": sp.E, "true": sp.true, "false": sp.false, "oo": sp.oo}
RECORDS = {
    kind.__name__: kind
    for kind in (
        Theorem, StructuredTheorem, Lemma, theorem.Implication, theorem.Contact, GapMap, *KINDS,
        *OUTPUTS, *TARGETS, *ENTROPIES, claims.Paper, LedgerClaim, claims.InProof, claims.Obligations, claims.Rests,
        claims.NotCheckable, claims.Corrected, claims.Constant,
    )
}  # fmt: skip
EXACT = {kind.__name__: kind for kind in get_args(Exact)}
WITH_READINGS = (Theorem, StructuredTheorem, Lemma)
Value: TypeAlias = Any  # what theorems and claims are made of, and what may be no data of it
BY_VALUE = (sp.Basic, str, int, Fraction, type(None))  # the others are known by their identity
Function = Callable[..., Value]


class DataError(ValueError):
    """What is no data of theorems: the message says why."""


class Writer:
    """Nodes of what is written, and the grounds by instances, whose functions are no data: their places are."""

    def __init__(self) -> None:
        self.nodes: list[list[Value]] = []
        self.grounds: list[Exact] = []
        self.places: dict[Value, int] = {}
        self.alive: list[Value] = []  # as an object is known by its address

    def write(self, value: Value) -> int:
        """The place of the node of this value; DataError if it is of a kind that is no data."""
        key = (type(value), value) if isinstance(value, BY_VALUE) else id(value)
        if key not in self.places:
            self.alive.append(value)
            node = self._node(value)
            same = tuple(node) if isinstance(value, (tuple, list, Mapping)) else key
            self.places[key] = self.places.setdefault(same, len(self.nodes))
            self.nodes += [node] if self.places[key] == len(self.nodes) else []
        return self.places[key]

    def _node(self, value: Value) -> list[Value]:
        kind = type(value)
        if isinstance(value, sp.Basic):
            return self._expression(value)
        if value is None or kind in (bool, int, str):
            return ["plain", value]
        if kind is Fraction:
            return ["Fraction", str(value)]
        if kind is range:
            return ["range", value.start, value.stop]
        if kind in (tuple, list):
            return [kind.__name__, *map(self.write, value)]
        if isinstance(value, Mapping):
            return ["dict", *(self.write(part) for pair in value.items() for part in pair)]
        if EXACT.get(kind.__name__) is kind:
            self.grounds.append(value)
            return [kind.__name__, len(self.grounds) - 1, *([value.n_instances] if kind is Resists else [])]
        if RECORDS.get(kind.__name__) is not kind:
            raise DataError(f"{kind.__name__} is nothing that theorems and claims are made of")
        return [kind.__name__, *(self.write(part) for part in _parts(value))]

    def _expression(self, value: sp.Basic) -> list[Value]:
        kind = type(value)
        if value.is_Rational:
            return ["number", str(sp.Rational(value))]
        if kind is Parameter:
            return ["Parameter", value.name, *(None if end is None else str(end) for end in (value.low, value.high))]
        if kind in (sp.Symbol, sp.Dummy):
            is_ours = symbols.ALL.get(value.name) == value
            return ["symbol", value.name] if is_ours else [kind.__name__, value.name, dict(value._assumptions_orig)]
        if kind is sp.Range:
            return ["Range", *map(self.write, (value.start, value.stop))]
        constant = next((name for name, one in CONSTANTS.items() if value is one), None)
        if constant is not None:
            return ["constant", constant]
        if EXPRESSIONS.get(kind.__name__) is not kind:
            raise DataError(f"{kind.__name__} is nothing that expressions are made of")
        return [kind.__name__, *map(self.write, value.args)]


def _parts(value: Value) -> list[Value]:
    """What a record is made of: the arguments that build it again, its line, and the decimals it was written with."""
    own = vars(value)
    parts = [own[field.name] for field in fields(value) if field.init]
    more = [own["line"]] if "line" in own else []
    return [*parts, *more, *([value.readings] if type(value) in WITH_READINGS else [])]


class Reader:
    """Values of nodes. ``function(place)`` stands for what is asked of the file itself."""

    def __init__(self, function: Callable[[int], object]) -> None:
        self.function = function
        self.values: list[Value] = []

    def read(self, nodes: Value) -> Sequence[Value]:
        """The value of every node; DataError if one is none."""
        if type(nodes) is not list:
            raise DataError("it is no list of nodes")
        for node in nodes:
            if type(node) is not list or not node or type(node[0]) is not str:
                raise DataError("a node is no list with a head")
            self.values.append(self._value(node[0], node[1:]))
        return self.values

    def _value(self, head: str, given: list[Value]) -> Value:
        if head in LEAVES:
            return LEAVES[head](*given)
        if head in EXACT:
            place, *more = given
            return EXACT[head](self.function(_number(place)), *map(_number, more))
        parts = [self._part(place) for place in given]
        if head in EXPRESSIONS:
            return _expression(EXPRESSIONS[head], parts)
        if head in RECORDS:
            return _record(RECORDS[head], parts)
        if head == "Range" and len(parts) == 2:
            return sp.Range(*map(_of_sympy, parts))
        if head in ("tuple", "list"):
            return tuple(parts) if head == "tuple" else parts
        if head == "dict" and len(parts) % 2 == 0:
            return dict(zip(parts[::2], parts[1::2], strict=True))
        raise DataError(f"{head[:40]!r} is no head of a node")

    def _part(self, place: Value) -> Value:
        if not 0 <= _number(place) < len(self.values):
            raise DataError(f"there is no node {place} before it")
        return self.values[place]


def _number(value: Value) -> int:
    if type(value) is not int:
        raise DataError(f"{str(value)[:40]!r} is no number")
    return value


def _text(value: Value) -> str:
    if type(value) is not str:
        raise DataError(f"{str(value)[:40]!r} is no text")
    return value


def _plain(value: Value) -> Value:
    return value if value is None or type(value) is bool else value if type(value) is str else _number(value)


def _bound(value: Value) -> Fraction | None:
    return None if value is None else Fraction(_text(value))


def _symbol(kind: type, name: str, assumptions: Value) -> sp.Symbol:
    if not isinstance(assumptions, dict) or not assumptions.keys() <= _assume_defined:
        raise DataError(f"the symbol {name[:40]} has assumptions that are none")
    if not all(type(value) is bool for value in assumptions.values()):
        raise DataError(f"the symbol {name[:40]} has assumptions that are neither true nor false")
    return kind(_text(name), **assumptions)


LEAVES: dict[str, Function] = {
    "plain": _plain,
    "number": lambda text: sp.Rational(Fraction(_text(text))),
    "Fraction": lambda text: Fraction(_text(text)),
    "range": lambda start, stop: range(_number(start), _number(stop)),
    "symbol": lambda name: symbols.ALL[_text(name)],
    "Symbol": lambda name, assumptions: _symbol(sp.Symbol, name, assumptions),
    "Dummy": lambda name, assumptions: _symbol(sp.Dummy, name, assumptions),
    "Parameter": lambda name, low, high: Parameter(_text(name), _bound(low), _bound(high)),
    "constant": lambda name: CONSTANTS[_text(name)],
}


def _of_sympy(part: Value) -> sp.Basic:
    if not isinstance(part, sp.Basic):
        raise DataError(f"{str(part)[:40]!r} is no part of an expression")
    return part


def _expression(kind: Value, parts: list[Value]) -> sp.Basic:
    """Made of its parts as it was, neither simplified nor sorted."""
    checked = [_of_sympy(part) for part in parts]
    if kind in (sp.Add, sp.Mul):
        return kind._from_args(checked)
    return kind(*checked) if kind.__name__ == "ExprCondPair" else kind(*checked, evaluate=False)


def _record(kind: Value, parts: list[Value]) -> Value:
    """Built again, with all that its class asks of its arguments."""
    named = [field for field in fields(kind) if field.init]
    has_line = any(field.name == "line" for field in fields(kind))
    given, more = parts[: len(named)], parts[len(named) :]
    if len(given) < len(named) or len(more) != has_line + (kind in WITH_READINGS):
        raise DataError(f"{kind.__name__} has other arguments")
    for one, value in zip(named, given, strict=True):
        if not _fits(value, one.type):
            raise DataError(f"{kind.__name__} {one.name} = {str(value)[:40]!r} is of another kind")
    made = (
        kind(**dict(zip((f.name for f in named), given, strict=True))) if named and named[0].kw_only else kind(*given)
    )
    if has_line:
        object.__setattr__(made, "line", _number(more[0]))
    if kind in WITH_READINGS:
        object.__setattr__(made, "readings", tuple(map(_reading, more[1])))
    return made


def _fits(value: Value, kind: Value) -> bool:
    """Whether it is what a field is annotated with, as far as that is a class; its own checks say the rest."""
    if isinstance(kind, UnionType):
        return any(_fits(value, one) for one in get_args(kind))
    origin = get_origin(kind) or kind
    if origin is sp.Expr and type(value) in (int, Fraction):
        return True
    return not isinstance(origin, type) or origin is Value or isinstance(value, origin)


def _reading(reading: Value) -> tuple[str, str, str]:
    """What was read for a decimal."""
    argument, decimal, rational = map(_text, reading)
    if Fraction(decimal) != Fraction(rational):
        raise DataError(f"the decimal {decimal} is not {rational}")
    return argument, decimal, rational


def written(values: Sequence[Value]) -> tuple[Document, list[Exact]]:
    """The data of some values, and the grounds by instances in them."""
    writer = Writer()
    places = [writer.write(value) for value in values]
    return {"nodes": writer.nodes, "values": places}, writer.grounds


def read(document: Document, function: Callable[[int], object]) -> list[Value]:
    """The values of which this is the data.

    Raises
    ------
    DataError
        If it is no such data: it is read strictly, and nothing in it is executed.
    TheoremError
        If a theorem or claim is refused by its class.
    """
    if document.keys() != {"nodes", "values"} or type(document["values"]) is not list:
        raise DataError("it has other parts than nodes and values")
    reader = Reader(function)
    reader.read(document["nodes"])
    return [reader._part(place) for place in document["values"]]
