"""The rules. A Judgement is made by them alone: hypotheses of the setting, what is assumed for now, what then holds.

A hypothesis holds in every round; an assumption in the round, and the draws, that are looked at. What a sequent says
is defined wherever its hypotheses and assumptions hold. docs/proof_meaning.md is the specification of each rule.
"""

from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from functools import wraps

from gaptron.kernel import Claim, Relation, check
from gaptron.language.rejection import require
from gaptron.papers.typed_formulas import (
    KINDS,
    Formula,
    Hypothesis,
    has_binders,
    level_of,
    needs_of,
    negation,
    put,
    rel,
    symbol_of,
    symbols_in,
    terms_in,
)  # fmt: skip
from gaptron.papers.typed_terms import (
    BOUND,
    CONST,
    PAST,
    RUN,
    Level,
    Real,
    T,
    Term,
    Vector,
    added,
    app,
    below,
    dot,
    expect,
    highest,
    ind,
    inside,
    is_fn,
    is_label,
    level,
    mean,
    multiplied,
    num,
    on,
    parts_of,
    power,
    single,
    subst,
    symbol_value,
    total,
    vec,
    walk,
)  # fmt: skip

_TOKEN = object()
RULES: dict[str, Callable[..., "Judgement"]] = {}


class Judgement:
    """``hyps; local |- then``, and the rule and arguments that made it."""

    __slots__ = ("hyps", "local", "made", "then")
    hyps: frozenset[Hypothesis]
    local: frozenset[Formula]
    then: Formula
    made: tuple[str, tuple[Term, ...]]

    def __init__(self, token: object, hyps: Iterable[Hypothesis], local: Iterable[Formula], then: Formula) -> None:
        require(token is _TOKEN, "sequents are made by rules")
        for name, value in (("hyps", frozenset(hyps)), ("local", frozenset(local)), ("then", then)):
            object.__setattr__(self, name, value)

    def __setattr__(self, *_: object) -> None:
        require(False, "sequents do not change")


def rule(function: Callable[..., Judgement]) -> Callable[..., Judgement]:
    """A rule, whose sequents say how they were made."""

    @wraps(function)
    def made(*args: Term) -> Judgement:
        found = function(*args)
        object.__setattr__(found, "made", (function.__name__, args))
        return found

    RULES[function.__name__] = made
    return made


def sequent(
    then: Formula, *premises: Judgement, hyps: Iterable[Hypothesis] = (), local: Iterable[Formula] = ()
) -> Judgement:
    """What rests on all that its premises rest on. For rules only."""
    require(all(type(p) is Judgement for p in premises), "a premise is no sequent")
    all_hyps, all_local = frozenset(hyps), frozenset(local)
    return Judgement(
        _TOKEN, all_hyps.union(*(p.hyps for p in premises)), all_local.union(*(p.local for p in premises)), then
    )


def _without(p: Judgement, assumption: Formula) -> Judgement:
    return Judgement(_TOKEN, p.hyps, p.local - {assumption}, p.then)


# -- where terms are defined


def require_defined(
    known: Iterable[Judgement], *terms: Term, seen: Iterable[Term] = (), limit: Level | None = None
) -> None:
    """What terms need is known, in every round or draw that a binder around it speaks of, or was seen as a whole."""
    facts: dict[Formula, list[Judgement]] = {}
    for p in known:
        facts.setdefault(p.then, []).append(p)
    for x in terms:
        _defined(x, facts, frozenset(seen), limit, False)


def _defined(
    x: Term, facts: Mapping[Formula, list[Judgement]], seen: frozenset[Term], limit: Level | None, labels: bool
) -> None:
    if isinstance(x, tuple):
        if x in seen:
            return
        for need in needs_of(x):
            good = any(_holds_within(p, limit, labels) for p in facts.get(need, ()))
            require(good, "something may be undefined")
        if x[0] in ("total", "mean", "expect"):
            bound = {"total": RUN, "mean": PAST, "expect": CONST}[x[0]]
            limit = bound if limit is None else (min(limit[0], bound[0]), min(limit[1], bound[1]))
            seen = frozenset()
        if x[0] == "lmax":
            labels, seen = True, frozenset()
    for part in parts_of(x):
        _defined(part, facts, seen, limit, labels)


def _holds_within(p: Judgement, limit: Level | None, labels: bool) -> bool:
    known = limit is None or all(below(level_of(f), limit) for f in p.local)
    return known and not (labels and any(BOUND in symbols_in(f) for f in p.local))


def _seen(premises: Iterable[Judgement]) -> set[Term]:
    return {x for p in premises for x in symbols_in(p.then)}


# -- logic


@rule
def hypothesis(hyp: Hypothesis) -> Judgement:
    """H |- H, for what the setting states; a definition has its own rule, a fact is proved by one."""
    require(hyp.kind in KINDS and hyp.kind not in ("fact", "definition"), f"no hypothesis of kind {hyp.kind}")
    return sequent(hyp.formula, hyps=[hyp])


@rule
def definition(hyp: Hypothesis, defined: tuple[Judgement, ...]) -> Judgement:
    """The equation of a new symbol, whose value is defined in every round by what does not speak of the symbol."""
    require(hyp.kind == "definition" and hyp.formula[:1] in (("rel",), ("same",)), "not a definition")
    new = defined_symbol(hyp)
    require(not any(new in symbols_in(h.formula) for p in defined for h in p.hyps), "a definition of itself")
    require(not any(p.local for p in defined), "defined in a case only")
    require_defined(defined, value_of(hyp))
    return sequent(hyp.formula, *defined, hyps=[hyp])


def defined_symbol(hyp: Hypothesis) -> Term:
    """The symbol whose name begins the text of a definition."""
    name = hyp.text.split()[0]
    (new,) = {x for x in symbols_in(hyp.formula) if x[0] in ("r", "v") and x[1] == name}
    return new


def value_of(hyp: Hypothesis) -> Term:
    """What a definition says its symbol is."""
    new = defined_symbol(hyp)
    if hyp.formula[0] == "same":
        (other,) = [x for x in hyp.formula[1:] if x != vec(new)] or [vec(new)]
        return other
    return single(new) - hyp.formula[2]


@rule
def assume(f: Formula) -> Judgement:
    """A |- A."""
    return sequent(f, local=[f])


@rule
def cases(case: Formula, yes: Judgement, no: Judgement, defined: tuple[Judgement, ...]) -> Judgement:
    """G, A |- C and G, not A |- C, A defined: G |- C."""
    require(yes.then == no.then, "the cases have different conclusions")
    require_defined(defined, *terms_in(case))
    return sequent(yes.then, *defined, _without(yes, case), _without(no, negation(case)))


@rule
def instance(
    every: Judgement, value: Term, conditions: tuple[Judgement, ...], defined: tuple[Judgement, ...]
) -> Judgement:
    """For all v (if C): F, at a value of v's type, where C holds; known when v is, if a mean speaks of v."""
    require(every.then[0] == "all", "not a formula for all")
    _, variable, needed, body = every.then
    bound = {b[0] for f in (body, *needed) for b in symbols_in(f) if b[0] in BINDING and variable in walk(b)}
    require(same_sort(variable, value), "not of the type")
    require(not bound or below(level(value), level(variable)), "known too late")
    require(bound <= {"mean"}, "the variable is bound again by a sum over rounds")
    require_defined(defined, value)
    require([c.then for c in conditions] == [put(c, {variable: value}) for c in needed], "a condition is not known")
    return sequent(put(body, {variable: value}), every, *conditions, *defined)


def require_anything(symbol: Term, known: Iterable[Judgement]) -> None:
    """It is a fixed vector, number or label, of which nothing that is known supposes anything."""
    require(symbol[0] in ("v", "r", "lab") and level(symbol) == CONST, "not a fixed symbol")
    require(symbol_value(symbol) != T and "@" not in symbol[1], "not a symbol that may be anything")
    stated = [f for p in known for f in (*(h.formula for h in p.hyps if h.kind != "fact"), *p.local)]
    require(not any(symbol in symbols_in(f) for f in stated), "something is supposed of it")


@rule
def generalised(thm: Judgement, symbol: Term, value: Term, defined: tuple[Judgement, ...]) -> Judgement:
    """F(t) from F(u), u fixed, nothing supposed of it: at each place u may be what t is there."""
    require_anything(symbol, [thm])
    binders = (b for b in symbols_in(thm.then) if b[0] in BINDING)
    require(thm.then[0] == "rel" and not any(symbol in walk(b) for b in binders), "it speaks of other rounds or draws")
    require(same_sort(symbol, value), "not of its type")
    require_defined(defined, value)
    return sequent(put(thm.then, {symbol: value}), thm, *defined)


def same_sort(variable: Term, value: Term) -> bool:
    """Whether a value is of the type of a variable."""
    if variable[0] == "v":
        return isinstance(value, Vector) and value.space == variable[2]
    return is_label(value) if variable[0] == "lab" else isinstance(value, Real)


def equal_to(same: Judgement) -> dict[Term, Term]:
    """{symbol: what it equals}."""
    require(same.then[0] == "same", "not an equation of labels or vectors")
    return {symbol_of(same.then[1]): same.then[2]}


@rule
def rewrite(thm: Judgement, same: Judgement) -> Judgement:
    """F with one of two equal labels or vectors in the place of the other, but for what other rounds or draws bind."""
    return sequent(put(thm.then, equal_to(same), True), thm, same)


@rule
def unrewrite(goal: Formula, thm: Judgement, same: Judgement, defined: tuple[Judgement, ...]) -> Judgement:
    """F, if F rewritten is known, and F is defined."""
    require_defined(defined, *terms_in(goal), seen=_seen([thm]))
    require(put(goal, equal_to(same), True) == thm.then, "it does not rewrite to this")
    return sequent(goal, thm, same, *defined)


@rule
def different(other: Judgement) -> Judgement:
    """k != j: 1[k = j] = 0."""
    require(other.then[0] == "other" and is_label(other.then[1]), "not an inequation of labels")
    return sequent(("rel", "=", ind(*other.then[1:])), other)


@rule
def cite(thm: Judgement, to: Mapping[Term, Term], known: tuple[Judgement, ...]) -> Judgement:
    """A theorem with values for its symbols: each of its hypotheses is proved of them.

    A value is of the symbol's type, defined, and known when the symbol is, unless nothing in the theorem is summed,
    averaged, moved or drawn; then hypotheses may be known in a case, else in every round and draw. A state's end is
    that of the state in its place.
    """
    require(not thm.local, "it rests on an assumption")
    to = with_ends(thm, to)
    stated = [h.formula for h in thm.hyps if h.kind != "fact"] + [thm.then]
    pure = not any(has_binders(f) for f in stated)
    for symbol, value in to.items():
        _suits(symbol, value, known, pure, stated, to)
    facts = [h for h in thm.hyps if h.kind == "fact"]
    proofs = {k.then: k for k in known}
    premises = [_proof_of(put(h.formula, to), proofs, pure) for h in thm.hyps if h.kind != "fact"]
    return sequent(put(thm.then, to), *premises, hyps=facts)


def with_ends(thm: Judgement, to: Mapping[Term, Term]) -> dict[Term, Term]:
    """Values for symbols, and for the ends of the theorem's states those of the states in their places."""
    require(not any("@" in s[1] or s in T.atoms for s in to), "not a symbol that a file names")
    states = [symbol_of(h.formula[1]) for h in thm.hyps if h.formula[:1] == ("state",)]
    return {**to, **{end_of(s): symbol_value(end_of(symbol_of(to[s]))) for s in states if s in to}}


def _proof_of(needed: Formula, proofs: Mapping[Formula, Judgement], pure: bool) -> Judgement:
    require(needed in proofs, "a hypothesis of the theorem is not known")
    found = proofs[needed]
    require(pure or all(level_of(f) == CONST for f in found.local), "a hypothesis is known in a case only")
    return found


def _suits(
    symbol: Term, value: Term, known: Iterable[Judgement], pure: bool, stated: list[Formula], to: Mapping[Term, Term]
) -> None:
    if is_fn(value):
        require(symbol[0] == "f" and not symbol[3], f"{symbol[1]} is no function, or a norm")
        require(not any(x[0] in (*BINDING, "lmax") for x in inside(value[2])), "a binder in a function")
        require_defined(known, value[2])
        applied = [x for f in stated for x in symbols_in(f) if x[0] == "app" and x[1] == symbol]
        for x in applied if not pure else ():
            known_by = highest([level(symbol), level(subst(x[2], to))])
            require(below(level(value[2]), known_by), f"{symbol[1]} is not known that late")
        return
    kind = {"r": isinstance(value, Real), "v": isinstance(value, Vector) and value.space == symbol[2],
            "lab": is_label(value), "f": isinstance(value, tuple) and value[0] == "f"}[symbol[0]]  # fmt: skip
    require(kind, f"{symbol[1]} is of another type")
    require(symbol[0] != "f" or not symbol[3] or value[3], f"{symbol[1]} is a norm")
    require(pure or below(level(value), level(symbol)), f"{symbol[1]} is not known that late")
    require_defined(known, value)


BINDING = ("total", "mean", "expect")

# -- arithmetic


class Variables:
    """Atoms as variables of a claim of the certificate kernel; divisions, roots, exp and log as what they are."""

    def __init__(self) -> None:
        self.of: dict[Term, str] = {}

    def term(self, p: Real) -> Term:
        """The term of a real."""
        parts = [self._monomial(m, c) for m, c in p.items]
        return parts[0] if len(parts) == 1 else ("+", *parts) if parts else Fraction(0)

    def _monomial(self, m: Term, c: Fraction) -> Term:
        parts = [("^", self._atom(a), e) if e > 1 else self._atom(a) for a, e in m]
        parts = [c, *parts] if c != 1 or not m else parts
        return parts[0] if len(parts) == 1 else ("*", *parts)

    def _atom(self, a: Term) -> Term:
        if a[0] == "inv":
            return ("^", self.term(a[1]), -1)
        if a[0] == "root":
            return ("root", self.term(a[1]), 2)
        return (a[0], self.term(a[1])) if a[0] in ("exp", "log") else self.of.setdefault(a, f"v{len(self.of)}")


def claim_of(given: Iterable[Formula], then: Formula, integers: Iterable[Real] = ()) -> Claim:
    """The certificate kernel's claim of formulas."""
    names = Variables()
    conclusion = Relation(then[1], names.term(then[2]), Fraction(0))
    relations = tuple(Relation(f[1], names.term(f[2]), Fraction(0)) for f in given)
    return Claim(relations, conclusion, tuple(map(names.term, integers)))


@rule
def arithmetic(premises: tuple[Judgement, ...], then: Formula, proof: Term) -> Judgement:
    """What the certificate kernel accepts of relations and integers that are known."""
    relations = [p for p in premises if p.then[0] == "rel"]
    integers = [p for p in premises if p.then[0] == "int"]
    require(then[0] == "rel" and len(relations) + len(integers) == len(premises), "not relations")
    require_defined(premises, *_variables(then[2]), seen=_seen(premises))
    check(claim_of([p.then for p in relations], then, [p.then[1] for p in integers]), proof)
    return sequent(then, *premises)


def _variables(p: Real) -> set[Term]:
    """The atoms that are variables to the certificate kernel, which shows that all else is defined."""
    found: set[Term] = set()
    for a in p.atoms:
        found |= _variables(a[1]) if a[0] in ("inv", "root", "exp", "log") else {a}
    return found


@rule
def linear(premises: tuple[Judgement, ...], factors: tuple[Fraction, ...], then: Formula) -> Judgement:
    """A rational combination: c >= 0 times p <= 0, any c times p = 0, plus a number."""
    out, strict, tight = num(0), False, True
    for p, c in zip(premises, factors, strict=True):
        good = p.then[0] == "rel" and p.then[1] != "!=" and (c >= 0 or p.then[1] == "=")
        require(good, "not a combination of inequalities")
        out = out + p.then[2] * num(c)
        strict, tight = strict or (p.then[1] == "<" and c > 0), tight and (p.then[1] == "=" or c == 0)
    rest = (then[2] - out).number
    require(
        then[0] == "rel" and rest is not None and _implied(then[1], rest, strict, tight), "it is not the combination"
    )
    return sequent(then, *premises)


def _implied(sign: str, rest: Fraction, strict: bool, tight: bool) -> bool:
    return {"<=": rest <= 0, "<": rest < 0 or (strict and rest <= 0), "=": rest == 0 and tight}.get(sign, False)


def in_place(f: Formula, a: Term, t: Real) -> Formula:
    """A relation with a real in the place of an atom of its polynomial."""
    put_in = (multiplied([num(c), *(power(t if b == a else single(b), e) for b, e in m)]) for m, c in f[2].items)
    return (*f[:2], added(put_in))


def _equal(a: Real, equation: Judgement) -> tuple[Term, Real]:
    require(equation.then[:2] == ("rel", "=") and len(a.items) == 1, "not an equation of an atom")
    (only,) = a.atoms
    require(a == single(only), "not an atom")
    return only, a - equation.then[2]


@rule
def replacing(thm: Judgement, a: Real, equation: Judgement) -> Judgement:
    """F with t in the place of the atom a, from F and a = t."""
    require(thm.then[0] == "rel", "not a relation")
    return sequent(in_place(thm.then, *_equal(a, equation)), thm, equation)


@rule
def replaced(goal: Formula, thm: Judgement, a: Real, equation: Judgement, defined: tuple[Judgement, ...]) -> Judgement:
    """F from F with t in the place of the atom a, and a = t, if F is defined."""
    require(goal[0] == "rel", "not a relation")
    require_defined(defined, *terms_in(goal), seen=_seen([thm]))
    require(in_place(goal, *_equal(a, equation)) == thm.then, "it is another relation with these equals in place")
    return sequent(goal, thm, equation, *defined)


def without_squares(p: Real) -> Real:
    """A real with a in the place of sqrt(a)^2, and 1 in that of a/a."""
    out = num(0)
    for m, c in p.items:
        part, left = num(c), dict(m)
        for a, e in m:
            if a[0] == "inv" and len(a[1].atoms) == 1:
                (b,) = a[1].atoms
                both = min(e, left.get(b, 0)) if a[1] == single(b) else 0
                left[a], left[b] = e - both, left.get(b, 0) - both
        for a, e in left.items():
            part = part * (power(a[1], e // 2) * power(single(a), e % 2) if a[0] == "root" else power(single(a), e))
        out = out + part
    return out


@rule
def roots(p: Real, defined: tuple[Judgement, ...]) -> Judgement:
    """sqrt(a)^2 = a and a/a = 1 where everything is defined."""
    require_defined(defined, p)
    return sequent(rel("==", p, without_squares(p)), *defined)


@rule
def whole_numbers(then: Formula, premises: tuple[Judgement, ...]) -> Judgement:
    """A polynomial with integer coefficients in integers is one."""
    known = {p.then[1] for p in premises if p.then[0] == "int"}
    integral = (c.denominator == 1 and all(single(a) in known for a, _ in m) for m, c in then[1].items)
    require(then[0] == "int" and all(integral), "not certainly an integer")
    return sequent(then, *premises)


@rule
def by_type(a: Real, which: int, defined: tuple[Judgement, ...]) -> Judgement:
    """What an atom is because of what it is, where it is defined."""
    require_defined(defined, a)
    found = evident(a)
    require(0 <= which < len(found), "nothing is evident of it")
    return sequent(found[which], *defined)


def evident(p: Real) -> list[Formula]:
    """Of an indicator, a square, a norm, a power, a root, T (an integer), the larger or smaller of two."""
    (a,) = p.atoms
    require(p == single(a), "not an atom")
    if a[0] in ("ind", "on"):
        return [rel(">=", p, num(0)), rel("<=", p, num(1))]
    if (a[0] == "dot" and a[1] == a[2]) or a[0] in ("pow", "root") or (a[0] == "app" and a[1][3]) or p == T:
        return [rel(">=", p, num(0)), *([("int", p)] if p == T else [])]
    if a[0] in ("max", "min"):
        sign = ">=" if a[0] == "max" else "<="
        return [rel(sign, p, a[1]), rel(sign, p, a[2]), rel("==", (p - a[1]) * (p - a[2]), num(0))]
    return []


@rule
def indicator(known: Judgement) -> Judgement:
    """1[p >= 0] = 1 where p >= 0, and 0 where p < 0."""
    require(known.then[0] == "rel" and known.then[1] in ("<=", "<"), "not an inequality")
    _, sign, p = known.then
    return sequent(rel("==", on(-p), num(1)) if sign == "<=" else rel("==", on(p), num(0)), known)


@rule
def square(u: Vector, defined: tuple[Judgement, ...]) -> Judgement:
    """<u, u> >= 0."""
    require_defined(defined, u)
    return sequent(rel(">=", dot(u, u), num(0)), *defined)


@rule
def of_labels(a: Real, k: Term, other: tuple[Judgement, ...], defined: tuple[Judgement, ...]) -> Judgement:
    """The maximum over labels (but j) of f is at least f(k), k not j."""
    (only,) = a.atoms
    require(a == single(only) and only[0] == "lmax" and is_label(k), "not a maximum over labels")
    allowed = only[1] is None or any(o.then in (("other", k, only[1]), ("other", only[1], k)) for o in other)
    require(allowed, "not a label that the largest is taken over")
    require_defined(defined, a)
    return sequent(rel(">=", a, subst(only[2], {BOUND: k})), *other, *defined)


# -- rounds and draws


def _relation(thm: Judgement, highest_local: Level) -> tuple[str, Real]:
    require(thm.then[0] == "rel" and thm.then[1] != "!=", "not an inequality")
    same = all(below(level_of(f), highest_local) for f in thm.local)
    require(same, "it holds in a case only, which is not the same in all rounds or all draws")
    return thm.then[1], thm.then[2]


@rule
def sum_rounds(thm: Judgement) -> Judgement:
    """G |- a <= b in the round, G not of the round: G |- sum a <= sum b."""
    sign, p = _relation(thm, RUN)
    return sequent(("rel", "=" if sign == "=" else "<=", total(p)), thm)


@rule
def one_of_sum(thm: Judgement) -> Judgement:
    """G |- a >= 0 in the round, G not of the round: G |- a <= sum a."""
    _, p = _relation(thm, RUN)
    return sequent(rel("<=", -p, total(-p)), thm)


@rule
def average(thm: Judgement) -> Judgement:
    """G |- a <= b, G known before the draw: G |- E_t a <= E_t b."""
    sign, p = _relation(thm, PAST)
    return sequent(("rel", sign, mean(p)), thm)


@rule
def expectation(thm: Judgement) -> Judgement:
    """G |- a <= b of the run, G fixed: G |- E a <= E b."""
    sign, p = _relation(thm, CONST)
    return sequent(("rel", sign, expect(p)), thm)


def states_of(hyps: Iterable[Hypothesis]) -> list[tuple[Term, Term, Term]]:
    """[(base or atom, start, next)]."""
    require(all(h.formula[0] == "state" and h.kind == "protocol" for h in hyps), "not a state")
    return [(symbol_of(h.formula[1]), h.formula[2], h.formula[3]) for h in hyps]


def end_of(base: Term) -> Term:
    """The symbol of a state after the last round, which no file can name."""
    known = RUN if level(base)[1] else CONST
    return (base[0], base[1] + "@end", *([known] if base[0] == "r" else [base[2], known]))


def moved(f: Term, states: Iterable[tuple[Term, Term, Term]], which: str) -> Term:
    """A term with the state at the start, after the round, or after the last."""
    values = {b: {"start": s, "next": n, "end": symbol_value(end_of(b))}[which] for b, s, n in states}
    return subst(f, values, True)


@rule
def telescope(f: Real, hyps: tuple[Hypothesis, ...], defined: tuple[Judgement, ...]) -> Judgement:
    """sum (f(next) - f) = f(end) - f(start), f of the state and of what is fixed, defined in every round."""
    states = states_of(hyps)
    at = {which: moved(f, states, which) for which in ("start", "next", "end")}
    require_defined(defined, f, *at.values(), limit=RUN)
    require(not level(at["end"])[0], "not of the state only")
    return sequent(rel("==", total(at["next"] - f), at["end"] - at["start"]), *defined, hyps=hyps)


@rule
def induction(start: Judgement, step: Judgement, f: Formula, hyps: tuple[Hypothesis, ...], at_end: bool) -> Judgement:
    """I(start), and I |- I(next) in every round: I in every round, and at the end."""
    states = states_of(hyps)
    require(f[0] == "rel", "not a relation")
    at = {which: ("rel", f[1], moved(f[2], states, which)) for which in ("start", "next", "end")}
    require(not level_of(at["end"])[0] and start.then == at["start"] and step.then == at["next"], "not an invariant")
    kept = [*(step.local - {f}), *start.local]
    require(not any(level_of(g)[0] for g in kept), "it holds in a case only")
    return sequent(at["end"] if at_end else f, start, _without(step, f), hyps=hyps)


@rule
def law(hyp: Hypothesis, j: Term) -> Judgement:
    """P(k = j | past) = p(j), j known before the draw."""
    require(hyp.kind == "protocol" and hyp.formula[0] == "draw" and is_label(j), "not a draw")
    _, k, f = hyp.formula
    require(below(level(j), PAST), "the label is drawn itself")
    return sequent(rel("==", mean(ind(k, j)), app(f, j)), hyps=[hyp])
