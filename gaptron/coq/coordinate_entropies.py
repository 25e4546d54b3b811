"""An entropy of one's own, a sum over coordinates in [0, 1]: its lambda and b are looked for, as claims for the kernel.

lambda is below omega'', and b v (1 - v) below the chord of omega minus omega: ``proofs/coq/CoordinateEntropies.v``. It
is continuous if v ln v and (1 - v) ln(1 - v) are all that is singular at an end.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import floor

import numpy as np
import sympy as sp

from gaptron.coq.functions import Printer, first_split
from gaptron.coq.proved import Claims, closing
from gaptron.coq.real_terms import number, show
from gaptron.coq.script import OutOfScopeError
from gaptron.coq.writing import DIFFERENTIATE
from gaptron.language.terms import substitute
from gaptron.symbols import v
from gaptron.theory.structured.entropies import value_at
from gaptron.theory.theorem import Implication

INSIDE = (sp.Gt(v, 0, evaluate=False), sp.Lt(v, 1, evaluate=False))
GRID = np.concatenate([np.geomspace(1e-5, 0.01, 50), np.linspace(0.01, 0.99, 981), 1 - np.geomspace(0.01, 1e-5, 50)])
SIMPLE, FINE, ROUNDING = 12, 1000, 1e-7


def strength(omega: sp.Expr) -> Fraction:
    """lambda: about the least omega''."""
    found = _least(sp.diff(omega, v, 2))
    if found <= 0:
        raise OutOfScopeError(f"omega(v) = {omega} is not seen to be strongly convex on [0, 1]")
    return found


def share(omega: sp.Expr) -> Fraction:
    """b: about the least (chord - omega)/(v (1 - v))."""
    return _least(_below_chord(omega) / (v * (1 - v)))


def _below_chord(omega: sp.Expr) -> sp.Expr:
    return v * value_at(omega, sp.S.One) + (1 - v) * value_at(omega, sp.S.Zero) - omega


def _steep_factor(omega: sp.Expr) -> sp.Expr:
    """What the chord is divided by, where the entropy rises steeply at an end: a certificate is simple then."""
    ends = {v: sp.log(v), 1 - v: sp.log(1 - v)}
    return sp.prod([factor for factor, logarithm in ends.items() if omega.has(logarithm)])


def _least(expr: sp.Expr) -> Fraction:
    """A simple number that is not above the least value on a grid, or one that is a little less."""
    values = np.broadcast_to(sp.lambdify(v, expr, "numpy")(GRID), GRID.shape)
    least = float(np.min(values))
    if not np.isfinite(least):
        raise OutOfScopeError(f"{expr} has no least value on (0, 1)")
    simple = Fraction(least).limit_denominator(SIMPLE)
    return simple if 0 <= least + ROUNDING - simple <= 2 * ROUNDING + 1e-5 else Fraction(floor(FINE * least), FINE)


def implications(omega: sp.Expr) -> Iterator[Implication]:
    """What the kernel has to show of these numbers."""
    by = _steep_factor(omega)
    needed = sp.cancel(sp.Rational(share(omega)) * v * (1 - v) / by)
    found = {
        "bends": sp.Ge(sp.diff(omega, v, 2), sp.Rational(strength(omega)), evaluate=False),
        "chord": sp.Ge(sp.expand(_below_chord(omega) / by), needed, evaluate=False),
    }
    for name, then in found.items():
        yield Implication(name=name, statement=name, given=INSIDE if v in then.free_symbols else (), then=then)


def suits(binary: str) -> str:
    """The tactic that leaves that there are outputs, and what the entropy is; ``binary`` is one for their entries."""
    facts = ("continuous", "sloped", "bent", "bends", "chord")
    known = " | ".join([binary, "lra", *(f"exact omega_{fact}" for fact in facts)])
    return f"apply (own_entropy_suits omega omega_slope omega_bend); [ | | {known}]"


def touches(omega: sp.Expr) -> str:
    """The tactic that shows that a tangent is below it, at a point whose values are computed."""
    facts = " | ".join(f"exact omega_{fact}" for fact in ("continuous", "sloped", "bent", "bends"))
    return (
        f"apply (own_touches omega _ _ omega_slope omega_bend {number(strength(omega))}); [{facts} | computed; lra ..]"
    )


def check_written(omega: sp.Expr) -> None:
    """OutOfScopeError if it is in pieces, or singular at an end in another way."""
    if first_split(omega) is not None:
        raise OutOfScopeError("an entropy in several pieces is not written yet")
    if any(power.exp.is_Rational and power.exp.q > 2 for power in omega.atoms(sp.Pow)):
        raise OutOfScopeError("an entropy with other roots than square roots is not written yet")
    _continuous_parts(omega)


def _continuous_parts(omega: sp.Expr) -> tuple[sp.Expr, sp.Expr, sp.Expr]:
    """p, q and r of omega = p v ln v + q (1 - v) ln(1 - v) + r(v)."""
    if not omega.has(sp.log(v), sp.log(1 - v)):
        return sp.S.Zero, sp.S.Zero, omega
    expanded = sp.expand(omega)
    p, q = expanded.coeff(sp.log(v)).coeff(v), expanded.coeff(sp.log(1 - v)).subs(v, 0)
    rest = sp.expand(expanded - p * v * sp.log(v) - sp.expand(q * (1 - v) * sp.log(1 - v)))
    singular = {sp.log(v), sp.log(1 - v)} & rest.atoms(sp.log)
    if singular or not (p.is_Rational and q.is_Rational):
        raise OutOfScopeError(f"omega(v) = {omega} is not seen to be continuous on [0, 1]")
    return p, q, rest


def _arguments_at(omega: sp.Expr, end: int, printer: Printer) -> str:
    """The tactics that compute what logarithms and exponentials are taken of."""
    found = ""
    for argument in sorted({part.args[0] for part in omega.atoms(sp.log, sp.exp)}, key=str):
        there = substitute(printer.term(argument), printer.kernel_names[v], Fraction(end))
        found += f"try replace {show(there, {})} with {printer.smooth(argument.subs(v, end))} by lra; "
    return found


def lemmas(omega: sp.Expr, printer: Printer, claims: Claims) -> Iterator[str]:
    """What the library asks of omega: continuity, two derivatives, and the two claims."""
    name, inside = printer.symbol(v), f"0 < {printer.symbol(v)} < 1"
    slope, bend = sp.diff(omega, v), sp.diff(omega, v, 2)
    p, q, rest = _continuous_parts(omega)
    yield f"Definition omega_slope ({name} : R) : R := {printer.smooth(slope)}."
    yield f"Definition omega_bend ({name} : R) : R := {printer.smooth(bend)}."
    yield f"Lemma omega_continuous {name} : 0 <= {name} <= 1 -> continuity_pt omega {name}."
    yield f"Proof.\n  revert {name}."
    parts = f"{printer.smooth(p)} {printer.smooth(q)} (fun {name} => {printer.smooth(rest)})"
    yield f"  apply (continuous_with_entropies omega {parts}); [intros {name}; unfold omega; same_entropy |]."
    yield "  continuous_on_unit.\nQed."
    for lemma, f, g in (("sloped", "omega", "omega_slope"), ("bent", "omega_slope", "omega_bend")):
        yield f"Lemma omega_{lemma} {name} : {inside} -> derivable_pt_lim {f} {name} ({g} {name})."
        yield f"Proof. intros H. positive_roots. unfold {f}, {g}. {DIFFERENTIATE}. Qed."
    yield f"Lemma omega_bends {name} : {inside} -> {number(strength(omega))} <= omega_bend {name}."
    yield f"Proof. intros [H0 H1]. unfold omega_bend. {closing(claims.attempts('bends'), 'lra')}. Qed."
    for end in (0, 1):
        yield f"Lemma omega_at_{end} : omega {end} = {printer.smooth(value_at(omega, sp.Integer(end)))}."
        yield f"Proof. unfold omega. {_arguments_at(omega, end, printer)}at_ends; first [field | lra]. Qed."
    chord = f"{name} * omega 1 + (1 - {name}) * omega 0 - omega {name}"
    yield f"Lemma omega_chord {name} : {inside} -> {number(share(omega))} * ({name} * (1 - {name})) <= {chord}."
    yield "Proof. intros [H0 H1]. rewrite omega_at_0, omega_at_1. unfold omega."
    factor = printer.smooth(sp.sympify(_steep_factor(omega)))
    yield f"  apply (by_quotient {factor}); [repeat apply Rmult_lt_0_compat; lra |]."
    yield f"  {closing(claims.attempts('chord'), 'lra')}. Qed."
    yield ""
