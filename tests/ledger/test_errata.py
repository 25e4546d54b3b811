"""Every row says what it is; an erratum quotes the document and has an instance that Python alone works."""

import ast
import json
import re
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import REPOSITORY, Command, is_one_sentence, shipped_entries
from test_audit_command import ledger

from gaptron import NotCheckable
from gaptron.ledger.bibliography import ABOUT, DOCUMENTS, EDITIONS
from gaptron.ledger.errata import plain
from gaptron.ledger.worked import LENGTH, STEPS, worked
from gaptron.theory.claims import LedgerClaim
from gaptron.theory.files import Filed, FileError, load_whole
from gaptron.theory.refusals import TheoremError
from gaptron.theory.shipped import FOLDERS

pytestmark = pytest.mark.usefixtures("lent")

SEEDS = REPOSITORY.parent / "shared" / "seeds"
OPENINGS = {
    "gaptron": "Exploiting the Surrogate Gap",
    "slides": "\n\nExploiting the Surrogate Gap",
    "blog": "The Gaptron Algorithm",
    "soba": "Efficient Online Bandit Multiclass Learning",
    "notes": "\nBandit Multiclass Classification",
}
LISTED = REPOSITORY.parent / "shared" / "frontier_claims.md"
WORDS = 25  # of a quotation from a paper whose text is not shipped
SCRIPTS = sorted((REPOSITORY / "proofs").glob("*/worked/*.py"))
ALLOWED = {"fractions", "math"}


@pytest.fixture(scope="module")
def filed() -> list[Filed]:
    return shipped_entries()[1]


def letters(text: str) -> str:
    """Without white space and punctuation."""
    return re.sub(r"[\W_]+", "", text)


@pytest.mark.skipif(not SEEDS.is_dir(), reason="the documents are not beside the repository")
@pytest.mark.slow
def test_quotations_are_in_the_documents(filed: list[Filed]) -> None:
    files = [file.read_text(encoding="utf-8") for file in SEEDS.glob("*.txt")]
    texts = {name: [letters(t) for t in files if t.startswith(opening)] for name, opening in OPENINGS.items()}
    assert [len(found) for found in texts.values()] == [1] * len(OPENINGS)
    quoted = [f.claim for f in filed if f.claim.quote and f.claim.document in OPENINGS]
    assert len(quoted) > 120
    assert [c.id for c in quoted if letters(c.quote) not in texts[c.document][0]] == []
    assert [c.id for c in quoted if len(letters(c.quote)) < 20] == []
    rough = [c for c in quoted if c.rough]
    assert {c.rough for c in rough} == {"(roughly)", "Rough analysis:", "Gradient Descent [TODO]"}
    assert [c.id for c in rough if letters(c.rough) not in texts[c.document][0]] == []


@pytest.mark.slow
def test_quotations_of_papers_that_were_not_seen_whole_are_short(filed: list[Filed]) -> None:
    quoted = [f.claim for f in filed if f.claim.quote and f.claim.document in ABOUT]
    assert {claim.document for claim in quoted} == set(ABOUT) == set(DOCUMENTS) - set(OPENINGS) - {"new"}
    assert set(EDITIONS) == set(DOCUMENTS) - {"new"}
    assert [c.id for c in quoted if not letters(c.quote) or len(c.quote.split()) > WORDS] == []


@pytest.mark.skipif(not LISTED.is_file(), reason="the list of claims is not beside the repository")
@pytest.mark.slow
def test_quotations_of_papers_that_were_not_seen_whole_are_in_the_list_of_their_claims(filed: list[Filed]) -> None:
    listed = {}
    for entry in re.split(r"^\*\*(?=\w+/)", LISTED.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        name, rest = entry.split("**", 1)
        listed[name] = letters("".join(re.findall(r'^Quote: "(.*)"', rest, re.MULTILINE)))
    assert len(listed) == 70
    quoted = [f.claim for f in filed if f.claim.quote and f.claim.document in ABOUT]
    assert [c.id for c in quoted if not any(letters(c.quote) in text for text in listed.values())] == []
    assert [c.id for c in quoted if c.id in listed and letters(c.quote) not in listed[c.id]] == []


@pytest.mark.slow
def test_what_is_printed_is_quoted_and_what_is_not_is_not(filed: list[Filed]) -> None:
    printed = [f.claim for f in filed if f.claim.kind in ("printed", "reading")]
    assert [c.id for c in printed if not c.quote] == []
    ours = [f.claim for f in filed if f.claim.kind in ("derived", "improvement")]
    assert [c.id for c in ours if c.quote and c.id != "slides/abstention-gap"] == []


@pytest.mark.slow
def test_what_is_printed_and_refuted_has_severity_instance_and_patch(filed: list[Filed]) -> None:
    false = [f for f in filed if f.claim.recorded == "REFUTED" and f.claim.kind == "printed"]
    assert len(false) > 30
    assert [f.claim.id for f in false if f.claim.severity is None] == []
    rated = [f for f in filed if f.claim.severity is not None]
    assert [f.claim.id for f in rated if worked(f.claim, f.file) is None] == []


@pytest.mark.slow
def test_what_the_document_calls_rough_is_not_said_to_be_false_as_meant(filed: list[Filed]) -> None:
    assert [f.claim.id for f in filed if f.claim.rough and f.claim.severity == "A"] == []
    notes = [f.claim for f in filed if f.claim.document == "notes" and f.claim.quote]
    assert [c.id for c in notes if c.source.startswith(("notes, section 2", "notes, section 5")) != bool(c.rough)
            and "Lemma 3" not in c.source] == []  # fmt: skip


@pytest.mark.slow
def test_every_script_belongs_to_an_erratum(filed: list[Filed]) -> None:
    rated = [f for f in filed if f.claim.severity is not None]
    assert {w.file for f in rated if (w := worked(f.claim, f.file))} == set(SCRIPTS)


@pytest.mark.slow
def test_nothing_is_cited_that_was_not_available(filed: list[Filed]) -> None:
    """The Gaptron document ends with its references."""
    cited = [f.claim for f in filed if f.claim.document == "gaptron" and "ppendix" in f.claim.source]
    assert len(cited) > 5
    assert {c.kind for c in cited} == {"derived"}
    assert all(c.source.endswith("(a natural derivation; the appendix was not available)") for c in cited)


@pytest.mark.parametrize("script", SCRIPTS, ids=[f"{s.parent.parent.name}/{s.stem}" for s in SCRIPTS])
def test_a_script_needs_python_alone_and_its_assertion_can_fail(
    script: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = script.read_text(encoding="utf-8")
    tree = ast.parse(text)
    imported = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported <= ALLOWED
    assert not any(isinstance(node, ast.Import) for node in ast.walk(tree))
    setting = tree.body[0].end_lineno or 0
    assert len(text.splitlines()) - setting <= LENGTH
    assert isinstance(tree.body[-1], ast.Assert)
    exec(text, {})  # noqa: S102
    assert 1 <= len(capsys.readouterr().out.splitlines()) <= STEPS
    steps, relation = text.rstrip().rsplit("\n", 1)
    agreeing = "right - 1" if " < " in relation else "right + 1" if " > " in relation else "right"
    with pytest.raises(AssertionError):
        exec(f"{steps}\nleft = {agreeing}\n{relation}\n", {})  # noqa: S102


CLAIM = {"id": "doc/a", "source": "p. 1", "statement": "s", "recorded": "REFUTED"}


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"kind": "printd"}, "kind = 'printd' is not one of printed, reading"),
        ({"severity": "E"}, "severity = 'E' is not one of A, B, C, D"),
        ({"severity": "A"}, "of severity A: quote = '' is not a non-empty string"),
        ({"severity": "A", "quote": "q", "cause": "c"}, "patch = '' is not"),
        ({"severity": "A", "quote": "q", "cause": "c", "patch": "p", "kind": "derived"}, "of what is derived"),
        ({"rough": True, "quote": "q"}, "rough = True is not a non-empty string"),
        ({"rough": "(roughly)"}, "which is rough: quote = '' is not a non-empty string"),
    ],
)
def test_an_erratum_that_is_not_whole_is_an_input_error(fields: dict[str, str], said: str) -> None:
    with pytest.raises(TheoremError, match=re.escape(said)):
        LedgerClaim(**CLAIM | {"grounds": NotCheckable("r")} | fields)  # type: ignore[arg-type]


RATED = (
    'statement="x <= x^2", kind="printed", quote="$x \\\\le x^2$ for all x", severity="A", cause="x is not below", '
    'patch="read 0", rough="a <rough> *sketch*",'
)
SCRIPT = (
    '"""x = 1/2."""\n\nfrom fractions import Fraction\n\nleft = Fraction(1, 2)\nright = left**2\nprint("1/4")\n{last}\n'
)


def rated(folder: Path, last: str = "assert not left <= right") -> Path:
    file = ledger(folder)
    file.write_text(file.read_text().replace('statement="x <= x^2",', RATED))
    (folder / "worked").mkdir()
    (folder / "worked" / "below.py").write_text(SCRIPT.format(last=last))
    return file


@pytest.mark.slow
def test_reports_show_an_erratum(gaptron: Command, tmp_path: Path) -> None:
    file = rated(tmp_path)
    names = {kind: tmp_path / f"out.{kind}" for kind in ("markdown", "errata", "junit", "html")}
    options = [part for kind, name in names.items() for part in (f"--{kind}", name)]
    done = gaptron("audit", file, "--json", *options, "--notes", tmp_path / "notes")
    assert done.returncode == 0
    (row,) = [c for c in json.loads(done.stdout)["claims"] if c["id"] == "doc/below"]
    assert (row["kind"], row["severity"], row["rough"], row["location"]) == ("printed", "A", True, "p. 2")
    assert row["instance"] == {
        "setting": "x = 1/2.", "arithmetic": ["1/4"], "left": "1/2", "right": "1/4", "script": "worked/below.py",
    }  # fmt: skip
    for name in ("markdown", "errata", "junit", "html"):
        text = names[name].read_text()
        for part in ("x = 1/2.", "read 0", "for all x"):
            assert part in text, (name, part)
    assert "### 1. [A] x is not below" in names["errata"].read_text()
    assert "calls this passage rough: *a \\<rough> \\*sketch\\**" in names["errata"].read_text()
    assert "a <rough> *sketch*" not in names["html"].read_text()
    assert "<math" in names["html"].read_text().split('id="errata"')[1].split('id="constants"')[0]
    assert {f.name for f in (tmp_path / "notes").iterdir()} == {"doc.md", "doc-below.md"}
    (code,) = re.findall(r"```python\n(.*?)```", (tmp_path / "notes" / "doc-below.md").read_text(), re.DOTALL)
    assert (
        subprocess.run([sys.executable, "-I", "-c", code], check=True, capture_output=True, text=True).stdout == "1/4\n"
    )


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("0 <= x < 1, 2 <3", "0 <= x < 1, 2 <3"),
        ("<U, v> and <b>", "\\<U, v> and \\<b>"),
        ("\\<b", "\\\\\\<b"),
        ("a*b <", "a\\*b \\<"),
    ],
)
def test_markdown_shows_a_text_as_it_is(text: str, shown: str) -> None:
    assert plain(text) == shown


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("last", "said"),
    [
        ("assert left <= right", "AssertionError"),
        ("left = 0.5\nassert not left <= right", "not both exact"),
        ("del left", "KeyError: 'left'"),
    ],
)
def test_a_script_that_does_not_work_its_claim_is_an_input_error(
    gaptron: Command, tmp_path: Path, last: str, said: str
) -> None:
    done = gaptron("audit", rated(tmp_path, last))
    assert done.returncode == 2
    assert "below.py" in done.stderr
    assert said in done.stderr
    assert is_one_sentence(done.stderr)


def test_a_claim_without_a_script_has_no_instance(tmp_path: Path) -> None:
    (claim, *_) = load_whole(ledger(tmp_path))[1]
    assert worked(claim.claim, claim.file) is None
    with pytest.raises(FileError, match="not both exact"):
        worked(load_whole(rated(tmp_path, "left = 0.5"))[1][1].claim, tmp_path / "ledger.py")


@pytest.mark.slow
def test_the_report_on_our_documents_compares_with_other_results(gaptron: Command, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    assert gaptron("audit", REPOSITORY / "proofs" / "blog" / "example1.py", "--html", page).returncode == 0
    related = page.read_text().split('id="related"')[1].split("</section>")[0]
    for text in ("Gappletron", "Sakaue, Bao, Tsuchiya, Oki 2024", "2.351", "Shibukawa"):
        assert text in related


@pytest.mark.few(1)
@pytest.mark.parametrize("document", sorted({*FOLDERS} - {"new"}))
def test_a_second_route_is_not_the_first_again(document: str) -> None:
    claims = [filed.claim for file in (REPOSITORY / "proofs" / document).glob("*.py") for filed in load_whole(file)[1]]
    assert any(claim.second for claim in claims)
    assert [claim.id for claim in claims if any(route in claim.grounds for route in claim.second)] == []
