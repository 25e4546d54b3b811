"""Results as HTML for a notebook: escaped, with formulas for its own typesetting, and without a script."""

from markupsafe import Markup, escape

from gaptron.reports.check_report import advised, shown_witnesses
from gaptron.reports.witness import breaks_line, refuted_text, witness_line
from gaptron.system.documents import Document
from gaptron.system.printable import printable

COLOURS = {"PROVED": "#137333", "REFUTED": "#b3261e", "UNDECIDED": "#8a5a00"}
PLAIN = "tex2jax_ignore mathjax_ignore"  # text in which no dollar begins a formula


def text(lines: str) -> str:
    """Lines for a terminal, as they are."""
    return str(Markup('<pre class="{}">{}</pre>').format(PLAIN, printable_lines(lines)))


def printable_lines(lines: str) -> str:
    """Without control characters but the ends of lines."""
    return "\n".join(printable(line) for line in lines.splitlines())


def checked(row: Document, tex: str) -> str:
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
