"""benchmarks/error_rates.md: its head and numbers are the script's, and docs/learners.md quotes them."""

import re
import sys

import pytest
from conftest import REPOSITORY

sys.path.append(str(REPOSITORY / "benchmarks"))

import error_rates

from gaptron.experiments.named_streams import named

PAGE = (REPOSITORY / "benchmarks" / "error_rates.md").read_text()
ROWS = [line.strip("| ").split(" | ") for line in PAGE.splitlines() if line.startswith("| ")]
CELLS = {(row[0], name): cell for row in ROWS[2:] for name, cell in zip(error_rates.STREAMS, row[2:], strict=True)}


def test_the_head_and_the_rows_are_those_of_the_script() -> None:
    assert PAGE.startswith(error_rates.HEAD.format(rounds=error_rates.ROUNDS, largest=error_rates.LARGEST) + "\n|")
    assert [row[:2] for row in ROWS[2:]] == [[name, one.feedback] for name, one in error_rates.LEARNERS.items()]
    assert [head.split(",")[0] for head in ROWS[0][2:]] == list(error_rates.STREAMS)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["iris", "wine", "digits"])
def test_the_rates_are_found_again(name: str) -> None:
    stream = named(name, error_rates.ROUNDS)
    for learner in error_rates.LEARNERS:
        rate = error_rates.error_rate(learner, stream)
        assert CELLS[learner, name] == ("-" if rate is None else f"{rate:.3f}"), learner


def test_the_best_that_is_proved_is_ahead_of_the_paper_and_the_documentation_says_by_how_much() -> None:
    text = " ".join((REPOSITORY / "docs" / "learners.md").read_text().split())
    (quoted,) = re.findall(
        r"it errs on ([\d.]+) % of the rounds, Gaptron with the smooth hinge loss on ([\d.]+) %", text
    )
    rates = [float(CELLS[learner, "digits"]) for learner in ("proximal-logistic", "gaptron-smooth-hinge")]
    assert [f"{100 * rate:.1f}" for rate in rates] == list(quoted)
    for name in error_rates.STREAMS:
        losses = ("logistic", "hinge", "smooth-hinge")
        others = [float(CELLS[f"gaptron-{loss}", name]) for loss in losses]
        assert float(CELLS["proximal-logistic", name]) <= min(others), name
