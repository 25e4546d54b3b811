"""Theorems whose conditions Coq computes and proves from data: ``proofs/coq/Obligations.v``."""

from collections.abc import Callable, Sequence

from gaptron.coq.bandit_feedback import GAME, KNOWN, PROPERTIES
from gaptron.coq.proved import Claims
from gaptron.coq.refuted import Refuted, Witness
from gaptron.coq.script import OutOfScopeError
from gaptron.coq.writing import Development, functions_of
from gaptron.theory.theorem import Theorem


class FromData(Development):
    """The file of claims has the functions as data, with certificates of what Coq's ``obligations`` asks of it.

    The data is ``theorem_data``'s.
    """

    fixed: str | None = None  # the classes, if they are not a variable
    sizes = "K d"  # of the game: its labels, rows and columns
    surrogate: str  # its loss, with the functions of the theorem's loss in the place of LOSSES
    may_be_off = False  # whether rounds may be
    witness: Callable[..., Witness]  # what a refutation is written with
    in_game: Callable[..., Witness]  # the same, of rounds in a game
    proved: str  # the library's theorem about the data
    exists = ""  # the names of what the conditions say that there is, before themselves
    concluded = ""  # the tactic that proves the guarantee from them, if it is not the library's theorem alone
    premises: tuple[str, ...] = (
        "now destruct Hc",
        "unfold claimed in Hc. cbn. repeat split; lra",
        "exact (classes_of {c} Hc)",
    )

    def __init__(self, theorem: Theorem, claims: Claims, module: str, found: Refuted | None = None) -> None:
        super().__init__(theorem, claims, module, found is not None)
        found_in_loss = functions_of(theorem.loss)
        self.of_loss = [one for one in found_in_loss if one.variable is not None]
        thresholds = [one for one in found_in_loss if one.variable is None]
        self.beta = thresholds[0] if thresholds else None
        self.functions = [*self.of_loss, *self.functions, *thresholds]
        self.open()
        if found is None:
            self.conclude()
        else:
            (self.in_game if found.game else self.witness)(self, found, self.loss_of_game).write()

    @property
    def own(self) -> str:
        """The functions of the loss, at the classes and parameters {0}."""
        return " ".join(f"({function.name} {{0}})" for function in self.of_loss)

    def losses(self) -> str:
        """The arguments of the library's conditions before the rates, at the classes and parameters {0}."""
        found = [self.own]
        if self.theorem.decoder == "gap map":
            found.append("(gap_map_of {0})")
        if self.may_be_off:
            found.append("None" if self.beta is None else "(Some (threshold {0}))")
        return " ".join(found)

    @property
    def loss_of_game(self) -> str:
        """As Coq has it, at the classes and parameters {0}."""
        of_game = self.losses() if self.theorem.decoder == "gap map" else self.own
        return self.surrogate.replace("LOSSES", of_game)

    def shown(self) -> str:
        """What the guarantee speaks of, at the classes and parameters {0}."""
        return f"{self.sizes} {self.loss_of_game}"

    def conclude(self) -> None:
        """The conditions, and the theorem."""
        guaranteed = self.shown()
        if self.tuning is not None:
            self.tuning.write()
            self._conditions_in_game()
            self.tuning.whole(guaranteed)
            return
        sharp = self.sharp()
        self.by_computation()
        theorem, classes = self.prediction.theorem.format(kind=self.kind), "lia | " if self.fixed is None else ""
        self.whole(
            guaranteed,
            self.concluded or f"apply {theorem}; [{classes}exact (conditions {{0}} Hc) | exact HX]",
            fixed=self.fixed,
            sharp=None if sharp is None else (sharp, "exact (rate_is_largest {0} Hc)"),
        )

    def conditions_at(self, rates: str) -> str:
        """The library's, at the classes and parameters {0} and {1} classes."""
        classes = " {1}" if self.fixed is None else ""
        return f"{self.prediction.conditions.format(kind=self.kind)}{classes} {self.losses()} {rates}"

    def _conditions_in_game(self) -> None:
        """Those of an exploring theorem, which Coq computes from the functions and the rate eta X^2."""
        c, k = self.binders, self.k
        explored, known = f"(exploration {c} {GAME})", f"{c} {GAME} root_T {KNOWN}"
        values = "; ".join(["v_X", "v_D", "v_T", *self.others])
        self.add(
            f"Lemma conditions {c} {GAME} root_T : claimed {c} -> {PROPERTIES} ->",
            f"  bandit_{self.kind}_conditions {k} {self.losses().format(c)} {explored}",
            f"    (learning_rate {c} {GAME} {explored} * v_X ^ 2) ({explored} * ({k} - 1) / {k}).",
            "Proof.",
            f"  intros {KNOWN}. assert (HT : 1 <= v_T) by (rewrite Er; nra). assert (Hg := explores {known}).",
            "  refine (proved_exploring data data_proofs data_is_proved",
            f"    {k} {explored} [{values}] eq_refl _ _ _ Hg eq_refl (steps {known})).",
            *(f"  - {premise.format(c=c)}." for premise in self.premises),
            "Qed.\n",
        )

    def sharp(self) -> str | None:
        """With any larger learning rate the conditions are false, if that is claimed."""
        return None

    def conditions(self) -> str:
        """The library's, at the theorem's own rates."""
        return self.conditions_at(f"(rate {{0}}) {self.regret_of(self.binders)}").format(self.binders, self.k)

    def of_data(
        self, lemma: str, statement: str, proved: str | None = None, premises: Sequence[str] | None = None
    ) -> None:
        """What Coq proves of the data, said of the functions: they are the same by computation."""
        premises = self.premises if premises is None else premises
        c, holes = self.binders, " ".join("_" for _ in premises)
        self.add(
            f"Lemma {lemma} {c} : claimed {c} ->",
            f"  {statement}.",
            "Proof.",
            "  intro Hc.",
            f"  refine ({proved or self.proved} {self.k} [{'; '.join(self.others)}] eq_refl {holes}).",
            *(f"  - {premise.format(c=c)}." for premise in premises),
            "Qed.",
            "",
        )

    def by_computation(self) -> None:
        """The conditions, and that the rate is positive."""
        self.of_data("conditions", self.conditions())
        self.rate_from_conditions()

    def rate_from_conditions(self) -> None:
        """The rate is positive."""
        c = self.binders
        self.add(
            f"Lemma rate_is_positive {c} : claimed {c} -> 0 < rate {c}.",
            f"Proof. intro Hc. now destruct (conditions {c} Hc){f' as ({self.exists}[])' * bool(self.exists)}. Qed.",
            "",
        )


class MapFromData(FromData):
    """With a gap map, for which the rate may be the largest."""

    theory = "Obligations LossSound NumbersSound ObligationsSound"

    def sharp(self) -> str | None:
        """With any larger learning rate the conditions are false, if that is claimed."""
        if self.theorem.sharp_at is None:
            return None
        larger, other = self.free("v_e"), self.free("v_c")
        return f"forall {larger} {other}, rate {{0}} < {larger} -> ~ {self.conditions_at(f'{larger} {other}')}"

    def by_computation(self) -> None:
        """The conditions, that the rate is positive, and perhaps that it is the largest."""
        c, sharp, conditions = self.binders, self.sharp(), self.conditions()
        largest = None if sharp is None else sharp.format(c, self.k)
        self.of_data("from_data", f"{conditions} /\\\n  {'True' if largest is None else f'({largest})'}")
        self.add(
            f"Lemma conditions {c} : claimed {c} ->\n  {conditions}.",
            f"Proof. intro Hc. exact (proj1 (from_data {c} Hc)). Qed.",
            "",
        )
        self.rate_from_conditions()
        if largest is not None:
            self.add(
                f"Lemma rate_is_largest {c} : claimed {c} -> {largest}.",
                f"Proof. intro Hc. exact (proj2 (from_data {c} Hc)). Qed.",
                "",
            )


class ProximalDevelopment(FromData):
    """A constant that some algorithm attains, in the place of a learning rate and a regret."""

    dimensions, sizes = "", "K K"
    proved = "attained data data_proofs data_is_proved"

    def __init__(self, theorem: Theorem, claims: Claims, module: str, found: Refuted | None = None) -> None:
        if theorem.regret is None:
            raise OutOfScopeError("no regret is given")
        super().__init__(theorem, claims, module, found)

    def shown(self) -> str:
        """The problem that some algorithm solves."""
        return f"(classification {super().shown()})"

    def rates_of(self, c: str) -> str:
        """The coefficient of the losses, and the constant, to which X^2 belongs."""
        return f"1 (regret {c})"

    def divided_by(self, c: str) -> list[tuple[str, str]]:
        """Nothing."""
        return []

    def conditions(self) -> str:
        """The library's, at the constant."""
        return self.conditions_at("(regret {0})").format(self.binders, self.k)

    def by_computation(self) -> None:
        """The conditions."""
        self.of_data("conditions", self.conditions())
