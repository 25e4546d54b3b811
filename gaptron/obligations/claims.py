"""What is to be decided: claims about real numbers, and the obligations they make up."""

from dataclasses import dataclass

import sympy as sp
from sympy.core.relational import Relational

from gaptron.obligations.pieces import NOWHERE, Region
from gaptron.symbols import K
from gaptron.theory.losses import BinaryLoss
from gaptron.theory.theorem import Theorem


@dataclass(frozen=True)
class Sequent:
    """``then`` holds, and is defined, wherever all of ``given`` hold.

    A point at which it fails refutes the theorem only if the claim ``refutes``: those on which a case analysis rests
    do not.
    """

    given: Region
    then: Relational
    refutes: bool = True

    def __post_init__(self) -> None:
        object.__setattr__(self, "given", tuple(dict.fromkeys(c for c in self.given if c != sp.true)))

    @property
    def is_algebraic(self) -> bool:
        """Whether every side of every relation is algebraic, as SMT solvers need it."""
        return all(is_algebraic(side) for relation in (*self.given, self.then) for side in relation.args)


@dataclass(frozen=True)
class Obligation:
    """One statement to decide: it holds if all of its claims do. ``unsupported`` says why it cannot be decided.

    ``label`` is that of the rounds it is about, +1 or -1, if it is a case of a binary loss. ``words`` are what a file
    says beside a formula of its own: nothing is proved of them.
    """

    id: str
    statement: str
    claims: tuple[Sequent, ...]
    unsupported: str | None = None
    label: int | None = None
    words: str | None = None


def class_conditions(theorem: Theorem, at_least: int = 2) -> tuple[Relational, ...]:
    """The range of K claimed."""
    first, last = max(theorem.first_class_count, at_least), theorem.last_class_count
    least = sp.Ge(K, first, evaluate=False)
    return (least,) if last is None else (least, sp.Le(K, last, evaluate=False))


def claims_more_than_two(theorem: Theorem) -> bool:
    """Whether some K >= 3 is claimed."""
    return not isinstance(theorem.loss, BinaryLoss) and (theorem.last_class_count or 3) >= 3


def is_algebraic(expr: sp.Basic) -> bool:
    """No exp or log of a variable, no variable in an exponent."""
    return not any(
        (isinstance(part, (sp.exp, sp.log)) and part.free_symbols)
        or (isinstance(part, sp.Pow) and not part.exp.is_Rational and part.free_symbols)
        for part in sp.preorder_traversal(expr)
    )


def at_most_zero(gap: sp.Expr) -> Relational:
    """gap <= 0, kept as a relation even if sympy sees that it is true; never, where a label has probability zero."""
    if gap.has(sp.zoo, sp.nan, sp.oo):
        return NOWHERE
    return sp.Le(gap, 0, evaluate=False)
