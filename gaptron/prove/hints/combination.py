"""The rule ``combination``: the kernel's facts from the search's, which have other denominators, and their sum."""

from fractions import Fraction
from functools import reduce
from operator import sub

from gaptron.kernel import Claim, Relation
from gaptron.kernel.enclosures import enclose
from gaptron.kernel.polynomials import ONE, Monomial, Polynomial, add, multiply
from gaptron.language.rejection import require
from gaptron.language.terms import Json, read_rational, read_term
from gaptron.prove.goals import facts_of
from gaptron.prove.hints.steps import Steps
from gaptron.prove.hypotheses import Fact
from gaptron.prove.rational_functions import polynomial, polynomial_term, quotient

GUARD_BITS = 16  # the verified kernel's enclosures round at every operation


class Combination:
    """A sum of products of facts: each fact of the search is a multiple of one that the kernel derives."""

    def __init__(self, claim: Claim, sketch: Json) -> None:
        self.claim, self.sketch = claim, sketch
        self.given = [index for index, relation in enumerate(claim.given) if relation.sign != "!="]
        self.steps = Steps(claim.given)
        self.wanted: list[Fact] = []
        self.known: dict[int, tuple[list[int], Polynomial, Fraction]] = {}
        self.enclosed: dict[int, int] = {}
        self.negated = 0

    def data(self) -> Json:
        """The proof."""
        self.wanted = facts_of(self.claim, self.sketch["bounds"])
        summands, equations = self.sketch["summands"], self.sketch["equations"]
        used = {index for summand in summands for index in summand[1]} | {index for index, _ in equations}
        steps = self.steps
        steps.guard(self.claim.then.left, self.claim.then.right)
        for index in sorted(used & set(range(len(self.given)))):
            steps.hypothesis(self.given[index])
        before, self.negated = len(steps.steps), len(steps.evidence.facts)
        steps.evidence.add(*steps.evidence.said_by(self.claim.then.negation()))
        for term in (*(square for _, _, square in summands), *(factor for _, factor in equations)):
            steps.table.add(read_term(term))
        first, second = list(map(self._summand, summands)), list(map(self._multiple, equations))
        fields = {"table": steps.table, "steps": steps.steps[:before], "against": steps.steps[before:]}
        return {"rule": "combination", **fields, "summands": first, "equations": second}

    def impossible(self, index: int) -> None:
        """The fact that a hypothesis is, which is false, without its denominators."""
        position = self.steps.hypothesis(index)
        kind, value = self.steps.evidence.facts[position]
        if value.keys() - {()}:
            self._cleared(position, kind, self.steps.table.dense(quotient(self.claim.given[index].difference)[0]))

    def _summand(self, data: Json) -> Json:
        scale, indices, square = read_rational(data[0]), [], read_term(data[2])
        for index in data[1]:
            positions, squared, multiple = self.fact(index)
            indices += positions
            scale /= multiple
            square = square if squared == ONE else ("*", square, self.steps.table.term(squared))
        value = polynomial(square)
        if value.keys() == {()}:
            return [str(scale * value[()] ** 2), indices]
        return [str(scale), indices, square]

    def _multiple(self, data: Json) -> Json:
        (position,), _, multiple = self.fact(data[0])
        value = {monomial: coefficient / multiple for monomial, coefficient in polynomial(read_term(data[1])).items()}
        return [position, polynomial_term(value)]

    def fact(self, index: int) -> tuple[list[int], Polynomial, Fraction]:
        """The kernel's facts, and p, such that their product times p^2 is a multiple of a fact of the search's."""
        require(0 <= index < len(self.wanted), f"there is no fact {index}")
        if index not in self.known:
            kind, wanted = self.wanted[index][0], self.steps.table.dense(self.wanted[index][1])
            position = self._derived(index, kind, wanted)
            others, square = self._missing(position, wanted)
            facts = [self.steps.evidence.facts[at][1] for at in (position, *others)]
            multiple = proportion(reduce(multiply, facts, multiply(square, square)), wanted)
            require(multiple is not None and (multiple > 0 or kind == "="), "a fact that is in another form")
            assert multiple is not None  # noqa: S101
            self.known[index] = [position, *others], square, multiple
        return self.known[index]

    def _missing(self, position: int, wanted: Polynomial) -> tuple[list[int], Polynomial]:
        """The factors of denominators that the search has in a fact and the kernel has not: facts, and p of p^2."""
        others, square = list[int](), ONE
        left = quotient_of(wanted, self.steps.evidence.facts[position][1]) if wanted else ONE
        for sign, factor in list(self.steps.evidence.facts):
            if left is None or set(left) == {()}:
                break
            if sign == "!=" and set(factor) != {()}:
                found, left = self._powers(left, factor)
                others, square = [*others, *found[0]], multiply(square, found[1])
        return others, square

    def _powers(self, left: Polynomial, factor: Polynomial) -> tuple[tuple[list[int], Polynomial], Polynomial]:
        """As many facts that it is positive, or squares of it, as divide a polynomial; and what is left."""
        others, square = list[int](), ONE
        while (once := quotient_of(left, factor)) is not None:
            by = self._signed(factor)
            twice = quotient_of(once, factor)
            if by is not None:
                others, left = [*others, by], once
            elif twice is not None:
                square, left = multiply(square, factor), twice
            else:
                break
        return (others, square), left

    def _derived(self, index: int, kind: str, wanted: Polynomial) -> int:
        enclosed = len(self.wanted) - 1 - 2 * len(self.sketch["bounds"])
        if index < len(self.given):
            return self._cleared(self.steps.hypothesis(self.given[index]), kind, wanted)
        if index == len(self.wanted) - 1:
            return self._cleared(self.negated, kind, wanted)
        if index >= enclosed:
            number, side = divmod(index - enclosed, 2)
            if number not in self.enclosed:
                self.enclosed[number] = self._enclosed(*self.sketch["bounds"][number])
            return self.enclosed[number] + side
        if kind == "=":
            return self.fact(index - 1)[0][0] + 1
        return self.steps.push(["exp" if kind == ">" else "root", len(next(iter(wanted)))])

    def _enclosed(self, data: Json, bits: int) -> int:
        term = read_term(data)
        self.steps.table.add(term)
        return self.steps.push(["bound", term, bits + GUARD_BITS, *map(str, enclose(term, {}, bits))])

    def _cleared(self, position: int, kind: str, wanted: Polynomial) -> int:
        """A fact without the factors of denominators that the kernel has in it and the search has not."""
        steps, facts = self.steps, self.steps.evidence.facts
        value = facts[position][1]
        if not wanted:
            return position
        surplus = quotient_of(value, wanted)
        if surplus is None:
            return self._multiplied(position, kind, wanted)
        nonzero = [at for at, (sign, _) in enumerate(facts) if sign == "!="]
        for factor in sorted(nonzero, key=lambda at: -len(facts[at][1])):  # a monomial may divide another factor
            while (by := self._divisor(surplus, factor, kind)) is not None:
                divisor = facts[by][1]
                once = multiply(divisor, divisor) if by == factor and kind != "=" else divisor
                value, surplus = _exactly(value, once), _exactly(surplus, once)
                position = steps.push(["divide", position, steps.table.term(value), by])
        return position

    def _multiplied(self, position: int, kind: str, wanted: Polynomial) -> int:
        """An equation times the factors of denominators that the search has in it and the kernel has not."""
        value = self.steps.evidence.facts[position][1]
        factor = quotient_of(wanted, value) if kind == "=" and value else None
        if factor is None:
            return position
        return self.steps.push(["times", position, self.steps.table.term(factor)])

    def _divisor(self, surplus: Polynomial, factor: int, kind: str) -> int | None:
        """The fact by which to divide: that a factor is not zero, or its sign."""
        value = self.steps.evidence.facts[factor][1]
        once = quotient_of(surplus, value)
        if once is None or set(value) == {()}:
            return None
        if kind == "=" or quotient_of(once, value) is not None:
            return factor
        return self._signed(value)

    def _signed(self, factor: Polynomial) -> int | None:
        """The fact that a factor, or its opposite, is positive."""
        lead, *others = factor
        atom = self.steps.table.table.atoms[len(lead) - 1]
        if not others and sum(lead) == 1 and isinstance(atom, tuple) and atom[0] == "exp":
            return self.steps.push(["exp", len(lead)])
        for index, relation in enumerate(self.claim.given):
            found = self._polynomial(relation) if relation.sign in ("<", ">") else None
            if found is not None and proportion(found, factor) is not None:
                return self.steps.hypothesis(index)
        return None

    def _polynomial(self, relation: Relation) -> Polynomial | None:
        self.steps.table.add(relation.left, relation.right)
        above, below = self.steps.evidence.quotient(relation.difference)
        return None if below else above


def _exactly(value: Polynomial, by: Polynomial) -> Polynomial:
    found = quotient_of(value, by)
    assert found is not None  # noqa: S101
    return found


def proportion(value: Polynomial, other: Polynomial) -> Fraction | None:
    """c such that value = c * other."""
    if value.keys() != other.keys():
        return None
    scale = next((Fraction(value[monomial]) / other[monomial] for monomial in value), Fraction(1))
    return scale if all(value[monomial] == scale * other[monomial] for monomial in value) else None


def quotient_of(value: Polynomial, by: Polynomial) -> Polynomial | None:
    """value / by, if it is a polynomial."""
    lead, rest, found = max(by), dict(value), Polynomial()
    while rest:
        most = max(rest)
        monomial = _ratio(most, lead)
        if monomial is None:
            return None
        found[monomial] = Fraction(rest[most]) / by[lead]
        rest = add(rest, multiply({monomial: found[monomial]}, by), -1)
    return found


def _ratio(above: Monomial, below: Monomial) -> Monomial | None:
    """The quotient of monomials, if it is one."""
    if len(below) > len(above):
        return None
    degrees = [*map(sub, above, below), *above[len(below) :]]
    while degrees and not degrees[-1]:
        degrees.pop()
    return tuple(degrees) if min(degrees, default=0) >= 0 else None
