"""Proximal updates and margin losses: the conditions of the library's ``attaining_margin_theorem``."""

from gaptron.coq.in_pieces import InPieces
from gaptron.coq.proved import Claims
from gaptron.coq.refuted import Refuted
from gaptron.coq.script import OutOfScopeError
from gaptron.coq.writing import Development, Function
from gaptron.symbols import m
from gaptron.theory.losses import MarginLoss
from gaptron.theory.theorem import Theorem


class ProximalDevelopment(Development):
    """A constant that some algorithm attains, in the place of a learning rate and a regret."""

    dimensions = ""

    def __init__(self, theorem: Theorem, claims: Claims, module: str, found: Refuted | None = None) -> None:
        super().__init__(theorem, claims, module)
        if found is not None:
            raise OutOfScopeError("a refutation with proximal updates is not written yet")
        if self.regret is None:
            raise OutOfScopeError("no regret is given")
        self.constant = self.regret

    def rates_of(self, c: str) -> str:
        """The coefficient of the losses, and the constant, to which X^2 belongs."""
        return f"1 (regret {c})"

    def divided_by(self, c: str) -> list[tuple[str, str]]:
        """Nothing."""
        return []

    def _positive(self) -> None:
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
        assert isinstance(theorem.loss, MarginLoss)  # noqa: S101
        phi = Function("phi", theorem.loss.phi, m, (), "loss/defined")
        self.functions = [phi, *self.functions]
        self.phi = InPieces(self, phi)
        self.open()
        self.phi.write()
        self._positive()
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
