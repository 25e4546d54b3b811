"""A proof script that is being written, and what is known where it has got to."""

from collections.abc import Mapping, MutableMapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

from gaptron.coq.terms import Need, conclusion, need_text, relation_needs, relation_text, show
from gaptron.kernel import Claim, Relation
from gaptron.kernel.polynomials import Factor
from gaptron.language.terms import Term


class UntranslatedError(Exception):
    """A rule, or something that it needs, has no translation: its name, and what the claim concludes."""

    def __init__(self, rule: str, claim: Claim, reason: str = "it has no translation") -> None:
        then = relation_text(claim.then, {name: name for name in claim.names})
        super().__init__(f"{rule}: {reason}, in the claim {then}")
        self.rule = rule
        self.claim = claim
        self.reason = reason


class OutOfScopeError(Exception):
    """A theorem that the library does not speak of, and why."""


class Script:
    """Lines of tactics, and names that were not used before."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._numbers = count()

    def fresh(self, prefix: str = "H") -> str:
        """A new name."""
        return f"{prefix}{next(self._numbers)}"

    def add(self, line: str) -> None:
        """One more line."""
        self.lines.append(line)


@dataclass(frozen=True)
class Context:
    """A claim whose conclusion is the goal, and the Coq names of its variables and hypotheses.

    ``given`` and ``integers`` name the claim's hypotheses; ``needs`` name what is known to be defined. ``signs`` and
    ``nonzero`` keep what was found of factors, so that it is proved once.
    """

    script: Script
    claim: Claim
    names: MutableMapping[str, str]
    given: tuple[str, ...] = ()
    integers: Mapping[Term, str] = field(default_factory=dict)
    needs: dict[Need, str] = field(default_factory=dict)
    signs: dict[Factor, str] = field(default_factory=dict)
    nonzero: dict[Factor, str] = field(default_factory=dict)

    def show(self, term: Term) -> str:
        """A term of the claim."""
        return show(term, self.names)

    def text(self, relation: Relation) -> str:
        """A relation of the claim."""
        return relation_text(relation, self.names)

    def need_text(self, need: Need) -> str:
        """What a part must be."""
        return need_text(need, self.names)

    def goal(self) -> str:
        """What is to be proved."""
        return conclusion(self.claim.then, self.names)

    def have(self, statement: str, tactics: str) -> str:
        """A fact that these tactics prove; its name."""
        name = self.script.fresh()
        self.script.add(f"assert ({name} : {statement}). {{ {tactics} }}")
        return name

    def block(self) -> "Context":
        """The same context with its own memory: what is found in a part of the proof is not known after it."""
        return replace(self, needs=dict(self.needs), signs=dict(self.signs), nonzero=dict(self.nonzero))

    def instead(self, then: Relation) -> "Context":
        """With another goal."""
        return replace(self.block(), claim=self.claim.instead(then))

    def also(self, relation: Relation, name: str) -> "Context":
        """With a hypothesis of that name, whose needs are known already."""
        return replace(self.block(), claim=self.claim.also(relation), given=(*self.given, name))

    def learn(self, relation: Relation, name: str) -> "Context":
        """Take a conclusion of that name apart: its needs and the relation are hypotheses afterwards."""
        wanted = relation_needs(relation)
        parts = [self.script.fresh() for _ in wanted]
        kept = self.script.fresh()
        pattern = kept
        for part in reversed(parts):
            pattern = f"[{part} {pattern}]"
        self.script.add(f"destruct {name} as {pattern}." if parts else f"rename {name} into {kept}.")
        found = self.also(relation, kept)
        for need, part in zip(wanted, parts, strict=True):
            found.needs.setdefault(need, part)
        return found

    def restricted(self, keep: Sequence[int], integers: tuple[Term, ...]) -> "Context":
        """With these hypotheses only, by their numbers; what is known to be defined stays known."""
        claim = Claim(tuple(self.claim.given[i] for i in keep), self.claim.then, integers)
        kept = {term: name for term, name in self.integers.items() if term in integers}
        given = tuple(self.given[i] for i in keep)
        return replace(self.block(), claim=claim, given=given, integers=kept)
