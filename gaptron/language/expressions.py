"""Expressions: the terms of certificates, and what a theorem file may write beside them.

("min", e, ...), ("max", e, ...), ("abs", e), ("pi",), ("power", e, f) for an exponent that is no rational number, and
("pieces", (e, condition), ...): the value of the first of them whose condition holds. A condition is a truth value, a
``Relation``, ("and", c, ...), ("or", c, ...) or ("not", c). A power p/q is the p-th power of a q-th root. Certificates
have terms alone: ``read_term`` refuses the rest.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import gcd
from typing import Protocol, TypeAlias, TypeVar

from gaptron.language.relations import Relation
from gaptron.language.terms import Term

Expression: TypeAlias = Term
Condition: TypeAlias = bool | Relation | tuple["str | Condition", ...]
Value = TypeVar("Value")
Truth = TypeVar("Truth")


class Operations(Protocol[Value, Truth]):
    """What an expression is made of, in some kind of value: a number, a function, a text."""

    def number(self, value: Fraction) -> Value:
        """A rational."""

    def variable(self, name: str) -> Value:
        """A variable."""

    def product(self, factors: Sequence[Value], divisors: Sequence[Value]) -> Value:
        """The product of all factors, divided by that of all divisors; either may be empty."""

    def rational_power(self, base: Value, exponent: Fraction) -> Value:
        """A power; of a base >= 0 unless the exponent is an integer."""

    def operation(self, name: str, parts: Sequence[Value]) -> Value:
        """One of +, min, max, abs, exp, log, pi and power."""

    def pieces(self, branches: Sequence[tuple[Value, Truth]]) -> Value:
        """The value of the first branch whose condition holds."""

    def truth(self, value: bool) -> Truth:
        """A condition that always holds, or never."""

    def relation(self, sign: str, left: Value, right: Value) -> Truth:
        """left sign right, of ``relations.SIGNS``."""

    def connective(self, name: str, parts: Sequence[Truth]) -> Truth:
        """One of and, or, not."""


def evaluated(expression: Expression, by: Operations[Value, Truth]) -> Value:
    """The value of an expression by a table of operations: the one evaluator."""
    if isinstance(expression, Fraction):
        return by.number(expression)
    if isinstance(expression, str):
        return by.variable(expression)
    head, *parts = expression
    if head == "pieces":
        return by.pieces([(evaluated(value, by), judged(when, by)) for value, when in parts])
    if head in ("^", "root"):
        base, exponent = base_and_exponent(expression)
        return by.rational_power(evaluated(base, by), exponent)
    if head == "*":
        below = [base_and_exponent(part) for part in parts if _is_divisor(part)]
        return by.product(
            [evaluated(part, by) for part in parts if not _is_divisor(part)],
            [evaluated(b, by) if n == -1 else by.rational_power(evaluated(b, by), -n) for b, n in below],
        )
    return by.operation(head, [evaluated(part, by) for part in parts])


def judged(condition: Condition, by: Operations[Value, Truth]) -> Truth:
    """As ``evaluated``, of a condition."""
    if isinstance(condition, bool):
        return by.truth(condition)
    if isinstance(condition, Relation):
        return by.relation(condition.sign, evaluated(condition.left, by), evaluated(condition.right, by))
    name, *parts = condition
    return by.connective(str(name), [judged(part, by) for part in parts if not isinstance(part, str)])


def base_and_exponent(expression: Expression) -> tuple[Expression, Fraction]:
    """(b, p/q) of the p-th power of a q-th root of b, p and q without a common factor."""
    assert isinstance(expression, tuple)  # noqa: S101
    head, base, n = expression
    if head == "root":
        return base, Fraction(1, n)
    if isinstance(base, tuple) and base[0] == "root" and gcd(base[2], n) == 1:
        return base[1], Fraction(n, base[2])
    return base, Fraction(n)


def terms(expression: Expression) -> Sequence[Expression]:
    """Those of which it is the sum."""
    return expression[1:] if isinstance(expression, tuple) and expression[0] == "+" else (expression,)


def factors_of(expression: Expression) -> Sequence[Expression]:
    """Those of which it is the product."""
    return expression[1:] if isinstance(expression, tuple) and expression[0] == "*" else (expression,)


def rational_power(base: Expression, exponent: Fraction) -> Expression:
    """The power as terms have it."""
    root = base if exponent.denominator == 1 else ("root", base, exponent.denominator)
    return root if exponent.numerator == 1 else ("^", root, exponent.numerator)


def _is_divisor(expression: Expression) -> bool:
    return isinstance(expression, tuple) and expression[0] == "^" and expression[2] < 0


def parts(expression: Expression) -> list[Expression]:
    """The expressions just below an operation, those of its conditions too."""
    if not isinstance(expression, tuple):
        return []
    head, *below = expression
    if head == "pieces":
        return [part for value, when in below for part in (value, *sides(when))]
    return below[:1] if head in ("^", "root") else below


def sides(condition: Condition) -> list[Expression]:
    """Both sides of every relation."""
    if isinstance(condition, bool):
        return []
    if isinstance(condition, Relation):
        return [condition.left, condition.right]
    return [side for part in condition[1:] if not isinstance(part, str) for side in sides(part)]


def everywhere(expression: Expression) -> Iterator[Expression]:
    """The expression and everything below it."""
    left = [expression]
    while left:
        yield (part := left.pop())
        left += reversed(parts(part))


def variables(expression: Expression) -> set[str]:
    """The names of its variables."""
    return {part for part in everywhere(expression) if isinstance(part, str)}
