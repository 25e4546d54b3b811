"""A structured theorem as a Coq development: outputs, cost and entropy written out, and the guarantee for all sizes.

The library (``StructuredFamilies.v``) has the guarantee of an entropy and a cost that are compared with the variance,
if some inequalities between the theorem's numbers hold. Those are ``conditions``, claims for the kernel.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import reduce

from gaptron.coq import coordinate_entropies
from gaptron.coq.claim_search import Search
from gaptron.coq.functions import SmoothPrinter
from gaptron.coq.proved import Claims, closing
from gaptron.coq.real_terms import AND
from gaptron.coq.script import OutOfScopeError
from gaptron.coq.structured_parts import COORDINATE, TargetFamily, entropy_of, outputs_of, target_of
from gaptron.guesses.computer_algebra import SympyGuesses
from gaptron.guesses.in_floats import seem_true
from gaptron.kernel import Certificate
from gaptron.language.expressions import Expression
from gaptron.language.relations import Relation
from gaptron.obligations.pieces import ZERO, first_split
from gaptron.obligations.sequents import Obligation, Sequent
from gaptron.obligations.setting import in_setting, variables_of
from gaptron.obligations.statement import statement as kernel_claim
from gaptron.obligations.structured.cases import size_conditions, written
from gaptron.prove.proofs import NotFoundError
from gaptron.system.deadline import CLAIM_SECONDS
from gaptron.theory.structured.entropies import Convolutional, CoordinateEntropy, core
from gaptron.theory.structured.structured_theorem import StructuredTheorem

PREDICTION = "mu : vector -> vector"  # mu(theta), which the statement is about whatever it is
SAYS = "discharge F; take_apart; parts; first [exact I | side]"
NAMES = {"scale": "scale_of", "learning_rate": "rate", "coefficient": "coefficient", "regret": "regret"}


def numbers_of(theorem: StructuredTheorem) -> dict[str, Expression]:
    """The functions of the size in the statement, by their names: the rate that is checked is one of them."""
    found, eta = dict(theorem.data.numbers), theorem.data.step
    if eta is None:
        raise OutOfScopeError(
            f"{'neither a learning rate nor a' if theorem.update == 'gradient' else 'no'} regret is given"
        )
    if theorem.update == "gradient":
        found["learning_rate"] = eta
    if any(first_split(part) is not None for part in found.values()):
        raise OutOfScopeError("a number of a structured theorem in several pieces is not written yet")
    return {name: found[name] for name in NAMES if name in found}


def conditions(theorem: StructuredTheorem) -> tuple[Obligation, ...]:
    """What must hold of the theorem's numbers, as claims for the kernel.

    Raises
    ------
    OutOfScopeError
        If the library has no lemma about its outputs, target or entropy.
    """
    numbers, target, entropy = numbers_of(theorem), target_of(theorem), entropy_of(theorem)
    found = {f"{name} positive": Relation(">", part, ZERO) for name, part in numbers.items()}
    parts = {"s": numbers["scale"], "alpha": numbers["coefficient"], "eta": theorem.data.step or ZERO}
    parts |= {"c": numbers.get("regret", ZERO), "least": entropy.strength, "share": entropy.share, "A": target.bound}
    needed = {"step": "2*share >= eta*s", "unit": "alpha*s >= 1"}
    if not isinstance(theorem.entropy, Convolutional):
        needed = {"criterion": "alpha*s*share >= A + alpha*eta*s**2/2"}
    if theorem.update == "gradient":
        follows = {"follows": "c >= alpha/(2*eta)"} if "regret" in numbers else {}
        needed = {"modulus": "least >= eta*s", **follows, **needed}
    for name, inequality in needed.items():
        left, right = (written(side, **parts) for side in inequality.split(" >= "))
        found[name] = Relation(">=", left, right)
    claims = (Obligation(name, name, (_for_sizes(theorem, then),)) for name, then in found.items())
    return (*in_setting(theorem, claims, SympyGuesses.of(theorem)), *about_entropy(theorem))


def _for_sizes(theorem: StructuredTheorem, then: Relation) -> Sequent:
    return Sequent(size_conditions(theorem) if theorem.size.name in then.names else (), then)


def about_entropy(theorem: StructuredTheorem) -> tuple[Obligation, ...]:
    """What must hold of an entropy that the library does not know; nothing of the others."""
    own = entropy_of(theorem).own
    claims = () if own is None else coordinate_entropies.claims_about(own)
    return tuple(in_setting(theorem, claims, SympyGuesses.of(theorem)))


def certified(theorem: StructuredTheorem, needed: Iterable[Obligation], search: Search) -> dict[str, Certificate]:
    """Certificates of those that are proved; what fails at a simple point is not tried."""
    found = {}
    for obligation in needed:
        claims = tuple(map(kernel_claim, obligation.claims))
        with suppress(NotFoundError):
            if seem_true(theorem, obligation.claims):
                proofs = tuple(search(claim, CLAIM_SECONDS) for claim in claims)
                found[obligation.id] = Certificate({}, claims, proofs, None)
    return found


class StructuredDevelopment:
    """The file that is being written. Lemmas about numbers are for all sizes and parameters ``claimed``."""

    def __init__(self, theorem: StructuredTheorem, claims: Claims, module: str) -> None:
        self.theorem, self.claims, self.module = theorem, claims, module
        self.numbers = self._numbers()
        self.outputs, self.target, self.entropy = outputs_of(theorem), self._target(), entropy_of(theorem)
        known = variables_of(theorem)
        self.size = theorem.size.name
        self.parameters = [known[parameter.name] for parameter in theorem.parameters]
        self.printer = SmoothPrinter([known[self.size], known["v"], *self.parameters])
        self.real = self.printer.name(self.size)
        self.others = [self.printer.name(parameter.name) for parameter in self.parameters]
        self.binders = " ".join([self.real, *self.others])
        self.at = " ".join([f"(INR {self.size})", *self.others])
        self.quantified = "".join(f" ({name} : R)" for name in self.others)
        self.lines: list[str] = []
        self._open()
        self._definitions()
        self._facts()
        self._whole()

    def text(self) -> str:
        """The whole file."""
        return "\n".join(self.lines) + "\n"

    def _numbers(self) -> dict[str, Expression]:
        """The functions of the size, by their names in the file."""
        return {NAMES[name]: part for name, part in numbers_of(self.theorem).items()}

    def _target(self) -> TargetFamily:
        """The cost of predictions, and what the library knows of it."""
        return target_of(self.theorem)

    def _add(self, *lines: str) -> None:
        self.lines += lines

    @property
    def is_convolved(self) -> bool:
        """Whether the least expected cost is taken from the entropy."""
        return isinstance(self.theorem.entropy, Convolutional)

    def _core(self, place: Callable[[str], str]) -> str:
        """The entropy at m, without convolution: a sum over coordinates, or a quadratic form."""
        if self.entropy.form:
            return place("sum {size} (fun i => m i * sum {size} (fun j => form_of i j * m j)) / 2")
        return place("sum {size} (fun i => omega (m i))")

    def _core_definition(self) -> str:
        """Of what it is made."""
        if self.entropy.form:
            return f"Definition form_of (i j : nat) : R := {self.entropy.form}."
        entropy = core(self.theorem.entropy)
        assert isinstance(entropy, CoordinateEntropy)  # noqa: S101
        return f"Definition omega ({self.printer.name('v')} : R) : R := {self.printer.smooth(entropy.omega)}."

    def _suits(self, place: Callable[[str], str]) -> str:
        """The tactic that shows that the entropy, without convolution, suits the outputs."""
        said = (
            "reflexivity"
            if self.entropy.form
            else f"apply sum_ext; intros i _; unfold omega; {COORDINATE.format('m i')}"
        )
        return f"{place(self.entropy.proof)}; [{place(self.outputs.some)}|]; intros m; {said}"

    def _here(self, pattern: str) -> str:
        """With the sizes in their places."""
        return pattern.format(n=self.size, size=self.outputs.dimension.format(n=self.size))

    def _open(self) -> None:
        self._add(
            "Require Import Reals Lra Lia Arith.",
            "From Gaptron Require Import Definitions Sums Signs Cases Optimal StructuredDefinitions.",
            "From Gaptron Require Import DominatedCosts EntropyFamilies TargetFamilies StructuredFamilies.",
            "From Gaptron Require Import ConvolvedEntropies Entmax QuadraticForms RankingDefinitions RankingFamilies.",
            "From Gaptron Require Import Derivatives CoordinateEntropies.",
            f"From Gaptron Require Import {self.module}_claims.",
            "Open Scope R_scope.",
            "",
        )

    # --- definitions ----------------------------------------------------------------------------------------------

    def _definitions(self) -> None:
        for name, part in self.numbers.items():
            self._add(*self.printer.defining(name, self.binders, part))
        n, least = self.size, f" - least_of {self.size} m" if self.is_convolved else ""
        self._add(
            f"Definition output_of ({n} : nat) (y i : nat) : R := {self._here(self.outputs.entry)}.",
            f"Definition cost_of ({n} : nat) (k y : nat) : R := {self._here(self.target.cost)}.",
            self._core_definition(),
            *(
                [f"Definition least_of ({n} : nat) (m : vector) : R := {self._here(self.target.least)}."]
                if self.is_convolved
                else []
            ),
            f"Definition entropy_of ({n} : nat) (m : vector) : R := {self._core(self._here)}{least}.",
            "",
            f"Definition problem ({n} : nat){self.quantified} ({PREDICTION}) : structured :=",
            self._here(f"  Structured {self.outputs.count} {{size}} (output_of {n}) (cost_of {n})"),
            self._here(
                f"    (hull {self.outputs.count} {{size}} (output_of {n})) (entropy_of {n}) (scale_of {self.at}) mu."
            ),
            "",
        )

    def _own_entropy(self) -> None:
        """The lemmas about an entropy that the library does not know."""
        if self.entropy.own is not None:
            self._add(*coordinate_entropies.lemmas(self.entropy.own, self.printer, self.claims))

    # --- the numbers ----------------------------------------------------------------------------------------------

    def _ranges(self) -> Iterator[str]:
        """What is claimed of the size and of the parameters, as premises."""
        yield f"({self.theorem.first_size} <= {self.size})%nat"
        if self.theorem.last_size is not None:
            yield f"({self.size} <= {self.theorem.last_size})%nat"
        yield from self._parameter_ranges()

    def _parameter_ranges(self) -> Iterator[str]:
        return (self.printer.relation(each) for parameter in self.parameters for each in parameter.known())

    def _facts(self) -> None:
        self._own_entropy()
        c = self.binders
        known = [f"integer {self.real}", *map(self.printer.relation, size_conditions(self.theorem))]
        known += self._parameter_ranges()
        self._add(f"Definition claimed ({c} : R) : Prop :=\n  {AND.join(known)}.", "")
        self._add(
            f"Lemma size_claimed ({self.size} : nat){self.quantified} :",
            f"  {' -> '.join(self._ranges())} -> claimed {self.at}.",
            "Proof.",
            "  intros. unfold claimed. repeat split; try apply integer_INR; try assumption;",
            "    first [apply IZR_le_INR; lia | apply INR_le_IZR; lia].",
            "Qed.",
            "",
        )
        self._defined()
        unfolded = ", ".join(["claimed", *self.numbers, *(f"{name}_defined" for name in self.numbers)])
        for name, statement in self._statements().items():
            use = closing(self.claims.attempts(name))
            self._add(
                f"Lemma {name}_holds {c} : claimed {c} -> {statement}.",
                f"Proof. intros Hc. assert (F := all_defined {c} Hc). assert (P := all_positive {c} Hc).",
                f"  unfold {unfolded} in *. take_apart. {use}. Qed.",
                "",
            )

    def _defined(self) -> None:
        """The claims that the numbers are positive say what they divide by as well."""
        c = self.binders
        keys = [key for key, name in NAMES.items() if name in self.numbers]
        defined = AND.join(f"{NAMES[key]}_defined {c}" for key in keys)
        positive = AND.join(f"0 < {NAMES[key]} {c}" for key in keys)
        known = "intros Hc. unfold claimed in Hc. take_apart."
        definedness, positivity = [], []
        for key in keys:
            rows, name = self.claims.of(f"{key} positive"), NAMES[key]
            says = closing([self.claims.use(row, {}, "says") for row in rows])
            definedness.append(f"  - unfold {name}_defined. {says}.")
            positivity.append(f"  - unfold {name}. {closing([self.claims.use(row, {}) for row in rows])}.")
        self._add(
            *("Ltac says L :=", "  let F := fresh in", f"  pose proof L as F; {SAYS}.", ""),
            *(f"Lemma all_defined {c} : claimed {c} -> {defined}.", f"Proof.\n  {known} parts."),
            *(*definedness, "Qed.", ""),
            *(f"Lemma all_positive {c} : claimed {c} -> {positive}.", f"Proof.\n  {known} parts."),
            *(*positivity, "Qed.", ""),
        )

    def _statements(self) -> dict[str, str]:
        """The conditions as the library has them, by the names of their claims."""
        c = self.binders
        s, alpha = f"scale_of {c}", f"coefficient {c}"
        found = {}
        bound, share = (self.printer.smooth(one) for one in (self.target.bound, self.entropy.share))
        is_gradient = self.theorem.update == "gradient"
        if is_gradient:
            found["modulus"] = f"rate {c} * {s} <= {self.printer.smooth(self.entropy.strength)}"
            if "regret" in self.numbers:
                found["follows"] = f"{alpha} / (2 * rate {c}) <= regret {c}"
        step = f"(regret {c} / {alpha})"
        if self.is_convolved:
            slope = f"rate {c} * {s}" if is_gradient else f"{s} / (2 * {step})"
            return {**found, "step": f"{slope} <= 2 * {share}", "unit": f"1 <= {alpha} * {s}"}
        kappa = f"(rate {c} * {s} ^ 2 / 2)" if is_gradient else f"({s} ^ 2 / (4 * {step}))"
        found["criterion"] = f"{bound} + {alpha} * {kappa} <= {alpha} * {s} * {share}"
        return found

    # --- the theorem ----------------------------------------------------------------------------------------------

    def _whole(self) -> None:
        n, at = self.size, self.at
        name = f"{self.module}_whole"
        problem = " ".join(["problem", n, *self.others, "mu"])
        premises = [*self._ranges(), "0 < X"]
        defined = AND.join(f"{one}_defined {at}" for one in self.numbers)
        positive = reduce(lambda rest, name: f"[{name} {rest}]", [f"H_{name}" for name in self.numbers][::-1])
        costs = [self._here(self.target.least_proof), "reflexivity"]  # and what is left of the entropy
        costs = costs if self.is_convolved else [self._here(self.target.proof)]
        self._add(
            f"Theorem {name} : forall ({n} : nat){self.quantified} (X : R), {' -> '.join(premises)} ->",
            f"  ({defined}) /\\",
            f"  (exists {PREDICTION}, attained ({problem})) /\\",
            f"  (forall {PREDICTION}, attained ({problem}) ->",
            f"    {self._guarantee(problem)}).",
            "Proof.",
            f"  intros {n} {' '.join(self.others)} X {' '.join(f'P{i}' for i, _ in enumerate(premises[:-1]))} HX.",
            f"  assert (Hc : claimed {at}) by (apply size_claimed; assumption).",
            f"  split; [exact (all_defined {at} Hc)|]. destruct (all_positive {at} Hc) as {positive}.",
            f"  unfold problem. apply ({self._applied()}).",
            f"  - {self._suits(self._here)}.",
            *(f"  - {step}." for step in (*costs, *self._steps())),
            "Qed.",
            f"Print Assumptions {name}.",
        )

    def _guarantee(self, problem: str) -> str:
        at = self.at
        if self.theorem.update == "proximal":
            step = f"(regret {at} / coefficient {at})"
            return f"attainable (surrogate_problem ({problem})) X (coefficient {at}) {step}"
        regret = f"regret {at}" if "regret" in self.numbers else f"coefficient {at} / (2 * rate {at})"
        return f"structured_guarantee ({problem}) X (rate {at}) (coefficient {at}) ({regret} * X ^ 2)"

    def _applied(self) -> str:
        """The library's theorem, at what it is about."""
        n, steps = self.size, "gradient_steps" if self.theorem.update == "gradient" else "proximal_steps"
        strength, share = (self.printer.smooth(one) for one in (self.entropy.strength, self.entropy.share))
        problem = self._here(f"{self.outputs.count} {{size}} (output_of {n}) (cost_of {n})")
        if self.is_convolved:
            entropies = f"(fun m => {self._core(self._here)}) (entropy_of {n}) (least_of {n})"
            return f"convolved_{steps} {problem} {entropies} {strength} {share}"
        bound = self.printer.smooth(self.target.bound).replace(self.real, f"(INR {n})")
        return f"{steps} {problem} (entropy_of {n}) {strength} {share} {bound}"

    def _steps(self) -> Iterator[str]:
        """What the library's theorem asks of the numbers, in its order."""
        at = self.at
        yield from ("exact HX", "exact H_scale_of")
        if self.theorem.update == "gradient":
            yield from ("exact H_rate", "exact H_coefficient")
            yield f"exact (modulus_holds {at} Hc)"
            yield from self._compared()
            yield f"exact (follows_holds {at} Hc)" if "regret" in self.numbers else "apply Rle_refl"
            return
        yield from ("exact H_coefficient", "exact (Rdiv_lt_0_compat _ _ H_regret H_coefficient)")
        yield from self._compared()

    def _compared(self) -> Iterator[str]:
        """The numbers against those of the library."""
        for name in ("step", "unit") if self.is_convolved else ("criterion",):
            yield f"exact ({name}_holds {self.at} Hc)"
