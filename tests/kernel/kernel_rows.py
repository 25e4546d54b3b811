"""Rows of the tables of the kernel's rules, one table a family: what is accepted, and what is rejected and why.

A proof stands in a row as the search sketches it, and is written out as the kernel reads it.
"""

from copy import deepcopy
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from kernel_language import Proof, apart, claim, combination, integer

from gaptron.kernel import Claim
from gaptron.kernel.enclosures import enclose
from gaptron.prove import hints
from gaptron.prove.hints.combination import GUARD_BITS
from gaptron.prove.hypotheses import Hypotheses


@dataclass(frozen=True)
class Row:
    """A claim and a proof; the reason is that of acceptance, or of rejection with what the kernel must say."""

    rule: str
    why: str
    claim: Claim
    proof: Any
    says: str | None = None


def attack(claim: Claim, sketch: Proof) -> Proof | None:
    """The proof, written by a search that does not ask what is defined; None if it is not written at all."""
    asked = Hypotheses.require_defined
    Hypotheses.require_defined = lambda *_: None  # type: ignore[method-assign]
    try:
        return hints.written(claim, sketch)
    except UNWRITTEN:
        return None
    finally:
        Hypotheses.require_defined = asked  # type: ignore[method-assign]


def changed(proof: Proof, *path: Any, to: Any) -> Proof:
    """A copy of a proof with something else at a path in it."""
    other = deepcopy(proof)
    place = other
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = to
    return other


def rows(rule: str, *rows: tuple[Any, ...]) -> list[Row]:
    return [Row(rule, why, claim(text), proof, *says) for why, text, proof, *says in rows]


UNWRITTEN = hints.Rejected  # ``make mutants`` has a changed kernel beside the one that the search uses
LOG_2 = enclose(("log", Fraction(2)), {}, 24)
NARROW_LOG_2 = enclose(("log", Fraction(2)), {}, 24 + GUARD_BITS)  # what is written for 24 bits
FIFTH_ROOT_OF_2 = enclose(("root", Fraction(2), 5), {}, 24)[1]

TRIVIAL = combination(("1", [0]))  # the negated conclusion is 0 > 0

BETWEEN = "|- (K - 2)*(K - 3) >= 0"


def between(first: int = 0, width: str = "1") -> Proof:
    """(K - 2)(K - 2 - width) >= 0, from K <= 2 and from K >= 2 + width; ``first`` is the number of that fact."""
    half = combination(("1", [first + 1]), ("1", [first, first]), (width, [first]))
    return integer("K", "2", half, half)


def halfway(whole: str, at: str, first: int = 0) -> Proof:
    """A term is not n + 1/2."""
    half = combination(("1", [first]), ("1", [first + 1]), ("1/2", []))
    return integer(whole, at, apart("<", half), apart(">", half))


POSITIVE = "no summand is certainly positive"

SUM = "do not add up to zero"
