"""Examples of settings: exact values of one run, on which every hypothesis of the setting is evaluated.

An example shows that the hypotheses do not contradict each other. It is no proof of that where they speak of all
vectors or reals: there they are evaluated at the points of a grid.
"""

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from itertools import islice, product
from operator import eq, le, lt, ne
from typing import TypeAlias

from gaptron.language.rejection import Rejected
from gaptron.papers.layout import PlaceError, ProofLine, UnreadError
from gaptron.papers.rules import defined_symbol, end_of, value_of
from gaptron.papers.statements import PaperSetting
from gaptron.papers.typed_formulas import Formula, Hypothesis, has_binders, symbol_of, symbols_in
from gaptron.papers.typed_terms import (
    BOUND,
    CONST,
    DRAWN,
    SYMBOLS,
    Real,
    T,
    Term,
    Vector,
    is_label,
    level,
    rational_root,
    space_of,
    symbol_value,
)

EVERYTHING = "everything"
OUTCOME = re.compile(r"outcome (.+):")
GRID = (Fraction(-1), Fraction(0), Fraction(1, 2), Fraction(1), Fraction(2))
MOST_POINTS = 125
MOST_EXPONENT = 100
MOST_PATHS = 64
SIGNED = {"<=": le, "<": lt, "=": eq, "!=": ne}

Point: TypeAlias = tuple[Fraction, ...]
Env: TypeAlias = dict[Term, Term]


class ExampleError(Exception):
    """What an example does not say, or has no exact value in it."""


class InexactError(ExampleError):
    """A number that is defined and not 0, but not rational: what is known of it is its sign."""

    def __init__(self, said: str, sign: int) -> None:
        super().__init__(said)
        self.sign = sign


@dataclass(frozen=True)
class RunFunction:
    """A function of a run: its parameter, its term, and the values that the term speaks of."""

    parameter: Term
    body: Real
    env: Env


@dataclass
class RunPath:
    """The rounds of one leaf of the tree: values of each round, the outcome of each draw, and after the last round."""

    probability: Fraction
    rounds: list[Env]
    outcomes: tuple[int, ...]
    end: Env


def joined(inherited: ProofLine | None, own: ProofLine | None) -> ProofLine | None:
    """Of a setting that extends another: that one's, but for what is stated anew; outcomes are stated whole."""
    if inherited is None or own is None:
        return own or inherited
    lines, new = _named(inherited.below), _named(own.below)
    if "outcome 0" in new:
        lines = {name: line for name, line in lines.items() if not name.startswith("outcome ")}
    lines |= {name: joined(lines.get(name), line) or line for name, line in new.items()}
    return replace(own, below=list(lines.values()))


def _named(lines: Sequence[ProofLine]) -> dict[str, ProofLine]:
    """By the name that gets a value, rounds and outcomes by their number."""
    found: dict[str, ProofLine] = {}
    for line in lines:
        word = line.text.partition(" = ")[0] if " = " in line.text else line.text.split(" ")[0].rstrip(":")
        found[word if " = " in line.text else f"{word} {sum(name.startswith(word + ' ') for name in found)}"] = line
    return found


class Example:
    """The tree of runs that the ``example:`` of a setting states."""

    def __init__(self, setting: PaperSetting, block: ProofLine) -> None:
        self.setting, self.block = setting, block
        self.definitions = {defined_symbol(h): value_of(h) for h in setting.hyps if h.kind == "definition"}
        self.sizes: dict[str, int] = {}
        self.sets: dict[str, Term] = {}
        self.paths: list[RunPath] = []
        self.fixed: Env = {}
        rounds = [line for line in block.below if line.text == "round:"]
        for line in block.below:
            if line.text != "round:":
                self._read(line, self.fixed)
        if not any(line.text == "round:" for line in setting.lines):
            rounds = rounds or [ProofLine(0, 0, "round:")]  # of a setting that speaks of no round, one says all
        self.fixed |= dict.fromkeys(T.atoms, Fraction(len(rounds)))
        states = {h.formula[1]: h.formula[2] for h in setting.states}
        start = {symbol_of(s): Evaluator(self, self.fixed).value(first) for s, first in states.items()}
        self._grow(rounds, RunPath(Fraction(1), [], (), start))

    # -- reading

    def _read(self, line: ProofLine, env: Env) -> None:
        found = re.fullmatch(r"(\w+)(?:\((\w+)\))? = (.+)", line.text)
        if found is None or line.below:
            raise line.place(UnreadError("an example has NAME = VALUE, f(v) = TERM, and round:"))
        name, parameter, text = found.groups()
        try:
            value = self.setting.names.get(name)
            if value is None:
                self._size_or_set(name, text, env)
            elif parameter is not None:
                env[value] = self._function(value, parameter, text, env)
            else:
                env[_symbol(value)] = self._typed(value, self._value(text, env), env)
        except (UnreadError, Rejected, ExampleError) as error:
            raise line.place(UnreadError(str(error), text)) from error

    def _size_or_set(self, name: str, text: str, env: Env) -> None:
        if re.fullmatch(r"[1-9]", text):
            self.sizes[name] = int(text)
        elif text == EVERYTHING:
            self.sets[name] = EVERYTHING
        else:
            values = _listed(text)
            if values is None:
                raise ExampleError(f"{name} is no symbol: a size from 1 to 9, everything, or a list of vectors")
            self.sets[name] = [self._value(one, env) for one in values]

    def _function(self, symbol: Term, parameter: str, text: str, env: Env) -> RunFunction:
        applied = [x for h in self.setting.hyps for x in symbols_in(h.formula) if x[0] == "app" and x[1] == symbol]
        spaces = [x[2].space for x in applied if isinstance(x[2], Vector)]
        variable = ("v", "~" + parameter, spaces[0], CONST) if spaces else ("lab", "~" + parameter, CONST)
        body = self.setting.term(text, {parameter: symbol_value(variable)})
        if not isinstance(body, Real):
            raise ExampleError("a function has numbers as values")
        return RunFunction(variable, body, dict(env))

    def _value(self, text: str, env: Env) -> Term:
        parts = _listed(text)
        if parts is not None:
            return tuple(Evaluator(self, env).value(self.setting.term(part)) for part in parts)
        label = re.fullmatch(r"label (\d)", text)
        return int(label[1]) if label else Evaluator(self, env).value(self.setting.term(text))

    def _typed(self, symbol: Term, value: Term, env: Env) -> Term:
        if is_label(symbol):
            good = type(value) is int and value < self.size("labels")
        elif isinstance(symbol, Vector):
            good = isinstance(value, tuple) and len(value) == self.size(symbol.space)
        else:
            good = isinstance(symbol, Real) and isinstance(value, Fraction)
        if not good:
            raise ExampleError("not a value of its type: a number, a list of coordinates, label 0, label 1, ...")
        return value

    def size(self, space: str) -> int:
        """The dimension of a space, or the number of labels."""
        if space in self.sizes:
            return self.sizes[space]
        left, times, right = space.partition("x")
        if times and left in self.sizes:
            return self.sizes[left] * self.size(right)
        raise ExampleError(f"the size of {space} is not stated")

    # -- the tree

    def _grow(self, rounds: Sequence[ProofLine], path: RunPath) -> None:
        if len(path.rounds) == len(rounds):
            self.paths.append(path)
            if len(self.paths) > MOST_PATHS:
                raise self.block.place(UnreadError(f"more than {MOST_PATHS} paths"))
            return
        given, outcomes = self.fixed | path.end, []
        for line in rounds[len(path.rounds)].below:
            if outcome := OUTCOME.fullmatch(line.text):
                outcomes.append((outcome[1], line.below))
            else:
                self._read(line, given)
        for number, (chance, lines) in enumerate(outcomes or [("1", [])]):
            env = dict(given)
            for line in lines:
                self._read(line, env)
            part = self._value(chance, given)
            moved = {symbol_of(h.formula[1]): Evaluator(self, env).value(h.formula[3]) for h in self.setting.states}
            rest = RunPath(path.probability * part, [*path.rounds, env], (*path.outcomes, number), moved)
            if part < 0:
                raise self.block.place(UnreadError("a negative probability"))
            self._grow(rounds, rest)

    # -- hypotheses

    def broken(self) -> tuple[Hypothesis, str] | None:
        """A hypothesis that is false in the run, and where."""
        if not any(path.rounds for path in self.paths):
            raise ExampleError("it has no round")
        if sum(path.probability for path in self.paths) != 1:
            raise ExampleError("the probabilities of the outcomes of a round do not add up to 1")
        for h in self.setting.hyps:
            for at in self._where(h.formula):
                try:
                    said = self.false(h.formula, at)
                except ExampleError as error:
                    raise ExampleError(f"{h.text}: {error}") from error
                if said:
                    return h, f"in round {at.placed()[1] + 1}, {said}"
        return None

    def everywhere(self) -> Iterator["Evaluator"]:
        """At all rounds of all paths."""
        for number, path in enumerate(self.paths):
            yield from (Evaluator(self, env, (number, t)) for t, env in enumerate(path.rounds))

    def _where(self, f: Formula) -> Iterable["Evaluator"]:
        """Where a formula may have another value: everywhere, unless it is known before a draw."""
        free = [level(x) for x in symbols_in(f) if x[0] in SYMBOLS and x[1][0] != "~"]
        if has_binders(f) or any(of[1] == DRAWN[1] for of in free):
            return self.everywhere()
        if any(of != CONST for of in free):
            return {at.past(): at for at in self.everywhere()}.values()
        return islice(self.everywhere(), 1)

    def false(self, f: Formula, at: "Evaluator") -> str:
        """What is false of a formula at a place; nothing if it holds."""
        if f[0] == "rel":
            p = at.value(f[2])
            return "" if SIGNED[f[1]](p, 0) else f"left - right is {p}, not {f[1]} 0"
        if f[0] in ("same", "other"):
            a, b = at.value(f[1]), at.value(f[2])
            return "" if (a == b) == (f[0] == "same") else f"they are {_shown(a)} and {_shown(b)}"
        if f[0] == "int":
            p = at.value(f[1])
            return "" if p.denominator == 1 else f"{p} is no integer"
        if f[0] == "all":
            return self._false_for_one(f, at)
        if f[0] == "in":
            where, u = self._set(f[2]), at.value(f[1])
            return "" if where == EVERYTHING or u in where else f"{_shown(u)} is not in it"
        if f[0] == "draw":
            return self._false_law(f, at)
        return "" if f[0] == "state" else self._false_property(f, at)

    def _set(self, name: str) -> Term:
        if name not in self.sets:
            raise ExampleError(f"the set {name} is not stated")
        return self.sets[name]

    def _points(self, space: str) -> list[Point]:
        grid = GRID if len(GRID) ** self.size(space) <= MOST_POINTS else GRID[:3]
        if len(grid) ** self.size(space) > MOST_POINTS:
            raise ExampleError(f"{space} is too large for a grid")
        more = [u for some in self.sets.values() if some != EVERYTHING for u in some if len(u) == self.size(space)]
        return [*product(grid, repeat=self.size(space)), *more]

    def _false_for_one(self, f: Formula, at: "Evaluator") -> str:
        _, variable, conditions, body = f
        every: Sequence[Term] = GRID
        if variable[0] == "v":
            every = self._points(variable[2])
        elif variable[0] == "lab":
            every = range(self.size("labels"))
        for value in every:
            inner = at.with_value(variable, value)
            if not any(self.false(c, inner) for c in conditions):
                said = self.false(body, inner)
                if said:
                    return f"at {variable[1][1:]} = {_shown(value)}: {said}"
        return ""

    def _false_law(self, f: Formula, at: "Evaluator") -> str:
        for label in range(self.size("labels")):
            chance = at.mean(lambda there, label=label: Fraction(there.value(f[1]) == label))
            stated = at.apply(f[2], label)
            if chance != stated:
                return f"label {label} is drawn with probability {chance}, not {stated}"
        return ""

    def _false_property(self, f: Formula, at: "Evaluator") -> str:
        """A projection is the one property there is."""
        if self._set(f[4]) != EVERYTHING:
            raise ExampleError(f"a projection on {f[4]}: it is everything in an example")
        w, v = at.value(f[2]), at.value(f[3])
        return "" if w == v else f"{_shown(w)} is not {_shown(v)}"


@dataclass
class Evaluator:
    """Exact values of terms at a place: (path, round), or values alone; ``bound`` variables have theirs everywhere."""

    example: Example
    env: Env
    place: tuple[int, int] | None = None
    bound: Env = field(default_factory=dict)

    def with_value(self, symbol: Term, value: Term) -> "Evaluator":
        """With a value for a bound variable, in every round."""
        more = {symbol: value}
        return Evaluator(self.example, self.env | more, self.place, self.bound | more)

    def value(self, x: Term) -> Term:
        """Of a real, a vector or a label."""
        if isinstance(x, Real):
            return self._sum(x.items)
        if isinstance(x, Vector):
            out_v = [Fraction(0)] * self.example.size(x.space)
            for b, of_b in x.items:
                scale = self.value(of_b)
                out_v = [p + scale * q for p, q in zip(out_v, self._base(b), strict=True)]
            return tuple(out_v)
        return self._symbol(x)

    def _sum(self, items: Sequence[tuple[Term, Fraction]]) -> Fraction:
        try:
            return sum((c * self._monomial(m) for m, c in items), Fraction(0))
        except InexactError as error:
            if len(items) > 1:  # it may be 0
                raise ExampleError(str(error)) from error
            raise InexactError(str(error), error.sign if items[0][1] > 0 else -error.sign) from error

    def _monomial(self, m: Term) -> Fraction:
        out = below_root = Fraction(1)  # sqrt(2) sqrt(a) may be rational where neither is
        irrational: list[InexactError] = []
        for a, e in m:
            if e > MOST_EXPONENT:
                raise ExampleError(f"a power of more than {MOST_EXPONENT}")
            try:
                if a[0] == "root":
                    inner = self._not_negative(a[1])
                    out *= inner ** (e // 2)
                    below_root *= inner ** (e % 2)
                else:
                    out *= self._atom(a) ** e
            except InexactError as error:
                irrational += [error] * e
        try:
            out *= _power(below_root, Fraction(1, 2))
        except InexactError as error:
            irrational += [error]
        if not irrational or not out:  # 0 times what is defined is 0
            return out
        sign = -1 if (out < 0) ^ (sum(error.sign < 0 for error in irrational) % 2) else 1
        raise InexactError(str(irrational[0]), sign)

    def _not_negative(self, p: Real) -> Fraction:
        try:
            found: Fraction = self.value(p)
        except InexactError as error:
            if error.sign < 0:
                raise ExampleError("the root of less than 0") from error
            raise
        if found < 0:
            raise ExampleError(f"the root of {found}")
        return found

    def _symbol(self, x: Term) -> Term:
        if x in self.env:
            return self.env[x]
        if x in self.example.definitions:
            return self.value(self.example.definitions[x])
        ends = {} if self.place is None else self.example.paths[self.place[0]].end
        for s, value in ends.items():
            if end_of(s) == x:
                return value
        raise ExampleError(f"{x[1]} has no value in the example")

    def _base(self, b: Term) -> Point:
        if b[0] == "e":
            return tuple(Fraction(k == self.value(b[1])) for k in range(self.example.size("labels")))
        if b[0] == "o":
            return tuple(p * q for p in self._base(b[1]) for q in self._base(b[2]))
        found: Point = self._symbol(b)
        if len(found) != self.example.size(space_of(b)):
            raise ExampleError(f"{b[1]} has another number of coordinates")
        return found

    def _atom(self, a: Term) -> Fraction:
        try:
            found: Fraction = ATOMS[a[0]](self, *a[1:]) if a[0] in ATOMS else self._symbol(a)
        except InexactError as error:
            if a[0] not in ("inv", "exp", "log"):
                raise ExampleError(str(error)) from error
            raise
        return found

    def _inverse(self, p: Real) -> Fraction:
        value: Fraction = self.value(p)
        if value == 0:
            raise ExampleError("a division by 0")
        return Fraction(1) / value

    def _only(self, p: Real, at: int, then: int, name: str) -> Fraction:
        try:
            value: Fraction = self.value(p)
        except InexactError as error:
            raise ExampleError(str(error)) from error
        if value != at:
            said = f"{name} of {value} is not exact: choose values where it is {name}({at})"
            if value <= 0 and name == "log":
                raise ExampleError(said)
            raise InexactError(said, 1 if name == "exp" or value > 1 else -1)
        return Fraction(then)

    def _largest(self, but: Term, body: Real) -> Fraction:
        left = [k for k in range(self.example.size("labels")) if but is None or k != self.value(but)]
        if not left:
            raise ExampleError("a maximum over no label")
        found: Fraction = max(self.with_value(BOUND, k).value(body) for k in left)
        return found

    def apply(self, f: Term, arg: Term) -> Fraction:
        """A function at a vector or a label."""
        found = self._symbol(f)
        inner = Evaluator(self.example, found.env | {found.parameter: arg}, self.place)
        value: Fraction = inner.value(found.body)
        return value

    def _at(self, number: int, t: int) -> "Evaluator":
        return Evaluator(self.example, self.example.paths[number].rounds[t] | self.bound, (number, t), self.bound)

    def _total(self, p: Real) -> Fraction:
        number, _ = self.placed()
        rounds = range(len(self.example.paths[number].rounds))
        return sum((self._at(number, t).value(p) for t in rounds), Fraction(0))

    def mean(self, of: Term) -> Fraction:
        """The expectation over the draws of the round, given its past."""
        t, past = self.past()
        every = enumerate(self.example.paths)
        paths = [(path.probability, self._at(n, t)) for n, path in every if path.outcomes[:t] == past]
        whole, found = sum(p for p, _ in paths), sum((p * of(at) for p, at in paths), Fraction(0))
        if not whole:
            raise ExampleError("a past of probability 0")
        return found / whole

    def _expect(self, p: Real) -> Fraction:
        self.placed()
        paths = enumerate(self.example.paths)
        return sum((path.probability * self._at(n, 0).value(p) for n, path in paths), Fraction(0))

    def placed(self) -> tuple[int, int]:
        """The place, which values alone have none of."""
        if self.place is None:
            raise ExampleError("a sum, mean or expectation is no value")
        return self.place

    def past(self) -> tuple[int, tuple[int, ...]]:
        """The round, and the outcomes of the draws before it."""
        number, t = self.placed()
        return t, self.example.paths[number].outcomes[:t]


ATOMS: dict[str, Callable[..., Fraction]] = {
    "ind": lambda at, k, j: Fraction(at.value(k) == at.value(j)),
    "on": lambda at, p: Fraction(at.value(p) >= 0),
    "dot": lambda at, b, c: sum((p * q for p, q in zip(at._base(b), at._base(c), strict=True)), Fraction(0)),
    "inv": Evaluator._inverse,
    "pow": lambda at, p, q: _power(at.value(p), at.value(q)),
    "exp": lambda at, p: at._only(p, 0, 1, "exp"),
    "log": lambda at, p: at._only(p, 1, 0, "log"),
    "max": lambda at, *both: max(map(at.value, both)),
    "min": lambda at, *both: min(map(at.value, both)),
    "lmax": Evaluator._largest,
    "app": lambda at, f, argument: at.apply(f, at.value(argument)),
    "total": Evaluator._total,
    "mean": lambda at, p: at.mean(lambda there: there.value(p)),
    "expect": Evaluator._expect,
}


def check_example(setting: PaperSetting, block: ProofLine) -> None:
    """Every hypothesis of a setting holds in the run of its example.

    Raises
    ------
    PlaceError
        If one does not, with its values, or if the example leaves something open.
    """
    try:
        found = Example(setting, block).broken()
    except ExampleError as error:
        raise block.place(UnreadError(f"the example of {setting.name}: {error}")) from error
    if found is not None:
        h, said = found
        raise PlaceError(
            f"the example of {setting.name} breaks {h.kind} {h.text}: {said}", block.number, block.depth + 1
        )


def _symbol(value: Term) -> Term:
    try:
        return symbol_of(value)
    except Rejected as error:
        raise ExampleError("it is an abbreviation, or a function without its parameter") from error


def _listed(text: str) -> list[str] | None:
    """The texts of the parts of a list."""
    if not text.startswith("["):
        return None
    try:
        node = ast.parse(text, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise ExampleError("not a list") from error
    return [ast.unparse(part) for part in node.elts] if isinstance(node, ast.List) else None


def _shown(value: Term) -> str:
    return f"[{', '.join(map(str, value))}]" if isinstance(value, tuple) else str(value)


def _power(p: Fraction, q: Fraction) -> Fraction:
    """p^q, p >= 0 and q >= 0, if it is rational."""
    if p < 0 or q < 0:
        raise ExampleError(f"{p} to the power {q} is not defined")
    if q.denominator not in (1, 2) or q.numerator > 100:
        raise ExampleError(f"a power {q} is not exact")
    base = p if q.denominator == 1 else rational_root(p)
    if base is None:
        raise InexactError(f"the root of {p} is not rational", 1)
    return Fraction(base**q.numerator)
