"""Which premises give a goal, by unsat cores of z3, and a certificate of it by the search of the house. Not trusted."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeVar

import z3

from gaptron.kernel import Rejected
from gaptron.papers.rules import Judgement, arithmetic, claim_of, linear
from gaptron.papers.typed_formulas import Formula, needs_of, negation, rel, symbols_in
from gaptron.papers.typed_terms import Real, Term, level, num, parts_of, power, single
from gaptron.prove.certify import certify
from gaptron.prove.proofs import NotFoundError


@dataclass(frozen=True)
class SolverLimit:
    """How long z3 may look: in steps of its own, the same everywhere, and by the clock where it counts few of them."""

    steps: int
    milliseconds: int

    def set_on(self, solver: z3.Solver) -> None:
        """For a solver's answers."""
        solver.set("rlimit", self.steps)
        solver.set("timeout", self.milliseconds)


@dataclass
class Limits:
    """Seconds for a certificate, in the first round of attempts and in the second."""

    first: float = 0.4
    second: float = 3.0


LIMITS = Limits()
FEW = 12  # premises
Engine = Callable[[], list[Judgement] | bool | None]
Made = TypeVar("Made")
GLANCE = SolverLimit(10**5, 1000)
QUICK = SolverLimit(10**6, 2000)
LONGER = SolverLimit(3 * 10**6, 5000)
LONGEST = SolverLimit(10**7, 10000)


class NoProofError(Exception):
    """Nothing was found; ``values`` of numbers at which the goal is false, if there are some."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.values: dict[str, str] = {}


def _number(value: Fraction | int, context: z3.Context) -> Term:
    return z3.RealVal(str(value), context)


class _Solver:
    """z3, with a real variable for each atom, in a context of its own: what was asked before changes no answer."""

    def __init__(self, limit: SolverLimit, extremes: bool = False) -> None:
        self.extremes = extremes
        self.variables: dict[Term, Term] = {}
        self.context = z3.Context()
        self.solver = z3.Solver(ctx=self.context)
        limit.set_on(self.solver)
        self.solver.set("unsat_core", True)

    def term(self, p: Real) -> Term:
        """The term of a real."""
        out = _number(0, self.context)
        for m, c in p.items:
            part = _number(c, self.context)
            for a, e in m:
                for _ in range(e):
                    part = part * self.atom(a)
            out = out + part
        return out

    def atom(self, a: Term) -> Term:
        """The variable of an atom, with what is known of it."""
        if a not in self.variables:
            v = self.variables[a] = z3.Real(f"a{len(self.variables)}", self.context)
            if a[0] == "inv":
                self.solver.add(v * self.term(a[1]) == 1)
            if a[0] == "root":
                self.solver.add(v >= 0, v * v == self.term(a[1]))
            if a[0] == "exp":
                self.solver.add(v > 0)
            if a[0] == "on" and self.extremes:
                self.solver.add(v == z3.If(self.term(a[1]) >= 0, _number(1, self.context), _number(0, self.context)))
            if a[0] in ("max", "min") and self.extremes:
                p, q = map(self.term, a[1:])
                self.solver.add(v == z3.If(p >= q, p, q) if a[0] == "max" else v == z3.If(p <= q, p, q))
        return self.variables[a]

    def formula(self, f: Formula) -> Term:
        """The formula of a relation."""
        t = self.term(f[2])
        return {"<=": t <= 0, "<": t < 0, "=": t == 0, "!=": t != 0}[f[1]]


def translated(formulas: Iterable[Formula], symbols: Iterable[Term]) -> tuple[Term, dict[Term, Term]]:
    """A solver that has relations, and its variables of some atoms."""
    smt = _Solver(LONGEST, True)
    for f in formulas:
        smt.solver.add(smt.formula(f))
    return smt.solver, {s: smt.atom(s) for s in symbols}


def core(
    premises: Sequence[Judgement], goal: Formula, limit: SolverLimit, deletion: SolverLimit | None
) -> list[Judgement] | bool | None:
    """Premises that give the goal, less those that ``deletion`` is enough to delete.

    None if z3 does not know, False if they do not give it.
    """
    found = _core(premises, goal, limit)
    return _without_idle(found, goal, deletion) if deletion and isinstance(found, list) else found


def _core(premises: Sequence[Judgement], goal: Formula, limit: SolverLimit) -> list[Judgement] | bool | None:
    smt = _Solver(limit)
    smt.solver.add(smt.formula(negation(goal)))
    for i, p in enumerate(premises):
        smt.solver.assert_and_track(smt.formula(p.then), f"p{i}")
    answer = smt.solver.check()
    if answer == z3.unsat:
        return [premises[i] for i in sorted(int(str(c)[1:]) for c in smt.solver.unsat_core())]
    return False if answer == z3.sat else None


def _without_idle(premises: list[Judgement], goal: Formula, limit: SolverLimit) -> list[Judgement]:
    """Without each premise that z3 does without, if it knows that."""
    for p in list(premises):
        if any(q is p for q in premises):
            found = _core([q for q in premises if q is not p], goal, limit)
            premises = found if isinstance(found, list) else premises
    return premises


def combination(premises: Sequence[Judgement], goal: Formula) -> Judgement | None:
    """By rational factors, if there are some."""
    if goal[1] == "!=" or len(premises) > 14 or any(p.then[1] == "!=" for p in premises):
        return None
    context = z3.Context()
    factors = [z3.Real(f"c{i}", context) for i in range(len(premises))]
    solver = z3.SolverFor("QF_LRA", ctx=context)
    QUICK.set_on(solver)
    per: dict[Term, list[Term]] = {}
    for c, p in zip(factors, premises, strict=True):
        if p.then[1] != "=":
            solver.add(c >= 0)
        for m, v in p.then[2].items:
            per.setdefault(m, []).append(c * _number(v, context))
    wanted = dict(goal[2].items)
    zero = [_number(0, context)]
    for m in dict.fromkeys((*per, *wanted)):
        if m:
            solver.add(z3.Sum(per.get(m, zero)) == _number(wanted.get(m, 0), context))
    rest = _number(wanted.get((), 0), context) - z3.Sum(per.get((), zero))
    solver.add(rest == 0 if goal[1] == "=" else rest <= 0)
    if solver.check() != z3.sat:
        return None
    model = solver.model()
    values = tuple(Fraction(str(model.eval(c, model_completion=True))) for c in factors)
    used = [(p, c) for p, c in zip(premises, values, strict=True) if c]
    return or_none(linear, tuple(p for p, _ in used), tuple(c for _, c in used), goal)


def or_none(make: Callable[..., Made], *given: Term) -> Made | None:
    """What is made of this; None if a rule refuses it, or something that it needs is not found."""
    try:
        return make(*given)
    except (NoProofError, Rejected):
        return None


def saying(f: Formula, known: Iterable[Judgement]) -> Judgement | None:
    """The first that says this."""
    return next((p for p in known if p.then == f), None)


def certificate(premises: Iterable[Judgement], goal: Formula, seconds: float | None = None) -> Judgement:
    """The sequent of the goal from these premises.

    Raises
    ------
    NoProofError
        If no combination and no certificate is found.
    """
    premises = list(premises)
    relations = sorted((p for p in premises if p.then[0] == "rel"), key=lambda p: repr(p.then))
    integers = [p for p in premises if p.then[0] == "int"]
    found = combination(relations, goal)
    if found is not None:
        return found
    claim = claim_of([p.then for p in relations], goal, [p.then[1] for p in integers])
    try:
        return arithmetic((*relations, *integers), goal, certify(claim, seconds or LIMITS.second))
    except (NotFoundError, Rejected, NotImplementedError, RecursionError, OverflowError) as error:
        raise NoProofError(f"no certificate was found: {error}") from error


def atoms_of(formulas: Iterable[Formula]) -> set[Term]:
    """The atoms, labels and bases of relations."""
    return {x for f in formulas if f[0] == "rel" for x in symbols_in(f)}


def prove(goal: Formula, pool: Sequence[Judgement]) -> Judgement:
    """A sequent of the goal from what is known.

    Raises
    ------
    NoProofError
        If none is found.
    """
    if known := saying(goal, pool):
        return known
    if goal[0] != "rel":
        raise NoProofError("it is not known")
    if goal[1] in ("<=", "=") and not goal[2].items:
        return certificate([], goal)
    return found_by_core(pool, goal)


def linear_core(premises: Sequence[Judgement], goal: Formula, products: bool) -> list[Judgement] | None:
    """Premises of a Positivstellensatz proof of degree 1, or 2 with products of pairs, by linear arithmetic."""
    premises = nearest(premises, goal)[:16] if products else premises
    rows = _rows(premises, goal)
    rows += _products(rows, goal) if products else []
    context = z3.Context()
    solver = z3.SolverFor("QF_LRA", ctx=context)
    LONGEST.set_on(solver)
    solver.set("unsat_core", True)
    variables: dict[Term, Term] = {}
    for n, (p, sign, _) in enumerate(rows):
        parts = [
            _number(c, context) * (variables.setdefault(m, z3.Real(f"m{len(variables)}", context)) if m else 1)
            for m, c in p.items
        ]
        t = z3.Sum(parts or [_number(0, context)])
        solver.assert_and_track({"<=": t >= 0, "<": t > 0, "=": t == 0}[sign], f"r{n}")
    if solver.check() != z3.unsat:
        return None
    return [premises[i] for i in sorted({i for c in solver.unsat_core() for i in rows[int(str(c)[1:])][2]})]


Row = tuple[Real, str, tuple[int, ...]]


def _rows(premises: Sequence[Judgement], goal: Formula) -> list[Row]:
    """Polynomials that are >= 0, > 0 or = 0, with the premises they come from."""
    opposite = negation(goal)
    rows: list[Row] = [(-p.then[2], p.then[1], (i,)) for i, p in enumerate(premises) if p.then[1] != "!="]
    if opposite[1] != "!=":
        rows.append((-opposite[2], opposite[1], ()))
    for a in sorted({a for f in [goal, *(p.then for p in premises)] for a in f[2].atoms}, key=repr):
        if a[0] == "inv":
            rows.append((single(a) * a[1] - num(1), "=", ()))
        if a[0] == "root":
            rows.append((single(a) * single(a) - a[1], "=", ()))
    return rows


def _products(rows: Sequence[Row], goal: Formula) -> list[Row]:
    singles = [single(a) for a in sorted(goal[2].atoms, key=repr)]
    more: list[Row] = []
    for i, (p, s, d) in enumerate(rows):
        for q, t, e in rows[i:]:
            if "=" not in (s, t) and len(p.items) * len(q.items) <= 40:
                more.append((p * q, "<" if s == t == "<" else "<=", d + e))
        if s == "=":
            pairs = [x * y for x in singles for y in singles] if len(singles) <= 6 else []
            more += [(p * x, "=", d) for x in (*singles, *pairs)]
    return [*more, *((x * x, "<=", ()) for x in singles)][:4000]


def monomial_signs(pool: Sequence[Judgement], goal: Formula) -> list[Judgement]:
    """Products of atoms that are known not to be negative are not."""
    known: dict[Term, Judgement] = {}
    for p in pool:
        if p.then[0] == "rel" and p.then[1] in ("<=", "<") and len(p.then[2].items) == 1:
            ((m, c),) = p.then[2].items
            if c < 0 and len(m) == 1 and m[0][1] == 1:
                known.setdefault(m[0][0], p)
    found = []
    for m, _ in goal[2].items:
        if sum(e for _, e in m) >= 2 and all(a in known for a, e in m if e % 2):
            found.append(or_none(_product_sign, m, known))
    return [p for p in found if p is not None]


def _product_sign(m: Term, known: dict[Term, Judgement]) -> Judgement:
    so_far, mono = None, num(1)
    for a, e in m:
        step = power(single(a), e)
        some = [known[a]] if a in known else []
        one = known[a] if e == 1 else certificate(some, rel(">=", step, num(0)), 1)
        mono = mono * step
        so_far = one if so_far is None else certificate([so_far, one], rel(">=", mono, num(0)), 1)
    assert so_far is not None  # noqa: S101
    return so_far


def partial_atoms(x: Term) -> list[Formula]:
    """What must be so for a term, and all in it, to be defined."""
    found = needs_of(x) if isinstance(x, tuple) else []
    for part in parts_of(x):
        found = [*found, *partial_atoms(part)]
    return found


def helpful(relations: Sequence[Judgement], found: Sequence[Judgement], goal: Formula) -> list[Judgement]:
    """What may show that denominators, roots and logarithms are defined."""
    needs = [n for f in [goal, *(p.then for p in found)] for n in partial_atoms(f[2])]
    within = {a for need in needs for a in need[2].atoms}
    return [p for p in relations if _serves(p, within, needs) and p not in found]


def _serves(p: Judgement, within: set[Term], needs: Sequence[Formula]) -> bool:
    return (bool(p.then[2].atoms) and p.then[2].atoms <= within) or p.then in needs


def signs_only(relations: Sequence[Judgement], goal: Formula) -> list[Judgement]:
    """What is known of single atoms of the goal."""
    return [
        p
        for p in relations
        if len(p.then[2].items) <= 2 and len(p.then[2].atoms) == 1 and p.then[2].atoms <= goal[2].atoms
    ]


def about_the_same(relations: Sequence[Judgement], goal: Formula) -> list[Judgement]:
    """What speaks of nothing else than a goal does, if that is of exp or log, which are unknowns to z3."""
    mine = atoms_of([goal])
    if not any(a[0] in ("exp", "log") for a in mine):
        return []
    return [p for p in relations if all(a in mine for a in atoms_of([p.then]) if a[0] not in ("exp", "log"))][:12]


def found_by_core(pool: Sequence[Judgement], goal: Formula) -> Judgement:
    """By several engines in turn, first with little time, then with more.

    What z3 finds depends on the order of the premises: it is asked in three of them.

    Raises
    ------
    NoProofError
        If none finds a core with a certificate, or the solver has a model.
    """
    relations = [p for p in pool if p.then[0] == "rel"]
    if goal[1] == "=":
        both = [found_by_core(pool, ("rel", "<=", goal[2])), found_by_core(pool, ("rel", "<=", -goal[2]))]
        return certificate([*both, *helpful(relations, both, goal)], goal)
    if not goal[2].items:
        return certificate([], goal)
    rounded = _of_integers(pool, goal)
    if rounded is not None:
        return rounded
    if not level(goal[2])[0]:
        relations = [p for p in relations if not level(p.then[2])[0]]
    near = nearest(relations, goal)
    engines: list[Engine] = [
        lambda: linear_core(relations, goal, False), lambda: core(relations, goal, QUICK, GLANCE),
        lambda: core(near, goal, QUICK, GLANCE), lambda: core(near[::-1], goal, QUICK, GLANCE),
        lambda: linear_core(relations, goal, True), lambda: core(near[:FEW], goal, QUICK, GLANCE) or None,
        lambda: core(relations, goal, LONGER, None), lambda: core(near, goal, LONGER, None),
        lambda: core(near, goal, LONGEST, QUICK), lambda: signs_only(relations, goal),
        lambda: about_the_same(relations, goal),
    ]  # fmt: skip
    cores: dict[int, list[Judgement] | bool | None] = {}
    soon: list[Engine] = [*engines, lambda: near[: FEW // 2], lambda: near[:FEW]]
    for limit, asked in ((LIMITS.first, soon), (LIMITS.second, engines)):
        for n, engine in enumerate(asked):
            chosen = cores[n] if n in cores else cores.setdefault(n, engine())
            if chosen is False and not any(a[0] in ("exp", "log") for a in atoms_of([goal])):
                raise NoProofError("it does not follow from what is in scope: the solver has a model")
            proof = _certified(chosen, relations, goal, limit, n) if isinstance(chosen, list) else None
            if proof is not None:
                return proof
    raise NoProofError("no certificate was found: an intermediate step or a hint is wanted")


def _of_integers(pool: Sequence[Judgement], goal: Formula) -> Judgement | None:
    """What follows of integers from what is known of them alone."""
    integers = [p for p in pool if p.then[0] == "int" and p.then[1].atoms <= goal[2].atoms]
    bounds = [p for p in pool if p.then[0] == "rel" and p.then[1] != "!=" and p.then[2].atoms <= goal[2].atoms]
    if not integers or not goal[2].atoms <= {a for p in integers for a in p.then[1].atoms}:
        return None
    return or_none(certificate, [*bounds, *integers], goal, LIMITS.first)


def _certified(
    chosen: list[Judgement], relations: Sequence[Judgement], goal: Formula, limit: float, n: int
) -> Judgement | None:
    help_ = [p for p in helpful(relations, chosen, goal) if p not in chosen]
    more = [p for p in signs_only(relations, goal) if p not in chosen and p not in help_]
    ways = [chosen, *([[*chosen, *help_]] if help_ else []), *([[*chosen, *help_, *more]] if more and n else [])]
    return next((found for some in ways if (found := or_none(certificate, some, goal, limit))), None)


def nearest(relations: Sequence[Judgement], goal: Formula) -> list[Judgement]:
    """By shared atoms."""
    mine = atoms_of([goal])

    def score(p: Judgement) -> int:
        theirs = atoms_of([p.then])
        return len(theirs - mine) - 2 * len(theirs & mine)

    return sorted(relations, key=score)
