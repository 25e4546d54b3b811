"""A convex loss of one real variable in closed pieces, as the library's ``Pieces`` wants it: from tangents or joins."""

from gaptron.coq.joins import Joins
from gaptron.coq.real_terms import needs
from gaptron.coq.writing import EMPTY, Development, Function
from gaptron.obligations.in_sympy import WrittenPiece
from gaptron.obligations.sequents import is_algebraic


class InPieces(Joins):
    """What follows for a function of the line, in closed pieces: of algebraic ones by tangents, else by joins."""

    def __init__(self, development: Development, function: Function) -> None:
        super().__init__(development, function)
        self.is_algebraic = all(is_algebraic(piece.data.value) for piece in self.smooth)

    def write(self) -> None:
        """All lemmas."""
        if self.is_algebraic:
            self._tangents()
        else:
            self.write_joins()
            self._joined()

    def _tangents(self) -> None:
        """From the claims about the tangents of every piece."""
        for number, piece in enumerate(self.smooth):
            self._value_by_tangents(number, piece)
        for number, piece in enumerate(self.smooth):
            self._tangent(number, piece)
        self.parts()
        self._pieces()
        self.covered()

    def _value_by_tangents(self, number: int, piece: WrittenPiece) -> None:
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

    def _tangent(self, number: int, piece: WrittenPiece) -> None:
        """The piece's slope is a subgradient of the whole function on its closure."""
        d = self.development
        self._tangent_lemma(number, piece)
        d.add(
            f"Proof. start. intro v_b. rewrite ({self.name}_value_{number} {self.c} {self.v}) by (side || tauto).",
            f"  {d.apart(self.function, 'E', 'v_b')}; take_apart; {d.uses('loss/convex')}. Qed.",
            "",
        )

    def _tangent_lemma(self, number: int, piece: WrittenPiece) -> None:
        subgradient = f"subgradient ({self.name} {self.c}) {self.v} {self.slope(piece)}"
        self.development.lemma(f"{self.name}_tangent_{number}", self.function, f"{self.closed(piece)} -> {subgradient}")

    def _joined(self) -> None:
        """The pieces are those of a convex function, and so is the tangent of each of them."""
        d, c = self.development, self.c
        d.add(
            f"Lemma {self.name}_pieces {c} :",
            f"  claimed {c} -> every (piece ({self.name} {c})) ({self.name}_parts {c}).",
            f"Proof. intro Hc. exact (pieces_from_joins _ _ ({self.name}_smooth {c} Hc) ({self.name}_in_order {c} Hc)",
            f"  ({self.name}_covered {c} Hc)). Qed.",
            "",
        )
        found = f"({self.name}_pieces {c} Hc)"
        for number, piece in enumerate(self.smooth):
            self._tangent_lemma(number, piece)
            d.add(f"Proof. intros Hc Hm. exact (piece_tangent _ _ _ (proj1 {found}) {self.v} Hm). Qed.", "")
            found = f"(proj2 {found})"

    def _pieces(self) -> None:
        d = self.development
        d.add(
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

    def _known(self, piece: WrittenPiece) -> str:
        """Tactics: what makes the slope of a piece defined, by the function's definedness or by the claims about it."""
        d, start = self.development, "start; "
        if not needs(d.printer.term(self.derivative(piece, 1))):
            return start
        claims = d.claims.of("loss/convex")
        return start + "".join(f"try {d.claims.use(row, {'b': self.v}, 'know')}; " for row in claims)
