"""Functions of a theorem file over Coq's reals, as they are written: nested ifs, Rmin, Rmax, Rabs.

Beside each function goes what it means that it is defined: Coq's own functions are total.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import reduce
from typing import TypeAlias, TypeVar, cast

from gaptron.coq.real_terms import AND, need_text, needs, relation_text, show, variable
from gaptron.coq.script import OutOfScopeError
from gaptron.language.expressions import Condition, Expression, base_and_exponent, sides
from gaptron.language.relations import Relation
from gaptron.language.terms import Term, substitute
from gaptron.language.variables import Variable
from gaptron.obligations.coverage import inner, requirement
from gaptron.obligations.pieces import first_split
from gaptron.obligations.statement import kernel_names, term

DECIDED = {"<=": "Rle_dec", "<": "Rlt_dec", "=": "Req_EM_T"}
TURNED = {">=": "<=", ">": "<"}
NAMES = {"min": "Rmin", "max": "Rmax", "abs": "Rabs", "exp": "exp", "log": "ln"}
NEEDED = {">": "0 < {}", ">=": "0 <= {}", "!=": "{} <> 0"}
Branch = TypeVar("Branch")
Decided: TypeAlias = Callable[[Relation, Branch, Branch], Branch]
UNDEFINED = "0"  # where pieces have no value: that this does not happen is part of every theorem


class SmoothPrinter:
    """Prints expressions in these variables."""

    def __init__(self, known: Iterable[Variable]) -> None:
        self.kernel_names = kernel_names([*known])
        self.names = {name: variable(name) for name in self.kernel_names.values()}

    def name(self, of: str) -> str:
        """The Coq name of a variable."""
        return self.names[self.kernel_names[of]]

    def term(self, expression: Expression, values: Mapping[str, Term] | None = None) -> Term:
        """In the kernel's language, with these values put in as it is written; OutOfScopeError if it has none."""
        try:
            found = term(expression, self.kernel_names)
        except NotImplementedError as error:
            raise OutOfScopeError(str(error)) from error
        for name, value in (values or {}).items():
            found = substitute(found, self.kernel_names[name], value)
        return found

    def smooth(self, expression: Expression) -> str:
        """As the kernel's claims write it."""
        return show(self.term(expression), self.names)

    def relation(self, given: Relation) -> str:
        """As the kernel's claims write it."""
        return relation_text(Relation(given.sign, self.term(given.left), self.term(given.right)), self.names)

    def function(self, expression: Expression) -> str:
        """As definitions write it: here it is smooth."""
        return self.smooth(expression)

    def defining(self, name: str, arguments: str, expression: Expression) -> tuple[str, str, str]:
        """A function, and what it means that it is defined."""
        return (
            f"Definition {name} ({arguments} : R) : R :=\n  {self.function(expression)}.",
            f"Definition {name}_defined ({arguments} : R) : Prop :=\n  {self.defined(expression)}.",
            "",
        )

    def defined(self, expression: Expression) -> str:
        """That every part has a value: a proposition."""
        parts = [need_text(need, self.names) for need in needs(self.term(expression))]
        return f"({AND.join(parts)})" if parts else "True"


class Printer(SmoothPrinter):
    """Prints the expressions of one theorem: one name for every variable."""

    def function(self, expression: Expression) -> str:
        """Any expression; OutOfScopeError if Coq has no words for it."""
        if not isinstance(expression, tuple) or first_split(expression) is None:
            return self.smooth(expression)
        head, *below = expression
        if head == "pieces":
            return chosen([(self.function(value), condition) for value, condition in below], UNDEFINED, self._decided)
        if head in ("^", "root"):
            base, exponent = base_and_exponent(expression)
            return self._power(self.function(base), exponent)
        parts = [self.function(part) for part in below]
        if head in ("+", "*"):
            return f"({f' {head} '.join(parts)})"
        if head not in NAMES:
            raise OutOfScopeError("it has pieces in an exponent")
        name = NAMES[head]
        return reduce(lambda first, part: f"({name} {first} {part})", parts) if parts[1:] else f"({name} {parts[0]})"

    @staticmethod
    def _power(base: str, exponent: Fraction) -> str:
        if exponent.denominator > 1:
            base = f"(sqrt {base})" if exponent.denominator == 2 else f"(root {exponent.denominator} {base})"
        power = abs(exponent.numerator)
        raised = base if power == 1 else f"({base} ^ {power})"
        return raised if exponent > 0 else f"(/ {raised})"

    def _decided(self, given: Relation, then: str, otherwise: str) -> str:
        left, right = self.function(given.left), self.function(given.right)
        return f"(if {DECIDED[given.sign]} {left} {right} then {then} else {otherwise})"

    # --- definedness ----------------------------------------------------------------------------------------------

    def defined(self, expression: Expression) -> str:
        """That every part that is read has a value: a proposition."""
        return self._all(self._defined(expression))

    @staticmethod
    def _all(parts: Iterator[str]) -> str:
        found = [part for part in dict.fromkeys(parts) if part != "True"]
        return "(" + " /\\ ".join(found) + ")" if found else "True"

    def _defined(self, expression: Expression) -> Iterator[str]:
        if isinstance(expression, tuple) and expression[0] == "pieces":
            yield self._defined_branches(expression[1:])
            return
        for part in inner(expression):
            yield from self._defined(part)
        needed = requirement(expression, frozenset())
        if needed is not None:
            yield NEEDED[needed.sign].format(self.function(needed.left))

    def _defined_branches(self, branches: Sequence[tuple[Expression, Condition]]) -> str:
        if not branches:
            return "False"
        (value, condition), *rest = branches
        otherwise = "False" if condition is True else self._defined_branches(rest)
        read = [part for side in sides(condition) for part in self._defined(side)]
        return self._all(iter([*read, choice(condition, self.defined(value), otherwise, self._decided)]))


def chosen(branches: Sequence[tuple[Branch, Condition]], otherwise: Branch, decided: Decided[Branch]) -> Branch:
    """The first branch whose condition holds."""
    for value, condition in reversed(branches):
        otherwise = choice(condition, value, otherwise, decided)
    return otherwise


def choice(condition: Condition, then: Branch, otherwise: Branch, decided: Decided[Branch]) -> Branch:
    """``then`` where the condition holds, ``otherwise`` where it does not: by what decides <=, < and =."""
    if isinstance(condition, bool):
        return then if condition else otherwise
    if isinstance(condition, Relation):
        if condition.sign == "!=":
            return decided(Relation("=", condition.left, condition.right), otherwise, then)
        if condition.sign in TURNED:
            return decided(Relation(TURNED[condition.sign], condition.right, condition.left), then, otherwise)
        return decided(condition, then, otherwise)
    name, *parts = cast("tuple[str, *tuple[Condition, ...]]", condition)
    if name == "not":
        return choice(parts[0], otherwise, then, decided)
    found = then if name == "and" else otherwise
    for part in reversed(parts):
        found = choice(part, found, otherwise, decided) if name == "and" else choice(part, then, found, decided)
    return found
