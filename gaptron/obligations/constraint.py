"""What a learning rate must satisfy, as inequalities that are linear in it: fixed + eta slope <= 0 on a region.

With full information every case of the surrogate gap is of this kind, and the slope, which multiplies ||g||^2, is not
negative: the feasible learning rates are those up to the infimum of -fixed/slope over all rounds.
"""

from dataclasses import dataclass, replace

import sympy as sp

from gaptron.obligations.pieces import Region
from gaptron.symbols import K
from gaptron.theory.theorem import Implication


@dataclass(frozen=True)
class Constraint:
    """``fixed + eta * slope <= 0`` in a region of the scalars of a round.

    Parameters
    ----------
    kind : str
        Which rounds, in words: "right", "wrong", "right and wrong", with the label for a binary loss.
    region : tuple of relations
        In the scalars of the round and in K; without K, the constraint is about two classes only.
    fixed, slope : expressions
        In the same symbols; ``slope`` >= 0.
    label : int, optional
        That of the rounds, +1 or -1, in cases of a binary loss.
    """

    kind: str
    region: Region
    fixed: sp.Expr
    slope: sp.Expr
    label: int | None = None

    @property
    def variables(self) -> tuple[sp.Symbol, ...]:
        """The scalars of the round, in order of their names."""
        found = self.fixed.free_symbols | self.slope.free_symbols
        found |= set().union(*(relation.free_symbols for relation in self.region))
        return tuple(sorted(found - {K}, key=str))

    @property
    def two_classes_only(self) -> bool:
        """Whether K does not occur."""
        return all(K not in part.free_symbols for part in (*self.region, self.fixed, self.slope))

    def at(self, n_classes: int) -> "Constraint | None":
        """The constraint for this many classes; None if it says nothing about them."""
        if self.two_classes_only:
            return self if n_classes == 2 else None
        region = tuple(relation.subs(K, n_classes) for relation in self.region)
        if sp.false in region:
            return None
        region = tuple(relation for relation in region if relation != sp.true)
        return replace(self, region=region, fixed=self.fixed.subs(K, n_classes), slope=self.slope.subs(K, n_classes))

    def implication(self, name: str, eta: sp.Expr) -> Implication:
        """The constraint at a learning rate, to be proved."""
        left = self.fixed + (eta.subs(K, 2) if self.two_classes_only else eta) * self.slope
        return Implication(name=name, statement=self.kind, given=self.region, then=sp.Le(left, 0, evaluate=False))
