"""Trees of rules as JSON, and their replay, which searches nothing.

{"terms": [...], "steps": [[rule, argument, ...], ...], "proves": [step, ...]}: arguments are numbers of terms and of
earlier steps, so that what is shared is written once. Every term is built anew by the constructors of the normal form.
"""

from collections.abc import Mapping, Sequence
from fractions import Fraction

from gaptron.language.rejection import Rejected, require
from gaptron.language.terms import Json
from gaptron.papers import facts, matrices
from gaptron.papers.rules import RULES, Judgement
from gaptron.papers.statements import StatedClaim
from gaptron.papers.typed_formulas import Formula, Hypothesis
from gaptron.papers.typed_terms import BUILD, Level, Real, Term, Vector, is_a, is_fn, num, power, single, symbol_value

FORMULAS = {"rel": 3, "same": 3, "other": 3, "in": 3, "int": 2, "is": 0, "state": 4, "draw": 3, "all": 4}
SORTS = {
    "dot": ("base", "base"), "o": ("base", "base"), "ind": ("label", "label"), "e": ("label",),
    "app": ("function", "vector or label"), "lmax": ("label or nothing", "number"),
    **dict.fromkeys(("on", "inv", "root", "exp", "log", "total", "mean", "expect"), ("number",)),
    **dict.fromkeys(("pow", "max", "min"), ("number", "number")),
}  # fmt: skip
COQ = facts.COQ | matrices.COQ
WHOLE = {"declaration", "definition", "protocol", "assumption"}


class TreeWriter:
    """Writes sequents as a tree."""

    def __init__(self, hyps: Sequence[Hypothesis], cited: Mapping[int, tuple[str, int]]) -> None:
        self.hyps, self.cited = list(hyps), cited  # cited: id of a sequent -> (claim, number)
        self.terms: list[Json] = []
        self.steps: list[Json] = []
        self.number_of: dict[str, int] = {}
        self.step_of: dict[int, int] = {}
        self.alive: list[Judgement] = []

    def tree(self, proved: Sequence[Judgement]) -> Json:
        """The tree of some sequents."""
        found = [self.step(p) for p in proved]
        return {"terms": self.terms, "steps": self.steps, "proves": found}

    def step(self, p: Judgement) -> int:
        """The number of the step that makes a sequent."""
        left = [p]
        while left:
            now = left[-1]
            missing = [q for q in _sequents(now.made[1]) if id(q) not in self.step_of and id(q) not in self.cited]
            if missing and id(now) not in self.step_of:
                left += missing
                continue
            left.pop()
            if id(now) not in self.step_of:
                self.steps.append([now.made[0], *map(self.argument, now.made[1])])
                self.step_of[id(now)] = len(self.steps) - 1
                self.alive.append(now)
        return self.step_of[id(p)]

    def argument(self, x: Term) -> Json:
        """An argument of a rule."""
        if isinstance(x, Judgement):
            return ["claim", *self.cited[id(x)]] if id(x) in self.cited else ["step", self.step_of[id(x)]]
        if isinstance(x, Hypothesis):
            return ["hypothesis", self.hyps.index(x)]
        if isinstance(x, bool | int | list) or (isinstance(x, dict) and all(isinstance(k, str) for k in x)):
            return ["data", x]
        if isinstance(x, Mapping):
            return ["values", *([self.term(s), self.value(v)] for s, v in sorted(x.items(), key=repr))]
        if isinstance(x, tuple) and (not x or isinstance(x[0], Judgement | Hypothesis | Fraction)):
            return ["list", *(["number", str(y)] if isinstance(y, Fraction) else self.argument(y) for y in x)]
        if isinstance(x, Real | Vector | tuple):
            return ["term", self.term(x)]
        return ["data", x]

    def value(self, v: Term) -> Json:
        """A value for a symbol."""
        return ["fn", self.term(v[1]), self.term(v[2])] if is_fn(v) else ["term", self.term(v)]

    def term(self, x: Term) -> int:
        """The number of a term, a symbol or a formula."""
        key = repr(x)
        if key not in self.number_of:
            data = self._data(x)
            self.terms.append(data)
            self.number_of[key] = len(self.terms) - 1
        return self.number_of[key]

    def _data(self, x: Term) -> Json:
        if isinstance(x, Real):
            return ["sum", *([str(c), *([self.term(a), e] for a, e in m)] for m, c in x.items)]
        if isinstance(x, Vector):
            return ["vector", x.space, *([self.term(b), self.term(c)] for b, c in x.items)]
        if x[0] in ("r", "v", "lab", "f"):
            return [x[0], *(list(p) if isinstance(p, tuple) else p for p in x[1:])]
        if x[0] == "all":
            return ["all", self.term(x[1]), [self.term(c) for c in x[2]], self.term(x[3])]
        return [x[0], *(p if isinstance(p, str) or p is None else self.term(p) for p in x[1:])]


def _sequents(args: Term) -> list[Judgement]:
    found: list[Judgement] = []
    for x in args:
        if isinstance(x, Judgement):
            found.append(x)
        elif isinstance(x, tuple) and x and isinstance(x[0], Judgement):
            found += x
    return found


class Replay:
    """Makes the sequents of a tree again, by the rules."""

    def __init__(self, hyps: Sequence[Hypothesis], claims: Mapping[str, Sequence[Judgement]], data: Json) -> None:
        good = isinstance(data, dict) and set(data) == {"terms", "steps", "proves"}
        require(good and all(isinstance(v, list) for v in data.values()), "not a tree of rules")
        self.hyps, self.claims = hyps, claims
        self.terms: list[Term] = []
        self.steps: list[Judgement] = []
        for term in data["terms"]:
            self.terms.append(self._term(term))
        for step in data["steps"]:
            name, *args = _list(step)
            require(isinstance(name, str) and name in RULES, f"{name!r} is no rule")
            self.steps.append(RULES[name](*map(self._argument, args)))
        self.proved = [_at(self.steps, n) for n in data["proves"]]

    def _term(self, data: Json) -> Term:
        head, *parts = _list(data)
        if head == "sum":
            return self._sum(parts)
        if head == "vector":
            space, *pairs = parts
            require(isinstance(space, str), "not a space")
            out = Vector({}, space)
            for b, c in pairs:
                out = out + self._of(Vector, self._base(b)).scale(self._of(Real, _at(self.terms, c)))
            return out
        if head in ("r", "v", "lab", "f"):
            return _symbol(head, parts)
        if head in FORMULAS:
            return self._formula(head, parts)
        require(head in BUILD and len(parts) == len(SORTS[head]), f"{head!r} is no term")
        return _Built(BUILD[head](*(self._part(sort, p) for sort, p in zip(SORTS[head], parts, strict=True))))

    def _part(self, sort: str, n: Json) -> Term:
        if sort == "base":
            return self._base(n)
        found = _opened(_at(self.terms, n)) if n is not None else None
        require(is_a(sort, found), f"no {sort}")
        return found

    def _base(self, n: Json) -> Vector:
        base = _at(self.terms, n)
        found = _opened(base)
        value = symbol_value(found) if isinstance(found, tuple) else found
        require(isinstance(value, Vector), "no base")
        return Vector(dict(value.items), value.space)

    def _of(self, kind: type, value: Term) -> Term:
        require(isinstance(value, kind), "a term of another type")
        return value

    def _sum(self, parts: Sequence[Json]) -> Real:
        out = num(0)
        for c, *powers in parts:
            part = num(_rational(c))
            for a, e in powers:
                require(type(e) is int and 0 < e <= 10_000, "not an exponent")
                part = part * power(self._of(Real, _real(_at(self.terms, a))), e)
            out = out + part
        return out

    def _formula(self, head: str, parts: Sequence[Json]) -> Formula:
        require(FORMULAS[head] in (0, len(parts) + 1), "not a formula")
        if head == "all":
            variable, conditions, body = parts
            found = tuple(_at(self.terms, c) for c in _list(conditions))
            return ("all", _at(self.terms, variable), found, _at(self.terms, body))
        if head == "rel":
            require(parts[0] in ("<=", "<", "=", "!="), "not a sign")
            return ("rel", parts[0], self._of(Real, _at(self.terms, parts[1])))
        return (head, *(p if isinstance(p, str) else _opened(_at(self.terms, p)) for p in parts))

    def _argument(self, data: Json) -> Term:
        head, *parts = _list(data)
        if head == "step":
            return _at(self.steps, parts[0])
        if head == "claim":
            require(parts[0] in self.claims, f"{parts[0]!r} is no claim that is proved above")
            return _at(self.claims[parts[0]], parts[1])
        if head == "hypothesis":
            return _at(self.hyps, parts[0])
        if head == "values":
            return {_at(self.terms, s): self._value(v) for s, v in parts}
        if head == "list":
            return tuple(map(self._argument, parts))
        if head == "number":
            return _rational(parts[0])
        require(head in ("term", "data") and len(parts) == 1, "not an argument")
        return _opened(_at(self.terms, parts[0])) if head == "term" else parts[0]

    def _value(self, data: Json) -> Term:
        head, *parts = _list(data)
        if head == "fn":
            param, body = (_opened(_at(self.terms, p)) for p in parts)
            require(isinstance(body, Real) and isinstance(param, tuple) and param[0] in ("v", "lab"), "not a function")
            return ("fn", param, body)
        return _opened(_at(self.terms, parts[0]))


class _Built:
    """A term that a constructor made of an atom or base."""

    def __init__(self, value: Term) -> None:
        self.value = value


def _opened(x: Term) -> Term:
    return x.value if isinstance(x, _Built) else x


def _real(x: Term) -> Term:
    found = _opened(x)
    return single(found) if isinstance(found, tuple) and found[0] == "r" else found


def _list(data: Json) -> list[Term]:
    require(isinstance(data, list) and len(data) > 0, "not a list") if data != [] else None
    return list(data)


def _at(some: Sequence[Term], n: Json) -> Term:
    require(type(n) is int and 0 <= n < len(some), "no such number")
    return some[n]


def _rational(data: Json) -> Fraction:
    require(isinstance(data, str) and len(data) < 4000, "not a rational")
    try:
        return Fraction(data)
    except (ValueError, ZeroDivisionError) as error:
        raise Rejected("not a rational") from error


def _level(data: Json) -> Level:
    require(isinstance(data, list) and len(data) == 2 and all(type(n) is int for n in data), "not a level")
    require(data[0] in (0, 1) and data[1] in (0, 1, 2), "not a level")
    return (data[0], data[1])


def _symbol(head: str, parts: Sequence[Json]) -> Term:
    require(len(parts) == {"r": 2, "v": 3, "lab": 2, "f": 3}[head] and isinstance(parts[0], str), "not a symbol")
    if head == "v":
        require(isinstance(parts[1], str), "not a space")
        return ("v", parts[0], parts[1], _level(parts[2]))
    if head == "f":
        require(type(parts[2]) is bool, "not a function")
        return ("f", parts[0], _level(parts[1]), parts[2])
    return (head, parts[0], _level(parts[1]))


def replayed(statement: StatedClaim, claims: Mapping[str, Sequence[Judgement]], data: Json) -> list[Judgement]:
    """What a tree proves, if that is the statement.

    Raises
    ------
    Rejected
        If a rule does not apply, or something else is proved.
    """
    try:
        found = Replay(statement.setting.hyps, claims, data).proved
    except (TypeError, ValueError, KeyError, IndexError, AttributeError, RecursionError) as error:
        raise Rejected(f"not a tree of rules: {error}") from error
    require_proved(statement, found)
    return found


def require_proved(statement: StatedClaim, found: Sequence[Judgement]) -> None:
    """The sequents say what is stated, under hypotheses of the setting and facts, and no assumption."""
    require([p.then for p in found] == statement.goals, "it proves something else")
    known = set(statement.setting.hyps)
    for p in found:
        require(not p.local, "an assumption is left")
        require(all(h.kind == "fact" or h in known for h in p.hyps), "a hypothesis of another setting")


def is_ours(h: Hypothesis) -> bool:
    """Whether a hypothesis is the author's own: no definition, protocol, quotation, or fact that Coq closes."""
    return h.kind not in WHOLE and not (h.kind == "fact" and COQ.get(h.text))


def is_whole(found: Sequence[Judgement]) -> bool:
    """Whether it rests on definitions, the protocol, the paper's assumptions and facts that Coq closes alone."""
    return not any(is_ours(h) for p in found for h in p.hyps)


def cited_in(data: Json) -> tuple[str, ...]:
    """The claims that a tree cites."""
    if not isinstance(data, list | dict):
        return ()
    inside = data.values() if isinstance(data, dict) else data
    own = (data[1],) if isinstance(data, list) and len(data) == 3 and data[0] == "claim" else ()
    return tuple(dict.fromkeys(name for found in (own, *map(cited_in, inside)) for name in found))
