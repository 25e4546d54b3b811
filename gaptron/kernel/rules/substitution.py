"""Another thing in the place of a variable or a term: the one value left, any value."""

from collections.abc import Callable

from gaptron.kernel.evidence import Evidence
from gaptron.kernel.rules.intervals import bound_on
from gaptron.kernel.sharing import Premises, Shared, at
from gaptron.kernel.tables import is_function
from gaptron.language.rejection import require
from gaptron.language.relations import Claim, Relation
from gaptron.language.terms import Json, Term, is_pair, read_name, read_rational, replaced, substitute


def fixed(
    claim: Claim, shared: Shared, table: Json, steps: Json, variable: Json, value: Json, bounds: Json, proof: Json
) -> Premises:
    """The claim with a rational in the place of a variable that hypotheses bound to it from both sides.

    ``bounds`` are those from below and from above, each [hypothesis, factor].
    """
    name, number = read_name(variable), read_rational(value)
    evidence = Evidence(claim.given, shared, at(shared.tables, table), steps)
    require(is_pair(bounds) and all(map(is_pair, bounds)), "bounds are one from below and one from above")
    for bound, is_lower in zip(bounds, (True, False), strict=True):
        bound_on(evidence, name, [*bound, value], is_lower)
    put = _everywhere(claim, lambda term: substitute(term, name, number))
    yield Claim(put.given, put.then, tuple(substitute(term, name, number) for term in claim.integers)), proof


def generalize(claim: Claim, shared: Shared, table: Json, steps: Json, term: Json, new: Json, proof: Json) -> Premises:
    """The claim for every value of a term, no sum, product or power, under a new name; it is defined before."""
    atom, name = shared.term(term), read_name(new)
    require(not isinstance(atom, tuple) or is_function(atom), "{!r} is a sum, a product or a power", term)
    require(name not in claim.names, f"{name} is not new")
    evidence = Evidence(claim.given, shared, at(shared.tables, table), steps)
    evidence.require_defined(claim.then.left, claim.then.right)
    yield _everywhere(claim, lambda part: replaced(part, atom, name)), proof


def _everywhere(claim: Claim, put: Callable[[Term], Term]) -> Claim:
    """The claim with something in the place of a part of its terms; of the integers, those without that part."""
    given = tuple(Relation(r.sign, put(r.left), put(r.right)) for r in claim.given)
    then = Relation(claim.then.sign, put(claim.then.left), put(claim.then.right))
    return Claim(given, then, tuple(term for term in claim.integers if put(term) == term))
