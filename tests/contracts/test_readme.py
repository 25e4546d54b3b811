"""The README shows what the code does: listings are files, outputs are real. GAPTRON_RECORD=1 rewrites it."""

import os
import re
import shlex
from pathlib import Path

import pytest
from conftest import REPOSITORY, Audited, Command, Shipped

from gaptron.ledger.errata import first_sentence, plain

README = REPOSITORY / "README.md"
MARK = re.compile(r"<!-- (file|output of): (.+?) -->\n```(\w*)\n(.*?)```", re.DOTALL)
TABLE = "<!-- table: shipped theorems -->"
CONSTANTS = "<!-- table: sharp constants -->"
ERRATA = "<!-- table: errata of the Gaptron paper -->"
SNIPPETS = re.findall(r"<!-- run -->\n```python\n(.*?)```", README.read_text(), re.DOTALL)
LISTINGS = [(match[1], match[2]) for match in MARK.finditer(README.read_text())]


def held(current: str, expected: str, rewritten: str) -> None:
    if os.environ.get("GAPTRON_RECORD"):
        README.write_text(rewritten)
    else:
        assert current == expected


def table(mark: str, expected: str) -> None:
    """The table after this mark is as expected."""
    text = README.read_text()
    (match,) = re.finditer(rf"{re.escape(mark)}\n((?:\n\|[^\n]*|\n(?=\n\|))*)", text)
    held(match[1], expected, text[: match.start(1)] + expected + text[match.end(1) :])


@pytest.mark.parametrize(
    ("kind", "what"),
    [pytest.param(*mark, marks=[pytest.mark.slow] if "gaptron check" in mark[1] else []) for mark in LISTINGS],
    ids=[what for _, what in LISTINGS],
)
def test_a_listing_is_real(kind: str, what: str, gaptron: Command) -> None:
    text = README.read_text()
    (match,) = [m for m in MARK.finditer(text) if (m[1], m[2]) == (kind, what)]
    said = "" if kind == "file" else gaptron(*shlex.split(what)[1:]).stdout
    expected = (REPOSITORY / what).read_text() if kind == "file" else said
    held(match[4], expected, text[: match.start(4)] + expected + text[match.end(4) :])


@pytest.mark.slow
def test_the_table_of_theorems_is_what_check_says(shipped: Shipped) -> None:
    rows = ["| theorem | source | learning rate | regret | verdict | evidence |",
            "|---|---|---|---|---|---|"]  # fmt: skip
    for theorem in (t for t in shipped.document["theorems"] if t["learning_rate"]):
        evidence = sorted({obligation["evidence"][0] for obligation in theorem["obligations"]})
        cells = [theorem["name"], theorem["source"], theorem["learning_rate"] or "", theorem["regret"] or "",
                 theorem["verdict"], ", ".join(evidence)]  # fmt: skip
        rows.append("| " + " | ".join(cell.replace("*", r"\*") for cell in cells) + " |")
    table(TABLE, "\n".join(["", *rows]))


@pytest.mark.slow
def test_the_errata_are_what_the_audit_says(audited: Audited) -> None:
    false = [c for c in audited.document["claims"] if c["verdict"] == "REFUTED" and c["id"].startswith("gaptron/")]
    rows = ["| claim | printed | what is wrong |", "|---|---|---|"]
    for claim in false:
        cells = (f"`{claim['id']}`", claim["statement"], first_sentence(claim["finding"]))
        rows.append("| " + " | ".join(plain(cell).replace("|", r"\|") for cell in cells) + " |")
    table(ERRATA, "\n".join(["", *rows]))


@pytest.mark.slow
def test_the_errata_for_authors_are_what_the_audit_says(audited: Audited) -> None:
    """docs/errata.md is generated: gaptron audit --errata docs/errata.md."""
    kept = REPOSITORY / "docs" / "errata.md"
    if os.environ.get("GAPTRON_RECORD"):
        kept.parent.mkdir(exist_ok=True)
        kept.write_text(audited.errata.read_text())
    assert kept.read_text() == audited.errata.read_text()


def test_the_sharp_constants_are_those_of_the_documentation() -> None:
    """docs/sharpened.md is generated: python benchmarks/sharpened.py --out docs/sharpened.md."""
    rows = [line for line in (REPOSITORY / "docs" / "sharpened.md").read_text().splitlines() if line[:1] == "|"]
    constants = rows[: next(n for n, row in enumerate(rows) if row.startswith("| theorem"))]
    table(CONSTANTS, "\n".join(["", *constants]))


@pytest.mark.parametrize("number", range(len(SNIPPETS)))
def test_a_snippet_runs(
    number: int, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(SNIPPETS[number], {})  # noqa: S102
    said = capsys.readouterr().out
    assert not said or 0 < float(said) < 2000


def test_the_findings_named_are_in_the_gallery() -> None:
    for example in re.findall(r"\(examples/(\w+)\.py\)", README.read_text()):
        assert (REPOSITORY / "examples" / f"{example}.py").exists()
        recorded = (REPOSITORY / "examples" / "expected" / f"{example}.txt").read_text()
        assert recorded.startswith(("PROVED", "REFUTED"))
