"""The hand-written library ``proofs/coq``: its texts, what a development needs of it, and a compiled copy.

The compiled copy is kept in a folder named after the digest of the texts and of Coq's version.
"""

import os
import re
import shutil
import subprocess
from collections.abc import Iterable, Mapping
from hashlib import sha256
from pathlib import Path
from tempfile import mkdtemp

from gaptron.theory.shipped import FileError

REQUIRED = re.compile(r"From Gaptron Require (?:Import )?([^.]*)\.")
ALLOWED = frozenset(
    {
        "ClassicalDedekindReals.sig_forall_dec",
        "ClassicalDedekindReals.sig_not_dec",
        "FunctionalExtensionality.functional_extensionality_dep",
        "Classical_Prop.classic",
    }
)
ENTRY = re.compile(r"^[\w.']+", re.MULTILINE)


class MissingCoqError(Exception):
    """There is no coqc."""


def coqc() -> str:
    """The compiler; MissingCoqError, with what to install, if there is none."""
    found = shutil.which("coqc")
    if found is None:
        raise MissingCoqError("coqc is not installed: --coq needs Coq 8.16 or newer (Debian: apt-get install coq)")
    return found


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
        if file.name in found or not file.exists():
            return
        text = file.read_text(encoding="utf-8")
        for other in requirements(text):
            add(other)
        found[file.name] = text

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
    """The modules of ``Gaptron`` that a file imports."""
    return [module for names in REQUIRED.findall(text) for module in names.split()]


def compiled_library(texts: Mapping[str, str], kept: Path) -> Path:
    """The folder of these files, compiled: in ``kept`` by an earlier run, or now.

    Raises
    ------
    MissingCoqError
        If there is no coqc.
    subprocess.CalledProcessError
        If the library does not compile.
    """
    home = kept / digest(texts)
    if not home.exists():
        kept.mkdir(parents=True, exist_ok=True)
        making = Path(mkdtemp(dir=kept))
        for name, text in texts.items():
            (making / name).write_text(text, encoding="utf-8")
            command = [coqc(), "-q", "-R", ".", "Gaptron", name]
            subprocess.run(command, cwd=making, check=True, capture_output=True, text=True)  # noqa: S603
        try:
            making.rename(home)
        except OSError:  # somebody else was faster
            shutil.rmtree(making)
    return home


def digest(texts: Mapping[str, str]) -> str:
    """Of files and of Coq's version."""
    found = sha256(coq_version().encode())
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
