"""The notebooks say what their code says: executed again, their text is what is committed."""

from pathlib import Path
from typing import Any

import pytest
from conftest import REPOSITORY

NOTEBOOKS = sorted((REPOSITORY / "notebooks").glob("*.ipynb"))
SECONDS = 900


def said(notebook: Any) -> list[tuple[str, list[str]]]:
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


def test_there_are_notebooks() -> None:
    assert NOTEBOOKS


def test_a_word_on_stderr_changes_nothing_and_one_on_stdout_does() -> None:
    def notebook(*outputs: tuple[str, str]) -> Any:
        streams = [{"output_type": "stream", "name": name, "text": text} for name, text in outputs]
        return {"cells": [{"cell_type": "code", "outputs": streams}]}

    plain = said(notebook(("stdout", "1\n")))
    assert said(notebook(("stderr", "building the font cache"), ("stdout", "1\n"))) == plain
    assert said(notebook(("stdout", "1\n"), ("stdout", "2\n"))) != plain


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
    assert said(executed) == said(committed)
    assert any(text or kinds for text, kinds in said(committed))
