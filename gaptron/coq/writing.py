"""What developments of all kinds of losses share: definitions, definedness, and functions taken apart."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce

from gaptron.coq.bandit_feedback import VARIABLES, Tuning
from gaptron.coq.functions import Printer
from gaptron.coq.prediction import constants_known, prediction_of
from gaptron.coq.proved import Claims, closing, splitting
from gaptron.coq.real_terms import AND
from gaptron.coq.script import OutOfScopeError
from gaptron.door.reading import variable
from gaptron.guesses.computer_algebra import SympyGuesses
from gaptron.language.expressions import Expression
from gaptron.obligations import reduction_of
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.pieces import Piece, Region, first_split
from gaptron.obligations.sequents import class_conditions
from gaptron.obligations.setting import OWN
from gaptron.obligations.softmax_losses import PROBABILITY
from gaptron.theory import for_classes
from gaptron.theory.for_classes import checked, data_of, eta_of
from gaptron.theory.losses import Loss, MarginLoss, SoftmaxLoss
from gaptron.theory.theorem import Theorem

COVERAGE = "coverage"
NAMES = ("K", "m", "p", "z", "b", "s", "t", "q", *VARIABLES)  # of variables, beside the parameters
OF_GAMES = "BanditDefinitions BanditTheorem BanditMargins BanditSoftmax ExploringSound Tuning"  # modules
OR = " \\/\n  "
EMPTY = "(exfalso; lra)"


@dataclass(frozen=True)
class Function:
    """A function of the theorem file: its name in Coq, its expression, its variable (None: of K alone), its domain."""

    name: str
    expr: Expression
    variable: str | None = None
    domain: Region = ()
    defined_by: str = ""  # the obligation that says that it is defined


def functions_of(loss: Loss) -> list[Function]:
    """phi and perhaps its threshold, plus and minus, or psi."""
    domain = PROBABILITY if isinstance(loss, SoftmaxLoss) else ()
    found = [Function(*function, domain, "loss/defined") for function in for_classes.functions_of(loss)]
    beta = loss.off_above if isinstance(loss, MarginLoss) else None
    more = [] if beta is None else [Function("threshold", checked("off_above", beta), defined_by="off_above/defined")]
    return [*found, *more]


class Development:
    """A file that is being written, about one theorem. Every lemma is for all classes and parameters ``claimed``."""

    theory = ""  # the module of the library's theorem
    kind = ""  # its name among the theorems about bandit feedback
    also_known = ""  # tactics at the end of ``start``
    dimensions = "d"  # those that the guarantee speaks of, beside K
    refutations = "RefutationDefinitions Refutations"  # the modules of a refutation

    def __init__(self, theorem: Theorem, claims: Claims, module: str, is_refuted: bool = False) -> None:
        self.theorem, self.claims, self.module, self.is_refuted = theorem, claims, module, is_refuted
        self.classes, self.guesses, data = class_conditions(theorem), SympyGuesses.of(theorem), data_of(theorem)
        self.parameters = tuple(map(variable, theorem.parameters))
        self.printer = Printer([*(OWN[name] for name in NAMES), *self.parameters])
        self.k = self.printer.name("K")
        self.others = [self.printer.name(parameter.name) for parameter in self.parameters]
        self.binders = " ".join([self.k, *self.others])
        self.blanks = " ".join("_" for _ in (self.k, *self.others))
        self.quantified = "".join(f" ({name} : R)" for name in self.others)
        self.lines: list[str] = []
        is_game = theorem.feedback == "bandit"
        eta, regret = (None, None) if is_game else (eta_of(theorem), data.get("regret"))
        if eta is None and theorem.update == "gradient" and not is_game:
            raise OutOfScopeError("neither a learning rate nor a regret is given")
        self.functions: list[Function] = []
        if theorem.decoder == "gap map":
            domain = reduction_of(theorem).tops
            top = "p" if "p" in domain[0].names else "m"
            self.a = Function("gap_map_of", data["gap_map"], top, domain, "gap map/defined")
            self.functions.append(self.a)
        if eta is not None:
            self.eta = Function("rate", eta, defined_by="learning rate/defined")
            self.functions.append(self.eta)
        self.regret = None if regret is None else Function("regret", regret, None, (), "regret/defined")
        if self.regret is not None:
            self.functions.append(self.regret)
        cost, self.prediction = data.get("abstention_cost"), prediction_of(theorem)
        self.cost = None if cost is None else Function("abstention_cost", cost, None, (), "abstention cost/defined")
        if self.cost is not None:
            self.functions.append(self.cost)
        self.tuning = Tuning(self, theorem) if is_game else None
        self.pieces: dict[str, list[Piece]] = {}

    def add(self, *lines: str) -> None:
        """More lines."""
        self.lines += lines

    def uses(self, *prefixes: str, at: Mapping[str, str] | None = None, first: Sequence[str] = ()) -> str:
        """A tactic that closes the goal by one of some claims, or because the case is empty."""
        return closing(*first, EMPTY, self.claims.attempts(*prefixes, at=at), self.claims.attempts(COVERAGE, at=at))

    # --- the beginning --------------------------------------------------------------------------------------------

    def read_first(self) -> None:
        """What the file needs."""
        self.add(
            "Require Import Reals Lra Lia List.",
            "From Gaptron Require Import Definitions Subgradients Derivatives Convexity Pieces Joins Signs Cases.",
            f"From Gaptron Require Import {self.theory} {self.module}_claims.",
            *(
                [f"From Gaptron Require Import {self.refutations}{self.prediction.refutations}."]
                if self.is_refuted
                else []
            ),
            *([] if self.tuning is None else [f"From Gaptron Require Import {OF_GAMES}."]),
            f"From Gaptron Require Import {self.prediction.modules}.",
            "Import ListNotations.",
            "Open Scope R_scope.",
            "",
        )

    def open(self) -> None:
        """What the file needs, what is claimed, the functions, and that they are defined and perhaps in pieces."""
        self.read_first()
        self._claimed()
        for function in self.functions:
            self.define(function)
        for function in self.functions:
            self._is_defined(function)
        if self.cost is not None:
            constants = [function.name for function in self.functions if function.variable is None]
            self.add(*constants_known(constants, self.blanks))
        for function in self.functions if self.is_refuted else ():
            self._cases(function)

    def ranges(self) -> Iterator[str]:
        """What is claimed of K and the parameters, as premises."""
        yield f"({self.theorem.first_class_count} <= K)%nat"
        if self.theorem.last_class_count is not None:
            yield f"(K <= {self.theorem.last_class_count})%nat"
        yield from self.parameter_ranges()

    def parameter_ranges(self) -> Iterator[str]:
        """What is claimed of the parameters."""
        for parameter, name in zip(self.parameters, self.others, strict=True):
            if parameter.low is not None:
                yield f"{self.printer.smooth(parameter.low)} <= {name}"
            if parameter.high is not None:
                yield f"{name} <= {self.printer.smooth(parameter.high)}"

    def _claimed(self) -> None:
        parts = [f"integer {self.k}", *map(self.printer.relation, self.classes), *self.parameter_ranges()]
        if self.theorem.first_class_count == 2:
            parts.append(f"({self.k} = 2 \\/ 3 <= {self.k})")
        blanks = self.blanks
        premises = " -> ".join(self.ranges())
        self.add(
            f"Definition claimed ({self.binders} : R) : Prop :=\n  {AND.join(parts)}.",
            "",
            *([] if self.cost is None else ["Ltac known := idtac.", ""]),
            "Ltac start :=",
            "  intros;",
            f"  try match goal with H : claimed {blanks} |- _ => rename H into Hc end;",
            f"  lazymatch goal with H : claimed {blanks} |- _ =>",
            "    let Hk := fresh in assert (Hk := H); unfold claimed in Hk end;",
            f"  {self.prediction.start}{self.also_known}.",
            "",
            f"Lemma classes_of {self.binders} : claimed {self.binders} -> {self.k} = 2 \\/ 3 <= {self.k}.",
            "Proof. start. first [assumption | left; lra | right; lra]. Qed.",
            "",
            f"Lemma classes_claimed (K : nat){self.quantified} :",
            f"  {premises} -> claimed {' '.join(['(INR K)', *self.others])}.",
            "Proof.",
            "  intros. unfold claimed.",
            "  repeat split; try apply integer_INR; try (apply two_or_more; lia); try assumption;",
            "    first [apply IZR_le_INR; lia | apply INR_le_IZR; lia].",
            "Qed.",
            "",
        )

    def define(self, function: Function) -> None:
        """A function, and what it means that it is defined."""
        self.add(*self.printer.defining(function.name, self.arguments(function), function.expr))

    def _is_defined(self, function: Function) -> None:
        self.lemma(f"{function.name}_is_defined", function, f"{function.name}_defined {self.arguments(function)}")
        uses = self.uses(function.defined_by, "learning rate/positive", first=("exact I", "side"))
        self.add(f"Proof. start. unfold {function.name}_defined. split_cases; parts; {uses}. Qed.", "")

    # --- functions ------------------------------------------------------------------------------------------------

    def arguments(self, function: Function) -> str:
        """The parameters, and the variable if there is one."""
        return self.binders + ("" if function.variable is None else f" {self.printer.name(function.variable)}")

    def lemma(self, name: str, function: Function, conclusion: str) -> None:
        """The statement of a lemma about a function."""
        premises = [f"claimed {self.binders}", *map(self.printer.relation, function.domain)]
        self.add(
            f"Lemma {name} ({self.arguments(function)} : R) :", f"  {' -> '.join(premises)} ->", f"  {conclusion}."
        )

    def _cases(self, function: Function) -> None:
        """That the function has the values of its pieces where they are, and that they are everywhere."""
        pieces = Coverage(self.guesses).pieces(function.expr, (*function.domain, *self.classes))
        self.pieces[function.name] = pieces
        call = f"({function.name} {self.arguments(function)})"
        cases = [
            AND.join([*map(self.printer.relation, piece.conditions), f"{call} = {self.printer.smooth(piece.value)}"])
            for piece in pieces
        ]
        self.lemma(f"{function.name}_cases", function, OR.join(f"({case})" for case in cases))
        chosen = [f"({choice}solve [parts; {closing('side', 'equal')}])" for choice in choices(len(cases))]
        uses = [f"(exfalso; {use})" for use in self.claims.attempts(COVERAGE)]
        known, by = self._where_split(function)
        self.add(
            f"Proof. start. {known}unfold {function.name}. split_cases; {by}{closing(chosen, EMPTY, uses)}. Qed.", ""
        )

    def _where_split(self, function: Function) -> tuple[str, str]:
        """Tactics before and after the cases of a function that it has a value: they say what a root of it needs."""
        if first_split(function.expr) is None or self.printer.defined(function.expr) == "True":
            return "", ""
        sides = " ltac:(side)" * len(function.domain)
        known = f"pose proof ({function.name}_is_defined {self.arguments(function)} Hc{sides}) as F"
        return f"{known}; unfold {function.name}_defined in F; revert F; ", "intro F; take_apart; "

    def apart(
        self, function: Function, equation: str, at: str = "", rewrite: str = "rewrite {}", c: str | None = None
    ) -> str:
        """Tactics that go through the cases of a function, its value there under a name, and put in.

        ``c`` are the classes and parameters, if they are not those of the lemma.
        """
        place = f" {at}" if function.variable is not None else ""
        known = f"({function.name}_cases {c or self.binders}{place} Hc{' ltac:(side)' * len(function.domain)})"
        pieces = self.pieces[function.name]
        verb = "pose proof" if len(pieces) == 1 and not pieces[0].conditions else "destruct"
        put = rewrite.format(equation)
        return f"{verb} {known} as {_pattern(pieces, equation)}{'; ' if put else ''}{put}"

    # --- what every kind of loss needs -----------------------------------------------------------------------------

    def free(self, name: str) -> str:
        """A name for a number, that of no parameter."""
        while name in self.others:
            name += "'"
        return name

    def is_positive(self, function: Function, obligation: str) -> None:
        """By the claims of this obligation."""
        c, name = self.binders, function.name
        self.add(
            f"Lemma {name}_is_positive {c} : claimed {c} -> 0 < {name} {c}.",
            f"Proof. start. {self.apart(function, 'E')}; {self.uses(obligation, first=('lra',))}. Qed.",
            "",
        )

    def regret_of(self, c: str) -> str:
        """The coefficient of X^2 ||U||^2: as claimed, or else the one that the lemma gives."""
        return f"(1 / (2 * rate {c}))" if self.regret is None else f"(regret {c})"

    def whole(self, guarantee: str, apply: str, fixed: str | None = None, sharp: tuple[str, str] | None = None) -> None:
        """The theorem: everything is defined, the guarantee, and perhaps that no larger learning rate will do."""
        c = " ".join([fixed or "(INR K)", *self.others])
        premises = [*(self.ranges() if fixed is None else self.parameter_ranges()), "0 < X"]
        defined, proof = self.all_defined(c)
        name = f"{self.module}_whole"
        guaranteed = self.prediction.guarantee.format(guarantee.format(c), c)
        hypotheses = " ".join(f"P{i}" for i, _ in enumerate(premises[:-1]))
        count = " ".join([*(["K"] if fixed is None else []), *self.dimensions.split()])
        known = "classes_claimed" if fixed is None else "classes_claimed 2"
        self.add(
            f"Theorem {name} : forall {count}{self.quantified} (X : R), {' -> '.join(premises)} ->",
            f"  ({defined}) /\\",
            f"  {guaranteed} X {self.rates_of(c)}"
            + (f" /\\\n  ({sharp[0].format(c, fixed or '(INR K)')})." if sharp else "."),
            "Proof.",
            f"  intros {count} {' '.join(self.others)} X {hypotheses} HX.",
            f"  assert (Hc : claimed {c}) by (apply ({known}); first [assumption | lia]).",
            f"  split; [{proof}|].",
            f"  {f'split; [{apply.format(c)} | {sharp[1].format(c)}]' if sharp else apply.format(c)}.",
            "Qed.",
            f"Print Assumptions {name}.",
        )

    def rates_of(self, c: str) -> str:
        """The last arguments of the guarantee."""
        return f"(rate {c} / X ^ 2) (linear ({self.regret_of(c)} * X ^ 2))"

    def divided_by(self, c: str) -> list[tuple[str, str]]:
        """That these are not zero, with the tactics that prove it."""
        rate = (f"rate {c} <> 0", f"apply positive_nonzero, (rate_is_positive {c} Hc)")
        return [*([rate] if self.tuning is None else []), ("X ^ 2 <> 0", "apply pow_nonzero; lra")]

    def all_defined(self, c: str) -> tuple[str, str]:
        """That all functions are defined, and what is divided by is not zero, with the tactic that proves it."""
        rows = [*(self.defined_at(function, c) for function in self.functions), *self.divided_by(c)]
        statements, proofs = zip(*rows, strict=True)
        return AND.join(statements), splitting(proofs)

    def defined_at(self, function: Function, c: str) -> tuple[str, str]:
        """That a function is defined on its domain, and the tactic that proves it."""
        if function.variable is None:
            return f"{function.name}_defined {c}", f"exact ({function.name}_is_defined {c} Hc)"
        variable = self.printer.name(function.variable)
        domain = [
            self.printer.relation(relation).replace(self.k, c.split(")")[0] + ")" if c[0] == "(" else "2")
            for relation in function.domain
        ]
        names = " ".join(f"D{i}" for i, _ in enumerate(domain))
        premise = "".join(f"{relation} -> " for relation in domain)
        return (
            f"(forall {variable}, {premise}{function.name}_defined {c} {variable})",
            f"intros {variable} {names}; exact ({function.name}_is_defined {c} {variable} Hc {names})",
        )

    def text(self) -> str:
        """The whole file."""
        return "\n".join(self.lines) + "\n"


def choices(count: int) -> list[str]:
    """How to choose each of some disjuncts."""
    return ["right; " * i + ("left; " if i < count - 1 else "") for i in range(count)]


def _pattern(pieces: list[Piece], equation: str) -> str:
    """The pattern of a cases lemma: the conditions, and the equation under its name."""
    found = []
    for piece in pieces:
        conditions = [f"{equation}_{i}" for i, _ in enumerate(piece.conditions)]
        found.append(f"({' & '.join([*conditions, equation])})" if conditions else equation)
    return reduce(lambda rest, case: f"[{case} | {rest}]", reversed(found))
