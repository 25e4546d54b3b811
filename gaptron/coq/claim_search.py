"""Certificates for the claims that Coq computes from a theorem as data."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from typing import Protocol

from gaptron.coq.kernel_data import SIGNS, Data, Pair, UnwrittenError, certificate_data, printed
from gaptron.coq.records import TheoremStatement
from gaptron.coq.script import OutOfScopeError
from gaptron.kernel import Claim, Relation
from gaptron.language.terms import Json, Term
from gaptron.prove.proofs import NotFoundError

NOWHERE: Data = Pair(Pair("Le", ("Int", 1)), ("Int", 0))
KERNEL_SIGNS = {name: sign for sign, name in SIGNS.items()}
SECONDS = (0.0, 4.0, 20.0)  # for each form of a claim: those that are known, or easy, first
Search = Callable[[Claim, float], Json]


class Shortcuts(Protocol):
    """What may make a search short; it is proved with what is found."""

    def rewritten(self, condition: Data) -> Iterator[Data]:
        """Conditions that seem to be the same, in forms that may be easier to prove."""

    def seem_empty(self, conditions: Sequence[Data]) -> bool:
        """Whether they seem to hold nowhere."""


def certificates(data: TheoremStatement, names: Sequence[str], shortcuts: Shortcuts, search: Search) -> list[Data]:
    """Of all claims, in their order, as the verified kernel reads them.

    Parameters
    ----------
    data : TheoremStatement
    names : names of the variables in claims, by their places
    shortcuts : Shortcuts
    search : function
        A proof of a claim in so many seconds, or NotFoundError.

    Raises
    ------
    OutOfScopeError
        If no proof of a claim is found, or the verified kernel has no words for it: which.
    """
    searched, claims = _Searched(names, shortcuts, search), data.claims()
    texts = list(map(printed, claims))
    found = {text: searched.certificate(claim) for text, claim in dict(zip(texts, claims, strict=True)).items()}
    return [found[text] for text in texts]


@dataclass(frozen=True)
class _Searched:
    """Where certificates come from."""

    names: Sequence[str]
    shortcuts: Shortcuts
    search: Search

    def certificate(self, asked: Data) -> Data:
        """Of a claim."""
        ways, given = [self._itself, self._about_nothing, self._in_other_form], asked[3]
        if self.shortcuts.seem_empty(given):
            ways.insert(0, ways.pop(1))
        for seconds in SECONDS:
            for way in ways:
                with suppress(OutOfScopeError):
                    return way(asked, seconds)
        return self._itself(asked, 0.0)

    def _itself(self, asked: Data, seconds: float) -> Data:
        claim, places = kernel_claim(asked, self.names), {name: place for place, name in enumerate(self.names)}
        try:
            return certificate_data(claim, self.search(claim, seconds), places)
        except (NotFoundError, UnwrittenError) as error:
            raise OutOfScopeError(f"no certificate for Coq's claim {claim.data}: {error}") from error

    def _about_nothing(self, asked: Data, seconds: float) -> Data:
        """What is given never holds."""
        *about, given, _ = asked
        empty = self._itself((*about, given, NOWHERE), seconds)
        at_last = ("Local", Pair([], []), [("SGiven", len(given))])
        return ("CLemma", NOWHERE, empty, ("CAbsurd", at_last))

    def _in_other_form(self, asked: Data, seconds: float) -> Data:
        """What follows is proved in another form, from which it follows in its own."""
        *about, given, then = asked
        for other in self.shortcuts.rewritten(then):
            with suppress(OutOfScopeError):
                first = self._itself((*about, given, other), seconds)
                return ("CLemma", other, first, self._itself((*about, [*given, other], then), seconds))
        raise OutOfScopeError("it is found in no other form")


def kernel_claim(asked: Data, names: Sequence[str]) -> Claim:
    """The claim as Python's kernel reads it."""
    _, _, integers, given, then = asked
    relations = tuple(kernel_relation(condition, names) for condition in given)
    return Claim(relations, kernel_relation(then, names), tuple(_term(one, names) for one in integers))


def kernel_relation(condition: Data, names: Sequence[str]) -> Relation:
    """The condition as Python's kernel reads it."""
    (sign, left, _), right, _ = condition
    return Relation(KERNEL_SIGNS[sign], _term(left, names), _term(right, names))


def _term(data: Data, names: Sequence[str]) -> Term:
    name, *rest = data
    if name in {"Int", "Rat"}:
        return Fraction(*map(int, rest))
    if name == "Var":
        return str(names[rest[0]])
    inside = _term(rest[0], names)
    if name in {"Add", "Mul"}:
        return ("+" if name == "Add" else "*", inside, _term(rest[1], names))
    if name == "Pow":
        return ("^", inside, rest[1])
    if name == "Inv":
        base, power = inside[1:] if isinstance(inside, tuple) and inside[0] == "^" and inside[2] > 1 else (inside, 1)
        return ("^", base, -power)
    if name in {"Exp", "Ln"}:
        return ("exp" if name == "Exp" else "log", inside)
    return ("root", inside, 2 if name == "Sqrt" else rest[1] + 1)
