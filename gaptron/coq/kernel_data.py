"""Terms, relations, claims and certificates as data of the verified kernel: the constructors of ``proofs/coq/kernel``.

A piece of data is what Coq's text says: an application is a tuple (constructor, arguments ...), a list a list, a pair a
``Pair``, a natural or whole number an int (its type is the constructor's), a rational a Fraction.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import reduce
from typing import Any, NamedTuple, TypeAlias

from gaptron.kernel import Claim, Relation
from gaptron.language.terms import NAME, Json, Term

Data: TypeAlias = Any
Places: TypeAlias = Mapping[str, int]  # of variables
SIGNS = {"<=": "Le", "<": "Lt", ">=": "Ge", ">": "Gt", "=": "Eq", "!=": "Ne"}
FUNCTIONS = {"exp": "Exp", "log": "Ln"}
HEADS = {"+", "*", "^", "root", *FUNCTIONS, *SIGNS, "divide", "times", "bound"}
WORDS = ("rule", "direction", "sign", "variable", "mean", "new")  # fields of proofs that are no terms


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
            raise UnwrittenError("a variable that neither the claim nor its proof has")
        return ("Var", places[term])
    operation, *arguments = term
    if operation in "+*":
        parts = [expression(part, places) for part in arguments]
        return reduce(lambda left, right: ("Add" if operation == "+" else "Mul", left, right), parts)
    inside = expression(arguments[0], places)
    if operation in FUNCTIONS:
        return (FUNCTIONS[operation], inside)
    if operation == "root":
        return ("Sqrt", inside) if arguments[1] == 2 else ("Root", inside, arguments[1] - 1)
    raised = inside if arguments[1] == -1 else ("Pow", inside, abs(arguments[1]))
    return raised if arguments[1] >= 0 else ("Inv", raised)


def rational(number: Fraction) -> Data:
    """A number."""
    return ("Rat", number.numerator, number.denominator)


def relation_data(relation: Relation, places: Places) -> Data:
    """A relation: its sign and its two sides."""
    left, right = expression(relation.left, places), expression(relation.right, places)
    return Pair(Pair(SIGNS[relation.sign], left), right)


def places_of(claim: Claim, proof: Json = None) -> dict[str, int]:
    """The place of each variable: those of the claim are sorted, and those that only its proof has come after them."""
    names = [*sorted(claim.names), *sorted(_names_in(proof) - claim.names)]
    return {name: place for place, name in enumerate(names)}


def _names_in(part: Json) -> set[str]:
    """Whatever may be a variable in the terms of a proof."""
    if isinstance(part, str):
        return {part} if NAME.fullmatch(part) else set()
    if isinstance(part, dict):
        return set().union(*(_names_in(value) for field, value in part.items() if field not in WORDS))
    if not isinstance(part, list):
        return set()
    is_term = bool(part) and isinstance(part[0], str) and part[0] in HEADS
    return set().union(*map(_names_in, part[is_term:]))


def claim_data(claim: Claim, proof: Json = None) -> Data:
    """A claim: how many variables it and its proof have, what is an integer, what is given, and what follows."""
    places = places_of(claim, proof)
    integers = [expression(term, places) for term in claim.integers]
    given = [relation_data(relation, places) for relation in claim.given]
    return ("Claim", len(places), integers, given, relation_data(claim.then, places))
