"""coqc on generated files: what it prints, or why it refuses them."""

import re
from collections.abc import Mapping
from pathlib import Path

from gaptron.coq.library import run_coqc, sentence

SECONDS = 600.0
PLACE = re.compile(r"line (\d+)")


class RefusedError(Exception):
    """Coq does not accept a file: what it says, the line, and both in a sentence."""

    def __init__(self, file: str, said: str) -> None:
        super().__init__(f"{file}: {said.strip()}")
        place = PLACE.search(said)
        self.line = 0 if place is None else int(place.group(1))
        self.sentence = f"{file}{f', line {self.line}' if self.line else ''}: {sentence(said)}"


class LateError(RefusedError):
    """Coq takes longer than it may."""


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
            raise LateError(name, f"took longer than {seconds:g} s")
        if done["code"]:
            raise RefusedError(name, done["error"])
        said.append(done["said"])
    return "".join(said)
