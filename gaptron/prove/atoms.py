"""Logarithms and exponentials of K alone, bounded and then given names of their own, so that K is a polynomial's."""

from collections.abc import Iterator
from fractions import Fraction
from math import ceil, floor

from gaptron.kernel import Claim, Relation
from gaptron.kernel.enclosures import End, enclose
from gaptron.language.terms import Term, arguments, names, substitute, term_data
from gaptron.prove.goals import generalized
from gaptron.prove.proofs import Proof

NAME = "atom_{}_of_{}"
BITS = 64
SCALE = 64  # of the rational bounds of an exponential


def atoms_of(claim: Claim, name: str) -> list[Term]:
    """The outermost logarithms and exponentials in the conclusion that contain this variable alone."""
    sides = (claim.then.left, claim.then.right)
    return list(dict.fromkeys(atom for side in sides for atom in _atoms(side, name)))


def _atoms(term: Term, name: str) -> Iterator[Term]:
    if isinstance(term, tuple) and term[0] in ("log", "exp") and names(term) == {name}:
        yield term
    else:
        for argument in arguments(term):
            yield from _atoms(argument, name)


def bounds_of(atom: Term, name: str, start: Fraction) -> Iterator[Relation]:
    """What may be known of an atom for values from ``start`` on; each is to be proved, or left."""
    at_start = substitute(atom, name, start)
    if isinstance(atom, tuple) and atom[0] == "exp":
        low, high = enclose(at_start, {}, BITS)
        yield Relation(">", atom, Fraction(0))
        for end, sign in ((high, "<="), (low, ">=")):
            simple = _simple(end, sign == "<=")
            yield Relation(sign, atom, simple)
            yield Relation(sign, ("*", name, atom), start * simple)
        return
    yield Relation(">=", atom, at_start)
    yield Relation("<=", atom, at_start)
    if atom == ("log", name):
        yield Relation("<=", atom, ("+", at_start, ("*", 1 / start, ("+", name, -start))))


def _simple(end: End, upward: bool) -> Fraction:
    """A simple rational beyond the end of an enclosure."""
    if not isinstance(end, Fraction):
        return Fraction(0)
    return Fraction(ceil(end * SCALE) if upward else floor(end * SCALE), SCALE)


def named(claim: Claim, atoms: list[Term], name: str) -> tuple[Claim, list[tuple[Term, str]]]:
    """The claim with a variable in the place of each atom, and which stands for which."""
    chosen = [(atom, NAME.format(number, name)) for number, atom in enumerate(atoms, 1)]
    for atom, new in chosen:
        claim = generalized(claim, atom, new)
    return claim, chosen


def unnamed(proof: Proof, chosen: list[tuple[Term, str]]) -> Proof:
    """The proof of the claim with its atoms, from one of ``named``."""
    for atom, new in reversed(chosen):
        proof = {"rule": "generalize", "term": term_data(atom), "new": new, "proof": proof}
    return proof
