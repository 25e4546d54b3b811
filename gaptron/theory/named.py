"""The losses of the documents that have a name, as theorems in sympy: ``gaptron.theory.by_name``, shown."""

from collections.abc import Callable
from functools import cache

import sympy as sp

from gaptron.door.showing import show
from gaptron.language.expressions import Expression
from gaptron.language.theorems import LossData, TheoremData
from gaptron.symbols import ALL
from gaptron.theory import by_name
from gaptron.theory.by_name import BINARY, MULTICLASS
from gaptron.theory.decoders import GapMap
from gaptron.theory.losses import KINDS, Loss
from gaptron.theory.theorem import NO_MIXTURE, Theorem

__all__ = ["BINARY", "MULTICLASS"]


def _in_vocabulary(theorem: TheoremData) -> Theorem:
    """One with full information that is claimed for all classes of its loss."""
    return Theorem(
        name=theorem.name,
        loss=_loss(theorem.loss),
        gap_map=NO_MIXTURE if theorem.decoder == "best" else GapMap(_in_sympy(theorem.gap_map)),
        learning_rate=None if theorem.update == "proximal" else _claimed(theorem.learning_rate),
        regret=_claimed(theorem.regret),
        decoder=theorem.decoder,
        update=theorem.update,
    )


def _loss(loss: LossData) -> Loss:
    kind = next(kind for kind in KINDS if kind.__name__ == loss.kind)
    off_above = () if loss.off_above is None else (loss.off_above,)
    return kind(*map(_in_sympy, (*loss.functions, *off_above)))


def _claimed(part: Expression | None) -> sp.Expr | None:
    return None if part is None else _in_sympy(part)


def _in_sympy(part: Expression) -> sp.Expr:
    return show(part, ALL)


def _shown(of: Callable[[str], TheoremData]) -> Callable[[str], Theorem]:
    """The theorems of ``by_name`` under their names, each shown once."""
    return cache(lambda name: _in_vocabulary(of(name)))


named_theorem = _shown(by_name.theorem)
named_proximal_theorem = _shown(by_name.proximal_theorem)
named_binary_theorem = _shown(by_name.binary_theorem)
named_binary_proximal_theorem = _shown(by_name.binary_proximal_theorem)
