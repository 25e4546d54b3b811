"""coqc on generated files: what it prints, or why it refuses them."""

import re
from collections.abc import Mapping
from pathlib import Path

from gaptron.coq.certificates import HEADER
from gaptron.coq.library import run_coqc
from gaptron.coq.terms import identifier

SECONDS = 600.0
PLACE = re.compile(r"line (\d+)")


class RefusedError(Exception):
    """Coq does not accept a file: what it says, and the line."""

    def __init__(self, file: str, said: str) -> None:
        super().__init__(f"{file}: {said.strip()}")
        place = PLACE.search(said)
        self.line = 0 if place is None else int(place.group(1))


def compiled(files: Mapping[str, str], folder: Path, library: Path, seconds: float = SECONDS) -> str:
    """Write files to a folder and compile them in their order; what Coq prints.

    Parameters
    ----------
    files : text by name
    folder : Path
        Where they are written; their modules are ``Gaptron.NAME``, as those of the library.
    library : Path
        The folder of the compiled library.
    seconds : float
        Limit for each file.

    Raises
    ------
    RefusedError
        If Coq does not accept one.
    MissingCoqError
        If there is no coqc.
    """
    said = []
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
        done = run_coqc(name, folder, (library, folder), seconds)
        if done is None:
            raise RefusedError(name, f"took longer than {seconds:g} s")
        if done["code"]:
            raise RefusedError(name, done["error"])
        said.append(done["said"])
    return "".join(said)


def refused_lemmas(name: str, lemmas: Mapping[str, str], folder: Path, library: Path) -> dict[str, str]:
    """Lemmas that Coq refuses, each with what it says: the file is compiled again without them.

    Parameters
    ----------
    name : str
        Of the file; any text.
    lemmas : text by name
        As ``claim_to_coq`` writes them.
    folder, library : Path
        As for ``compiled``.
    """
    refused: dict[str, str] = {}
    while True:
        text, ends = HEADER, dict[str, int]()
        for lemma, written in lemmas.items():
            if lemma not in refused:
                text += written + "\n"
                ends[lemma] = text.count("\n")
        try:
            compiled({f"C_{identifier(name)}.v": text}, folder, library)
        except RefusedError as error:
            found = next((lemma for lemma, end in ends.items() if 0 < error.line <= end), None)
            if found is None:
                raise
            refused[found] = str(error)
        else:
            return refused
