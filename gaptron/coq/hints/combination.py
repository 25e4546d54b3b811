"""The rule ``combination``: its facts from Coq's, which have other denominators, and their sum."""

from fractions import Fraction
from functools import reduce

from gaptron.coq.data import Data, Places, UnwrittenError
from gaptron.coq.hints.steps import Steps
from gaptron.coq.hints.table import ONE, atoms_of, variable_of
from gaptron.kernel import Claim
from gaptron.kernel.enclosures import enclose
from gaptron.kernel.hypotheses import Hypotheses
from gaptron.kernel.polynomials import (
    Factor,
    Polynomial,
    add,
    multiply,
    polynomial,
    polynomial_term,
    power,
    quotient,
)
from gaptron.kernel.rules.algebra import facts_of
from gaptron.language.terms import Json, read_rational, read_term

GUARD_BITS = 16  # Coq's enclosures round at every operation


class Combination:
    """A sum of products of facts: each fact of the kernel is a multiple of one that Coq derives."""

    def __init__(self, claim: Claim, proof: Json, places: Places) -> None:
        self.claim, self.proof = claim, proof
        self.goal = claim.then.negation()
        self.hypotheses = Hypotheses(claim.given)
        self.wanted = facts_of(claim, proof["bounds"])
        self.given = [index for index, relation in enumerate(claim.given) if relation.sign != "!="]
        self.steps = Steps(claim, places)
        self.known: dict[int, tuple[int, Fraction]] = {}
        self.enclosed: dict[int, int] = {}

    def data(self) -> Data:
        """The certificate."""
        summands, equations, bounds = (self.proof[name] for name in ("summands", "equations", "bounds"))
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
        above, below = table.fraction(table.atoms[position - 1][1])
        square = add(multiply(power(root, 2), below), above, -1)
        return self.steps.push(("SSqrt", position), (">=", root), ("=", square))

    def _enclosed(self, term: Json, bits: int) -> int:
        value = read_term(term)
        low, high = enclose(value, {}, bits)
        written, table = self.steps.table.write(value), self.steps.table
        facts = []
        for less, more in ((_rational(low), written), (written, _rational(high))):
            above, below = table.fraction(("Add", more, ("Mul", ("Int", -1), less)))
            facts.append((">=", above if below == ONE else multiply(above, below)))
        return self.steps.push(("SBound", written, bits + GUARD_BITS, Fraction(low), Fraction(high)), *facts)

    def _cleared(self, position: int, index: int) -> int:
        """A fact times the powers of denominators that the kernel clears, divided by what Coq clears besides."""
        kind, wanted = self.wanted[index]
        steps = self.steps
        (_, value), (_, below) = steps.facts[position : position + 2]
        multiple = proportion(value, wanted)
        if multiple is not None and (multiple > 0 or kind == "="):
            return position
        relation = self.goal if position == self.negated else self.claim.given[self.given[index]]
        by = self._multiplier(quotient(relation.difference)[1], below)
        if by is not None:
            multiplier = steps.facts[by][1]
            value = multiply(value, multiplier)
            if kind == "=":
                step: Data = ("ZMulC", steps.table.write_polynomial(multiplier), ("ZIn", position))
            else:
                step = ("ZMul", ("ZIn", position), ("ZIn", by))
            position, denominator = steps.push(("SPz", step), (kind, value)), position + 1
        else:
            denominator = position + 1
        multiple = proportion(value, multiply(wanted, below if kind == "=" else multiply(below, below)))
        if multiple is None:
            raise UnwrittenError("a multiplier of a hypothesis")
        divided = {monomial: coefficient * multiple for monomial, coefficient in wanted.items()}
        return steps.push(("SDiv", position, steps.table.write_polynomial(divided), denominator), (kind, divided))

    def _multiplier(self, denominators: dict[Factor, int], below: Polynomial) -> int | None:
        """The fact that the product of denominators, those without a known sign to an even power, is positive."""
        steps, product = self.steps, None
        for factor, exponent in denominators.items():
            total = exponent + (exponent % 2 if self.hypotheses.sign(factor) in (None, 0) else 0)
            known = self._signed(factor, total % 2 == 1)
            if known is None:
                if total % 2:
                    raise UnwrittenError("the sign of a product of atoms")
                known = self._divisor(factor, below)
            value = steps.facts[known][1]
            positions = [known] * (total % 2)
            if total > 1:
                positions += [steps.push(("SSquare", known), (">", multiply(value, value)))] * (total // 2)
            for position in positions:
                if product is None:
                    product = position
                else:
                    value = multiply(steps.facts[product][1], steps.facts[position][1])
                    product = steps.push(("SPz", ("ZMul", ("ZIn", product), ("ZIn", position))), (">", value))
        return product

    def _signed(self, factor: Factor, is_strict: bool) -> int | None:
        """The fact that a factor is not zero, or that it has a sign."""
        if len(factor) == 1 and len(factor[0][0]) == 1 and factor[0][0][0][1] == 1:
            ((name, _),) = factor[0][0]
            if name.startswith('["exp"'):
                return self._exponential(name)
        for index, relation in enumerate(self.claim.given):
            if relation.sign in (("<", ">") if is_strict else ("<", ">", "!=")):
                numerator, denominators = quotient(relation.difference)
                if not denominators and proportion(numerator, dict(factor)) is not None:
                    return self.steps.hypothesis(index)
        return None

    def _divisor(self, factor: Factor, below: Polynomial) -> int:
        """The fact that a factor of a denominator is not zero."""
        other = quotient_of(below, dict(factor))
        if other is None:
            raise UnwrittenError("a factor of a denominator")
        written = [self.steps.table.write_polynomial(p) for p in (dict(factor), other)]
        position = next(i for i, fact in enumerate(self.steps.facts) if fact == ("!=", below))
        return self.steps.push(("SFactor", position, *written), ("!=", dict(factor)))


def _rational(value: Fraction | float) -> Data:
    return ("Rat", *Fraction(value).as_integer_ratio())


def proportion(value: Polynomial, other: Polynomial) -> Fraction | None:
    """c such that value = c * other."""
    if value.keys() != other.keys():
        return None
    scale = next((value[monomial] / other[monomial] for monomial in value), Fraction(1))
    return scale if all(value[monomial] == scale * other[monomial] for monomial in value) else None


def quotient_of(value: Polynomial, by: Polynomial) -> Polynomial | None:
    """value / by, if it is a polynomial."""
    names = sorted(atoms_of((value, by)))
    lead = max(by, key=lambda monomial: _degrees(monomial, names))
    rest, found = dict(value), Polynomial()
    while rest:
        most = max(rest, key=lambda monomial: _degrees(monomial, names))
        degrees = [a - b for a, b in zip(_degrees(most, names), _degrees(lead, names), strict=True)]
        if min(degrees, default=0) < 0:
            return None
        monomial = tuple((name, degree) for name, degree in zip(names, degrees, strict=True) if degree)
        found[monomial] = rest[most] / by[lead]
        rest = add(rest, multiply({monomial: found[monomial]}, by), -1)
    return found


def _degrees(monomial: tuple[tuple[str, int], ...], names: list[str]) -> list[int]:
    powers = dict(monomial)
    return [powers.get(name, 0) for name in names]
