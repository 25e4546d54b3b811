"""The rule move: a function that rises up to its nearest bound is largest there, by the mean value theorem."""

from collections import ChainMap
from collections.abc import Callable, Iterator
from dataclasses import replace
from fractions import Fraction

from gaptron.coq.combination import established
from gaptron.coq.enclosure import bound_fact, definedness, expression
from gaptron.coq.facts import require_all
from gaptron.coq.identities import Text, equate
from gaptron.coq.script import Context
from gaptron.coq.terms import AND, Need, conclusion, need_text, needs, relation_needs
from gaptron.kernel import Claim, Relation
from gaptron.kernel.hypotheses import bound_on
from gaptron.kernel.rules.motion import _ends, move_goals, way_of
from gaptron.language.terms import Json, Term, derivative, names, read_name, substitute

Prove = Callable[[Context, Json], None]
ZERO = Fraction(0)


def move(context: Context, variable: Json, direction: Json, facts: Json, slope: Json, ends: Json, prove: Prove) -> None:
    """f <= 0 because it is at the nearest bound, and does not fall on the way."""
    _Movement(context, read_name(variable), direction == "up", facts, prove).run(slope, ends)


class _Movement:
    """One use of the rule: ``v`` goes up (or down) to the nearest of its bounds ``near``.

    Order is written by pairs (first, second) that are the other way round for a movement down.
    """

    def __init__(self, context: Context, name: str, is_up: bool, facts: Json, prove: Prove) -> None:
        self.context, self.script, self.name, self.is_up = context, context.script, name, is_up
        self.facts, self.prove = facts, prove
        self.direction, back = ("up", "down") if is_up else ("down", "up")
        self.way = way_of(context.claim, name)
        self.near, self.far = _ends(self.way, name, self.direction)
        self.f, self.strict = context.claim.then.upper()
        others = sorted(names(self.f) - {name})
        self.v = context.names[name]
        self.rest = "; ".join(context.names[other] for other in others)
        self.data = expression(self.f, [name, *others], context)
        self.needs = needs(self.f)
        self.behind = {end: self._bound(back, end) for end in self.far}
        self.ahead = {end: self._bound(self.direction, end) for end in self.near}

    def run(self, slope: Json, ends: Json) -> None:
        """Prove the goal."""
        path = self._path(slope)
        arrivals = dict(zip(self.near, ends, strict=True))
        for end, nearest in self._nearest(self.near[0], {}, self.near[1:]):
            _Arrival(self, path, end, nearest).run(arrivals[end])

    def _bound(self, side: str, end: Term) -> str:
        for relation, hypothesis in zip(self.context.claim.given, self.context.given, strict=True):
            if relation in self.way and self.name in relation.names and bound_on(relation, self.name) == (side, end):
                return bound_fact(self.context, relation, hypothesis, self.name, side, end)
        raise AssertionError("the kernel found this bound")

    def order(self, first: str, second: str, sign: str = "<=") -> str:
        """``first`` comes before ``second`` on the way."""
        return f"{first} {sign} {second}" if self.is_up else f"{second} {sign} {first}"

    def chain(self, first: str, second: str, lemma: str = "Rle_trans") -> str:
        """The proof from two proofs of order, the first of them nearer to v."""
        if self.is_up:
            return f"({lemma} _ _ _ {first} {second})"
        lemma = {"Rlt_le_trans": "Rle_lt_trans", "Rle_lt_trans": "Rlt_le_trans"}.get(lemma, lemma)
        return f"({lemma} _ _ _ {second} {first})"

    def _nearest(self, best: Term, after: dict[Term, str], rest: list[Term]) -> Iterator[tuple[Term, dict[Term, str]]]:
        """Each end with proofs that the others come after it, the case analysis being written around it."""
        if not rest:
            yield best, after
            return
        other, case = rest[0], self.script.fresh()
        first, second = self.context.show(best), self.context.show(other)
        pair = f"{first} {second}" if self.is_up else f"{second} {first}"
        self.script.add(f"destruct (Rle_or_lt {pair}) as [{case} | {case}].")
        self.script.add("{")
        yield from self._nearest(best, {**after, other: case}, rest[1:])
        self.script.add("} {")
        known = f"(Rlt_le _ _ {case})"
        moved = {end: self.chain(known, proof) for end, proof in after.items()}
        yield from self._nearest(other, {**moved, best: known}, rest[1:])
        self.script.add("}")

    # --- on the way -----------------------------------------------------------------------------------------------

    def _path(self, slope: Json) -> str:
        """The name of a proof that f is smooth, and has the right slope, at every x before the ends."""
        context, script = self.context, self.script
        x, name, start = script.fresh("x"), script.fresh("way"), script.fresh()
        before = [script.fresh() for _ in self.near]
        final = (*self.way, *(Relation.read(fact) for fact, _ in self.facts))
        climb, _ = move_goals(context.claim, self.name, self.direction, final)
        environment = f"[{'; '.join(filter(None, [x, self.rest]))}]"
        premises = [self.order(self.v, x), *(self.order(x, context.show(end), "<") for end in self.near)]
        wanted = [
            *(need_text(need, ChainMap({self.name: x}, context.names)) for need in self.needs),
            f"smooth {environment} {self.data}",
            self._not_falling(f"eval {environment} (slope {self.data})"),
        ]
        script.add(f"assert ({name} : forall {x} : R, {' -> '.join(premises)} -> {AND.join(wanted)}). {{")
        script.add(f"intros {x} {start} {' '.join(before)}.")
        inner = self._inside(x, [start, *before])
        for fact, proof in self.facts:
            relation = Relation.read(fact)
            inner = inner.also(relation, established(inner, relation, proof, self.prove))
        require_all(inner, self.f)
        climbing = established(inner, climb.then, slope, self.prove)
        smooth = definedness(self.f, inner, "positive")
        for proof in [*(inner.needs[need] for need in self.needs), smooth]:
            script.add(f"split; [exact {proof}|].")
        raw, shown = raw_slope(self.f, self.name), inner.show(derivative(self.f, self.name))
        same = inner.have(f"{inner.show(raw)} = {shown}", equate(inner, [Text(inner.show(raw))], shown))
        script.add(f"change ({self._not_falling(inner.show(raw))}). rewrite {same}. exact {climbing}. }}")
        return name

    def _not_falling(self, text: str) -> str:
        return f"0 <= {text}" if self.is_up else f"{text} <= 0"

    def _inside(self, x: str, at: list[str]) -> Context:
        """The claim's context at x: what does not mention v, and the bounds, which hold there too."""
        context = self.context
        rest = context.claim.without(self.name)
        inner = replace(
            context,
            claim=Claim((), context.claim.then, rest.integers),
            names=ChainMap({self.name: x}, context.names),
            given=(),
            needs={need: known for need, known in context.needs.items() if self.name not in names(need[0])},
            signs={},
            nonzero={},
            integers={term: known for term, known in context.integers.items() if term in rest.integers},
        )
        for relation, hypothesis in zip(context.claim.given, context.given, strict=True):
            if relation not in self.way:
                continue
            name = hypothesis
            if self.name in relation.names:
                kept = " ".join(dict.fromkeys([*at, hypothesis, *self.ahead.values(), *self.behind.values()]))
                name = inner.have(inner.text(relation), f"clear - {kept}; lra.")
            inner = inner.also(relation, name)
        return inner


class _Arrival:
    """The end of the way at one bound, the nearest: ``nearest`` proves that the others come after it."""

    def __init__(self, movement: _Movement, path: str, end: Term, nearest: dict[Term, str]) -> None:
        self.movement, self.path, self.end, self.nearest = movement, path, end, nearest
        self.context, self.script = movement.context, movement.script
        self.shown = self.context.show(end)

    def run(self, proof: Json) -> None:
        """f <= 0 at the bound, f is at most that on the way, and the goal."""
        move_, context, script = self.movement, self.context, self.script
        there = Relation("<" if move_.strict else "<=", substitute(move_.f, move_.name, self.end), ZERO)
        inner = self._without()
        name = script.fresh()
        script.add(f"assert ({name} : {conclusion(there, inner.names)}). {{")
        move_.prove(inner.instead(there), proof)
        script.add("}")
        inner = inner.learn(there, name)
        larger = context.have(
            f"{context.show(move_.f)} <= {inner.show(there.left)}",
            f"exact (moved_{move_.direction} [{move_.rest}] {move_.data} {move_.v} {self.shown} "
            f"{move_.ahead[self.end]} {self._smooth(inner)} {self._climbing()}).",
        )
        for need in relation_needs(context.claim.then):
            known = context.needs.get(need) or self._here(inner, need)
            script.add(f"split; [exact {known}|].")
        lemma, trans = ("difference_lt", "Rle_lt_trans") if move_.strict else ("difference_le", "Rle_trans")
        script.add(f"apply {lemma}. exact ({trans} _ _ _ {larger} {inner.given[-1]}).")

    def _without(self) -> Context:
        """The claim without v, and with the order of the bounds."""
        move_, context = self.movement, self.context
        keep = [i for i, relation in enumerate(context.claim.given) if move_.name not in relation.names]
        inner = context.restricted(keep, context.claim.without(move_.name).integers)
        closer = "<=" if move_.is_up else ">="
        for other in move_.near:
            if other != self.end:
                inner = inner.also(Relation(closer, self.end, other), self._named(self.nearest[other]))
        for other in move_.far:
            passed = move_.chain(move_.behind[other], move_.ahead[self.end])
            inner = inner.also(Relation(closer, other, self.end), self._named(passed))
        return inner

    def _named(self, proof: str) -> str:
        name = self.script.fresh()
        self.script.add(f"pose proof {proof} as {name}.")
        return name

    def _at(self, x: str, start: str, before: str, index: int) -> str:
        """A part of what is known at x, which comes after v (``start``) and before the end (``before``)."""
        steps = [
            before if end == self.end else self.movement.chain(before, self.nearest[end], "Rlt_le_trans")
            for end in self.movement.near
        ]
        proof = f"({self.path} {x} {start} {' '.join(steps)})"
        for _ in range(index):
            proof = f"(proj2 {proof})"
        return f"(proj1 {proof})" if index < len(self.movement.needs) + 1 else proof

    def _smooth(self, inner: Context) -> str:
        """The name of a proof that f is smooth from v to the end, which included."""
        move_, script = self.movement, self.script
        name, x, first, second, side = (script.fresh(prefix) for prefix in ("H", "x", "H", "H", "H"))
        reached = definedness(move_.f, inner, "positive", lambda term: substitute(term, move_.name, self.end))
        ends = (move_.v, self.shown) if move_.is_up else (self.shown, move_.v)
        start, last = (first, second) if move_.is_up else (second, first)
        script.add(
            f"assert ({name} : forall {x} : R, {ends[0]} <= {x} <= {ends[1]} -> smooth ({x} :: [{move_.rest}]) "
            f"{move_.data}). {{ intros {x} [{first} {second}]."
        )
        script.add(f"destruct (Rle_lt_or_eq_dec _ _ {last}) as [{side} | {side}].")
        script.add(f"{{ exact {self._at(x, start, side, len(move_.needs))}. }}")
        script.add(f"{{ rewrite {'' if move_.is_up else '<- '}?{side}. exact {reached}. }} }}")
        return name

    def _climbing(self) -> str:
        """A proof term of the slope's sign strictly between v and the end."""
        x, between = self.script.fresh("x"), self.script.fresh()
        after, before = ("proj1", "proj2") if self.movement.is_up else ("proj2", "proj1")
        known = self._at(x, f"(Rlt_le _ _ ({after} {between}))", f"({before} {between})", len(self.movement.needs) + 1)
        return f"(fun {x} {between} => {known})"

    def _here(self, inner: Context, need: Need) -> str:
        """The name of a proof that a part of f is defined at v: on the way, or where v has arrived."""
        move_, script = self.movement, self.script
        name, side = script.fresh(), script.fresh()
        known = inner.needs.get((substitute(need[0], move_.name, self.end), need[1]))
        on_the_way = self._at(move_.v, "(Rle_refl _)", side, move_.needs.index(need))
        script.add(f"assert ({name} : {self.context.need_text(need)}). {{")
        script.add(f"destruct (Rle_lt_or_eq_dec _ _ {move_.ahead[self.end]}) as [{side} | {side}].")
        script.add(f"{{ exact {on_the_way}. }}")
        script.add(f"{{ rewrite {'' if move_.is_up else '<- '}?{side}. {f'exact {known}' if known else 'lra'}. }} }}")
        return name


def raw_slope(term: Term, name: str) -> Term:
    """The derivative as ``slope`` of proofs/coq/Enclosures.v computes it."""
    if not isinstance(term, tuple):
        return Fraction(1 if term == name else 0)
    if term[0] in ("+", "*"):
        return _slope_of_many(term, name)
    if term[0] == "^":
        return _power_slope(term[1], term[2], name)
    inner = raw_slope(term[1], name)
    if term[0] == "exp":
        return ("*", term, inner)
    if term[0] == "log":
        return ("*", ("^", term[1], -1), inner)
    return ("*", ("*", Fraction(1, 2), ("*", term, ("^", term[1], -1))), inner)


def _slope_of_many(term: tuple[Json, ...], name: str) -> Term:
    found, before = raw_slope(term[1], name), term[1]
    for part in term[2:]:
        if term[0] == "+":
            found = ("+", found, raw_slope(part, name))
        else:
            found = ("+", ("*", found, part), ("*", before, raw_slope(part, name)))
            before = ("*", before, part)
    return found


def _power_slope(base: Term, exponent: int, name: str) -> Term:
    if exponent == 0:
        return ZERO
    inner, power = base, exponent
    if exponent == -1 and isinstance(base, tuple) and base[0] == "^" and base[2] > 0:
        inner, power = base[1], -base[2]
    return ("*", Fraction(power), ("*", ("^", inner, power - 1), raw_slope(inner, name)))
