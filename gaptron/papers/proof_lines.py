"""Proofs, line by line: steps, cases, induction, citing, and the justifications that search is given. Not trusted."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from gaptron.language.rejection import Rejected
from gaptron.papers import facts, matrices, rules
from gaptron.papers.counterexample_runs import breaking_run, counterexample
from gaptron.papers.layout import ProofLine, UnreadError
from gaptron.papers.premise_search import NoProofError, or_none, saying
from gaptron.papers.rules import Judgement
from gaptron.papers.scope import Scope
from gaptron.papers.statements import PaperSetting, StatedClaim, declare
from gaptron.papers.trees import require_proved
from gaptron.papers.typed_formulas import Formula, Hypothesis, negation, put, rel, symbol_of, symbols_in, terms_in
from gaptron.papers.typed_terms import (
    CONST,
    Real,
    Term,
    Vector,
    dot,
    inside,
    inv,
    is_a,
    is_fn,
    level,
    num,
    pow_,
    root,
    subst,
    symbol_value,
    total,
    vec,
)

STEP = re.compile(r"(?:\((\w+)\)\s*)?(.+?)(?:\s+by (.+))?")


class StepError(Exception):
    """A line that is not proved."""

    def __init__(self, reason: str, line: int, values: dict[str, str]) -> None:
        super().__init__(reason)
        self.reason, self.line, self.values = reason, line, values


@dataclass(frozen=True)
class Cited:
    """A claim that is proved, which others may cite."""

    setting: PaperSetting
    proved: Sequence[Judgement]


class Proof:
    """Reads the lines of one claim's proof, and proves each."""

    def __init__(self, stated: StatedClaim, claims: Mapping[str, Cited], unproved: Collection[str] = ()) -> None:
        self.stated, self.claims, self.unproved = stated, claims, unproved
        self.own = stated.setting.own()
        self.added: list[tuple[int, list[Judgement]]] = []

    def proved(self) -> list[Judgement]:
        """Judgements of all that the claim states.

        Raises
        ------
        PlaceError
            If a line cannot be read.
        StepError
            If a line is not proved.
        """
        scope = self._at(self.stated.line, lambda: Scope(self.own))
        for line in self.stated.proof:
            self.step(scope, line)
        found = [self._at(self.stated.line, partial(_proved_or_false, scope, goal, ())) for goal in self.stated.goals]
        require_proved(self.stated, found)
        return found

    def _at(self, line: ProofLine, work: Callable[[], Term]) -> Term:
        try:
            return work()
        except UnreadError as error:
            raise line.place(error) from error
        except (Rejected, NoProofError) as error:
            raise StepError(str(error), line.number, getattr(error, "values", {})) from error

    def step(self, scope: Scope, line: ProofLine) -> None:
        """One line."""
        self._at(line, lambda: self._step(scope, line))

    def _step(self, scope: Scope, line: ProofLine) -> None:
        if line.text.startswith("let "):
            declare(scope.setting, line)
            return
        before = len(scope.steps)
        found = STEP.fullmatch(line.text)
        if found is None:
            raise UnreadError("a step is (NAME) FORMULA by JUSTIFICATION", line.text)
        tag, body, hint = found[1] or "", found[2], found[3] or ""
        if tag and any(t == tag for t, _ in scope.steps):
            raise UnreadError(f"({tag}) is above already", f"({tag})")
        word = hint.split(" ")[0] if body[:5] != "cite " else "cite"
        if line.below and word not in ("cases", "induction"):
            raise UnreadError("lines stand below cases and an induction only", line.text)
        how = {"cite": self._cited, "cases": self._cases, "induction": self._induction}.get(word, self._links)
        scope.steps += [(tag, p) for p in how(scope, line, body, hint)]
        self.added.append((line.number, [p for _, p in scope.steps[before:]]))

    def _links(self, scope: Scope, line: ProofLine, body: str, hint: str) -> list[Judgement]:
        links = scope.setting.formulas(body)
        extra = Hints(scope, links).read(hint)
        found: list[Judgement] = []
        for f in links:
            found.append(_proved_or_false(scope, f, [*extra, *found]))
        return found

    def _cases(self, scope: Scope, line: ProofLine, body: str, hint: str) -> list[Judgement]:
        links = scope.setting.formulas(body)
        read = scope.setting.formulas(hint.removeprefix("cases").strip().removeprefix("on "))
        if len(read) != 1:
            raise UnreadError("cases are on one relation", hint)
        (case,) = read
        if any(half.text not in ("yes:", "no:") for half in line.below):
            raise UnreadError("below cases stand yes: and no:", line.text)
        halves = [self._half(scope, line, f, word, links) for f, word in ((case, "yes:"), (negation(case), "no:"))]
        defined = scope.defined(*terms_in(case))
        return [rules.cases(case, yes, no, defined) for yes, no in zip(*halves, strict=True)]

    def _half(self, scope: Scope, line: ProofLine, f: Formula, word: str, links: Sequence[Formula]) -> list[Judgement]:
        here, names = scope.inner(f), dict(scope.setting.names)
        for half in line.below:
            for one in half.below if half.text == word else ():
                self.step(here, one)
        found = [here.prove(g) for g in links]
        scope.setting.names = names
        return found

    def _induction(self, scope: Scope, line: ProofLine, body: str, hint: str) -> list[Judgement]:
        links, hyps = scope.setting.formulas(body), scope.setting.states
        if len(links) != 1 or links[0][0] != "rel":
            raise UnreadError("an invariant is one relation of numbers", body)
        (f,) = links
        states = rules.states_of(hyps)
        start = scope.prove(("rel", f[1], rules.moved(f[2], states, "start")))
        here = scope.inner(f)
        for one in line.below:
            self.step(here, one)
        step = here.prove(("rel", f[1], rules.moved(f[2], states, "next")))
        return [rules.induction(start, step, f, hyps, at_end) for at_end in (False, True)]

    # -- citing

    def _cited(self, scope: Scope, line: ProofLine, body: str, hint: str) -> list[Judgement]:
        name, _, changes = body.removeprefix("cite ").strip().partition(" with ")
        if name in self.unproved:
            raise NoProofError(f"{name} is not proved")
        if name not in self.claims:
            raise UnreadError(f"{name} is no claim that is proved above", name)
        cited = self.claims[name]
        to = self._values(scope, cited, changes)
        values = [v[2] if is_fn(v) else v for v in to.values()]
        defined = scope.defined(*values)
        return [rules.cite(p, to, (*self._discharged(scope, name, p, to), *defined)) for p in cited.proved]

    def _values(self, scope: Scope, cited: Cited, changes: str) -> dict[Term, Term]:
        to: dict[Term, Term] = {}
        for part in filter(None, re.split(r";\s*", changes)):
            found = re.fullmatch(r"(\w+)(?:\((\w+)\))? = (.+)", part.strip())
            symbol = _symbol(cited.setting.names.get(found[1])) if found else None
            if found is None or symbol is None:
                raise UnreadError("with NAME = TERM; ..., of symbols of the claim", part)
            to[symbol] = self._value(scope, cited, symbol, found[2], found[3])
            if not _of_type(symbol, to[symbol]):
                raise UnreadError(f"{found[1]} is of another type", part)
        used = {x for f in _stated(cited) for x in symbols_in(f)}
        for name, value in cited.setting.names.items():  # the rest by name
            s, here = _symbol(value), scope.setting.names.get(name)
            if not s or s in to or here is None or here == value:
                continue
            if _of_type(s, here):
                to[s] = here
            elif s in used:
                raise NoProofError(f"{name} is of another type here: say with {name} = TERM what it is")
        return to

    def _value(self, scope: Scope, cited: Cited, symbol: Term, parameter: str | None, text: str) -> Term:
        if parameter is None:
            return scope.setting.term(text)
        args = [x[2] for f in _stated(cited) for x in symbols_in(f) if x[0] == "app" and x[1] == symbol]
        sorts = {a.space if isinstance(a, Vector) else "" for a in args}
        if len(sorts) != 1:
            raise UnreadError(f"{symbol[1]} is applied to nothing, or to different things", text)
        (space,) = sorts
        variable = ("v", "~" + parameter, space, CONST) if space else ("lab", "~" + parameter, CONST)
        return ("fn", variable, scope.setting.term(text, {parameter: symbol_value(variable)}))

    def _discharged(self, scope: Scope, name: str, p: Judgement, to: Mapping[Term, Term]) -> list[Judgement]:
        """Each hypothesis of a claim, proved here."""
        found, to = [], rules.with_ends(p, to)
        for h in sorted((h for h in p.hyps if h.kind != "fact"), key=repr):
            wanted = put(h.formula, to)
            try:
                found.append(self._one(scope, wanted))
            except NoProofError as error:
                raise NoProofError(f"{name} needs: {h.text}: {error}") from error
        return found

    def _one(self, scope: Scope, wanted: Formula) -> Judgement:
        if wanted[0] == "rel":
            return scope.prove(wanted)
        if wanted[0] in ("state", "draw"):
            for h in scope.setting.hyps:
                if h.formula == wanted:
                    return rules.hypothesis(h)
        if wanted[0] == "int":
            return rules.whole_numbers(wanted, tuple(q for q in scope.known() if q.then[0] == "int"))
        if found := saying(wanted, scope.known()):
            return found
        raise NoProofError("it is not known here")


def _proved_or_false(scope: Scope, goal: Formula, extra: Sequence[Judgement]) -> Judgement:
    try:
        return scope.prove(goal, extra)
    except NoProofError as error:
        local = [p.then for p in scope.local]
        error.values = counterexample(scope.setting, local, goal) or breaking_run(scope.setting, local, goal)
        raise


def _stated(cited: Cited) -> list[Formula]:
    """What a claim supposes, and what it says."""
    return [f for p in cited.proved for f in (p.then, *(h.formula for h in p.hyps if h.kind != "fact"))]


def _of_type(symbol: Term, value: Term) -> bool:
    if symbol[0] == "f":
        return is_a("function", value) or is_fn(value)
    return rules.same_sort(symbol, value)


def _symbol(value: Term) -> Term:
    """The symbol that a name is for, if it is for one."""
    return value if value is None or is_a("function", value) else or_none(symbol_of, value)


class Hints:
    """What ``by`` names: rules with steps, facts with terms."""

    def __init__(self, scope: Scope, links: Sequence[Formula]) -> None:
        self.scope, self.links = scope, links

    def read(self, hint: str) -> list[Judgement]:
        """The judgements that a justification gives."""
        return [p for part in _split(hint) for p in self._part(part)]

    def _part(self, part: str) -> list[Judgement]:
        rule = re.fullmatch(r"(summing|averaging|expectation of|each of) (\(\w+\)(?: \(\w+\))*)", part)
        if rule:
            steps = [p for ref in rule[2].split() for p in self._step(ref)]
            return self._by_rule(rule[1], steps)
        if re.fullmatch(r"\(\w+\)", part):
            return self._step(part)
        other = re.fullmatch(r"(\(\w+\)) at (\w+) = (.+)", part)
        if other:
            return self._at_another(self._step(other[1]), other[2], other[3])
        fact = re.fullmatch(r"([\w-]+)\((.*)\)", part)
        if fact is None or fact[1] not in FACTS:
            raise UnreadError(f"no justification; facts are {', '.join(sorted(FACTS))}", part)
        args = [self.scope.setting.term(a) for a in _split(fact[2])]
        kinds, make = FACTS[fact[1]]
        if len(kinds) != len(args) or not all(is_a(k, a) for k, a in zip(kinds, args, strict=True)):
            raise UnreadError(f"{fact[1]} is of {', '.join(kinds)}", part)
        return make(self.scope, *args)

    def _step(self, ref: str) -> list[Judgement]:
        found = [p for tag, p in self.scope.steps if f"({tag})" == ref]
        if not found:
            raise UnreadError(f"{ref} is not above", ref)
        return found

    def _at_another(self, steps: Sequence[Judgement], name: str, text: str) -> list[Judgement]:
        symbol, value = _symbol(self.scope.setting.names.get(name)), self.scope.setting.term(text)
        if symbol is None:
            raise UnreadError("(1) at NAME = TERM, of a symbol of the setting", name)
        return [rules.generalised(p, symbol, value, self.scope.defined(value)) for p in steps]

    def _by_rule(self, word: str, steps: Sequence[Judgement]) -> list[Judgement]:
        if word == "expectation of":
            return [rules.expectation(q) for p in steps for q in self._of_run(p)]
        rule = {"summing": rules.sum_rounds, "averaging": rules.average, "each of": rules.one_of_sum}[word]
        found = [rule(p) for p in steps]
        if word == "summing" and self.scope.setting.states:
            found += self.telescopes([*self.links, *(p.then for p in steps)])
        return found

    def _of_run(self, p: Judgement) -> list[Judgement]:
        if p.then[0] != "rel" or not level(p.then[2])[0]:
            return [p]
        states = [b for b, _, _ in rules.states_of(self.scope.setting.states) if b[0] == "v"]
        fixed = [u for u in self.scope.objects() if isinstance(u, Vector) and level(u) == CONST]
        ends = [(vec(rules.end_of(b)), u) for b in states for u in fixed if u.space == b[2]]
        return [rules.sum_rounds(p), *self.telescopes([p.then]), *(rules.square(end - u, ()) for end, u in ends)]

    def telescopes(self, formulas: Sequence[Formula]) -> list[Judgement]:
        """Of every monomial of the state in what is summed, or of its end in what is stated."""
        hyps = self.scope.setting.states
        now = {b for b, _, _ in rules.states_of(hyps)}
        back = {rules.end_of(b): symbol_value(b) for b in now}
        found: dict[Term, Judgement] = {}
        for m in (m for f in formulas if f[0] == "rel" for m, _ in f[2].items):
            for some in (now, {*back}):
                mono = tuple(t for t in m if some & inside(t[0]))
                p = subst(Real({mono: num(1).number}), back)
                if mono and p not in found and (q := or_none(self._telescope, p)):
                    found[p] = q
        return list(found.values())

    def _telescope(self, p: Real) -> Judgement:
        hyps = self.scope.setting.states
        terms = [rules.moved(p, rules.states_of(hyps), which) for which in ("start", "next", "end")]
        return rules.telescope(p, hyps, self.scope.defined(p, *terms))


def _split(text: str) -> list[str]:
    """At commas that stand in no parentheses."""
    found, depth = [""], 0
    for c in text:
        depth += (c in "([") - (c in ")]")
        if c == "," and depth == 0:
            found.append("")
        else:
            found[-1] += c
    return [part.strip() for part in found if part.strip()]


def _with(scope: Scope, needed: Sequence[Formula], terms: Sequence[Real]) -> tuple[Judgement, ...]:
    known = [scope.prove(f) for f in needed]
    return (*known, *scope.defined(*terms, known=known))


def _bernoulli(scope: Scope, z: Real, r: Real, q: Real) -> list[Judgement]:
    needed = [rel(">=", z, num(0)), rel(">", r, num(0)), rel(">=", q, num(1))]
    known = (*_with(scope, needed, [z, r, q, inv(r)]), *scope.defined(pow_(z, q), pow_(r, q)))
    return [facts.bernoulli(z, r, q, known)]


def _positive(scope: Scope, z: Real, q: Real) -> list[Judgement]:
    known = (*_with(scope, [rel(">", z, num(0))], [z, q]), *scope.defined(pow_(z, q)))
    return [facts.positive_power(z, q, known)]


def _quotient(scope: Scope, a: Real, b: Real, q: Real) -> list[Judgement]:
    needed = [rel(">=", a, num(0)), rel(">", b, num(0)), rel(">=", q, num(1))]
    known = _with(scope, needed, [inv(b), inv(q)])
    r = pow_(a * inv(b), inv(q))
    terms = [r, pow_(r, q), pow_(b, num(1) - inv(q)), pow_(a, inv(q))]
    known = (*known, *scope.defined(*terms, known=known))
    found = [facts.power_of_quotient(a, b, q, which, known) for which in (0, 1)]
    positive = or_none(scope.prove, rel(">", a, num(0)))
    return found + ([facts.power_of_quotient(a, b, q, 2, (*known, positive))] if positive else [])


def _projection(scope: Scope, u: Vector) -> list[Judgement]:
    projected = next((p for p in scope.known() if p.then[:2] == ("is", "projection")), None)
    inside_it = next((p for p in scope.known() if p.then[:2] == ("in", u)), None)
    if projected is None or inside_it is None:
        raise NoProofError("it is not known to be in the set" if projected else "nothing is known to be projection")
    return [facts.projection(projected, inside_it, scope.defined(projected.then[3]))]


def _determinant(scope: Scope, w: Real, z: Vector, s: Vector, size: Real) -> list[Judgement]:
    """Of the state that moves by w z z', with two vectors of which the setting supposes nothing."""
    u, v = _anything(scope, z.space)
    h, known = _growing(scope, w, z, s, size, (u, v, num(0)))
    return [matrices.determinant(h, w, z, s, size, u, v, known)]


def _beside(scope: Scope, w: Real, z: Vector, s: Vector, size: Real, ones: Vector, unit: Vector) -> list[Judgement]:
    """The same, with two more vectors of the space of which the last matrix is the identity."""
    (u, v), (b, c) = _anything(scope, z.space), _anything(scope, z.space.removeprefix(f"{ones.space}x"))
    h, known = _growing(scope, w, z, s, size, (u, v, dot(unit, unit)))
    more = _with(scope, matrices.asked_beside(z, ones, unit, b, c), [])
    return [matrices.determinant_beside(h, w, z, s, size, u, v, ones, unit, b, c, (*known, *more))]


def _anything(scope: Scope, space: str) -> tuple[Term, Term]:
    supposed = {x for h in scope.setting.hyps for x in symbols_in(h.formula)}
    found = [symbol_of(v) for v in scope.objects() if isinstance(v, Vector) and v.space == space and _symbol(v)]
    free = [x for x in found if level(x) == CONST and x not in supposed]
    if len(free) < 2:
        raise NoProofError(f"two fixed vectors in {space} are wanted of which nothing is supposed")
    return free[0], free[1]


def _growing(
    scope: Scope, w: Real, z: Vector, s: Vector, size: Real, more: tuple[Term, ...]
) -> tuple[Hypothesis, tuple[Judgement, ...]]:
    """The state that moves by w z z', and what is asked of it."""
    for h in scope.setting.states:
        try:
            asked = matrices.asked(h, w, z, s, size, *more)
        except Rejected:
            continue
        ((_, a),) = h.formula[2].items
        logs = [num(1) + w * dot(z, s), num(1) + total(w * dot(z, z)) * inv(a * size)]
        known = _with(scope, [*asked, rel("!=", size, num(0))], [])
        return h, (*known, *_with(scope, [rel(">", p, num(0)) for p in logs], [*logs, inv(a * size)]))
    raise NoProofError("no matrix moves like this")


FACTS: dict[str, tuple[tuple[str, ...], Callable[..., list[Judgement]]]] = {
    "Cauchy-Schwarz": (
        ("vector", "vector"),
        lambda s, u, v: [facts.cauchy_schwarz(u, v, s.defined(u, v, root(dot(u, u)), root(dot(v, v))))],
    ),
    "Cauchy-Schwarz-of-sums": (
        ("number", "number"), lambda s, a, b: [facts.cauchy_schwarz_of_sums(a, b, s.defined(a, b))],
    ),
    "triangle": (("norm", "vector", "vector"), lambda s, n, u, v: [facts.triangle(n, u, v, s.defined(u, v))]),
    "Bernoulli": (("number", "number", "number"), _bernoulli),
    "positive-power": (("number", "number"), _positive),
    "powers": (("number", "number", "number"), _quotient),
    "projection": (("vector",), _projection),
    "determinant": (("number", "vector", "vector", "number"), _determinant),
    "determinant-beside": (("number", "vector", "vector", "number", "vector", "vector"), _beside),
}  # fmt: skip
