"""The rule ``combination``: its facts from Coq's, which have other denominators, and their sum."""

from fractions import Fraction
from functools import reduce

from gaptron.coq.data import Data, Places, UnwrittenError
from gaptron.coq.hints.steps import Fact, Steps
from gaptron.coq.hints.table import atoms_of, degrees, expanded, variable_of
from gaptron.kernel import Claim, Relation
from gaptron.kernel.enclosures import PRECISIONS, enclose
from gaptron.kernel.polynomials import (
    Polynomial,
    add,
    multiply,
    polynomial,
    polynomial_term,
    power,
    quotient,
)
from gaptron.kernel.rules.algebra import facts_of
from gaptron.language.rejection import require
from gaptron.language.terms import Json, read_rational, read_term

GUARD_BITS = 16  # Coq's enclosures round at every operation


class Combination:
    """A sum of products of facts: each fact of the kernel is a multiple of one that Coq derives."""

    def __init__(self, claim: Claim, proof: Json, places: Places) -> None:
        self.claim, self.proof = claim, proof
        self.goal = claim.then.negation()
        self.wanted = facts_of(claim, proof["bounds"])
        self.given = [index for index, relation in enumerate(claim.given) if relation.sign != "!="]
        self.steps = Steps(claim, places)
        self.known: dict[int, tuple[int, Fraction]] = {}
        self.enclosed: dict[int, int] = {}

    def data(self) -> Data:
        """The certificate."""
        summands, equations, bounds = (self.proof[name] for name in ("summands", "equations", "bounds"))
        lists = (summands, equations, bounds, *(indices for _, indices, _ in summands))
        require(all(isinstance(one, list) for one in lists), "summands, their facts, equations and bounds are lists")
        used = {index for summand in summands for index in summand[1]} | {index for index, _ in equations}
        squares = [read_term(square) for _, _, square in summands]
        factors = [read_term(factor) for _, factor in equations]
        steps = self.steps
        steps.guard(self.claim.then.left, self.claim.then.right)
        for index in sorted(used & set(range(len(self.given)))):
            steps.hypothesis(self.given[index])
        steps.table.add(*squares, *factors, *(read_term(term) for term, _ in bounds))
        steps.table.add(*(polynomial_term(self.wanted[index][1]) for index in used))
        before = len(steps.steps)
        self.negated = len(steps.facts)
        steps.facts += steps.said_by(self.goal)
        parts = [self._summand(c, indices, square) for (c, indices, _), square in zip(summands, squares, strict=True)]
        parts += [self._multiple(index, factor) for (index, _), factor in zip(equations, factors, strict=True)]
        steps.push(("SPz", reduce(lambda left, right: ("ZAdd", left, right), parts)))
        local = ("Local", steps.table.data, steps.steps[:before])
        return ("CCombination", local, steps.steps[before:])

    def _summand(self, coefficient: Json, indices: list[int], square: Json) -> Data:
        scale, factors = read_rational(coefficient), list[Data]()
        for index in indices:
            position, multiple = self.fact(index)
            scale /= multiple
            factors.append(("ZIn", position))
        written = polynomial(square)
        if written.keys() == {()}:
            scale *= written[()] ** 2
        else:
            factors.append(("ZSq", self.steps.table.write_polynomial(written)))
        start: Data = ("ZC", scale)
        return reduce(lambda left, right: ("ZMul", left, right), factors, start)

    def _multiple(self, index: int, factor: Json) -> Data:
        position, multiple = self.fact(index)
        scaled = {monomial: value / multiple for monomial, value in polynomial(factor).items()}
        return ("ZMulC", self.steps.table.write_polynomial(scaled), ("ZIn", position))

    def fact(self, index: int) -> tuple[int, Fraction]:
        """The number of Coq's fact that is a multiple of the kernel's fact of this number, and the multiple."""
        require(0 <= index < len(self.wanted), f"there is no fact {index}")
        if index not in self.known:
            position = self._derived(index)
            kind, wanted = self.wanted[index]
            multiple = proportion(self.steps.facts[position][1], wanted)
            if multiple is None or (multiple < 0 and kind != "="):
                raise UnwrittenError("a fact that Coq has in another form")
            self.known[index] = position, multiple
        return self.known[index]

    def _derived(self, index: int) -> int:
        enclosed = len(self.wanted) - 1 - 2 * len(self.proof["bounds"])
        kind, wanted = self.wanted[index]
        if index < len(self.given):
            return self._cleared(self.steps.hypothesis(self.given[index]), index)
        if index == len(self.wanted) - 1:
            return self._cleared(self.negated, index)
        if index >= enclosed:
            number, side = divmod(index - enclosed, 2)
            if number not in self.enclosed:
                self.enclosed[number] = self._enclosed(*self.proof["bounds"][number])
            return self.enclosed[number] + side
        if kind == "=":
            return self.fact(index - 1)[0] + 1
        (name,) = atoms_of([wanted])
        return self._exponential(name) if kind == ">" else self._root(name)

    def _exponential(self, name: str) -> int:
        return self.steps.push(("SExp", self.steps.table.position(name)), (">", variable_of(name)))

    def _root(self, name: str) -> int:
        table, root = self.steps.table, variable_of(name)
        position = table.position(name)
        _, argument, *degree = table.atoms[position - 1]
        above, below = table.ratio(argument)
        powered = add(multiply(power(root, degree[0] + 1 if degree else 2), expanded(below)), above, -1)
        return self.steps.push(("SRoot", position), (">=", root), ("=", powered))

    def _enclosed(self, term: Json, bits: int) -> int:
        value = read_term(term)
        low, high = enclose(value, {}, precision(bits))
        written = self.steps.table.write(value)
        (kind, above), (_, below) = (
            self.steps.said_by(Relation("<=", *sides))[0] for sides in ((Fraction(low), value), (value, Fraction(high)))
        )
        facts: list[Fact] = [(kind, above), (kind, below)]
        return self.steps.push(("SBound", written, bits + GUARD_BITS, Fraction(low), Fraction(high)), *facts)

    def _cleared(self, position: int, index: int) -> int:
        """A fact without the factors of denominators that Coq has in it and the kernel has not."""
        kind, wanted = self.wanted[index]
        steps = self.steps
        value = steps.facts[position][1]
        if not wanted:
            return position
        surplus = quotient_of(value, wanted)
        if surplus is None:
            return self._multiplied(position, wanted)
        nonzero = [at for at, (sign, _) in enumerate(steps.facts) if sign == "!="]
        for factor in sorted(nonzero, key=lambda at: -len(steps.facts[at][1])):  # a monomial may divide another factor
            while (by := self._divisor(surplus, factor, kind)) is not None:
                divisor = steps.facts[by][1]
                once = multiply(divisor, divisor) if by == factor and kind != "=" else divisor
                value, surplus = _exactly(value, once), _exactly(surplus, once)
                step = ("SDiv", position, steps.table.write_polynomial(value), by)
                position = steps.push(step, (kind, value))
        return position

    def _multiplied(self, position: int, wanted: Polynomial) -> int:
        """An equation times the factors of denominators that the kernel has in it and Coq has not."""
        kind, value = self.steps.facts[position]
        factor = quotient_of(wanted, value) if kind == "=" and value else None
        if factor is None:
            raise UnwrittenError("a hypothesis with another numerator")
        multiplied = ("ZMulC", self.steps.table.write_polynomial(factor), ("ZIn", position))
        return self.steps.push(("SPz", multiplied), (kind, wanted))

    def _divisor(self, surplus: Polynomial, factor: int, kind: str) -> int | None:
        """The fact by which to divide: that a factor is not zero, or its sign."""
        value = self.steps.facts[factor][1]
        once = quotient_of(surplus, value)
        if once is None or set(value) == {()}:
            return None
        if kind == "=" or quotient_of(once, value) is not None:
            return factor
        return self._signed(value)

    def _signed(self, factor: Polynomial) -> int | None:
        """The fact that a factor, or its opposite, is positive."""
        (name, degree), *others = max(factor)
        if len(factor) == 1 and degree == 1 and not others and name.startswith('["exp"'):
            return self._exponential(name)
        for index, relation in enumerate(self.claim.given):
            above, below = quotient(relation.difference)
            if relation.sign in ("<", ">") and not below and proportion(above, factor) is not None:
                return self.steps.hypothesis(index)
        return None


def precision(bits: Json) -> int:
    """A number of bits that the kernel allows."""
    require(type(bits) is int and bits in PRECISIONS, f"{bits!r} is not a precision")
    return int(bits)


def _exactly(value: Polynomial, by: Polynomial) -> Polynomial:
    found = quotient_of(value, by)
    assert found is not None  # noqa: S101
    return found


def proportion(value: Polynomial, other: Polynomial) -> Fraction | None:
    """c such that value = c * other."""
    if value.keys() != other.keys():
        return None
    scale = next((value[monomial] / other[monomial] for monomial in value), Fraction(1))
    return scale if all(value[monomial] == scale * other[monomial] for monomial in value) else None


def quotient_of(value: Polynomial, by: Polynomial) -> Polynomial | None:
    """value / by, if it is a polynomial."""
    names = sorted(atoms_of((value, by)))
    lead = max(by, key=lambda monomial: degrees(monomial, names))
    rest, found = dict(value), Polynomial()
    while rest:
        most = max(rest, key=lambda monomial: degrees(monomial, names))
        left = [a - b for a, b in zip(degrees(most, names), degrees(lead, names), strict=True)]
        if min(left, default=0) < 0:
            return None
        monomial = tuple((name, degree) for name, degree in zip(names, left, strict=True) if degree)
        found[monomial] = rest[most] / by[lead]
        rest = add(rest, multiply({monomial: found[monomial]}, by), -1)
    return found
