"""The gallery: every example has its recorded output. Record anew with GAPTRON_RECORD=1 and read the difference."""

import os
from pathlib import Path

import pytest
from conftest import REPOSITORY, Command

EXAMPLES = sorted((REPOSITORY / "examples").glob("*.py"), key=str)


QUICK = ("hole", "missing", "squared_hinge", "syntax_error")
ALL = [*EXAMPLES, REPOSITORY / "examples" / "missing.py"]


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Kept from example to example: most of them share a loss with another one."""
    return tmp_path_factory.mktemp("kept") / "cache.sqlite"


@pytest.mark.few(1)
@pytest.mark.parametrize(
    "example",
    [pytest.param(path, marks=[] if path.stem in QUICK else [pytest.mark.slow]) for path in ALL],
    ids=lambda path: path.stem,
)
def test_the_output_of_an_example_is_as_recorded(example: Path, cache: Path, as_printed: Command) -> None:
    done = as_printed("check", example.relative_to(REPOSITORY), "--cache", cache)
    said = f"{done.stdout}{done.stderr}exit {done.returncode}\n"
    recorded = REPOSITORY / "examples" / "expected" / f"{example.stem}.txt"
    if os.environ.get("GAPTRON_RECORD"):
        recorded.write_text(said)
    assert said == recorded.read_text()


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.stem)
def test_an_example_is_what_its_first_word_says(example: Path) -> None:
    said = (REPOSITORY / "examples" / "expected" / f"{example.stem}.txt").read_text()
    promise = example.read_text()[3:].split(":")[0].split(" ")[0]
    code = {"PROVED": 0, "REFUTED": 1, "Input": 2, "UNDECIDED": 3}[promise.strip()]
    assert said.endswith(f"exit {code}\n")


def test_every_recorded_output_belongs_to_an_example() -> None:
    recorded = {path.stem for path in (REPOSITORY / "examples" / "expected").iterdir()}
    assert recorded == {example.stem for example in EXAMPLES} | {"missing"}
