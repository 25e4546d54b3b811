"""What the six scripts share: sympy's formulas in z3, and their cases beside those that `gaptron check` decides."""

from collections.abc import Iterable, Iterator, Sequence
from functools import reduce
from operator import add, mul
from pathlib import Path
from typing import Any, NamedTuple

import sympy as sp
import z3

K, s, t, p, q = (sp.Symbol(name) for name in "Kstpq")
RELATIONS = {sp.Lt: "__lt__", sp.Le: "__le__", sp.Gt: "__gt__", sp.Ge: "__ge__", sp.Eq: "__eq__"}
TWO_CLASSES = {"t": sp.Eq(s, t), "q": sp.Eq(p, 1 - q)}  # what a wrong round is if K = 2


class Case(NamedTuple):
    """Rounds of one kind, their surrogate gap, and where the tangent of its logarithm, if it has one, is taken."""

    name: str
    where: sp.Basic
    gap: sp.Expr
    point: sp.Expr | None = None


def to_z3(formula: sp.Basic) -> Any:
    """A formula in z3: symbols are real numbers, and of the logarithm nothing is known."""
    if isinstance(formula, sp.Symbol):
        return z3.Real(formula.name)
    if isinstance(formula, (int, sp.Rational)):
        return z3.Q(formula.numerator, formula.denominator)
    if isinstance(formula, sp.logic.boolalg.BooleanAtom):
        return z3.BoolVal(bool(formula))
    parts = [to_z3(part) for part in formula.args]
    for kind, comparison in RELATIONS.items():
        if isinstance(formula, kind):
            return getattr(parts[0], comparison)(parts[1])
    if isinstance(formula, (sp.And, sp.Or)):
        return (z3.And if isinstance(formula, sp.And) else z3.Or)(parts)
    if isinstance(formula, (sp.Add, sp.Mul)):
        return reduce(add if isinstance(formula, sp.Add) else mul, parts)
    if isinstance(formula, sp.log):
        return z3.Function("ln", z3.RealSort(), z3.RealSort())(parts[0])
    if isinstance(formula, sp.Pow) and formula.exp.is_Integer:
        power = reduce(mul, [parts[0]] * abs(int(formula.exp)))
        return power if formula.exp > 0 else 1 / power
    raise TypeError(f"{formula}: {type(formula).__name__} is not translated")


def asked(*where: Any) -> z3.CheckSatResult:
    """What z3 answers when it is asked for numbers that meet these conditions."""
    solver = z3.Solver()
    solver.add(*where)
    return solver.check()


def is_empty(*where: Any) -> bool:
    """Whether no numbers meet the conditions of z3."""
    answer = asked(*where)
    assert answer != z3.unknown, f"z3 does not decide {where}"
    return bool(answer == z3.unsat)


def some_round(cases: Iterable[Case]) -> list[Case]:
    """The cases in which there is a round."""
    return [case for case in cases if not is_empty(to_z3(case.where))]


def covered(cases: Sequence[Case], **kinds: sp.Basic) -> bool:
    """Whether every round of each kind, "right" and "wrong", is in a case of this kind."""
    places = {kind: [to_z3(case.where) for case in cases if case.name.startswith(kind)] for kind in kinds}
    return all(is_empty(to_z3(where), z3.Not(z3.Or(places[kind]))) for kind, where in kinds.items())


def unmatched(file: str, cases: Sequence[Case]) -> list[str]:
    """The gap obligations of `gaptron check` with a round in them that are no case, and the cases that are none."""
    left, lost = list(cases), []
    for name, claims in checked(file):
        if not is_empty(z3.Or([where for where, _ in claims])):
            found = next((case for case in left if equivalent(case, claims)), None)
            left.remove(found) if found else lost.append(name)
    return lost + [case.name for case in left]


def theorem(file: str) -> Any:
    """The theorem that a file beside this folder states."""
    from gaptron.theory.files import load

    return load(Path(__file__).parents[1] / file)[0].item


def checked(file: str) -> Iterator[tuple[str, list[tuple[Any, Any]]]]:
    """The gap obligations of a file beside this folder: of each claim its rounds, and the gap that is at most 0."""
    from gaptron.guesses import obligations_of
    from gaptron.guesses.in_sympy import written

    for obligation in obligations_of(theorem(file)):
        if obligation.id.startswith("gap/"):
            claims = map(written, obligation.claims)
            yield obligation.id, [(to_z3(sp.And(*rounds(c))), to_z3(c.then.lhs - c.then.rhs)) for c in claims]


def rounds(claim: Any) -> Iterator[sp.Basic]:
    """The conditions of a claim, with the signs of its symbols, and K = 2 if it does not speak of K."""
    symbols = {symbol.name: symbol for relation in (*claim.given, claim.then) for symbol in relation.free_symbols}
    yield from claim.given
    yield from (sp.Symbol(name) > 0 for name, symbol in symbols.items() if symbol.is_positive)
    if "K" not in symbols:
        yield sp.Eq(K, 2)
        yield from (TWO_CLASSES[name] for name in symbols if name in TWO_CLASSES)


def equivalent(case: Case, claims: Sequence[tuple[Any, Any]]) -> bool:
    """Whether z3 shows that a case has the rounds of these claims, and their gap on each of them."""
    where, gap = to_z3(case.where), to_z3(case.gap)
    other = z3.Or([rounds for rounds, _ in claims])
    return is_empty(z3.Xor(where, other)) and all(is_empty(rounds, gap != value) for rounds, value in claims)
