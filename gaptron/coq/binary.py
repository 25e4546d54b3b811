"""Losses of one weight vector: the conditions of the library's ``binary_theorem``."""

import sympy as sp

from gaptron.coq.broken_binary import BinaryWitness
from gaptron.coq.in_pieces import InPieces
from gaptron.coq.proved import Claims
from gaptron.coq.refuted import Refuted
from gaptron.coq.writing import Development, functions_of
from gaptron.symbols import K
from gaptron.theory.theorem import Theorem


class BinaryDevelopment(Development):
    """plus(z) for the label +1, minus(z) for -1; the gap map is a function of |z|."""

    def __init__(self, theorem: Theorem, claims: Claims, module: str, found: Refuted | None = None) -> None:
        super().__init__(theorem, claims, module, found is not None)
        sides = functions_of(theorem.loss)
        self.functions = [*sides, *self.functions]
        self.theory = self.prediction.of_one_vector
        self.open()
        self.plus, self.minus = (InPieces(self, side) for side in sides)
        surrogate = "(binary_loss d (plus {0}) (minus {0}) (gap_map_of {0}))"
        if found is not None:
            BinaryWitness(self, found, surrogate).write()
            return
        self.plus.write()
        self.minus.write()
        self.rate()
        for side in (self.plus, self.minus):
            self._gaps(side)
        self._conditions()
        sharp = self._sharp()
        self.whole(
            f"2 d {surrogate}",
            f"apply {self.prediction.theorem.format('binary')}; [exact (conditions {{0}} Hc) | exact HX]",
            fixed="(INR 2)",
            sharp=sharp,
        )

    def _gaps(self, side: InPieces) -> None:
        """Up to the sign of z both labels are predicted right and wrong."""
        c = self.binders
        for sign, where, top in (("up", "0 <= v_z", "v_z"), ("down", "v_z < 0", "(- v_z)")):
            is_right = (sign == "up") == (side.name == "plus")
            risk = self._risk(top, is_right)
            self.add(
                f"Lemma {side.name}_gap_{sign} {c} v_z slope : claimed {c} -> {where} ->",
                f"  subgradient ({side.name} {c}) v_z slope ->",
                f"  {risk} - {side.name} {c} v_z + rate {c} / 2 * slope ^ 2 <= 0.",
                "Proof.\n  intros Hc Hz Hg.",
            )
            two = f"start; assert (Ck : {self.k} = 2) by lra; clear {self.prediction.equations} Er; subst {self.k}"
            steps = f"{self.prediction.apart(top)}; {self.apart(self.eta, 'Er')}; {two}"
            paid = f"apply Rlt_le; assert (Hr := rate_is_positive {c} Hc); lra"
            side.gap("v_z", paid, f"{steps};\n    {self.uses('gap/right' if is_right else 'gap/wrong')}")

    def _risk(self, top: str, is_right: bool) -> str:
        """What is expected to be paid."""
        if self.theorem.abstention_cost is not None:
            return self.prediction.risks(top)[0 if is_right else 1]
        half = f"{self.call(self.a, top)} / 2"
        return half if is_right else f"1 - {half}"

    def _of_prediction(self, c: str) -> str:
        """The library's conditions, before the functions that they are about."""
        is_plain = self.theorem.abstention_cost is None
        return "binary_conditions" if is_plain else f"abstaining_binary_conditions (abstention_cost {c})"

    def _conditions(self) -> None:
        c = self.binders
        self.add(
            f"Lemma conditions {c} : claimed {c} ->",
            f"  {self._of_prediction(c)} (plus {c}) (minus {c}) (gap_map_of {c}) (rate {c}) {self.regret_of(c)}.",
            "Proof.\nintro Hc. split.",
            *(side.nonnegative() for side in (self.plus, self.minus)),
            *(f"- exact {side.convex}." for side in (self.plus, self.minus)),
            self.map_range(),
            f"- exact (rate_is_positive {c} Hc).",
            *(
                f"- exact (fun v_z slope => {name} {c} v_z slope Hc)."
                for name in ("plus_gap_up", "plus_gap_down", "minus_gap_down", "minus_gap_up")
            ),
            self.regret_follows(),
            *self.prediction.last_condition(),
            "Qed.",
            "",
        )

    def _sharp(self) -> tuple[str, str] | None:
        """With any larger learning rate the conditions are false: the gap is zero at the contact, and grows with it."""
        contact = self.theorem.sharp_at
        if contact is None:
            return None
        larger, other = self.free("v_e"), self.free("v_c")
        c, top = self.binders, self.printer.smooth(sp.sympify(contact.top_margin).subs(K, 2))
        side, condition = (self.plus, "plus_right") if contact.right else (self.minus, "minus_wrong")
        is_plain = self.theorem.abstention_cost is None
        condition = f"gap_{condition} _ _ _ _ _" if is_plain else f"abstaining_{condition} _ _ _ _ _ _"
        uses = self.uses("learning rate/sharp", first=("side",))
        attempts = []
        for number, _ in enumerate(side.smooth):
            slope, value = (
                f"({side.name}_{what}_{number} {c} {top} Hc ltac:(parts; first [exact I | {uses}]))"
                for what in ("tangent", "value")
            )
            gap = f"{condition} H {top} _ ltac:({uses}) {slope}"
            attempts.append(f"solve [{self.too_large(top, gap, value, ' / 2')}]")
        statement = (
            f"forall {larger} {other}, rate {{0}} < {larger} -> "
            f"~ {self._of_prediction('{0}')} (plus {{0}}) (minus {{0}}) (gap_map_of {{0}}) {larger} {other}"
        )
        self.add(
            f"Lemma rate_is_largest {c} : claimed {c} -> {statement.format(c)}.",
            f"Proof. intros Hc {larger} {other} He H. start. first [{' | '.join(attempts)}]. Qed.",
            "",
        )
        return statement, "exact (rate_is_largest {0} Hc)"
