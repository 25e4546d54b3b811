"""The table of docs/theorem_files.md is what ``gaptron sharpen`` finds of the example."""

import os

import pytest
from conftest import REPOSITORY

from gaptron import sharpen

PAGE = REPOSITORY / "docs" / "theorem_files.md"
HEAD = "| loss | least c, for every K | what binds |\n| --- | --- | --- |\n"


@pytest.mark.slow
def test_the_table_is_what_is_found() -> None:
    rows = []
    for found in sharpen(REPOSITORY / "examples" / "losses_of_all_scores.py", classes=[2, 3]):
        part = found.to_json()["any_algorithm"]
        regret = part["regret"]
        if "none" in regret:
            assert regret["none"].keys() == {"2", "3"}
            rows.append(f"| {found.name} | none | {part['binds']['2']} |")
        elif not found.name.endswith("too small"):
            bracket = regret["K"]["2"]
            c = regret["closed_form"] or f"{_decimal(bracket[0]):.8f} to {_decimal(bracket[1]):.8f}"
            rows.append(f"| {found.name} | {c} | {part['binds']['2']} |")
    before, after = PAGE.read_text().split(HEAD)
    _, rest = after.split("\n<!-- end -->", 1)
    page = f"{before}{HEAD}{''.join(row + chr(10) for row in rows)}\n<!-- end -->{rest}"
    if os.environ.get("GAPTRON_RECORD"):
        PAGE.write_text(page)
    assert PAGE.read_text() == page


def _decimal(number: str) -> float:
    numerator, _, denominator = number.partition("/")
    return int(numerator) / int(denominator or 1)
