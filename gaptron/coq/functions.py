"""Expressions of a theorem file as functions of Coq's reals, as they are written: nested ifs, Rmin, Rmax, Rabs.

Beside each function goes what it means that it is defined: Coq's own functions are total.
"""

from collections.abc import Iterator, Mapping

import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from gaptron.coq.smooth_printer import SmoothPrinter
from gaptron.door.reading import name_of, read, read_relation
from gaptron.door.reading import variable as known_of
from gaptron.door.showing import show_relation
from gaptron.language.terms import Term
from gaptron.obligations.coverage import requirement

DECIDED = {"<=": "Rle_dec", "<": "Rlt_dec", "=": "Req_EM_T"}
SPLIT = (sp.Piecewise, sp.Min, sp.Max, sp.Abs)
SIGNS = {sp.Le: "<=", sp.Lt: "<", sp.Ge: ">=", sp.Gt: ">", sp.Eq: "=", sp.Ne: "!="}
UNDEFINED = "0"  # where a Piecewise has no value: that this does not happen is part of every theorem


class Printer:
    """Prints the expressions of one theorem: one name for every symbol."""

    def __init__(self, symbols: set[sp.Symbol]) -> None:
        self.data = SmoothPrinter(map(known_of, symbols))
        self.kernel_names = {each: self.data.kernel_names[name_of(each)] for each in symbols}
        self.names: Mapping[str, str] = self.data.names

    def symbol(self, symbol: sp.Symbol) -> str:
        """Its Coq name."""
        return self.data.name(name_of(symbol))

    def term(self, expr: sp.Expr) -> Term:
        """A smooth expression in the kernel's language; OutOfScopeError if it has none."""
        return self.data.term(read(expr))

    def smooth(self, expr: sp.Expr) -> str:
        """A smooth expression, as the kernel's claims write it."""
        return self.data.smooth(read(expr))

    def relation(self, relation: Relational) -> str:
        """A relation between smooth expressions, as the kernel's claims write it."""
        return self.data.relation(read_relation(relation))

    # --- functions ------------------------------------------------------------------------------------------------

    def function(self, expr: sp.Expr) -> str:
        """Any expression."""
        if first_split(expr) is None:
            return self.smooth(expr)
        if isinstance(expr, sp.Piecewise):
            return self._branches(list(expr.args), self.function, UNDEFINED)
        if isinstance(expr, (sp.Min, sp.Max)):
            name = "Rmin" if isinstance(expr, sp.Min) else "Rmax"
            first, *rest = (self.function(part) for part in expr.args)
            return self._folded(name, first, rest)
        parts = [self.function(part) for part in expr.args]
        if isinstance(expr, sp.Abs):
            return f"(Rabs {parts[0]})"
        if isinstance(expr, (sp.Add, sp.Mul)):
            return f"({(' + ' if isinstance(expr, sp.Add) else ' * ').join(parts)})"
        if isinstance(expr, (sp.exp, sp.log)):
            return f"({'exp' if isinstance(expr, sp.exp) else 'ln'} {parts[0]})"
        if isinstance(expr, sp.Pow) and expr.exp.is_Rational:
            return self._power(parts[0], expr.exp)
        raise NotImplementedError(f"{expr} is not in the language of developments")

    @staticmethod
    def _folded(name: str, first: str, rest: list[str]) -> str:
        for part in rest:
            first = f"({name} {first} {part})"
        return first

    @staticmethod
    def _power(base: str, exponent: sp.Rational) -> str:
        if exponent.q > 1:
            base = f"(sqrt {base})" if exponent.q == 2 else f"(root {exponent.q} {base})"
        power = abs(int(exponent.p))
        raised = base if power == 1 else f"({base} ^ {power})"
        return raised if exponent > 0 else f"(/ {raised})"

    def _branches(self, args: list[tuple[sp.Basic, Boolean]], inside, otherwise: str) -> str:  # type: ignore[no-untyped-def]
        if not args:
            return otherwise
        (value, condition), *rest = args
        return self.choice(condition, inside(value), self._branches(rest, inside, otherwise))

    def choice(self, condition: Boolean, then: str, otherwise: str) -> str:
        """``then`` where the condition holds, ``otherwise`` where it does not."""
        if condition in (sp.true, sp.false):
            return then if condition == sp.true else otherwise
        if isinstance(condition, sp.Not):
            return self.choice(condition.args[0], otherwise, then)
        if isinstance(condition, (sp.And, sp.Or)):
            first, *rest = condition.args
            remaining = condition.func(*rest)
            if isinstance(condition, sp.And):
                return self.choice(first, self.choice(remaining, then, otherwise), otherwise)
            return self.choice(first, then, self.choice(remaining, then, otherwise))
        left, right = (self.function(side) for side in condition.args)
        sign = SIGNS[type(condition)]
        if sign in (">=", ">"):
            left, right, sign = right, left, {">=": "<=", ">": "<"}[sign]
        if sign == "!=":
            then, otherwise, sign = otherwise, then, "="
        return f"(if {DECIDED[sign]} {left} {right} then {then} else {otherwise})"

    # --- definedness ----------------------------------------------------------------------------------------------

    def defined(self, expr: sp.Basic) -> str:
        """That every part that is read has a value: a proposition."""
        return self._all(self._defined(expr))

    @staticmethod
    def _all(parts: Iterator[str]) -> str:
        found = [part for part in dict.fromkeys(parts) if part != "True"]
        return "(" + " /\\ ".join(found) + ")" if found else "True"

    def _defined(self, expr: sp.Basic) -> Iterator[str]:
        if isinstance(expr, sp.Piecewise):
            yield self._defined_branches(list(expr.args))
            return
        for argument in expr.args:
            yield from self._defined(argument)
        requirement = _needed(expr)
        if requirement is not None:
            base = self.function(requirement.lhs)
            yield {sp.Gt: f"0 < {base}", sp.Ge: f"0 <= {base}", sp.Ne: f"{base} <> 0"}[type(requirement)]

    def _defined_branches(self, args: list[tuple[sp.Basic, Boolean]]) -> str:
        if not args:
            return "False"
        (value, condition), *rest = args
        otherwise = "False" if condition == sp.true else self._defined_branches(rest)
        read = [part for relation in condition.atoms(Relational) for part in self._defined(relation)]
        return self._all(iter([*read, self.choice(condition, self.defined(value), otherwise)]))


def first_split(expr: sp.Basic) -> sp.Expr | None:
    """The outermost Piecewise, Min, Max or Abs."""
    return next((node for node in sp.preorder_traversal(expr) if isinstance(node, SPLIT)), None)


def _requirement(part: sp.Basic) -> Relational | None:
    """What a logarithm, a root or a power asks of its argument; None if it is a hypothesis of every claim."""
    if not isinstance(part, (sp.log, sp.Pow)) or isinstance(part, sp.exp):
        return None
    needed = requirement(read(part))
    symbols = {name_of(each): each for each in part.free_symbols}
    return None if needed is None else show_relation(needed, symbols)


def _needed(expr: sp.Basic) -> Relational | None:
    """What a logarithm, a root or a power asks of its argument; nothing of a rational number that is as it must be."""
    requirement = _requirement(expr)
    if requirement is None and isinstance(expr, sp.Pow) and expr.base.is_Symbol:
        if expr.exp.is_negative:
            return (sp.Ne if expr.exp.is_Integer else sp.Gt)(expr.base, 0, evaluate=False)
        if not expr.exp.is_Integer:
            return sp.Ge(expr.base, 0, evaluate=False)
    if requirement is None and isinstance(expr, sp.log) and expr.args[0].is_Symbol:
        return sp.Gt(expr.args[0], 0, evaluate=False)
    return requirement
