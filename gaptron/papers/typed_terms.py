"""Typed terms in normal form: reals are polynomials over atoms, vectors linear combinations of bases.

Inner products expand by bilinearity, sums over rounds and expectations by linearity. An atom is a tuple whose head
says what it is: ("r", name, level), ("ind", k, j), ("on", p) for 1[p >= 0],
("dot", base, base), ("inv", p), ("root", p), ("pow", p, q), ("exp", p), ("log", p), ("max", p, q), ("min", p, q),
("app", f, argument), ("lmax", label or None, p),
("total", p), ("mean", p), ("expect", p). A base is ("v", name, space, level), ("e", label) or ("o", base, base); a
label ("lab", name, level); a function ("f", name, level, is it a norm). docs/proof_meaning.md says what they denote.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from fractions import Fraction
from functools import reduce
from math import isqrt
from typing import Any, TypeAlias

from gaptron.language.rejection import require

Level: TypeAlias = tuple[int, int]  # (of a round?, 0 fixed | 1 known before the draw | 2 drawn)
Term: TypeAlias = Any  # a Real, a Vector, a label, a function, an atom or a base
Atom: TypeAlias = tuple[Term, ...]
Values: TypeAlias = Mapping[Term, Term]

CONST, ROUND, PAST, DRAWN, RUN = (0, 0), (1, 0), (1, 1), (1, 2), (0, 2)
SYMBOLS = ("r", "v", "lab", "f")
BINDERS = ("total", "mean", "expect")
BOUND = ("lab", "#", CONST)
MOST_TERMS = 10_000  # products of monomials in one product, far above what a paper has


class Keyed:
    """Equal if the keys are; ``repr`` is the key."""

    __slots__ = ("key",)
    key: str

    def __repr__(self) -> str:
        return self.key

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.key == other.key


class Real(Keyed):
    """A sum of coefficient times monomial; a monomial is ((atom, exponent), ...), sorted."""

    __slots__ = ("items",)

    def __init__(self, terms: Mapping[Term, Term]) -> None:
        kept = [(m, c) for m, c in terms.items() if c]
        self.items: tuple[tuple[Term, Fraction], ...] = tuple(sorted(kept, key=lambda t: repr(t[0])))
        require(all(c.numerator.bit_length() + c.denominator.bit_length() < 10_000 for _, c in kept), "a huge number")
        self.key = "{" + "+".join(f"{c}*{m!r}" for m, c in self.items) + "}"

    def __add__(self, other: "Real") -> "Real":
        found = dict(self.items)
        for m, c in other.items:
            found[m] = found.get(m, Fraction(0)) + c
        return Real(found)

    def __mul__(self, other: "Real") -> "Real":
        require(len(self.items) * len(other.items) <= MOST_TERMS, "a product of too many terms")
        found: dict[Term, Fraction] = {}
        for m, c in self.items:
            for n, d in other.items:
                both = _times(m, n)
                found[both] = found.get(both, Fraction(0)) + c * d
        return Real(found)

    def __neg__(self) -> "Real":
        return Real({m: -c for m, c in self.items})

    def __sub__(self, other: "Real") -> "Real":
        return self + -other

    @property
    def number(self) -> Fraction | None:
        """Its value, if it is a rational."""
        if not self.items:
            return Fraction(0)
        return self.items[0][1] if len(self.items) == 1 and self.items[0][0] == () else None

    @property
    def atoms(self) -> set[Atom]:
        """The atoms of its monomials."""
        return {a for m, _ in self.items for a, _ in m}


class Vector(Keyed):
    """A sum of real times base, in a space."""

    __slots__ = ("items", "space")

    def __init__(self, terms: Mapping[Term, Real], space: str) -> None:
        kept = [(b, c) for b, c in terms.items() if c.items]
        require(all(space_of(b) == space for b, _ in kept), f"not a vector of {space}")
        self.items: tuple[tuple[Term, Real], ...] = tuple(sorted(kept, key=repr))
        self.space = space
        self.key = f"<{space!r}:" + "+".join(f"{c!r}{b!r}" for b, c in self.items) + ">"

    def __add__(self, other: "Vector") -> "Vector":
        require(self.space == other.space, f"a vector of {self.space} plus one of {other.space}")
        found = dict(self.items)
        for b, c in other.items:
            found[b] = found[b] + c if b in found else c
        return Vector(found, self.space)

    def __sub__(self, other: "Vector") -> "Vector":
        return self + other.scale(num(-1))

    def scale(self, p: Real) -> "Vector":
        """p times it."""
        return Vector({b: c * p for b, c in self.items}, self.space)


def _times(m: Term, n: Term) -> Term:
    powers = dict(m)
    for a, e in n:
        powers[a] = 1 if a[0] in ("ind", "on") else powers.get(a, 0) + e  # an indicator is its own square
    return tuple(sorted(powers.items(), key=repr))


def num(value: int | Fraction) -> Real:
    """A rational."""
    return Real({(): Fraction(value)})


def single(a: Atom) -> Real:
    """The real that an atom is."""
    return Real({((a, 1),): Fraction(1)})


def atom(*parts: Term) -> Real:
    """The real of an atom with these parts."""
    return single(tuple(parts))


T = atom("r", "T", CONST)


def added(parts: Iterable[Real]) -> Real:
    """The sum."""
    return reduce(Real.__add__, parts, num(0))


def multiplied(factors: Iterable[Real]) -> Real:
    """The product."""
    return reduce(Real.__mul__, factors, num(1))


def power(p: Real, n: int) -> Real:
    """p to an integer."""
    out = multiplied([p] * abs(n))
    return out if n >= 0 else inv(out)


def inv(p: Real) -> Real:
    """1/p, factor by factor where p is one monomial."""
    require(p.number != 0, "division by 0")
    if p.number is not None:
        return num(1 / p.number)
    if len(p.items) > 1:
        return atom("inv", p)
    ((m, c),) = p.items
    return multiplied([num(1 / c), *(power(atom("inv", single(a)) if a[0] != "inv" else a[1], e) for a, e in m)])


def rational_root(q: Fraction) -> Fraction | None:
    """The square root of a number that is not negative, if it is rational."""
    n, d = isqrt(q.numerator), isqrt(q.denominator)
    return Fraction(n, d) if n * n == q.numerator and d * d == q.denominator else None


def root(p: Real) -> Real:
    """The square root; of a square of a rational it is that rational."""
    value = None if p.number is None or p.number < 0 else rational_root(p.number)
    return atom("root", p) if value is None else num(value)


def pow_(p: Real, q: Real) -> Real:
    """p to the power q."""
    if q.number is not None and q.number.denominator == 1:
        return power(p, int(q.number))
    return root(p) if q == num(Fraction(1, 2)) else atom("pow", p, q)


def larger(p: Real, q: Real) -> Real:
    """The maximum."""
    return p if p == q else atom("max", *sorted((p, q), key=repr))


def smaller(p: Real, q: Real) -> Real:
    """The minimum."""
    return p if p == q else atom("min", *sorted((p, q), key=repr))


def space_of(base: Term) -> str:
    """The space of a base."""
    if base[0] == "o":
        return f"{space_of(base[1])}x{space_of(base[2])}"
    return str(base[2]) if base[0] == "v" else "labels"


def vec(base: Term) -> Vector:
    """The vector that a base is."""
    return Vector({base: num(1)}, space_of(base))


def outer(u: Vector, v: Vector) -> Vector:
    """The outer product."""
    terms = {("o", a, b): p * q for a, p in u.items for b, q in v.items}
    return Vector(terms, f"{u.space}x{v.space}")


def dot(u: Vector, v: Vector) -> Real:
    """The inner product."""
    require(u.space == v.space, f"the inner product of a vector of {u.space} and one of {v.space}")
    return added(p * q * _dot(a, b) for a, p in u.items for b, q in v.items)


def _dot(a: Term, b: Term) -> Real:
    if a[0] == b[0] == "e":
        return ind(a[1], b[1])
    if a[0] == b[0] == "o":
        return _dot(a[1], b[1]) * _dot(a[2], b[2])
    return atom("dot", *sorted((a, b), key=repr))


def ind(k: Term, j: Term) -> Real:
    """1[k = j], of labels."""
    require(k[0] == j[0] == "lab", "the indicator of what are no labels")
    return num(1) if k == j else atom("ind", *sorted((k, j), key=repr))


def on(p: Real) -> Real:
    """1[p >= 0]."""
    return atom("on", p) if p.number is None else num(int(p.number >= 0))


def app(f: Term, arg: Term) -> Real:
    """A function at a vector or a label; a norm is even, and 0 at 0."""
    require(f[0] == "f" and (isinstance(arg, Vector) or (not f[3] and is_label(arg))), "not a function at an argument")
    if f[3]:
        if not arg.items:
            return num(0)
        arg = min(arg, arg.scale(num(-1)), key=lambda v: str(v.key))
    return atom("app", f, arg)


def is_label(x: Term) -> bool:
    """Whether it is a label."""
    return isinstance(x, tuple) and bool(x) and x[0] == "lab"


IS: dict[str, Callable[[Term], bool]] = {
    "number": lambda x: isinstance(x, Real),
    "vector": lambda x: isinstance(x, Vector),
    "label": is_label,
    "function": lambda x: isinstance(x, tuple) and x[0] == "f",
    "norm": lambda x: isinstance(x, tuple) and x[0] == "f" and x[3] is True,
    "set": lambda x: isinstance(x, str),
    "nothing": lambda x: x is None,
}


def is_a(kind: str, x: Term) -> bool:
    """Whether it is of one of these kinds: "label or nothing"."""
    return any(IS[one](x) for one in kind.split(" or "))


def largest(but: Term, body: Real) -> Real:
    """The maximum over all labels (but one) of a body whose label is BOUND."""
    require(not any(a[0] == "lmax" for a in inside(body)), "a maximum over labels in another")
    require(but is None or (is_label(but) and but != BOUND), "not a label that is left out")
    return atom("lmax", but, body)


def symbol_value(base: Term) -> Term:
    """The term that a symbol is."""
    return vec(base) if base[0] == "v" else single(base) if base[0] == "r" else base


def parts_of(x: Term) -> list[Term]:
    """What is just below a term; nothing below a symbol."""
    if isinstance(x, Real):
        return [a for m, _ in x.items for a, _ in m]
    if isinstance(x, Vector):
        return [part for pair in x.items for part in pair]
    return [] if x[0] in SYMBOLS else [p for p in x[1:] if p is not None]


def walk(x: Term) -> Iterator[Term]:
    """The term and everything in it."""
    yield x
    for part in parts_of(x):
        yield from walk(part)


def inside(*terms: Term) -> set[Term]:
    """Everything in terms that is no polynomial or combination."""
    return {x for t in terms for x in walk(t) if isinstance(x, tuple)}


def is_fn(x: Term) -> bool:
    """Whether it is the value of a function: ("fn", parameter, body)."""
    return isinstance(x, tuple) and x[0] == "fn"


def level(x: Term) -> Level:
    """Whether a term is of a round, and when it is known."""
    head = x[0] if isinstance(x, tuple) else ""
    if head in ("r", "lab", "f"):
        return (x[2][0], x[2][1])
    if head == "v":
        return (x[3][0], x[3][1])
    if head == "total":
        return RUN if level(x[1])[1] else CONST
    if head in ("mean", "expect"):
        return PAST if head == "mean" else CONST
    return highest(map(level, parts_of(x)))


def highest(levels: Term) -> Level:
    """The least level above all."""
    found = list(levels)
    return (max((i for i, _ in found), default=0), max((m for _, m in found), default=0))


def below(low: Level, high: Level) -> bool:
    """Whether one is known when the other is, and of a round only if it is."""
    return low[0] <= high[0] and low[1] <= high[1]


def _linear(p: Real, is_bound: Callable[[Atom], bool], of: Callable[[Term], Real]) -> Real:
    """What is not bound is a factor of what is made of the rest of each monomial, which may be ()."""
    out = num(0)
    for m, c in p.items:
        bound = tuple(t for t in m if is_bound(t[0]))
        out = out + Real({tuple(t for t in m if t not in bound): c}) * of(bound)
    return out


def total(p: Real) -> Real:
    """The sum over the rounds, by linearity: what is not of the round is a factor."""
    return _linear(p, lambda a: level(a)[0] > 0, lambda m: atom("total", Real({m: Fraction(1)})) if m else T)


def mean(p: Real) -> Real:
    """The expectation given the past of the round: linear, and what is known before the draw is a factor."""
    require(all(level(a) != RUN for a in p.atoms), "the mean in a round of something of the whole run")
    return _linear(p, lambda a: level(a)[1] == 2, lambda m: atom("mean", Real({m: Fraction(1)})) if m else num(1))


def expect(p: Real) -> Real:
    """The expectation of the run: linear; of a sum over rounds that of the sum of the means (tower)."""
    require(not any(level(a)[0] for a in p.atoms), "the expectation of a round: mean(...) or expect(total(...))")
    return _linear(p, lambda a: level(a)[1] > 0, lambda m: _expected(m) if m else num(1))


def _expected(run: Term) -> Real:
    (a, e), whole = run[0], Real({run: Fraction(1)})
    if len(run) == 1 and e == 1 and a[0] == "total" and level(a[1])[1] == 2:
        inner = total(mean(a[1]))
        return expect(inner) if inner != whole else atom("expect", inner)
    return atom("expect", whole)


def _stays(head: str, x: Term) -> bool:
    """Whether a symbol below a binder is another round's or another draw's."""
    if is_fn(x):
        return True
    return {"total": bool(level(x)[0]), "mean": level(x)[1] == 2, "expect": level(x) != CONST}[head]


def subst(x: Term, to: Values, free: bool = False) -> Term:
    """With values for symbols, normalised again; a value of a function is ("fn", parameter, body).

    free: what is bound by a sum over rounds, a mean or an expectation is another round's or draw's, and stays.
    """
    if isinstance(x, Real):
        return added(multiplied([num(c), *(power(subst(a, to, free), e) for a, e in m)]) for m, c in x.items)
    if isinstance(x, Vector):
        out = Vector({}, x.space)
        for b, c in x.items:
            out = out + subst(b, to, free).scale(subst(c, to, free))
        return out
    if x is None:
        return None
    if free and x[0] in BINDERS:
        to = {s: v for s, v in to.items() if not _stays(x[0], s) and not _stays(x[0], v)}
    if x[0] == "lmax":
        to = {s: v for s, v in to.items() if s != BOUND}
        values = [v for v in to.values() if not is_fn(v)]
        require(not any(BOUND in walk(v) for v in values), "BOUND is captured")
    return _symbol_put(x, to) if x[0] in SYMBOLS else _rebuilt(x, to, free)


def _symbol_put(x: Term, to: Values) -> Term:
    if x in to:
        value = to[x]
        if is_fn(value):  # f for v -> f(v)
            require(_is_function(value), f"{x[1]} is not applied")
            return next(iter(value[2].atoms))[1]
        return value
    return single(x) if x[0] == "r" else vec(x) if x[0] == "v" else x


def _is_function(value: Term) -> bool:
    (only, *more) = value[2].atoms or {()}
    param = vec(value[1]) if value[1][0] == "v" else value[1]
    return not more and value[2] == single(only) and only[0] == "app" and only[2] == param


def _rebuilt(x: Term, to: Values, free: bool) -> Term:
    if x[0] == "app" and is_fn(to.get(x[1])):
        _, param, body = to[x[1]]
        return subst(body, {param: subst(x[2], to, free)})
    parts = [subst(p, to, free) for p in x[1:]]
    return BUILD[x[0]](*parts)


BUILD: dict[str, Term] = {
    "dot": dot, "ind": ind, "on": on, "inv": inv, "root": root, "pow": pow_, "total": total, "mean": mean,
    "expect": expect, "max": larger, "min": smaller, "app": app, "lmax": largest, "o": outer,
    "e": lambda k: vec(("e", k)), "exp": lambda p: atom("exp", p), "log": lambda p: atom("log", p),
}  # fmt: skip
