"""What a refuted theorem says in Coq: the file's functions, and numbers at which the library's conditions fail.

The statement is ``exists`` over the number of classes, the parameters and X of what is claimed; the proof names them,
the scores and the label of the witness. That the numbers are on the wrong side is a claim that the kernel checks first.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING

from gaptron.coq.prediction import risk
from gaptron.coq.real_terms import AND, number
from gaptron.coq.script import OutOfScopeError
from gaptron.language.relations import Relation
from gaptron.language.terms import Term
from gaptron.numbers.evaluate import UncertainError, truth_at
from gaptron.numbers.kinds import Number
from gaptron.obligations.pieces import Piece
from gaptron.prove.rational_functions import rational_value
from gaptron.system.documents import Document
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.theorem import Theorem

if TYPE_CHECKING:
    from gaptron.coq.from_data import FromData
    from gaptron.coq.writing import Function

ZERO, HALF, ONE = Fraction(0), Fraction(1, 2), Fraction(1)
LIA = "ltac:(lia)"
DEFINED = "first [exact I | lra | nonzero | (apply Rgt_not_eq, sqrt_lt_R0; lra)]"  # at numbers
STATED = {
    "map": "broken_map d {s} X",
    "regret": "broken_regret (rate {{0}} / X ^ 2) (regret {{0}} * X ^ 2)",
}
NEEDED = (
    "loss/defined",
    "abstention cost/defined",
    "off_above/defined",
    "gap map/defined",
    "regret/defined",
    "learning rate/",
    "coverage",
)
NEEDED_IN_GAMES = ("loss/defined", "off_above/defined", "gap map/defined")
AT_A_POINT = ("map", "loss", "domain")
PARTS = {
    "gap": "round",
    "decoder": "round",
    "criterion": "criterion",
    "gap map": "map",
    "loss": "loss",
    "regret": "regret",
}


@dataclass(frozen=True)
class Refuted:
    """A witness as numbers: which part of the theorem it breaks, and where."""

    part: str  # round, criterion, map, loss, regret, or domain: something has no value
    classes: int
    parameters: tuple[Fraction, ...]
    scores: tuple[tuple[Fraction, ...], ...] = ()  # of one round, or of three points on a line
    label: int = 0
    weight: Fraction = ONE
    at: Fraction = ZERO  # the value of the variable of the loss or gap map
    game: tuple[Fraction, ...] = ()  # X, D and T, with bandit feedback
    obligation: str = ""
    feedback: str = "full"

    @property
    def needs(self) -> tuple[str, ...]:
        """What begins the names of the obligations whose certificates the development rests on."""
        if self.part == "domain":
            return ()
        needed = NEEDED if self.feedback == "full" else NEEDED_IN_GAMES
        return (*needed, *(("regret/positive",) if self.part == "criterion" else ()))


def refuted(theorem: Theorem, witness: Document) -> Refuted:
    """The witness as numbers.

    Raises
    ------
    OutOfScopeError
        If it is none that the library has words for: the reason.
    """
    obligation = witness["obligation"]
    part = "domain" if obligation.endswith("/defined") else PARTS.get(obligation.split("/")[0])
    if part is None or (part != "domain" and "undefined" in witness.get("values", ())):
        raise OutOfScopeError(f"its witness against {obligation} is no round")
    point, values = parameters_at(theorem, witness)
    own = {parameter.name for parameter in theorem.parameters}
    places = [Fraction(value) for name, value in point.items() if name not in own] if part in AT_A_POINT else []
    rows = witness["points"] if "points" in witness else witness.get("scores", [])
    rows = rows if not rows or isinstance(rows[0], list) else [rows]
    if part in ("map", "loss") and not rows and len(places) != 1:
        raise OutOfScopeError(f"its witness against {obligation} is no round")
    return Refuted(
        part,
        int(witness.get("K", theorem.first_class_count)),
        values,
        tuple(tuple(map(Fraction, row)) for row in rows),
        int(witness.get("label", int(witness.get("y", 1) == -1))),
        Fraction(witness.get("weight", 1)),
        places[0] if places else ZERO,
        _game(theorem, part, point),
        obligation,
        theorem.feedback,
    )


def parameters_at(theorem: Theorem | StructuredTheorem, witness: Document) -> tuple[Document, tuple[Fraction, ...]]:
    """The point of a witness, and the values of the parameters there; OutOfScopeError if not all have one."""
    point = witness.get("parameters", {}) | witness.get("point", {})
    values = [point.get(parameter.name) for parameter in theorem.parameters]
    if any(value is None for value in values):
        raise OutOfScopeError(f"its witness against {witness['obligation']} does not set every parameter")
    return point, tuple(map(Fraction, values))


def _game(theorem: Theorem, part: str, point: Document) -> tuple[Fraction, ...]:
    """X, D and T of a witness with bandit feedback; where only X D counts, X is 1."""
    if theorem.feedback == "full" or part in AT_A_POINT:
        return ()
    ball = point["X*D"] if "X*D" in point else point.get("D", 1)
    game = tuple(Fraction(value) for value in (point.get("X", 1), ball, point.get("T", 1)))
    if game[0] != 1 or game[2].denominator > 1:
        raise OutOfScopeError("its witness is no game with X = 1 and a whole number of rounds")
    return game


class Witness:
    """The numbers of a refutation in a development, and facts about them; for each kind of loss, what they break."""

    fixed = ""  # the number of classes, if the surrogate loss has no K
    shown_by = "witness_breaks"  # the proof of the condition that fails

    def __init__(self, development: "FromData", found: Refuted, surrogate: str) -> None:
        self.development, self.found, self.surrogate = development, found, surrogate
        self.functions = development.of_loss  # by their labels, where there are two
        self.k = str(found.classes)
        self.rows = "1" if self.fixed else self.k
        self.score_names: list[str] = []
        self.score_cases = 0
        self.decided: dict[Term, str] = {}
        self.c, self.at_classes = (
            " ".join([classes, *map(number, found.parameters)]) for classes in (self.k, f"(INR {self.k})")
        )
        numbers = zip(development.parameters, found.parameters, strict=True)
        self.there = surrogate.replace(" K ", f" {self.k} ").replace(" d ", " 1 ").format(self.c)  # with one feature
        self.values: dict[str, Fraction] = {"K": Fraction(found.classes), **{own.name: at for own, at in numbers}}

    def write(self) -> None:
        """The rest of the development, after its functions."""
        self._open()
        parts = {"round": self.round, "map": self.map, "loss": self.loss, "regret": self.regret}
        parts[self.found.part]()
        of = {"K": self.fixed or "K", "rows": "1" if self.fixed else "K", "s": self.surrogate}
        prediction = self.development.prediction
        if self.found.part == "round":
            self._whole(f"{prediction.broken.format(**of, d='d', X='X', c='{0}')} (rate {{0}} / X ^ 2)")
        else:
            self._whole({**STATED, "loss": prediction.broken_loss}[self.found.part].format(**of))

    def round(self) -> None:
        """The surrogate gap of a round is positive."""
        raise NotImplementedError

    def map(self) -> None:
        """The gap map is not in [0, 1]."""
        raise NotImplementedError

    def loss(self) -> None:
        """The loss is negative somewhere, or above its chord."""
        if self.found.scores:
            self.not_convex()
        else:
            self.negative()

    def not_convex(self) -> None:
        """The loss is above its chord."""
        raise NotImplementedError

    def negative(self) -> None:
        """The loss is negative somewhere."""
        raise NotImplementedError

    def witness_breaks(self, says: str, *proof: str) -> None:
        """The lemma of what the numbers break, at parameters that the theorem claims (``Hc``)."""
        opened = ("Proof.", "  assert (Hc := witness_claimed).")
        self.development.add(f"Lemma witness_breaks : {says}.", *opened, *proof, "Qed.", "")

    # --- terms at the numbers -------------------------------------------------------------------------------------

    def value(self, function: "Function", at: Fraction = ZERO) -> Term:
        """The value of a function of the file; in which case it is there is known afterwards."""
        pieces = self.development.pieces[function.name]
        there = self.values if function.variable is None else {**self.values, function.variable: at}
        term = partial(self.development.printer.term, values=there)
        conditions = (each for piece in pieces for each in piece.conditions)
        self.decide(Relation(each.sign, term(each.left), term(each.right)) for each in conditions)
        return term(piece_at(pieces, there).value)

    # --- facts ----------------------------------------------------------------------------------------------------

    def decide(self, relations: Iterable[Relation]) -> None:
        """Lemmas of the claims: which side is larger, where both are not rational numbers."""
        for given in relations:
            for difference in (
                ("+", given.left, ("*", -ONE, given.right)),
                ("+", given.right, ("*", -ONE, given.left)),
            ):
                if difference in self.decided or rational_value(difference) is not None:
                    continue
                name = f"witness_case_{len(self.decided)}"
                if self.development.claims.positive(name, difference):
                    self.decided[difference] = name

    @property
    def known(self) -> str:
        """Tactics: these lemmas."""
        facts = "".join(f"pose proof {name}; " for name in self.decided.values())
        return f"{facts}take_apart; " if facts else ""

    def positive(self, name: str, term: Term) -> None:
        """A lemma of the claims: 0 < term."""
        if not self.development.claims.positive(name, term):
            raise OutOfScopeError("no enclosure shows that what breaks at its witness is above zero")

    def by_fact(self, name: str, *functions: tuple["Function", str]) -> str:
        """Tactics: the fact, after the functions are taken apart there."""
        d = self.development
        apart = [
            f"{d.apart(function, f'E{i}', at, rewrite='rewrite ?{}', c=self.c)}; "
            for i, (function, at) in enumerate(functions)
        ]
        return f"{''.join(apart)}{self.known}first [(exfalso; lra) | use {name}]"

    # --- the file -------------------------------------------------------------------------------------------------

    def _open(self) -> None:
        """That the numbers are claimed."""
        if self.development.tuning is None:
            self.development.is_positive(self.development.eta, "learning rate/positive")
        self._claimed()

    def _claimed(self) -> None:
        """That those of the classes and parameters are."""
        self.development.add(
            f"Lemma witness_classes : INR {self.k} = {self.k}.",
            "Proof. rewrite INR_IZR_INZ. reflexivity. Qed.",
            "",
            f"Lemma witness_claimed : claimed {self.c}.",
            "Proof.",
            f"  assert (H : claimed {self.at_classes}) by (apply classes_claimed; first [lia | lra]).",
            "  rewrite witness_classes in H. exact H.",
            "Qed.",
            "",
        )

    def scores(self, name: str, row: Sequence[Fraction]) -> None:
        """Scores by their label, the last of them for all further labels."""
        count = len(row)
        while count > 1 and row[count - 1] == row[count - 2]:
            count -= 1
        self.score_names.append(name)
        self.score_cases = max(self.score_cases, count - 1)
        cases = [f"{'S (' * i}O{')' * i} => {number(value)}" for i, value in enumerate(row[: count - 1])]
        self.development.add(
            f"Definition {name} (k : nat) : R :=",
            f"  match k with {' | '.join([*cases, f'_ => {number(row[count - 1])}'])} end.",
            "",
        )

    @property
    def compared(self) -> str:
        """Tactics: a comparison of scores of given labels."""
        return f"cbv beta iota delta [{' '.join(self.score_names)}]; first [lra | exfalso; lia]"

    @property
    def every(self) -> str:
        """Tactics: a comparison of the score of every label k with that of one."""
        return f"{f'destruct k as [|k]; [{self.compared}|]; ' * self.score_cases}{self.compared}"

    @property
    def is_top(self) -> str:
        """Tactics: the label is a top label."""
        return f"split; [lia | intros k Hk; {self.every}]"

    def _whole(self, broken: str) -> None:
        """The theorem: within what is claimed, where everything is defined, the condition fails."""
        d, fixed = self.development, self.fixed
        c = " ".join([f"(INR {fixed or 'K'})", *d.others])
        defined, _ = d.all_defined(c)
        _, proof = d.all_defined(self.at_classes)
        counts = [*([] if fixed else ["K"]), *d.dimensions.split()]
        numbered = f"({' '.join(counts)} : nat) " if counts else ""
        bound = f"{numbered}{''.join(f'({name} : R) ' for name in d.others)}(X : R)"
        premises = [*(d.parameter_ranges() if fixed else d.ranges()), "0 < X"]
        sizes = [f"{self.k if count == 'K' else 1}%nat" for count in counts]
        numbers = [*sizes, *map(number, self.found.parameters), "1"]
        found = f"  split; [{proof} |]. rewrite witness_classes. exact {self.shown_by}."
        known = (self.is_claimed, "  assert (HX : 0 < 1) by lra.")
        d.add(*refutation(d.module, bound, premises, [f"({defined})", broken.format(c)], numbers, found, known=known))

    @property
    def is_claimed(self) -> str:
        """Tactics: that the numbers are, as ``Hc``."""
        return f"  assert (Hc : claimed {self.at_classes}) by (rewrite witness_classes; exact witness_claimed)."

    def regret(self) -> None:
        """The claimed regret is less than 1/(2 eta)."""
        d = self.development
        assert d.regret is not None  # noqa: S101
        eta, regret = self.value(d.eta), self.value(d.regret)
        lemma_one: Term = ("^", ("*", Fraction(2), eta), -1)
        self.positive("witness_is_less", ("+", lemma_one, ("*", -ONE, regret)))
        self.witness_breaks(
            f"broken_regret (rate {self.c} / 1 ^ 2) (regret {self.c} * 1 ^ 2)",
            f"  unfold broken_regret. replace (rate {self.c} / 1 ^ 2) with (rate {self.c}) by field.",
            f"  replace (regret {self.c} * 1 ^ 2) with (regret {self.c}) by ring.",
            f"  {self.by_fact('witness_is_less', (d.eta, ''), (d.regret, ''))}.",
        )

    def outside(self, at: Fraction) -> str:
        """Tactics: the gap map is not in [0, 1] there."""
        d = self.development
        value, there = self.value(d.a, at), f"({d.a.name} {self.c} {number(at)})"
        goal = f"{there} < 0"
        if not d.claims.positive("witness_is_outside", ("*", -ONE, value)):
            self.positive("witness_is_outside", ("+", value, -ONE))
            goal = f"1 < {there}"
        return (
            f"assert (Hout : {goal}) by ({self.by_fact('witness_is_outside', (d.a, number(at)))}); "
            "intros [Hlow Hhigh]; lra"
        )

    def gap_of(self, a: Term, right: bool, loss: Term, step: Term) -> Term:
        """The surrogate gap of a round, with the gap map at ``a``."""
        cost = self.development.cost
        price = 1 - Fraction(1, self.found.classes) if cost is None else self.value(cost)
        return ("+", risk(a, right, price), ("*", -ONE, loss), step)

    @property
    def price(self) -> list[tuple["Function", str]]:
        """Of the share of the gap map, where it is a function."""
        cost = self.development.cost
        return [] if cost is None else [(cost, "")]

    @property
    def is_broken(self) -> str:
        """The condition that fails."""
        stated = self.development.prediction.broken.format(K=self.k, rows=self.rows, d=1, s=self.there, X=1, c=self.c)
        return f"{stated} (rate {self.c} / 1 ^ 2)"


def refutation(
    module: str,
    bound: str,
    premises: Iterable[str],
    parts: Iterable[str],
    numbers: Iterable[str],
    *proof: str,
    known: Iterable[str] = (),
) -> Iterator[str]:
    """The theorem that some numbers, within what is claimed, have all these parts."""
    yield f"Theorem {module}_refuted : exists {bound},"
    yield " /\\\n".join(f"  {part}" for part in (f"({AND.join(premises)})", *parts)) + "."
    yield from ("Proof.", *known, f"  exists {', '.join(numbers)}.", "  split; [parts; first [lia | lra] |].")
    yield from (*proof, "Qed.", f"Print Assumptions {module}_refuted.")


def piece_at(pieces: Iterable[Piece], there: Mapping[str, Number]) -> Piece:
    """The first piece that the numbers are in; OutOfScopeError if no enclosure shows of one that they are."""
    for piece in pieces:
        with suppress(UncertainError):
            if all(truth_at(condition, there) for condition in piece.conditions):
                return piece
    raise OutOfScopeError("the case of its witness cannot be told")
