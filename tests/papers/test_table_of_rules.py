"""The table of rules in docs/proof_meaning.md: what each rule takes in lines, and which shipped claims need it."""

import inspect
import json
import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from test_trusted_lines import code_lines

from gaptron import papers
from gaptron.papers.trees import RULES  # the facts are among them

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "proof_meaning.md"
MARK = "<!-- table: rules -->\n\n"
TRUSTED = ("typed_terms", "typed_formulas", "rules", "facts", "matrices", "textbook", "trees", "statements", "layout")


def lines_of(rule: Callable[..., Any], folder: Path) -> int:
    file = folder / f"{rule.__name__}.py"
    file.write_text(inspect.getsource(inspect.unwrap(rule)), encoding="utf-8")
    return code_lines(file)


def claims_that_need() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {name: [] for name in RULES}
    for file in sorted((ROOT / "proofs").glob("*/*.proof.json")):
        for claim, tree in json.loads(file.read_text(encoding="utf-8"))["claims"].items():
            for name in {step[0] for step in tree["steps"]}:
                found[name].append(claim)
    return found


def table(folder: Path) -> str:
    needed = claims_that_need()
    every = len({claim for claims in needed.values() for claim in claims})
    rows = ["| rule | lines | claims that need it |", "|---|---|---|"]
    for name, rule in sorted(RULES.items()):
        claims = sorted(needed[name])
        said = "all" if len(claims) == every else ", ".join(f"`{claim}`" for claim in claims) or "none yet"
        rows.append(f"| `{name}` | {lines_of(rule, folder)} | {said} |")
    lines = {name: code_lines(Path(papers.__file__).with_name(f"{name}.py")) for name in TRUSTED}
    rows += ["", "| trusted | lines |", "|---|---|", *(f"| `{name}` | {count} |" for name, count in lines.items())]
    return "\n".join([*rows, f"| together | {sum(lines.values())} |"]) + "\n"


@pytest.mark.slow
def test_the_table_is_what_the_rules_are(tmp_path: Path) -> None:
    text = PAGE.read_text(encoding="utf-8")
    before, after = text.split(MARK)
    rest = re.sub(r"\A(?:\|[^\n]*\n|\n(?=\|))*\n?", "", after)
    expected = f"{before}{MARK}{table(tmp_path)}\n{rest}"
    if os.environ.get("GAPTRON_RECORD"):
        PAGE.write_text(expected, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == expected


def test_every_rule_is_specified() -> None:
    specified = PAGE.read_text(encoding="utf-8").split(MARK)[0]
    assert {name for name in RULES if not re.search(rf"^\| [^|]*\b{name}\b", specified, re.MULTILINE)} == set()
