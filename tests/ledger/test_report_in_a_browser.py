"""The HTML report in headless Chromium: sliders, filters, links, and nothing asked of the network."""

import base64
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from browser import asked_of_the_network, chrome
from conftest import Audited, Command
from selenium import webdriver
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.ui import Select, WebDriverWait
from test_audit_command import ledger
from waiting import PATIENCE

from gaptron.learners.surrogates import in_doubles
from gaptron.theory.by_name import theorem as theorem_of
from gaptron.theory.named import named_binary_theorem

pytestmark = pytest.mark.slow


BLANK, PRINTED = 100_000, 1_000_000  # bytes
# What is wider than the page, and in no box of the page's width that scrolls.
STICKS_OUT = """
const width = document.documentElement.clientWidth;
const ends = element => element.getBoundingClientRect().right;
const scrolls = element => getComputedStyle(element).overflowX !== 'visible' && ends(element) <= width + 1;
const boxed = element => element !== document.body && (scrolls(element) || boxed(element.parentElement));
return [...document.querySelectorAll('body *')].filter(e => !e.closest('details:not([open])')
    && e.getBoundingClientRect().width && ends(e) > width + 1 && !boxed(e)).map(e => e.outerHTML.slice(0, 80));
"""
SCROLLS_ON_PAPER = """
return [...document.querySelectorAll('.erratum *, .scroll')].filter(e => e.offsetParent && !e.closest('math')
    && getComputedStyle(e).overflowX !== 'visible').map(e => e.tagName + '.' + e.className);
"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[webdriver.Chrome]:
    with chrome(tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture
def page(browser: webdriver.Chrome, gaptron: Command, tmp_path: Path) -> webdriver.Chrome:
    report, file = tmp_path / "report.html", ledger(tmp_path)
    file.write_text(file.read_text().replace("doc/", "blog/"))  # the live plot is about our documents
    assert gaptron("audit", file, "--html", report).returncode == 0
    browser.get_log("performance")  # of the page before
    browser.get(report.as_uri())
    return browser


def text_of(page: webdriver.Chrome, name: str) -> str:
    return page.find_element(By.ID, name).text


def test_no_errors_and_no_requests(page: webdriver.Chrome) -> None:
    assert page.get_log("browser") == []
    assert asked_of_the_network(page) == set()


def test_the_sliders_change_the_curve_and_the_verdict(page: webdriver.Chrome) -> None:
    assert "at most 0" in text_of(page, "plot-says")
    before = page.find_element(By.ID, "curve").get_attribute("d")
    slider = page.find_element(By.ID, "eta")
    slider.send_keys(Keys.ARROW_RIGHT)
    assert text_of(page, "eta-value") == "1.05"
    assert page.find_element(By.ID, "curve").get_attribute("d") != before
    assert "positive, the inequality fails" in text_of(page, "plot-says")


@pytest.mark.parametrize("name", ["hinge", "smooth hinge"])
@pytest.mark.parametrize("n_classes", [2, 5])
def test_the_plotted_gap_is_that_of_the_learner(page: webdriver.Chrome, name: str, n_classes: int) -> None:
    loss = in_doubles(theorem_of(name), n_classes)
    for margin in (-1.25, -0.5, -0.125, 0.0625, 0.1875, 0.5, 1.25):
        scores = [margin, *[0.0] * (n_classes - 1)]
        if margin < 0:
            scores = [margin, 0.0, *[margin] * (n_classes - 2)]
        a = loss.gap(np.array(scores))
        wrong = a * (n_classes - 1) / n_classes if margin >= 0 else 1 - a / n_classes
        squared = (loss.score_gradient(np.array(scores), 0) ** 2).sum()
        expected = wrong - loss.value(np.array(scores), 0) + loss.learning_rate / 2 * squared
        call = "return window.gap(arguments[0], arguments[1], arguments[2], arguments[3], 1/arguments[2])"
        short = name.split()[0]
        shown = page.execute_script(call, short, margin, n_classes, loss.learning_rate)
        assert shown == pytest.approx(expected, abs=1e-12)


def test_the_plotted_gap_of_one_weight_vector_is_that_of_the_learner(page: webdriver.Chrome) -> None:
    loss = in_doubles(named_binary_theorem("smooth hinge"), 2)
    for z in (-1.25, -0.5, 0.25, 0.75):
        scores = np.array([z, 0.0])
        a, slope = loss.gap(scores), loss.score_gradient(scores, 0)[0]
        expected = (a / 2 if z >= 0 else 1 - a / 2) - loss.value(scores, 0) + slope**2 / 8
        shown = page.execute_script("return window.gap('binary', arguments[0], 2, 1/4, 1/2)", z)
        assert shown == pytest.approx(expected, abs=1e-12)


def test_filters_work_and_a_link_to_a_hidden_claim_shows_it(page: webdriver.Chrome) -> None:
    Select(page.find_element(By.ID, "by-verdict")).select_by_value("REFUTED")
    assert text_of(page, "shown") == "1 shown"
    assert not page.find_element(By.ID, "blog-square").is_displayed()
    page.execute_script("location.hash = 'blog-square'")
    page.find_element(By.ID, "blog-square")
    assert page.find_element(By.ID, "blog-square").is_displayed()
    page.find_element(By.ID, "by-text").send_keys("nice")
    assert text_of(page, "shown") == "1 shown"


def test_a_phone_needs_no_sideways_scrolling(page: webdriver.Chrome) -> None:
    page.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride", {"width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": True}
    )
    assert page.execute_script("return document.documentElement.scrollWidth") <= 360
    page.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


@pytest.mark.parametrize("width", [360, 500])
def test_nothing_of_the_whole_report_sticks_out_on_a_phone(
    browser: webdriver.Chrome, audited: Audited, width: int
) -> None:
    phone = {"width": width, "height": 740, "deviceScaleFactor": 2, "mobile": True}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", phone)
    browser.get(audited.report.as_uri())
    found, formulas = browser.execute_script(STICKS_OUT), browser.find_elements(By.CLASS_NAME, "formula")
    browser.execute_script("document.querySelector('.formula math').style.cssText = 'display: block; width: 2000px'")
    scrolls = browser.execute_script(STICKS_OUT)
    browser.execute_script("document.querySelectorAll('.formula').forEach(e => { e.style.overflow = 'visible'; })")
    assert (found, scrolls) == ([], [])
    assert formulas
    assert browser.execute_script(STICKS_OUT)
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})


def test_the_whole_report_prints_all_errata_in_less_than_a_megabyte(
    browser: webdriver.Chrome, audited: Audited
) -> None:
    browser.get(audited.report.as_uri())
    options = {"generateTaggedPDF": True, "printBackground": True}

    def printed(page: webdriver.Chrome) -> int:
        return len(base64.b64decode(page.execute_cdp_cmd("Page.printToPDF", options)["data"]))

    WebDriverWait(browser, PATIENCE).until(lambda page: printed(page) > BLANK)
    assert printed(browser) < PRINTED
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    errata = browser.find_elements(By.CLASS_NAME, "erratum")
    patches = browser.find_elements(By.XPATH, "//article[@class='erratum']//dt[.='Patch']/following-sibling::dd[1]")
    assert len(errata) == len(patches) > 20
    assert all(element.is_displayed() for element in (*errata, *patches))
    assert browser.find_elements(By.CSS_SELECTOR, ".erratum q math")
    assert browser.execute_script(SCROLLS_ON_PAPER) == []
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def test_the_slider_of_a_paper_of_ones_own_redraws_its_gap(
    browser: webdriver.Chrome, gaptron: Command, tmp_path: Path
) -> None:
    report = tmp_path / "report.html"
    assert gaptron("audit", "examples/tilted_hinge", "--html", report).returncode == 0
    browser.get_log("browser")
    browser.get(report.as_uri())
    assert browser.get_log("browser") == []
    assert "A tilted hinge loss" in browser.title
    assert browser.find_elements(By.ID, "controls") == []
    figure = browser.find_elements(By.CSS_SELECTOR, "figure.plots")[1]
    gap = figure.find_elements(By.CSS_SELECTOR, "[data-line]")[-1]
    before = gap.get_attribute("d")
    assert "largest 0.5, at 0.000: above 0" in figure.text
    figure.find_element(By.TAG_NAME, "input").send_keys(Keys.ARROW_RIGHT)
    assert gap.get_attribute("d") != before
    assert "K = 3: largest 0.333333, at 0.000: above 0" in figure.text
