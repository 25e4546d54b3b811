"""A witness at which a function of the theorem has no value: that it is defined on all that is claimed is denied.

Coq's functions are total. What it means that one is defined is written beside it by the same printer as for a theorem
that is PROVED, which says it of all that is claimed.
"""

from fractions import Fraction

from gaptron.coq.proved import Claims
from gaptron.coq.real_terms import number
from gaptron.coq.refuted import Refuted, refutation
from gaptron.coq.script import OutOfScopeError
from gaptron.coq.writing import Development, Function, functions_of
from gaptron.numbers.evaluate import value_at
from gaptron.theory.losses import BinaryLoss
from gaptron.theory.theorem import Theorem


class NoValue(Development):
    """One definition, and numbers at which it is false."""

    def __init__(self, theorem: Theorem, claims: Claims, module: str, found: Refuted) -> None:
        super().__init__(theorem, claims, module, is_refuted=True)
        self.functions = [*functions_of(theorem.loss), *self.functions]
        self.found, self.is_binary = found, isinstance(theorem.loss, BinaryLoss)
        function = self._function()
        self.read_first()
        self.define(function)
        self._denied(function)

    def _function(self) -> Function:
        """That of the obligation which has no value there."""
        numbers = zip(self.parameters, self.found.parameters, strict=True)
        known = {"K": Fraction(self.found.classes), **{own.name: at for own, at in numbers}}
        for function in self.functions:
            if function.defined_by == self.found.obligation:
                there = {} if function.variable is None else {function.variable: self.found.at}
                try:
                    value_at(function.expr, {**known, **there})
                except (ArithmeticError, ValueError):
                    return function
        raise OutOfScopeError(f"its witness against {self.found.obligation} is at no function of the development")

    def _denied(self, function: Function) -> None:
        fixed, found = "2" if self.is_binary else "", self.found
        statement, _ = self.defined_at(function, " ".join([f"(INR {fixed or 'K'})", *self.others]))
        bound = f"({'' if fixed else 'K '}d : nat){self.quantified} (X : R)"
        premises = [*(self.parameter_ranges() if fixed else self.ranges()), "0 < X"]
        numbers = [*([] if fixed else [f"{found.classes}%nat"]), "1%nat", *map(number, found.parameters), "1"]
        at = f"{number(found.at)}{' ltac:(lra)' * len(function.domain)}"
        proof = (
            f"  replace (INR {found.classes}) with {found.classes} by (rewrite INR_IZR_INZ; reflexivity).",
            f"  intro H.{'' if function.variable is None else f' specialize (H {at}).'}",
            f"  unfold {function.name}_defined in H. revert H. no_value.",
        )
        self.add(*refutation(self.module, bound, premises, [f"~ ({statement})"], numbers, *proof))
