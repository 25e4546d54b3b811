"""Proximal updates: the conditions under which some algorithm attains the constant, and those of margin losses."""

from gaptron.coq.broken_proximal import MarginCriterion
from gaptron.coq.from_data import FromData
from gaptron.coq.proved import Claims
from gaptron.coq.refuted import Refuted
from gaptron.coq.script import OutOfScopeError
from gaptron.coq.writing import functions_of
from gaptron.theory.theorem import Theorem


class ProximalDevelopment(FromData):
    """A constant that some algorithm attains, in the place of a learning rate and a regret."""

    dimensions = ""
    proved = "attained data data_proofs data_is_proved"

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

    def conditions(self) -> str:
        """The library's, at the constant."""
        return self.conditions_at("(regret {0})").format(self.binders, self.k)

    def by_computation(self) -> None:
        """The conditions."""
        self.of_data("conditions", self.conditions())


class MarginProximal(ProximalDevelopment):
    """phi(m)."""

    theory = "OptimalMargin Obligations LossSound AttainedSound"
    kind = "margin"

    def __init__(self, theorem: Theorem, claims: Claims, module: str, found: Refuted | None = None) -> None:
        super().__init__(theorem, claims, module, found)
        self.phi = functions_of(theorem.loss)[0]
        self.functions = [self.phi, *self.functions]
        self.open(taken_apart=found is not None)
        if found is not None:
            MarginCriterion(self, found).write()
            return
        self.conclude(f"(classification K K (of_margin K {self.losses()}))")

    def losses(self) -> str:
        """phi."""
        return "(phi {0})"
