"""Certificates as files: one for each obligation that the kernel decided."""

from collections.abc import Iterable
from pathlib import Path

from gaptron.kernel.certificate import canonical_text
from gaptron.system.atomic import write_atomically
from gaptron.system.documents import Document
from gaptron.theory.file_names import FileNames


def write_certificates(folder: Path, certificates: Iterable[tuple[str, str, Document]]) -> None:
    """Write certificates, each after the names of its theorem and obligation, to files of those names."""
    folder.mkdir(parents=True, exist_ok=True)
    names = FileNames()
    for theorem, obligation, certificate in certificates:
        write_atomically(folder / names.name(theorem, obligation, "json"), canonical_text(certificate) + "\n")
