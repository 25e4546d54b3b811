"""The hand-written library ``proofs/coq``: its texts, what a development needs of it, and a compiled copy; coqc.

The compiled copy is kept in a folder named after the digest of its texts, of the flags and of Coq's version.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import shorten

from gaptron.system import posix
from gaptron.system.child import Child, Voice
from gaptron.system.documents import Document
from gaptron.theory.shipped import FileError

REQUIRED = re.compile(r"From Gaptron(?:\.(\w+))? Require (?:Import )?([^.]*)\.")
ROOMS = ("", "kernel/")  # the folders of the library
ALLOWED = {
    "ClassicalDedekindReals.sig_forall_dec": "Coq.Reals.ClassicalDedekindReals.sig_forall_dec",
    "ClassicalDedekindReals.sig_not_dec": "Coq.Reals.ClassicalDedekindReals.sig_not_dec",
    "FunctionalExtensionality.functional_extensionality_dep": (
        "Coq.Logic.FunctionalExtensionality.functional_extensionality_dep"
    ),
    "Classical_Prop.classic": "Coq.Logic.Classical_Prop.classic",
}  # as Print Assumptions names them, with their full names
FLAGS = ("-q",)  # no resource file of the user's
ENVIRONMENT = re.compile(r"In environment\n(?:[\w', ]+ :.*\n| .*\n)*")
LONGEST = 120
ENTRY = re.compile(r"^[\w.']+", re.MULTILINE)
SECONDS = 600.0
PLACE = re.compile(r"line (\d+)")


class MissingCoqError(FileError):
    """There is no coqc."""


class LibraryError(Exception):
    """The library does not compile."""


def coqc() -> str:
    """The compiler; MissingCoqError, with what to install, if there is none."""
    found = shutil.which("coqc")
    if found is None:
        raise MissingCoqError("coqc is not installed: --coq needs Coq 8.16 or newer (Debian: apt-get install coq)")
    return found


def run_coqc(name: str, place: Path, folders: Iterable[Path], seconds: float | None = None) -> Document | None:
    """Compile the file of this name in ``place``; modules named ``Gaptron`` are in the folders.

    Returns
    -------
    ``{"code", "said", "error"}``, or None if it took longer. The compiler dies with this process.
    """
    mapped = [flag for home in folders for flag in ("-Q", str(home), "Gaptron")]
    command = [coqc(), *FLAGS, *mapped, name]

    def work(voice: Voice) -> None:
        done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=False)  # noqa: S603
        voice.say({"code": done.returncode, "said": done.stdout, "error": done.stderr})

    child = Child(work, own_group=True)
    try:
        return child.hear(seconds)
    finally:
        child.stop()


def sentence(said: str) -> str:
    """What coqc says, without the environment of a goal, cut to what a line holds."""
    message = ENVIRONMENT.sub("", said.partition("Error:")[2] or said)
    return shorten(message, LONGEST, placeholder=" ...")


def coq_version() -> str:
    """Of the compiler, as it says it."""
    done = subprocess.run([coqc(), "--print-version"], capture_output=True, text=True, check=True)  # noqa: S603
    return done.stdout.strip()


def folder() -> Path:
    """Where the library is: ``proofs/coq`` of the repository, or its copy in the wheel."""
    package = Path(__file__).resolve().parents[1]
    for found in (package / "proofs" / "coq", package.parent / "proofs" / "coq"):
        if (found / "_CoqProject").exists():
            return found
    raise FileError("the Coq library is missing: the installation is incomplete")


def needed_by(texts: Iterable[str]) -> dict[str, str]:
    """The library's files that these texts need, in an order in which they compile."""
    home = folder()
    found: dict[str, str] = {}

    def add(module: str) -> None:
        file = home / f"{module}.v"
        if f"{module}.v" in found or not file.exists():
            return
        text = file.read_text(encoding="utf-8")
        for other in requirements(text):
            add(other)
        found[f"{module}.v"] = text

    for text in texts:
        for module in requirements(text):
            add(module)
    return found


def proved_from(texts: Mapping[str, str]) -> dict[str, str]:
    """The files of ``exported`` (theorems stated by hand) that need none but these exported files and the library."""
    home = folder()
    found = {file.name: file.read_text(encoding="utf-8") for file in sorted((home / "exported").glob("*.v"))}
    return {
        name: text
        for name, text in found.items()
        if all(f"{module}.v" in texts or (home / f"{module}.v").exists() for module in requirements(text))
    }


def requirements(text: str) -> list[str]:
    """The modules of ``Gaptron`` that a file imports, with the names of their folders."""
    return [f"{room}/{one}" if room else one for room, names in REQUIRED.findall(text) for one in names.split()]


def everything() -> dict[str, str]:
    """All files of the library, by their names in its folder."""
    home = folder()
    files = [file for room in ROOMS for file in sorted((home / room).glob("*.v"))]
    return {file.relative_to(home).as_posix(): file.read_text(encoding="utf-8") for file in files}


def compiled_library(texts: Mapping[str, str], kept: Path) -> Path:
    """The folder of the library in ``kept``, with these of its files compiled, by an earlier run or now.

    Raises
    ------
    MissingCoqError
        If there is no coqc.
    LibraryError
        If the library does not compile.
    """
    home = kept / digest(everything())
    home.mkdir(parents=True, exist_ok=True)
    with (home / "lock").open("w") as lock:
        posix.lock(lock)
        for name, text in texts.items():
            if not (home / name).with_suffix(".vo").exists():
                _compile(name, text, home)
    return home


def _compile(name: str, text: str, home: Path) -> None:
    """Compile a file that needs what is compiled there; it comes there whole."""
    with TemporaryDirectory(dir=home) as place_of_work:
        making = Path(place_of_work)
        for place in (making, home):
            (place / name).parent.mkdir(exist_ok=True)
        (making / name).write_text(text, encoding="utf-8")
        done = run_coqc(name, making, (home, making))
        if done is None or done["code"]:
            raise LibraryError(f"the library does not compile: {sentence(done['error']) if done else done}")
        for made in (Path(name), Path(name).with_suffix(".vo")):
            (making / made).rename(home / made)


def digest(texts: Mapping[str, str]) -> str:
    """Of files, of the flags and of Coq's version."""
    found = sha256("\0".join([coq_version(), *FLAGS]).encode())
    for name, text in sorted(texts.items()):
        found.update(f"\0{name}\0{text}".encode())
    return found.hexdigest()


def default_folder() -> Path:
    """GAPTRON_COQ_CACHE, or gaptron/coq in the user's cache folder."""
    named = os.environ.get("GAPTRON_COQ_CACHE")
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(named) if named else Path(base) / "gaptron" / "coq"


def axioms_in(said: str) -> list[str]:
    """The full names of what ``Print Assumptions`` lists, allowed or not, whatever it says of them."""
    _, found, listed = said.partition("Axioms:")
    return sorted(set(ENTRY.findall(listed))) if found else []


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
