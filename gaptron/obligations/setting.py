"""What is known of a theorem's variables by themselves, and, as an obligation or a range, together: gamma in [0, 1]."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from gaptron.door.reading import variable
from gaptron.language.expressions import evaluated
from gaptron.language.formulas import relation, where
from gaptron.language.normal import POSITIVE, Normal
from gaptron.language.relations import Relation
from gaptron.language.variables import Variable
from gaptron.obligations.guessing import Guesses
from gaptron.obligations.mixture import always_explores
from gaptron.obligations.pieces import Region
from gaptron.obligations.sequents import Obligation, Sequent
from gaptron.theory.items import Item
from gaptron.theory.theorem import Lemma, Theorem

RATE = "#eta"  # a learning rate that is put in later; no name of a file
OWN = {
    found.name: found
    for found in (
        *(Variable(name, ">", is_whole=True) for name in ("K", "T", "d")),
        *(Variable(name, ">") for name in ("D", "X", "p", "q", "u", "root", "share")),
        *(Variable(name, ">=") for name in ("gamma", "v")),
        *(Variable(name) for name in ("b", "m", "s", "t", "y", "z", "z_plus", "z_minus")),
        Variable("n", ">", is_whole=True),
        Variable("sqrt_T", ">", is_whole=True, whole_power=2),
        Variable(RATE, ">"),
    )
}


def variables_of(item: Item) -> dict[str, Variable]:
    """Those that its claims may speak of.

    Raises
    ------
    NotImplementedError
        If two different ones have one name.
    """
    if isinstance(item, Lemma):
        symbols = set().union(*(implication.symbols for implication in item.implications))
        return {found.name: found for found in map(variable, symbols)}
    return OWN | {found.name: found for found in map(variable, item.parameters)}


def in_setting(item: Item, obligations: Iterable[Obligation], guesses: Guesses) -> Iterator[Obligation]:
    """The obligations with what is known of their variables among the hypotheses of each claim."""
    variables, known = variables_of(item), _known(item, guesses)
    positive = _positive(variables, known) if isinstance(item, Theorem) else POSITIVE
    for obligation in obligations:
        claims = obligation.claims if positive == POSITIVE else [_shorter(each, positive) for each in obligation.claims]
        yield replace(obligation, claims=tuple(_with(claim, variables, known) for claim in claims))


def _with(claim: Sequent, variables: dict[str, Variable], known: Region) -> Sequent:
    """A claim that comes with its variables keeps those."""
    found, names = {variable.name: variable for variable in claim.known}, claim.names
    own = tuple(found.get(name) or variables[name] for name in sorted(names))
    ranges = [r for variable in own if variable.is_parameter for r in variable.known()]
    given = (*claim.given, *ranges, *(r for r in known if r.names <= names))
    return replace(claim, given=given, known=own)


def _positive(variables: dict[str, Variable], known: Region) -> frozenset[str]:
    """What is positive wherever a claim of this theorem has to hold."""
    own = {variable.name for variable in variables.values() if variable.low is not None and variable.low > 0}
    return POSITIVE.union(own, ("gamma",) if relation("gamma > 0") in known else ())


def _shorter(claim: Sequent, positive: frozenset[str]) -> Sequent:
    table = Normal({}, positive)

    def short(given: Relation) -> Relation:
        return Relation(given.sign, evaluated(given.left, table), evaluated(given.right, table))

    return replace(claim, given=tuple(map(short, claim.given)), then=short(claim.then))


def _known(item: Item, guesses: Guesses) -> Region:
    if not isinstance(item, Theorem) or item.exploration is None:
        return ()
    return where("T >= 1", "gamma <= 1", *(["gamma > 0"] if always_explores(item, guesses) else []))
