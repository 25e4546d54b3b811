"""Proofs as the kernels read them, from the sketches that the search finds: with atoms, hints, multipliers and boxes.

Not trusted: a wrong hint is refused by both kernels.
"""

import json
from collections import Counter
from fractions import Fraction

from gaptron.kernel import Claim, Rejected, Relation
from gaptron.language.terms import Json, Term, arguments
from gaptron.prove.hints.elaboration import rule_of
from gaptron.prove.hints.steps import TableWriter

MISFITS = (LookupError, TypeError, ValueError, ArithmeticError, AttributeError, AssertionError)


def written(claim: Claim, sketch: Json) -> Json:
    """The proof of a claim.

    Raises
    ------
    Rejected
        If the sketch does not fit the claim: a hypothesis, a field or a number that is not there.
    """
    try:
        return Sharing(rule_of(claim, sketch)).data
    except MISFITS as error:
        raise Rejected(f"the proof does not fit its claim, or a number is too large: {error!r}") from error


class Sharing:
    """Terms and tables that a proof has more than once, written once: what stands in it as it is, numbered."""

    def __init__(self, proof: Json) -> None:
        self.uses = Counter[Term]()
        self.numbers: dict[Term, int] = {}
        self.terms: list[Json] = []
        self.tables: dict[str, int] = {}
        self._count(proof)
        self.proof = self._written(proof)

    @property
    def data(self) -> Json:
        """The proof, with what it shares."""
        return {"terms": self.terms, "tables": list(map(json.loads, self.tables)), "proof": self.proof}

    def _count(self, part: Json) -> None:
        """How often each term stands in other terms and fields."""
        if isinstance(part, dict | list):
            for inner in part.values() if isinstance(part, dict) else part:
                self._count(inner)
        elif isinstance(part, TableWriter):
            self._count([part.table.atoms, part.hints])
        elif isinstance(part, Relation):
            self._count([part.left, part.right])
        elif isinstance(part, tuple):
            self.uses[part] += 1
            if self.uses[part] == 1:
                self._count(list(arguments(part)))

    def _written(self, part: Json) -> Json:
        if isinstance(part, dict):
            return {name: self._written(inner) for name, inner in part.items()}
        if isinstance(part, list):
            return list(map(self._written, part))
        if isinstance(part, TableWriter):
            key = json.dumps(self._written([part.table.atoms, part.hints]))
            return self.tables.setdefault(key, len(self.tables))
        if isinstance(part, Relation):
            return [part.sign, self._written(part.left), self._written(part.right)]
        return self._term(part) if isinstance(part, tuple | Fraction) else part

    def _term(self, term: Term) -> Json:
        if not isinstance(term, tuple):
            return str(term)
        if term not in self.numbers:
            data = [part if i == 0 or type(part) is int else self._term(part) for i, part in enumerate(term)]
            if self.uses[term] == 1:
                return data
            self.terms.append(data)
            self.numbers[term] = len(self.terms) - 1
        return self.numbers[term]
