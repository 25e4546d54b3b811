"""The documentation: every public name has an example that runs, every block is checked, and the site is whole."""

import doctest
import importlib
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import asked_of_the_network, chrome
from conftest import REPOSITORY
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.support.ui import WebDriverWait
from waiting import PATIENCE

from gaptron.papers.checked_files import ProofLibrary

DOCS = REPOSITORY / "docs"
PUBLIC = [
    f"{room}.{name}"
    for room in ("gaptron", "gaptron.learners", "gaptron.structured", "gaptron.testing")
    for name in importlib.import_module(room).__all__
]
LONG = {"gaptron.audit", "gaptron.sharpen"}  # which tests of the verbs run
CHECKED = re.compile(r"<!-- (?:file: |output of: |run|session|in |recipe)")
NOT_RUN = {"toml", "yaml", "tex", "{toctree}", "{include}"}  # settings of other programs, quotations, pages
ELSEWHERE = {"optimal_constant", "certificates"}  # tests/optimal/test_note.py, test_certificates_page.py
PHONE, DESKTOP, PAPER = 390, 1280, 720
# What is cut off on paper: a box that would scroll, or what stands over the text on every sheet.
CUT = """
const seen = e => e.offsetParent && getComputedStyle(e).visibility !== 'hidden';
const scrolls = e => getComputedStyle(e).overflowX !== 'visible' && e.scrollWidth > e.clientWidth + 1;
const sticksOut = e => e.getBoundingClientRect().right > document.documentElement.clientWidth + 1;
return [...document.querySelectorAll('article *, .skip-to-content')].filter(e => seen(e) && !e.closest('math')
    && (scrolls(e) || sticksOut(e) || e.matches('.skip-to-content'))).map(e => e.tagName + '.' + e.className);
"""


@pytest.mark.parametrize("path", [pytest.param(path, marks=[pytest.mark.slow] * (path in LONG)) for path in PUBLIC])
def test_a_public_name_has_an_example_that_runs(path: str) -> None:
    room, name = path.rsplit(".", 1)
    thing = getattr(importlib.import_module(room), name)
    example = doctest.DocTestParser().get_doctest(thing.__doc__ or "", {}, path, None, None)
    assert len(example.examples) >= 2
    said: list[str] = []
    flags = doctest.ELLIPSIS | doctest.IGNORE_EXCEPTION_DETAIL
    assert doctest.DocTestRunner(optionflags=flags).run(example, out=said.append).failed == 0, "".join(said)


@pytest.mark.parametrize("page", sorted(DOCS.glob("*.md")), ids=lambda page: page.stem)
def test_every_python_block_of_a_page_is_checked(page: Path) -> None:
    lines = page.read_text().splitlines()
    for number, line in enumerate(lines):
        fence = re.fullmatch(r"```([\w{}]+)(?: .*)?", line)
        if fence and fence[1] not in NOT_RUN and page.stem not in ELSEWHERE:
            assert CHECKED.match(lines[number - 1]), f"{page.name}:{number + 1} is neither run nor compared"


PROOFS = [
    pytest.param(text, id=f"{page.stem}-{number}")
    for page in sorted(DOCS.glob("*.md"))
    for number, text in enumerate(re.findall(r"^```\n((?:#.*\n)?setting .*?)^```", page.read_text(), re.DOTALL | re.M))
]


@pytest.mark.slow
@pytest.mark.parametrize("text", PROOFS)
def test_the_claims_of_a_proof_file_in_a_page_are_found(text: str) -> None:
    library = ProofLibrary()
    found = [library.decide(stated, None, True) for stated in library.read(text)]
    assert [claim.status for claim in found] == ["holds"]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages as `make docs` builds them, without the report, which has its own tests."""
    source, built = tmp_path_factory.mktemp("site") / "docs", tmp_path_factory.mktemp("built")
    shutil.copytree(DOCS, source, ignore=shutil.ignore_patterns("generated"))
    shutil.copy(REPOSITORY / "README.md", source.parent)  # the first page is its screen
    (source.parent / "proofs").symlink_to(REPOSITORY / "proofs")  # pages show files of it
    subprocess.run([sys.executable, source / "site" / "pages.py", "--into", source, "--no-report"], check=True)
    done = subprocess.run(
        [sys.executable, "-m", "sphinx", "-q", "-W", "-c", source / "site", source, built],
        text=True, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return built


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    with chrome(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.mark.slow
def test_the_site_has_every_page_and_asks_for_nothing(site: Path, browser: webdriver.Chrome) -> None:
    pages = sorted(site.rglob("*.html"))
    assert {f"{page.stem}.html" for page in DOCS.glob("*.md")} <= {page.name for page in pages}
    typeset = {page.stem for page in pages if "<math" in page.read_text()}
    assert {"index", "glossary", "gallery", "errata", "formal", "optimal_constant", "theorems", "structured"} <= typeset
    assert {"api_claims", "api_learners", "api_structured", "api_theorems"} <= typeset
    for page in pages:
        browser.get(page.as_uri())
    assert [entry for entry in browser.get_log("browser") if entry["level"] == "SEVERE"] == []
    assert asked_of_the_network(browser) == set()


@pytest.mark.slow
@pytest.mark.parametrize("width", [PHONE, DESKTOP])
def test_no_page_is_wider_than_the_screen(site: Path, browser: webdriver.Chrome, width: int) -> None:
    screen = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width == PHONE}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", screen)  # a window is 500 wide at least
    wide = []
    for page in sorted(site.rglob("*.html")):
        browser.get(page.as_uri())
        if browser.execute_script("return document.documentElement.scrollWidth") > width:
            wide.append(page.name)
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert wide == []


@pytest.mark.slow
def test_nothing_is_cut_off_on_paper(site: Path, browser: webdriver.Chrome) -> None:
    paper = {"width": PAPER, "height": 1100, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", paper)
    browser.get((site / "index.html").as_uri())
    assert browser.execute_script(CUT)  # on a screen lines are scrolled
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    cut = {}
    for page in sorted(site.rglob("*.html")):
        browser.get(page.as_uri())
        cut[page.name] = browser.execute_script(CUT)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert {name: found for name, found in cut.items() if found} == {}


@pytest.mark.slow
def test_the_search_finds_a_name(site: Path, browser: webdriver.Chrome) -> None:
    browser.get(f"{(site / 'search.html').as_uri()}?q=StructuredTheorem")
    found = WebDriverWait(browser, PATIENCE).until(lambda b: b.find_elements(By.CSS_SELECTOR, "#search-results li a"))
    assert any("structured" in (link.get_attribute("href") or "") for link in found)
