"""The facts of textbooks as Coq reads them: each rule of ``facts`` at symbols, with every premise that it asks for.

A fact counts as proved if each statement here is closed by ``exact``, in Coq, by the theorem of TextbookFacts.v.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from gaptron.language.rejection import Rejected
from gaptron.papers import facts, matrices
from gaptron.papers.rules import Judgement, hypothesis, instance
from gaptron.papers.typed_formulas import Formula, Hypothesis, level_of, needs_of, put, rel, symbols_in
from gaptron.papers.typed_terms import (
    CONST,
    ROUND,
    Level,
    Real,
    Term,
    Vector,
    atom,
    dot,
    inv,
    num,
    outer,
    pow_,
    root,
    space_of,
    total,
    vec,
    walk,
)  # fmt: skip

Premises: TypeAlias = tuple[Judgement, ...]
FILE = "TextbookFacts.v"
SIZE, ROUNDS, PLACE, SET = "n", "rounds", "i", "C"
NUMBERS = (SIZE, ROUNDS, "m", "d")
SIZES = {"outputs": SIZE, "rows": "m", "columns": "d", "rowsxcolumns": "(m * d)"}  # others are of matrices
PROPERTIES: dict[str, Callable[..., str]] = {
    "projection": lambda w, v, inside: f"projection_of {SIZE} {inside} {v} {w}",
}
OPERATIONS = {"inv": "/ {0}", "root": "sqrt {0}", "pow": "rpow {0} {1}", "log": "ln {0}"}
KINDS = {"r": "R", "f": "vector -> R", "v": "vector"}


@dataclass(frozen=True)
class Textbook:
    """A rule at symbols: ``apply`` makes it of judgements of the premises."""

    theorem: str
    premises: tuple[Formula, ...]
    apply: Callable[[Premises], Judgement]

    def made(self) -> Judgement:
        """What the rule makes of these premises."""
        return self.apply(tuple(map(_supposed, self.premises)))

    def idle(self) -> list[Formula]:
        """Premises that the rule does not ask for: Coq would prove less than the rule says."""
        return [f for f in self.premises if self._accepts(tuple(g for g in self.premises if g != f))]

    def _accepts(self, premises: Sequence[Formula]) -> bool:
        try:
            self.apply(tuple(map(_supposed, premises)))
        except (Rejected, TypeError):
            return False
        return True

    @property
    def statement(self) -> str:
        """In Coq."""
        every = (*self.premises, self.made().then)
        said = [formula_in_coq(f) for f in every]
        symbols = sorted({x for f in every for x in symbols_in(f) if x[0] in KINDS and x[1][0] != "~"}, key=repr)
        norms = [f"is_norm {x[1]}" for x in symbols if x[0] == "f" and x[3]]
        sizes = [f"({name} : nat)" for name in NUMBERS if any(re.search(rf"\b{name}\b", text) for text in said)]
        sets = [f"({SET} : vector -> Prop)"] if any(SET in f for f in every) else []
        bound = [*sizes, *sets, *(f"({x[1]} : {_kind(x)})" for x in symbols)]
        return f"forall {' '.join(bound)}, {' -> '.join((*norms, *said))}"


def _kind(x: Term) -> str:
    kind = "matrix" if x[0] == "v" and x[2] not in SIZES else KINDS[x[0]]
    return f"nat -> {kind}" if _moves(x) else kind


def _size(space: str) -> str:
    """The number of entries, of a matrix that of its rows."""
    return SIZES.get(space) or SIZES[space[: len(space) // 2]]


def _moves(x: Term) -> bool:
    return bool(x[0] in ("r", "v") and x[-1] != CONST)


def _supposed(f: Formula) -> Judgement:
    return hypothesis(Hypothesis("ours", "", f))


def formula_in_coq(f: Formula) -> str:
    """What holds, in every round if it is of one."""
    if f[0] == "state":
        first, following = (term_in_coq(v) for v in f[2:])
        return f"moves_from {_size(f[1].space)} {ROUNDS} {f[1].items[0][0][1]} ({first}) (fun {PLACE} => {following})"
    if level_of(f)[0]:
        return f"(forall {PLACE} : nat, ({PLACE} < {ROUNDS})%nat -> {_in_coq(f)})"
    return f"({_in_coq(f)})" if f[0] == "all" else _in_coq(f)


def _in_coq(f: Formula) -> str:
    """A relation, membership or property, or one of these for all vectors."""
    if f[0] == "all":
        return f"forall {f[1][1][1:]} : {_kind(f[1])}, {_in_coq(f[3])}"
    if f[0] == "rel":
        return f"{term_in_coq(f[2])} {'<>' if f[1] == '!=' else f[1]} 0"
    if f[0] == "in":
        return f"{f[2]} {term_in_coq(f[1])}"
    return PROPERTIES[f[1]](*(p if isinstance(p, str) else _closed(p) for p in f[2:]))


def term_in_coq(x: Term) -> str:
    """A number, a vector or an atom."""
    if isinstance(x, Real):
        return " + ".join(_monomial(m, str(c)) for m, c in x.items) or "0"
    if isinstance(x, Vector):
        if len(x.items) == 1 and x.items[0][1] == num(1):
            return term_in_coq(x.items[0][0])
        entries = "j" if x.space in SIZES else "k l"
        return f"fun {entries} => {' + '.join(f'{_closed(c)} * {_entry(b, *entries.split())}' for b, c in x.items)}"
    if x[0] in KINDS:
        return f"{x[1].strip('~')} {PLACE}" if _moves(x) else str(x[1].strip("~"))
    if x[0] == "o" and space_of(x) in SIZES:
        return f"outer_product {_size(space_of(x[2]))} {_closed(x[1])} {_closed(x[2])}"
    if x[0] == "o":
        return f"fun k l => {_entry(x, 'k', 'l')}"
    if x[0] == "dot":
        size = _size(space_of(x[1]))
        product = f"dot {size}" if space_of(x[1]) in SIZES else f"inner {size} {size}"
        return f"{product} {_closed(x[1])} {_closed(x[2])}"
    if x[0] == "app":
        return f"{x[1][1]} {_closed(x[2])}"
    if x[0] == "total":
        return f"sum {ROUNDS} (fun {PLACE} => {term_in_coq(x[1])})"
    return OPERATIONS[x[0]].format(*map(_closed, x[1:]))


def _monomial(m: Term, coefficient: str) -> str:
    factors = [_closed(a) + (f" ^ {e}" if e > 1 else "") for a, e in m]
    return " * ".join([*([f"({coefficient})"] if coefficient != "1" or not m else []), *factors])


def _entry(b: Term, *places: str) -> str:
    """An entry of a symbol or of an outer product."""
    if b[0] == "o":
        return f"({' * '.join(_entry(part, place) for part, place in zip(b[1:], places, strict=True))})"
    return " ".join((term_in_coq(b), *places))


def _closed(x: Term) -> str:
    text = term_in_coq(x)
    return text if text.isidentifier() else f"({text})"


def _number(name: str, round_: bool = False) -> Real:
    return atom("r", name, ROUND if round_ else CONST)


def _vector(name: str, space: str = "outputs", known: Level = CONST) -> Vector:
    return vec(("v", name, space, known))


def _for_all(f: Formula, anything: Sequence[Term]) -> Formula:
    """Of the fixed vectors among these that it speaks of."""
    for x in reversed([x for x in anything if x in symbols_in(f)]):
        bound = (x[0], f"~{x[1]}", *x[2:])
        f = ("all", bound, (), put(f, {x: vec(bound)}))
    return f


def _opened(p: Judgement) -> Judgement:
    """What is known of all vectors, of the fixed ones."""
    while p.then[0] == "all":
        head, name, *rest = p.then[1]
        p = instance(p, vec((head, name[1:], *rest)), (), ())
    return p


def _growth(theorem: str, space: str, beside: bool) -> Textbook:
    """The determinant of a matrix on a space, which may be one of products."""
    z, s = (_vector(name, space, ROUND) for name in "zs")
    matrix, one = _vector("A", f"{space}x{space}", ROUND), _vector("I", f"{space}x{space}")
    moves = Hypothesis("protocol", "A moves", ("state", matrix, one.scale(A), matrix + outer(z, z).scale(R_W)))
    anything = [("v", name, space, CONST) for name in "uv"]
    given: tuple[Term, ...] = (moves, R_W, z, s, Q, *anything)
    asked, rule = matrices.asked(*given), matrices.determinant
    others: tuple[Term, ...] = ()
    if beside:
        h, unit = _vector("h", "rows"), _vector("F", "columnsxcolumns")
        products = [("v", name, "columns", CONST) for name in "bc"]
        asked = [*matrices.asked(*(*given, dot(unit, unit))), *matrices.asked_beside(z, h, unit, *products)]
        anything, others, rule = [*anything, *products], (h, unit, *products), matrices.determinant_beside
    logs = [atom("log", num(1) + p) for p in (R_W * dot(z, s), total(R_W * dot(z, z)) * inv(A * Q))]
    premises = _with_needs((moves.formula, *(_for_all(f, anything) for f in asked)), *logs)
    return Textbook(theorem, premises, lambda known: rule(*given, *others, tuple(map(_opened, known[1:]))))


def _with_needs(asked: Sequence[Formula], *terms: Real) -> tuple[Formula, ...]:
    """What is asked, and what the terms need to be defined."""
    atoms = [x for t in terms for x in walk(t) if isinstance(x, tuple)]
    return tuple(dict.fromkeys((*asked, *(f for x in atoms for f in needs_of(x)))))


def _law(which: int) -> Callable[[Premises], Judgement]:
    return lambda known: facts.power_of_quotient(A, B, Q, which, known)


Z, Q, A, B, R = map(_number, "zqabr")
U, V, W = map(_vector, "uvw")
N = ("f", "N", CONST, True)
P, G = _number("p", True), _number("g", True)
R_W = _number("w", True)
POWERS = (rel(">=", A, num(0)), rel(">", B, num(0)), rel(">=", Q, num(1)))
R_OF = pow_(A * inv(B), inv(Q))

TEXTBOOK = {
    "Cauchy-Schwarz": (
        Textbook("cauchy_schwarz_of_norms", _with_needs((), root(dot(U, U)), root(dot(V, V))),
                 lambda known: facts.cauchy_schwarz(U, V, known)),
    ),
    "Cauchy-Schwarz of sums": (
        Textbook("cauchy_schwarz_of_sums", (), lambda known: facts.cauchy_schwarz_of_sums(P, G, known)),
    ),
    "triangle inequality": (
        Textbook("triangle_inequality", (), lambda known: facts.triangle(N, U, V, known)),
    ),
    "projection": (
        Textbook("nearer_after_projection", (("is", "projection", W, V, SET), ("in", U, SET)),
                 lambda known: facts.projection(*known, ())),
    ),
    "Bernoulli": (
        Textbook("bernoulli", _with_needs((rel(">=", Z, num(0)), rel(">", R, num(0)), rel(">=", Q, num(1))),
                                          pow_(Z, Q), pow_(R, Q), inv(R)),
                 lambda known: facts.bernoulli(Z, R, Q, known)),
    ),
    "growth of a determinant": (
        _growth("growth_of_a_determinant", "outputs", False),
        _growth("growth_of_a_determinant_beside", "rowsxcolumns", True),
    ),
    "laws of powers": (
        Textbook("positive_power", _with_needs((rel(">", Z, num(0)),), pow_(Z, Q)),
                 lambda known: facts.positive_power(Z, Q, known)),
        Textbook("power_of_a_quotient", _with_needs(POWERS, pow_(R_OF, Q)), _law(0)),
        Textbook("product_of_a_power", _with_needs(POWERS, R_OF, pow_(B, num(1) - inv(Q)), pow_(A, inv(Q))), _law(1)),
        Textbook("positive_quotient", _with_needs((*POWERS, rel(">", A, num(0))), R_OF), _law(2)),
    ),
}  # fmt: skip


def closing(one: Textbook) -> str:
    """The lines with which Coq says that the statement is proved."""
    return f"Goal {one.statement}.\nProof. exact {FILE.removesuffix('.v')}.{one.theorem}. Qed.\n"
