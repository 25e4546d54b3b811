"""A convex loss of one real variable in closed pieces, as the library's ``Pieces`` wants it, from tangent claims."""

import sympy as sp

from gaptron.coq.script import OutOfScopeError
from gaptron.coq.terms import AND, needs
from gaptron.coq.writing import DIFFERENTIATE, EMPTY, Development, Function, choices
from gaptron.obligations.claims import is_algebraic
from gaptron.obligations.coverage import Coverage
from gaptron.obligations.pieces import Piece


class InPieces:
    """The lemmas about one function: its values and slopes on closed pieces, that they cover, and what follows."""

    def __init__(self, development: Development, function: Function) -> None:
        assert function.variable is not None  # noqa: S101
        self.development, self.function = development, function
        self.variable = function.variable
        self.v = development.printer.symbol(function.variable)
        self.name = function.name
        self.c = development.binders
        self.smooth = Coverage().smooth(function.expr, function.variable, (*function.domain, *development.classes))
        self.is_algebraic = all(is_algebraic(piece.value) for piece in self.smooth)

    def closed(self, piece: Piece) -> str:
        """Where the closure of a piece is."""
        return AND.join(map(self.development.printer.relation, piece.closed(self.variable))) or "True"

    def value(self, piece: Piece) -> str:
        """The expression of a piece."""
        return self.development.printer.smooth(piece.value)

    def slope(self, piece: Piece) -> str:
        """Its derivative."""
        return self.development.printer.smooth(sp.diff(piece.value, self.variable))

    def write(self) -> None:
        """All lemmas."""
        for number, piece in enumerate(self.smooth):
            self._value(number, piece)
        for number, piece in enumerate(self.smooth):
            if self.is_algebraic:
                self._tangent(number, piece)
            else:
                self._tangent_of_one(number, piece)
        self._pieces()
        self._covered()

    def _value(self, number: int, piece: Piece) -> None:
        """The function has the piece's value on its closure: where pieces meet, by their tangents."""
        d = self.development
        d.lemma(
            f"{self.name}_value_{number}",
            self.function,
            f"{self.closed(piece)} -> {d.call(self.function)} = {self.value(piece)}",
        )
        uses = d.uses("loss/convex", at={"b": self.v})
        apart = d.apart(self.function, "E", self.v)
        d.add(
            f"Proof. start. {apart}; take_apart; first [equal | {EMPTY} | (apply Rle_antisym; {uses}) | {uses}]. Qed.",
            "",
        )

    def _tangent(self, number: int, piece: Piece) -> None:
        """The piece's slope is a subgradient of the whole function on its closure."""
        d = self.development
        self._tangent_lemma(number, piece)
        d.add(
            f"Proof. start. intro v_b. rewrite ({self.name}_value_{number} {self.c} {self.v}) by (side || tauto).",
            f"  {d.apart(self.function, 'E', 'v_b')}; take_apart; {d.uses('loss/convex')}. Qed.",
            "",
        )

    def _tangent_lemma(self, number: int, piece: Piece) -> None:
        subgradient = f"subgradient ({self.name} {self.c}) {self.v} {self.slope(piece)}"
        self.development.lemma(f"{self.name}_tangent_{number}", self.function, f"{self.closed(piece)} -> {subgradient}")

    def _tangent_of_one(self, number: int, piece: Piece) -> None:
        """The same for a single smooth piece, by its second derivative."""
        if len(self.smooth) > 1 or piece.conditions:
            raise OutOfScopeError("a loss with a logarithm or an exponential in several pieces is not written yet")
        d, c, v = self.development, self.c, self.v
        slope, bend = (d.printer.smooth(sp.diff(piece.value, self.variable, order)) for order in (1, 2))
        functions = [f"(fun {v} => {text})" for text in (self.value(piece), slope, bend)]
        for name, function, derivative in (("slope", functions[0], slope), ("bend", functions[1], bend)):
            d.add(
                f"Lemma {self.name}_has_{name} {c} {v} : claimed {c} -> derivable_pt_lim {function} {v} {derivative}.",
                f"Proof. intro Hc. assert (F := {self.name}_is_defined {c} {v} Hc). unfold {self.name}_defined in F.",
                f"  take_apart. {DIFFERENTIATE}. Qed.",
                "",
            )
        self._tangent_lemma(number, piece)
        d.add(
            "Proof.",
            "  intros Hc _. apply subgradient_of_supports.",
            f"  apply (supports_ext everywhere _ {functions[0]});",
            f"    [intros b0 _; exact ({self.name}_value_0 {c} b0 Hc I) | exact I |].",
            f"  refine (supports_from_second_derivative everywhere {' '.join(functions)} {v}",
            "    interval_everywhere _ _ _ I).",
            f"  - intros x _. exact ({self.name}_has_slope {c} x Hc).",
            f"  - intros x _. exact ({self.name}_has_bend {c} x Hc).",
            f"  - clear {v}. intros {v} _. start. {d.uses('loss/convex')}.",
            "Qed.",
            "",
        )

    def _pieces(self) -> None:
        d = self.development
        parts = ";\n  ".join(
            f"(fun {self.v} => {self.closed(piece)}, fun {self.v} => {self.slope(piece)})" for piece in self.smooth
        )
        d.add(
            f"Definition {self.name}_parts ({self.c} : R) : pieces := [\n  {parts}\n].",
            "",
            f"Lemma {self.name}_pieces {self.c} :",
            f"  claimed {self.c} -> every (piece ({self.name} {self.c})) ({self.name}_parts {self.c}).",
            f"Proof. intro Hc. unfold {self.name}_parts. every_piece.",
        )
        for number, piece in enumerate(self.smooth):
            d.add(
                "- split; [start; closed_region; continuous_side",
                f"  | intros {self.v} Hm; {self._known(piece)}continuous; continuous_side |].",
                f"  intros {self.v} Hm. exact ({self.name}_tangent_{number} {self.c} {self.v} Hc Hm).",
            )
        d.add("Qed.", "")

    def _known(self, piece: Piece) -> str:
        """Tactics: what makes the slope of a piece defined, by the function's definedness or by the claims about it."""
        d, start = self.development, "start; "
        if not self.is_algebraic:
            known = f"pose proof ({self.name}_is_defined {self.c} {self.v} Hc) as F; unfold {self.name}_defined in F; "
            return known + start
        if not needs(d.printer.term(sp.diff(piece.value, self.variable))):
            return start
        claims = d.claims.of("loss/convex")
        return start + "".join(f"try {d.claims.use(row, {'b': self.v}, 'know')}; " for row in claims)

    def _covered(self) -> None:
        d = self.development
        chosen = [f"({choice}solve [parts; first [exact I | side]])" for choice in choices(len(self.smooth) + 1)[:-1]]
        d.add(
            f"Lemma {self.name}_covered {self.c} :",
            f"  claimed {self.c} -> forall {self.v}, some (fun C _ => C {self.v}) ({self.name}_parts {self.c}).",
            f"Proof. intros Hc {self.v}. unfold {self.name}_parts; cbn [some].",
            f"  {d.apart(self.function, 'E', self.v, rewrite='')}; start; first [{' | '.join(chosen)}]. Qed.",
            "",
        )

    # --- what proofs use ------------------------------------------------------------------------------------------

    @property
    def convex(self) -> str:
        """A proof that there is a subgradient everywhere."""
        return f"(pieces_convex _ _ ({self.name}_pieces {self.c} Hc) ({self.name}_covered {self.c} Hc))"

    @property
    def nonincreasing(self) -> str:
        """The library's lemma for slopes of every piece that are at most 0."""
        return f"(pieces_nonincreasing _ _ ({self.name}_pieces {self.c} Hc) ({self.name}_covered {self.c} Hc))"

    def falls(self) -> list[str]:
        """The condition that it does not increase, if there are more than two classes."""
        d = self.development
        return [
            f"- intros Hk v_m g. destruct (classes_of {self.c} Hc) as [Ck | Ck]; [contradiction|].",
            f"  apply {self.nonincreasing}. unfold {self.name}_parts.",
            f"  every_piece; intro Hp; start; {d.uses('loss/nonincreasing', first=('lra',))}.",
        ]

    def nonnegative(self) -> str:
        """The condition that the function is not negative."""
        d = self.development
        uses = d.uses("loss/nonnegative", first=("lra",))
        return f"- intro {self.v}. {d.apart(self.function, 'E', self.v)}; start; {uses}."

    def gap(self, at: str, rate: str, steps: str) -> None:
        """The proof of a gap for every subgradient, from the gap for the slope of every piece."""
        d = self.development
        known = f"({self.name}_pieces {self.c} Hc) ({self.name}_covered {self.c} Hc)"
        d.add(
            f"  apply (pieces_gap _ _ {known} {at} slope); [{rate} | | exact Hg]; clear Hg.",
            f"  unfold {self.name}_parts. every_piece.",
        )
        for number, _ in enumerate(self.smooth):
            d.add(f"  - intro Hp. rewrite ({self.name}_value_{number} {self.c} {at} Hc Hp). {steps}.")
        d.add("Qed.", "")
