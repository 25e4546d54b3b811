"""The notebooks say what their code says: run again, they print what is committed. GAPTRON_RECORD=1 rewrites them.

Words and whole numbers exactly; decimals up to what another processor's arithmetic makes of them.
"""

import os
import re
from pathlib import Path
from typing import Any

import pytest
from conftest import REPOSITORY

NOTEBOOKS = sorted((REPOSITORY / "notebooks").glob("*.ipynb"))
SECONDS = 900
DECIMAL = re.compile(r"\d+\.\d+")
Said = list[tuple[str, list[str]]]


def said(notebook: Any) -> Said:
    """For every cell: what it printed, and the kinds of what it showed; a kernel mixes them in any order.

    What libraries say on stderr is not of the notebook: Matplotlib says there that it builds its font cache, the first
    time on a machine, if that takes five seconds.
    """
    outputs = [cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code"]
    return [
        (
            "".join(output["text"] for output in found if output.get("name") == "stdout"),
            [" ".join(sorted(output["data"])) for output in found if output["output_type"] != "stream"],
        )
        for found in outputs
    ]


def decimals(cells: Said) -> list[float]:
    return [float(number) for text, _ in cells for number in DECIMAL.findall(text)]


def without_decimals(cells: Said) -> Said:
    return [(DECIMAL.sub("0.0", text), kinds) for text, kinds in cells]


def agree(cells: Said, others: Said) -> bool:
    """A draw at random may fall on the other side of a probability that differs in its last digit."""
    same = without_decimals(cells) == without_decimals(others)
    return same and decimals(cells) == pytest.approx(decimals(others), rel=0.01, abs=0.002)


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS


def test_a_word_on_stderr_changes_nothing_and_one_on_stdout_does() -> None:
    def notebook(*outputs: tuple[str, str]) -> Any:
        streams = [{"output_type": "stream", "name": name, "text": text} for name, text in outputs]
        return {"cells": [{"cell_type": "code", "outputs": streams}]}

    plain = said(notebook(("stdout", "1\n")))
    assert said(notebook(("stderr", "building the font cache"), ("stdout", "1\n"))) == plain
    assert said(notebook(("stdout", "1\n"), ("stdout", "2\n"))) != plain


def test_a_number_may_differ_in_a_last_decimal_and_in_nothing_else() -> None:
    assert agree([("0.174 of 9", [])], [("0.175 of 9", [])])
    for other in ("0.184 of 9", "0.174 of 8", "0.174 if 9", "0.174 of 9 0.1"):
        assert not agree([("0.174 of 9", [])], [(other, [])])


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_says_what_is_committed(file: Path) -> None:
    import nbformat
    from nbclient import NotebookClient

    committed = nbformat.read(file, as_version=4)
    executed = nbformat.read(file, as_version=4)
    for cell in executed.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    NotebookClient(executed, timeout=SECONDS, resources={"metadata": {"path": str(REPOSITORY)}}).execute()
    if os.environ.get("GAPTRON_RECORD"):
        for cell in executed.cells:
            cell.get("metadata", {}).pop("execution", None)  # the times
        committed = executed
        nbformat.write(executed, file)
    assert agree(said(executed), said(committed)), said(executed)
    assert any(text or kinds for text, kinds in said(committed))
