"""What is known at a place of a proof, and the premises that may serve a goal. Not trusted."""

from collections.abc import Callable, Iterable, Sequence
from copy import copy

from gaptron.language.rejection import Rejected
from gaptron.papers import rules
from gaptron.papers.premise_search import (
    NoProofError,
    atoms_of,
    certificate,
    found_by_core,
    monomial_signs,
    or_none,
    partial_atoms,
    prove,
    saying,
)  # fmt: skip
from gaptron.papers.rules import Judgement
from gaptron.papers.statements import PaperSetting
from gaptron.papers.typed_formulas import Formula, put, rel, terms_in
from gaptron.papers.typed_terms import Real, Term, Vector, is_label, num, single, vec


def unique(judgements: Iterable[Judgement]) -> list[Judgement]:
    """The first of each formula, without what is empty."""
    found: dict[Formula, Judgement] = {}
    for p in judgements:
        if p.then[0] != "rel" or p.then[2].items:
            found.setdefault(p.then, p)
    return list(found.values())


class Scope:
    """The setting, the steps above and the assumptions of the case."""

    def __init__(self, setting: PaperSetting) -> None:
        self.setting = setting
        self.steps: list[tuple[str, Judgement]] = []
        self.local: list[Judgement] = []
        self.found: dict[Term, Judgement | None] = {}
        self.sums: dict[Term, list[Judgement]] = {}
        self.given: list[Judgement] = []
        self._give()

    def inner(self, f: Formula) -> "Scope":
        """With an assumption."""
        scope = copy(self)
        scope.steps, scope.local = list(self.steps), [*self.local, rules.assume(f)]
        return scope

    def _give(self) -> None:
        """The hypotheses of the setting in their order, so that what stands before a definition shows it is defined."""
        for h in self.setting.hyps:
            if h.kind == "definition":
                self.given.append(rules.definition(h, self.defined(rules.value_of(h))))
            elif h.formula[0] not in ("state", "draw"):
                self.given.append(rules.hypothesis(h))

    def known(self) -> list[Judgement]:
        """The hypotheses, the steps and the assumptions."""
        return [*self.given, *(p for _, p in self.steps), *self.local]

    def labels(self) -> list[Term]:
        """The labels that have names."""
        return [v for v in self.setting.names.values() if is_label(v)]

    def objects(self) -> list[Term]:
        """Candidates for instances: everything that has a name."""
        return [v for v in self.setting.names.values() if isinstance(v, Real | Vector) or is_label(v)]

    # -- where terms are defined

    def defined(self, *terms: Term, known: Sequence[Judgement] = ()) -> tuple[Judgement, ...]:
        """Judgements that everything in some terms is defined, which ``known`` may show too.

        Raises
        ------
        NoProofError
            If one is not found.
        """
        return tuple(self._needed(need, known) for x in terms for need in partial_atoms(x))

    def _needed(self, need: Formula, more: Sequence[Judgement]) -> Judgement:
        known = [*self.known(), *more]
        if found := saying(need, known):
            return found
        relations = [p for p in known if p.then[0] == "rel"]
        hyps = [p for p in self.given if p.then[0] == "rel"]
        near = [p for p in hyps if p.then[2].atoms <= need[2].atoms]
        ways: list[tuple[Term, Callable[[], Judgement]]] = [
            (need, lambda: certificate([*near, *self._evident_in(need)], need, 1)),
            ((need, frozenset(p.then for p in relations)), lambda: self._by_core(need, relations)),
        ]
        for key, way in ways:
            if key not in self.found:
                self.found[key] = or_none(way)
            if self.found[key] is not None:
                return self.found[key]  # type: ignore[return-value]
        raise NoProofError(f"something may be undefined: not known is {need[2]!r:.300} {need[1]} 0")

    def _evident_in(self, need: Formula) -> list[Judgement]:
        return [t for a in sorted(atoms_of([need]), key=repr) for t in self.evident(a, a in need[2].atoms)]

    def _by_core(self, need: Formula, relations: list[Judgement]) -> Judgement:
        return found_by_core([*relations, *self.signs([need, *(p.then for p in relations)], relations)], need)

    def evident(self, a: Term, defined: bool = True) -> list[Judgement]:
        """What an atom is because of what it is."""
        if not isinstance(a, tuple) or a[0] in ("v", "e", "o", "lab", "f"):
            return []
        return or_none(self._by_type, single(a), defined) or []

    def _by_type(self, p: Real, defined: bool) -> list[Judgement]:
        count = len(rules.evident(p))
        some = self.defined(p) if defined and count else ()
        return [rules.by_type(p, i, some) for i in range(count)]

    def signs(self, formulas: Iterable[Formula], known: Sequence[Judgement]) -> list[Judgement]:
        """What is evident of the atoms in formulas, and of sums of what is not negative."""
        found: list[Judgement] = []
        for a in sorted(atoms_of(formulas), key=repr):
            if a[0] != "total":
                found += self.evident(a, False)
                continue
            if a not in self.sums:
                self.sums[a] = []
                self.sums[a] = self._signs_of_sum(a[1], known)
            found += self.sums[a]
        return found

    def _signs_of_sum(self, p: Real, known: Sequence[Judgement]) -> list[Judgement]:
        found = [rules.sum_rounds(t) for x in p.atoms if p == single(x) for t in self.evident(x)]
        steps = [t for t in known if t.then[0] == "rel" and not t.local]
        pool = [*steps, *(t for x in sorted(atoms_of([("rel", "<=", p)]), key=repr) for t in self.evident(x, False))]
        one = or_none(lambda: rules.sum_rounds(found_by_core(pool, rel(">=", p, num(0)))))
        return found if one is None else [*found, one]

    # -- premises

    def pool(self, goal: Formula, extra: Sequence[Judgement] = ()) -> tuple[list[Judgement], list[Judgement]]:
        """What may serve a goal, and the equations of labels and vectors among it."""
        known = [*self.known(), *extra]
        sames = [p for p in known if p.then[0] == "same"]
        apart = [p for p in known if p.then[0] in ("other", "all")]
        known += [q for s in sames for p in apart if (q := or_none(rules.rewrite, p, s)) and q.then != p.then]
        others = [p for p in known if p.then[0] == "other" and is_label(p.then[1])]
        out = [
            *known,
            *(i for p in known if p.then[0] == "all" for i in self.instances(p, known)),
            *map(rules.different, others),
        ]
        formulas = [*(p.then for p in out), goal]
        mine = atoms_of([goal, *(p.then for p in extra)])
        for a in sorted(atoms_of(formulas), key=repr):
            out += self._of_atom(a, others, mine)
        out += self._laws(formulas)
        for s in sames:
            out += [r for p in out if p is not s and p.then[0] == "rel" and (r := or_none(rules.rewrite, p, s))]
        out += self.signs([*(p.then for p in out), goal], [p for p in known if p.then[0] == "rel"])
        out = unique(out)
        for a in sorted(atoms_of([p.then for p in out]), key=repr):
            out += self.evident(a)
        return unique(out), sames

    def _of_atom(self, a: Term, others: Sequence[Judgement], mine: set[Term]) -> list[Judgement]:
        found = self.evident(a)
        if a[0] == "on":
            found += [rules.indicator(p) for p in self.known() if p.then in (("rel", "<=", -a[1]), ("rel", "<", a[1]))]
        if a[0] == "lmax":
            found += self._of_maximum(a, others)
        if a[0] == "dot" and a[1] != a[2] and a in mine:
            both = (vec(a[1]) + vec(a[2]), vec(a[1]) - vec(a[2]))
            found += [p for u in both if (p := or_none(rules.square, u, ()))]
        return found

    def _of_maximum(self, a: Term, others: Sequence[Judgement]) -> list[Judgement]:
        some = or_none(self.defined, single(a))
        if some is None:
            return []
        ways: list[tuple[Judgement, ...]] = [(), *((o,) for o in others)]
        return [p for k in self.labels() for o in ways if (p := or_none(rules.of_labels, single(a), k, o, some))]

    def _laws(self, formulas: Iterable[Formula]) -> list[Judgement]:
        """The laws of labels that are drawn, where something is averaged."""
        if not any(x[0] == "mean" for x in atoms_of(formulas)):
            return []
        drawn = [h for h in self.setting.hyps if h.formula[0] == "draw"]
        return [p for h in drawn for k in self.labels() if (p := or_none(rules.law, h, k))]

    def instances(self, p: Judgement, known: Sequence[Judgement]) -> list[Judgement]:
        """A formula for all, at everything that has a name."""
        found: list[Judgement] = []
        for v in self.objects():
            if rules.same_sort(p.then[1], v) and (one := or_none(self._instance, p, v, known)):
                found += self.instances(one, known) if one.then[0] == "all" else [one]
        return found

    def _instance(self, p: Judgement, v: Term, known: Sequence[Judgement]) -> Judgement:
        have = tuple(saying(put(c, {p.then[1]: v}), known) for c in p.then[2])
        if None in have:
            raise NoProofError("a condition is not known")
        return rules.instance(p, v, have, self.defined(v))

    # -- goals

    def prove(self, goal: Formula, extra: Sequence[Judgement] = ()) -> Judgement:
        """A judgement of the goal.

        Raises
        ------
        NoProofError
            If none is found.
        """
        if known := saying(goal, self.known()):
            return known
        pool, sames = self.pool(goal, extra)
        for s in sames:
            try:
                there = put(goal, rules.equal_to(s), True)
                more = [t for x in sorted(atoms_of([there]), key=repr) for t in self.evident(x, False)]
                proof = self.with_numbers(there, unique([*pool, *more]))
                return rules.unrewrite(goal, proof, s, self.some_defined(goal, pool))
            except (NoProofError, Rejected) as error:
                if s is sames[-1] and isinstance(error, NoProofError):
                    raise
        if goal[0] == "rel" and goal[1] == "=":
            try:
                return self.unfolded(goal, pool)
            except NoProofError:
                pass
        return self.with_numbers(goal, pool)

    def some_defined(self, goal: Formula, more: Sequence[Judgement]) -> tuple[Judgement, ...]:
        """What is needed for a formula to be defined, as far as it is found."""
        needs = [need for t in terms_in(goal) for need in partial_atoms(t)]
        return tuple(p for need in needs if (p := or_none(self._needed, need, more)))

    def unfolded(self, goal: Formula, pool: Sequence[Judgement]) -> Judgement:
        """With what definitions say in the place of what they define."""
        for p in self.given:
            if p.made[0] != "definition" or p.then[0] != "rel":
                continue
            h = p.made[1][0]
            a = rules.defined_symbol(h)
            if a in goal[2].atoms:
                inner = self.unfolded(rules.in_place(goal, a, rules.value_of(h)), pool)
                return rules.replaced(goal, inner, single(a), p, self.some_defined(goal, pool))
        return prove(goal, pool)

    def with_numbers(self, goal: Formula, pool: list[Judgement], inside: Sequence[Judgement] = ()) -> Judgement:
        """With one atom for those that are known to be equal, numbers for those known, and without squares of roots.

        ``inside`` are equations of atoms that still occur in others, as in roots.
        """
        if goal[0] != "rel":
            return prove(goal, pool)
        for p in pool:
            pair = _equal_atoms(p)
            if pair is not None:
                return self._with_one(goal, pool, inside, p, *pair)
        for p in pool:
            a = _atom_with_number(p)
            if a is not None and a in goal[2].atoms:
                inner = self.with_numbers(rules.in_place(goal, a, single(a) - p.then[2]), pool, inside)
                return rules.replaced(goal, inner, single(a), p, self.some_defined(goal, pool))
        plain = rules.without_squares(goal[2])
        if goal[1] != "!=" and plain != goal[2]:
            try:
                same = rules.roots(goal[2], self.defined(goal[2], known=pool))
                inner = self.with_numbers((*goal[:2], plain), pool, inside)
                return rules.linear((inner, same), (num(1).number, num(1).number), goal)
            except (NoProofError, Rejected):
                pass
        return prove(goal, [*pool, *inside, *monomial_signs(pool, goal)])

    def _with_one(
        self, goal: Formula, pool: list[Judgement], inside: Sequence[Judgement], p: Judgement, a: Term, turned: bool
    ) -> Judgement:
        equation = certificate([p], ("rel", "=", -p.then[2])) if turned else p
        rest = [q for q in pool if q.then[0] == "rel" and q.then != p.then and q.then[2] != -p.then[2]]
        moved = unique(rules.replacing(q, single(a), equation) if a in q.then[2].atoms else q for q in reversed(rest))
        moved += [q for q in pool if q.then[0] == "int"]
        if a in atoms_of(q.then for q in moved):
            inside = [*inside, equation]
        if a not in goal[2].atoms:
            return self.with_numbers(goal, moved, inside)
        inner = self.with_numbers(rules.in_place(goal, a, single(a) - equation.then[2]), moved, inside)
        return rules.replaced(goal, inner, single(a), equation, self.some_defined(goal, pool))


def _equal_atoms(p: Judgement) -> tuple[Term, bool] | None:
    """Of a = b the atom to replace, and whether the equation is to be turned; names stay."""
    if p.then[:2] != ("rel", "=") or len(p.then[2].items) != 2:
        return None
    (m, c), (n, d) = p.then[2].items
    if not (len(m) == len(n) == 1 and m[0][1] == n[0][1] == 1 and c == -d and abs(c) == 1):
        return None
    a, b = (m[0][0], n[0][0]) if c == 1 else (n[0][0], m[0][0])
    if a[0] != "r":
        return a, False
    return (b, True) if b[0] != "r" else None


def _atom_with_number(p: Judgement) -> Term:
    """The atom of a = number."""
    if p.then[:2] != ("rel", "=") or len(p.then[2].items) > 2:
        return None
    items = p.then[2].items
    powers = [(m[0][0], c) for m, c in items if len(m) == 1 and m[0][1] == 1]
    rest = [m for m, _ in items if m]
    return powers[0][0] if len(rest) == len(powers) == 1 and powers[0][1] == 1 else None
