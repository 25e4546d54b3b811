"""A function in smooth pieces, one after the other: their values and slopes, and what the library joins them by.

Each piece is convex on its closure by its second derivative; where two of them meet, values agree and the slope does
not fall (``proofs/coq/Joins.v``; for losses of a probability, which are convex in its logit, ``LogitJoins.v``).
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, count

import sympy as sp

from gaptron.coq.real_terms import AND, need_text, needs
from gaptron.coq.writing import DIFFERENTIATE, EMPTY, Development, Function, choices
from gaptron.obligations.guesses import only_point, place
from gaptron.obligations.in_sympy import SympyRegion, WrittenCoverage, WrittenPiece, b

Numbered = tuple[int, WrittenPiece]


@dataclass(frozen=True)
class Domain:
    """The values of a variable, in the library's words: what a smooth piece is there, and who is in it."""

    piece: str
    name: str
    is_in: str = ""  # the premise, of a variable
    taken: str = ""  # the pattern of a proof of it
    known: str = ""  # the names in the pattern


LINE = Domain("smooth_piece", "everywhere")
PROBABILITIES = Domain("smooth_logit_piece", "probabilities", "0 < {0} < 1 -> ", "[H0 H1] ", " H0 H1")
INSIDE = "parts; first [exact I | side]"  # that a number is in the closure of a piece


class Joins:
    """The lemmas about one function: what its pieces are, and that they cover its domain."""

    domain = LINE

    def __init__(self, development: Development, function: Function) -> None:
        assert function.variable is not None  # noqa: S101
        self.development, self.function, self.variable = development, function, function.variable
        self.v, self.b = (development.printer.symbol(one) for one in (function.variable, b))
        self.name, self.c = function.name, development.binders
        self.region: SympyRegion = (*function.domain, *development.classes)
        self.smooth = sorted(WrittenCoverage().smooth(function.expr, self.variable, self.region), key=self._place)

    def _place(self, piece: WrittenPiece) -> tuple[float, float]:
        """Where a piece is: the order in which the obligations join them."""
        return place((*self.region, *piece.conditions), self.variable)

    # --- texts ----------------------------------------------------------------------------------------------------

    def closed(self, piece: WrittenPiece, at: sp.Symbol | None = None) -> str:
        """Where the closure of a piece is."""
        region = piece.closed(self.variable) if at is None else piece.closed_at(self.variable, at)
        return AND.join(map(self.development.printer.relation, region)) or "True"

    def value(self, piece: WrittenPiece, order: int = 0) -> str:
        """The expression of a piece, or its derivative of that order."""
        return self.development.printer.smooth(self.derivative(piece, order))

    def slope(self, piece: WrittenPiece) -> str:
        """Its derivative."""
        return self.value(piece, 1)

    def derivative(self, piece: WrittenPiece, order: int) -> sp.Expr:
        """The derivative of that order of a piece's expression."""
        return sp.diff(piece.value, self.variable, order) if order else piece.value

    def function_of(self, piece: WrittenPiece, order: int = 0) -> str:
        """The same as a function."""
        return f"(fun {self.v} => {self.value(piece, order)})"

    @property
    def pairs(self) -> Iterator[tuple[Numbered, Numbered]]:
        """Two pieces, the left one first."""
        return combinations(enumerate(self.smooth), 2)

    # --- lemmas ---------------------------------------------------------------------------------------------------

    def write_joins(self) -> None:
        """All lemmas."""
        for number, piece in enumerate(self.smooth):
            self._needs(number, piece)
            self._derivatives(number, piece)
        for left, right in self.pairs:
            self._order(left, right)
            self._join(left, right)
        for number, piece in enumerate(self.smooth):
            self._value(number, piece)
        self.parts()
        self._smooth()
        self._in_order()
        self.covered()

    def _needs(self, number: int, piece: WrittenPiece) -> None:
        """What a piece and its derivatives divide by and take roots and logarithms of is as it must be."""
        d = self.development
        terms = [d.printer.term(self.derivative(piece, order)) for order in range(3)]
        texts = [need_text(need, d.printer.names) for need in needs(*terms)]
        d.lemma(f"{self.name}_needs_{number}", self.function, f"{self.closed(piece)} -> {AND.join(texts) or 'True'}")
        d.add(f"Proof. start. parts; {d.uses('loss/', first=('exact I', 'side'))}. Qed.", "")

    def know(self, number: int, at: str, proof: str) -> str:
        """Tactics that say so at a number that is in the closure of a piece."""
        return f"pose proof ({self.name}_needs_{number} {self.c} {at} Hc{self.domain.known} {proof})"

    def _derivatives(self, number: int, piece: WrittenPiece) -> None:
        """The first two derivatives of a piece."""
        d = self.development
        for order, name in enumerate(("slope", "bend")):
            function, found = self.function_of(piece, order), self.value(piece, order + 1)
            d.lemma(
                f"{self.name}_has_{name}_{number}",
                self.function,
                f"{self.closed(piece)} -> derivable_pt_lim {function} {self.v} {found}",
            )
            known = f"intros Hc{self.domain.known} Hm. {self.know(number, self.v, 'Hm')}. take_apart"
            d.add(f"Proof. {known}. {DIFFERENTIATE}. Qed.", "")

    def _order(self, left: Numbered, right: Numbered) -> None:
        """Pieces lie one after the other."""
        d, ((i, first), (j, second)) = self.development, (left, right)
        premises = f"{self.closed(first)} -> {self.closed(second, b)}"
        d.lemma(f"{self.name}_order_{i}_{j}", self.function, f"forall {self.b}, {premises} -> {self.v} <= {self.b}")
        d.add(f"Proof. start. {d.uses('loss/convex')}. Qed.", "")

    def _join(self, left: Numbered, right: Numbered) -> None:
        """Where two pieces meet their values agree, and the slope does not fall."""
        d, ((i, first), (j, second)) = self.development, (left, right)
        agree = f"{self.value(first)} = {self.value(second)} /\\ {self.slope(first)} <= {self.slope(second)}"
        d.lemma(f"{self.name}_join_{i}_{j}", self.function, f"{self.closed(first)} -> {self.closed(second)} -> {agree}")
        point = only_point((*self.region, *first.closed(self.variable), *second.closed(self.variable)), self.variable)
        known = f"{self.know(i, self.v, 'Hl')}. {self.know(j, self.v, 'Hr')}"
        d.add("Proof.", f"  intros Hc{self.domain.known} Hl Hr. {known}. start.")
        if point is None:
            d.add(f"  exfalso; {d.uses('loss/convex')}.")
        else:
            at = d.printer.smooth(point)
            d.add(f"  assert (E : {self.v} = {at}) by ({d.uses('loss/convex')}).", *self._atoms(left, right, point))
            d.add(f"  subst {self.v}; split; {d.uses('loss/convex', first=('solve [field; nonzero]',))}.")
        d.add("Qed.", "")

    def _atoms(self, left: Numbered, right: Numbered, point: sp.Expr) -> Iterator[str]:
        """Tactics that write logarithms and exponentials at the point as the claims do."""
        d, names = self.development, count()
        expressions = [self.derivative(piece, order) for _, piece in (left, right) for order in range(2)]
        for atom in sorted(set().union(*(one.atoms(sp.log, sp.exp) for one in expressions)), key=str):
            found = atom.subs(self.variable, point)
            if self.variable not in atom.free_symbols or found.func == atom.func:
                continue
            text, wanted = d.printer.smooth(atom), d.printer.smooth(found)
            name = f"A{next(names)}"
            yield f"  assert ({name} : {text} = {wanted}) by (rewrite E; at_a_number); rewrite ?{name}; clear {name}."

    def _value(self, number: int, piece: WrittenPiece) -> None:
        """The function has the piece's value on its closure."""
        d = self.development
        d.lemma(
            f"{self.name}_value_{number}",
            self.function,
            f"{self.closed(piece)} -> {d.call(self.function)} = {self.value(piece)}",
        )
        tries = " | ".join(["reflexivity", EMPTY, *self._by_joins(number), "equal", d.uses("loss/convex")])
        d.add(f"Proof. start. {d.apart(self.function, 'E', self.v)}; take_apart; first [{tries}]. Qed.", "")

    def _by_joins(self, number: int) -> Iterator[str]:
        """Tactics: another piece has the same value, as the two meet."""
        sides = " ltac:(side)" * len(self.function.domain)
        for (i, _), (j, _) in self.pairs:
            if number in (i, j):
                join = f"refine (proj1 ({self.name}_join_{i}_{j} {self.c} {self.v} Hc{sides} _ _)); {INSIDE}"
                yield f"({join})" if number == j else f"(symmetry; {join})"

    def parts(self) -> None:
        """The list of closures and slopes."""
        listed = ";\n  ".join(
            f"(fun {self.v} => {self.closed(piece)}, fun {self.v} => {self.slope(piece)})" for piece in self.smooth
        )
        self.development.add(f"Definition {self.name}_parts ({self.c} : R) : pieces := [\n  {listed}\n].", "")

    def _smooth(self) -> None:
        """The pieces are smooth, and convex each."""
        d, c, known = self.development, self.c, self.domain.known
        d.add(
            f"Lemma {self.name}_smooth {c} :",
            f"  claimed {c} -> every ({self.domain.piece} ({self.name} {c})) ({self.name}_parts {c}).",
            f"Proof. intro Hc. unfold {self.name}_parts. every_piece.",
        )
        for number, piece in enumerate(self.smooth):
            value, slope, bend = (
                f"exact ({self.name}_{what}_{number} {c} {self.v} Hc{known} Hm)"
                for what in ("value", "has_slope", "has_bend")
            )
            start = f"intros {self.v} {self.domain.taken}Hm; split"
            d.add(
                "- split.",
                "  + start; closed_region; continuous_side.",
                f"  + exists {self.function_of(piece)}. {start}; [{value} | {slope}].",
                f"  + exists {self.function_of(piece, 2)}. {start}; [{bend} |].",
                f"    cbn beta in *. {self.know(number, self.v, 'Hm')}. start. {d.uses('loss/convex')}.",
            )
        d.add("Qed.", "")

    def _in_order(self) -> None:
        """The pieces lie one after the other, and slopes do not fall."""
        d, c, known = self.development, self.c, self.domain.known
        taken = f"{self.domain.taken or '_ '}_"
        d.add(
            f"Lemma {self.name}_in_order {c} : claimed {c} -> in_order {self.domain.name} ({self.name}_parts {c}).",
            f"Proof. intro Hc. unfold {self.name}_parts. ordered_pieces.",
        )
        for (i, _), (j, _) in self.pairs:
            d.add(
                f"- intros {self.v} {self.b} {taken} Hl Hr. split.",
                f"  + exact ({self.name}_order_{i}_{j} {c} {self.v} Hc{known} {self.b} Hl Hr).",
                f"  + intros <-. exact (proj2 ({self.name}_join_{i}_{j} {c} {self.v} Hc{known} Hl Hr)).",
            )
        d.add("Qed.", "")

    def covered(self) -> None:
        """Every number of the domain is in the closure of a piece."""
        d, is_in = self.development, self.domain.is_in.format(self.v)
        chosen = [f"({choice}solve [parts; first [exact I | side]])" for choice in choices(len(self.smooth) + 1)[:-1]]
        d.add(
            f"Lemma {self.name}_covered {self.c} :",
            f"  claimed {self.c} -> forall {self.v}, {is_in}some (fun C _ => C {self.v}) ({self.name}_parts {self.c}).",
            f"Proof. intros Hc {self.v}. unfold {self.name}_parts; cbn [some]. start.",
            f"  {d.apart(self.function, 'E', self.v, rewrite='')}; start; first [{' | '.join(chosen)}]. Qed.",
            "",
        )
