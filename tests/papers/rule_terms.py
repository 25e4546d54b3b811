"""Symbols, judgements and rules at work, for the tests of what rules accept and refuse."""

from collections.abc import Callable
from typing import Any

from gaptron.papers import facts, matrices
from gaptron.papers.rules import Judgement, hypothesis, instance  # fmt: skip
from gaptron.papers.typed_formulas import Formula, Hypothesis, put, rel
from gaptron.papers.typed_terms import (
    BOUND,
    CONST,
    DRAWN,
    PAST,
    ROUND,
    RUN,
    Level,
    Real,
    app,
    atom,
    dot,
    inv,
    largest,
    mean,
    num,
    outer,
    pow_,
    single,
    total,
    vec,
)  # fmt: skip

x, z, a = atom("r", "x", CONST), atom("r", "z", CONST), atom("r", "a", CONST)
r, drawn, of_run = atom("r", "r", ROUND), atom("r", "s", DRAWN), atom("r", "w@end", RUN)
past = atom("r", "h", PAST)
u, v, w = (vec(("v", name, "E", level)) for name, level in (("u", CONST), ("v", CONST), ("w", ROUND)))
y, k, j = ("lab", "y", CONST), ("lab", "k", DRAWN), ("lab", "j", CONST)
f, norm, P = ("f", "f", CONST, False), ("f", "N", CONST, True), ("f", "P", PAST, False)
zero, one = num(0), num(1)
identity = vec(("v", "I", "ExE", CONST))


def given(formula: Formula, kind: str = "assumption") -> Judgement:
    return hypothesis(Hypothesis(kind, "given", formula))


def geq(p: Real) -> Formula:
    return rel(">=", p, zero)


nonzero = given(rel("!=", z, zero))
some = given(geq(x))
in_round = given(geq(r))
every = given(("all", ("r", "~v", CONST), (), geq(atom("r", "~v", CONST))))
averaged = given(("all", ("r", "~v", PAST), (), geq(mean(atom("max", drawn, atom("r", "~v", PAST))))))
state = Hypothesis("protocol", "w moves", ("state", single(("r", "w", ROUND)), zero, single(("r", "w", ROUND)) + r))
drawing = Hypothesis("protocol", "k is drawn", ("draw", k, P))
moves = single(("r", "w", ROUND))
same = given(("same", j, y))
other = given(("other", j, y))
equation = given(rel("==", a, x))
top = largest(y, app(f, BOUND))
projected, inside = given(("is", "projection", w, u, "C")), given(("in", v, "C"))
q = atom("r", "q", CONST)
BOUNDS = [(">=", z, zero), (">", x, zero), (">=", q, one), (">=", q, zero), (">=", x, zero), ("!=", x, zero)]
powers = tuple(given(rel(*bound)) for bound in BOUNDS)
Make = Callable[[], Judgement]
proof_of_one: Any = {
    "terms": [],
    "tables": [[[], []]],
    "proof": {"rule": "interval", "table": 0, "steps": [], "bits": 48, "box": {}, "mean": None},
}


def of_any(f: Formula, space: str = "E", names: str = "uv") -> Judgement:
    """What is given of all vectors, at two fixed ones."""
    first, second = (("v", name, space, CONST) for name in names)
    bound = {x: ("v", "~" + x[1], space, CONST) for x in (first, second)}
    inner = put(f, {x: vec(y) for x, y in bound.items()})
    every = given(("all", bound[first], (), ("all", bound[second], (), inner)))
    return instance(instance(every, vec(first), (), ()), vec(second), (), ())


def less(premises: tuple[Judgement, ...], without: int | None) -> tuple[Judgement, ...]:
    """All but one."""
    return tuple(p for n, p in enumerate(premises) if n != without)


def growing(
    same: Judgement | None = None, weight: Judgement = in_round, step: Real = r, anything: Any = ("u", "v"),
    beside: Judgement | None = None, without: int | None = None, fixed: Level = CONST, solves_itself: bool = False,
) -> Judgement:  # fmt: skip
    """The determinant of a matrix that starts as a times the identity and moves by r w w'; beside: <w, h x b> = 0.

    ``without``: the number of a premise that is left out; ``fixed``: when the identity is known; ``solves_itself``:
    the solution is one of the vectors that may be anything.
    """
    space = "ExE" if beside else "E"
    moved, solution, here, there = (vec(("v", name, space, level)) for name, level in zip("wsuv", LEVELS, strict=True))
    solution = here if solves_itself else solution
    matrix, identity = (
        vec(("v", name, f"{space}x{space}", level)) for name, level in zip("AI", (ROUND, fixed), strict=True)
    )
    after = matrix + outer(moved, moved).scale(step)
    moving = Hypothesis("protocol", "A moves", ("state", matrix, identity.scale(a), after))
    logs = (one + r * dot(moved, solution), one + total(r * dot(moved, moved)) * inv(a * z))
    known = [rel(">", a, zero), rel(">", logs[1], zero), *(rel("!=", p, zero) for p in (a, z))]
    known += [rel("==", dot(identity, identity) - (dot(unit, unit) if beside else zero), z)]
    known += [rel(">", dot(u, u), zero)] if beside else []
    same = same or of_any(rel("==", dot(identity, outer(here, there)), dot(here, there)), space)
    solved = of_any(rel("==", dot(matrix, outer(solution, here)), dot(moved, here)), space)
    symbols = [("v", name, space, CONST) for name in anything]
    positive = rel(">", logs[0], zero)
    premises = (*map(given, known), of_any(positive, space) if solves_itself else given(positive), weight, same, solved)
    if not beside:
        return matrices.determinant(moving, r, moved, solution, z, *symbols, less(premises, without))
    products = [("v", name, "E", CONST) for name in "bc"]
    more = (of_any(rel("==", dot(unit, outer(*map(vec, products))), dot(*map(vec, products))), "E", "bc"), beside)
    rule = matrices.determinant_beside
    return rule(moving, r, moved, solution, z, *symbols, u, unit, *products, less((*premises, *more), without))


LEVELS = (ROUND, ROUND, CONST, CONST)
unit, product = vec(("v", "F", "ExE", CONST)), outer(u, vec(("v", "b", "E", CONST)))
orthogonal = rel("==", dot(vec(("v", "w", "ExE", ROUND)), product), zero)


def quotient(which: int, premises: tuple[Judgement, ...] = powers) -> Judgement:
    terms = (z * inv(x), inv(q), one - inv(q))
    more = tuple(given(geq(t)) for t in (*terms, pow_(z * inv(x), inv(q))))
    return facts.power_of_quotient(z, x, q, which, (*premises, given(rel("!=", q, zero)), *more))
