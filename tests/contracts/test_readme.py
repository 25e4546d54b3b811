"""README and docs show what the code does: listings are files, outputs are real. GAPTRON_RECORD=1 rewrites them."""

import os
import re
import shlex
from collections import Counter
from pathlib import Path

import pytest
from conftest import REPOSITORY, Audited, Command, Shipped

from gaptron.ledger import related
from gaptron.symbols import D, K, T, X
from gaptron.theory.files import load, shipped_files
from gaptron.theory.theorem import Theorem

README = REPOSITORY / "README.md"
DOCS = REPOSITORY / "docs"
PAGES = [README, *sorted(DOCS.glob("*.md")), REPOSITORY / "CONTRIBUTING.md"]
MARK = re.compile(r"<!-- (file|output of): (.+?) -->\n```(\w*)\n(.*?)```", re.DOTALL)
TABLE = "<!-- table: shipped theorems -->"
RELATED = "<!-- table: related results -->"
CONSTANTS = "<!-- table: sharp constants -->"
WHOLE = "<!-- table: whole and steps -->"
SNIPPET = re.compile(r"<!-- run -->\n```python\n(.*?)```", re.DOTALL)
SNIPPETS = [
    pytest.param(code, id=f"{page.stem}-{n}")
    for page in PAGES
    for n, code in enumerate(SNIPPET.findall(page.read_text()))
]
LISTINGS = [(page, match[1], match[2]) for page in PAGES for match in MARK.finditer(page.read_text())]
LINK = re.compile(r"\]\(([^)#:]+)\)")


def held(page: Path, current: str, expected: str, rewritten: str) -> None:
    if os.environ.get("GAPTRON_RECORD"):
        page.write_text(rewritten)
    else:
        assert current == expected


def table(page: Path, mark: str, expected: str) -> None:
    """The table after this mark is as expected."""
    text = page.read_text()
    (match,) = re.finditer(rf"{re.escape(mark)}\n((?:\n\|[^\n]*|\n(?=\n\|))*)", text)
    held(page, match[1], expected, text[: match.start(1)] + expected + text[match.end(1) :])


@pytest.mark.parametrize(
    ("page", "kind", "what"),
    [pytest.param(*mark, marks=[pytest.mark.slow] if "gaptron check" in mark[2] else []) for mark in LISTINGS],
    ids=[what for _, _, what in LISTINGS],
)
def test_a_listing_is_real(page: Path, kind: str, what: str, gaptron: Command) -> None:
    text = page.read_text()
    (match,) = [m for m in MARK.finditer(text) if (m[1], m[2]) == (kind, what)]
    said = "" if kind == "file" else gaptron(*shlex.split(what)[1:]).stdout
    expected = (REPOSITORY / what).read_text() if kind == "file" else said
    held(page, match[4], expected, text[: match.start(4)] + expected + text[match.end(4) :])


@pytest.mark.slow
def test_the_table_of_theorems_is_what_check_says(shipped: Shipped) -> None:
    formal = (DOCS / "formal.md").read_text()  # which is what check --coq says
    rows = ["| theorem | source | learning rate | regret | verdict | evidence |",
            "|---|---|---|---|---|---|"]  # fmt: skip
    for theorem in (t for t in shipped.document["theorems"] if t["learning_rate"]):
        whole = ["coq"] if f"| {theorem['name']} | accepted |" in formal else []
        evidence = [*whole, *sorted({obligation["evidence"][0] for obligation in theorem["obligations"]})]
        cells = [theorem["name"], theorem["source"], theorem["learning_rate"] or "", theorem["regret"] or "",
                 theorem["verdict"], ", ".join(evidence)]  # fmt: skip
        rows.append("| " + " | ".join(cell.replace("*", r"\*") for cell in cells) + " |")
    table(DOCS / "theorems.md", TABLE, "\n".join(["", *rows]))


@pytest.mark.slow
def test_what_is_called_false_is_refuted(audited: Audited) -> None:
    verdicts = {claim["id"]: claim["verdict"] for claim in audited.document["claims"]}
    (said,) = re.findall(r"False as printed, among others:(.*?)docs/errata", README.read_text(), re.DOTALL)
    named = re.findall(r"`(\w+/[\w-]+)`", said)
    assert len(named) > 2
    assert {verdicts[name] for name in named} == {"REFUTED"}


@pytest.mark.slow
def test_which_claims_are_whole_is_what_the_audit_says(audited: Audited) -> None:
    counts = Counter((c["id"].split("/")[0], c["argument"]) for c in audited.document["claims"] if c["argument"])
    documents = dict.fromkeys(document for document, _ in counts)
    rows = ["| document | whole | steps |", "|---|---|---|"]
    rows += [f"| {name} | {counts[name, 'whole']} | {counts[name, 'steps']} |" for name in documents]
    table(DOCS / "whole_arguments.md", WHOLE, "\n".join(["", *rows]))


@pytest.mark.slow
def test_what_is_derived_and_false_is_shown_at_a_round_or_stream(audited: Audited) -> None:
    """Not at the scalars inside a proof: the second route has the round."""
    errata = audited.errata.read_text()
    shown = [line for line in errata.splitlines() if line.startswith("- **") and "Counterexample" in line]
    false = [c["id"] for c in audited.document["claims"] if (c["kind"], c["verdict"]) == ("derived", "REFUTED")]
    listed = [line for line in shown if any(f"`{name}`" in line for name in false)]
    assert listed
    assert all("left = " in line and " fails, with " not in line for line in listed)


@pytest.mark.slow
def test_the_errata_for_authors_are_what_the_audit_says(audited: Audited) -> None:
    """They are generated: gaptron audit --errata docs/errata.md --notes docs/errata."""
    made = {Path("errata.md"): audited.errata.read_text()}
    made |= {Path("errata") / file.name: file.read_text() for file in audited.notes.iterdir()}
    if os.environ.get("GAPTRON_RECORD"):
        (DOCS / "errata").mkdir(exist_ok=True)
        for name, text in made.items():
            (DOCS / name).write_text(text)
    kept = [Path("errata.md"), *(Path("errata") / file.name for file in (DOCS / "errata").iterdir())]
    assert {name: (DOCS / name).read_text() for name in kept} == made


def test_related_results_are_those_of_the_report() -> None:
    head, *rows = related.table()
    lines = [head, ["---"] * len(head), *rows]
    expected = "\n".join(["", *(f"| {' | '.join(cells)} |" for cells in lines)])
    table(DOCS / "related_work.md", RELATED, expected)


@pytest.mark.slow
def test_what_related_work_calls_proved_is_proved_with_that_constant(shipped: Shipped) -> None:
    """A shipped item that is PROVED, or one of the example whose golden output says so; a theorem has the constant."""
    example = REPOSITORY / "examples" / "optimal_constants.py"
    items = {s.item.name: s.item for file in (*shipped_files(), example) for s in load(file)}
    said = {t["name"] for t in shipped.document["theorems"] if t["verdict"] == "PROVED"}
    said |= set(re.findall(r"PROVED +(.+?) \(", (example.parent / "expected" / "optimal_constants.txt").read_text()))
    rows = [row for row in related.RESULTS if "PROVED" in row.standing]
    assert [row.source for row in related.RESULTS if bool(row.proved) != (row in rows)] == []
    for row in rows:
        item = items[row.proved]
        assert row.proved in said
        assert isinstance(item, Theorem) != (related.STEPS in row.standing), row
        if isinstance(item, Theorem):
            assert item.feedback == row.feedback
            at = {X: 1, D: 1, T: 10**40}
            scale = 10**20 if row.feedback == "bandit" else 1
            ours = [float(item.regret.subs({K: n, **at})) / scale for n in related.AT]
            assert ours == pytest.approx([float(row.constant.subs(K, n)) for n in related.AT]), row


def test_numbers_said_of_related_work_are_those_of_the_table() -> None:
    said = README.read_text() + (DOCS / "related_work.md").read_text()
    for source, number in ((related.SAKAUE, "2.351"), ("here: best decoder", "0.5203")):
        (one,) = [r for r in related.RESULTS if r.feedback == "full" and r.source.startswith(source)]
        assert one.at(2) == one.at(100) == number
        assert number in said


def rows_of(page: Path) -> list[list[str]]:
    rows = [line for line in page.read_text(encoding="utf-8").splitlines() if line[:1] == "|"]
    return [[cell.strip() for cell in row.strip("|").split("|")] for row in rows]


def test_the_sharp_constants_are_those_of_the_documentation() -> None:
    """Both pages are generated: benchmarks/sharpened.py, and benchmarks/optimal_constant.py for all algorithms."""
    rows = rows_of(DOCS / "sharpened.md")
    constants = rows[: next(n for n, row in enumerate(rows) if row[0] == "theorem")]
    optimal = rows_of(DOCS / "optimal_constant.md")
    closed = next(row for row in optimal if "every K" in row).index("every K")
    every = {row[0]: row[closed] for row in optimal if row[1] == "all algorithms"}
    last = ["all algorithms", "---", *(every[row[0]] for row in constants[2:])]
    lines = [f"| {' | '.join([*row, end])} |" for row, end in zip(constants, last, strict=True)]
    table(README, CONSTANTS, "\n".join(["", *lines]))


@pytest.mark.usefixtures("lent")
@pytest.mark.parametrize("code", SNIPPETS)
def test_a_snippet_runs(
    code: str, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(code, {})  # noqa: S102
    said = capsys.readouterr().out
    assert not said or 0 < float(said) < 2000


def test_the_findings_named_are_in_the_gallery() -> None:
    for example in re.findall(r"\(examples/(\w+)\.py\)", README.read_text()):
        assert (REPOSITORY / "examples" / f"{example}.py").exists()
        recorded = (REPOSITORY / "examples" / "expected" / f"{example}.txt").read_text()
        assert recorded.startswith(("PROVED", "REFUTED"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    missing = [link for link in LINK.findall(page.read_text()) if not (page.parent / link).exists()]
    assert not missing
