"""The notebooks say what their code says: executed again, their text is what is committed."""

from pathlib import Path
from typing import Any

import nbformat
import pytest
from conftest import REPOSITORY
from nbclient import NotebookClient

NOTEBOOKS = sorted((REPOSITORY / "notebooks").glob("*.ipynb"))
SECONDS = 900


def said(notebook: Any) -> list[tuple[str, list[str]]]:
    """For every cell: what it printed, and the kinds of what it showed; a kernel mixes them in any order."""
    outputs = [cell.outputs for cell in notebook.cells if cell.cell_type == "code"]
    return [
        (
            "".join(output["text"] for output in found if output.output_type == "stream"),
            [" ".join(sorted(output["data"])) for output in found if output.output_type != "stream"],
        )
        for found in outputs
    ]


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_says_what_is_committed(file: Path) -> None:
    committed = nbformat.read(file, as_version=4)
    executed = nbformat.read(file, as_version=4)
    for cell in executed.cells:
        if cell.cell_type == "code":
            cell.outputs = []
    NotebookClient(executed, timeout=SECONDS, resources={"metadata": {"path": str(REPOSITORY)}}).execute()
    assert said(executed) == said(committed)
    assert any(text or kinds for text, kinds in said(committed))
