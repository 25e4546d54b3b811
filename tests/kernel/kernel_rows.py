"""Rows of the tables of the kernel's rules, one table a family: what is accepted, and what is rejected and why."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from kernel_language import Proof, apart, claim, combination, integer

from gaptron.kernel import Claim
from gaptron.kernel.enclosures import enclose


@dataclass(frozen=True)
class Row:
    """A claim and a proof; the reason is that of acceptance, or of rejection with what the kernel must say."""

    rule: str
    why: str
    claim: Claim
    proof: Any
    says: str | None = None


def rows(rule: str, *rows: tuple[Any, ...]) -> list[Row]:
    return [Row(rule, why, claim(text), proof, *says) for why, text, proof, *says in rows]


LOG_2 = enclose(("log", Fraction(2)), {}, 24)
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
