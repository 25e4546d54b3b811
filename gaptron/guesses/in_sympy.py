"""Claims and cases of what is written in sympy: developments in Coq, the search for rates."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction

import sympy as sp
from sympy.core.relational import Relational

from gaptron.door.reading import name_of, read_relation, variable
from gaptron.door.showing import show_relation, symbol
from gaptron.language.expressions import Expression, everywhere, variables
from gaptron.language.formulas import relation
from gaptron.language.relations import Relation
from gaptron.obligations.pieces import Region
from gaptron.obligations.sequents import Sequent
from gaptron.obligations.setting import OWN
from gaptron.obligations.statement import kernel_names

SympyRegion = tuple[Relational, ...]
OWN_SYMBOLS = {name: symbol(known) for name, known in OWN.items()}
q, s, t, tau, u = (OWN_SYMBOLS[name] for name in ("q", "s", "t", "sqrt_T", "u"))


def in_own_symbols(region: Region) -> SympyRegion:
    """Relations in the lemma's own variables."""
    return tuple(show_relation(each, OWN_SYMBOLS) for each in region)


def sequent(given: Iterable[Relational], then: Relational, refutes: bool = True) -> Sequent:
    """The claim, with what is known of its symbols."""
    kept = tuple(each for each in given if each != sp.true)
    symbols = set().union(*(each.free_symbols for each in (*kept, then)))
    known = tuple(sorted(map(variable, symbols), key=lambda each: each.name))
    return Sequent(tuple(map(_relation, kept)), _relation(then), refutes, known)


def _relation(given: Relational) -> Relation:
    return read_relation(given) if given not in (sp.true, sp.false) else relation("0 <= 0" if given else "1 <= 0")


@dataclass(frozen=True)
class WrittenClaim:
    """A claim in sympy: ``then`` wherever all of ``given`` hold; ``needed`` says where ``then`` is defined.

    What sympy cancels is not in ``then``: so this is of the data.
    """

    given: SympyRegion
    then: Relational
    needed: SympyRegion = ()

    @property
    def symbols(self) -> set[sp.Symbol]:
        """Those it speaks of."""
        return set().union(*(each.free_symbols for each in (*self.given, self.then)))


def written(claim: Sequent) -> WrittenClaim:
    """The claim in sympy, its variables as they were declared."""
    symbols = {known.name: symbol(known) for known in claim.known}
    needed = dict.fromkeys(each for side in (claim.then.left, claim.then.right) for each in _needed(side))
    return WrittenClaim(
        tuple(show_relation(each, symbols) for each in claim.given),
        show_relation(claim.then, symbols),
        tuple(show_relation(each, symbols) for each in needed),
    )


def _needed(expression: Expression) -> Iterator[Relation]:
    """Where divisors do not vanish and roots exist, those inside others first."""
    for part in reversed(list(everywhere(expression))):
        if isinstance(part, tuple) and part[0] in ("^", "root") and variables(part[1]):
            if part[0] == "root":
                yield Relation(">=", part[1], Fraction(0))
            elif part[2] < 0:
                yield Relation("!=", part[1], Fraction(0))


def known_of(of: sp.Symbol) -> SympyRegion:
    """The sign of the symbol, and between which bounds a parameter lies."""
    return tuple(show_relation(each, {name_of(of): of}) for each in variable(of).known())


def point_in_kernel(claim: Sequent, point: Mapping[sp.Symbol, Fraction]) -> dict[str, Fraction]:
    """The values of the claim's variables under the names that its statement has."""
    return {
        name: point[symbol(known)] for known, name in zip(claim.known, kernel_names(claim.known).values(), strict=True)
    }


def point_in_symbols(claim: Sequent, values: Mapping[str, Fraction]) -> dict[sp.Symbol, Fraction]:
    """The other way round."""
    names = kernel_names(claim.known)
    return {symbol(known): values[names[known.name]] for known in claim.known}
