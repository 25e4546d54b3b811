"""Exact values at which a line is false. Not trusted to find them; they are evaluated in rationals."""

from collections.abc import Mapping, Sequence
from fractions import Fraction

import z3

from gaptron.papers.formulas import Formula, negation, symbols_in
from gaptron.papers.search import Z3_MILLISECONDS, translated
from gaptron.papers.terms import Real, T, Term

HEADS = ("r", "inv", "max", "min", "on")
Values = Mapping[Term, Fraction]


def counterexample(stated: Sequence[Formula], goal: Formula) -> dict[str, str]:
    """Values of numbers at which what is stated holds and the goal does not; none if there is more than numbers."""
    (t,) = T.atoms
    atoms = {x for f in (*stated, goal) for x in symbols_in(f)}
    if any(f[0] != "rel" for f in (*stated, goal)) or any(x[0] not in HEADS or x == t for x in atoms):
        return {}
    symbols = sorted(x for x in atoms if x[0] == "r")
    solver, named = translated([*stated, negation(goal)], symbols)
    solver.set("timeout", Z3_MILLISECONDS)
    if solver.check() != z3.sat:
        return {}
    model = solver.model()
    found = {s: model.eval(named[s], model_completion=True) for s in symbols}
    if not all(z3.is_rational_value(v) for v in found.values()):
        return {}
    values = {s: Fraction(v.as_fraction()) for s, v in found.items()}
    if not all(holds(f, values) for f in stated) or holds(goal, values):
        return {}
    return {s[1]: str(v) for s, v in values.items()}


def holds(f: Formula, values: Values) -> bool:
    """Whether a relation holds at values; not where it is undefined."""
    try:
        p = evaluated(f[2], values)
    except ZeroDivisionError:
        return False
    return {"<=": p <= 0, "<": p < 0, "=": p == 0, "!=": p != 0}[f[1]]


def evaluated(p: Real, values: Values) -> Fraction:
    """A real at values."""
    out = Fraction(0)
    for m, c in p.items:
        part = c
        for a, e in m:
            part *= _atom(a, values) ** e
        out += part
    return out


def _atom(a: Term, values: Values) -> Fraction:
    if a[0] == "r":
        return values[a]
    parts = [evaluated(p, values) for p in a[1:]]
    if a[0] == "on":
        return Fraction(parts[0] >= 0)
    return 1 / parts[0] if a[0] == "inv" else max(parts) if a[0] == "max" else min(parts)
