"""How much is tried, and how much was.

``pytest properties`` tries 20 streams for each of the six theorems and a few for every other property; the slow run
(``-m slow``) tries 500 and some more, and ``pytest properties --deep`` several times as many, with more classes
and features, which takes hours. Each ends with the number of streams and outcome paths checked, and on how many of the
streams a bad learner would have broken the bound. In continuous integration (``CI=1``) the streams are the same ones
every time; ``make nightly`` makes the slow run with a seed of its own, which it prints.
"""

import os
from dataclasses import astuple
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before NumPy: its threads would wait for each other

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

from gaptron.testing import Power
from properties.bound_of import CHECKED, DEEP, MANY, POWER, six

FEW_EXAMPLES, EXAMPLES, DEEP_EXAMPLES = 4, 20, 1600
MANY_EXAMPLES, MOST_EXAMPLES = 20, 500  # of each of the six theorems


def pytest_addoption(parser: pytest.Parser) -> None:
    """``--deep``."""
    parser.addoption("--deep", action="store_true", help="more and longer streams, more classes, more degenerate files")


def pytest_configure(config: pytest.Config) -> None:
    """The profile, before strategies are made."""
    deep = config.getoption("--deep", default=False)
    DEEP.update({"deep"} if deep else {})
    examples = DEEP_EXAMPLES if deep else EXAMPLES if _is_slow(config) else FEW_EXAMPLES
    MANY[0] = DEEP_EXAMPLES if deep else MOST_EXAMPLES if _is_slow(config) else MANY_EXAMPLES
    seeded = config.getoption("--hypothesis-seed", default=None) is not None
    settings.register_profile(
        "ours",
        derandomize=not deep and not seeded and bool(os.environ.get("CI")),
        deadline=None,
        max_examples=examples,
        suppress_health_check=[HealthCheck.too_slow],  # seconds of a clock, on a machine that may be busy
    )
    settings.load_profile("ours")


def _is_slow(config: pytest.Config) -> bool:
    """Whether it is the slow run that was asked for."""
    return str(config.getoption("markexpr", default="")).split()[:1] == ["slow"]


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The slow run has all that draws examples too, with more of them."""
    if _is_slow(config):
        for item in items:
            if is_hypothesis_test(getattr(item, "obj", None)):
                item.add_marker(pytest.mark.slow)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """A worker of pytest-xdist hands its counts over."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["checked"] = dict(CHECKED)
        session.config.workeroutput["power"] = {name: astuple(power) for name, power in POWER.items()}


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """The counts of a worker that is done."""
    output = getattr(node, "workeroutput", {})
    CHECKED.update(output.get("checked", {}))
    for name, counts in output.get("power", {}).items():
        POWER[name].add(Power(*counts))


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """What was checked."""
    if CHECKED:
        counts = ", ".join(f"{number:,} {what}" for what, number in sorted(CHECKED.items()))
        terminalreporter.write_line(f"checked exactly: {counts}")
    for name, power in sorted(POWER.items()):
        if name in {theorem.name for theorem in six().values()}:
            terminalreporter.write_line(f"{name}: {power}")
