"""What a file states: settings and claims, whose formulas are Python expressions that are parsed and never executed.

Trusted: what a claim says, and under which hypotheses of which kinds, is what is read here.
"""

import ast
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from gaptron.language.rejection import Rejected, require
from gaptron.papers.layout import ProofLine, UnreadError
from gaptron.papers.rules import end_of
from gaptron.papers.typed_formulas import Formula, Hypothesis, formulas_in, put, rel, symbols_in
from gaptron.papers.typed_terms import (
    BOUND,
    CONST,
    DRAWN,
    PAST,
    ROUND,
    SYMBOLS,
    Level,
    Real,
    T,
    Term,
    Vector,
    app,
    atom,
    below,
    dot,
    expect,
    ind,
    inside,
    inv,
    is_a,
    is_label,
    larger,
    largest,
    level,
    mean,
    num,
    on,
    outer,
    pow_,
    root,
    smaller,
    subst,
    symbol_value,
    total,
    vec,
    walk,
)  # fmt: skip

SIGNS: dict[type, str] = {ast.LtE: "<=", ast.GtE: ">=", ast.Lt: "<", ast.Gt: ">", ast.Eq: "==", ast.NotEq: "!="}
NAME = r"[A-Za-z]\w*"
EVERY = re.compile(r"for all (\w+) in (\w+)(?: if ([^:]*))?:(.*)")
MOVES = re.compile(r"(\w+)(?: in (\w+))? = (.+?) then (.+)")  # a state


class PaperSetting:
    """Names with what they mean, and hypotheses."""

    def __init__(self, name: str, title: str = "", base: "PaperSetting | None" = None) -> None:
        self.name, self.title, self.base = name, title, base
        self.names: dict[str, Term] = dict(base.names) if base else {}
        self.hyps: list[Hypothesis] = list(base.hyps) if base else []
        self.random: bool = base.random if base is not None else False
        self.lines: list[ProofLine] = list(base.lines) if base else []  # as written, for people
        self.opened = 0
        self.example: ProofLine | None = None  # of a run, for people: no rule looks at it
        self.pending: list[tuple[str, Term, Term, str]] = []

    def own(self) -> "PaperSetting":
        """A copy, for the abbreviations of a proof."""
        return PaperSetting(self.name, self.title, self)

    @property
    def now(self) -> Level:
        """The level of what the round gives."""
        return PAST if self.random else ROUND

    @property
    def states(self) -> tuple[Hypothesis, ...]:
        """What moves from round to round."""
        return tuple(h for h in self.hyps if h.formula[0] == "state")

    def new(self, name: str, value: Term) -> None:
        """A name that is not taken."""
        if name in self.names or name in RESERVED or not re.fullmatch(NAME, name):
            raise UnreadError(f"{name} is defined already, or cannot be a name", name)
        self.names[name] = value

    def term(self, text: str, more: dict[str, Term] | None = None) -> Term:
        """The term of a text."""
        return _in_text(text, lambda: Expression(self, more or {}).term(_parsed(text)))

    def formulas(self, text: str, more: dict[str, Term] | None = None) -> list[Formula]:
        """The formulas of a chain, link by link."""
        if every := EVERY.fullmatch(text.strip()):
            return self._for_all(every[1], every[2], every[3], every[4], more or {})
        found: list[Formula] = _in_text(text, lambda: Expression(self, more or {}).formulas(_parsed(text)))
        return found

    def _for_all(self, name: str, sort: str, conditions: str | None, body: str, more: dict[str, Term]) -> list[Formula]:
        variable = {"labels": ("lab", "~" + name, self.now), "reals": ("r", "~" + name, self.now)}.get(
            sort, ("v", "~" + name, sort, self.now)
        )
        inner = more | {name: symbol_value(variable)}
        parts = [part for part in (conditions or "").split(" and ") if part.strip()]
        needed = tuple(f for part in parts for f in self.formulas(part, inner))
        return [("all", variable, needed, f) for f in self.formulas(body, inner)]


def _parsed(text: str) -> ast.expr:
    try:
        return ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        offset = (getattr(error, "offset", 1) or 1) - 1
        raise UnreadError(f"{getattr(error, 'msg', error)}".split(";")[0], text.strip(), offset) from error


def _in_text(text: str, read: Callable[[], Term]) -> Term:
    try:
        return read()
    except Rejected as error:
        raise UnreadError(str(error), text.strip()) from error
    except RecursionError as error:
        raise UnreadError("it is nested too deeply", text.strip()) from error
    except UnreadError as error:
        if not error.part:
            error.part = text.strip()
        raise


def _unread(node: ast.AST, reason: str) -> UnreadError:
    return UnreadError(f"{ast.unparse(node)}: {reason}", "", getattr(node, "col_offset", 0))


class Expression:
    """Reads one parsed expression."""

    def __init__(self, setting: PaperSetting, more: dict[str, Term]) -> None:
        self.setting, self.more = setting, more

    def formulas(self, node: ast.expr) -> list[Formula]:
        """Of a chain of relations, or a property."""
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in PROPERTIES:
            return [self._property(node.func.id, node)]
        if not isinstance(node, ast.Compare):
            raise _unread(node, "a relation is wanted")
        if isinstance(node.ops[0], ast.In):
            return [self._membership(node)]
        sides = [self.term(n) for n in (node.left, *node.comparators)]
        return [self._relation(node, a, op, b) for a, op, b in zip(sides, node.ops, sides[1:], strict=False)]

    def _membership(self, node: ast.Compare) -> Formula:
        (name,) = node.comparators if len(node.comparators) == 1 else (node,)
        value = self.term(node.left)
        if not isinstance(name, ast.Name) or name.id in self.setting.names or not isinstance(value, Vector):
            raise _unread(node, "a vector in a named set is wanted")
        return ("in", value, ast.unparse(name))

    def _relation(self, node: ast.expr, a: Term, op: ast.cmpop, b: Term) -> Formula:
        sign = SIGNS.get(type(op))
        if sign in ("==", "!=") and (
            (is_label(a) and is_label(b)) or (isinstance(a, Vector) and isinstance(b, Vector))
        ):
            require(is_label(a) or a.space == b.space, "vectors of different spaces")
            return ("same" if sign == "==" else "other", *sorted((a, b), key=repr))
        if sign is None or not isinstance(a, Real) or not isinstance(b, Real):
            raise _unread(node, "numbers are compared with <= < >= > == !=, labels and vectors with == and !=")
        return rel(sign, a, b)

    def _property(self, name: str, node: ast.Call) -> Formula:
        kinds = PROPERTIES[name][1]
        if len(node.args) != len(kinds) or node.keywords:
            raise _unread(node, f"{name} has {len(kinds)} arguments")
        given = zip(kinds, node.args, strict=True)
        read = [getattr(n, "id", None) if kind == "set" else self.term(n) for kind, n in given]
        for kind, value in zip(kinds, read, strict=True):
            if not is_a(kind, value):
                raise _unread(node, f"an argument of {name} is no {kind}")
        head = PROPERTIES[name][0]
        return ("int", *read) if head == "int" else ("is", head, *read)

    def term(self, node: ast.expr) -> Term:
        """A real, a vector, a label or a function."""
        readers: dict[type, Callable[[Term], Term]] = {
            ast.Constant: self._constant, ast.Name: self._name, ast.UnaryOp: self._unary, ast.BinOp: self._binary,
            ast.Call: self._call,
        }  # fmt: skip
        if type(node) not in readers:
            raise _unread(node, "it is not of this language")
        return readers[type(node)](node)

    def real(self, node: ast.expr) -> Real:
        """A number."""
        found = self.term(node)
        if not isinstance(found, Real):
            raise _unread(node, "a number is wanted")
        return found

    def _constant(self, node: ast.Constant) -> Real:
        if type(node.value) is not int:
            raise _unread(node, "numbers are integers and their quotients")
        return num(node.value)

    def _name(self, node: ast.Name) -> Term:
        found = T if node.id == "T" else self.more.get(node.id, self.setting.names.get(node.id))
        if found is None or (isinstance(found, tuple) and found[0] == "macro"):
            raise _unread(node, "it is not declared")
        return found

    def _unary(self, node: ast.UnaryOp) -> Term:
        x = self.term(node.operand)
        if not isinstance(node.op, ast.USub) or not isinstance(x, Real | Vector):
            raise _unread(node, "it is not of this language")
        return x.scale(num(-1)) if isinstance(x, Vector) else -x

    def _binary(self, node: ast.BinOp) -> Term:
        op, left = type(node.op), self.term(node.left)
        if op is ast.Div:
            return self._product(node, left, self._inverse(node.right))
        right = self.term(node.right)
        if op is ast.Mult:
            return self._product(node, left, right)
        if op in (ast.Add, ast.Sub) and type(left) is type(right) and isinstance(left, Real | Vector):
            return left + right if op is ast.Add else left - right
        if op is ast.MatMult and isinstance(left, Vector) and isinstance(right, Vector):
            return dot(left, right)
        if op is ast.Pow and isinstance(left, Real) and isinstance(right, Real):
            require(right.number is None or abs(right.number) <= 100, "an exponent of more than 100")
            return pow_(left, right)
        raise _unread(node, "these do not go together")

    def _product(self, node: ast.expr, left: Term, right: Term) -> Term:
        if isinstance(left, Real) and isinstance(right, Real):
            return left * right
        if isinstance(left, Real) and isinstance(right, Vector):
            return right.scale(left)
        if not (isinstance(left, Vector) and isinstance(right, Real)):
            raise _unread(node, "a product of a number and a number or vector is wanted (@ is the inner product)")
        return left.scale(right)

    def _inverse(self, node: ast.expr) -> Real:
        """1/node, factor by factor."""
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
            return self._inverse(node.left) * self._inverse(node.right)
        return inv(self.real(node))

    def _call(self, node: ast.Call) -> Term:
        if not isinstance(node.func, ast.Name) or node.keywords:
            raise _unread(node, "it is not of this language")
        name = node.func.id
        if name == "ind":
            return self._indicator(node)
        if name == "max" and len(node.args) == 1 and isinstance(node.args[0], ast.GeneratorExp):
            return self._largest(node.args[0])
        args = [self.term(a) for a in node.args]
        if name in BUILT:
            return self._built(node, name, args)
        found = self.more.get(name, self.setting.names.get(name))
        if isinstance(found, tuple) and found[0] == "f" and len(args) == 1:
            return app(found, args[0])
        if isinstance(found, tuple) and found[0] == "macro" and len(args) == len(found[1]):
            self.setting.opened += 1
            require(self.setting.opened <= MOST_OPENED, f"abbreviations are opened more than {MOST_OPENED} times")
            return self.setting.term(found[2], self.more | dict(zip(found[1], args, strict=True)))
        raise _unread(node, "it is no function of so many arguments")

    def _built(self, node: ast.Call, name: str, args: list[Term]) -> Term:
        kinds, build = BUILT[name]
        if len(args) != len(kinds) or not all(is_a(k, a) for k, a in zip(kinds, args, strict=True)):
            raise _unread(node, f"the arguments of {name} are: {', '.join(kinds)}")
        return build(*args)

    def _indicator(self, node: ast.Call) -> Real:
        found = self.formulas(node.args[0]) if len(node.args) == 1 else []
        if len(found) == 1 and found[0][0] == "rel" and found[0][1] in ("<=", "<"):
            _, sign, p = found[0]
            return on(-p) if sign == "<=" else num(1) - on(p)
        if len(found) != 1 or found[0][0] not in ("same", "other") or not is_label(found[0][1]):
            raise _unread(node, "an indicator is of labels that are equal, or not, or of an inequality")
        tag, a, b = found[0]
        return ind(a, b) if tag == "same" else num(1) - ind(a, b)

    def _largest(self, node: ast.GeneratorExp) -> Real:
        comp = node.generators[0]
        simple = len(node.generators) == 1 and isinstance(comp.target, ast.Name) and len(comp.ifs) <= 1
        if not simple or ast.unparse(comp.iter) != "labels":
            raise _unread(node, "a maximum is over labels, but one")
        name = ast.unparse(comp.target)
        if name in self.setting.names or name in self.more:
            raise _unread(node, f"{name} is defined already")
        inner, but = Expression(self.setting, self.more | {name: BOUND}), None
        for condition in comp.ifs:
            ((tag, *sides),) = inner.formulas(condition)
            others = [x for x in sides if x != BOUND]
            if tag != "other" or len(others) != 1:
                raise _unread(condition, "a label that is left out is wanted, as in k != y")
            (but,) = others
        return largest(but, inner.real(node.elt))


def _at_end(v: Term) -> Term:
    bases = {x for x in inside(v) if x[0] in ("v", "r") and x != ("r", "T", CONST)}
    return subst(v, {b: symbol_value(end_of(b)) for b in bases})


BUILT: dict[str, tuple[tuple[str, ...], Callable[..., Term]]] = {
    "norm2": (("vector",), lambda v: dot(v, v)),
    "norm": (("vector",), lambda v: root(dot(v, v))),
    "sqrt": (("number",), root),
    "exp": (("number",), lambda p: atom("exp", p)),
    "log": (("number",), lambda p: atom("log", p)),
    "max": (("number", "number"), larger),
    "min": (("number", "number"), smaller),
    "total": (("number",), total),
    "mean": (("number",), mean),
    "expect": (("number",), expect),
    "outer": (("vector", "vector"), outer),
    "e": (("label",), lambda k: vec(("e", k))),
    "end": (("number or vector",), _at_end),
}
MOST_OPENED = 10_000
RESERVED = {*BUILT, "ind", "T", "labels", "reals"}
PROPERTIES = {"projection": ("projection", ("vector", "vector", "set")), "integer": ("int", ("number",))}

# -- declarations


def declare(s: PaperSetting, line: ProofLine, known: Level = CONST) -> None:
    """One line of a setting.

    Raises
    ------
    PlaceError
        If it cannot be read, with the place.
    """
    word, _, rest = line.text.partition(" ")
    try:
        if word == "round:":
            for inner in line.below:
                declare(s, inner, s.now)
            return
        reader = DECLARATIONS.get(word)
        if reader is None or line.below:
            raise UnreadError(f"{word} is no declaration", word)
        reader(s, rest.strip(), known)
        _settle(s)
    except (UnreadError, Rejected) as error:
        raise line.place(error if isinstance(error, UnreadError) else UnreadError(str(error), rest)) from error


def _drawn(s: PaperSetting, rest: str, known: Level) -> None:
    label = re.fullmatch(rf"label ({NAME}) with probabilities ({NAME})", rest)
    if label is None:
        word, _, more = rest.partition(" ")
        if word not in ("number", "vector"):
            raise UnreadError("drawn is a label with probabilities, a number or a vector", rest)
        DECLARATIONS[word](s, more, DRAWN)
        return
    law = s.names.get(label[2])
    if not (isinstance(law, tuple) and law[0] == "f" and not law[3] and below(law[2], PAST)):
        raise UnreadError(f"{label[2]} is no function that is known before the draw", label[2])
    s.new(label[1], ("lab", label[1], DRAWN))
    s.hyps.append(Hypothesis("protocol", f"{label[1]} is drawn from {label[2]}", ("draw", s.names[label[1]], law)))


def _numbers(s: PaperSetting, rest: str, known: Level) -> None:
    for part in rest.split(","):
        text = part.strip()
        whole = text.startswith("integer ")
        text = text.removeprefix("integer ").strip()
        new = sorted({n for n in re.findall(NAME, text) if n not in s.names and n not in RESERVED})
        if len(new) != 1:
            raise UnreadError("a number with its range has one new name", text)
        s.new(new[0], atom("r", new[0], known))
        if whole:
            s.hyps.append(Hypothesis("declaration", f"{new[0]} is an integer", ("int", s.names[new[0]])))
        for f in s.formulas(text) if text != new[0] else ():
            s.hyps.append(Hypothesis("declaration", text, f))


def _vectors(s: PaperSetting, rest: str, known: Level) -> None:
    found = re.fullmatch(r"(.+?) in (\w+)", rest)
    if found is None:
        raise UnreadError("vectors are in a space: vector u, v in features", rest)
    for name in found[1].split(","):
        s.new(name.strip(), vec(("v", name.strip(), found[2], known)))


def _named(head: str, *norm: bool) -> Callable[[PaperSetting, str, Level], None]:
    def read(s: PaperSetting, rest: str, known: Level) -> None:
        for name in (part.strip() for part in rest.split(",")):
            s.new(name, (head, name, known, *norm))

    return read


def _state(s: PaperSetting, rest: str, known: Level) -> None:
    found = MOVES.fullmatch(rest)
    if found is None:
        raise UnreadError("a state has a start and what it becomes: state W in features = 0 then W + x", rest)
    name, space, start, after = found.groups()
    value = vec(("v", name, space, s.now)) if space else atom("r", name, s.now)
    first = Vector({}, space) if space and start == "0" else s.term(start)
    if type(first) is not type(value) or level(first) != CONST or (isinstance(first, Vector) and first.space != space):
        raise UnreadError(f"{name} starts with something fixed of its type", start)
    s.new(name, value)
    s.pending.append((name, value, first, after))


def _settle(s: PaperSetting) -> None:
    """States whose next value can be read by now."""
    for state in list(s.pending):
        name, value, first, after = state
        try:
            following = s.term(after)
        except UnreadError:
            continue
        if type(following) is not type(value) or (isinstance(value, Vector) and following.space != value.space):
            raise UnreadError(f"{name} becomes something of another type", after)
        s.pending.remove(state)
        s.hyps.append(Hypothesis("protocol", f"{name} moves", ("state", value, first, following)))


def _let(s: PaperSetting, rest: str, known: Level) -> None:
    found = re.fullmatch(r"(\w+)(?:\((\w+(?:, *\w+)*)\))? = (.+)", rest)
    if found is None:
        raise UnreadError("let NAME = TERM", rest)
    name, parameters, text = found.groups()
    if parameters is None:
        s.new(name, s.term(text))
        return
    names = tuple(p.strip() for p in parameters.split(","))
    if len(set(names)) < len(names) or set(names) & RESERVED:
        raise UnreadError("parameters have different names", parameters)
    s.new(name, ("macro", names, text))


def _define(s: PaperSetting, rest: str, known: Level) -> None:
    name, equals, text = rest.partition(" = ")
    if not equals:
        raise UnreadError("define NAME = TERM", rest)
    value = s.term(text)
    if isinstance(value, Vector):
        s.new(name, vec(("v", name, value.space, level(value))))
        s.hyps.append(Hypothesis("definition", rest, ("same", *sorted((s.names[name], value), key=repr))))
        return
    if not isinstance(value, Real):
        raise UnreadError("a number or a vector is defined", text)
    s.new(name, atom("r", name, level(value)))
    s.hyps.append(Hypothesis("definition", rest, rel("==", s.names[name], value)))


def _protocol(s: PaperSetting, rest: str, known: Level) -> None:
    for f in s.formulas(rest):
        if not (is_closed_form(f) or _is_of_the_others(f, s.hyps) or _is_of_products(f, s)):
            raise UnreadError(
                "not a closed form (what is drawn, largest, a projection, a subgradient, in a set): assume it", rest
            )
        s.hyps.append(Hypothesis("protocol", rest, f))


def is_closed_form(f: Formula) -> bool:
    """What a protocol may say.

    Membership, a projection; an equation of a function or of the law of a draw; p(v) <= 0 for all v,
    with p(s) = 0 for a symbol s: s makes p largest, as an argmax, a nearest point and a subgradient say.
    """
    inner = list(formulas_in(f))[-1]
    if inner[0] == "in" or (inner[0] == "is" and inner[1] == "projection"):
        return True
    if inner[0] != "rel" or inner[1] not in ("=", "<="):
        return False
    if inner[1] == "=":
        heads = [m[0][0][0] for m, c in inner[2].items if abs(c) == 1 and len(m) == 1 and m[0][1] == 1]
        return "mean" in heads or "app" in heads
    return f[0] == "all" and any(_vanishes(f[1], inner, s) for s in _candidates(f[1], inner))


def _is_of_products(f: Formula, s: PaperSetting) -> bool:
    """<v, x> = p for all products x of labels e(k) and vectors, which span the space; v is new, p linear in each."""
    bound: list[Term] = []
    while f[0] == "all" and not f[2]:
        bound, f = [*bound, f[1]], f[3]
    terms = f[2].items if f[:2] == ("rel", "=") else ()
    sides = [(m[0][0], v) for m, c in terms if abs(c) == 1 and len(m) == 1 for v in m[0][0][1:]]
    old = {x for h in s.hyps for x in symbols_in(h.formula)}
    old |= inside(*s.base.names.values()) if s.base else set()
    return any(_defines(v, a, f[2], bound) for a, v in sides if a[0] == "dot" and v[0] == "v" and v not in old)


def _defines(s: Term, product: Term, p: Real, bound: list[Term]) -> bool:
    (x,) = [side for side in product[1:] if side != s] or [s]
    rest = [m for m, _ in p.items if m != ((product, 1),)]
    linear = all(_is_linear(m, v) for m in rest for v in bound if v[0] == "v")
    known = {y for m in rest for y in inside(*(a for a, _ in m)) if y[0] in SYMBOLS}
    fixed = s not in known and all(y in bound or below(level(y), level(s)) for y in known)
    return 0 < len(bound) == len(set(bound)) and _factors(x) == bound and linear and fixed


def _is_linear(m: Term, v: Term) -> bool:
    found = [(a[0], e) for a, e in m for y in walk(a) if y == v]
    return found == [("dot", 1)]


def _factors(x: Term) -> list[Term]:
    return [x[1]] if x[0] == "e" else [*_factors(x[1]), *_factors(x[2])] if x[0] == "o" else [x]


def _candidates(variable: Term, inner: Formula) -> Iterable[Term]:
    return [x for x in symbols_in(inner) if x[0] == variable[0] and x != variable and x != BOUND]


def _vanishes(variable: Term, inner: Formula, s: Term) -> bool:
    try:
        return not put(inner, {variable: symbol_value(s)})[2].items
    except Rejected:
        return False


def _is_of_the_others(f: Formula, hyps: Iterable[Hypothesis]) -> bool:
    """k != j, if it is said above that k makes something largest among the labels but j."""
    return f[0] == "other" and any(
        h.kind == "protocol" and h.formula[0] == "all" and _is_largest_but(h.formula, f, k) for h in hyps for k in f[1:]
    )


def _is_largest_but(largest: Formula, other: Formula, k: Term) -> bool:
    _, variable, needed, body = largest
    alone = len(needed) == 1 and variable[0] == "lab" and body[:2] == ("rel", "<=")
    return alone and put(needed[0], {variable: k}) == other and _vanishes(variable, body, k)


def _assume(s: PaperSetting, rest: str, known: Level) -> None:
    quoted = re.fullmatch(r'(.*?)\s+from ([^":]+): "(.+)"', rest)
    text, location, quote = quoted.groups() if quoted else (rest, "", "")
    for f in s.formulas(text):
        s.hyps.append(Hypothesis("assumption" if quoted else "ours", text, f, location, quote))


DECLARATIONS: dict[str, Callable[[PaperSetting, str, Level], None]] = {
    "drawn": _drawn, "number": _numbers, "vector": _vectors, "label": _named("lab"), "function": _named("f", False),
    "norm": _named("f", True), "state": _state, "let": _let, "define": _define, "protocol": _protocol,
    "assume": _assume,
}  # fmt: skip


# -- claims


@dataclass
class StatedClaim:
    """A claim: its id, its setting, what it says, and the lines of its proof."""

    name: str
    setting: PaperSetting
    text: str
    goals: list[Formula]
    line: ProofLine
    proof: list[ProofLine] = field(default_factory=list)


def read_setting(line: ProofLine, settings: dict[str, PaperSetting]) -> PaperSetting:
    """The setting of a block, which may extend another one."""
    found = re.fullmatch(rf'setting ({NAME})(?: extends ({NAME}))?(?: "(.*)")?:', line.text)
    if found is None or found[1] in settings or (found[2] and found[2] not in settings):
        raise line.place(UnreadError('setting NAME extends NAME "title": (of a new name, and one that is known)'))
    s = PaperSetting(found[1], found[3] or "", settings[found[2]] if found[2] else None)
    s.random |= any(x.text.startswith("drawn ") for one in line.below for x in (one, *one.below))
    for one in line.below:
        if one.text == "example:":
            s.example = one
        else:
            s.lines.append(one)
            declare(s, one)
    if s.pending:
        raise line.place(UnreadError(f"what {s.pending[0][0]} becomes cannot be read: {s.pending[0][3]}"))
    return s


def read_claim(line: ProofLine, settings: dict[str, PaperSetting]) -> StatedClaim:
    """The claim of a block."""
    found = re.fullmatch(rf"claim ([\w/.-]+) in ({NAME}):\s*(.+)", line.text)
    if found is None or found[2] not in settings:
        raise line.place(UnreadError("claim ID in SETTING: FORMULA"))
    setting, goals = settings[found[2]], []
    for part in found[3].split(" and "):
        try:
            goals += setting.formulas(part)
        except UnreadError as error:
            raise line.place(error) from error
    return StatedClaim(found[1], setting, found[3], goals, line, line.below)
