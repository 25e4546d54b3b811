"""Nothing is just "sharp": output, documentation and docstrings say for which class, so that no reader has to guess.

The classes are this map, all maps, all decoders and all algorithms; of a claim's constant, this argument or every one.
"""

import ast
import re
from collections.abc import Iterator

import pytest
from conftest import REPOSITORY

from gaptron.expectation.game import uncollected

CLASS = r"for\s+(this|its|that)\s+(map|argument)|for\s+all\s+(maps|decoders|algorithms)|for\s+every\s+(argument|one)"
NAMED = rf"(\s+|, )(?=({CLASS}|for\s+a\s+class|for\s+which\s+class))"
BARE = re.compile(rf"(?<![\w/\-\"`=.])(?<!\| )sharp\b(?!{NAMED})(?![\w=\-/\"]| : | constants -->)", re.IGNORECASE)
DOCUMENTS = [
    *(REPOSITORY / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "proofs/README.md")),
    *sorted((REPOSITORY / "docs").rglob("*.md")),
    *sorted((REPOSITORY / "examples" / "expected").iterdir()),
    *sorted((REPOSITORY / "tests" / "contracts" / "documents").iterdir()),
    *sorted((REPOSITORY / "gaptron").rglob("*.j2")),
    *sorted((REPOSITORY / "benchmarks").glob("*.md")),
]
SOURCES = [f for room in ("gaptron", "proofs", "benchmarks") for f in (REPOSITORY / room).rglob("*.py")]


def sentences(source: str) -> Iterator[str]:
    """Every text of a module of four words or more: docstrings, messages, findings."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value.split()) > 3:
            yield node.value


def bare(text: str) -> list[str]:
    return [text[max(0, found.start() - 60) : found.end() + 40] for found in BARE.finditer(text)]


@pytest.mark.parametrize("text", ["2K is sharp.", "`K`, sharp | 3", "sharp\nfor every K", "(Sharp: no less)"])
def test_a_sharp_without_its_class_is_found(text: str) -> None:
    assert len(bare(text)) == 1


@pytest.mark.parametrize(
    "text", ["2K is sharp\nfor all decoders.", "`K`, sharp for this map |", "a sharper bound", "gaptron/t1-gap-sharp"]
)
def test_a_sharp_with_its_class_is_not(text: str) -> None:
    assert bare(text) == []


def test_documents_and_outputs_name_the_class() -> None:
    assert {str(file): found for file in DOCUMENTS if (found := bare(file.read_text(encoding="utf-8")))} == {}


@pytest.mark.slow
def test_what_the_package_and_the_proofs_say_names_the_class() -> None:
    sources = {file: file.read_text(encoding="utf-8") for file in SOURCES}
    with uncollected():
        said = {file: [*sentences(source)] for file, source in sources.items() if "sharp" in source.lower()}
    assert {str(file): found for file, texts in said.items() if (found := [b for t in texts for b in bare(t)])} == {}
