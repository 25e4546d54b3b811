"""What follows by logic alone: a lemma first, an equation from two inequalities, fewer hypotheses, a false one."""

from gaptron.kernel.hypotheses import Premises, is_so
from gaptron.kernel.polynomials import rational_value
from gaptron.language.rejection import require
from gaptron.language.relations import Claim, Relation
from gaptron.language.terms import Json


def lemma(claim: Claim, relation: Json, proof: Json, then: Json) -> Premises:
    """First prove a relation from the hypotheses, then the claim with its help."""
    found = Relation.read(relation)
    yield claim.instead(found), proof
    yield claim.also(found), then


def both(claim: Claim, upper: Json, lower: Json) -> Premises:
    """a = b from a <= b and a >= b."""
    require(claim.then.sign == "=", "both proves an equation")
    yield claim.instead(Relation("<=", claim.then.left, claim.then.right)), upper
    yield claim.instead(Relation(">=", claim.then.left, claim.then.right)), lower


def apart(claim: Claim, sign: Json, proof: Json) -> Premises:
    """a != b from a < b, or from a > b."""
    require(claim.then.sign == "!=" and sign in ("<", ">"), "apart proves != from < or >")
    yield claim.instead(Relation(str(sign), claim.then.left, claim.then.right)), proof


def weaken(claim: Claim, keep: Json, proof: Json) -> Premises:
    """The claim from some of its hypotheses, named by their numbers."""
    require(isinstance(keep, list), "keep is a list of numbers of hypotheses")
    require(all(type(i) is int and 0 <= i < len(claim.given) for i in keep), "there is no such hypothesis")
    yield Claim(tuple(claim.given[i] for i in keep), claim.then, claim.integers), proof


def contradiction(claim: Claim, hypothesis: Json) -> Premises:
    """Anything, from a hypothesis between rationals that is false."""
    require(type(hypothesis) is int and 0 <= hypothesis < len(claim.given), "there is no such hypothesis")
    require(is_false(claim.given[hypothesis]), "the hypothesis is not false")
    return ()


def is_false(relation: Relation) -> bool:
    """Whether a relation between rationals is false."""
    value = rational_value(relation.difference)
    return value is not None and not is_so(relation.sign, value, value)
