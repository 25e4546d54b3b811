"""Headless Chromium, as the tests of the report and of the site use it."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service

SWITCHES = ["no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-component-update", "disable-sync"]
ARGUMENTS = ["--headless=new", "--disable-background-networking", *(f"--{switch}" for switch in SWITCHES)]


@contextmanager
def chrome(profile: Path) -> Iterator[webdriver.Chrome]:
    """A browser that logs errors and requests."""
    chromium, driver = shutil.which("chromium"), shutil.which("chromedriver")
    assert chromium, "chromium is not installed: these tests need Debian's packages chromium and chromium-driver"
    assert driver, "chromedriver is not installed: these tests need Debian's packages chromium and chromium-driver"
    options = Options()
    options.binary_location = chromium
    for argument in (*ARGUMENTS, f"--user-data-dir={profile}"):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    opened = webdriver.Chrome(options=options, service=Service(driver))
    try:
        yield opened
    finally:
        opened.quit()


def asked_of_the_network(page: webdriver.Chrome) -> set[str]:
    """What was asked of the network since this was asked last."""
    events = [json.loads(entry["message"])["message"] for entry in page.get_log("performance")]
    asked = {e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"}
    return {url for url in asked if url.startswith(("http", "ws"))}
