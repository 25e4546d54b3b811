"""The rule move: a function that rises up to its nearest bound is largest there, by the mean value theorem."""

from collections.abc import Callable
from dataclasses import replace
from fractions import Fraction
from typing import Any

from gaptron.coq.combination import established
from gaptron.coq.enclosure import bound_fact, definedness, expression
from gaptron.coq.facts import _sides, require_all
from gaptron.coq.identities import Text, equate
from gaptron.coq.script import Context
from gaptron.coq.terms import Need, conclusion, needs
from gaptron.kernel import Claim, Relation
from gaptron.kernel.rules import _bound_on, _ends, move_goals, way_of
from gaptron.kernel.terms import Term, derivative, names, read_name, substitute

Prove = Callable[[Context, Any], None]
ZERO = Fraction(0)


class Movement:
    """One use of the rule: ``v`` goes to the nearest of its bounds ``ends`` on one side."""

    def __init__(self, context: Context, variable: Any, direction: str, facts: Any, prove: Prove) -> None:
        self.context, self.direction, self.facts, self.prove = context, direction, facts, prove
        self.name = read_name(variable)
        self.way = way_of(context.claim, self.name)
        self.near, self.far = _ends(self.way, self.name, direction)
        self.f, self.strict = context.claim.then.upper()
        self.others = sorted(names(self.f) - {self.name})
        self.v = context.names[self.name]
        self.is_up = direction == "up"
        self.far_facts = {end: self._bound("down" if self.is_up else "up", end) for end in self.far}
        self.near_facts = {end: self._bound(direction, end) for end in self.near}

    def _bound(self, side: str, end: Term) -> str:
        for relation, hypothesis in zip(self.context.claim.given, self.context.given, strict=True):
            if relation in self.way and self.name in relation.names and _bound_on(relation, self.name) == (side, end):
                return bound_fact(self.context, relation, hypothesis, self.name, side, end)
        raise AssertionError("the kernel found this bound")

    def run(self, slope: Any, ends: Any) -> None:
        """Prove the goal."""
        path = self._path(slope)
        arrivals = dict(zip(self.near, ends, strict=True))
        for end in self._nearest(self.near[0], {}, self.near[1:]):
            self._arrive(*end, arrivals[end[0]], path)

    def _nearest(self, best: Term, below: dict[Term, str], rest: list[Term]) -> Any:
        """Each end with proofs that it is the nearest, the case analysis being written around it."""
        if not rest:
            yield best, below
            return
        script, other = self.context.script, rest[0]
        case = script.fresh()
        one, two = (self.context.show(end) for end in ((best, other) if self.is_up else (other, best)))
        script.add(f"destruct (Rle_or_lt {one} {two}) as [{case} | {case}].")
        for is_first in (True, False):
            script.add("{")
            if is_first:
                yield from self._nearest(best, {**below, other: case}, rest[1:])
            else:
                known = f"(Rlt_le _ _ {case})"
                moved = {end: self._chain(known, proof) for end, proof in below.items()}
                yield from self._nearest(other, {**moved, best: known}, rest[1:])
            script.add("}")

    def _chain(self, nearer: str, farther: str) -> str:
        first, second = (nearer, farther) if self.is_up else (farther, nearer)
        return f"(Rle_trans _ _ _ {first} {second})"

    # --- on the way -------------------------------------------------------------------------------------------

    def _path(self, slope: Any) -> str:
        """The name of a proof that f is smooth, and has the right slope, at every x before the ends."""
        context, script = self.context, self.context.script
        x, at, name = script.fresh("x"), script.fresh(), script.fresh("way")
        before = [f"{x} < {context.show(end)}" if self.is_up else f"{context.show(end)} < {x}" for end in self.near]
        start = f"{self.v} <= {x}" if self.is_up else f"{x} <= {self.v}"
        climb, _ = move_goals(context.claim, self.name, self.direction, self._final_way())
        data = expression(self.f, [self.name, *self.others], context)
        env = "; ".join([x, *(context.names[other] for other in self.others)])
        sign = f"0 <= eval [{env}] (slope {data})" if self.is_up else f"eval [{env}] (slope {data}) <= 0"
        inner_names = {**context.names, self.name: x}
        defined = [self._need_text(need, inner_names) for need in needs(self.f)]
        goal = " /\\ ".join([*defined, f"smooth [{env}] {data}", sign])
        script.add(f"assert ({name} : forall {x} : R, {' -> '.join([start, *before])} -> {goal}). {{")
        hypotheses = [script.fresh() for _ in before]
        script.add(f"intros {x} {at} {' '.join(hypotheses)}.")
        inner = self._inside(x, at, hypotheses)
        for fact, proof in self.facts:
            relation = Relation.read(fact)
            inner = inner.also(relation, established(inner, relation, proof, self.prove))
        require_all(inner, self.f)
        climbing = established(inner, climb.then, slope, self.prove)
        smooth = definedness(self.f, inner, "positive")
        for need in needs(self.f):
            script.add(f"split; [exact {inner.needs[need]}|].")
        script.add(f"split; [exact {smooth}|].")
        raw, wanted = raw_slope(self.f, self.name), derivative(self.f, self.name)
        shown = inner.show(wanted)
        same = inner.have(f"{inner.show(raw)} = {shown}", equate(inner, [raw], shown))
        script.add(f"change ({self._signed(inner.show(raw))}). rewrite {same}. exact {climbing}. }}")
        return name

    def _signed(self, text: str) -> str:
        return f"0 <= {text}" if self.is_up else f"{text} <= 0"

    @staticmethod
    def _need_text(need: Need, names_: dict[str, str]) -> str:
        from gaptron.coq.terms import need_text

        return need_text(need, names_)

    def _final_way(self) -> tuple[Relation, ...]:
        return (*self.way, *(Relation.read(fact) for fact, _ in self.facts))

    def _inside(self, x: str, at: str, before: list[str]) -> Context:
        """The claim's context at x: what does not mention v, and the bounds, which hold there too."""
        context, script = self.context, self.context.script
        inner_names = {**context.names, self.name: x}
        kept = {need: name for need, name in context.needs.items() if self.name not in names(need[0])}
        inner = replace(
            context,
            claim=Claim((), context.claim.then, context.claim.without(self.name).integers),
            names=inner_names,
            given=(),
            needs=kept,
            signs={},
            nonzero={},
            integers={t: n for t, n in context.integers.items() if self.name not in names(t)},
        )
        for relation, hypothesis in zip(context.claim.given, context.given, strict=True):
            if relation not in self.way:
                continue
            name = hypothesis
            if self.name in relation.names:
                name = script.fresh()
                where = [at, hypothesis, *before, *self.near_facts.values(), *self.far_facts.values()]
                statement = inner.text(relation)
                kept_names = " ".join(dict.fromkeys(where))
                script.add(f"assert ({name} : {statement}). {{ clear - {kept_names}; lra. }}")
            inner = inner.also(relation, name)
        return inner

    # --- at the end -------------------------------------------------------------------------------------------

    def _arrive(self, end: Term, nearest: dict[Term, str], proof: Any, path: str) -> None:
        context, script = self.context, self.context.script
        there = Relation("<" if self.strict else "<=", substitute(self.f, self.name, end), ZERO)
        inner = self._at(end, nearest)
        name = script.fresh()
        script.add(f"assert ({name} : {conclusion(there, inner.names)}). {{")
        self.prove(inner.instead(there), proof)
        script.add("}")
        inner = inner.learn(there, name)
        arrived = inner.given[-1]
        reached = self._reached(inner, end, nearest, path)
        data = expression(self.f, [self.name, *self.others], context)
        rest = "; ".join(context.names[other] for other in self.others)
        low, high = (self.v, context.show(end)) if self.is_up else (context.show(end), self.v)
        x, near, before = script.fresh("x"), script.fresh(), script.fresh()
        smooth = script.fresh()
        script.add(
            f"assert ({smooth} : forall {x} : R, {low} <= {x} <= {high} -> smooth ({x} :: [{rest}]) {data}). {{"
            f" intros {x} [{near} {before}]."
        )
        inner_need_count = len(needs(self.f))
        projected = self._path_at(path, x, near, before, end, nearest, inner_need_count)
        far = f"{x} < {context.show(end)}" if self.is_up else f"{context.show(end)} < {x}"
        order = f"(Rle_lt_or_eq_dec {x} _ {before})" if self.is_up else f"(Rle_lt_or_eq_dec _ {x} {near})"
        side = script.fresh()
        script.add(f"destruct {order} as [{side} | {side}].")
        script.add(f"{{ exact {projected[0].format(side)}. }}")
        script.add(f"{{ {'rewrite ' + side if self.is_up else 'rewrite <- ' + side}. exact {reached}. }} }}")
        del far
        moved = "moved_up" if self.is_up else "moved_down"
        first = self.near_facts[end]
        slope_x, open_ = script.fresh("x"), script.fresh()
        climbed = self._path_at(
            path, slope_x, f"(Rlt_le _ _ (proj1 {open_}))", f"(Rlt_le _ _ (proj2 {open_}))", end, nearest, inner_need_count
        )[1].format(f"(proj{2 if self.is_up else 1} {open_})")
        larger = context.have(
            f"{context.show(self.f)} <= {inner.show(there.left)}",
            f"exact ({moved} [{rest}] {data} {self.v} {context.show(end)} {first} {smooth} "
            f"(fun {slope_x} {open_} => {climbed})).",
        )
        self._close(inner, larger, arrived, end, nearest, path)

    def _close(self, inner: Context, larger: str, arrived: str, end: Term, nearest: dict[Term, str], path: str) -> None:
        """What the goal says of definedness, then f <= 0."""
        context, script = self.context, self.context.script
        require = [need for need in needs(*_both(context.claim.then)) if need not in context.needs]
        if require:
            self._define_here(inner, require, end, nearest, path)
        for need in needs(*_both(context.claim.then)):
            script.add(f"split; [exact {context.needs.get(need) or self.here[need]}|].")
        low, high = _sides(context.claim.then)
        lemma = "difference_lt" if self.strict else "difference_le"
        trans = "Rle_lt_trans" if self.strict else "Rle_trans"
        del low, high
        script.add(f"apply {lemma}. exact ({trans} _ _ _ {larger} {arrived}).")

    def _define_here(
        self, inner: Context, wanted: list[Need], end: Term, nearest: dict[Term, str], path: str
    ) -> None:
        """At v itself: from the way if v is before the end, from the arrival if it is there."""
        context, script = self.context, self.context.script
        self.here: dict[Need, str] = {}
        order = needs(self.f)
        for need in wanted:
            side = script.fresh()
            name = script.fresh()
            bound = self.near_facts[end]
            decide = f"(Rle_lt_or_eq_dec _ _ {bound})"
            script.add(f"assert ({name} : {context.need_text(need)}). {{ destruct {decide} as [{side} | {side}].")
            at_v = self._path_call(path, self.v, "(Rle_refl _)", side, end, nearest)
            script.add(f"{{ exact {_project(at_v, order.index(need), len(order) + 2)}. }}")
            there = (substitute(need[0], self.name, end), need[1])
            known = inner.needs.get(there)
            turn = f"rewrite {side}." if self.is_up else f"rewrite <- {side}."
            script.add(f"{{ {turn} {f'exact {known}' if known else 'lra'}. }} }}")
            self.here[need] = name

    def _path_call(self, path: str, x: str, start: str, before: str, end: Term, nearest: dict[Term, str]) -> str:
        """The way at x: ``before`` proves that x is before the end, which is the nearest."""
        steps = []
        for other in self.near:
            if other == end:
                steps.append(before)
            elif self.is_up:
                steps.append(f"(Rlt_le_trans _ _ _ {before} {nearest[other]})")
            else:
                steps.append(f"(Rle_lt_trans _ _ _ {nearest[other]} {before})")
        return f"({path} {x} {start} {' '.join(steps)})"

    def _path_at(
        self, path: str, x: str, near: str, before: str, end: Term, nearest: dict[Term, str], count: int
    ) -> tuple[str, str]:
        """Proofs that f is smooth at x and of its slope there; ``{}`` stands for the proof that x is before the end."""
        start = near if self.is_up else before
        call = self._path_call(path, x, start, "{0}", end, nearest)
        return _project(call, count, count + 2), _project(call, count + 1, count + 2)

    def _reached(self, inner: Context, end: Term, nearest: dict[Term, str], path: str) -> str:
        """A proof term of smoothness at the end, from what is known to be defined there."""
        del nearest, path
        return definedness(substitute(self.f, self.name, end), inner, "positive")

    def _at(self, end: Term, nearest: dict[Term, str]) -> Context:
        """The claim without v, and with the order of the bounds."""
        context = self.context
        rest = context.claim.without(self.name)
        keep = [i for i, r in enumerate(context.claim.given) if self.name not in r.names]
        inner = context.restricted(keep, rest.integers)
        closer = "<=" if self.is_up else ">="
        for other in self.near:
            if other != end:
                inner = inner.also(Relation(closer, end, other), nearest[other] if False else self._named(nearest[other]))
        for other in self.far:
            both = (self.far_facts[other], self.near_facts[end])
            first, second = both if self.is_up else (both[1], both[0])
            inner = inner.also(Relation(closer, other, end), self._named(f"(Rle_trans _ _ _ {first} {second})"))
        return inner

    def _named(self, proof: str) -> str:
        name = self.context.script.fresh()
        self.context.script.add(f"pose proof {proof} as {name}.")
        return name


def _both(relation: Relation) -> tuple[Term, Term]:
    return relation.left, relation.right


def _project(proof: str, index: int, count: int) -> str:
    """One part of a conjunction of ``count`` parts, nested to the right."""
    for _ in range(index):
        proof = f"(proj2 {proof})"
    return proof if index == count - 1 else f"(proj1 {proof})"


def raw_slope(term: Term, name: str) -> Term:
    """The derivative as ``slope`` of proofs/coq/Enclosures.v computes it."""
    if not isinstance(term, tuple):
        return Fraction(1 if term == name else 0)
    if term[0] in ("+", "*"):
        found: Term = raw_slope(term[1], name)
        before: Term = term[1]
        for part in term[2:]:
            if term[0] == "+":
                found = ("+", found, raw_slope(part, name))
            else:
                found = ("+", ("*", found, part), ("*", before, raw_slope(part, name)))
                before = ("*", before, part)
        return found
    inner = raw_slope(term[1], name)
    if term[0] == "exp":
        return ("*", term, inner)
    if term[0] == "log":
        return ("*", ("^", term[1], -1), inner)
    if term[0] == "root":
        return ("*", ("*", Fraction(1, 2), ("*", term, ("^", term[1], -1))), inner)
    return _power_slope(term, inner)


def _power_slope(term: Any, inner: Term) -> Term:
    _, base, exponent = term
    if exponent == 0:
        return ZERO
    if exponent == 1:
        return inner
    if exponent > 0:
        return ("*", Fraction(exponent), ("*", ("^", base, exponent - 1), inner))
    if exponent == -1:
        return ("*", Fraction(-1), ("*", ("^", base, -2), inner))
    raised: Term = ("^", base, -exponent)
    return ("*", Fraction(-1), ("*", ("^", raised, -2), _power_slope(raised, inner)))


def move(context: Context, variable: Any, direction: Any, facts: Any, slope: Any, ends: Any, prove: Prove) -> None:
    """f <= 0 because it is at the nearest bound, and does not fall on the way."""
    movement = Movement(context, variable, str(direction), facts, prove)
    movement.run(slope, ends)


__all__ = ["Text", "move"]
