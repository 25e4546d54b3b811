"""f(x) <= 0 on an interval, for every smooth f that balls can enclose, zero slack included.

Where f touches zero, bisection alone never ends: at such a contact point the value is shown to be exactly zero by
algebra, and the first derivative that does not vanish gets a certain sign on a neighbourhood. The rest is bisected.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

import flint
import numpy as np
import sympy as sp

from gaptron.evaluate import UncertainError, ball, enclosure, evaluate, is_less
from gaptron.prove.interval import INFINITY, Interval, enclose, outward
from gaptron.verdict import UndecidedError

HALVINGS = 40
CONTACT_ORDER = 6
SAMPLES = 400


@dataclass(frozen=True)
class Problem:
    """Show f <= 0 (or f < 0 if strict) for x in [low, high]; infinite and singular ends are not attained."""

    f: sp.Expr
    x: sp.Symbol
    strict: bool
    deadline: float


def prove_nonpositive(
    f: sp.Expr, x: sp.Symbol, low: sp.Expr, high: sp.Expr, deadline: float, strict: bool = False
) -> None:
    """Return if f <= 0 (f < 0) certainly holds on [low, high].

    Raises
    ------
    UndecidedError
        With the reason and a point where it seems to fail.
    """
    if low == high:
        prove_constant(f.subs(x, low), strict)
        return
    if not low.is_finite and not high.is_finite:
        prove_nonpositive(f, x, low, sp.Integer(0), deadline, strict)
        prove_nonpositive(f, x, sp.Integer(0), high, deadline, strict)
        return
    if f.has(sp.exp) and not (low.is_finite and high.is_finite):
        f, x, low, high = _exponential_substitution(f, x, low, high)
    problem = Problem(f, x, strict, deadline)
    done = [] if strict else _contact_neighbourhoods(problem, low, high)
    for gap in _between(done, _end(low), _end(high)):
        _bisect(problem, gap)


def _exponential_substitution(
    f: sp.Expr, x: sp.Symbol, low: sp.Expr, high: sp.Expr
) -> tuple[sp.Expr, sp.Symbol, sp.Expr, sp.Expr]:
    """The same problem in u = exp(-r x) (or exp(r x), towards minus infinity), so that the tail is the point u = 0.

    The rate r is the largest of which all rates in f are integer multiples, so that f becomes free of roots of u.
    """
    u = sp.Symbol("u", positive=True)
    rates = [sp.diff(part.args[0], x) for part in f.atoms(sp.exp)]
    rate = sp.Integer(1)
    if all(r.is_Rational and r != 0 for r in rates):
        rate = sp.Rational(sp.gcd_list([abs(r.p) for r in rates]), sp.lcm_list([r.q for r in rates]))
    sign = -1 if low.is_finite else 1
    finite_end = low if low.is_finite else high
    return _tidy(f.subs(x, sign * sp.log(u) / rate)), u, sp.Integer(0), sp.exp(sign * rate * finite_end)


def _tidy(f: sp.Expr) -> sp.Expr:
    """Logarithms of quotients split, and their rational coefficients in lowest terms: singularities that cancel go.

    log(a/b) = log(a) - log(b) may fail only where a, b < 0, and there the right side has no enclosure.
    """
    f = f.replace(lambda e: isinstance(e, sp.log) and bool(e.free_symbols), _split_log)
    names = {log: sp.Dummy(real=True) for log in f.atoms(sp.log) if log.free_symbols}
    parts = sp.collect(sp.expand(f.xreplace(names)), list(names.values()), evaluate=False)
    return sp.Add(*(power * sp.factor(sp.cancel(sp.together(part))) for power, part in parts.items())).xreplace(
        {name: log for log, name in names.items()}
    )


def _split_log(log: sp.Expr) -> sp.Expr:
    numerator, denominator = sp.fraction(sp.cancel(sp.together(log.args[0])))
    return sp.log(numerator) - sp.log(denominator)


def _between(done: list[Interval], low: flint.arb, high: flint.arb) -> Iterator[Interval]:
    """What the intervals done leave of [low, high]."""
    reached = low
    for part in sorted(done, key=lambda interval: float(interval.low)):
        if part.low > reached:
            yield Interval(reached, part.low)
        reached = part.high if part.high > reached else reached
    if reached < high:
        yield Interval(reached, high)


def _end(value: sp.Expr) -> flint.arb:
    if value in (sp.oo, -sp.oo):
        return INFINITY if value == sp.oo else -INFINITY
    return ball(evaluate(value, {}))


def _bisect(problem: Problem, whole: Interval) -> None:
    pending = [outward(whole.low, whole.high)]
    while pending:
        if time.monotonic() > problem.deadline:
            raise UndecidedError(f"bisection of {problem.f} <= 0 did not end in time")
        box = pending.pop()
        if _holds_on(problem, box):
            continue
        middle = _middle(box)
        if middle is None:
            raise UndecidedError(
                f"no sign of {problem.f} near {problem.x} = {float(box.low):.6g}",
                {problem.x: Fraction(float(box.low)).limit_denominator(10**6)},
            )
        pending += [Interval(box.low, middle), Interval(middle, box.high)]


def _holds_on(problem: Problem, box: Interval) -> bool:
    try:
        values = enclose(problem.f, {problem.x: box})
        if values.high < 0 or (values.high <= 0 and not problem.strict):
            return True
        return _mean_value(problem, box) if (box.high - box.low).is_finite() else _falls_outward(problem, box)
    except UncertainError:
        return False


def _falls_outward(problem: Problem, box: Interval) -> bool:
    """On a half-line: f is at most zero at the finite end and does not grow from there on."""
    sign, end = (1, box.low) if box.low.is_finite() else (-1, box.high)
    at_end = enclose(problem.f, {problem.x: Interval(end, end)}).high
    slope = enclose(sign * sp.diff(problem.f, problem.x), {problem.x: box})
    return slope.is_nonpositive() and bool(at_end < 0 or (at_end <= 0 and not problem.strict))


def _mean_value(problem: Problem, box: Interval) -> bool:
    middle = ((box.low + box.high) / 2).mid()
    centre = enclose(problem.f, {problem.x: Interval(middle, middle)})
    slope = enclose(sp.diff(problem.f, problem.x), {problem.x: box})
    high = (centre + slope * outward(box.low - middle, box.high - middle)).high
    return bool(high < 0 or (high <= 0 and not problem.strict))


def _middle(box: Interval) -> flint.arb | None:
    """Where to split; None if the interval is already too short."""
    if not box.high.is_finite():
        return 2 * abs(box.low) + 1 if box.low < 2**HALVINGS else None
    if not box.low.is_finite():
        return -2 * abs(box.high) - 1 if box.high > -(2**HALVINGS) else None
    return ((box.low + box.high) / 2).mid() if box.high - box.low > flint.arb(2) ** -HALVINGS else None


def _contact_neighbourhoods(problem: Problem, low: sp.Expr, high: sp.Expr) -> list[Interval]:
    """Intervals on which f <= 0 is shown from the contact point inside."""
    found = []
    for contact in [low, *_inner_contacts(problem, low, high), high]:
        if contact.is_finite and is_zero_at(problem.f, problem.x, contact):
            left = low if contact == low else contact - _neighbourhood(problem, contact, -1, low)
            right = high if contact == high else contact + _neighbourhood(problem, contact, 1, high)
            found.append(outward(_end(left), _end(right)))
    return found


def is_zero_at(f: sp.Expr, x: sp.Symbol, point: sp.Expr) -> bool:
    """True only if f vanishes at the point by algebra."""
    try:
        value = f.subs(x, point)
        if value.has(sp.oo, sp.zoo, sp.nan):
            return False
        low, high = enclosure(ball(evaluate(value, {})))
        return low <= 0 <= high and sp.simplify(value) == 0
    except (ValueError, ZeroDivisionError, UncertainError):
        return False


def _neighbourhood(problem: Problem, contact: sp.Expr, side: int, limit: sp.Expr) -> sp.Expr:
    """A width such that f <= 0 on that side of the contact point, by the first derivative that does not vanish."""
    derivative, order = sp.diff(problem.f, problem.x), 1
    while order < CONTACT_ORDER and is_zero_at(derivative, problem.x, contact):
        derivative, order = sp.diff(derivative, problem.x), order + 1
    sign = side**order
    room = side * (limit - contact) if limit.is_finite else sp.Integer(1)
    for halving in range(HALVINGS):
        width = room / 2**halving
        ends = sorted((_end(contact), _end(contact + side * width)), key=float)
        if _holds_on(Problem(sign * derivative, problem.x, False, problem.deadline), outward(*ends)):
            return width
    raise UndecidedError(
        f"{problem.f} is zero at {problem.x} = {contact} and seems to grow beyond it",
        {problem.x: Fraction(str(sp.N(contact + side * room / 1024, 20)))},
    )


def _inner_contacts(problem: Problem, low: sp.Expr, high: sp.Expr) -> list[sp.Expr]:
    """Rational points inside at which a local maximum of f is zero."""
    left, right = (float(end) if end.is_finite else sign * 64.0 for end, sign in ((low, -1), (high, 1)))
    grid = np.linspace(left, right, SAMPLES)[1:-1]
    with np.errstate(all="ignore"):
        values = np.broadcast_to(sp.lambdify(problem.x, problem.f, "numpy")(grid), grid.shape)
    peaks = [
        i for i in range(1, len(grid) - 1) if values[i - 1] <= values[i] >= values[i + 1] and abs(values[i]) < 1e-2
    ]
    found = []
    for i in peaks[:8]:
        point = _peak(problem, grid[i - 1], grid[i + 1])
        exact = sp.Rational(Fraction(point).limit_denominator(64))
        if low < exact < high and abs(float(exact) - point) < 1e-5 and exact not in found:
            found.append(exact)
    return found


def _peak(problem: Problem, left: float, right: float) -> float:
    function = sp.lambdify(problem.x, problem.f, "math")
    for _ in range(80):
        a, b = left + (right - left) / 3, right - (right - left) / 3
        left, right = (a, right) if function(a) < function(b) else (left, b)
    return (left + right) / 2


def prove_constant(value: sp.Expr, strict: bool = False) -> None:
    """Return if a number without symbols is certainly <= 0 (< 0); UndecidedError otherwise."""
    number = evaluate(value, {})
    try:
        if is_less(number, Fraction(0)) or (not strict and number == 0):
            return
    except UncertainError:
        if not strict and sp.simplify(value) == 0:
            return
    raise UndecidedError(f"{value} is not certainly {'<' if strict else '<='} 0")
