"""README and docs show what the code does: listings are files, outputs are real. GAPTRON_RECORD=1 rewrites them."""

import os
import re
import shlex
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from conftest import REPOSITORY, SECONDS, Audited, Command, Shipped

from gaptron.ledger import related
from gaptron.symbols import D, K, T, X
from gaptron.theory.files import load, shipped_files
from gaptron.theory.theorem import Theorem

README = REPOSITORY / "README.md"
DOCS = REPOSITORY / "docs"
PAGES = [README, *sorted(DOCS.glob("*.md")), REPOSITORY / "CONTRIBUTING.md"]
MARK = re.compile(r"<!-- (file|output of|end of): (.+?) -->\n```(\w*)\n(.*?)```", re.DOTALL)
NUMBER = re.compile(r"\d[\d.,]*(?<=\d)")
TABLE = "<!-- table: shipped theorems -->"
RELATED = "<!-- table: related results -->"
CONSTANTS = "<!-- table: constants -->"
WHOLE = "<!-- table: whole and steps -->"
SNIPPET = re.compile(r"<!-- run -->\n```python\n(.*?)```", re.DOTALL)
SNIPPETS = [
    pytest.param(code, id=f"{page.stem}-{n}")
    for page in PAGES
    for n, code in enumerate(SNIPPET.findall(page.read_text()))
]
LISTINGS = [(page, match[1], match[2]) for page in PAGES for match in MARK.finditer(page.read_text())]
LINK = re.compile(r"\]\(([^)#:]+)\)")
NO_PROSE = re.compile(r"<!--.*?-->|```.*?```|\$\$.*?\$\$|^\|[^\n]*$|(?<=\])\([^)]*\)", re.DOTALL | re.MULTILINE)
REVIEWERS = re.compile(r"## Ten minutes for a reviewer\n\n(.*?)\n\n", re.DOTALL)


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


def is_slow(command: str) -> bool:
    return "gaptron check" in command or "pytest" in command


def output(command: str, gaptron: Command) -> str:
    """What a command of a page says, of the same streams every time."""
    program, *arguments = shlex.split(command)
    if program == "gaptron":
        return gaptron(*arguments).stdout
    done = subprocess.run(
        [sys.executable, *arguments], cwd=REPOSITORY, env=os.environ | {"CI": "1"}, text=True, capture_output=True,
        timeout=SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("page", "kind", "what"),
    [pytest.param(*mark, marks=[pytest.mark.slow] if is_slow(mark[2]) else []) for mark in LISTINGS],
    ids=[what for _, _, what in LISTINGS],
)
def test_a_listing_is_real(page: Path, kind: str, what: str, gaptron: Command) -> None:
    text = page.read_text()
    (match,) = [m for m in MARK.finditer(text) if (m[1], m[2]) == (kind, what)]
    current, expected = match[4], (REPOSITORY / what).read_text() if kind == "file" else output(what, gaptron)
    if kind == "end of":  # streams and seconds are not those of another version or machine
        expected = "".join(expected.splitlines(keepends=True)[1 - current.count("\n") :])
    if kind != "file":
        expected = f"$ {what}\n{expected}"
    if kind == "end of" and NUMBER.sub("N", current) == NUMBER.sub("N", expected):
        return
    held(page, current, expected, text[: match.start(4)] + expected + text[match.end(4) :])


@pytest.mark.parametrize(("page", "kind", "what"), LISTINGS, ids=[what for _, _, what in LISTINGS])
def test_an_output_stands_below_its_command(page: Path, kind: str, what: str) -> None:
    """Which the comment above it, that readers do not see, has too."""
    (shown,) = [m[4] for m in MARK.finditer(page.read_text()) if (m[1], m[2]) == (kind, what)]
    assert kind == "file" or shown.startswith(f"$ {what}\n")


def test_the_front_page_is_short() -> None:
    words = NO_PROSE.sub("", README.read_text()).split()
    assert 500 < len(words) <= 900


def test_words_are_counted_beside_tables_and_code() -> None:
    page = "<!-- no -->\n# One\n\n| no | no |\n\ntwo [three](no no)\n\n$$no + no$$\n\n```sh\nno\n```\nfour\n"
    assert NO_PROSE.sub("", page).split() == ["#", "One", "two", "[three]", "four"]


@pytest.mark.slow
@pytest.mark.usefixtures("lent")
@pytest.mark.parametrize("row", range(5))
def test_a_reviewer_sees_what_is_promised(row: int, gaptron: Command) -> None:
    (table,) = REVIEWERS.findall(README.read_text())
    command, promised = table.splitlines()[2:][row].strip("| ").split(" | ")
    said = output(re.findall(r"`(.+?)`", command)[0], gaptron)
    shown = re.findall(r"`(.+?)`", promised)
    assert shown
    assert [what for what in shown if what not in said] == []
    assert "no word but" not in promised or not {"REFUTED", "UNDECIDED"} & set(said.split())


@pytest.mark.slow
def test_the_table_of_theorems_is_what_check_says(shipped: Shipped) -> None:
    formal = (DOCS / "formal_details.md").read_text()  # which is what check --coq says
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
    (said,) = re.findall(r"False\s+as\s+printed, among others:(.*?)Every verdict", README.read_text(), re.DOTALL)
    named = re.findall(r"`(\w+/[\w-]+)`", said)
    assert len(named) > 2
    assert {verdicts[name] for name in named} == {"REFUTED"}


@pytest.mark.slow
def test_which_claims_are_whole_is_what_the_audit_says(audited: Audited) -> None:
    columns = ("whole", "steps")
    counts = Counter((c["id"].split("/")[0], c["argument"]) for c in audited.document["claims"] if c["argument"])
    documents = dict.fromkeys(document for document, _ in counts)
    rows = [f"| document | {' | '.join(columns)} |", "|---|---|---|"]
    rows += [f"| {name} | {' | '.join(str(counts[name, column]) for column in columns)} |" for name in documents]
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
    ours, theirs = (
        next(r.constant for r in related.RESULTS if r.feedback == "bandit" and r.source.startswith(source))
        for source in ("here: best decoder", f"{related.SHIBUKAWA}, the best q")
    )
    assert 6 < float((theirs / ours).subs(K, 10**9)) < 7
    assert "less than a sixth of what the argument of Shibukawa" in " ".join(said.split())


def test_the_constants_of_the_front_page_are_those_of_related_work() -> None:
    """The bounds with full information that are PROVED here."""
    head, *rows = related.table()
    kept = [head, ["---"] * len(head), *(row for row in rows if row[0] == "full" and row[-1] == "PROVED here")]
    lines = [" | ".join(["", *row[1:3], *row[4:-1], ""]).strip() for row in kept]
    table(README, CONSTANTS, "\n".join(["", *lines]))


@pytest.mark.few(4)
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
    named = re.findall(r"\(examples/(\w+)\.py\)", README.read_text())
    assert named
    for example in named:
        assert (REPOSITORY / "examples" / f"{example}.py").exists()
        recorded = (REPOSITORY / "examples" / "expected" / f"{example}.txt").read_text()
        assert recorded.startswith(("PROVED", "REFUTED"))


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    missing = [link for link in LINK.findall(page.read_text()) if not (page.parent / link).exists()]
    assert not missing
