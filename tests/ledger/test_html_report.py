"""The HTML report of the audit: well formed, self-contained, and safe whatever a claim says."""

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from click.testing import CliRunner
from conftest import Command, is_one_sentence
from test_audit_command import ledger

from gaptron.commands.audit import audit

VOID = {"meta", "input", "br", "link", "img", "hr"}


class Page(HTMLParser):
    """Balanced elements, identifiers, internal links and headings."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.headings: list[int] = []
        self.attributes: list[tuple[str, str, str]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.attributes += [(tag, name, value) for name, value in given.items()]
        self.ids += [given["id"]] if "id" in given else []
        self.links += [given["href"]] if tag == "a" else []
        self.headings += [int(tag[1])] if re.fullmatch("h[1-6]", tag) else []
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory, lent_cache: Path) -> str:
    folder = tmp_path_factory.mktemp("report")
    page = folder / "report.html"
    arguments = [str(ledger(folder)), "--html", str(page), "--cache", str(lent_cache)]
    assert CliRunner().invoke(audit, arguments).exit_code == 0
    return page.read_text()


def test_the_page_is_well_formed_and_every_link_has_its_target(report: str) -> None:
    page = Page(report)
    assert page.open == []
    assert len(set(page.ids)) == len(page.ids)
    assert len(page.links) > 10
    assert {link for link in page.links if link[0] != "#" or link[1:] not in page.ids} == set()
    assert page.headings[0] == 1
    assert all(after <= before + 1 for before, after in zip(page.headings, page.headings[1:], strict=False))


def test_findings_come_first_and_nothing_is_empty(report: str) -> None:
    """One document needs no overview, and what its claims do not have has no section."""
    first, legend = report.index('class="erratum"'), report.index('class="legend"')
    assert first < legend < report.index('id="claims"')
    assert 'id="overview"' not in report
    assert " 1 documents" not in report
    assert not re.search(r"<(tbody|ul|ol|dl|nav|figure)[^>]*>\s*</", report)


def test_what_is_proved_says_what_it_rests_on_and_what_is_refuted_why(report: str) -> None:
    claims = report.split('id="claims"')[1]
    proved = claims.split('data-verdict="PROVED"')[1].split("</article>")[0]
    assert re.search(r"It rests on \d+ proof obligation", proved)
    assert "<b>Why.</b>" in claims.split('data-verdict="REFUTED"')[1].split("</article>")[0]


def test_nothing_is_loaded_from_elsewhere(report: str) -> None:
    loads = [(tag, name) for tag, name, _ in Page(report).attributes if name in ("src", "srcset", "data", "action")]
    assert loads == []
    policy = next(value for _, name, value in Page(report).attributes if name == "content" and "default-src" in value)
    assert policy.startswith("default-src 'none'; style-src 'sha256-")
    assert not re.search(r"@import|url\(|<link|<iframe", report)
    assert [name for _, name, _ in Page(report).attributes if name.startswith("on")] == []


def test_the_report_says_what_is_wrong_and_what_is_true(report: str) -> None:
    errata = report.split('id="errata"')[1].split('id="constants"')[0]
    for text in ("x ≤ x²", "Not between 0 and 1", "0 ≤ x²", "(PROVED)"):
        assert text in errata
    assert "<math" not in errata  # no claim of this ledger has a formula
    assert "doc/after rests on" not in report
    assert '<a href="#doc-after">doc/after</a> rests on <a href="#doc-square">doc/square</a>' in report


@pytest.mark.slow
def test_the_same_claims_give_the_same_bytes(gaptron: Command, tmp_path: Path, report: str) -> None:
    """From kept certificates: the first run has the solvers' word besides."""
    file, pages = ledger(tmp_path), [tmp_path / "second.html", tmp_path / "third.html"]
    for page in (tmp_path / "first.html", *pages):
        gaptron("audit", file, "--html", page)
    assert pages[0].read_bytes() == pages[1].read_bytes()
    assert len(pages[0].read_text()) == pytest.approx(len(report), rel=0.01)


@pytest.mark.usefixtures("lent")
def test_hostile_text_is_escaped(gaptron: Command, tmp_path: Path) -> None:
    file = ledger(tmp_path)
    hostile = "</style><script>alert(1)</script>\\x1b[2J{{ 7*7 }}"
    file.write_text(file.read_text().replace("Not between 0 and 1.", hostile).replace("p. 2", f"p. 2 {hostile}"))
    page = tmp_path / "report.html"
    assert gaptron("audit", file, "--html", page).returncode == 0
    text = page.read_text()
    assert "<script>alert" not in text
    assert "\x1b" not in text
    assert "{{ 7*7 }}" in text
    assert Page(text).open == []


@pytest.mark.slow
@pytest.mark.usefixtures("lent")
def test_a_formula_that_cannot_be_shown_is_named(gaptron: Command, tmp_path: Path) -> None:
    file = ledger(tmp_path)
    file.write_text(file.read_text().replace('statement="x <= x^2",', 'statement="x <= x^2", tex=r"\\nosuch{1}",'))
    done = gaptron("audit", file, "--html", tmp_path / "report.html")
    assert done.returncode == 2
    assert "doc/below: its TeX" in done.stderr
    assert is_one_sentence(done.stderr)
    assert not (tmp_path / "report.html").exists()


@pytest.mark.slow
@pytest.mark.usefixtures("lent")
def test_what_rests_on_a_claim_that_is_not_proved_is_dashed(gaptron: Command, tmp_path: Path) -> None:
    file = ledger(tmp_path, premise="doc/below")
    file.write_text(file.read_text().replace('Rests("doc/below"),\n          recorded="PROVED"', '(Rests("doc/below"), '
                    'Obligations(true)),\n          recorded="UNDECIDED"'))  # fmt: skip
    gaptron("audit", file, "--html", tmp_path / "report.html")
    assert "doc/after: UNDECIDED, rests on a claim that is not PROVED" in (tmp_path / "report.html").read_text()


@pytest.mark.slow
def test_evidence_says_what_it_refutes(gaptron: Command, tmp_path: Path) -> None:
    page = tmp_path / "report.html"
    gaptron("audit", "examples/tilted_hinge", "--html", page)
    assert "REFUTED, the bound is not decided, its proof fails (gap)" in page.read_text()
