"""Terms: rationals, variables, sums, products, integer powers, roots, exponentials and logarithms.

In JSON a rational is a string such as "-3/4", a variable a name, and the rest are lists: ["+", t, ...], ["*", t, ...],
["^", t, n] for an integer n, ["root", t, n] for the non-negative n-th root (n >= 2) of t >= 0, ["exp", t], ["log", t].
In Python the lists are tuples and the rationals Fractions.
"""

import json
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, TypeAlias

from gaptron.language.rejection import require

Json: TypeAlias = Any  # as it is read: nothing is known of its shape
Term = Fraction | str | tuple[Any, ...]

NAME = re.compile(r"[A-Za-z_][A-Za-z_0-9]*", re.ASCII)
RATIONAL = re.compile(r"-?[0-9]{1,4000}(/[0-9]{1,4000})?", re.ASCII)
LARGEST_POWER = 10_000
ZERO = Fraction(0)


def read_rational(data: Json) -> Fraction:
    """A rational in lowest terms, as text."""
    require(isinstance(data, str) and RATIONAL.fullmatch(data) is not None, f"{data!r} is not a rational")
    text = str(data)
    numerator, _, denominator = text.partition("/")
    require(denominator == "" or int(denominator) > 0, f"{data!r} divides by zero")
    value = Fraction(int(numerator), int(denominator or 1))
    require(str(value) == text, f"{data!r} is not in lowest terms")
    return value


def read_name(data: Json) -> str:
    """A variable."""
    require(isinstance(data, str) and NAME.fullmatch(data) is not None, f"{data!r} is not a name")
    return str(data)


def read_term(data: Json, shared: Sequence[Term] = ()) -> Term:
    """A term from its JSON form; an integer in the place of one is the number of a shared one."""
    if type(data) is int:
        require(0 <= data < len(shared), f"there is no term {data}")
        return shared[data]
    if isinstance(data, str):
        return read_name(data) if NAME.fullmatch(data) else read_rational(data)
    require(isinstance(data, list) and len(data) >= 2, "{!r} is not a term", data)
    operation = data[0]
    if operation in ("+", "*"):
        return (operation, *(read_term(part, shared) for part in data[1:]))
    if operation in ("exp", "log"):
        require(len(data) == 2, f"{operation} has one argument")
        return (operation, read_term(data[1], shared))
    require(operation in ("^", "root") and len(data) == 3, f"{operation!r} is not an operation")
    exponent = data[2]
    require(type(exponent) is int and abs(exponent) <= LARGEST_POWER, f"{exponent!r} is not an exponent")
    require(operation == "^" or exponent >= 2, "a root has degree 2 or more")
    return (operation, read_term(data[1], shared), exponent)


def is_pair(data: Json) -> bool:
    """A list of two."""
    return isinstance(data, list) and len(data) == 2


def term_data(term: Term) -> Json:
    """The JSON form of a term."""
    if isinstance(term, tuple):
        return [part if type(part) is int else term_data(part) for part in term]
    return str(term)


def text(term: Term) -> str:
    """One text for one term."""
    return json.dumps(term_data(term), separators=(",", ":"))


def from_text(atom: str) -> Term:
    """The term that ``text`` wrote."""
    return read_term(json.loads(atom))


def arguments(term: Term) -> tuple[Term, ...]:
    """The terms just below an operation; none below a rational or a variable."""
    if not isinstance(term, tuple):
        return ()
    return term[1:2] if term[0] in ("^", "root") else term[1:]


def subterms(term: Term) -> Iterator[Term]:
    """The term and everything below it."""
    left = [term]
    while left:
        yield (part := left.pop())
        left += reversed(arguments(part))


def names(term: Term) -> set[str]:
    """The variables of a term."""
    return {part for part in subterms(term) if isinstance(part, str)}


def substitute(term: Term, name: str, value: Term) -> Term:
    """The term with ``value`` in the place of a variable."""
    if isinstance(term, tuple):
        return tuple(p if type(p) is int or i == 0 else substitute(p, name, value) for i, p in enumerate(term))
    return value if term == name else term


def replaced(term: Term, part: Term, value: Term) -> Term:
    """The term with ``value`` in the place of every part that is written like ``part``."""
    if term == part:
        return value
    if isinstance(term, tuple):
        return tuple(p if type(p) is int or i == 0 else replaced(p, part, value) for i, p in enumerate(term))
    return term


def derivative(term: Term, name: str) -> Term:
    """The derivative where the term is defined and its roots are positive."""
    if name not in names(term):
        return Fraction(0)
    if isinstance(term, str):
        return Fraction(1)
    assert isinstance(term, tuple)  # noqa: S101
    if term[0] == "+":
        return _sum([derivative(part, name) for part in term[1:]])
    if term[0] == "*":
        return _sum([_product([*term[1:i], derivative(term[i], name), *term[i + 1 :]]) for i in range(1, len(term))])
    inner = derivative(term[1], name)
    if term[0] == "^":
        return _product([Fraction(term[2]), ("^", term[1], term[2] - 1), inner])
    if term[0] == "exp":
        return _product([term, inner])
    if term[0] == "log":
        return _product([("^", term[1], -1), inner])
    return _product([Fraction(1, term[2]), term, ("^", term[1], -1), inner])


def _sum(parts: list[Term]) -> Term:
    """The sum, without zeros."""
    kept = [part for part in parts if part != 0]
    return ("+", *kept) if len(kept) > 1 else next(iter(kept), Fraction(0))


def _product(parts: list[Term]) -> Term:
    """The product, without ones; zero if a part is."""
    kept = [part[1] if isinstance(part, tuple) and part[0] == "^" and part[2] == 1 else part for part in parts]
    kept = [part for part in kept if part != 1 and not (isinstance(part, tuple) and part[0] == "^" and part[2] == 0)]
    if Fraction(0) in kept:
        return Fraction(0)
    return ("*", *kept) if len(kept) > 1 else next(iter(kept), Fraction(1))
