"""f <= 0 for one variable in an interval: enclosures, a slope from each point where f is zero, and bisection."""

from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from math import inf
from typing import Protocol

from gaptron.kernel import Claim, Rejected, Relation
from gaptron.language.terms import Term, names, substitute, term_data
from gaptron.prove.goals import bounds_on
from gaptron.prove.proofs import NotFoundError, Proof, enclosed
from gaptron.prove.rational_functions import quotient

ZERO = Fraction(0)
HALVINGS = 26
SHRINKINGS = 14
ORDERS = 6
TAIL = 3  # halvings after which what is left of an unbounded interval may be for the slope alone
BOX_BITS = 64

Prove = Callable[[Claim, bool], Proof]


class WholeSearch(Protocol):
    """The search that such a proof is a part of: what it is asked in turn."""

    def check_time(self) -> None: ...

    def prove(self, claim: Claim, depth: int) -> Proof: ...

    def move(self, claim: Claim, name: str, direction: str, prove: Prove) -> Proof: ...


def prove_one_variable(search: WholeSearch, claim: Claim, name: str, depth: int) -> Proof:
    """A proof of f <= 0 (or f < 0) from the hypotheses on the variable alone. NotFoundError if there is none."""
    keep = [
        number for number, relation in enumerate(claim.given) if names(relation.left) | names(relation.right) <= {name}
    ]
    alone = Claim(tuple(claim.given[number] for number in keep), claim.then)
    proof = _OneVariable(search, name, depth).prove(alone, 0, 0)
    return proof if len(keep) == len(claim.given) else {"rule": "weaken", "keep": keep, "proof": proof}


class _OneVariable:
    def __init__(self, search: WholeSearch, name: str, depth: int) -> None:
        self.search = search
        self.name = name
        self.depth = depth

    def prove(self, claim: Claim, order: int, halvings: int) -> Proof:
        """``order`` counts the derivatives taken, ``halvings`` how often the interval was cut."""
        self.search.check_time()
        f = claim.then.upper()[0]
        low, high = bounds_on(claim.given, self.name, BOX_BITS)
        if self.name not in names(f):
            return self.search.prove(claim, self.depth + 1)
        proof = enclosed(claim)
        if proof is not None:
            return proof
        if halvings > HALVINGS:
            raise NotFoundError("the two sides come too close")
        for end, direction in ((low, "down"), (high, "up")):
            if isinstance(end, Fraction) and order < ORDERS and self._is_zero(f, end):
                return self._from_contact(claim, direction, order, halvings)
        if low == high:
            return self._slide(claim, "down", order, halvings)
        if halvings == TAIL and inf in (high, -low):
            with suppress(NotFoundError, Rejected):
                return self._slide(claim, "down" if low > -inf else "up", order, halvings)
        return self._cut(claim, _simple_between(low, high), order, halvings)

    def _is_zero(self, f: Term, point: Fraction) -> bool:
        """By algebra."""
        try:
            return not quotient(substitute(f, self.name, point))[0]
        except Rejected:
            return False

    def _from_contact(self, claim: Claim, direction: str, order: int, halvings: int) -> Proof:
        """f moves away from zero on the whole interval, or on a part of it at the contact; the rest is cut off."""
        low, high = bounds_on(claim.given, self.name, BOX_BITS)
        width = Fraction(high - low) if low > -inf and high < inf else Fraction(1)
        try:
            return self._slide(claim, direction, order, halvings)
        except (NotFoundError, Rejected):
            self.search.check_time()
        for shrink in range(1, SHRINKINGS):
            step = width / 2**shrink
            cut = Fraction(low) + step if direction == "down" else Fraction(high) - step
            near, far = self._parts(claim, cut)[:: 1 if direction == "down" else -1]
            try:
                beside = self._slide(near, direction, order, halvings)
            except (NotFoundError, Rejected):
                self.search.check_time()
                continue
            rest = self.prove(far, order, halvings + 1)
            return self._joined(cut, *((beside, rest) if direction == "down" else (rest, beside)))
        raise NotFoundError("the two sides touch, and the search could not tell on which side")

    def _slide(self, claim: Claim, direction: str, order: int, halvings: int) -> Proof:
        def prove(goal: Claim, is_slope: bool) -> Proof:
            if is_slope:
                return self.prove(goal, order + 1, max(halvings, HALVINGS - 4))
            return self.search.prove(goal, self.depth + 1)

        return self.search.move(claim, self.name, direction, prove)

    def _parts(self, claim: Claim, cut: Fraction) -> list[Claim]:
        return [claim.also(Relation(sign, self._difference(cut), ZERO)) for sign in ("<=", ">=")]

    def _difference(self, cut: Fraction) -> Term:
        return ("+", self.name, -cut)

    def _cut(self, claim: Claim, cut: Fraction, order: int, halvings: int) -> Proof:
        below, above = self._parts(claim, cut)
        return self._joined(cut, self.prove(below, order, halvings + 1), self.prove(above, order, halvings + 1))

    def _joined(self, cut: Fraction, below: Proof, above: Proof) -> Proof:
        return {"rule": "cases", "split": term_data(self._difference(cut)), "below": below, "above": above}


def _simple_between(low: Fraction | float, high: Fraction | float) -> Fraction:
    """The simplest rational in the middle half; beyond the finite end if the other is infinite."""
    if low == -inf and high == inf:
        return ZERO
    if high == inf:
        return Fraction(int(2 * abs(Fraction(low))) + 1)
    if low == -inf:
        return Fraction(-int(2 * abs(Fraction(high))) - 1)
    width = Fraction(high) - Fraction(low)
    return simplest_between(Fraction(low) + width / 4, Fraction(high) - width / 4)


def simplest_between(low: Fraction, high: Fraction) -> Fraction:
    """The rational in [low, high] with the smallest denominator."""
    if low <= 0 <= high:
        return ZERO
    if high < 0:
        return -simplest_between(-high, -low)
    whole = low.numerator // low.denominator
    if whole == low or whole + 1 <= high:
        return Fraction(whole if whole == low else whole + 1)
    return whole + 1 / simplest_between(1 / (high - whole), 1 / (low - whole))
