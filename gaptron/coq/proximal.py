"""Proximal updates: the conditions under which some algorithm attains the constant.

For a margin loss the criterion is what the certificates say. For a softmax loss two labels are the hardest, and the
criterion is shown by the tangent at one point instead: a certificate encloses logarithms of variables in many boxes.
"""

from collections.abc import Iterator
from fractions import Fraction

import sympy as sp

from gaptron.coq.broken_proximal import MarginCriterion, SoftmaxCriterion
from gaptron.coq.in_pieces import InPieces
from gaptron.coq.proved import Claims
from gaptron.coq.refuted import Refuted
from gaptron.coq.script import OutOfScopeError
from gaptron.coq.softmax import SmoothSoftmax
from gaptron.coq.terms import number
from gaptron.coq.writing import DIFFERENTIATE, Development, Function, functions_of
from gaptron.kernel.terms import Term, substitute
from gaptron.symbols import p
from gaptron.theory.theorem import Theorem

HALF = Fraction(1, 2)
STEPS = (10, 50, 100, 500, 1000, 5000, 10000)  # how finely a point for a tangent is chosen: simple ones are cheaper


class ProximalDevelopment(Development):
    """A constant that some algorithm attains, in the place of a learning rate and a regret."""

    dimensions = ""

    def __init__(self, theorem: Theorem, claims: Claims, module: str, found: Refuted | None = None) -> None:
        super().__init__(theorem, claims, module, found is not None)
        if self.regret is None:
            raise OutOfScopeError("no regret is given")
        self.constant = self.regret

    def rates_of(self, c: str) -> str:
        """The coefficient of the losses, and the constant, to which X^2 belongs."""
        return f"1 (regret {c})"

    def divided_by(self, c: str) -> list[tuple[str, str]]:
        """Nothing."""
        return []

    def positive(self) -> None:
        """The constant is above zero."""
        c = self.binders
        self.add(
            f"Lemma regret_is_positive {c} : claimed {c} -> 0 < regret {c}.",
            f"Proof. start. {self.apart(self.constant, 'E')}; {self.uses('regret/positive', first=('lra',))}. Qed.",
            "",
        )

    def _known(self) -> str:
        """A tactic: what the constant divides by is not zero."""
        return f"pose proof (regret_is_defined {self.binders} Hc) as F; unfold regret_defined in F"


class MarginProximal(ProximalDevelopment):
    """phi(m)."""

    theory = "OptimalMargin"

    def __init__(self, theorem: Theorem, claims: Claims, module: str, found: Refuted | None = None) -> None:
        super().__init__(theorem, claims, module, found)
        phi = functions_of(theorem.loss)[0]
        self.functions = [phi, *self.functions]
        self.phi = InPieces(self, phi)
        self.open()
        if found is not None:
            MarginCriterion(self, found).write()
            return
        self.phi.write()
        self.positive()
        self._conditions(phi)
        self.whole(
            "(classification K K (of_margin K (phi {0})))",
            "apply attaining_margin_theorem; [lia | exact (conditions {0} Hc) | exact HX]",
        )

    def _conditions(self, phi: Function) -> None:
        c, k = self.binders, self.k
        apart = f"{self.apart(phi, 'E', 'v_m')}; {self.apart(self.constant, 'Ec')}"
        self.add(
            f"Lemma conditions {c} : claimed {c} -> attaining_margin_conditions {k} (phi {c}) (regret {c}).",
            "Proof.\nintro Hc. split.",
            self.phi.nonnegative(),
            f"- exact {self.phi.convex}.",
            *self.phi.falls(),
            f"- exact (regret_is_positive {c} Hc).",
            f"- intro v_m. {self._known()}. {apart}; start; {self.uses('criterion/')}.",
            "Qed.",
            "",
        )


class SoftmaxProximal(ProximalDevelopment, SmoothSoftmax):
    """psi(p_y), psi of one smooth piece without K, and a constant that is a number."""

    theory = "Softmax SoftmaxSubgradients LogitSubgradients OptimalSoftmax"

    def __init__(self, theorem: Theorem, claims: Claims, module: str, found: Refuted | None = None) -> None:
        super().__init__(theorem, claims, module, found)
        if found is not None:
            SoftmaxCriterion(self, found).write()
            return
        if not self.constant.expr.is_number or self.value.free_symbols != {p}:
            raise OutOfScopeError(
                "proximal updates with a softmax loss are written for one constant, the same for all K"
            )
        self.slopes()
        self.positive()
        self._two_are_hardest()
        self._criterion()
        self._conditions()
        self.whole(
            "(classification K K (of_softmax K (psi {0})))",
            "apply attaining_softmax_theorem; [lia | exact (conditions {0} Hc) | exact HX]",
        )

    def _two_are_hardest(self) -> None:
        c = self.binders
        at = "assert (F := psi_is_defined {0} (1 / 2) Hc ltac:(lra) ltac:(lra)); unfold psi_defined in F; take_apart"
        derivatives = [
            f"intros v_p [H0 H1]. {at.format(c)}. unfold {of}, {name}. {DIFFERENTIATE}"
            for of, name in (("psi", "psi_slope"), ("psi_slope", "psi_bend"))
        ]
        uses = self.uses("two labels", first=("lra",))
        self.add(
            f"Lemma two_labels_are_hardest {c} : claimed {c} -> {self.k} <> 2 ->",
            f"  forall p q, 0 < p <= q -> q < 1 -> psi {c} q * (1 - p) <= psi {c} p * (1 - q).",
            "Proof.",
            f"  intros Hc Hk. destruct (classes_of {c} Hc) as [Ck | Ck]; [contradiction|].",
            f"  apply (hardest_from_curvature (psi {c}) (psi_slope {c}) (psi_bend {c})).",
            *(f"  - {derivative}." for derivative in derivatives),
            f"  - intros v_p [H0 H1]. unfold psi_bend. start. {uses}.",
            f"  - {at.format(c)}. unfold psi. rewrite ?ln_1. start. {uses}.",
            "Qed.",
            "",
        )

    def _criterion(self) -> None:
        """By the tangent at a rational probability, whose log odds are the logarithm of a rational."""
        c, at = self.binders, next((at for at in self._points() if self._is_enough(at)), None)
        if at is None:
            raise OutOfScopeError("the criterion has no slack that a tangent at one point shows")
        p0, odds = number(at), at / (1 - at)
        self.add(
            f"Lemma criterion {c} v_m : claimed {c} ->",
            f"  1 / 2 - psi {c} (sigmoid v_m) - regret {c} * (v_m ^ 2 / 2) <= 0.",
            "Proof.",
            f"  intro Hc. apply (criterion_from_a_point (psi {c}) (regret {c}) {p0} (psi_slope {c} {p0}));",
            f"    [exact (regret_is_positive {c} Hc) | lra | apply (psi_convex_in_logit {c} {p0} Hc); lra |].",
            f"  unfold psi_slope, logit. replace ({p0} / (1 - {p0})) with {number(odds)} by field.",
            f"  {self.apart(self.psi, 'E', p0)}; {self.apart(self.constant, 'Ec')};",
            f"  assert (F := psi_is_defined {c} {p0} Hc ltac:(lra) ltac:(lra)); unfold psi_defined in F; start;",
            "  use criterion_at_a_point.",
            "Qed.",
            "",
        )

    def _is_enough(self, at: Fraction) -> bool:
        """Whether an enclosure shows what the tangent there needs: then it is a lemma."""
        value, slope, constant = (
            substitute(self.printer.term(expr), self.printer.kernel_names[p], at)
            for expr in (self.value, sp.diff(self.value, p), self.constant.expr)
        )
        logit: Term = ("log", at / (1 - at))
        steep: Term = ("+", ("*", slope, at * (1 - at)), ("*", constant, logit))
        above: Term = ("+", value, ("*", constant, HALF, ("^", logit, 2)), -HALF)
        slack: Term = ("+", ("*", Fraction(2), constant, above), ("*", Fraction(-1), ("^", steep, 2)))
        return self.claims.positive("criterion_at_a_point", slack)

    def _points(self) -> Iterator[Fraction]:
        """Rational probabilities near the one at which psi + c m^2/2 is least, m the log odds: found in floats."""
        whole = self.value + self.constant.expr * sp.log(p / (1 - p)) ** 2 / 2
        value = sp.lambdify(p, whole, "math")
        for steps in STEPS:
            values = {value(n / steps): n for n in range(steps // 2 + 1, steps)}
            yield Fraction(values[min(values)], steps)

    def _conditions(self) -> None:
        c, k = self.binders, self.k
        self.add(
            f"Lemma conditions {c} : claimed {c} -> attaining_softmax_conditions {k} (psi {c}) (regret {c}).",
            "Proof.\nintro Hc. split.",
            *self.nonnegative(),
            *self.falls(),
            f"- exact (regret_is_positive {c} Hc).",
            f"- exact (two_labels_are_hardest {c} Hc).",
            f"- exact (fun v_m => criterion {c} v_m Hc).",
            "Qed.",
            "",
        )
