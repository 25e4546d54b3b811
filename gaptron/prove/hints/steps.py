"""Facts about polynomials one after the other, each by a step that the kernel repeats: the evidence of one rule."""

from collections.abc import Sequence

from gaptron.kernel import Relation
from gaptron.kernel.evidence import Evidence
from gaptron.language.rejection import require
from gaptron.language.terms import Json, Term, names
from gaptron.prove.hints.table import TableWriter, Unshared
from gaptron.prove.hypotheses import bound_on
from gaptron.prove.rational_functions import quotient


class Steps:
    """What hypotheses say, as far as it was asked for."""

    def __init__(self, given: Sequence[Relation], table: TableWriter | None = None) -> None:
        self.table = table or TableWriter()
        self.evidence = Evidence(given, Unshared(), self.table.table)
        self.steps: list[Json] = []
        self.given: dict[int, int] = {}  # the first fact of a hypothesis

    @property
    def data(self) -> dict[str, Json]:
        """The fields of a rule."""
        return {"table": self.table, "steps": self.steps}

    def push(self, step: Json) -> int:
        """One more step; the number of its first fact."""
        first = len(self.evidence.facts)
        self.evidence.take([step])
        self.steps.append(step)
        return first

    def hypothesis(self, index: int) -> int:
        """The fact of a hypothesis."""
        if index not in self.given:
            relation = self.evidence.given[index]
            self.table.add(relation.left, relation.right)
            self.given[index] = self.push(index)
        return self.given[index]

    def guard(self, *terms: Term) -> None:
        """Make the terms' parts known, and hypotheses that say where they are defined."""
        self.table.add(*terms)
        while (need := next((n for term in terms if (n := self.evidence.missing(term)) is not None), None)) is not None:
            left = [index for index, r in enumerate(self.evidence.given) if index not in self.given and _is_plain(r)]
            if not left:
                return
            alone = [index for index in left if self._meets(index, *need)]
            for index in alone[:1] or left:
                self.hypothesis(index)

    def _meets(self, index: int, wanted: str, term: Term) -> bool:
        """Whether a hypothesis is by itself enough for what a term is to be."""
        relation = self.evidence.given[index]
        if relation.names.isdisjoint(names(term)):
            return False
        alone = Steps([relation])
        alone.table.add(term)
        alone.hypothesis(0)
        return alone.evidence.meets(wanted, term)

    def bound(self, relation: Relation, index: int, name: str) -> list[Json]:
        """The bound of a variable from a hypothesis linear in it: [hypothesis, factor, term]."""
        found = bound_on(relation, name)
        require(found is not None, f"no bound of {name}")
        assert found is not None  # noqa: S101
        self.table.add(relation.left, relation.right, found[1])
        slope = quotient(relation.upper()[0])[0][((f'"{name}"', 1),)]
        return [index, str(1 / abs(slope)), found[1]]


def _is_plain(relation: Relation) -> bool:
    """Whether it has no denominators."""
    return not quotient(relation.difference)[1]
