"""What the library's functions return: rows of the verbs' JSON as objects that show themselves.

In a notebook they do so as HTML: escaped, with formulas for its own typesetting, and without a script.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from io import StringIO
from typing import Generic, TypeVar, overload

import sympy as sp
from markupsafe import Markup, escape
from rich.console import Console

from gaptron.reports import check_report
from gaptron.reports.check_report import advised, shown_witnesses
from gaptron.reports.witness import breaks_line, refuted_text, witness_line
from gaptron.symbols import K
from gaptron.system.documents import Document
from gaptron.system.printable import printable
from gaptron.theory.items import Item
from gaptron.theory.structured.structured_theorem import StructuredTheorem
from gaptron.theory.theorem import Lemma

VERDICTS = ("REFUTED", "UNDECIDED", "PROVED", "NOT-CHECKABLE")  # the worst first
WIDTH = 100
COLOURS = {"PROVED": "#137333", "REFUTED": "#b3261e", "UNDECIDED": "#8a5a00"}
PLAIN = "tex2jax_ignore mathjax_ignore"  # text in which no dollar begins a formula
Bracket = tuple[Fraction, Fraction]


class ResultRow:
    """A row of a verb's JSON, and how it is shown to people."""

    def __init__(self, row: Document, text: str = "") -> None:
        self._row, self._text = row, text

    def to_json(self) -> Document:
        """The row of the verb's JSON, as a dictionary."""
        return self._row

    @property
    def name(self) -> str:
        """Of the theorem, or the identifier of the claim."""
        return str(self._row.get("name") or self._row.get("id") or self._row.get("theorem"))

    @property
    def verdict(self) -> str:
        """PROVED, REFUTED, UNDECIDED; NOT-CHECKABLE of a claim that says nothing exact."""
        return str(self._row["verdict"])

    @property
    def witness(self) -> Document | None:
        """What breaks it, exactly, if it is REFUTED."""
        found: Document | None = self._row.get("witness")
        return found

    @property
    def evidence(self) -> tuple[str, ...]:
        """Who says so, strongest first: "coq", "kernel", "smt x2", "smt"."""
        return tuple(self._row["evidence"])

    def __bool__(self) -> bool:
        """Whether it is PROVED."""
        return self.verdict == "PROVED"

    def __repr__(self) -> str:
        return self._text

    def _repr_html_(self) -> str:
        """The lines for a terminal, without control characters but their ends."""
        lines = "\n".join(map(printable, self._text.splitlines()))
        return str(Markup('<pre class="{}">{}</pre>').format(PLAIN, lines))


class CheckResult(ResultRow):
    """What ``check`` found of a theorem, and ``explain`` says of it.

    Attributes
    ----------
    theorem : Theorem, StructuredTheorem or Lemma
    """

    def __init__(self, row: Document, theorem: Item, text: str = "") -> None:
        super().__init__(row, text or _plain(row))
        self.theorem = theorem

    @property
    def refutes(self) -> str | None:
        """What is false, of one that is REFUTED: "bound", "condition" (of the proof) or "statement" (of a lemma)."""
        found: str | None = self._row["refutes"]
        return found

    @property
    def expected(self) -> str:
        """The verdict that the theorem expects: PROVED, unless it has ``expect=``."""
        return str(self._row["expected"])

    @property
    def obligations(self) -> tuple[Document, ...]:
        """All that is to be proved: id, statement, verdict, evidence, seconds, certificate, reason, witness."""
        return tuple(self._row["obligations"])

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why it is not PROVED, each reason once: ``explain``'s sentences, then of obligations without a verdict."""
        open_ = (o["reason"] for o in self.obligations if o["verdict"] == "UNDECIDED")
        return tuple(dict.fromkeys([*self._row.get("why", ()), *open_]))

    @cached_property
    def constants(self) -> dict[str, sp.Expr]:
        """The learning rate (in units of 1/X^2) and the regret that were checked, as far as there are any."""
        if isinstance(self.theorem, Lemma):
            return {}
        named = {"learning_rate": self.theorem.eta(), "regret": self.theorem.regret}
        return {name: value for name, value in named.items() if value is not None}

    def doubles(self, n_classes: int) -> dict[str, float]:
        """The same as doubles for this number of classes (or size); ValueError if they hold other symbols."""
        size = self.theorem.size if isinstance(self.theorem, StructuredTheorem) else K
        found = {name: value.subs(size, n_classes) for name, value in self.constants.items()}
        for name, value in found.items():
            if value.free_symbols:
                raise ValueError(f"{name} = {value} holds {', '.join(sorted(map(str, value.free_symbols)))}")
        return {name: float(value) for name, value in found.items()}

    def _repr_html_(self) -> str:
        return _page(self._row, self._repr_latex_())

    def _repr_latex_(self) -> str:
        return self.theorem._repr_latex_()


def _plain(row: Document) -> str:
    shown = StringIO()
    check_report.show(Console(file=shown, width=WIDTH, highlight=False, force_jupyter=False), row, verbose=False)
    return shown.getvalue().rstrip()


def _page(row: Document, tex: str) -> str:
    """A row of ``check``: the verdict, the statement, what breaks it, and the obligations folded."""
    verdict = row["verdict"] + (f" ({refuted_text(row['witness'])})" if row["witness"] else "")
    parts = [
        Markup('<div><strong style="color: {}">{}</strong> <span class="{}">{}</span></div>').format(
            COLOURS[row["verdict"]], verdict, PLAIN, printable(row["name"])
        ),
        Markup("<div>{}</div>").format(tex),
    ]
    for witness in shown_witnesses(row):
        parts.append(_line(witness_line(witness)))
        if "breaks" in witness:
            parts.append(_line(f"the bound is broken: {breaks_line(witness['breaks'])}"))
    parts += [_line(f"hint: {sentence}") for sentence in advised(row)]
    parts += [_line(f"why: {sentence}") for sentence in row.get("why", ())]
    proved = sum(o["verdict"] == "PROVED" for o in row["obligations"])
    rows = Markup("").join(_obligation(o) for o in row["obligations"])
    parts.append(
        Markup('<details><summary>{} of {} obligations</summary><table class="{}">{}</table></details>').format(
            proved, len(row["obligations"]), PLAIN, rows
        )
    )
    return "".join(parts)


def _line(words: str) -> Markup:
    return Markup('<div class="{}">{}</div>').format(PLAIN, printable(words))


def _obligation(obligation: Document) -> Markup:
    said = obligation["reason"] if obligation["verdict"] == "UNDECIDED" else ", ".join(obligation["evidence"])
    cells = (obligation["verdict"], obligation["id"], obligation["statement"], said or "")
    return Markup("<tr>{}</tr>").format(
        Markup("").join(Markup('<td style="text-align: left">{}</td>').format(escape(printable(c))) for c in cells)
    )


@dataclass(frozen=True)
class SharpConstant:
    """A number that depends on K (or a size): in closed form, if one is proved, and between rationals for some K."""

    closed_form: sp.Expr | None
    bracket: Mapping[int, Bracket | None]

    def doubles(self, n_classes: int) -> tuple[float, float] | None:
        """The bracket as doubles; None if there is none."""
        found = self.bracket.get(n_classes)
        return None if found is None else (float(found[0]), float(found[1]))


class SharpenPart(Mapping[str, object]):
    """One question of ``sharpen``, as in its JSON, with its constants as objects; empty if it does not apply."""

    def __init__(self, found: Document | None, expressions: Mapping[str, sp.Expr]) -> None:
        self._found, self._expressions = found or {}, expressions

    @property
    def learning_rate(self) -> SharpConstant | None:
        """In units of 1/X^2; None over all algorithms."""
        return self._constant("learning_rate")

    @property
    def regret(self) -> SharpConstant | None:
        """The coefficient of X^2 ||U||^2."""
        return self._constant("regret")

    @property
    def coefficient(self) -> SharpConstant | None:
        """Of the comparator's loss, of a structured theorem."""
        return self._constant("coefficient")

    @property
    def gap_map(self) -> sp.Expr | None:
        """The best one for every K, if there is one."""
        return self._expressions.get(str(self._found.get("gap_map")))

    def _constant(self, name: str) -> SharpConstant | None:
        found = self._found.get(name)
        if found is None:
            return None
        (brackets,) = [value for value in found.values() if isinstance(value, dict)] or [{}]
        pairs = {int(n): None if ends is None else _bracket(ends) for n, ends in brackets.items()}
        return SharpConstant(self._expressions.get(str(found.get("closed_form"))), pairs)

    def __getitem__(self, name: str) -> object:
        return self._found[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found)

    def __len__(self) -> int:
        return len(self._found)


def _bracket(ends: Sequence[str]) -> Bracket:
    low, high = map(Fraction, ends)
    return low, high


class SharpenResult(ResultRow):
    """What ``sharpen`` found of a theorem.

    Attributes
    ----------
    theorems : list of Theorem or StructuredTheorem
        What is proved for every K or size: for ``check``, and for learners.
    """

    def __init__(
        self, row: Document, text: str, certified: bool, expressions: Sequence[sp.Expr], theorems: Sequence[Item]
    ) -> None:
        super().__init__(row, text)
        self._certified = certified
        self._expressions = {str(expr): expr for expr in expressions}
        self.theorems = list(theorems)

    def part(self, name: str) -> SharpenPart:
        """One question by its name in JSON."""
        return SharpenPart(self._row.get(name), self._expressions)

    @property
    def given_gap_map(self) -> SharpenPart:
        """For the theorem's own gap map."""
        return self.part("given_gap_map")

    @property
    def best_gap_map(self) -> SharpenPart:
        """Over all gap maps."""
        return self.part("best_gap_map")

    @property
    def best_decoder(self) -> SharpenPart:
        """Over all randomized predictions."""
        return self.part("best_decoder")

    @property
    def any_algorithm(self) -> SharpenPart:
        """Over all algorithms."""
        return self.part("any_algorithm")

    @property
    def verdict(self) -> str:
        """PROVED if every constant that was asked for is certified, else UNDECIDED."""
        return "PROVED" if self._certified else "UNDECIDED"


R = TypeVar("R", bound=ResultRow)


class ResultList(Sequence[R], Generic[R]):
    """Several results, in the order in which their theorems were given or written."""

    def __init__(self, results: Sequence[R]) -> None:
        self._results = tuple(results)

    @property
    def verdict(self) -> str:
        """The worst of them; nothing is UNDECIDED."""
        found = {result.verdict for result in self._results}
        return next((verdict for verdict in VERDICTS if verdict in found), "UNDECIDED")

    def to_json(self) -> list[Document]:
        """The rows of the verb's JSON."""
        return [result.to_json() for result in self._results]

    def __bool__(self) -> bool:
        """Whether all of them are PROVED."""
        return self.verdict == "PROVED"

    def __len__(self) -> int:
        return len(self._results)

    @overload
    def __getitem__(self, place: int) -> R: ...
    @overload
    def __getitem__(self, place: slice) -> "ResultList[R]": ...
    def __getitem__(self, place: int | slice) -> "R | ResultList[R]":
        found = self._results[place]
        return ResultList(found) if isinstance(found, tuple) else found

    def __repr__(self) -> str:
        counts = [(verdict, sum(r.verdict == verdict for r in self._results)) for verdict in VERDICTS]
        summary = ", ".join(f"{count} {verdict}" for verdict, count in reversed(counts) if count)
        return "\n".join([*map(repr, self._results), summary or "nothing"])

    def _repr_html_(self) -> str:
        return "".join(result._repr_html_() for result in self._results)
