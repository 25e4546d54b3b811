"""Facts about polynomials one after the other, each by a step that Coq repeats: the evidence of one rule."""

from fractions import Fraction

from gaptron.coq.data import Data, Places, UnwrittenError
from gaptron.coq.hints.table import Table, expanded
from gaptron.kernel import Claim, Relation
from gaptron.kernel.hypotheses import KINDS, bound_on
from gaptron.kernel.polynomials import Polynomial, multiply, quotient
from gaptron.language.relations import requirements
from gaptron.language.terms import ZERO, Term

Fact = tuple[str, Polynomial]  # ">=", ">", "=" or "!=", and the polynomial that is so to 0


class Steps:
    """What the hypotheses of a claim say, as far as it was asked for."""

    def __init__(self, claim: Claim, places: Places) -> None:
        self.claim = claim
        self.table = Table(places)
        self.steps: list[Data] = []
        self.facts: list[Fact] = []
        self.given: dict[int, int] = {}  # the first fact of a hypothesis

    @property
    def data(self) -> Data:
        """The table and the steps."""
        return ("Local", self.table.data, self.steps)

    def push(self, step: Data, *facts: Fact) -> int:
        """One more step; the number of its first fact."""
        self.steps.append(step)
        self.facts += facts
        return len(self.facts) - len(facts)

    def hypothesis(self, index: int) -> int:
        """The fact of a hypothesis."""
        if index not in self.given:
            self.given[index] = self.push(("SGiven", index), *self.said_by(self.claim.given[index]))
        return self.given[index]

    def said_by(self, relation: Relation) -> list[Fact]:
        """What Coq reads off a relation, and that no factor of its denominator is zero."""
        left, right = self.table.write(relation.left), self.table.write(relation.right)
        value, below = self.table.ratio(("Add", right, ("Mul", ("Int", -1), left)))
        if relation.sign not in ("=", "!="):
            value = multiply(value, expanded({factor: 1 for factor, exponent in below.items() if exponent % 2}))
            if relation.sign in (">=", ">"):
                value = {monomial: -coefficient for monomial, coefficient in value.items()}
        return [(KINDS[relation.sign], value), *(("!=", dict(factor)) for factor in below)]

    def guard(self, *terms: Term) -> None:
        """Make the terms' parts known, and the hypotheses that may say where they are defined."""
        self.table.add(*terms)
        if any(requirements(term) for term in terms):
            for index, relation in enumerate(self.claim.given):
                if not quotient(relation.difference)[1]:
                    self.hypothesis(index)

    def bound(self, index: int, name: str, value: Fraction = ZERO) -> Data:
        """The bound of a variable from a hypothesis linear in it, and a rational that is not beyond it."""
        relation = self.claim.given[index]
        found = bound_on(relation, name)
        if found is None:
            raise UnwrittenError(f"no bound of {name}")
        self.table.add(relation.left, relation.right)
        slope = quotient(relation.upper()[0])[0][((f'"{name}"', 1),)]
        return ("Bound", index, 1 / abs(slope), self.table.write(found[1]), value)
