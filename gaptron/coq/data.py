"""Terms, relations, claims and certificates as data of the verified kernel: the constructors of ``proofs/coq/kernel``.

A piece of data is what Coq's text says: an application is a tuple (constructor, arguments ...), a list a list, a pair a
``Pair``, a natural or whole number an int (its type is the constructor's), a rational a Fraction.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import reduce
from typing import Any, NamedTuple, TypeAlias

from gaptron.kernel import Claim, Relation
from gaptron.language.terms import Term

Data: TypeAlias = Any
Places: TypeAlias = Mapping[str, int]  # of variables
SIGNS = {"<=": "Le", "<": "Lt", ">=": "Ge", ">": "Gt", "=": "Eq", "!=": "Ne"}
FUNCTIONS = {"exp": "Exp", "log": "Ln"}


class UnwrittenError(Exception):
    """The verified kernel has no words for a part of a claim or of its proof: which."""


class Pair(NamedTuple):
    """A pair, and the scope of its second part's numbers if that is a number."""

    first: Data
    second: Data
    scope: str = ""


def printed(data: Data) -> str:
    """The text that Coq reads."""
    if isinstance(data, Pair):
        return f"({printed(data.first)}, {printed(data.second)}{data.scope and '%' + data.scope})"
    if isinstance(data, list):
        return f"[{'; '.join(map(printed, data))}]"
    if isinstance(data, tuple):
        return f"({' '.join(map(printed, data))})"
    if isinstance(data, Fraction):
        return f"({data.numerator} # {data.denominator})"
    if isinstance(data, bool):
        return str(data).lower()
    return f"({data})" if isinstance(data, int) and data < 0 else str(data)


def expression(term: Term, places: Places) -> Data:
    """A term, its variables by their places."""
    if isinstance(term, Fraction):
        return ("Int", term.numerator) if term.denominator == 1 else ("Rat", term.numerator, term.denominator)
    if isinstance(term, str):
        if term not in places:
            raise UnwrittenError("a variable that only the proof has")
        return ("Var", places[term])
    operation, *arguments = term
    if operation in "+*":
        parts = [expression(part, places) for part in arguments]
        return reduce(lambda left, right: ("Add" if operation == "+" else "Mul", left, right), parts)
    inside = expression(arguments[0], places)
    if operation in FUNCTIONS:
        return (FUNCTIONS[operation], inside)
    if operation == "root":
        if arguments[1] != 2:
            raise UnwrittenError("a root of degree 3 or more")
        return ("Sqrt", inside)
    raised = inside if arguments[1] == -1 else ("Pow", inside, abs(arguments[1]))
    return raised if arguments[1] >= 0 else ("Inv", raised)


def relation_data(relation: Relation, places: Places) -> Data:
    """A relation: its sign and its two sides."""
    left, right = expression(relation.left, places), expression(relation.right, places)
    return Pair(Pair(SIGNS[relation.sign], left), right)


def places_of(claim: Claim) -> dict[str, int]:
    """The place of each variable of a claim: they are sorted."""
    return {name: place for place, name in enumerate(sorted(claim.names))}


def claim_data(claim: Claim) -> Data:
    """A claim: how many variables, what is an integer, what is given, and what follows."""
    places = places_of(claim)
    integers = [expression(term, places) for term in claim.integers]
    given = [relation_data(relation, places) for relation in claim.given]
    return ("Claim", len(places), integers, given, relation_data(claim.then, places))
