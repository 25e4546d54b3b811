"""Formulas: relations of reals, equations of labels or vectors, membership, properties, what moves and is drawn.

("rel", sign, p) says p sign 0, sign one of <= < = !=; ("same", a, b), ("other", a, b) of labels or vectors;
("in", vector, set); ("int", p); ("is", property, ...); ("state", symbol, start, next); ("draw", label, f): the label is
k with probability f(k) given the past; ("all", variable, conditions, formula).
"""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple, TypeAlias

from gaptron.language.rejection import Rejected, require
from gaptron.papers.typed_terms import BINDERS, Level, Real, Term, Vector, highest, inside, is_fn, level, num, subst

Formula: TypeAlias = tuple[Term, ...]
KINDS = ("declaration", "definition", "protocol", "assumption", "ours", "fact")
PARTIAL = {"inv": "!=", "root": ">=", "log": ">"}


class Hypothesis(NamedTuple):
    """What a setting states: of which kind, in whose words, where the paper says so."""

    kind: str
    text: str
    formula: Formula
    location: str = ""
    quote: str = ""


def rel(sign: str, left: Real, right: Real) -> Formula:
    """left sign right, sign one of <= >= < > == !=."""
    if sign in (">=", ">"):
        return ("rel", {">=": "<=", ">": "<"}[sign], right - left)
    return ("rel", {"==": "="}.get(sign, sign), left - right)


def negation(f: Formula) -> Formula:
    """What holds where a case does not; of relations and equations."""
    if f[0] == "rel":
        sign = {"<=": "<", "<": "<=", "=": "!=", "!=": "="}[f[1]]
        return ("rel", sign, -f[2] if f[1] in ("<=", "<") else f[2])
    require(f[0] in ("same", "other"), f"no case can be made of {f[0]}")
    return ("other" if f[0] == "same" else "same", *f[1:])


def map_formula(f: Formula, on_term: Callable[[Term], Term]) -> Formula:
    """With a function applied to each term."""
    if f[0] == "rel":
        return ("rel", f[1], on_term(f[2]))
    if f[0] == "all":
        return ("all", f[1], tuple(map_formula(c, on_term) for c in f[2]), map_formula(f[3], on_term))
    if f[0] in ("same", "other"):
        return (f[0], *sorted(map(on_term, f[1:]), key=repr))
    return (f[0], *(p if isinstance(p, str) else on_term(p) for p in f[1:]))


def formulas_in(f: Formula) -> Iterator[Formula]:
    """The formula and those it quantifies."""
    yield f
    if f[0] == "all":
        for g in (*f[2], f[3]):
            yield from formulas_in(g)


def terms_in(f: Formula) -> Iterator[Term]:
    """The terms of a formula."""
    for g in formulas_in(f):
        if g[0] == "all":
            yield g[1]
        else:
            yield from (p for p in g[1:] if not isinstance(p, str))


def symbols_in(f: Formula) -> set[Term]:
    """Everything in its terms that is no polynomial or combination."""
    return inside(*terms_in(f))


def put(f: Formula, to: Mapping[Term, Term], free: bool = False) -> Formula:
    """Substitution; a bound variable is no value and no part of one."""
    bound = {g[1] for g in formulas_in(f) if g[0] == "all"}
    used = inside(*(v[2] if is_fn(v) else v for v in to.values()))
    require(not bound & ({*to} | used), "a bound variable is captured")
    return map_formula(f, lambda t: subst(t, to, free))


def level_of(f: Formula) -> Level:
    """The level of a formula; bound variables are no part of it."""
    bound = {g[1] for g in formulas_in(f) if g[0] == "all"}
    if not bound:
        return highest(level(t) for t in terms_in(f))
    heads = ("r", "lab", "v", "f", *BINDERS)
    return highest(level(x) for x in symbols_in(f) if x[0] in heads and x not in bound)


def has_binders(f: Formula) -> bool:
    """Whether it speaks of more than one round or draw."""
    return f[0] in ("state", "draw") or any(x[0] in BINDERS for x in symbols_in(f))


def needs_of(a: Term) -> list[Formula]:
    """What must be so for an operation to be defined: z^q for z >= 0 and q >= 0, unless q is an integer as written."""
    if a[0] == "pow":
        return [rel(">=", a[1], num(0)), rel(">=", a[2], num(0))]
    return [rel(PARTIAL[a[0]], a[1], num(0))] if a[0] in PARTIAL else []


def symbol_of(v: Term) -> Term:
    """The symbol that a value is."""
    if isinstance(v, Real | Vector):
        require(len(v.items) == 1, "not a symbol")
        b, c = v.items[0]
        whole = c == num(1) if isinstance(v, Vector) else c == 1 and len(b) == 1 and b[0][1] == 1
        require(whole, "not a symbol")
        v = b if isinstance(v, Vector) else b[0][0]
    if v[0] not in ("lab", "v", "r"):
        raise Rejected("not a symbol")
    return v
