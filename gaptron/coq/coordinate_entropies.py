"""An entropy of one's own, a sum over coordinates in [0, 1]: its lambda and b are looked for, as claims for the kernel.

lambda is below omega'', and b v (1 - v) below the chord of omega minus omega: ``proofs/coq/CoordinateEntropies.v``. It
is continuous if v ln v and (1 - v) ln(1 - v) are all that is singular at an end.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import floor

import numpy as np

from gaptron.coq.functions import SmoothPrinter
from gaptron.coq.proved import Claims, closing
from gaptron.coq.real_terms import number, show
from gaptron.coq.script import OutOfScopeError
from gaptron.language.code import PYTHON, code
from gaptron.language.expressions import Expression, everywhere, factors_of, terms, variables
from gaptron.language.formulas import formula
from gaptron.language.normal import NORMAL, put
from gaptron.language.relations import Relation
from gaptron.language.terms import text
from gaptron.numbers.arrays import array_function
from gaptron.obligations.pieces import first_split
from gaptron.obligations.sequents import Obligation, Sequent
from gaptron.obligations.structured.cases import REST, slope_on_unit, written
from gaptron.obligations.structured.curvature import UNIT
from gaptron.theory.structured.limits import at_mean

DIFFERENTIATE = (
    "derive; try nonzero; try assumption; try lra; try (field; nonzero); try (squared_exponentials; field; nonzero)"
)

GRID = np.concatenate([np.geomspace(1e-5, 0.01, 50), np.linspace(0.01, 0.99, 981), 1 - np.geomspace(0.01, 1e-5, 50)])
SIMPLE, FINE, ROUNDING = 12, 1000, 1e-7
ENDS: dict[Expression, Expression] = {"v": ("log", "v"), REST: ("log", REST)}  # where omega may be steep, and by what


def strength(omega: Expression) -> Fraction:
    """lambda: about the least omega''."""
    found = _least(_bend(omega))
    if found <= 0:
        raise OutOfScopeError(f"omega(v) = {_said(omega)} is not seen to be strongly convex on [0, 1]")
    return found


def share(omega: Expression) -> Fraction:
    """b: about the least (chord - omega)/(v (1 - v))."""
    return _least(formula("below/(v*(1 - v))", below=_below_chord(omega)))


def _bend(omega: Expression) -> Expression:
    return slope_on_unit(slope_on_unit(omega))


def _below_chord(omega: Expression) -> Expression:
    zero, one = at_mean(omega, Fraction(0)), at_mean(omega, Fraction(1))
    return formula("v*one + (1 - v)*zero - omega", one=one, zero=zero, omega=omega)


def _steep(omega: Expression) -> list[Expression]:
    """What the chord is divided by, where the entropy rises steeply at an end: a certificate is simple then."""
    return [factor for factor, logarithm in ENDS.items() if logarithm in everywhere(omega)]


def _least(expression: Expression) -> Fraction:
    """A simple number that is not above the least value on a grid, or one that is a little less."""
    least = float(np.min(array_function(expression, "v")(GRID)))
    if not np.isfinite(least):
        raise OutOfScopeError(f"{_said(expression)} has no least value on (0, 1)")
    simple = Fraction(least).limit_denominator(SIMPLE)
    return simple if 0 <= least + ROUNDING - simple <= 2 * ROUNDING + 1e-5 else Fraction(floor(FINE * least), FINE)


def _said(expression: Expression) -> str:
    return code(expression, PYTHON, {"v": "v"})


def claims_about(omega: Expression) -> Iterator[Obligation]:
    """What the kernel has to show of these numbers."""
    steep = _steep(omega)
    needed = NORMAL.product([share(omega), *(factor for factor in ENDS if factor not in steep)], [])
    chord = written("below/steep", below=_below_chord(omega), steep=NORMAL.product(steep, []))
    for name, left, right in (("bends", _bend(omega), strength(omega)), ("chord", chord, needed)):
        then = Relation(">=", left, right)
        yield Obligation(name, name, (Sequent(UNIT if then.names else (), then),))


def suits(binary: str) -> str:
    """The tactic that leaves that there are outputs, and what the entropy is; ``binary`` is one for their entries."""
    facts = ("continuous", "sloped", "bent", "bends", "chord")
    known = " | ".join([binary, "lra", *(f"exact omega_{fact}" for fact in facts)])
    return f"apply (own_entropy_suits omega omega_slope omega_bend); [ | | {known}]"


def touches(omega: Expression) -> str:
    """The tactic that shows that a tangent is below it, at a point whose values are computed."""
    facts = " | ".join(f"exact omega_{fact}" for fact in ("continuous", "sloped", "bent", "bends"))
    return (
        f"apply (own_touches omega _ _ omega_slope omega_bend {number(strength(omega))}); [{facts} | computed; lra ..]"
    )


def check_written(omega: Expression) -> None:
    """OutOfScopeError if it is in pieces, or singular at an end in another way."""
    if first_split(omega) is not None:
        raise OutOfScopeError("an entropy in several pieces is not written yet")
    if any(isinstance(part, tuple) and part[0] == "root" and part[2] > 2 for part in everywhere(omega)):
        raise OutOfScopeError("an entropy with other roots than square roots is not written yet")
    _continuous_parts(omega)


def _continuous_parts(omega: Expression) -> tuple[Expression, Expression, Expression]:
    """p, q and r of omega = p v ln v + q (1 - v) ln(1 - v) + r(v)."""
    if not _steep(omega):
        return Fraction(0), Fraction(0), omega
    p, q = put(_share_of(ENDS["v"], omega), {"v": Fraction(1)}), put(_share_of(ENDS[REST], omega), {"v": Fraction(0)})
    rest = written("omega - p*v*log(v) - q*(1 - v)*log(1 - v)", omega=omega, p=p, q=q)
    if _steep(rest) or not (isinstance(p, Fraction) and isinstance(q, Fraction)):
        raise OutOfScopeError(f"omega(v) = {_said(omega)} is not seen to be continuous on [0, 1]")
    return p, q, rest


def _share_of(log: Expression, omega: Expression) -> Expression:
    """The factor of a logarithm."""
    rows = [factors_of(term) for term in terms(written("omega", omega=omega))]
    return NORMAL.operation("+", [NORMAL.product([f for f in row if f != log], []) for row in rows if log in row])


def _arguments_at(omega: Expression, end: int, printer: SmoothPrinter) -> str:
    """The tactics that compute what logarithms and exponentials are taken of."""
    found, there = "", {"v": Fraction(end)}
    taken = {part[1] for part in everywhere(omega) if isinstance(part, tuple) and part[0] in ("log", "exp")}
    for argument in sorted(filter(variables, taken), key=text):
        before, after = show(printer.term(argument, there)), printer.smooth(put(argument, there))
        found += f"try replace {before} with {after} by lra; "
    return found


def lemmas(omega: Expression, printer: SmoothPrinter, claims: Claims) -> Iterator[str]:
    """What the library asks of omega: continuity, two derivatives, and the two claims."""
    name, inside = printer.name("v"), f"0 < {printer.name('v')} < 1"
    p, q, rest = _continuous_parts(omega)
    yield f"Definition omega_slope ({name} : R) : R := {printer.smooth(slope_on_unit(omega))}."
    yield f"Definition omega_bend ({name} : R) : R := {printer.smooth(_bend(omega))}."
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
        yield f"Lemma omega_at_{end} : omega {end} = {printer.smooth(at_mean(omega, Fraction(end)))}."
        yield f"Proof. unfold omega. {_arguments_at(omega, end, printer)}at_ends; first [field | lra]. Qed."
    chord = f"{name} * omega 1 + (1 - {name}) * omega 0 - omega {name}"
    yield f"Lemma omega_chord {name} : {inside} -> {number(share(omega))} * ({name} * (1 - {name})) <= {chord}."
    yield "Proof. intros [H0 H1]. rewrite omega_at_0, omega_at_1. unfold omega."
    factor = printer.smooth(NORMAL.product(_steep(omega), []))
    yield f"  apply (by_quotient {factor}); [repeat apply Rmult_lt_0_compat; lra |]."
    yield f"  {closing(claims.attempts('chord'), 'lra')}. Qed."
    yield ""
