"""What a learning rate must satisfy, as inequalities that are linear in it: fixed + eta slope <= 0 on a region.

With full information every case of the surrogate gap is of this kind, and the slope, which multiplies ||g||^2, is not
negative: the feasible learning rates are those up to the infimum of -fixed/slope over all rounds.
"""

from dataclasses import dataclass
from fractions import Fraction

from gaptron.language.expressions import Expression, variables
from gaptron.language.formulas import formula, relation
from gaptron.language.normal import put
from gaptron.language.relations import Relation
from gaptron.obligations.pieces import Region


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
        In the same variables; ``slope`` >= 0.
    label : int, optional
        That of the rounds, +1 or -1, in cases of a binary loss.
    is_necessary : bool
        Whether a round that breaks it refutes the learning rate.
    """

    kind: str
    region: Region
    fixed: Expression
    slope: Expression
    label: int | None = None
    is_necessary: bool = True

    @property
    def names(self) -> set[str]:
        """Its variables."""
        return variables(self.fixed).union(variables(self.slope), *(given.names for given in self.region))

    def implied(self, number: int, eta: Expression) -> "Implied":
        """The inequality at a learning rate, to be proved."""
        rate = eta if "K" in self.names else put(eta, {"K": Fraction(2)})
        then = relation("fixed + eta*slope <= 0", fixed=self.fixed, eta=rate, slope=self.slope)
        return Implied(f"round/{number}", self.kind, self.region, then)


def of_criterion(kind: str, region: Region, loss: Expression, share: Expression, variance: Expression) -> Constraint:
    """H - E loss - c Var <= 0, linear in eta = 1/(2 c): fixed = -Var, slope = 2 (H - E loss)."""
    missing = formula("2*(share - loss)", share=share, loss=loss)
    return Constraint(kind, region, formula("-variance", variance=variance), missing)


@dataclass(frozen=True)
class Implied:
    """``then`` holds wherever all of ``given`` hold."""

    name: str
    statement: str
    given: Region
    then: Relation
