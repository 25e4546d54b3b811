"""What follows by logic alone: a lemma first, an equation from two inequalities, fewer hypotheses, a false one."""

from gaptron.kernel.evidence import Evidence, Fact, is_so
from gaptron.kernel.sharing import Premises, Shared, at
from gaptron.language.rejection import require
from gaptron.language.relations import Claim, Relation
from gaptron.language.terms import Json


def lemma(claim: Claim, shared: Shared, relation: Json, proof: Json, then: Json) -> Premises:
    """First prove a relation from the hypotheses, then the claim with its help."""
    found = shared.relation(relation)
    yield claim.instead(found), proof
    yield claim.also(found), then


def both(claim: Claim, shared: Shared, upper: Json, lower: Json) -> Premises:
    """a = b from a <= b and a >= b."""
    require(claim.then.sign == "=", "both proves an equation")
    yield claim.instead(Relation("<=", claim.then.left, claim.then.right)), upper
    yield claim.instead(Relation(">=", claim.then.left, claim.then.right)), lower


def apart(claim: Claim, shared: Shared, sign: Json, proof: Json) -> Premises:
    """a != b from a < b, or from a > b."""
    require(claim.then.sign == "!=" and sign in ("<", ">"), "apart proves != from < or >")
    yield claim.instead(Relation(str(sign), claim.then.left, claim.then.right)), proof


def weaken(claim: Claim, shared: Shared, keep: Json, proof: Json) -> Premises:
    """The claim from some of its hypotheses, named by their numbers."""
    require(isinstance(keep, list), "keep is a list of numbers of hypotheses")
    yield Claim(tuple(at(claim.given, index) for index in keep), claim.then, claim.integers), proof


def contradiction(claim: Claim, shared: Shared, table: Json, steps: Json) -> Premises:
    """Anything, from a fact that no number fulfils."""
    facts = Evidence(claim.given, shared, at(shared.tables, table), steps).facts
    require(any(map(is_impossible, facts)), "no fact is impossible")
    return ()


def is_impossible(fact: Fact) -> bool:
    """Whether it says of a number what is not so."""
    kind, value = fact
    number = value.get((), 0)
    return value.keys() <= {()} and not is_so(kind, number, number)
