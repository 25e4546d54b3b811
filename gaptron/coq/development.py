"""A proved theorem as a Coq development: its definitions as written, its claims from certificates, the whole guarantee.

The statement is printed from the theorem file alone. Each condition of the library's theorem is proved by taking the
functions apart (``proofs/coq/Cases.v``) and using the claims of the obligation that is about the case.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import sympy as sp

from gaptron.coq.functions import Printer
from gaptron.coq.proved import Claims, closing
from gaptron.coq.script import UntranslatedError
from gaptron.coq.terms import identifier, number
from gaptron.kernel import Certificate
from gaptron.kernel.terms import Term, names
from gaptron.losses import BinaryLoss, MarginLoss, SoftmaxLoss
from gaptron.obligations import Obligation
from gaptron.obligations.claims import class_conditions
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.gap import q, s, t
from gaptron.obligations.loss import b
from gaptron.obligations.parameters import gap_map_domain
from gaptron.obligations.pieces import Piece, Region
from gaptron.symbols import K, m, p, z
from gaptron.theorem import Theorem

ONE = sp.Integer(1)
COVERAGE = "coverage"
AND = " /\\ "
OR = " \\/\n  "


class OutOfScopeError(Exception):
    """A theorem that the library does not speak of, and why."""


@dataclass(frozen=True)
class Whole:
    """A development: its files, and the module and theorem to look at."""

    files: dict[str, str]
    module: str
    theorem: str


def development(theorem: Theorem, proved: Mapping[str, tuple[Obligation, Certificate]]) -> Whole:
    """Files that compile with the library: the claims with their proofs, and the whole theorem.

    Parameters
    ----------
    theorem : Theorem
    proved : obligation and certificate by the obligation's name
        All of the theorem's obligations.

    Raises
    ------
    OutOfScopeError
        If the library has no theorem for it.
    UntranslatedError
        If a certificate has no translation.
    """
    _check_scope(theorem)
    claims = Claims()
    for obligation, certificate in proved.values():
        claims.add(obligation, certificate)
    module = f"T_{identifier(theorem.name)}"
    text = _Margin(theorem, claims, module).text()
    return Whole({f"{module}_claims.v": claims.text, f"{module}.v": text}, module, f"{module}_whole")


def _check_scope(theorem: Theorem) -> None:
    if theorem.feedback != "full":
        raise OutOfScopeError("the library is about full information")
    if theorem.abstention_cost is not None:
        raise OutOfScopeError("the library is not about abstention")
    if theorem.decoder != "gap map":
        raise OutOfScopeError("the library is about gap maps")
    if isinstance(theorem.loss, (BinaryLoss, SoftmaxLoss)):
        raise OutOfScopeError(f"the whole theorem of a {type(theorem.loss).__name__} is not written yet")


@dataclass(frozen=True)
class Function:
    """A function of the theorem file: its name in Coq, its expression, and its variable (None: of K alone)."""

    name: str
    expr: sp.Expr
    variable: sp.Symbol | None = None
    domain: Region = ()


class Development:
    """The parts that all kinds of losses share."""

    def __init__(self, theorem: Theorem, claims: Claims, module: str) -> None:
        self.theorem, self.claims, self.module = theorem, claims, module
        self.classes = class_conditions(theorem)
        self.printer = Printer({K, m, p, z, b, s, t, q, *theorem.parameters})
        self.parameters = (K, *theorem.parameters)
        self.binders = " ".join(self.printer.symbol(symbol) for symbol in self.parameters)
        self.lines: list[str] = []

    def call(self, function: Function, at: str | None = None) -> str:
        """The function at its parameters, and at a value of its variable."""
        variable = "" if function.variable is None else f" {at or self.printer.symbol(function.variable)}"
        return f"({function.name} {self.binders}{variable})"

    def add(self, *lines: str) -> None:
        """More lines."""
        self.lines += lines

    # --- definitions ----------------------------------------------------------------------------------------------

    def claimed(self) -> None:
        """For which classes and parameters."""
        k = self.printer.symbol(K)
        parts = [f"integer {k}", f"({k} = 2 \\/ 3 <= {k})", *map(self.printer.relation, self.classes)]
        if self.theorem.first_class_count > 2:
            parts = [f"integer {k}", *map(self.printer.relation, self.classes)]
        for parameter in self.theorem.parameters:
            name = self.printer.symbol(parameter)
            if parameter.low is not None:
                parts.append(f"{self.printer.smooth(parameter.low)} <= {name}")
            if parameter.high is not None:
                parts.append(f"{name} <= {self.printer.smooth(parameter.high)}")
        self.add(f"Definition claimed ({self.binders} : R) : Prop :=", f"  {AND.join(parts)}.", "")
        blanks = " ".join("_" for _ in self.parameters)
        self.add(
            "Ltac start :=",
            "  intros;",
            f"  try match goal with H : claimed {blanks} |- _ => rename H into Hc end;",
            f"  lazymatch goal with H : claimed {blanks} |- _ =>",
            "    let Hk := fresh in assert (Hk := H); unfold claimed in Hk end;",
            "  take_apart; positively.",
            "",
            f"Lemma classes_of {self.binders} : claimed {self.binders} -> {k} = 2 \\/ 3 <= {k}.",
            "Proof. start. first [assumption | right; lra]. Qed.",
            "",
        )
        others = [self.printer.symbol(parameter) for parameter in self.theorem.parameters]
        count = "".join(f" ({name} : R)" for name in others)
        ranges = list(self._ranges())
        self.add(
            f"Lemma classes_claimed (K : nat){count} :",
            f"  {' -> '.join(ranges)} -> claimed {' '.join(['(INR K)', *others])}.",
            "Proof.",
            "intros. unfold claimed. repeat split; try apply integer_INR; try (apply two_or_more; lia); try assumption;",
            "  first [apply IZR_le_INR; lia | apply INR_le_IZR; lia].",
            "Qed.",
            "",
        )

    def _ranges(self) -> Iterator[str]:
        """What is claimed of K and the parameters, as hypotheses."""
        first, last = self.theorem.first_class_count, self.theorem.last_class_count
        yield f"({first} <= K)%nat"
        if last is not None:
            yield f"(K <= {last})%nat"
        for parameter in self.theorem.parameters:
            name = self.printer.symbol(parameter)
            if parameter.low is not None:
                yield f"{self.printer.smooth(parameter.low)} <= {name}"
            if parameter.high is not None:
                yield f"{name} <= {self.printer.smooth(parameter.high)}"

    def define(self, function: Function) -> None:
        """The function, and that it is defined."""
        arguments = self.binders
        if function.variable is not None:
            arguments += f" {self.printer.symbol(function.variable)}"
        self.add(f"Definition {function.name} ({arguments} : R) : R :=", f"  {self.printer.function(function.expr)}.")
        self.add(
            f"Definition {function.name}_defined ({arguments} : R) : Prop :=",
            f"  {self.printer.defined(function.expr)}.",
            "",
        )

    def defined_lemma(self, function: Function, *prefixes: str) -> None:
        """That it is."""
        lemma = f"{function.name}_is_defined"
        self.add(self.lemma(lemma, function.domain, f"{function.name}_defined {self.arguments(function)}", function))
        attempts = closing("exact I", "side", self.claims.attempts(*prefixes, COVERAGE))
        self.add(f"Proof. start. unfold {function.name}_defined. split_cases; parts; {attempts}. Qed.", "")

    def arguments(self, function: Function) -> str:
        """The parameters, and the variable if there is one."""
        return self.binders + ("" if function.variable is None else f" {self.printer.symbol(function.variable)}")

    def lemma(self, name: str, domain: Region, conclusion: str, function: Function | None = None, more: str = "") -> str:
        """The statement of a lemma about a function, for what is claimed."""
        variables = self.binders if function is None else self.arguments(function)
        premises = [f"claimed {self.binders}", *(self.printer.relation(relation) for relation in domain)]
        return f"Lemma {name} {variables}{more} :\n  {' -> '.join(premises)} ->\n  {conclusion}."

    # --- functions in pieces --------------------------------------------------------------------------------------

    def cases(self, function: Function) -> list[Piece]:
        """Its pieces, with the lemma that there is no other case."""
        pieces = Coverage().pieces(function.expr, (*function.domain, *self.classes))
        cases = [
            AND.join([*map(self.printer.relation, piece.conditions), f"{self.call(function)} = {self.value(piece)}"])
            for piece in pieces
        ]
        disjunction = OR.join(f"({case})" for case in cases)
        self.add(self.lemma(f"{function.name}_cases", function.domain, disjunction, function))
        chosen = [
            f"({choice}solve [parts; {closing('side', 'equal')}])" for choice in self._choices(len(cases))
        ]
        nowhere = ["(exfalso; lra)", *(f"(exfalso; {use})" for use in self.claims.attempts(COVERAGE))]
        self.add(f"Proof. start. unfold {function.name}. split_cases; {closing(chosen, nowhere)}. Qed.", "")
        return pieces

    @staticmethod
    def _choices(count: int) -> list[str]:
        if count == 1:
            return [""]
        return ["right; " * i + ("left; " if i < count - 1 else "") for i in range(count)]

    def value(self, piece: Piece) -> str:
        """The expression of a piece."""
        return self.printer.smooth(piece.value)

    @staticmethod
    def pattern(pieces: list[Piece], equation: str) -> str:
        """The pattern of a cases lemma, the equation under a name."""
        found = [
            f"({' & '.join([*(f'{equation}_{i}' for i, _ in enumerate(piece.conditions)), equation])})"
            for piece in pieces
        ]
        if len(found) == 1 and not pieces[0].conditions:
            return equation
        found = [case if piece.conditions else equation for case, piece in zip(found, pieces, strict=True)]
        nested = found[-1]
        for case in reversed(found[:-1]):
            nested = f"[{case} | {nested}]"
        return nested


class _Margin(Development):
    """phi(m), a(m*), and the conditions of ``margin_theorem``."""

    def __init__(self, theorem: Theorem, claims: Claims, module: str) -> None:
        super().__init__(theorem, claims, module)
        assert isinstance(theorem.loss, MarginLoss)  # noqa: S101
        eta = theorem.eta()
        if eta is None:
            raise OutOfScopeError("neither a learning rate nor a regret is given")
        self.phi = Function("phi", theorem.loss.phi, m)
        self.a = Function("gap_map_of", theorem.gap_map.expression, m, gap_map_domain(theorem))
        self.eta = Function("rate", eta)
        self.regret = Function("regret", theorem.regret if theorem.regret is not None else 1 / (2 * eta))
        self.beta = None if theorem.loss.off_above is None else Function("threshold", theorem.loss.off_above)
        self.functions = [f for f in (self.phi, self.a, self.beta, self.eta, self.regret) if f is not None]
        self.smooth = Coverage().smooth(self.phi.expr, m, self.classes)
        self.points = Coverage().points(self.phi.expr, m, self.classes)

    def text(self) -> str:
        """The file."""
        self.add(*HEAD, f"From Gaptron Require Import {self.module}_claims.", "Open Scope R_scope.", "", *TACTICS)
        self.claimed()
        for function in self.functions:
            self.define(function)
        prefixes = {"phi": "loss/defined", "gap_map_of": "gap map/defined", "threshold": "off_above/defined"}
        prefixes |= {"rate": "learning rate/defined", "regret": "regret/defined"}
        for function in self.functions:
            self.defined_lemma(function, prefixes[function.name], "learning rate/positive")
        self.pieces = {function.name: self.cases(function) for function in self.functions}
        self._values()
        self._tangents()
        self._pieces()
        self._gaps()
        self._conditions()
        self._theorem()
        return "\n".join(self.lines) + "\n"

    # --- the loss -------------------------------------------------------------------------------------------------

    def closed(self, piece: Piece, at: Mapping[Term, str] | None = None) -> str:
        """Where the closure of a piece is."""
        del at
        return AND.join(map(self.printer.relation, piece.closed(m))) or "True"

    def slope(self, piece: Piece) -> str:
        """The derivative of a piece."""
        return self.printer.smooth(sp.diff(piece.value, m))

    def _values(self) -> None:
        """On the closure of each piece phi is its value: where pieces meet, by their tangents."""
        for number_, piece in enumerate(self.smooth):
            statement = f"{self.closed(piece)} -> {self.call(self.phi)} = {self.value(piece)}"
            self.add(self.lemma(f"phi_value_{number_}", (), statement, self.phi))
            apply = self._destruct(self.phi, "E", "v_m")
            at = {"b": "v_m"}
            uses = closing(self.claims.attempts("loss/convex", at=at), self.claims.attempts(COVERAGE))
            attempts = closing("equal", "(exfalso; lra)", f"(apply Rle_antisym; {uses})", uses)
            self.add(f"Proof. start. {apply}; take_apart; {attempts}. Qed.", "")

    def _tangents(self) -> None:
        """On the closure of each piece its slope is a subgradient of phi."""
        for number_, piece in enumerate(self.smooth):
            statement = f"{self.closed(piece)} -> subgradient (phi {self.binders}) v_m {self.slope(piece)}"
            self.add(self.lemma(f"phi_tangent_{number_}", (), statement, self.phi))
            attempts = closing("(exfalso; lra)", self.claims.attempts("loss/convex"))
            self.add(
                f"Proof. start. intro v_b. rewrite (phi_value_{number_} {self.binders} v_m) by (side || tauto).",
                f"{self._destruct(self.phi, 'E', 'v_b')}; take_apart; {attempts}. Qed.",
                "",
            )

    def _pieces(self) -> None:
        """phi in closed pieces, as the library wants it."""
        parts = ";\n  ".join(f"(fun v_m => {self.closed(p)}, fun v_m => {self.slope(p)})" for p in self.smooth)
        self.add(f"Definition phi_parts ({self.binders} : R) : pieces := [", f"  {parts}", "].", "")
        self.add(f"Lemma phi_pieces {self.binders} : claimed {self.binders} -> every (piece (phi {self.binders})) (phi_parts {self.binders}).")
        self.add("Proof. intro Hc. unfold phi_parts. every_piece.")
        for number_ in range(len(self.smooth)):
            self.add(
                "- split; [closed_region; continuous_side | intros v_m Hm; start; continuous; continuous_side |].",
                f"  intros v_m Hm. exact (phi_tangent_{number_} {self.binders} v_m Hc Hm).",
            )
        self.add("Qed.", "")
        self.add(f"Lemma phi_covered {self.binders} : claimed {self.binders} -> forall v_m, some (fun C _ => C v_m) (phi_parts {self.binders}).")
        choices = [f"({choice}solve [parts; first [exact I | side]])" for choice in self._choices(len(self.smooth) + 1)[:-1]]
        self.add(
            "Proof. intros Hc v_m. unfold phi_parts; cbn [some].",
            f"{self._destruct(self.phi, 'E', 'v_m').rpartition(';')[0]}; start; {closing(choices)}. Qed.",
            "",
        )

    # --- the gap --------------------------------------------------------------------------------------------------

    def _destruct(self, function: Function, equation: str, at: str = "") -> str:
        """Take a function apart, its value under a name."""
        place = f" {at}" if function.variable is not None else ""
        premises = " ltac:(side)" * len(function.domain)
        pattern = self.pattern(self.pieces[function.name], equation)
        verb = "pose proof" if pattern == equation else "destruct"
        return f"{verb} ({function.name}_cases {self.binders}{place} Hc{premises}) as {pattern}; rewrite {equation}"

    def _gaps(self) -> None:
        c = self.binders
        k = self.printer.symbol(K)
        self.add(f"Lemma rate_is_positive {c} : claimed {c} -> 0 < rate {c}.")
        uses = closing("lra", self.claims.attempts("learning rate/positive"), self.claims.attempts(COVERAGE))
        self.add(f"Proof. start. {self._destruct(self.eta, 'E')}; {uses}. Qed.", "")
        on = "" if self.beta is None else f" -> v_m <= threshold {c}"
        apply = f"apply (pieces_gap _ _ (phi_pieces {c} Hc) (phi_covered {c} Hc) {{}} v_g); [exact (Rlt_le _ _ (rate_is_positive {c} Hc)) | | exact Hg]; clear Hg"
        self.add(
            f"Lemma right_gap {c} v_m v_g : claimed {c} -> 0 <= v_m{on} -> subgradient (phi {c}) v_m v_g ->",
            f"  {self.call(self.a)} * ({k} - 1) / {k} - {self.call(self.phi)} + rate {c} * v_g ^ 2 <= 0.",
            f"Proof. intros Hc Hm {'Hon ' if self.beta else ''}Hg. {apply.format('v_m')}. unfold phi_parts. every_piece.",
        )
        steps = f"start; {self._destruct(self.a, 'Ea', 'v_m')}; {self._destruct(self.eta, 'Er')}"
        if self.beta is not None:
            steps += f"; {self._destruct(self.beta, 'Eb')} in Hon"
        uses = closing("(exfalso; lra)", self.claims.attempts("gap/right"), self.claims.attempts(COVERAGE))
        for n in range(len(self.smooth)):
            self.add(f"- intro Hp. rewrite (phi_value_{n} {c} v_m Hc Hp). {steps}; {uses}.")
        self.add("Qed.", "")
        if self.beta is not None:
            steps = f"start; {self._destruct(self.a, 'Ea', 'v_m')}; {self._destruct(self.beta, 'Eb')} in Hoff"
            self.add(
                f"Lemma off_gap {c} v_m : claimed {c} -> 0 <= v_m -> threshold {c} < v_m ->",
                f"  {self.call(self.a)} * ({k} - 1) / {k} <= 0.",
                f"Proof. intros Hc Hm Hoff. {steps}; {uses}. Qed.",
                "",
            )
        self._wrong(apply)

    def _wrong(self, apply: str) -> None:
        c, k = self.binders, self.printer.symbol(K)
        self.add(
            f"Lemma wrong_gap {c} v_s v_t v_g : claimed {c} -> 0 <= v_s <= v_t -> ({k} = 2 -> v_s = v_t) ->",
            f"  subgradient (phi {c}) (- v_t) v_g ->",
            f"  1 - {self.call(self.a, 'v_s')} / {k} - {self.call(self.phi, '(- v_t)')} + rate {c} * v_g ^ 2 <= 0.",
            f"Proof. intros Hc [Hs Hst] Htwo Hg. {apply.format('(- v_t)')}. unfold phi_parts. every_piece.",
        )
        steps = f"{self._destruct(self.a, 'Ea', 'v_s')}; {self._destruct(self.eta, 'Er')}"
        uses = closing("(exfalso; lra)", self.claims.attempts("gap/wrong"), self.claims.attempts(COVERAGE))
        two = f"[specialize (Htwo Ck); subst v_s {k} | clear Htwo]"
        for n in range(len(self.smooth)):
            self.add(
                f"- intro Hp. rewrite (phi_value_{n} {c} (- v_t) Hc Hp). {steps}; clear Ea Er; start;",
                f"  (destruct (classes_of {c} Hc) as [Ck | Ck]; {two}); {uses}.",
            )
        self.add("Qed.", "")

    # --- the conditions and the theorem ---------------------------------------------------------------------------

    def _conditions(self) -> None:
        c, k = self.binders, self.printer.symbol(K)
        beta = "None" if self.beta is None else f"(Some (threshold {c}))"
        self.add(
            f"Lemma conditions {c} : claimed {c} ->",
            f"  margin_conditions {k} (phi {c}) (gap_map_of {c}) {beta} (rate {c}) (regret {c}).",
            "Proof.",
            "intro Hc. split.",
        )
        uses = closing("lra", self.claims.attempts("loss/nonnegative"), self.claims.attempts(COVERAGE))
        self.add(f"- intro v_m. {self._destruct(self.phi, 'E', 'v_m')}; start; {uses}.")
        self.add(f"- exact (pieces_convex _ _ (phi_pieces {c} Hc) (phi_covered {c} Hc)).")
        uses = closing("(exfalso; lra)", "lra", self.claims.attempts("loss/nonincreasing"), self.claims.attempts(COVERAGE))
        self.add(
            f"- intros Hk v_m v_g. destruct (classes_of {c} Hc) as [Ck | Ck]; [contradiction|].",
            f"  apply (pieces_nonincreasing _ _ (phi_pieces {c} Hc) (phi_covered {c} Hc)). unfold phi_parts.",
            f"  every_piece; intro Hp; start; {uses}.",
        )
        uses = closing("lra", self.claims.attempts("gap map/range"), self.claims.attempts(COVERAGE))
        self.add(f"- intros v_m Hm. {self._destruct(self.a, 'E', 'v_m')}; start; split; {uses}.")
        self.add(f"- exact (rate_is_positive {c} Hc).")
        if self.beta is None:
            self.add(f"- intros v_m v_g Hm _. exact (right_gap {c} v_m v_g Hc Hm).", "- intros v_m _ [].")
        else:
            self.add(
                f"- intros v_m v_g Hm Hon. exact (right_gap {c} v_m v_g Hc Hm (Rnot_lt_le _ _ Hon)).",
                f"- intros v_m Hm Hoff. exact (off_gap {c} v_m Hc Hm Hoff).",
            )
        self.add(f"- exact (fun v_s v_t v_g => wrong_gap {c} v_s v_t v_g Hc).")
        uses = closing("(apply Req_le; equal)", self.claims.attempts("regret"), self.claims.attempts(COVERAGE))
        self.add(f"- {self._destruct(self.eta, 'Er')}; {self._destruct(self.regret, 'Ec')}; start; {uses}.", "Qed.", "")

    def _theorem(self) -> None:
        others = [self.printer.symbol(parameter) for parameter in self.theorem.parameters]
        c = " ".join(["(INR K)", *others])
        quantified = "K d" + "".join(f" ({name} : R)" for name in others) + " (X : R)"
        premises = " -> ".join([*self._ranges(), "0 < X"])
        variables = {"phi": "forall m, {} m", "gap_map_of": "forall m, 0 <= m -> {} m"}
        defined = [
            f"({variables[f.name].format(f'{f.name}_defined {c}')})" if f.variable is not None else f"{f.name}_defined {c}"
            for f in self.functions
        ]
        beta = "None" if self.beta is None else f"(Some (threshold {c}))"
        name = f"{self.module}_whole"
        self.add(
            f"Theorem {name} : forall {quantified}, {premises} ->",
            f"  ({AND.join([*defined, 'X ^ 2 <> 0'])}) /\\",
            f"  guarantee K d (margin_loss K d (phi {c}) (gap_map_of {c}) {beta}) X (rate {c} / X ^ 2) (regret {c} * X ^ 2).",
            "Proof.",
        )
        hypotheses = [f"P{i}" for i, _ in enumerate(self._ranges())]
        self.add(f"intros K d {' '.join(others)} X {' '.join(hypotheses)} HX.")
        self.add(f"assert (Hc : claimed {c}) by (apply classes_claimed; assumption).")
        parts = []
        for f in self.functions:
            if f.variable is None:
                parts.append(f"exact ({f.name}_is_defined {c} Hc)")
            else:
                domain = " Hm" if f.domain else ""
                parts.append(f"intros m{domain}; exact ({f.name}_is_defined {c} m Hc{domain})")
        nested = "apply pow_nonzero; lra"
        for part in reversed(parts):
            nested = f"split; [{part} | {nested}]"
        self.add(
            f"split; [{nested}|].",
            f"apply margin_theorem; [lia | exact (conditions {c} Hc) | exact HX].",
            "Qed.",
            f"Print Assumptions {name}.",
        )


HEAD = (
    "Require Import Reals Lra Lia List.",
    "From Gaptron Require Import Definitions Subgradients Derivatives Pieces MarginTheorem Rules Cases.",
    "Import ListNotations.",
)
TACTICS = (
    "Ltac continuous_side := repeat split; try exact I; try nonzero; try lra.",
    "",
)
__all__ = ["Development", "OutOfScopeError", "UntranslatedError", "Whole", "development", "identifier", "names", "number"]
