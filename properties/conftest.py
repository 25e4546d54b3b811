"""How much is tried, and how much was.

``pytest properties`` tries a few streams; in continuous integration (``CI=1``) it tries more streams, and ``pytest
properties --deep`` eighty times as many again, longer ones, with more classes and features, which takes hours. Each
ends with the number of streams and outcome paths checked.
"""

import os
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy: its threads would wait for each other

import pytest
from hypothesis import settings

from properties.bound_of import CHECKED, DEEP

FEW_EXAMPLES, EXAMPLES, DEEP_EXAMPLES = 8, 20, 1600

settings.register_profile("ci", derandomize=True, deadline=None, max_examples=EXAMPLES)
settings.register_profile("default", deadline=None, max_examples=FEW_EXAMPLES)
settings.register_profile("deep", deadline=None, max_examples=DEEP_EXAMPLES)


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--deep``."""
    parser.addoption("--deep", action="store_true", help="properties: more and longer streams, more classes")


def pytest_configure(config: pytest.Config) -> None:
    """The profile, before strategies are made."""
    deep = config.getoption("--deep", default=False)
    DEEP.update({"deep"} if deep else {})
    settings.load_profile("deep" if deep else "ci" if os.environ.get("CI") else "default")


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker of pytest-xdist hands its counts over."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["checked"] = dict(CHECKED)


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """The counts of a worker that is done."""
    CHECKED.update(getattr(node, "workeroutput", {}).get("checked", {}))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """What was checked."""
    if CHECKED:
        counts = ", ".join(f"{number:,} {what}" for what, number in sorted(CHECKED.items()))
        terminalreporter.write_line(f"checked exactly: {counts}")
