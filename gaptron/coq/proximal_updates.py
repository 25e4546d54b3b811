"""Proximal updates: the conditions under which some algorithm attains the constant, and those of margin losses."""

from gaptron.coq.broken_proximal import MarginCriterion
from gaptron.coq.in_pieces import InPieces
from gaptron.coq.proved import Claims
from gaptron.coq.refuted import Refuted
from gaptron.coq.script import OutOfScopeError
from gaptron.coq.writing import Development, Function, functions_of
from gaptron.obligations.guesses import beyond
from gaptron.theory.theorem import Theorem


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

    def known(self) -> str:
        """A tactic: what the constant divides by is not zero."""
        return f"pose proof (regret_is_defined {self.binders} Hc) as F; unfold regret_defined in F"

    def unless_far(self, at: str, paid: str) -> list[str]:
        """The steps of a proof of the criterion that leave its claims the scores of which they speak.

        Those about exponentials are of bounded scores if the constant is a number: see ``obligations/attained.py``.
        """
        c, constant = self.binders, self.constant
        if not constant.expr.is_number:
            return []
        far = self.printer.smooth(beyond(constant.expr))
        enough = f"{self.apart(constant, 'Ec')}; start; {self.uses(first=('lra',))}"
        return [
            f"  assert (Hone : 1 <= regret {c} * {far} ^ 2) by ({enough}).",
            f"  destruct (far_or_near (regret {c}) {far} {at} (regret_is_positive {c} Hc) ltac:(lra) Hone)",
            f"    as [Hfar | [Hlow Hhigh]]; [{paid} | clear Hone].",
        ]

    def unless_far_of(self, loss: InPieces, paid: str) -> list[str]:
        """The same for a loss of one real variable, which is known not to be negative as ``Hpos``."""
        if loss.is_algebraic:
            return []
        positive = f"{self.apart(loss.function, 'E', loss.v)}; start; {self.uses('loss/nonnegative', first=('lra',))}"
        known = f"assert (Hpos : 0 <= {loss.name} {self.binders} {loss.v}) by ({positive})"
        return self.unless_far(loss.v, f"{known}; {paid}")


class MarginProximal(ProximalDevelopment):
    """phi(m)."""

    theory = "OptimalSets OptimalMargin"

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
        share = f"({k} - 1) / {k}"
        self.add(
            f"Lemma criterion {c} v_m : claimed {c} ->",
            f"  {share} - phi {c} v_m - regret {c} * ({share} * v_m ^ 2) <= 0.",
            "Proof.",
            "  intro Hc.",
            *self.unless_far_of(self.phi, "apply paid_from_far; [start; lra | exact Hpos | exact Hfar]"),
            f"  {self.known()}. {self.apart(phi, 'E', 'v_m')}; {self.apart(self.constant, 'Ec')};",
            f"  start; {self.uses('criterion/')}.",
            "Qed.",
            "",
            f"Lemma conditions {c} : claimed {c} -> attaining_margin_conditions {k} (phi {c}) (regret {c}).",
            "Proof.\nintro Hc. split.",
            self.phi.nonnegative(),
            f"- exact {self.phi.convex}.",
            *self.phi.falls(),
            f"- exact (regret_is_positive {c} Hc).",
            f"- exact (fun v_m => criterion {c} v_m Hc).",
            "Qed.",
            "",
        )
