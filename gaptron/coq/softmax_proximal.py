"""Proximal updates with a softmax loss: two labels are the hardest, and one inequality in the lead of one of them.

The inequality is shown by the tangent at one point, if the loss and the constant are the same for all K and leave it
slack, else by the kernel's certificates: these enclose logarithms of variables in many boxes.
"""

from collections.abc import Iterator
from fractions import Fraction

import sympy as sp

from gaptron.coq.broken_proximal import SoftmaxCriterion
from gaptron.coq.proved import Claims, closing
from gaptron.coq.proximal_updates import ProximalDevelopment
from gaptron.coq.real_terms import number
from gaptron.coq.refuted import Refuted
from gaptron.coq.softmax import SmoothSoftmax
from gaptron.coq.writing import DIFFERENTIATE
from gaptron.language.terms import Term, substitute
from gaptron.obligations.sequents import claims_more_than_two
from gaptron.symbols import K, p
from gaptron.theory.theorem import Theorem

HALF = Fraction(1, 2)
STEPS = (10, 50, 100, 500, 1000, 5000, 10000)  # how finely a point for a tangent is chosen: simple ones are cheaper


class SoftmaxProximal(ProximalDevelopment, SmoothSoftmax):
    """psi(p_y), psi of one smooth piece."""

    theory = "Softmax SoftmaxSubgradients LogitSubgradients OptimalSets OptimalSoftmax"

    def __init__(self, theorem: Theorem, claims: Claims, module: str, found: Refuted | None = None) -> None:
        super().__init__(theorem, claims, module, found)
        if found is not None:
            SoftmaxCriterion(self, found).write()
            return
        self.slopes()
        self.positive()
        self._above_the_end()
        self._two_are_hardest()
        self._criterion()
        self._conditions()
        self.whole(
            "(classification K K (of_softmax K (psi {0})))",
            "refine (attaining_softmax_theorem _ _ _ _ _ (conditions {0} Hc) _ HX); lia",
        )

    @property
    def least(self) -> sp.Expr:
        """psi(1) where that is above zero and there may be more than two labels, as in ``obligations/attained.py``."""
        end = self.value.subs(p, 1)
        return end if end.is_positive and claims_more_than_two(self.theorem) else sp.S.Zero

    def _above_the_end(self) -> None:
        """psi is at least that."""
        c, least = self.binders, self._text(self.least)
        self.add(f"Lemma psi_above {c} v_p : claimed {c} -> 0 < v_p < 1 -> {least} <= psi {c} v_p.", "Proof.")
        if self.least == 0:
            uses = self.uses("loss/nonnegative", first=("lra",))
            self.add(f"  intros Hc [H0 H1]. {self.apart(self.psi, 'E', 'v_p')}; start; {uses}.", "Qed.", "")
            return
        of_three = {self.printer.kernel_names[K]: "3"}  # where psi does not depend on K, the claims may be about others
        falls = [claim for at in ({}, of_three) for claim in self.claims.attempts("loss/nonincreasing", at=at)]
        self.add(
            "  intros Hc Hp. revert v_p Hp.",
            f"  apply (above_the_end (psi {c}) (psi_slope {c})).",
            f"  - {self._derivative('psi', 'psi_slope')}.",
            "  - intros v_p [H0 H1]. unfold psi_slope. assert (integer 3) by (exists 3%Z; reflexivity).",
            f"    destruct (classes_of {c} Hc) as [Ck | Ck]; start; {closing('lra', *falls)}.",
            f"  - {self._at_one()}. start. lra.",
            "Qed.",
            "",
        )

    def _derivative(self, of: str, name: str) -> str:
        """Tactics: a derivative on (0, 1]."""
        return f"intros v_p [H0 H1]. {self._known_up_to_one()}. unfold {of}, {name}. {DIFFERENTIATE}"

    def _known_up_to_one(self) -> str:
        """Tactics: psi is defined there."""
        defined = f"psi_is_defined {self.binders} (1 / 2) Hc ltac:(lra) ltac:(lra)"
        return f"assert (F := {defined}); unfold psi_defined in F; take_apart"

    def _at_one(self) -> str:
        """Tactics: the value of psi at 1."""
        return f"{self._known_up_to_one()}. unfold psi. rewrite ?ln_1"

    def _two_are_hardest(self) -> None:
        c, least = self.binders, self._text(self.least)
        uses = self.uses("two labels", first=("lra",))
        self.add(
            f"Lemma two_labels_are_hardest {c} : claimed {c} -> {self.k} <> 2 ->",
            f"  forall p q, 0 < p <= q -> q < 1 -> (psi {c} q - {least}) * (1 - p) <= (psi {c} p - {least}) * (1 - q).",
            "Proof.",
            f"  intros Hc Hk. destruct (classes_of {c} Hc) as [Ck | Ck]; [contradiction|].",
            f"  apply (hardest_from_curvature (psi {c}) (psi_slope {c}) (psi_bend {c})).",
            f"  - {self._derivative('psi', 'psi_slope')}.",
            f"  - {self._derivative('psi_slope', 'psi_bend')}.",
            f"  - intros v_p [H0 H1]. unfold psi_bend. start. {uses}.",
            f"  - {self._at_one()}. start. {uses}.",
            "Qed.",
            "",
        )

    def _criterion(self) -> None:
        c, at = self.binders, self._point()
        steps = self._by_claims() if at is None else self._by_tangent(at)
        self.add(
            f"Lemma criterion {c} v_m : claimed {c} ->",
            f"  1 / 2 - (psi {c} (sigmoid v_m) - {self._text(self.least)} / 2) - regret {c} * (v_m ^ 2 / 2) <= 0.",
            "Proof.",
            "  intro Hc.",
            *steps,
            "Qed.",
            "",
        )

    def _by_tangent(self, at: Fraction) -> list[str]:
        """At a rational probability, whose log odds are the logarithm of a rational."""
        c, p0, odds, least = self.binders, number(at), number(at / (1 - at)), self._text(self.least)
        return [
            f"  apply (criterion_from_a_point (psi {c}) {least} (regret {c}) {p0} (psi_slope {c} {p0}));",
            f"    [exact (regret_is_positive {c} Hc) | lra | apply (psi_convex_in_logit {c} {p0} Hc); lra |].",
            f"  unfold psi_slope, logit. replace ({p0} / (1 - {p0})) with {odds} by field.",
            f"  {self.apart(self.psi, 'E', p0)}; {self.apart(self.constant, 'Ec')};",
            f"  assert (F := psi_is_defined {c} {p0} Hc ltac:(lra) ltac:(lra)); unfold psi_defined in F; start;",
            "  use criterion_at_a_point.",
        ]

    def _by_claims(self) -> list[str]:
        """By the kernel's certificates."""
        self.claims.postponed()
        c = self.binders
        above = f"(psi_above {c} _ Hc (sigmoid_range v_m))"
        return [
            *self.unless_far("v_m", f"apply paid_by_the_lead; [split; [start; lra | exact {above}] | exact Hfar]"),
            f"  {self.known()}. assert (Hp := sigmoid_range v_m). assert (Hexp := exp_pos (-1 * v_m)).",
            f"  assert (Fp := psi_is_defined {c} _ Hc (proj1 Hp) (proj2 Hp)). unfold psi_defined in Fp.",
            f"  {self.apart(self.psi, 'E', '(sigmoid v_m)')}; {self.apart(self.constant, 'Ec')}.",
            "  rewrite ?ln_sigmoid, ?inv_sigmoid, ?sigmoid_as_claimed.",
            "  assert (Hnot : 1 + exp (-1 * v_m) <> 0) by lra. clear E Hp Fp.",
            f"  start. {self.uses('criterion/')}.",
        ]

    def _is_enough(self, at: Fraction) -> bool:
        """Whether an enclosure shows what the tangent there needs: then it is a lemma."""
        value, slope, constant = (
            substitute(self.printer.term(expr), self.printer.kernel_names[p], at)
            for expr in (self.value, sp.diff(self.value, p), self.constant.expr)
        )
        logit: Term = ("log", at / (1 - at))
        steep: Term = ("+", ("*", slope, at * (1 - at)), ("*", constant, logit))
        lost: Term = ("*", -HALF, self.printer.term(self.least))
        above: Term = ("+", value, lost, ("*", constant, HALF, ("^", logit, 2)), -HALF)
        slack: Term = ("+", ("*", Fraction(2), constant, above), ("*", Fraction(-1), ("^", steep, 2)))
        return self.claims.positive("criterion_at_a_point", slack)

    def _point(self) -> Fraction | None:
        """At which the tangent is enough."""
        if not self.constant.expr.is_number or self.value.free_symbols != {p}:
            return None
        return next((at for at in self._points() if self._is_enough(at)), None)

    def _points(self) -> Iterator[Fraction]:
        """Rational probabilities near the one at which psi + c m^2/2 is least, m the log odds: found in floats."""
        whole = self.value + self.constant.expr * sp.log(p / (1 - p)) ** 2 / 2
        value = sp.lambdify(p, whole, "math")
        for steps in STEPS:
            values = {value(n / steps): n for n in range(steps // 2 + 1, steps)}
            yield Fraction(values[min(values)], steps)

    def _conditions(self) -> None:
        c, k, least = self.binders, self.k, self._text(self.least)
        self.add(
            f"Lemma conditions {c} : claimed {c} -> attaining_softmax_conditions {k} (psi {c}) {least} (regret {c}).",
            "Proof.\nintro Hc. split.",
            "- start; lra.",
            f"- exact (fun v_p => psi_above {c} v_p Hc).",
            f"- intros v_p Hp. exists (psi_slope {c} v_p). exact (psi_convex_in_logit {c} v_p Hc Hp).",
            *self.falls(),
            f"- exact (regret_is_positive {c} Hc).",
            f"- exact (two_labels_are_hardest {c} Hc).",
            f"- exact (fun v_m => criterion {c} v_m Hc).",
            "Qed.",
            "",
        )
